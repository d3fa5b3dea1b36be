//! "Did you mean": the nearest known word.

/// Characters of a word that are compared.
const LONGEST: usize = 64;

/// The candidate nearest to `word`, if it is near enough to be a slip.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer ones are no names, and what is compared may be a stranger's.
    let start = |word: &str| word.chars().take(LONGEST).collect::<String>().to_lowercase();
    let word = start(word);
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&word, &start(candidate)), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.chars().count() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The nearest known word as a hint, or else another one.
pub fn hint<'a, O: Into<String>>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    otherwise: impl FnOnce() -> O,
) -> String {
    nearest(word, candidates).map_or_else(|| otherwise().into(), |near| format!("did you mean {near}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_strangers_are_not() {
        let words = ["python", "javascript", "rust", "go"];
        for (slip, meant) in
            [("pyhton", "python"), ("jvascript", "javascript"), ("Rsut", "rust"), ("goo", "go")]
        {
            assert_eq!(nearest(slip, words), Some(meant), "{slip}");
        }
        assert_eq!(nearest("cobol", words), None);
    }
}
