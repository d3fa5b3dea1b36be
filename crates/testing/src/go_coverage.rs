//! The profile that `go test` writes, as lines that were reached: it counts blocks, people read lines.

use formicary_model::FileCoverage;
use std::collections::BTreeMap;

/// Where the profile is written, relative to the project's root.
pub const PROFILE: &str = ".formicary-tests/go.cover";

/// Reads a profile. `text` gives a file of the project, so that lines without code do not count.
pub fn read<'a>(profile: &str, module: &str, text: impl Fn(&str) -> &'a str) -> Vec<FileCoverage> {
    let mut files: BTreeMap<String, BTreeMap<u32, bool>> = BTreeMap::new();
    for (path, first, last, reached) in profile.lines().filter_map(block) {
        let path = path.strip_prefix(module).unwrap_or(path).trim_start_matches('/');
        let lines = files.entry(path.to_owned()).or_default();
        for line in first..=last {
            *lines.entry(line).or_default() |= reached;
        }
    }
    let told = |(file, mut lines): (String, BTreeMap<u32, bool>)| {
        let source: Vec<&str> = text(&file).lines().collect();
        lines.retain(|line, _| {
            source.get((*line as usize).saturating_sub(1)).is_none_or(|text| is_code(text))
        });
        let missed: Vec<u32> =
            lines.iter().filter(|(_, reached)| !**reached).map(|(line, _)| *line).collect();
        let (all, missing) = (lines.len() as u64, missed.len() as u64);
        FileCoverage { file, lines: all, covered: all - missing, missed }
    };
    files.into_iter().map(told).collect()
}

/// Whether a line holds more than the end of a block or words for people.
fn is_code(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with("//") && line.chars().any(|c| !"{}()".contains(c))
}

/// `example.com/calc/calc.go:3.24,5.2 1 1`: file, first and last line, and whether it was reached.
fn block(line: &str) -> Option<(&str, u32, u32, bool)> {
    let (path, rest) = line.rsplit_once(':')?;
    let mut words = rest.split(' ');
    let (first, last) = words.next()?.split_once(',')?;
    let number = |place: &str| place.split('.').next()?.parse::<u32>().ok();
    let count: u64 = words.nth(1)?.parse().ok()?;
    let (first, last) = (number(first)?, number(last)?);
    // A profile is made inside of the sandbox, where nobody is trusted: no block is that long.
    (first <= last && last - first < 100_000).then_some((path, first, last, count > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_become_lines() {
        let source = "package calc\n\nfunc F(a int) int {\n\tif a > 0 {\n\t\treturn 1\n\t}\n\t// else\n\treturn 2\n}\n";
        let profile = "mode: set\nexample.com/calc/calc.go:3.19,4.11 1 1\nexample.com/calc/calc.go:4.11,6.3 1 1\n\
                       example.com/calc/calc.go:8.2,8.10 1 0\nnonsense\nx.go:9.1,2.1 1 1\nx.go:1.1,4000000000.1 1 1\n";
        let found = read(profile, "example.com/calc", |_| source);
        let wanted = FileCoverage { file: "calc.go".into(), lines: 4, covered: 3, missed: vec![8] };
        assert_eq!(found, [wanted]);
    }
}
