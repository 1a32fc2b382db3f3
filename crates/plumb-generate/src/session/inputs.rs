//! Files that were named on the command line: to be changed, or to be judged.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use plumb_source::{FileId, SourceKind};
use plumb_value::Document;

use super::Session;
use crate::format::{self, Format};
use crate::{Action, Dialect};

/// The name of standard input among the files of the command line, and in messages.
const STDIN: &str = "-";
const STDIN_SHOWN: &str = "<stdin>";

/// A file that is judged, as far as it was needed.
pub(super) struct Input {
    bytes: Arc<[u8]>,
    format: Format,
    /// What scripts were given, if it is not YAML. Most files are judged by scripts alone.
    json: Option<String>,
    documents: Option<Rc<Vec<Document>>>,
    /// Documents that know where they are in the file; those of YAML do.
    places: Option<Rc<Vec<Document>>>,
}

impl Session {
    /// Whether a file was named on the command line.
    pub(crate) fn input_named(&self, path: &str) -> Result<(), String> {
        let is_named = match &self.request.action {
            Action::Transform { files, .. } | Action::Validate { files, .. } => {
                files.iter().any(|it| it == path)
            }
            Action::Run { .. } | Action::Generate { .. } => false,
        };
        if is_named { Ok(()) } else { Err(format!("{path} was not named on the command line")) }
    }

    /// Whether a path stands for standard input. With jk it is a file.
    fn is_stdin(&self, path: &str) -> bool {
        path == STDIN
            && self.request.dialect == Dialect::Plumb
            && matches!(self.request.action, Action::Validate { .. })
    }

    /// The name of a file of the command line in messages.
    pub(crate) fn shown_input<'p>(&self, path: &'p str) -> &'p str {
        if self.is_stdin(path) { STDIN_SHOWN } else { path }
    }

    /// The format that holds all values of a file of the command line. Standard input is YAML, as
    /// JSON is too.
    pub(crate) fn input_format(&self, path: &str) -> Format {
        if self.is_stdin(path) { Format::YamlStream } else { Format::of_all_values(path) }
    }

    /// A file that was named on the command line, wherever it is.
    pub(crate) fn read_input(&self, path: &str) -> Result<Arc<[u8]>, String> {
        if self.is_stdin(path) {
            return self.read_stdin();
        }
        self.depend("read-file", Path::new(path), None);
        self.world().read(Path::new(path)).map_err(|error| error.to_string())
    }

    /// The values of a file that was named on the command line, as a JSON text: an array for a
    /// stream.
    pub(crate) fn input(&self, path: &str, format: Format) -> Result<String, String> {
        let bytes = self.read_input(path)?;
        let json = match &self.request.action {
            Action::Validate { .. } => self.judged(path, &bytes, format),
            Action::Run { .. } | Action::Generate { .. } | Action::Transform { .. } => {
                format::input_to_json(path, &bytes, format)
            }
        };
        json.map_err(|reason| format!("{}: {reason}", self.shown_input(path)))
    }

    /// The documents of YAML are read at once: they know their places, which JSON does not.
    fn judged(&self, path: &str, bytes: &Arc<[u8]>, format: Format) -> Result<String, String> {
        let bytes = Arc::clone(bytes);
        let mut input = Input { bytes, format, json: None, documents: None, places: None };
        let json = match format {
            Format::YamlStream => {
                let file = self.add_input(path, &input.bytes);
                let documents = Rc::new(format::yaml_documents(file, &input.bytes)?);
                input.documents = Some(Rc::clone(&documents));
                input.places = Some(Rc::clone(&documents));
                format::json_of_all(&documents)?
            }
            _ => {
                let json = format::input_to_json(path, &input.bytes, format)?;
                input.json = Some(json.clone());
                json
            }
        };
        self.inputs.borrow_mut().insert(path.to_owned(), input);
        Ok(json)
    }

    fn add_input(&self, path: &str, bytes: &Arc<[u8]>) -> FileId {
        let (sources, kind) = (&self.surroundings.sources, SourceKind::File);
        if self.is_stdin(path) {
            return sources.add(STDIN_SHOWN, kind, Arc::clone(bytes));
        }
        sources.add_file(path, Path::new(path), kind, Arc::clone(bytes))
    }

    /// The documents of a file that is judged.
    pub(crate) fn input_documents(&self, path: &str) -> Result<Rc<Vec<Document>>, String> {
        let mut inputs = self.inputs.borrow_mut();
        let input = inputs.get_mut(path).ok_or_else(|| format!("{path} was not read"))?;
        let read = match (&input.documents, &input.json) {
            (Some(documents), _) => return Ok(Rc::clone(documents)),
            (None, Some(json)) => format::documents_of_json(json, input.format),
            (None, None) => Ok(Vec::new()),
        };
        let documents = Rc::new(read.map_err(|reason| format!("{path}: {reason}"))?);
        input.documents = Some(Rc::clone(&documents));
        Ok(documents)
    }

    /// The documents of a file that is judged, with their places as far as they are known: for
    /// findings only, as JSON is read in another way here than for judges.
    pub(crate) fn input_places(&self, path: &str) -> Rc<Vec<Document>> {
        let mut inputs = self.inputs.borrow_mut();
        let Some(input) = inputs.get_mut(path) else {
            return Rc::default();
        };
        if let Some(places) = &input.places {
            return Rc::clone(places);
        }
        let file = self.add_input(path, &input.bytes);
        let places = Rc::new(format::json_places(file, &input.bytes));
        input.places = Some(Rc::clone(&places));
        places
    }
}
