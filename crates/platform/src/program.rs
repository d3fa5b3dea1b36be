//! The program of a request: code that came along, or else a file or a whole directory of the caller's own.

use crate::facade::Platform;
use crate::use_case::Context;
use formicary_model::{ExecutionRequest, Failure, Source};

pub use formicary_files::directory::{Directory, read_directory};

impl Platform {
    /// Reads the file or the directory that a request names in the place of code, with what stands beside its sources. Gives
    /// what was left out.
    pub(crate) fn load_program(
        &self,
        context: &Context<'_>,
        request: &mut ExecutionRequest,
    ) -> Result<Vec<String>, Failure> {
        let Some(path) = request.path.take() else { return Ok(Vec::new()) };
        let full = context.directory().map(|directory| directory.join(&path)).filter(|full| full.is_dir());
        let Some(full) = full else {
            request.source = context.program(&path, self.settings().max_code_bytes)?;
            return Ok(Vec::new());
        };
        let Directory { files, mut notes } = read_directory(&full, &path, self.settings().max_project_bytes)?;
        request.source = Source::Files { files, entry: None };
        notes.extend(self.complete(&full, request));
        Ok(notes)
    }
}
