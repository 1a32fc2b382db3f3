//! The manifests of `deploy/`: the API server must accept them, without unknown fields, and
//! `deploy/plumb` must render the same objects.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::Outcome;
use crate::client::Client;
use crate::kubectl::Kubectl;
use crate::machines::documents;
use crate::plumb;

/// The data values with which `deploy/plumb` renders the same as a kustomization.
const VARIANTS: [(&str, &[&str]); 5] = [
    ("base", &[]),
    ("openshift", &["certificates=openshift"]),
    ("openshift-watch", &["certificates=openshift", "templates=api"]),
    ("cert-manager", &["certificates=cert-manager"]),
    ("cert-manager-watch", &["certificates=cert-manager", "templates=api"]),
];

/// Kinds that other projects define: group, kind and plural.
const FOREIGN: [(&str, &str, &str); 3] = [
    ("cert-manager.io", "Issuer", "issuers"),
    ("cert-manager.io", "Certificate", "certificates"),
    ("monitoring.coreos.com", "ServiceMonitor", "servicemonitors"),
];

/// The numbers of results.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) applied: usize,
    pub(crate) refused: usize,
    /// The number of kustomizations that `deploy/plumb` renders identically, and of the others.
    pub(crate) equal: usize,
    pub(crate) different: usize,
}

/// Applies each directory that the README names, in the way that it describes, and compares the
/// output of `deploy/plumb` with that of kustomize.
pub(crate) fn apply(
    client: &Client,
    kubectl: &Kubectl,
    root: &Path,
    scratch: &Path,
) -> Outcome<Counts> {
    for (group, kind, plural) in FOREIGN {
        let path = format!("/apis/{group}/v1/{plural}");
        client.define_at(&definition(group, kind, plural), &path)??;
    }
    let mut counts = Counts::default();
    let readme = fs::read_to_string(root.join("deploy/README.md"))?;
    for directory in readme.split("kubectl apply -k deploy/").skip(1) {
        let end = directory.find(|it: char| !it.is_ascii_lowercase() && it != '-');
        let directory = &directory[..end.unwrap_or(directory.len())];
        let path = root.join("deploy").join(directory);
        match kubectl.run(&["apply", "--validate=strict", "-k"], &path)? {
            Ok(_) => counts.applied += 1,
            Err(refusal) => {
                counts.refused += 1;
                println!("kubectl apply -k deploy/{directory}: {refusal}");
            }
        }
    }
    for (directory, values) in VARIANTS {
        let built = kubectl.run(&["kustomize"], &root.join("deploy").join(directory))??;
        let mut command = plumb::command()?;
        command.args(["-f", "deploy/plumb"]).current_dir(root);
        for value in values {
            command.args(["--data-value", value]);
        }
        let rendered = String::from_utf8(command.output()?.stdout)?;
        if sorted(&built, scratch)? == sorted(&rendered, scratch)? {
            counts.equal += 1;
        } else {
            counts.different += 1;
            println!("deploy/plumb with {values:?} differs from deploy/{directory}");
        }
    }
    // No webhook runs here that could answer.
    let path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    client.delete(&format!("{path}/plumb-webhook"))?;
    Ok(counts)
}

/// The objects of a text by kind. The order of arguments matters, the order of named items does
/// not.
fn sorted(text: &str, scratch: &Path) -> Outcome<Vec<Value>> {
    let mut objects = documents(&[text.to_owned()], scratch)?;
    objects.sort_by_key(|it| it["kind"].to_string());
    objects.iter_mut().for_each(sort_named);
    Ok(objects)
}

fn sort_named(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.iter_mut().for_each(sort_named);
            if items.iter().all(|it| it["name"].is_string()) {
                items.sort_by_key(|it| it["name"].to_string());
            }
        }
        Value::Object(map) => map.values_mut().for_each(sort_named),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Dumps the server's own schemas, as the manual describes, and validates the manifests of the base
/// with Plumb. Returns Plumb's findings, or `None` if there are none.
pub(crate) fn validate(client: &Client, root: &Path, scratch: &Path) -> Outcome<Option<String>> {
    let dump = scratch.join("openapi");
    fs::create_dir_all(&dump)?;
    let index: Value = serde_json::from_str(&client.text("/openapi/v3")?)?;
    for (path, entry) in index["paths"].as_object().ok_or("an index of paths")? {
        let address = entry["serverRelativeURL"].as_str().ok_or("an address")?;
        fs::write(dump.join(format!("{}.json", path.replace('/', "-"))), client.text(address)?)?;
    }
    let mut command = plumb::command()?;
    command.args(["--file-mark", "**/*:type=yaml-plain", "--kube-schemas"]).arg(&dump);
    let mut names: Vec<_> =
        fs::read_dir(root.join("deploy/base"))?.map(|it| Ok(it?.path())).collect::<Outcome<_>>()?;
    names.retain(|it: &PathBuf| !it.ends_with("kustomization.yaml"));
    names.sort();
    for name in names {
        command.arg("-f").arg(name);
    }
    let output = command.output()?;
    let findings = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok((!output.status.success() || !findings.is_empty()).then_some(findings))
}

fn definition(group: &str, kind: &str, plural: &str) -> String {
    let schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let version = json!({
        "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema},
    });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.{group}")},
        "spec": {"group": group, "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural}, "versions": [version]},
    })
    .to_string()
}
