//! The top-level help: commands grouped by what a person wants to do.

use clap::CommandFactory as _;

use super::CommandLine;

/// Each group with its commands, in the order in which help lists them.
const GROUPS: [(&str, &[&str]); 8] = [
    ("Run", &["run", "judge", "session", "languages"]),
    ("Review", &["review", "gate", "metrics", "rules"]),
    (
        "Find and change",
        &["search", "rewrite", "refactor", "symbols", "callers", "callees", "deps", "clones", "refactorings"],
    ),
    ("Debug", &["diagnose", "debug", "fix", "inspect"]),
    ("Test", &["tests"]),
    ("Agent", &["agent"]),
    ("Serve", &["serve", "mcp", "keys", "worker", "cluster"]),
    (
        "Manage",
        &["doctor", "config", "images", "cache", "audit", "completions", "man", "exit-codes", "version"],
    ),
];

/// The whole command line, with the grouped list in the place of clap's flat one.
pub fn command() -> clap::Command {
    let command = CommandLine::command();
    let list = list(&command);
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{list}\n\nOptions:\n{{options}}{{after-help}}"
    ))
}

fn list(command: &clap::Command) -> String {
    const WIDTH: usize = 14;
    let heading = command.get_styles().get_header();
    let name = command.get_styles().get_literal();
    let mut list = String::new();
    for (group, verbs) in GROUPS {
        list.push_str(&format!("\n{heading}{group}:{heading:#}\n"));
        // A build without a feature lacks its commands.
        for verb in verbs.iter().filter_map(|verb| command.find_subcommand(verb)) {
            if verb.is_hide_set() {
                continue;
            }
            let word = verb.get_name();
            let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
            let gap = " ".repeat(WIDTH.saturating_sub(word.len()));
            list.push_str(&format!("  {name}{word}{name:#}{gap}{about}\n"));
        }
    }
    list.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let command = CommandLine::command();
        let mut expected: Vec<&str> = command
            .get_subcommands()
            .filter(|verb| !verb.is_hide_set())
            .map(clap::Command::get_name)
            .collect();
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, verbs)| verbs.iter().copied())
            .filter(|verb| expected.contains(verb))
            .collect();
        expected.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, expected);
    }

    #[test]
    fn help_fits_eighty_columns() {
        let help = command().render_help().to_string();
        let long: Vec<&str> = help.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{long:#?}");
    }
}
