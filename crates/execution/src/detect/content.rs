//! Languages told apart by what the code looks like.

use super::Detection;
use super::markers::{MARKERS, Marker, Test};
use formicary_model::Language;

/// Only this much of the code is looked at: enough to tell, and bounded for hostile input.
const MOST_LINES: usize = 2_000;
const LONGEST_LINE: usize = 400;

/// Points below which nothing is said at all.
const FEWEST_POINTS: f64 = 1.4;

/// The language with the most points, if there are enough of them.
pub fn detect(code: &[u8]) -> Option<Detection> {
    let text = String::from_utf8_lossy(code);
    let mut tally = Tally::default();
    let mut inside_text_block = false;
    for line in text.lines().take(MOST_LINES) {
        let line = line.trim();
        let line = &line[..line.floor_char_boundary(LONGEST_LINE)];
        let quotes = line.matches("\"\"\"").count() + line.matches("'''").count();
        if quotes > 0 {
            tally.add(Language::Python, 1.0, "text blocks");
        }
        let was_inside = inside_text_block;
        inside_text_block ^= quotes % 2 == 1;
        if !was_inside && !is_comment(line) {
            tally.line(line);
        }
    }
    tally.settle()
}

fn is_comment(line: &str) -> bool {
    let hash = line.starts_with('#')
        && !["#include", "#define", "#[", "#!", "#pragma", "#if", "#endif"]
            .iter()
            .any(|p| line.starts_with(p));
    line.is_empty() || hash || line.starts_with("//") || line.starts_with("/*") || line.starts_with("* ")
}

#[derive(Default)]
struct Tally {
    points: [f64; Language::ALL.len()],
    best_marker: [(f64, &'static str); Language::ALL.len()],
    hits: Vec<u8>,
}

impl Tally {
    fn line(&mut self, line: &str) {
        self.hits.resize(MARKERS.len(), 0);
        let blanked = without_strings(line);
        for (index, marker) in MARKERS.iter().enumerate() {
            // The third hit of one marker tells little that the first did not.
            if self.hits[index] < 3 && marker.holds(line, &blanked) {
                let weight = marker.weight / f64::from(1 + self.hits[index]);
                self.hits[index] += 1;
                self.add(marker.language, weight, marker.about);
            }
        }
    }

    fn add(&mut self, language: Language, weight: f64, about: &'static str) {
        let index = position(language);
        self.points[index] += weight;
        if weight > self.best_marker[index].0 {
            self.best_marker[index] = (weight, about);
        }
    }

    fn settle(mut self) -> Option<Detection> {
        // TypeScript is JavaScript with types, C++ is C with more: the smaller language's points count for the
        // larger as soon as the larger shows itself.
        for (larger, smaller) in [(Language::TypeScript, Language::JavaScript), (Language::Cpp, Language::C)]
        {
            let (larger, smaller) = (position(larger), position(smaller));
            if self.points[larger] >= 1.5 {
                self.points[larger] += self.points[smaller];
                self.points[smaller] = 0.0;
            }
        }
        let mut order: Vec<usize> = (0..Language::ALL.len()).collect();
        order.sort_by(|a, b| self.points[*b].total_cmp(&self.points[*a]));
        let (best, second) = (order[0], order[1]);
        let (most, next) = (self.points[best], self.points[second]);
        if most < FEWEST_POINTS {
            return None;
        }
        let margin = (most - next) / most;
        let evidence = most / (most + 1.5);
        Some(Detection {
            language: Language::ALL[best].id().to_string(),
            confidence: ((0.35 + 0.65 * margin) * (0.3 + 0.7 * evidence) * 100.0).round() / 100.0,
            why: format!("the content looks like it: {}", self.best_marker[best].1),
        })
    }
}

fn position(language: Language) -> usize {
    Language::ALL.iter().position(|other| *other == language).unwrap_or_default()
}

impl Marker {
    /// What stands in a string is not code; but a shell's strings are, and some marks are about strings.
    fn holds(&self, line: &str, blanked: &str) -> bool {
        let whole = self.language == Language::Bash || self.test.is_about_strings();
        self.test.holds(if whole { line } else { blanked })
    }
}

/// The line with the content of its strings left out, the quotes kept.
fn without_strings(line: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut open = None;
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match open {
            None => {
                // A lone apostrophe is a lifetime or a word's, not a string's beginning.
                let lifetime = kept.ends_with(['&', '<']) || !characters.as_str().contains('\'');
                let closes = c != '\'' || !lifetime;
                open = Some(c).filter(|c| matches!(c, '"' | '\'' | '`') && closes);
                kept.push(c);
            }
            Some(_) if c == '\\' => drop(characters.next()),
            Some(quote) if c == quote => {
                open = None;
                kept.push(c);
            }
            Some(_) => {}
        }
    }
    kept
}

/// `const name: …` and its kin.
fn annotated_variable(line: &str) -> bool {
    let rest = ["const ", "let ", "var ", "export const "].iter().find_map(|start| line.strip_prefix(start));
    let name_ends = |rest: &str| rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    let Some((rest, end)) = rest.and_then(|rest| name_ends(rest).map(|end| (rest, end))) else {
        return false;
    };
    let Some(kind) = rest[end..].strip_prefix(": ") else { return false };
    // Rust writes the same, with types of its own.
    let rust = [
        "&", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "usize", "f32", "f64", "Vec<", "String",
        "Hash",
    ];
    end > 0 && !rust.iter().any(|own| kind.starts_with(own))
}

impl Test {
    fn is_about_strings(self) -> bool {
        let quoted = |text: &str| text.contains(['"', '\'', '`']);
        match self {
            Self::Is(a) | Self::Starts(a) | Self::Ends(a) | Self::Has(a) | Self::Word(a) | Self::Call(a) => {
                quoted(a)
            }
            Self::StartsEnds(a, b) | Self::StartsHas(a, b) => quoted(a) || quoted(b),
            Self::StartsHasEnds(a, b, c) => quoted(a) || quoted(b) || quoted(c),
            Self::StartsWithout(..) => true,
            Self::Annotation(_) | Self::AnnotatedVariable | Self::ShellAssignment => false,
        }
    }

    fn holds(self, line: &str) -> bool {
        match self {
            Self::Is(text) => line == text,
            Self::Starts(text) => line.starts_with(text),
            Self::Ends(text) => line.ends_with(text),
            Self::Has(text) => line.contains(text),
            Self::Word(word) => has_word(line, word),
            Self::StartsEnds(start, end) => line.starts_with(start) && line.ends_with(end),
            Self::StartsHas(start, part) => line.starts_with(start) && line[start.len()..].contains(part),
            Self::StartsHasEnds(start, part, end) => {
                line.starts_with(start) && line.contains(part) && line.ends_with(end)
            }
            Self::StartsWithout(start, absent) => {
                line.starts_with(start) && !absent.iter().any(|part| line.contains(part))
            }
            Self::Call(name) => line.match_indices(name).any(|(at, _)| {
                let before = line[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || c == '.' || c == '_' || c == ':')
            }),
            Self::Annotation(name) => line.match_indices(": ").any(|(at, mark)| {
                let rest = line[at + mark.len()..].strip_prefix(name);
                rest.is_some_and(|rest| {
                    !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '(')
                })
            }),
            Self::AnnotatedVariable => annotated_variable(line),
            Self::ShellAssignment => shell_assignment(line),
        }
    }
}

/// Whether `word` stands in `line` and is not part of a longer name.
fn has_word(line: &str, word: &str) -> bool {
    let part_of_name = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| {
        !part_of_name(line[..at].chars().next_back()) && !part_of_name(line[at + word.len()..].chars().next())
    })
}

/// `name=value` with no blank around the sign and no `;` at the end, as only shells write it.
fn shell_assignment(line: &str) -> bool {
    let Some((name, value)) = line.split_once('=') else { return false };
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let shell_value =
        value.starts_with(['"', '\'', '$']) || name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    named
        && shell_value
        && !value.starts_with(['=', ' '])
        && !value.is_empty()
        && !line.ends_with([';', '(', '{'])
}
