//! Where foreign data goes: from the places where it comes in to the places where it is dangerous.
//!
//! | module | what it holds |
//! |---|---|
//! | `classes`, `examples` | the kinds of holes, one rule each |
//! | `models` | what is known about libraries, one table a language |
//! | `value`, `shared` | what is known of a value: origins, constants, contents; of all values at a place |
//! | `file` | one file, walked function by function |
//! | `engine`, `writes` | statements, branches, loops, assignments |
//! | `expressions`, `calls`, `functions`, `reflection`, `containers`, `constants` | what expressions give |
//! | `guards` | what tests show |
//! | `sinks`, `named_files` | dangerous places |
//! | `entries` | functions that a frame calls |
//! | `facts` | what a file tells the project |
//! | `settings` | what settings files say |
//! | `join` | the project: calls across files, and the findings |
//! | `merge` | findings of other rules about the same place |
//! | `run` | files that are read once for the rules and for this |
//!
//! Each file is walked by itself and gives facts that can be kept. A function in which foreign data may come in is walked
//! with the functions of its file that it calls, so that constants, fields and elements are followed into them; every other
//! function once, with its parameters as unknowns. Calls that lead out of the file are left open and joined here.

mod calls;
mod classes;
mod constants;
mod containers;
mod engine;
mod entries;
mod examples;
mod expressions;
mod facts;
mod file;
mod functions;
mod guards;
mod join;
mod merge;
mod models;
mod named_files;
mod names;
mod reflection;
mod run;
mod settings;
mod shared;
mod sinks;
mod value;
mod writes;

pub use classes::catalogue;
pub use facts::TaintFacts;
pub use file::facts_of;
pub use join::{Followed, follow};
pub use merge::{Judged, without_duplicates};
pub use run::{Analysis, analyze, analyze_file};
pub use settings::{Settings, read_properties};
