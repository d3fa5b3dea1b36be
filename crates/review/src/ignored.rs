//! What ignore files leave out. They belong to the project, so a stranger wrote them: they are read like any other file of
//! it, and their patterns are few enough to be matched.

use crate::tracked;
use formicary_files::{FileError, Reason, Root, directories_above};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Larger files are no ignore files.
const MOST_BYTES: u64 = 256 << 10;
/// All ignore files of a project together.
const MOST_BYTES_IN_ALL: u64 = 4 << 20;

const OWN: &str = ".formicaryignore";
const PLAIN: &str = ".ignore";
const GIT: &str = ".gitignore";

/// What the ignore files say of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is looked at.
    Kept,
    /// Git would not add it. What it tracks all the same is looked at.
    LeftToGit,
    /// The project does not want it looked at.
    LeftOut,
}

/// The rules that hold in a directory: its own, and those of the directories above.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    own: Vec<Arc<Gitignore>>,
    plain: Vec<Arc<Gitignore>>,
    git: Vec<Arc<Gitignore>>,
    exclude: Vec<Arc<Gitignore>>,
    global: Arc<Gitignore>,
    read: Arc<AtomicU64>,
}

impl Rules {
    /// The rules that hold above a project: of the directories around it, and the user's own for git.
    pub(crate) fn above(project: &Path, refused: &mut Vec<FileError>) -> Self {
        let (global, _) = GitignoreBuilder::new(project).build_global();
        let mut rules = Self {
            own: Vec::new(),
            plain: Vec::new(),
            git: Vec::new(),
            exclude: Vec::new(),
            global: Arc::new(global),
            read: Arc::default(),
        };
        let top = tracked::top_of(project);
        let above: Vec<&Path> = directories_above(project).skip(1).collect();
        for directory in above.into_iter().rev() {
            let Ok(root) = Root::open(directory) else { continue };
            // Git does not look beyond its repository.
            let in_repository = top.as_deref().is_none_or(|top| directory.starts_with(top));
            rules.enter(&root, Path::new(""), in_repository, refused);
        }
        rules
    }

    /// Adds the rules of a directory below `root`.
    pub(crate) fn enter(
        &mut self,
        root: &Root,
        directory: &Path,
        heed_git: bool,
        refused: &mut Vec<FileError>,
    ) {
        let at = root.path().join(directory);
        let total = Arc::clone(&self.read);
        let mut take =
            |into: &mut Vec<Arc<Gitignore>>, from: &Root, file: &Path| match total.load(Ordering::Relaxed) {
                read if read > MOST_BYTES_IN_ALL => {
                    if from.is_file(file) {
                        let reason = Reason::TooLarge(MOST_BYTES_IN_ALL);
                        refused.push(FileError { path: from.path().join(file), reason });
                    }
                }
                _ => match from.read(file, MOST_BYTES) {
                    Ok(bytes) => {
                        total.fetch_add(bytes.len() as u64, Ordering::Relaxed);
                        into.extend(matcher(&at, &bytes).map(Arc::new));
                    }
                    Err(error) if error.is_missing() => {}
                    Err(error) => refused.push(error),
                },
            };
        take(&mut self.own, root, &directory.join(OWN));
        take(&mut self.plain, root, &directory.join(PLAIN));
        if heed_git {
            take(&mut self.git, root, &directory.join(GIT));
            match tracked::shared_directory(&at) {
                Some(Ok(shared)) => {
                    if let Ok(shared) = Root::open(&shared) {
                        take(&mut self.exclude, &shared, Path::new("info/exclude"));
                    }
                }
                Some(Err(())) => take(&mut self.exclude, root, &directory.join(".git/info/exclude")),
                None => {}
            }
        }
    }

    /// What they say of a path, which is the project's joined with the path below.
    pub(crate) fn verdict(&self, path: &Path, is_directory: bool) -> Verdict {
        let of = |matchers: &[Arc<Gitignore>]| {
            matchers.iter().rev().find_map(|matcher| match matcher.matched(path, is_directory) {
                Match::None => None,
                Match::Ignore(_) => Some(true),
                Match::Whitelist(_) => Some(false),
            })
        };
        if let Some(left_out) = of(&self.own).or_else(|| of(&self.plain)) {
            return if left_out { Verdict::LeftOut } else { Verdict::Kept };
        }
        let global = std::slice::from_ref(&self.global);
        let by_git = of(&self.git).or_else(|| of(&self.exclude)).or_else(|| of(global));
        if by_git == Some(true) { Verdict::LeftToGit } else { Verdict::Kept }
    }
}

fn matcher(directory: &Path, bytes: &[u8]) -> Option<Gitignore> {
    let text = String::from_utf8_lossy(bytes);
    let mut builder = GitignoreBuilder::new(directory);
    for line in text.trim_start_matches('\u{feff}').lines() {
        // A pattern that cannot be read matches nothing, as for git.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok().filter(|matcher| !matcher.is_empty())
}
