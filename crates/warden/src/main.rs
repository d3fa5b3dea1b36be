//! The program `formicary-warden`: the first process beside the user's. What is said with it: see the library.

#![cfg_attr(not(test), no_main)]
#![cfg_attr(test, expect(dead_code, reason = "tests begin in their own way"))]

mod attend;
mod files;
mod finish;
mod input;
mod kernel;
mod meter;
mod orders;
mod oversee;
mod pipes;
mod processes;
mod serve;
mod starter;
mod sys;
