//! The manifests under `deploy/` match each other and the server.

use std::fs;
use std::path::{Path, PathBuf};

use plumb_source::{SourceKind, Sources};
use plumb_value::{Document, Node};
use plumb_yaml::ReadOptions;

use crate::fixture::{Fixture, review};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy")
}

/// All documents of a file.
fn documents(name: &str) -> Vec<Document> {
    let bytes = fs::read(directory().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let sources = Sources::new();
    let file = sources.add(name, SourceKind::File, bytes.into());
    let source = sources.get(file);
    let read = plumb_yaml::parse(file, source.bytes(), &ReadOptions::default());
    read.unwrap_or_else(|error| panic!("{name}: {error:?}"))
}

fn manifest(name: &str) -> Node {
    let documents = documents(name);
    assert_eq!(documents.len(), 1, "{name}");
    documents[0].node.clone()
}

/// The value at a path of keys and indices.
fn at<'n>(node: &'n Node, path: &str) -> &'n Node {
    path.split(' ').fold(node, |node, step| {
        let found = match step.parse::<usize>() {
            Ok(index) => node.as_array().and_then(|it| it.items.get(index)).map(|it| &it.node),
            Err(_) => node.as_map().and_then(|it| it.get_str(step)),
        };
        found.unwrap_or_else(|| panic!("{step} of {path}"))
    })
}

fn text<'n>(node: &'n Node, path: &str) -> &'n str {
    at(node, path).as_str().unwrap_or_else(|| panic!("{path} is a text"))
}

const CONTAINER: &str = "spec template spec containers 0";

/// A directory with a kustomization, and what it builds on.
const KUSTOMIZATIONS: [&str; 4] = ["base", "openshift", "cert-manager", "monitoring"];

#[test]
fn every_file_is_read_and_every_resource_is_there() {
    for directory in KUSTOMIZATIONS {
        let node = manifest(&format!("{directory}/kustomization.yaml"));
        let resources = at(&node, "resources").as_array().expect("a list");
        let patches = node.as_map().and_then(|it| it.get_str("patches")).and_then(Node::as_array);
        let patches = patches.map_or(&[][..], |it| &it.items);
        let patches = patches.iter().map(|it| text(&it.node, "path"));
        let resources = resources.items.iter().map(|it| it.node.as_str().expect("a name"));
        for name in resources.chain(patches).filter(|it| *it != "../base") {
            for document in documents(&format!("{directory}/{name}")) {
                assert!(!text(&document.node, "apiVersion").is_empty());
                assert!(!text(&document.node, "kind").is_empty());
                assert!(!text(&document.node, "metadata name").is_empty());
            }
        }
    }
}

/// Kustomize rejects a base that contains a directory that builds on it.
#[test]
fn no_base_contains_what_builds_on_it() {
    for directory in KUSTOMIZATIONS {
        let node = manifest(&format!("{directory}/kustomization.yaml"));
        let resources = at(&node, "resources").as_array().expect("a list");
        for item in &resources.items {
            let target =
                self::directory().join(directory).join(item.node.as_str().expect("a name"));
            let target = fs::canonicalize(target).expect("the resource is there");
            let own = fs::canonicalize(self::directory().join(directory)).expect("it is there");
            assert!(!own.starts_with(&target), "{directory} is inside {}", target.display());
        }
    }
}

/// A patch applies to an object of the base.
#[test]
fn patches_name_objects_of_the_base() {
    let name =
        |node: &Node| (text(node, "kind").to_owned(), text(node, "metadata name").to_owned());
    let base = ["base/service.yaml", "base/webhook.yaml", "base/deployment.yaml"];
    let base = base.map(|it| name(&manifest(it)));
    let patches = [
        "openshift/service.yaml",
        "openshift/webhook.yaml",
        "openshift/deployment.yaml",
        "cert-manager/webhook.yaml",
    ];
    for patch in patches {
        assert!(base.contains(&name(&manifest(patch))), "{patch}");
    }
}

#[test]
fn the_service_leads_to_the_container() {
    let (deployment, service) = (manifest("base/deployment.yaml"), manifest("base/service.yaml"));
    let selected = text(&deployment, "spec selector matchLabels app");
    assert_eq!(text(&deployment, "spec template metadata labels app"), selected);
    assert_eq!(text(&service, "spec selector app"), selected);
    let port = text(&deployment, &format!("{CONTAINER} ports 0 name"));
    assert_eq!(text(&service, "spec ports 0 targetPort"), port);
    for probe in ["readinessProbe", "livenessProbe"] {
        assert_eq!(text(&deployment, &format!("{CONTAINER} {probe} httpGet port")), port);
    }
    let Node::Int(number) = at(&deployment, &format!("{CONTAINER} ports 0 containerPort")) else {
        panic!("a port is a number")
    };
    let arguments = at(&deployment, &format!("{CONTAINER} args")).as_array().expect("a list");
    let listen = format!("--listen=0.0.0.0:{number}");
    assert!(arguments.items.iter().any(|it| it.node.as_str() == Some(&listen)), "{listen}");
}

#[test]
fn mounted_volumes_hold_what_the_arguments_name() {
    let deployment = manifest("base/deployment.yaml");
    let arguments = at(&deployment, &format!("{CONTAINER} args")).as_array().expect("a list");
    let mounts = at(&deployment, &format!("{CONTAINER} volumeMounts")).as_array().expect("a list");
    let mounts: Vec<&str> = mounts.items.iter().map(|it| text(&it.node, "mountPath")).collect();
    let paths = arguments.items.iter().filter_map(|it| it.node.as_str()?.split_once("=/"));
    let paths: Vec<&str> = paths.map(|(_, path)| path).collect();
    assert_eq!(paths.len(), 3);
    for path in paths {
        let below = |mount: &&str| path.starts_with(mount.trim_start_matches('/'));
        assert!(mounts.iter().any(below), "{path}");
    }
    let secret = text(&deployment, "spec template spec volumes 1 secret secretName");
    let made = "metadata annotations service.beta.openshift.io/serving-cert-secret-name";
    assert_eq!(text(&manifest("openshift/service.yaml"), made), secret);
    let certificate = &documents("cert-manager/certificate.yaml")[1].node;
    assert_eq!(text(certificate, "spec secretName"), secret);
}

#[test]
fn the_configuration_asks_the_service_at_a_path_that_is_served() {
    let (webhook, service) = (manifest("base/webhook.yaml"), manifest("base/service.yaml"));
    let asked = "webhooks 0 clientConfig service";
    assert_eq!(text(&webhook, &format!("{asked} name")), text(&service, "metadata name"));
    assert_eq!(text(&webhook, &format!("{asked} namespace")), text(&service, "metadata namespace"));
    let port = at(&webhook, &format!("{asked} port"));
    assert!(
        matches!((port, at(&service, "spec ports 0 port")), (Node::Int(one), Node::Int(other)) if one == other)
    );
    assert_eq!(text(&webhook, "webhooks 0 admissionReviewVersions 0"), "v1");
    let deployment = manifest("base/deployment.yaml");
    let fixture = Fixture::new();
    let mut client = fixture.client();
    for probe in ["readinessProbe", "livenessProbe"] {
        let path = text(&deployment, &format!("{CONTAINER} {probe} httpGet path"));
        assert_eq!(client.get(path).expect("an answer").status, 200, "{path}");
    }
    let path = text(&webhook, &format!("{asked} path"));
    let answer = client.post(path, &review("u", 1)).expect("an answer");
    assert_eq!(answer.json()["response"]["allowed"], true);
    let deletions = manifest("openshift/webhook.yaml");
    assert_eq!(text(&deletions, &format!("{asked} name")), text(&service, "metadata name"));
    let deletion = r#"{"request": {"uid": "u", "operation": "DELETE",
        "resource": {"group": "template.openshift.io", "version": "v1", "resource": "templates"},
        "oldObject": {"kind": "Template", "metadata": {"name": "small"}}}}"#;
    let path = text(&deletions, &format!("{asked} path"));
    let answer = client.post(path, deletion).expect("an answer");
    assert_eq!(answer.json()["response"]["allowed"], true);
}

/// The overlay repeats the arguments of the base, because a patch replaces a list of texts.
#[test]
fn the_overlay_for_openshift_only_adds_an_argument() {
    let arguments = |file: &str| -> Vec<String> {
        let deployment = manifest(file);
        let arguments = at(&deployment, &format!("{CONTAINER} args")).as_array().expect("a list");
        arguments.items.iter().map(|it| it.node.as_str().expect("a text").to_owned()).collect()
    };
    let (base, overlay) =
        (arguments("base/deployment.yaml"), arguments("openshift/deployment.yaml"));
    assert_eq!(overlay[..base.len()], base);
    assert_eq!(overlay[base.len()..], ["--machines=/machines"]);
}

#[test]
fn the_network_policy_and_the_autoscaler_are_for_the_deployment() {
    let deployment = manifest("base/deployment.yaml");
    let network = manifest("base/network.yaml");
    let selected = text(&deployment, "spec selector matchLabels app");
    assert_eq!(text(&network, "spec podSelector matchLabels app"), selected);
    let port = |node: &Node, path: &str| match at(node, path) {
        Node::Int(port) => *port,
        _ => panic!("{path} is a number"),
    };
    assert_eq!(
        port(&network, "spec ingress 0 ports 0 port"),
        port(&deployment, &format!("{CONTAINER} ports 0 containerPort"))
    );
    let scaled = manifest("base/autoscaling.yaml");
    assert_eq!(text(&scaled, "spec scaleTargetRef name"), text(&deployment, "metadata name"));
    let monitor = manifest("monitoring/monitor.yaml");
    let service = manifest("base/service.yaml");
    assert_eq!(text(&monitor, "spec endpoints 0 port"), text(&service, "spec ports 0 name"));
}
