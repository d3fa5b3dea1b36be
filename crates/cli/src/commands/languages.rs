//! `formicary languages`.

use crate::arguments::GlobalArguments;
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::render::table::{Cell, Table};
use crate::terminal::{self, BAD, GOOD};
use formicary_platform::{Availability, LanguageStatus};

/// Prints every language and whether it can run here.
pub fn run(global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, _) = door::platform(global, Warnings::Told)?;
    let languages = platform.languages();
    if global.json {
        terminal::print_json(&languages)?;
    } else {
        terminal::print(&table(&languages).render())?;
    }
    Ok(0)
}

/// The languages as a table; the doctor shows it too.
pub fn table(languages: &[LanguageStatus]) -> Table {
    let mut table = Table::new(&["LANGUAGE", "HERE", "ALIASES", "FILES", "PROGRAM OR REMEDY"]);
    for language in languages {
        let (here, detail) = match &language.availability {
            Availability::Available { program } => (Cell::styled("yes", GOOD), program.clone()),
            Availability::Missing { why, remedy } => (Cell::styled("no", BAD), format!("{why}; {remedy}")),
        };
        let files: Vec<_> = language.extensions.iter().map(|extension| format!(".{extension}")).collect();
        table.row([
            language.id.as_str().into(),
            here,
            language.aliases.join(" ").into(),
            files.join(" ").into(),
            detail.into(),
        ]);
    }
    table
}
