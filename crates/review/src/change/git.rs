//! Reading a repository. Git is run by somebody else, inside the sandbox, with the repository read-only: a repository
//! under review may hold hooks and settings that start programs.

use formicary_files::Root;
use formicary_model::{Failure, FailureKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file that names a directory is no longer than this.
const MOST_NAME: u64 = 64 << 10;
/// Files asked for at a time.
const BATCH: usize = 500;

/// Somebody who runs git.
pub trait GitRunner: Sync {
    /// Runs git with these arguments in `folder`; `visible` are the folders that it must see.
    fn git(
        &self,
        folder: &Path,
        visible: &[PathBuf],
        arguments: &[String],
        stdin: Vec<u8>,
    ) -> Result<GitOutput, Failure>;
}

/// What git said.
#[derive(Debug, Clone, Default)]
pub struct GitOutput {
    /// Whether it succeeded.
    pub success: bool,
    /// Its stdout, all of it.
    pub stdout: Vec<u8>,
    /// Its stderr, as far as it was kept.
    pub stderr: String,
}

/// A path and its bytes; none where the commit has no such file.
pub type Content = (String, Option<Vec<u8>>);

/// A repository that `root` is in.
pub struct Repository<'a> {
    runner: &'a dyn GitRunner,
    top: PathBuf,
    visible: Vec<PathBuf>,
    /// The project's folder inside the repository, with a slash at its end; empty for the top.
    prefix: String,
}

/// The two ends of a range; without a second one, what is in the folder now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ends {
    /// The commit before.
    pub before: String,
    /// The commit after.
    pub after: Option<String>,
}

impl<'a> Repository<'a> {
    /// The repository around a folder.
    pub fn open(runner: &'a dyn GitRunner, root: &Path) -> Result<Self, Failure> {
        let top = formicary_files::project_of(root, &[".git"]).ok_or_else(|| {
            Failure::new(FailureKind::InvalidInput, format!("{} is not in a git repository", root.display()))
                .hint("a folder that holds the state before serves as well")
        })?;
        let prefix = root.strip_prefix(&top).unwrap_or(Path::new("")).to_string_lossy().into_owned();
        let prefix = if prefix.is_empty() { prefix } else { format!("{prefix}/") };
        Ok(Self { runner, visible: visible(&top), top, prefix })
    }

    /// The commits that a range stands for: `A..B`, `A...B` (from where they parted), or `A` for "since A".
    pub fn ends(&self, range: &str) -> Result<Ends, Failure> {
        let of = |name: &str| self.commit(if name.is_empty() { "HEAD" } else { name });
        if let Some((a, b)) = range.split_once("...") {
            let (a, b) = (of(a)?, of(b)?);
            let base = self.text(&["merge-base", &a, &b])?;
            return Ok(Ends { before: base.trim().to_owned(), after: Some(b) });
        }
        if let Some((a, b)) = range.split_once("..") {
            return Ok(Ends { before: of(a)?, after: Some(of(b)?) });
        }
        Ok(Ends { before: of(range)?, after: None })
    }

    fn commit(&self, name: &str) -> Result<String, Failure> {
        let wanted = format!("{name}^{{commit}}");
        let output =
            self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted], Vec::new())?;
        let hash = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if !output.success || hash.is_empty() || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Failure::new(FailureKind::InvalidInput, format!("git knows no revision {name}"))
                .hint("name a branch, a tag, a commit, or a range A..B; fetch it first in a shallow clone"));
        }
        Ok(hash)
    }

    /// Every file of the project in a commit, relative to the project.
    pub fn list(&self, commit: &str) -> Result<BTreeSet<String>, Failure> {
        let mut arguments = vec!["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit];
        if !self.prefix.is_empty() {
            arguments.extend(["--", &self.prefix]);
        }
        Ok(self.names(&self.must(&arguments)?))
    }

    /// Files of the project that differ between a commit and the folder as it is.
    pub fn differing(&self, commit: &str) -> Result<BTreeSet<String>, Failure> {
        let arguments =
            ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", commit, "--"];
        Ok(self.names(&self.must(&arguments)?))
    }

    /// Files of the project that differ between two commits.
    pub fn differing_between(&self, before: &str, after: &str) -> Result<BTreeSet<String>, Failure> {
        let arguments = [
            "diff",
            "--name-only",
            "-z",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            before,
            after,
            "--",
        ];
        Ok(self.names(&self.must(&arguments)?))
    }

    /// The bytes of these files in a commit; none for those that are not there.
    pub fn read(&self, commit: &str, paths: &[String]) -> Result<Vec<Content>, Failure> {
        let mut found = Vec::new();
        // The answer is told apart by lines: a name with a line break in it would tell a lie.
        let paths: Vec<&String> = paths.iter().filter(|path| !path.contains('\n')).collect();
        for batch in paths.chunks(BATCH) {
            let wanted: String =
                batch.iter().map(|path| format!("{commit}:{}{path}\n", self.prefix)).collect();
            let output = self.run(&["cat-file", "--batch"], wanted.into_bytes())?;
            let contents = parse_batch(&output.stdout, batch.len()).ok_or_else(|| {
                failed(&format!("git cat-file gave an answer that cannot be read {}", output.stderr))
            })?;
            found.extend(batch.iter().map(|path| (*path).clone()).zip(contents));
        }
        Ok(found)
    }

    fn names(&self, bytes: &[u8]) -> BTreeSet<String> {
        let names = bytes.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        let names = names.filter_map(|name| std::str::from_utf8(name).ok());
        names.filter_map(|name| name.strip_prefix(&self.prefix)).map(str::to_owned).collect()
    }

    fn text(&self, arguments: &[&str]) -> Result<String, Failure> {
        Ok(String::from_utf8_lossy(&self.must(arguments)?).into_owned())
    }

    fn must(&self, arguments: &[&str]) -> Result<Vec<u8>, Failure> {
        let output = self.run(arguments, Vec::new())?;
        if !output.success {
            let verb = arguments.first().copied().unwrap_or_default();
            return Err(failed(&format!("git {verb} failed: {}", output.stderr.trim())));
        }
        Ok(output.stdout)
    }

    fn run(&self, arguments: &[&str], stdin: Vec<u8>) -> Result<GitOutput, Failure> {
        let mut all: Vec<String> = [
            "--no-pager",
            "-c",
            "safe.directory=*",
            "-c",
            "core.quotePath=false",
            "-c",
            "core.fsmonitor=false",
        ]
        .map(str::to_owned)
        .into();
        all.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        self.runner.git(&self.top, &self.visible, &all, stdin)
    }
}

fn failed(message: &str) -> Failure {
    Failure::new(FailureKind::Internal, message.trim())
        .hint("a folder that holds the state before serves as well")
}

// A linked worktree keeps its objects elsewhere: a file `.git` names the place.
fn visible(top: &Path) -> Vec<PathBuf> {
    let mut folders = vec![top.to_owned()];
    let Some(own) = linked_directory(top) else { return folders };
    let common = name_in(&own, "commondir").map(|common| own.join(common));
    for folder in [Some(own), common].into_iter().flatten() {
        // Only what looks like git's own folder is shown to it.
        if let Ok(real) = folder.canonicalize()
            && real.join("HEAD").is_file()
        {
            folders.push(real);
        }
    }
    folders
}

/// Where a file `.git` says that git's own directory is.
pub(crate) fn linked_directory(top: &Path) -> Option<PathBuf> {
    Some(top.join(name_in(top, ".git")?.strip_prefix("gitdir:")?.trim()))
}

/// A small file that holds a path.
pub(crate) fn name_in(directory: &Path, file: &str) -> Option<String> {
    let text = Root::open(directory).ok()?.read_to_string(Path::new(file), MOST_NAME).ok()?;
    Some(text.trim().to_owned())
}

fn parse_batch(bytes: &[u8], count: usize) -> Option<Vec<Option<Vec<u8>>>> {
    let mut found = Vec::with_capacity(count);
    let mut rest = bytes;
    for _ in 0..count {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let header = std::str::from_utf8(&rest[..end]).ok()?;
        rest = &rest[end + 1..];
        let mut words = header.rsplit(' ');
        let size = words.next()?;
        let kind = words.next()?;
        let Ok(size) = size.parse::<usize>() else {
            found.push(None);
            continue;
        };
        let content = rest.get(..size)?;
        rest = rest.get(size + 1..)?;
        found.push((kind == "blob").then(|| content.to_vec()));
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_told_apart() {
        let bytes = b"abc blob 3\nx\ny\nHEAD:gone missing\ndef tree 2\n??\n";
        assert_eq!(parse_batch(bytes, 3), Some(vec![Some(b"x\ny".to_vec()), None, None]));
        assert_eq!(parse_batch(b"abc blob 30\nx", 1), None);
        assert_eq!(parse_batch(b"", 1), None);
    }
}
