//! The excerpt that ytt shows of a text template: not a line, but the piece that contains a place.

use std::ops::Range;

/// A piece of a text template, as byte offsets.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Where the piece begins: ytt prints the number of this line.
    pub(super) start: usize,
    pub(super) shown: Range<usize>,
}

const OPEN: &[u8] = b"(@";
const CLOSE: &[u8] = b"@)";

/// Returns the piece around a place: a text up to the code after it, or the code between `(@` and
/// `@)`.
pub(super) fn around(template: &[u8], at: usize) -> Piece {
    let at = at.min(template.len());
    let (before, after) = template.split_at(at);
    let behind = |mark: &[u8]| before.windows(2).rposition(|it| it == mark).map_or(0, |it| it + 2);
    let ahead = |mark: &[u8]| {
        after.windows(2).position(|it| it == mark).map_or(template.len(), |it| at + it)
    };
    let (opened, closed) = (behind(OPEN), behind(CLOSE));
    if opened > closed {
        let code = opened..ahead(CLOSE);
        let words = &template[code.clone()];
        let is_expression = words.strip_prefix(b"-").unwrap_or(words).starts_with(b"=");
        let first_line = line(template, &code, opened);
        if is_expression && first_line.contains(&at) {
            return Piece { start: opened, shown: code };
        }
        let line = line(template, &code, at);
        let shown = if is_expression { line } else { without_dashes(template, &code, line) };
        return Piece { start: at, shown };
    }
    let text = closed..ahead(OPEN);
    let is_trimmed = template[..closed].ends_with(b"-@)");
    let trimmed = template[text.clone()].trim_ascii_start();
    let shown = if is_trimmed { text.end - trimmed.len()..text.end } else { text };
    Piece { start: closed, shown }
}

/// Returns the line of the code that contains a place.
fn line(template: &[u8], code: &Range<usize>, at: usize) -> Range<usize> {
    let is_break = |it: &u8| *it == b'\n';
    let start = template[code.start..at]
        .iter()
        .rposition(is_break)
        .map_or(code.start, |it| code.start + it + 1);
    let end = template[at..code.end].iter().position(is_break).map_or(code.end, |it| at + it);
    start..end
}

/// Returns a line of code without the dashes that trim the text around it.
fn without_dashes(template: &[u8], code: &Range<usize>, line: Range<usize>) -> Range<usize> {
    let is_dash = |at: usize| line.contains(&at) && template[at] == b'-';
    let starts = line.start == code.start && is_dash(line.start);
    let ends = line.end == code.end && line.end > 0 && is_dash(line.end - 1);
    let start = line.start + usize::from(starts);
    start..(line.end - usize::from(ends)).max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(template: &str, at: &str) -> (usize, String) {
        let at = template.find(at).expect("the place is in the template");
        let piece = around(template.as_bytes(), at);
        (piece.start, template[piece.shown].to_owned())
    }

    #[test]
    fn code_is_shown_by_its_line_without_the_marks_that_trim() {
        assert_eq!(shown("a (@- if x: -@) b", "x"), (9, " if x: ".to_owned()));
        assert_eq!(shown("a (@-\n x = 1\n y = 2 -@) b", "y"), (14, " y = 2 ".to_owned()));
        assert_eq!(shown("a (@ x = -1 @) b", "x"), (5, " x = -1 ".to_owned()));
    }

    #[test]
    fn an_expression_is_shown_whole_and_with_its_marks() {
        assert_eq!(shown("a (@-= 1 +\n x -@)", "1"), (4, "-= 1 +\n x -".to_owned()));
    }

    #[test]
    fn a_text_is_shown_up_to_the_code_after_it() {
        assert_eq!(shown("(@ end @)\n\n b (@ x @)", "b"), (9, "\n\n b ".to_owned()));
        assert_eq!(shown("(@ end -@)\n\n b", "b"), (10, "b".to_owned()));
    }
}
