//! The one place where the command line looks at its environment and working folder.

use crate::arguments::GlobalArguments;
use crate::failure::{Stop, invalid};
use crate::{signals, terminal};
use formicary_model::Failure;
use formicary_model::use_case::Code;
use formicary_platform::config::{ConfigSources, Configuration};
use formicary_platform::policy::Policy;
use formicary_platform::use_case::Context;
use formicary_platform::{Cancel, Platform, create_named, local_caller, write_named};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Whether warnings about the configuration are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warnings {
    /// On stderr.
    Told,
    /// Not at all.
    Hidden,
}

/// Where configuration comes from for this process.
#[expect(clippy::disallowed_methods, reason = "a door resolves the environment, so that engines need not")]
pub fn sources(global: &GlobalArguments) -> ConfigSources {
    let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    let environment = std::env::vars_os().filter_map(text).collect();
    let mut sources = ConfigSources::new(environment, std::env::current_dir().ok());
    sources.flags.clone_from(&global.settings);
    sources
}

/// The configuration that holds for this process.
pub fn configuration(sources: &ConfigSources, warnings: Warnings) -> Result<Configuration, Stop> {
    let configuration = Configuration::load(sources)?;
    if warnings == Warnings::Told {
        configuration.warnings.iter().for_each(|warning| terminal::tell_warning(warning));
    }
    Ok(configuration)
}

/// The platform, configured for this process.
pub fn platform(global: &GlobalArguments, warnings: Warnings) -> Result<(Platform, ConfigSources), Stop> {
    let sources = sources(global);
    let configuration = configuration(&sources, warnings)?;
    Ok((Platform::new(configuration, &sources)?, sources))
}

/// The same for a command that runs many programs: sandboxes stand ready for the next ones.
pub fn platform_to_stay(
    global: &GlobalArguments,
    warnings: Warnings,
) -> Result<(Platform, ConfigSources), Stop> {
    let sources = sources(global);
    let configuration = configuration(&sources, warnings)?;
    Ok((Platform::to_stay(configuration, &sources)?, sources))
}

/// The user at this terminal, and what a signal ends.
pub fn context(sources: &ConfigSources) -> Context<'static> {
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    let here = sources.working_folder.clone().unwrap_or_default();
    Context::new(local_caller().through("cli"), Policy::local(here)).until(cancel)
}

/// A path as use cases take it.
pub fn path(path: &Path) -> Result<String, Failure> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        invalid(format!("{} is not UTF-8", path.display()), "rename it, or name the directory around it")
    })
}

/// Files and directories that the user names.
pub fn code(paths: &[PathBuf]) -> Result<Code, Failure> {
    Ok(Code { paths: paths.iter().map(|one| path(one)).collect::<Result<_, _>>()?, ..Code::default() })
}

/// Writes a file that the user names.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_named(&here(), path, bytes).map_err(|error| unwritable(path, &error))
}

/// Makes a file that the user names, for what comes bit by bit.
pub fn create(path: &Path) -> Result<File, Failure> {
    create_named(&here(), path).map_err(|error| unwritable(path, &error))
}

#[expect(clippy::disallowed_methods, reason = "a front end resolves the directory where the user stands")]
fn here() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    let hint =
        "name a file in a directory that exists and in which you may write; no link of a project is followed";
    invalid(format!("{} cannot be written: {error}", path.display()), hint)
}
