//! What validators say about values, and how a line of it reads.

use std::fmt;

use serde_json::Value;

/// What was said about one file, or about the whole configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The path of the file; none for the configuration as a whole.
    pub path: Option<String>,
    /// Empty if it is valid.
    pub complaints: Vec<Complaint>,
}

/// One thing that is wrong with a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Complaint {
    pub message: String,
    /// Where it is in the value.
    pub field: Option<String>,
    /// Where it is in the text of the file.
    pub start: Option<Position>,
    pub end: Option<Position>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub line: u64,
    pub column: u64,
}

impl Report {
    /// The lines that say it, such as `a.yaml: name is missing` or `a.yaml:3.20: here`.
    pub fn lines(&self) -> Vec<String> {
        self.complaints.iter().map(|complaint| complaint.line(self.path.as_deref())).collect()
    }

    /// Reads what the modules in `js/` hand over.
    pub(crate) fn from_json(value: &Value) -> Self {
        let path = value["path"].as_str().map(str::to_owned);
        let complaints = value["complaints"].as_array();
        let complaints = complaints.into_iter().flatten().map(Complaint::from_json);
        Self { path, complaints: complaints.collect() }
    }
}

impl Complaint {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    fn line(&self, path: Option<&str>) -> String {
        let separator = if self.start.is_some() { "" } else { " " };
        match path {
            Some(path) => format!("{path}:{separator}{self}"),
            None => self.to_string(),
        }
    }

    fn from_json(value: &Value) -> Self {
        let text = |key: &str| match &value[key] {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        let position = |key: &str| {
            let position = value[key].as_object()?;
            let number = |key: &str| position.get(key).and_then(Value::as_u64).unwrap_or_default();
            Some(Position { line: number("line"), column: number("column") })
        };
        Self {
            message: text("msg").unwrap_or_default(),
            field: text("path"),
            start: position("start"),
            end: position("end"),
        }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.start, self.end) {
            (Some(start), Some(end)) => write!(f, "{start}-{end}: ")?,
            (Some(start), None) => write!(f, "{start}: ")?,
            (None, _) => {}
        }
        f.write_str(&self.message)?;
        match &self.field {
            Some(field) => write!(f, " at {field}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(json: &str) -> String {
        let value = serde_json::from_str(json).expect("a case is JSON");
        Complaint::from_json(&value).line(Some("a.yaml"))
    }

    #[test]
    fn a_line_names_file_place_and_field() {
        assert_eq!(line(r#"{"msg":"bad"}"#), "a.yaml: bad");
        assert_eq!(line(r#"{"msg":"bad","path":"x.y"}"#), "a.yaml: bad at x.y");
        let start = r#"{"msg":"bad","start":{"line":3,"column":20}}"#;
        assert_eq!(line(start), "a.yaml:3.20: bad");
        let both = r#"{"msg":"bad","path":"x","start":{"line":3,"column":20},"end":{"line":5,"column":0}}"#;
        assert_eq!(line(both), "a.yaml:3.20-5.0: bad at x");
    }

    #[test]
    fn the_whole_configuration_has_no_path() {
        assert_eq!(Complaint::new("no service").line(None), "no service");
    }
}
