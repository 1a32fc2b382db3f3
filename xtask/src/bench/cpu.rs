//! CPU time of child processes.

use std::fs;

use anyhow::{Context, Result};

/// The result of a function, and the CPU seconds of the processes that it started and waited for.
pub(super) fn measured<T>(act: impl FnOnce() -> Result<T>) -> Result<(T, f64)> {
    let before = seconds_of_children()?;
    let result = act()?;
    Ok((result, seconds_of_children()? - before))
}

/// CPU time of all children that have ended, in user and in system mode.
fn seconds_of_children() -> Result<f64> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").context("measuring needs Linux")?;
    let (_, fields) = stat.rsplit_once(") ").context("an unknown layout of /proc/self/stat")?;
    let ticks = fields.split(' ').skip(13).take(2).map(str::parse::<f64>);
    Ok(ticks.sum::<Result<f64, _>>()? / TICKS_PER_SECOND)
}
