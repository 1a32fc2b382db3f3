//! Reads assertions.

use plumb_cel::Program;
use plumb_diagnostic::Diagnostic;
use plumb_project::{Fields, Written};
use plumb_regexp::Regexp;
use plumb_source::message::plain;
use plumb_source::{Origin, message};
use plumb_value::{Map, MapItem, Node};

use crate::key::{self, ASSERTIONS, NOT, Named, Takes};
use crate::path::Path;
use crate::read::{UNKNOWN_KEY, WRONG_VALUE, unknown};
use crate::suite::{Assertion, Check, Contains, Fails, Scope};

/// Reads an assertion whose scope is known. Returns `None`, with findings, if it has a mistake.
pub(crate) fn read(
    map: &Map,
    origin: Origin,
    scope: Scope,
    fields: &mut Fields<'_>,
) -> Option<Assertion> {
    let mut is_negated = false;
    let mut found: Option<(&Named, &MapItem)> = None;
    for item in fields.items(map) {
        let name = item.key.as_str().unwrap_or_default();
        if name == NOT {
            match item.node {
                Node::Bool(negates) => is_negated = negates,
                _ => fields.expected(item, "`true` or `false`"),
            }
            continue;
        }
        if key::of_scope().any(|it| it.0 == name) {
            continue;
        }
        let Some(named) = ASSERTIONS.iter().find(|it| it.name == name) else {
            let mut known: Vec<&str> = ASSERTIONS.iter().map(|it| it.name).collect();
            known.extend(key::of_scope().map(|it| it.0).chain([NOT]));
            unknown(fields, item, "an assertion", name, &known);
            return None;
        };
        if let Some((first, _)) = found {
            let message =
                message!("an assertion has either `{}` or `{}`, not both", first.name, named.name);
            fields.wrong(item.origin, message);
            return None;
        }
        found = Some((named, item));
    }
    let Some((named, item)) = found else {
        let finding = Diagnostic::error(UNKNOWN_KEY, "the assertion requires nothing");
        fields.findings.push(
            finding.at(origin, "").help("add `equal`, `exists` or another key of assertions"),
        );
        return None;
    };
    let arguments = arguments(named, item, fields)?;
    let check = check(named.negates.unwrap_or(named.name), item, arguments, fields)?;
    is_negated ^= named.negates.is_some();
    Some(Assertion { place: item.origin, is_negated, scope, check })
}

/// Reads a path. Returns `None`, with a finding, if it is not valid.
pub(crate) fn path(item: &MapItem, fields: &mut Fields<'_>) -> Option<Path> {
    let text = fields.one(item, "a path, such as `spec.ports[0].name`")?;
    match Path::parse(&text.text) {
        Ok(path) => Some(path),
        Err(expected) => {
            let message = message!("the path `{}` is not valid: {}", plain(&text.text), expected);
            let finding = Diagnostic::error(WRONG_VALUE, message).at(text.place, "");
            let help =
                "write `spec.ports[0].name`; a key with dots in quotes: `annotations[\"a.b/c\"]`";
            fields.findings.push(finding.help(help));
            None
        }
    }
}

/// The parameters of an assertion.
#[derive(Default)]
struct Arguments {
    path: Option<Path>,
    value: Option<Node>,
    count: Option<usize>,
    any: bool,
    texts: Vec<(&'static str, Written)>,
}

impl Arguments {
    fn text(&mut self, name: &str) -> Option<Written> {
        let at = self.texts.iter().position(|it| it.0 == name)?;
        Some(self.texts.swap_remove(at).1)
    }
}

fn arguments(named: &Named, item: &MapItem, fields: &mut Fields<'_>) -> Option<Arguments> {
    let mut arguments = Arguments::default();
    if let Some(alone) = named.alone.filter(|_| item.node.as_str().is_some()) {
        arguments.texts.push((alone, fields.one(item, "a string")?));
        return Some(arguments);
    }
    let no_items = Map::default();
    let is_optional = |takes: Takes| {
        matches!(
            takes,
            Takes::OptionalPath | Takes::OptionalText | Takes::OptionalCount | Takes::Switch
        )
    };
    let map = match &item.node {
        Node::Null if named.parameters.iter().all(|it| is_optional(it.1)) => &no_items,
        node => fields.map(node, item.origin, "a map of parameters")?,
    };
    for item in fields.items(map) {
        let name = item.key.as_str().unwrap_or_default();
        let Some((name, takes)) = named.parameters.iter().find(|it| it.0 == name) else {
            let known: Vec<&str> = named.parameters.iter().map(|it| it.0).collect();
            unknown(fields, item, message!("`{}`", named.name), name, &known);
            return None;
        };
        match takes {
            Takes::Path | Takes::OptionalPath => arguments.path = Some(path(item, fields)?),
            Takes::Text | Takes::OptionalText => {
                arguments.texts.push((name, fields.one(item, "a string")?));
            }
            Takes::Count | Takes::OptionalCount => match item.node {
                Node::Int(count) if count >= 0 => arguments.count = usize::try_from(count).ok(),
                _ => {
                    fields.expected(item, "an integer that is not negative");
                    return None;
                }
            },
            Takes::Switch => match item.node {
                Node::Bool(is_on) => arguments.any = is_on,
                _ => fields.expected(item, "`true` or `false`"),
            },
            Takes::Anything => arguments.value = Some(item.node.clone()),
        }
    }
    let is_given = |name: &str| map.get_str(name).is_some();
    let missing = named.parameters.iter().find(|it| !is_optional(it.1) && !is_given(it.0));
    if let Some((missing, _)) = missing {
        let message = message!("`{}` needs `{}`", named.name, *missing);
        fields.wrong(item.origin, message);
        return None;
    }
    Some(arguments)
}

fn check(
    name: &str,
    item: &MapItem,
    mut arguments: Arguments,
    fields: &mut Fields<'_>,
) -> Option<Check> {
    let path = arguments.path.take().unwrap_or_else(|| Path::of_keys(&[]));
    let value = arguments.value.take().unwrap_or_default();
    let count = arguments.count;
    Some(match name {
        "equal" => Check::Equal { path, value },
        "matchRegex" => Check::MatchRegex { path, pattern: pattern(&mut arguments, fields)? },
        "contains" => Check::Contains(Contains { path, content: value, count, any: arguments.any }),
        "isSubset" => Check::IsSubset { path, content: value },
        "exists" => Check::Exists(path),
        "isNull" => Check::IsNull(path),
        "isNullOrEmpty" | "isEmpty" => Check::IsEmpty(path),
        "lengthEqual" => Check::LengthEqual { path, count: count? },
        "isKind" | "isAPIVersion" => {
            let of = arguments.text("of")?.text;
            let key = if name == "isKind" { "kind" } else { "apiVersion" };
            Check::Equal { path: Path::of_keys(&[key]), value: of.as_str().into() }
        }
        "hasDocuments" => Check::HasDocuments { count: count? },
        "cel" => Check::Cel { path, program: program(&mut arguments, fields)? },
        "fails" => Check::Fails(Fails {
            code: arguments.text("code"),
            at: arguments.text("at"),
            message: arguments.text("message"),
        }),
        "matchSnapshot" => Check::MatchSnapshot(path),
        _ => {
            fields.wrong(item.origin, message!("`{}` cannot be read", plain(name)));
            return None;
        }
    })
}

fn pattern(arguments: &mut Arguments, fields: &mut Fields<'_>) -> Option<Regexp> {
    let written = arguments.text("pattern")?;
    match Regexp::new(&written.text) {
        Ok(pattern) => Some(pattern),
        Err(error) => {
            let message = message!("the regular expression is not valid: {}", plain(error));
            fields.wrong(written.place, message);
            None
        }
    }
}

fn program(arguments: &mut Arguments, fields: &mut Fields<'_>) -> Option<Program> {
    let written = arguments.text("rule")?;
    match Program::compile(&written.text) {
        Ok(program) => Some(program),
        Err(error) => {
            let message = message!("the expression is not valid: {}", plain(&error.message));
            let finding = Diagnostic::error(WRONG_VALUE, message).at(written.place, "");
            let help = error.help.map(plain);
            fields.findings.push(match help {
                Some(help) => finding.help(message!("{help}")),
                None => finding,
            });
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_assertion_can_be_read() {
        for named in &ASSERTIONS {
            let base = named.negates.unwrap_or(named.name);
            let arguments = Arguments {
                count: Some(1),
                texts: vec![
                    ("of", Written { text: "x".into(), place: None }),
                    ("pattern", Written { text: "x".into(), place: None }),
                    ("rule", Written { text: "true".into(), place: None }),
                ],
                ..Arguments::default()
            };
            let mut findings = Vec::new();
            let mut fields = Fields { codes: crate::read::CODES, findings: &mut findings };
            let item = MapItem::new("x".into(), Node::Null, Origin::Unknown);
            assert!(check(base, &item, arguments, &mut fields).is_some(), "{}", named.name);
        }
    }
}
