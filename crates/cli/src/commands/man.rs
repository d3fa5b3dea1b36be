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
    let write = |name: &str, command: &clap::Command| -> Result<(), Stop> {
        Ok(std::fs::write(folder.join(format!("{name}.1")), page(command)?).map_err(cannot)?)
    };
    write("formicary", &command)?;
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        write(&format!("formicary-{}", verb.get_name()), verb)?;
    }
    Ok(0)
}

fn page(command: &clap::Command) -> Result<Vec<u8>, Stop> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}
