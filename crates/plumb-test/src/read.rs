//! Reads suite files: each document is a suite. Mistakes are reported at their places; a suite with
//! a mistake is not run.

use std::ops::Range;
use std::path::Path as FilePath;

use plumb::{SetValue, Sources, World};
use plumb_diagnostic::{Code, Diagnostic, Failure, nearest};
use plumb_project::{Codes, Fields, Written, inline_target};
use plumb_source::message::plain;
use plumb_source::{FileId, Message, Origin, SourceKind, Span, lexical, message};
use plumb_value::{ArrayItem, Document, Map, MapItem, Node};
use plumb_yaml::ReadOptions;

use crate::assertion;
use crate::key::{
    self, ASSERTS, DOCUMENT_INDEX, DOCUMENT_SELECTOR, IT, SELECTOR, SET, SUITE, TARGET, TEMPLATE,
    TEMPLATES, TESTS, VALUES,
};
use crate::path::Path;
use crate::suite::{Content, Scope, Setup, Suite, SuiteTarget, Test, TestFile};

/// A suite file has an unknown key.
///
/// The help offers the nearest name; `plumb test --schema` prints all keys. The suite is not run,
/// because an unknown assertion would always seem to succeed.
pub(crate) const UNKNOWN_KEY: Code = Code::new("test/unknown-key");

/// The value of a key in a suite file is not valid.
///
/// The message says what was expected. The suite is not run.
pub(crate) const WRONG_VALUE: Code = Code::new("test/wrong-value");

/// A file or directory with tests does not exist, or cannot be read.
///
/// Check the spelling of the path and the permissions of the file.
pub const NOT_READ: Code = Code::new("test/not-read");

pub(crate) const CODES: Codes = Codes { unknown_key: UNKNOWN_KEY, wrong_value: WRONG_VALUE };

impl TestFile {
    /// Reads a file with tests. Suites with mistakes are left out; the mistakes are added to
    /// `findings`.
    pub fn read(
        world: &dyn World,
        path: &FilePath,
        sources: &Sources,
        findings: &mut Vec<Diagnostic>,
    ) -> Result<Self, Failure> {
        let bytes = world
            .read(path)
            .map_err(|error| Failure::from(Diagnostic::error(NOT_READ, plain(error.words()))))?;
        let is_code = path.extension().is_some_and(|it| it == "star");
        let kind = if is_code { SourceKind::Module } else { SourceKind::File };
        let file = sources.add_file(&path.to_string_lossy(), path, kind, bytes);
        let content = if is_code {
            Content::Code
        } else {
            let reading = ReadOptions { comments: false, ..ReadOptions::default() };
            let documents = plumb_yaml::parse(file, sources.get(file).bytes(), &reading)?;
            let documents = documents.iter().filter(|it| !it.is_injected && !it.node.is_null());
            let suites = documents.filter_map(|it| suite(it, path, sources, findings));
            Content::Suites(suites.collect())
        };
        Ok(Self { path: path.to_owned(), content })
    }
}

/// Reads one suite. Returns `None`, with findings, if there is a mistake in it.
fn suite(
    document: &Document,
    path: &FilePath,
    sources: &Sources,
    findings: &mut Vec<Diagnostic>,
) -> Option<Suite> {
    let mut found = Vec::new();
    let mut reader = Reader { fields: Fields { codes: CODES, findings: &mut found }, path };
    let suite = reader.suite(document);
    let is_right = found.is_empty();
    found.sort_by_key(|it| it.labels.first().map(|it| it.span));
    let unknown = found.iter().filter(|it| it.code == UNKNOWN_KEY);
    let unknown: Vec<Span> = unknown.filter_map(|it| it.labels.first().map(|it| it.span)).collect();
    for finding in &mut found {
        let files: Vec<FileId> = finding.labels.iter().map(|it| it.span.file).collect();
        finding.plain.extend(files.into_iter().flat_map(|it| shown(it, &unknown, sources)));
    }
    findings.extend(found);
    suite.filter(|_| is_right)
}

/// The parts of a test file that findings show: everything that the author of the tests wrote. Data
/// values that a test sets are left out, because they may be secret. The values of `unknown` keys
/// are left out too: one of them may be a misspelt `set`.
pub(crate) fn shown(file: FileId, unknown: &[Span], sources: &Sources) -> Vec<Span> {
    let source = sources.get(file);
    let bytes = source.bytes();
    let end = u32::try_from(bytes.len()).expect("a source is at most 4 GiB");
    let reading = ReadOptions { comments: false, ..ReadOptions::default() };
    let documents = plumb_yaml::parse(file, bytes, &reading).unwrap_or_default();
    let mut hidden = Vec::new();
    for document in &documents {
        find_hidden(&document.node, end, unknown, &mut hidden);
    }
    hidden.sort_unstable_by_key(|it| it.start);
    let mut shown = Vec::new();
    let mut start = 0;
    for span in hidden {
        shown.push(Span::new(file, start, span.start.max(start)));
        start = span.end.max(start);
    }
    shown.push(Span::new(file, start, end.max(start)));
    shown
}

/// Finds the items that set data values, and those with unknown keys, each up to the next item. The
/// node ends at `end` or before.
fn find_hidden(node: &Node, end: u32, unknown: &[Span], found: &mut Vec<Range<u32>>) {
    let items: Vec<(Origin, bool, &Node)> = match node {
        Node::Map(map) => {
            let is_hidden = |it: &MapItem| {
                let is_unknown = it.origin.span().is_some_and(|it| unknown.contains(&it));
                is_unknown || it.key.as_str() == Some(SET)
            };
            map.items().iter().map(|it| (it.origin, is_hidden(it), &it.node)).collect()
        }
        Node::Array(array) => array.items.iter().map(|it| (it.origin, false, &it.node)).collect(),
        _ => return,
    };
    let starts: Vec<Option<u32>> =
        items.iter().map(|(origin, ..)| origin.span().map(|it| it.start)).collect();
    for (at, (_, is_hidden, node)) in items.iter().enumerate() {
        let end = starts[at + 1..].iter().flatten().next().copied().unwrap_or(end);
        if *is_hidden {
            found.extend(starts[at].map(|start| start..end));
        } else {
            find_hidden(node, end, unknown, found);
        }
    }
}

struct Reader<'a> {
    fields: Fields<'a>,
    /// The path of the suite file.
    path: &'a FilePath,
}

impl Reader<'_> {
    fn suite(&mut self, document: &Document) -> Option<Suite> {
        let expected = "a map with the key `tests`";
        let map = self.fields.map(&document.node, document.origin, expected)?;
        let (mut name, mut target, mut tests) = (None, None, None);
        let n_before = self.fields.findings.len();
        let mut flags = Vec::new();
        for item in self.fields.items(map) {
            match item.key.as_str().unwrap_or_default() {
                SUITE => name = self.fields.one(item, "the name of the suite"),
                TARGET => target = self.fields.one(item, "the name of a target"),
                TESTS => tests = Some(item),
                SET | VALUES | TEMPLATE | TEMPLATES | DOCUMENT_INDEX | DOCUMENT_SELECTOR => {}
                flag if key::flags().any(|it| it.flag.long == flag) => flags.push(item.clone()),
                other => self.unknown(item, "a suite", other, || {
                    let flags = key::flags().map(|it| it.flag.long);
                    key::of_suite().map(|it| it.0).chain(flags).collect()
                }),
            }
        }
        let (setup, scope) = (self.setup(map), self.scope(map));
        let place = document.origin.span();
        let subject = match (target, flags.first()) {
            (Some(_), Some(flag)) => {
                let key = plain(flag.key.as_str().unwrap_or_default());
                let message =
                    message!("a suite has either `target` or flags such as `{key}`, not both");
                self.fields.wrong(flag.origin, message);
                return None;
            }
            (Some(target), None) => SuiteTarget::Named(target),
            (None, Some(_)) => {
                let name = Written { text: "inline".to_owned(), place };
                let target = inline_target(&name, &flags, self.path, self.fields.findings)?;
                SuiteTarget::Inline(Box::new(target))
            }
            (None, None) => SuiteTarget::Only(place),
        };
        let Some(tests) = tests else {
            if self.fields.findings.len() > n_before {
                return None;
            }
            let message = message!("a suite needs the key `{}`: a list of tests", TESTS);
            self.fields.wrong(document.origin, message);
            return None;
        };
        let name = name.map_or_else(|| self.default_name(), |it| it.text);
        let tests = self.tests(tests, &setup, &scope)?;
        Some(Suite { name, subject, tests })
    }

    /// The name of the file without its extension.
    fn default_name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn tests(&mut self, item: &MapItem, setup: &Setup, scope: &Scope) -> Option<Vec<Test>> {
        let Node::Array(list) = &item.node else {
            self.fields.expected(item, "a list of tests");
            return None;
        };
        let mut tests: Vec<Test> = Vec::new();
        for (at, item) in list.items.iter().enumerate() {
            let Some(test) = self.test(at, item, setup, scope) else { continue };
            if let Some(first) = tests.iter().find(|it| it.name == test.name) {
                let message = message!("two tests have the name `{}`", plain(&test.name));
                let finding = Diagnostic::error(WRONG_VALUE, message).at(test.place, "");
                self.fields.findings.push(finding.at(first.place, "first given here"));
            }
            tests.push(test);
        }
        Some(tests)
    }

    fn test(&mut self, at: usize, item: &ArrayItem, setup: &Setup, scope: &Scope) -> Option<Test> {
        let origin = item.origin;
        let map = self.fields.map(&item.node, origin, "a map with `it` and `asserts`")?;
        let (mut name, mut asserts) = (None, None);
        let n_before = self.fields.findings.len();
        for item in self.fields.items(map) {
            match item.key.as_str().unwrap_or_default() {
                IT => name = self.fields.one(item, "what the test shows"),
                ASSERTS => asserts = Some(item),
                SET | VALUES | TEMPLATE | TEMPLATES | DOCUMENT_INDEX | DOCUMENT_SELECTOR => {}
                other => {
                    self.unknown(item, "a test", other, || key::of_test().map(|it| it.0).collect());
                }
            }
        }
        let setup = setup.then(self.setup(map));
        let scope = scope.narrowed(self.scope(map));
        let place = name.as_ref().and_then(|it| it.place).or(origin.span());
        let name = name.map_or_else(|| format!("test {}", at + 1), |it| it.text);
        let Some(asserts) = asserts else {
            if self.fields.findings.len() > n_before {
                return None;
            }
            let message = message!("the test `{}` asserts nothing", plain(&name));
            let finding = Diagnostic::error(WRONG_VALUE, message).at(place, "");
            self.fields.findings.push(finding.help("add `asserts`: a list of assertions"));
            return None;
        };
        let Node::Array(list) = &asserts.node else {
            self.fields.expected(asserts, "a list of assertions");
            return None;
        };
        let mut assertions = Vec::new();
        for item in &list.items {
            let expected = "an assertion, such as `equal: {path: kind, value: Service}`";
            let Some(map) = self.fields.map(&item.node, item.origin, expected) else { continue };
            let own = self.scope(map);
            assertions.extend(assertion::read(
                map,
                item.origin,
                scope.narrowed(own),
                &mut self.fields,
            ));
        }
        Some(Test { name, place, setup, assertions })
    }

    fn setup(&mut self, map: &Map) -> Setup {
        let mut setup = Setup::default();
        for item in map.items() {
            match item.key.as_str() {
                Some(VALUES) => {
                    let files = self.fields.many(item, "a list of files").unwrap_or_default();
                    let directory = self.path.parent().unwrap_or(FilePath::new(""));
                    let below = |it: Written| lexical::clean(&directory.join(it.text));
                    let paths = files.into_iter().map(below);
                    setup.values = paths.map(|it| it.to_string_lossy().into_owned()).collect();
                }
                Some(SET) => {
                    let expected = "a map of data values";
                    let Some(map) = self.fields.map(&item.node, item.origin, expected) else {
                        continue;
                    };
                    for item in self.fields.items(map) {
                        match item.key.as_str() {
                            Some(key) => setup.set.push(SetValue {
                                key: key.to_owned(),
                                value: item.node.clone(),
                                origin: item.origin,
                            }),
                            None => self.fields.wrong_kind(
                                &item.key,
                                item.origin,
                                "the path of a data value",
                            ),
                        }
                    }
                }
                _ => {}
            }
        }
        setup
    }

    fn scope(&mut self, map: &Map) -> Scope {
        let mut scope = Scope::default();
        for item in map.items() {
            match item.key.as_str() {
                Some(TEMPLATE | TEMPLATES) => {
                    let files = self.fields.many(item, "the path of an output file");
                    scope.templates = files.unwrap_or_default();
                }
                Some(DOCUMENT_INDEX) => match item.node {
                    Node::Int(at) if at >= 0 => scope.index = usize::try_from(at).ok(),
                    // -1 means all documents in helm-unittest.
                    Node::Int(-1) => {}
                    _ => self.fields.expected(item, "an integer that is not negative"),
                },
                Some(DOCUMENT_SELECTOR) => scope.selector = self.selector(item).unwrap_or_default(),
                _ => {}
            }
        }
        scope
    }

    fn selector(&mut self, item: &MapItem) -> Option<Vec<(Path, Node)>> {
        let expected = "a map with `kind` and `name`, or with `path` and `value`";
        let map = self.fields.map(&item.node, item.origin, expected)?;
        let (mut path, mut value) = (None, None);
        let mut selector = Vec::new();
        for item in self.fields.items(map) {
            let keys: &[&str] = match item.key.as_str().unwrap_or_default() {
                "path" => {
                    path = assertion::path(item, &mut self.fields);
                    continue;
                }
                "value" => {
                    value = Some(item.node.clone());
                    continue;
                }
                // In Plumb, a selector can always select several documents.
                "matchMany" | "skipEmptyTemplates" => continue,
                "kind" => &["kind"],
                "apiVersion" => &["apiVersion"],
                "name" => &["metadata", "name"],
                "namespace" => &["metadata", "namespace"],
                other => {
                    self.unknown(item, "a document selector", other, || {
                        SELECTOR.iter().map(|it| it.0).collect()
                    });
                    continue;
                }
            };
            selector.push((Path::of_keys(keys), item.node.clone()));
        }
        match (path, value) {
            (Some(path), Some(value)) => selector.push((path, value)),
            (None, None) => {}
            (Some(_), None) | (None, Some(_)) => {
                let message =
                    message!("a document selector has both `path` and `value`, or neither");
                self.fields.wrong(item.origin, message);
            }
        }
        Some(selector)
    }

    fn unknown(
        &mut self,
        item: &MapItem,
        of: &'static str,
        name: &str,
        known: impl FnOnce() -> Vec<&'static str>,
    ) {
        unknown(&mut self.fields, item, of, name, &known());
    }
}

/// Reports an unknown key, with the nearest name.
pub(crate) fn unknown(
    fields: &mut Fields<'_>,
    item: &MapItem,
    of: impl Into<Message>,
    name: &str,
    known: &[&'static str],
) {
    let meant = key::of_other_programs(name).filter(|it| known.contains(it));
    let help = match (meant.or_else(|| nearest(name, known.iter().copied())), known) {
        (Some(near), _) => message!("did you mean `{}`?", plain(near)),
        (None, [only]) => message!("the only key is `{}`", plain(only)),
        (None, _) => message!(
            "keys are {}",
            plain(known.iter().take(12).copied().collect::<Vec<_>>().join(", "))
        ),
    };
    let of: Message = of.into();
    fields.unknown(item, message!("{of} has no key `{}`", plain(name)), help);
}
