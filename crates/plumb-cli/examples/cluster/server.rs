//! An API server and its etcd, on loopback and in their own directory.

use std::fs::File;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::Outcome;

/// The token of the only user, who may do anything.
pub(crate) const TOKEN: &str = "cluster-test";

/// Running processes, which end when this is dropped.
pub(crate) struct Server {
    etcd: Child,
    apiserver: Child,
    pub(crate) port: u16,
    /// The certificate of the server, in PEM.
    pub(crate) certificate: String,
}

impl Server {
    pub(crate) fn start(apiserver: &Path, etcd: &Path, directory: &Path) -> Outcome<Self> {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()])?;
        let certificate = made.cert.pem();
        let key = made.signing_key.serialize_pem();
        let file = |name: &str, text: &str| -> Outcome<String> {
            let path = directory.join(name);
            std::fs::write(&path, text)?;
            Ok(path.to_string_lossy().into_owned())
        };
        let (cert_file, key_file) = (file("tls.crt", &certificate)?, file("tls.key", &key)?);
        let public = file("sa.pub", &made.signing_key.public_key_pem())?;
        let tokens = file("tokens.csv", &format!("{TOKEN},admin,admin,\"system:masters\"\n"))?;
        let [port, of_etcd, of_peers] = [free_port()?, free_port()?, free_port()?];
        let etcd_url = format!("http://127.0.0.1:{of_etcd}");
        let peer_url = format!("http://127.0.0.1:{of_peers}");
        let log = |name: &str| File::create(directory.join(name)).map(Stdio::from);
        let etcd = Command::new(etcd)
            .arg("--data-dir")
            .arg(directory.join("etcd"))
            .args(["--listen-client-urls", &etcd_url, "--advertise-client-urls", &etcd_url])
            .args(["--listen-peer-urls", &peer_url, "--initial-advertise-peer-urls", &peer_url])
            .args(["--initial-cluster", &format!("default={peer_url}"), "--unsafe-no-fsync"])
            .stdout(log("etcd.out")?)
            .stderr(log("etcd.err")?)
            .spawn()?;
        let apiserver = Command::new(apiserver)
            .args(["--etcd-servers", &etcd_url])
            .args(["--bind-address", "127.0.0.1", "--secure-port", &port.to_string()])
            .args(["--tls-cert-file", &cert_file, "--tls-private-key-file", &key_file])
            .args(["--service-account-issuer", "https://cluster.test"])
            .args(["--service-account-key-file", &public])
            .args(["--service-account-signing-key-file", &key_file])
            .args(["--token-auth-file", &tokens, "--authorization-mode", "AlwaysAllow"])
            .args(["--service-cluster-ip-range", "10.0.0.0/24"])
            .args(["--disable-admission-plugins", "ServiceAccount"])
            .args(["--endpoint-reconciler-type", "none"])
            .arg("--cert-dir")
            .arg(directory)
            .stdout(log("apiserver.out")?)
            .stderr(log("apiserver.err")?)
            .spawn()?;
        Ok(Self { etcd, apiserver, port, certificate })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        for child in [&mut self.apiserver, &mut self.etcd] {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A port that nothing listens on.
pub(crate) fn free_port() -> Outcome<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
