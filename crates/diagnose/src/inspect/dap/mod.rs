//! A small client of the Debug Adapter Protocol, for the adapters of [`super::adapters`].
//!
//! Adapter and program run inside the sandbox; an adapter reads what a hostile program shows it, and the program stands beside
//! it and could speak in its place. So nothing that is said is believed without bounds: messages have a largest size, answers a
//! latest time, values a largest depth, and a stop a largest number of questions.
//!
//! | module | what it holds |
//! |---|---|
//! | [`framing`] | messages out of bytes |
//! | [`protocol`] | the requests, answers and events that are spoken of |
//! | [`client`] | asking, hearing, waiting |
//! | [`places`] | the breakpoints that are set |
//! | [`values`] | frames and variables as text |
//! | [`debugger`] | an adapter behind the common trait |

pub mod client;
pub mod debugger;
pub mod framing;
pub mod places;
pub mod protocol;
pub mod values;

pub use debugger::{Adapted, Facts};
