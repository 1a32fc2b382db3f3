//! YAML files in one layout, with their comments.
//!
//! Plumb changes only white space. ytt prints the values again, and so loses quotes, anchors, flow
//! collections and blank lines.

use std::path::PathBuf;
use std::sync::Arc;

use plumb_diagnostic::Failure;
use plumb_library::{FileType, InputFile};
use plumb_source::{Sources, World, on_deep_stack};
use plumb_yaml::print::{self, Flavour};

use crate::render::find_inputs;
use crate::{Options, Outcome};

/// A YAML file in the usual layout.
#[derive(Debug)]
#[non_exhaustive]
pub struct FormattedFile {
    /// The path of the input file.
    pub path: String,
    /// The file on disk, unless it is standard input, a URL or was passed by the caller.
    pub disk: Option<PathBuf>,
    /// The text, or why the file cannot be formatted.
    pub text: Result<FormattedText, Failure>,
}

/// A text before and after it was formatted.
#[derive(Debug)]
#[non_exhaustive]
pub struct FormattedText {
    /// The text as it was read.
    pub old: Vec<u8>,
    /// The formatted text.
    pub new: Vec<u8>,
}

/// Formats all YAML files among the inputs, each by itself.
///
/// ```
/// use std::sync::Arc;
///
/// use plumb::print::Flavour;
/// use plumb::world::MemoryWorld;
/// use plumb::{Options, World, format};
///
/// let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
/// let options = Options::new().file("a.yml", "a:    1 # one\n");
/// let files = format(&world, &options, Flavour::Plumb).result.expect("the file is there");
///
/// let text = files[0].text.as_ref().expect("the file is YAML");
/// assert_eq!(String::from_utf8_lossy(&text.new), "a: 1 # one\n");
/// ```
pub fn format(
    world: &Arc<dyn World>,
    options: &Options,
    flavour: Flavour,
) -> Outcome<Vec<FormattedFile>> {
    on_deep_stack(|| {
        let mut outcome = Outcome::new(options.session.as_ref());
        let tree = find_inputs(world, options, &mut outcome);
        let sources = Arc::clone(&outcome.sources);
        let formatted = |it: &InputFile| FormattedFile {
            path: it.path().to_owned(),
            disk: it.disk_path().map(Into::into),
            text: format_file(&**world, it, options, flavour, &sources),
        };
        outcome.result = tree.map(|tree| {
            let files = tree.files().iter().filter(|it| it.file_type() == FileType::Yaml);
            files.map(formatted).collect()
        });
        outcome
    })
}

fn format_file(
    world: &dyn World,
    input: &InputFile,
    options: &Options,
    flavour: Flavour,
    sources: &Sources,
) -> Result<FormattedText, Failure> {
    let file = input.source(world, sources)?;
    let source = sources.get(file);
    let read_options = options.read_options();
    let new = match flavour {
        Flavour::Plumb => plumb_yaml::reindent(file, source.bytes(), &read_options)?,
        Flavour::Ytt => {
            let documents = plumb_yaml::parse(file, source.bytes(), &read_options)?;
            let mut out = Vec::new();
            print::format(&documents, flavour, &mut out);
            out
        }
    };
    Ok(FormattedText { old: source.bytes().to_vec(), new })
}
