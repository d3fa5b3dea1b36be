//! The small single-threaded process that builds a native sandbox and execs into it.
//!
//! Three processes, read in this order: [`supervisor`] stays outside and makes the namespaces; [`init`] is their
//! first process, builds the sandbox by a numbered recipe and waits; [`payload`] becomes the program.
//! [`root`] builds the file system, [`confine`] takes privileges away, [`sys`] holds every system call.

#![no_std]
#![no_main]

extern crate alloc;

mod confine;
mod init;
mod payload;
mod report;
mod root;
mod supervisor;
mod sys;
