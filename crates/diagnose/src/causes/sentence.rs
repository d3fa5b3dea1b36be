//! A chain of causes as one sentence.

use crate::watched::quoted;
use formicary_model::{CauseRole, CauseStep, ErrorDiagnosis};
use std::fmt::Write as _;

/// The sentence; none if the chain says no more than the message of the error.
pub fn of(error: &ErrorDiagnosis, steps: &[CauseStep]) -> Option<String> {
    let first = steps.first()?;
    let told = steps.len() > 1 || first.shows_value() || first.role == CauseRole::Elsewhere;
    if !told {
        return None;
    }
    let mut text = match first.role {
        CauseRole::Condition => condition(first, &error.error_type),
        CauseRole::Unbound => {
            format!("{} is set only at line {}, which did not run", quoted(&first.expression), first.line)
        }
        CauseRole::Elsewhere => format!(
            "The name exists only as a local variable of {} (line {})",
            quoted(&first.expression),
            first.line
        ),
        CauseRole::Key if !first.shows_value() => {
            format!("There is no key {}", quoted(&first.value))
        }
        CauseRole::Key => format!("There is no key {} ({})", quoted(&first.value), quoted(&first.expression)),
        _ => stated(first),
    };
    let mut at = first;
    for (index, step) in steps.iter().enumerate().skip(1) {
        let place = place(step, at);
        let expression = quoted(&step.expression);
        // A literal and its value are one.
        let shows = step.shows_value();
        let named = if shows { format!(" as {expression}") } else { String::new() };
        let before = std::mem::replace(&mut at, step);
        if step.gap {
            let _ = write!(text, "; this goes back to {}, {place}", stated(step));
            continue;
        }
        match step.role {
            CauseRole::Left | CauseRole::Right => {
                let _ = match shows {
                    true => write!(text, "; on the other side {}", stated(step)),
                    false => write!(text, "; the other side is {expression}"),
                };
            }
            CauseRole::Failing | CauseRole::Index | CauseRole::Key | CauseRole::Collection => {
                let _ = write!(text, "; {}", stated(step));
            }
            CauseRole::Condition => {
                let _ = write!(text, ", {}", because(step));
            }
            CauseRole::Part => {
                let because = if index == 1 && step.line == first.line && first.role != CauseRole::Condition {
                    " because "
                } else {
                    ", where "
                };
                let _ = write!(text, "{because}{}", stated(step));
            }
            CauseRole::Passed => {
                let _ = write!(text, ", passed {place}{named}");
            }
            CauseRole::Default => {
                let _ = write!(text, ", the default of the parameter {place}");
            }
            CauseRole::Assigned => {
                let _ = write!(text, ", assigned {place}{}", from(step, shows));
            }
            CauseRole::Changed => {
                let _ = write!(text, ", changed {place} by {expression}");
            }
            CauseRole::Returned => {
                let _ = write!(text, ", returned {place}{named}");
            }
            CauseRole::Ended => {
                let _ = write!(
                    text,
                    ", because {expression} ({}) ends without a return",
                    place.trim_start_matches("at ")
                );
            }
            CauseRole::Yielded => {
                let _ = write!(text, ", yielded {place}{named}");
            }
            CauseRole::Stored => {
                let _ = write!(text, ", set {place}{named}");
            }
            CauseRole::Added => {
                let _ = write!(text, ", added {place}{named}");
            }
            CauseRole::Deleted => {
                let _ = write!(text, ", an item of it was removed {place} by {expression}");
            }
            CauseRole::Item => {
                let _ = write!(text, ", an item of {expression} {place}");
            }
            CauseRole::Iterated if before.role == CauseRole::Unbound => {
                let _ = write!(text, " because {} at line {}", stated(step), step.line);
            }
            // The loop over it said so.
            CauseRole::Literal if step.line == before.line && step.file == before.file => {}
            CauseRole::Iterated => {
                let _ = write!(text, ", made {place} from {}", stated(step));
            }
            CauseRole::Literal => {
                let _ = write!(text, ", from the literal {place}");
            }
            CauseRole::Class => {
                let _ = write!(text, ", from the class {place}");
            }
            CauseRole::Input => {
                let _ = write!(text, ", read {place} by {expression}");
            }
            CauseRole::Absent => {
                let _ = write!(text, " because the key is not in {expression}");
                if shows {
                    let _ = write!(text, ", which is {}", quoted(&step.value));
                }
            }
            CauseRole::Made => {
                let _ = write!(text, ", from {expression} {place}");
            }
            CauseRole::Nothing => {
                let _ = write!(text, ", and {expression} returns nothing");
            }
            CauseRole::Unbound
            | CauseRole::Elsewhere
            | CauseRole::Opened
            | CauseRole::Caught
            | CauseRole::Imported
            | CauseRole::Defined => {
                let _ = write!(text, ", {} {place}", step.role.remark());
            }
        }
    }
    text.push('.');
    Some(text)
}

/// `` `xs` is `[]` ``
fn stated(step: &CauseStep) -> String {
    match step.shows_value() {
        false => quoted(&step.expression),
        true => format!("{} is {}", quoted(&step.expression), quoted(&step.value)),
    }
}

fn condition(step: &CauseStep, raised: &str) -> String {
    // Each language writes its truth values, and has its word for it.
    let verb = if matches!(step.value.as_str(), "true" | "false") { "thrown" } else { "raised" };
    format!("{raised} is {verb} because {} {}", quoted(&step.expression), held(step))
}

fn because(step: &CauseStep) -> String {
    format!("because {} (line {}) {}", quoted(&step.expression), step.line, held(step))
}

fn held(step: &CauseStep) -> &'static str {
    if matches!(step.value.as_str(), "False" | "false") { "does not hold" } else { "holds" }
}

fn from(step: &CauseStep, shows: bool) -> String {
    if shows { format!(" from {}", quoted(&step.expression)) } else { String::new() }
}

/// The file is named where it is another one than before.
fn place(step: &CauseStep, before: &CauseStep) -> String {
    match step.file == before.file {
        true => format!("at line {}", step.line),
        false => format!("at {}:{}", step.file, step.line),
    }
}
