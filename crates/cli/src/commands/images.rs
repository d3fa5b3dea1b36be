//! `formicary images`.

use crate::arguments::GlobalArguments;
use crate::arguments::images::{ImageArguments, ImageVerb};
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::render::table::{Cell, Table};
use crate::terminal::{self, FAINT, GOOD};
use formicary_model::operation::{BuildImageInput, ImageName, PruneInput};
use formicary_model::visible::one_line;
use formicary_model::{Event, NoInput, Observer, Progress};
use formicary_platform::StockedImage;
use formicary_platform::config::units::show_bytes;
use formicary_platform::images::ImageReport;
use formicary_platform::operation::{BuildImage, ListImages, PruneImageStock, PullImage, recipe};
use std::io::Write as _;

/// Shows, fetches, builds or removes images.
pub fn run(arguments: &ImageArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let steps = Steps { shown: !global.json };
    let context = door::context(&sources).observed(&steps);
    match arguments.verb.as_ref().unwrap_or(&ImageVerb::List) {
        ImageVerb::List => {
            let report = platform.perform::<ListImages>(&context, NoInput {})?.0;
            terminal::show(global.json, &report, || listed(&report))?;
        }
        ImageVerb::Pull { images } => {
            let pull =
                |name: &String| platform.perform::<PullImage>(&context, ImageName { name: name.clone() });
            let names = images.iter().map(pull).collect::<Result<Vec<_>, _>>()?;
            terminal::show(global.json, &names, || names.iter().map(|name| format!("{name}\n")).collect())?;
        }
        ImageVerb::Build(arguments) => {
            let input = BuildImageInput {
                name: arguments.name.clone(),
                base: arguments.base.clone(),
                requirements: arguments.packages.requirements.clone(),
                from_source: arguments.packages.from_source,
                uv: false,
            };
            if arguments.print {
                let dockerfile = platform.dockerfile(&recipe(&context, input)?)?;
                terminal::show(global.json, &dockerfile, || dockerfile.clone())?;
            } else {
                let built = platform.perform::<BuildImage>(&context, input)?;
                terminal::show(global.json, &built, || format!("{}\n", arguments.name))?;
            }
        }
        ImageVerb::Prune { all } => {
            let removed = platform.perform::<PruneImageStock>(&context, PruneInput { all: *all })?;
            terminal::show(global.json, &removed, || format!("removed {} images\n", removed.len()))?;
        }
    }
    Ok(0)
}

/// What the engine says on the way, where a person looks on.
struct Steps {
    shown: bool,
}

impl Observer for Steps {
    fn event(&self, _: &Event) {}

    fn progress(&self, progress: &Progress) {
        if self.shown && terminal::stderr_is_terminal() {
            // A stderr that is gone changes nothing.
            let _ = writeln!(terminal::stderr(), "{FAINT}{}{FAINT:#}", one_line(&progress.what));
        }
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
