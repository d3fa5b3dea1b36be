//! What only whole projects show.

mod clones;
mod families;
mod generated;
