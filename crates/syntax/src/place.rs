//! What reports quote of a unit: places as people count them, functions by their full names.

use crate::unit::{FunctionId, Owner, Unit};
use formicary_model::review::Span;

/// The place of some bytes.
pub fn place(unit: &Unit<'_>, span: crate::Span) -> Span {
    let (start, end) =
        (unit.lines.position(unit.source, span.start), unit.lines.position(unit.source, span.end));
    Span {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
        start_byte: span.start,
        end_byte: span.end,
    }
}

/// A function's name with its outer names.
pub fn qualified(unit: &Unit<'_>, id: FunctionId) -> String {
    let mut names = Vec::new();
    let mut owner = Owner::Function(id);
    for _ in 0..50 {
        match owner {
            Owner::File => break,
            Owner::Class(class) => {
                names.push(unit.class(class).name);
                owner = unit.class(class).owner;
            }
            Owner::Function(function) => {
                let function = unit.function(function);
                names.push(if function.name.is_empty() { "<lambda>" } else { function.name });
                names.extend(function.receiver.filter(|receiver| !receiver.is_empty()));
                owner = function.owner;
            }
        }
    }
    names.reverse();
    names.join(".")
}
