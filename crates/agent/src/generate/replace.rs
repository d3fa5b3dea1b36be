//! Finding the text that an edit means: exactly, else with white space forgiven, else not at all, with the nearest place told.

/// The text with the one place that `search` means replaced.
pub fn replaced(text: &str, search: &str, replace: &str) -> Result<String, String> {
    if search.trim().is_empty() {
        if text.trim().is_empty() {
            return Ok(replace.to_owned());
        }
        return Err("the text to search for is empty, and the file is not".into());
    }
    match text.matches(search).count() {
        1 => return Ok(text.replacen(search, replace, 1)),
        0 => {}
        count => {
            return Err(format!(
                "the text to search for stands there {count} times; give more lines around it"
            ));
        }
    }
    if !replace.trim().is_empty() && text.contains(replace) && replace.lines().count() > 1 {
        // The same edit once more changes nothing.
        return Ok(text.to_owned());
    }
    by_lines(text, search, replace)
}

fn by_lines(text: &str, search: &str, replace: &str) -> Result<String, String> {
    let lines: Vec<&str> = text.lines().collect();
    let wanted: Vec<&str> = search.trim_matches('\n').lines().collect();
    let same = |a: &str, b: &str| a.trim() == b.trim();
    let fits = |at: &usize| {
        wanted.iter().enumerate().all(|(i, line)| lines.get(at + i).is_some_and(|own| same(own, line)))
    };
    let places: Vec<usize> = (0..lines.len()).filter(fits).collect();
    match places.as_slice() {
        [at] => {
            let indent = |line: &str| line.len() - line.trim_start().len();
            let first = wanted.iter().position(|line| !line.trim().is_empty()).unwrap_or(0);
            let (have, given) = (indent(lines[at + first]), indent(wanted[first]));
            let shift = |line: &str| match line.trim().is_empty() {
                true => String::new(),
                false if have >= given => format!("{}{line}", &lines[at + first][..have - given]),
                false => line
                    .get(given - have..)
                    .filter(|_| indent(line) >= given - have)
                    .unwrap_or(line)
                    .to_owned(),
            };
            let mut made: Vec<String> = lines[..*at].iter().map(|line| (*line).to_owned()).collect();
            made.extend(replace.trim_matches('\n').lines().map(shift));
            made.extend(lines[at + wanted.len()..].iter().map(|line| (*line).to_owned()));
            let mut made = made.join("\n");
            if text.ends_with('\n') {
                made.push('\n');
            }
            Ok(made)
        }
        [] => Err(format!("the text to search for was not found{}", nearest(&lines, &wanted))),
        many => Err(format!(
            "the text to search for stands there {} times; give more lines around it",
            many.len()
        )),
    }
}

/// The stretch that looks most like it, for the model to copy.
fn nearest(lines: &[&str], wanted: &[&str]) -> String {
    let score = |at: usize| {
        let pairs = wanted.iter().enumerate().filter_map(|(i, line)| Some((lines.get(at + i)?, line)));
        pairs.map(|(own, line)| similar::TextDiff::from_chars(own.trim(), line.trim()).ratio()).sum::<f32>()
    };
    if lines.len() > 5_000 || wanted.len() > 100 {
        return String::new();
    }
    let best = (0..lines.len()).map(|at| (score(at), at)).max_by(|a, b| a.0.total_cmp(&b.0));
    match best.filter(|(score, _)| *score > 0.5 * wanted.len() as f32) {
        Some((_, at)) => {
            let shown = lines[at..(at + wanted.len()).min(lines.len())].join("\n");
            format!("; the nearest is at line {}:\n{shown}", at + 1)
        }
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_with_patience() {
        let text = "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n";
        let cases = [
            ("return 1", "return 9", Ok("        return 9\n")),
            (
                "def f(self):\n    return 1",
                "def f(self):\n    return 9",
                Ok("    def f(self):\n        return 9\n"),
            ),
            (
                "\n    def g(self):   \n        return 2\n\n",
                "    def g(self):\n        return 9",
                Ok("    def g(self):\n        return 9\n"),
            ),
            ("return", "x", Err("2 times")),
            ("def f(self):\n        return 11", "x", Err("nearest is at line 2")),
            ("", "x", Err("is empty")),
            ("quite another thing altogether", "x", Err("not found")),
        ];
        for (search, replace, expected) in cases {
            match (replaced(text, search, replace), expected) {
                (Ok(made), Ok(part)) => assert!(made.contains(part), "{search}: {made}"),
                (Err(why), Err(part)) => assert!(why.contains(part), "{search}: {why}"),
                (made, _) => panic!("{search}: {made:?}"),
            }
        }
    }
}
