//! The options for what stands around programs, which several verbs share.

use super::limits::LimitArguments;
use super::packages::PackageArguments;
use crate::failure::invalid;
use crate::source::{self, Most, Wanted};
use crate::terminal;
use clap::Args;
use formicary_model::{
    Assurance, Environment, ExecutionRequest, Failure, Level, Mount, MountAccess, Network,
};
use formicary_platform::Platform;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// By which provider, and how well, programs are isolated.
#[derive(Debug, Args)]
pub struct IsolationArguments {
    /// The minimum protection level: none, limited, isolated or full
    #[arg(long, value_name = "LEVEL", help_heading = "Protection", value_parser = level, conflicts_with = "best_effort")]
    pub require: Option<Level>,
    /// Accept whatever protection this host offers
    #[arg(long, help_heading = "Protection")]
    pub best_effort: bool,
    /// The isolation provider
    #[arg(long, value_name = "NAME", help_heading = "Protection")]
    pub provider: Option<String>,
    /// A container image whose tools replace the host's, or default
    #[arg(long, value_name = "IMAGE", help_heading = "Protection")]
    pub image: Option<String>,
}

impl IsolationArguments {
    /// Puts them into an environment.
    pub fn apply(&self, platform: &Platform, environment: &mut Environment) {
        environment.assurance = match (self.best_effort, self.require) {
            (true, _) => Assurance::BestEffort,
            (false, Some(level)) => Assurance::Require(level),
            (false, None) => platform.assurance_of(self.provider.as_deref()),
        };
        environment.provider.clone_from(&self.provider);
        environment.image.clone_from(&self.image);
    }
}

/// What programs see of the host.
#[derive(Debug, Args)]
pub struct ProtectionArguments {
    /// The network policy: none or host
    #[arg(long, value_name = "POLICY", help_heading = "Protection", value_parser = network)]
    pub network: Option<Network>,
    /// Mount a host path, read-only unless :rw; repeatable
    #[arg(long = "mount", value_name = "HOST:GUEST[:ro|rw]", help_heading = "Protection", value_parser = mount)]
    pub mounts: Vec<Mount>,
    /// Allow a mount that is refused by default; repeatable
    #[arg(long = "insist-mount", value_name = "HOST", help_heading = "Protection")]
    pub insist_on_mounts: Vec<String>,
    #[command(flatten)]
    pub isolation: IsolationArguments,
}

impl ProtectionArguments {
    /// Puts them into an environment, with host paths made absolute where the caller stands.
    pub fn apply(
        &self,
        platform: &Platform,
        base: Option<&Path>,
        (venv, packages): (Option<&Path>, &PackageArguments),
        environment: &mut Environment,
    ) -> Result<(), Failure> {
        environment.venv = venv.map(|venv| absolute(venv, base).and_then(|path| text(&path))).transpose()?;
        environment.packages = packages.request(base)?;
        self.isolation.apply(platform, environment);
        if let Some(network) = &self.network {
            environment.network = network.clone();
        }
        let host = |path: &str| absolute(Path::new(path), base).and_then(|path| text(&path));
        let mount = |mount: &Mount| Ok(Mount { host: host(&mount.host)?, ..mount.clone() });
        environment.mounts = self.mounts.iter().map(mount).collect::<Result<_, Failure>>()?;
        environment.insist_on_mounts =
            self.insist_on_mounts.iter().map(|path| host(path)).collect::<Result<_, _>>()?;
        Ok(())
    }
}

/// What a project's tests need.
#[derive(Debug, Args)]
pub struct TestEnvironmentArguments {
    #[command(flatten)]
    pub packages: PackageArguments,
    /// A Python virtual environment whose packages the code may import
    #[arg(long, value_name = "DIR")]
    pub venv: Option<PathBuf>,
    /// The isolation provider
    #[arg(long, value_name = "NAME")]
    pub provider: Option<String>,
}

impl TestEnvironmentArguments {
    /// The environment that they stand for.
    pub fn environment(&self, platform: &Platform, working: &Path) -> Result<Environment, Failure> {
        let provider = self.provider.clone();
        let venv = self.venv.as_deref().map(|venv| text(&working.join(venv))).transpose()?;
        Ok(Environment {
            packages: self.packages.request(Some(working))?,
            assurance: platform.assurance_of(provider.as_deref()),
            provider,
            venv,
            ..platform.new_request().environment
        })
    }
}

/// What a program is started with.
#[derive(Debug, Args)]
pub struct StartArguments {
    /// The file of the directory to run
    #[arg(long, value_name = "FILE")]
    pub entry: Option<String>,
    /// Read the program's stdin from a file
    #[arg(long, value_name = "FILE")]
    pub stdin_file: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Arguments for the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

impl StartArguments {
    /// The program: its code or where that is, a shell command to run it by, its language.
    pub fn program(
        &mut self,
        platform: &Platform,
        (code, path): (Option<OsString>, Option<&Path>),
        command: Option<String>,
        language: Option<String>,
    ) -> Result<ExecutionRequest, Failure> {
        let settings = platform.settings();
        let loaded = source::load(Wanted {
            code,
            path,
            entry: self.entry.take(),
            has_command: command.is_some(),
            most: Most::of(settings),
        })?;
        loaded.notes.iter().for_each(|note| terminal::tell_warning(note));
        let mut request = ExecutionRequest { source: loaded.source, language, ..platform.new_request() };
        request.args = std::mem::take(&mut self.args);
        request.command =
            command.map(|command| ["/bin/sh", "-c", &command, "sh"].map(str::to_owned).to_vec());
        request.limits = self.limits.of_the_run(settings.limits.cpu_seconds);
        request.compile_limits = self.limits.of_the_compile_step(settings.compile_limits.cpu_seconds);
        if let Some(path) = &self.stdin_file {
            request.stdin = source::read_named(path).map_err(|error| {
                let message = format!("stdin file {} cannot be read: {error}", path.display());
                invalid(message, "give a file that exists and that you may read")
            })?;
        }
        Ok(request)
    }
}

/// A path of the caller's, made absolute where the caller stands.
pub fn absolute(path: &Path, base: Option<&Path>) -> Result<PathBuf, Failure> {
    if path.is_absolute() {
        return Ok(path.to_owned());
    }
    let base = base.ok_or_else(|| {
        let message = format!("{} is relative, and the working folder is gone", path.display());
        invalid(message, "give an absolute path")
    })?;
    Ok(base.join(path))
}

/// A path as text.
pub fn text(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| invalid(format!("path {} is not UTF-8", path.display()), "rename it"))
}

/// `NAME=VALUE`.
pub fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE".into()),
    }
}

fn network(text: &str) -> Result<Network, String> {
    match text {
        "none" => Ok(Network::None),
        "host" => Ok(Network::Host),
        _ => Err("choose none or host; allow-lists of domains are not available yet".into()),
    }
}

fn level(text: &str) -> Result<Level, String> {
    let found = Level::ALL.into_iter().find(|level| level.word() == text.to_ascii_lowercase());
    found.ok_or_else(|| "choose none, limited, isolated or full".into())
}

/// `HOST:GUEST`, read-only or not.
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
