//! The CPU time of `plumb build --watch` for a change that affects one target.

use std::io::{BufRead as _, BufReader, PipeReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};

use super::{cpu, workload};

const N_CHANGES: u32 = 40;

/// Changes the data values of one target repeatedly. Returns the CPU seconds of one rebuild.
pub(super) fn seconds_per_change(plumb: &Path, directory: &Path) -> Result<f64> {
    // Both streams use one pipe, so that their lines stay in order.
    let (reader, writer) = std::io::pipe()?;
    let mut command = Command::new(plumb);
    command.args(["build", "--watch"]).current_dir(directory).stdin(Stdio::null());
    let mut child = command.stdout(writer.try_clone()?).stderr(writer).spawn()?;
    drop(command);
    let measured = measure(child.id(), reader, directory);
    child.kill()?;
    child.wait()?;
    measured
}

fn measure(process: u32, output: PipeReader, directory: &Path) -> Result<f64> {
    let mut lines = BufReader::new(output).lines();
    let mut until = |text: &str| -> Result<String> {
        loop {
            let line = lines.next().context("the program has ended")??;
            if line.contains(text) {
                return Ok(line);
            }
        }
    };
    until("watching for changes")?;
    let before = cpu::seconds_of(process)?;
    for change in 0..N_CHANGES {
        workload::put_values(directory, 0, 2 + change)?;
        let line = until(&workload::values_of(0))?;
        let expected = format!("1 of {} targets built", workload::N_TARGETS);
        ensure!(line.contains(&expected), "expected one target to be built, found: {line}");
    }
    Ok((cpu::seconds_of(process)? - before) / f64::from(N_CHANGES))
}
