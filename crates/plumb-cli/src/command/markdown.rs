//! Renders pages of the manual for a terminal, without distracting Markdown markup.

/// Whether the terminal can show styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Terminal,
    Plain,
}

#[derive(Clone, Copy)]
enum Style {
    Heading,
    Code,
    Prompt,
}

/// The text of a page. Headings are emphasized, blocks are indented, and the name of a file is
/// printed above it.
pub(super) fn rendered(page: &str, ink: Ink) -> String {
    let mut out = String::new();
    let mut is_in_block = false;
    for line in page.lines() {
        if let Some(info) = line.strip_prefix("```") {
            is_in_block = !is_in_block;
            let name = info.split(' ').find_map(|it| it.strip_prefix("file="));
            if let Some(name) = name.filter(|_| is_in_block) {
                out.extend(["  ", &styled(name, Style::Code, ink), ":\n"]);
            }
            continue;
        }
        let shown = match line {
            "" => String::new(),
            _ if is_in_block && line.starts_with("$ ") => {
                format!("    {}", styled(line, Style::Prompt, ink))
            }
            _ if is_in_block => format!("    {line}"),
            _ if line.starts_with('#') => {
                let title = line.trim_start_matches('#').trim_start().replace('`', "");
                styled(&title, Style::Heading, ink)
            }
            _ => prose(line, ink),
        };
        out.push_str(&shown);
        out.push('\n');
    }
    out
}

/// A line of text: code is styled, and links are replaced by their text.
fn prose(line: &str, ink: Ink) -> String {
    let line = without_links(line);
    if ink == Ink::Plain {
        return line;
    }
    let mut out = String::new();
    for (at, part) in line.split('`').enumerate() {
        match at % 2 {
            0 => out.push_str(part),
            _ => out.push_str(&styled(part, Style::Code, ink)),
        }
    }
    out
}

/// `[text](target)` as `text`.
fn without_links(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('[') {
        let link = after.split_once("](").and_then(|(text, target)| {
            let (_, behind) = target.split_once(')')?;
            Some((text, behind))
        });
        out.push_str(before);
        match link {
            Some((text, behind)) => {
                out.push_str(text);
                rest = behind;
            }
            None => {
                out.push('[');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn styled(text: &str, style: Style, ink: Ink) -> String {
    let code = match style {
        Style::Heading => "1",
        Style::Code => "36",
        Style::Prompt => "2",
    };
    match ink {
        Ink::Terminal => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        Ink::Plain => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
# `yaml/syntax`

The [text](x.md) is not `YAML`, [see].

```yaml file=a.yml
a: [1
```

```console
$ plumb -f a.yml
error
```
";

    #[test]
    fn a_page_is_plain_text_for_programs() {
        let expected = "\
yaml/syntax

The text is not `YAML`, [see].

  a.yml:
    a: [1

    $ plumb -f a.yml
    error
";
        assert_eq!(rendered(PAGE, Ink::Plain), expected);
    }

    #[test]
    fn a_page_has_styles_on_a_terminal() {
        let text = rendered(PAGE, Ink::Terminal);
        assert!(text.starts_with("\u{1b}[1myaml/syntax\u{1b}[0m\n"), "{text}");
        assert!(text.contains("is not \u{1b}[36mYAML\u{1b}[0m"), "{text}");
    }
}
