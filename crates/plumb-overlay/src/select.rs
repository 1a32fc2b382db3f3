//! Selects the items of a level that an item of the right side matches.

use plumb_diagnostic::{Diagnostic, Label};
use plumb_source::{Message, Text, message};
use plumb_value::{Datum, Meta, Node};

use crate::Matcher;
use crate::annotation::{MATCH, Match, NAMESPACE, not_a_function, placed};
use crate::candidates::add_candidates;
use crate::error::OverlayError;
use crate::expectation::{Miss, Verdict};
use crate::finding::{
    BAD_ARGUMENT, MATCH_COUNT, MISSING_KEY, NO_MATCH, finding, from_call, label_left,
};
use crate::index::is_worthwhile;
use crate::item::{Item, Kind, place};
use crate::leaf::Leaf;
use crate::left::{Left, Slot};
use crate::level::{Level, Run};
use crate::matcher::{MatchError, Pair, ask};
use crate::operation::is_unannotated;

const HELP_WITH_ADDING: &str = "to add it if it is missing, write @overlay/match missing_ok=True";
const HELP_WITH_MISSING: &str = "if it may be missing, write @overlay/match missing_ok=True, or expects=\"0+\" if there may be several";
const HELP_WITH_NONE: &str = "if there may be none, write expects=\"0+\" in @overlay/match";
const HELP_WITH_COUNT: &str = "if you mean all of them, write expects=\"1+\" in @overlay/match";

impl<'r, L: Left> Level<'r, L> {
    /// Returns the items that match, in order, or `None` if the overlay's item must be skipped.
    pub(crate) fn select(
        &mut self,
        right: &'r L::Item,
        matching: Match<'r>,
        run: &mut Run<'r, '_>,
    ) -> Result<Option<Vec<Slot>>, Box<Diagnostic>> {
        if L::Item::KIND == Kind::ArrayItem && is_unannotated(right) {
            return self.matched_by_default(right, matching, run).map(Some);
        }
        let slots = self.matches(right, matching).map_err(|it| at_match(it, right))?;
        match matching.expected.check(slots.len()).map_err(|it| at_match(it, right))? {
            Verdict::Met => {
                if !slots.is_empty() {
                    count_uses(right.meta());
                }
                Ok(Some(slots))
            }
            Verdict::Skipped => Ok(None),
            Verdict::Failed(miss) => Err(self.wrong_count(right, matching, &miss, &slots, run)),
        }
    }

    fn matches(
        &mut self,
        right: &'r L::Item,
        matching: Match<'r>,
    ) -> Result<Vec<Slot>, Box<Diagnostic>> {
        if let Some(given) = self.left.given() {
            return Ok(vec![given]);
        }
        match (L::Item::KIND, matching.by) {
            (Kind::MapItem, None) => Ok(self.left.with_key_of(right).into_iter().collect()),
            (kind, None) => Err(without_by(kind)),
            (_, Some(by @ Datum::Function(_))) => match Matcher::of(by) {
                Some(matcher) => self.matched_by(matcher, right),
                None => self.accepted(self.left.slots(), right, |pair| ask(by, pair)),
            },
            (Kind::MapItem | Kind::ArrayItem, Some(Datum::Node(Node::String(name)))) => {
                self.matched_by_key(name, right)
            }
            (Kind::Document, Some(other)) => {
                let mut wrong = not_a_function(MATCH, "by", other);
                wrong.help.push(
                    "documents are matched by a function, such as overlay.all or \
                     overlay.subset({\"kind\": \"Deployment\"})"
                        .into(),
                );
                Err(wrong)
            }
            (Kind::MapItem | Kind::ArrayItem, Some(other)) => Err(wrong_by(other)),
        }
    }

    /// Returns the item that has the same value at the key of `@overlay/match-defaults`, or `None`
    /// if there is no such key. It is an error if several items have this value.
    fn matched_by_default(
        &mut self,
        right: &'r L::Item,
        matching: Match<'r>,
        run: &Run<'r, '_>,
    ) -> Result<Vec<Slot>, Box<Diagnostic>> {
        let Some(key) = matching.expected.list_key else {
            return Ok(Vec::new());
        };
        let name = right.node().as_map().and_then(|it| it.get(&Node::String(key.clone())));
        let Some(name) = name.and_then(|it| Leaf::of(&it.node)) else {
            return Ok(Vec::new());
        };
        let slots = match self.index.all_with_scalar(key, &name, &self.left) {
            Some(slots) => slots.to_vec(),
            None => {
                let has_name = |slot: &Slot| {
                    let map = self.left.item(*slot).node().as_map();
                    let item = map.and_then(|it| it.get(&Node::String(key.clone())));
                    item.is_some_and(|it| Leaf::of(&it.node).as_ref() == Some(&name))
                };
                self.left.slots().into_iter().filter(has_name).collect()
            }
        };
        if slots.len() > 1 {
            let miss = Miss::TooMany("0 or 1".into());
            return Err(self.wrong_count(right, matching, &miss, &slots, run));
        }
        if !slots.is_empty() {
            count_uses(right.meta());
        }
        Ok(slots)
    }

    fn matched_by_key(
        &mut self,
        name: &Text,
        right: &'r L::Item,
    ) -> Result<Vec<Slot>, Box<Diagnostic>> {
        self.matched_by(&Matcher::map_key(name.clone()), right)
    }

    fn matched_by(
        &mut self,
        matcher: &Matcher,
        right: &'r L::Item,
    ) -> Result<Vec<Slot>, Box<Diagnostic>> {
        let candidates = if is_worthwhile(self.left.n_slots(), self.right.len()) {
            self.index.candidates(matcher, &self.left, right.node())
        } else {
            None
        };
        let slots = match candidates {
            None => self.left.slots(),
            Some(mut slots) => {
                self.left.sort(&mut slots);
                slots
            }
        };
        self.accepted(slots, right, |pair| matcher.matches(pair))
    }

    fn accepted(
        &self,
        slots: Vec<Slot>,
        right: &'r L::Item,
        accepts: impl Fn(Pair<'_>) -> Result<bool, MatchError>,
    ) -> Result<Vec<Slot>, Box<Diagnostic>> {
        let mut accepted = Vec::new();
        for slot in slots {
            let item = self.left.item(slot);
            let place = self.left.place(slot);
            let answer = accepts(Pair { place, left: item.node(), right: right.node() });
            let is_accepted = answer.map_err(|error| {
                let mut failed = from_call(error.code, *error.error);
                if error.code == MISSING_KEY {
                    let help = "give every item the key, or match the item by a function";
                    failed.help.push(help.into());
                }
                label_left(failed, "compared with this", [item.origin()].into_iter())
            })?;
            if is_accepted {
                accepted.push(slot);
            }
        }
        Ok(accepted)
    }

    /// The finding about an item that matches too many or too few items.
    #[expect(clippy::too_many_arguments, reason = "they are what `select` knows at this point")]
    fn wrong_count(
        &self,
        right: &'r L::Item,
        matching: Match<'r>,
        miss: &Miss,
        slots: &[Slot],
        run: &Run<'r, '_>,
    ) -> Box<Diagnostic> {
        let origins = || slots.iter().map(|slot| self.left.item(*slot).origin());
        let lines: Vec<String> = origins().map(|it| place(it, run.sources)).collect();
        let code = if slots.is_empty() { NO_MATCH } else { MATCH_COUNT };
        let mut finding = finding(code, miss.message(lines));
        let is_counted = matching.expected.is_counted();
        finding.help.push(help(miss, slots.len(), is_counted, L::Item::KIND));
        let match_span = right.meta().annotation(MATCH).and_then(|it| it.span);
        finding.labels.extend(match_span.map(|span| Label { span, message: "by this".into() }));
        if slots.is_empty() {
            add_candidates(&self.left, right, matching.by, &mut finding);
        }
        label_left(finding, "matches this", origins())
    }
}

/// Returns the help for the case that the number of matches is intended.
fn help(miss: &Miss, n_matches: usize, is_counted: bool, kind: Kind) -> Message {
    match (miss, n_matches, kind) {
        (Miss::Refused, 1, _) => "the function in expects= does not accept 1 match".into(),
        (Miss::Refused, ..) => {
            message!("the function in expects= does not accept {n_matches} matches")
        }
        (_, 0, _) if is_counted => HELP_WITH_NONE.into(),
        (_, 0, Kind::MapItem | Kind::ArrayItem) => HELP_WITH_ADDING.into(),
        (_, 0, Kind::Document) => HELP_WITH_MISSING.into(),
        (Miss::TooFew(_), ..) => {
            message!("if there are no others, write expects={n_matches} in @overlay/match")
        }
        (Miss::TooMany(_), ..) => HELP_WITH_COUNT.into(),
    }
}

/// Labels a finding about an argument with the place of `@overlay/match`, unless it has a place.
fn at_match(finding: Box<Diagnostic>, right: &impl Item) -> Box<Diagnostic> {
    match right.meta().annotation(MATCH) {
        Some(annotation) if finding.code == BAD_ARGUMENT && finding.labels.is_empty() => {
            placed(finding, annotation)
        }
        _ => finding,
    }
}

fn without_by(kind: Kind) -> Box<Diagnostic> {
    let error = OverlayError::WithoutBy { is_document: kind == Kind::Document };
    finding(BAD_ARGUMENT, error.message())
}

fn wrong_by(by: &Datum) -> Box<Diagnostic> {
    finding(BAD_ARGUMENT, OverlayError::ByType { found: by.type_words().into() }.message())
}

/// Counts an application of the overlay annotations of an item, for coverage.
pub(crate) fn count_uses(meta: &Meta) {
    let annotations = meta.annotations().iter().filter(|it| it.name.starts_with(NAMESPACE));
    for uses in annotations.filter_map(|it| it.uses.as_ref()) {
        uses.count(true);
    }
}
