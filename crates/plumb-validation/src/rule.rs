//! Rules and validations, and how they are run.

use std::sync::Arc;

use plumb_diagnostic::{Code, Frame, Severity};
use plumb_source::message::{MASK, plain};
use plumb_source::{Origin, Span, message};
use plumb_value::{Callable, DataPath, Datum, Map, MapItem, Node, Step, Uses};

use crate::message::{Fields, message_on_one_line};
use crate::rule_check::{BrokenRule, outline, verdict};
use crate::{Cause, ConditionErrorKind, Constraint, Message, Verdict, Violation, Work};

/// A value breaks a rule that the author of the configuration set for it.
///
/// The message says what a valid value is. Change the value at the place shown first; the place
/// shown second is the rule.
pub const RULE_BROKEN: Code = Code::new("validation/rule-broken");

/// A rule could not be applied to a value: the rule is wrong, not the value.
///
/// The rule's function failed (a type error, a missing key), or returned something other than
/// `None`, a boolean or a pair such as `(False, "why")`. The place of the rule is shown: report
/// this to its author.
pub const RULE_FAILED: Code = Code::new("validation/rule-failed");

/// A rule or condition reached a limit on steps, call depth or memory, and no further rule was run.
///
/// The function may loop or call itself without end. The place of the rule is shown: report this to
/// its author.
pub const RULE_STOPPED: Code = Code::new("validation/rule-stopped");

/// The condition of a validation (`when=`) could not be evaluated.
///
/// A condition is an assertion, such as `assert.min(1)`, or a function. The function receives the
/// value and, if it has a second parameter, a context with `parent` and `root`. It must return
/// `True`, `False` or a pair such as `(False, "why")`. A call of `assert.fail` counts as `False`.
pub const CONDITION_FAILED: Code = Code::new("validation/condition-failed");

/// Rules bound to a node, in the order they are checked.
#[derive(Clone, Debug)]
pub struct Validation {
    /// The rules, in the order in which they are checked.
    pub rules: Vec<Rule>,
    /// The condition that is checked first. If it is false, the rules are skipped.
    pub when: Option<Condition>,
    /// The annotation in which it was written. Without one, each rule that is a function has its
    /// own place.
    pub span: Option<Span>,
    /// Counts how often the rules were satisfied and broken, if that was requested.
    pub uses: Option<Arc<Uses>>,
}

/// `when=`: the condition under which the rules of a validation are checked.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The assertion that the value must satisfy.
    pub assertion: Assertion,
    /// The annotation that it was written in.
    pub span: Option<Span>,
}

/// One requirement for a value.
#[derive(Clone, Debug)]
pub struct Rule {
    /// How the value is checked.
    pub assertion: Assertion,
    /// What a valid value is, in the author's words.
    pub description: Option<String>,
    /// The author's message for values that break the rule.
    pub message: Option<Message>,
    /// The position of the rule in its annotation, counted from 1.
    pub ordinal: usize,
    /// Whether it was given as a keyword of its annotation, such as `min=1`.
    pub is_named: bool,
    /// The annotation in which it was written, if that is known.
    pub span: Option<Span>,
}

/// How a rule or condition checks a value.
#[derive(Clone, Debug)]
pub enum Assertion {
    Constraint(Arc<Constraint>),
    Function(Arc<dyn Callable>),
}

/// Approximately how many bytes of a compiled rule are created in the time of one step.
const BYTES_PER_STEP: usize = 8;

/// A value to check, and its place in a document.
#[derive(Clone, Copy, Debug)]
pub struct CheckedValue<'a> {
    /// The key of a map item, or the index of an array item or document.
    pub key: &'a str,
    /// The path of the value in its document.
    pub path: &'a DataPath,
    /// Where the value was written.
    pub origin: Origin,
    /// The value to check.
    pub value: &'a Node,
    /// The map or array that contains the value.
    pub parent: Option<&'a Node>,
    /// The root of the document; the value itself if it is not part of a document.
    pub root: &'a Node,
    /// Whether the value is never shown, even if the author's message contains it.
    pub is_secret: bool,
}

/// A condition that is neither true nor false.
struct Undecided {
    code: Code,
    problem: ConditionErrorKind,
    words: plumb_source::Message,
    trace: Vec<Frame>,
    help: Vec<plumb_source::Message>,
}

impl Undecided {
    fn new(problem: ConditionErrorKind, words: plumb_source::Message) -> Self {
        let (trace, help) = (Vec::new(), Vec::new());
        Self { code: CONDITION_FAILED, problem, words, trace, help }
    }

    /// A condition that failed with this error.
    fn raised(error: plumb_source::Message, is_limit: bool) -> Self {
        let words = failed(&error);
        let code = if is_limit { RULE_STOPPED } else { CONDITION_FAILED };
        Self { code, ..Self::new(ConditionErrorKind::Raised(error), words) }
    }
}

fn failed(error: &plumb_source::Message) -> plumb_source::Message {
    message!("when= failed: {}", message_on_one_line(error))
}

impl<'a> CheckedValue<'a> {
    /// A value that is not part of a document.
    pub fn alone(key: &'a str, path: &'a DataPath, value: &'a Node) -> Self {
        Self {
            key,
            path,
            origin: Origin::Unknown,
            value,
            parent: None,
            root: value,
            is_secret: false,
        }
    }
}

impl Validation {
    /// Returns whether null is checked instead of skipped.
    pub fn forbids_null(&self) -> bool {
        self.rules.iter().any(Rule::forbids_null)
    }

    /// Returns whether the condition can read more than the value.
    pub fn looks_around(&self) -> bool {
        let when = self.when.as_ref().and_then(|it| it.assertion.function());
        when.is_some_and(|it| it.arity() == Some(2))
    }

    /// Counts the memory of the rules, and the time to compile them.
    pub fn count(&self, work: &Work<'_>) -> bool {
        let constraints = self.rules.iter().filter_map(|it| it.assertion.constraint());
        let size = constraints.map(Constraint::size).fold(0, usize::saturating_add);
        work.count((size / BYTES_PER_STEP) as u64) && work.build(size)
    }

    /// Runs the rules on a value and adds the violations to `violations`. Null is valid unless a
    /// rule forbids it; in that case, no further rule runs.
    pub fn check(
        &self,
        subject: CheckedValue<'_>,
        violations: &mut Vec<Violation>,
        work: &Work<'_>,
    ) {
        let n_before = violations.len();
        let is_checked = self.check_rules(subject, violations, work);
        if let Some(uses) = self.uses.as_ref().filter(|_| is_checked) {
            uses.count(violations.len() == n_before);
        }
    }

    /// Returns whether the rules apply to the value.
    fn check_rules(
        &self,
        subject: CheckedValue<'_>,
        violations: &mut Vec<Violation>,
        work: &Work<'_>,
    ) -> bool {
        if subject.value.is_null() && !self.forbids_null() {
            return false;
        }
        match self.applies(subject, work) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(undecided) => {
                violations.push(self.condition_failed(subject, *undecided));
                return true;
            }
        }
        for rule in &self.rules {
            if let Some(broken) = rule.check(subject.value, work) {
                let is_last = rule.forbids_null() || broken.code == RULE_STOPPED;
                violations.push(self.violation(rule, subject, broken));
                if is_last {
                    return true;
                }
            }
        }
        true
    }

    fn applies(&self, subject: CheckedValue<'_>, work: &Work<'_>) -> Result<bool, Box<Undecided>> {
        let Some(when) = &self.when else {
            return Ok(true);
        };
        let when = match &when.assertion {
            Assertion::Function(function) => function,
            Assertion::Constraint(constraint) => return holds(constraint, subject.value, work),
        };
        let mut args = vec![Datum::Node(subject.value.clone())];
        match when.arity() {
            Some(2) => args.push(Datum::Node(context(subject))),
            Some(1) | None => {}
            Some(arity) => {
                let words = message!("when= function must accept 1 or 2 arguments ({arity} given)");
                return Err(Undecided::new(ConditionErrorKind::Parameters(arity), words).into());
            }
        }
        match when.call(args) {
            Ok(Datum::Node(Node::Bool(holds))) => Ok(holds),
            Ok(Datum::Tuple(items)) if let Some(holds) = verdict(&items) => Ok(holds),
            Ok(other) => {
                let words =
                    message!("when= returned {}; expected True or False", plain(outline(&other)));
                Err(Undecided::new(ConditionErrorKind::Result(other.type_name()), words).into())
            }
            Err(error) if error.is_deliberate => Ok(false),
            Err(error) => {
                let undecided = Undecided::raised(error.message, error.limit.is_some());
                let words = error.finding.map(|it| failed(&it.message));
                Err(Box::new(Undecided {
                    words: words.unwrap_or(undecided.words),
                    trace: error.frames,
                    help: error.help.into_iter().map(|it| *it).collect(),
                    ..undecided
                }))
            }
        }
    }

    fn condition_failed(&self, subject: CheckedValue<'_>, undecided: Undecided) -> Violation {
        let Undecided { code, problem, words, trace, help } = undecided;
        let message = not_validated(subject.key, &words);
        Violation {
            code,
            severity: Severity::Error,
            path: subject.path.clone(),
            document: 0,
            origin: subject.origin,
            rule: self
                .when
                .as_ref()
                .map_or(Origin::Unknown, |it| self.origin(it.span, it.assertion.function())),
            required: plumb_source::Message::new(),
            found: words,
            cause: Cause::Condition(problem),
            message,
            is_worded_by_author: false,
            help,
            trace,
        }
    }

    fn violation(&self, rule: &Rule, subject: CheckedValue<'_>, broken: BrokenRule) -> Violation {
        let required = rule.required();
        let (path, origin, node) = blamed(subject, &broken.at);
        let blamed_key = path.steps().last().filter(|_| !broken.at.is_empty());
        let key = blamed_key.map_or_else(|| subject.key.to_owned(), Step::to_string);
        let fields = Fields {
            key: &key,
            value: &|| {
                if subject.is_secret { MASK.to_owned() } else { subject.value.repr() }
            },
            description: &required,
            failure: &broken.failure,
        };
        let is_rule_at_fault = broken.code != RULE_BROKEN;
        let message = match &rule.message {
            _ if is_rule_at_fault => not_validated(&key, fields.failure),
            Some(message) => message.fill(&fields),
            None => default_message(&fields),
        };
        let is_to_replace = !is_rule_at_fault && !path.is_root() && is_default(origin, node);
        Violation {
            code: broken.code,
            severity: Severity::Error,
            help: if is_to_replace {
                vec![message!("give a value for `{}`", plain(&path))]
            } else {
                broken.help
            },
            path,
            document: 0,
            origin,
            rule: self.origin(rule.span, rule.assertion.function()),
            required,
            found: broken.failure,
            cause: broken.cause,
            message,
            is_worded_by_author: rule.message.is_some() && !is_rule_at_fault,
            trace: broken.trace,
        }
    }

    /// The place of a rule or condition: the annotation in which it was written, or its function.
    fn origin(&self, own: Option<Span>, function: Option<&dyn Callable>) -> Origin {
        let span = own.or(self.span).or_else(|| function?.span());
        span.map_or(Origin::Unknown, Origin::Written)
    }
}

impl From<Constraint> for Assertion {
    fn from(constraint: Constraint) -> Self {
        Self::Constraint(Arc::new(constraint))
    }
}

impl Assertion {
    /// Returns the built-in rule. Returns `None` for a function.
    pub fn constraint(&self) -> Option<&Constraint> {
        match self {
            Self::Constraint(constraint) => Some(constraint),
            Self::Function(_) => None,
        }
    }

    fn function(&self) -> Option<&dyn Callable> {
        match self {
            Self::Function(function) => Some(function.as_ref()),
            Self::Constraint(_) => None,
        }
    }
}

impl Rule {
    /// Returns whether the rule always rejects null.
    pub fn forbids_null(&self) -> bool {
        matches!(
            self.assertion.constraint(),
            Some(Constraint::NotNull | Constraint::NotEmpty { lets_null_be: false })
        )
    }

    /// Describes what the rule requires. An empty description by its author is ignored.
    pub fn describe(&self) -> String {
        match (self.description.as_deref(), &self.assertion) {
            (Some(description), _) if !description.trim().is_empty() => description.to_owned(),
            (_, Assertion::Constraint(constraint)) => constraint.description().shown().to_owned(),
            (_, Assertion::Function(function)) => match function.name() {
                "" | "lambda" => "a value that a function accepts".to_owned(),
                name => format!("{name}()"),
            },
        }
    }

    /// Describes a valid value: in the author's words, or in the built-in words of the rule.
    pub fn required(&self) -> plumb_source::Message {
        match (&self.description, &self.assertion) {
            (Some(description), _) => plain(description.as_str()).into(),
            (None, Assertion::Constraint(constraint)) => constraint.description(),
            (None, Assertion::Function(_)) => plumb_source::Message::new(),
        }
    }
}

/// Returns whether a value satisfies a condition that is an assertion object.
fn holds(constraint: &Constraint, value: &Node, work: &Work<'_>) -> Result<bool, Box<Undecided>> {
    match constraint.check_within(value, work) {
        Verdict::Holds => Ok(true),
        Verdict::Broken(_) => Ok(false),
        Verdict::Inapplicable(inapplicable) => {
            let help = inapplicable.help.into_iter().collect();
            let undecided = Undecided::raised(inapplicable.problem, inapplicable.is_limit);
            Err(Box::new(Undecided { help, ..undecided }))
        }
    }
}

/// Returns whether every part of a value comes from the schema. All parts of a default were written
/// in the same file.
fn is_default(origin: Origin, node: &Node) -> bool {
    let Origin::Default(schema) = origin else {
        return false;
    };
    let is_of_schema = |it: Origin| it.span().is_none_or(|span| span.file == schema.file);
    node.parts().all(|(origin, _)| is_of_schema(origin))
}

/// Finds the child that a rule blames, as far as the path exists. Returns its path and origin.
fn blamed<'a>(subject: CheckedValue<'a>, at: &[Step]) -> (DataPath, Origin, &'a Node) {
    let mut path = subject.path.clone();
    let mut origin = subject.origin;
    let mut node = subject.value;
    for step in at {
        let Some(below) = node.below(step) else {
            break;
        };
        path.push(step.clone());
        (origin, node) = below;
    }
    (path, origin, node)
}

/// The second argument of a condition with two parameters: the surroundings of the value.
fn context(subject: CheckedValue<'_>) -> Node {
    let parent = subject.parent.cloned().unwrap_or_default();
    let items = [("parent", parent), ("root", subject.root.clone())];
    let items = items.map(|(key, node)| MapItem::new(key.into(), node, Origin::Unknown));
    Node::map(Map::new(items.into(), Origin::Unknown))
}

/// The message for a value that could not be checked because the rule itself failed.
fn not_validated(key: &str, problem: &plumb_source::Message) -> plumb_source::Message {
    message_on_one_line(&message!("\"{}\" could not be validated: {problem}", plain(key)))
}

fn default_message(fields: &Fields<'_>) -> plumb_source::Message {
    // The author's text may be complete sentences.
    let failure = fields.failure.without_final_stops();
    let reasons = [fields.description, &failure];
    let mut reasons = reasons.into_iter().filter(|it| !it.is_empty()).peekable();
    let key = plain(fields.key);
    if reasons.peek().is_none() {
        return message!("\"{key}\" requires a valid value.");
    }
    let reasons = plumb_source::Message::join(reasons, "; ");
    message_on_one_line(&message!("\"{key}\" requires a valid value: {reasons}."))
}
