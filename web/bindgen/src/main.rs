//! `plumb-bindgen WASM DIRECTORY NAME`: what the command `wasm-bindgen --target web` does, as a program
//! whose version is locked to that of the engine's own wasm-bindgen.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, directory, name] = arguments.as_slice() else {
        eprintln!("usage: plumb-bindgen WASM DIRECTORY NAME");
        return ExitCode::from(2);
    };
    let written = Bindgen::new().input_path(input).web(true).and_then(|bindgen| {
        bindgen
            .typescript(true)
            .omit_default_module_path(true)
            .remove_name_section(true)
            .out_name(name)
            .generate(directory)
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
