//! The options of `formicary run`.

use super::cluster::ClusterArguments;
use super::limits::LimitArguments;
use super::packages::PackageArguments;
use clap::Args;
use formicary_model::{Level, Mount, MountAccess, Network};
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of `run`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArguments {
    /// A file, a folder, or - for code on stdin
    #[arg(value_name = "FILE|DIR|-", conflicts_with = "code")]
    pub path: Option<PathBuf>,
    /// The code itself
    #[arg(long, short = 'c', value_name = "CODE", allow_hyphen_values = true)]
    pub code: Option<OsString>,
    /// The language; found out from the file's name and content where absent
    #[arg(long, short = 'l', value_name = "LANG")]
    pub language: Option<String>,
    /// Arguments for the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,

    /// The file of a folder to run
    #[arg(long, value_name = "FILE", help_heading = "Program")]
    pub entry: Option<String>,
    /// A shell command to run in the folder, instead of the language's own way
    #[arg(long, value_name = "COMMAND", help_heading = "Program", allow_hyphen_values = true)]
    pub command: Option<String>,
    /// A flag for the compiler, as in --flag=-std=c++20; repeatable
    #[arg(long = "flag", value_name = "FLAG", help_heading = "Program", allow_hyphen_values = true)]
    pub flags: Vec<String>,
    /// An environment variable for the program; repeatable
    #[arg(long = "env", short = 'e', value_name = "NAME=VALUE", help_heading = "Program", value_parser = variable)]
    pub env: Vec<(String, String)>,
    /// A Python virtual environment whose packages the program may import
    #[arg(long, value_name = "DIR", help_heading = "Program")]
    pub venv: Option<PathBuf>,
    /// Compiles anew, and keeps nothing for the next time
    #[arg(long, help_heading = "Program")]
    pub no_cache: bool,
    /// The session to run in
    #[arg(long, value_name = "ID", help_heading = "Program")]
    pub session: Option<String>,

    /// Reads the program's stdin from a file
    #[arg(long, value_name = "FILE", help_heading = "Input and output", conflicts_with = "interactive")]
    pub stdin_file: Option<PathBuf>,
    /// Gives the program the terminal's stdin; piped stdin is passed on anyway
    #[arg(long, short = 'i', help_heading = "Input and output")]
    pub interactive: bool,
    /// Brings back files that match, as in --collect '*.png'; repeatable
    #[arg(long = "collect", value_name = "GLOB", help_heading = "Input and output")]
    pub collect: Vec<String>,
    /// Where to write the files that --collect brings back
    #[arg(long, value_name = "DIR", help_heading = "Input and output", requires = "collect")]
    pub out: Option<PathBuf>,
    /// Writes every event of the run to a file, one JSON line each
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub events: Option<PathBuf>,
    /// Says nothing but what the program says
    #[arg(long, short = 'q', help_heading = "Input and output")]
    pub quiet: bool,
    /// Leaves the summary line out
    #[arg(long, help_heading = "Input and output")]
    pub no_summary: bool,

    /// What the program sees of the network: none or host
    #[arg(long, value_name = "POLICY", help_heading = "Protection", value_parser = network)]
    pub network: Option<Network>,
    /// Makes a host path visible inside, read-only unless :rw; repeatable
    #[arg(long = "mount", value_name = "HOST:GUEST[:ro|rw]", help_heading = "Protection", value_parser = mount)]
    pub mounts: Vec<Mount>,
    /// Insists on a mount that is refused otherwise; repeatable
    #[arg(long = "insist-mount", value_name = "HOST", help_heading = "Protection")]
    pub insist_on_mounts: Vec<String>,
    /// The protection level that must hold: none, limited, isolated or full
    #[arg(long, value_name = "LEVEL", help_heading = "Protection", value_parser = level, conflicts_with = "best_effort")]
    pub require: Option<Level>,
    /// Runs with whatever protection this host offers
    #[arg(long, help_heading = "Protection")]
    pub best_effort: bool,
    /// The isolation provider
    #[arg(long, value_name = "NAME", help_heading = "Protection")]
    pub provider: Option<String>,
    /// An image of containers whose tools are used instead of the host's, or default
    #[arg(long, value_name = "IMAGE", help_heading = "Protection")]
    pub image: Option<String>,

    #[command(flatten)]
    pub cluster: ClusterArguments,
    #[command(flatten)]
    pub packages: PackageArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
}

const EXAMPLES: &str = "\
Examples:
  formicary run -l python -c 'print(\"Hello\")'
  formicary run program.py -- first second
  echo 'console.log(1)' | formicary run -l js -
  formicary run solve.cpp --flag=-std=c++20 --stdin-file input.txt
  formicary run project/ --entry src/main.py
  formicary run project/ --command 'make test'
  formicary run plot.py --venv ~/.venvs/plots --collect '*.png' --out .
  formicary run plot.py --requirements numpy,pandas
  formicary run app/ --requirements app/requirements.txt
  formicary run -l bash -c 'yes' --timeout 2s --json

The program's exit code is passed on; `formicary exit-codes` lists Formicary's own.";

pub fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE".into()),
    }
}

pub fn network(text: &str) -> Result<Network, String> {
    match text {
        "none" => Ok(Network::None),
        "host" => Ok(Network::Host),
        _ => Err("choose none or host; allow-lists of domains are not available yet".into()),
    }
}

pub(super) fn level(text: &str) -> Result<Level, String> {
    let found = Level::ALL.into_iter().find(|level| level.word() == text.to_ascii_lowercase());
    found.ok_or_else(|| "choose none, limited, isolated or full".into())
}

pub fn mount(text: &str) -> Result<Mount, String> {
    let shape = "write HOST:GUEST, HOST:GUEST:ro or HOST:GUEST:rw";
    let mut parts = text.split(':');
    let host = parts.next().filter(|part| !part.is_empty()).ok_or(shape)?;
    let guest = parts.next().filter(|part| !part.is_empty()).ok_or(shape)?;
    let access = match parts.next() {
        None | Some("ro") => MountAccess::ReadOnly,
        Some("rw") => MountAccess::ReadWrite,
        Some(_) => return Err(shape.into()),
    };
    match parts.next() {
        None => Ok(Mount { host: host.into(), guest: guest.into(), access }),
        Some(_) => Err(shape.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_are_read() {
        let read = |text| mount(text).map(|m| (m.host, m.guest, m.access));
        let some = |host: &str, guest: &str, access| Ok((host.to_owned(), guest.to_owned(), access));
        assert_eq!(read("/a:/b"), some("/a", "/b", MountAccess::ReadOnly));
        assert_eq!(read("a:/b:ro"), some("a", "/b", MountAccess::ReadOnly));
        assert_eq!(read("/a:/b:rw"), some("/a", "/b", MountAccess::ReadWrite));
        for wrong in ["", "/a", ":/b", "/a:", "/a:/b:wr", "/a:/b:rw:x"] {
            assert!(mount(wrong).is_err(), "{wrong}");
        }
    }
}
