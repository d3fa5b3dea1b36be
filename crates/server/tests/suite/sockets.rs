//! Over a real socket: WebSockets, TLS, the sandbox's view of it, and the end.

use crate::door::{Door, python, until};
use axum::http::StatusCode;
use formicary_server::serve;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

async fn start(door: &Door, grace: Duration) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let app = door.app.clone();
    let task = tokio::spawn(async move {
        let stop = async {
            let _ = stopped.await;
        };
        serve::run(&app, listener, None, stop, grace).await;
    });
    Running { address, stop, task }
}

async fn next(socket: &mut (impl StreamExt<Item = Result<Message, tokio_tungstenite::tungstenite::Error>> + Unpin)) -> Value {
    loop {
        match socket.next().await.unwrap().unwrap() {
            Message::Text(text) => return serde_json::from_str(&text).unwrap(),
            Message::Close(_) => return json!({ "event": "closed" }),
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_converses_over_a_websocket() {
    let door = Door::open();
    let running = start(&door, Duration::from_secs(5)).await;
    let url = format!("ws://{}/v1/execute/ws", running.address);
    let (mut socket, _) = connect_async(&url).await.unwrap();
    let code = "while True:\n    try:\n        print(input().upper(), flush=True)\n    except EOFError:\n        break\nprint('end')";
    socket.send(Message::text(python(code).to_string())).await.unwrap();
    socket.send(Message::text(json!({ "stdin": "one\n" }).to_string())).await.unwrap();
    let mut heard = String::new();
    while !heard.contains("ONE\n") {
        let event = next(&mut socket).await;
        heard.push_str(event["data"]["text"].as_str().unwrap_or_default());
    }
    socket.send(Message::text(json!({ "stdin": "two\n", "close_stdin": true }).to_string())).await.unwrap();
    let result = loop {
        let event = next(&mut socket).await;
        if event["event"] == "result" {
            break event["data"].clone();
        }
    };
    assert_eq!((&result["status"], &result["stdout"]), (&json!("success"), &json!("ONE\nTWO\nend\n")));
    assert_eq!(next(&mut socket).await["event"], "closed");

    // Ended by the caller, in words or by going away.
    for words in [true, false] {
        let (mut socket, _) = connect_async(&url).await.unwrap();
        let sleeping = python("import time; time.sleep(100)");
        socket.send(Message::text(sleeping.to_string())).await.unwrap();
        let active = || door.app.platform.monitors().executions.active();
        until("it runs", || !active().is_empty()).await;
        if words {
            socket.send(Message::text(json!({ "interrupt": true }).to_string())).await.unwrap();
        } else {
            drop(socket);
        }
        until("it is over", || active().is_empty() && door.app.runs.under_way() == 0).await;
    }

    // What is wrong is told.
    for (wrong, named) in [("{", "not JSON"), ("{\"venv\": \"/\"}", "venv")] {
        let (mut socket, _) = connect_async(&url).await.unwrap();
        socket.send(Message::text(wrong)).await.unwrap();
        let event = next(&mut socket).await;
        assert_eq!(event["event"], "problem");
        assert!(event["data"]["detail"].as_str().unwrap().contains(named), "{event}");
    }
    running.stop.send(()).unwrap();
    running.task.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandboxed_program_does_not_reach_the_server() {
    let door = Door::open();
    let running = start(&door, Duration::from_secs(5)).await;
    let code = format!(
        "import socket\ns = socket.socket()\ns.settimeout(2)\ntry:\n    s.connect(('127.0.0.1', {}))\n    print('reached')\nexcept OSError as error:\n    print('refused')\n",
        running.address.port()
    );
    // First from here, so that a refusal means something.
    TcpStream::connect(running.address).await.unwrap();
    let result = door.post("/v1/execute", &python(&code)).await.json();
    assert_eq!(result["stdout"], "refused\n", "{result}");
    running.stop.send(()).unwrap();
    running.task.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_calls_off_what_does_not_finish_and_leaves_nothing() {
    let door = Door::open();
    let running = start(&door, Duration::from_millis(200)).await;
    let body = python("import time; time.sleep(100)").to_string();
    let mut client = TcpStream::connect(running.address).await.unwrap();
    let head = format!(
        "POST /v1/execute HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    client.write_all((head + &body).as_bytes()).await.unwrap();
    // A client that says nothing must not hold up the end.
    let _silent = TcpStream::connect(running.address).await.unwrap();
    let active = || door.app.platform.monitors().executions.active();
    until("it runs", || !active().is_empty()).await;
    assert_eq!(door.post("/v1/jobs", &python("import time; time.sleep(100)")).await.status, StatusCode::ACCEPTED);
    running.stop.send(()).unwrap();
    running.task.await.unwrap();
    assert!(active().is_empty());
    assert_eq!(door.app.runs.under_way(), 0);
    let mut answer = String::new();
    client.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 499"), "{answer}");
    assert_eq!(door.get("/v1/ready").await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(door.post("/v1/execute", &python("1")).await.status, StatusCode::SERVICE_UNAVAILABLE);
    TcpStream::connect(running.address).await.unwrap_err();
}

#[tokio::test]
async fn a_port_in_use_is_told() {
    let held = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let failure = serve::listen(held.local_addr().unwrap()).await.unwrap_err();
    assert!(failure.hint.unwrap().contains("another program has this port"));
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_and_many_readers_hold_up_nobody() {
    let door = Door::open();
    let running = start(&door, Duration::from_secs(5)).await;
    let job = door.post("/v1/jobs", &python("import time\nfor _ in range(200):\n    print('x' * 4000, flush=True)\n    time.sleep(0.01)")).await.json();
    let head = format!(
        "GET /v1/jobs/{}/events HTTP/1.1\r\nhost: localhost\r\n\r\n",
        job["id"].as_str().unwrap()
    );
    let mut readers = Vec::new();
    for _ in 0..100 {
        let mut reader = TcpStream::connect(running.address).await.unwrap();
        reader.write_all(head.as_bytes()).await.unwrap();
        readers.push(reader);
    }
    // None of them reads, and all the while others are served.
    assert_eq!(door.post("/v1/execute", &python("1")).await.json()["status"], "success");
    let place = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
    let mut status = Value::Null;
    for _ in 0..3_000 {
        status = door.get(&place).await.json()["status"].clone();
        if status == "done" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(status, "done");
    drop(readers);
    running.stop.send(()).unwrap();
    running.task.await.unwrap();
}
