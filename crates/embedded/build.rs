//! Builds the programs to embed, by a cargo of their own, and puts them where `src/lib.rs` includes them from.
//!
//! All share one target directory beside those of the outer profiles, so that a debug, a release and a test build reuse it. Flags that
//! differ between programs go to the last compiler call alone (`cargo rustc`): what they depend on has the same flags for all.

#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a build script starts cargo and reads its environment"
)]
#![expect(clippy::expect_used, clippy::panic, reason = "a build script stops the build by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// One program to embed.
struct Program {
    /// Directory of its package, beside this one; the package's name is that behind `formicary-`.
    package: &'static str,
    /// The feature of this crate without which it is left out.
    feature: Option<&'static str>,
    profile: &'static str,
    /// Which target of the package, with its features.
    target: &'static [&'static str],
    /// Where cargo puts it, below the profile's directory.
    built: &'static str,
    /// Its name in the output directory.
    name: &'static str,
    /// Flags for the program itself.
    flags: &'static [&'static str],
    /// Whether it will do without those flags where they cannot be had.
    may_be_dynamic: bool,
}

const PROGRAMS: [Program; 4] = [
    // No C library and no start files: the jail brings its own (see its `sys/start.rs`), and nothing need be installed.
    Program {
        package: "jail",
        feature: None,
        profile: "jail",
        target: &["--bin", "formicary-jail", "--features", "standalone"],
        built: "formicary-jail",
        name: "formicary-jail",
        flags: &[
            "-Crelocation-model=static",
            "-Clink-arg=-nostartfiles",
            "-Clink-arg=-nostdlib",
            "-Clink-arg=-static",
        ],
        may_be_dynamic: false,
    },
    // Loaded into an interpreter that has a C library already.
    Program {
        package: "jail",
        feature: None,
        profile: "jail",
        target: &["--example", "formicary-zygote", "--features", "standalone"],
        built: "examples/libformicary_zygote.so",
        name: "formicary-zygote.so",
        flags: &["-Clink-arg=-nostartfiles", "-Clink-arg=-nostdlib"],
        may_be_dynamic: false,
    },
    // Linked statically: a container's image need not have a C library, nor the one of this host. And to a fixed place: what need not
    // be moved when it starts need not be touched, and in a guest every page that is touched costs.
    Program {
        package: "guest",
        feature: None,
        profile: "jail",
        target: &["--bin", "formicary-guest"],
        built: "formicary-guest",
        name: "formicary-guest",
        flags: &["-Ctarget-feature=+crt-static", "-Crelocation-model=static"],
        may_be_dynamic: false,
    },
    // Where the host can, linked statically: inside a sandbox it then needs nothing but itself.
    Program {
        package: "typestrip",
        feature: Some("CARGO_FEATURE_TYPESTRIP"),
        profile: "typestrip",
        target: &["--bin", "formicary-typestrip"],
        built: "formicary-typestrip",
        name: "formicary-typestrip",
        flags: &["-Ctarget-feature=+crt-static"],
        may_be_dynamic: true,
    },
];

fn main() {
    let out = PathBuf::from(env("OUT_DIR"));
    let workspace = PathBuf::from(env("CARGO_MANIFEST_DIR")).join("../..");
    for manifest in ["Cargo.toml", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={}", workspace.join(manifest).display());
    }
    // From `target/debug/build/<package>/out`; with `--target`, beside the profiles of that target.
    let target_dir = out.ancestors().nth(4).unwrap_or(&out).join("embedded");
    for program in PROGRAMS.iter().filter(|program| program.feature.is_none_or(is_set)) {
        let package = workspace.join("crates").join(program.package);
        for watched in ["src", "Cargo.toml"] {
            println!("cargo::rerun-if-changed={}", package.join(watched).display());
        }
        let mut is_built = build(program, program.flags, &workspace, &target_dir);
        if !is_built && program.may_be_dynamic {
            println!(
                "cargo::warning={} cannot be linked statically here; it will need the host's libc",
                program.name
            );
            is_built = build(program, &[], &workspace, &target_dir);
        }
        assert!(is_built, "{} does not build", program.name);
        let built = target_dir.join(env("TARGET")).join(program.profile).join(program.built);
        std::fs::copy(built, out.join(program.name)).expect("copy what was built");
    }
}

fn build(program: &Program, flags: &[&str], workspace: &Path, target_dir: &Path) -> bool {
    let target = env("TARGET");
    let mut command = Command::new(env("CARGO"));
    // A linker that is there for an older C library cannot link statically, and what is static needs no older one.
    let linker = format!("CARGO_TARGET_{}_LINKER", target.to_uppercase().replace('-', "_"));
    if std::env::var(&linker).is_ok_and(|linker| linker.contains("zig")) {
        command.env_remove(linker);
    }
    command
        .current_dir(workspace)
        .args(["rustc", "--quiet", "--locked", "--profile", program.profile])
        .args(["--package", &format!("formicary-{}", program.package)])
        .args(program.target)
        .args(["--target", &target, "--target-dir"])
        .arg(target_dir)
        .arg("--")
        .args(flags)
        .env("CARGO_ENCODED_RUSTFLAGS", mapped_paths().join("\u{1f}"))
        // What the outer cargo set for this build (clippy's driver, coverage) is not meant for the inner one.
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("RUSTC_WRAPPER")
        .env_remove("RUSTFLAGS")
        .env_remove("CLIPPY_ARGS")
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_BUILD_TARGET_DIR")
        .status()
        .is_ok_and(|status| status.success())
}

/// Flags by which the outer build writes other paths than this machine's: they hold for what is embedded, too.
fn mapped_paths() -> Vec<String> {
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    flags.split('\u{1f}').filter(|flag| flag.starts_with("--remap-path-prefix=")).map(str::to_owned).collect()
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some()
}

fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}
