//! An execution over a WebSocket: input while it runs, output as it comes, and a way to end it.

use crate::app::App;
use crate::body::parse;
use crate::confine;
use crate::feed::{Feed, Told};
use crate::problem::Problem;
use crate::tenant::Tenant;
use axum::Extension;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::Response;
use formicary_model::ExecutionRequest;
use formicary_platform::{Live, Stdin};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Duration;
use tokio::time::timeout;

/// How long a caller may take to say what it wants, and to take what it is sent.
const PATIENCE: Duration = Duration::from_secs(30);
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
    let upgrade = upgrade.map_err(|error| {
        Problem::new(StatusCode::UPGRADE_REQUIRED, "upgrade_required", error.body_text())
            .hint("open a WebSocket here; POST /v1/execute takes a request")
    })?;
    let most = app.settings.body_bytes;
    let upgrade = upgrade.protocols(["formicary"]).max_message_size(most).max_frame_size(most);
    Ok(upgrade.on_upgrade(move |socket| attend(app, tenant, socket)))
}

async fn attend(app: App, tenant: Tenant, mut socket: WebSocket) {
    if let Err(problem) = run(&app, &tenant, &mut socket).await {
        let _ = send(&mut socket, "problem", &json!(problem.body(Some("/v1/execute/ws".into())))).await;
    }
    let _ = timeout(PATIENCE, socket.send(Message::Close(None))).await;
}

async fn run(app: &App, tenant: &Tenant, socket: &mut WebSocket) -> Result<(), Problem> {
    let request: ExecutionRequest = loop {
        match timeout(PATIENCE, socket.recv()).await {
            Ok(Some(Ok(Message::Text(text)))) => break parse(text.as_bytes())?,
            Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => {}
            Ok(Some(Ok(Message::Binary(_)))) => return Err(Problem::invalid("the request is not text")),
            _ => return Err(Problem::invalid("no request came")),
        }
    };
    let mut request = confine::checked(app, tenant, request).await?;
    let pass = app.enter(tenant).await?;
    let feed = Arc::new(Feed::default());
    let (input, taken) = sync_channel(MOST_PIECES);
    // What the request brings along comes first.
    let first = std::mem::take(&mut request.stdin);
    let reader = Input { pieces: taken, rest: io::Cursor::new(first) };
    let task = tokio::spawn({
        let (app, tenant, feed) = (app.clone(), tenant.clone(), Arc::clone(&feed));
        async move {
            let done = app.work_admitted(&tenant, pass, Some(Arc::clone(&feed)), move |platform, watcher| {
                let stdin = Some(Stdin::Reader(Box::new(reader)));
                let live = Live { stdin, observer: watcher, cancel: watcher.cancel.clone() };
                platform.run_as(&watcher.caller, request, live)
            });
            match done.await {
                Ok(result) => feed.push("result", &result),
                Err(problem) => feed.push("problem", &problem.body(None)),
            }
            feed.close();
        }
    });
    let _called_off = crate::stream::CallOff(task.abort_handle());
    converse(socket, &feed, input).await
}

/// Passes on what either side says, until the run is over or the caller is gone.
async fn converse(socket: &mut WebSocket, feed: &Feed, input: SyncSender<Vec<u8>>) -> Result<(), Problem> {
    let mut input = Some(input);
    let mut seen = 0;
    loop {
        tokio::select! {
            told = feed.after(seen) => {
                let Some(Told { number, name, data }) = told else { return Ok(()) };
                seen = number;
                let data: Value = serde_json::from_str(&data).unwrap_or_default();
                if !send(socket, name, &data).await {
                    return Ok(());
                }
            }
            message = socket.recv() => {
                let said: Said = match message {
                    Some(Ok(Message::Text(text))) => parse(text.as_bytes())?,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Binary(_))) => return Err(Problem::invalid("a message is not text")),
                    _ => return Ok(()),
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
                    return Err(Problem::new(
                        StatusCode::from_u16(499).unwrap_or(StatusCode::BAD_REQUEST),
                        "cancelled",
                        "the caller ended the run",
                    ));
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
