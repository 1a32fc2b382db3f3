//! Facts that are a part of a message: types, keys and numbers, by the names of Go.

use plumb_library::activity::Activity as LibraryActivity;
use plumb_library::{ArgumentError, FindError, InputError, NamelessKey, OutputError};
use plumb_overlay::{MatcherName, OverlayError};
use plumb_source::message::{
    ArgumentCount, FoundInstead, FoundType, WantedCount, WrongCall, WrongType, plain, secret,
};
use plumb_source::{Facts, Message, Sources, message};
use plumb_starlark::{
    CodeErrorKind, ConversionError, FloatError, FormatError, IndexRange, ProgramError, ValueError,
};
use plumb_stdlib::{DataError, DecodeError, NoArguments, NotEqual, NotOneArgument, TomlError};
use plumb_template::convert::{DataType, NotEncodable};
use plumb_template::{
    CommentError, FragmentGet, FragmentOperation, KeyAgain, NotText, TextError, TextErrorKind,
};
use plumb_validation::LargeInt;
use plumb_value::{Expected, KeyName, Node, TypeName};
use plumb_yaml::json::NumberError;
use plumb_yaml::print::json::{JsonError, float_name};
use plumb_yaml::{StrictError, SyntaxError};

use crate::words::place;
use crate::{activity, code, decode, input, overlay, program, toml, value, yaml};

/// Returns a message with ytt's words for its facts.
pub(crate) fn worded(message: &Message, sources: &Sources) -> Message {
    message.worded(|facts| match facts.get::<NamelessKey>() {
        Some(nameless) => Some(nameless_key(nameless, sources)),
        None => words(facts),
    })
}

/// Returns a message with ytt's words for those of its facts that have no place.
pub fn message(message: &Message) -> Message {
    message.worded(words)
}

fn words(facts: &Facts) -> Option<Message> {
    Some(if let Some(it) = facts.get::<Expected>() {
        expected(*it).into()
    } else if let Some(it) = facts.get::<TypeName>() {
        type_name(*it).into()
    } else if let Some(it) = facts.get::<DataType>() {
        data_type(*it).into()
    } else if let Some(KeyName(node)) = facts.get() {
        plain(key(node)).into()
    } else if let Some(IndexRange { len }) = facts.get() {
        message!(" [-{}:{}]", secret(len), secret(len - 1))
    } else if let Some(it) = facts.get::<FloatError>() {
        float_error(it)
    } else if let Some(it) = facts.get::<NumberError>() {
        number_error(it)
    } else if let Some(it) = facts.get::<JsonError>() {
        json_error(it)
    } else if let Some(it) = facts.get::<TomlError>() {
        toml::error(it)
    } else if let Some(it) = facts.get::<ArgumentError>() {
        argument_error(it)
    } else if let Some(it) = facts.get::<LibraryActivity>() {
        activity::of_call(it)
    } else if let Some(NoArguments) = facts.get() {
        "expected exactly at least argument".into()
    } else if let Some(it) = facts.get::<CodeErrorKind>() {
        return code::error(it);
    } else if let Some(FoundType(name)) = facts.get() {
        message!("but was a '{}'", plain(name))
    } else if let Some(MatcherName(name)) = facts.get() {
        plain(name).into()
    } else if let Some(LargeInt) = facts.get() {
        "int".into()
    } else if let Some(FoundInstead) = facts.get() {
        "but was".into()
    } else if let Some(WrongType { wanted, found }) = facts.get() {
        message!("got {}, want {}", plain(found), plain(wanted))
    } else if let Some(it) = facts.get::<ArgumentCount>() {
        argument_count(it)
    } else if let Some(it) = facts.get::<WrongCall>() {
        code::wrong_call(it)
    } else if let Some(it) = facts.get::<ProgramError>() {
        program::error(it)
    } else if let Some(it) = facts.get::<ValueError>() {
        value::error(it)
    } else if let Some(it) = facts.get::<ConversionError>() {
        value::conversion_error(it)
    } else if let Some(it) = facts.get::<FormatError>() {
        value::format_error(it)
    } else if let Some(NotOneArgument) = facts.get() {
        "expected at exactly one argument".into()
    } else if let Some(NotText { found }) = facts.get() {
        message!(
            "cannot set non-string value ({}), consider using str(...) to convert to string",
            self::message(found)
        )
    } else if let Some(KeyAgain { key }) = facts.get() {
        message!(
            "expected key '{}' to not be specified again (unless 'yaml/map-key-override' \
             annotation is added)",
            self::message(key)
        )
    } else if let Some(it) = facts.get::<FragmentOperation>() {
        fragment_operation(*it).into()
    } else if let Some(it) = facts.get::<DecodeError>() {
        decode::error(it)
    } else if let Some(it) = facts.get::<NotEqual>() {
        match it {
            NotEqual::Expected(name) => message!("Not equal:\n(expected type: {name})\n"),
            NotEqual::Found(name) => message!("\n\n(was type: {name})\n"),
        }
    } else if let Some(it) = facts.get::<DataError>() {
        data_error(*it).into()
    } else if let Some(NotEncodable) = facts.get() {
        "Unable to convert value".into()
    } else if let Some(it) = facts.get::<FragmentGet>() {
        match it {
            FragmentGet::Item => "yamlfragment.Get: Expected".into(),
            FragmentGet::Document { key: it } => message!("{}.Get: Expected", secret(key(it))),
        }
    } else if let Some(it) = facts.get::<OverlayError>() {
        overlay::error(it)
    } else if let Some(it) = facts.get::<InputError>() {
        input::error(it)
    } else if let Some(it) = facts.get::<OutputError>() {
        input::output_error(it)
    } else if let Some(it) = facts.get::<FindError>() {
        input::find_error(it)
    } else if let Some(it) = facts.get::<CommentError>() {
        comment_error(it)
    } else if let Some(it) = facts.get::<TextError>() {
        text_error(it)
    } else if let Some(it) = facts.get::<StrictError>() {
        strict_error(it)
    } else if let Some(it) = facts.get::<SyntaxError>() {
        yaml::error(it)
    } else {
        return None;
    })
}

fn fragment_operation(operation: FragmentOperation) -> &'static str {
    match operation {
        FragmentOperation::Assign => "yamlfragment.SetKey: Not implemented",
        FragmentOperation::Slice => "yamlfragment.Slice: Not implemented",
        FragmentOperation::Compare => "yamlfragment.CompareSameType: Not implemented",
    }
}

fn data_error(error: DataError) -> &'static str {
    match error {
        DataError::SeveralDocuments => "Expected to find exactly one YAML document",
        DataError::DuplicateKey => "Unexpected duplicate key",
        DataError::NotATable => "toml: top-level values must be Go maps or structs",
        DataError::KeyNotString => "Expected key to be string",
        DataError::NullInArray => "toml: cannot encode array with nil element",
    }
}

fn argument_count(it: &ArgumentCount) -> Message {
    let (at, count) = match it.wanted {
        WantedCount::Of(count) => ("", count),
        WantedCount::Exactly(count) => ("exactly ", count),
        WantedCount::AtLeast(count) => ("at least ", count),
        WantedCount::AtMost(count) => ("at most ", count),
    };
    message!("got {} arguments, want {at}{count}", it.found)
}

fn expected(expected: Expected) -> &'static str {
    match expected {
        Expected::Boolean => "starlark.Bool",
        Expected::Integer => "starlark.Int",
        Expected::Integer64 => "int64 value",
        Expected::Number => "float value",
        // The spelling is ytt's.
        Expected::Length => "an number",
        Expected::Index => "an int64",
    }
}

/// The Go type of a value of the language.
fn type_name(name: TypeName) -> &'static str {
    match name {
        TypeName::Builtin => "*starlark.Builtin",
        TypeName::Fragment => "*yamltemplate.StarlarkFragment",
        TypeName::Named(name) => match name {
            "NoneType" => "starlark.NoneType",
            "bool" => "starlark.Bool",
            "int" => "starlark.Int",
            "float" => "starlark.Float",
            "string" => "starlark.String",
            "list" => "*starlark.List",
            "tuple" => "starlark.Tuple",
            "dict" => "*starlark.Dict",
            "set" => "*starlark.Set",
            "range" => "starlark.rangeValue",
            "function" => "*starlark.Function",
            "struct" => "*core.StarlarkStruct",
            "module" => "*starlarkstruct.Module",
            "elems" | "codepoints" => "starlark.stringIterable",
            "@ytt:assert.assertion" => "*yttlibrary.Assertion",
            "@ytt:ip.addr" => "*yttlibrary.IPAddrValue",
            "@ytt:ip.net" => "*yttlibrary.IPNetValue",
            "@ytt:url.user" => "*yttlibrary.URLUser",
            "@ytt:url.value" => "*yttlibrary.URLValue",
            name => name,
        },
    }
}

/// The Go type of a value after its conversion to data.
fn data_type(data_type: DataType) -> &'static str {
    match data_type {
        DataType::Null => "<nil>",
        DataType::Boolean => "bool",
        DataType::Integer => "int64",
        DataType::BigInteger => "uint64",
        DataType::Float => "float64",
        DataType::String => "string",
        DataType::Array => "[]interface {}",
        DataType::Map => "*orderedmap.Map",
        DataType::YamlMap => "*yamlmeta.Map",
        DataType::YamlArray => "*yamlmeta.Array",
        DataType::YamlDocuments => "*yamlmeta.DocumentSet",
        DataType::Object => "object",
    }
}

/// A key, in the form in which Go formats a value that is not a string if a string is expected.
pub(crate) fn key(key: &Node) -> String {
    match key {
        Node::String(text) => text.to_string(),
        Node::Null => "%!s(<nil>)".to_owned(),
        Node::Bool(value) => format!("%!s(bool={value})"),
        Node::Int(value) => format!("%!s(int={value})"),
        Node::UInt(value) => format!("%!s(uint64={value})"),
        Node::Float(value) => format!("%!s(float64={})", float_name(*value)),
        Node::Map(_) | Node::Array(_) => key.kind().to_string(),
    }
}

fn argument_error(error: &ArgumentError) -> Message {
    match error {
        ArgumentError::Unknown { name, .. } => message!("Unexpected kwarg '{}'", secret(name)),
        ArgumentError::UnknownOfExport(name) => {
            message!("Unexpected keyword argument '{}'", secret(name))
        }
        ArgumentError::UnknownOfValues(name) => message!("invalid argument name: {}", secret(name)),
        ArgumentError::AtSign(path) => {
            message!("Expected library '{}' to be specified without '@'", secret(path))
        }
        ArgumentError::NoLibrary { path, below, .. } => message!(
            "Expected to find library '{}', but did not find '{}'",
            secret(path),
            plain(below)
        ),
        ArgumentError::NoLibraries | ArgumentError::NoLibrariesAtRoot => {
            "Could not find private library (directory '_ytt_lib' missing?)".into()
        }
        ArgumentError::Private => {
            "Symbols starting with '_' are private, and cannot be exported".into()
        }
        ArgumentError::NoSymbol(name) => {
            message!("Expected to find exported symbol '{}', but did not", secret(name))
        }
        ArgumentError::Symbols { name, paths } => message!(
            "Expected to find exactly one exported symbol '{}', but found multiple across files: {}",
            secret(name),
            plain(paths.join(", "))
        ),
    }
}

fn comment_error(error: &CommentError) -> Message {
    match error {
        CommentError::Unknown => "Expected ytt-formatted string (use '#@' for annotations or \
                                  code, '#!' for comments)"
            .into(),
        CommentError::TwoValues(place) => message!(
            "Expected YAML node at line {} to have either computed or YAML value, but found both",
            plain(place)
        ),
        CommentError::AfterKeyword(place) => message!(
            "Unexpected code at line {} after use of '*/end', expected YAML node",
            plain(place)
        ),
    }
}

fn text_error(error: &TextError) -> Message {
    let words = match error.kind {
        TextErrorKind::NotClosed => "Missing code closing '@)'",
        TextErrorKind::Closes => "Unexpected code closing '@)'",
        TextErrorKind::Opens => "Unexpected code opening '(@'",
    };
    message!("{words} at line {} col {}", error.line, error.column)
}

/// The spelling is ytt's.
fn strict_error(error: &StrictError) -> Message {
    match error {
        StrictError::Ambiguous { text, tags: [one, other] } => message!(
            "Found '{}' ambigious (could be {} or {})",
            secret(text),
            plain(one),
            plain(other)
        ),
        StrictError::MustBeQuoted { text, contains } => message!(
            "Strings with {} must be explicitly quoted: '{}'",
            plain(contains),
            secret(text)
        ),
    }
}

fn float_error(error: &FloatError) -> Message {
    match error {
        FloatError::Syntax(text) => {
            message!("strconv.ParseFloat: parsing {text}: invalid syntax")
        }
        FloatError::Range(text) => {
            message!("strconv.ParseFloat: parsing {text}: value out of range")
        }
    }
}

/// A negative integer is rejected for its sign.
fn number_error(error: &NumberError) -> Message {
    match error {
        NumberError::Json(digits) => {
            let digits = secret(digits);
            message!("json: cannot unmarshal number {digits} into Go value of type float64")
        }
        NumberError::Integer(text) => {
            let reason =
                if text.starts_with('-') { "invalid syntax" } else { "value out of range" };
            let text = secret(text);
            message!("Parsing int '{text}': strconv.ParseUint: parsing \"{text}\": {reason}")
        }
        NumberError::Float(text) => {
            let text = secret(text);
            message!(
                "Parsing float '{text}': strconv.ParseFloat: parsing \"{text}\": value out of range"
            )
        }
    }
}

fn json_error(error: &JsonError) -> Message {
    match error {
        JsonError::Key { kind, .. } => {
            message!("Expected key to be string, but was {}", plain(kind))
        }
        JsonError::Number { value, .. } => {
            message!("json: unsupported value: {}", secret(float_name(*value)))
        }
    }
}

/// ytt crashes on such a key. The message names the place, because it is part of that about the
/// `load`.
fn nameless_key(NamelessKey { key, origin }: &NamelessKey, sources: &Sources) -> Message {
    message!(
        "Expected keys of data values to be strings, but key {} is of type {} ({}) (hint: quote it)",
        plain(key.repr()),
        plain(key.kind()),
        plain(place(origin.span(), sources))
    )
}

#[cfg(test)]
mod tests {
    use plumb_source::message::term;

    use super::*;

    #[track_caller]
    fn check(facts: impl std::any::Any + Send + Sync, expected: &str) {
        let worded = message(&message!("a {} b", term("x", facts)));
        assert_eq!(worded.shown(), format!("a {expected} b"));
    }

    #[test]
    fn numbers_are_worded_as_go_does() {
        check(IndexRange { len: 3 }, " [-3:2]");
        let quoted = || message!("\"{}\"", secret("x"));
        check(FloatError::Syntax(quoted()), "strconv.ParseFloat: parsing \"x\": invalid syntax");
        check(FloatError::Range(quoted()), "strconv.ParseFloat: parsing \"x\": value out of range");
        check(
            NumberError::Json("1e999".into()),
            "json: cannot unmarshal number 1e999 into Go value of type float64",
        );
        check(
            NumberError::Integer("-9".into()),
            "Parsing int '-9': strconv.ParseUint: parsing \"-9\": invalid syntax",
        );
        check(
            NumberError::Float("1e999".into()),
            "Parsing float '1e999': strconv.ParseFloat: parsing \"1e999\": value out of range",
        );
    }

    #[test]
    fn types_and_keys_are_named_as_in_go() {
        check(Expected::Boolean, "starlark.Bool");
        check(TypeName::Named("dict"), "*starlark.Dict");
        check(TypeName::Named("elems"), "starlark.stringIterable");
        check(TypeName::Named("version"), "version");
        check(DataType::YamlMap, "*yamlmeta.Map");
        check(KeyName(Node::Bool(true)), "%!s(bool=true)");
    }

    #[test]
    fn facts_that_are_not_known_keep_our_words() {
        check("something else", "x");
    }
}
