//! A small client of the Language Server Protocol, on the pipes of a server.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use crate::bench::cpu;

/// An editor with its own server.
pub(super) struct Client {
    server: Child,
    to_server: ChildStdin,
    from_server: BufReader<ChildStdout>,
    n_requests: u32,
    /// The version of the only open document.
    version: u32,
}

impl Client {
    pub(super) fn start(plumb: &Path, directory: &Path) -> Result<Self> {
        let mut command = Command::new(plumb);
        command.arg("lsp").current_dir(directory).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().with_context(|| format!("starting {command:?}"))?;
        let to_server = server.stdin.take().context("a pipe to the server")?;
        let from_server = BufReader::new(server.stdout.take().context("a pipe from the server")?);
        let mut client = Self { server, to_server, from_server, n_requests: 0, version: 0 };
        client.request("initialize", &json!({ "capabilities": {} }))?;
        client.notify("initialized", &json!({}))?;
        Ok(client)
    }

    /// Ends the server, and waits for it.
    pub(super) fn end(mut self) -> Result<()> {
        self.request("shutdown", &Value::Null)?;
        self.notify("exit", &Value::Null)?;
        let status = self.server.wait()?;
        ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }

    pub(super) fn open(&mut self, path: &Path, text: &str) -> Result<()> {
        self.version = 1;
        let document =
            json!({ "uri": uri(path), "languageId": "yaml", "version": 1, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }))
    }

    pub(super) fn change(&mut self, path: &Path, change: &Value) -> Result<()> {
        self.version += 1;
        let document = json!({ "uri": uri(path), "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        self.notify("textDocument/didChange", &params)
    }

    /// The answer to a request about a place of a document.
    pub(super) fn ask(&mut self, method: &str, path: &Path, position: &Value) -> Result<Value> {
        self.request(method, &json!({ "textDocument": { "uri": uri(path) }, "position": position }))
    }

    /// Waits for the findings of the last version of a document. There must not be any.
    pub(super) fn wait_for_findings(&mut self, path: &Path) -> Result<()> {
        loop {
            let message = self.receive()?;
            let params = &message["params"];
            let is_awaited = message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri(path)
                && params["version"] == self.version;
            if is_awaited {
                let found = &params["diagnostics"];
                ensure!(found.as_array().is_some_and(Vec::is_empty), "findings: {found}");
                return Ok(());
            }
        }
    }

    /// The average CPU time of the server for an action that is done several times.
    pub(super) fn milliseconds(
        &mut self,
        n_times: u32,
        mut act: impl FnMut(&mut Self, u32) -> Result<()>,
    ) -> Result<f64> {
        let before = cpu::seconds_of(self.server.id())?;
        for at in 1..=n_times {
            act(self, at)?;
        }
        let after = cpu::seconds_of(self.server.id())?;
        Ok((after - before) * 1000.0 / f64::from(n_times))
    }

    /// The memory of the server.
    pub(super) fn megabytes(&self) -> Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.server.id()))
            .context("measuring needs Linux")?;
        let line = status.lines().find(|it| it.starts_with("VmRSS:")).context("no VmRSS")?;
        let kilobytes = line.split_whitespace().nth(1).context("a number")?.parse::<f64>()?;
        Ok(kilobytes / 1024.0)
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.n_requests += 1;
        let id = self.n_requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        loop {
            let mut message = self.receive()?;
            if message.get("method").is_none() && message["id"] == id {
                ensure!(message.get("error").is_none(), "{method}: {message}");
                return Ok(message["result"].take());
            }
        }
    }

    fn notify(&mut self, method: &str, params: &Value) -> Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let text = message.to_string();
        write!(self.to_server, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        Ok(self.to_server.flush()?)
    }

    fn receive(&mut self) -> Result<Value> {
        let mut length = None;
        loop {
            let mut line = String::new();
            if self.from_server.read_line(&mut line)? == 0 {
                bail!("the server has ended");
            }
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", value)) => length = Some(value.parse::<usize>()?),
                Some(_) => {}
                None => break,
            }
        }
        let mut text = vec![0; length.context("a message without its length")?];
        self.from_server.read_exact(&mut text)?;
        Ok(serde_json::from_slice(&text)?)
    }
}

/// The URI of a path. The path must not have characters that must be encoded.
fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}
