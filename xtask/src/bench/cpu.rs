//! CPU time of child processes.

use std::fs;

use anyhow::{Context, Result};

/// Calls a function. Returns its result, and the CPU seconds of the processes that it started and
/// waited for.
pub(super) fn measured<T>(act: impl FnOnce() -> Result<T>) -> Result<(T, f64)> {
    let before = seconds_of_children()?;
    let result = act()?;
    Ok((result, seconds_of_children()? - before))
}

/// CPU time of all children that have ended, in user and in system mode.
fn seconds_of_children() -> Result<f64> {
    seconds("self", 13)
}

/// CPU time of a process that is running.
pub(super) fn seconds_of(process: u32) -> Result<f64> {
    seconds(&process.to_string(), 11)
}

/// The sum of two consecutive fields of a process, numbered from its state.
fn seconds(process: &str, field: usize) -> Result<f64> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat =
        fs::read_to_string(format!("/proc/{process}/stat")).context("measuring needs Linux")?;
    let (_, fields) = stat.rsplit_once(") ").context("unexpected layout of /proc/PID/stat")?;
    let ticks = fields.split(' ').skip(field).take(2).map(str::parse::<f64>);
    Ok(ticks.sum::<Result<f64, _>>()? / TICKS_PER_SECOND)
}
