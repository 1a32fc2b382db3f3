//! Expressions and their matches, compared with Go's.

use crate::Regexp;

fn is_match(pattern: &str, text: &str) -> bool {
    let regexp = Regexp::new(pattern).unwrap_or_else(|error| panic!("{error}"));
    regexp.is_match(text.as_bytes())
}

#[track_caller]
fn refused(pattern: &str, expected: &str) {
    match Regexp::new(pattern) {
        Ok(_) => panic!("accepted {pattern}"),
        Err(error) => assert_eq!(format!("{}: `{}`", error.kind, error.part), expected),
    }
}

#[test]
fn an_expression_matches_anywhere_unless_anchored() {
    let cases = [
        ("b", "abc", true),
        ("^b", "abc", false),
        ("^a.c$", "abc", true),
        ("c$", "abc\n", false),
        ("(?m)c$", "abc\nd", true),
        ("(?m)^d", "abc\nd", true),
        ("a.b", "a\nb", false),
        ("(?s)a.b", "a\nb", true),
        ("\\Aabc\\z", "abc", true),
        ("", "", true),
        ("a||b", "x", true),
        ("()", "", true),
    ];
    for (pattern, text, expected) in cases {
        assert_eq!(is_match(pattern, text), expected, "{pattern} on {text:?}");
    }
}

#[test]
fn perl_classes_are_of_ascii() {
    let cases = [
        ("^\\d$", "5", true),
        ("^\\d$", "٣", false),
        ("^\\w+$", "aé", false),
        ("^\\W$", "é", true),
        ("^\\s$", "\u{b}", false),
        ("^\\s$", "\u{a0}", false),
        ("\\bé", "aé", true),
        ("^[\\d\\-x]+$", "1-x", true),
        ("^[^\\S]$", " ", true),
    ];
    for (pattern, text, expected) in cases {
        assert_eq!(is_match(pattern, text), expected, "{pattern} on {text:?}");
    }
}

#[test]
fn classes_are_those_of_re2() {
    let cases = [
        ("^[[:alpha:]]+$", "aZ", true),
        ("^[[:^alpha:]]$", "1", true),
        ("^[]a]+$", "]a", true),
        ("^[^]a]$", "b", true),
        ("^[a-]+$", "a-", true),
        ("^[[a]$", "[", true),
        ("^[&&--~~]+$", "&-~", true),
        ("^\\pL$", "é", true),
        ("^\\p{Greek}$", "α", true),
        ("^\\P{Greek}$", "a", true),
        ("^\\p{^Greek}$", "a", true),
        ("^[\\p{Lu}\\d]+$", "Ä1", true),
        ("^[[:word:][:space:]]+$", "a_ \n", true),
        ("(?i)^[k]$", "\u{212a}", true),
        ("(?i)^\\p{^Lu}$", "a", false),
        ("(?i)^straße$", "STRAßE", true),
    ];
    for (pattern, text, expected) in cases {
        assert_eq!(is_match(pattern, text), expected, "{pattern} on {text:?}");
    }
}

#[test]
fn escapes_and_braces_stand_for_what_they_say() {
    let cases = [
        ("^\\x41\\x{1F600}\\101\\t$", "A\u{1F600}A\t", true),
        ("^\\Qa.b\\E.$", "a.bx", true),
        ("^\\Qa.b", "a.b", true),
        ("^a{,3}$", "a{,3}", true),
        ("^a{2,3}$", "aa", true),
        ("^a{2}$", "aaa", false),
        ("^x{$", "x{", true),
        ("^{$", "{", true),
        ("^\\-\\_$", "-_", true),
        ("(?P<n>a)(?<m>b)", "ab", true),
        ("(?P<1a>a)", "a", true),
        ("(?i:A)b", "ab", true),
        ("(?i:A)b", "aB", false),
        ("^(?:a+?)b$", "aab", true),
        ("(?U)a+", "aa", true),
        ("a\\z|b", "a", true),
    ];
    for (pattern, text, expected) in cases {
        assert_eq!(is_match(pattern, text), expected, "{pattern} on {text:?}");
    }
}

#[test]
fn mistakes_are_reported_as_in_go() {
    let cases = [
        ("a(", "missing closing ): `a(`"),
        ("a)", "unexpected ): `a)`"),
        ("[a", "missing closing ]: `[a`"),
        ("x[", "missing closing ]: `[`"),
        ("*", "missing argument to repetition operator: `*`"),
        ("a|*?", "missing argument to repetition operator: `*?`"),
        ("a**", "invalid nested repetition operator: `**`"),
        ("a*+?", "invalid nested repetition operator: `*+?`"),
        ("a{2}{3}", "invalid nested repetition operator: `{2}{3}`"),
        ("x{1001}", "invalid repeat count: `{1001}`"),
        ("x{5,2}", "invalid repeat count: `{5,2}`"),
        ("(x{100}){100}", "invalid repeat count: `{100}`"),
        ("\\", "trailing backslash at end of expression: ``"),
        ("\\8", "invalid escape sequence: `\\8`"),
        ("\\1", "invalid escape sequence: `\\1`"),
        ("\\C", "invalid escape sequence: `\\C`"),
        ("\\xZ", "invalid escape sequence: `\\xZ`"),
        ("[b-a]", "invalid character class range: `b-a`"),
        ("[[:foo:]]", "invalid character class range: `[:foo:]`"),
        ("\\p{Foo}", "invalid character class range: `\\p{Foo}`"),
        ("\\pX", "invalid character class range: `\\pX`"),
        ("(?=a)", "invalid or unsupported Perl syntax: `(?=`"),
        ("(?x)a", "invalid or unsupported Perl syntax: `(?x`"),
        ("(?P<a", "invalid named capture: `(?P<a`"),
        ("(?P<a-b>x)", "invalid named capture: `(?P<a-b>`"),
        ("(?i", "invalid or unsupported Perl syntax: `(?i`"),
    ];
    for (pattern, expected) in cases {
        refused(pattern, expected);
    }
}

#[test]
fn what_is_too_deep_or_too_large_is_refused() {
    let deep = "(".repeat(2000) + &")".repeat(2000);
    refused(&deep, &format!("expression nests too deeply: `{deep}`"));
    let large = "\\pL{1000}".repeat(20);
    refused(&large, &format!("expression too large: `{large}`"));
}

#[test]
fn ecma_has_the_expression_in_its_own_syntax() {
    let cases = [
        ("^a.c$", "^a[^\\n]c$"),
        ("(?i)ab", "[Aa][Bb]"),
        ("\\d+|[^\\s]", "[0-9]+|[^\\t-\\n\\u000c-\\r ]"),
        ("(?s).", "[\\s\\S]"),
        ("\\Aa\\z", "^a$"),
        ("(a|b)c{2,}?", "([a-b])c{2,}?"),
        ("x(?:ab|cd)y", "x(?:ab|cd)y"),
        ("\\Q1.2/3-\\E", "1\\.2\\/3\\x2d"),
        ("(?m)^a$", "(?<![^\\n])a(?![^\\n])"),
        ("[[:word:]]", "[0-9A-Z_a-z]"),
        ("(?:ab){2}", "(?:ab){2}"),
        ("", "(?:)"),
    ];
    for (pattern, expected) in cases {
        let regexp = Regexp::new(pattern).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(regexp.to_ecma(), expected, "{pattern}");
    }
}

#[test]
fn an_empty_match_never_splits_a_character() {
    let check = |pattern: &str, text: &[u8], expected: &[usize]| {
        let regexp = Regexp::new(pattern).expect("an expression");
        let starts: Vec<usize> = regexp.find_iter(text).map(|it| it.start).collect();
        assert_eq!(starts, expected, "{pattern} on {text:?}");
        let starts = regexp.captures_iter(text).filter_map(|it| Some(it.get_match()?.start()));
        assert_eq!(starts.collect::<Vec<_>>(), expected, "{pattern} on {text:?}");
    };
    check("", "aé日😀".as_bytes(), &[0, 1, 3, 6, 10]);
    check("x*", "é".as_bytes(), &[0, 2]);
    check("\\B", "é".as_bytes(), &[0, 2]);
    // Bytes that are not valid UTF-8 count as one character each.
    check("", b"\x80\xc3\x80\x80", &[0, 1, 3, 4]);
    check("", b"\xe6\x97", &[0, 1, 2]);
}

#[test]
fn several_groups_may_have_one_name() {
    let regexp = Regexp::new("(?P<a>x)(y)(?<a>z)").expect("an expression");
    assert_eq!(regexp.groups_named("a").collect::<Vec<_>>(), [1, 3]);
    assert_eq!(regexp.groups_named("b").count(), 0);
}

#[test]
fn errors_are_in_our_words_and_kinds_in_those_of_go() {
    let error = Regexp::new("(a").expect_err("an open group");
    assert_eq!(error.to_string(), "`)` is missing in `(a`");
    assert_eq!(error.kind.to_string(), "missing closing )");
}
