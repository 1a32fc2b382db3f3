//! Shows how expected and found text differ: the changed lines, with a few lines around them.

use plumb_source::Comparison;

/// The difference. Lines with `-` were expected and are missing; lines with `+` were found instead.
pub(crate) fn shown(expected: &str, found: &str) -> String {
    Comparison::new(expected, found).unified("expected", "found")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_changed_region_is_shown() {
        let lines: Vec<String> = (0..20).map(|it| format!("line {it}\n")).collect();
        let expected = lines.concat();
        let found = expected.replace("line 10\n", "another\n");
        assert_eq!(
            shown(&expected, &found),
            "--- expected\n+++ found\n@@ -8,7 +8,7 @@\n line 7\n line 8\n line 9\n-line 10\n\
             +another\n line 11\n line 12\n line 13\n"
        );
    }
}
