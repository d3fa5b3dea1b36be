//! What an answer proposes, and what becomes of the workspace.

use super::replace::replaced;
use crate::tree::{self, Tree};
use formicary_repair::patch::{self, FileChange};
use std::collections::BTreeMap;

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A whole file.
    Whole {
        /// Its path.
        path: String,
        /// Its text.
        text: String,
    },
    /// One stretch of a file.
    Replace {
        /// Its path.
        path: String,
        /// What is there; empty for a file that is not there yet.
        search: String,
        /// What shall be there.
        replace: String,
    },
    /// A unified diff, of any number of files.
    Diff(String),
    /// A file goes.
    Delete {
        /// Its path.
        path: String,
    },
}

/// Everything that an answer proposes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proposal {
    /// Changes, in order.
    pub changes: Vec<Change>,
    /// How to run the program.
    pub command: Option<String>,
    /// Packages that it needs.
    pub packages: Vec<String>,
    /// What the model says of it.
    pub summary: String,
    /// Steps of the task, where the answer lays down a plan.
    pub plan: Vec<String>,
    /// Whether it says that the step under way is done.
    pub step_done: bool,
}

/// Files as they shall be: a text, or gone.
pub type Changes = BTreeMap<String, Option<String>>;

impl Proposal {
    /// The files that change, or everything that is wrong. The tree itself is not touched.
    pub fn applied(&self, tree: &Tree) -> Result<Changes, Vec<String>> {
        let (mut changes, mut wrong) = (Changes::new(), Vec::new());
        for change in &self.changes {
            if let Err(why) = one(change, tree, &mut changes) {
                wrong.push(why);
            }
        }
        for (path, text) in &changes {
            let Some(text) = text else { continue };
            // What was broken before need not be whole now: the run will tell.
            let was_whole = tree.text(path).is_none_or(|old| tree::syntax_error(path, old).is_none());
            if let Some((line, shown)) = tree::syntax_error(path, text).filter(|_| was_whole) {
                wrong.push(format!("{path} would not parse: line {line}: {shown}"));
            }
        }
        if wrong.is_empty() { Ok(changes) } else { Err(wrong) }
    }
}

fn one(change: &Change, tree: &Tree, changes: &mut Changes) -> Result<(), String> {
    let current = |changes: &Changes, path: &str| match changes.get(path) {
        Some(text) => text.clone(),
        None => tree.text(path).map(str::to_owned),
    };
    match change {
        Change::Whole { path, text } => {
            let path = tree::confine(path)?;
            let mut text = text.clone();
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            changes.insert(path, Some(text));
        }
        Change::Delete { path } => {
            let path = tree::confine(path)?;
            current(changes, &path).ok_or_else(|| format!("{path} does not exist"))?;
            changes.insert(path, None);
        }
        Change::Replace { path, search, replace } => {
            let path = tree::confine(path)?;
            let text = match current(changes, &path) {
                Some(old) => replaced(&old, search, replace).map_err(|why| format!("{path}: {why}"))?,
                None if search.trim().is_empty() => replace.clone(),
                None => {
                    let known: Vec<&str> = tree.paths().take(20).collect();
                    return Err(format!("{path} does not exist; the files are {}", known.join(", ")));
                }
            };
            changes.insert(path, Some(text));
        }
        Change::Diff(text) => {
            let mut parsed = patch::parse(text).map_err(|error| error.to_string())?;
            if parsed.files.is_empty() {
                return Err("the diff names no file: it needs lines `--- a/PATH` and `+++ b/PATH`".into());
            }
            for file in &mut parsed.files {
                for path in [&mut file.old_path, &mut file.new_path].into_iter().flatten() {
                    *path = tree::confine(path)?;
                }
            }
            let made =
                patch::apply(&parsed, |path| current(changes, path)).map_err(|error| error.to_string())?;
            for (path, change) in made {
                changes.insert(
                    path,
                    match change {
                        FileChange::Written(text) => Some(text),
                        FileChange::Removed => None,
                    },
                );
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Tree {
        let mut tree = Tree::default();
        tree.write("a.py", "def f():\n    return 1\n\n\ndef g():\n    return 2\n");
        tree
    }

    fn applied(changes: Vec<Change>) -> Result<Changes, Vec<String>> {
        Proposal { changes, ..Proposal::default() }.applied(&tree())
    }

    #[test]
    fn changes_build_on_each_other() {
        let replace = |search: &str, replace: &str| Change::Replace {
            path: "a.py".into(),
            search: search.into(),
            replace: replace.into(),
        };
        let changes =
            applied(vec![replace("return 1", "return 3"), replace("return 3", "return 4")]).unwrap();
        assert!(changes["a.py"].as_deref().unwrap().contains("return 4"));
        let diff = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 5\n";
        assert!(
            applied(vec![Change::Diff(diff.into())]).unwrap()["a.py"]
                .as_deref()
                .unwrap()
                .contains("return 5")
        );
    }

    #[test]
    fn what_cannot_be_applied_is_told() {
        let cases = [
            (Change::Whole { path: "../x".into(), text: String::new() }, "leaves the workspace"),
            (Change::Whole { path: "b.py".into(), text: "def f(:\n".into() }, "would not parse: line 1"),
            (Change::Delete { path: "z.py".into() }, "does not exist"),
            (
                Change::Replace { path: "z.py".into(), search: "x".into(), replace: "y".into() },
                "the files are a.py",
            ),
            (
                Change::Replace { path: "a.py".into(), search: "nowhere".into(), replace: "y".into() },
                "not found",
            ),
            (Change::Diff("nothing".into()), "there is no change in it"),
            (
                Change::Diff("--- a/../../etc/x\n+++ b/../../etc/x\n@@ -1 +1 @@\n-a\n+b\n".into()),
                "leads out of the folder",
            ),
        ];
        for (change, part) in cases {
            let wrong = applied(vec![change.clone()]).unwrap_err().join("; ");
            assert!(wrong.contains(part), "{change:?}: {wrong}");
        }
    }
}
