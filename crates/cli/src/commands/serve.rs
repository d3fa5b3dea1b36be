//! `formicary serve`: the HTTP door.

use crate::arguments::GlobalArguments;
use crate::arguments::serve::ServeArguments;
use crate::commands::cluster;
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::terminal;
use formicary_platform::Platform;
use formicary_server::{ServeOptions, ServerSettings, TlsFiles};
use std::io::Write as _;
use std::sync::Arc;

/// Serves until it is told to end.
pub fn run(arguments: ServeArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let mut sources = door::sources(global);
    // A project's file where somebody happened to stand is not meant for all who call.
    let base = sources.working_folder.take();
    let configuration = door::configuration(&sources, Warnings::Told)?;
    // Held until everything has ended: the server lets go of it where nothing may wait.
    let cluster = cluster::front(&arguments.cluster, &configuration)?;
    let platform = Platform::to_serve(configuration, &sources)?;
    let mut address_of_cluster = None;
    if let Some((cluster, address)) = &cluster {
        platform.send_to(Arc::clone(cluster));
        address_of_cluster = Some(address.clone());
    }
    let absolute =
        |path: std::path::PathBuf| base.as_ref().map_or_else(|| path.clone(), |base| base.join(&path));
    let tls = arguments.tls_cert.zip(arguments.tls_key);
    let options = ServeOptions {
        listen: arguments.listen,
        keys: arguments.keys.map(absolute),
        hosts: arguments.hosts,
        tls: tls
            .map(|(certificate, key)| TlsFiles { certificate: absolute(certificate), key: absolute(key) }),
    };
    let scheme = if options.tls.is_some() { "https" } else { "http" };
    let settings = ServerSettings::resolve(&platform, &sources, options)?;
    let keys = settings.keys.is_some();
    formicary_server::serve::serve(platform, settings, &mut |address| {
        // Whoever started it may not listen any more: it serves all the same.
        let _ = if global.json {
            terminal::print_json(&serde_json::json!({
                "address": address.to_string(), "url": format!("{scheme}://{address}"), "keys": keys,
                "cluster": address_of_cluster,
            }))
        } else {
            let who = if keys { "callers need a key" } else { "no key is needed on this host" };
            let far =
                address_of_cluster.as_ref().map(|url| format!("; programs run at {url}")).unwrap_or_default();
            writeln!(terminal::stderr(), "listening at {scheme}://{address} ({who}{far})")
        };
    })?;
    Ok(0)
}
