//! Virtual machines with rules, and resources with schemas.

use crate::Fixture;

fn template(rules: &str) -> String {
    format!(
        "=== vm.yaml\napiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata:\n  name: small\n  annotations:\n    \
         vm.kubevirt.io/validations: |\n{rules}spec: {{template: {{spec: {{domain: {{cpu: {{cores: 1}}}}}}}}}}\n"
    )
}

fn completions(text: &str) -> Vec<String> {
    let mut fixture = Fixture::new(text);
    let (path, offset) = (fixture.path.clone(), fixture.offset);
    fixture.analysis().completions(&path, offset).into_iter().map(|it| it.label).collect()
}

#[test]
fn findings_point_into_the_json_of_the_rules() {
    let rules = "      [{\"name\": \"cores\", \"rule\": \"integer\", \"min\": 2, \"message\": \"expected 2\",\n        \
                 \"path\": \"jsonpath::.spec.domain.cpu.cors\"}]\n";
    let mut fixture = Fixture::new(&template(&format!("{rules}$0")));
    let checked = fixture.check();
    let findings: Vec<_> = checked.findings.values().flatten().collect();
    let texts: Vec<&str> = findings
        .iter()
        .map(|it| &fixture.text[it.range.start as usize..it.range.end as usize])
        .collect();
    assert!(texts.iter().any(|it| it.contains("cors")), "{findings:#?}");
}

#[test]
fn rules_are_completed() {
    let keys = completions(&template("      [{\"name\": \"a\", \"rule\": \"integer\", \"m$0\n"));
    assert_eq!(keys, ["path", "message", "valid", "justWarning", "min", "max"]);
    let kinds = completions(&template("      [{\"rule\": \"$0\n"));
    assert_eq!(kinds, ["integer", "string", "regex", "enum"]);
    let fields = completions(&template("      [{\"path\": \"jsonpath::.spec.domain.cpu.$0\n"));
    assert!(fields.contains(&"cores".to_owned()), "{fields:?}");
    let elsewhere = completions("=== a.yaml\nvalidations: none\nx: $0\n");
    assert_eq!(elsewhere, Vec::<String>::new());
}

#[test]
fn a_machine_is_checked_against_the_templates_next_to_it() {
    let rules = "      [{\"name\": \"cores\", \"rule\": \"integer\", \"min\": 2, \"message\": \"too few\", \
                 \"path\": \"jsonpath::.spec.domain.cpu.cores\"}]\n";
    let template = template(rules).replace("=== vm.yaml", "=== templates/t.yaml");
    let machine = "=== web.yaml\napiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata:\n  name: web\nspec: {template: {spec: {domain: {cpu: {cores: 1}}}}}$0\n";
    let found = Fixture::new(&format!("{template}{machine}")).findings();
    assert!(found.contains("web.yaml:5 kubevirt/rule-broken"), "{found}");
}

const PROJECT: &str = "=== p/plumb.yml\ntargets:\n  dev: {file: config, kube-schemas: schemas}\n\
    === p/schemas/all.json\n{\"definitions\": {\"Pod\": {\"x-kubernetes-group-version-kind\": [{\"group\": \"\", \"version\": \"v1\", \
    \"kind\": \"Pod\"}], \"properties\": {\"apiVersion\": {\"type\": \"string\"}, \"kind\": {\"type\": \"string\"}, \
    \"metadata\": {\"type\": \"object\"}, \"spec\": {\"type\": \"object\", \"required\": [\"containers\"], \"properties\": \
    {\"containers\": {\"type\": \"array\", \"items\": {\"type\": \"object\", \"properties\": {\"image\": {\"type\": \"string\", \
    \"description\": \"The image\"}, \"name\": {\"type\": \"string\"}}}}, \"hostNetwork\": {\"type\": \"boolean\"}}}}}}}\n";

#[test]
fn fields_of_resources_are_completed_by_their_schemas() {
    let pod = |rest: &str| {
        format!(
            "{PROJECT}=== p/config/a.yml\napiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\n{rest}"
        )
    };
    assert_eq!(completions(&pod("s$0\n")), ["spec"]);
    assert_eq!(completions(&pod("spec:\n  $0\n")), ["containers", "hostNetwork"]);
    let items = pod("spec:\n  containers:\n  - name: a\n    #@ if True:\n    i$0\n");
    assert_eq!(completions(&items), ["image"]);
}

#[test]
fn a_wrong_field_is_found_at_the_line_of_the_template() {
    let text = format!(
        "{PROJECT}=== p/config/a.yml\n#@ flag = \"yes\"\napiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n  containers: []\n  hostNetwork: #@ flag$0\n"
    );
    let found = Fixture::new(&text).findings();
    assert!(found.starts_with("p/config/a.yml:7 kube/wrong-type"), "{found}");
}
