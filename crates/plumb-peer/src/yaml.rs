//! Errors in YAML texts, in the words of libyaml's relative that ytt uses.

use plumb_source::message::{plain, secret};
use plumb_source::{Message, message};
use plumb_yaml::resolve::{TagError, TagMismatch};
use plumb_yaml::{SyntaxError, SyntaxErrorKind};

use crate::term;

/// The whole text of an error, such as `yaml: line 2: did not find expected key`.
pub(crate) fn error(error: &SyntaxError) -> Message {
    let words = words(error.kind());
    match error.counted_line() {
        Some(line) => message!("yaml: line {line}: {words}"),
        None => message!("yaml: {words}"),
    }
}

fn words(kind: &SyntaxErrorKind) -> Message {
    Message::from(match kind {
        SyntaxErrorKind::InvalidLeadingOctet => "invalid leading UTF-8 octet",
        SyntaxErrorKind::InvalidTrailingOctet => "invalid trailing UTF-8 octet",
        SyntaxErrorKind::IncompleteSequence => "incomplete UTF-8 octet sequence",
        SyntaxErrorKind::OverlongSequence => "invalid length of a UTF-8 sequence",
        SyntaxErrorKind::InvalidCharacter => "invalid Unicode character",
        SyntaxErrorKind::ControlCharacter => "control characters are not allowed",
        SyntaxErrorKind::TooLarge => "input is larger than 4 GiB",
        SyntaxErrorKind::CannotStartToken(_) => "found character that cannot start any token",
        SyntaxErrorKind::BlockEntryNotAllowed => {
            "block sequence entries are not allowed in this context"
        }
        SyntaxErrorKind::KeyNotAllowed => "mapping keys are not allowed in this context",
        SyntaxErrorKind::ValueNotAllowed => "mapping values are not allowed in this context",
        SyntaxErrorKind::MissingColon => "could not find expected ':'",
        SyntaxErrorKind::DocumentIndicatorInQuotes => "found unexpected document indicator",
        SyntaxErrorKind::EndInQuotes => "found unexpected end of stream",
        SyntaxErrorKind::UnknownEscape => "found unknown escape character",
        SyntaxErrorKind::EscapeDigits => "did not find expected hexdecimal number",
        SyntaxErrorKind::EscapeValue => "found invalid Unicode character escape code",
        SyntaxErrorKind::TabInPlain => "found a tab character that violates indentation",
        SyntaxErrorKind::TabInBlock => {
            "found a tab character where an indentation space is expected"
        }
        SyntaxErrorKind::ZeroIndentation => "found an indentation indicator equal to 0",
        SyntaxErrorKind::BlockHeaderEnd | SyntaxErrorKind::DirectiveEnd => {
            "did not find expected comment or line break"
        }
        SyntaxErrorKind::AnchorName => "did not find expected alphabetic or numeric character",
        SyntaxErrorKind::TagBang => "did not find expected '!'",
        SyntaxErrorKind::TagUri => "did not find expected tag URI",
        SyntaxErrorKind::TagEnd | SyntaxErrorKind::TagDirectiveEnd => {
            "did not find expected whitespace or line break"
        }
        SyntaxErrorKind::VerbatimTagEnd => "did not find the expected '>'",
        SyntaxErrorKind::UriEscape => "did not find URI escaped octet",
        SyntaxErrorKind::UriLeadingOctet => "found an incorrect leading UTF-8 octet",
        SyntaxErrorKind::UriTrailingOctet => "found an incorrect trailing UTF-8 octet",
        SyntaxErrorKind::DirectiveName => "could not find expected directive name",
        SyntaxErrorKind::DirectiveNameEnd => "found unexpected non-alphabetical character",
        SyntaxErrorKind::UnknownDirective => "found unknown directive name",
        SyntaxErrorKind::VersionNumber => "did not find expected version number",
        SyntaxErrorKind::VersionLength => "found extremely long version number",
        SyntaxErrorKind::VersionDot => "did not find expected digit or '.' character",
        SyntaxErrorKind::TagDirectiveSpace => "did not find expected whitespace",
        SyntaxErrorKind::DocumentStart => "did not find expected <document start>",
        SyntaxErrorKind::DuplicateVersion => "found duplicate %YAML directive",
        SyntaxErrorKind::IncompatibleVersion => "found incompatible YAML document",
        SyntaxErrorKind::DuplicateTagDirective => "found duplicate %TAG directive",
        SyntaxErrorKind::UndefinedHandle => "found undefined tag handle",
        SyntaxErrorKind::NodeContent => "did not find expected node content",
        SyntaxErrorKind::BlockEntry => "did not find expected '-' indicator",
        SyntaxErrorKind::BlockKey => "did not find expected key",
        SyntaxErrorKind::FlowSequenceEnd => "did not find expected ',' or ']'",
        SyntaxErrorKind::FlowMappingEnd => "did not find expected ',' or '}'",
        SyntaxErrorKind::UnknownAnchor(name) => {
            return message!("unknown anchor '{}' referenced", secret(name));
        }
        SyntaxErrorKind::SelfReference(name) => {
            return message!("anchor '{}' value contains itself", secret(name));
        }
        SyntaxErrorKind::NotMergeable => "map merge requires map or sequence of maps as the value",
        SyntaxErrorKind::Tag(TagError::Mismatch(TagMismatch { found, wanted, text })) => {
            let (found, wanted) = (plain(found), plain(wanted));
            return message!("cannot decode {found} `{}` as a {wanted}", secret(text));
        }
        SyntaxErrorKind::Tag(TagError::InvalidBase64) => {
            "!!binary value contains invalid base64 data"
        }
        SyntaxErrorKind::Strict(reason) => {
            return message!("Strict parsing: {}", term::message(reason));
        }
        // ytt has no such limits.
        SyntaxErrorKind::TooDeep(limit) => return message!("nested deeper than {limit} levels"),
        SyntaxErrorKind::TooManyAliased(limit) => {
            return message!("aliases expand to more than {} values", plain(limit));
        }
    })
}

#[cfg(test)]
mod tests {
    use plumb_source::{SourceKind, Sources};
    use plumb_yaml::ReadOptions;

    #[track_caller]
    fn check_with(text: &[u8], options: &ReadOptions, expected: &str) {
        let sources = Sources::new();
        let file = sources.add("a.yml", SourceKind::File, text.into());
        let error = plumb_yaml::parse(file, text, options).expect_err("it is not YAML");
        assert_eq!(super::error(&error).shown(), expected);
        // A message for readers without a place has the same words.
        assert_eq!(crate::message(&error.message()).shown(), expected);
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        check_with(text.as_bytes(), &ReadOptions::default(), expected);
    }

    #[test]
    fn a_problem_with_a_token_has_its_line() {
        check("a: 1\nb: c: d", "yaml: line 2: mapping values are not allowed in this context");
        check("a: 1\nb\nc: 2", "yaml: line 3: could not find expected ':'");
        check("a: 1\nb", "yaml: line 3: could not find expected ':'");
        check("\na: @b", "yaml: line 2: found character that cannot start any token");
        check("\na: - b", "yaml: line 2: block sequence entries are not allowed in this context");
        check("\na: ? b", "yaml: line 2: mapping keys are not allowed in this context");
        check("a: 'b\n", "yaml: line 2: found unexpected end of stream");
        check("a: 'b\n---\n'", "yaml: line 2: found unexpected document indicator");
        check("a: b\n\tc", "yaml: line 2: found a tab character that violates indentation");
        check("a: *\n", "yaml: line 1: did not find expected alphabetic or numeric character");
        check("%FOO x", "yaml: line 1: found unknown directive name");
        check("% x", "yaml: line 1: could not find expected directive name");
        check("%F.x", "yaml: line 1: found unexpected non-alphabetical character");
        check("%YAML x", "yaml: line 1: did not find expected version number");
        check("%YAML 123.4", "yaml: line 1: found extremely long version number");
        check("%YAML 1", "yaml: line 1: did not find expected digit or '.' character");
        check("%YAML 1.1 x", "yaml: line 1: did not find expected comment or line break");
        check("%TAG x", "yaml: line 1: did not find expected '!'");
        check("%TAG !", "yaml: line 1: did not find expected whitespace");
        check("%TAG ! a{", "yaml: line 1: did not find expected whitespace or line break");
        check("a: |0\n b", "yaml: line 1: found an indentation indicator equal to 0");
        check("a: |x\n b", "yaml: line 1: did not find expected comment or line break");
        let tab = "yaml: line 2: found a tab character where an indentation space is expected";
        check("a: |\n\tb", tab);
        check(r#""\x4""#, "yaml: line 1: did not find expected hexdecimal number");
        check(r#""\ud800""#, "yaml: line 1: found invalid Unicode character escape code");
        check(r#""\q""#, "yaml: line 1: found unknown escape character");
        check("!<x", "yaml: line 1: did not find the expected '>'");
        check("!<> x", "yaml: line 1: did not find expected tag URI");
        check("!a{ x", "yaml: line 1: did not find expected whitespace or line break");
        check("!%x x", "yaml: line 1: did not find URI escaped octet");
        check("!%FF x", "yaml: line 1: found an incorrect leading UTF-8 octet");
        check("!%C3%41 x", "yaml: line 1: found an incorrect trailing UTF-8 octet");
    }

    #[test]
    fn a_problem_with_the_structure_has_the_line_before() {
        check("a:\n  b: 1\n c: 2", "yaml: line 2: did not find expected key");
        check("\n- a\nb: c", "yaml: line 2: did not find expected '-' indicator");
        check("a: [b\nc: d", "yaml: line 1: did not find expected ',' or ']'");
        check("a: {b\nc", "yaml: line 2: did not find expected ',' or '}'");
        check("a: {b\n}}", "yaml: line 1: did not find expected key");
        check("a\n...\nb", "yaml: line 2: did not find expected <document start>");
        check("%YAML 1.2\n---\n", "yaml: line 1: found incompatible YAML document");
        check("%YAML 1.1\n%YAML 1.1\n---\n", "yaml: line 1: found duplicate %YAML directive");
        check("%TAG ! a\n%TAG ! a\n---\n", "yaml: line 1: found duplicate %TAG directive");
        check("!e!x 1", "yaml: line 1: found undefined tag handle");
    }

    #[test]
    fn after_a_marker_the_first_line_is_not_counted() {
        check("--- ]", "yaml: did not find expected node content");
        check("---\n]", "yaml: line 1: did not find expected node content");
        check("--- @", "yaml: found character that cannot start any token");
    }

    #[test]
    fn encodings_and_values_have_no_line() {
        let options = ReadOptions::default();
        check("a: \u{7}", "yaml: control characters are not allowed");
        check_with(b"\xFF\xFEa\0", &options, "yaml: invalid leading UTF-8 octet");
        check_with(b"a\xC3(", &options, "yaml: invalid trailing UTF-8 octet");
        check_with(b"a\xC3", &options, "yaml: incomplete UTF-8 octet sequence");
        check_with(b"\xC0\x80", &options, "yaml: invalid length of a UTF-8 sequence");
        check_with(b"\xED\xA0\x80", &options, "yaml: invalid Unicode character");
        check("a: *x\n", "yaml: unknown anchor 'x' referenced");
        check("a: &x [*x]", "yaml: anchor 'x' value contains itself");
        check("<<: 1", "yaml: map merge requires map or sequence of maps as the value");
        check("!!int a", "yaml: cannot decode !!str `a` as a !!int");
        check("!!binary '*'", "yaml: !!binary value contains invalid base64 data");
        let strict = ReadOptions { strict: true, ..options };
        let ambiguous = "yaml: Strict parsing: Found 'yes' ambigious (could be !!str or !!bool)";
        check_with(b"a: yes", &strict, ambiguous);
    }
}
