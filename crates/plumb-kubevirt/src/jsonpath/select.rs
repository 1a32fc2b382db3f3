//! What a template selects in a tree.

use std::fmt;
use std::ops::Range;

use super::{Action, Block, Budget, Literal, Scalar, Slice, Step, Template};

/// Ranges within ranges.
const MAX_RANGES: usize = 16;

/// What a template can be evaluated over. Values are cheap to copy, and borrow from a `'t` tree.
pub trait Tree<'t>: Copy {
    /// A null has no fields and no elements, but may be selected.
    fn is_null(self) -> bool;

    /// Whether a value that was reached counts as being there.
    fn exists(self) -> bool;

    /// The field of an object or the value of a key.
    fn field(self, name: &str) -> Option<Self>;

    /// The number of elements of a list; none if it is not a list.
    fn length(self) -> Option<usize>;

    fn element(self, at: usize) -> Option<Self>;

    /// Calls `visit` with every member of an object or element of a list.
    fn children(self, visit: &mut dyn FnMut(Self));

    /// The value for a comparison; none if it is not a scalar.
    fn scalar(self) -> Option<Scalar<'t>>;
}

/// What a template selects: values of the tree, or what the template itself holds.
#[derive(Clone, Copy, Debug)]
pub enum Selected<'t, T> {
    Value(T),
    Literal(&'t Literal),
}

/// A template that cannot be followed in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectError {
    /// The bytes of the template that ask for it.
    pub at: Range<usize>,
    pub trouble: Trouble,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    NotFound,
    NotAList,
    OutOfBounds,
    StepNotPositive,
    SeveralValues,
    NotComparable,
    NotInRange,
    Unknown,
    TooMuch,
}

type Values<'t, T> = Vec<Selected<'t, T>>;
type Result<T> = std::result::Result<T, SelectError>;
type Inner<T> = std::result::Result<T, Inside>;

impl Template {
    /// What the template selects from a root on, within a budget.
    pub fn select<'t, T: Tree<'t>>(&'t self, root: T, budget: &Budget) -> Result<Values<'t, T>> {
        let mut walk = Walk { budget, ranges: 0, is_range: false, is_end: false };
        let mut found = Vec::new();
        walk.blocks(&self.blocks, Selected::Value(root), &mut found)?;
        Ok(found)
    }
}

struct Walk<'b> {
    budget: &'b Budget,
    /// Ranges under way.
    ranges: usize,
    /// Whether the expression just evaluated begins a range.
    is_range: bool,
    /// Whether it ends one.
    is_end: bool,
}

impl Walk<'_> {
    /// Evaluates blocks up to the `end` of the range they stand in, and says where that is.
    fn blocks<'t, T: Tree<'t>>(
        &mut self,
        blocks: &'t [Block],
        root: Selected<'t, T>,
        found: &mut Values<'t, T>,
    ) -> Result<Option<usize>> {
        let mut at = 0;
        while let Some(block) = blocks.get(at) {
            at += 1;
            let steps = match block {
                Block::Text(text) => {
                    found.push(Selected::Literal(text));
                    continue;
                }
                Block::Expression(steps) => steps,
            };
            let selected = self.steps(steps, vec![root])?;
            if std::mem::take(&mut self.is_end) {
                return Ok(Some(at));
            }
            if std::mem::take(&mut self.is_range) {
                at += self.range(&blocks[at..], selected, steps, found)?.unwrap_or(0);
            } else {
                found.extend(selected);
            }
        }
        Ok(None)
    }

    fn range<'t, T: Tree<'t>>(
        &mut self,
        blocks: &'t [Block],
        selected: Values<'t, T>,
        steps: &[Step],
        found: &mut Values<'t, T>,
    ) -> Result<Option<usize>> {
        if self.ranges == MAX_RANGES {
            let at = steps.first().map_or(0..0, |step| step.at.clone());
            return Err(SelectError { at, trouble: Trouble::TooMuch });
        }
        if selected.is_empty() {
            return Ok(end_of_range(blocks));
        }
        self.ranges += 1;
        let mut end = None;
        for value in selected {
            end = self.blocks(blocks, value, found)?.or(end);
        }
        self.ranges -= 1;
        Ok(end)
    }

    fn steps<'t, T: Tree<'t>>(
        &mut self,
        steps: &'t [Step],
        mut values: Values<'t, T>,
    ) -> Result<Values<'t, T>> {
        for step in steps {
            values = self.step(step, values).map_err(|trouble| trouble.at(step))?;
            self.count(values.len()).map_err(|trouble| Inside::from(trouble).at(step))?;
        }
        Ok(values)
    }

    fn step<'t, T: Tree<'t>>(
        &mut self,
        step: &'t Step,
        values: Values<'t, T>,
    ) -> Inner<Values<'t, T>> {
        match &step.action {
            Action::Field(name) => field(name, &values),
            Action::Wildcard => self.wildcard(&values),
            Action::Descend => self.descend(&values),
            Action::Slice(slice) => self.slice(*slice, &values),
            Action::Union(members) => {
                let mut found = Vec::new();
                for member in members {
                    found.extend(self.steps(member, values.clone())?);
                }
                Ok(found)
            }
            Action::Exists(path) => self.filter(&values, |walk, element| {
                let found = walk.steps(path, vec![Selected::Value(element)]).unwrap_or_default();
                Ok(found.iter().any(Selected::exists))
            }),
            Action::Compare { left, operator, right } => self.filter(&values, |walk, element| {
                let Some(left) = walk.operand(left, element)? else { return Ok(false) };
                let Some(right) = walk.operand(right, element)? else { return Ok(false) };
                Ok(operator.holds(left, right)?)
            }),
            Action::Literal(literal) => Ok(vec![Selected::Literal(literal); values.len()]),
            Action::Range => {
                self.is_range = true;
                Ok(values)
            }
            Action::End if self.ranges == 0 => Err(Trouble::NotInRange.into()),
            Action::End => {
                self.is_end = true;
                Ok(Vec::new())
            }
            Action::Unknown => Err(Trouble::Unknown.into()),
        }
    }

    /// The one value on a side of a comparison; none if nothing is selected.
    fn operand<'t, T: Tree<'t>>(
        &mut self,
        path: &'t [Step],
        element: T,
    ) -> Inner<Option<Scalar<'t>>> {
        let found = self.steps(path, vec![Selected::Value(element)])?;
        match &*found {
            [] => Ok(None),
            [one] => one.scalar().map(Some).ok_or_else(|| Trouble::NotComparable.into()),
            _ => Err(Trouble::SeveralValues.into()),
        }
    }

    fn wildcard<'t, T: Tree<'t>>(&mut self, values: &Values<'t, T>) -> Inner<Values<'t, T>> {
        let mut found = Vec::new();
        for value in values.iter().filter_map(Selected::value) {
            let before = found.len();
            value.children(&mut |child| found.push(Selected::Value(child)));
            self.count(found.len() - before)?;
        }
        Ok(found)
    }

    /// The values and all that is below them and not empty, each before what is below it.
    fn descend<'t, T: Tree<'t>>(&mut self, values: &Values<'t, T>) -> Inner<Values<'t, T>> {
        let mut found = Vec::new();
        let mut waiting: Vec<T> = values.iter().rev().filter_map(Selected::value).collect();
        while let Some(value) = waiting.pop() {
            let before = waiting.len();
            value.children(&mut |child| waiting.push(child));
            self.count(waiting.len() - before)?;
            waiting[before..].reverse();
            let is_text = matches!(value.scalar(), Some(Scalar::Text(text)) if !text.is_empty());
            if waiting.len() > before || is_text {
                found.push(Selected::Value(value));
            }
        }
        Ok(found)
    }

    /// The elements in this slice of each list.
    ///
    /// A slice that is empty in one list ends the selection: what stands behind it is not looked
    /// at. The dialect has it so, and `.*` where that is not wanted.
    fn slice<'t, T: Tree<'t>>(
        &mut self,
        slice: Slice,
        values: &Values<'t, T>,
    ) -> Inner<Values<'t, T>> {
        let mut found = Vec::new();
        for value in values {
            let value = value.value().ok_or(Trouble::NotAList)?;
            if value.is_null() {
                continue;
            }
            let length = value.length().ok_or(Trouble::NotAList)?;
            let Some(range) = slice.range(length)? else { return Ok(found) };
            let range = range.step_by(slice.step()?);
            self.count(range.len())?;
            found.extend(range.filter_map(|at| value.element(at)).map(Selected::Value));
        }
        Ok(found)
    }

    /// The elements of lists for which the condition holds.
    fn filter<'t, T: Tree<'t>>(
        &mut self,
        values: &Values<'t, T>,
        mut holds: impl FnMut(&mut Self, T) -> Inner<bool>,
    ) -> Inner<Values<'t, T>> {
        let mut found = Vec::new();
        for value in values {
            let list = value.value().filter(|it| !it.is_null()).ok_or(Trouble::NotAList)?;
            let length = list.length().ok_or(Trouble::NotAList)?;
            self.count(length)?;
            for element in (0..length).filter_map(|at| list.element(at)) {
                if holds(self, element)? {
                    found.push(Selected::Value(element));
                }
            }
        }
        Ok(found)
    }

    fn count(&mut self, visits: usize) -> std::result::Result<(), Trouble> {
        if self.budget.spend(visits + 1) { Ok(()) } else { Err(Trouble::TooMuch) }
    }
}

/// Values that lack the field are left out; it is an error only if all do.
fn field<'t, T: Tree<'t>>(name: &str, values: &Values<'t, T>) -> Inner<Values<'t, T>> {
    let fields = values.iter().filter_map(|it| it.value()?.field(name));
    let found: Values<'t, T> = fields.map(Selected::Value).collect();
    let is_missing = found.is_empty() && !values.is_empty();
    if is_missing { Err(Trouble::NotFound.into()) } else { Ok(found) }
}

/// How many blocks there are up to the `end` of the range that they stand in, with it.
fn end_of_range(blocks: &[Block]) -> Option<usize> {
    let mut open = 0_usize;
    for (at, block) in blocks.iter().enumerate() {
        let Block::Expression(steps) = block else { continue };
        for step in steps {
            match step.action {
                Action::Range => open += 1,
                Action::End if open == 0 => return Some(at + 1),
                Action::End => open -= 1,
                _ => {}
            }
        }
    }
    None
}

impl<'t, T: Tree<'t>> Selected<'t, T> {
    pub fn value(&self) -> Option<T> {
        match self {
            Self::Value(value) => Some(*value),
            Self::Literal(_) => None,
        }
    }

    fn exists(&self) -> bool {
        self.value().is_none_or(T::exists)
    }

    fn scalar(&self) -> Option<Scalar<'t>> {
        match self {
            Self::Value(value) => value.scalar(),
            Self::Literal(literal) => Some(match literal {
                Literal::Text(text) => Scalar::Text(text.as_bytes()),
                Literal::Int(value) => Scalar::Int((*value).into()),
                Literal::Float(value) => Scalar::Float(*value),
                Literal::Bool(value) => Scalar::Bool(*value),
            }),
        }
    }
}

/// Trouble in a step: its own, or that of a step inside it, which knows its place.
enum Inside {
    Own(Trouble),
    Placed(SelectError),
}

impl Inside {
    fn at(self, step: &Step) -> SelectError {
        match self {
            Self::Own(trouble) => SelectError { at: step.at.clone(), trouble },
            Self::Placed(error) => error,
        }
    }
}

impl From<Trouble> for Inside {
    fn from(trouble: Trouble) -> Self {
        Self::Own(trouble)
    }
}

impl From<SelectError> for Inside {
    fn from(error: SelectError) -> Self {
        Self::Placed(error)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFound => "there is no such field",
            Self::NotAList => "this is not a list",
            Self::OutOfBounds => "the list has no such element",
            Self::StepNotPositive => "the step must be above 0",
            Self::SeveralValues => "only one value can be compared",
            Self::NotComparable => "these values cannot be compared",
            Self::NotInRange => "there is no range to end",
            Self::Unknown => "there is no such word or operator",
            Self::TooMuch => "this selects too many values",
        })
    }
}

#[cfg(test)]
mod tests {
    use plumb_value::Node;

    use super::*;
    use crate::json;

    const DOCUMENT: &str = r#"{
        "name": "vm", "empty": [], "nothing": null,
        "disks": [{"name": "a", "size": 1}, {"name": "b", "boot": true}, {"name": "c", "size": 3}],
        "nics": [{"ports": [80, 443]}, {"ports": []}, {"ports": [22]}]
    }"#;

    fn select(template: &str) -> std::result::Result<Vec<String>, Trouble> {
        let node = json::read_document(DOCUMENT).expect("the document is JSON");
        let template = Template::parse(template).expect("the template is well-formed");
        let found = template.select(&node, &Budget::new(10_000)).map_err(|error| error.trouble)?;
        Ok(found.iter().map(show).collect())
    }

    fn show(selected: &Selected<'_, &Node>) -> String {
        match selected.scalar() {
            Some(Scalar::Bool(value)) => value.to_string(),
            Some(Scalar::Int(value)) => value.to_string(),
            Some(Scalar::Float(value)) => value.to_string(),
            Some(Scalar::Text(text)) => String::from_utf8_lossy(text).into_owned(),
            None => "-".to_owned(),
        }
    }

    fn check(template: &str, expected: &[&str]) {
        assert_eq!(
            select(template).as_deref(),
            Ok(expected.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>().as_slice()),
            "{template}"
        );
    }

    fn check_trouble(template: &str, expected: Trouble) {
        assert_eq!(select(template), Err(expected), "{template}");
    }

    #[test]
    fn fields_and_elements() {
        check("{.name}", &["vm"]);
        check("{.disks[0].name}", &["a"]);
        check("{.disks[-1].name}", &["c"]);
        check("{.disks[].name}", &["a"]);
        check("{.disks[*].name}", &["a", "b", "c"]);
        check("{.disks.*.name}", &["a", "b", "c"]);
        check("{.disks[0:2].name}", &["a", "b"]);
        check("{.disks[-2:].name}", &["b", "c"]);
        check("{.disks[0:3:2].name}", &["a", "c"]);
        check("{.disks[:-1].name}", &["a", "b"]);
        check("{.disks[1:1].name}", &[]);
        check("{.disks[*].size}", &["1", "3"]);
        check("{.nothing}", &["-"]);
        check("{.empty[*].name}", &[]);
    }

    #[test]
    fn unions_and_everything_below() {
        check("{.disks[0,2].name}", &["a", "c"]);
        check("{.disks[0]['name','size']}", &["a", "1"]);
        check("{..name}", &["vm", "a", "b", "c"]);
        check("{.disks..size}", &["1", "3"]);
    }

    #[test]
    fn filters() {
        check("{.disks[?(@.boot)].name}", &["b"]);
        check(r#"{.disks[?(@.name=="b")].name}"#, &["b"]);
        check("{.disks[?(@.name != 'b')].name}", &["a", "c"]);
        check(r#"{.disks[?(@.name>"a")].name}"#, &["b", "c"]);
        check(r#"{.disks[?(@.name==")")].name}"#, &[]);
        check("{.nics[0].ports[?(@>=100)]}", &["443"]);
        check_trouble("{.disks[?(@.size==1)].name}", Trouble::NotFound);
        check_trouble("{.disks[?(@.name==1)].name}", Trouble::NotComparable);
        check_trouble("{.disks[?(@.name===1)].name}", Trouble::Unknown);
        check_trouble("{.name[?(@.a)]}", Trouble::NotAList);
    }

    #[test]
    fn an_empty_slice_ends_the_selection_and_a_wildcard_does_not() {
        check("{.nics[*].ports[*]}", &["80", "443"]);
        check("{.nics[*].ports.*}", &["80", "443", "22"]);
    }

    #[test]
    fn text_and_ranges() {
        check("{.name} is {.disks[0].name}", &["vm", " is ", "a"]);
        check("{range .disks[*]}{.name}{'\\n'}{end}.", &["a", "\n", "b", "\n", "c", "\n", "."]);
        check("{range .empty[*]}{.name}{end}{.name}", &["vm"]);
        check_trouble("{end}", Trouble::NotInRange);
        check_trouble("{name}", Trouble::Unknown);
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        check_trouble("{.nope}", Trouble::NotFound);
        check_trouble("{.name.more}", Trouble::NotFound);
        check_trouble("{.disks[3].name}", Trouble::OutOfBounds);
        check_trouble("{.disks[0:9].name}", Trouble::OutOfBounds);
        check_trouble("{.disks[0:2:0].name}", Trouble::StepNotPositive);
        check_trouble("{.name[0]}", Trouble::NotAList);
    }

    #[test]
    fn a_selection_that_multiplies_is_stopped() {
        let node = json::read_document(&format!("{}1{}", "[".repeat(200), "]".repeat(200)));
        let node = node.expect("the document is JSON");
        let doubled = Template::parse(&format!("{{{}}}", "[0,0]".repeat(60)));
        let doubled = doubled.expect("the template is well-formed");
        let error = doubled.select(&node, &Budget::new(10_000)).map(|it| it.len());
        assert_eq!(error.map_err(|error| error.trouble), Err(Trouble::TooMuch));
    }
}
