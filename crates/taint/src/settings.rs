//! Settings files: what code reads from them by key is known as far as the project's own files tell.

use super::calls::Site;
use super::engine::Engine;
use super::value::{Key, Setting, Value};
use formicary_model::Language;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The values of each key, over all settings files of a project.
pub type Settings = BTreeMap<String, BTreeSet<String>>;

impl Engine<'_, '_, '_> {
    /// `properties.getProperty("key", "otherwise")`, where the program itself has not set that key.
    pub(super) fn setting(&mut self, site: &Site<'_, '_>, arguments: &[Value]) -> Option<Value> {
        let of_bundle = || site.qualifier.as_deref().is_some_and(|kind| kind.ends_with("ResourceBundle"));
        let asks = site.word == "getProperty" || site.word == "getString" && of_bundle();
        if self.language != Language::Java || !asks || arguments.len() > 2 {
            return None;
        }
        let holder = site.receiver.as_ref()?;
        let first = arguments.first()?;
        let (key, place) = (first.as_text()?, Key::of(first)?);
        let is_set = holder
            .objects
            .iter()
            .any(|id| self.state.heap.get(id).is_some_and(|object| object.fields.contains_key(&place)));
        if is_set {
            return None;
        }
        let mut value = self.member(holder, Some(&place));
        let otherwise = arguments.get(1).and_then(Value::as_text);
        if let Some(second) = arguments.get(1) {
            value.taint.absorb(&second.taint);
        }
        value.setting = Some(Rc::new(Setting { key, otherwise }));
        Some(value)
    }
}

/// Reads a file of lines `key = value` as Java writes them.
pub fn read_properties(text: &str, into: &mut Settings) {
    let mut line = String::new();
    for part in text.lines() {
        let part = part.trim_start();
        if line.is_empty() && (part.starts_with(['#', '!']) || part.is_empty()) {
            continue;
        }
        let ends_open = part.len() - part.trim_end_matches('\\').len();
        if ends_open % 2 == 1 {
            line.push_str(&part[..part.len() - 1]);
            continue;
        }
        line.push_str(part);
        let (key, value) = split(&line);
        into.entry(key).or_default().insert(value);
        line.clear();
    }
}

/// The key ends at the first `=`, `:` or blank that is not escaped.
fn split(line: &str) -> (String, String) {
    let mut escaped = false;
    let end = line.find(|char: char| {
        let ends = !escaped && (matches!(char, '=' | ':') || char.is_whitespace());
        escaped = !escaped && char == '\\';
        ends
    });
    let (key, rest) = line.split_at(end.unwrap_or(line.len()));
    let rest = rest.trim_start();
    let rest = rest.strip_prefix(['=', ':']).unwrap_or(rest);
    (key.replace('\\', ""), rest.trim_start().replace('\\', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties() {
        let text = "# no\n! no\nhash=MD5\n cipher : DES/ECB/PKCS5Padding\nlong = a\\\n   b\nempty\nodd\\=key value\nhash=SHA-256\n";
        let mut settings = Settings::new();
        read_properties(text, &mut settings);
        let flat: Vec<(&str, Vec<&str>)> = settings
            .iter()
            .map(|(key, values)| (key.as_str(), values.iter().map(String::as_str).collect()))
            .collect();
        assert_eq!(
            flat,
            [
                ("cipher", vec!["DES/ECB/PKCS5Padding"]),
                ("empty", vec![""]),
                ("hash", vec!["MD5", "SHA-256"]),
                ("long", vec!["ab"]),
                ("odd=key", vec!["value"]),
            ]
        );
    }
}
