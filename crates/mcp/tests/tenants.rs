//! Keys over HTTP: each is a tenant, with what it may do, how much of it, and sessions and outputs of its own.
#![expect(clippy::unwrap_used, reason = "a test's helper fails the test by panicking")]
#![expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "tests start the binary itself")]

use formicary_platform::keys::{KeyFile, NewKey, Quota, Scope};
use formicary_testkit::skips::Skips;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

static SKIPS: Skips = Skips::new();

/// A server over HTTP that ends with its owner.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(root: &std::path::Path, keys: &std::path::Path) -> Option<Self> {
        let named = std::env::var_os("FORMICARY_TEST_BINARY").map(PathBuf::from);
        let beside = || Some(std::env::current_exe().ok()?.parent()?.parent()?.join("formicary"));
        let Some(binary) = named.or_else(beside).filter(|path| path.is_file()) else {
            SKIPS.note("MCP: tenants", "the program is not built (FORMICARY_TEST_BINARY)");
            return None;
        };
        let mut child = std::process::Command::new(binary)
            .args(["mcp", "--http", "127.0.0.1:0", "--root"])
            .arg(root)
            .arg("--key-file")
            .arg(keys)
            // Runs of tests are not in the log of who runs them.
            .env("FORMICARY_AUDIT_ENABLED", "off")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
        Some(Self { child, address })
    }

    /// One message with this key: the head of the answer, and the message in it.
    fn send(&self, key: &str, session: Option<&str>, message: &Value) -> (String, Value) {
        let body = message.to_string();
        let session = session.map(|id| format!("Mcp-Session-Id: {id}\r\n")).unwrap_or_default();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n{session}\
             Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, rest) = answer.split_once("\r\n\r\n").unwrap();
        let message = rest.lines().find_map(|line| {
            let text = line.strip_prefix("data: ").or(line.starts_with('{').then_some(line))?;
            serde_json::from_str(text).ok()
        });
        (head.to_owned(), message.unwrap_or_default())
    }

    fn client(&self, key: &str) -> Client<'_> {
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
        let (head, _) = self.send(key, None, &hello);
        let id = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("mcp-session-id").then(|| value.trim().to_owned())
        });
        let client = Client { server: self, key: key.to_owned(), id: id.unwrap() };
        self.send(key, Some(&client.id), &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

struct Client<'a> {
    server: &'a Server,
    key: String,
    id: String,
}

impl Client<'_> {
    fn ask(&self, method: &str, params: &Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 2, "method": method, "params": params});
        self.server.send(&self.key, Some(&self.id), &message).1
    }

    fn call(&self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))["result"]["structuredContent"]
            .clone()
    }

    fn tools(&self) -> Vec<String> {
        let tools = self.ask("tools/list", &json!({}));
        let all = tools["result"]["tools"].as_array().unwrap().iter();
        all.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn each_key_is_a_tenant() {
    let (root, kept) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = KeyFile::new(kept.path().join("keys.json"));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let make = |name: &str, scopes: &[Scope], quota: Quota, lifetime| {
        let new = NewKey { name: name.into(), scopes: scopes.to_vec(), lifetime, quota };
        file.create(new, now).unwrap().1
    };
    let runs = [Scope::Execute];
    let one = make("one", &runs, Quota::default(), None);
    let other = make("other", &runs, Quota::default(), None);
    let reader = make("reader", &[Scope::Review], Quota::default(), None);
    let small = make("small", &runs, Quota { memory_bytes: Some(64 << 20), ..Quota::default() }, None);
    let seldom = make("seldom", &runs, Quota { requests_per_minute: Some(1), ..Quota::default() }, None);
    let spent = make("spent", &runs, Quota { cpu_seconds_per_day: Some(0.0), ..Quota::default() }, None);
    let expired = make("expired", &runs, Quota::default(), Some(0));
    let Some(server) = Server::start(root.path(), file.path()) else { return };
    for wrong in [expired.as_str(), "fmk_0", ""] {
        let (head, _) = server.send(wrong, None, &json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
        assert!(head.starts_with("HTTP/1.1 401"), "{wrong}: {head}");
    }
    let [one, other, reader] = [one, other, reader].map(|key| server.client(&key));

    // Sessions: of the same name, and each its own.
    for (client, value) in [(&one, "1"), (&other, "2")] {
        assert_eq!(client.call("session_create", json!({"language": "bash", "id": "work"}))["id"], "work");
        client.call("session_run", json!({"id": "work", "code": format!("echo {value} > own")}));
    }
    let shown = one.call("session_run", json!({"id": "work", "code": "cat own"}));
    assert_eq!((&shown["stdout"], &shown["session_id"]), (&json!("1\n"), &json!("work")), "{shown}");
    let secret = one.call("session_create", json!({"language": "bash"}))["id"].as_str().unwrap().to_owned();
    assert_eq!(one.call("session_list", json!({}))["sessions"].as_array().unwrap().len(), 2);
    assert_eq!(other.call("session_list", json!({}))["sessions"].as_array().unwrap().len(), 1);
    for tool in ["session_run", "session_close", "session_files", "session_interrupt"] {
        let mut arguments = json!({"id": secret});
        if tool == "session_run" {
            arguments["code"] = json!("echo stolen");
        }
        let answer = other.call(tool, arguments);
        let told = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(
            told.contains("there is no session") && !answer.to_string().contains("-s"),
            "{tool}: {answer}"
        );
    }

    // Outputs that are kept.
    let flood = json!({"language": "bash", "code": "head -c 100000 /dev/zero | tr '\\0' x"});
    let full = one.call("execute_code", flood)["full"].as_str().unwrap().to_owned();
    let read = |client: &Client<'_>| client.ask("resources/read", &json!({"uri": full}));
    assert!(read(&one)["result"]["contents"][0]["text"].as_str().unwrap().len() > 90_000);
    assert!(read(&other)["error"]["message"].as_str().unwrap().contains("not kept"), "{}", read(&other));
    assert_eq!(other.ask("resources/list", &json!({}))["result"]["resources"], json!([]));

    // What a key does not allow is neither listed nor done.
    let (tools, execute) = (reader.tools(), json!({"language": "bash", "code": "echo 1"}));
    assert!(
        tools.contains(&"review_file".to_owned()) && !tools.contains(&"execute_code".to_owned()),
        "{tools:?}"
    );
    assert!(!one.tools().contains(&"review_file".to_owned()));
    let told = |answer: &Value| answer["error"].to_string();
    let refused = reader.call("execute_code", execute.clone());
    assert!(told(&refused).contains("scope execute"), "{refused}");

    // Quotas.
    let small = server.client(&small);
    let greedy = json!({"language": "bash", "code": "echo 1", "limits": {"memory_bytes": 1e9}});
    assert!(told(&small.call("execute_code", greedy)).contains("memory_bytes"));
    for name in ["disk_bytes", "file_size_bytes", "output_bytes", "memory_bytes"] {
        let greedy = json!({"language": "bash", "code": "echo 1", "limits": {name: 1e12}});
        assert!(told(&one.call("execute_code", greedy)).contains(name), "{name}");
    }
    assert_eq!(small.call("execute_code", execute.clone())["stdout"], "1\n");
    let seldom = server.client(&seldom);
    assert_eq!(seldom.call("execute_code", execute.clone())["stdout"], "1\n");
    assert!(told(&seldom.call("execute_code", execute.clone())).contains("in a minute"));
    assert!(told(&server.client(&spent).call("execute_code", execute)).contains("CPU time"));
}
