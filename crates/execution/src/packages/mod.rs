//! Package environments: what a program may import besides its language's own library.
//!
//! Installing is a phase of its own, before and apart from the run: confined like any other program, but with the
//! network and one folder to write to. The run sees the folder read-only and, as ever, no network. An environment is
//! kept under a name made of everything that shaped it, so that the second use finds it ready and two different sets
//! never meet.
//!
//! | module | what it holds |
//! |---|---|
//! | [`requirement`] | what may be asked for, in one normal form |
//! | [`list`] | requirements from the command line and from files |
//! | [`lock`] | lock files: uv's, Poetry's, Pipenv's and the standard one |
//! | [`settings`] | where environments are kept, how the index is reached |
//! | [`store`] | the folder: one process installs, others wait; what is unused for longest goes first |
//! | [`environment`] | one environment, held for as long as somebody uses it |
//! | [`install`] | the phase that installs |

pub mod environment;
pub mod install;
pub mod list;
mod lock;
pub mod requirement;
pub mod settings;
pub mod store;

mod packer;

pub use environment::Environment;
pub use packer::{Asking, Packer};
pub use requirement::Wanted;
pub use settings::{Installer, PackageSettings};
pub use store::{KeptEnvironment, PackageStore};
