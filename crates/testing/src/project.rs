//! The files of a project: carried in the request, or shown to the sandbox where they are too large for that.

use formicary_model::node_packages::{LINK_PACKAGES, PACKAGES_AT};
use formicary_model::{ExecutionRequest, Mount, MountAccess, Source, SourceFile};
use std::collections::BTreeMap;

/// The folder, in the working folder, that holds what we bring.
pub const OURS: &str = ".formicary-tests";
/// Where a project that is shown stands inside.
pub const SHOWN_AT: &str = "/project";
/// The folder that holds nextest's program inside.
pub const NEXTEST_AT: &str = "/nextest";
/// Folders that no test needs, or that are brought another way.
pub const LEFT_OUT: [&str; 11] = [
    "node_modules",
    "target",
    "__pycache__",
    ".git",
    ".formicary",
    ".venv",
    "venv",
    ".tox",
    ".mypy_cache",
    ".pytest_cache",
    ".hypothesis",
];

/// A project.
#[derive(Debug, Clone, Default)]
pub struct Project {
    /// Paths of all files, relative to the root.
    pub paths: Vec<String>,
    /// The texts that are known: all, where the files are carried, else those that tell what the project is.
    pub texts: BTreeMap<String, String>,
    /// The files, where they are carried.
    pub files: Vec<SourceFile>,
    /// The folder on the host, where it is shown instead.
    pub shown: Option<String>,
    /// `node_modules` on the host.
    pub node_modules: Option<String>,
    /// nextest's program on the host.
    pub nextest: Option<String>,
    /// A virtual environment of the project on the host.
    pub venv: Option<String>,
}

impl Project {
    /// A project of files that somebody sent.
    pub fn of_files(files: Vec<SourceFile>) -> Self {
        let texts = files.iter().filter_map(|file| {
            let text = std::str::from_utf8(&file.content).ok()?;
            Some((file.path.clone(), text.to_owned()))
        });
        let texts = texts.collect();
        let paths = files.iter().map(|file| file.path.clone()).collect();
        Self { paths, texts, files, ..Self::default() }
    }

    /// Whether there is such a file.
    pub fn has(&self, path: &str) -> bool {
        self.paths.iter().any(|own| own == path)
    }

    /// A file's text; empty where it is not known.
    pub fn text(&self, path: &str) -> &str {
        self.texts.get(path).map_or("", String::as_str)
    }

    /// Paths with this ending.
    pub fn ending<'a>(&'a self, ending: &'a str) -> impl Iterator<Item = &'a str> {
        self.paths.iter().map(String::as_str).filter(move |path| path.ends_with(ending))
    }

    /// Puts the project and what we bring into a request.
    pub fn put_into(&self, request: &mut ExecutionRequest, ours: Vec<SourceFile>, entry: Option<String>) {
        let mut files = if self.shown.is_some() { Vec::new() } else { self.files.clone() };
        files.extend(ours);
        request.source = Source::Files { files, entry };
        let mut show = |host: &str, guest: &str| {
            request.mounts.push(Mount {
                host: host.to_owned(),
                guest: guest.to_owned(),
                access: MountAccess::ReadOnly,
            });
        };
        if let Some(shown) = &self.shown {
            show(shown, SHOWN_AT);
        }
        if let Some(modules) = &self.node_modules {
            show(modules, PACKAGES_AT);
        }
        if let Some(program) = &self.nextest {
            show(program, &format!("{NEXTEST_AT}/cargo-nextest"));
        }
    }

    /// The words of a shell that lay out a project that is only shown.
    pub fn layout(&self) -> String {
        let packages = if self.node_modules.is_some() { LINK_PACKAGES } else { "" };
        if self.shown.is_none() {
            return packages.to_owned();
        }
        let left_out: Vec<String> = LEFT_OUT.iter().map(|name| format!("--exclude='{name}'")).collect();
        format!(
            "tar -C {SHOWN_AT} {} -cf - . 2>/dev/null | tar -xf - -C /work 2>/dev/null; {packages}",
            left_out.join(" ")
        )
    }
}

/// A file that we bring.
pub fn our_file(name: &str, content: impl Into<Vec<u8>>) -> SourceFile {
    SourceFile { path: format!("{OURS}/{name}"), content: content.into(), executable: false }
}

/// A word as a shell takes it whole.
pub fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Text with its middle left out where it is long.
pub fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let boundary = |at: usize| (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    let (head, tail) = (boundary(most / 2), boundary(text.len() - most / 2));
    format!("{}\n[… {} bytes left out …]\n{}", &text[..head], tail - head, &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_left_out_between_characters() {
        let text = "é".repeat(100);
        let short = shortened(&text, 21);
        assert!(
            short.starts_with('é') && short.ends_with('é') && short.contains("bytes left out"),
            "{short}"
        );
        assert_eq!(shortened("short", 21), "short");
    }
}
