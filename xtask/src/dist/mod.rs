//! `cargo xtask dist`: what users install, made so that everybody who builds the same commit gets the same bytes.
//!
//! | module | what it makes |
//! |---|---|
//! | [`build`] | the binary, for an old C library if the tools are there, without paths of this machine |
//! | [`elf`] | which C library and which shared libraries a binary needs |
//! | [`contents`] | the files of a release: binary, completions, manual pages, documents |
//! | [`archive`] | `formicary-VERSION-x86_64-linux.tar.gz` |
//! | [`deb`] | `formicary_VERSION_amd64.deb` |
//! | [`sbom`] | `formicary.cdx.json`, the list of what the binary is made of |

mod archive;
mod build;
mod contents;
mod deb;
mod elf;
mod sbom;

#[cfg(test)]
mod install;

use crate::tree::Tree;
use contents::Contents;
use elf::Needs;
use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

pub use build::{Glibc, Profile};

/// What everything here is built for.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The version of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What the command line asks for.
#[derive(Debug)]
pub struct Options {
    /// Where the files go.
    pub out: PathBuf,
    /// How the binary is built.
    pub profile: Profile,
    /// The C library that it should run with.
    pub glibc: Glibc,
    /// A binary that is built already.
    pub binary: Option<PathBuf>,
}

/// Builds, packs, and prints what was made.
pub fn command(options: &Options) -> Result<(), String> {
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => build::binary(options.profile, &options.glibc)?,
    };
    let bytes = std::fs::read(&binary).map_err(|error| format!("{}: {error}", binary.display()))?;
    let needs = elf::needs(&bytes).map_err(|why| format!("{}: {why}", binary.display()))?;
    build::check_paths(&bytes, options.profile)?;
    let contents = Contents::collect(&binary, &Tree::root())?;
    let sbom = sbom::write(&sbom::metadata()?, &lock_file()?, time())?;
    let installer = read(&Tree::root().join("deploy/install.sh"))?;
    let release = Release { contents: &contents, needs: &needs, sbom, installer, time: time() };
    for (name, size) in release.write(&options.out)? {
        println!("{:>12} {}", size, options.out.join(name).display());
    }
    println!("needs {needs}");
    Ok(())
}

/// Everything that goes into the output directory.
struct Release<'a> {
    contents: &'a Contents,
    needs: &'a Needs,
    sbom: String,
    installer: Vec<u8>,
    /// Seconds since 1970 that all files carry.
    time: u64,
}

impl Release<'_> {
    /// Writes all files and gives their names and sizes.
    fn write(&self, out: &Path) -> Result<Vec<(String, usize)>, String> {
        let base = format!("formicary-{VERSION}-x86_64-linux");
        let mut files = vec![
            (format!("{base}.tar.gz"), archive::write(&base, self.contents, self.time)?),
            (format!("formicary_{VERSION}_amd64.deb"), deb::write(self.contents, self.needs, self.time)?),
            ("formicary.cdx.json".into(), self.sbom.clone().into_bytes()),
            ("install.sh".into(), self.installer.clone()),
        ];
        files.sort();
        let sums = files.iter().fold(String::new(), |sums, (name, bytes)| {
            sums + &format!("{}  {name}\n", hex::encode(Sha256::digest(bytes)))
        });
        files.push(("SHA256SUMS".into(), sums.into_bytes()));
        std::fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
        for (name, bytes) in &files {
            let path = out.join(name);
            std::fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(files.into_iter().map(|(name, bytes)| (name, bytes.len())).collect())
    }
}

/// The time that files carry: the one that the caller sets for a reproducible build, else that of the commit.
fn time() -> u64 {
    let set = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.trim().parse().ok());
    set.or_else(|| {
        let git = Command::new("git")
            .args(["log", "-1", "--format=%ct"])
            .current_dir(Tree::root())
            .output()
            .ok()?;
        String::from_utf8(git.stdout).ok()?.trim().parse().ok()
    })
    .unwrap_or(0)
}

fn lock_file() -> Result<String, String> {
    let bytes = read(&Tree::root().join("Cargo.lock"))?;
    String::from_utf8(bytes).map_err(|error| format!("Cargo.lock: {error}"))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn two_runs_give_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let stub = contents::stub(folder.path(), "echo 'formicary 0.0.0'");
        let written = |name: &str| -> BTreeMap<String, Vec<u8>> {
            let out = folder.path().join(name);
            let contents = Contents::collect(&stub, &Tree::root()).unwrap();
            let needs = Needs { glibc: (2, 17), libraries: vec!["libc.so.6".into()] };
            let release = Release {
                contents: &contents,
                needs: &needs,
                sbom: "{}\n".into(),
                installer: b"#!/bin/sh\n".to_vec(),
                time: 1_700_000_000,
            };
            let names = release.write(&out).unwrap();
            names
                .into_iter()
                .map(|(name, _)| (name.clone(), std::fs::read(out.join(name)).unwrap()))
                .collect()
        };
        let (first, second) = (written("first"), written("second"));
        assert!(first == second, "the same input gave different files");
        let archive = format!("formicary-{VERSION}-x86_64-linux.tar.gz");
        let sums = String::from_utf8(first["SHA256SUMS"].clone()).unwrap();
        assert_eq!(sums.lines().count(), 4, "{sums}");
        let sum = hex::encode(Sha256::digest(&first[&archive]));
        assert!(sums.contains(&format!("{sum}  {archive}\n")), "{sums}");
    }
}
