//! The manifests of `deploy/`: the API server must accept them, with no unknown field.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::Outcome;
use crate::client::Client;
use crate::machines::documents;
use crate::plumb;

/// Directories with a kustomization.
const OVERLAYS: [&str; 3] = ["openshift", "cert-manager", "monitoring"];

/// Kinds that others define: group, kind and plural.
const FOREIGN: [(&str, &str, &str); 3] = [
    ("cert-manager.io", "Issuer", "issuers"),
    ("cert-manager.io", "Certificate", "certificates"),
    ("monitoring.coreos.com", "ServiceMonitor", "servicemonitors"),
];

/// Creates the objects of the base, merges the patches of each overlay into them, and creates what
/// the overlays add. Returns how many objects and patches the server accepted, and how many not.
pub(crate) fn apply(client: &Client, root: &Path, scratch: &Path) -> Outcome<(usize, usize)> {
    for (group, kind, plural) in FOREIGN {
        let path = format!("/apis/{group}/v1/{plural}");
        client.define_at(&definition(group, kind, plural), &path)??;
    }
    let deploy = root.join("deploy");
    let (mut n_accepted, mut n_refused) = (0, 0);
    let mut count = |name: &str, verdict: Result<(), String>| match verdict {
        Ok(()) => n_accepted += 1,
        Err(refusal) => {
            n_refused += 1;
            println!("deploy/{name} is refused: {refusal}");
        }
    };
    let files = |directory: &str, key: &str| -> Outcome<Vec<String>> {
        let file = deploy.join(directory).join("kustomization.yaml");
        let kustomization = documents(&[fs::read_to_string(file)?], scratch)?;
        let items = kustomization[0][key].as_array().cloned().unwrap_or_default();
        let names = items.iter().filter_map(|it| it.as_str().or_else(|| it["path"].as_str()));
        Ok(names.filter(|it| *it != "../base").map(|it| format!("{directory}/{it}")).collect())
    };
    for name in files("base", "resources")? {
        for object in documents(&[fs::read_to_string(deploy.join(&name))?], scratch)? {
            let path = format!("{}?fieldValidation=Strict", collection(&object));
            count(&name, client.post(&path, &object.to_string())?);
        }
    }
    for overlay in OVERLAYS {
        for name in files(overlay, "resources")? {
            for object in documents(&[fs::read_to_string(deploy.join(&name))?], scratch)? {
                let path = format!("{}?fieldValidation=Strict", collection(&object));
                count(&name, client.post(&path, &object.to_string())?);
            }
        }
        for name in files(overlay, "patches")? {
            for patch in documents(&[fs::read_to_string(deploy.join(&name))?], scratch)? {
                let object = patch["metadata"]["name"].as_str().unwrap_or_default();
                let path = format!("{}/{object}?fieldValidation=Strict", collection(&patch));
                count(&name, client.patch(&path, &patch.to_string())?);
            }
        }
    }
    // Nobody answers it here.
    let path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    client.delete(&format!("{path}/plumb-webhook"))?;
    Ok((n_accepted, n_refused))
}

/// Dumps the server's own schemas, as the manual describes, and validates the manifests of the base
/// with Plumb. Returns what Plumb finds, or nothing.
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

/// The path of all objects of a kind.
fn collection(object: &Value) -> String {
    let version = object["apiVersion"].as_str().unwrap_or_default();
    let kind = object["kind"].as_str().unwrap_or_default().to_lowercase();
    let plural = kind.strip_suffix('y').map_or_else(|| format!("{kind}s"), |it| format!("{it}ies"));
    let root = if version.contains('/') { "apis" } else { "api" };
    match object["metadata"]["namespace"].as_str() {
        Some(namespace) => format!("/{root}/{version}/namespaces/{namespace}/{plural}"),
        None => format!("/{root}/{version}/{plural}"),
    }
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
