//! `formicary inspect`: stops a program and shows what is in it, by a list of places or by commands.

use crate::arguments::GlobalArguments;
use crate::arguments::environment::{absolute, text};
use crate::arguments::inspect::InspectArguments;
use crate::door::{self, Warnings};
use crate::failure::{Stop as Ending, invalid};
use crate::render::inspect as render;
use crate::terminal;
use formicary_model::use_case::Number;
use formicary_model::visible::one_line;
use formicary_model::{Breakpoint, BreakpointInput, Event, InspectInput, InspectRequest, Observer, Stop};
use formicary_platform::debugging::{Happened, Inspect, Move, Session};
use serde_json::Value;
use std::io::{BufRead as _, Write as _};

/// Inspects, and shows what was seen.
pub fn run(mut arguments: InspectArguments, global: &GlobalArguments) -> Result<u8, Ending> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let interactive = arguments.interactive;
    let (breakpoints, logs) =
        (std::mem::take(&mut arguments.breakpoints), std::mem::take(&mut arguments.logs));
    let (print, adapter) = (std::mem::take(&mut arguments.print), arguments.adapter.take());
    let (every_exception, stops) = (arguments.every_exception, Number::new(f64::from(arguments.stops))?);
    let (code, path) = (arguments.code.take(), arguments.path.as_deref());
    let mut request = arguments.start.program(&platform, (code, path), None, arguments.language.take())?;
    if let Some(venv) = &arguments.venv {
        request.venv = Some(text(&absolute(venv, sources.working_folder.as_deref())?)?);
    }
    let breakpoints = breakpoints.into_iter().map(BreakpointInput::Text).collect();
    let input = InspectInput { program: request, breakpoints, logs, print, every_exception, stops, adapter };
    let looked_for = input.request()?;
    if interactive {
        if global.json {
            return Err(invalid("--interactive prints no JSON", "leave one of both out").into());
        }
        let context = door::context(&sources);
        let (told, run) = platform.inspect_with(
            &context.caller,
            &input.program,
            looked_for.adapter.as_deref(),
            &context.cancel,
            |session| talk(session, &looked_for),
        )?;
        told?;
        terminal::print(&render::output(&run.stderr))?;
        return Ok(0);
    }
    let stops = Stops { shown: !global.json };
    let report = platform.perform::<Inspect>(&door::context(&sources).observed(&stops), input)?;
    terminal::show(global.json, &report, || render::end(&report))?;
    Ok(0)
}

/// Shows each stop as it comes.
struct Stops {
    shown: bool,
}

impl Observer for Stops {
    fn event(&self, _: &Event) {}

    fn reads_along(&self) -> bool {
        self.shown
    }

    fn part(&self, _: &'static str, stop: &Value) {
        if let Ok(stop) = serde_json::from_value(stop.clone()) {
            let _ = terminal::print(&render::stop(&stop));
        }
    }
}

const HELP: &str = "\
b PLACE [if COND]  stop there: FILE:LINE, LINE or FUNCTION
c                  go on to the next stop (starts the program)
n / s / o          next line / into the call / out of the function
p EXPR             evaluate in the chosen frame
v                  variables of the chosen frame
bt                 the stack
f N                choose frame N
q                  end
";

/// Takes commands until there is no program or no more commands.
fn talk(session: &mut Session, looked_for: &InspectRequest) -> Result<(), Ending> {
    for point in &looked_for.breakpoints {
        set(session, point)?;
    }
    let _ = session.every_exception(looked_for.every_exception);
    session.notes.drain(..).for_each(|note| terminal::tell_warning(&note));
    terminal::print(&format!("debugger: {}\n{HELP}", session.debugger()))?;
    let mut standing: Option<Stop> = None;
    let mut frame = 0;
    let mut lines = std::io::stdin().lock().lines();
    loop {
        terminal::print("(inspect) ")?;
        terminal::stdout().flush()?;
        let Some(Ok(line)) = lines.next() else { return Ok(()) };
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let way = match word {
            "c" | "continue" | "r" | "run" => Some(Move::Continue),
            "n" | "next" => Some(Move::Next),
            "s" | "step" => Some(Move::Step),
            "o" | "out" | "finish" => Some(Move::Out),
            _ => None,
        };
        match (word, way) {
            ("", _) => {}
            // Before the program runs there is nothing to step over.
            (_, Some(way)) => {
                let way = if standing.is_none() { Move::Continue } else { way };
                let happened = session.go(way);
                session.logs.drain(..).try_for_each(|log| terminal::print(&render::log(&log)))?;
                match happened {
                    Ok(Happened::Stopped(stop)) => {
                        terminal::print(&render::stop(&stop))?;
                        (standing, frame) = (Some(stop), 0);
                    }
                    Ok(Happened::Exited(code)) => {
                        return Ok(terminal::print(&format!("the program ended: exit code {code}\n"))?);
                    }
                    Ok(Happened::Ended) | Err(_) => return Ok(terminal::print("the program was ended\n")?),
                }
            }
            ("q" | "quit", _) => return Ok(()),
            ("b" | "break", _) => set(session, &Breakpoint::read(rest))?,
            ("p" | "print", _) => terminal::print(&render::value(&session.evaluate(frame, rest)))?,
            ("bt" | "v" | "f", _) => match &standing {
                None => terminal::print("the program has not started: c\n")?,
                Some(stop) if word == "bt" => terminal::print(&render::stack(stop))?,
                Some(stop) => {
                    frame = rest.parse().unwrap_or(frame).min(stop.frames.len().saturating_sub(1) as u32);
                    terminal::print(&render::frame(stop, frame as usize))?;
                }
            },
            _ => terminal::print(HELP)?,
        }
    }
}

fn set(session: &mut Session, point: &Breakpoint) -> Result<(), Ending> {
    let text = match session.set(point) {
        Ok(Some(line)) => format!("stops at {} (line {line})\n", point.place()),
        Ok(None) => format!("stops at {}\n", point.place()),
        Err(trouble) => format!("{}: {trouble}\n", point.place()),
    };
    Ok(terminal::print(&one_line(text.trim_end())).and_then(|()| terminal::print("\n"))?)
}
