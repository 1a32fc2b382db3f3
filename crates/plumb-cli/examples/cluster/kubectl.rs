//! Runs kubectl with the test server.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::Outcome;
use crate::server::{Server, TOKEN};

pub(crate) struct Kubectl {
    program: PathBuf,
    config: PathBuf,
}

impl Kubectl {
    /// Writes the configuration for the server.
    pub(crate) fn new(program: PathBuf, server: &Server, directory: &Path) -> Outcome<Self> {
        let cluster = json!({
            "server": format!("https://localhost:{}", server.port),
            "certificate-authority": directory.join("tls.crt"),
        });
        let config = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "test",
            "clusters": [{"name": "test", "cluster": cluster}],
            "users": [{"name": "test", "user": {"token": TOKEN}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}],
        });
        let file = directory.join("kubeconfig.json");
        std::fs::write(&file, config.to_string())?;
        Ok(Self { program, config: file })
    }

    /// Runs a command on a path. Returns its output, or the error message.
    pub(crate) fn run(&self, command: &[&str], path: &Path) -> Outcome<Result<String, String>> {
        let mut kubectl = Command::new(&self.program);
        kubectl.arg("--kubeconfig").arg(&self.config).args(command).arg(path);
        let output = kubectl.output()?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(if output.status.success() {
            Ok(text(&output.stdout))
        } else {
            Err(text(&output.stderr))
        })
    }
}
