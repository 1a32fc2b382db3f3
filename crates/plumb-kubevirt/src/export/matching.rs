//! Selects the virtual machines that a policy applies to: the same selection as in
//! `machine::source`, in CEL.

use super::names::{OBJECT, PARAMETERS};
use super::unit::{Unit, Units};
use crate::machine::{OLD_TEMPLATE_NAMESPACE, RULES, SKIP, TEMPLATE, TEMPLATE_NAMESPACE};

/// The key of a parameter with the names of templates, one per line.
pub(super) const TEMPLATES: &str = "templates";

/// The prefix of the keys of parameters with annotations.
pub(super) const TEXTS: &str = "rules.";

/// The conditions under which a policy applies, each with a name.
pub(super) fn conditions(
    unit: &Unit,
    units: &Units,
    has_parameters: bool,
) -> Vec<(&'static str, String)> {
    vec![
        ("not-being-deleted", format!("!{OBJECT}.?metadata.?deletionTimestamp.hasValue()")),
        ("not-skipped", format!("!{}.hasValue()", annotation(SKIP))),
        ("has-these-rules", has_rules(unit, units, has_parameters)),
    ]
}

fn annotation(key: &str) -> String {
    format!("{OBJECT}.?metadata.?annotations[?{}]", plumb_cel::quoted(key))
}

/// The rules in a virtual machine's own annotation take precedence. They count as the rules of a
/// template if the annotation is an unchanged copy.
fn has_rules(unit: &Unit, units: &Units, has_parameters: bool) -> String {
    let own = format!("{}.orValue(\"\")", annotation(RULES));
    let texts = || unit.variants.values().flat_map(|it| &it.texts);
    let is_copy = if has_parameters {
        let is_text = format!("key.startsWith({})", plumb_cel::quoted(TEXTS));
        format!("{PARAMETERS}.data.exists(key, {is_text} && {PARAMETERS}.data[key] == {own})")
    } else {
        let texts: Vec<String> = texts().map(|it| plumb_cel::quoted(it)).collect();
        format!("{own} in [\n    {}]", texts.join(",\n    "))
    };
    if unit.n_templates() == 0 {
        return is_copy;
    }
    let names = || unit.variants.values().flat_map(|it| &it.templates);
    let listed = if has_parameters {
        format!("{PARAMETERS}.data.{TEMPLATES}.split(\"\\n\")")
    } else {
        list(names())
    };
    let is_listed = if names().any(|it| it.starts_with("*/")) {
        let mut of_any = format!("\"*\" + template.substring(template.indexOf(\"/\")) in {listed}");
        let names: Vec<&str> = names().filter_map(|it| it.strip_prefix("*/")).collect();
        let is_other =
            |it: &&String| it.split_once('/').is_some_and(|(_, name)| names.contains(&name));
        let others: Vec<&String> = units.full_names.iter().filter(is_other).collect();
        if !others.is_empty() {
            of_any = format!("{of_any} && !(template in {})", list(others.into_iter()));
        }
        let first = first_name();
        format!("[{first}].exists(template, template in {listed} || template != \"\" && {of_any})")
    } else {
        format!("{} in {listed}", first_name())
    };
    format!("{own} == \"\"\n? {is_listed}\n: {is_copy}")
}

/// The template that the virtual machine names, as `namespace/name`: in its labels if these are
/// complete, else in its annotations. Empty if neither is complete.
fn first_name() -> String {
    let of = |key: &str| format!("names[?{}].orValue(\"\")", plumb_cel::quoted(key));
    let (name, namespace, old) = (of(TEMPLATE), of(TEMPLATE_NAMESPACE), of(OLD_TEMPLATE_NAMESPACE));
    let metadata = |key: &str| format!("{OBJECT}.?metadata.?{key}.orValue({{}})");
    let (labels, annotations) = (metadata("labels"), metadata("annotations"));
    let namespace = format!("optional.ofNonZeroValue({namespace}).orValue({old})");
    format!(
        "([{labels}, {annotations}]\n  .map(names,\n    {namespace}\n    + \"/\" + {name})\n  \
         .filter(name, !name.startsWith(\"/\") && !name.endsWith(\"/\"))\n  + [\"\"])[0]"
    )
}

fn list<'n>(names: impl Iterator<Item = &'n String>) -> String {
    let names: Vec<String> = names.map(|it| plumb_cel::quoted(it)).collect();
    format!("[\n    {}]", names.join(",\n    "))
}
