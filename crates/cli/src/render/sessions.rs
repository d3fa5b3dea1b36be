//! Sessions, their files and their cells for people.

use super::table::Table;
use crate::terminal::{self, BAD, CAUTION, FAINT};
use formicary_model::visible::one_line;
use formicary_model::{CellResult, MimeBundle, SessionFile, SessionInfo, Status, Stream};
use formicary_platform::config::units::show_bytes;
use std::io::{self, Write as _};

/// The sessions as a table.
pub fn list(sessions: &[SessionInfo]) -> String {
    if sessions.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["SESSION", "LANGUAGE", "STATE", "CELLS", "AGE", "IDLE", "MEMORY"]);
    for session in sessions {
        table.row([
            session.id.as_str().into(),
            session.language.as_str().into(),
            session.state.word().into(),
            session.execution_count.to_string().into(),
            format!("{:.0} s", session.age).into(),
            format!("{:.0} s", session.idle).into(),
            session.memory.map(|bytes| show_bytes(bytes as f64)).unwrap_or_default().into(),
        ]);
    }
    table.render()
}

/// The files as a table.
pub fn files(files: &[SessionFile]) -> String {
    if files.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["SIZE", "FILE"]);
    for file in files {
        table.row([show_bytes(file.size as f64).into(), file.path.as_str().into()]);
    }
    table.render()
}

/// A piece of a cell's output, byte for byte.
pub fn piece(stream: Stream, bytes: &[u8]) -> io::Result<()> {
    match stream {
        Stream::Stdout => {
            let mut out = io::stdout().lock();
            out.write_all(bytes)?;
            out.flush()
        }
        Stream::Stderr => io::stderr().lock().write_all(bytes),
    }
}

/// A cell whose output was shown as it came: its displays and value as text, and why it failed.
pub fn show(result: &CellResult, written: bool) -> io::Result<()> {
    {
        let mut out = io::stdout().lock();
        for bundle in &result.displays {
            shown(&mut out, bundle, written)?;
        }
        if let Some(value) = &result.value {
            shown(&mut out, value, written)?;
        }
        out.flush()?;
    }
    // A stderr that is gone changes nothing about the cell.
    let mut err = io::stderr().lock();
    if let Some(compile) = &result.compile {
        let _ = write!(err, "{}{}", compile.stdout, compile.stderr);
    }
    match &result.exception {
        Some(exception) => drop(writeln!(err, "{}", exception.traceback.trim_end())),
        None if result.status == Status::NonzeroExit && !result.state_lost => {}
        None => drop(err),
    }
    if result.state_lost || !matches!(result.status, Status::Success | Status::NonzeroExit) {
        let why = result.error_message.as_deref().unwrap_or_default();
        let style = if result.state_lost { CAUTION } else { BAD };
        let _ = writeln!(
            terminal::stderr(),
            "{FAINT}formicary:{FAINT:#} {style}{}{style:#}: {}",
            result.status,
            one_line(why)
        );
    }
    Ok(())
}

fn shown(out: &mut impl io::Write, bundle: &MimeBundle, written: bool) -> io::Result<()> {
    let picture = bundle.iter().find(|(mime, _)| mime.starts_with("image/"));
    match (bundle.get("text/plain"), picture) {
        (_, Some((mime, data))) if !written => {
            writeln!(out, "[{mime}, {} characters of base64: --out DIR writes it, --json has it]", data.len())
        }
        (Some(text), _) => writeln!(out, "{text}"),
        _ => Ok(()),
    }
}
