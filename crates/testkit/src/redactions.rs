//! What differs from run to run, replaced by a word, so that the rest of an output can be compared whole.

/// Replaces durations, process ids, run identifiers and temporary folders.
pub fn redact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let words: Vec<String> = line.split(' ').map(redact_word).collect();
        out.push_str(&words.join(" "));
    }
    out
}

fn redact_word(word: &str) -> String {
    let core = word.trim_matches(|c: char| "\"',;()[]".contains(c));
    let replaced = if core.is_empty() {
        return word.to_owned();
    } else if core.starts_with("/tmp/") || core.starts_with("/var/tmp/") {
        "[TEMP]"
    } else if is_quantity(core, &["ms", "µs", "s"]) {
        "[TIME]"
    } else if is_quantity(core, &["KiB", "MiB", "GiB"]) {
        "[SIZE]"
    } else if core.len() >= 16 && core.chars().all(|c| c.is_ascii_hexdigit() || c == '-') {
        "[ID]"
    } else {
        return word.to_owned();
    };
    word.replace(core, replaced)
}

fn is_quantity(word: &str, units: &[&str]) -> bool {
    units
        .iter()
        .filter_map(|unit| word.strip_suffix(unit))
        .any(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_is_replaced_and_what_stays_is_kept() {
        for (before, after) in [
            ("success in 12.5ms, 8MiB", "success in [TIME], [SIZE]"),
            ("run 0123456789abcdef0123: ok", "run 0123456789abcdef0123: ok"),
            ("run 0123456789abcdef0123 ok", "run [ID] ok"),
            ("see \"/tmp/x/y\"\nlast", "see \"[TEMP]\"\nlast"),
            ("plain words", "plain words"),
        ] {
            assert_eq!(redact(before), after);
        }
    }
}
