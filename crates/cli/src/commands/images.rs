//! `formicary images`.

use crate::arguments::GlobalArguments;
use crate::arguments::images::{BuildArguments, ImageArguments, ImageVerb};
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::render::table::{Cell, Table};
use crate::terminal::{self, FAINT, GOOD};
use formicary_platform::config::units::show_bytes;
use formicary_platform::images::{ImageRecipe, ImageReport, PruneImages};
use formicary_platform::{Platform, StockedImage};
use std::io::Write as _;
use std::path::Path;

/// Shows, fetches, builds or removes images.
pub fn run(arguments: &ImageArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    match arguments.verb.as_ref().unwrap_or(&ImageVerb::List) {
        ImageVerb::List => {
            let report = platform.images()?;
            tell(global, &report, || listed(&report))?;
        }
        ImageVerb::Pull { images } => {
            let mut names = Vec::new();
            for word in images {
                names.push(platform.pull_image(word, &mut |said| step(global, said))?);
            }
            tell(global, &names, || names.iter().map(|name| format!("{name}\n")).collect())?;
        }
        ImageVerb::Build(arguments) => {
            build(arguments, &platform, sources.working_folder.as_deref(), global)?
        }
        ImageVerb::Prune { all } => {
            let gone = platform.prune_images(if *all { PruneImages::All } else { PruneImages::Internal })?;
            tell(global, &gone, || format!("removed {} images\n", gone.len()))?;
        }
    }
    Ok(0)
}

fn build(
    arguments: &BuildArguments,
    platform: &Platform,
    base: Option<&Path>,
    global: &GlobalArguments,
) -> Result<(), Stop> {
    let recipe = ImageRecipe {
        base: arguments.base.clone(),
        packages: arguments.packages.request(base)?,
        ..ImageRecipe::named(arguments.name.clone())
    };
    if arguments.print {
        let dockerfile = platform.dockerfile(&recipe)?;
        return tell(global, &dockerfile, || dockerfile.clone());
    }
    let built = platform.build_image(&recipe, &mut |said| step(global, said))?;
    tell(global, &built, || format!("{}\n", recipe.name))
}

fn tell(
    global: &GlobalArguments,
    value: &impl serde::Serialize,
    text: impl FnOnce() -> String,
) -> Result<(), Stop> {
    if global.json {
        terminal::print_json(value)?
    } else {
        terminal::print(&text())?
    }
    Ok(())
}

/// What the engine says on the way, where a person looks on.
fn step(global: &GlobalArguments, said: &str) {
    if !global.json && terminal::stderr_is_terminal() {
        // A stderr that is gone changes nothing.
        let _ = writeln!(terminal::stderr(), "{FAINT}{}{FAINT:#}", terminal::printable(said));
    }
}

fn listed(report: &ImageReport) -> String {
    let mut table = Table::new(&["LANGUAGE", "IMAGE", "HERE", "SIZE"]);
    let size = |image: &StockedImage| show_bytes(image.bytes as f64);
    for default in &report.defaults {
        let here = default.here.as_ref().map_or_else(|| Cell::from("no"), |_| Cell::styled("yes", GOOD));
        let bytes = default.here.as_ref().map(size).unwrap_or_default();
        table.row([default.language.as_str().into(), default.image.as_str().into(), here, bytes.into()]);
    }
    let mut text = table.render();
    if !report.ours.is_empty() {
        let mut table = Table::new(&["MADE BY FORMICARY", "AS", "SIZE"]);
        for image in &report.ours {
            let made_as = image.made_as.clone().unwrap_or_default();
            table.row([image.names.join(" ").into(), made_as.into(), size(image).into()]);
        }
        text.push_str(&format!("\n{}", table.render()));
    }
    text
}
