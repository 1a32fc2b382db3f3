//! Everything public that Plumb promises to keep: a [`World`] and [`Options`] in, an [`Outcome`]
//! out.
//!
//! [`render`] is the whole of a run, one stage after the other. Nothing here prints, and nothing
//! here touches the machine: the world does the one, front ends the other.

mod data_values;
mod evaluate;
mod format;
mod options;
mod output;
pub mod print;
mod rule_file;

pub use format::format;
pub use options::{Dialect, Input, Options, Wanted};
pub use output::{Content, Outcome, Output, OutputFile, Stage};
pub use plumb_diagnostic::{Code, Diagnostic, Failure, Severity, peer, pretty};
pub use plumb_library::{
    DataValueFlag, DataValueKind, FileType, GivenFile, InputFile, SilentDrops, SymlinkPolicy,
    lexical,
};
pub use plumb_source::{Sources, World};
pub use plumb_value::Callable;
pub use rule_file::{RULE_FILE, rule};

/// What a front end needs to make a [`World`].
pub mod world {
    pub use plumb_source::{
        Entry, EntryKind, Fault, Occupant, OutputTree, Text, World, WorldError,
    };
}

use plumb_library::{Collected, Tree, mark};
use plumb_source::Origin;
use plumb_value::{Array, ArrayItem, Document, Node};

/// Renders input files: from the flags of a user to the files they asked for.
///
/// ```
/// use plumb::print::{self, Flavour, Format, Style};
/// use plumb::{Input, Options, SilentDrops, render};
///
/// let world = plumb_testkit::MemoryWorld::new().file("config/a.yml", "ports:   [80, 443]\n");
/// let options = Options { input: Input::Paths(vec!["config".into()]), ..Options::default() };
/// let outcome = render(&world, &options);
///
/// let output = outcome.result.expect("the input is right");
/// let style = Style {
///     format: Format::Yaml,
///     flavour: Flavour::Plumb,
///     silent_drops: SilentDrops::Refuse,
/// };
/// let stream = print::stream(&output, style, &outcome.sources).expect("YAML can hold it");
/// assert_eq!(stream.bytes, b"ports:\n- 80\n- 443\n");
/// ```
pub fn render(world: &dyn World, options: &Options) -> Outcome {
    let mut outcome = Outcome {
        sources: Sources::new(),
        inputs: Vec::new(),
        warnings: Vec::new(),
        result: Ok(Output::Files(Vec::new())),
        reached: Stage::Collect,
    };
    outcome.result = stages(world, options, &mut outcome);
    outcome
}

/// The stages of a run. What they learn on the way is left in `outcome`, also when they fail.
fn stages(world: &dyn World, options: &Options, outcome: &mut Outcome) -> Result<Output, Failure> {
    let collected = collect(world, options)?;
    outcome.reached = Stage::Render;
    outcome.warnings.extend(collected.warnings);
    outcome.inputs = mark::apply(&options.marks, collected.files)?;
    let tree = Tree::new(&outcome.inputs);
    if options.wanted == Wanted::FileList {
        return Ok(Output::Report(file_list(&outcome.inputs, &tree)));
    }
    let given = data_values::given(world, options, &outcome.sources, &mut outcome.warnings)?;
    let files = evaluate::files(world, options, &outcome.inputs, &tree, &outcome.sources)?;
    if options.wanted == Wanted::Schema {
        return Err(data_values::no_schema_yet());
    }
    let values = data_values::merge(given, &outcome.sources, &mut outcome.warnings)?;
    match options.wanted {
        Wanted::DataValues => Ok(Output::Report(values.of_root)),
        Wanted::Files | Wanted::FileList | Wanted::Schema => {
            data_values::check_used(&values.of_libraries, &outcome.sources)?;
            Ok(Output::Files(files))
        }
    }
}

fn collect(world: &dyn World, options: &Options) -> Result<Collected, Failure> {
    match &options.input {
        Input::Paths(paths) => {
            plumb_library::collect(world, paths, &options.symlinks, options.silent_drops)
        }
        Input::Given(files) => {
            let files = plumb_library::given(files);
            Ok(Collected { files, warnings: Vec::new() })
        }
    }
}

/// The paths of the files that a run would visit, in the order of input.
fn file_list(files: &[InputFile], tree: &Tree<'_>) -> Document {
    let mut visited = tree.visited();
    visited.sort_unstable();
    let path = |at: usize| ArrayItem::new(files[at].path().into(), Origin::Unknown);
    let paths = visited.into_iter().map(path).collect();
    Document::new(Node::array(Array::new(paths, Origin::Unknown)), Origin::Unknown)
}
