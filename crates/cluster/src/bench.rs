//! How many jobs a second the cluster runs, measured by a client that sends the same small job again and again.

use crate::client::ClusterClient;
use formicary_model::{ExecutionRequest, Failure, Source};
use futures_util::{StreamExt as _, TryStreamExt as _};
use serde::Serialize;
use std::time::Instant;

/// What was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BenchReport {
    /// Jobs that were run.
    pub jobs: usize,
    /// Jobs that were under way at a time.
    pub at_once: usize,
    /// Jobs whose program did not succeed.
    pub failed: usize,
    /// Seconds from the first to the last.
    pub seconds: f64,
    /// Jobs in a second.
    pub rate: f64,
    /// Seconds from submission to result: the median, and what 99 of 100 stay below.
    pub median: f64,
    /// Likewise.
    pub p99: f64,
    /// Workers that were there at the end.
    pub workers: usize,
}

/// Sends so many jobs, so many at a time. Each has a number in a comment, so that nothing is remembered from another.
pub async fn bench(
    client: &ClusterClient,
    request: ExecutionRequest,
    jobs: usize,
    at_once: usize,
) -> Result<BenchReport, Failure> {
    let started = Instant::now();
    let one = |number: usize| {
        let request = numbered(request.clone(), number);
        async move {
            let begun = Instant::now();
            let result = client.execute(request).await?;
            Ok::<_, Failure>((begun.elapsed().as_secs_f64(), result.success()))
        }
    };
    let all = futures_util::stream::iter(0..jobs).map(one).buffer_unordered(at_once.max(1));
    let all: Vec<(f64, bool)> = all.try_collect().await?;
    let seconds = started.elapsed().as_secs_f64();
    let mut times: Vec<f64> = all.iter().map(|(time, _)| *time).collect();
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times.get(((times.len() as f64 * part) as usize).min(times.len().saturating_sub(1)));
    Ok(BenchReport {
        jobs,
        at_once,
        failed: all.iter().filter(|(_, success)| !success).count(),
        seconds,
        rate: jobs as f64 / seconds.max(f64::EPSILON),
        median: at(0.5).copied().unwrap_or_default(),
        p99: at(0.99).copied().unwrap_or_default(),
        workers: client.workers().await?.len(),
    })
}

fn numbered(mut request: ExecutionRequest, number: usize) -> ExecutionRequest {
    if let Source::Code { code, .. } = &mut request.source {
        code.extend_from_slice(format!("\n# {number}\n").as_bytes());
    }
    request
}
