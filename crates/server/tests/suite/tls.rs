//! TLS by files: a handshake with a client that knows the certificate, one that does not, and files that are wrong.

use crate::door::Door;
use formicary_server::{TlsFiles, serve};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_rustls::TlsConnector;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn client(known: bool) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    if known {
        roots.add(CertificateDer::from_pem_file(fixture("certificate.pem")).unwrap()).unwrap();
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    TlsConnector::from(Arc::new(config.with_root_certificates(roots).with_no_client_auth()))
}

#[tokio::test(flavor = "multi_thread")]
async fn who_knows_the_certificate_is_served() {
    let door = Door::open();
    let files = TlsFiles { certificate: fixture("certificate.pem"), key: fixture("key.pem") };
    let acceptor = serve::acceptor(&files).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let app = door.app.clone();
    let serving = tokio::spawn(async move {
        let stop = async {
            let _ = stopped.await;
        };
        serve::run(&app, listener, Some(acceptor), stop, Duration::from_secs(5)).await;
    });
    let name = ServerName::try_from("localhost").unwrap();
    let connect = async |known| {
        let stream = TcpStream::connect(address).await.unwrap();
        client(known).connect(name.clone(), stream).await
    };
    let mut stream = connect(true).await.unwrap();
    let call = b"GET /v1/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    stream.write_all(call).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(connect(false).await.unwrap_err().to_string().contains("UnknownIssuer"));
    // Whoever does not speak TLS is told nothing, and nobody else is harmed.
    let mut plain = TcpStream::connect(address).await.unwrap();
    plain.write_all(call).await.unwrap();
    let mut said = Vec::new();
    let _ = plain.read_to_end(&mut said).await;
    assert!(!said.starts_with(b"HTTP"), "{said:?}");
    connect(true).await.unwrap();
    stop.send(()).unwrap();
    serving.await.unwrap();
}

#[test]
fn wrong_files_are_named() {
    let scratch = tempfile::tempdir().unwrap();
    let empty = scratch.path().join("empty.pem");
    std::fs::write(&empty, "").unwrap();
    let (certificate, key) = (fixture("certificate.pem"), fixture("key.pem"));
    for (certificate, key, named) in [
        (scratch.path().join("none.pem"), key.clone(), "none.pem"),
        (empty.clone(), key.clone(), "empty.pem: it holds no certificate"),
        (certificate.clone(), scratch.path().join("none.pem"), "none.pem"),
        (certificate.clone(), empty, "empty.pem"),
        (certificate.clone(), certificate.clone(), "certificate.pem"),
        (certificate, fixture("other-key.pem"), "other-key.pem"),
        (key.clone(), key, "key.pem"),
    ] {
        let Err(failure) = serve::acceptor(&TlsFiles { certificate, key }) else {
            panic!("{named}: no error")
        };
        assert!(failure.message.contains(named), "{named}: {}", failure.message);
        assert!(failure.hint.is_some(), "{named}");
    }
}
