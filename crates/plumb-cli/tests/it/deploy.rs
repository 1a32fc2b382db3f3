//! `deploy/plumb` renders what the kustomizations of `deploy/` describe.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

const PLUMB: &str = env!("CARGO_BIN_EXE_plumb");

fn deploy() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy")
}

/// The documents that Plumb prints, sorted by kind.
fn documents(arguments: &[&str]) -> Vec<Value> {
    let mut command = Command::new(PLUMB);
    let output = command.args(["-o", "json"]).args(arguments).current_dir(deploy()).output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = serde_json::Deserializer::from_slice(&output.stdout).into_iter();
    let mut documents: Vec<Value> = read.collect::<Result<_, _>>().expect("JSON");
    documents.sort_by_key(|it| it["kind"].to_string());
    documents
}

/// The objects of the files, with the labels that the kustomization adds.
fn written(files: &[&str]) -> Vec<Value> {
    let mut arguments = vec!["--file-mark", "**/*:type=yaml-plain"];
    arguments.extend(files.iter().flat_map(|it| ["-f", *it]));
    let mut objects = documents(&arguments);
    for object in &mut objects {
        let labels = object["metadata"]["labels"].as_object().cloned().unwrap_or_default();
        let mut labels = Value::Object(labels);
        labels["app.kubernetes.io/name"] = "plumb-webhook".into();
        labels["app.kubernetes.io/part-of"] = "plumb".into();
        object["metadata"]["labels"] = labels;
    }
    objects
}

const BASE: [&str; 7] = [
    "base/namespace.yaml",
    "base/deployment.yaml",
    "base/service.yaml",
    "base/webhook.yaml",
    "base/disruption.yaml",
    "base/autoscaling.yaml",
    "base/network.yaml",
];

#[test]
fn the_templates_render_the_base() {
    assert_eq!(documents(&["-f", "plumb"]), written(&BASE));
}

#[test]
fn the_namespace_is_the_first_object() {
    let mut command = Command::new(PLUMB);
    let output = command.args(["-f", "plumb"]).current_dir(deploy()).output();
    let text = String::from_utf8(output.expect("the program starts").stdout).expect("text");
    assert!(text.starts_with("apiVersion: v1\nkind: Namespace\n"), "{text}");
}

#[test]
fn what_overlays_add_is_rendered_on_request() {
    let flags = |values: &[&'static str]| {
        let mut flags = vec!["-f", "plumb"];
        flags.extend(values.iter().flat_map(|it| ["--data-value-yaml", *it]));
        documents(&flags)
    };
    let base = flags(&[]);
    let added = |values: &[&'static str]| -> Vec<Value> {
        let kinds: Vec<&Value> = base.iter().map(|it| &it["kind"]).collect();
        flags(values).into_iter().filter(|it| !kinds.contains(&&it["kind"])).collect()
    };
    let issued = added(&["certificates=cert-manager"]);
    assert_eq!(issued, written(&["cert-manager/certificate.yaml"]));
    assert_eq!(added(&["monitoring=true"]), written(&["monitoring/monitor.yaml"]));
    assert_eq!(added(&["templates=api"]), written(&["watch/access.yaml"]));
    assert_eq!(added(&["certificates=openshift"]), Vec::<Value>::new());
    let watching = flags(&["templates=api"]);
    let deployment = watching.iter().find(|it| it["kind"] == "Deployment").expect("a deployment");
    let arguments = &deployment["spec"]["template"]["spec"]["containers"][0]["args"];
    assert_eq!(arguments[5], json!("--watch-templates"));
}
