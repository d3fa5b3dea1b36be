//! Generate, execute, analyse, until it is done.
//!
//! | module | what it holds |
//! |---|---|
//! | [`order`] | what is wanted: the task, how it is accepted, what is allowed, what may be spent |
//! | [`model`] | from a model's name to the model, its key resolved |
//! | [`store`], [`replay`](mod@replay) | where runs are kept; one computed anew |
//! | [`directory`] | a directory read into memory; the result written back |
//! | [`suggest`] | tests that a model proposes and the sandbox judges |
//! | [`tree`](mod@tree) | the workspace: files in memory, paths confined |
//! | [`guard`] | tests that must not be weakened, deleted or skipped |
//! | [`generate`] | from a model's answer to files: whole ones, edits, diffs |
//! | [`tools`] | what the model may do, one file each |
//! | [`journal`] | the transcript: every effect recorded, so that a run can be resumed and replayed |
//! | [`plan`](mod@plan) | the steps of a task, each with attempts of its own |
//! | [`budget`] | what was spent, and what ran out |
//! | [`circles`] | noticing that nothing moves any more |
//! | [`context`] | the conversation, kept within the model's window |
//! | [`observe`] | running, and what is told of it: a diagnosis, never a flood |
//! | [`inspect`] | looking into a program at breakpoints |
//! | [`adviser`] | a model as an adviser of the loop that repairs programs |
//! | [`accept`] | whether it is done |
//! | [`redact`] | secrets taken out, foreign text marked as data |
//! | [`desk`] | the state that tools work on |
//! | [`orchestrator`] | the loop |
//! | [`outcome`] | how it ended |
//! | [`page`] | a transcript as a page to read |
//!
//! The workspace lives in memory and everything that is not computed goes through the journal. So a run that was killed is
//! resumed by computing it again with the answers that the journal holds: nothing happens twice, and the end is the same.

pub mod accept;
pub mod adviser;
pub mod budget;
pub mod circles;
pub mod context;
pub mod desk;
pub mod directory;
pub mod generate;
pub mod guard;
pub mod inspect;
mod invalid;
pub mod journal;
pub mod model;
pub mod observe;
pub mod orchestrator;
pub mod order;
pub mod outcome;
pub mod page;
pub mod plan;
pub mod redact;
pub mod replay;
pub mod schema;
pub mod store;
pub mod suggest;
pub mod tools;
pub mod tree;

pub use budget::{Budget, BudgetKind, Spent};
pub use desk::{Stop, World};
pub use journal::{Journal, Record};
pub use order::{Acceptance, Checker, ExpectedOutput, Order, Rules, Task};
pub use outcome::{Ending, Outcome};
pub use replay::replay;
pub use tree::Tree;

use invalid::invalid;
