//! What the tools of the repository index share: which code is meant, and its index.

use crate::call::{Call, Workplace};
use crate::inputs::Code;
use formicary_model::Failure;
use formicary_platform::patterning::RepositoryIndex;
use formicary_platform::patterns::IndexOptions;

/// Entries that a text names; the structured answer has more.
pub(super) const MOST_NAMED: usize = 50;

/// The index of files that came along, or of the project. The files are there for as long as the first of these is.
pub(super) fn of(call: &Call, code: &Code) -> Result<(Workplace, IndexOptions, RepositoryIndex), Failure> {
    let place = call.workplace(code)?;
    let options = IndexOptions { working_folder: place.folder.clone(), paths: place.paths.clone() };
    let index = call.watched(|watch| call.platform().index(&options, watch))?;
    Ok((place, options, index))
}
