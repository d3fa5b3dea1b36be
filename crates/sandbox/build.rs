//! Builds the jail and the guest agent as small programs of their own, to be embedded: a caller of this library, whatever its own binary is,
//! can start them without anything being installed.

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
    /// Folder of its package, beside this one.
    package: &'static str,
    /// Which target of it, with its features.
    target: &'static [&'static str],
    /// Where cargo puts it.
    made: &'static str,
    /// Its name in the output folder.
    name: &'static str,
    /// Flags for the compiler.
    flags: &'static [&'static str],
}

/// No C library and no start files: the jail brings its own (see its `sys/start.rs`), and nothing need be installed.
/// The module is loaded into an interpreter that has a C library already.
const PROGRAMS: [Program; 3] = [
    Program {
        package: "jail",
        target: &["--bin", "formicary-jail", "--features", "standalone"],
        made: "formicary-jail",
        name: "formicary-jail",
        flags: &[
            "-Crelocation-model=static",
            "-Clink-arg=-nostartfiles",
            "-Clink-arg=-nostdlib",
            "-Clink-arg=-static",
        ],
    },
    Program {
        package: "jail",
        target: &["--example", "formicary-zygote", "--features", "standalone"],
        made: "examples/libformicary_zygote.so",
        name: "formicary-zygote.so",
        flags: &["-Clink-arg=-nostartfiles", "-Clink-arg=-nostdlib"],
    },
    // Linked statically: a container's image need not have a C library, nor the one of this host. And to a fixed place: what need not
    // be moved when it starts need not be touched, and in a guest every page that is touched costs.
    Program {
        package: "guest",
        target: &["--bin", "formicary-guest"],
        made: "formicary-guest",
        name: "formicary-guest",
        flags: &["-Ctarget-feature=+crt-static", "-Crelocation-model=static"],
    },
];

fn main() {
    let here = PathBuf::from(env("CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(env("OUT_DIR"));
    for program in &PROGRAMS {
        let package = here.join("..").join(program.package);
        println!("cargo::rerun-if-changed={}", package.join("src").display());
        println!("cargo::rerun-if-changed={}", package.join("Cargo.toml").display());
        let built = build(program, &package, &out.join(program.name).with_extension("build"));
        let built = built.unwrap_or_else(|| panic!("{} does not build", program.name));
        std::fs::copy(built, out.join(program.name)).expect("copy what was built");
    }
}

fn build(program: &Program, package: &Path, target_dir: &Path) -> Option<PathBuf> {
    let target = env("TARGET");
    let mut command = Command::new(env("CARGO"));
    // A linker that is there for an older C library cannot link statically, and what is static needs no older one.
    let linker = format!("CARGO_TARGET_{}_LINKER", target.to_uppercase().replace('-', "_"));
    if std::env::var(&linker).is_ok_and(|linker| linker.contains("zig")) {
        command.env_remove(linker);
    }
    let flags = program.flags.iter().map(|flag| (*flag).to_owned()).chain(mapped_paths());
    let done = command
        .args(["build", "--quiet", "--profile", "jail"])
        .args(program.target)
        .args(["--target", &target])
        .arg("--manifest-path")
        .arg(package.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target_dir)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.collect::<Vec<_>>().join("\u{1f}"))
        // What the outer cargo set for this build (clippy's driver, coverage) is not meant for the inner one.
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("RUSTC_WRAPPER")
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_BUILD_TARGET_DIR")
        .status()
        .ok()?;
    done.success().then(|| target_dir.join(target).join("jail").join(program.made))
}

/// Flags by which the outer build writes other paths than this machine's: they hold for what is embedded, too.
fn mapped_paths() -> Vec<String> {
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    flags.split('\u{1f}').filter(|flag| flag.starts_with("--remap-path-prefix=")).map(str::to_owned).collect()
}

fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}
