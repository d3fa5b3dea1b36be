//! The two ways in: standard input and output for a client that starts us, streamable HTTP for one that finds us.

pub use crate::keys::Keys;
use crate::{Door, Settings, keys};
use axum::Router;
use formicary_model::{Failure, FailureKind};
use formicary_platform::Platform;
use formicary_platform::tenants::Tenants;
use rmcp::ServiceExt as _;
use rmcp::transport::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};

/// Where the protocol is spoken over HTTP.
pub const PATH: &str = "/mcp";
/// Bytes of one request: files come along in it.
const MOST_BODY: usize = 64 << 20;
/// How long calls that were cancelled may take to clean up.
const PATIENCE: Duration = Duration::from_secs(10);

/// How to be found over HTTP.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Where to listen; port 0 lets the kernel choose.
    pub address: SocketAddr,
    /// Who may come in. None is possible on loopback alone.
    pub keys: Keys,
    /// Further names under which it may be called (`Host`).
    pub hosts: Vec<String>,
    /// Pages that may call it (`Origin`); none by default.
    pub origins: Vec<String>,
}

fn internal(what: &str, error: impl std::fmt::Display) -> Failure {
    Failure::new(FailureKind::Internal, format!("{what}: {error}"))
}

fn runtime() -> Result<Runtime, Failure> {
    let built = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    built.map_err(|error| internal("the runtime cannot start", error))
}

/// Speaks with the client that started us, until it goes away or a signal ends us.
pub fn serve_stdio(platform: Platform, settings: Settings) -> Result<(), Failure> {
    let door = Door::new(platform, settings)?;
    let runtime = runtime()?;
    let ended = runtime.block_on(async {
        let mut stop = Stop::new()?;
        let started = tokio::select! {
            started = door.serve(rmcp::transport::stdio_pipes()) => started,
            () = stop.wait() => return Ok(()),
        };
        // A client that leaves before it said hello has lost nothing.
        let Ok(running) = started else { return Ok(()) };
        let token = running.cancellation_token();
        let mut waiting = std::pin::pin!(running.waiting());
        tokio::select! {
            _ = &mut waiting => {}
            () = stop.wait() => {
                token.cancel();
                let _ = tokio::time::timeout(PATIENCE, waiting).await;
            }
        }
        Ok(())
    });
    // What runs was cancelled with the calls it belongs to; a reader that waits for standard input is not waited for.
    runtime.shutdown_timeout(PATIENCE);
    ended
}

/// Serves over HTTP until a signal ends us. `ready` is told the address.
pub fn serve_http(
    platform: Platform,
    settings: Settings,
    http: HttpSettings,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), Failure> {
    if !http.address.ip().is_loopback() && http.keys.is_empty() {
        let message = format!("{} can be reached from elsewhere, and no key is asked for", http.address);
        return Err(
            Failure::new(FailureKind::InvalidInput, message).hint("give --key-file, or listen on 127.0.0.1")
        );
    }
    let tenants = Arc::new(http.keys.tenants());
    let door = Door::for_tenants(platform, settings, Arc::clone(&tenants))?;
    let runtime = runtime()?;
    let ended = runtime.block_on(async {
        let mut stop = Stop::new()?;
        let listener = TcpListener::bind(http.address).await.map_err(|error| {
            Failure::new(
                FailureKind::InvalidInput,
                format!("{} cannot be listened on: {error}", http.address),
            )
            .hint("choose another port; 0 lets the kernel choose")
        })?;
        let address = listener.local_addr().map_err(|error| internal("the address is not known", error))?;
        let (router, end_calls) = router(door, tenants, &http, address);
        ready(address);
        let served = axum::serve(listener, router).with_graceful_shutdown(async move {
            stop.wait().await;
            end_calls();
        });
        served.await.map_err(|error| internal("serving ended", error))
    });
    runtime.shutdown_timeout(PATIENCE);
    ended
}

/// The routes, and what ends every call.
fn router(
    door: Door,
    tenants: Arc<Tenants>,
    http: &HttpSettings,
    address: SocketAddr,
) -> (Router, impl FnOnce() + use<>) {
    let mut config = StreamableHttpServerConfig::default()
        .with_max_request_body_bytes(MOST_BODY)
        .with_allowed_origins(http.origins.clone())
        .enforce_origin_validation();
    if !address.ip().is_unspecified() {
        config.allowed_hosts.push(address.ip().to_string());
    }
    config.allowed_hosts.extend(http.hosts.iter().cloned());
    let token = config.cancellation_token.clone();
    let sessions = LocalSessionManager::default();
    let service = StreamableHttpService::new(move || Ok(door.clone()), sessions.into(), config);
    let router = Router::new()
        .nest_service(PATH, service)
        .layer(axum::middleware::from_fn_with_state((http.keys.clone(), tenants), keys::check));
    (router, move || token.cancel())
}

/// The signals that end us.
struct Stop {
    signals: [tokio::signal::unix::Signal; 3],
}

impl Stop {
    fn new() -> Result<Self, Failure> {
        let hear = |kind| signal(kind).map_err(|error| internal("signals cannot be heard", error));
        Ok(Self {
            signals: [
                hear(SignalKind::interrupt())?,
                hear(SignalKind::terminate())?,
                hear(SignalKind::hangup())?,
            ],
        })
    }

    async fn wait(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.signals;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}
