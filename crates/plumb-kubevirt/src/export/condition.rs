//! Conditions in CEL, which are simplified while they are combined.

/// A condition. Constants disappear when conditions are combined, so that an exported expression
/// contains only the parts that depend on the virtual machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Always,
    Never,
    Written { text: String, binds: Binds },
}

/// The precedence of the outermost operator of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binds {
    Conditional,
    Or,
    And,
    Comparison,
    Call,
}

use Condition::{Always, Never, Written};

impl Condition {
    pub(super) fn comparison(text: String) -> Self {
        Written { text, binds: Binds::Comparison }
    }

    pub(super) fn call(text: String) -> Self {
        Written { text, binds: Binds::Call }
    }

    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Never, _) | (_, Never) => Never,
            (Always, it) | (it, Always) => it,
            (left, right) => left.joined("&&", &right, Binds::And),
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Always, _) | (_, Always) => Always,
            (Never, it) | (it, Never) => it,
            (left, right) => left.joined("||", &right, Binds::Or),
        }
    }

    pub(super) fn not(self) -> Self {
        match self {
            Always => Never,
            Never => Always,
            it @ Written { .. } => {
                Written { text: format!("!{}", it.within(Binds::Call)), binds: Binds::Call }
            }
        }
    }

    /// `self ? then : otherwise`.
    pub(super) fn choose(self, then: Self, otherwise: Self) -> Self {
        match (self, then, otherwise) {
            (_, then, otherwise) if then == otherwise => then,
            (Always, then, _) => then,
            (Never, _, otherwise) => otherwise,
            (condition, then, Never) => condition.and(then),
            (condition, Never, otherwise) => condition.not().and(otherwise),
            (condition, Always, otherwise) => condition.or(otherwise),
            (condition, then, Always) => condition.not().or(then),
            (condition, then, otherwise) => {
                let text = format!(
                    "{} ? {} : {}",
                    condition.within(Binds::Or),
                    then.within(Binds::Or),
                    otherwise.within(Binds::Conditional)
                );
                Written { text, binds: Binds::Conditional }
            }
        }
    }

    /// The expression, in parentheses if its precedence is lower than `least`.
    fn within(&self, least: Binds) -> String {
        match self {
            Written { text, binds } if *binds < least => format!("({text})"),
            it => it.to_text(),
        }
    }

    pub(super) fn to_text(&self) -> String {
        match self {
            Always => "true".to_owned(),
            Never => "false".to_owned(),
            Written { text, .. } => text.clone(),
        }
    }

    fn joined(&self, operator: &str, other: &Self, binds: Binds) -> Self {
        let text = format!("{} {operator} {}", self.within(binds), other.within(binds));
        Written { text, binds }
    }
}

impl From<bool> for Condition {
    fn from(holds: bool) -> Self {
        if holds { Always } else { Never }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn it(text: &str) -> Condition {
        Condition::comparison(text.to_owned())
    }

    #[test]
    fn constants_disappear() {
        assert_eq!(it("a").and(Always), it("a"));
        assert_eq!(it("a").or(Always), Always);
        assert_eq!(Never.choose(it("a"), it("b")), it("b"));
        assert_eq!(it("a").choose(it("b"), it("b")), it("b"));
        assert_eq!(it("a").choose(Always, it("b")).to_text(), "a || b");
    }

    #[test]
    fn parentheses_are_written_where_they_are_needed() {
        let either = it("a").or(it("b"));
        assert_eq!(either.clone().and(it("c")).to_text(), "(a || b) && c");
        assert_eq!(either.clone().not().to_text(), "!(a || b)");
        assert_eq!(it("a > b").not().to_text(), "!(a > b)");
        assert_eq!(it("a").and(it("b")).or(it("c")).to_text(), "a && b || c");
        assert_eq!(it("x").choose(either, it("c")).to_text(), "x ? a || b : c");
    }
}
