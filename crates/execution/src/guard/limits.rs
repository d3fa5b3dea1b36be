//! Limits within their bounds, and globs that can be read.

use super::{refuse, shown};
use formicary_model::{CollectRequest, Failure, LimitOverrides, Limits};

/// The limits in force: the configured ones with the request's on top, each within its bounds.
pub fn check_limits(phase: &str, configured: &Limits, asked: &LimitOverrides) -> Result<Limits, Failure> {
    let limits = configured.clone().with(asked);
    limits.check().map_err(|error| {
        refuse(
            format!("{phase}: {error}"),
            format!("set {} between {} and {}", error.name, error.min, error.max),
        )
    })?;
    Ok(limits)
}

/// A wall-clock limit within its bounds.
pub fn validate_timeout(seconds: f64) -> Result<f64, Failure> {
    let asked = LimitOverrides { wall_seconds: Some(seconds), ..LimitOverrides::default() };
    check_limits("timeout", &Limits::default(), &asked).map(|limits| limits.wall_seconds)
}

/// Refuses globs that would look outside the working folder or that are unbounded.
pub fn check_collect(collect: &CollectRequest) -> Result<(), Failure> {
    const MOST_GLOBS: usize = 64;
    const MOST_FILES: u64 = 65_536;
    const MOST_BYTES: u64 = 4 * 1024 * 1024 * 1024;
    if collect.globs.len() > MOST_GLOBS {
        return Err(refuse(
            format!("{} globs to collect, at most {MOST_GLOBS} are accepted", collect.globs.len()),
            "join them with {a,b} or **",
        ));
    }
    for glob in &collect.globs {
        let outside = glob.starts_with('/') || glob.split('/').any(|part| part == "..");
        if glob.is_empty() || glob.contains('\0') || outside {
            return Err(refuse(
                format!("glob {} to collect is not relative to the working folder", shown(glob)),
                "give a relative glob such as \"*.png\" or \"out/**\"",
            ));
        }
    }
    if collect.max_files > MOST_FILES || collect.max_bytes > MOST_BYTES {
        return Err(refuse(
            format!(
                "collecting {} files of {} bytes together is more than is accepted",
                collect.max_files, collect.max_bytes
            ),
            format!("at most {MOST_FILES} files and {MOST_BYTES} bytes"),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts() {
        for (seconds, fine) in
            [(0.0, false), (-1.0, false), (1e9, false), (f64::NAN, false), (1.0, true), (300.0, true)]
        {
            assert_eq!(validate_timeout(seconds).is_ok(), fine, "{seconds}");
        }
    }

    #[test]
    fn globs() {
        for (glob, fine) in
            [("*.png", true), ("out/**", true), ("../x", false), ("/etc/*", false), ("", false)]
        {
            let collect = CollectRequest { globs: vec![glob.into()], ..Default::default() };
            assert_eq!(check_collect(&collect).is_ok(), fine, "{glob}");
        }
    }
}
