//! The shortest way to a review, for those who use Formicary as a library: a path in, a review out.

use crate::change::git::{GitOutput, GitRunner};
use crate::engine::Watch;
use crate::native::NativeAnalyzer;
use crate::reviewer::{CodeReviewer, Review, ReviewRequest};
use crate::settings::read_settings;
use formicary_model::{Failure, FailureKind};
use std::path::{Path, PathBuf};

/// Reviews one file. What needs other files is judged as if there were none.
pub fn analyze_file(path: &Path) -> Result<Review, Failure> {
    let path = real(path)?;
    let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
    review(folder, vec![path])
}

/// Reviews a folder, by the settings that stand in it.
pub fn analyze_project(path: &Path) -> Result<Review, Failure> {
    review(real(path)?, Vec::new())
}

fn review(root: PathBuf, paths: Vec<PathBuf>) -> Result<Review, Failure> {
    let analyzer = NativeAnalyzer::default();
    let reviewer = CodeReviewer::new(&analyzer, &NoGit);
    let names = reviewer.rule_names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let settings = read_settings(&root, &root, &names)?;
    let shown_root = root.display().to_string();
    reviewer.review(&ReviewRequest { root, shown_root, paths, settings, change: None }, Watch::NOBODY)
}

fn real(path: &Path) -> Result<PathBuf, Failure> {
    path.canonicalize().map_err(|error| {
        Failure::new(FailureKind::InvalidInput, format!("{}: {error}", path.display()))
            .hint("name a file or folder that exists")
    })
}

/// Nobody runs git here: changes are judged through the platform.
struct NoGit;

impl GitRunner for NoGit {
    fn git(&self, _: &Path, _: &[PathBuf], _: &[String], _: Vec<u8>) -> Result<GitOutput, Failure> {
        Err(Failure::new(FailureKind::IsolationUnavailable, "nobody here runs git"))
    }
}
