//! The platform's tests: one binary, one file per subject.

mod configuration;
mod hostile_project;
