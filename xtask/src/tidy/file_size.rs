//! A file is split before it has 800 lines.

use super::Findings;
use crate::tree::Tree;

const WARN_ABOVE: usize = 600;
const FAIL_ABOVE: usize = 800;

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in tree.rust() {
        let lines = file.text.lines().count();
        if lines > FAIL_ABOVE {
            findings.error(&file.path, lines, format!("{lines} lines; split it (at most {FAIL_ABOVE})"));
        } else if lines > WARN_ABOVE {
            findings.warning(&file.path, lines, format!("{lines} lines; split it before {FAIL_ABOVE}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{RULES, Weight, run};
    use crate::tree::Tree;

    #[test]
    fn long_files_are_found() {
        let rule = RULES.iter().find(|rule| rule.name == "file-size").unwrap();
        for (lines, expected) in [
            (600, None),
            (601, Some(Weight::Warning)),
            (800, Some(Weight::Warning)),
            (801, Some(Weight::Error)),
        ] {
            let found = run(rule, &Tree::of(&[("a.rs", &"\n".repeat(lines))]));
            assert_eq!(found.first().map(|finding| finding.weight), expected, "{lines}");
        }
    }
}
