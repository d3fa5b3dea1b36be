//! Code of every language with bytes flipped, cut off, taken out and doubled: results, never a panic, never for long.
//!
//! A sample of mutants, or ten thousand with `FORMICARY_LONG=1`.

use formicary_lint::rules::RULES;
use formicary_lint::{Options, SourceFile, analyze_project};
use formicary_model::Language;
use formicary_syntax::Dialect;
use formicary_taint::{Settings, analyze};
use std::time::{Duration, Instant};

/// A small generator of numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Some code of each language: the examples of the rules, and the cases of foreign data.
fn seeds() -> Vec<(Language, Vec<String>)> {
    let of = |language: Language| {
        let examples = RULES.iter().flat_map(|rule| rule.info.examples).filter(|(of, ..)| *of == language);
        let mut code: Vec<String> =
            examples.flat_map(|(_, bad, good)| [bad, good].map(|text| (*text).to_owned())).collect();
        let cases = format!("{}/tests/cases/{}.md", env!("CARGO_MANIFEST_DIR"), language.id());
        let cases = std::fs::read_to_string(cases).unwrap_or_default();
        code.extend(cases.split("```").skip(1).step_by(2).map(str::to_owned));
        code.retain(|text| (4..3_000).contains(&text.len()));
        (language, code)
    };
    Language::ALL.into_iter().map(of).collect()
}

fn mutant(seed: &str, numbers: &mut Numbers) -> String {
    let mut bytes = seed.as_bytes().to_vec();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(bytes.len());
        let end = at + numbers.below((bytes.len() - at).min(80));
        match numbers.below(6) {
            0 if at > 0 => bytes.truncate(at),
            1 => bytes[at] ^= 1 << numbers.below(8),
            2 => bytes[at] = b" (){}[]\"':;,.=\n\\\0#/*<>$`"[numbers.below(24)],
            3 => {
                bytes.drain(at..end);
            }
            _ => {
                let more = bytes[at..end].to_vec();
                bytes.splice(at..at, more);
            }
        }
        if bytes.is_empty() {
            bytes.push(b'\n');
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn mutated_code_gives_results() {
    #[expect(clippy::disallowed_methods, reason = "the test command says how much is wanted")]
    let long = std::env::var_os("FORMICARY_LONG").is_some_and(|value| value != "0");
    let wanted = if long { 10_000 } else { 720 };
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut count, mut slowest) = (0, Duration::ZERO);
    let seeds = seeds();
    while count < wanted {
        for (language, code) in &seeds {
            assert!(!code.is_empty(), "{language} has no seeds");
            let dialect = Some(Dialect::of(*language));
            let files: Vec<SourceFile> = (0..8)
                .map(|number| {
                    let text = mutant(&code[numbers.below(code.len())], &mut numbers);
                    SourceFile { path: format!("m{number}"), text, dialect }
                })
                .collect();
            let start = Instant::now();
            let analysis = analyze(&files, &Options::default(), &Settings::new());
            analyze_project(&analysis.files, &Options::default());
            slowest = slowest.max(start.elapsed());
            assert_eq!(analysis.files.len(), files.len());
            count += files.len();
        }
    }
    // Nobody's clock is exact, but no handful of small files may take a minute.
    assert!(slowest < Duration::from_secs(60), "{slowest:?}");
}
