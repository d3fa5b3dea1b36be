//! From a failing program to a verified patch: diagnosis, localisation, candidates, verification, the loop.

pub mod repair;
