//! Analysis for editors: files with unsaved changes, and byte offsets in them.
//!
//! There is no protocol and no IO here. An [`Overlay`] is a [`World`](plumb::World) with unsaved
//! buffers laid over it. A [`Checker`] runs the targets that use a file, and returns findings and
//! [`Knowledge`]: schemas, data values and output of each target. An [`Analysis`] answers questions
//! about one file immediately, from its current text and the last knowledge, even if the file has
//! errors.

mod analysis;
mod call;
mod catalogue;
mod checker;
mod completion;
mod data_path;
mod declare;
mod file;
mod finding;
mod fixes;
mod folding;
mod format;
mod hints;
mod hover;
mod knowledge;
mod kube;
mod lenses;
mod links;
mod machine_rules;
mod matches;
mod navigation;
mod overlay;
mod preview;
mod question;
mod rename;
mod rendered;
mod selection;
mod symbols;
mod tokens;
mod words;

pub use analysis::Analysis;
pub use call::Signature;
pub use checker::{Checked, Checker, project_root};
pub use completion::{Completion, CompletionKind};
pub use finding::{FileFinding, Fix, Related, Tag};
pub use folding::Fold;
pub use hints::Hint;
pub use hover::Hover;
pub use knowledge::{Knowledge, TargetKnowledge};
pub use lenses::{Lens, LensAction};
pub use links::Link;
pub use navigation::Location;
pub use overlay::Overlay;
pub use preview::{Preview, PreviewItem, Stream, stream};
pub use rename::RenameError;
pub use symbols::{Symbol, SymbolKind};
pub use tokens::{Token, TokenKind};

use std::ops::Range;
use std::path::PathBuf;

/// A range of bytes in a file.
pub type TextRange = Range<u32>;

/// A change of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub path: PathBuf,
    pub range: TextRange,
    pub text: String,
}
