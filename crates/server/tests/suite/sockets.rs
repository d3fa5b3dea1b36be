//! Over a real socket: WebSockets, TLS, the sandbox's view of it, and the end.

use crate::door::{Door, python, until};
use axum::http::StatusCode;
use formicary_server::serve;
use futures_util::{SinkExt as _, Stream, StreamExt as _};
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

async fn next(
    socket: &mut (impl Stream<Item = Result<Message, tokio_tungstenite::tungstenite::Error>> + Unpin),
) -> Value {
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

    // Ended by its caller's going away.
    let (mut socket, _) = connect_async(&url).await.unwrap();
    socket.send(Message::text(python("import time; time.sleep(100)").to_string())).await.unwrap();
    let active = || door.app.platform.monitors().executions.active();
    until("it runs", || !active().is_empty()).await;
    drop(socket);
    until("it is over", || active().is_empty() && door.app.runs.under_way() == 0).await;

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

/// The program hears an interrupt and may tidy up; its result is one like any other. So does what it waits for.
#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_is_the_programs_to_answer() {
    let door = Door::open();
    let running = start(&door, Duration::from_secs(5)).await;
    let url = format!("ws://{}/v1/execute/ws", running.address);
    let tidy = "import time\ntry:\n    print('ready', flush=True)\n    time.sleep(100)\nexcept KeyboardInterrupt:\n    print('tidied')\n    raise SystemExit(7)\n";
    let bash = |code: &str| json!({ "language": "bash", "source": { "code": { "code": code } } });
    for (request, status, exit, output) in [
        (python(tidy), "nonzero_exit", json!(7), "ready\ntidied\n"),
        (
            python("import time\nprint('ready', flush=True)\ntime.sleep(100)"),
            "signaled",
            json!(null),
            "ready\n",
        ),
        (
            bash("trap 'echo heard; exit 3' INT\necho ready\nsleep 100\necho after"),
            "nonzero_exit",
            json!(3),
            "ready\nheard\n",
        ),
    ] {
        let (mut socket, _) = connect_async(&url).await.unwrap();
        socket.send(Message::text(request.to_string())).await.unwrap();
        let mut asked = false;
        let result = loop {
            let event = next(&mut socket).await;
            if event["data"]["text"].as_str().is_some_and(|text| text.contains("ready")) && !asked {
                asked = true;
                socket.send(Message::text(json!({ "interrupt": true }).to_string())).await.unwrap();
            }
            assert_ne!(event["event"], "problem", "{event}");
            if event["event"] == "result" {
                break event["data"].clone();
            }
        };
        let told =
            (result["status"].as_str().unwrap(), &result["exit_code"], result["stdout"].as_str().unwrap());
        assert_eq!(told, (status, &exit, output), "{result}");
        assert!(result["duration"].as_f64().unwrap() < 60.0, "{result}");
    }
    running.stop.send(()).unwrap();
    running.task.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sessions_cells_come_over_a_websocket_and_an_interrupt_keeps_its_state() {
    let door = Door::open();
    let running = start(&door, Duration::from_secs(5)).await;
    let made = door.post("/v1/sessions", &json!({ "language": "python", "id": "talk" })).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
    let (mut socket, _) =
        connect_async(format!("ws://{}/v1/sessions/talk/ws", running.address)).await.unwrap();
    let mut cells = vec![
        ("x = 6", "success", None),
        ("print('ready', flush=True)\nimport time\ntime.sleep(100)", "signaled", None),
    ];
    // Each sent at the very moment when the one before is told to have ended.
    cells.extend([("x * 7", "success", Some("42")); 60]);
    for (code, status, value) in cells {
        socket.send(Message::text(json!({ "code": code }).to_string())).await.unwrap();
        let result = loop {
            let event = next(&mut socket).await;
            if event["data"]["text"].as_str().is_some_and(|text| text.contains("ready")) {
                socket.send(Message::text(json!({ "interrupt": true }).to_string())).await.unwrap();
            }
            assert_ne!(event["event"], "problem", "{event}");
            if event["event"] == "result" {
                break event["data"].clone();
            }
        };
        assert_eq!((&result["status"], &result["state_lost"]), (&json!(status), &json!(false)), "{result}");
        assert_eq!(result["value"]["text/plain"].as_str(), value, "{result}");
    }
    // An interrupt that comes when the cell has ended does no harm.
    for said in [json!({ "interrupt": true }), json!({ "code": "x" })] {
        socket.send(Message::text(said.to_string())).await.unwrap();
    }
    while next(&mut socket).await["event"] != "result" {}
    connect_async(format!("ws://{}/v1/sessions/none/ws", running.address)).await.unwrap_err();
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
    assert_eq!(
        door.post("/v1/jobs", &python("import time; time.sleep(100)")).await.status,
        StatusCode::ACCEPTED
    );
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

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves_takes_its_work_along() {
    let door = Door::open();
    let running = start(&door, Duration::from_secs(5)).await;
    let active = || door.app.platform.monitors().executions.active();
    let execute = python("import time; time.sleep(100)");
    let diagnose = json!({ "language": "python", "code": "import time; time.sleep(100)" });
    for (path, body) in [("/v1/execute", &execute), ("/v1/diagnose", &diagnose)] {
        for accept in ["application/json", "text/event-stream"] {
            let body = body.to_string();
            let head = format!(
                "POST {path} HTTP/1.1\r\nhost: localhost\r\naccept: {accept}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            let mut client = TcpStream::connect(running.address).await.unwrap();
            client.write_all((head + &body).as_bytes()).await.unwrap();
            until("it runs", || !active().is_empty()).await;
            drop(client);
            until("it is over", || active().is_empty() && door.app.runs.under_way() == 0).await;
        }
    }
    running.stop.send(()).unwrap();
    running.task.await.unwrap();
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
    let job = door
        .post(
            "/v1/jobs",
            &python(
                "import time\nfor _ in range(200):\n    print('x' * 4000, flush=True)\n    time.sleep(0.01)",
            ),
        )
        .await
        .json();
    let head =
        format!("GET /v1/jobs/{}/events HTTP/1.1\r\nhost: localhost\r\n\r\n", job["id"].as_str().unwrap());
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
