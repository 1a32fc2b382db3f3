//! The files of the command line, which are transformed or validated.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use plumb_source::{FileId, Origin, SourceKind};
use plumb_value::Document;

use super::Run;
use crate::error::Error;
use crate::format::{self, Format, Parsed};
use crate::{Action, DependencyKind, Destination, Dialect, Finding, Report};

/// The name of standard input among the files of the command line, and in messages.
const STDIN: &str = "-";
const STDIN_SHOWN: &str = "<stdin>";

/// A file that is validated, with the parts that were needed so far.
#[derive(Default)]
pub(crate) struct Input {
    bytes: Arc<[u8]>,
    format: Format,
    /// The text for scripts, if it is not YAML. For most files, only scripts need the values.
    json: Option<String>,
    documents: OnceCell<Rc<Vec<Document>>>,
    /// Documents with their places in the file; those of YAML have them.
    places: OnceCell<Rc<Vec<Document>>>,
}

impl Run {
    /// Fails unless a file was named on the command line.
    pub(crate) fn input_named(&self, path: &str) -> Result<(), Error> {
        let is_named = match &self.request.action {
            Action::Transform { files, .. } | Action::Validate { files, .. } => {
                files.iter().any(|it| it == path)
            }
            Action::Run { .. } | Action::Generate { .. } => false,
        };
        if is_named { Ok(()) } else { Err(Error::NotNamed(path.to_owned())) }
    }

    /// Whether a path means standard input. In jk's dialect it is a file.
    fn is_stdin(&self, path: &str) -> bool {
        path == STDIN
            && self.request.dialect == Dialect::Plumb
            && matches!(
                self.request.action,
                Action::Validate { .. } | Action::Transform { to: Destination::Stdout, .. }
            )
    }

    /// The name of a file of the command line in messages.
    pub(crate) fn shown_input<'p>(&self, path: &'p str) -> &'p str {
        if self.is_stdin(path) { STDIN_SHOWN } else { path }
    }

    /// The format of all values of a file of the command line. Standard input is YAML, which
    /// includes JSON.
    pub(crate) fn input_format(&self, path: &str) -> Format {
        if self.is_stdin(path) { Format::YamlStream } else { Format::of_all_values(path) }
    }

    /// Reads a file that was named on the command line, from any directory.
    pub(crate) fn read_input(&self, path: &str) -> Result<Arc<[u8]>, Error> {
        if self.is_stdin(path) {
            return self.read_stdin();
        }
        self.depend(DependencyKind::Read, Path::new(path));
        Ok(self.world().read(Path::new(path))?)
    }

    /// The values of a file that was named on the command line.
    pub(crate) fn input(&self, path: &str, format: Format) -> Result<Rc<Input>, Error> {
        if let Some(input) = self.inputs.borrow().get(path) {
            return Ok(Rc::clone(input));
        }
        let bytes = self.read_input(path)?;
        let input = self.parsed_input(path, bytes, format);
        let input = Rc::new(input.map_err(|error| error.in_file(self.shown_input(path)))?);
        if let Action::Validate { .. } = self.request.action {
            self.inputs.borrow_mut().insert(path.to_owned(), Rc::clone(&input));
        }
        Ok(input)
    }

    /// Reads the files to validate. Those that cannot be read are left out, with a finding.
    pub(crate) fn read_all_inputs(&mut self) {
        let Action::Validate { files, .. } = &mut self.request.action else { return };
        let named = std::mem::take(files);
        let (mut readable, mut seen) = (Vec::with_capacity(named.len()), HashSet::new());
        for path in named {
            if !seen.insert(path.clone()) {
                continue;
            }
            match self.input(&path, self.input_format(&path)) {
                Ok(_) => readable.push(path),
                Err(error) => {
                    let findings = vec![Finding::unreadable(&error)];
                    let path = Some(self.shown_input(&path).to_owned());
                    self.unreadable.push(Report { path, findings });
                }
            }
        }
        if let Action::Validate { files, .. } = &mut self.request.action {
            *files = readable;
        }
    }

    /// Documents of YAML are read with their places, for findings.
    fn parsed_input(&self, path: &str, bytes: Arc<[u8]>, format: Format) -> Result<Input, Error> {
        let input = Input { bytes, format, ..Input::default() };
        match (&self.request.action, format) {
            (Action::Validate { .. }, Format::YamlStream) => {
                let file = self.add_input(path, &input.bytes);
                let documents = Rc::new(format::yaml_documents(file, &input.bytes)?);
                let _ = input.places.set(Rc::clone(&documents));
                let _ = input.documents.set(documents);
                Ok(input)
            }
            _ => match format::parsed_input(path, &input.bytes, format)? {
                Parsed::Json(json) => Ok(Input { json: Some(json), ..input }),
                Parsed::Node(node) => {
                    let document = Document::new(node, Origin::Unknown);
                    let _ = input.documents.set(Rc::new(vec![document]));
                    Ok(input)
                }
                Parsed::Documents(documents) => {
                    let _ = input.documents.set(Rc::new(documents));
                    Ok(input)
                }
            },
        }
    }

    fn add_input(&self, path: &str, bytes: &Arc<[u8]>) -> FileId {
        let (sources, kind) = (&self.surroundings.sources, SourceKind::File);
        if self.is_stdin(path) {
            return sources.add(STDIN_SHOWN, kind, Arc::clone(bytes));
        }
        sources.add_file(path, Path::new(path), kind, Arc::clone(bytes))
    }

    /// The documents of a file that is validated.
    pub(crate) fn input_documents(&self, path: &str) -> Result<Rc<Vec<Document>>, Error> {
        match self.inputs.borrow().get(path) {
            Some(input) => input.documents().map_err(|error| error.in_file(path)),
            None => Err(Error::NotNamed(path.to_owned())),
        }
    }

    /// The documents of a file that is validated, with their places as far as they are known. They
    /// are only used for findings, because JSON is parsed differently for validators.
    pub(crate) fn input_places(&self, path: &str) -> Rc<Vec<Document>> {
        let Some(input) = self.inputs.borrow().get(path).map(Rc::clone) else {
            return Rc::default();
        };
        let places = input.places.get_or_init(|| {
            let file = self.add_input(path, &input.bytes);
            Rc::new(format::json_places(file, &input.bytes))
        });
        Rc::clone(places)
    }
}

impl Input {
    /// The JSON text of the values, if the file is not YAML: an array for a stream.
    pub(crate) fn json(&self) -> Option<&str> {
        self.json.as_deref()
    }

    /// The values as documents.
    pub(crate) fn documents(&self) -> Result<Rc<Vec<Document>>, Error> {
        let read = match (self.documents.get(), &self.json) {
            (Some(documents), _) => return Ok(Rc::clone(documents)),
            (None, Some(json)) => format::documents_of_json(json, self.format)?,
            (None, None) => Vec::new(),
        };
        Ok(Rc::clone(self.documents.get_or_init(|| Rc::new(read))))
    }
}
