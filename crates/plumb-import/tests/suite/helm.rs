//! An imported chart renders to the documents that Helm printed.

use std::collections::BTreeMap;
use std::sync::Arc;

use plumb::{HelmChoice, Options, World, import_helm, peer, print, render};
use plumb_testkit::MemoryWorld;

/// The files of a chart, and the output of Helm for it as `rendered.yaml`.
type Files = &'static [(&'static str, &'static str)];

const CHARTS: [(&str, Files); 5] = [
    (
        "values in many places",
        &[
            ("Chart.yaml", "name: web\nappVersion: '1.2'\n"),
            (
                "values.yaml",
                "replicaCount: 3\nimage: {repository: r.example.com/web, tag: ''}\n\
                 service: {port: 8080, type: ClusterIP}\n\
                 resources: {requests: {cpu: 100m}, limits: {cpu: 200m}}\n\
                 env: [{name: A, value: one}, {name: B}]\n",
            ),
            (
                "rendered.yaml",
                "---\n# Source: web/templates/a.yaml\nkind: Deployment\nmetadata:\n  name: x-web\n  \
                 labels: {app.kubernetes.io/instance: x}\nspec:\n  replicas: 3\n  template:\n    \
                 image: \"r.example.com/web:1.2\"\n    port: 8080\n    env:\n    - name: A\n      \
                 value: one\n    - name: B\n    resources:\n      limits:\n        cpu: 200m\n      \
                 requests:\n        cpu: 100m\n",
            ),
        ],
    ),
    (
        "texts that are hard to write",
        &[
            ("Chart.yaml", "name: web\n"),
            (
                "values.yaml",
                "script: |\n  #@ not code\n  echo \"(@= x @)\"\nkey-with-dash: [deep, value]\n\
                 \"class\": reserved-word\n\"1\": begins-with-a-digit\nunicode: \"\u{fffd} ä\\t\"\n",
            ),
            (
                "rendered.yaml",
                "---\n# Source: web/templates/a.yaml\nkind: ConfigMap\n# about data\ndata:\n  \
                 script: |\n    #@ not code\n    echo \"(@= x @)\"\n  other: |2\n      #@ if True\n  \
                 list: [deep, value]\n  a: reserved-word\n  b: begins-with-a-digit\n  \
                 c: \"\u{fffd} ä\\t\"\n  1: number\n  true: [[], {}, [[1]], [{a: 1}]]\n  \
                 \"<<\": merged\n  \"~\": null\n  empty: ''\n  float: 1.0\n  big: 18446744073709551615\n",
            ),
        ],
    ),
    (
        "a schema that declares other types and defaults",
        &[
            ("Chart.yaml", "name: web\n"),
            ("values.yaml", "size: 1\nport: 8080\nmap: {a: 1001}\nnone: null\n"),
            (
                "values.schema.json",
                r#"{"type": "object", "properties": {"size": {"type": "number"},
                    "port": {"type": "string"},
                    "map": {"type": "object", "properties": {"b": {"type": "string", "default": "c"}}},
                    "none": {"type": ["string", "null"]}}}"#,
            ),
            (
                "rendered.yaml",
                "---\n# Source: web/templates/a.yaml\nkind: A\nsize: 1\nport: 8080\nmap: {a: 1001}\n\
                 none: null\n---\n# Source: web/templates/a.yaml\nkind: A\nmap:\n  a: 1001\n  b: c\n",
            ),
        ],
    ),
    (
        "documents of nowhere, and names that are paths",
        &[
            ("Chart.yaml", "name: web\n"),
            (
                "rendered.yaml",
                "kind: A\n---\n# Source: ../../etc/passwd\nkind: B\n---\n\
                 # Source: web/templates/x.lib.yml\nkind: C\n---\n# Source: web/crds/c.tpl\nkind: D\n\
                 ---\n# Source: web/templates/_ytt_lib/y.yaml\nkind: E\n---\n# only a comment\n",
            ),
        ],
    ),
    (
        "a release that is also a value",
        &[
            ("Chart.yaml", "name: web\n"),
            ("values.yaml", "release: stable\nname: shop-web\nnamespace: prod\n"),
            (
                "rendered.yaml",
                "kind: A\nmetadata:\n  name: shop-web\n  namespace: prod\n  labels:\n    \
                 release: shop\nspec:\n  channel: stable\n  namespace: prod\n",
            ),
        ],
    ),
];

/// The documents as texts with sorted keys, in an order that does not depend on files.
fn sorted(documents: &[plumb::Document]) -> Vec<String> {
    let mut texts: Vec<String> =
        documents.iter().filter(|it| !it.node.is_null()).map(|it| canonical(&it.node)).collect();
    texts.sort();
    texts
}

fn canonical(node: &plumb::document::Node) -> String {
    match node {
        plumb::document::Node::Map(map) => {
            let items = map.items().iter().map(|it| (it.key.repr(), canonical(&it.node)));
            format!("{:?}", items.collect::<BTreeMap<_, _>>())
        }
        plumb::document::Node::Array(array) => {
            let items = array.items.iter().map(|it| canonical(&it.node));
            format!("{:?}", items.collect::<Vec<_>>())
        }
        scalar => scalar.repr(),
    }
}

#[test]
fn an_imported_chart_renders_to_what_helm_printed() {
    let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
    for (name, files) in CHARTS {
        let chart = files.iter().fold(Options::new(), |it, (path, text)| it.file(*path, *text));
        let rendered =
            files.iter().find(|it| it.0 == "rendered.yaml").expect("what Helm printed").1;
        let given = MemoryWorld::new().file("/rendered.yaml", rendered);
        let given: Arc<dyn World> = Arc::new(given);
        let choice = HelmChoice::new().rendered("/rendered.yaml");
        let outcome = import_helm(&given, &chart, &choice);
        let import = outcome.result.unwrap_or_else(|failure| {
            panic!("{name}: {}", peer::render(&failure, &outcome.sources))
        });
        let texts = import.files.iter().map(|(path, text)| format!("== {path}\n{text}"));
        let text = texts.collect::<Vec<_>>().concat();
        let options = import
            .files
            .iter()
            .fold(Options::new(), |it, (path, text)| it.file(path, text.as_str()));
        let outcome = render(&world, &options);
        let result = outcome.result.unwrap_or_else(|failure| {
            panic!("{name}: {}\n{text}", peer::render(&failure, &outcome.sources))
        });
        let documents: Vec<plumb::Document> = result.documents().cloned().collect();
        let printed = String::from_utf8(print::yaml(result.documents())).expect("YAML is UTF-8");
        let sources = plumb::Sources::new();
        let id = sources.add("rendered.yaml", plumb::SourceKind::File, rendered.as_bytes().into());
        let wanted =
            plumb_yaml::parse(id, rendered.as_bytes(), &plumb_yaml::ReadOptions::default());
        let wanted = wanted.expect("YAML");
        assert_eq!(sorted(&documents), sorted(&wanted), "{name}\n{text}\n== output\n{printed}");
        assert!(name.starts_with("documents") || text.contains("#@ data.values"), "{name}\n{text}");
    }
}
