//! The doors in front of a cluster: the command line and the server with their programs run by a worker that is a process of
//! its own.

use crate::binary::{Process, program};
use crate::stage::{await_workers, settings, skip, with_server};
use formicary_cluster::ClusterClient;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

const ITEMS: &str = r#"{"id": "good", "language": "python", "code": "print(int(input()) * 2)", "cases": [{"stdin": "2", "expected": "4"}, {"stdin": "5", "expected": "10"}], "group": "g"}
{"id": "bad", "language": "python", "code": "print(4)", "cases": [{"stdin": "2", "expected": "4"}, {"stdin": "5", "expected": "10"}]}
{"id": "none", "language": "klingon", "code": "1", "cases": []}
"#;

fn formicary(arguments: &[&str]) -> Command {
    let mut command = Command::new(program().unwrap());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("FORMICARY_")) {
        command.env_remove(name);
    }
    // Runs of tests are not in the log of who runs them.
    command.env("FORMICARY_AUDIT_ENABLED", "off");
    command.args(["--set", "cluster.lease_seconds=2", "--set", "cluster.heartbeat_seconds=0.5"]);
    command.args(arguments);
    command
}

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// One JSON value, over as many lines as it takes.
fn first_value(out: &mut impl BufRead) -> Value {
    let mut text = String::new();
    loop {
        assert!(out.read_line(&mut text).unwrap() > 0, "{text}");
        if let Ok(value) = serde_json::from_str(&text) {
            return value;
        }
    }
}

/// What `judge --cluster` says of these lines, and its exit code.
fn judged(url: &str, items: &str) -> (Vec<Value>, Option<i32>) {
    let mut judge = formicary(&["judge", "-", "--quiet", "--cluster", url]);
    let mut judge = judge.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    judge.stdin.take().unwrap().write_all(items.as_bytes()).unwrap();
    let output = judge.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), output.status.code())
}

/// A program that the command line sends there: its output is shown, and the log of this machine knows of it.
fn by_command(url: &str) {
    let file = std::env::temp_dir().join(format!("formicary-front-{}.db", std::process::id()));
    let log = format!("audit.file={}", file.display());
    let logged = ["--set", "audit.enabled=on", "--set", &log];
    let program = ["run", "-l", "python", "-c", "print(input())", "--cluster", url];
    let mut run = formicary(&[&logged[..], &program].concat());
    let mut run = run.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    run.stdin.take().unwrap().write_all(b"far\n").unwrap();
    let output = run.wait_with_output().unwrap();
    assert_eq!((output.stdout.as_slice(), output.status.code()), (&b"far\n"[..], Some(0)));
    let records = formicary(&[&logged[..], &["--json", "audit", "query"]].concat()).output().unwrap();
    let records: Value = serde_json::from_slice(&records.stdout).unwrap();
    assert_eq!(records.as_array().map(Vec::len), Some(2), "{records}");
    assert!(records.to_string().contains("\"cluster\""), "{records}");
    std::fs::remove_file(&file).unwrap();
}

fn posted(address: &str, path: &str, body: &Value) -> Value {
    let body = asked(address, "POST", path, &body.to_string());
    serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {body}"))
}

/// The body of the answer.
fn asked(address: &str, method: &str, path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split_once("\r\n\r\n").unwrap().1.to_owned()
}

/// A session behind the server: the worker holds it, and with the worker it is lost.
async fn session(client: &ClusterClient, address: &str, worker: Process) {
    let made = posted(address, "/v1/sessions", &json!({ "language": "python", "id": "far" }));
    assert_eq!(made["id"], "far", "{made}");
    crate::stage::until("the worker holds it", || async {
        client.workers().await.is_ok_and(|workers| workers[0].sessions == 1)
    })
    .await;
    let cell = |code: &str| posted(address, "/v1/sessions/far/cells", &json!({ "code": code }));
    assert_eq!(cell("x = 6\nprint('kept')")["stdout"], "kept\n");
    assert_eq!(asked(address, "PUT", "/v1/sessions/far/files/in/a.txt", "seven"), "");
    let ran = cell("(x, open('in/a.txt').read())");
    assert_eq!(ran["value"]["text/plain"], "(6, 'seven')", "{ran}");
    assert_eq!(ran["session_id"], "far", "{ran}");
    assert_eq!(asked(address, "GET", "/v1/sessions/far/files/in/a.txt", ""), "seven");
    asked(address, "DELETE", "/v1/sessions/far/files/in/a.txt", "");
    let list = |path: &str| serde_json::from_str::<Value>(&asked(address, "GET", path, "")).unwrap();
    assert_eq!(list("/v1/sessions/far/files")["items"], json!([]));
    let all = list("/v1/sessions");
    assert_eq!((&all["items"][0]["id"], &all["items"][1]), (&json!("far"), &Value::Null), "{all}");
    assert_eq!(posted(address, "/v1/sessions/far/interrupt", &json!({}))["interrupted"], false);
    asked(address, "POST", "/v1/sessions/far/reset", "");
    assert_eq!(cell("x")["exception"]["type"], "NameError");
    let twice = posted(address, "/v1/sessions", &json!({ "language": "python", "id": "far" }));
    assert_eq!((&twice["status"], &twice["type"]), (&json!(409), &json!("conflict")), "{twice}");
    asked(address, "DELETE", "/v1/sessions/far", "");
    assert_eq!(list("/v1/sessions/far")["status"], 404);
    let made = posted(address, "/v1/sessions", &json!({ "language": "python", "id": "doomed" }));
    assert_eq!(made["id"], "doomed", "{made}");
    drop(worker);
    let lost = list("/v1/sessions/doomed");
    assert!(lost["detail"].as_str().is_some_and(|detail| detail.contains("session_lost")), "{lost}");
    assert_eq!(list("/v1/sessions")["items"], json!([]));
    // Nobody is there who could make one: the caller is told that, and not of a session that never was.
    let none = posted(address, "/v1/sessions", &json!({ "language": "python" }));
    assert!(none["detail"].as_str().is_some_and(|detail| detail.contains("no worker can run")), "{none}");
}

#[test]
fn doors_in_front_of_a_cluster_have_their_programs_run_there() {
    let name = "doors_in_front_of_a_cluster_have_their_programs_run_there";
    if program().is_none() {
        return skip(name, "FORMICARY_TEST_BINARY does not name the binary; ./test does");
    }
    with_server(name, |server| async move {
        let url = server.url();
        let client = ClusterClient::connect(settings(url.clone())).await.unwrap();
        // Without a worker it is told, not waited for.
        let (alone, code) = judged(&url, ITEMS.lines().next().unwrap());
        let why = alone[0]["error"]["message"].as_str().unwrap();
        assert!(code == Some(1) && why.contains("no worker"), "{alone:?}");
        let worker = Process::start("only", &url, &[]);
        await_workers(&client, 1).await;

        let (results, code) = judged(&url, ITEMS);
        let text = format!("{results:?}");
        let told =
            |result: &Value| (result["id"].clone(), result["verdict"].clone(), result["passed"].clone());
        assert_eq!(told(&results[0]), (json!("good"), json!("accepted"), json!(2)), "{text}");
        assert_eq!(told(&results[1]), (json!("bad"), json!("wrong_answer"), json!(1)), "{text}");
        assert_eq!((&results[0]["group"], &results[0]["line"]), (&json!("g"), &json!(1)), "{text}");
        assert!(results[2]["error"]["message"].as_str().unwrap().contains("klingon"), "{text}");
        assert_eq!(code, Some(1), "one is not accepted");

        by_command(&url);

        let mut serve = formicary(&["--json", "serve", "--listen", "127.0.0.1:0", "--cluster", &url]);
        let mut serve = Server(serve.stdout(Stdio::piped()).spawn().unwrap());
        let ready = first_value(&mut BufReader::new(serve.0.stdout.take().unwrap()));
        assert_eq!(ready["cluster"].as_str(), Some(url.as_str()), "{ready}");
        let address = ready["address"].as_str().unwrap().to_owned();
        let before = client.workers().await.unwrap()[0].finished;
        let body = json!({ "language": "python", "source": { "code": { "code": "print(input())" } }, "stdin": "far" });
        let ran = posted(&address, "/v1/execute", &body);
        assert_eq!((&ran["status"], &ran["stdout"]), (&json!("success"), &json!("far\n")), "{ran}");
        let items: Vec<Value> = ITEMS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let judged = posted(&address, "/v1/judge", &json!({ "items": &items[..2] }));
        assert_eq!(judged["results"][0]["verdict"], "accepted", "{judged}");
        assert_eq!(judged["results"][1]["verdict"], "wrong_answer", "{judged}");
        let wrong = posted(
            &address,
            "/v1/execute",
            &json!({ "language": "klingon", "source": { "code": { "code": "1" } } }),
        );
        assert!(wrong["detail"].as_str().unwrap().contains("klingon"), "{wrong}");
        crate::stage::until("the worker has done it", || async {
            client.workers().await.is_ok_and(|workers| workers[0].finished >= before + 3)
        })
        .await;
        session(&client, &address, worker).await;
    });
}
