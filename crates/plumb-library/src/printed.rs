//! Output files whose documents are known only as text: see `print_ahead`.

use std::sync::Arc;

/// The documents of a file as YAML.
#[derive(Debug)]
pub struct Printed {
    /// Each is the text of several documents, and is not empty. There is a `---` between two pieces.
    pub pieces: Vec<Vec<u8>>,
    /// What [`bound`](plumb_yaml::print::bound) says about the documents.
    pub bound: u64,
}

/// An output file whose documents are printed.
#[derive(Clone, Debug)]
pub struct PrintedFile {
    /// The path of the input that it comes from.
    pub path: String,
    /// The text of the file.
    pub text: Arc<Printed>,
}
