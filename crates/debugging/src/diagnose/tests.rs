//! Pasted logs: recognised, read, bounded.

use super::*;

#[test]
fn every_pattern_of_the_tables_is_sound() {
    for language in Language::ALL {
        for row in reader(language).known.iter().flat_map(|table| table.iter()) {
            raw::pattern(row.says);
        }
    }
    verdicts::KNOWN.iter().for_each(|row| drop(raw::pattern(row.says)));
}

#[test]
fn nothing_and_noise_are_no_errors() {
    for (text, note) in [("", "empty"), ("all is well\n", "no error")] {
        let diagnosis = of_text(&Said::of(text.as_bytes()), None, &[]);
        assert!(diagnosis.errors.is_empty(), "{text}");
        assert!(diagnosis.notes.iter().any(|told| told.contains(note)), "{:?}", diagnosis.notes);
    }
    let noise: Vec<u8> = (0..200_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
    for language in Language::ALL.map(Some).into_iter().chain([None]) {
        of_text(&Said::of(&noise), language, &[]);
    }
}

#[test]
fn an_error_after_a_flood_is_found() {
    let mut said = Said::default();
    for _ in 0..100 {
        said.add("a line of a long log\n".repeat(50_000).as_bytes());
    }
    said.add(b"Traceback (most recent call last):\n  File \"app.py\", line 3, in f\n    x\nKeyError: 'k'\n");
    let diagnosis = of_text(&said, None, &[]);
    let error = diagnosis.main().unwrap();
    assert_eq!((error.error_type.as_str(), error.category), ("KeyError", ErrorCategory::Key));
    assert_eq!(error.place.as_ref().unwrap().line, 3);
    assert!(!diagnosis.notes.is_empty());
}

#[test]
fn the_same_error_has_the_same_fingerprint_when_lines_move() {
    let trace = |line: u32, address: &str| {
        format!(
            "Traceback (most recent call last):\n  File \"a.py\", line {line}, in f\nTypeError: bad object at {address}\n"
        )
    };
    let source = |above: usize| {
        vec![SourceText { path: "a.py".into(), text: format!("{}g(x)\n", "#\n".repeat(above)) }]
    };
    let print = |line: u32, address: &str| {
        let said = Said::of(trace(line, address).as_bytes());
        of_text(&said, None, &source(line as usize - 1)).main().unwrap().fingerprint.clone()
    };
    assert_eq!(print(3, "0x7fabc"), print(9, "0x8123f"));
    let other = of_text(&Said::of(trace(3, "0x1").replace("bad", "good").as_bytes()), None, &source(2));
    assert_ne!(print(3, "0x1"), other.main().unwrap().fingerprint);
}
