//! A server in its own directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use plumb_webhook::{Limits, Options, Running, TemplateSource, TlsFiles, start};
use tokio_rustls::rustls::pki_types::CertificateDer;

use crate::client::Client;

pub(crate) struct Fixture {
    pub dir: PathBuf,
    pub certificate: CertificateDer<'static>,
    pub running: Running,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        Self::with(&[], |_| {})
    }

    /// Creates files in its directory, such as `templates/a.yaml`, before it starts.
    pub(crate) fn with(files: &[(&str, &str)], change: impl FnOnce(&mut Options)) -> Self {
        let dir = fresh_directory();
        for part in ["templates", "machines"] {
            fs::create_dir_all(dir.join(part)).expect("a writable directory");
        }
        for (name, text) in files {
            write(&dir.join(name), text);
        }
        let certificate = new_certificate(&dir);
        let mut options = Options {
            listen: "127.0.0.1:0".to_owned(),
            tls: Some(TlsFiles { certificate: dir.join("tls.crt"), key: dir.join("tls.key") }),
            templates: TemplateSource::Directory(dir.join("templates")),
            machines: Some(dir.join("machines")),
            shows_values: true,
            limits: Limits { refresh: Duration::from_millis(20), ..Limits::default() },
            log: Arc::new(|_| {}),
        };
        change(&mut options);
        let running = start(options).expect("the server starts");
        Self { dir, certificate, running }
    }

    pub(crate) fn client(&self) -> Client {
        Client::connect(self.running.address, &self.certificate).expect("the server accepts")
    }

    /// Repeats a check until it succeeds: the server notices changes of files with a delay.
    pub(crate) fn eventually(&self, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            assert!(start.elapsed() < Duration::from_secs(10), "never: {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Replaces a file atomically, as Kubernetes does with mounted volumes.
pub(crate) fn write(path: &Path, text: &str) {
    let beside = path.with_extension("new");
    fs::write(&beside, text).expect("a writable directory");
    fs::rename(&beside, path).expect("a writable directory");
}

/// Creates a certificate for localhost, and writes it and its key.
pub(crate) fn new_certificate(dir: &Path) -> CertificateDer<'static> {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]);
    let made = made.expect("a certificate can be made");
    write(&dir.join("tls.key"), &made.signing_key.serialize_pem());
    write(&dir.join("tls.crt"), &made.cert.pem());
    made.cert.der().clone()
}

fn fresh_directory() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("plumb-webhook-{}-{number}", std::process::id());
    let dir = std::env::temp_dir().join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a writable temporary directory");
    dir
}

/// A review of a virtual machine with this many cores that names the template `default/small`.
pub(crate) fn review(uid: &str, cores: u32) -> String {
    serde_json::json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": uid,
            "operation": "CREATE",
            "resource": {"group": "kubevirt.io", "version": "v1", "resource": "virtualmachines"},
            "object": {
                "apiVersion": "kubevirt.io/v1",
                "kind": "VirtualMachine",
                "metadata": {"name": "vm", "namespace": "default", "labels": {
                    "vm.kubevirt.io/template": "small",
                    "vm.kubevirt.io/template.namespace": "default",
                }},
                "spec": {"template": {"spec": {"domain": {"cpu": {"cores": cores}}}}},
            },
        },
    })
    .to_string()
}

/// A template with a rule for the greatest number of cores, and one that always warns.
pub(crate) fn template(max: u32) -> String {
    format!(
        "kind: Template\n\
         metadata:\n\
         \x20 name: small\n\
         \x20 namespace: default\n\
         \x20 annotations:\n\
         \x20   validations: |\n\
         \x20     [{{\"name\": \"cores\", \"rule\": \"integer\", \"max\": {max}, \"message\": \"at most {max}\",\n\
         \x20       \"path\": \"jsonpath::.spec.domain.cpu.cores\"}},\n\
         \x20      {{\"name\": \"version\", \"rule\": \"integer\", \"max\": 0, \"message\": \"version {max}\",\n\
         \x20       \"path\": \"jsonpath::.spec.domain.cpu.cores\", \"justWarning\": true}}]\n"
    )
}
