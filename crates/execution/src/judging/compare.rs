//! What a program wrote against what was expected.

use formicary_model::{Comparison, Verdict};

/// What a comparison found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// `WrongAnswer` or `PresentationError`.
    pub verdict: Verdict,
    /// One line for people.
    pub message: String,
}

/// The difference between what was written and what was expected. `None`: there is none that counts.
pub fn compare(comparison: Comparison, actual: &[u8], expected: &[u8]) -> Option<Difference> {
    let equal = match comparison {
        Comparison::Exact => actual == expected,
        Comparison::Trimmed => trimmed_lines(actual).eq(trimmed_lines(expected)),
        Comparison::Tokens => words(actual).eq(words(expected)),
        Comparison::Numeric { absolute, relative } => same_words(actual, expected, |ours, theirs| {
            ours == theirs || is_near(ours, theirs, absolute, relative)
        }),
    };
    if equal {
        return None;
    }
    let only_white_space =
        matches!(comparison, Comparison::Exact | Comparison::Trimmed) && words(actual).eq(words(expected));
    let verdict = if only_white_space { Verdict::PresentationError } else { Verdict::WrongAnswer };
    Some(Difference { verdict, message: first_difference(comparison, actual, expected) })
}

/// Lines without the white space at their ends, without empty lines at the end of the whole.
fn trimmed_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.trim_ascii_end().split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end)
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn same_words(actual: &[u8], expected: &[u8], same: impl Fn(&[u8], &[u8]) -> bool) -> bool {
    let (mut ours, mut theirs) = (words(actual), words(expected));
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return true,
            (Some(ours), Some(theirs)) if same(ours, theirs) => {}
            _ => return false,
        }
    }
}

/// Whether both are finite numbers within the tolerance of each other.
fn is_near(actual: &[u8], expected: &[u8], absolute: f64, relative: f64) -> bool {
    let number = |word| std::str::from_utf8(word).ok()?.parse::<f64>().ok().filter(|n| n.is_finite());
    match (number(actual), number(expected)) {
        (Some(ours), Some(theirs)) => (ours - theirs).abs() <= absolute.max(relative * theirs.abs()),
        _ => false,
    }
}

/// `line 3: expected "4", got "5"`.
fn first_difference(comparison: Comparison, actual: &[u8], expected: &[u8]) -> String {
    if matches!(comparison, Comparison::Exact | Comparison::Trimmed) {
        let lines = |text| match comparison {
            Comparison::Exact => split_lines(text),
            _ => trimmed_lines(text).collect(),
        };
        return told("line", &lines(actual), &lines(expected), |ours, theirs| ours == theirs);
    }
    let near = |ours: &[u8], theirs: &[u8]| match comparison {
        Comparison::Numeric { absolute, relative } => {
            ours == theirs || is_near(ours, theirs, absolute, relative)
        }
        _ => ours == theirs,
    };
    told("word", &words(actual).collect::<Vec<_>>(), &words(expected).collect::<Vec<_>>(), near)
}

fn split_lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

fn told(unit: &str, ours: &[&[u8]], theirs: &[&[u8]], same: impl Fn(&[u8], &[u8]) -> bool) -> String {
    let place =
        (0..ours.len().max(theirs.len())).find(|place| match (ours.get(*place), theirs.get(*place)) {
            (Some(ours), Some(theirs)) => !same(ours, theirs),
            _ => true,
        });
    let place = place.unwrap_or_default();
    let shown = |part: Option<&&[u8]>| part.map_or("nothing".to_string(), |part| quoted(part));
    format!("{unit} {}: expected {}, got {}", place + 1, shown(theirs.get(place)), shown(ours.get(place)))
}

fn quoted(part: &[u8]) -> String {
    const LONGEST: usize = 60;
    let text = String::from_utf8_lossy(&part[..part.len().min(LONGEST * 4)]).into_owned();
    let head: String = text.chars().take(LONGEST).collect();
    let more = if head.len() < part.len() { "…" } else { "" };
    format!("{head:?}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Accepted, PresentationError, WrongAnswer};

    fn check(comparison: Comparison, actual: &str, expected: &str, verdict: Verdict) {
        let found = compare(comparison, actual.as_bytes(), expected.as_bytes());
        let found = found.map_or(Accepted, |difference| difference.verdict);
        assert_eq!(found, verdict, "{comparison:?}: {actual:?} against {expected:?}");
    }

    #[test]
    fn exact() {
        for (actual, expected, verdict) in [
            ("1\n", "1\n", Accepted),
            ("", "", Accepted),
            ("1", "1\n", PresentationError),
            ("1 2", "1  2", PresentationError),
            ("12", "1 2", WrongAnswer),
            ("1\r\n", "1\n", PresentationError),
            ("", "1", WrongAnswer),
            ("", "\n", PresentationError),
        ] {
            check(Comparison::Exact, actual, expected, verdict);
        }
    }

    #[test]
    fn trimmed() {
        for (actual, expected, verdict) in [
            ("1\n2\n", "1\n2", Accepted),
            ("1  \n2\t\n\n\n", "1\n2\n", Accepted),
            ("1\r\n2\r\n", "1\n2\n", Accepted),
            ("", "\n\n", Accepted),
            (" 1", "1", PresentationError),
            ("1\n\n2", "1\n2", PresentationError),
            ("1 2", "1\n2", PresentationError),
            ("1", "2", WrongAnswer),
            ("1\n2\n3", "1\n2", WrongAnswer),
            ("Yes", "yes", WrongAnswer),
        ] {
            check(Comparison::Trimmed, actual, expected, verdict);
        }
    }

    #[test]
    fn tokens() {
        for (actual, expected, verdict) in [
            (" 1\n\n2 ", "1 2\n", Accepted),
            ("12", "1 2", WrongAnswer),
            ("1 2 3", "1 2", WrongAnswer),
            ("1", "1 2", WrongAnswer),
        ] {
            check(Comparison::Tokens, actual, expected, verdict);
        }
    }

    #[test]
    fn numeric() {
        let near = Comparison::Numeric { absolute: 1e-3, relative: 1e-3 };
        for (actual, expected, verdict) in [
            ("1.0005", "1", Accepted),
            ("1.002", "1", WrongAnswer),
            ("1000.9", "1000", Accepted),
            ("1e3", "1000.0", Accepted),
            ("x 1.0001", "x 1", Accepted),
            ("y 1", "x 1", WrongAnswer),
            ("nan", "1", WrongAnswer),
            ("nan", "nan", Accepted),
            ("inf", "1", WrongAnswer),
            ("1", "inf", WrongAnswer),
            ("1 1", "1", WrongAnswer),
            ("-0", "0", Accepted),
        ] {
            check(near, actual, expected, verdict);
        }
    }

    #[test]
    fn differences_are_told() {
        let told = |comparison, actual: &str, expected: &str| {
            compare(comparison, actual.as_bytes(), expected.as_bytes()).unwrap().message
        };
        assert_eq!(told(Comparison::Trimmed, "1\n3\n", "1\n2\n"), "line 2: expected \"2\", got \"3\"");
        assert_eq!(told(Comparison::Trimmed, "1", "1\n2"), "line 2: expected \"2\", got nothing");
        assert_eq!(told(Comparison::Tokens, "a b", "a c"), "word 2: expected \"c\", got \"b\"");
        assert_eq!(told(Comparison::Exact, "a", "a\n"), "line 1: expected \"a\\n\", got \"a\"");
        let long = told(Comparison::Trimmed, &"é".repeat(500), "\u{1b}[2J");
        assert!(long.len() < 300 && long.contains("\\u{1b}") && long.ends_with('…'), "{long}");
    }
}
