//! `formicary exit-codes`.

use crate::arguments::GlobalArguments;
use crate::failure::Stop;
use crate::render::table::Table;
use crate::terminal;
use formicary_platform::exit;

/// Prints the table of how things end.
pub fn run(global: &GlobalArguments) -> Result<u8, Stop> {
    if global.json {
        terminal::print_json(&exit::TABLE)?;
        return Ok(0);
    }
    terminal::print(&table())?;
    Ok(0)
}

/// The table as text, with styles; the verb's help shows it too.
pub fn table() -> String {
    let mut table = Table::new(&["CODE", "MEANING"]);
    for row in exit::TABLE {
        table.row([row.code.into(), row.meaning.into()]);
    }
    table.render()
}
