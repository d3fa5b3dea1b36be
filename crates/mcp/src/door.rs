//! The protocol's requests: tools are listed and called, resources listed and read.

use crate::answer::{self, link};
use crate::call::Call;
use crate::progress::Progress;
use crate::root::Root;
use crate::store::Store;
use crate::{Settings, Writes, tools};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use formicary_model::{Failure, FailureKind};
use formicary_platform::{Cancel, Platform};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ResourceContents, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler};
use std::sync::Arc;

/// What a model is told of the whole.
const INSTRUCTIONS: &str = "Runs untrusted code in a sandbox (no network, limited time and memory), reviews code, searches and \
rewrites it by structure, finds why programs fail and mends them by their tests. A failing program is a result, not an error: \
look at `status`. Paths are relative to the project folder of the server; `files` sends code along instead. Long output is cut \
in the middle; `read_output` reads the rest by its formicary:// address.";

/// Notifications of progress that may wait for the client.
const WAITING: usize = 64;

/// What all calls share.
pub(crate) struct House {
    pub(crate) platform: Platform,
    pub(crate) settings: Settings,
    pub(crate) root: Root,
    pub(crate) store: Store,
}

/// The server's side of the protocol. Clones share everything: each connection over HTTP has one.
#[derive(Clone)]
pub struct Door {
    house: Arc<House>,
}

impl Door {
    /// A door to this platform, for callers to whom this is granted.
    pub fn new(platform: Platform, settings: Settings) -> Result<Self, Failure> {
        let root = Root::open(&settings.root, settings.writes)?;
        Ok(Self { house: Arc::new(House { platform, settings, root, store: Store::default() }) })
    }

    fn tools(&self) -> Vec<Tool> {
        let writes = self.house.settings.writes == Writes::Allowed;
        tools::ALL.iter().map(|spec| spec.tool(writes)).collect()
    }

    async fn call(
        &self,
        spec: &'static tools::Spec,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> CallToolResult {
        let cancel = Cancel::default();
        // However this future ends, the work does not go on without it.
        let _ends = EndWithCall(cancel.clone());
        let token = context.meta.get_progress_token();
        let (sender, mut news) = tokio::sync::mpsc::channel(WAITING);
        let progress = Progress::new(token.is_some().then_some(sender));
        let call = Call { house: Arc::clone(&self.house), cancel: cancel.clone(), progress };
        let arguments = request.arguments.unwrap_or_default();
        let mut work = tokio::task::spawn_blocking(move || (spec.run)(&call, arguments));
        let mut told = 0.0;
        let done = loop {
            tokio::select! {
                done = &mut work => break done,
                () = context.ct.cancelled(), if !cancel.is_cancelled() => cancel.cancel(),
                Some(message) = news.recv() => {
                    let Some(token) = token.clone() else { continue };
                    told += 1.0;
                    let news = ProgressNotificationParam::new(token, told).with_message(message);
                    // A client that is gone is noticed elsewhere.
                    let _ = context.peer.notify_progress(news).await;
                }
            }
        };
        match done {
            Ok(Ok(answer)) => answer.result(),
            Ok(Err(failure)) => answer::failed(&failure),
            Err(error) => {
                answer::failed(&Failure::new(FailureKind::Internal, format!("{} broke: {error}", spec.name)))
            }
        }
    }
}

struct EndWithCall(Cancel);

impl Drop for EndWithCall {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl ServerHandler for Door {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("formicary", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult { tools: self.tools(), ..ListToolsResult::default() })
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let writes = self.house.settings.writes == Writes::Allowed;
        tools::find(name).map(|spec| spec.tool(writes))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(spec) = tools::find(&request.name) else {
            let near =
                formicary_model::suggest::nearest(&request.name, tools::ALL.iter().map(|spec| spec.name));
            let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            return Err(ErrorData::invalid_params(format!("unknown tool {}{hint}", request.name), None));
        };
        Ok(self.call(spec, request, context).await.into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resources = self.house.store.list().iter().map(link).collect();
        Ok(ListResourcesResult { resources, ..ListResourcesResult::default() })
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let Some(kept) = self.house.store.find(&uri) else {
            let message = format!("{uri} is not kept, or no longer: only the newest outputs are");
            return Err(ErrorData::resource_not_found(message, None));
        };
        let contents = match kept.text() {
            Some(text) => ResourceContents::text(text, uri),
            None => ResourceContents::blob(STANDARD.encode(&kept.bytes), uri),
        };
        Ok(ReadResourceResult::new(vec![contents.with_mime_type(kept.mime)]).into())
    }
}
