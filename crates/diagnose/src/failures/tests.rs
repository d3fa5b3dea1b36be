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

/// What a report of pytest gives: the types, the lines and the functions of its errors.
fn of_pytest(report: &str) -> Vec<(String, Option<u32>, String)> {
    let diagnosis = of_text(&Said::of(report.as_bytes()), None, &[]);
    assert_eq!(diagnosis.language.as_deref(), Some("python"));
    let error = |error: &ErrorDiagnosis| {
        let line = error.place.as_ref().map(|place| place.line);
        (error.error_type.clone(), line, error.message.lines().next().unwrap_or_default().to_owned())
    };
    diagnosis.errors.iter().map(error).collect()
}

const FAILURES: [(&str, u32, &str); 11] = [
    ("FixtureLookupError", 18, "fixture 'nosuch' not found"),
    ("AssertionError", 6, "assert [1, 2, 3] == [1, 2, 4]"),
    ("ZeroDivisionError", 2, "division by zero"),
    ("test_a.Own", 10, "bad"),
    ("ValueError", 12, ""),
    ("RuntimeError", 17, "wrapped"),
    ("AssertionError", 20, "they differ"),
    ("Failed", 23, "DID NOT RAISE ValueError"),
    ("AssertionError", 27, "1 != 2"),
    ("AssertionError", 29, "assert {'a': 1} == {'a': 2}"),
    ("AssertionError", 31, "assert not 1.0"),
];

#[test]
fn reports_of_pytest_are_read_in_every_style() {
    let expected = FAILURES.map(|(kind, line, message)| (kind.to_owned(), Some(line), message.to_owned()));
    for (style, report) in [
        ("long", include_str!("../../tests/samples/pytest/long.txt")),
        ("short", include_str!("../../tests/samples/pytest/short.txt")),
        ("line", include_str!("../../tests/samples/pytest/line.txt")),
    ] {
        let mut expected = expected.clone();
        // A line alone names the place inside unittest, which is not the user's.
        expected[8].1 = expected[8].1.filter(|_| style != "line");
        assert_eq!(of_pytest(report), expected, "{style}");
    }
    let collection = of_pytest(include_str!("../../tests/samples/pytest/collection.txt"));
    assert_eq!(
        collection[0],
        ("ModuleNotFoundError".into(), Some(1), "No module named 'nosuchmodule'".into())
    );
    assert_eq!(collection[1], ("SyntaxError".into(), Some(1), "invalid syntax".into()));
    assert_eq!(collection.len(), 2);
    let summary = of_pytest(include_str!("../../tests/samples/pytest/summary.txt"));
    assert_eq!(summary.len(), FAILURES.len());
    assert_eq!(summary[1], ("ZeroDivisionError".into(), None, "division by zero".into()));
}

#[test]
fn a_report_of_pytest_has_its_chain_and_its_stack() {
    let report = include_str!("../../tests/samples/pytest/long.txt");
    let source = SourceText { path: "test_a.py".into(), text: "x\n".repeat(31) };
    let diagnosis = of_text(&Said::of(report.as_bytes()), None, &[source]);
    let of = |kind: &str| diagnosis.errors.iter().find(|error| error.error_type == kind).unwrap();
    let cause = &of("RuntimeError").causes[0];
    assert_eq!((cause.error_type.as_str(), cause.place.as_ref().unwrap().line), ("KeyError", 15));
    let lines: Vec<_> = of("ZeroDivisionError").stack.iter().map(|frame| frame.line).collect();
    assert_eq!(lines, [Some(2), Some(8)]);
    assert!(of("test_a.Own").message.contains("second"), "{}", of("test_a.Own").message);
}
