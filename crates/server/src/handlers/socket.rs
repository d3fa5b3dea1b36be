//! An execution over a WebSocket: input while it runs, output as it comes, and a way to interrupt it. And a session's cells,
//! one after the other.

use super::perform::{context, judged, quickly};
use crate::app::App;
use crate::body::{Named, parse};
use crate::feed::{Feed, Told};
use crate::problem::Problem;
use crate::tenant::Tenant;
use axum::Extension;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::Response;
use formicary_model::{CellInput, CellRequest, SessionId};
use formicary_platform::execute::Execute;
use formicary_platform::sessions::{InterruptSession, RunCell, ShowSession};
use formicary_platform::{Cancel, Stdin};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Duration;
use tokio::time::timeout;

/// How long a caller may take to say what it wants, and to take what it is sent.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the caller of a session may say nothing.
const LULL: Duration = Duration::from_secs(900);
/// Pieces of input that may wait for the program.
const MOST_PIECES: usize = 256;

/// What a caller says after its request.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Said {
    stdin: Option<String>,
    close_stdin: bool,
    interrupt: bool,
}

/// `GET /v1/execute/ws`
pub async fn socket(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let upgrade = accepted(&app, upgrade, "POST /v1/execute takes a request")?;
    Ok(upgrade.on_upgrade(move |socket| attend(app, tenant, socket)))
}

fn accepted(
    app: &App,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    instead: &str,
) -> Result<WebSocketUpgrade, Problem> {
    let upgrade = upgrade.map_err(|error| {
        Problem::new(StatusCode::UPGRADE_REQUIRED, "upgrade_required", error.body_text())
            .hint(format!("open a WebSocket here; {instead}"))
    })?;
    let most = app.settings.body_bytes;
    Ok(upgrade.protocols(["formicary"]).max_message_size(most).max_frame_size(most))
}

async fn attend(app: App, tenant: Tenant, mut socket: WebSocket) {
    let done = run(&app, &tenant, &mut socket).await;
    end(socket, done, "/v1/execute/ws").await;
}

/// Says what went wrong, and goodbye.
async fn end(mut socket: WebSocket, done: Result<(), Problem>, place: &str) {
    if let Err(problem) = done {
        let _ = send(&mut socket, "problem", &json!(problem.body(Some(place.to_owned())))).await;
    }
    let _ = timeout(PATIENCE, socket.send(Message::Close(None))).await;
}

async fn run(app: &App, tenant: &Tenant, socket: &mut WebSocket) -> Result<(), Problem> {
    let Some(body) = asked::<Value>(socket, PATIENCE, &|_| false).await? else {
        return Err(Problem::invalid("no request came"));
    };
    let mut request = judged::<Execute>(app, tenant, body).await?;
    let pass = app.enter(tenant).await?;
    let feed = Arc::new(Feed::default());
    let (input, taken) = sync_channel(MOST_PIECES);
    // What the request brings along comes first.
    let first = std::mem::take(&mut request.stdin);
    let reader = Input { pieces: taken, rest: io::Cursor::new(first) };
    let cancel = Cancel::default();
    let task = tokio::spawn({
        let (app, tenant, feed, cancel) = (app.clone(), tenant.clone(), Arc::clone(&feed), cancel.clone());
        async move {
            let events = Some(Arc::clone(&feed));
            let own = tenant.clone();
            let done = app.work_until(&tenant, pass, events, cancel, move |platform, watcher| {
                let stdin = Stdin::Reader(Box::new(reader));
                platform.perform::<Execute>(&context(&own, watcher).with_stdin(stdin), request)
            });
            finish(&feed, done.await);
        }
    });
    let _called_off = crate::stream::CallOff(task.abort_handle());
    converse(socket, &feed, Some(input), || cancel.interrupt()).await.map(drop)
}

/// `GET /v1/sessions/{id}/ws`
pub async fn session(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    quickly::<ShowSession>(&app, &tenant, SessionId { id: id.clone() }).await?;
    let upgrade = accepted(&app, upgrade, "POST …/cells takes a cell")?;
    Ok(upgrade.on_upgrade(move |mut socket| async move {
        let done = cells(&app, &tenant, &id, &mut socket).await;
        end(socket, done, &format!("/v1/sessions/{id}/ws")).await;
    }))
}

/// Runs one cell after the other for as long as the caller is there. One that is interrupted leaves its session as it is.
async fn cells(app: &App, tenant: &Tenant, id: &str, socket: &mut WebSocket) -> Result<(), Problem> {
    // Found anew each time: holding on to it here would keep one that was closed alive. Nobody waits for it: the cell's end
    // tells whether it was heard.
    let interrupt = || {
        let (app, tenant, id) = (app.clone(), tenant.clone(), id.to_owned());
        drop(tokio::spawn(async move {
            quickly::<InterruptSession>(&app, &tenant, SessionId { id }).await.map(drop)
        }));
    };
    // An interrupt may have been on its way when the cell ended.
    let late = |text: &[u8]| parse::<Said>(text).is_ok_and(|said| said.interrupt);
    while let Some(cell) = asked::<CellRequest>(socket, LULL, &late).await? {
        let pass = app.enter(tenant).await?;
        let feed = Arc::new(Feed::default());
        let task = tokio::spawn({
            let (app, tenant, feed) = (app.clone(), tenant.clone(), Arc::clone(&feed));
            let id = id.to_owned();
            async move {
                let events = Some(Arc::clone(&feed));
                let own = tenant.clone();
                let done = app.work_admitted(&tenant, pass, events, move |platform, watcher| {
                    platform.perform::<RunCell>(&context(&own, watcher), CellInput { id, cell })
                });
                finish(&feed, done.await);
            }
        });
        let _called_off = crate::stream::CallOff(task.abort_handle());
        if !converse(socket, &feed, None, interrupt).await? {
            break;
        }
    }
    Ok(())
}

/// The next request; nothing where the caller left or said nothing for so long. What comes too late is passed over.
async fn asked<T: DeserializeOwned + JsonSchema + 'static>(
    socket: &mut WebSocket,
    patience: Duration,
    late: &(dyn Fn(&[u8]) -> bool + Sync),
) -> Result<Option<T>, Problem> {
    loop {
        match timeout(patience, socket.recv()).await {
            Ok(Some(Ok(Message::Text(text)))) if late(text.as_bytes()) => {}
            Ok(Some(Ok(Message::Text(text)))) => return parse(text.as_bytes()).map(Some),
            Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => {}
            Ok(Some(Ok(Message::Binary(_)))) => return Err(Problem::invalid("the request is not text")),
            _ => return Ok(None),
        }
    }
}

fn finish(feed: &Feed, done: Result<impl Serialize, Problem>) {
    match done {
        Ok(result) => feed.push("result", &result),
        Err(problem) => feed.push("problem", &problem.body(None)),
    }
    feed.close();
}

/// Passes on what either side says, until the run is over or the caller is gone. Whether the caller is still there.
async fn converse(
    socket: &mut WebSocket,
    feed: &Feed,
    mut input: Option<SyncSender<Vec<u8>>>,
    interrupt: impl Fn(),
) -> Result<bool, Problem> {
    let mut seen = 0;
    loop {
        tokio::select! {
            told = feed.after(seen) => {
                let Some(Told { number, name, data }) = told else { return Ok(true) };
                seen = number;
                let data: Value = serde_json::from_str(&data).unwrap_or_default();
                if !send(socket, name, &data).await {
                    return Ok(false);
                }
                // With its last word it is over: what the caller says now is no part of it.
                if matches!(name, "result" | "problem") {
                    return Ok(true);
                }
            }
            message = socket.recv() => {
                let said: Said = match message {
                    Some(Ok(Message::Text(text))) => parse(text.as_bytes())?,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Binary(_))) => return Err(Problem::invalid("a message is not text")),
                    _ => return Ok(false),
                };
                if let (Some(text), Some(input)) = (said.stdin, &input) {
                    match input.try_send(text.into_bytes()) {
                        // Whoever does not read any more needs no input.
                        Ok(()) | Err(TrySendError::Disconnected(_)) => {}
                        Err(TrySendError::Full(_)) => {
                            return Err(Problem::invalid("more input came than the program reads"));
                        }
                    }
                }
                if said.close_stdin {
                    input = None;
                }
                if said.interrupt {
                    interrupt();
                }
            }
        }
    }
}

async fn send(socket: &mut WebSocket, name: &str, data: &Value) -> bool {
    let text = json!({ "event": name, "data": data }).to_string();
    matches!(timeout(PATIENCE, socket.send(Message::Text(text.into()))).await, Ok(Ok(())))
}

/// Input that comes as it is sent.
struct Input {
    pieces: Receiver<Vec<u8>>,
    rest: io::Cursor<Vec<u8>>,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.rest.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            match self.pieces.recv() {
                Ok(piece) => self.rest = io::Cursor::new(piece),
                Err(_) => return Ok(0),
            }
        }
    }
}
