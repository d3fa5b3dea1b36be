//! The program `formicary-guest`: one binary, because both roles speak the same framing, start programs in the same way and
//! handle the same files. What is said with it: see the library.

#![cfg_attr(not(test), no_main)]
#![cfg_attr(test, expect(dead_code, reason = "tests begin in their own way"))]

mod files;
mod play;
mod program;
mod run;
mod session;
mod stream;
mod sys;
