//! All languages on one page: the built-in ones and those that the user added.

mod custom;

pub use custom::CustomLanguage;
