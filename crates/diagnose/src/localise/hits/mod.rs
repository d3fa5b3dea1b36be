//! Which lines of a program its tests ran, in languages that are compiled or have no tracer here: the syntax tree is told
//! to write down each statement that is reached. Assertions of the tests mark where one check ends and the next begins,
//! so that one run of a script of assertions tells passing checks from the failing one.

use super::{Line, Observation};
use crate::case::Case;
use formicary_model::Language;
use formicary_syntax::{Dialect, StmtKind, Unit, parse};
use std::collections::{HashMap, HashSet};

const HITS_C: &str = include_str!("hits.c");
const HITS_RUST: &str = include_str!("hits.rs.txt");
const HITS_GO: &str = include_str!("hits.go.txt");
const HITS_JAVA: &str = include_str!("hits.java.txt");
const HITS_JAVASCRIPT: &str = include_str!("hits.js");
const GO_IMPORTS: &str =
    "; import (formicaryOs \"os\"; formicaryStrconv \"strconv\"; formicarySync \"sync\")";
/// The file that the program writes, inside the sandbox.
pub const WRITTEN: &str = "/tmp/formicary-hits";

/// A program that tells which of its lines are run.
#[derive(Debug, Default)]
pub struct Telling {
    /// The texts of the changed files.
    pub texts: Vec<(usize, String)>,
    /// The lines behind the numbers that it writes, from one.
    places: Vec<Line>,
}

/// Whether programs of this language can be made to tell.
pub fn speaks(language: Language) -> bool {
    use Language::{C, Cpp, Go, Java, JavaScript, Rust};
    matches!(language, C | Cpp | Go | Java | JavaScript | Rust)
}

/// Makes a program tell. `checks` says whether its tests stop at the first failure, so that assertions part them.
pub fn telling(case: &Case, checks: bool) -> Option<Telling> {
    let mut made = Telling::default();
    let mut prelude = true;
    for (index, file) in case.files.iter().enumerate() {
        let Some(dialect) = Dialect::of_file(&file.path, &file.text) else { continue };
        if !file.editable && !checks || dialect.language() != case.language && !file.path.ends_with(".h") {
            continue;
        }
        let unit = parse(dialect, &file.text);
        let mut calls = calls(case.language, index, &unit, file.editable, checks, &mut made.places);
        if calls.is_empty() {
            continue;
        }
        calls.sort();
        calls.dedup_by_key(|(at, _)| *at);
        let mut text = String::new();
        let mut at = 0;
        for (place, call) in calls {
            text.push_str(file.text.get(at..place)?);
            text.push_str(&call);
            at = place;
        }
        text.push_str(file.text.get(at..)?);
        if file.editable {
            text = with_prelude(case.language, &unit, text, prelude)?;
            prelude = false;
        }
        made.texts.push((index, text));
    }
    (!made.places.is_empty() && made.places.len() < 60_000).then_some(made)
}

/// Where to write what: the calls that tell, by byte.
fn calls(
    language: Language,
    file: usize,
    unit: &Unit<'_>,
    editable: bool,
    checks: bool,
    places: &mut Vec<Line>,
) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (_, stmt) in unit.stmts() {
        let Some(function) = stmt.function else { continue };
        // What is run when it is compiled writes nothing; a constructor's call of another comes first.
        let native = matches!(language, Language::C | Language::Cpp | Language::Rust);
        let chained = ["super(", "this("].iter().any(|call| unit.text(stmt.span).starts_with(call));
        if unit.function(function).modifiers.constant && native || chained {
            continue;
        }
        let start = beginning(language, unit, stmt.span.start as usize);
        let text = unit.text(stmt.span);
        let asserts = text.trim_start_matches("self.").to_ascii_lowercase().contains("assert")
            || text.contains("check(");
        let compound = matches!(
            stmt.kind,
            StmtKind::If { .. } | StmtKind::Loop { .. } | StmtKind::Function(_) | StmtKind::Class(_)
        );
        if !may_stand_before(language, unit, start)
            || matches!(stmt.kind, StmtKind::Function(_) | StmtKind::Class(_) | StmtKind::Import(_))
        {
            continue;
        }
        if asserts && !compound {
            if checks {
                found.push((start, check(language)));
            }
        } else if editable {
            places.push((file, unit.lines.line(stmt.span.start)));
            found.push((start, hit(language, places.len())));
        }
    }
    found
}

/// Whether a statement may be put before what begins here: it stands in a block, not alone after a question.
/// Where a statement begins: a declaration is known by the name that it declares, and begins with the type.
fn beginning(language: Language, unit: &Unit<'_>, start: usize) -> usize {
    const NO_TYPES: [&str; 10] =
        ["else", "do", "return", "case", "default", "goto", "throw", "new", "delete", "await"];
    let before = unit.source.get(..start).unwrap_or("");
    let head = before.rfind([';', '{', '}']).map_or("", |at| &before[at + 1..]).trim_start();
    let of_a_type = |c: char| c.is_alphanumeric() || c.is_whitespace() || "_*&<>,[]".contains(c);
    let plain = head.chars().all(of_a_type) && !head.split_whitespace().any(|word| NO_TYPES.contains(&word));
    if language == Language::Go || !plain { start } else { start - head.len() }
}

fn may_stand_before(language: Language, unit: &Unit<'_>, start: usize) -> bool {
    let before = unit.source.get(..start).unwrap_or("");
    let line = before.rfind('\n').map_or(before, |at| &before[at + 1..]);
    let begins_line = line.trim().is_empty();
    match language {
        // A label belongs to the loop after it.
        Language::Go => begins_line && !before.trim_end().ends_with(':'),
        _ => {
            let code = before.trim_end();
            // A comment in between hides what stands there.
            let last = code.rsplit('\n').next().unwrap_or("");
            !last.contains("//") && !code.ends_with("*/") && code.ends_with(['{', '}', ';'])
        }
    }
}

fn hit(language: Language, place: usize) -> String {
    match language {
        Language::Rust => {
            format!(
                "{{ unsafe extern \"C\" {{ safe fn formicary_hit(place: u32); }} formicary_hit({place}); }} "
            )
        }
        Language::Go => format!("formicaryHit({place}); "),
        Language::Java => format!("FormicaryHits.hit({place}); "),
        Language::JavaScript => format!("globalThis.formicaryHit({place}); "),
        _ => format!("formicary_hit({place}); "),
    }
}

fn check(language: Language) -> String {
    match language {
        Language::C | Language::Cpp => {
            "{ extern void formicary_check(void) __asm__(\"formicary_check\"); formicary_check(); } ".into()
        }
        Language::JavaScript => "globalThis.formicaryHit?.(0); ".into(),
        _ => hit(language, 0),
    }
}

fn with_prelude(language: Language, unit: &Unit<'_>, text: String, first: bool) -> Option<String> {
    Some(match language {
        Language::C | Language::Cpp => format!("{HITS_C}{text}"),
        Language::JavaScript => format!("{HITS_JAVASCRIPT}{text}"),
        _ if !first => text,
        Language::Rust => format!("{text}{HITS_RUST}"),
        Language::Java => format!("{text}{HITS_JAVA}"),
        Language::Go => {
            // Nothing was put in before the package's name: its place is the same.
            let name = unit.package?;
            let at = (name.as_ptr() as usize).checked_sub(unit.source.as_ptr() as usize)? + name.len();
            format!("{}{GO_IMPORTS}{}{HITS_GO}", text.get(..at)?, text.get(at..)?)
        }
        _ => return None,
    })
}

impl Telling {
    /// What the program wrote, as observations: all checks but the last passed.
    pub fn observations(&self, written: &str) -> Vec<Observation> {
        let mut all = vec![Observation { passed: true, lines: HashSet::new() }];
        for number in written.lines().filter_map(|line| line.trim().parse::<usize>().ok()) {
            if number == 0 {
                all.push(Observation { passed: true, lines: HashSet::new() });
            } else if let (Some(line), Some(last)) = (self.places.get(number - 1), all.last_mut()) {
                last.lines.insert(*line);
            }
        }
        if let Some(last) = all.last_mut() {
            last.passed = false;
        }
        all.retain(|seen| !seen.passed || !seen.lines.is_empty());
        all
    }

    /// How suspicious each line is, from nothing to one: lines that told nothing because none was asked are between.
    pub fn scores(&self, case: &Case, observations: &[Observation]) -> HashMap<Line, f64> {
        let spectrum = super::spectrum(observations);
        let most = spectrum.values().map(|score| score.ochiai).fold(0.0, f64::max);
        if most <= 0.0 {
            return HashMap::new();
        }
        let mut scores: HashMap<Line, f64> =
            spectrum.into_iter().map(|(line, score)| (line, score.ochiai / most)).collect();
        // State may have been spoilt before the check that notices it.
        for line in observations.iter().flat_map(|seen| &seen.lines) {
            scores.entry(*line).or_insert(0.12);
        }
        let asked: HashSet<&Line> = self.places.iter().collect();
        for (index, file) in case.files.iter().enumerate().filter(|(_, file)| file.editable) {
            for line in 1..=file.text.lines().count() as u32 {
                if !asked.contains(&(index, line)) {
                    scores.entry((index, line)).or_insert(0.5);
                }
            }
        }
        scores
    }
}

/// Whether a test command ends at its first failed assertion.
pub fn stops_at_failure(shell: &str) -> bool {
    let many =
        ["go test", "cargo test", "--test", "jest", "mocha", "junit", "mvn", "gradle", "vitest", "make"];
    !many.iter().any(|word| shell.to_ascii_lowercase().contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::CaseFile;

    #[test]
    fn statements_tell_and_assertions_part_them() {
        let program = "int f(int a) {\n    if (a)\n        return 1;\n    int b = 2;\n    return b;\n}\n";
        let test = "#include <assert.h>\n#include \"a.c\"\nint main() {\n    assert(f(1) == 1);\n    assert(f(0) == 3);\n}\n";
        let file =
            |path: &str, text: &str, editable| CaseFile { path: path.into(), text: text.into(), editable };
        let files = vec![file("a.c", program, true), file("main.c", test, false)];
        let case = Case { language: Language::C, files, evidence: None, suspects: Vec::new() };
        let made = telling(&case, true).unwrap();
        assert_eq!(made.places, [(0, 2), (0, 4), (0, 5)]);
        assert_eq!(made.texts[1].1.matches("formicary_check();").count(), 2);
        // One check that ran line 2 and passed, one that ran all three and failed.
        let seen = made.observations("0\n1\n0\n1\n2\n3\n");
        assert_eq!(
            seen.iter().map(|o| (o.passed, o.lines.len())).collect::<Vec<_>>(),
            [(true, 1), (false, 3)]
        );
        let scores = made.scores(&case, &seen);
        assert_eq!(scores[&(0, 5)], 1.0);
        assert!(scores[&(0, 2)] < 0.8);
        assert_eq!(scores[&(0, 3)], 0.5);
    }

    #[test]
    fn commands_of_many_tests_are_not_parted() {
        for (shell, stops) in
            [("node test.js", true), ("go test ./...", false), ("javac A.java && java A", true)]
        {
            assert_eq!(stops_at_failure(shell), stops, "{shell}");
        }
    }
}
