//! The MCP door in this process, with the official SDK's client on the other side.

use crate::library::{CELLS, Stays, platform, sources};
use crate::project::Project;
use formicary_mcp::{Door, Settings, Writes};
use rmcp::model::{CallToolRequestParams, CallToolResult, ReadResourceRequestParams, ResourceContents};
use rmcp::service::{RoleClient, RunningService};
use rmcp::{RoleServer, ServiceExt as _};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

pub struct Mcp {
    client: RunningService<RoleClient, ()>,
    _server: RunningService<RoleServer, Door>,
    runtime: Runtime,
}

impl Mcp {
    pub fn new(project: &Project) -> Self {
        Self::that(project, Stays::No)
    }

    pub fn that(project: &Project, stays: Stays) -> Self {
        let settings = Settings {
            root: project.folder().to_owned(),
            writes: Writes::Refused,
            sources: sources(project),
        };
        let door = Door::new(platform(project, stays), settings).unwrap();
        let runtime = Runtime::new().unwrap();
        let (client, server) = runtime.block_on(async {
            let (ours, theirs) = tokio::io::duplex(1 << 16);
            let (client, server) = tokio::join!(().serve(ours), door.serve(theirs));
            (client.unwrap(), server.unwrap())
        });
        Self { client, _server: server, runtime }
    }

    /// The structured answer; the whole where that is a digest or was cut.
    pub fn call(&self, tool: &'static str, arguments: Value) -> Value {
        let Value::Object(arguments) = arguments else { panic!("{arguments} are no arguments") };
        self.runtime.block_on(async {
            let request = CallToolRequestParams::new(tool).with_arguments(arguments);
            let result: CallToolResult = self.client.call_tool(request).await.unwrap();
            let answer = result.structured_content.unwrap();
            let Some(uri) = answer.get("full").and_then(Value::as_str) else { return answer };
            let read = self.client.read_resource(ReadResourceRequestParams::new(uri)).await.unwrap();
            let Some(ResourceContents::TextResourceContents { text, .. }) = read.contents.first() else {
                panic!("{uri} is not text");
            };
            serde_json::from_str(text).unwrap()
        })
    }

    /// How large the structured answer is, and the text beside it.
    pub fn sizes(&self, tool: &'static str, arguments: Value) -> (usize, usize) {
        let Value::Object(arguments) = arguments else { panic!("{arguments} are no arguments") };
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        let result = self.runtime.block_on(self.client.call_tool(request)).unwrap();
        let texts = result.content.iter().filter_map(|block| block.as_text());
        let text = texts.map(|block| block.text.len()).sum();
        (result.structured_content.unwrap().to_string().len(), text)
    }

    /// What the last of these cells of one session gave.
    pub fn cells(&self, language: &str, cells: [&str; 2]) -> Value {
        let id = self.call("session_create", json!({"language": language}))["id"].clone();
        let [_, last] = cells.map(|code| self.call("session_run", json!({"id": id, "code": code})));
        self.call("session_close", json!({"id": id}));
        last
    }

    pub fn session(&self) -> Value {
        let id = self.call("session_create", json!({"language": "python"}))["id"].clone();
        let cells = CELLS.map(|code| self.call("session_run", json!({"id": id, "code": code})));
        let put = json!([{"path": "in/a.txt", "content": "kept"}]);
        self.call("session_put", json!({"id": id, "files": put}));
        let files = self.call("session_files", json!({"id": id}))["files"].clone();
        let read = self.call("session_get", json!({"id": id, "path": "in/a.txt"}))["content"].clone();
        self.call("session_remove", json!({"id": id, "paths": ["in/a.txt"]}));
        let left = self.call("session_files", json!({"id": id}))["files"].clone();
        self.call("session_close", json!({"id": id}));
        json!({"cells": cells, "files": files, "read": read, "left": left})
    }

    /// The names of all tools.
    pub fn tools(&self) -> Vec<String> {
        let tools = self.runtime.block_on(self.client.list_all_tools()).unwrap();
        tools.into_iter().map(|tool| tool.name.into_owned()).collect()
    }
}
