//! The guard: every request passes here before anything else looks at it.
//!
//! Each check is a function of its own and answers with a [`Failure`] that names the input and the remedy. Nothing
//! here starts a program; only mounts and virtual environments look at the host's file system.

mod code;
mod encoding;
mod environment;
mod limits;
mod mounts;
mod paths;
mod session;

pub use code::{check_code_size, check_image, check_project_size, validate_language};
pub use encoding::check_encoding;
pub use environment::{check_arguments, check_environment};
pub use limits::{check_collect, check_limits, validate_timeout};
pub use mounts::{MountPolicy, check_mounts};
pub use paths::{RESERVED_FOLDER, check_file_set, check_path};
pub use session::validate_session_id;

use formicary_model::{Failure, FailureKind};

/// A refusal that names the input and the remedy.
pub(crate) fn refuse(message: impl Into<String>, hint: impl Into<String>) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

/// Input as it may be shown: quoted, control characters escaped, cut where it is long.
pub(crate) fn shown(input: &str) -> String {
    const LONGEST: usize = 80;
    if input.chars().count() <= LONGEST {
        return format!("{input:?}");
    }
    let head: String = input.chars().take(LONGEST).collect();
    format!("{head:?}… ({} bytes)", input.len())
}
