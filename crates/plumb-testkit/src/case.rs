//! The case-file format: parses Markdown into cases, and writes new expectations back.

use std::path::{Path, PathBuf};

/// A Markdown file of cases.
#[derive(Debug)]
pub struct CaseFile {
    pub path: PathBuf,
    pub cases: Vec<Case>,
    lines: Vec<String>,
}

/// A case: a heading, input files, and the expectations that belong to it.
#[derive(Debug)]
pub struct Case {
    /// The heading, which describes what happens.
    pub title: String,
    pub inputs: Vec<InputFile>,
    pub expectations: Vec<Expectation>,
    /// The line of the heading, counted from 1.
    pub line: usize,
}

/// A file that a case provides.
#[derive(Debug)]
pub struct InputFile {
    pub name: String,
    pub text: String,
}

/// A fenced block with the expected result.
#[derive(Debug)]
pub struct Expectation {
    /// The language of the block, such as `output`.
    pub kind: String,
    pub text: String,
    /// The lines of the block's content, as a range of line indexes.
    lines: std::ops::Range<usize>,
}

impl CaseFile {
    /// Parses a case file. A block is an input if its info string names a file, an expectation if
    /// its language is one of `kinds`, and prose otherwise.
    pub fn parse(path: &Path, text: &str, kinds: &[&str]) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut cases: Vec<Case> = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            if let Some(title) = lines[at].strip_prefix("## ") {
                cases.push(Case {
                    title: title.trim().to_owned(),
                    inputs: Vec::new(),
                    expectations: Vec::new(),
                    line: at + 1,
                });
            } else if let Some(fence) = Fence::open(&lines[at]) {
                let start = at + 1;
                let length = lines[start..].iter().position(|line| fence.is_closed_by(line));
                let end = start + length.unwrap_or(lines.len() - start);
                if let Some(case) = cases.last_mut() {
                    case.add_block(&fence.info, &lines, start..end, kinds);
                }
                at = end;
            }
            at += 1;
        }
        Self { path: path.to_owned(), cases, lines }
    }

    /// The text of the file with `contents` for the expectations of one case, in their order.
    pub fn with_expectations(&self, case: &Case, contents: &[String]) -> String {
        let mut lines = Vec::new();
        let mut copied = 0;
        for (expectation, content) in case.expectations.iter().zip(contents) {
            lines.extend(self.lines[copied..expectation.lines.start].iter().map(String::as_str));
            lines.extend(content.lines());
            copied = expectation.lines.end;
        }
        lines.extend(self.lines[copied..].iter().map(String::as_str));
        lines.join("\n") + "\n"
    }
}

impl Case {
    fn add_block(
        &mut self,
        info: &str,
        lines: &[String],
        range: std::ops::Range<usize>,
        kinds: &[&str],
    ) {
        let text: String = lines[range.clone()].iter().flat_map(|line| [line, "\n"]).collect();
        let language = info.split_whitespace().next().unwrap_or_default();
        let file = info.split_whitespace().find_map(|word| word.strip_prefix("file="));
        if let Some(name) = file {
            self.inputs.push(InputFile { name: name.to_owned(), text });
        } else if kinds.contains(&language) {
            self.expectations.push(Expectation { kind: language.to_owned(), text, lines: range });
        }
    }
}

/// The opening line of a fenced block.
struct Fence {
    ticks: usize,
    info: String,
}

impl Fence {
    fn open(line: &str) -> Option<Self> {
        let info = line.trim_start_matches('`');
        let ticks = line.len() - info.len();
        (ticks >= 3).then(|| Self { ticks, info: info.trim().to_owned() })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        line.len() >= self.ticks && line.bytes().all(|byte| byte == b'`')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# Topic

## It works

Because it must.

```yaml file=a.yml
a: 1
```

```output
old
```

## It fails

````diagnostics
```
````
";

    fn parsed() -> CaseFile {
        CaseFile::parse(Path::new("topic.md"), TEXT, &["output", "diagnostics"])
    }

    #[test]
    fn headings_are_cases_and_blocks_their_inputs_and_expectations() {
        let file = parsed();
        let titles: Vec<_> = file.cases.iter().map(|case| &*case.title).collect();
        assert_eq!(titles, ["It works", "It fails"]);
        assert_eq!(file.cases[0].inputs[0].name, "a.yml");
        assert_eq!(file.cases[0].inputs[0].text, "a: 1\n");
        assert_eq!(file.cases[0].expectations[0].text, "old\n");
        assert_eq!(file.cases[1].expectations[0].text, "```\n");
    }

    #[test]
    fn only_expectations_are_rewritten() {
        let file = parsed();
        let (first, second) = (&file.cases[0], &file.cases[1]);
        assert_eq!(file.with_expectations(second, &["```\n".to_owned()]), TEXT);
        let new = file.with_expectations(first, &["new\nlines\n".to_owned()]);
        assert_eq!(new, TEXT.replace("old\n", "new\nlines\n"));
    }
}
