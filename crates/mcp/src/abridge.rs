//! Long texts and lists cut to a bound: a model pays for every character, and the middle of a flood tells it little.

use serde_json::{Map, Value};

/// Characters of one text that an answer holds.
pub(crate) const TEXT: usize = 8_000;
/// Entries of one list.
pub(crate) const LIST: usize = 100;
/// Bytes of a structured answer: with its text it stays below 40,000.
const WHOLE: usize = 32_000;

/// Head and tail of a text, with a line between that says how much is missing; the same text where it is short.
pub(crate) fn text(text: &str, most: usize) -> Option<String> {
    if text.len() <= most {
        return None;
    }
    let head = floor(text, most / 8 * 5);
    let tail = ceiling(text, text.len() - most / 8 * 3);
    let left_out = tail.saturating_sub(head);
    Some(format!("{}\n… {left_out} bytes left out …\n{}", &text[..head], &text[tail..]))
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceiling(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// The value within the bounds, and whether anything is missing. Under `omitted` stands how many entries of which list are
/// left out.
pub(crate) fn value(whole: &Value) -> (Value, bool) {
    let (mut longest, mut most) = (TEXT, LIST);
    loop {
        let mut short = whole.clone();
        let mut omitted = Map::new();
        let cut = cut(&mut short, "", longest, most, &mut omitted);
        if let Value::Object(fields) = &mut short
            && !omitted.is_empty()
        {
            fields.insert("omitted".into(), Value::Object(omitted));
        }
        if most <= 3 || short.to_string().len() <= WHOLE {
            return (short, cut);
        }
        (longest, most) = (longest * 2 / 3, most * 2 / 3);
    }
}

fn cut(value: &mut Value, at: &str, longest: usize, most: usize, omitted: &mut Map<String, Value>) -> bool {
    match value {
        Value::String(string) => match text(string, longest) {
            Some(short) => {
                *string = short;
                true
            }
            None => false,
        },
        Value::Array(list) => {
            let missing = list.len().saturating_sub(most);
            if missing > 0 {
                list.truncate(most);
                omitted.insert(at.to_owned(), missing.into());
            }
            let inner = format!("{at}[]");
            list.iter_mut().fold(missing > 0, |any, item| cut(item, &inner, longest, most, omitted) || any)
        }
        Value::Object(fields) => fields.iter_mut().fold(false, |any, (key, item)| {
            let inner = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
            cut(item, &inner, longest, most, omitted) || any
        }),
        _ => false,
    }
}

/// An object of the fields that say something: neither absent nor empty.
pub(crate) fn said<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let says = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    };
    let fields = fields.into_iter().filter(|(_, value)| says(value));
    Value::Object(fields.map(|(name, value)| (name.to_owned(), value)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_says_nothing_is_left_out() {
        let fields =
            [("a", json!(0)), ("b", json!("")), ("c", json!([])), ("d", json!(false)), ("e", json!(null))];
        assert_eq!(said(fields), json!({ "a": 0 }));
    }

    #[test]
    fn texts_keep_head_and_tail() {
        assert_eq!(text("short", 10), None);
        let long = format!("BEGIN{}END", "ü".repeat(10_000));
        let short = text(&long, 800).unwrap();
        assert!(short.starts_with("BEGIN") && short.ends_with("END"), "{short}");
        assert!(short.len() < 850 && short.contains("bytes left out"), "{}", short.len());
    }

    #[test]
    fn values_are_bounded_whatever_they_hold() {
        let (same, cut) = value(&json!({"a": [1, 2], "b": "x"}));
        assert_eq!((same, cut), (json!({"a": [1, 2], "b": "x"}), false));
        let many: Vec<Value> =
            (0..5_000).map(|i| json!({"file": format!("{i}"), "text": "y".repeat(500)})).collect();
        let (short, cut) = value(&json!({"matches": many}));
        assert!(cut);
        assert!(short.to_string().len() <= WHOLE, "{}", short.to_string().len());
        let shown = short["matches"].as_array().unwrap().len();
        assert_eq!(short["omitted"]["matches"], json!(5_000 - shown));
    }
}
