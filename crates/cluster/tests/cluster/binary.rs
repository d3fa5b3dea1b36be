//! The real thing: workers that are processes of their own, real programs in real sandboxes, SIGKILL, a cut cable.

use crate::hardship::{check_results, count};
use crate::nats::Cable;
use crate::stage::{settings, skip, until, with_server};
use formicary_cluster::{ClusterClient, Job};
use formicary_model::{ExecutionRequest, Source};
use std::ffi::OsString;
use std::process::{Child, Command, Stdio};

pub fn program() -> Option<OsString> {
    std::env::var_os("FORMICARY_TEST_BINARY")
}

/// A worker of its own process. Killed when dropped.
pub struct Process(Child);

impl Process {
    pub fn start(name: &str, url: &str, arguments: &[&str]) -> Self {
        let mut command = Command::new(program().unwrap());
        command.args([
            "worker",
            "--name",
            name,
            "--cluster",
            url,
            "--languages",
            "python",
            "--memory",
            "512MiB",
        ]);
        command.args(["--set", "cluster.lease_seconds=2", "--set", "cluster.heartbeat_seconds=0.5"]);
        // Names of the tests are no settings.
        command
            .env_remove("FORMICARY_TEST_BINARY")
            .env_remove("FORMICARY_TEST_NATS")
            .env_remove("FORMICARY_LONG");
        // Runs of tests are not in the log of who runs them.
        command.env("FORMICARY_AUDIT_ENABLED", "off");
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        Self(command.spawn().unwrap())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn one_killed_and_one_cut_off_lose_and_double_nothing() {
    let name = "one_killed_and_one_cut_off_lose_and_double_nothing";
    if program().is_none() {
        return skip(name, "FORMICARY_TEST_BINARY does not name the binary; ./test does");
    }
    with_server(name, |server| async move {
        let cable = Cable::to(server.port());
        let client = ClusterClient::connect(settings(server.url())).await.unwrap();
        let mut killed = Process::start("killed", &server.url(), &[]);
        let _cut = Process::start("cut", &cable.url(), &[]);
        let mut whole = Process::start("whole", &server.url(), &["--metrics", "127.0.0.1:0", "--json"]);
        let count = count();
        let ids = |index: usize| format!("j{index}");
        for index in 0..count {
            let source = Source::code(format!("print({index} * 2)"));
            let request = ExecutionRequest { language: Some("python".into()), source, ..Default::default() };
            client.submit(&Job::named(ids(index), request)).await.unwrap();
        }
        let finished = |name: &'static str| {
            let client = &client;
            async move {
                let workers = client.workers().await.unwrap_or_default();
                workers.iter().find(|worker| worker.id == name).map_or(0, |worker| worker.finished)
            }
        };
        until("all work", || async {
            finished("killed").await > 0 && finished("cut").await > 0 && finished("whole").await > 0
        })
        .await;
        killed.0.kill().unwrap();
        cable.cut();
        let before = finished("whole").await;
        until("the third goes on", || async { finished("whole").await >= before + 20 }).await;
        cable.mend();
        let by_worker = check_results(&client, count, |index| format!("{}\n", index * 2)).await;
        assert_eq!(by_worker.values().sum::<usize>(), count, "{by_worker:?}");
        assert!(by_worker.len() >= 2, "{by_worker:?}");
        until("nothing is left on the queue", || async {
            client.status().await.is_ok_and(|status| status.depth.waiting + status.depth.leased == 0)
        })
        .await;
        drain_and_look(&mut whole.0);
    });
}

/// SIGTERM ends an idle worker in good order; before, its metrics can be read.
fn drain_and_look(child: &mut Child) {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    // What it began with is one JSON value over several lines.
    let began: serde_json::Value = loop {
        let mut line = String::new();
        assert!(out.read_line(&mut line).unwrap() > 0, "{text}");
        text.push_str(&line);
        if let Ok(value) = serde_json::from_str(&text) {
            break value;
        }
    };
    let address = began["metrics"].as_str().unwrap().to_owned();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    for word in [
        "formicary_cluster_load ",
        "formicary_worker_jobs_finished_total ",
        "formicary_cluster_jobs_waiting 0",
    ] {
        assert!(answer.contains(word), "{word}: {answer}");
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
