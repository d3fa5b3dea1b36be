//! The names of a text, and those near to a misspelt one.

use std::collections::BTreeMap;

/// Names that are tried for one.
const MOST: usize = 5;

/// The names in a text with how often they stand there.
pub fn of(text: &str) -> BTreeMap<&str, usize> {
    let mut names = BTreeMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
        if word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_') && word.len() < 60 {
            *names.entry(word).or_insert(0) += 1;
        }
    }
    names
}

/// Names near to a misspelt one, nearest first; among equals those that stand there more often.
pub fn near(wrong: &str, text: &str, besides: &[&str]) -> Vec<String> {
    let most = (wrong.chars().count() / 3).clamp(1, 3);
    let names = of(text);
    let known =
        names.iter().map(|(name, count)| (*name, *count)).chain(besides.iter().map(|name| (*name, 0)));
    let mut found: Vec<(usize, usize, &str)> = known
        .filter(|(name, _)| *name != wrong)
        .filter_map(|(name, count)| {
            let away = if name.eq_ignore_ascii_case(wrong) { 0 } else { distance(wrong, name) };
            (away <= most).then_some((away, usize::MAX - count, name))
        })
        .collect();
    found.sort();
    found.dedup_by_key(|(_, _, name)| *name);
    found.into_iter().take(MOST).map(|(_, _, name)| name.to_owned()).collect()
}

/// Known names that a longer one begins with: who writes `length`, `lenght` or `string` means `len` or `str`.
pub fn shortened<'a>(wrong: &str, known: &[&'a str]) -> Vec<&'a str> {
    let begins = |name: &&&str| (3..wrong.len()).contains(&name.len()) && wrong.starts_with(**name);
    let mut found: Vec<&str> = known.iter().filter(begins).copied().collect();
    found.sort_by_key(|name| std::cmp::Reverse(name.len()));
    found
}

/// Edits between two words: a letter more, less, other, or two exchanged.
pub fn distance(one: &str, two: &str) -> usize {
    let (one, two): (Vec<char>, Vec<char>) = (one.chars().collect(), two.chars().collect());
    if one.len().abs_diff(two.len()) > 3 {
        return usize::MAX;
    }
    let mut rows = vec![vec![0usize; two.len() + 1]; one.len() + 1];
    for (index, row) in rows.iter_mut().enumerate() {
        row[0] = index;
    }
    rows[0] = (0..=two.len()).collect();
    for i in 1..=one.len() {
        for j in 1..=two.len() {
            let same = usize::from(one[i - 1] != two[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + same);
            if i > 1 && j > 1 && one[i - 1] == two[j - 2] && one[i - 2] == two[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[one.len()][two.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_find_theirs() {
        let text = "count total items item\ncount + items";
        for (wrong, right) in [("cuont", "count"), ("itmes", "items"), ("totl", "total"), ("Count", "count")]
        {
            assert_eq!(near(wrong, text, &[]).first().map(String::as_str), Some(right), "{wrong}");
        }
        assert!(near("elephant", text, &[]).is_empty());
        assert_eq!(near("pritn", "", &["print"]), ["print"]);
        for (wrong, right) in [("lenght", "len"), ("string", "str"), ("printf", "print"), ("le", "")] {
            assert_eq!(
                shortened(wrong, &["len", "str", "print", "pri"]).first().copied().unwrap_or(""),
                right
            );
        }
    }
}
