//! Reads which modules the `package.json` of a package exports.

use std::path::Path;

use serde_json::Value;

/// The conditions of `exports` that apply here.
const CONDITIONS: [&str; 3] = ["import", "module", "default"];
/// Deeper parts of `exports` are ignored.
const MAX_DEPTH: u32 = 16;

pub(super) struct Package(Value);

impl Package {
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok().map(Self)
    }

    /// The file or directory for the name of the package.
    pub(super) fn module(&self) -> Option<&str> {
        self.0["module"].as_str()
    }

    /// The file for the name of the package, if all its files are ES modules.
    pub(super) fn main(&self) -> Option<&str> {
        let is_module = self.0["type"].as_str() == Some("module");
        let main = self.0["main"].as_str()?;
        let is_named_so = Path::new(main).extension().is_some_and(|it| it == "mjs");
        (is_module || is_named_so).then_some(main)
    }

    /// The file that `exports` names for a path below the package: `.` or `./path`.
    pub(super) fn export(&self, subpath: &str) -> Option<String> {
        let exports = self.0.get("exports")?;
        let has_subpaths =
            exports.as_object().is_some_and(|it| it.keys().any(|key| key.starts_with('.')));
        if !has_subpaths {
            return if subpath == "." { target(exports, "", 0) } else { None };
        }
        if let Some(exact) = exports.get(subpath) {
            return target(exact, "", 0);
        }
        let patterns = exports.as_object()?.iter().filter_map(|(pattern, value)| {
            let (before, after) = pattern.split_once('*')?;
            let matched = subpath.strip_prefix(before)?.strip_suffix(after)?;
            Some((before.len(), matched, value))
        });
        let (_, matched, value) = patterns.max_by_key(|(length, _, _)| *length)?;
        target(value, matched, 0)
    }
}

/// The first target whose conditions apply, with `*` replaced by the text that it matched.
fn target(value: &Value, matched: &str, depth: u32) -> Option<String> {
    if depth == MAX_DEPTH {
        return None;
    }
    match value {
        Value::String(path) => Some(path.replace('*', matched)),
        Value::Array(choices) => choices.iter().find_map(|it| target(it, matched, depth + 1)),
        Value::Object(conditions) => conditions
            .iter()
            .filter(|(condition, _)| CONDITIONS.contains(&condition.as_str()))
            .find_map(|(_, value)| target(value, matched, depth + 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(package: &str, subpath: &str, expected: Option<&str>) {
        let package = Package::parse(package.as_bytes()).expect("a case is JSON");
        assert_eq!(package.export(subpath).as_deref(), expected);
    }

    #[test]
    fn the_first_condition_that_holds_decides() {
        let package = r#"{"exports":{"require":"./a.cjs","default":"./b.js","import":"./c.js"}}"#;
        check(package, ".", Some("./b.js"));
        check(package, "./x", None);
        check(r#"{"exports":"./m.js"}"#, ".", Some("./m.js"));
    }

    #[test]
    fn patterns_match_the_longest_prefix() {
        let package =
            r#"{"exports":{"./*":"./lib/*.js","./f/*.css":null,"./f/*":{"import":"./f/*.mjs"}}}"#;
        check(package, "./x", Some("./lib/x.js"));
        check(package, "./f/y", Some("./f/y.mjs"));
        check(package, ".", None);
    }
}
