//! The files of a release, by their paths below a prefix such as `/usr` or `~/.local`: archive and package hold the same.

use std::path::Path;
use std::process::Command;

/// Completion scripts: the shell, and where it looks for them.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/formicary"),
    ("fish", "share/fish/vendor_completions.d/formicary.fish"),
    ("zsh", "share/zsh/site-functions/_formicary"),
];

/// Documents: where they are in the repository, and where they go.
const DOCUMENTS: [(&str, &str); 3] = [
    ("LICENSE", "share/doc/formicary/LICENSE"),
    ("README.md", "share/doc/formicary/README.md"),
    ("deploy/apparmor/formicary", "share/formicary/apparmor/formicary"),
];

/// Where manual pages go.
pub const MANUAL: &str = "share/man/man1/";

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its path below the prefix.
    pub path: String,
    /// Its permissions.
    pub mode: u32,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// All files, sorted by path.
#[derive(Debug)]
pub struct Contents(Vec<Entry>);

impl Contents {
    /// Those that the binary itself writes, and documents of the repository.
    pub fn collect(binary: &Path, root: &Path) -> Result<Self, String> {
        let mut entries =
            vec![Entry { path: "bin/formicary".into(), mode: 0o755, bytes: super::read(binary)? }];
        let mut plain = |path: String, bytes| entries.push(Entry { path, mode: 0o644, bytes });
        for (shell, path) in COMPLETIONS {
            plain(path.into(), output(binary, &["completions".as_ref(), shell.as_ref()])?);
        }
        for (name, bytes) in manual_pages(binary)? {
            plain(format!("{MANUAL}{name}"), bytes);
        }
        for (source, path) in DOCUMENTS {
            plain(path.into(), super::read(&root.join(source))?);
        }
        entries.sort();
        Ok(Self(entries))
    }

    /// In the order of their paths.
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// The same files, each changed.
    pub fn map(&self, change: impl Fn(Entry) -> Result<Entry, String>) -> Result<Self, String> {
        let mut entries = self.0.iter().cloned().map(change).collect::<Result<Vec<_>, _>>()?;
        entries.sort();
        Ok(Self(entries))
    }
}

/// Every directory above these paths, each once and before what is in it.
pub fn directories<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut found: Vec<String> = paths
        .flat_map(|path| {
            path.char_indices().filter(|(_, letter)| *letter == '/').map(|(end, _)| path[..end].to_owned())
        })
        .filter(|directory| !directory.is_empty())
        .collect();
    found.sort();
    found.dedup();
    found
}

fn manual_pages(binary: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let place = tempfile::tempdir().map_err(|error| format!("a temporary directory: {error}"))?;
    output(binary, &["man".as_ref(), place.path().as_os_str()])?;
    let fail = |error: std::io::Error| format!("manual pages: {error}");
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(place.path()).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        pages.push((name, super::read(&path)?));
    }
    if pages.is_empty() { Err("the binary wrote no manual pages".into()) } else { Ok(pages) }
}

/// What the binary prints; with no environment, so that no setting of the developer shows in a release.
fn output(binary: &Path, arguments: &[&std::ffi::OsStr]) -> Result<Vec<u8>, String> {
    let done = Command::new(binary)
        .args(arguments)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .output()
        .map_err(|error| format!("{}: {error}", binary.display()))?;
    if done.status.success() {
        return Ok(done.stdout);
    }
    let stderr = String::from_utf8_lossy(&done.stderr);
    Err(format!("{} {}: {} {}", binary.display(), arguments[0].display(), done.status, stderr.trim()))
}

/// A script that answers as the binary does, for tests: `shown` is what it does for everything else.
#[cfg(test)]
pub fn stub(folder: &Path, shown: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.join("stub");
    let text = format!(
        "#!/bin/sh\ncase $1 in\ncompletions) echo \"# formicary for $2\" ;;\n\
         man) echo main >\"$2/formicary.1\"; echo run >\"$2/formicary-run.1\" ;;\n*) {shown} ;;\nesac\n"
    );
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    // A process that another test starts right now may hold the file open for writing until it becomes its program.
    let busy = |path: &Path| {
        let started = Command::new(path).arg("completions").output();
        started.is_err_and(|error| error.kind() == std::io::ErrorKind::ExecutableFileBusy)
    };
    while busy(&path) {
        std::thread::yield_now();
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Tree;

    #[test]
    fn everything_that_a_user_needs_is_in() {
        let folder = tempfile::tempdir().unwrap();
        let contents = Contents::collect(&stub(folder.path(), "true"), &Tree::root()).unwrap();
        let paths: Vec<_> = contents.entries().iter().map(|entry| entry.path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "bin/formicary",
                "share/bash-completion/completions/formicary",
                "share/doc/formicary/LICENSE",
                "share/doc/formicary/README.md",
                "share/fish/vendor_completions.d/formicary.fish",
                "share/formicary/apparmor/formicary",
                "share/man/man1/formicary-run.1",
                "share/man/man1/formicary.1",
                "share/zsh/site-functions/_formicary",
            ]
        );
        assert_eq!(contents.entries()[0].mode, 0o755);
    }

    /// With the binary that the test command built; to build one for this alone takes minutes.
    #[test]
    fn the_real_binary_writes_its_own_files() {
        let Some(binary) = std::env::var_os("FORMICARY_TEST_BINARY") else {
            return formicary_testkit::skips::Skips::new().note(
                "files of a release by the real binary",
                "FORMICARY_TEST_BINARY is not set: ./test sets it",
            );
        };
        let contents = Contents::collect(Path::new(&binary), &Tree::root()).unwrap();
        let text = |path: &str| {
            let entry = contents.entries().iter().find(|entry| entry.path == path);
            String::from_utf8_lossy(&entry.unwrap_or_else(|| panic!("no {path}")).bytes).into_owned()
        };
        for (_, path) in COMPLETIONS {
            assert!(text(path).contains("refactorings"), "{path}");
        }
        assert!(text("share/man/man1/formicary-run.1").contains(".TH formicary-run 1"));
        let needs = super::super::elf::needs(&contents.entries()[0].bytes).unwrap();
        assert!(needs.libraries.iter().any(|library| library == "libc.so.6"), "{needs}");
    }

    #[test]
    fn directories_come_before_what_is_in_them() {
        let found = directories(["a/b/c", "a/d", "e"].into_iter());
        assert_eq!(found, ["a", "a/b"]);
    }
}
