//! The values that a path selects in a virtual machine, as CEL.
//!
//! What a path selects if a field is missing does not depend on the virtual machine: the API has a
//! default, or the field counts as zero, or the path cannot be followed. This module does not
//! derive it again. It looks the path up as `vm check` does, in a virtual machine in which only the
//! preceding fields are written. **Invariant:** an exported condition therefore differs from `vm
//! check` only if a value is written.

use super::UntranslatableError;
use super::chain::{Chain, Link, PathError, Reach, merged};
use super::condition::Condition;
use super::names::{self, Names};
use crate::api::{ApiValue, Defaults, Type};
use crate::check::lookup::{self, Lookup};
use crate::check::{self, exists};
use crate::jsonpath::Budget;
use crate::rule::RulePath;
use plumb_value::Node;

/// What a path selects.
#[derive(Debug)]
pub(super) enum Leaf<'l> {
    /// A written value: the expression that reads it, and its type.
    Written { expression: &'l str, ty: Type },
    /// Values that are not written; never empty.
    Constants(&'l [Constant]),
}

/// A value that does not depend on the virtual machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Constant {
    /// `None` if it is not an integer.
    pub integer: Option<i128>,
    pub text: String,
}

/// A path, and how it is looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selection<'r> {
    pub path: &'r RulePath,
    /// The annotation that contains the path.
    pub annotation: &'r str,
    pub defaults: Defaults,
}

type Translated = Result<Condition, UntranslatableError>;

/// The condition for a leaf.
type OnLeaf<'f> = dyn FnMut(Leaf<'_>, &mut Names) -> Translated + 'f;

/// The result of `vm check` for a virtual machine in which a part of a path is written.
enum Probed {
    /// The written value.
    Written,
    /// Constants, or nothing.
    Constants(Vec<Constant>),
}

/// The chains of fields that a path can select.
enum Chains<'r> {
    One(Chain<'r>),
    /// From the virtual machine's template and, if nothing is written there, from the virtual
    /// machine itself.
    Both(Chain<'r>, Chain<'r>),
}

/// Which of the elements of a list must meet a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elements {
    All,
    Any,
}

impl Selection<'_> {
    /// The condition that the values of the path satisfy the rule. `on` returns the condition for
    /// one value. If there are no values, the condition is false.
    pub(super) fn values(&self, names: &mut Names, on: &mut OnLeaf<'_>) -> Translated {
        let mut probe =
            |document: &Node, on: &mut OnLeaf<'_>, names: &mut Names| match self.probe(document) {
                Probed::Written => Ok(None),
                Probed::Constants(constants) if constants.is_empty() => Ok(Some(Condition::Never)),
                Probed::Constants(constants) => on(Leaf::Constants(&constants), names).map(Some),
            };
        self.conditions(Elements::All, names, &mut probe, on)
    }

    /// The condition that the path leads to an existing value.
    pub(super) fn leads_somewhere(&self, names: &mut Names) -> Translated {
        let mut probe = |document: &Node, _: &mut OnLeaf<'_>, _: &mut Names| {
            let budget = Budget::new(check::BUDGET);
            let found = self.lookup(document, &budget).leads_somewhere(self.path);
            Ok(Some(Condition::from(found.is_ok_and(|it| it))))
        };
        let mut on = |_: Leaf<'_>, _: &mut Names| Ok(Condition::Always);
        self.conditions(Elements::Any, names, &mut probe, &mut on)
    }

    /// Whether the path selects the elements of a list, or a part of each of them.
    pub(super) fn is_about_elements(&self) -> Result<bool, UntranslatableError> {
        Ok(match self.chains()? {
            Chains::One(chain) => chain.within_each.is_some(),
            Chains::Both(..) => false,
        })
    }

    fn chains(&self) -> Result<Chains<'_>, UntranslatableError> {
        let template = Chain::of(&self.path.template);
        let machine = self.path.at_machine().and_then(|it| Chain::of(it).ok());
        let machine = machine.filter(|it| it.is_known);
        match (template, machine) {
            (Ok(template), Some(machine)) if template.is_known => {
                if template.within_each.is_some() || machine.within_each.is_some() {
                    return Err(self.error(PathError(
                        "`[*]`, and fits both the virtual machine and its template",
                    )));
                }
                Ok(Chains::Both(template, machine))
            }
            (Ok(template), None) => Ok(Chains::One(template)),
            (_, Some(machine)) => Ok(Chains::One(machine)),
            (Err(error), None) => Err(self.error(error)),
        }
    }

    fn conditions(
        &self,
        elements: Elements,
        names: &mut Names,
        probe: &mut Probe<'_>,
        on: &mut OnLeaf<'_>,
    ) -> Translated {
        match self.chains()? {
            Chains::One(chain) => match &chain.within_each {
                None => along(&chain, &mut |it| it, names, probe, on),
                Some(_) => self.each(&chain, elements, names, probe, on),
            },
            Chains::Both(template, machine) => {
                let mut absent = Vec::new();
                for n_fields in 0..template.fields.len() {
                    let written = template.document(Reach::Fields(n_fields));
                    let mut within = |document: Node| merged(&written, &document);
                    absent.push(along(&machine, &mut within, names, probe, on)?);
                }
                let ty = template.value_type();
                descend(names::OBJECT, &template.fields, &absent, names, &mut |value, names| {
                    on(Leaf::Written { expression: value, ty }, names)
                })
            }
        }
    }

    /// The condition for the elements of a list.
    #[expect(clippy::too_many_arguments, reason = "two of them are functions that change state")]
    fn each(
        &self,
        chain: &Chain<'_>,
        elements: Elements,
        names: &mut Names,
        probe: &mut Probe<'_>,
        on: &mut OnLeaf<'_>,
    ) -> Translated {
        let links = chain.within_each.as_deref().unwrap_or_default();
        let mut constant = |reach: Reach, on: &mut OnLeaf<'_>, names: &mut Names| {
            let found = probe(&chain.document(reach), on, names)?;
            Ok(found.expect("nothing is written at the end of the path"))
        };
        let mut absent = Vec::new();
        for n_fields in 0..chain.fields.len() {
            absent.push(constant(Reach::Fields(n_fields), on, names)?);
        }
        let if_empty = constant(Reach::EmptyList, on, names)?;
        // Elements without the field are left out, unless all of them lack it.
        let (mut of_element, mut is_kept, mut if_all_lack_it) = (Vec::new(), Vec::new(), None);
        for n_fields in 0..links.len() {
            let reach = Reach::Element(n_fields);
            match self.element(chain, &chain.document(reach)) {
                Some((constant, exists)) => {
                    of_element.push(match elements {
                        Elements::All => on(Leaf::Constants(&[constant]), names)?,
                        Elements::Any => exists.into(),
                    });
                    is_kept.push(Condition::Always);
                }
                None => {
                    of_element.push((elements == Elements::All).into());
                    is_kept.push(Condition::Never);
                    if_all_lack_it = Some(constant(reach, on, names)?);
                }
            }
        }
        let ty = chain.value_type();
        descend(names::OBJECT, &chain.fields, &absent, names, &mut |list, names| {
            let element = names.fresh("it");
            let one = descend(&element, links, &of_element, names, &mut |value, names| {
                on(Leaf::Written { expression: value, ty }, names)
            })?;
            let some = Condition::comparison(format!("size({list}) > 0"));
            if elements == Elements::Any {
                if if_empty != Condition::Never
                    || if_all_lack_it.as_ref().is_some_and(|it| *it != Condition::Never)
                {
                    return Err(self.error(PathError("`[*]` after a field with a default")));
                }
                return Ok(match one {
                    Condition::Always => some,
                    Condition::Never => Condition::Never,
                    one @ Condition::Written { .. } => {
                        Condition::call(format!("{list}.exists({element}, {})", one.to_text()))
                    }
                });
            }
            let all = match one {
                Condition::Always => Condition::Always,
                one => Condition::call(format!("{list}.all({element}, {})", one.to_text())),
            };
            let Some(if_all_lack_it) = &if_all_lack_it else {
                return Ok(some.choose(all, if_empty.clone()));
            };
            let kept =
                descend(&element, links, &is_kept, names, &mut |_, _| Ok(Condition::Always))?;
            let kept = Condition::call(format!("{list}.exists({element}, {})", kept.to_text()));
            let found = kept.choose(all, if_all_lack_it.clone());
            Ok(if if_empty == *if_all_lack_it {
                found
            } else {
                some.choose(found, if_empty.clone())
            })
        })
    }

    /// The value that a path has in the only element of a list, in which it is not written, and
    /// whether it counts as existing. Returns `None` if the element is left out.
    fn element(&self, chain: &Chain<'_>, document: &Node) -> Option<(Constant, bool)> {
        let machine = ApiValue::machine(document, self.defaults);
        let found = chain.json.select(machine, &Budget::new(check::BUDGET)).ok()?;
        let value = found.first()?;
        Some((self.constant(value), exists(value)))
    }

    fn probe(&self, document: &Node) -> Probed {
        let budget = Budget::new(check::BUDGET);
        let found = self.lookup(document, &budget).values(self.path).unwrap_or_default();
        let is_written = |it: &check::Value<'_>| it.value().is_some_and(|it| it.node().is_some());
        if found.iter().any(is_written) {
            return Probed::Written;
        }
        let mut constants: Vec<Constant> = found.iter().map(|it| self.constant(it)).collect();
        constants.dedup();
        Probed::Constants(constants)
    }

    fn constant(&self, value: &check::Value<'_>) -> Constant {
        Constant {
            integer: lookup::integer(value, self.path).ok(),
            text: lookup::text(value).into_owned(),
        }
    }

    fn error(&self, error: PathError) -> UntranslatableError {
        UntranslatableError { at: self.path.at.clone(), why: format!("its path has {}", error.0) }
    }

    fn lookup<'d>(&'d self, machine: &'d Node, budget: &'d Budget) -> Lookup<'d, 'd> {
        Lookup { machine, annotation: self.annotation, defaults: self.defaults, budget }
    }
}

/// The condition for a virtual machine in which a part of the path is written. Returns `None` if
/// all of it is written.
type Probe<'f> = dyn FnMut(&Node, &mut OnLeaf<'_>, &mut Names) -> Result<Option<Condition>, UntranslatableError>
    + 'f;

/// The condition for the value at the end of a chain of fields. `within` adds the other fields that
/// are known to be written to a virtual machine.
fn along(
    chain: &Chain<'_>,
    within: &mut dyn FnMut(Node) -> Node,
    names: &mut Names,
    probe: &mut Probe<'_>,
    on: &mut OnLeaf<'_>,
) -> Translated {
    let mut absent = Vec::new();
    for n_fields in 0..chain.fields.len() {
        let document = within(chain.document(Reach::Fields(n_fields)));
        absent.push(probe(&document, on, names)?.unwrap_or(Condition::Never));
    }
    let document = within(chain.document(Reach::Value));
    let if_written = probe(&document, on, names)?;
    let ty = chain.value_type();
    let has_default = chain.last().is_some_and(|it| it.has_default);
    descend(names::OBJECT, &chain.fields, &absent, names, &mut |value, names| {
        if let Some(constant) = &if_written {
            return Ok(constant.clone());
        }
        let found = on(Leaf::Written { expression: value, ty }, names)?;
        if !has_default {
            return Ok(found);
        }
        let zero = Constant { integer: Some(0), text: "0".to_owned() };
        let of_zero = on(Leaf::Constants(&[zero]), names)?;
        let of_default = absent.last().cloned().unwrap_or(Condition::Never);
        if of_zero == of_default {
            return Ok(found);
        }
        let is_zero = Condition::comparison(format!("{value} == 0"));
        Ok(is_zero.choose(of_default, found))
    })
}

/// Reads fields one after the other. `absent` contains the condition for each field if it is
/// missing. `written` returns the condition for the value of the last field.
fn descend(
    base: &str,
    links: &[Link],
    absent: &[Condition],
    names: &mut Names,
    written: &mut dyn FnMut(&str, &mut Names) -> Translated,
) -> Translated {
    let Some(otherwise) = absent.first() else { return written(base, names) };
    let n_same = absent.iter().take_while(|it| *it == otherwise).count();
    let (here, below) = links.split_at(n_same);
    let name = here.last().map_or("", |it| it.name.as_str());
    let variable = names.fresh(name);
    let inner = descend(&variable, below, &absent[n_same..], names, written)?;
    let optional: String = here.iter().map(|it| names::optional_field(&it.name)).collect();
    let optional = format!("{base}{optional}");
    Ok(match (inner, otherwise) {
        (inner, otherwise) if inner == *otherwise => inner,
        (Condition::Always, Condition::Never) => Condition::call(format!("{optional}.hasValue()")),
        (Condition::Never, Condition::Always) => {
            Condition::call(format!("{optional}.hasValue()")).not()
        }
        (inner, otherwise) => Condition::call(format!(
            "{optional}.optMap({variable}, {}).orValue({})",
            inner.to_text(),
            otherwise.to_text()
        )),
    })
}
