//! Builds the program that is embedded and delivered into sandboxes: the one that strips TypeScript's types.
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
    for watched in ["crates/typestrip"] {
        for part in ["src", "Cargo.toml"] {
            println!("cargo::rerun-if-changed={}", workspace.join(watched).join(part).display());
        }
    }
    println!("cargo::rerun-if-changed={}", workspace.join("Cargo.lock").display());
    for (package, profile) in [("formicary-typestrip", "typestrip")] {
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
    let mut command = Command::new(cargo);
    // A linker that is there for an older C library cannot link statically, and what is static needs no older one.
    let linker = format!("CARGO_TARGET_{}_LINKER", target.to_uppercase().replace('-', "_"));
    if std::env::var(&linker).is_ok_and(|linker| linker.contains("zig")) {
        command.env_remove(linker);
    }
    command
        .current_dir(workspace)
        .args(["build", "--quiet", "--locked", "--profile", profile, "--package", package])
        .args(["--target", target, "--target-dir"])
        .arg(folder)
        // What the outer build sets for itself is not meant for this one.
        .env_remove("RUSTFLAGS")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("CLIPPY_ARGS")
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            flags
                .split_whitespace()
                .map(str::to_owned)
                .chain(mapped_paths())
                .collect::<Vec<_>>()
                .join("\u{1f}"),
        )
        .status()
        .is_ok_and(|status| status.success())
}

/// Flags by which the outer build writes other paths than this machine's: they hold for what is embedded, too.
#[expect(clippy::disallowed_methods, reason = "how build scripts speak")]
fn mapped_paths() -> Vec<String> {
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    flags.split('\u{1f}').filter(|flag| flag.starts_with("--remap-path-prefix=")).map(str::to_owned).collect()
}
