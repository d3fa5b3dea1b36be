//! Builds the program that strips TypeScript's types, so that it can be embedded and delivered into sandboxes.
//!
//! It is linked statically where the host can: inside a sandbox it then needs nothing but itself.

use std::path::{Path, PathBuf};

#[expect(clippy::disallowed_types, reason = "a build script must call cargo")]
use std::process::Command;

#[expect(clippy::expect_used, clippy::disallowed_methods, reason = "how build scripts speak")]
fn main() {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let target = std::env::var("TARGET").expect("cargo sets TARGET");
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for watched in ["crates/typestrip/src", "crates/typestrip/Cargo.toml", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={}", workspace.join(watched).display());
    }
    // Debug, release and test builds share one folder beside them: the parser is the slowest part of the workspace.
    let folder = out.ancestors().nth(4).unwrap_or(&out).join("embedded-typestrip");
    let built = folder.join(&target).join("typestrip/formicary-typestrip");
    if !build(&workspace, &folder, &target, "-Ctarget-feature=+crt-static") {
        println!(
            "cargo::warning=formicary-typestrip cannot be linked statically here; it will need the host's libc"
        );
        assert!(build(&workspace, &folder, &target, ""), "formicary-typestrip does not build");
    }
    std::fs::copy(&built, out.join("formicary-typestrip")).expect("copy formicary-typestrip");
}

#[expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "a build script must call cargo")]
fn build(workspace: &Path, folder: &Path, target: &str, flags: &str) -> bool {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    Command::new(cargo)
        .current_dir(workspace)
        .args(["build", "--quiet", "--locked", "--profile", "typestrip", "--package", "formicary-typestrip"])
        .args(["--target", target, "--target-dir"])
        .arg(folder)
        // What the outer build sets for itself is not meant for this one.
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("CLIPPY_ARGS")
        .env("RUSTFLAGS", flags)
        .status()
        .is_ok_and(|status| status.success())
}
