//! What is built in: functions, modules, annotations and keywords, with their documentation.
//!
//! This is one table. Tests compare it with the names that the engine knows.

use crate::TextRange;
use crate::completion::{Completion, CompletionKind};

/// A function, a value or an annotation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    /// How it is called.
    pub(crate) signature: &'static str,
    /// What it does, in a sentence.
    pub(crate) summary: &'static str,
}

/// A module that can be loaded as `@ytt:NAME`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Module {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) members: &'static [Entry],
}

const fn entry(name: &'static str, signature: &'static str, summary: &'static str) -> Entry {
    Entry { name, signature, summary }
}

/// The words of the language that begin something.
pub(crate) const KEYWORDS: [(&str, &str); 12] = [
    ("and", "both are true"),
    ("def", "def NAME(…): … end"),
    ("elif", "elif CONDITION:"),
    ("else", "else:"),
    ("end", "closes a block"),
    ("for", "for NAME in VALUES: … end"),
    ("if", "if CONDITION: … end"),
    ("in", "is an element of"),
    ("lambda", "lambda NAME: EXPRESSION"),
    ("load", "load(\"MODULE\", \"NAME\")"),
    ("not", "is not true"),
    ("return", "return VALUE"),
];

/// Names that every program has.
pub(crate) const BUILT_INS: [Entry; 31] = [
    entry("all", "all(values)", "Whether all values are true."),
    entry("any", "any(values)", "Whether any value is true."),
    entry("bool", "bool(x=False)", "The truth of a value."),
    entry("chr", "chr(i)", "The character with a code point."),
    entry("dict", "dict(pairs=[], **entries)", "A dictionary."),
    entry("dir", "dir(x)", "The names of the attributes of a value."),
    entry("enumerate", "enumerate(values, start=0)", "Pairs of index and value."),
    entry("fail", "fail(*messages)", "Stops the run with a message."),
    entry("float", "float(x=0.0)", "Converts to a float."),
    entry("getattr", "getattr(x, name, default=None)", "The attribute of a name."),
    entry("hasattr", "hasattr(x, name)", "Whether a value has an attribute."),
    entry("hash", "hash(x)", "A number that is the same for equal strings."),
    entry("int", "int(x, base=10)", "Converts to an integer."),
    entry("len", "len(x)", "The number of elements or bytes."),
    entry("list", "list(values=[])", "A new list of the values."),
    entry("max", "max(*values, key=None)", "The largest value."),
    entry("min", "min(*values, key=None)", "The smallest value."),
    entry("ord", "ord(s)", "The code point of a character."),
    entry("print", "print(*values, sep=\" \")", "Prints values to standard error."),
    entry(
        "range",
        "range(start, stop, step=1)",
        "The integers from start up to stop, which is left out.",
    ),
    entry("repr", "repr(x)", "A value as it is written in code."),
    entry("reversed", "reversed(values)", "The values in reverse order."),
    entry("set", "set(values=[])", "A set of the values."),
    entry("sorted", "sorted(values, key=None, reverse=False)", "The values in order."),
    entry("str", "str(x)", "Converts to a string."),
    entry("tuple", "tuple(values=())", "A tuple of the values."),
    entry("type", "type(x)", "The name of the type of a value."),
    entry("zip", "zip(*sequences)", "Tuples of the values at the same index."),
    entry("None", "None", "No value: null in YAML."),
    entry("True", "True", "True."),
    entry("False", "False", "False."),
];

/// Annotations.
pub(crate) const ANNOTATIONS: [Entry; 42] = [
    entry("assert/validate", "@assert/validate (*rules)", "Rules for this value of the output."),
    entry("comment", "@comment text", "A remark."),
    entry(
        "data/values",
        "@data/values",
        "The document below contains data values. `libref=` names a library.",
    ),
    entry(
        "data/values-schema",
        "@data/values-schema",
        "The document below is the schema of the data values.",
    ),
    entry("library/ref", "@library/ref name", "The document below is for a library."),
    entry("overlay/append", "@overlay/append", "Adds the item after all others."),
    entry(
        "overlay/assert",
        "@overlay/assert via=function",
        "Fails unless the function accepts the value.",
    ),
    entry(
        "overlay/insert",
        "@overlay/insert before=True or after=True",
        "Adds the item before or after what it matches.",
    ),
    entry(
        "overlay/match",
        "@overlay/match by=…, expects=…, missing_ok=True, when=…",
        "Which items the overlay changes.",
    ),
    entry(
        "overlay/match-child-defaults",
        "@overlay/match-child-defaults expects=…, missing_ok=True",
        "Defaults of `@overlay/match` for everything below.",
    ),
    entry(
        "overlay/merge",
        "@overlay/merge",
        "Merges the item into what it matches. This is the default.",
    ),
    entry(
        "overlay/merge-anns",
        "@overlay/merge-anns",
        "Adds these annotations to those of the match.",
    ),
    entry("overlay/noop", "@overlay/noop", "Changes nothing."),
    entry("overlay/remove", "@overlay/remove", "Removes what the item matches."),
    entry(
        "overlay/remove-anns",
        "@overlay/remove-anns *names",
        "Removes annotations from the match.",
    ),
    entry(
        "overlay/replace",
        "@overlay/replace via=function, or_add=True",
        "Replaces what the item matches.",
    ),
    entry("overlay/replace-ann", "@overlay/replace-ann", "Replaces an annotation of the match."),
    entry("schema", "@schema", "The document below is a schema."),
    entry("schema/all-of", "@schema/all-of *types", "Values must be of all of these types."),
    entry("schema/allow-empty", "@schema/allow-empty", "Null and empty values are valid too."),
    entry(
        "schema/any-key",
        "@schema/any-key",
        "The value below is the type of all keys that are not declared.",
    ),
    entry(
        "schema/any-of",
        "@schema/any-of *types",
        "Values must be of at least one of these types.",
    ),
    entry("schema/default", "@schema/default value", "The default, if it is not the value below."),
    entry(
        "schema/definition",
        "@schema/definition data_values=True",
        "The document below is a schema.",
    ),
    entry("schema/deprecated", "@schema/deprecated reason", "Warns if the value is given."),
    entry("schema/desc", "@schema/desc text", "The description."),
    entry("schema/doc", "@schema/doc text", "The description."),
    entry("schema/example", "@schema/example description, value", "An example."),
    entry("schema/examples", "@schema/examples *(description, value)", "Examples."),
    entry(
        "schema/key-may-be-present",
        "@schema/key-may-be-present",
        "The key is valid, but has no default.",
    ),
    entry("schema/nullable", "@schema/nullable", "Null is valid too, and is the default."),
    entry(
        "schema/one-of",
        "@schema/one-of *types",
        "Values must be of exactly one of these types.",
    ),
    entry("schema/required", "@schema/required", "The key must be given."),
    entry("schema/title", "@schema/title text", "The title."),
    entry(
        "schema/type",
        "@schema/type any=True",
        "The type, if it is not that of the value below.",
    ),
    entry("schema/validate", "@schema/validate *rules", "Rules for the value."),
    entry(
        "schema/validation",
        "@schema/validation *rules, min=, max=, min_len=, max_len=, not_null=, one_not_null=, one_of=, when=",
        "Rules for the value.",
    ),
    entry(
        "schema/validation-defaults-for-strings",
        "@schema/validation-defaults-for-strings *rules",
        "Rules for all strings below.",
    ),
    entry("template/code", "@template/code code", "Code."),
    entry("template/value", "@template/value expression", "The value of the node."),
    entry(
        "yaml/map-key-override",
        "@yaml/map-key-override",
        "Allows a key that is given twice: the last one counts.",
    ),
    entry(
        "yaml/text-templated-strings",
        "@yaml/text-templated-strings",
        "Strings and keys below are text templates: `(@= x @)`.",
    ),
];

/// The modules, by name.
pub(crate) const MODULES: [Module; 19] = [
    Module {
        name: "assert",
        summary: "checks that stop the run with a message",
        members: &[
            entry(
                "equals",
                "assert.equals(expected, actual)",
                "Fails if the two values differ as YAML.",
            ),
            entry("fail", "assert.fail(message)", "Stops the run with a message."),
            entry(
                "try_to",
                "assert.try_to(function)",
                "Calls a function; returns its result and the error, one of which is `None`.",
            ),
            entry(
                "validate",
                "assert.validate(key, value, *rules)",
                "Fails if a value breaks a rule.",
            ),
            entry(
                "valid",
                "assert.valid(value, *rules)",
                "Returns the value if it satisfies the rules; fails otherwise.",
            ),
            entry(
                "output",
                "assert.output(*rules)",
                "Adds rules that all output documents must satisfy.",
            ),
            entry("min", "assert.min(n)", "A rule: at least this number."),
            entry("max", "assert.max(n)", "A rule: at most this number."),
            entry("min_len", "assert.min_len(n)", "A rule: at least this length."),
            entry("max_len", "assert.max_len(n)", "A rule: at most this length."),
            entry("not_null", "assert.not_null()", "A rule: not null."),
            entry(
                "one_not_null",
                "assert.one_not_null(keys=True)",
                "A rule for maps: exactly one of the keys is not null.",
            ),
            entry("one_of", "assert.one_of(*values)", "A rule: one of these values."),
            entry("cel", "assert.cel(expression)", "A rule in the Common Expression Language."),
            entry("contains", "assert.contains(value)", "A rule: contains this value or text."),
            entry("ends_with", "assert.ends_with(text)", "A rule: ends with this text."),
            entry("even", "assert.even()", "A rule: an even number."),
            entry("format", "assert.format(name)", "A rule: a string of this format."),
            entry("greater_than", "assert.greater_than(n)", "A rule: more than this number."),
            entry("len", "assert.len(n)", "A rule: exactly this length."),
            entry("less_than", "assert.less_than(n)", "A rule: less than this number."),
            entry("matches", "assert.matches(pattern)", "A rule: matches this regular expression."),
            entry("multiple_of", "assert.multiple_of(n)", "A rule: a multiple of this number."),
            entry("odd", "assert.odd()", "A rule: an odd number."),
            entry("starts_with", "assert.starts_with(text)", "A rule: starts with this text."),
            entry("unique", "assert.unique()", "A rule: no two items are equal."),
        ],
    },
    Module {
        name: "base64",
        summary: "bytes as text, and back",
        members: &[
            entry("encode", "base64.encode(text, url=False, raw=False)", "Encodes a text."),
            entry(
                "decode",
                "base64.decode(text, url=False, raw=False, strict=False)",
                "Decodes a text.",
            ),
        ],
    },
    Module {
        name: "data",
        summary: "data values, and files next to the template",
        members: &[
            entry("values", "data.values", "The data values."),
            entry("list", "data.list(path=\"\")", "The paths of the files in a directory."),
            entry("read", "data.read(path)", "The text of a file."),
        ],
    },
    Module {
        name: "ip",
        summary: "addresses and networks",
        members: &[
            entry(
                "parse_addr",
                "ip.parse_addr(text)",
                "Reads an address. It has `is_ipv4()`, `is_ipv6()` and `string()`.",
            ),
            entry(
                "parse_cidr",
                "ip.parse_cidr(text)",
                "Reads an address with the length of its network. Returns both.",
            ),
        ],
    },
    Module {
        name: "json",
        summary: "values as JSON text",
        members: &[
            entry(
                "encode",
                "json.encode(value, indent=0, escape_html=True)",
                "Writes a value as JSON.",
            ),
            entry("decode", "json.decode(text)", "Reads JSON."),
        ],
    },
    Module {
        name: "library",
        summary: "other libraries below _ytt_lib",
        members: &[entry(
            "get",
            "library.get(name, alias=None)",
            "A library, which has `with_data_values(…)`, `eval()`, `export(…)` and `data_values()`.",
        )],
    },
    Module {
        name: "math",
        summary: "functions of numbers",
        members: &[
            entry("e", "math.e", "Euler's number."),
            entry("pi", "math.pi", "The ratio of a circle's circumference to its diameter."),
            entry("ceil", "math.ceil(x)", "The smallest integer that is not less."),
            entry("floor", "math.floor(x)", "The largest integer that is not more."),
            entry("log", "math.log(x, base=math.e)", "The logarithm."),
            entry("acos", "math.acos(x)", "The arc cosine."),
            entry("acosh", "math.acosh(x)", "The inverse hyperbolic cosine."),
            entry("asin", "math.asin(x)", "The arc sine."),
            entry("asinh", "math.asinh(x)", "The inverse hyperbolic sine."),
            entry("atan", "math.atan(x)", "The arc tangent."),
            entry(
                "atan2",
                "math.atan2(y, x)",
                "The arc tangent of y/x, in the quadrant of the point.",
            ),
            entry("atanh", "math.atanh(x)", "The inverse hyperbolic tangent."),
            entry(
                "copysign",
                "math.copysign(x, y)",
                "A number with the size of x and the sign of y.",
            ),
            entry("cos", "math.cos(x)", "The cosine."),
            entry("cosh", "math.cosh(x)", "The hyperbolic cosine."),
            entry("degrees", "math.degrees(x)", "Converts radians to degrees."),
            entry("exp", "math.exp(x)", "The power of e."),
            entry("fabs", "math.fabs(x)", "The absolute value."),
            entry("gamma", "math.gamma(x)", "The gamma function."),
            entry("hypot", "math.hypot(x, y)", "The length of the hypotenuse."),
            entry("mod", "math.mod(x, y)", "The remainder, with the sign of x."),
            entry("pow", "math.pow(x, y)", "The power."),
            entry("radians", "math.radians(x)", "Converts degrees to radians."),
            entry("remainder", "math.remainder(x, y)", "The remainder nearest to zero."),
            entry("round", "math.round(x)", "The nearest integer."),
            entry("sin", "math.sin(x)", "The sine."),
            entry("sinh", "math.sinh(x)", "The hyperbolic sine."),
            entry("sqrt", "math.sqrt(x)", "The square root."),
            entry("tan", "math.tan(x)", "The tangent."),
            entry("tanh", "math.tanh(x)", "The hyperbolic tangent."),
        ],
    },
    Module {
        name: "md5",
        summary: "hashes",
        members: &[entry("sum", "md5.sum(text)", "The MD5 hash of a text, in hexadecimal digits.")],
    },
    Module {
        name: "module",
        summary: "a name and members as one value",
        members: &[entry("make", "module.make(name, **members)", "A module with these members.")],
    },
    Module {
        name: "overlay",
        summary: "changes documents by other documents",
        members: &[
            entry("apply", "overlay.apply(document, *overlays)", "Applies overlays to a document."),
            entry("index", "overlay.index(i)", "Matches the item at an index."),
            entry("all", "overlay.all", "Matches everything."),
            entry(
                "map_key",
                "overlay.map_key(name)",
                "Matches array items whose key has the same value.",
            ),
            entry("subset", "overlay.subset(sample)", "Matches what contains the sample."),
            entry("and_op", "overlay.and_op(*matchers)", "Matches what all matchers match."),
            entry("or_op", "overlay.or_op(*matchers)", "Matches what any matcher matches."),
            entry("not_op", "overlay.not_op(matcher)", "Matches what the matcher does not match."),
        ],
    },
    Module {
        name: "regexp",
        summary: "regular expressions",
        members: &[
            entry("match", "regexp.match(pattern, text)", "Whether a pattern occurs in a text."),
            entry(
                "replace",
                "regexp.replace(pattern, text, replacement)",
                "Replaces what a pattern matches by a text or by the result of a function.",
            ),
        ],
    },
    Module {
        name: "semver",
        summary: "versions and constraints",
        members: &[
            entry(
                "compare",
                "semver.compare(one, other)",
                "-1, 0 or 1, as the first is older or newer.",
            ),
            entry("is_valid", "semver.is_valid(text)", "Whether a text is a version."),
            entry("parse", "semver.parse(text)", "The parts of a version."),
            entry(
                "satisfies",
                "semver.satisfies(version, constraint)",
                "Whether a constraint such as `>=1.2 <2 || 3.x` allows a version.",
            ),
        ],
    },
    Module {
        name: "sha256",
        summary: "hashes",
        members: &[entry(
            "sum",
            "sha256.sum(text)",
            "The SHA-256 hash of a text, in hexadecimal digits.",
        )],
    },
    Module {
        name: "struct",
        summary: "values with attributes",
        members: &[
            entry("make", "struct.make(**attributes)", "A value with these attributes."),
            entry(
                "make_and_bind",
                "struct.make_and_bind(first, **functions)",
                "A value whose functions get the first argument.",
            ),
            entry(
                "bind",
                "struct.bind(first, function)",
                "The function with its first argument given.",
            ),
            entry(
                "encode",
                "struct.encode(value)",
                "Converts dictionaries to structs, at all levels.",
            ),
            entry(
                "decode",
                "struct.decode(value)",
                "Converts structs to dictionaries, at all levels.",
            ),
        ],
    },
    Module {
        name: "template",
        summary: "nodes in place of others",
        members: &[entry(
            "replace",
            "template.replace(node)",
            "Puts the items of a node in place of the item that it is the value of.",
        )],
    },
    Module {
        name: "toml",
        summary: "values as TOML text",
        members: &[
            entry("encode", "toml.encode(value, indent=0)", "Writes a value as TOML."),
            entry("decode", "toml.decode(text)", "Reads TOML."),
        ],
    },
    Module {
        name: "url",
        summary: "parts of URLs",
        members: &[
            entry(
                "path_segment_encode",
                "url.path_segment_encode(text)",
                "Encodes a text for the path of a URL.",
            ),
            entry(
                "path_segment_decode",
                "url.path_segment_decode(text)",
                "Decodes a part of a path.",
            ),
            entry(
                "query_param_value_encode",
                "url.query_param_value_encode(text)",
                "Encodes a value for the query of a URL.",
            ),
            entry(
                "query_param_value_decode",
                "url.query_param_value_decode(text)",
                "Decodes a value of a query.",
            ),
            entry(
                "query_params_encode",
                "url.query_params_encode(parameters)",
                "Writes parameters as a query.",
            ),
            entry(
                "query_params_decode",
                "url.query_params_decode(text)",
                "Reads the parameters of a query.",
            ),
            entry(
                "parse",
                "url.parse(text)",
                "Reads a URL. It has `user`, `hostname()`, `without_user()` and `string()`.",
            ),
        ],
    },
    Module {
        name: "version",
        summary: "the version of the program",
        members: &[entry(
            "require_at_least",
            "version.require_at_least(version)",
            "Fails if the program is older.",
        )],
    },
    Module {
        name: "yaml",
        summary: "values as YAML text",
        members: &[
            entry("encode", "yaml.encode(value)", "Writes a value as YAML."),
            entry("decode", "yaml.decode(text)", "Reads YAML."),
        ],
    },
];

/// The module of a name.
pub(crate) fn module(name: &str) -> Option<&'static Module> {
    MODULES.iter().find(|it| it.name == name)
}

/// A member of a module.
pub(crate) fn member(module_name: &str, name: &str) -> Option<&'static Entry> {
    module(module_name)?.members.iter().find(|it| it.name == name)
}

/// A name that every program has.
pub(crate) fn built_in(name: &str) -> Option<&'static Entry> {
    BUILT_INS.iter().find(|it| it.name == name)
}

/// The annotation of a name.
pub(crate) fn annotation(name: &str) -> Option<&'static Entry> {
    ANNOTATIONS.iter().find(|it| it.name == name)
}

impl Entry {
    pub(crate) fn markdown(&self) -> String {
        format!("```python\n{}\n```\n\n{}", self.signature, self.summary)
    }

    pub(crate) fn completion(&self, kind: CompletionKind, range: &TextRange) -> Completion {
        Completion {
            label: self.name.to_owned(),
            kind,
            detail: self.signature.to_owned(),
            documentation: self.summary.to_owned(),
            range: range.clone(),
            text: self.name.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use plumb_starlark::{Environment, Value};

    use super::*;

    #[test]
    fn every_annotation_is_described() {
        let known: BTreeSet<&str> = plumb_template::known_annotations().collect();
        let described: BTreeSet<&str> = ANNOTATIONS.iter().map(|it| it.name).collect();
        assert_eq!(described, known);
    }

    #[test]
    fn every_member_of_a_module_is_described() {
        let names: Vec<&str> = MODULES.iter().map(|it| it.name).collect();
        assert_eq!(names, plumb_template::MODULES);
        for module in &MODULES {
            let Some(Value::Module(real)) = plumb_stdlib::module(module.name) else { continue };
            let real: BTreeSet<String> =
                real.members().iter().map(|(name, _)| name.to_string()).collect();
            let described: BTreeSet<String> =
                module.members.iter().map(|it| it.name.to_owned()).collect();
            assert_eq!(described, real, "{}", module.name);
        }
    }

    #[test]
    fn every_built_in_exists() {
        for entry in &BUILT_INS {
            assert!(Environment::standard().get(&entry.name.into()).is_some(), "{}", entry.name);
        }
    }
}
