//! Two texts, compared line by line.

use std::fmt::Write as _;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

/// How many equal lines a unified diff shows before and after changed ones.
const CONTEXT: usize = 3;

/// Two lists of lines and where they differ.
///
/// The time is nearly proportional to the lines, also if the texts have nothing in common.
pub struct Comparison<'a> {
    old: Vec<&'a str>,
    new: Vec<&'a str>,
    changes: Vec<LineChange>,
}

/// Lines that were replaced. One of the ranges may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineChange {
    /// The numbers of the old lines, counted from 0.
    pub old: Range<usize>,
    /// The numbers of the new lines, counted from 0.
    pub new: Range<usize>,
}

impl<'a> Comparison<'a> {
    /// Compares the lines of two texts.
    pub fn new(old: &'a str, new: &'a str) -> Self {
        Self::of_lines(old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect())
    }

    /// Compares two lists of lines.
    pub fn of_lines(old: Vec<&'a str>, new: Vec<&'a str>) -> Self {
        let mut input = InternedInput::default();
        input.update_before(old.iter().copied());
        input.update_after(new.iter().copied());
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_lines(&input);
        let range = |it: Range<u32>| it.start as usize..it.end as usize;
        let changes =
            diff.hunks().map(|it| LineChange { old: range(it.before), new: range(it.after) });
        Self { old, new, changes: changes.collect() }
    }

    /// Where the lists differ, in order.
    pub fn changes(&self) -> &[LineChange] {
        &self.changes
    }

    /// The old lines that were removed or replaced.
    pub fn removed(&self) -> impl Iterator<Item = &'a str> {
        self.changes.iter().flat_map(|it| self.old[it.old.clone()].iter().copied())
    }

    /// The new lines that were added, or that replace others.
    pub fn added(&self) -> impl Iterator<Item = &'a str> {
        self.changes.iter().flat_map(|it| self.new[it.new.clone()].iter().copied())
    }

    /// The changes as `diff -u` and git print them, below the names of the texts.
    pub fn unified(&self, old_name: &str, new_name: &str) -> String {
        let mut out = format!("--- {old_name}\n+++ {new_name}\n");
        // Changes whose contexts touch are in one hunk.
        let is_near =
            |one: &LineChange, next: &LineChange| next.old.start - one.old.end <= 2 * CONTEXT;
        for changes in self.changes.chunk_by(is_near) {
            self.hunk(changes, &mut out);
        }
        out
    }

    fn hunk(&self, changes: &[LineChange], out: &mut String) {
        let [first, last] = [&changes[0], &changes[changes.len() - 1]];
        let n_before = first.old.start.min(CONTEXT);
        let n_after = (self.old.len() - last.old.end).min(CONTEXT);
        let old = first.old.start - n_before..last.old.end + n_after;
        let new = first.new.start - n_before..last.new.end + n_after;
        let _ = writeln!(out, "@@ -{} +{} @@", range(&old), range(&new));
        let mut at = old.start;
        for change in changes {
            add_lines(' ', &self.old[at..change.old.start], out);
            add_lines('-', &self.old[change.old.clone()], out);
            add_lines('+', &self.new[change.new.clone()], out);
            at = change.old.end;
        }
        add_lines(' ', &self.old[at..old.end], out);
    }
}

fn add_lines(sign: char, lines: &[&str], out: &mut String) {
    for line in lines {
        out.push(sign);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// The lines of a hunk in its header: the first line, counted from 1, and their number unless it is
/// 1. If there are no lines, the number of the line before them.
fn range(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        n_lines => format!("{},{n_lines}", lines.start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unified(old: &str, new: &str) -> String {
        Comparison::new(old, new).unified("old", "new")
    }

    #[test]
    fn only_changed_lines_and_their_context_are_shown() {
        let lines: Vec<String> = (1..=20).map(|it| format!("line {it}\n")).collect();
        let old = lines.concat();
        let new = old.replace("line 5\n", "fifth\n").replace("line 15\n", "");
        assert_eq!(
            unified(&old, &new),
            "--- old\n+++ new\n\
             @@ -2,7 +2,7 @@\n line 2\n line 3\n line 4\n-line 5\n+fifth\n line 6\n line 7\n line 8\n\
             @@ -12,7 +12,6 @@\n line 12\n line 13\n line 14\n-line 15\n line 16\n line 17\n line 18\n"
        );
    }

    #[test]
    fn changes_that_are_close_to_each_other_are_in_one_hunk() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = old.replace("1\n", "one\n").replace("8\n", "");
        assert_eq!(
            unified(old, &new),
            "--- old\n+++ new\n@@ -1,9 +1,8 @@\n-1\n+one\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n 9\n"
        );
        let new = old.replace("1\n", "one\n").replace("9\n", "");
        assert_eq!(
            unified(old, &new),
            "--- old\n+++ new\n@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -6,4 +6,3 @@\n 6\n 7\n 8\n-9\n"
        );
    }

    #[test]
    fn a_missing_line_break_at_the_end_is_named() {
        assert_eq!(
            unified("a\n", "a"),
            "--- old\n+++ new\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn an_empty_text_has_no_lines() {
        assert_eq!(unified("", "a\nb\n"), "--- old\n+++ new\n@@ -0,0 +1,2 @@\n+a\n+b\n");
        assert_eq!(unified("a\n", ""), "--- old\n+++ new\n@@ -1 +0,0 @@\n-a\n");
    }

    #[test]
    fn removed_and_added_lines_are_listed() {
        let comparison = Comparison::new("a\nb\nc\n", "a\nB\nc\nd\n");
        assert_eq!(comparison.removed().collect::<Vec<_>>(), ["b\n"]);
        assert_eq!(comparison.added().collect::<Vec<_>>(), ["B\n", "d\n"]);
    }
}
