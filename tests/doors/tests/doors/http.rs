//! The HTTP door: the server as a program, asked over loopback.

use crate::SKIPS;
use crate::cli::{Cli, command};
use crate::library::{CELLS, settings};
use crate::project::Project;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

pub struct Http {
    child: Child,
    url: String,
    agent: ureq::Agent,
}

impl Http {
    /// A server on a port that the kernel chose; ends with its owner.
    pub fn start(cli: &Cli, project: &Project) -> Option<Self> {
        let mut child = command(cli.binary())
            .args(["serve", "--listen", "127.0.0.1:0", "--json"])
            .args(
                settings(project)
                    .iter()
                    .flat_map(|(key, value)| ["--set".to_owned(), format!("{key}={value}")]),
            )
            .current_dir(project.folder())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ready: Value = serde_json::from_str(&line).unwrap_or_default();
        let Some(url) = ready["url"].as_str().map(str::to_owned) else {
            child.wait().unwrap();
            let why = ready["error"]["message"].as_str().unwrap_or("it said nothing").to_owned();
            SKIPS.note("doors: HTTP", &format!("the server did not start: {why}"));
            return None;
        };
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        Some(Self { child, url, agent })
    }

    /// The answer; a problem in the form of a failure.
    pub fn ask(&self, path: &str, body: Value) -> Value {
        let url = format!("{}{path}", self.url);
        let answer =
            if body.is_null() { self.agent.get(&url).call() } else { self.agent.post(&url).send_json(body) };
        let mut answer = answer.unwrap();
        let status = answer.status();
        let text = answer.body_mut().read_to_string().unwrap();
        let value: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
        if status.is_success() {
            return value.get("report").cloned().unwrap_or(value);
        }
        json!({"error": {"kind": value["type"], "message": value["detail"], "hint": value["hint"]}})
    }

    pub fn session(&self) -> Value {
        let id = self.ask("/v1/sessions", json!({"language": "python"}))["id"].as_str().unwrap().to_owned();
        let cells = CELLS.map(|code| self.ask(&format!("/v1/sessions/{id}/cells"), json!({ "code": code })));
        let file = format!("{}/v1/sessions/{id}/files/in/a.txt", self.url);
        self.agent.put(&file).send("kept").unwrap();
        let files = self.ask(&format!("/v1/sessions/{id}/files"), Value::Null)["items"].clone();
        let read = self.agent.get(&file).call().unwrap().body_mut().read_to_string().unwrap();
        assert_eq!(self.agent.delete(&file).call().unwrap().status(), 204);
        let left = self.ask(&format!("/v1/sessions/{id}/files"), Value::Null)["items"].clone();
        self.agent.delete(format!("{}/v1/sessions/{id}", self.url)).call().unwrap();
        json!({"cells": cells, "files": files, "read": read, "left": left})
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}
