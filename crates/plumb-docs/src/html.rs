//! A reference as one page in HTML, which needs no other file.

use std::fmt::Write as _;

use crate::prose::{Part, parts};
use crate::{Default, Heading, Key, Reference, Section};

/// Supports light and dark mode, print, and narrow screens, on which a row becomes a block.
const STYLE: &str = include_str!("page.css");

/// Returns a reference as a page in HTML.
pub fn html(reference: &Reference) -> String {
    let mut out = String::new();
    let title = escaped(&reference.title);
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    write_contents(reference, &mut out);
    let _ = writeln!(out, "<header>\n<h1>{title}</h1>");
    paragraphs(&reference.description, &mut out);
    if !reference.rules.is_empty() {
        let _ = writeln!(
            out,
            "<p class=\"rules\">Expected: {}</p>",
            prose(&reference.rules.join("; "))
        );
    }
    write_required(reference, &mut out);
    out.push_str("</header>\n<main>\n");
    reference.sections.iter().for_each(|it| write_section(it, &mut out));
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// The values that must be given: most readers look for them first.
fn write_required(reference: &Reference, out: &mut String) {
    let link = |key: &Key| {
        format!("<a href=\"#{}\"><code>{}</code></a>", key.anchor, breakable(&key.path))
    };
    let links: Vec<String> = reference.required().map(link).collect();
    if !links.is_empty() {
        let links = links.join(", ");
        let _ = writeln!(out, "<p class=\"needed\"><strong>Required:</strong> {links}</p>");
    }
}

/// The table of contents, as nested lists.
fn write_contents(reference: &Reference, out: &mut String) {
    out.push_str("<nav aria-label=\"Contents\">\n<details open>\n<summary>Contents</summary>\n");
    let mut open = 0;
    for section in &reference.sections {
        if section.level > open {
            out.push_str("<ul>\n");
            open += 1;
        } else {
            out.push_str("</li>\n");
            while open > section.level {
                out.push_str("</ul>\n</li>\n");
                open -= 1;
            }
        }
        let text = match &section.heading {
            Heading::Words(text) => escaped(text),
            // The enclosing list item already shows the rest of the path.
            Heading::Path(path) => escaped(last_part(path, section.level)),
        };
        let _ = write!(out, "<li><a href=\"#{}\">{text}</a>", section.anchor);
    }
    out.push_str(&"</li>\n</ul>\n".repeat(open));
    out.push_str("</details>\n</nav>\n");
}

/// The last key of a path, for a section that is below another.
fn last_part(path: &str, level: usize) -> &str {
    if level <= 1 || path.contains('"') {
        return path;
    }
    path.rsplit_once('.').map_or(path, |(_, last)| if last == "*" { path } else { last })
}

fn write_section(section: &Section, out: &mut String) {
    let level = (section.level + 1).min(6);
    let heading = match &section.heading {
        Heading::Words(text) => escaped(text),
        Heading::Path(path) => format!("<code>{}</code>", breakable(path)),
    };
    let anchor = &section.anchor;
    let _ = writeln!(
        out,
        "<section id=\"{anchor}\">\n<h{level}>{heading} <a class=\"here\" href=\"#{anchor}\" aria-label=\"Link to this section\">#</a></h{level}>"
    );
    if !section.remark.is_empty() {
        let _ = writeln!(out, "<p class=\"remark\">{}</p>", prose(&section.remark));
    }
    paragraphs(&section.description, out);
    if !section.keys.is_empty() {
        out.push_str(
            "<table>\n<thead><tr><th>Key</th><th>Type</th><th>Default</th><th>Description</th></tr></thead>\n<tbody>\n",
        );
        section.keys.iter().for_each(|it| write_key(it, out));
        out.push_str("</tbody>\n</table>\n");
    }
    out.push_str("</section>\n");
}

fn write_key(key: &Key, out: &mut String) {
    let class = if key.deprecation.is_some() { " class=\"deprecated\"" } else { "" };
    let _ = write!(
        out,
        "<tr id=\"{0}\"{class}><td class=\"key\"><a href=\"#{0}\" title=\"{1}\"><code>{2}</code></a></td>\
         <td class=\"type\">{3}</td><td class=\"default\">{4}</td><td class=\"about\">",
        key.anchor,
        escaped(&key.path),
        breakable(&key.name),
        escaped(&key.type_name),
        default(&key.default)
    );
    if let Some(reason) = &key.deprecation {
        let _ =
            write!(out, "<p class=\"warning\"><strong>Deprecated</strong> {}</p>", prose(reason));
    }
    if !key.title.is_empty() {
        let _ = write!(out, "<p><strong>{}</strong></p>", escaped(&key.title));
    }
    paragraphs(&key.description, out);
    match key.rules.as_slice() {
        [] => {}
        [only] => {
            let _ = write!(out, "<p class=\"rules\">Expected: {}</p>", prose(only));
        }
        several => {
            out.push_str("<div class=\"rules\">Expected:<ul>");
            for rule in several {
                let _ = write!(out, "<li>{}</li>", prose(rule));
            }
            out.push_str("</ul></div>");
        }
    }
    for example in &key.examples {
        let about = match example.description.as_str() {
            "" => String::new(),
            about => format!(" ({})", prose(about)),
        };
        let _ =
            write!(out, "<div class=\"example\">Example{about}: {}</div>", value(&example.value));
    }
    for link in &key.below {
        // The section's heading already shows the rest of the path.
        let text = if link.text == key.path { &key.name } else { &link.text };
        let _ = write!(
            out,
            "<p class=\"below\"><a href=\"#{}\">Keys of <code>{}</code></a></p>",
            link.anchor,
            breakable(text)
        );
    }
    out.push_str("</td></tr>\n");
}

fn default(default: &Default) -> String {
    match default {
        Default::Required => "<strong class=\"required\">required</strong>".to_owned(),
        Default::Absent => "<em>not set</em>".to_owned(),
        Default::Hidden => "<em>hidden</em>".to_owned(),
        Default::Below => String::new(),
        Default::Value(text) => value(text),
    }
}

fn value(text: &str) -> String {
    if text.contains('\n') {
        format!("<pre><code>{}</code></pre>", escaped(text))
    } else {
        format!("<code>{}</code>", escaped(text))
    }
}

/// Paragraphs of an author, separated by empty lines.
fn paragraphs(text: &str, out: &mut String) {
    for paragraph in text.split("\n\n").map(str::trim).filter(|it| !it.is_empty()) {
        let _ = write!(out, "<p>{}</p>", prose(paragraph).replace('\n', "<br>"));
    }
}

fn prose(text: &str) -> String {
    let parts = parts(text).into_iter().map(|part| match part {
        Part::Words(words) => escaped(words),
        Part::Code(text) => format!("<code>{}</code>", escaped(text)),
        Part::Link(link) => format!("<a href=\"{0}\" rel=\"noreferrer\">{0}</a>", escaped(link)),
    });
    parts.collect()
}

/// A path that may be broken after each key.
fn breakable(path: &str) -> String {
    escaped(path).replace('.', ".<wbr>")
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(letter),
        }
    }
    out
}
