//! What a tool has at hand: the platform, the folder, progress, cancellation, the store.

use crate::door::House;
use crate::inputs::{Code, invalid};
use crate::progress::Progress;
use crate::root::Root;
use crate::store::Store;
use crate::{Settings, Writes};
use formicary_model::{EventKind, Failure, Observer, Source};
use formicary_platform::reviewing::engine::Watch;
use formicary_platform::tenants::Tenant;
use formicary_platform::uploads::{UploadLimits, UploadedFile, Uploads};
use formicary_platform::{Cancel, Live, Platform};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One call of a tool.
pub(crate) struct Call {
    pub(crate) house: Arc<House>,
    pub(crate) tenant: Tenant,
    pub(crate) store: Arc<Store>,
    pub(crate) cancel: Cancel,
    pub(crate) progress: Progress,
}

/// The folder that a call is about, and what of it.
pub(crate) struct Workplace {
    pub(crate) folder: PathBuf,
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) root: Root,
    // Files that came along are gone with it.
    uploads: Option<Uploads>,
}

impl Workplace {
    /// Whether it is the project itself, not files that came along.
    pub(crate) fn is_project(&self) -> bool {
        self.uploads.is_none()
    }
}

impl Call {
    pub(crate) fn platform(&self) -> &Platform {
        &self.house.platform
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.house.settings
    }

    /// Runs something of the platform that tells events and can be cancelled.
    pub(crate) fn live<T>(&self, run: impl FnOnce(Live<'_>) -> T) -> T {
        run(Live { stdin: None, observer: &Events { call: self, tell: true }, cancel: self.cancel.clone() })
    }

    /// The same for many runs, of which none is worth telling.
    pub(crate) fn quiet<T>(&self, run: impl FnOnce(&Live<'_>) -> T) -> T {
        run(&Live { stdin: None, observer: &Events { call: self, tell: false }, cancel: self.cancel.clone() })
    }

    /// Runs something of the platform that tells how far it is and can be called off.
    pub(crate) fn watched<T>(&self, run: impl FnOnce(Watch<'_>) -> T) -> T {
        let progress = |what: &'static str, done: usize, total: usize| self.progress.count(what, done, total);
        run(Watch { progress: &progress, cancelled: &|| self.cancel.is_cancelled() })
    }

    /// The files that came along in a folder of their own, or else the project.
    pub(crate) fn workplace(&self, code: &Code) -> Result<Workplace, Failure> {
        let (root, uploads) = if code.files.is_empty() {
            (self.house.root.clone(), None)
        } else {
            let uploads = Uploads::write(&code.files, UploadLimits::default())?;
            (Root::open(uploads.folder(), Writes::Refused)?, Some(uploads))
        };
        let paths = code.paths.iter().map(|path| root.beneath(path)).collect::<Result<_, _>>()?;
        Ok(Workplace { folder: root.folder().to_owned(), paths, root, uploads })
    }

    /// Two versions of files that came along.
    pub(crate) fn versions(
        &self,
        before: &[UploadedFile],
        after: &[UploadedFile],
    ) -> Result<Uploads, Failure> {
        Uploads::write_versions(before, after, UploadLimits::default())
    }

    /// One file of the project as a program.
    pub(crate) fn read_program(&self, path: &str) -> Result<Source, Failure> {
        let full = self.house.root.folder().join(self.house.root.beneath(path)?);
        let most = self.platform().configuration().number("max_code_bytes") as u64;
        let read = || -> std::io::Result<Option<Vec<u8>>> {
            let file = std::fs::File::open(&full)?;
            if !file.metadata()?.is_file() {
                return Ok(None);
            }
            let mut bytes = Vec::new();
            file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
            Ok(Some(bytes))
        };
        let code = read()
            .map_err(|error| invalid(format!("{path}: {error}"), "name a file that may be read"))?
            .ok_or_else(|| {
                invalid(format!("{path} is not a file"), "name one file; several come as files")
            })?;
        let file_name = Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(Source::Code { code, file_name })
    }

    /// Whether a change that the caller wants written may be.
    pub(crate) fn may_write(&self, asked: bool, place: &Workplace) -> Result<bool, Failure> {
        if !asked {
            return Ok(false);
        }
        if !place.is_project() {
            return Err(invalid(
                "files that came along cannot be written to",
                "take the diff, or name paths of the project",
            ));
        }
        if self.settings().writes == Writes::Refused {
            return Err(invalid(
                "this server does not write files",
                "apply the diff yourself, or start it with --allow-write",
            ));
        }
        Ok(true)
    }
}

struct Events<'a> {
    call: &'a Call,
    tell: bool,
}

impl Observer for Events<'_> {
    fn event(&self, event: &formicary_model::Event) {
        if let EventKind::Finished { usage, .. } = &event.kind {
            self.call.charge(usage.cpu_user + usage.cpu_system);
        }
        if self.tell {
            self.call.progress.event(event);
        }
    }
}
