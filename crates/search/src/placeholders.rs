//! Metavariables, and the identifiers that stand for them while a grammar reads a pattern.
//!
//! No grammar knows `$X`. Each occurrence becomes an identifier that occurs nowhere else in the pattern; every language
//! takes an identifier wherever a metavariable may stand.

/// One occurrence of a metavariable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Variable {
    /// Its name; none for `$_` and `$$$`, which match without being remembered.
    pub name: Option<String>,
    /// Whether it stands for any number of nodes: `$$$REST`.
    pub many: bool,
    /// As it was written.
    pub written: String,
    /// Whether it stands for a whole string, as the module of an import does.
    pub string: bool,
}

/// A text with identifiers in place of its metavariables.
#[derive(Debug)]
pub(crate) struct Replaced {
    /// The text that a grammar can read.
    pub text: String,
    /// The metavariables in the order of the text.
    pub variables: Vec<Variable>,
    mark: String,
    /// Offsets after each placeholder: in the new text, in the written one.
    offsets: Vec<(usize, usize)>,
}

impl Replaced {
    /// Puts identifiers in place of metavariables. `terminator` is added to a metavariable that stands where a statement
    /// would, in languages whose statements must end in it.
    /// With `module_strings`, the module of an import is a string.
    pub fn new(written: &str, terminator: Option<char>, module_strings: bool) -> Self {
        let mut mark = String::from("zqv");
        while written.contains(&mark) {
            mark.push('v');
        }
        let mut replaced = Self {
            text: String::with_capacity(written.len() + 16),
            variables: Vec::new(),
            mark,
            offsets: vec![(0, 0)],
        };
        let mut at = 0;
        for (start, end, mut variable) in variables(written) {
            variable.string =
                module_strings && !variable.many && is_module(&written[..start], &written[end..]);
            replaced.text.push_str(&written[at..start]);
            let number = replaced.variables.len();
            let alone = variable.many && is_alone(&written[..start], &written[end..]);
            let quote = if variable.string { "\"" } else { "" };
            replaced.text.push_str(&format!("{quote}{}{number}q{quote}", replaced.mark));
            if let (true, Some(terminator)) = (alone, terminator) {
                replaced.text.push(terminator);
            }
            replaced.variables.push(variable);
            replaced.offsets.push((replaced.text.len(), end));
            at = end;
        }
        replaced.text.push_str(&written[at..]);
        replaced
    }

    /// The metavariable that an identifier stands for.
    pub fn variable(&self, identifier: &str) -> Option<&Variable> {
        let bare = identifier.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let number = bare.unwrap_or(identifier).strip_prefix(&self.mark)?.strip_suffix('q')?;
        self.variables.get(number.parse::<usize>().ok()?).filter(|variable| variable.string == bare.is_some())
    }

    /// A text with its metavariables as they were written: for strings that merely contain one.
    pub fn restored(&self, text: &str) -> String {
        let mut restored = text.to_owned();
        if text.contains(&self.mark) {
            for (number, variable) in self.variables.iter().enumerate().rev() {
                restored = restored.replace(&format!("{}{number}q", self.mark), &variable.written);
            }
        }
        restored
    }

    /// The byte of the written text that this byte of the new one came from.
    pub fn written_offset(&self, offset: usize) -> usize {
        let last = self.offsets.partition_point(|(new, _)| *new <= offset).saturating_sub(1);
        let (new, written) = self.offsets.get(last).copied().unwrap_or_default();
        written + offset.saturating_sub(new)
    }
}

/// Whether a metavariable between these is the module of an import.
fn is_module(before: &str, after: &str) -> bool {
    let last = before.trim_end().rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
    let ends =
        after.trim_start_matches([' ', '\t']).starts_with([';', '\n', '\r']) || after.trim().is_empty();
    before.ends_with(char::is_whitespace) && ends && matches!(last, "from" | "import")
}

/// A metavariable that nothing stands beside on its line is a statement.
fn is_alone(before: &str, after: &str) -> bool {
    let before = before.trim_end_matches([' ', '\t', '\r']);
    let after = after.trim_start_matches([' ', '\t', '\r']);
    (before.is_empty() || before.ends_with(['{', '}', ';', '\n']))
        && (after.is_empty() || after.starts_with(['}', '\n', '\r']))
        && !(before.is_empty() && after.is_empty())
}

/// The metavariables of a text with their places.
pub(crate) fn variables(text: &str) -> Vec<(usize, usize, Variable)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'$' {
            at += 1;
            continue;
        }
        let dollars = bytes[at..].iter().take_while(|byte| **byte == b'$').count();
        let start = at + dollars;
        let length = bytes[start..].iter().take_while(|byte| is_name_byte(**byte)).count();
        let follows = bytes.get(start + length).copied().unwrap_or(b' ');
        let name = &text[start..start + length];
        let named = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
        let whole = !follows.is_ascii_alphanumeric() && follows < 128;
        at = start + length;
        let many = match dollars {
            1 if named && whole => false,
            3 if (named || name.is_empty()) && whole => true,
            _ => continue,
        };
        let remembered = named && !name.starts_with('_');
        let variable = Variable {
            name: remembered.then(|| name.to_owned()),
            many,
            written: text[start - dollars..at].to_owned(),
            string: false,
        };
        found.push((start - dollars, at, variable));
    }
    found
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metavariables_are_told_from_other_dollars() {
        for (text, expected) in [
            ("f($X, $$$REST)", vec!["$X", "$$$REST"]),
            ("$_ + $$$", vec!["$_", "$$$"]),
            ("$x + $('a') + $Foo", vec![]),
            ("$$A", vec![]),
            ("$X1.$Y_2", vec!["$X1", "$Y_2"]),
        ] {
            let found: Vec<String> = variables(text).into_iter().map(|(_, _, v)| v.written).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn places_lead_back_to_what_was_written() {
        let replaced = Replaced::new("f($X) + ", None, false);
        let plus = replaced.text.find('+').unwrap();
        assert_eq!(replaced.written_offset(plus), 6);
        assert_eq!(replaced.restored(&replaced.text), "f($X) + ");
    }
}
