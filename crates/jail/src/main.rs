//! The jail as a process: started by the controller from a file in memory, it makes one sandbox or many.

#![no_std]
#![no_main]

#[path = "sys/start.rs"]
mod start;
