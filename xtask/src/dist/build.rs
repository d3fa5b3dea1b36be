//! Builds the binary of a release: for an old C library if `cargo-zigbuild` is installed, and without this machine's paths.

use super::TARGET;
use crate::cargo;
use crate::tree::Tree;
use std::path::PathBuf;
use std::process::Command;

/// A profile of the workspace's manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Profile {
    /// What users are given.
    Dist,
    /// Quick to build, for trying the packer.
    Dev,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Self::Dist => "dist",
            Self::Dev => "dev",
        }
    }
}

/// The C library that a binary is linked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Glibc {
    /// This version, if `cargo-zigbuild` can be found.
    Version(String),
    /// That of this machine.
    Host,
}

impl std::str::FromStr for Glibc {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_version = |text: &str| {
            text.split_once('.')
                .is_some_and(|(major, minor)| [major, minor].iter().all(|part| part.parse::<u32>().is_ok()))
        };
        match text {
            "host" => Ok(Self::Host),
            version if is_version(version) => Ok(Self::Version(version.into())),
            _ => Err("a version such as 2.17, or `host`".into()),
        }
    }
}

/// Builds the binary and gives its place.
pub fn binary(profile: Profile, glibc: &Glibc) -> Result<PathBuf, String> {
    let old = match glibc {
        Glibc::Version(version) if has_zigbuild() => Some(version),
        Glibc::Version(version) => {
            eprintln!(
                "cargo-zigbuild and ziglang are not installed: the binary will need this machine's glibc, not {version} \
                 (to get them: pip install cargo-zigbuild ziglang)"
            );
            None
        }
        Glibc::Host => None,
    };
    let target = old.map_or(TARGET.to_owned(), |version| format!("{TARGET}.{version}"));
    let subcommand = if old.is_some() { "zigbuild" } else { "build" };
    let paths = Paths::of_this_machine();
    let flags = paths.mapped().map(|(from, to)| format!("--remap-path-prefix={from}={to}"));
    let for_c = paths.mapped().map(|(from, to)| format!("-ffile-prefix-map={from}={to}"));
    let environment = [
        ("CARGO_ENCODED_RUSTFLAGS", flags.collect::<Vec<_>>().join("\u{1f}")),
        ("CFLAGS", for_c.collect::<Vec<_>>().join(" ")),
        // What is measured here goes by the manifest alone.
        ("CARGO_INCREMENTAL", "0".into()),
    ];
    let arguments = [
        "--locked",
        "--package",
        "formicary",
        "--bin",
        "formicary",
        "--profile",
        profile.name(),
        "--target",
        &target,
    ];
    cargo::build_with(subcommand, &arguments, &environment)?.executable("formicary")
}

/// Fails if the binary names a directory of this machine. One that is only for trying may.
pub fn check_paths(bytes: &[u8], profile: Profile) -> Result<(), String> {
    if profile == Profile::Dev {
        return Ok(());
    }
    match Paths::of_this_machine().found_in(bytes) {
        None => Ok(()),
        Some(path) => {
            Err(format!("the binary names {path}: build it with `cargo xtask dist`, which maps such paths"))
        }
    }
}

fn has_zigbuild() -> bool {
    let answers = |program: &str, arguments: &[&str]| {
        Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
    };
    answers("cargo-zigbuild", &["--version"])
        && (answers("zig", &["version"]) || answers("python3", &["-m", "ziglang", "version"]))
}

/// Directories that compilers write into what they make, and what is written instead.
struct Paths(Vec<(String, &'static str)>);

impl Paths {
    fn of_this_machine() -> Self {
        let home = std::env::var("HOME").ok();
        let cargo = std::env::var("CARGO_HOME").ok().or_else(|| home.map(|home| format!("{home}/.cargo")));
        let mut paths = vec![(Tree::root().display().to_string(), "/formicary")];
        paths.extend(cargo.map(|cargo| (cargo, "/cargo")));
        paths.extend(sysroot().map(|sysroot| (sysroot, "/rust")));
        Self(paths)
    }

    fn mapped(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(from, to)| (from.as_str(), *to))
    }

    fn found_in(&self, bytes: &[u8]) -> Option<&str> {
        let is_in = |path: &str| bytes.windows(path.len()).any(|window| window == path.as_bytes());
        self.0.iter().map(|(from, _)| from.as_str()).find(|path| is_in(path))
    }
}

fn sysroot() -> Option<String> {
    let output =
        Command::new("rustc").args(["--print", "sysroot"]).current_dir(Tree::root()).output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned()).filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_of_the_c_library_is_read() {
        assert_eq!("2.17".parse(), Ok(Glibc::Version("2.17".into())));
        assert_eq!("host".parse(), Ok(Glibc::Host));
        for bad in ["", "2", "two", "2.x", "2.17.1"] {
            assert!(bad.parse::<Glibc>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_path_of_this_machine_is_found() {
        let root = Tree::root().display().to_string();
        let bytes = format!("panicked at {root}/crates/cli/src/app.rs").into_bytes();
        assert!(check_paths(&bytes, Profile::Dist).unwrap_err().contains(&root));
        assert!(check_paths(&bytes, Profile::Dev).is_ok());
        assert!(check_paths(b"panicked at /formicary/crates/cli/src/app.rs", Profile::Dist).is_ok());
    }
}
