//! Dockerfiles that Formicary writes: a base, packages installed in the build phase, and where programs work.

use formicary_execution::guard;
use formicary_execution::packages::Wanted;
use formicary_model::{Failure, FailureKind, PackageRequest};
use formicary_sandbox::providers::docker::image::{LABEL, REPOSITORY, WORK_LABEL};
use formicary_sandbox::providers::docker::stock::Context;
use std::collections::BTreeMap;

/// The image in which agents run Python: uv and uvx, modules found in the working folder.
pub const PYTHON_UV: &str = "python-uv-image";
/// Where its programs work.
pub const APP: &str = "/app";
/// Values that steps see and that the image does not keep as variables.
pub const ARGUMENTS: [&str; 13] = [
    "PIP_INDEX_URL",
    "PIP_EXTRA_INDEX_URL",
    "PIP_TRUSTED_HOST",
    "UV_DEFAULT_INDEX",
    "UV_INDEX",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
];

/// An image to be built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageRecipe {
    /// The name that it gets. [`PYTHON_UV`] always holds uv.
    pub name: String,
    /// What it starts from; the default image of Python where absent.
    pub base: Option<String>,
    /// Python packages.
    pub packages: PackageRequest,
    /// Whether uv and uvx are in it.
    pub with_uv: bool,
}

/// A Dockerfile and the files beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The Dockerfile.
    pub dockerfile: String,
    /// The files.
    pub context: Context,
}

impl ImageRecipe {
    /// The image of this name with nothing but what its name says.
    pub fn named(name: impl Into<String>) -> Self {
        let name = name.into();
        let with_uv = name.split(':').next() == Some(PYTHON_UV);
        Self { name, base: None, packages: PackageRequest::default(), with_uv }
    }

    /// Writes it, with the images of languages as they are configured, and with certificates that the index is known by.
    pub fn write(
        &self,
        images: &BTreeMap<String, String>,
        certificates: Option<Vec<u8>>,
    ) -> Result<Written, Failure> {
        guard::check_image(&self.name)?;
        if self.name == REPOSITORY || self.name.starts_with(&format!("{REPOSITORY}:")) {
            let failure = Failure::new(
                FailureKind::InvalidInput,
                format!("the name {:?} is Formicary's own", self.name),
            );
            return Err(failure.hint("choose another"));
        }
        let base = self.base.clone().or_else(|| images.get("python").cloned()).unwrap_or_default();
        guard::check_image(&base)?;
        let wanted = Wanted::of(&self.packages)?;
        let mut lines = vec![
            format!("FROM {base}"),
            // First, so that what a failed build leaves can be told from what others left.
            format!("LABEL {LABEL}={} {WORK_LABEL}={APP}", self.name),
            "USER 0".into(),
        ];
        lines.extend(ARGUMENTS.iter().take(5).map(|name| format!("ARG {name}")));
        let mut context = Context::new();
        let mut trust = "";
        if let Some(bytes) = certificates {
            context.push(("certificates.pem".into(), bytes));
            lines.push("COPY certificates.pem /tmp/formicary/".into());
            trust = "PIP_CERT=/tmp/formicary/certificates.pem SSL_CERT_FILE=/tmp/formicary/certificates.pem ";
        }
        // Who builds an image may break what its system manages: there is nobody else in it.
        let pip = format!(
            "{trust}PIP_BREAK_SYSTEM_PACKAGES=1 python3 -m pip install --no-cache-dir --disable-pip-version-check"
        );
        if self.with_uv {
            lines.push(format!("RUN {pip} uv"));
        }
        if let Some(wanted) = &wanted {
            let mut options = String::new();
            let mut add = |name: &str, option: &str, requirements: &[String]| {
                context.push((
                    name.to_string(),
                    requirements.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes(),
                ));
                options.push_str(&format!(" {option} /tmp/formicary/{name}"));
            };
            add("requirements.txt", "-r", &wanted.requirements);
            if !wanted.constraints.is_empty() {
                add("constraints.txt", "-c", &wanted.constraints);
            }
            if wanted.is_locked() {
                options.push_str(" --require-hashes");
            }
            if !wanted.from_source {
                options.push_str(" --only-binary :all:");
            }
            let files = context.iter().map(|(name, _)| name.as_str()).filter(|name| name.ends_with(".txt"));
            lines.push(format!("COPY {} /tmp/formicary/", files.collect::<Vec<_>>().join(" ")));
            lines.push(match self.with_uv {
                true => {
                    format!("RUN {trust}uv pip install --system --break-system-packages --no-cache{options}")
                }
                false => format!("RUN {pip}{options}"),
            });
        }
        lines.push(format!("ENV PYTHONPATH={APP}"));
        lines.push(format!("WORKDIR {APP}"));
        Ok(Written { dockerfile: lines.join("\n") + "\n", context })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(recipe: &ImageRecipe) -> Result<Written, Failure> {
        let images = crate::config::images::DEFAULTS
            .map(|(language, image)| (language.to_string(), image.to_string()));
        recipe.write(&images.into_iter().collect(), None)
    }

    #[test]
    fn the_image_for_agents_has_uv_and_finds_modules() {
        let written = write(&ImageRecipe::named(PYTHON_UV)).unwrap();
        let text = written.dockerfile;
        for line in ["FROM python:3.12-slim", "ENV PYTHONPATH=/app", "WORKDIR /app"] {
            assert!(text.lines().any(|own| own == line), "{text}");
        }
        assert!(text.contains("pip install --no-cache-dir --disable-pip-version-check uv\n"), "{text}");
        assert!(written.context.is_empty());
    }

    #[test]
    fn packages_are_installed_when_it_is_built() {
        let packages =
            PackageRequest { requirements: vec!["Six>=1".into(), "idna".into()], ..Default::default() };
        let recipe = ImageRecipe { base: Some("debian:12".into()), packages, ..ImageRecipe::named("own:1") };
        let written = write(&recipe).unwrap();
        assert!(written.dockerfile.starts_with("FROM debian:12\n"));
        assert!(written.dockerfile.contains("-r /tmp/formicary/requirements.txt --only-binary :all:"));
        assert_eq!(written.context, [("requirements.txt".to_string(), b"idna\nsix>=1\n".to_vec())]);
    }

    #[test]
    fn names_cannot_carry_instructions() {
        for name in ["a\nRUN x", "", "a b", "formicary", "formicary:x", "-x"] {
            assert!(write(&ImageRecipe::named(name)).is_err(), "{name:?}");
        }
        let bad_base = ImageRecipe { base: Some("x\nRUN y".into()), ..ImageRecipe::named("own") };
        assert!(write(&bad_base).is_err());
    }
}
