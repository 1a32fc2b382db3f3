//! Renders a directory with some data values, and writes the result: all files or none.
//!
//! Usage: `plumb-embed-example CONFIG OUT [KEY=VALUE]…`

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use plumb::native::NativeWorld;
use plumb::pretty::{self, Colour};
use plumb::world::{Access, Occupant, OutputTree};
use plumb::{Options, World, print, render};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [config, out, values @ ..] = arguments.as_slice() else {
        eprintln!("usage: plumb-embed-example CONFIG OUT [KEY=VALUE]...");
        return ExitCode::from(2);
    };
    let mut options = Options::new().path(config);
    for value in values {
        let Some((key, value)) = value.split_once('=') else {
            eprintln!("error: expected KEY=VALUE, found an argument without `=`");
            return ExitCode::from(2);
        };
        options = options.data_value(key, value);
    }
    let world: Arc<dyn World> = Arc::new(NativeWorld::default());
    let outcome = render(&world, &options);
    for warning in &outcome.warnings {
        eprint!("{}", pretty::render(warning, &outcome.sources, Colour::Never));
    }
    let rendered = match outcome.result {
        Ok(rendered) => rendered,
        Err(failure) => {
            eprint!("{}", pretty::render_failure(&failure, &outcome.sources, Colour::Never));
            return ExitCode::FAILURE;
        }
    };
    let files = print::files(&rendered.files);
    let tree = OutputTree {
        directory: Path::new(out),
        occupant: Occupant::Kept,
        access: Access::Usual,
        files: &files,
    };
    if let Err(error) = world.write(&tree) {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    println!("wrote {} files to {out}", files.len());
    ExitCode::SUCCESS
}
