//! Compares Plumb with a real API server: every schema of the case files is exported as a custom
//! resource definition, the server must accept it, and both must give the same verdict on values.
//!
//! Virtual machines are compared with the verdicts of the webhook and of exported policies, and the
//! manifests of `deploy/` are applied with kubectl. `--without-schemas` and `--without-machines`
//! leave out parts. `--only TEXT` compares only the schemas of files whose names contain the text.
//!
//! The server and its etcd run on loopback, with their own certificate and directory. Only the
//! definitions are stored: resources are sent as a dry run.
//!
//! ```console
//! $ cargo xtask cluster --apiserver PATH --etcd PATH --kubectl PATH
//! ```

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for developers: it starts processes and talks to the terminal"
)]

mod client;
mod deploy;
mod kubectl;
mod machines;
mod plumb;
mod schemas;
mod server;
mod values;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use client::Client;
use kubectl::Kubectl;
use schemas::Schema;
use server::Server;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The numbers of results.
#[derive(Default)]
struct Counts {
    accepted: usize,
    refused: usize,
    compared: usize,
    /// Different verdicts on values of a schema whose export had a warning.
    warned: usize,
    /// Nulls that the server drops, as a warning says.
    nulls: usize,
    /// Different verdicts without a warning.
    unnamed: usize,
}

fn main() -> Outcome<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = |flag: &str| {
        let at = arguments.iter().position(|it| it == flag)?;
        arguments.get(at + 1).map(PathBuf::from)
    };
    let (Some(apiserver), Some(etcd)) = (path("--apiserver"), path("--etcd")) else {
        eprintln!("SKIPPED: the cluster test needs --apiserver PATH and --etcd PATH");
        eprintln!("Debian's etcd-server has etcd; kube-apiserver is built from its repository");
        return Ok(ExitCode::SUCCESS);
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).ok_or("the repository")?;
    let directory = std::env::temp_dir().join(format!("plumb-cluster-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    let mut schemas = schemas::of_cases(root, &directory.join("cases"))?;
    if let Some(part) = path("--only") {
        schemas.retain(|it| it.name.contains(&*part.to_string_lossy()));
    }
    println!("{} schemas in the case files", schemas.len());
    let server = Server::start(&apiserver, &etcd, &directory)?;
    let client = Client::new(&server)?;
    client.wait_until_ready()?;
    println!("{}", client.version()?);
    let mut deployed = deploy::Counts::default();
    match path("--kubectl") {
        Some(kubectl) => {
            let kubectl = Kubectl::new(kubectl, &server, &directory)?;
            deployed = deploy::apply(&client, &kubectl, root, &directory)?;
            println!(
                "deploy/: {} directories applied, {} refused; {} rendered identically by deploy/plumb, {} not",
                deployed.applied, deployed.refused, deployed.equal, deployed.different
            );
        }
        None => eprintln!("SKIPPED: applying deploy/, which needs --kubectl PATH"),
    }
    let findings = deploy::validate(&client, root, &directory)?;
    match &findings {
        None => println!("deploy/: valid by the schemas of the server"),
        Some(findings) => {
            println!("deploy/: Plumb finds, by the schemas of the server:\n{findings}");
        }
    }
    let has = |flag: &str| arguments.iter().any(|it| it == flag);
    let mut machines = None;
    if !has("--without-machines") {
        machines = machines::compare(&client, root, &directory)?;
        match &machines {
            Some(machines) => println!("{machines}"),
            None => eprintln!("SKIPPED: virtual machines: there is no ../shared/conformance/vm"),
        }
    }
    let mut counts = Counts::default();
    for (at, schema) in schemas.iter().enumerate().filter(|_| !has("--without-schemas")) {
        compare(&client, schema, at, &mut counts)?;
    }
    drop(server);
    std::fs::remove_dir_all(&directory)?;
    println!(
        "{} definitions accepted, {} refused; {} values compared, {} different verdicts that a \
         warning names, {} nulls that the server drops, as a warning says, {} others",
        counts.accepted,
        counts.refused,
        counts.compared,
        counts.warned,
        counts.nulls,
        counts.unnamed
    );
    let is_right = counts.refused == 0
        && counts.unnamed == 0
        && deployed.refused == 0
        && deployed.different == 0
        && findings.is_none()
        && machines.is_none_or(|it| it.different == 0);
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Exports one schema, and compares the verdicts on values around its defaults.
fn compare(client: &Client, schema: &Schema, at: usize, counts: &mut Counts) -> Outcome<()> {
    let kind = format!("Case{at}");
    let Some(exported) = plumb::export(schema, &kind)? else {
        return Ok(());
    };
    if let Err(refusal) = client.define(&exported.definition, &kind)? {
        counts.refused += 1;
        println!("{}: the definition is refused: {refusal}", schema.name);
        return Ok(());
    }
    counts.accepted += 1;
    let Some(defaults) = plumb::defaults(schema)? else {
        return Ok(());
    };
    for value in values::around(&defaults) {
        let ours = plumb::accepts(schema, &value)?;
        let theirs = client.accepts(&kind, &value)?;
        counts.compared += 1;
        if !ours && theirs.is_ok() && exported.warns_about_null(&value) {
            counts.nulls += 1;
        } else if ours != theirs.is_ok() {
            let is_named = exported.warns_about(&value, theirs.as_ref().err().map(String::as_str));
            counts.warned += usize::from(is_named);
            counts.unnamed += usize::from(!is_named);
            let reason = theirs.err().unwrap_or_else(|| "accepted".to_owned());
            let verdict = if ours { "accepts" } else { "rejects" };
            let named = if is_named { " (a warning names it)" } else { "" };
            println!("{}{named}: Plumb {verdict} {value}; the server: {reason}", schema.name);
        }
    }
    Ok(())
}
