//! Evaluates a template over a tree.

use super::error::StepError;
use super::{
    Action, Block, Budget, JsonPath, Scalar, SelectError, SelectErrorKind, Selected, Slice, Step,
    Tree,
};

/// The greatest depth of nested ranges.
const MAX_RANGES: usize = 16;

/// The maximum number of values that a selection has at one time. A budget only limits time:
/// without this limit, a path of a few bytes could select a value millions of times.
const MAX_VALUES: usize = 100_000;

/// The number of members of an object that can be examined for one unit of a budget.
const MEMBERS_OF_UNIT: usize = 16;

type Values<'t, T> = Vec<Selected<'t, T>>;
type Result<T> = std::result::Result<T, SelectError>;
type Inner<T> = std::result::Result<T, StepError>;

impl JsonPath {
    /// Returns the values that the template selects from a root, within a budget.
    ///
    /// # Errors
    ///
    /// If the template cannot be followed in the tree, or the budget is spent.
    pub fn select<'t, T: Tree<'t>>(&'t self, root: T, budget: &Budget) -> Result<Values<'t, T>> {
        let mut walk = Walk { budget, ranges: 0, is_range: false, is_end: false };
        let mut found = Vec::new();
        walk.blocks(&self.blocks, Selected::Value(root), &mut found)?;
        Ok(found)
    }
}

struct Walk<'b> {
    budget: &'b Budget,
    /// The number of ranges that are being evaluated.
    ranges: usize,
    /// Whether the expression just evaluated begins a range.
    is_range: bool,
    /// Whether the expression just evaluated ends a range.
    is_end: bool,
}

impl Walk<'_> {
    /// Evaluates blocks up to the `end` of their range, and returns its index.
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
            let place = || steps.first().map_or(0..0, |step| step.at.clone());
            self.fits(found.len()).map_err(|kind| SelectError { at: place(), kind })?;
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
            return Err(SelectError { at, kind: SelectErrorKind::TooMuch });
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
            values = self.step(step, values).map_err(|kind| kind.at(step))?;
            self.count(values.len()).map_err(|kind| StepError::from(kind).at(step))?;
        }
        Ok(values)
    }

    fn step<'t, T: Tree<'t>>(
        &mut self,
        step: &'t Step,
        values: Values<'t, T>,
    ) -> Inner<Values<'t, T>> {
        match &step.action {
            Action::Field(name) => self.field(name, &values),
            Action::Wildcard => self.wildcard(&values),
            Action::Descend => self.descend(&values),
            Action::Slice(slice) => self.slice(*slice, &values),
            Action::Union(members) => {
                let mut found = Vec::new();
                for member in members {
                    found.extend(self.steps(member, values.clone())?);
                    self.fits(found.len())?;
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
            Action::End if self.ranges == 0 => Err(SelectErrorKind::NotInRange.into()),
            Action::End => {
                self.is_end = true;
                Ok(Vec::new())
            }
            Action::Unknown => Err(SelectErrorKind::Unknown.into()),
        }
    }

    /// The only value on a side of a comparison. Returns `None` if nothing is selected.
    fn operand<'t, T: Tree<'t>>(
        &mut self,
        path: &'t [Step],
        element: T,
    ) -> Inner<Option<Scalar<'t>>> {
        let found = self.steps(path, vec![Selected::Value(element)])?;
        match &*found {
            [] => Ok(None),
            [one] => one.scalar().map(Some).ok_or_else(|| SelectErrorKind::NotComparable.into()),
            _ => Err(SelectErrorKind::SeveralValues.into()),
        }
    }

    fn wildcard<'t, T: Tree<'t>>(&mut self, values: &Values<'t, T>) -> Inner<Values<'t, T>> {
        let mut found = Vec::new();
        for value in values.iter().filter_map(Selected::value) {
            let before = found.len();
            value.children(&mut |child| found.push(Selected::Value(child)));
            self.count(found.len() - before)?;
            self.fits(found.len())?;
        }
        Ok(found)
    }

    /// The values and all their descendants that are not empty, parents first.
    fn descend<'t, T: Tree<'t>>(&mut self, values: &Values<'t, T>) -> Inner<Values<'t, T>> {
        let mut found = Vec::new();
        let mut waiting: Vec<T> = values.iter().rev().filter_map(Selected::value).collect();
        while let Some(value) = waiting.pop() {
            let before = waiting.len();
            value.children(&mut |child| waiting.push(child));
            self.count(waiting.len() - before)?;
            self.fits(found.len() + waiting.len())?;
            waiting[before..].reverse();
            let is_text = matches!(value.scalar(), Some(Scalar::Text(text)) if !text.is_empty());
            if waiting.len() > before || is_text {
                found.push(Selected::Value(value));
            }
        }
        Ok(found)
    }

    /// Returns the elements of each list that the slice selects.
    ///
    /// If a slice is empty in one list, the selection ends, and later lists are not evaluated.
    /// kubectl's dialect works this way; `.*` does not have this limitation.
    fn slice<'t, T: Tree<'t>>(
        &mut self,
        slice: Slice,
        values: &Values<'t, T>,
    ) -> Inner<Values<'t, T>> {
        let mut found = Vec::new();
        for value in values {
            let value = value.value().ok_or(SelectErrorKind::NotAList)?;
            if value.is_null() {
                continue;
            }
            let length = value.length().ok_or(SelectErrorKind::NotAList)?;
            let Some(range) = slice.range(length)? else { return Ok(found) };
            let range = range.step_by(slice.step()?);
            self.count(range.len())?;
            self.fits(found.len() + range.len())?;
            found.extend(range.filter_map(|at| value.element(at)).map(Selected::Value));
        }
        Ok(found)
    }

    /// The elements of lists that meet the condition.
    fn filter<'t, T: Tree<'t>>(
        &mut self,
        values: &Values<'t, T>,
        mut holds: impl FnMut(&mut Self, T) -> Inner<bool>,
    ) -> Inner<Values<'t, T>> {
        let mut found = Vec::new();
        for value in values {
            let list = value.value().filter(|it| !it.is_null()).ok_or(SelectErrorKind::NotAList)?;
            let length = list.length().ok_or(SelectErrorKind::NotAList)?;
            self.count(length)?;
            for element in (0..length).filter_map(|at| list.element(at)) {
                if holds(self, element)? {
                    found.push(Selected::Value(element));
                    self.fits(found.len())?;
                }
            }
        }
        Ok(found)
    }

    /// The field of each value. Values without the field are left out. It is an error if no value
    /// has it.
    fn field<'t, T: Tree<'t>>(
        &mut self,
        name: &str,
        values: &Values<'t, T>,
    ) -> Inner<Values<'t, T>> {
        let mut found = Vec::new();
        for value in values.iter().filter_map(Selected::value) {
            self.count(value.breadth() / MEMBERS_OF_UNIT)?;
            found.extend(value.field(name).map(Selected::Value));
        }
        let is_missing = found.is_empty() && !values.is_empty();
        if is_missing { Err(SelectErrorKind::NotFound.into()) } else { Ok(found) }
    }

    /// Fails, and spends the whole budget, if a selection has too many values.
    fn fits(&self, n_values: usize) -> std::result::Result<(), SelectErrorKind> {
        if n_values <= MAX_VALUES {
            return Ok(());
        }
        self.budget.spend(usize::MAX);
        Err(SelectErrorKind::TooMuch)
    }

    fn count(&mut self, visits: usize) -> std::result::Result<(), SelectErrorKind> {
        if self.budget.spend(visits + 1) { Ok(()) } else { Err(SelectErrorKind::TooMuch) }
    }
}

/// The number of blocks up to the `end` of their range, including it.
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

    fn select(template: &str) -> std::result::Result<Vec<String>, SelectErrorKind> {
        let node = json::read_document(DOCUMENT).expect("the document is JSON");
        let template = JsonPath::parse(template).expect("the template is well-formed");
        let found = template.select(&node, &Budget::new(10_000)).map_err(|error| error.kind)?;
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

    fn check_error(template: &str, expected: SelectErrorKind) {
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
        check_error("{.disks[?(@.size==1)].name}", SelectErrorKind::NotFound);
        check_error("{.disks[?(@.name==1)].name}", SelectErrorKind::NotComparable);
        check_error("{.disks[?(@.name===1)].name}", SelectErrorKind::Unknown);
        check_error("{.name[?(@.a)]}", SelectErrorKind::NotAList);
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
        check_error("{end}", SelectErrorKind::NotInRange);
        check_error("{name}", SelectErrorKind::Unknown);
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        check_error("{.nope}", SelectErrorKind::NotFound);
        check_error("{.name.more}", SelectErrorKind::NotFound);
        check_error("{.disks[3].name}", SelectErrorKind::OutOfBounds);
        check_error("{.disks[0:9].name}", SelectErrorKind::OutOfBounds);
        check_error("{.disks[0:2:0].name}", SelectErrorKind::StepNotPositive);
        check_error("{.name[0]}", SelectErrorKind::NotAList);
    }

    #[test]
    fn a_selection_that_multiplies_is_stopped() {
        let node = json::read_document(&format!("{}1{}", "[".repeat(200), "]".repeat(200)));
        let node = node.expect("the document is JSON");
        let doubled = JsonPath::parse(&format!("{{{}}}", "[0,0]".repeat(60)));
        let doubled = doubled.expect("the template is well-formed");
        let error = doubled.select(&node, &Budget::new(10_000)).map(|it| it.len());
        assert_eq!(error.map_err(|error| error.kind), Err(SelectErrorKind::TooMuch));
    }

    /// Each path would select a value more than a hundred thousand times, and the budget would pay
    /// for it.
    #[test]
    fn a_selection_never_has_millions_of_values() {
        let node = json::read_document(&format!("{}1{}", "[".repeat(60), "]".repeat(60)));
        let node = node.expect("the document is JSON");
        for path in [
            format!("{{{}}}", "[0,0]".repeat(17)),
            format!("{{{}}}", "..[0,0,0]".repeat(4)),
            format!("{{{}.*}}", "[0:1,0:1]".repeat(17)),
            format!("{{range {}}}x{{end}}", "[0,0]".repeat(17)),
            format!("{{range {0}}}{{range {0}}}x{{end}}{{end}}", "[0,0]".repeat(9)),
        ] {
            let path = JsonPath::parse(&path).expect("the template is well-formed");
            let error = path.select(&node, &Budget::new(100_000_000)).map(|it| it.len());
            assert_eq!(error.map_err(|error| error.kind), Err(SelectErrorKind::TooMuch));
        }
    }
}
