//! What a stranger's text may look like where people read it: a file's name, a message or code must not steer a terminal, hide
//! a part of itself, or look like other text.
//!
//! Every report and every line on a terminal goes through one of these. Where a format has an escape of its own, as JSON and
//! HTML have, nothing is lost.

/// Whether a character shows nothing itself but changes how others are seen: it turns the direction of writing, joins or
/// separates without width, ends a line, or is a tag. With these, code and names look like other code and names.
pub const fn is_hidden(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

fn is_plain(character: char) -> bool {
    !character.is_control() && !is_hidden(character)
}

fn escaped(text: &str, is_kept: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_kept(character) {
            shown.push(character);
        } else {
            shown.extend(character.escape_default());
        }
    }
    shown
}

/// Text on one line: control characters, line breaks among them, and hidden ones as `\u{…}`.
pub fn one_line(text: &str) -> String {
    escaped(text, is_plain)
}

/// Text that keeps its line breaks and tabs; every other control character and hidden ones as `\u{…}`.
pub fn lines(text: &str) -> String {
    escaped(&text.replace("\r\n", "\n"), |character| matches!(character, '\n' | '\t') || is_plain(character))
}

/// Text that means nothing but itself to a browser or to a reader of XML, in elements and in quoted attributes; lines as
/// [`lines`] has them.
pub fn markup(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in lines(text).chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // XML has no form for these at all.
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

/// The same on one line, for attributes of XML: a reader would make a space of a line break.
pub fn attribute(text: &str) -> String {
    markup(text).replace('\n', "&#10;")
}

/// JSON text that means the same and shows everything that it holds: what is hidden or steers stands in its strings as
/// `\uXXXX`.
pub fn json(text: String) -> String {
    let is_kept = |character: char| character == '\n' || is_plain(character);
    if text.chars().all(is_kept) {
        return text;
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_kept(character) {
            shown.push(character);
        } else {
            let mut units = [0; 2];
            character
                .encode_utf16(&mut units)
                .iter()
                .for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIDDEN: [char; 10] = [
        '\u{202e}',
        '\u{2066}',
        '\u{200f}',
        '\u{61c}',
        '\u{200b}',
        '\u{feff}',
        '\u{2028}',
        '\u{e0041}',
        '\u{9b}',
        '\u{7f}',
    ];

    #[test]
    fn nothing_steers_or_hides() {
        for (text, shown) in [
            ("plain é 漢 👍 e\u{301}", "plain é 漢 👍 e\u{301}"),
            ("\u{1b}[31m", "\\u{1b}[31m"),
            ("a\nb\tc", "a\\nb\\tc"),
            ("evil\u{202e}yp.exe", "evil\\u{202e}yp.exe"),
        ] {
            assert_eq!(one_line(text), shown);
        }
        assert_eq!(lines("a\n\tb\r\u{202e}\r\n"), "a\n\tb\\r\\u{202e}\n");
        assert_eq!(
            markup("<a b='\"&'>\u{1b}\n\u{ffff}"),
            "&lt;a b=&#39;&quot;&amp;&#39;&gt;\\u{1b}\n\u{fffd}"
        );
        for hidden in HIDDEN {
            let text = format!("a{hidden}b");
            for shown in [one_line(&text), lines(&text), markup(&text)] {
                assert_eq!(shown, format!("a{}b", hidden.escape_unicode()));
            }
        }
    }

    #[test]
    fn json_shows_what_it_holds_and_means_the_same() {
        let value: Vec<String> = HIDDEN.iter().map(|hidden| format!("é{hidden}\n")).collect();
        let text = serde_json::to_string_pretty(&value).unwrap();
        let shown = json(text);
        assert!(shown.chars().all(|character| character == '\n' || is_plain(character)), "{shown}");
        assert!(shown.contains("\\u202e") && shown.contains('é'), "{shown}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&shown).unwrap(), value);
        assert_eq!(json("[\n \"a\"]".into()), "[\n \"a\"]");
    }
}
