//! Layers and arrows that must not be: the import graph against what the project says of itself.

use crate::engine::Architecture;
use crate::settings::matcher;
use formicary_model::Language;
use formicary_model::review::{
    Category, Confidence, Dependency, Finding, ModuleMetrics, RuleInfo, Severity, Span,
};
use globset::GlobSet;
use std::collections::HashMap;

const LAYER: &str = "layer-violation";
const ARROW: &str = "forbidden-dependency";
const LAYER_WHY: &str =
    "A layer that uses what stands above it, or beside it, cannot be understood, tested or changed alone.";
const LAYER_HELP: &str =
    "Move the code to the layer that it belongs to, or turn the arrow round with an interface.";
const ARROW_WHY: &str = "The project forbids this dependency in its configuration.";
const ARROW_HELP: &str = "Remove the import, or go through a module that may be used.";

/// The rules of this page.
pub fn rules() -> Vec<RuleInfo> {
    let rule = |name: &'static str, title: &'static str, why: &'static str, help: &'static str| RuleInfo {
        name: name.into(),
        title: title.into(),
        why: why.into(),
        suggestion: help.into(),
        category: Category::Architecture,
        severity: Severity::Medium,
        confidence: Confidence::High,
        cwe: None,
        languages: Language::ALL.to_vec(),
        fix: None,
        examples: Vec::new(),
    };
    vec![
        rule(LAYER, "an import against the project's layers", LAYER_WHY, LAYER_HELP),
        rule(ARROW, "an import that the project forbids", ARROW_WHY, ARROW_HELP),
    ]
}

/// One finding per arrow that must not be.
pub fn check(architecture: &Architecture, modules: &[ModuleMetrics], arrows: &[Dependency]) -> Vec<Finding> {
    if architecture.layers.is_empty() && architecture.forbidden.is_empty() {
        return Vec::new();
    }
    let files: HashMap<&str, &str> =
        modules.iter().map(|module| (module.name.as_str(), module.file.as_str())).collect();
    let layers: Vec<GlobSet> = architecture.layers.iter().map(|layer| matcher(&layer.files)).collect();
    let layer_of = |file: &str| layers.iter().position(|globs| globs.is_match(file));
    let forbidden: Vec<(GlobSet, GlobSet)> = architecture
        .forbidden
        .iter()
        .map(|(from, to)| (matcher(std::slice::from_ref(from)), matcher(std::slice::from_ref(to))))
        .collect();
    let mut found = Vec::new();
    for arrow in arrows {
        let (Some(from), Some(to)) = (files.get(arrow.from.as_str()), files.get(arrow.to.as_str())) else {
            continue;
        };
        if let (Some(lower), Some(upper)) = (layer_of(from), layer_of(to))
            && lower != upper
            && let (Some(user), Some(used)) = (architecture.layers.get(lower), architecture.layers.get(upper))
            && !user.may_use.contains(&used.name)
        {
            let message = format!("{} ({}) must not use {} ({})", arrow.from, user.name, arrow.to, used.name);
            found.push(told(LAYER, from, arrow.line, message, LAYER_WHY, LAYER_HELP));
        }
        if forbidden.iter().any(|(users, useds)| users.is_match(from) && useds.is_match(to)) {
            let message = format!("{} must not use {}", arrow.from, arrow.to);
            found.push(told(ARROW, from, arrow.line, message, ARROW_WHY, ARROW_HELP));
        }
    }
    found
}

fn told(
    rule: &'static str,
    file: &str,
    line: u32,
    message: String,
    why: &'static str,
    help: &'static str,
) -> Finding {
    let span = Span::of_line(line.max(1));
    let mut finding = Finding::new(rule, Category::Architecture, Severity::Medium, file, span, message);
    finding.why = why.into();
    finding.suggestion = help.into();
    finding
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::parse_settings;
    use std::path::Path;

    #[test]
    fn arrows_are_held_to_the_layers() {
        let settings = "[review.architecture]\npreset = \"layered\"\nforbidden = [{ from = \"app/web/**\", to = \"app/db/**\" }]\n";
        let settings = parse_settings(Path::new("formicary.toml"), settings, &[]).unwrap().unwrap();
        let module = |name: &str| ModuleMetrics {
            name: name.into(),
            file: format!("app/{}.py", name.replace('.', "/")),
            ..ModuleMetrics::default()
        };
        let modules = ["web.page", "services.order", "domain.order", "db.store", "other.x"].map(module);
        let arrow = |from: &str, to: &str| Dependency { from: from.into(), to: to.into(), line: 3 };
        for (from, to, expected) in [
            ("web.page", "services.order", &[][..]),
            ("services.order", "domain.order", &[]),
            ("domain.order", "services.order", &[LAYER]),
            ("domain.order", "db.store", &[LAYER]),
            ("web.page", "db.store", &[LAYER, ARROW]),
            ("other.x", "db.store", &[]),
            ("domain.order", "nowhere", &[]),
        ] {
            let found = check(&settings.architecture, &modules, &[arrow(from, to)]);
            let names: Vec<&str> = found.iter().map(|finding| finding.rule.as_ref()).collect();
            assert_eq!(names, expected, "{from} to {to}");
        }
    }
}
