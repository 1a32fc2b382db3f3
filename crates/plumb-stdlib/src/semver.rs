//! `@ytt:semver`: versions, their order, and constraints on them.

use std::cmp::Ordering;

use plumb_source::message::secret;
use plumb_source::{Text, message};
use plumb_starlark::{Args, Error, Result, Value};
use semver::{Comparator, Op, Version, VersionReq};

use crate::arguments::{one_text, text, two};
use crate::definition::{Member, ModuleDefinition};
use crate::object::{method, object};

pub(crate) static MODULE: ModuleDefinition = ModuleDefinition {
    name: "semver",
    summary: "versions and constraints",
    members: &[
        Member::function("semver.parse(text)", "The parts of a version.", |_, args| parse(args)),
        Member::function("semver.is_valid(text)", "Whether a text is a version.", |_, args| {
            is_valid(args)
        }),
        Member::function(
            "semver.compare(one, other)",
            "-1, 0 or 1, as the first is older or newer.",
            |_, args| compare(args),
        ),
        Member::function(
            "semver.satisfies(version, constraint)",
            "Whether a constraint such as `>=1.2 <2 || 3.x` allows a version.",
            |_, args| satisfies(args),
        ),
    ],
};

fn parse(args: &Args<'_>) -> Result<Value> {
    let version = version(one_text(args)?)?;
    let Version { major, minor, patch, .. } = version;
    let number = |it: u64| i64::try_from(it).map_or_else(|_| it.to_string().into(), Value::from);
    let (pre, build) = (version.pre.to_string(), version.build.to_string());
    let shown = version.to_string();
    let members = vec![
        ("major".into(), method("semver.version.major", move || number(major))),
        ("minor".into(), method("semver.version.minor", move || number(minor))),
        ("patch".into(), method("semver.version.patch", move || number(patch))),
        ("pre".into(), method("semver.version.pre", move || pre.clone().into())),
        ("build".into(), method("semver.version.build", move || build.clone().into())),
        ("string".into(), method("semver.version.string", move || shown.clone().into())),
    ];
    Ok(object("@ytt:semver.version", members))
}

fn is_valid(args: &Args<'_>) -> Result<Value> {
    Ok(version(one_text(args)?).is_ok().into())
}

fn compare(args: &Args<'_>) -> Result<Value> {
    let (one, other) = two(args)?;
    Ok(Value::Int(match version(text(one)?)?.cmp_precedence(&version(text(other)?)?) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }))
}

fn satisfies(args: &Args<'_>) -> Result<Value> {
    let (found, constraint) = two(args)?;
    let found = version(text(found)?)?;
    let constraint = Constraint::parse(&text(constraint)?.to_str_lossy())?;
    Ok(constraint.is_met_by(&found).into())
}

/// Reads a version. Tags begin with a `v`, which is ignored.
fn version(text: &Text) -> Result<Version> {
    let text = text.to_str_lossy();
    let number = text.strip_prefix('v').unwrap_or(&text);
    Version::parse(number).map_err(|_| {
        let message = message!(
            "expected a version such as 1.2.3 or 1.2.3-rc.1, found '{}'",
            secret(text.as_ref())
        );
        Error::new(message)
    })
}

/// `>=1.2 <2 || 3.x`: alternatives. All parts of one of them must be true.
struct Constraint(Vec<Vec<Part>>);

struct Part {
    allowed: VersionReq,
    /// `!=`
    is_negated: bool,
}

/// Operators of constraints, longer ones first.
const OPERATORS: [&str; 9] = ["==", "!=", ">=", "<=", "=", ">", "<", "^", "~"];

impl Constraint {
    fn parse(text: &str) -> Result<Self> {
        let alternatives = text.split("||").map(|alternative| {
            let mut rest = alternative.trim_matches([' ', ',']);
            let mut parts = Vec::new();
            while !rest.is_empty() {
                let operator = OPERATORS.into_iter().find(|it| rest.starts_with(it));
                let operand = rest[operator.map_or(0, str::len)..].trim_start_matches(' ');
                let end = operand.find([' ', ',']).unwrap_or(operand.len());
                parts.push(Part::parse(operator.unwrap_or("="), &operand[..end], text)?);
                rest = operand[end..].trim_start_matches([' ', ',']);
            }
            if parts.is_empty() { Err(wrong(text)) } else { Ok(parts) }
        });
        Ok(Self(alternatives.collect::<Result<_>>()?))
    }

    fn is_met_by(&self, version: &Version) -> bool {
        let is_met = |it: &Part| it.allowed.matches(version) != it.is_negated;
        self.0.iter().any(|parts| parts.iter().all(is_met))
    }
}

impl Part {
    fn parse(operator: &str, operand: &str, whole: &str) -> Result<Self> {
        let operand = operand.strip_prefix('v').unwrap_or(operand);
        if matches!(operand, "*" | "x" | "X") {
            return match operator {
                "=" | "==" => Ok(Self { allowed: VersionReq::STAR, is_negated: false }),
                _ => Err(wrong(whole)),
            };
        }
        if !operand.starts_with(|it: char| it.is_ascii_digit()) {
            return Err(wrong(whole));
        }
        let mut comparator = Comparator::parse(operand).map_err(|_| wrong(whole))?;
        let is_wild = comparator.op == Op::Wildcard;
        comparator.op = match operator {
            _ if is_wild && matches!(operator, "=" | "==" | "!=") => Op::Wildcard,
            _ if is_wild => return Err(wrong(whole)),
            ">" => Op::Greater,
            ">=" => Op::GreaterEq,
            "<" => Op::Less,
            "<=" => Op::LessEq,
            "^" => Op::Caret,
            "~" => Op::Tilde,
            _ => Op::Exact,
        };
        Ok(Self {
            allowed: VersionReq { comparators: vec![comparator] },
            is_negated: operator == "!=",
        })
    }
}

fn wrong(constraint: &str) -> Error {
    Error::new(message!(
        "expected a constraint such as '>=1.2.0 <2.0.0 || 3.x', found '{}'",
        secret(constraint)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_allow_versions() {
        let rows = [
            ("1.2.3", "1.2.3", true),
            ("1.2", "1.2.9", true),
            ("1.2.3", "1.2.4", false),
            (">=1.2 <2", "1.9.0", true),
            (">= 1.2, < 2", "2.0.0", false),
            ("^1.2.3", "1.9.0", true),
            ("~1.2.3", "1.3.0", false),
            ("1.x || >=3.1", "3.2.0", true),
            ("!=1.5.0 1.x", "1.5.0", false),
            ("!=1.x", "2.0.0", true),
            ("*", "0.0.1", true),
            (">=1.0.0", "1.1.0-rc.1", false),
            (">=1.1.0-0", "1.1.0-rc.1", true),
        ];
        for (constraint, version, expected) in rows {
            let version = Version::parse(version).expect("a version");
            let parsed = Constraint::parse(constraint).unwrap_or_else(|_| panic!("{constraint}"));
            assert_eq!(parsed.is_met_by(&version), expected, "{version} in {constraint}");
        }
        for malformed in ["", "||", ">=", "1.2.3.4", ">=x", "=>1", "latest"] {
            assert!(Constraint::parse(malformed).is_err(), "{malformed}");
        }
    }
}
