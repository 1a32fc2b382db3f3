//! Scans Helm's templates without running them: finds the values that they read, and the features
//! that have no counterpart here.

use std::collections::BTreeMap;

/// What was found in a Helm template.
#[derive(Debug)]
pub(crate) struct Scanned<'a> {
    /// Its path in the chart.
    pub(crate) path: &'a str,
    /// The paths of the values that it reads.
    pub(crate) reads: Vec<Vec<&'a str>>,
    /// Whether it uses named templates, which read values too.
    pub(crate) has_includes: bool,
    /// The lines of features that cannot be imported.
    pub(crate) features: BTreeMap<Feature, Vec<usize>>,
    /// The values that conditions depend on, with their lines.
    pub(crate) conditions: Vec<(String, usize)>,
}

/// A feature of Helm whose result is fixed to the output of Helm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Feature {
    Lookup,
    Tpl,
    Random,
    Files,
    Capabilities,
}

impl Feature {
    pub(crate) const ALL: [Self; 5] =
        [Self::Lookup, Self::Tpl, Self::Random, Self::Files, Self::Capabilities];

    /// A description of the feature, to follow the name of a template.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Lookup => "reads objects of the cluster (lookup)",
            Self::Tpl => "renders values as templates (tpl)",
            Self::Random => "generates random values, certificates or dates",
            Self::Files => "reads files of the chart (.Files)",
            Self::Capabilities => "depends on the cluster's version (.Capabilities)",
        }
    }

    fn of_word(word: &str) -> Option<Self> {
        match word {
            "lookup" => Some(Self::Lookup),
            "tpl" => Some(Self::Tpl),
            "randAlphaNum" | "randAlpha" | "randNumeric" | "randAscii" | "randBytes" | "uuidv4"
            | "genPrivateKey" | "genCA" | "genCAWithKey" | "genSelfSignedCert"
            | "genSignedCert" | "htpasswd" | "now" | "derivePassword" => Some(Self::Random),
            _ if has_step(word, ".Files") => Some(Self::Files),
            _ if has_step(word, ".Capabilities") => Some(Self::Capabilities),
            _ => None,
        }
    }
}

impl Scanned<'_> {
    /// Whether the template may read the value at a path, or values below it.
    pub(crate) fn may_read(&self, path: &[&str]) -> bool {
        self.reads.iter().any(|it| path.starts_with(it) || it.starts_with(path))
    }

    /// Whether it only defines named templates.
    pub(crate) fn is_helper(&self) -> bool {
        let file = self.path.rsplit('/').next().unwrap_or_default();
        file.starts_with('_') || file == "NOTES.txt"
    }
}

/// Reads a template.
pub(crate) fn scan<'a>(path: &'a str, text: &'a str) -> Scanned<'a> {
    let mut scanned = Scanned {
        path,
        reads: Vec::new(),
        has_includes: false,
        features: BTreeMap::new(),
        conditions: Vec::new(),
    };
    let (mut rest, mut line) = (text, 1);
    while let Some(at) = rest.find("{{") {
        line += n_lines(&rest[..at]);
        let inner = &rest[at + 2..];
        let body = inner.trim_start_matches('-').trim_start();
        let close = if body.starts_with("/*") { "*/" } else { "}}" };
        let end = inner.find(close).unwrap_or(inner.len());
        if close == "}}" {
            scanned.action(&inner[..end], line);
        }
        line += n_lines(&inner[..end]);
        rest = &inner[end..];
    }
    scanned
}

impl<'a> Scanned<'a> {
    /// Reads the code between two pairs of braces.
    fn action(&mut self, text: &'a str, line: usize) {
        let is_word = |it: char| it.is_alphanumeric() || matches!(it, '.' | '_' | '$');
        let code = text.trim_matches('-').trim();
        let decides = ["if ", "else if ", "with ", "range "].iter().any(|it| code.starts_with(it));
        let mut is_quoted = false;
        for part in code.split_inclusive(['"', '`']) {
            let words = if is_quoted { "" } else { part };
            for word in words.split(|it| !is_word(it)).filter(|it| !it.is_empty()) {
                self.word(word, decides, line);
            }
            if part.ends_with(['"', '`']) {
                is_quoted = !is_quoted;
            }
        }
    }

    fn word(&mut self, word: &'a str, decides: bool, line: usize) {
        if matches!(word, "include" | "template") {
            self.has_includes = true;
        }
        if let Some(feature) = Feature::of_word(word) {
            let lines = self.features.entry(feature).or_default();
            if lines.last() != Some(&line) {
                lines.push(line);
            }
        }
        if !has_step(word, ".Values") {
            return;
        }
        let rest = word.split_once(".Values").map_or("", |(_, rest)| rest);
        let read: Vec<&str> = rest.split('.').filter(|it| !it.is_empty()).collect();
        if decides && !read.is_empty() {
            self.conditions.push((read.join("."), line));
        }
        self.reads.push(read);
    }
}

/// Whether a word is a field such as `.Values`, or one below it.
fn has_step(word: &str, step: &str) -> bool {
    let rest = word.strip_prefix('$').unwrap_or(word).strip_prefix(step);
    rest.is_some_and(|it| it.is_empty() || it.starts_with('.'))
}

fn n_lines(text: &str) -> usize {
    text.bytes().filter(|it| *it == b'\n').count()
}
