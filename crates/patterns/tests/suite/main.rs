//! What only whole projects show.

mod clones;
mod generated;
