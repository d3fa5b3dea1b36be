//! The walk through a project: directories of one depth at a time, no link followed, nothing opened but through the root.

use crate::ignored::{Rules, Verdict};
use crate::tracked::{Tracked, top_of};
use formicary_files::{Entry, FileError, Kind, Root};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is never looked at: git's own files, and ours.
const NEVER: [&str; 2] = [".git", ".formicary"];

/// Something in the project that is no directory.
#[derive(Debug)]
pub(crate) struct Found {
    /// Its path below the root.
    pub path: PathBuf,
    /// What it is.
    pub kind: Kind,
}

/// What a walk came by.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// Files, links and others.
    pub found: Vec<Found>,
    /// What could not be read.
    pub refused: Vec<FileError>,
}

impl Walk {
    fn join(&mut self, other: Self) {
        self.found.extend(other.found);
        self.refused.extend(other.refused);
    }
}

/// Which files of a directory count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// All that are not ignored.
    All,
    /// Those that git tracks: the directory itself is ignored.
    Tracked,
}

#[derive(Debug, Clone)]
struct Directory {
    path: PathBuf,
    /// The rules above it.
    rules: Rules,
    tracked: Option<Arc<Tracked>>,
    wanted: Wanted,
}

/// Walks through what lies at `start`, a path below the root that is looked at whatever ignore files say of it.
pub(crate) fn walk(root: &Root, start: &Path) -> Result<Walk, FileError> {
    let mut walk = Walk::default();
    let rules = Rules::above(root.path(), &mut walk.refused);
    let tracked = top_of(root.path())
        .and_then(|top| Tracked::read(&top).map_err(|error| walk.refused.push(error)).ok())
        .map(Arc::new);
    let mut here = Directory { path: PathBuf::new(), rules, tracked, wanted: Wanted::All };
    for part in start.components() {
        let mut refused = Vec::new();
        enter(root, &mut here, &mut refused);
        walk.refused.append(&mut refused);
        here.path.push(part);
    }
    let kind = root.facts(&here.path)?.kind;
    if kind != Kind::Directory {
        walk.found.push(Found { path: here.path, kind });
        return Ok(walk);
    }
    let mut level = vec![here];
    while !level.is_empty() {
        let looked_at: Vec<(Walk, Vec<Directory>)> =
            level.into_par_iter().map(|directory| look(root, directory)).collect();
        level = Vec::new();
        for (found, below) in looked_at {
            walk.join(found);
            level.extend(below);
        }
    }
    Ok(walk)
}

/// Takes on the rules of a directory, and the index of a repository that begins there.
fn enter(root: &Root, directory: &mut Directory, refused: &mut Vec<FileError>) {
    directory.rules.enter(root, &directory.path, true, refused);
    if directory.path.as_os_str().is_empty() {
        return;
    }
    if root.facts(&directory.path.join(".git")).is_ok_and(|facts| facts.kind != Kind::Link) {
        match Tracked::read(&root.path().join(&directory.path)) {
            Ok(tracked) => directory.tracked = Some(Arc::new(tracked)),
            Err(error) => refused.push(error),
        }
    }
}

fn look(root: &Root, mut directory: Directory) -> (Walk, Vec<Directory>) {
    let mut walk = Walk::default();
    let entries = match root.entries(&directory.path) {
        Ok(entries) => entries,
        Err(error) => {
            walk.refused.push(error);
            return (walk, Vec::new());
        }
    };
    enter(root, &mut directory, &mut walk.refused);
    let mut below = Vec::new();
    for Entry { name, kind } in entries {
        if NEVER.iter().any(|never| name == *never) {
            continue;
        }
        let path = directory.path.join(name);
        let full = root.path().join(&path);
        let verdict = match (directory.rules.verdict(&full, kind == Kind::Directory), directory.wanted) {
            (Verdict::Kept, Wanted::Tracked) => Verdict::LeftToGit,
            (verdict, _) => verdict,
        };
        let tracked = |is_tracked: fn(&Tracked, &Path) -> bool| {
            directory.tracked.as_ref().is_some_and(|tracked| is_tracked(tracked, &full))
        };
        let wanted = match (verdict, kind) {
            (Verdict::LeftOut, _) => continue,
            (Verdict::Kept, _) => Wanted::All,
            (Verdict::LeftToGit, Kind::Directory) if tracked(Tracked::contains_below) => Wanted::Tracked,
            (Verdict::LeftToGit, Kind::File | Kind::Link) if tracked(Tracked::contains) => Wanted::Tracked,
            (Verdict::LeftToGit, _) => continue,
        };
        if kind == Kind::Directory {
            let (rules, tracked) = (directory.rules.clone(), directory.tracked.clone());
            below.push(Directory { path, rules, tracked, wanted });
        } else {
            walk.found.push(Found { path, kind });
        }
    }
    (walk, below)
}
