//! Adapters of the Debug Adapter Protocol, as data: a small file each says how one is found, started and told what to run.

use formicary_model::Language;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Every adapter's data file. A new adapter is a new line here.
const DATA: [&str; 3] = [include_str!("debugpy.toml"), include_str!("delve.toml"), include_str!("lldb.toml")];

/// Carries the protocol of an adapter with a port to the standard streams, inside.
pub const BRIDGE: &str = include_str!("bridge.sh");

static ALL: LazyLock<Vec<Adapter>> =
    LazyLock::new(|| DATA.iter().filter_map(|text| toml::from_str(text).ok()).collect());

/// An adapter.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adapter {
    /// By what it is asked for.
    pub name: String,
    /// The program that speaks.
    pub program: String,
    /// How to get it.
    pub get: String,
    /// What it debugs.
    pub languages: Vec<Language>,
    /// A shell's condition: it is there.
    pub finds: String,
    /// Over what it speaks.
    pub speaks: Speaks,
    /// The shell's line that starts it.
    pub start: String,
    /// Words of the line in which it names its port.
    #[serde(default)]
    pub listening: String,
    /// The arguments of its `launch`, in which `{home}`, `{entry}`, `{args}` and what else the start tells are filled in.
    pub launch: Value,
    /// Commands for a language, behind those of `launch.initCommands`.
    #[serde(default)]
    pub commands: BTreeMap<Language, Vec<String>>,
    /// Filters of exceptions that nobody catches.
    #[serde(default)]
    pub uncaught: Vec<String>,
    /// Filters of all exceptions.
    #[serde(default)]
    pub raised: Vec<String>,
    /// Functions that are called when a program gives up.
    #[serde(default)]
    pub failing: Vec<String>,
    /// Functions that are called when something is raised.
    #[serde(default)]
    pub raising: Vec<String>,
    /// How the name of a function becomes the one that it knows.
    #[serde(default)]
    pub qualify: Option<Qualify>,
    /// What stands before the name of a function where one is defined; only where the adapter does not look itself.
    #[serde(default)]
    pub definition: Option<String>,
    /// Beginnings of the names of variables that no person wrote.
    #[serde(default)]
    pub hidden: Vec<String>,
    /// Whether what is in a value must be asked for.
    #[serde(default)]
    pub expands: bool,
    /// It tells the exit code only in words, after these.
    #[serde(default)]
    pub exit_status_after: Option<String>,
}

/// Over what an adapter speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaks {
    /// Its standard streams.
    Streams,
    /// A port of the sandbox's own loopback; which, it says in the line with [`Adapter::listening`] in it.
    Port,
}

/// How the name of a function becomes the one that an adapter knows.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Qualify {
    /// What stands between the parts of a name.
    pub separator: String,
    /// Stands before a name of one part.
    #[serde(default)]
    pub prefix: String,
    /// Only the last part is known.
    #[serde(default)]
    pub last: bool,
}

impl Adapter {
    /// A function by the name that the adapter knows.
    pub fn function(&self, name: &str) -> String {
        match &self.qualify {
            Some(Qualify { separator, last: true, .. }) => {
                name.rsplit(separator.as_str()).next().unwrap_or(name).to_owned()
            }
            Some(Qualify { separator, prefix, .. }) if !name.contains(separator.as_str()) => {
                format!("{prefix}{name}")
            }
            _ => name.to_owned(),
        }
    }

    /// Whether it debugs a language.
    pub fn debugs(&self, language: Language) -> bool {
        self.languages.contains(&language)
    }
}

/// All adapters.
pub fn all() -> &'static [Adapter] {
    &ALL
}

/// The adapter of this name.
pub fn named(name: &str) -> Option<&'static Adapter> {
    ALL.iter().find(|adapter| adapter.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_data_file_is_read() {
        for text in DATA {
            toml::from_str::<Adapter>(text).unwrap();
        }
        let names: Vec<&str> = all().iter().map(|adapter| adapter.name.as_str()).collect();
        assert_eq!(names, ["debugpy", "delve", "lldb"]);
    }

    #[test]
    fn functions_are_named_as_each_adapter_knows_them() {
        let of = |adapter: &str, name: &str| named(adapter).unwrap().function(name);
        assert_eq!(of("delve", "total"), "main.total");
        assert_eq!(of("delve", "shop.Total"), "shop.Total");
        assert_eq!(of("debugpy", "Shop.total"), "total");
        assert_eq!(of("lldb", "std::sort"), "std::sort");
    }
}
