//! A diff undone: from the state after it and the diff, the state before.

use formicary_model::{Failure, FailureKind};

/// What a diff did to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePatch {
    /// The path before; none where the file was made.
    pub before: Option<String>,
    /// The path after; none where the file was deleted.
    pub after: Option<String>,
    hunks: Vec<Hunk>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Hunk {
    /// First line after the change, from 1.
    start: usize,
    /// Lines with their marks: ' ', '-' or '+'.
    lines: Vec<(char, String)>,
}

/// Reads a unified diff.
pub fn parse(name: &str, text: &str) -> Result<Vec<FilePatch>, Failure> {
    let wrong = |line: usize, why: &str| {
        Failure::new(FailureKind::InvalidInput, format!("{name}:{}: {why}", line + 1))
            .hint("give a unified diff, as of `git diff` or `diff -u`")
    };
    let lines: Vec<&str> = text.lines().collect();
    let mut patches: Vec<FilePatch> = Vec::new();
    let mut index = 0;
    while index < lines.len() {
        let line = lines[index];
        if let Some(old) = line.strip_prefix("--- ")
            && let Some(new) = lines.get(index + 1).and_then(|next| next.strip_prefix("+++ "))
        {
            patches.push(FilePatch { before: side(old, "a/"), after: side(new, "b/"), hunks: Vec::new() });
            index += 2;
        } else if line.starts_with("@@ ") {
            let patch = patches.last_mut().ok_or_else(|| wrong(index, "a hunk without a file"))?;
            let (old, new, start) =
                header(line).ok_or_else(|| wrong(index, "a hunk's head cannot be read"))?;
            let (hunk, after) =
                body(&lines, index + 1, old, new).ok_or_else(|| wrong(index, "a hunk is cut short"))?;
            patch.hunks.push(Hunk { start, lines: hunk });
            index = after;
        } else {
            index += 1;
        }
    }
    if patches.is_empty() && !text.trim().is_empty() {
        return Err(wrong(0, "there is no change in it"));
    }
    Ok(patches)
}

fn side(text: &str, prefix: &str) -> Option<String> {
    let path = text.split('\t').next().unwrap_or(text).trim_end().trim_matches('"');
    if path == "/dev/null" { None } else { Some(path.strip_prefix(prefix).unwrap_or(path).to_owned()) }
}

// `@@ -1,2 +3,4 @@`: how many lines before and after, and where it starts after.
fn header(line: &str) -> Option<(usize, usize, usize)> {
    let mut words = line.split(' ').skip(1);
    let mut range = |mark: char| -> Option<(usize, usize)> {
        let word = words.next()?.strip_prefix(mark)?;
        let (start, count) = word.split_once(',').unwrap_or((word, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    let (_, old) = range('-')?;
    let (start, new) = range('+')?;
    Some((old, new, start))
}

type Body = (Vec<(char, String)>, usize);

fn body(lines: &[&str], from: usize, old: usize, new: usize) -> Option<Body> {
    let (mut left_old, mut left_new) = (old, new);
    let mut found = Vec::new();
    let mut index = from;
    while left_old > 0 || left_new > 0 {
        let line = lines.get(index)?;
        index += 1;
        let mark = line.chars().next().unwrap_or(' ');
        match mark {
            ' ' => {
                left_old = left_old.checked_sub(1)?;
                left_new = left_new.checked_sub(1)?;
            }
            '-' => left_old = left_old.checked_sub(1)?,
            '+' => left_new = left_new.checked_sub(1)?,
            '\\' => continue,
            _ => return None,
        }
        found.push((mark, line.get(1..).unwrap_or_default().to_owned()));
    }
    Some((found, index))
}

impl FilePatch {
    /// The text before, from the text after; none where they do not fit together.
    pub fn undo(&self, after: &str) -> Option<String> {
        let lines: Vec<&str> = after.lines().collect();
        let mut before: Vec<&str> = Vec::new();
        let mut next = 0;
        for hunk in &self.hunks {
            let has_after = hunk.lines.iter().any(|(mark, _)| *mark != '-');
            // A hunk that only deletes names the line before it.
            let start = if has_after { hunk.start.checked_sub(1)? } else { hunk.start };
            before.extend(lines.get(next..start)?);
            next = start;
            for (mark, text) in &hunk.lines {
                if *mark != '-' {
                    if lines.get(next)? != text {
                        return None;
                    }
                    next += 1;
                }
                if *mark != '+' {
                    before.push(text);
                }
            }
        }
        before.extend(lines.get(next..)?);
        let mut text = before.join("\n");
        if !text.is_empty() {
            text.push('\n');
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_is_undone() {
        let cases = [
            ("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\nX\n4\n5\n6\n7\n8\n9\n"),
            ("a\nb\nc\n", "c\n"),
            ("a\n", "a\nb\n"),
            ("", "new\nfile\n"),
            ("gone\n", ""),
        ];
        for (before, after) in cases {
            for context in [0, 1, 3] {
                let diff = similar::TextDiff::from_lines(before, after);
                let text = diff.unified_diff().context_radius(context).header("a/f.py", "b/f.py").to_string();
                let patches = parse("x.diff", &text).unwrap();
                assert_eq!(patches[0].undo(after).as_deref(), Some(before), "{text}");
                assert_eq!(patches[0].before.as_deref(), Some("f.py"));
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_not_undone() {
        let patch = &parse("x", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n").unwrap()[0];
        assert_eq!(patch.undo("c\n"), None);
    }

    #[test]
    fn broken_diffs_are_refused_with_their_line() {
        for (text, line) in
            [("hello", "1"), ("@@ -1 +1 @@\n", "1"), ("--- a\n+++ b\n@@ -1,5 +1 @@\n a\n", "3")]
        {
            let message = parse("x.diff", text).unwrap_err().message;
            assert!(message.starts_with(&format!("x.diff:{line}:")), "{text}: {message}");
        }
    }
}
