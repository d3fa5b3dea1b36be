//! Real frameworks in the real sandbox: tests that pass, fail, err, are skipped, take too long and take their process with
//! them; tests that are written; tests that are judged.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests: a failure shows itself, and they find the tools by PATH"
)]

mod generating;
mod ground;
mod projects;
mod running;
