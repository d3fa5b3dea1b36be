//! The reference of settings, made from the table, so that no document can fall behind it.

use crate::table::{CONFIG_VARIABLE, Kind, ProjectRule, settings};
use std::fmt::Write as _;

/// A Markdown page of every setting with its variable, values, default and what a project may do to it.
pub fn markdown() -> String {
    let mut page = String::from(INTRODUCTION);
    for setting in settings() {
        let bounds = setting.kind.bounds();
        let values = match setting.kind {
            Kind::Choice(_) => setting.kind.expected(),
            _ if bounds.is_empty() => setting.kind.expected(),
            _ => bounds,
        };
        let project = match setting.project {
            ProjectRule::Stricter => "stricter only",
            ProjectRule::Never => "never",
        };
        let default = setting.default.show(setting.kind);
        // Writing to a String cannot fail.
        let _ = writeln!(
            page,
            "| `{}` | `{}` | {} | {values} | {default} | {project} |",
            setting.key, setting.variable, setting.about
        );
    }
    let _ = writeln!(page, "\n`{CONFIG_VARIABLE}` names the user's file where it is not at its usual place.");
    page.push_str(LANGUAGES);
    page
}

const INTRODUCTION: &str = "\
# Settings

Each value comes from the last of these that sets it: the built-in default, `/etc/formicary/config.toml`,
`~/.config/formicary/config.toml` (or `$XDG_CONFIG_HOME/formicary/config.toml`), the nearest `formicary.toml` at or above
the working folder, the environment, `--set KEY=VALUE`. `formicary config` shows every value with its origin.
Sizes may be written as `1048576`, `\"512MiB\"`, `\"1G\"` (powers of 1024) or `\"1GB\"` (powers of 1000), durations as `30`,
`\"30s\"`, `\"2m\"`. Unknown keys and wrong types are errors that name the file and the line.

A project's `formicary.toml` comes with a repository, which may be hostile. It may make protection stricter; what would
loosen it, name files of the host or add a language is ignored with a warning. Name the folder in `trusted_projects`
of your own file to lift this.

| key | environment variable | meaning | values | default | in a project's file |
|---|---|---|---|---|---|
";

const LANGUAGES: &str = "
## Languages of your own

```toml
[languages.perl]
extension = \"pl\"
aliases = [\"perl5\"]
check = [\"perl\", \"-c\", \"{file}\"]
run = [\"perl\", \"{file}\", \"{args}\"]
version = [\"perl\", \"--version\"]
```
";

#[cfg(test)]
mod tests {
    #[test]
    fn every_setting_is_on_the_page() {
        let page = super::markdown();
        for setting in super::settings() {
            assert!(page.contains(&format!("| `{}` |", setting.key)), "{}", setting.key);
        }
    }
}
