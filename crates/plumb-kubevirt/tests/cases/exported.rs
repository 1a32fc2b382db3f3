//! Exported policies decide as `vm check` does, on all recorded machines that they cover.

use plumb_kubevirt::export::{self, Export, ExportOptions, Input};
use plumb_source::{Origin, SourceKind, Sources};
use plumb_testkit::Skip;
use plumb_value::{Map, MapItem, Node};
use serde_json::Value;

use crate::corpus::{cases, corpus, documents};

pub(crate) const COMMON: &str =
    "exported::policies_of_the_common_templates_decide_as_vm_check_does";
pub(crate) const ALL: &str = "exported::policies_of_all_recorded_rules_decide_as_vm_check_does";

/// The annotation with a machine's own rules.
const RULES: &str = "vm.kubevirt.io/validations";

fn export(sources: &Sources, template: &[String], machines: &[String]) -> Export {
    let add = |text: &String| sources.add("case.yaml", SourceKind::File, text.as_bytes().into());
    let templates: Vec<_> = template.iter().map(add).collect();
    let machines: Vec<_> = machines.iter().map(add).collect();
    let options = ExportOptions { prefix: "plumb-vm".to_owned(), namespace: "kubevirt".to_owned() };
    let input =
        Input { templates: &templates, machines: &machines, unreadable: &[], options: &options };
    export::export(sources, input)
}

fn findings(export: &Export) -> String {
    let shown = |it: &plumb_diagnostic::Diagnostic| {
        format!("{} {} {:?}", it.code, it.message.shown(), it.help)
    };
    export.diagnostics.iter().map(shown).collect::<Vec<_>>().join("\n")
}

/// All common templates in one export, and the machines that were recorded with them: each carries
/// a copy of its template's rules.
pub(crate) fn common() -> Result<(), Skip> {
    let cases = cases(&corpus()?);
    let text = |case: &Value, key: &str| case[key].as_str().map(str::to_owned);
    let is_common = |case: &&Value| case["reference"]["origin"] == "common-templates-v0.35.0";
    let templates: Vec<String> =
        cases.iter().filter(is_common).filter_map(|it| text(it, "template")).collect();
    let machines: Vec<String> =
        cases.iter().filter(is_common).filter_map(|it| text(it, "vm")).collect();
    let export = export(&Sources::new(), &templates, &machines);
    assert_eq!((export.templates, export.policies), (117, 5), "{}", findings(&export));
    let counted = export.comparison;
    let of_both = (counted.accepted, counted.refused);
    assert_eq!((of_both, counted.different, counted.uncovered), ((150, 171), 0, 0), "{counted}");
    Ok(())
}

/// The rules of each recorded machine or template as a separate template, which the virtual machine
/// names.
pub(crate) fn all() -> Result<(), Skip> {
    let mut failures = Vec::new();
    let (mut accepted, mut refused, mut uncovered, mut faulty) = (0, 0, 0, 0);
    for case in cases(&corpus()?).iter().filter(|case| case.get("vm").is_some()) {
        let vm = documents(case["vm"].as_str().expect("a case has a machine"));
        let machine = &vm[0].node;
        let Some(rules) = rules_of(machine).or_else(|| rules_of_template(case)) else { continue };
        let template = template(&rules);
        let machine = bound(machine);
        let sources = Sources::new();
        let export = export(&sources, &[printed(&template)], &[printed(&machine)]);
        if export.policies == 0 && !export.is_ok() {
            faulty += 1;
            continue;
        }
        accepted += export.comparison.accepted;
        refused += export.comparison.refused;
        uncovered += export.comparison.uncovered;
        if export.comparison.different > 0 {
            failures.push(format!("{}: {}", case["name"], findings(&export)));
        }
    }
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert_eq!((accepted, refused, uncovered, faulty), (272, 273, 81, 76));
    Ok(())
}

fn get<'n>(node: &'n Node, path: &[&str]) -> Option<&'n Node> {
    path.iter().try_fold(node, |node, key| node.as_map()?.get_str(key))
}

fn rules_of(machine: &Node) -> Option<String> {
    let rules = get(machine, &["metadata", "annotations", RULES])?.as_str()?;
    (!rules.is_empty()).then(|| rules.to_owned())
}

fn rules_of_template(case: &Value) -> Option<String> {
    let template = documents(case["template"].as_str()?);
    let node = &template.first()?.node;
    let own = get(node, &["metadata", "annotations", "validations"]).and_then(Node::as_str);
    let objects = get(node, &["objects"]).and_then(Node::as_array);
    let of_machine = || objects?.items.iter().find_map(|it| rules_of(&it.node));
    own.map(str::to_owned).or_else(of_machine)
}

fn map(items: Vec<(&str, Node)>) -> Node {
    let items = items.into_iter().map(|(key, it)| MapItem::new(key.into(), it, Origin::Unknown));
    Node::map(Map::new(items.collect(), Origin::Unknown))
}

fn template(rules: &str) -> Node {
    let annotations = map(vec![("validations", rules.into())]);
    let metadata = vec![
        ("name", "recorded".into()),
        ("namespace", "here".into()),
        ("annotations", annotations),
    ];
    map(vec![("kind", "Template".into()), ("metadata", map(metadata))])
}

/// The virtual machine without its own rules, and with the labels that name the template.
fn bound(machine: &Node) -> Node {
    let labels = map(vec![
        ("vm.kubevirt.io/template", "recorded".into()),
        ("vm.kubevirt.io/template.namespace", "here".into()),
    ]);
    let mut machine = machine.clone();
    if get(&machine, &["metadata"]).and_then(Node::as_map).is_none() {
        set(&mut machine, "metadata", map(Vec::new()));
    }
    let mut metadata = get(&machine, &["metadata"]).expect("it was just set").clone();
    if let Some(annotations) = get(&metadata, &["annotations"]).and_then(Node::as_map) {
        let mut annotations = annotations.clone();
        annotations.items_mut().retain(|it| it.key.as_str() != Some(RULES));
        set(&mut metadata, "annotations", Node::map(annotations));
    }
    set(&mut metadata, "labels", labels);
    set(&mut machine, "metadata", metadata);
    set(&mut machine, "kind", "VirtualMachine".into());
    machine
}

fn set(node: &mut Node, key: &str, value: Node) {
    let map = node.map_mut().expect("an object");
    map.items_mut().retain(|it| it.key.as_str() != Some(key));
    map.push(MapItem::new(key.into(), value, Origin::Unknown));
}

fn printed(node: &Node) -> String {
    let mut out = Vec::new();
    plumb_yaml::print::node(node, &mut out);
    String::from_utf8(out).expect("YAML is UTF-8")
}
