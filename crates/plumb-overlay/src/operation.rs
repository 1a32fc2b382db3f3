//! The operations of an item of the right side on a level, after its matches are known.

use plumb_diagnostic::{Diagnostic, Label};
use plumb_source::message::plain;
use plumb_source::{Origin, message};
use plumb_value::{Callable, Node};

use crate::annotation::{
    Arguments, Insert, Match, Operation, Replace, assert_via, child_defaults, placed,
};
use crate::assertion::call_via;
use crate::clean::{clean_meta, cleaned};
use crate::edit::{Edit, carries_over};
use crate::error::OverlayError;
use crate::expectation::Expectation;
use crate::finding::{BAD_OPERATION, FUNCTION_FAILED, NO_DOCUMENT, WITHOUT_EFFECT, finding};
use crate::item::{Item, Kind, place};
use crate::left::{Left, Side, Slot};
use crate::level::{Level, Manner, Purpose, Run, Visit};
use crate::select::count_uses;
use crate::warning::{check_list_key, check_name};

impl<'r, L: Left> Level<'r, L> {
    /// Executes the operation of an item, or finds the items to visit.
    pub(crate) fn begin(
        &mut self,
        right: &'r L::Item,
        run: &mut Run<'r, '_>,
    ) -> Result<(), Box<Diagnostic>> {
        if run.manner == Manner::Plain {
            return self.lay_plainly(right, run);
        }
        match Operation::of(right.meta())? {
            operation @ (Operation::Insert | Operation::Append)
                if L::Item::KIND == Kind::MapItem =>
            {
                Err(not_on_map_item(operation, right, run))
            }
            Operation::Merge => self.merge(right, run),
            Operation::Remove => self.remove(right, run),
            Operation::Replace => self.replace(right, run),
            Operation::Insert => self.insert(right, run),
            Operation::Append => {
                count_uses(right.meta());
                let item = added(right, run.cleaner.clean(right.node()));
                self.append(item, run)
            }
            Operation::Assert => self.assert(right, run),
            Operation::Noop => self.noop(right, run),
        }
    }

    fn lay_plainly(
        &mut self,
        right: &'r L::Item,
        run: &mut Run<'r, '_>,
    ) -> Result<(), Box<Diagnostic>> {
        match (self.left.given().or_else(|| self.left.with_key_of(right)), right.node()) {
            (Some(slot), Node::Map(_)) => {
                // Findings about the map must point to the data that was merged into it.
                if matches!(self.left.item(slot).node(), Node::Map(_)) {
                    self.left.item_mut(slot).follow(right);
                }
                self.visit_all(vec![slot], Purpose::Merge, Expectation::default());
                Ok(())
            }
            (Some(slot), _) => {
                self.left.replace(slot, right.clone());
                Ok(())
            }
            (None, _) => self.append(right.clone(), run),
        }
    }

    fn merge(&mut self, right: &'r L::Item, run: &mut Run<'r, '_>) -> Result<(), Box<Diagnostic>> {
        let inherited = child_defaults(right.meta(), self.inherited)?;
        check_list_key(right, run);
        let matching = self.matching(right)?;
        let Some(slots) = self.select(right, matching, run)? else { return Ok(()) };
        // A document that may match nothing, and does, is not added.
        if slots.is_empty() && L::Item::KIND != Kind::Document {
            if L::Item::KIND == Kind::ArrayItem && is_unannotated(right) {
                check_name(self, right, run);
            }
            count_uses(right.meta());
            let item = added(right, run.cleaner.clean(right.node()));
            return self.append(item, run);
        }
        self.visit_all(slots, Purpose::Merge, inherited);
        Ok(())
    }

    fn assert(&mut self, right: &'r L::Item, run: &mut Run<'r, '_>) -> Result<(), Box<Diagnostic>> {
        let inherited = child_defaults(right.meta(), self.inherited)?;
        let matching = self.matching(right)?;
        let via = assert_via(right.meta())?;
        let Some(slots) = self.select(right, matching, run)? else { return Ok(()) };
        self.visit_all(slots, Purpose::Assert(via), inherited);
        Ok(())
    }

    fn noop(&mut self, right: &'r L::Item, run: &mut Run<'r, '_>) -> Result<(), Box<Diagnostic>> {
        let matching = self.matching(right)?;
        let Some(slots) = self.select(right, matching, run)? else { return Ok(()) };
        for slot in slots {
            self.edit_annotations(slot, right, run)?;
        }
        Ok(())
    }

    fn remove(&mut self, right: &'r L::Item, run: &mut Run<'r, '_>) -> Result<(), Box<Diagnostic>> {
        let matching = self.matching(right)?;
        let Some(slots) = self.select(right, matching, run)? else { return Ok(()) };
        for slot in slots {
            self.left.remove(slot);
            self.index.remove(slot);
        }
        Ok(())
    }

    fn replace(
        &mut self,
        right: &'r L::Item,
        run: &mut Run<'r, '_>,
    ) -> Result<(), Box<Diagnostic>> {
        let matching = self.matching(right)?;
        let replace = Replace::of(right.meta())?;
        let edit = Edit::of(right.meta())?;
        let Some(slots) = self.select(right, matching, run)? else { return Ok(()) };
        for slot in &slots {
            let old = self.left.item(*slot);
            let node = computed(replace.via, old.node(), right, run)?;
            let mut item = added(right, node);
            if edit.is_any() {
                let mut meta = old.meta().clone();
                edit.apply(&mut meta, right.meta())?;
                *item.meta_mut().annotations_mut() = meta.annotations().clone();
            }
            run.has_rivals |= self.left.with_key_of(&item).is_some_and(|other| other != *slot);
            self.left.replace(*slot, item);
            self.index.update(*slot, self.left.item(*slot).node());
        }
        if slots.is_empty() && replace.or_add {
            count_uses(right.meta());
            let node = computed(replace.via, &Node::Null, right, run)?;
            let item = added(right, node);
            run.has_rivals |= self.left.with_key_of(&item).is_some();
            let slot = self.left.add(item).ok_or_else(no_document)?;
            self.index.update(slot, self.left.item(slot).node());
        }
        Ok(())
    }

    fn insert(&mut self, right: &'r L::Item, run: &mut Run<'r, '_>) -> Result<(), Box<Diagnostic>> {
        let matching = self.matching(right)?;
        let selected = self.select(right, matching, run)?;
        let Some(slots) = selected else { return Ok(()) };
        let insert = Insert::of(right.meta())?;
        for slot in slots {
            let node = computed(insert.via, self.left.item(slot).node(), right, run)?;
            let sides = [(insert.before, Side::Before), (insert.after, Side::After)];
            for (_, side) in sides.into_iter().filter(|(is_wanted, _)| *is_wanted) {
                let item = added(right, node.clone());
                if let Some(new) = self.left.insert(side, slot, item) {
                    self.index.update(new, &node);
                }
            }
        }
        Ok(())
    }

    fn append(&mut self, item: L::Item, run: &mut Run<'r, '_>) -> Result<(), Box<Diagnostic>> {
        run.has_rivals |= self.left.with_key_of(&item).is_some();
        let slot = self.left.append(item).ok_or_else(no_document)?;
        self.index.update(slot, self.left.item(slot).node());
        Ok(())
    }

    fn matching(&self, right: &'r L::Item) -> Result<Match<'r>, Box<Diagnostic>> {
        let arguments = match L::Item::KIND {
            Kind::MapItem => Arguments::Optional,
            Kind::Document if self.left.given().is_some() => Arguments::Optional,
            Kind::ArrayItem if is_unannotated(right) => Arguments::Optional,
            Kind::Document | Kind::ArrayItem => Arguments::Needed,
        };
        Match::of(right.meta(), arguments, self.inherited)
    }

    fn visit_all(&mut self, slots: Vec<Slot>, purpose: Purpose<'r>, inherited: Expectation<'r>) {
        self.visit = Some(Visit { slots: slots.into_iter(), current: 0, purpose, inherited });
    }

    /// Replaces the comments of a matched item if the overlay's item has any. The comments of a
    /// document are not used: they describe the overlay itself.
    fn replace_comments(&mut self, slot: Slot, right: &'r L::Item) {
        if right.meta().comments().is_empty() || L::Item::KIND == Kind::Document {
            return;
        }
        let left = self.left.item_mut(slot).meta_mut();
        if left.is_empty() && right.meta().annotations().is_empty() {
            left.clone_from(right.meta());
        } else {
            *left.comments_mut() = right.meta().comments().to_vec();
        }
    }

    /// Changes the annotations of a matched item if the overlay requests it. Otherwise, warns if
    /// the overlay's item has annotations.
    pub(crate) fn edit_annotations(
        &mut self,
        slot: Slot,
        right: &'r L::Item,
        run: &mut Run<'r, '_>,
    ) -> Result<(), Box<Diagnostic>> {
        self.replace_comments(slot, right);
        if right.meta().annotations().is_empty() {
            return Ok(());
        }
        let edit = Edit::of(right.meta())?;
        let mut meta = self.left.item(slot).meta().clone();
        let ignored = edit.apply(&mut meta, right.meta())?;
        if edit.is_any() || carries_over(right.meta()) {
            *self.left.item_mut(slot).meta_mut() = meta;
        }
        for annotation in ignored {
            if run.warned.insert(std::ptr::from_ref(annotation).cast()) {
                let warning = without_effect(&annotation.name, annotation.span, right.origin());
                run.warnings.push(warning);
            }
        }
        Ok(())
    }
}

/// Returns whether an item has no annotation about matching. Such an array item matches nothing.
pub(crate) fn is_unannotated(right: &impl Item) -> bool {
    right.meta().annotation(crate::annotation::MATCH).is_none()
}

/// Returns the item of the right side as it is added to the left.
fn added<I: Item>(right: &I, node: Node) -> I {
    let mut item = right.clone();
    *item.node_mut() = node;
    clean_meta(item.meta_mut());
    item
}

/// Returns the value that replaces a value of the left side, or is inserted next to it.
fn computed<'r>(
    via: Option<&'r dyn Callable>,
    left: &Node,
    right: &'r impl Item,
    run: &mut Run<'r, '_>,
) -> Result<Node, Box<Diagnostic>> {
    let Some(via) = via else { return Ok(run.cleaner.clean(right.node())) };
    let result = call_via(via, left, right.node())?;
    let node = result.to_node().ok_or_else(|| {
        let error = OverlayError::NotData(result.type_words().into());
        finding(FUNCTION_FAILED, error.message())
    })?;
    Ok(cleaned(node))
}

fn not_on_map_item(operation: Operation, right: &impl Item, run: &Run<'_, '_>) -> Box<Diagnostic> {
    let line = place(right.origin(), run.sources);
    let error = OverlayError::OnMapItem { annotation: operation.name(), line };
    let mut finding = finding(BAD_OPERATION, error.message());
    finding.help.push("to add a key to a map, write @overlay/match missing_ok=True".into());
    match right.meta().annotation(operation.name()) {
        Some(annotation) => placed(finding, annotation),
        None => finding,
    }
}

fn no_document() -> Box<Diagnostic> {
    finding(NO_DOCUMENT, OverlayError::NoDocument.message())
}

fn without_effect(name: &str, annotation: Option<plumb_source::Span>, item: Origin) -> Diagnostic {
    let message = message!(
        "Annotation @{} has no effect: a merged node keeps the annotations that it has",
        plain(name)
    );
    let mut warning = Diagnostic::warning(WITHOUT_EFFECT, message)
        .help("add @overlay/replace-ann or @overlay/merge-anns to change its annotations");
    let spans = annotation.into_iter().chain(item.span());
    warning.labels.extend(spans.map(|span| Label { span, message: plumb_source::Message::new() }));
    warning
}
