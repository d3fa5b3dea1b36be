//! What is known of a compiler on the host without starting it: the files that it consists of, by their metadata.
//!
//! A compiler reads more than its own program: headers, start files, a standard library. Toolchains in a folder of
//! their own are described by that folder; the system's by its package database, whose file changes with every
//! package, and by what lies in the places that packages do not own.

use crate::recipes::Step;
use blake3::Hasher;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Files and folders that change whenever a package is installed, upgraded or removed.
const PACKAGE_DATABASES: [&str; 7] = [
    "/var/lib/dpkg/status",
    "/var/lib/rpm/rpmdb.sqlite",
    "/var/lib/rpm/Packages",
    "/usr/lib/sysimage/rpm/rpmdb.sqlite",
    "/lib/apk/db/installed",
    "/var/lib/pacman/local",
    "/run/current-system",
];

/// Programs and folders that compilers of the system use besides themselves.
const SYSTEM_PARTS: [&str; 8] = [
    "/usr/bin/as",
    "/usr/bin/ld",
    "/etc/ld.so.cache",
    "/usr/include",
    "/usr/lib",
    "/usr/lib/gcc",
    "/usr/local/lib",
    "/usr/local/bin",
];

/// Where headers lie that no package owns; looked through whole.
const LOCAL_HEADERS: &str = "/usr/local/include";
const MOST_HEADERS: usize = 20_000;

/// Folders of a toolchain that tell one version of it from another.
const PARTS_OF_A_PREFIX: [&str; 8] =
    ["", "bin", "lib", "libexec", "include", "pkg", "lib/rustlib", "lib/rustlib/components"];

/// Adds what is known of the tools of a step. `None`: too much lies there to be sure; do not cache.
pub fn describe(step: &Step, hasher: &mut Hasher) -> Option<()> {
    for path in PACKAGE_DATABASES.iter().chain(&SYSTEM_PARTS).map(Path::new) {
        describe_file(path, hasher);
    }
    describe_tree(Path::new(LOCAL_HEADERS), hasher)?;
    for mount in &step.mounts {
        hasher.update(mount.guest.as_bytes());
        describe_prefix(Path::new(&mount.host), hasher);
    }
    for program in step.command.iter().filter_map(|word| host_path(step, word)) {
        let Ok(real) = program.canonicalize() else { continue };
        describe_file(&real, hasher);
        let prefix = real.parent().and_then(Path::parent);
        if let Some(prefix) = prefix.filter(|prefix| !is_shared(prefix)) {
            describe_prefix(prefix, hasher);
        }
    }
    Some(())
}

/// Where a word of a command lies on the host, if it is a program that the sandbox shows.
fn host_path(step: &Step, word: &str) -> Option<PathBuf> {
    if !word.starts_with('/') {
        return None;
    }
    let path = Path::new(word);
    let mounted = step.mounts.iter().find_map(|mount| {
        let below = path.strip_prefix(&mount.guest).ok()?;
        Some(if below.as_os_str().is_empty() {
            mount.host.clone().into()
        } else {
            Path::new(&mount.host).join(below)
        })
    });
    mounted.or_else(|| Some(path.to_path_buf())).filter(|path| path.is_file())
}

/// Prefixes that hold more than one toolchain: the package database speaks for them.
fn is_shared(prefix: &Path) -> bool {
    ["/", "/usr", "/usr/local"].iter().any(|shared| prefix == Path::new(shared))
}

fn describe_prefix(prefix: &Path, hasher: &mut Hasher) {
    if prefix.is_file() {
        return describe_file(prefix, hasher);
    }
    for part in PARTS_OF_A_PREFIX {
        let folder = prefix.join(part);
        describe_file(&folder, hasher);
        for path in sorted(&folder) {
            describe_file(&path, hasher);
        }
    }
}

/// Everything below a folder.
fn describe_tree(folder: &Path, hasher: &mut Hasher) -> Option<()> {
    let (mut waiting, mut seen) = (vec![folder.to_path_buf()], 0);
    while let Some(folder) = waiting.pop() {
        for path in sorted(&folder) {
            seen += 1;
            if seen > MOST_HEADERS {
                return None;
            }
            describe_file(&path, hasher);
            if path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
                waiting.push(path);
            }
        }
    }
    Some(())
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Path, size, times and number of a file, links followed; that it is missing counts too.
fn describe_file(path: &Path, hasher: &mut Hasher) {
    hasher.update(path.as_os_str().as_bytes()).update(&[0]);
    let Ok(metadata) = path.metadata() else {
        hasher.update(b"missing");
        return;
    };
    let numbers = [
        metadata.dev(),
        metadata.ino(),
        metadata.size(),
        metadata.mtime().cast_unsigned(),
        metadata.mtime_nsec().cast_unsigned(),
        metadata.ctime().cast_unsigned(),
        metadata.ctime_nsec().cast_unsigned(),
    ];
    for number in numbers {
        hasher.update(&number.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::{Mount, MountAccess};

    fn name(step: &Step) -> blake3::Hash {
        let mut hasher = Hasher::new();
        describe(step, &mut hasher).unwrap();
        hasher.finalize()
    }

    #[test]
    fn a_compiler_that_changes_has_another_name() {
        let folder = formicary_testkit::scratch::Scratch::new("identity").unwrap();
        let bin = folder.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        std::fs::write(bin.join("cc"), "one").unwrap();
        let mut step = Step::new(["/opt/formicary/x/bin/cc", "-O2"]);
        step.mounts = vec![Mount {
            host: folder.path().to_string_lossy().into_owned(),
            guest: "/opt/formicary/x".into(),
            access: MountAccess::ReadOnly,
        }];
        let first = name(&step);
        assert_eq!(first, name(&step));
        std::fs::write(bin.join("cc"), "other").unwrap();
        let second = name(&step);
        assert_ne!(first, second);
        std::fs::write(bin.join("ld"), "").unwrap();
        assert_ne!(second, name(&step));
    }
}
