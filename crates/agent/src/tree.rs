//! The workspace: files in memory. Nothing here touches the host, so nothing that the model says can.

use formicary_model::{Language, SourceFile};
use formicary_review::engine::SourceText;
use formicary_search::Source;
use formicary_syntax::{Dialect, NoteKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Files that a workspace may have, and bytes, of all and of one.
pub const MOST_FILES: usize = 5_000;
/// Bytes of all files together.
pub const MOST_BYTES: usize = 32 << 20;
const LONGEST_PATH: usize = 300;

/// A set of files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Vec<SourceFile>", into = "Vec<SourceFile>")]
#[schemars(with = "Vec<SourceFile>")]
pub struct Tree {
    files: BTreeMap<String, (Vec<u8>, bool)>,
}

impl From<Vec<SourceFile>> for Tree {
    fn from(files: Vec<SourceFile>) -> Self {
        Self { files: files.into_iter().map(|file| (file.path, (file.content, file.executable))).collect() }
    }
}

impl From<Tree> for Vec<SourceFile> {
    fn from(tree: Tree) -> Self {
        let file = |(path, (content, executable))| SourceFile { path, content, executable };
        tree.files.into_iter().map(file).collect()
    }
}

/// A path of the workspace in its plain form, or why it is none.
pub fn confine(path: &str) -> Result<String, String> {
    let given = path.trim();
    // Inside of the sandbox the workspace stands at /work; models copy that from what programs say.
    let inner = given.strip_prefix("/work/").unwrap_or(given);
    if inner.starts_with('/') || inner.starts_with('~') || inner.contains('\\') || inner.contains(':') {
        return Err(format!("{given:?} is not in the workspace; write paths relative to it"));
    }
    if inner.chars().any(char::is_control) || inner.len() > LONGEST_PATH {
        return Err("the path is too long or holds control characters".into());
    }
    let parts: Vec<&str> = inner.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.contains(&"..") {
        return Err(format!("{given:?} leaves the workspace; write paths relative to it, without .."));
    }
    if parts.iter().any(|part| part.eq_ignore_ascii_case(".git")) {
        return Err(format!("{given:?}: the repository's own files are not part of the workspace"));
    }
    if parts.is_empty() {
        return Err("the path is empty".into());
    }
    Ok(parts.join("/"))
}

impl Tree {
    /// Puts a file as it stands somewhere into the tree.
    pub fn put(&mut self, path: impl Into<String>, content: impl Into<Vec<u8>>, executable: bool) {
        self.files.insert(path.into(), (content.into(), executable));
    }

    /// Writes a text.
    pub fn write(&mut self, path: &str, text: &str) {
        let executable =
            self.files.get(path).is_some_and(|(_, executable)| *executable) || text.starts_with("#!");
        self.put(path, text, executable);
    }

    /// Takes a file away.
    pub fn remove(&mut self, path: &str) -> bool {
        self.files.remove(path).is_some()
    }

    /// Whether a file is there.
    pub fn contains(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// A file's text, where it is text.
    pub fn text(&self, path: &str) -> Option<&str> {
        std::str::from_utf8(&self.files.get(path)?.0).ok()
    }

    /// A file's bytes.
    pub fn bytes(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(|(bytes, _)| bytes.as_slice())
    }

    /// All paths, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// How many files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Bytes of all files.
    pub fn size(&self) -> usize {
        self.files.values().map(|(bytes, _)| bytes.len()).sum()
    }

    /// Who this tree is.
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for (path, (bytes, executable)) in &self.files {
            hasher.update(path.as_bytes());
            hasher.update(&[0, u8::from(*executable)]);
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }

    /// The files as a request takes them.
    pub fn source_files(&self) -> Vec<SourceFile> {
        self.clone().into()
    }

    /// The language that most files are in; Python where there is none.
    pub fn language(&self) -> Language {
        let mut counts: Vec<(usize, Language)> = Vec::new();
        for language in self.paths().filter_map(language_of) {
            match counts.iter_mut().find(|(_, known)| *known == language) {
                Some((count, _)) => *count += 1,
                None => counts.push((1, language)),
            }
        }
        counts.into_iter().max_by_key(|(count, _)| *count).map_or(Language::Python, |(_, language)| language)
    }

    /// What the pattern engines take.
    pub fn sources(&self) -> Vec<Source> {
        let source = |path: &str| {
            let text = self.text(path)?;
            Some(Source::new(path, Dialect::of_file(path, text)?, text))
        };
        self.paths().filter_map(source).collect()
    }

    /// What the review takes: these files alone.
    pub fn reviewed<'a>(&self, paths: impl Iterator<Item = &'a str>) -> Vec<SourceText> {
        let source = |path: &str| {
            let text = self.text(path)?;
            let language = Dialect::of_file(path, text)?.language();
            Some(SourceText { path: path.to_owned(), language, text: text.into(), exact: true })
        };
        paths.filter_map(source).collect()
    }

    /// Paths that differ from another tree, those that are gone included.
    pub fn changed_since<'a>(&'a self, base: &'a Self) -> Vec<&'a str> {
        let mut paths: Vec<&str> = self
            .files
            .iter()
            .filter(|(path, file)| base.files.get(*path) != Some(file))
            .map(|(path, _)| path.as_str())
            .collect();
        paths.extend(base.paths().filter(|path| !self.contains(path)));
        paths.sort_unstable();
        paths
    }

    /// The unified diff from another tree to this one.
    pub fn diff_since(&self, base: &Self) -> String {
        let mut diff = String::new();
        for path in self.changed_since(base) {
            let (old, new) = (base.text(path), self.text(path));
            if (base.contains(path) && old.is_none()) || (self.contains(path) && new.is_none()) {
                diff.push_str(&format!("Binary files a/{path} and b/{path} differ\n"));
                continue;
            }
            let from = if old.is_some() { format!("a/{path}") } else { "/dev/null".into() };
            let to = if new.is_some() { format!("b/{path}") } else { "/dev/null".into() };
            let change = similar::TextDiff::from_lines(old.unwrap_or_default(), new.unwrap_or_default());
            diff.push_str(&change.unified_diff().context_radius(3).header(&from, &to).to_string());
        }
        diff
    }
}

/// The language that a path's ending names.
pub fn language_of(path: &str) -> Option<Language> {
    Language::from_extension(path.rsplit_once('.')?.1)
}

/// The first line that the language's grammar does not understand, and why.
pub fn syntax_error(path: &str, text: &str) -> Option<(u32, String)> {
    let dialect = Dialect::of_file(path, text)?;
    let unit = formicary_syntax::parse(dialect, text);
    let note = unit.notes.iter().find(|note| matches!(note.kind, NoteKind::Syntax | NoteKind::Missing))?;
    let line = unit.lines.position(text, note.span.start).line;
    let shown = text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default();
    Some((line, shown.trim().chars().take(160).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside() {
        for (path, plain) in
            [("a.py", "a.py"), ("./a/b.py", "a/b.py"), ("/work/x", "x"), (" a//b ", "a/b"), ("..a", "..a")]
        {
            assert_eq!(confine(path).as_deref(), Ok(plain), "{path}");
        }
        for path in [
            "",
            "/",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "~/.ssh/id",
            "a\0b",
            "a\nb",
            ".git/config",
            "x/.GIT/hooks",
            "C:\\x",
            "file:///etc/passwd",
            "/work/../etc/passwd",
            ".",
        ] {
            assert!(confine(path).is_err(), "{path:?}");
        }
        assert!(confine(&"x".repeat(400)).is_err());
    }

    #[test]
    fn differences_are_told() {
        let mut base = Tree::default();
        base.write("a", "1\n");
        base.write("b", "2\n");
        let mut tree = base.clone();
        assert_eq!(tree.hash(), base.hash());
        tree.write("a", "3\n");
        tree.remove("b");
        tree.write("c", "4\n");
        assert_eq!(tree.changed_since(&base), ["a", "b", "c"]);
        let diff = tree.diff_since(&base);
        for part in ["-1\n+3", "+++ /dev/null", "--- /dev/null"] {
            assert!(diff.contains(part), "{diff}");
        }
        assert_ne!(tree.hash(), base.hash());
        let again: Tree = serde_json::from_str(&serde_json::to_string(&tree).unwrap()).unwrap();
        assert_eq!(again, tree);
    }

    #[test]
    fn broken_code_is_seen() {
        assert_eq!(syntax_error("a.py", "x = 1\ny = 2\n"), None);
        assert_eq!(syntax_error("a.txt", "((("), None);
        let (line, _) = syntax_error("a.py", "x = 1\ndef f(:\n    pass\n").unwrap();
        assert_eq!(line, 2);
    }
}
