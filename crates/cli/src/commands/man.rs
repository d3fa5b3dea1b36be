//! `formicary man [DIR]`.

use crate::arguments::CommandLine;
use crate::failure::{Stop, invalid};
use clap::CommandFactory as _;
use std::io::Write as _;
use std::path::Path;

/// Prints the main page, or writes a page for each verb.
pub fn run(folder: Option<&Path>) -> Result<u8, Stop> {
    let mut command = CommandLine::command();
    let Some(folder) = folder else {
        let page = page(&command)?;
        let mut out = std::io::stdout().lock();
        out.write_all(&page)?;
        out.flush()?;
        return Ok(0);
    };
    let cannot = |error: std::io::Error| {
        let message = format!("cannot write manual pages to {}: {error}", folder.display());
        invalid(message, "give a folder that you may write")
    };
    std::fs::create_dir_all(folder).map_err(cannot)?;
    command.build();
    for (name, command) in pages("formicary".into(), &command) {
        std::fs::write(folder.join(format!("{name}.1")), page(command)?).map_err(cannot)?;
    }
    Ok(0)
}

/// A command and its verbs, theirs too, by the names of their pages. What is hidden has none.
fn pages(name: String, command: &clap::Command) -> Vec<(String, &clap::Command)> {
    let verbs = command.get_subcommands().filter(|verb| verb.get_name() != "help" && !verb.is_hide_set());
    let below = verbs.flat_map(|verb| pages(format!("{name}-{}", verb.get_name()), verb)).collect::<Vec<_>>();
    std::iter::once((name, command)).chain(below).collect()
}

fn page(command: &clap::Command) -> Result<Vec<u8>, Stop> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}
