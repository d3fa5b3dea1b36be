//! The breakpoints that are set. The protocol replaces all of a file, or all of the functions, at once.

use super::client::{Client, PATIENCE};
use super::protocol::{
    Breakpoints, FunctionBreakpoint, LineBreakpoint, PlacedPoint, SetBreakpoints, SetFunctionBreakpoints,
    Source,
};
use crate::inspect::debugger::Trouble;
use formicary_model::Breakpoint;
use std::collections::BTreeMap;

/// A place with what is done there.
#[derive(Debug, Clone)]
struct Place<P> {
    point: P,
    log: Option<String>,
    meaning: Meaning,
    placed: PlacedPoint,
}

/// Why a place is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Somebody asked for it.
    Asked,
    /// There a program says that something is wrong.
    Failing,
}

/// What is to be done at a stop.
#[derive(Debug, Default)]
pub struct Hit {
    /// Texts of log points.
    pub logs: Vec<String>,
    /// Somebody asked for a stop there.
    pub asked: bool,
    /// There the program says that something is wrong.
    pub failing: bool,
}

/// All breakpoints.
#[derive(Debug, Default)]
pub struct Places {
    lines: BTreeMap<String, Vec<Place<LineBreakpoint>>>,
    functions: Vec<Place<FunctionBreakpoint>>,
}

impl Places {
    /// Sets one at a line of a file, told by its whole path.
    pub fn set_line(
        &mut self,
        client: &mut Client,
        path: &str,
        line: u32,
        asked: &Breakpoint,
    ) -> Result<PlacedPoint, Trouble> {
        let point = LineBreakpoint { line, condition: asked.condition.clone() };
        let place =
            Place { point, log: asked.log.clone(), meaning: Meaning::Asked, placed: PlacedPoint::default() };
        let of_file = self.lines.entry(path.to_owned()).or_default();
        of_file.push(place);
        let placed = send_lines(client, path, of_file);
        let placed = placed.and_then(|()| {
            let placed = of_file.last().map(|place| place.placed.clone()).unwrap_or_default();
            // One that cannot find a statement may take the last one before.
            let before = placed.line.is_some_and(|found| found < i64::from(line));
            if placed.verified && !before {
                return Ok(placed);
            }
            let nothing = || format!("nothing is executed at or after line {line}");
            Err(Trouble::Refused(placed.message.filter(|_| !before).unwrap_or_else(nothing)))
        });
        if matches!(placed, Err(Trouble::Refused(_))) {
            of_file.pop();
            send_lines(client, path, of_file)?;
        }
        placed
    }

    /// Sets one at a function, told as the adapter knows it.
    pub fn set_function(
        &mut self,
        client: &mut Client,
        name: String,
        asked: &Breakpoint,
        meaning: Meaning,
    ) -> Result<PlacedPoint, Trouble> {
        let none = || Trouble::Refused(format!("no function {name:?} in the program"));
        let missing = none();
        let point = FunctionBreakpoint { name, condition: asked.condition.clone() };
        self.functions.push(Place { point, log: asked.log.clone(), meaning, placed: PlacedPoint::default() });
        let placed = self.send_functions(client).and_then(|()| {
            let placed = self.functions.last().map(|place| place.placed.clone()).unwrap_or_default();
            match (placed.verified, placed.message.clone()) {
                (true, _) => Ok(placed),
                (false, Some(why)) => Err(Trouble::Refused(why)),
                (false, None) => Err(missing),
            }
        });
        if matches!(placed, Err(Trouble::Refused(_))) {
            self.functions.pop();
            self.send_functions(client)?;
        }
        placed
    }

    fn send_functions(&mut self, client: &mut Client) -> Result<(), Trouble> {
        let breakpoints = self.functions.iter().map(|place| place.point.clone()).collect();
        let answer: Breakpoints =
            client.ask("setFunctionBreakpoints", SetFunctionBreakpoints { breakpoints }, PATIENCE)?;
        settle(&mut self.functions, answer);
        Ok(())
    }

    /// What is to be done where these were hit, or, where none are named, at this place.
    pub fn hit(&self, ids: &[i64], path: Option<&str>, line: i64) -> Hit {
        let mut hit = Hit::default();
        let at_place = |placed: &PlacedPoint| ids.is_empty() && placed.line == Some(line);
        let named = |placed: &PlacedPoint| placed.id.is_some_and(|id| ids.contains(&id));
        let of_file = path.and_then(|path| self.lines.get(path)).into_iter().flatten();
        let lines = of_file.filter(|place| at_place(&place.placed) || named(&place.placed));
        let elsewhere = self.lines.iter().filter(|(file, _)| path != Some(file.as_str()));
        let others = elsewhere.flat_map(|(_, places)| places).filter(|place| named(&place.placed));
        for place in lines.chain(others) {
            hit.take(place.log.as_ref(), place.meaning);
        }
        for place in self.functions.iter().filter(|place| named(&place.placed)) {
            hit.take(place.log.as_ref(), place.meaning);
        }
        hit
    }
}

impl Hit {
    fn take(&mut self, log: Option<&String>, meaning: Meaning) {
        match (log, meaning) {
            (Some(log), _) => self.logs.push(log.clone()),
            (None, Meaning::Asked) => self.asked = true,
            (None, Meaning::Failing) => self.failing = true,
        }
    }
}

fn send_lines(client: &mut Client, path: &str, places: &mut [Place<LineBreakpoint>]) -> Result<(), Trouble> {
    let breakpoints = places.iter().map(|place| place.point.clone()).collect();
    let source = Source { path: Some(path.to_owned()) };
    let answer: Breakpoints =
        client.ask("setBreakpoints", SetBreakpoints { source, breakpoints }, PATIENCE)?;
    settle(places, answer);
    Ok(())
}

fn settle<P>(places: &mut [Place<P>], answer: Breakpoints) {
    let mut told = answer.breakpoints.into_iter();
    for place in places {
        place.placed = told.next().unwrap_or_default();
    }
}
