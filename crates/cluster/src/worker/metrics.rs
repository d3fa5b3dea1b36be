//! The address where monitoring reads: the cluster's fill, this worker's own counts, and whether it lives.

use super::Worker;
use super::runner::Runner;
use crate::error::ClusterError;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::get;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::net::TcpListener;

/// Listens. Returns the address, whose port the kernel chose where 0 was given, and what serves it.
pub async fn listen<R: Runner>(
    worker: &Arc<Worker<R>>,
    address: SocketAddr,
) -> Result<(SocketAddr, impl Future<Output = ()> + use<R>), ClusterError> {
    let taken = |error: std::io::Error| {
        ClusterError::invalid(
            format!("metrics cannot be served at {address}: {error}"),
            "choose another address for --metrics, such as 127.0.0.1:0",
        )
    };
    let listener = TcpListener::bind(address).await.map_err(taken)?;
    let bound = listener.local_addr().map_err(taken)?;
    let router = Router::new()
        .route("/metrics", get(metrics::<R>))
        .route("/healthz", get(async || "ok\n"))
        .with_state(Arc::clone(worker));
    Ok((bound, async move {
        // Ends with the process; an error of one connection is that connection's.
        let _ = axum::serve(listener, router).await;
    }))
}

async fn metrics<R: Runner>(State(worker): State<Arc<Worker<R>>>) -> impl IntoResponse {
    let own = own(&worker);
    match worker.client.status().await {
        Ok(status) => (StatusCode::OK, format!("{}{own}", status.prometheus())),
        // Its own counts still hold; that the queue is out of reach is told by what is missing.
        Err(error) => (StatusCode::OK, format!("# the queue cannot be asked: {}\n{own}", error.word())),
    }
}

fn own<R: Runner>(worker: &Worker<R>) -> String {
    let figures = [
        ("jobs_started_total", "counter", worker.started.load(Ordering::Relaxed)),
        ("jobs_finished_total", "counter", worker.finished.load(Ordering::Relaxed)),
        ("jobs_running", "gauge", worker.jobs().len() as u64),
        ("capacity", "gauge", worker.settings.capacity as u64),
        ("draining", "gauge", u64::from(worker.shutdown.is_draining())),
    ];
    let line = |(name, kind, value): (&str, &str, u64)| {
        format!("# TYPE formicary_worker_{name} {kind}\nformicary_worker_{name} {value}\n")
    };
    figures.into_iter().map(line).collect()
}
