//! The server on its socket: connections with or without TLS, and an end that leaves nothing.

use crate::app::App;
use crate::routes::router;
use crate::settings::{ServerSettings, TlsFiles, wrong};
use axum::Router;
use formicary_model::{Failure, FailureKind};
use formicary_platform::Platform;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

/// Connections at one time; more wait until one ends.
const MOST_CONNECTIONS: usize = 4_096;
/// Time for a handshake, and for the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// Time for work that was called off to clean up.
const CLEAN_UP: Duration = Duration::from_secs(5);

/// Serves until SIGTERM or SIGINT. `told` hears the address when it listens.
pub fn serve(
    platform: Platform,
    settings: ServerSettings,
    told: &mut dyn FnMut(SocketAddr),
) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(settings.at_once + 16)
        .thread_name("formicary-http")
        .build()
        .map_err(|error| failed("threads cannot be started", &error))?;
    let grace = settings.grace;
    let served = runtime.block_on(async {
        let tls = settings.tls.as_ref().map(acceptor).transpose()?;
        let listener = listen(settings.listen).await?;
        let address = listener.local_addr().map_err(|error| failed("the address is not known", &error))?;
        let mut terminate = signal(SignalKind::terminate()).map_err(|error| failed("signals", &error))?;
        let mut interrupt = signal(SignalKind::interrupt()).map_err(|error| failed("signals", &error))?;
        let app = App::new(Arc::new(platform), settings);
        told(address);
        let stop = async {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        };
        run(&app, listener, tls, stop, grace).await;
        Ok(())
    });
    runtime.shutdown_timeout(CLEAN_UP);
    served
}

/// Binds the address.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        let hint = match error.kind() {
            io::ErrorKind::AddrInUse => {
                "another program has this port: end it, or name another with --listen"
            }
            io::ErrorKind::PermissionDenied => "ports below 1024 are root's: name another with --listen",
            _ => "name an address of this host with --listen ADDRESS:PORT",
        };
        wrong(format!("{address} cannot be listened at: {error}"), hint)
    })
}

/// Serves on this listener until `stop`; then what is under way has `grace` to end, and is called off.
pub async fn run(
    app: &App,
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    stop: impl Future<Output = ()>,
    grace: Duration,
) {
    let router = router(app.clone());
    let (close, closing) = watch::channel(());
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut connections = JoinSet::new();
    let mut stop = pin!(stop);
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { break };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, _)) => {
                let (router, tls, closing) = (router.clone(), tls.clone(), closing.clone());
                connections.spawn(async move {
                    let _place = place;
                    attend(stream, router, tls, closing).await;
                });
            }
            // Out of descriptors, or a caller that left: the next may fare better.
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        while connections.try_join_next().is_some() {}
    }
    drop(listener);
    app.end();
    drop((close, closing));
    let over = async {
        while connections.join_next().await.is_some() {}
        while app.runs.under_way() > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let mut over = pin!(over);
    if tokio::time::timeout(grace, &mut over).await.is_err() {
        let count = app.runs.end_all();
        tracing::warn!(count, "work under way was called off");
        let _ = tokio::time::timeout(CLEAN_UP, over).await;
    }
}

async fn attend(stream: TcpStream, router: Router, tls: Option<TlsAcceptor>, closing: watch::Receiver<()>) {
    // Small answers are not held back for larger ones.
    let _ = stream.set_nodelay(true);
    match tls {
        None => converse(stream, router, closing).await,
        Some(tls) => {
            if let Ok(Ok(stream)) = tokio::time::timeout(HEAD_TIME, tls.accept(stream)).await {
                converse(stream, router, closing).await;
            }
        }
    }
}

async fn converse<S>(stream: S, router: Router, mut closing: watch::Receiver<()>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    let mut connection = pin!(connection);
    // How a connection ends is the caller's concern.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = closing.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Certificate and key from their files.
pub fn acceptor(files: &TlsFiles) -> Result<TlsAcceptor, Failure> {
    let unreadable = |path: &std::path::Path, why: String| {
        wrong(format!("{}: {why}", path.display()), "name PEM files of a certificate chain and its key")
    };
    let chain = CertificateDer::pem_file_iter(&files.certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| unreadable(&files.certificate, error.to_string()))?;
    if chain.is_empty() {
        return Err(unreadable(&files.certificate, "it holds no certificate".into()));
    }
    let key = PrivateKeyDer::from_pem_file(&files.key)
        .map_err(|error| unreadable(&files.key, error.to_string()))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
        .map_err(|error| {
            let why = format!("it does not go with {}: {error}", files.certificate.display());
            unreadable(&files.key, why)
        })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn failed(what: &str, error: &io::Error) -> Failure {
    Failure::new(FailureKind::Internal, format!("{what}: {error}"))
}
