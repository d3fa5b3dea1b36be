//! Builds the jail and the warden as small static binaries of their own, to be embedded: a caller of this library,
//! whatever its own binary is, can start them without anything being installed.

#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a build script starts cargo and reads its environment"
)]
#![expect(clippy::expect_used, clippy::panic, reason = "a build script stops the build by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let here = PathBuf::from(env("CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(env("OUT_DIR"));
    let jail = here.join("../jail");
    println!("cargo::rerun-if-changed={}", jail.join("src").display());
    println!("cargo::rerun-if-changed={}", jail.join("Cargo.toml").display());
    let built = build(&jail, &out.join("jail")).unwrap_or_else(|| panic!("the jail does not build"));
    std::fs::copy(built, out.join("formicary-jail")).expect("copy the jail");
    let warden = here.join("../warden");
    println!("cargo::rerun-if-changed={}", warden.join("src").display());
    println!("cargo::rerun-if-changed={}", warden.join("Cargo.toml").display());
    let built =
        build_warden(&warden, &out.join("warden")).unwrap_or_else(|| panic!("the warden does not build"));
    std::fs::copy(built, out.join("formicary-warden")).expect("copy the warden");
}

/// Linked statically: a container's image need not have a C library, nor the one of this host.
fn build_warden(package: &Path, target_dir: &Path) -> Option<PathBuf> {
    let target = env("TARGET");
    let done = Command::new(env("CARGO"))
        .args(["build", "--quiet", "--profile", "jail", "--bin", "formicary-warden", "--target", &target])
        .arg("--manifest-path")
        .arg(package.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target_dir)
        .env("CARGO_ENCODED_RUSTFLAGS", "-Ctarget-feature=+crt-static")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("RUSTC_WRAPPER")
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_BUILD_TARGET_DIR")
        .status()
        .ok()?;
    done.success().then(|| target_dir.join(target).join("jail/formicary-warden"))
}

/// No C library and no start files: the jail brings its own (see its `sys/start.rs`), and nothing need be installed.
const FLAGS: [&str; 4] =
    ["-Crelocation-model=static", "-Clink-arg=-nostartfiles", "-Clink-arg=-nostdlib", "-Clink-arg=-static"];

fn build(package: &Path, target_dir: &Path) -> Option<PathBuf> {
    let target = env("TARGET");
    let done = Command::new(env("CARGO"))
        .args([
            "build",
            "--quiet",
            "--profile",
            "jail",
            "--bin",
            "formicary-jail",
            "--features",
            "standalone",
        ])
        .args(["--target", &target])
        .arg("--manifest-path")
        .arg(package.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target_dir)
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"))
        // What the outer cargo set for this build (clippy's driver, coverage) is not meant for the inner one.
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("RUSTC_WRAPPER")
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_BUILD_TARGET_DIR")
        .status()
        .ok()?;
    done.success().then(|| target_dir.join(target).join("jail/formicary-jail"))
}

fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}
