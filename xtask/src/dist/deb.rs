//! A Debian package written by hand: an `ar` archive of two tar archives needs no tool of Debian's.

use super::VERSION;
use super::archive::{Tar, compress};
use super::contents::{Contents, Entry, MANUAL, directories};
use super::elf::Needs;
use md5::{Digest as _, Md5};

/// Debian's packages of the shared libraries that a binary of ours may need.
const PACKAGES: [(&str, &str); 8] = [
    ("ld-linux-x86-64.so.2", "libc6"),
    ("libc.so.6", "libc6"),
    ("libdl.so.2", "libc6"),
    ("libm.so.6", "libc6"),
    ("libpthread.so.0", "libc6"),
    ("librt.so.1", "libc6"),
    ("libutil.so.1", "libc6"),
    ("libgcc_s.so.1", "libgcc-s1 | libgcc1"),
];

/// The package.
pub fn write(contents: &Contents, needs: &Needs, time: u64) -> Result<Vec<u8>, String> {
    let contents = contents.map(as_debian_wants_it)?;
    let files = || contents.entries().iter();

    let mut data = Tar::new(time);
    let paths: Vec<String> = files().map(|entry| format!("./{}", entry.path)).collect();
    for directory in directories(paths.iter().map(String::as_str)) {
        data.directory(&directory)?;
    }
    for (path, entry) in paths.iter().zip(files()) {
        data.file(path, entry.mode, &entry.bytes)?;
    }

    let sums = files().fold(String::new(), |sums, entry| {
        sums + &format!("{}  {}\n", hex::encode(Md5::digest(&entry.bytes)), entry.path)
    });
    let kibibytes: usize = files().map(|entry| entry.bytes.len().div_ceil(1024)).sum();
    let mut control = Tar::new(time);
    control.directory(".")?;
    control.file("./control", 0o644, describe(&depends(needs)?, kibibytes).as_bytes())?;
    control.file("./md5sums", 0o644, sums.as_bytes())?;

    let mut out = b"!<arch>\n".to_vec();
    member(&mut out, "debian-binary", b"2.0\n", time);
    member(&mut out, "control.tar.gz", &compress(&control.finish()?)?, time);
    member(&mut out, "data.tar.gz", &compress(&data.finish()?)?, time);
    Ok(out)
}

/// Below `/usr`, manual pages compressed, the license where Debian's tools look for it, zsh's function where its zsh does.
fn as_debian_wants_it(mut entry: Entry) -> Result<Entry, String> {
    if entry.path.starts_with(MANUAL) {
        entry.path.push_str(".gz");
        entry.bytes = compress(&entry.bytes)?;
    }
    entry.path = match entry.path.as_str() {
        "share/doc/formicary/LICENSE" => "usr/share/doc/formicary/copyright".into(),
        "share/zsh/site-functions/_formicary" => "usr/share/zsh/vendor-completions/_formicary".into(),
        path => format!("usr/{path}"),
    };
    Ok(entry)
}

fn depends(needs: &Needs) -> Result<String, String> {
    let mut packages = Vec::new();
    for library in &needs.libraries {
        let Some((_, package)) = PACKAGES.iter().find(|(name, _)| name == library) else {
            return Err(format!("the binary needs {library}, which no row of `PACKAGES` names"));
        };
        packages.push(match *package {
            "libc6" => format!("libc6 (>= {}.{})", needs.glibc.0, needs.glibc.1),
            package => package.to_owned(),
        });
    }
    packages.sort();
    packages.dedup();
    Ok(packages.join(", "))
}

fn describe(depends: &str, kibibytes: usize) -> String {
    let repository = env!("CARGO_PKG_REPOSITORY");
    format!(
        "Package: formicary\nVersion: {VERSION}\nArchitecture: amd64\nMaintainer: Formicary maintainers <{repository}>\n\
         Installed-Size: {kibibytes}\nDepends: {depends}\nRecommends: python3\nSection: devel\nPriority: optional\n\
         Homepage: {repository}\nDescription: verification engine of the AI coding loop\n \
         Runs untrusted code in a sandbox, reviews it, finds out why it fails and\n repairs it: no Docker, no root, no daemon.\n"
    )
}

/// Adds a member: a header of fixed columns, the bytes, and a newline if they are odd in number.
fn member(out: &mut Vec<u8>, name: &str, bytes: &[u8], time: u64) {
    out.extend_from_slice(
        format!("{name:<16}{time:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 100_644, bytes.len()).as_bytes(),
    );
    out.extend_from_slice(bytes);
    if bytes.len() % 2 == 1 {
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::super::contents::stub;
    use super::*;
    use crate::tree::Tree;
    use std::process::Command;

    fn package(folder: &std::path::Path) -> Vec<u8> {
        let contents = Contents::collect(&stub(folder, "true"), &Tree::root()).unwrap();
        let libraries = vec!["libc.so.6".into(), "libgcc_s.so.1".into(), "libm.so.6".into()];
        write(&contents, &Needs { glibc: (2, 31), libraries }, 1_700_000_000).unwrap()
    }

    #[test]
    fn members_are_where_the_format_wants_them() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = package(folder.path());
        assert!(bytes.starts_with(
            b"!<arch>\ndebian-binary   1700000000  0     0     100644  4         `\n2.0\ncontrol.tar.gz"
        ));
        let mut at = 8;
        let mut names = Vec::new();
        while at < bytes.len() {
            let header = std::str::from_utf8(&bytes[at..at + 60]).unwrap();
            names.push(header[..16].trim().to_owned());
            let size: usize = header[48..58].trim().parse().unwrap();
            at += 60 + size.next_multiple_of(2);
        }
        assert_eq!(
            (names, at),
            (vec!["debian-binary".into(), "control.tar.gz".into(), "data.tar.gz".into()], bytes.len())
        );
    }

    #[test]
    fn dependencies_follow_from_the_binary() {
        let needs = |libraries: &[&str]| Needs {
            glibc: (2, 17),
            libraries: libraries.iter().map(|name| (*name).to_owned()).collect(),
        };
        let found = depends(&needs(&["libm.so.6", "libc.so.6", "libgcc_s.so.1"])).unwrap();
        assert_eq!(found, "libc6 (>= 2.17), libgcc-s1 | libgcc1");
        assert!(depends(&needs(&["libssl.so.3"])).unwrap_err().contains("libssl.so.3"));
    }

    /// Debian's own tool reads it, where there is one.
    #[test]
    fn dpkg_reads_the_package() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("formicary.deb");
        std::fs::write(&path, package(folder.path())).unwrap();
        let dpkg = |arguments: &[&str]| {
            let done = Command::new("dpkg-deb").args(arguments).arg(&path).output().ok()?;
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            Some(String::from_utf8(done.stdout).unwrap())
        };
        let Some(control) = dpkg(&["--field"]) else {
            formicary_testkit::skips::Skips::new()
                .note("a Debian package is read by dpkg-deb", "dpkg-deb is not installed");
            return;
        };
        assert!(control.contains(&format!("Version: {VERSION}\n")), "{control}");
        assert!(control.contains("Depends: libc6 (>= 2.31), libgcc-s1 | libgcc1\n"), "{control}");
        let listed = dpkg(&["--contents"]).unwrap();
        for part in ["./usr/bin/formicary", "./usr/share/man/man1/formicary.1.gz", "root/root", "-rwxr-xr-x"]
        {
            assert!(listed.contains(part), "{part}: {listed}");
        }
        let place = folder.path().join("unpacked");
        let done = Command::new("dpkg-deb").arg("--raw-extract").args([&path, &place]).status().unwrap();
        assert!(done.success());
        let sums = Command::new("md5sum")
            .args(["--check", "--quiet", "DEBIAN/md5sums"])
            .current_dir(&place)
            .output()
            .unwrap();
        assert!(sums.status.success(), "{}", String::from_utf8_lossy(&sums.stdout));
    }
}
