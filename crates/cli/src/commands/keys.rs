//! `formicary keys`: who may call a server.

use crate::arguments::GlobalArguments;
use crate::arguments::keys::{CreateArguments, KeysArguments, KeysVerb, PlaceArguments};
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::table::Table;
use crate::terminal;
use formicary_platform::keys::{KeyFile, KeyInfo, NewKey, Quota};
use std::io::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

const DAY: u64 = 86_400;

/// Does what was asked with keys.
pub fn run(arguments: KeysArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    match arguments.verb {
        KeysVerb::Create(create) => make(*create, global),
        KeysVerb::List { place } => {
            let keys: Vec<KeyInfo> =
                file(place, global)?.list()?.iter().map(|key| key.shown(now())).collect();
            terminal::show(global.json, &keys, || table(&keys))?;
            Ok(0)
        }
        KeysVerb::Revoke { key, place } => {
            let gone = file(place, global)?.revoke(&key)?;
            terminal::show(
                global.json,
                &serde_json::json!({ "revoked": gone.id, "name": gone.name }),
                || format!("{} ({}) holds no longer\n", gone.name, gone.id),
            )?;
            Ok(0)
        }
    }
}

fn make(arguments: CreateArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let file = file(arguments.place, global)?;
    let new = NewKey {
        name: arguments.name,
        scopes: arguments.scopes,
        lifetime: arguments.days.map(|days| u64::from(days) * DAY),
        quota: Quota {
            requests_per_minute: arguments.per_minute,
            concurrency: arguments.at_once,
            cpu_seconds_per_day: arguments.cpu_per_day,
            memory_bytes: arguments.memory.map(|bytes| bytes as u64),
        },
    };
    let (record, key) = file.create(new, now())?;
    if global.json {
        terminal::print_json(&serde_json::json!({ "key": key, "info": record.shown(now()) }))?;
    } else {
        terminal::print(&format!("{key}\n"))?;
        writeln!(
            terminal::stderr(),
            "kept as {} in {}; the key is shown this once",
            record.id,
            file.path().display()
        )?;
    }
    Ok(0)
}

fn file(place: PlaceArguments, global: &GlobalArguments) -> Result<KeyFile, Stop> {
    let sources = door::sources(global);
    let configuration = door::configuration(&sources, Warnings::Hidden)?;
    let usual = || formicary_server::usual_keys(&sources);
    let path = place.file.or(configuration.settings.server.keys).or_else(usual);
    let path =
        path.ok_or_else(|| invalid("where the keys are is not known", "name a file with --keys FILE"))?;
    Ok(KeyFile::new(path))
}

fn table(keys: &[KeyInfo]) -> String {
    if keys.is_empty() {
        return "there are no keys; `formicary keys create NAME --scope execute` makes one\n".into();
    }
    let mut table = Table::new(&["NAME", "ID", "SCOPES", "HOLDS"]);
    for key in keys {
        let scopes: Vec<&str> = key.scopes.iter().map(|scope| scope.word()).collect();
        let holds = match key.expires {
            _ if key.expired => "expired".to_owned(),
            Some(expires) => format!("{} days", expires.saturating_sub(now()).div_ceil(DAY)),
            None => "for ever".to_owned(),
        };
        table.row([key.name.as_str().into(), key.id.as_str().into(), scopes.join(", ").into(), holds.into()]);
    }
    table.render()
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
