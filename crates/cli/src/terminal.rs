//! Stdout and stderr: colours where they belong, and errors that a closed pipe gives handed on.

use crate::arguments::Color;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use formicary_model::Failure;
use formicary_model::visible::{self, one_line};
use std::io::{self, IsTerminal as _, StderrLock, StdoutLock, Write as _};

/// Bold, for headings.
pub const HEADING: Style = Style::new().bold();
/// What is well.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// What is not.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// What to look at.
pub const CAUTION: Style = AnsiColor::Yellow.on_default().bold();
/// What stands back.
pub const FAINT: Style = Style::new().dimmed();

/// Makes the choice of colours hold for everything that follows.
pub fn choose_colors(color: Color) {
    let choice = match color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    choice.write_global();
}

/// Stdout for text of ours, styled where it should be.
pub fn stdout() -> AutoStream<StdoutLock<'static>> {
    AutoStream::auto(io::stdout().lock())
}

/// Stderr for text of ours, styled where it should be.
pub fn stderr() -> AutoStream<StderrLock<'static>> {
    AutoStream::auto(io::stderr().lock())
}

/// Whether a person looks at stderr.
pub fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Writes text to stdout, all of it. Renderers show what is a stranger's in it by [`one_line`]; what one forgets steers nothing.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = stdout();
    out.write_all(styled_only(text).as_bytes())?;
    out.flush()
}

/// Writes text for programs to stdout, as it is: there are no styles in it to look for.
pub fn print_data(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Text without its styles, for a file.
pub fn without_styles(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

/// Writes a value as JSON: one line for programs, indented for people.
pub fn print_json(value: &impl serde::Serialize) -> io::Result<()> {
    let mut text = if io::stdout().is_terminal() {
        serde_json::to_string_pretty(value)?
    } else {
        serde_json::to_string(value)?
    };
    text.push('\n');
    print_data(&visible::json(text))
}

/// Prints a result: as JSON for programs, as text for people.
pub fn show(json: bool, value: &impl serde::Serialize, text: impl FnOnce() -> String) -> io::Result<()> {
    if json { print_json(value) } else { print(&text()) }
}

/// Tells a failure to a person: what, and what to do. A stderr that is gone changes nothing.
pub fn tell_failure(failure: &Failure) {
    let mut err = stderr();
    let _ = writeln!(err, "{BAD}error:{BAD:#} {}", one_line(&failure.message));
    if let Some(hint) = &failure.hint {
        tell_hint(hint);
    }
}

/// Tells a warning to a person.
pub fn tell_warning(warning: &str) {
    let _ = writeln!(stderr(), "{CAUTION}warning:{CAUTION:#} {}", one_line(warning));
}

/// Tells what might help.
pub fn tell_hint(hint: &str) {
    let _ = writeln!(stderr(), "{CAUTION}hint:{CAUTION:#} {}", one_line(hint));
}

/// Text in which nothing steers the terminal but line breaks and styles, which end in `m`.
fn styled_only(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut pieces = text.split('\u{1b}');
    safe.push_str(&visible::lines(pieces.next().unwrap_or_default()));
    for piece in pieces {
        let numbers = piece
            .strip_prefix('[')
            .map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';'));
        let is_style = numbers.is_some_and(|rest| rest.starts_with('m'));
        safe.push_str(if is_style { "\u{1b}" } else { "\\u{1b}" });
        safe.push_str(&visible::lines(piece));
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_all_that_steers_the_terminal() {
        let own = format!("{BAD}a{BAD:#}\n\t{HEADING}b{HEADING:#}");
        assert_eq!(styled_only(&own), own);
        assert_eq!(
            styled_only("\u{1b}[2J\u{1b}]0;x\u{7}\u{202e}\u{9b}\r\u{1b}"),
            "\\u{1b}[2J\\u{1b}]0;x\\u{7}\\u{202e}\\u{9b}\\r\\u{1b}"
        );
    }
}
