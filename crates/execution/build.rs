//! Builds the programs that are embedded and delivered into sandboxes: the one that strips TypeScript's types, and
//! the keeper of sessions.
//!
//! They are linked statically where the host can: inside a sandbox they then need nothing but themselves.

use std::path::{Path, PathBuf};

#[expect(clippy::disallowed_types, reason = "a build script must call cargo")]
use std::process::Command;

#[expect(clippy::expect_used, clippy::disallowed_methods, reason = "how build scripts speak")]
fn main() {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let target = std::env::var("TARGET").expect("cargo sets TARGET");
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for watched in ["crates/typestrip", "crates/keeper"] {
        for part in ["src", "Cargo.toml"] {
            println!("cargo::rerun-if-changed={}", workspace.join(watched).join(part).display());
        }
    }
    println!("cargo::rerun-if-changed={}", workspace.join("Cargo.lock").display());
    for (package, profile) in [("formicary-typestrip", "typestrip"), ("formicary-keeper", "jail")] {
        // Debug, release and test builds share one folder beside them: the parser is the slowest part of the
        // workspace.
        let folder = out.ancestors().nth(4).unwrap_or(&out).join(format!("embedded-{profile}"));
        let built = folder.join(&target).join(profile).join(package);
        if !build(&workspace, &folder, &target, (package, profile), "-Ctarget-feature=+crt-static") {
            println!(
                "cargo::warning={package} cannot be linked statically here; it will need the host's libc"
            );
            assert!(build(&workspace, &folder, &target, (package, profile), ""), "{package} does not build");
        }
        std::fs::copy(&built, out.join(package)).expect("copy an embedded program");
    }
}

#[expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "a build script must call cargo")]
fn build(
    workspace: &Path,
    folder: &Path,
    target: &str,
    (package, profile): (&str, &str),
    flags: &str,
) -> bool {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    Command::new(cargo)
        .current_dir(workspace)
        .args(["build", "--quiet", "--locked", "--profile", profile, "--package", package])
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
