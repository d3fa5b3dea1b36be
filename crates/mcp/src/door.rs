//! The protocol's requests: tools are listed and called, resources listed and read.

use crate::answer::{self, link};
use crate::call::Call;
use crate::inputs::invalid;
use crate::progress::Progress;
use crate::store::Store;
use crate::{Settings, Writes, tools};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use formicary_model::{Failure, FailureKind};
use formicary_platform::keys::Scope;
use formicary_platform::root::Root;
use formicary_platform::tenants::{Refused, Tenant, Tenants, UnderWay};
use formicary_platform::{Cancel, Platform};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ResourceContents, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

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
    pub(crate) tenants: Arc<Tenants>,
    stores: Mutex<BTreeMap<String, Arc<Store>>>,
}

impl House {
    /// What is kept for one caller: what another was given is not there.
    fn store(&self, tenant: &Tenant) -> Arc<Store> {
        let mut stores = self.stores.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(stores.entry(tenant.id.clone()).or_default())
    }
}

/// The server's side of the protocol. Clones share everything: each connection over HTTP has one.
#[derive(Clone)]
pub struct Door {
    house: Arc<House>,
}

impl Door {
    /// A door to this platform, for callers to whom this is granted.
    pub fn new(platform: Platform, settings: Settings) -> Result<Self, Failure> {
        Self::for_tenants(platform, settings, Arc::new(Tenants::new(None)))
    }

    /// The same where each request says whose it is.
    pub(crate) fn for_tenants(
        platform: Platform,
        settings: Settings,
        tenants: Arc<Tenants>,
    ) -> Result<Self, Failure> {
        let root = Root::open(&settings.root, settings.writes)?;
        let stores = Mutex::default();
        Ok(Self { house: Arc::new(House { platform, settings, root, tenants, stores }) })
    }

    /// Whose request this is. Where keys are asked for, one that bears none came by a way that there is not.
    fn tenant(&self, context: &RequestContext<RoleServer>) -> Result<Tenant, ErrorData> {
        let parts = context.extensions.get::<axum::http::request::Parts>();
        match parts.and_then(|parts| parts.extensions.get::<Tenant>()) {
            Some(tenant) => Ok(tenant.clone()),
            None if self.house.tenants.need_keys() => {
                Err(ErrorData::internal_error("nobody knows whose request this is", None))
            }
            None => Ok(Tenant::local()),
        }
    }

    fn tools(&self, tenant: &Tenant) -> Vec<Tool> {
        let writes = self.house.settings.writes == Writes::Allowed;
        let own =
            tools::ALL.iter().filter(|spec| spec.is_for(tenant) && spec.is_offered(&self.house.platform));
        own.map(|spec| spec.tool(writes)).collect()
    }

    /// Lets a call in, within what the caller may do and how much of it.
    fn admit(&self, spec: &tools::Spec, tenant: &Tenant) -> Result<UnderWay, Failure> {
        if !spec.is_for(tenant) {
            let scope = spec.scope.map(Scope::word).unwrap_or_default();
            let message = format!("the key {} may not use {}", tenant.name, spec.name);
            return Err(invalid(message, format!("it needs the scope {scope}")));
        }
        let tenants = &self.house.tenants;
        let begun = tenants.count_request(tenant).and_then(|()| tenants.check_cpu(tenant));
        begun.and_then(|()| tenants.begin(tenant)).map_err(|refused| match refused {
            Refused::Unknown(detail) => invalid(detail, "send a key that holds"),
            Refused::TooMuch { detail, wait } => {
                invalid(detail, format!("come back in {} seconds", wait.as_secs()))
            }
        })
    }

    async fn call(
        &self,
        spec: &'static tools::Spec,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
        tenant: Tenant,
    ) -> CallToolResult {
        let under_way = match self.admit(spec, &tenant) {
            Ok(under_way) => under_way,
            Err(failure) => return answer::failed(&failure),
        };
        let cancel = Cancel::default();
        // However this future ends, the work does not go on without it.
        let _ends = EndWithCall(cancel.clone());
        let token = context.meta.get_progress_token();
        let (sender, mut news) = tokio::sync::mpsc::channel(WAITING);
        let progress = Progress::new(token.is_some().then_some(sender));
        let store = self.house.store(&tenant);
        let call = Call { house: Arc::clone(&self.house), tenant, store, cancel: cancel.clone(), progress };
        let arguments = request.arguments.unwrap_or_default();
        let mut work = tokio::task::spawn_blocking(move || {
            let _under_way = under_way;
            (spec.run)(&call, arguments)
        });
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

#[cfg(test)]
impl Door {
    /// A call of the local user's whose progress nobody hears.
    pub(crate) fn call_alone(&self) -> Call {
        let tenant = Tenant::local();
        let store = self.house.store(&tenant);
        let progress = Progress::new(None);
        Call { house: Arc::clone(&self.house), tenant, store, cancel: Cancel::default(), progress }
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
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult { tools: self.tools(&self.tenant(&context)?), ..ListToolsResult::default() })
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
        let tenant = self.tenant(&context)?;
        Ok(self.call(spec, request, context, tenant).await.into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let store = self.house.store(&self.tenant(&context)?);
        let resources = store.list().iter().map(link).collect();
        Ok(ListResourcesResult { resources, ..ListResourcesResult::default() })
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let Some(kept) = self.house.store(&self.tenant(&context)?).find(&uri) else {
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
