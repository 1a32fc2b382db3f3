//! The output of `--debug` about a run.

use std::fmt::Write as _;

use plumb::{FileType, InputFile, lexical};

/// The input files in their order, and the type of each.
pub(super) fn inputs(files: &[InputFile]) -> String {
    let mut text = String::from("files:\n");
    if files.is_empty() {
        text.push_str("  none\n");
    }
    for file in files {
        let kind = match file.file_type() {
            FileType::Yaml => "yaml",
            FileType::Text => "text",
            FileType::Starlark => "starlark",
            FileType::Data => "data",
        };
        let role = match () {
            () if file.is_library() => ", library",
            () if file.is_template() => ", template",
            () if file.is_for_output() => ", plain",
            () => "",
        };
        let output = if file.is_for_output() { ", for output" } else { "" };
        let path = lexical::one_line(file.path());
        let found_as = match lexical::one_line(file.original_path()) {
            original if original == path => String::new(),
            original => format!(" (found as {original})"),
        };
        let _ = writeln!(text, "  {path}{found_as}: {kind}{role}{output}");
    }
    text
}
