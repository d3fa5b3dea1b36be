//! The HTTP door: the server as a program, asked over loopback.

use crate::SKIPS;
use crate::cli::{Cli, command};
use crate::library::{CELLS, settings};
use crate::project::Project;
use formicary_platform::keys::{KeyFile, NewKey, Quota, Scope};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

pub struct Http {
    child: Child,
    url: String,
    agent: ureq::Agent,
    key: Option<String>,
}

impl Http {
    /// A server on a port that the kernel chose; ends with its owner.
    pub fn start(cli: &Cli, project: &Project) -> Option<Self> {
        Self::begin(cli, project, &[], None)
    }

    /// The same for a tenant with a key that allows all but what admins may.
    pub fn with_key(cli: &Cli, project: &Project) -> Option<Self> {
        let path = project.runs().join("keys.json");
        let new = NewKey {
            name: "tenant".into(),
            scopes: vec![Scope::Execute, Scope::Review, Scope::Debug, Scope::Agent],
            lifetime: None,
            quota: Quota::default(),
        };
        let (_, key) = KeyFile::new(path.clone()).create(new, 0).unwrap();
        Self::begin(cli, project, &["--keys", path.to_str().unwrap()], Some(key))
    }

    fn begin(cli: &Cli, project: &Project, options: &[&str], key: Option<String>) -> Option<Self> {
        let mut child = command(cli.binary())
            .args(["serve", "--listen", "127.0.0.1:0", "--json"])
            .args(options)
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
        Some(Self { child, url, agent, key })
    }

    /// The answer; a problem in the form of a failure.
    pub fn ask(&self, path: &str, body: Value) -> Value {
        let url = format!("{}{path}", self.url);
        let bearer = self.key.as_ref().map(|key| format!("Bearer {key}")).unwrap_or_default();
        let answer = match body.is_null() {
            true => self.agent.get(&url).header("authorization", &bearer).call(),
            false => self.agent.post(&url).header("authorization", &bearer).send_json(body),
        };
        let mut answer = answer.unwrap();
        let status = answer.status();
        let text = answer.body_mut().read_to_string().unwrap();
        let value: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
        if status.is_success() {
            return value.get("report").cloned().unwrap_or(value);
        }
        json!({"error": {"kind": value["type"], "message": value["detail"], "hint": value["hint"]}})
    }

    /// What the last of these cells of one session gave.
    pub fn cells(&self, language: &str, cells: [&str; 2]) -> Value {
        let id = self.ask("/v1/sessions", json!({"language": language}))["id"].as_str().unwrap().to_owned();
        let [_, last] =
            cells.map(|code| self.ask(&format!("/v1/sessions/{id}/cells"), json!({ "code": code })));
        self.agent.delete(format!("{}/v1/sessions/{id}", self.url)).call().unwrap();
        last
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
