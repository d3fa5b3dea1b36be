//! The nursery as a module of a Python interpreter: the interpreter has started, has never seen foreign code, and is
//! forked for each program.

#![no_std]

#[path = "sys/module.rs"]
mod module;
