//! Runs a template of `bench/language` with the `starlark` crate, for comparison.
//!
//! The crate does not support YAML. Only the code of a template is run: lines that begin with `#@`
//! without their prefix and without `end`, and the expression of a line such as `total: #@ total`,
//! which is printed. `struct.make` is called `struct` there. A template whose documents matter has
//! a second file, `NAME.star`, that prints them as JSON; it is run instead.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use starlark::environment::{GlobalsBuilder, LibraryExtension, Module};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect};

fn main() -> ExitCode {
    let Some(path) = env::args().nth(1) else {
        eprintln!("usage: starlark-bench FILE");
        return ExitCode::from(2);
    };
    match run(&path) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(path: &str) -> Result<(), Box<dyn std::error::Error>> {
    let program = Path::new(path).with_extension("star");
    let code = match program.exists() {
        true => fs::read_to_string(program)?,
        false => code_of_template(&fs::read_to_string(path)?),
    };
    let ast = AstModule::parse(path, code, &Dialect::Extended).map_err(|it| it.to_string())?;
    let extensions =
        [LibraryExtension::Print, LibraryExtension::StructType, LibraryExtension::Json];
    let globals = GlobalsBuilder::extended_by(&extensions).build();
    Module::with_temp_heap(|module| {
        let mut evaluator = Evaluator::new(&module);
        evaluator.eval_module(ast, &globals).map(|_| ()).map_err(|it| it.to_string().into())
    })
}

fn code_of_template(template: &str) -> String {
    let mut code = String::new();
    for line in template.lines() {
        let line = match line.split_once("#@ ") {
            Some(("", statement)) => statement.to_string(),
            Some((key, expression)) => format!("print(\"{key}\", {expression})"),
            None => continue,
        };
        if line.trim() != "end" && !line.starts_with("load(") {
            code.push_str(&line.replace("struct.make(", "struct("));
            code.push('\n');
        }
    }
    code
}
