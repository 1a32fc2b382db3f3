//! Findings in files that change.

use crate::Fixture;

const PROJECT: &str = "=== p/plumb.yml\ntargets:\n  dev: {file: config}\n  prod: {file: config, data-value-yaml: [\"port=1\"]}\n\
                       === p/config/schema.yml\n#@data/values-schema\n---\nport: 80\nname: web\n";

#[test]
fn findings_are_those_of_all_targets() {
    let files = format!(
        "{PROJECT}=== p/config/a.yml\n#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.nam$0\n"
    );
    let mut fixture = Fixture::new(&files);
    let checked = fixture.check();
    let findings: Vec<_> = checked.findings.values().flatten().collect();
    let data_value = findings.iter().find(|it| it.message.contains("nam")).expect("it is unknown");
    assert_eq!(data_value.targets, ["dev", "prod"]);
    assert_eq!(data_value.fixes.len(), 1, "{data_value:?}");
    let edit = &data_value.fixes[0].edits[0];
    assert_eq!(edit.text, "name");
    assert_eq!(&fixture.text[edit.range.start as usize..edit.range.end as usize], "nam");
}

#[test]
fn a_corrected_file_has_no_findings() {
    let files = format!("{PROJECT}=== p/config/a.yml\na: [1$0\nx: 1\nb: {{\n");
    let mut fixture = Fixture::new(&files);
    let found = fixture.findings();
    assert_eq!(found.lines().count(), 2, "both unclosed brackets: {found}");
    fixture.edit("a: [1]\nb: {}\n");
    assert_eq!(fixture.findings(), "");
}

#[test]
fn without_a_project_the_directory_with_the_schema_is_one_target() {
    let mut fixture = Fixture::new(
        "=== app/schema.yml\n#@data/values-schema\n---\nname: web\n\
         === app/sub/a.yml\n#@ load(\"@ytt:data\", \"data\")\nx: #@ data.values.name$0\n\
         === other/b.yml\nc: [\n",
    );
    assert_eq!(fixture.findings(), "");
    assert_eq!(crate::shown(&fixture.check().root), "app");
    fixture.edit("x: #@ data.values.name\n");
    let found = fixture.findings();
    assert!(found.starts_with("app/sub/a.yml:1 template/undefined"), "{found}");
}

#[test]
fn all_syntax_errors_of_an_open_file_are_found() {
    let mut fixture =
        Fixture::new("=== a.yml\n#@ if True:\na: #@ f(1\nb: #@ 1 +\n#@ def g(:\n#@ end\nc: 1$0\n");
    let found = fixture.findings();
    assert!(found.lines().count() >= 3, "{found}");
    assert!(found.lines().all(|it| it.contains("template/syntax")), "{found}");
}

#[test]
fn files_that_are_not_templates_have_no_findings_about_code() {
    let text = "#@ if True\n# plain\na: 1\nb: [\n";
    let files = format!(
        "{PROJECT}=== p/config/a.yml\n{text}=== p/other.yml\n{text}=== p/plain/values.yml\nname: x\n"
    );
    let open = |path: &str| {
        let marked = files.replacen(&format!("{path}\n#@ if"), &format!("{path}\n$0#@ if"), 1);
        let mut fixture = Fixture::new(&marked);
        let found = fixture.findings();
        let own = found.lines().filter(|it| it.starts_with(path));
        own.map(|it| it.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    let template = open("p/config/a.yml");
    assert!(template.iter().any(|it| it.ends_with("template/syntax")), "{template:?}");
    assert_eq!(open("p/other.yml"), ["p/other.yml:4 yaml/syntax"]);
}

#[test]
fn a_project_file_is_not_a_template() {
    let project = "targets:\n  dev: {file: config}\n";
    let files = format!("=== p/config/a.yml\na: 1\n=== p/plumb.yml\n$0# x\n#@ x\n{project}");
    assert_eq!(Fixture::new(&files).findings(), "");
}

#[test]
fn all_data_values_that_do_not_exist_are_found_at_once() {
    let files = format!(
        "{PROJECT}=== p/config/a.yml\n#@ load(\"@ytt:data\", \"data\")\n#@ if data.values.x:\na: #@ data.values.y\n#@ end\nb: #@ data.values.z + data.values.prot$0\n"
    );
    let found = Fixture::new(&files).findings();
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), 4, "{found}");
    for (line, name) in
        lines.iter().zip(["2 template/evaluation there is no data value `x`", "3 ", "5 ", "5 "])
    {
        assert!(line.starts_with(&format!("p/config/a.yml:{name}")), "{found}");
    }
}
