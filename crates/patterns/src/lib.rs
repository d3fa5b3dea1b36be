//! Code as a tree: finding structure in it, changing it, finding its copies, and saying what a change consists of.

pub mod clones;
pub mod refactorings;
