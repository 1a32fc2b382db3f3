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

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::ops::Range;

use crate::Text;

/// Shown in place of a value.
pub const MASK: &str = "***";

/// A text in which values are separate parts.
///
/// It may have a second wording, that of ytt: see [`wording`]. All functions are about Plumb's own
/// wording, except [`Message::in_peer_words`].
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    own: Wording,
    /// ytt's wording, if it differs.
    peer: Option<Box<Wording>>,
}

/// One wording of a message.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Wording {
    text: Cow<'static, str>,
    /// The byte ranges of the text that are values, in order. They do not overlap.
    values: Ranges,
}

/// Byte ranges. It is one pointer, because messages are parts of many errors; never a pointer to
/// nothing, so that equal messages are equal.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::box_collection, reason = "most messages have no values, and should be small")]
struct Ranges(Option<Box<Vec<(usize, usize)>>>);

/// Whether values are shown in a message and in lines of source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    Masked,
    Shown,
}

/// Something that can be a part of a message.
#[diagnostic::on_unimplemented(
    message = "a message does not know whether `{Self}` may be shown",
    note = "use `plain(..)` for names and text written in code, and `secret(..)` for everything that may come from data"
)]
pub trait Part {
    fn add_to(&self, message: &mut Message);
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

/// Text that ytt words in another way: see [`wording`].
#[derive(Clone, Copy)]
pub struct Worded<O, P> {
    own: O,
    peer: P,
}

/// Marks a part that ytt words in another way, such as the name of a type.
pub fn wording<O: Part, P: Part>(own: O, peer: P) -> Worded<O, P> {
    Worded { own, peer }
}

impl Message {
    /// An empty message.
    pub const fn new() -> Self {
        Self { own: Wording { text: Cow::Borrowed(""), values: Ranges(None) }, peer: None }
    }

    /// Composes a message from parts. The macro [`message!`](crate::message!) calls it.
    pub fn of(parts: &[&dyn Part]) -> Self {
        let mut message = Self::new();
        for part in parts {
            message.push(*part);
        }
        message
    }

    /// Appends a part.
    pub fn push<P: Part + ?Sized>(&mut self, part: &P) {
        part.add_to(self);
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

    /// Returns the message in ytt's words, which are Plumb's own unless a part has another wording.
    #[must_use]
    pub fn in_peer_words(&self) -> Self {
        let peer = self.peer.as_deref().unwrap_or(&self.own);
        Self { own: peer.clone(), peer: None }
    }

    /// Returns whether the text is empty. A message of one empty value is empty too.
    pub fn is_empty(&self) -> bool {
        self.own.text.is_empty()
    }

    /// Returns whether the message contains values, which are masked by default.
    pub fn has_values(&self) -> bool {
        !self.own.values.as_slice().is_empty()
    }

    /// Returns the text including its values.
    pub fn shown(&self) -> &str {
        &self.own.text
    }

    /// Returns the text with [`MASK`] in place of each value.
    pub fn masked(&self) -> Cow<'_, str> {
        self.own.masked()
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
        self.own.reveal(&mut is_plain);
        if let Some(peer) = &mut self.peer {
            peer.reveal(&mut is_plain);
        }
    }

    /// Returns the message without a prefix. Returns `None` if it does not start with the prefix,
    /// or if the prefix reaches into a value.
    #[must_use]
    pub fn without_prefix(&self, prefix: &str) -> Option<Self> {
        let own = self.own.without_prefix(prefix)?;
        let peer = self.peer.as_ref().map(|it| it.without_prefix(prefix));
        match peer {
            None => Some(Self { own, peer: None }),
            Some(peer) => Some(Self { own, peer: Some(Box::new(peer?)) }),
        }
    }

    /// Returns the message without the full stops at its end. Full stops that are part of a value
    /// are kept.
    #[must_use]
    pub fn without_final_stops(&self) -> Self {
        self.changed(Wording::without_final_stops)
    }

    /// Returns the first line, and the text after its line break if there is one. A line break
    /// inside a value does not count.
    pub fn split_line(&self) -> (Self, Option<Self>) {
        let (first, rest) = self.own.split_line();
        let peer = self.peer.as_ref().map(|it| it.split_line());
        let (peer_first, peer_rest) = peer.unzip();
        let rest = rest.map(|own| Self { own, peer: peer_rest.flatten().map(Box::new) });
        (Self { own: first, peer: peer_first.map(Box::new) }, rest)
    }

    /// Returns the message with `change` applied to each value and to each piece of text between
    /// values. Values remain values.
    #[must_use]
    pub fn map(&self, mut change: impl FnMut(&str) -> String) -> Self {
        self.changed(|it| it.map(&mut change))
    }

    /// Returns the message with all of it marked as one value.
    #[must_use]
    pub fn as_value(&self) -> Self {
        self.changed(|it| {
            let mut value = Wording::default();
            value.push_value(&it.text);
            value
        })
    }

    fn changed(&self, mut change: impl FnMut(&Wording) -> Wording) -> Self {
        let peer = self.peer.as_ref().map(|it| Box::new(change(it)));
        Self { own: change(&self.own), peer }
    }

    /// Changes both wordings in the same way.
    fn write(&mut self, mut write: impl FnMut(&mut Wording)) {
        write(&mut self.own);
        if let Some(peer) = &mut self.peer {
            write(peer);
        }
    }

    /// Returns ytt's wording, in order to make it differ.
    fn peer_mut(&mut self) -> &mut Wording {
        self.peer.get_or_insert_with(|| Box::new(self.own.clone()))
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

impl Wording {
    fn masked(&self) -> Cow<'_, str> {
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

    fn reveal(&mut self, mut is_plain: impl FnMut(&str) -> bool) {
        let Self { text, values } = self;
        values.retain(|&(start, end)| !is_plain(&text[start..end]));
    }

    fn without_prefix(&self, prefix: &str) -> Option<Self> {
        let is_ours =
            self.values.as_slice().first().is_none_or(|(start, _)| *start >= prefix.len());
        self.text.strip_prefix(prefix).filter(|_| is_ours)?;
        Some(self.part(prefix.len()..self.text.len()))
    }

    fn without_final_stops(&self) -> Self {
        let last_value = self.values.as_slice().last().map_or(0, |it| it.1);
        let end = self.text.trim_end_matches('.').len().max(last_value);
        self.part(0..end)
    }

    fn split_line(&self) -> (Self, Option<Self>) {
        let is_value =
            |at: usize| self.values.as_slice().iter().any(|it| (it.0..it.1).contains(&at));
        let breaks = self.text.match_indices('\n').map(|(at, _)| at);
        match { breaks }.find(|at| !is_value(*at)) {
            Some(at) => (self.part(0..at), Some(self.part(at + 1..self.text.len()))),
            None => (self.clone(), None),
        }
    }

    fn map(&self, mut change: impl FnMut(&str) -> String) -> Self {
        let mut mapped = Self::default();
        let mut from = 0;
        for &(start, end) in self.values.as_slice() {
            mapped.text.to_mut().push_str(&change(&self.text[from..start]));
            mapped.push_value(change(&self.text[start..end]));
            from = end;
        }
        mapped.text.to_mut().push_str(&change(&self.text[from..]));
        mapped
    }

    /// Returns a part of the text. The range must begin and end outside of values.
    fn part(&self, range: Range<usize>) -> Self {
        let mut part = Self::default();
        for it in self.values.as_slice() {
            if range.start <= it.0 && it.1 <= range.end {
                part.values.push((it.0 - range.start, it.1 - range.start));
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

    fn push(&mut self, other: &Self) {
        let start = self.text.len();
        self.text.to_mut().push_str(&other.text);
        for (from, to) in other.values.as_slice() {
            self.values.push((from + start, to + start));
        }
    }
}

/// Never shows values: what is printed for developers may end up in logs.
impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.masked(), f)
    }
}

impl From<&'static str> for Message {
    fn from(text: &'static str) -> Self {
        let own = Wording { text: Cow::Borrowed(text), values: Ranges(None) };
        Self { own, peer: None }
    }
}

impl<O: Part, P: Part> From<Worded<O, P>> for Message {
    fn from(part: Worded<O, P>) -> Self {
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
        message.write(|it| it.text.to_mut().push_str(self));
    }
}

impl<T: fmt::Display> Part for Plain<T> {
    fn add_to(&self, message: &mut Message) {
        message.write(|it| _ = write!(it.text.to_mut(), "{}", self.0));
    }
}

impl<T: fmt::Display> Part for Secret<T> {
    fn add_to(&self, message: &mut Message) {
        message.write(|it| it.push_value(&self.0));
    }
}

impl Part for Message {
    fn add_to(&self, message: &mut Message) {
        match &self.peer {
            None => message.write(|it| it.push(&self.own)),
            Some(peer) => {
                message.peer_mut().push(peer);
                message.own.push(&self.own);
            }
        }
    }
}

impl<O: Part, P: Part> Part for Worded<O, P> {
    fn add_to(&self, message: &mut Message) {
        let (own, peer) = (Message::of(&[&self.own]), Message::of(&[&self.peer]));
        message.peer_mut().push(&peer.own);
        message.own.push(&own.own);
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
parts_by_reference!(Message, usize, u32, i64, u64, f64, Text);

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
        let (first, second) = rest.split_line();
        assert_eq!((first.shown(), first.masked().as_ref()), ("a\nb", "***"));
        assert_eq!(second.expect("there is a second line").masked(), "b ***");
        assert_eq!(message!("a {}..", secret("b.")).without_final_stops().shown(), "a b.");
        assert_eq!(rest.map(str::to_uppercase).shown(), "A\nB\nB C");
        assert_eq!(rest.map(str::to_uppercase).masked(), "***\nB ***");
    }

    #[test]
    fn both_wordings_are_kept_when_messages_are_combined_and_taken_apart() {
        let message = message!("f: {} {}", wording("a boolean", "starlark.Bool"), secret("x"));
        let mut message = message!("in {}\nand {}.", message, wording(plain(1), secret("one")));
        assert_eq!(message.masked(), "in f: a boolean ***\nand 1.");
        assert_eq!(message.in_peer_words().masked(), "in f: starlark.Bool ***\nand ***.");
        message.reveal(|it| it == "x");
        let (first, rest) = message.without_prefix("in ").expect("both have it").split_line();
        assert_eq!(first.in_peer_words().masked(), "f: starlark.Bool x");
        let rest = rest.expect("there is a second line").without_final_stops();
        assert_eq!((rest.shown(), rest.in_peer_words().shown()), ("and 1", "and one"));
    }
}
