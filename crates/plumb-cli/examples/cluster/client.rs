//! Requests to the API server.

use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use crate::Outcome;
use crate::server::{Server, TOKEN};

/// The group of all definitions.
pub(crate) const GROUP: &str = "cluster.example.com";

pub(crate) struct Client {
    agent: Agent,
    /// The address of the server.
    pub(crate) base: String,
}

/// The server's answer: acceptance, or the reason for a rejection.
pub(crate) type Verdict = Result<(), String>;

impl Client {
    pub(crate) fn new(server: &Server) -> Outcome<Self> {
        let certificate = Certificate::from_pem(server.certificate.as_bytes())?.to_owned();
        let tls =
            TlsConfig::builder().root_certs(RootCerts::new_with_certs(&[certificate])).build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_mins(1)));
        Ok(Self {
            agent: config.build().into(),
            base: format!("https://localhost:{}", server.port),
        })
    }

    pub(crate) fn wait_until_ready(&self) -> Outcome<()> {
        for _ in 0..120 {
            if let Ok((200, _)) = self.get("/readyz") {
                return Ok(());
            }
            sleep(Duration::from_secs(1));
        }
        Err("the API server is not ready after two minutes".into())
    }

    pub(crate) fn version(&self) -> Outcome<String> {
        let (_, body) = self.get("/version")?;
        let version: Value = serde_json::from_str(&body)?;
        Ok(format!("API server {}", version["gitVersion"].as_str().unwrap_or("?")))
    }

    /// Stores a definition, and waits until its resources can be created.
    pub(crate) fn define(&self, definition: &str, kind: &str) -> Outcome<Verdict> {
        self.define_at(definition, &format!("/apis/{GROUP}/v1/{}s", kind.to_lowercase()))
    }

    /// Like [`define`](Self::define), for a definition whose resources are at another path.
    pub(crate) fn define_at(&self, definition: &str, path: &str) -> Outcome<Verdict> {
        let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        if let Err(refusal) = self.post(definitions, definition)? {
            return Ok(Err(refusal));
        }
        for _ in 0..600 {
            if self.get(path)?.0 == 200 {
                return Ok(Ok(()));
            }
            sleep(Duration::from_millis(100));
        }
        Err(format!("{path} is not served after a minute").into())
    }

    /// Whether the server would create a resource with this `spec`.
    pub(crate) fn accepts(&self, kind: &str, spec: &Value) -> Outcome<Verdict> {
        let resource = json!({
            "apiVersion": format!("{GROUP}/v1"),
            "kind": kind,
            "metadata": { "name": "one" },
            "spec": spec,
        });
        let plural = kind.to_lowercase();
        let query = "dryRun=All&fieldValidation=Strict";
        let path = format!("/apis/{GROUP}/v1/namespaces/default/{plural}s?{query}");
        self.post(&path, &resource.to_string())
    }

    /// The text at a path.
    pub(crate) fn text(&self, path: &str) -> Outcome<String> {
        match self.get(path)? {
            (200, body) => Ok(body),
            (status, _) => Err(format!("{path}: {status}").into()),
        }
    }

    fn get(&self, path: &str) -> Outcome<(u16, String)> {
        let request = self.agent.get(format!("{}{path}", self.base));
        let mut response = request.header("Authorization", format!("Bearer {TOKEN}")).call()?;
        Ok((response.status().as_u16(), response.body_mut().read_to_string()?))
    }

    pub(crate) fn delete(&self, path: &str) -> Outcome<()> {
        let request = self.agent.delete(format!("{}{path}", self.base));
        request.header("Authorization", format!("Bearer {TOKEN}")).call()?;
        Ok(())
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Outcome<Verdict> {
        let request = self.agent.post(format!("{}{path}", self.base));
        let request = request.header("Authorization", format!("Bearer {TOKEN}"));
        let mut response = request.header("Content-Type", "application/json").send(body)?;
        let answer: Value = serde_json::from_str(&response.body_mut().read_to_string()?)?;
        Ok(match response.status().as_u16() {
            200..=299 => Ok(()),
            _ => Err(answer["message"].as_str().unwrap_or("no message").to_owned()),
        })
    }
}
