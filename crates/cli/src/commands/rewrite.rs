//! `formicary rewrite`.

use super::search::pattern_or_rules;
use crate::arguments::GlobalArguments;
use crate::arguments::patterns::RewriteArguments;
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::patterns as render;
use crate::terminal;
use formicary_model::patterns::{FileChange, RewriteInput, UndoInput};
use formicary_platform::exit;
use formicary_platform::patterns::{Rewrite, Undo};
use formicary_platform::use_case::{Choice, Human};
use std::io::{BufRead as _, IsTerminal as _};

/// Changes code by its shape, or takes a change back.
pub fn run(arguments: RewriteArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let context = door::context(&sources);
    if let Some(name) = arguments.undo {
        let input = UndoInput { name: (!name.is_empty()).then_some(name), ..UndoInput::default() };
        let undone = platform.perform::<Undo>(&context, input)?;
        terminal::show(global.json, &undone, || render::undone(&undone))?;
        return Ok(0);
    }
    if arguments.interactive && (global.json || !std::io::stdin().is_terminal()) {
        return Err(invalid(
            "--interactive needs a terminal to ask on",
            "use --write, or look at the diff first",
        )
        .into());
    }
    let (pattern, rules, paths) = pattern_or_rules(arguments.pattern, arguments.rule, arguments.paths)?;
    let input = RewriteInput {
        code: door::code(&paths)?,
        pattern,
        rules,
        to: arguments.to,
        language: arguments.language,
        write: arguments.write || arguments.interactive,
    };
    let interactive = arguments.interactive;
    let context = if interactive { context.asking(&AtTheTerminal) } else { context };
    let report = platform.perform::<Rewrite>(&context, input)?;
    terminal::show(global.json, &report, || render::rewritten(&report, interactive))?;
    Ok(if report.left.is_empty() { 0 } else { exit::NOT_DONE })
}

struct AtTheTerminal;

impl Human for AtTheTerminal {
    /// Shows one file's change and asks. Whoever cannot be asked has not agreed.
    fn choose(&self, change: &FileChange) -> Choice {
        let question = format!("{}take it? [y]es, [n]o, [a]ll, [q]uit ", render::diff(&change.diff));
        if terminal::print(&question).is_err() {
            return Choice::Stop;
        }
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => Choice::Stop,
            Ok(_) => match line.trim() {
                "y" | "yes" => Choice::Yes,
                "a" | "all" => Choice::All,
                "q" | "quit" => Choice::Stop,
                _ => Choice::No,
            },
        }
    }
}
