//! Replacing parts of a text: never two over the same bytes.

use std::ops::Range;

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go.
    pub range: Range<usize>,
    /// The text that comes.
    pub text: String,
}

/// Edits that belong together: all of them are made, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditGroup {
    /// Which group goes first where two want the same bytes.
    pub rank: usize,
    /// The bytes that the group is about.
    pub range: Range<usize>,
    /// The edits.
    pub edits: Vec<Edit>,
}

/// What came of arbitrating.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arbitrated {
    /// The edits, by place; they do not overlap.
    pub edits: Vec<Edit>,
    /// Groups that are made.
    pub made: usize,
    /// Groups that overlap one that is made.
    pub overlapping: usize,
}

/// Chooses groups that do not overlap: by rank, then the earlier, then the larger.
pub fn arbitrate(mut groups: Vec<EditGroup>) -> Arbitrated {
    groups.sort_by_key(|group| (group.rank, group.range.start, std::cmp::Reverse(group.range.end)));
    let mut chosen = Arbitrated::default();
    let mut taken: std::collections::BTreeMap<usize, (usize, String)> = std::collections::BTreeMap::new();
    for group in groups {
        let fits = group.edits.iter().all(|edit| {
            let before = taken.range(..=edit.range.start).next_back();
            let after = taken.range(edit.range.start..).next();
            before.is_none_or(|(start, (end, _))| *end <= edit.range.start && *start != edit.range.start)
                && after.is_none_or(|(start, _)| *start >= edit.range.end && *start != edit.range.start)
        });
        if !fits {
            chosen.overlapping += 1;
            continue;
        }
        chosen.made += 1;
        for edit in group.edits {
            taken.insert(edit.range.start, (edit.range.end, edit.text));
        }
    }
    chosen.edits = taken.into_iter().map(|(start, (end, text))| Edit { range: start..end, text }).collect();
    chosen
}

/// The text with edits made; they must be sorted and must not overlap.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut next = 0;
    for edit in edits {
        result.push_str(text.get(next..edit.range.start).unwrap_or_default());
        result.push_str(&edit.text);
        next = edit.range.end;
    }
    result.push_str(text.get(next..).unwrap_or_default());
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(rank: usize, start: usize, end: usize, text: &str) -> EditGroup {
        let range = start..end;
        EditGroup { rank, range: range.clone(), edits: vec![Edit { range, text: text.into() }] }
    }

    #[test]
    fn overlaps_go_to_the_first_rule_then_to_the_outer_match() {
        let cases: [(Vec<EditGroup>, &str, usize); 4] = [
            (vec![group(0, 0, 2, "X"), group(0, 2, 4, "Y")], "XYef", 0),
            (vec![group(1, 0, 4, "X"), group(0, 1, 2, "Y")], "aYcdef", 1),
            (vec![group(0, 1, 2, "Y"), group(0, 0, 4, "X")], "Xef", 1),
            (vec![group(0, 3, 3, "+"), group(0, 3, 3, "-")], "abc+def", 1),
        ];
        for (groups, expected, overlapping) in cases {
            let chosen = arbitrate(groups);
            assert_eq!(apply("abcdef", &chosen.edits), expected);
            assert_eq!(chosen.overlapping, overlapping);
        }
    }
}
