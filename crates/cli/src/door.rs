//! The one place where the command line looks at its environment and working folder.

use crate::arguments::GlobalArguments;
use crate::failure::Stop;
use crate::terminal;
use formicary_platform::Platform;
use formicary_platform::config::{ConfigSources, Configuration};

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
