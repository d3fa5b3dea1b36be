//! What every debugger can do, whatever it speaks: the one trait behind a session.

use super::wire::Move;
use formicary_model::{Breakpoint, Evaluated, Stop};

/// What came of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happened {
    /// It stands still again.
    Stopped(Stop),
    /// It ended by itself.
    Exited(i32),
    /// The sandbox ended it: a limit, or a cancellation. The result tells.
    Ended,
}

/// Why a command was not obeyed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The debugger says why.
    Refused(String),
    /// The debugger is not to be understood, or says nothing: there is no use in asking on.
    Broken(String),
    /// There is no program any more.
    Over,
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(why) | Self::Broken(why) => f.write_str(why),
            Self::Over => f.write_str("the program is over"),
        }
    }
}

/// A debugger with its program: our own drivers, and adapters of the Debug Adapter Protocol.
pub trait Debugger: std::fmt::Debug {
    /// Sets a breakpoint; the line at which the program will really stop, where that is known.
    fn set(&mut self, point: &Breakpoint) -> Result<Option<u32>, Trouble>;

    /// Whether exceptions that the program catches stop it too.
    fn every_exception(&mut self, every: bool) -> Result<(), Trouble>;

    /// Evaluates in a frame, 0 for the innermost.
    fn evaluate(&mut self, frame: u32, expression: &str) -> Result<Evaluated, Trouble>;

    /// Lets the program go on; the first move starts it. What log points note on the way is added to `logs`.
    fn go(&mut self, way: Move, logs: &mut Vec<String>) -> Result<Happened, Trouble>;

    /// Asks program and debugger to end.
    fn quit(&mut self);
}
