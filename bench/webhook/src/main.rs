//! The server that the webhook is compared with: a trivial handler that parses the same body, over
//! TLS.
//!
//! `webhook-bench certificate DIRECTORY` makes a certificate for both servers,
//! `webhook-bench serve DIRECTORY` serves with it and prints its address.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::post;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["certificate", directory] => certificate(directory.as_ref()),
        ["serve", directory] => serve(directory.as_ref()),
        _ => Err("usage: webhook-bench certificate|serve DIRECTORY".into()),
    }
}

fn certificate(directory: &Path) -> Result<()> {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()])?;
    std::fs::write(directory.join("tls.key"), made.signing_key.serialize_pem())?;
    std::fs::write(directory.join("tls.crt"), made.cert.pem())?;
    Ok(())
}

fn serve(directory: &Path) -> Result<()> {
    let certificate = CertificateDer::from_pem_file(directory.join("tls.crt"))?;
    let key = PrivateKeyDer::from_pem_file(directory.join("tls.key"))?;
    let config =
        ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key)?;
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let router = Router::new().route("/virtualmachine-validate", post(review));
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("{}", listener.local_addr()?);
        loop {
            let (stream, _) = listener.accept().await?;
            let (acceptor, router) = (acceptor.clone(), router.clone());
            tokio::spawn(async move {
                let Ok(stream) = acceptor.accept(stream).await else { return };
                let builder = Builder::new(TokioExecutor::new());
                let service = TowerToHyperService::new(router);
                let _ = builder.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    })
}

async fn review(body: Bytes) -> impl IntoResponse {
    let Ok(review) = serde_json::from_slice::<Value>(&body) else {
        return (StatusCode::BAD_REQUEST, [(CONTENT_TYPE, "text/plain")], Vec::new());
    };
    let answer = json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "response": {"uid": review["request"]["uid"], "allowed": true},
    });
    (StatusCode::OK, [(CONTENT_TYPE, "application/json")], answer.to_string().into_bytes())
}
