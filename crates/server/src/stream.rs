//! Answers that come as they happen: server-sent events.

use crate::app::{App, Watcher};
use crate::body::wants_events;
use crate::feed::{Feed, Told};
use crate::problem::Problem;
use crate::tenant::Tenant;
use axum::Json;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use formicary_model::Failure;
use formicary_platform::Platform;
use serde::Serialize;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::AbortHandle;

/// Between signs of life on a stream on which nothing happens.
const PULSE: Duration = Duration::from_secs(15);

/// Does work and answers with what comes of it: at the end, or, where the caller wants events, with these as they come and
/// the result as the last.
pub async fn answer<T: Serialize + Send + 'static>(
    app: &App,
    tenant: &Tenant,
    headers: &HeaderMap,
    work: impl FnOnce(&Platform, &Watcher) -> Result<T, Failure> + Send + 'static,
) -> Result<Response, Problem> {
    if !wants_events(headers) {
        return app.work(tenant, work).await.map(|done| Json(done).into_response());
    }
    let pass = app.enter(tenant).await?;
    let feed = Arc::new(Feed::default());
    let task = tokio::spawn({
        let (app, tenant, feed) = (app.clone(), tenant.clone(), Arc::clone(&feed));
        async move {
            let done = app.work_admitted(&tenant, pass, Some(Arc::clone(&feed)), work).await;
            match done {
                Ok(done) => feed.push("result", &done),
                Err(problem) => feed.push("problem", &problem.body(None)),
            }
            feed.close();
        }
    });
    Ok(events(feed, 0, Some(CallOff(task.abort_handle()))))
}

/// Work that ends when its only reader goes away.
pub struct CallOff(pub AbortHandle);

impl Drop for CallOff {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The events of a feed after a number.
pub fn events(feed: Arc<Feed>, after: u64, reader: Option<CallOff>) -> Response {
    let start = (feed, after, reader);
    let stream = futures_util::stream::unfold(start, async |(feed, after, reader)| {
        let Told { number, name, data } = feed.after(after).await?;
        let event = Event::default().id(number.to_string()).event(name).data(&*data);
        Some((Ok::<_, Infallible>(event), (feed, number, reader)))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(PULSE)).into_response()
}
