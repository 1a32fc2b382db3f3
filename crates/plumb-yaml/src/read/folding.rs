//! Line breaks between the lines of a scalar of several lines.

/// The breaks since the last text. One break between two lines becomes a space; further breaks are
/// kept.
#[derive(Default)]
pub(super) struct Breaks {
    first: Option<&'static str>,
    others: String,
}

impl Breaks {
    pub(super) fn push(&mut self, line_break: &'static str) {
        if self.first.is_none() {
            self.first = Some(line_break);
        } else {
            self.others.push_str(line_break);
        }
    }

    /// Records that the first break was escaped, so it is ignored.
    pub(super) fn push_escaped(&mut self) {
        self.first = Some("");
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// Appends the text that the breaks become, and clears them.
    pub(super) fn fold_into(&mut self, text: &mut String) {
        match self.first.take() {
            None => {}
            Some("\n") if self.others.is_empty() => text.push(' '),
            Some("\n") => text.push_str(&self.others),
            // Line and paragraph separators are never folded.
            Some(first) => {
                text.push_str(first);
                text.push_str(&self.others);
            }
        }
        self.others.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(breaks: &[&'static str], folded: &str) {
        let mut found = Breaks::default();
        for line_break in breaks {
            found.push(line_break);
        }
        let mut text = String::new();
        found.fold_into(&mut text);
        assert_eq!(text, folded);
        assert!(found.is_empty());
    }

    #[test]
    fn one_break_is_a_space_and_the_first_of_many_is_dropped() {
        check(&[], "");
        check(&["\n"], " ");
        check(&["\n", "\n", "\n"], "\n\n");
        check(&["\u{2028}"], "\u{2028}");
        check(&["\u{2028}", "\n"], "\u{2028}\n");
    }
}
