//! A unified diff read. Text before and between files is left out, as `patch` does.

/// Changes of several files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    /// In the order of the diff.
    pub files: Vec<FilePatch>,
}

/// Changes of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilePatch {
    /// Its path before; none where it is made anew.
    pub old_path: Option<String>,
    /// Its path after; none where it goes.
    pub new_path: Option<String>,
    /// In the order of the file.
    pub hunks: Vec<Hunk>,
}

/// One stretch of changed lines with those around it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hunk {
    /// Where it says that it begins, from 1.
    pub old_start: usize,
    /// Its lines, in order.
    pub lines: Vec<HunkLine>,
    /// Its own place in the diff, from 1.
    pub at: usize,
    /// Whether the file ends without a newline before, and after.
    pub no_newline: (bool, bool),
}

/// One line of a hunk, without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HunkLine {
    /// Stays.
    Context(String),
    /// Goes.
    Removed(String),
    /// Comes.
    Added(String),
}

/// What is wrong with a diff.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the diff: {what}")]
pub struct ParseError {
    /// The line of the diff, from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

/// Reads a diff.
pub fn parse(text: &str) -> Result<Patch, ParseError> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut patch = Patch::default();
    let mut at = 0;
    let wrong = |at: usize, what: &str| ParseError { line: at + 1, what: what.to_owned() };
    while at < lines.len() {
        let line = lines[at].trim_end_matches('\r');
        if line.starts_with("diff --git ") {
            patch.files.push(FilePatch::default());
        } else if let Some(path) = line.strip_prefix("rename from ") {
            last(&mut patch).old_path = Some(sound(path, at)?);
        } else if let Some(path) = line.strip_prefix("rename to ") {
            last(&mut patch).new_path = Some(sound(path, at)?);
        } else if let (Some(old), Some(new)) =
            (line.strip_prefix("--- "), lines.get(at + 1).and_then(|next| next.strip_prefix("+++ ")))
        {
            let begun = patch.files.last().is_some_and(|file| file.hunks.is_empty());
            if !begun || !lines[..at].iter().rev().take(12).any(|line| line.starts_with("diff --git ")) {
                patch.files.push(FilePatch::default());
            }
            let file = last(&mut patch);
            file.old_path = path(old, at)?;
            file.new_path = path(new.trim_end_matches('\r'), at + 1)?;
            at += 1;
        } else if line.starts_with("@@ ") {
            if patch.files.is_empty() {
                return Err(wrong(at, "a hunk before any file is named"));
            }
            let (hunk, next) = hunk(&lines, at)?;
            last(&mut patch).hunks.push(hunk);
            at = next;
            continue;
        }
        at += 1;
    }
    patch.files.retain(|file| !file.hunks.is_empty() || (file.old_path != file.new_path));
    if patch.files.is_empty() {
        return Err(wrong(0, "there is no change in it: no line begins with --- and +++, or with @@"));
    }
    Ok(patch)
}

fn last(patch: &mut Patch) -> &mut FilePatch {
    if patch.files.is_empty() {
        patch.files.push(FilePatch::default());
    }
    let index = patch.files.len() - 1;
    &mut patch.files[index]
}

/// A path of a header: without its prefix and its time.
fn path(text: &str, at: usize) -> Result<Option<String>, ParseError> {
    let text = text.split('\t').next().unwrap_or(text).trim_end();
    if text == "/dev/null" {
        return Ok(None);
    }
    let text = text.strip_prefix("a/").or_else(|| text.strip_prefix("b/")).unwrap_or(text);
    sound(text, at).map(Some)
}

/// A path that stays within the folder that is patched.
fn sound(path: &str, at: usize) -> Result<String, ParseError> {
    let path = path.trim_matches('"').trim_start_matches("./");
    let leaves = path.is_empty()
        || path.starts_with('/')
        || path.contains('\0')
        || path.split('/').any(|part| part == "..");
    match leaves {
        true => Err(ParseError { line: at + 1, what: format!("the path {path:?} leads out of the folder") }),
        false => Ok(path.to_owned()),
    }
}

fn hunk(lines: &[&str], head: usize) -> Result<(Hunk, usize), ParseError> {
    let wrong = |at: usize, what: String| ParseError { line: at + 1, what };
    let range = |sign: char| {
        let part = lines[head].split(' ').find_map(|word| word.strip_prefix(sign))?;
        let (start, count) = part.split_once(',').unwrap_or((part, "1"));
        Some((start.parse::<usize>().ok()?, count.trim_end_matches('\r').parse::<usize>().ok()?))
    };
    let (Some((old_start, old)), Some((_, new))) = (range('-'), range('+')) else {
        return Err(wrong(head, "the head of a hunk is not @@ -line,count +line,count @@".into()));
    };
    let mut hunk = Hunk { old_start, at: head + 1, ..Hunk::default() };
    let (mut olds, mut news) = (0, 0);
    let mut at = head + 1;
    while at < lines.len() {
        let line = lines[at];
        if line.starts_with('\\') {
            match hunk.lines.last() {
                Some(HunkLine::Removed(_)) => hunk.no_newline.0 = true,
                Some(HunkLine::Added(_)) => hunk.no_newline.1 = true,
                _ => hunk.no_newline = (true, true),
            }
            at += 1;
            continue;
        }
        if olds >= old && news >= new {
            break;
        }
        let rest = || line.get(1..).unwrap_or_default().to_owned();
        match line.chars().next() {
            Some('-') => hunk.lines.push(HunkLine::Removed(rest())),
            Some('+') => hunk.lines.push(HunkLine::Added(rest())),
            // Editors and mails drop the only space of an empty line.
            Some(' ') | None => hunk.lines.push(HunkLine::Context(rest())),
            Some('\r') if line == "\r" => hunk.lines.push(HunkLine::Context("\r".into())),
            Some(_) => {
                return Err(wrong(
                    at,
                    format!(
                        "{} more lines are promised by the hunk's head",
                        (old - olds.min(old)).max(new - news.min(new))
                    ),
                ));
            }
        }
        olds += usize::from(!matches!(hunk.lines.last(), Some(HunkLine::Added(_))));
        news += usize::from(!matches!(hunk.lines.last(), Some(HunkLine::Removed(_))));
        at += 1;
    }
    if olds < old || news < new {
        return Err(wrong(at.saturating_sub(1), "the diff ends inside a hunk".into()));
    }
    Ok((hunk, at))
}
