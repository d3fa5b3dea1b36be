//! `formicary mcp`.

use crate::arguments::GlobalArguments;
use crate::arguments::mcp::McpArguments;
use crate::commands::cluster;
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::terminal;
use formicary_mcp::serve::{self, HttpSettings, Keys};
use formicary_mcp::{Settings, Writes};
use formicary_platform::Platform;
use std::sync::Arc;

/// Serves tools until the client goes away, or until a signal over HTTP.
pub fn run(arguments: McpArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let sources = door::sources(global);
    let configuration = door::configuration(&sources, Warnings::Told)?;
    let root = match (arguments.root, &sources.working_folder) {
        (Some(root), _) => root,
        (None, Some(folder)) => formicary_mcp::unnamed_root(folder, sources.home.as_deref())?,
        (None, None) => Err(invalid("the folder where you stand is gone", "give --root"))?,
    };
    let settings = Settings {
        root,
        writes: if arguments.allow_write { Writes::Allowed } else { Writes::Refused },
        sources: sources.clone(),
    };
    // Held until everything has ended: the server lets go of it where nothing may wait.
    let cluster = cluster::front(&arguments.cluster, &configuration)?;
    let sent = |platform: Platform| {
        if let Some((cluster, _)) = &cluster {
            platform.send_to(Arc::clone(cluster));
        }
        platform
    };
    let Some(address) = arguments.http else {
        formicary_mcp::serve_stdio(sent(Platform::to_stay(configuration, &sources)?), settings)?;
        return Ok(0);
    };
    let keys = arguments.key_file.as_deref().map(Keys::read).transpose()?.unwrap_or_default();
    let http = HttpSettings { address, keys, hosts: arguments.allow_host, origins: arguments.allow_origin };
    let platform = sent(Platform::to_serve(configuration, &sources)?);
    let mut told = Ok(());
    formicary_mcp::serve_http(platform, settings, http, |address| {
        let url = format!("http://{address}{}", serve::PATH);
        told = if global.json {
            terminal::print_json(&serde_json::json!({ "url": url }))
        } else {
            terminal::print(&format!("{url}\n"))
        };
    })?;
    told?;
    Ok(0)
}
