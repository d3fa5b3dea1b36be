//! No path of one developer's machine: the tree must build and test wherever it is cloned.

use super::Findings;
use crate::tree::{File, Tree};

/// Folders that tools make in somebody's home, and build folders outside the tree.
const OF_ONE_MACHINE: [&str; 6] = [
    concat!("/root/", ".cargo"),
    concat!("/root/", ".rustup"),
    concat!("/root/", ".pyenv"),
    concat!("/root/", ".nvm"),
    concat!("/tmp/", "target-"),
    concat!("/Us", "ers/"),
];

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in tree.files.iter().filter(|file| is_checked(file)) {
        for (index, line) in file.text.lines().enumerate() {
            if let Some(path) = OF_ONE_MACHINE.iter().find(|path| line.contains(*path)) {
                findings.error(
                    &file.path,
                    index + 1,
                    format!("{path} is a path of one machine; resolve it at run time"),
                );
            }
        }
    }
}

fn is_checked(file: &File) -> bool {
    let name = file.name();
    [".rs", ".toml", ".md", ".sh", ".py", ".json"].iter().any(|ending| name.ends_with(ending))
        || file.path == "test"
        || file.path.starts_with(".ci/")
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn paths_of_one_machine_are_found() {
        let bad = concat!("let a = \"/root/", ".cargo/bin\";\n");
        let good = "let a = \"/root/.ssh/id_rsa\";\nlet b = \"/tmp/x\";\n";
        assert_eq!(places("machine-paths", &[("a.rs", bad), ("b.rs", good)]), ["a.rs:1"]);
    }
}
