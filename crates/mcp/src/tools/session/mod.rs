//! Sessions: files and interpreter state kept between cells. They live as long as this server, or until they are idle.

pub(super) mod close;
pub(super) mod create;
pub(super) mod files;
pub(super) mod get;
pub(super) mod interrupt;
pub(super) mod list;
pub(super) mod put;
pub(super) mod remove;
pub(super) mod reset;
pub(super) mod run;
