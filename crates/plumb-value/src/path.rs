//! Where a value is in its document.

use std::fmt;

use plumb_source::Text;

/// The way from the root of a document to a value, printed as `a.b[0].c`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataPath(Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Key(Text),
    Index(usize),
}

impl DataPath {
    pub fn root() -> Self {
        Self::default()
    }

    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub fn push(&mut self, step: Step) {
        self.0.push(step);
    }

    pub fn pop(&mut self) {
        self.0.pop();
    }
}

impl fmt::Display for DataPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if at == 0 => write!(f, "{key}")?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_dotted_and_indexes_bracketed() {
        let mut path = DataPath::root();
        assert_eq!(path.to_string(), "");
        path.push(Step::Key("db".into()));
        path.push(Step::Index(0));
        path.push(Step::Key("host".into()));
        assert_eq!(path.to_string(), "db[0].host");
    }
}
