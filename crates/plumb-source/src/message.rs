//! The texts that Plumb prints, in which values are separate parts.
//!
//! A value that comes from data (data values, flags, parameters, the environment, or anything
//! computed from them) may be secret. Code that composes a message therefore marks the parts that
//! are values, and code that renders it decides whether they are shown: see [`Values`]. A message
//! cannot be printed without that decision.
//!
//! The macro [`message!`](crate::message!) composes a message. Its arguments implement [`Part`]:
//! literal text (`&'static str`), counts (`usize`, `u32`), other messages, [`plain`] for names and
//! other text that was written in code, and [`secret`] for everything else.

use std::any::Any;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::{self, Write as _};
use std::hash::{Hash, Hasher};
use std::ops::Range;

use crate::{Facts, Text};

mod call;
mod mismatch;

pub use call::{Positional, WrongCall};
pub use mismatch::{
    ArgumentCount, FoundInstead, FoundType, WantedCount, WrongType, argument_count, found,
    found_type, wrong_type,
};

/// Shown in place of a value.
pub const MASK: &str = "***";

/// A text in which values are separate parts.
///
/// Parts of it may be facts, which a renderer can express in its own words: see
/// [`Message::worded`].
#[derive(Clone, Default)]
pub struct Message {
    text: Cow<'static, str>,
    /// The byte ranges of the text that are values, in order. They do not overlap.
    values: Ranges,
    /// The parts that are facts. One pointer, because few messages have any.
    terms: Option<Box<Terms>>,
}

/// Byte ranges. It is a single pointer, because messages are parts of many errors. It never points
/// to an empty list, so that equal messages compare as equal.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::box_collection, reason = "most messages have no values, and should be small")]
struct Ranges(Option<Box<Vec<(usize, usize)>>>);

/// The parts of a message that are facts.
#[derive(Clone, Default)]
struct Terms {
    /// The facts with the ranges of our words for them, in order. They do not overlap.
    facts: Vec<(Range<usize>, Facts)>,
    /// The values that were revealed. They are also plain if they occur in other words.
    revealed: Vec<String>,
}

/// Whether values are shown in a message and in lines of source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// `***` is shown in the place of a value.
    Masked,
    /// Values are shown.
    Shown,
}

/// Something that can be a part of a message.
#[diagnostic::on_unimplemented(
    message = "a message does not know whether `{Self}` may be shown",
    note = "use `plain(..)` for names and text written in code, and `secret(..)` for everything that may come from data"
)]
pub trait Part {
    /// Appends the part to a message.
    fn add_to(&self, message: &mut Message);

    /// Returns an estimate of the number of bytes that it adds.
    fn size_hint(&self) -> usize {
        16
    }
}

/// Text that is always shown: see [`plain`].
#[derive(Clone, Copy)]
pub struct Plain<T>(T);

/// Text that is shown only on request: see [`secret`].
#[derive(Clone, Copy)]
pub struct Secret<T>(T);

/// Marks a name, a type or a text that was written in code. It is always shown.
pub fn plain<T: fmt::Display>(text: T) -> Plain<T> {
    Plain(text)
}

/// Marks a value, or text that may contain one. It is shown only on request.
pub fn secret<T: fmt::Display>(value: T) -> Secret<T> {
    Secret(value)
}

/// A fact and our words for it: see [`term`].
#[derive(Clone)]
pub struct Term<P> {
    own: P,
    facts: Facts,
}

/// Marks a part that other renderers express in their own words, such as the name of a type. `own`
/// are our words for the facts.
pub fn term<P: Part>(own: P, facts: impl Any + Send + Sync) -> Term<P> {
    Term { own, facts: Facts::new(facts) }
}

impl Message {
    /// An empty message.
    pub const fn new() -> Self {
        Self { text: Cow::Borrowed(""), values: Ranges(None), terms: None }
    }

    /// Composes a message from parts. The macro [`message!`](crate::message!) calls it.
    pub fn of(parts: &[&dyn Part]) -> Self {
        let size = parts.iter().map(|it| it.size_hint()).sum();
        let mut message = Self { text: Cow::Owned(String::with_capacity(size)), ..Self::new() };
        for part in parts {
            message.push(*part);
        }
        message
    }

    /// Appends a part.
    pub fn push<P: Part + ?Sized>(&mut self, part: &P) {
        part.add_to(self);
    }

    /// Appends text that is always shown, like [`plain`].
    pub fn push_plain(&mut self, text: &str) {
        self.text.to_mut().push_str(text);
    }

    /// Concatenates the parts, with the text `between` between them.
    pub fn join<P: Part>(parts: impl IntoIterator<Item = P>, between: &'static str) -> Self {
        let mut message = Self::new();
        for (at, part) in parts.into_iter().enumerate() {
            if at > 0 {
                message.push(&between);
            }
            message.push(&part);
        }
        message
    }

    /// Returns the message in other words: `words` returns them for its facts. Facts for which
    /// it returns `None` keep our words.
    #[must_use]
    pub fn worded(&self, words: impl Fn(&Facts) -> Option<Self>) -> Self {
        let Some(terms) = &self.terms else { return self.clone() };
        let mut worded = Self::new();
        let mut from = 0;
        for (own, facts) in &terms.facts {
            worded.push(&self.part(from..own.start));
            match words(facts) {
                Some(mut other) => {
                    other.reveal(|it| terms.revealed.iter().any(|revealed| revealed == it));
                    worded.push(&if self.is_value(own) { other.as_value() } else { other });
                }
                None => worded.push(&self.part(own.clone())),
            }
            from = own.end;
        }
        worded.push(&self.part(from..self.text.len()));
        worded.terms = None;
        worded
    }

    /// Returns whether the text is empty. A message that consists of one empty value is empty too.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns whether the message contains values, which are masked by default.
    pub fn has_values(&self) -> bool {
        !self.values.as_slice().is_empty()
    }

    /// Returns the text including its values.
    pub fn shown(&self) -> &str {
        &self.text
    }

    /// Returns the text with [`MASK`] in place of each value.
    pub fn masked(&self) -> Cow<'_, str> {
        let values = self.values.as_slice();
        if values.is_empty() {
            return Cow::Borrowed(&self.text);
        }
        let mut out = String::with_capacity(self.text.len());
        let mut from = 0;
        for &(start, end) in values {
            out.push_str(&self.text[from..start]);
            out.push_str(MASK);
            from = end;
        }
        out.push_str(&self.text[from..]);
        Cow::Owned(out)
    }

    /// Returns the message with its values masked for good: they cannot be shown any more.
    #[must_use]
    pub fn concealed(&self) -> Self {
        if self.has_values() { plain(self.masked()).into() } else { self.clone() }
    }

    /// Returns the text with its values either masked or shown.
    pub fn text(&self, values: Values) -> Cow<'_, str> {
        match values {
            Values::Masked => self.masked(),
            Values::Shown => Cow::Borrowed(self.shown()),
        }
    }

    /// Marks values as plain text if `is_plain` returns true for them, such as literals of the code
    /// that failed.
    pub fn reveal(&mut self, mut is_plain: impl FnMut(&str) -> bool) {
        let Self { text, values, terms } = self;
        values.retain(|&(start, end)| {
            let value = &text[start..end];
            let is_plain = is_plain(value);
            if let Some(terms) = terms.as_mut().filter(|_| is_plain) {
                terms.revealed.push(value.to_owned());
            }
            !is_plain
        });
    }

    /// Returns the message without a prefix. Returns `None` if it does not start with the prefix,
    /// or if the prefix reaches into a value.
    #[must_use]
    pub fn without_prefix(&self, prefix: &str) -> Option<Self> {
        let is_ours =
            self.values.as_slice().first().is_none_or(|(start, _)| *start >= prefix.len());
        self.text.strip_prefix(prefix).filter(|_| is_ours)?;
        Some(self.part(prefix.len()..self.text.len()))
    }

    /// Returns the message without the full stops at its end. Full stops that are part of a value
    /// are kept.
    #[must_use]
    pub fn without_final_stops(&self) -> Self {
        let last_value = self.values.as_slice().last().map_or(0, |it| it.1);
        let end = self.text.trim_end_matches('.').len().max(last_value);
        self.part(0..end)
    }

    /// Returns the first line, and the text after its line break if there is one. A line break
    /// inside a value does not count if values are masked.
    pub fn split_line(&self, values: Values) -> (Self, Option<Self>) {
        let is_value =
            |at: usize| self.values.as_slice().iter().any(|it| (it.0..it.1).contains(&at));
        let breaks = self.text.match_indices('\n').map(|(at, _)| at);
        match { breaks }.find(|at| values == Values::Shown || !is_value(*at)) {
            Some(at) => (self.part(0..at), Some(self.part(at + 1..self.text.len()))),
            None => (self.clone(), None),
        }
    }

    /// Returns the message with `change` applied to each value and to each piece of text between
    /// values. Values remain values; facts become text.
    #[must_use]
    pub fn map(&self, mut change: impl FnMut(&str) -> String) -> Self {
        let mut mapped = Self::new();
        let mut from = 0;
        for &(start, end) in self.values.as_slice() {
            mapped.text.to_mut().push_str(&change(&self.text[from..start]));
            mapped.push_value(change(&self.text[start..end]));
            from = end;
        }
        mapped.text.to_mut().push_str(&change(&self.text[from..]));
        mapped
    }

    /// Returns the message with all of it marked as one value. Facts remain facts.
    #[must_use]
    pub fn as_value(&self) -> Self {
        let mut value = Self::new();
        value.push_value(&self.text);
        value.terms.clone_from(&self.terms);
        value
    }

    /// Returns whether a part is inside a value.
    fn is_value(&self, part: &Range<usize>) -> bool {
        let values = self.values.as_slice();
        !part.is_empty() && values.iter().any(|it| it.0 <= part.start && part.end <= it.1)
    }

    fn seen(&self) -> (&str, &Ranges) {
        (&self.text, &self.values)
    }

    /// Returns a part of the text. Parts of values remain values. Facts outside of the part are
    /// left out.
    fn part(&self, range: Range<usize>) -> Self {
        let mut part = Self::new();
        for it in self.values.as_slice() {
            let (start, end) = (it.0.max(range.start), it.1.min(range.end));
            if start < end {
                part.values.push((start - range.start, end - range.start));
            }
        }
        if let Some(terms) = &self.terms {
            for (own, facts) in &terms.facts {
                if range.start <= own.start && own.end <= range.end {
                    let own = own.start - range.start..own.end - range.start;
                    part.terms.get_or_insert_default().facts.push((own, facts.clone()));
                }
            }
            if let Some(kept) = &mut part.terms {
                kept.revealed.clone_from(&terms.revealed);
            }
        }
        part.text = Cow::Owned(self.text[range].to_owned());
        part
    }

    fn push_value(&mut self, value: impl fmt::Display) {
        let start = self.text.len();
        let _ = write!(self.text.to_mut(), "{value}");
        if self.text.len() > start {
            self.values.push((start, self.text.len()));
        }
    }
}

impl Ranges {
    fn as_slice(&self) -> &[(usize, usize)] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    fn push(&mut self, range: (usize, usize)) {
        self.0.get_or_insert_default().push(range);
    }

    fn retain(&mut self, keeps: impl FnMut(&(usize, usize)) -> bool) {
        if let Some(ranges) = &mut self.0 {
            ranges.retain(keeps);
        }
        self.0.take_if(|it| it.is_empty());
    }
}

/// Messages are equal if readers see the same: the same text, with the same values.
impl PartialEq for Message {
    fn eq(&self, other: &Self) -> bool {
        self.seen() == other.seen()
    }
}

impl Eq for Message {}

impl PartialOrd for Message {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Message {
    fn cmp(&self, other: &Self) -> Ordering {
        self.seen().cmp(&other.seen())
    }
}

impl Hash for Message {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.seen().hash(state);
    }
}

/// Never shows values: debug output may end up in logs.
impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.masked(), f)
    }
}

impl From<&'static str> for Message {
    fn from(text: &'static str) -> Self {
        Self { text: Cow::Borrowed(text), ..Self::new() }
    }
}

impl<P: Part> From<Term<P>> for Message {
    fn from(part: Term<P>) -> Self {
        Self::of(&[&part])
    }
}

impl<T: fmt::Display> From<Plain<T>> for Message {
    fn from(part: Plain<T>) -> Self {
        Self::of(&[&part])
    }
}

impl<T: fmt::Display> From<Secret<T>> for Message {
    fn from(part: Secret<T>) -> Self {
        Self::of(&[&part])
    }
}

impl Part for &'static str {
    fn add_to(&self, message: &mut Message) {
        message.text.to_mut().push_str(self);
    }

    fn size_hint(&self) -> usize {
        self.len()
    }
}

impl<T: fmt::Display> Part for Plain<T> {
    fn add_to(&self, message: &mut Message) {
        let _ = write!(message.text.to_mut(), "{}", self.0);
    }
}

impl<T: fmt::Display> Part for Secret<T> {
    fn add_to(&self, message: &mut Message) {
        message.push_value(&self.0);
    }
}

impl Part for Message {
    fn add_to(&self, message: &mut Message) {
        let start = message.text.len();
        message.text.to_mut().push_str(&self.text);
        for (from, to) in self.values.as_slice() {
            message.values.push((from + start, to + start));
        }
        if let Some(terms) = &self.terms {
            let all = message.terms.get_or_insert_default();
            let moved = |it: &Range<usize>| it.start + start..it.end + start;
            all.facts.extend(terms.facts.iter().map(|(own, it)| (moved(own), it.clone())));
            all.revealed.extend_from_slice(&terms.revealed);
        }
    }

    fn size_hint(&self) -> usize {
        self.text.len()
    }
}

/// Our words may contain other facts, which these facts include.
impl<P: Part> Part for Term<P> {
    fn add_to(&self, message: &mut Message) {
        let own = Message { terms: None, ..Message::of(&[&self.own]) };
        let start = message.text.len();
        message.push(&own);
        let term = (start..message.text.len(), self.facts.clone());
        message.terms.get_or_insert_default().facts.push(term);
    }
}

impl<P: Part> Part for Option<P> {
    fn add_to(&self, message: &mut Message) {
        if let Some(part) = self {
            part.add_to(message);
        }
    }
}

macro_rules! parts_by_reference {
    ($($type:ty),*) => { $(
        impl Part for &$type {
            fn add_to(&self, message: &mut Message) {
                (**self).add_to(message);
            }
        }
    )* };
}

/// Counts and places, which are always shown.
macro_rules! plain_parts {
    ($($type:ty),*) => { $(
        impl Part for $type {
            fn add_to(&self, message: &mut Message) {
                plain(self).add_to(message);
            }
        }
    )* };
}

/// Types whose values are always marked as values.
macro_rules! secret_parts {
    ($($type:ty),*) => { $(
        impl Part for $type {
            fn add_to(&self, message: &mut Message) {
                secret(self).add_to(message);
            }
        }
    )* };
}

plain_parts!(usize, u32);
secret_parts!(i64, u64, f64, Text);
parts_by_reference!(&'static str, Message, usize, u32, i64, u64, f64, Text);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message;

    #[test]
    fn values_are_masked_and_the_rest_is_shown() {
        let (name, given) = (plain("int"), secret("hunter2"));
        let count: usize = 10;
        let message = message!("{name}: invalid literal with base {}: {given}", count);
        assert_eq!(message.shown(), "int: invalid literal with base 10: hunter2");
        assert_eq!(message.masked(), "int: invalid literal with base 10: ***");
        assert_eq!(format!("{message:?}"), "\"int: invalid literal with base 10: ***\"");
        let outer = message!("{{{}}} at {}", message, Text::from("x"));
        assert_eq!(outer.shown(), "{int: invalid literal with base 10: hunter2} at x");
        assert_eq!(outer.masked(), "{int: invalid literal with base 10: ***} at ***");
    }

    #[test]
    fn an_empty_value_is_no_value() {
        let message = message!("[{}]", secret(""));
        assert_eq!((message.masked().as_ref(), message.has_values()), ("[]", false));
    }

    #[test]
    fn a_value_is_revealed_if_it_is_known_otherwise() {
        let mut message = message!("{}: {}", secret(10), secret("x"));
        message.reveal(|it| it == "10");
        assert_eq!(message.masked(), "10: ***");
    }

    #[test]
    fn it_is_taken_apart_outside_of_values() {
        let message = message!("fail: {}\nb {}", secret("a\nb"), secret("c"));
        let rest = message.without_prefix("fail: ").expect("it starts with that");
        assert_eq!(rest.masked(), "***\nb ***");
        assert_eq!(rest.without_prefix("a"), None);
        let (first, second) = rest.split_line(Values::Masked);
        assert_eq!((first.shown(), first.masked().as_ref()), ("a\nb", "***"));
        assert_eq!(second.expect("there is a second line").masked(), "b ***");
        let (first, second) = rest.split_line(Values::Shown);
        assert_eq!((first.shown(), first.masked().as_ref()), ("a", "***"));
        assert_eq!(second.expect("there is a second line").masked(), "***\nb ***");
        assert_eq!(message!("a {}..", secret("b.")).without_final_stops().shown(), "a b.");
        assert_eq!(rest.map(str::to_uppercase).shown(), "A\nB\nB C");
        assert_eq!(rest.map(str::to_uppercase).masked(), "***\nB ***");
    }

    #[test]
    fn facts_are_kept_when_messages_are_combined_and_taken_apart() {
        struct TypeName(&'static str);
        struct Count(&'static str);
        let words = |facts: &Facts| match (facts.get(), facts.get()) {
            (Some(TypeName(name)), _) => Some(Message::from(plain(name))),
            (_, Some(Count(text))) => Some(secret(text).into()),
            _ => None,
        };
        let boolean = term("a boolean", TypeName("Bool"));
        let message = message!("f: {boolean} {}{}", secret("x"), term("", TypeName("!")));
        let mut message = message!(
            "in {}\nand {} of {}.",
            message,
            term(plain(1), Count("one")),
            term("y", Count("x"))
        );
        assert_eq!(message.masked(), "in f: a boolean ***\nand 1 of y.");
        assert_eq!(message.worded(words).masked(), "in f: Bool ***!\nand *** of ***.");
        message.reveal(|it| it == "x");
        let (first, rest) =
            message.without_prefix("in ").expect("it begins so").split_line(Values::Masked);
        assert_eq!(first.worded(words).masked(), "f: Bool x!");
        let rest = rest.expect("there is a second line").without_final_stops();
        assert_eq!(rest.shown(), "and 1 of y");
        assert_eq!(rest.worded(words).masked(), "and *** of x", "x was revealed before");
        assert_eq!(rest.worded(|_| None), rest);
        let value = message!("k {}", term("1", TypeName("int"))).as_value();
        assert_eq!(value.worded(words).shown(), "k int");
        assert_eq!(value.worded(words).masked(), "******", "it remains a value in other words");
    }
}
