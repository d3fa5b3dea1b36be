//! Runs the executor end to end: its pipeline against a scripted provider, its recipes in the native sandbox.

mod guard;
mod pipeline;
mod projects;
mod recipes;
mod rig;
