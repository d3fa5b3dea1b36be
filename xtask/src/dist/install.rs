//! `deploy/install.sh` as users run it, from a release in a local directory: what it puts where, and that it leaves nothing
//! behind where it fails.

use super::contents::{self, Contents};
use super::elf::Needs;
use super::{Release, VERSION};
use crate::tree::Tree;
use formicary_testkit::skips::Skips;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An account of every Linux that owns nothing.
const NOBODY: u32 = 65_534;

/// Who runs the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum User {
    Caller,
    Nobody,
}

/// Root tries it both ways; everybody else as himself.
fn users() -> Vec<User> {
    let is_root =
        std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    if is_root {
        return vec![User::Caller, User::Nobody];
    }
    Skips::new().note("install.sh as root", "the tests were not started by root");
    vec![User::Caller]
}

/// A release, and a place that the user may write.
struct Bench {
    folder: tempfile::TempDir,
    user: User,
}

impl Bench {
    /// With a binary that does this when it is started.
    fn new(user: User, shown: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let bench = Self { folder, user };
        let stub = contents::stub(bench.folder.path(), shown);
        let release = Release {
            contents: &Contents::collect(&stub, &Tree::root()).unwrap(),
            needs: &Needs { glibc: (2, 17), libraries: vec!["libc.so.6".into()] },
            sbom: "{}\n".into(),
            installer: std::fs::read(Tree::root().join("deploy/install.sh")).unwrap(),
            time: 1_700_000_000,
        };
        release.write(&bench.release()).unwrap();
        std::fs::create_dir(bench.path("home")).unwrap();
        std::fs::create_dir(bench.path("tools")).unwrap();
        std::fs::set_permissions(bench.folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        if user == User::Nobody {
            chown(bench.path("home"), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn release(&self) -> PathBuf {
        self.path("release")
    }

    fn archive(&self) -> PathBuf {
        self.release().join(format!("formicary-{VERSION}-x86_64-linux.tar.gz"))
    }

    /// A program that comes before the system's.
    fn tool(&self, name: &str, text: &str) {
        let path = self.path("tools").join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let system = format!("{}:/usr/bin:/bin", self.path("tools").display());
        self.run_with(&system, arguments)
    }

    fn run_with(&self, path: &str, arguments: &[&str]) -> Output {
        let mut command = match self.user {
            User::Caller => Command::new("/bin/sh"),
            User::Nobody => {
                let mut command = Command::new("setpriv");
                let id = NOBODY.to_string();
                command.args(["--reuid", &id, "--regid", &id, "--clear-groups", "/bin/sh"]);
                command
            }
        };
        command.arg(self.release().join("install.sh")).args(arguments);
        command.current_dir("/").env_clear().env("PATH", path).env("HOME", self.path("home"));
        command.output().unwrap()
    }

    /// Everything below the home directory.
    fn installed(&self) -> Vec<String> {
        let mut found = Vec::new();
        walk(&self.path("home"), &mut found);
        let base = format!("{}/", self.path("home").display());
        let mut found: Vec<_> =
            found.iter().map(|path| path.display().to_string().replace(&base, "")).collect();
        found.sort();
        found
    }

    /// Runs it, and expects one line with this in it and nothing installed.
    fn refuses(&self, arguments: &[&str], expected: &str) {
        self.refused(&self.run(arguments), expected);
    }

    fn refused(&self, output: &Output, expected: &str) {
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{expected}: {output:?}");
        assert!(
            stderr.contains(expected) && stderr.starts_with("install.sh: error: "),
            "{expected}: {stderr}"
        );
        assert_eq!(stderr.lines().count(), 1, "{expected}: {stderr}");
        assert_eq!(self.installed(), Vec::<String>::new(), "{expected}, as {:?}", self.user);
    }
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        found.push(path.clone());
        if path.is_dir() && !path.is_symlink() {
            walk(&path, found);
        }
    }
}

const WORKS: &str = "echo 'formicary 0.0.0'";

#[test]
fn a_good_archive_is_installed_and_installed_again() {
    for user in users() {
        let bench = Bench::new(user, WORKS);
        for _ in 0..2 {
            let output = bench.run(&[]);
            assert!(output.status.success(), "{user:?}: {output:?}");
            let stdout = String::from_utf8_lossy(&output.stdout);
            assert!(stdout.starts_with("installed formicary 0.0.0 in "), "{stdout}");
            assert!(stdout.contains("/.local/bin/formicary doctor (add "), "{stdout}");
            let installed = bench.installed();
            for path in [
                ".local/bin/formicary",
                ".local/share/bash-completion/completions/formicary",
                ".local/share/fish/vendor_completions.d/formicary.fish",
                ".local/share/zsh/site-functions/_formicary",
                ".local/share/man/man1/formicary-run.1",
            ] {
                assert!(installed.contains(&path.to_owned()), "{path}: {installed:?}");
            }
            assert!(!installed.iter().any(|path| path.contains("formicary-install")), "{installed:?}");
        }
        let binary = bench.path("home/.local/bin/formicary");
        let mode = std::fs::metadata(&binary).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
        assert!(Command::new(binary).output().unwrap().status.success());
    }
}

#[test]
fn a_prefix_with_spaces_is_a_prefix() {
    let bench = Bench::new(User::Caller, WORKS);
    let prefix = bench.path("home/my programs");
    let output =
        bench.run(&["--prefix", prefix.to_str().unwrap(), "--from", bench.release().to_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    assert!(prefix.join("bin/formicary").is_file());
}

#[test]
fn a_damaged_archive_is_never_unpacked() {
    for user in users() {
        for damage in [corrupted, truncated, emptied] {
            let bench = Bench::new(user, WORKS);
            let bytes = std::fs::read(bench.archive()).unwrap();
            std::fs::write(bench.archive(), damage(bytes)).unwrap();
            bench.tool("tar", "echo unpacked >&2; exec /bin/tar \"$@\"");
            bench.refuses(&[], "is wrong, so nothing was installed");
        }
    }
}

fn corrupted(mut bytes: Vec<u8>) -> Vec<u8> {
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    bytes
}

fn truncated(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() / 2);
    bytes
}

fn emptied(_: Vec<u8>) -> Vec<u8> {
    Vec::new()
}

#[test]
fn a_release_that_lacks_something_is_refused() {
    let bench = Bench::new(User::Caller, WORKS);
    std::fs::remove_file(bench.archive()).unwrap();
    bench.refuses(&[], &format!("there is no formicary-{VERSION}-x86_64-linux.tar.gz in "));
    std::fs::write(bench.release().join("SHA256SUMS"), "").unwrap();
    bench.refuses(&[], "SHA256SUMS names no archive for x86_64 Linux");
    let hostile = format!("{}  ../formicary-1-x86_64-linux.tar.gz\n", "0".repeat(64));
    std::fs::write(bench.release().join("SHA256SUMS"), hostile).unwrap();
    bench.refuses(&[], "SHA256SUMS names no archive for x86_64 Linux");
    bench.refuses(&["--from", "/nowhere"], "there is no SHA256SUMS in /nowhere");
    bench.refuses(&["--prefix"], "--prefix needs a value");
    bench.refuses(&["--root"], "unknown argument --root");
}

#[test]
fn a_release_is_fetched_by_its_address() {
    if !Path::new("/usr/bin/curl").exists() {
        return Skips::new().note("install.sh fetches a release", "curl is not installed");
    }
    for user in users() {
        let bench = Bench::new(user, WORKS);
        let address = format!("file://{}", bench.release().display());
        let output = bench.run(&["--from", &address]);
        assert!(output.status.success(), "{output:?}");
        assert!(bench.path("home/.local/bin/formicary").is_file());
        let bench = Bench::new(user, WORKS);
        bench.refuses(&["--from", "file:///nowhere/"], "file:///nowhere/SHA256SUMS cannot be downloaded");
        std::fs::write(bench.archive(), "another").unwrap();
        let address = format!("file://{}", bench.release().display());
        bench.refuses(&["--from", &address], "is wrong, so nothing was installed");
    }
}

#[test]
fn a_missing_tool_is_named() {
    for missing in ["sha256sum", "tar"] {
        let bench = Bench::new(User::Caller, WORKS);
        let tools = bench.path("few");
        std::fs::create_dir(&tools).unwrap();
        let all = [
            "uname",
            "tar",
            "gzip",
            "sha256sum",
            "mktemp",
            "grep",
            "sed",
            "find",
            "sort",
            "head",
            "tail",
            "dirname",
        ];
        for name in all.iter().filter(|name| **name != missing) {
            let place = ["/usr/bin", "/bin"]
                .iter()
                .map(|place| Path::new(place).join(name))
                .find(|path| path.exists());
            std::os::unix::fs::symlink(place.unwrap(), tools.join(name)).unwrap();
        }
        let output = bench.run_with(tools.to_str().unwrap(), &[]);
        bench.refused(&output, &format!("{missing} is not installed"));
    }
}

#[test]
fn another_machine_is_refused() {
    let bench = Bench::new(User::Caller, WORKS);
    bench.tool("uname", "if [ \"$1\" = -m ]; then echo aarch64; else echo Linux; fi");
    bench.refuses(&[], "this is Linux aarch64, and there are releases for Linux x86_64 only");
}

#[test]
fn an_old_c_library_is_named() {
    for user in users() {
        let old = "echo \"formicary: /lib/libc.so.6: version \\`GLIBC_2.99' not found (required by formicary)\" >&2; exit 1";
        let bench = Bench::new(user, old);
        bench.refuses(&[], "needs glibc 2.99 or newer");
        let bench = Bench::new(user, "echo strange >&2; exit 3");
        bench.refuses(&[], "does not start here: strange");
    }
}

#[test]
fn a_prefix_that_cannot_be_written_is_named() {
    for user in users() {
        let bench = Bench::new(user, WORKS);
        // Not even root makes directories there.
        bench.refuses(
            &["--prefix", "/proc/formicary"],
            "/proc/formicary cannot be made: choose another directory",
        );
        if user == User::Nobody {
            let closed = bench.path("closed");
            std::fs::create_dir(&closed).unwrap();
            bench.refuses(
                &["--prefix", closed.to_str().unwrap()],
                "cannot be written: choose another directory",
            );
        }
    }
}

/// What was there before stays as it was, and what was made is removed.
#[test]
fn a_failure_on_the_way_undoes_what_was_done() {
    for user in users() {
        let bench = Bench::new(user, WORKS);
        let local = bench.path("home/.local");
        for folder in ["home/.local", "home/.local/bin"] {
            std::fs::create_dir(bench.path(folder)).unwrap();
        }
        std::fs::write(local.join("bin/formicary"), "old").unwrap();
        std::fs::write(local.join("share"), "in the way").unwrap();
        if user == User::Nobody {
            for name in ["", "bin", "bin/formicary", "share"] {
                chown(local.join(name), Some(NOBODY), Some(NOBODY)).unwrap();
            }
        }
        let before = bench.installed();
        let output = bench.run(&[]);
        assert!(
            String::from_utf8_lossy(&output.stderr).contains("cannot be made, so nothing was installed"),
            "{output:?}"
        );
        assert_eq!(bench.installed(), before);

        std::fs::remove_file(local.join("share")).unwrap();
        let before = bench.installed();
        // The third file is not moved: a disk that is full, a system that goes down.
        bench.tool(
            "mv",
            "case $2 in */old/*) ;; *) echo x >>\"$HOME/.moves\"; if [ \"$(wc -l <\"$HOME/.moves\")\" = 3 ]; then \
             rm \"$HOME/.moves\"; echo full >&2; exit 1; fi ;; esac; exec /bin/mv \"$@\"",
        );
        let output = bench.run(&[]);
        assert!(
            !output.status.success() && String::from_utf8_lossy(&output.stderr).contains("full"),
            "{output:?}"
        );
        assert_eq!(bench.installed(), before, "{user:?}");
        assert_eq!(std::fs::read_to_string(local.join("bin/formicary")).unwrap(), "old");
    }
}

#[test]
fn shellcheck_finds_nothing() {
    let script = Tree::root().join("deploy/install.sh");
    match Command::new("shellcheck").arg(script).output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout)),
        Err(_) => Skips::new().note("install.sh is checked by shellcheck", "shellcheck is not installed"),
    }
}

/// Parsers before 4.0 do not know `userns`.
#[test]
fn apparmor_reads_the_profile() {
    const TEST: &str = "the AppArmor profile is read by apparmor_parser";
    let parser = |arguments: &[&str]| {
        let found = ["/usr/sbin/apparmor_parser", "/sbin/apparmor_parser"]
            .into_iter()
            .find(|path| Path::new(path).exists())?;
        Some(Command::new(found).args(arguments).output().unwrap())
    };
    let Some(shown) = parser(&["--version"]) else {
        return Skips::new().note(TEST, "apparmor_parser is not installed");
    };
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    let version = shown.split_whitespace().find_map(|word| word.split('.').next()?.parse::<u32>().ok());
    if version < Some(4) {
        return Skips::new().note(TEST, "apparmor_parser is older than 4.0");
    }
    let profile = Tree::root().join("deploy/apparmor/formicary");
    let read = parser(&["--skip-kernel-load", "--skip-cache", profile.to_str().unwrap()]).unwrap();
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
}
