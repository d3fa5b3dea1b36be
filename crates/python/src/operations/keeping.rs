//! What Formicary keeps and how it is set: images, caches, the configuration, the audit log.

use super::{Core, read, written};
use formicary_model::Failure;
use formicary_platform::Cancel;
use formicary_platform::audit::Filter;
use formicary_platform::audit::time::Moment;
use formicary_platform::images::{ImageRecipe, PruneImages};
use formicary_platform::packages::{Prune, list};
use serde::Deserialize;

pub(super) fn images(core: &Core, _: &str, _: &Cancel) -> Result<String, Failure> {
    written(&core.platform.images()?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
}

/// Fetches an image, or the default one of a language; its name.
pub(super) fn pull_image(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: Named = read(text)?;
    written(&core.platform.pull_image(&asked.name, &mut |_| {})?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recipe {
    name: String,
    base: Option<String>,
    requirements: Vec<String>,
    from_source: bool,
    uv: bool,
}

/// Builds an image with packages in it.
pub(super) fn build_image(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: Recipe = read(text)?;
    let packages = list::read(&asked.requirements, asked.from_source, Some(&core.working_folder(None)?))?;
    let named = ImageRecipe::named(asked.name);
    let recipe = ImageRecipe { base: asked.base, packages, with_uv: asked.uv || named.with_uv, ..named };
    written(&core.platform.build_image(&recipe, &mut |_| {})?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HowMuch {
    all: bool,
}

pub(super) fn prune_images(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: HowMuch = read(text)?;
    written(&core.platform.prune_images(if asked.all { PruneImages::All } else { PruneImages::Internal })?)
}

pub(super) fn cache(core: &Core, _: &str, _: &Cancel) -> Result<String, Failure> {
    written(&core.platform.cache())
}

pub(super) fn prune_cache(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: HowMuch = read(text)?;
    written(&core.platform.prune_cache(if asked.all { Prune::All } else { Prune::Excess }))
}

pub(super) fn config(core: &Core, _: &str, _: &Cancel) -> Result<String, Failure> {
    written(core.platform.configuration())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Records {
    since: Option<String>,
    until: Option<String>,
    caller: Option<String>,
    tenant: Option<String>,
    language: Option<String>,
    status: Option<String>,
    run_id: Option<String>,
    text: Option<String>,
    most: usize,
}

/// Records of the audit log, latest first.
pub(super) fn audit(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: Records = read(text)?;
    let moment =
        |text: Option<String>| text.map(|text| Moment::read(&text).map(|moment| moment.0)).transpose();
    let filter = Filter {
        since_ms: moment(asked.since)?,
        until_ms: moment(asked.until)?,
        caller: asked.caller,
        tenant: asked.tenant,
        language: asked.language,
        status: asked.status,
        run_id: asked.run_id,
        text: asked.text,
        ..Filter::default()
    };
    written(&core.platform.audit_query(&filter, asked.most)?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    expected: Vec<String>,
}

/// Whether the audit log is whole.
pub(super) fn verify_audit(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: Expected = read(text)?;
    written(&core.platform.audit_verify(&asked.expected)?)
}
