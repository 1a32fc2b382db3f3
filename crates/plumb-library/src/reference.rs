//! References to libraries: `@path`, `@~alias`, `@path~alias`, and chains of them.

use std::fmt;

use plumb_source::Message;
use plumb_source::message::secret;

use crate::input_error::InputError;

/// One step of a reference: a library next to the current one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LibraryRef {
    pub(crate) path: String,
    pub(crate) alias: String,
}

impl LibraryRef {
    /// Returns whether a reference refers to this instance of a library. A reference without an
    /// alias refers to any instance.
    pub(crate) fn matches(&self, instance: &Self) -> bool {
        let path_matches = self.path == instance.path;
        if self.alias.is_empty() {
            return path_matches;
        }
        self.alias == instance.alias && (self.path.is_empty() || path_matches)
    }
}

impl fmt::Display for LibraryRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        if self.alias.is_empty() { Ok(()) } else { write!(f, "~{}", self.alias) }
    }
}

/// Parses a chain of references such as `@app@db~main`. Fails with a description of the mistake.
pub(crate) fn parse(text: &str) -> Result<Vec<LibraryRef>, Message> {
    if text.is_empty() {
        return Err(InputError::NoLibraryName.message());
    }
    let Some(steps) = text.strip_prefix('@') else {
        return Err(InputError::NoAtSign.message());
    };
    steps.split('@').map(|step| parse_step(step, text)).collect()
}

fn parse_step(step: &str, whole: &str) -> Result<LibraryRef, Message> {
    let pieces: Vec<&str> = step.split('~').collect();
    match pieces[..] {
        [path] => Ok(LibraryRef { path: path.to_owned(), alias: String::new() }),
        [_, ""] => Err(InputError::NoAlias.message()),
        [path, alias] => Ok(LibraryRef { path: path.to_owned(), alias: alias.to_owned() }),
        _ => Err(InputError::LibraryForm(secret(whole).into()).message()),
    }
}

/// Formats a chain as it is written.
pub(crate) fn shown(chain: &[LibraryRef]) -> String {
    let steps: Vec<String> = chain.iter().map(|step| format!("@{step}")).collect();
    steps.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_read_step_by_step() {
        let chain = parse("@app@~main@db~x").expect("a chain");
        assert_eq!(shown(&chain), "@app@~main@db~x");
        assert!(chain[1].matches(&LibraryRef { path: "any".into(), alias: "main".into() }));
        assert!(chain[0].matches(&LibraryRef { path: "app".into(), alias: "any".into() }));
        assert!(!chain[2].matches(&LibraryRef { path: "db".into(), alias: "y".into() }));
        assert!(parse("app").is_err() && parse("").is_err() && parse("@a~").is_err());
        assert!(parse("@a~b~c").is_err());
    }
}
