//! Puts the commit and its date into the binary, for `formicary version`.
//!
//! Both are those of the checkout that holds this crate. A packager who builds from an archive sets `SOURCE_COMMIT` and
//! `SOURCE_DATE_EPOCH` instead; without either both are `unknown`. Nothing here stops a build, and the time of the build itself
//! is never taken: the same source must give the same binary.

#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a build script asks git and reads its environment"
)]

use std::path::Path;
use std::process::Command;

fn main() {
    for variable in ["SOURCE_COMMIT", "SOURCE_DATE_EPOCH"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let checkout = Checkout::at(&workspace);
    if let Some(checkout) = &checkout {
        checkout.watch();
    }
    let commit = from_environment("SOURCE_COMMIT").or_else(|| checkout.as_ref()?.commit());
    let seconds = from_environment("SOURCE_DATE_EPOCH").or_else(|| checkout.as_ref()?.seconds());
    let date = seconds.and_then(|seconds| seconds.parse().ok()).and_then(date);
    println!("cargo::rustc-env=BUILD_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
    println!("cargo::rustc-env=BUILD_DATE={}", date.as_deref().unwrap_or("unknown"));
}

fn from_environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty() && !value.contains(char::is_whitespace))
}

/// The git checkout of this workspace.
struct Checkout<'a> {
    workspace: &'a Path,
}

impl<'a> Checkout<'a> {
    /// Nothing if the workspace is only a part of a checkout: that commit would be another project's.
    fn at(workspace: &'a Path) -> Option<Self> {
        let checkout = Self { workspace };
        let top = std::fs::canonicalize(checkout.git(&["rev-parse", "--show-toplevel"])?).ok()?;
        (top == std::fs::canonicalize(workspace).ok()?).then_some(checkout)
    }

    /// The log of HEAD grows with every commit and checkout; without it (a bare clone's worktree) HEAD itself is watched.
    fn watch(&self) {
        for name in ["logs/HEAD", "HEAD"] {
            let Some(path) = self.git(&["rev-parse", "--git-path", name]) else { continue };
            let path = self.workspace.join(path);
            if path.exists() {
                println!("cargo::rerun-if-changed={}", path.display());
            }
        }
    }

    fn commit(&self) -> Option<String> {
        self.git(&["rev-parse", "--verify", "HEAD"])
    }

    fn seconds(&self) -> Option<String> {
        self.git(&["log", "-1", "--format=%ct"])
    }

    fn git(&self, arguments: &[&str]) -> Option<String> {
        let output = Command::new("git").arg("-C").arg(self.workspace).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (output.status.success() && !text.is_empty()).then_some(text)
    }
}

/// The day in UTC of so many seconds since 1970, by counting days in years that begin in March.
fn date(seconds: u64) -> Option<String> {
    let days = i64::try_from(seconds / 86_400).ok()? + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year <= 9_999).then(|| format!("{year:04}-{month:02}-{day:02}"))
}
