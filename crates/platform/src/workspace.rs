//! The directory that a use case works in: the caller's project, or files that came along in a private one.

use crate::policy::Files;
use crate::uploads::{UploadLimits, Uploads};
use crate::use_case::Context;
use formicary_files::Place;
use formicary_model::use_case::Code;
use formicary_model::{Failure, FailureKind, Source, SourceFile};
use std::path::{Path, PathBuf};

/// The code of an input, where engines can read it.
#[derive(Debug)]
pub struct Workspace {
    directory: PathBuf,
    paths: Vec<PathBuf>,
    // Files that came along are gone with it.
    uploads: Option<Uploads>,
}

impl Context<'_> {
    /// Where the caller's relative paths begin, if it may name files.
    pub fn directory(&self) -> Option<PathBuf> {
        match self.policy.files() {
            Files::From(directory) => Some(directory.clone()),
            Files::Beneath(root) => Some(root.folder().to_owned()),
            Files::Sent => None,
        }
    }

    /// The code that an input is about.
    pub fn workspace(&self, code: &Code) -> Result<Workspace, Failure> {
        if !code.files.is_empty() {
            return Workspace::of_uploads(Uploads::write(&code.files, UploadLimits::default())?, &code.paths);
        }
        let Some(directory) = self.directory() else {
            return Err(Failure::new(FailureKind::InvalidInput, "no files are given")
                .code("input.files")
                .hint("send the files along, each with its path and content"));
        };
        if directory.as_os_str().is_empty() {
            return Err(Failure::new(FailureKind::InvalidInput, "the directory where you stand is gone")
                .hint("change into a directory that exists"));
        }
        let directory = match &code.folder {
            Some(folder) => directory.join(folder),
            None => directory,
        };
        Ok(Workspace { directory, paths: code.paths.iter().map(PathBuf::from).collect(), uploads: None })
    }

    /// One of the caller's own files as a program.
    pub fn program(&self, path: &str, most: u64) -> Result<Source, Failure> {
        let code = Code { paths: vec![path.to_owned()], ..Code::default() };
        let read = Place::of(self.workspace(&code)?.directory(), Path::new(path))
            .and_then(|place| place.root.read(&place.path, most));
        let code = read.map_err(|error| {
            Failure::new(FailureKind::InvalidInput, format!("{path}: {}", error.reason))
                .hint("name one file that may be read; several come as files")
        })?;
        let file_name = Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(Source::Code { code, file_name })
    }

    /// Two versions of code that came along, in the directories `before` and `after`.
    pub fn versions(&self, before: &[SourceFile], after: &[SourceFile]) -> Result<Workspace, Failure> {
        Workspace::of_uploads(Uploads::write_versions(before, after, UploadLimits::default())?, &[])
    }
}

impl Workspace {
    fn of_uploads(uploads: Uploads, paths: &[String]) -> Result<Self, Failure> {
        let paths = paths.iter().map(PathBuf::from).collect();
        Ok(Self { directory: uploads.folder().to_owned(), paths, uploads: Some(uploads) })
    }

    /// Where relative paths begin.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What of it is meant; all where nothing is named.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The paths, or the whole directory.
    pub fn first_path(&self) -> PathBuf {
        self.paths.first().cloned().unwrap_or_else(|| PathBuf::from("."))
    }

    /// Whether it is the caller's project itself, not files that came along.
    pub fn is_project(&self) -> bool {
        self.uploads.is_none()
    }

    /// A failure of an engine that worked here, as its caller may see it: without the name of a private directory.
    #[must_use]
    pub fn explain(&self, failure: Failure) -> Failure {
        match &self.uploads {
            Some(uploads) => uploads.explain(failure),
            None => failure,
        }
    }

    /// The files that came along and were changed, as they are now. The caller's own files are where they were.
    pub fn changed<'a>(&self, paths: impl Iterator<Item = &'a str>) -> Vec<SourceFile> {
        let Some(uploads) = &self.uploads else { return Vec::new() };
        paths.filter_map(|path| Some(SourceFile::new(path, uploads.read(path)?))).collect()
    }
}
