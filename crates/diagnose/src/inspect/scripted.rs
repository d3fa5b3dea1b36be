//! Stopping by a list: everything that was asked for is looked at, and the program goes on.

use super::debugger::{Happened, Trouble};
use super::session::Session;
use super::wire::Move;
use formicary_model::{Failure, FailureKind, InspectRequest, PlacedBreakpoint, Stop};

/// So many stops are looked at where the caller names no number.
const MOST_STOPS: u32 = 20;

/// What was seen.
#[derive(Debug, Default)]
pub struct Seen {
    /// The places.
    pub breakpoints: Vec<PlacedBreakpoint>,
    /// The stops.
    pub stops: Vec<Stop>,
    /// What log points noted.
    pub logs: Vec<String>,
    /// How the program ended by itself.
    pub exit_code: Option<i32>,
    /// Which debugger it was.
    pub debugger: String,
    /// What is worth knowing besides.
    pub notes: Vec<String>,
}

/// Runs the program from stop to stop. `told` hears of each.
pub fn look(
    session: &mut Session,
    request: &InspectRequest,
    mut told: impl FnMut(&Stop),
) -> Result<Seen, Failure> {
    let mut seen = Seen { debugger: session.debugger().to_owned(), ..Seen::default() };
    for asked in &request.breakpoints {
        let placed_at = session.set(asked).map_err(|trouble| refused(asked.place(), &trouble))?;
        seen.breakpoints.push(PlacedBreakpoint { asked: asked.clone(), placed_at });
    }
    let failed = |trouble: Trouble| refused("exceptions".into(), &trouble);
    session.every_exception(request.every_exception).map_err(failed)?;
    let most = if request.most_stops == 0 { MOST_STOPS } else { request.most_stops };
    while let Some(mut stop) = step(session, &mut seen) {
        // Where the language's own code threw, the program's innermost frame is what one wants to see.
        let frame = stop.frames.iter().position(|frame| frame.own).unwrap_or(0) as u32;
        stop.values = request.print.iter().map(|expression| session.evaluate(frame, expression)).collect();
        told(&stop);
        seen.stops.push(stop);
        if seen.stops.len() as u32 >= most {
            break;
        }
    }
    seen.logs = std::mem::take(&mut session.logs);
    seen.notes.append(&mut session.notes);
    Ok(seen)
}

/// The next stop, if there is one.
fn step(session: &mut Session, seen: &mut Seen) -> Option<Stop> {
    match session.go(Move::Continue) {
        Ok(Happened::Stopped(stop)) => return Some(stop),
        Ok(Happened::Exited(code)) => seen.exit_code = Some(code),
        Ok(Happened::Ended) | Err(Trouble::Over) => {}
        // What was seen until then stands.
        Err(Trouble::Refused(why) | Trouble::Broken(why)) => seen.notes.push(why),
    }
    None
}

fn refused(what: String, trouble: &Trouble) -> Failure {
    Failure::new(FailureKind::InvalidInput, format!("breakpoint {what}: {trouble}"))
        .hint("name a line at which something is done, as FILE:LINE, or a function")
}
