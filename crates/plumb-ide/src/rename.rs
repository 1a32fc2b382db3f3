//! Renames a name or a data value in all places that use it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use plumb::Cancel;
use plumb_starlark::outline::VariableKind;

use crate::checker::{Checked, Checker};
use crate::file::File;
use crate::finding::FileFinding;
use crate::knowledge::{Knowledge, steps};
use crate::navigation::{self, Location, Referent, declared_keys, referent};
use crate::overlay::Overlay;
use crate::question::Question;
use crate::words::{Chain, name_at};
use crate::{Edit, TextRange};

/// Why something cannot be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenameError {
    /// There is no name at this position.
    NoName,
    /// The name belongs to the language or to a built-in module.
    BuiltIn(String),
    /// The new name is not a name.
    NotAName(String),
    /// Another data value next to it has the new name.
    Exists(String),
    /// The project would have an error that it does not have now: a place and a message.
    Breaks(String),
}

impl fmt::Display for RenameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoName => f.write_str("expected the cursor on a name that can be renamed"),
            Self::BuiltIn(name) => write!(f, "`{name}` is built in and cannot be renamed"),
            Self::NotAName(name) => write!(f, "`{name}` is not a valid name"),
            Self::Exists(name) => write!(f, "a data value `{name}` exists already"),
            Self::Breaks(error) => {
                write!(f, "not every use of the name was found; renaming it would cause {error}")
            }
        }
    }
}

impl std::error::Error for RenameError {}

/// The place of the name at an offset, or why it cannot be renamed.
pub(crate) fn renamed_name(
    file: &File,
    path: &Path,
    offset: u32,
    knowledge: &Knowledge,
) -> Result<TextRange, RenameError> {
    let found = referent(file, path, offset, knowledge).ok_or(RenameError::NoName)?;
    if let Referent::Variable(variable) = found {
        let code = &file.outline.code;
        let variable = &code.variables[variable];
        let is_built_in = match variable.kind {
            VariableKind::BuiltIn | VariableKind::Undefined => true,
            VariableKind::Loaded(load, _) => {
                code.loads[load].module.as_str().is_none_or(|it| it.starts_with('@'))
            }
            VariableKind::Function(_) | VariableKind::Parameter | VariableKind::Plain => false,
        };
        if is_built_in {
            return Err(RenameError::BuiltIn(variable.name.to_string()));
        }
    }
    if let Some(chain) = Chain::at(file, offset) {
        let span = chain.parts[chain.at].span;
        return Ok(span.start..span.end);
    }
    let name = name_at(file, offset).map(|it| it.span);
    let mut declared = declared_keys(file, path, knowledge).into_iter().map(|it| it.1);
    let place = name.or_else(|| declared.find(|it| it.start <= offset && offset <= it.end));
    place.map(|it| it.start..it.end).ok_or(RenameError::NoName)
}

/// The changes that give the name or data value at an offset another name.
pub(crate) fn rename(question: &Question<'_>, name: &str) -> Result<Vec<Edit>, RenameError> {
    let Question { file, path, offset, overlay, knowledge } = *question;
    renamed_name(file, path, offset, knowledge)?;
    let mut letters = name.chars();
    let is_first = |it: char| it.is_alphabetic() || it == '_';
    let is_name =
        letters.next().is_some_and(is_first) && letters.all(|it| it.is_alphanumeric() || it == '_');
    if !is_name {
        return Err(RenameError::NotAName(name.to_owned()));
    }
    if let Some(Referent::DataValue(mut keys)) = referent(file, path, offset, knowledge)
        && keys.pop().is_some_and(|it| it != name)
    {
        keys.push(name.to_owned());
        let steps = steps(&keys);
        if knowledge.field(&steps).is_some() || !knowledge.values(&steps).is_empty() {
            return Err(RenameError::Exists(name.to_owned()));
        }
    }
    let places = navigation::references(question);
    let edit = |it: Location| {
        let range = it.range();
        Edit { path: it.path, range, text: name.to_owned() }
    };
    let edits: Vec<Edit> = places.into_iter().map(edit).collect();
    match new_error(path, &edits, overlay) {
        Some(error) => Err(RenameError::Breaks(error)),
        None => Ok(edits),
    }
}

/// An error that the changes cause. It reveals uses that cannot be found in the text, such as
/// arguments of flags and computed names.
fn new_error(path: &Path, edits: &[Edit], overlay: &Arc<Overlay>) -> Option<String> {
    let check = |overlay: Arc<Overlay>| Checker::new(overlay).check(path, &Cancel::default());
    let edited = Arc::new(overlay.edited(edits));
    let after = check(Arc::clone(&edited))?;
    errors(&after).next()?;
    let before = check(Arc::clone(overlay))?;
    let is_new = |(path, it): &(&Path, &FileFinding)| {
        !errors(&before).any(|(other, known)| other == *path && known.code == it.code)
    };
    let (path, error) = errors(&after).find(is_new)?;
    let text = edited.text(path)?;
    let line = File::read(path, text).line(error.range.start) + 1;
    let message = error.message.lines().next().unwrap_or_default();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Some(format!("an error in line {line} of {name}: {message}"))
}

fn errors(checked: &Checked) -> impl Iterator<Item = (&Path, &FileFinding)> {
    let files = checked.findings.iter();
    files.flat_map(|(path, found)| {
        found.iter().filter(|it| it.is_error).map(|it| (path.as_path(), it))
    })
}
