//! Files that were named on the command line: to be changed, or to be judged.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use plumb_value::Document;

use super::Session;
use crate::Action;
use crate::format::{self, Format};

/// A file that is judged, as far as it was needed.
pub(super) enum Input {
    /// What scripts were given. Most are judged by scripts alone.
    Json(String, Format),
    Documents(Rc<Vec<Document>>),
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

    /// A file that was named on the command line, wherever it is.
    pub(crate) fn read_input(&self, path: &str) -> Result<Arc<[u8]>, String> {
        self.depend("read-file", Path::new(path), None);
        self.world().read(Path::new(path)).map_err(|error| error.to_string())
    }

    /// The values of a file that was named on the command line, as a JSON text: an array for a
    /// stream.
    pub(crate) fn input(&self, path: &str, format: Format) -> Result<String, String> {
        let bytes = self.read_input(path)?;
        let json = match (&self.request.action, format) {
            (Action::Validate { .. }, Format::YamlStream) => self.judged_yaml(path, &bytes),
            (Action::Validate { .. }, _) => {
                format::input_to_json(path, &bytes, format).inspect(|json| {
                    self.keep(path, Input::Json(json.clone(), format));
                })
            }
            (_, _) => format::input_to_json(path, &bytes, format),
        };
        json.map_err(|reason| format!("{path}: {reason}"))
    }

    /// The documents of YAML are read at once: they know their places, which JSON does not.
    fn judged_yaml(&self, path: &str, bytes: &Arc<[u8]>) -> Result<String, String> {
        let documents = format::yaml_documents(path, bytes, &self.surroundings.sources)?;
        let json = format::json_of_all(&documents)?;
        self.keep(path, Input::Documents(Rc::new(documents)));
        Ok(json)
    }

    fn keep(&self, path: &str, input: Input) {
        self.inputs.borrow_mut().insert(path.to_owned(), input);
    }

    /// The documents of a file that is judged.
    pub(crate) fn input_documents(&self, path: &str) -> Result<Rc<Vec<Document>>, String> {
        let read = match self.inputs.borrow().get(path) {
            None => return Err(format!("{path} was not read")),
            Some(Input::Documents(documents)) => return Ok(Rc::clone(documents)),
            Some(Input::Json(json, format)) => format::documents_of_json(json, *format),
        };
        let documents = Rc::new(read.map_err(|reason| format!("{path}: {reason}"))?);
        self.keep(path, Input::Documents(Rc::clone(&documents)));
        Ok(documents)
    }
}
