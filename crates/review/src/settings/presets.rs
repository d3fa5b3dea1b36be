//! Layers that many projects share, so that a word in the configuration is enough.

use crate::engine::{Architecture, Layer};

/// The presets by name.
pub const PRESETS: [&str; 4] = ["layered", "hexagonal", "clean", "mvc"];

/// One row of a preset: the layer, words for its folders, the layers that it may use.
type Row = (&'static str, &'static [&'static str], &'static [&'static str]);

const LAYERED: &[Row] = &[
    (
        "presentation",
        &["presentation", "ui", "web", "api", "views", "controllers", "handlers", "routes"],
        &["application", "domain"],
    ),
    ("application", &["application", "services", "service", "usecases"], &["domain", "infrastructure"]),
    ("domain", &["domain", "model", "models", "entities", "core"], &[]),
    (
        "infrastructure",
        &["infrastructure", "persistence", "repositories", "repository", "db", "adapters", "storage"],
        &["domain"],
    ),
];

const HEXAGONAL: &[Row] = &[
    ("adapters", &["adapters", "adapter", "infrastructure", "web", "api", "cli"], &["ports", "domain"]),
    ("application", &["application", "usecases", "services"], &["ports", "domain"]),
    ("ports", &["ports", "port", "interfaces"], &["domain"]),
    ("domain", &["domain", "core", "entities"], &[]),
];

const CLEAN: &[Row] = &[
    (
        "frameworks",
        &["frameworks", "infrastructure", "drivers", "db", "web"],
        &["adapters", "use_cases", "entities"],
    ),
    (
        "adapters",
        &["adapters", "controllers", "presenters", "gateways", "interface_adapters"],
        &["use_cases", "entities"],
    ),
    ("use_cases", &["use_cases", "usecases", "application", "interactors"], &["entities"]),
    ("entities", &["entities", "domain", "core"], &[]),
];

const MVC: &[Row] = &[
    ("controllers", &["controllers", "controller", "routes", "handlers"], &["models", "views"]),
    ("views", &["views", "view", "templates"], &["models"]),
    ("models", &["models", "model", "entities"], &[]),
];

/// The layers of a preset.
pub(super) fn preset(name: &str) -> Option<Architecture> {
    let rows = match name {
        "layered" => LAYERED,
        "hexagonal" => HEXAGONAL,
        "clean" => CLEAN,
        "mvc" => MVC,
        _ => return None,
    };
    let layer = |(name, folders, may_use): &Row| Layer {
        name: (*name).into(),
        files: folders
            .iter()
            .flat_map(|folder| [format!("**/{folder}/**"), format!("**/{folder}.*")])
            .collect(),
        may_use: may_use.iter().map(|word| (*word).into()).collect(),
    };
    Some(Architecture { layers: rows.iter().map(layer).collect(), forbidden: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_uses_only_its_own_layers() {
        for name in PRESETS {
            let layers = preset(name).unwrap().layers;
            for layer in &layers {
                for used in &layer.may_use {
                    assert!(layers.iter().any(|other| other.name == *used), "{name}: {used}");
                }
            }
        }
        assert_eq!(preset("onion"), None);
    }
}
