//! `formicary languages`.

use crate::arguments::GlobalArguments;
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::render::table::{Cell, Table};
use crate::terminal::{self, BAD, GOOD};
use formicary_model::NoInput;
use formicary_platform::operation::Languages;
use formicary_platform::{Availability, LanguageStatus};

/// Prints every language and whether it can run here.
pub fn run(global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let languages = platform.perform::<Languages>(&door::context(&sources), NoInput {})?;
    let languages: Vec<_> = languages.into_iter().map(|language| language.0).collect();
    terminal::show(global.json, &languages, || table(&languages).render())?;
    Ok(0)
}

/// The languages as a table.
fn table(languages: &[LanguageStatus]) -> Table {
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
