//! Why output cannot be written, as facts. Here are our words for them.

use plumb_source::message::{plain, term};
use plumb_source::{Message, message};

/// An error in the paths that output is written to.
#[derive(Clone, Debug)]
pub enum OutputError {
    /// Two files have this path.
    SamePath(String),
    /// The directory that would be emptied is the root, or contains the working directory.
    NotEmptied,
}

impl OutputError {
    /// The message in our words.
    pub fn message(self) -> Message {
        let words = match &self {
            Self::SamePath(path) => {
                message!("two output files have the same path: `{}`", plain(path))
            }
            Self::NotEmptied => {
                "expected an output directory that can be emptied, found the root, \
                                 the working directory or a directory above it"
                    .into()
            }
        };
        term(words, self).into()
    }
}
