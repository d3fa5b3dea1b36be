//! `formicary config`.

use crate::arguments::{ConfigArguments, GlobalArguments};
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::render::table::{Cell, Table};
use crate::terminal::{self, FAINT, GOOD};
use formicary_platform::config::{Configuration, Origin, documentation};

/// Prints every setting with its origin, the files that were looked for, or the reference.
pub fn run(arguments: &ConfigArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    if arguments.reference {
        terminal::print(&documentation::markdown())?;
        return Ok(0);
    }
    let configuration = door::configuration(&door::sources(global), Warnings::Told)?;
    match (arguments.path, global.json) {
        (true, true) => terminal::print_json(&configuration.files)?,
        (true, false) => terminal::print(&files(&configuration).render())?,
        (false, true) => terminal::print_json(&configuration)?,
        (false, false) => terminal::print(&settings(&configuration).render())?,
    }
    Ok(0)
}

fn files(configuration: &Configuration) -> Table {
    let mut table = Table::new(&["LAYER", "FOUND", "FILE"]);
    for file in &configuration.files {
        let found = if file.found { Cell::styled("yes", GOOD) } else { Cell::styled("no", FAINT) };
        table.row([file.layer.into(), found, file.path.display().to_string().into()]);
    }
    table
}

fn settings(configuration: &Configuration) -> Table {
    let mut table = Table::new(&["KEY", "VALUE", "ORIGIN"]);
    let origin = |origin: &Origin| match origin {
        Origin::Default => Cell::styled("default", FAINT),
        other => Cell::styled(other.to_string(), GOOD),
    };
    for setting in &configuration.rows {
        table.row([setting.key.into(), setting.shown.as_str().into(), origin(&setting.origin)]);
    }
    for (language, from) in &configuration.languages {
        let key = format!("languages.{}", language.id);
        table.row([key.into(), language.run.join(" ").into(), origin(from)]);
    }
    table
}
