//! Virtual machines: the verdicts of the webhook and of exported policies, as the API server
//! applies them, compared with those of `vm check`.
//!
//! The rules and the virtual machines are those of the recorded corpus. Every set of rules becomes
//! a template; each virtual machine is sent as it is recorded, and once more without its own rules
//! but with the name of the template that has them.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use crate::Outcome;
use crate::client::{Client, Verdict};
use crate::plumb;
use crate::server::{TOKEN, free_port};

/// A virtual machine, and the verdict of `vm check` on it.
struct Machine {
    name: String,
    object: Value,
    is_accepted: bool,
}

/// The numbers of results.
#[derive(Default)]
pub(crate) struct Counts {
    policies: usize,
    compared: usize,
    /// Virtual machines that policies do not cover, by the warning of the export.
    uncovered: usize,
    pub(crate) different: usize,
}

const RULES: &str = "vm.kubevirt.io/validations";
const MACHINES: &str = "/apis/kubevirt.io/v1/namespaces/default/virtualmachines";
const ADMISSION: &str = "/apis/admissionregistration.k8s.io/v1";

/// How long the server may take to apply a policy or to call a webhook.
const PATIENCE: Duration = Duration::from_mins(1);

/// Compares all verdicts. Returns `None` if there is no corpus.
pub(crate) fn compare(client: &Client, root: &Path, directory: &Path) -> Outcome<Option<Counts>> {
    let corpus = root.join("../shared/conformance/vm");
    if !corpus.is_dir() {
        return Ok(None);
    }
    let templates = directory.join("templates");
    fs::create_dir_all(&templates)?;
    let machines = machines(&corpus, &templates, directory)?;
    println!(
        "{} virtual machines, {} templates",
        machines.len(),
        fs::read_dir(&templates)?.count()
    );
    let machine = definition("kubevirt.io", "VirtualMachine", &machine_schema());
    client.define_at(&machine, "/apis/kubevirt.io/v1/virtualmachines")?.map_err(text_error)?;
    create_templates(client, &templates)?;
    let mut counts = Counts::default();
    let n_all = machines.len();
    let machines = created(client, machines)?;
    println!("the server itself rejects {} of them", n_all - machines.len());
    let mut webhook = Webhook::start(client, directory)?;
    let registered = webhook.register(client);
    let compared = registered.and_then(|()| {
        wait_for_refusal(client, &machines)?;
        differences(client, &machines, "the webhook", &mut counts)
    });
    webhook.process.kill()?;
    webhook.process.wait()?;
    compared?;
    client.delete(&format!("{ADMISSION}/validatingwebhookconfigurations/plumb"))?;
    wait_for_acceptance(client, &machines)?;
    let uncovered = apply_policies(client, &templates, directory, &machines, &mut counts)?;
    let covered: Vec<Machine> =
        machines.into_iter().filter(|it| !uncovered.contains(&it.name)).collect();
    wait_for_refusal(client, &covered)?;
    // All bindings take effect at about the same time.
    sleep(Duration::from_secs(5));
    differences(client, &covered, "the policies", &mut counts)?;
    Ok(Some(counts))
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} policies accepted; {} verdicts of webhook and policies compared, {} virtual machines \
             not covered by policies, {} verdicts different",
            self.policies, self.compared, self.uncovered, self.different
        )
    }
}

fn text_error(text: String) -> Box<dyn std::error::Error> {
    text.into()
}

/// A schema for any object.
fn open_schema() -> Value {
    json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})
}

/// A schema for virtual machines that accepts more than KubeVirt's own. As with KubeVirt's schema,
/// the server removes fields that are null.
fn machine_schema() -> Value {
    let parts =
        ["cpu", "memory", "devices", "resources", "machine", "firmware", "clock", "features"];
    let parts: Map<String, Value> =
        parts.iter().map(|it| ((*it).to_owned(), open_schema())).collect();
    let schema = ["domain", "spec", "template", "spec"].iter().fold(json!(parts), |below, key| {
        let mut schema = open_schema();
        schema["properties"] = below;
        json!({*key: schema})
    });
    json!({"type": "object", "properties": schema})
}

/// The definition of a kind.
fn definition(group: &str, kind: &str, schema: &Value) -> String {
    let version = json!({
        "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema},
    });
    let plural = format!("{}s", kind.to_lowercase());
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.{group}"),
            "annotations": {"api-approved.kubernetes.io": "unapproved, for a test"}},
        "spec": {"group": group, "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural}, "versions": [version]},
    })
    .to_string()
}

/// Creates the templates as objects of the cluster, which the webhook watches.
fn create_templates(client: &Client, templates: &Path) -> Outcome<()> {
    let all = "/apis/template.openshift.io/v1/templates";
    let template = definition("template.openshift.io", "Template", &open_schema());
    client.define_at(&template, all)?.map_err(text_error)?;
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "here"}});
    client.post("/api/v1/namespaces", &namespace.to_string())?.map_err(text_error)?;
    for entry in fs::read_dir(templates)? {
        let mut object: Value = serde_json::from_slice(&fs::read(entry?.path())?)?;
        object["apiVersion"] = "template.openshift.io/v1".into();
        let path = "/apis/template.openshift.io/v1/namespaces/here/templates";
        client.post(path, &object.to_string())?.map_err(text_error)?;
    }
    Ok(())
}

/// Reads the corpus, and writes a template for each set of rules.
fn machines(corpus: &Path, templates: &Path, directory: &Path) -> Outcome<Vec<Machine>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(corpus)?.map(|it| Ok(it?.path())).collect::<Outcome<_>>()?;
    files.sort();
    let mut cases: Vec<(String, String)> = Vec::new();
    for file in files {
        for line in fs::read_to_string(&file)?.lines() {
            let case: Value = serde_json::from_str(line)?;
            let text = |key: &str| case[key].as_str().map(str::to_owned);
            cases.extend(
                text("vm")
                    .map(|it| (it, text("template").unwrap_or_else(|| "kind: None".to_owned()))),
            );
        }
    }
    let (vms, of_cases): (Vec<String>, Vec<String>) = cases.into_iter().unzip();
    let (vms, of_cases) = (documents(&vms, directory)?, documents(&of_cases, directory)?);
    ensure_same(vms.len(), of_cases.len())?;
    let mut by_rules: HashMap<String, String> = HashMap::new();
    let mut machines = Vec::new();
    for (vm, template) in vms.into_iter().zip(of_cases) {
        if !vm.is_object() {
            continue;
        }
        let rules = own_rules(&vm).or_else(|| template_rules(&template));
        let name = format!("m{}", machines.len());
        add(&mut machines, &name, prepared(vm.clone(), &name));
        let Some(rules) = rules else { continue };
        let n_known = by_rules.len();
        let known = by_rules.entry(rules.clone()).or_insert_with(|| format!("t{n_known}"));
        let file = templates.join(format!("{known}.json"));
        if !file.exists() {
            fs::write(file, recorded(known, &rules).to_string())?;
        }
        let name = format!("m{}", machines.len());
        add(&mut machines, &name, bound(prepared(vm, &name), known));
    }
    remove_faulty(templates)?;
    check(&mut machines, templates, directory)?;
    Ok(machines)
}

fn ensure_same(one: usize, other: usize) -> Outcome<()> {
    if one == other { Ok(()) } else { Err(format!("{one} machines, but {other} templates").into()) }
}

fn add(machines: &mut Vec<Machine>, name: &str, object: Value) {
    machines.push(Machine { name: name.to_owned(), object, is_accepted: true });
}

/// Templates whose rules cannot be read are not exported.
fn remove_faulty(templates: &Path) -> Outcome<()> {
    for entry in fs::read_dir(templates)? {
        let path = entry?.path();
        let output = plumb::command()?.args(["vm", "export"]).arg(&path).output()?;
        if !output.status.success() {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Asks `vm check` about all virtual machines, and leaves out those that do not match KubeVirt's
/// types.
fn check(machines: &mut Vec<Machine>, templates: &Path, directory: &Path) -> Outcome<()> {
    let file = directory.join("machines.json");
    let items: Vec<&Value> = machines.iter().map(|it| &it.object).collect();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": items});
    fs::write(&file, list.to_string())?;
    let mut command = plumb::command()?;
    command.args(["vm", "check", "-o", "json", "--template"]).arg(templates).arg(&file);
    let checked: Value = serde_json::from_slice(&command.output()?.stdout)?;
    let rows = |key: &str| checked[key].as_array().cloned().unwrap_or_default();
    let of = |row: &Value| {
        let name = row["machine"].as_str().unwrap_or_default();
        name.rsplit('/').next().unwrap_or_default().to_owned()
    };
    let refused: Vec<String> = rows("violations")
        .iter()
        .filter(|it| it["warning"] != true)
        .chain(&rows("errors"))
        .map(of)
        .collect();
    let invalid: Vec<String> =
        rows("errors").iter().filter(|it| it["kind"] == "vm-decode").map(of).collect();
    machines.retain(|it| !invalid.contains(&it.name));
    for machine in machines.iter_mut() {
        machine.is_accepted = !refused.contains(&machine.name);
    }
    Ok(())
}

/// The documents of YAML texts, all of which have the same number of documents.
pub(crate) fn documents(texts: &[String], directory: &Path) -> Outcome<Vec<Value>> {
    let file = directory.join("documents.yml");
    fs::write(&file, texts.join("\n---\n"))?;
    let mut command = plumb::command()?;
    command.args(["-o", "json", "--file-mark", "documents.yml:type=yaml-plain", "-f"]).arg(&file);
    let output = command.output()?;
    if !output.status.success() {
        return Err(text_error(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let read = serde_json::Deserializer::from_slice(&output.stdout).into_iter();
    Ok(read.collect::<Result<_, _>>()?)
}

fn own_rules(object: &Value) -> Option<String> {
    let rules = object["metadata"]["annotations"][RULES].as_str()?;
    (!rules.is_empty()).then(|| rules.to_owned())
}

fn template_rules(template: &Value) -> Option<String> {
    let own = template["metadata"]["annotations"]["validations"].as_str().map(str::to_owned);
    own.or_else(|| template["objects"].as_array()?.iter().find_map(own_rules))
}

fn recorded(name: &str, rules: &str) -> Value {
    let annotations = json!({"validations": rules});
    let metadata = json!({"name": name, "namespace": "here", "annotations": annotations});
    json!({"kind": "Template", "metadata": metadata})
}

/// A virtual machine that can be created: with a kind, a unique name, and strings as labels.
fn prepared(mut object: Value, name: &str) -> Value {
    object["apiVersion"] = "kubevirt.io/v1".into();
    object["kind"] = "VirtualMachine".into();
    if !object["metadata"].is_object() {
        object["metadata"] = json!({});
    }
    let metadata = object["metadata"].as_object_mut().map(std::mem::take).unwrap_or_default();
    let kept = ["labels", "annotations", "finalizers"];
    let mut metadata: Map<String, Value> = metadata
        .into_iter()
        .filter(|(key, it)| kept.contains(&key.as_str()) && !it.is_null())
        .collect();
    metadata.insert("name".to_owned(), name.into());
    metadata.insert("namespace".to_owned(), "default".into());
    object["metadata"] = Value::Object(metadata);
    if !object["spec"].is_object() {
        object["spec"] = json!({});
    }
    object
}

/// The virtual machine without its own rules, and with the labels that name the template.
fn bound(mut object: Value, template: &str) -> Value {
    if let Some(annotations) = object["metadata"]["annotations"].as_object_mut() {
        annotations.remove(RULES);
    }
    object["metadata"]["labels"] = json!({
        "vm.kubevirt.io/template": template, "vm.kubevirt.io/template.namespace": "here",
    });
    object
}

struct Webhook {
    process: Child,
    port: u16,
    certificate: String,
}

impl Webhook {
    /// Starts the webhook, which reads templates from the API server.
    fn start(client: &Client, directory: &Path) -> Outcome<Self> {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()])?;
        let (certificate, port) = (made.cert.pem(), free_port()?);
        let (cert, key) = (directory.join("webhook.crt"), directory.join("webhook.key"));
        fs::write(&cert, &certificate)?;
        fs::write(&key, made.signing_key.serialize_pem())?;
        let mut command: Command = plumb::command()?;
        command.args(["vm", "webhook", "--listen", &format!("127.0.0.1:{port}")]);
        let token = directory.join("token");
        fs::write(&token, TOKEN)?;
        command.args(["--watch-templates", "--api-server", &client.base, "--api-token"]);
        command.arg(token).arg("--api-ca").arg(directory.join("tls.crt"));
        command.arg("--tls-cert").arg(cert);
        command.arg("--tls-key").arg(key).stderr(fs::File::create(directory.join("webhook.err"))?);
        Ok(Self { process: command.spawn()?, port, certificate })
    }

    fn register(&self, client: &Client) -> Outcome<()> {
        let bundle = STANDARD.encode(&self.certificate);
        let rule = json!({
            "apiGroups": ["kubevirt.io"], "apiVersions": ["v1"],
            "operations": ["CREATE", "UPDATE"], "resources": ["virtualmachines"],
        });
        let webhook = json!({
            "name": "machines.plumb.test", "rules": [rule], "sideEffects": "None",
            "admissionReviewVersions": ["v1"], "failurePolicy": "Fail", "timeoutSeconds": 30,
            "clientConfig": {
                "url": format!("https://localhost:{}/virtualmachine-validate", self.port),
                "caBundle": bundle,
            },
        });
        let configuration = json!({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
            "metadata": {"name": "plumb"}, "webhooks": [webhook],
        });
        let path = format!("{ADMISSION}/validatingwebhookconfigurations");
        client.post(&path, &configuration.to_string())?.map_err(text_error)
    }
}

/// Exports the rules of all templates and stores the policies. Returns the names of the virtual
/// machines that the policies do not cover.
fn apply_policies(
    client: &Client,
    templates: &Path,
    directory: &Path,
    machines: &[Machine],
    counts: &mut Counts,
) -> Outcome<Vec<String>> {
    let export = |more: &[&str]| -> Outcome<_> {
        Ok(plumb::command()?
            .args(["--report=json=findings.json", "vm", "export", "--namespace", "default"])
            .arg(templates)
            .args(more)
            .current_dir(directory)
            .output()?)
    };
    let output = export(&[])?;
    if !output.status.success() {
        return Err(text_error(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    for object in documents(&[String::from_utf8(output.stdout)?], directory)? {
        let path = match object["kind"].as_str() {
            Some("ConfigMap") => "/api/v1/namespaces/default/configmaps".to_owned(),
            Some("ValidatingAdmissionPolicy") => {
                counts.policies += 1;
                format!("{ADMISSION}/validatingadmissionpolicies")
            }
            _ => format!("{ADMISSION}/validatingadmissionpolicybindings"),
        };
        let query = "fieldValidation=Strict";
        client.post(&format!("{path}?{query}"), &object.to_string())?.map_err(text_error)?;
    }
    export(&["--check", "machines.json"])?;
    let findings = fs::read_to_string(directory.join("findings.json"))?;
    let names = machines.iter().map(|it| &it.name);
    let is_uncovered = |name: &&String| findings.contains(&format!("cover `default/{name}`"));
    let uncovered: Vec<String> = names.filter(is_uncovered).cloned().collect();
    counts.uncovered = uncovered.len();
    Ok(uncovered)
}

/// The virtual machines that the server accepts while no webhook or policy is registered.
fn created(client: &Client, machines: Vec<Machine>) -> Outcome<Vec<Machine>> {
    let mut created = Vec::new();
    for machine in machines {
        if ask(client, &machine)?.is_ok() {
            created.push(machine);
        }
    }
    Ok(created)
}

fn ask(client: &Client, machine: &Machine) -> Outcome<Verdict> {
    client.post(&format!("{MACHINES}?dryRun=All"), &machine.object.to_string())
}

/// Waits until the server rejects a virtual machine that `vm check` rejects.
fn wait_for_refusal(client: &Client, machines: &[Machine]) -> Outcome<()> {
    let refused = last_refused(machines)?;
    wait(|| {
        let verdict = ask(client, refused)?;
        Ok(verdict.is_err_and(|it| !it.contains("failed calling webhook")))
    })
}

fn wait_for_acceptance(client: &Client, machines: &[Machine]) -> Outcome<()> {
    let refused = last_refused(machines)?;
    wait(|| Ok(ask(client, refused)?.is_ok()))
}

fn last_refused(machines: &[Machine]) -> Outcome<&Machine> {
    let refused = machines.iter().rfind(|it| !it.is_accepted);
    Ok(refused.ok_or("the corpus has machines that are refused")?)
}

fn wait(mut is_done: impl FnMut() -> Outcome<bool>) -> Outcome<()> {
    for _ in 0..PATIENCE.as_secs() {
        if is_done()? {
            return Ok(());
        }
        sleep(Duration::from_secs(1));
    }
    Err("the server does not apply what was registered".into())
}

fn differences(
    client: &Client,
    machines: &[Machine],
    who: &str,
    counts: &mut Counts,
) -> Outcome<()> {
    let before = counts.compared;
    for machine in machines {
        let theirs = ask(client, machine)?;
        counts.compared += 1;
        if theirs.is_ok() != machine.is_accepted {
            counts.different += 1;
            let ours = if machine.is_accepted { "accepts" } else { "refuses" };
            let reason = theirs.err().unwrap_or_else(|| "accepted".to_owned());
            println!(
                "{who}: vm check {ours} {}: {}; the server: {reason}",
                machine.name, machine.object
            );
        }
    }
    println!("{} verdicts of {who} compared", counts.compared - before);
    Ok(())
}
