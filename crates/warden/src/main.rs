//! The program `formicary-warden`: the first process beside the user's. What is said with it: see the library.

// It begins in `sys/begin.rs`.
#![cfg_attr(not(test), no_main)]

mod attend;
mod files;
mod finish;
mod input;
mod meter;
mod orders;
mod oversee;
mod pipes;
mod processes;
mod serve;
mod starter;
mod sys;

/// Of the tests, which begin in their own way.
#[cfg(test)]
fn main() {
    serve::run();
}
