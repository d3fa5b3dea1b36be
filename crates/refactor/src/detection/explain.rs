//! Which changed lines the refactorings explain: what is left is the behaviour that changed.
//!
//! A removed line that stands elsewhere after the change is moved; one that stands there under the new names is renamed. Lines
//! of a signature that changed, of a variable that was extracted, and calls of what was extracted or inlined are told.

use super::Draft;
use super::declarations::{File, Version};
use super::matching::Matches;
use formicary_clones::differences::kept;
use formicary_model::refactorings::{RefactoringKind as Kind, RefactoringReport, UnexplainedLines};
use rustc_hash::{FxHashMap, FxHashSet};

/// Fills the report's lines.
pub fn lines(
    before: &Version<'_>,
    after: &Version<'_>,
    found: &Matches,
    drafts: &[Draft],
    report: &mut RefactoringReport,
) {
    let names: FxHashMap<&str, &str> = drafts
        .iter()
        .filter_map(|draft| draft.names.as_ref())
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let renamed_files: FxHashMap<&str, &str> =
        found.files.iter().map(|(b, a)| (before.files[*b].path, after.files[*a].path)).collect();
    let by_path: FxHashMap<&str, &File<'_>> = after.files.iter().map(|file| (file.path, file)).collect();
    let mut gone: Vec<(&str, u32, String)> = Vec::new();
    let mut come: Vec<(&str, u32, String)> = Vec::new();
    for file in &before.files {
        let path = renamed_files.get(file.path).copied().unwrap_or(file.path);
        let now = by_path.get(path).copied();
        let (old, new) =
            (texts(file, &names), now.map(|now| texts(now, &FxHashMap::default())).unwrap_or_default());
        let hash = |list: &[(u32, String)]| -> Vec<u64> {
            list.iter().map(|(_, text)| crate::detection::hash(text)).collect()
        };
        let pairs = kept(&hash(&old), &hash(&new));
        let same: FxHashSet<usize> = pairs.iter().map(|(i, _)| *i).collect();
        let kept_new: FxHashSet<usize> = pairs.iter().map(|(_, j)| *j).collect();
        let rest = |list: Vec<(u32, String)>, same: &FxHashSet<usize>| -> Vec<(u32, String)> {
            list.into_iter().enumerate().filter(|(i, _)| !same.contains(i)).map(|(_, line)| line).collect()
        };
        gone.extend(rest(old, &same).into_iter().map(|(line, text)| (file.path, line, text)));
        if let Some(now) = now {
            come.extend(rest(new, &kept_new).into_iter().map(|(line, text)| (now.path, line, text)));
        }
    }
    let known: FxHashSet<&str> =
        before.files.iter().map(|file| renamed_files.get(file.path).copied().unwrap_or(file.path)).collect();
    for file in after.files.iter().filter(|file| !known.contains(file.path)) {
        come.extend(
            texts(file, &FxHashMap::default()).into_iter().map(|(line, text)| (file.path, line, text)),
        );
    }
    report.changed_lines = (gone.len() + come.len()) as u32;
    settle(gone, come, drafts, report);
}

// The lines of a file that say something, with names as they are called now.
fn texts(file: &File<'_>, names: &FxHashMap<&str, &str>) -> Vec<(u32, String)> {
    file.tokens
        .chunk_by(|a, b| a.line == b.line)
        .filter(|line| line.len() > 1 || line[0].class != formicary_clones::tokens::Class::Mark)
        .map(|line| {
            let words: Vec<&str> = line
                .iter()
                .map(|token| file.word(token))
                .map(|word| names.get(word).copied().unwrap_or(word))
                .collect();
            (line[0].line, words.join(" "))
        })
        .collect()
}

type Changed<'a> = Vec<(&'a str, u32, String)>;

fn settle(gone: Changed<'_>, come: Changed<'_>, drafts: &[Draft], report: &mut RefactoringReport) {
    let mut moved: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (index, (_, _, text)) in come.iter().enumerate() {
        moved.entry(text).or_default().push(index);
    }
    let mut settled: FxHashSet<usize> = FxHashSet::default();
    let mut left: FxHashMap<&str, UnexplainedLines> = FxHashMap::default();
    let told: Told<'_> = Told::of(drafts);
    let empty =
        |file: &str| UnexplainedLines { file: file.to_owned(), removed: Vec::new(), added: Vec::new() };
    let mut unexplained = 0;
    for (file, line, text) in &gone {
        if let Some(index) = moved.get_mut(text.as_str()).and_then(Vec::pop) {
            settled.insert(index);
        } else if !told.removed.contains(&(*file, *line)) && !told.calls(text) {
            left.entry(file).or_insert_with(|| empty(file)).removed.push(*line);
            unexplained += 1;
        }
    }
    for (index, (file, line, text)) in come.iter().enumerate() {
        if !settled.contains(&index) && !told.added.contains(&(*file, *line)) && !told.calls(text) {
            left.entry(file).or_insert_with(|| empty(file)).added.push(*line);
            unexplained += 1;
        }
    }
    report.explained_lines = report.changed_lines - unexplained;
    report.unexplained = left.into_values().collect();
    report.unexplained.sort_by(|a, b| a.file.cmp(&b.file));
}

struct Told<'d> {
    removed: FxHashSet<(&'d str, u32)>,
    added: FxHashSet<(&'d str, u32)>,
    /// Names of methods that were extracted or inlined.
    names: FxHashSet<&'d str>,
}

impl<'d> Told<'d> {
    fn of(drafts: &'d [Draft]) -> Self {
        let mut told =
            Self { removed: FxHashSet::default(), added: FxHashSet::default(), names: FxHashSet::default() };
        for draft in drafts {
            let (before, after) = (draft.before.file.as_str(), draft.after.file.as_str());
            told.removed.extend(draft.removed.iter().map(|line| (before, *line)));
            told.added.extend(draft.added.iter().map(|line| (after, *line)));
            let last = |name: &'d str| name.rsplit('.').next().unwrap_or(name);
            match draft.kind {
                Kind::ExtractMethod | Kind::ExtractAndMoveMethod => {
                    told.names.insert(last(&draft.after.name));
                    told.added.insert((after, draft.after.first_line));
                }
                Kind::InlineMethod | Kind::MoveAndInlineMethod => {
                    told.names.insert(last(&draft.before.name));
                    told.removed.insert((before, draft.before.first_line));
                }
                Kind::MoveMethod | Kind::PullUpMethod | Kind::PushDownMethod | Kind::MoveClass => {
                    told.removed.insert((before, draft.before.first_line));
                    told.added.insert((after, draft.after.first_line));
                }
                _ => {}
            }
        }
        told
    }

    // A line that calls what came out of its method or went into it.
    fn calls(&self, text: &str) -> bool {
        let mut words = text.split(' ').peekable();
        while let Some(word) = words.next() {
            if words.peek() == Some(&"(") && self.names.contains(word) {
                return true;
            }
        }
        false
    }
}
