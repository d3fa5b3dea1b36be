//! `formicary mcp`.

use crate::arguments::GlobalArguments;
use crate::arguments::mcp::McpArguments;
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::terminal;
use formicary_mcp::serve::{self, HttpSettings, Keys};
use formicary_mcp::{Settings, Writes};
use formicary_platform::Platform;

/// Serves tools until the client goes away, or until a signal over HTTP.
pub fn run(arguments: McpArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let sources = door::sources(global);
    let configuration = door::configuration(&sources, Warnings::Told)?;
    let root = arguments
        .root
        .or_else(|| sources.working_folder.clone())
        .ok_or_else(|| invalid("the folder where you stand is gone", "give --root"))?;
    let settings = Settings {
        root,
        writes: if arguments.allow_write { Writes::Allowed } else { Writes::Refused },
        review_cache: sources.cache_folder().map(|folder| folder.join("review")),
        sources: sources.clone(),
    };
    let Some(address) = arguments.http else {
        formicary_mcp::serve_stdio(Platform::to_stay(configuration, &sources)?, settings)?;
        return Ok(0);
    };
    let keys = arguments.key_file.as_deref().map(Keys::read).transpose()?.unwrap_or_default();
    let http = HttpSettings { address, keys, hosts: arguments.allow_host, origins: arguments.allow_origin };
    let platform = Platform::to_serve(configuration, &sources)?;
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
