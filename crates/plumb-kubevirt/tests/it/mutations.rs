//! Randomly damaged files: each of them must lead to a report.
//!
//! The damage is the same in every run, so that a failure can be repeated.

use plumb_diagnostic::pretty::{self, Colour};
use plumb_kubevirt::admission::{self, Cluster, ReviewSubject};
use plumb_kubevirt::inspect::{self, Input};
use plumb_source::{SourceKind, Sources};

const ROUNDS: usize = 1500;

const MACHINE: &str = r#"kind: VirtualMachine
metadata:
  name: vm
  annotations:
    vm.kubevirt.io/validations: |
      [{ "name": "cores", "rule": "integer", "min": 1, "max": "jsonpath::.spec.domain.cpu.sockets",
         "path": "jsonpath::.spec.domain.cpu.cores", "message": "é “cores”" },
       { "name": "bus", "rule": "enum", "values": ["virtio", "scsi"], "justWarning": true,
         "path": "jsonpath::.spec.domain.devices.disks[?(@.name==\"root\")].disk.bus",
         "valid": "jsonpath::.spec.domain.devices.disks[0:1].disk", "message": "bus" },
       { "name": "host", "rule": "regex", "regex": "^(?!x)[a-z]{1,3}(?<n>b)\\k<n>$",
         "path": "jsonpath::..hostname", "message": "host" },
       { "name": "memory", "rule": "string", "maxLength": 3,
         "path": "jsonpath::.spec.domain.memory['guest','maxGuest']", "message": "memory" }]
spec:
  template:
    spec:
      hostname: abb
      domain:
        cpu: { cores: 4, sockets: 2 }
        memory: { guest: 1.5Gi }
        devices:
          disks:
          - { name: root, disk: { bus: sata } }
"#;

const TEMPLATE: &str = r#"kind: Template
metadata:
  name: small
  annotations:
    validations: "[{\"name\": \"c\u00e9\", \"rule\": \"integer\", \"max\": 2, \"message\": \"m\", \
      \"path\": \"jsonpath::.spec.domain.cpu.cores\"}]"
objects:
- kind: VirtualMachine
  metadata: { name: "${NAME}" }
  spec: { template: { spec: { domain: { cpu: { cores: "${{CORES}}" } } } } }
parameters:
- { name: NAME, generate: expression, from: "vm-[a-z0-9]{4}" }
- { name: CORES, value: "4" }
"#;

/// Text that is inserted: characters of YAML, JSON, paths and patterns.
const PIECES: [&str; 32] = [
    "\"",
    "'",
    "”",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ",",
    ":",
    ".",
    "..",
    "*",
    "?",
    "@",
    "\\",
    "\\u",
    "-",
    "\n",
    " ",
    "$",
    "${{",
    "}}",
    "|",
    "null",
    "9999999999999999999",
    "é",
    "\u{0}",
    "=",
    "&a ",
    "jsonpath::",
];

/// A generator of pseudo-random numbers (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits fit") % sides
    }

    /// Removes some characters and inserts others.
    fn damage(&mut self, text: &str) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..=self.roll(3) {
            let start = self.roll(chars.len());
            let end = (start + self.roll(4)).min(chars.len());
            let piece = PIECES[self.roll(PIECES.len())];
            chars.splice(start..end, piece.chars());
        }
        chars.into_iter().collect()
    }
}

#[test]
fn damaged_files_are_told_about() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    for round in 0..ROUNDS {
        let text = dice.damage(if round % 3 == 0 { TEMPLATE } else { MACHINE });
        let sources = Sources::new();
        let file = sources.add("a.yaml", SourceKind::File, text.as_bytes().into());
        let files = [file];
        let input = Input { files: Some(&files), ..Input::default() };
        let inspection = inspect::inspect(&sources, input);
        for diagnostic in &inspection.diagnostics {
            let shown = pretty::render(diagnostic, &sources, Colour::Never);
            assert!(shown.starts_with("error[") || shown.starts_with("warning["), "{text}");
        }
        let told = inspection.diagnostics.len();
        assert!(inspection.is_ok() || told > 0, "what is refused has a reason:\n{text}");
    }
}

#[test]
fn damaged_reviews_are_answered() {
    let rules: String = MACHINE.lines().skip(5).take(10).collect();
    let object = serde_json::json!({
        "metadata": {"name": "vm", "annotations": {"vm.kubevirt.io/validations": rules}},
        "spec": {"template": {"spec": {"hostname": "abb", "domain": {"cpu": {"cores": 4}}}}},
    });
    let review = serde_json::json!({"request": {
        "uid": "u", "operation": "CREATE", "resource": {"resource": "virtualmachines"},
        "object": object,
    }});
    let (review, cluster) = (review.to_string(), Cluster::default());
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    for _ in 0..ROUNDS {
        let body = dice.damage(&review);
        if let admission::Reply::Answer { body, .. } =
            admission::review(ReviewSubject::Machine, body.as_bytes(), &cluster)
        {
            let answer: serde_json::Value =
                serde_json::from_slice(&body).expect("an answer is JSON");
            assert!(answer["response"]["allowed"].is_boolean());
        }
    }
}
