//! Every package takes the lint table, the version and the edition from the workspace.

use super::Findings;
use crate::tree::Tree;
use toml::Value;

/// What a package must not decide for itself.
const INHERITED: [&str; 5] = ["version", "edition", "rust-version", "license", "publish"];

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in tree.files.iter().filter(|file| file.is_manifest() && !file.is_fixture()) {
        let Ok(manifest) = file.text.parse::<toml::Table>() else {
            findings.error(&file.path, 1, "not TOML");
            continue;
        };
        let Some(package) = manifest.get("package") else { continue };
        if !inherits(manifest.get("lints")) {
            findings.error(&file.path, 1, "write `[lints]` `workspace = true`: one lint table for all rooms");
        }
        for key in INHERITED {
            if !inherits(package.get(key)) {
                findings.error(&file.path, 1, format!("write `{key}.workspace = true`"));
            }
        }
    }
}

fn inherits(value: Option<&Value>) -> bool {
    value.and_then(|value| value.get("workspace")).and_then(Value::as_bool) == Some(true)
}

#[cfg(test)]
mod tests {
    use super::super::places;

    const PACKAGE: &str = "[package]\nname = \"x\"\nversion.workspace = true\nedition.workspace = true\n\
                           rust-version.workspace = true\nlicense.workspace = true\npublish.workspace = true\n";

    #[test]
    fn own_lints_are_found() {
        let good = format!("{PACKAGE}[lints]\nworkspace = true\n");
        assert!(places("manifests", &[("Cargo.toml", &good)]).is_empty());
        let own = format!("{PACKAGE}[lints.rust]\nmissing_docs = \"allow\"\n");
        assert_eq!(places("manifests", &[("Cargo.toml", &own)]), ["Cargo.toml:1"]);
        let version = good.replace("version.workspace = true\nedition", "version = \"3.0.0\"\nedition");
        assert_eq!(places("manifests", &[("Cargo.toml", &version)]), ["Cargo.toml:1"]);
    }

    #[test]
    fn the_workspace_itself_is_no_package() {
        assert!(places("manifests", &[("Cargo.toml", "[workspace]\nmembers = []\n")]).is_empty());
    }
}
