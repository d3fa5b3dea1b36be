//! Structural search over Django 5.1 next to ast-grep's command line: one pattern, and a hundred at once.

use super::peers::Peers;
use super::sample::Samples;
use super::{Measured, Options};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const PROJECT: &str = "django==5.1";

/// One pattern with a rare word, with a common one, and without any.
const PATTERNS: [&str; 3] = ["subprocess.run($$$)", "isinstance($X, $Y)", "$X[$Y] = $X[$Y]"];

/// Names that Django calls; a pattern is made of each.
const NAMES: &str = "isinstance len getattr hasattr setattr super str list dict tuple set int repr sorted zip map \
    enumerate range any all min max print open iter next type issubclass callable bool filter reversed sum hash id \
    vars dir property classmethod staticmethod format join split strip replace startswith endswith append extend \
    insert pop remove update items keys values get setdefault copy clear encode decode lower upper title format_html \
    mark_safe reverse redirect render get_object_or_404 HttpResponse Http404 ValidationError ImproperlyConfigured \
    FieldError ValueError TypeError KeyError AttributeError RuntimeError NotImplementedError Q F Value Count Sum \
    Prefetch CharField IntegerField ForeignKey ManyToManyField execute fetchone fetchall cursor quote_name \
    get_field get_model import_string cached_property wraps partial deepcopy warn debug info";

const ROUNDS: u32 = 5;
const TOGETHER: &str = "a hundred patterns at once";
const ALONE: &str = "one of the hundred";

#[derive(Debug, Serialize)]
struct Row {
    what: String,
    ours_s: f64,
    theirs_s: Option<f64>,
    ratio: Option<f64>,
}

/// Every pattern, ours and theirs in turns.
pub fn measured(options: &Options, scratch: &Path) -> Result<Measured, String> {
    let peers = Peers::fetch(&["ast-grep-cli"])?;
    let project = peers.source(PROJECT, &scratch.join("patterns"))?;
    let binary = options.binary()?;
    let time = |command: &mut Command| peers.time(command.current_dir(&project)).map(|timed| timed.time);
    let ours = |arguments: &[&str]| {
        time(Command::new(binary).arg("search").args(arguments).args(["django", "--json"]))
    };
    let mut rows = Vec::new();
    for pattern in PATTERNS {
        let (mut mine, mut others) = (Samples::default(), Samples::default());
        for _ in 0..ROUNDS {
            mine.push(ours(&["-l", "python", pattern])?);
            let mut other = Command::new(peers.program("ast-grep"));
            other.args(["run", "--lang", "python", "--json=compact", "--pattern", pattern, "django"]);
            others.push(time(&mut other)?);
        }
        rows.push(row(pattern, &mine, Some(&others)));
    }
    let names: Vec<&str> = NAMES.split_whitespace().collect();
    let file = scratch.join("hundred.yml");
    let rule = |name: &&str| format!("id: {name}\nlanguage: python\nrule: {{pattern: '{name}($$$)'}}\n");
    let text: Vec<String> = names.iter().take(100).map(rule).collect();
    std::fs::write(&file, text.join("---\n")).map_err(|error| format!("{}: {error}", file.display()))?;
    let file = file.to_string_lossy().into_owned();
    let (mut together, mut alone) = (Samples::default(), Samples::default());
    for round in 0..ROUNDS {
        together.push(ours(&["--rule", &file])?);
        for name in names.iter().skip(round as usize).step_by(20) {
            alone.push(ours(&["-l", "python", &format!("{name}($$$)")])?);
        }
    }
    let mut both = row(TOGETHER, &together, Some(&alone));
    both.what = format!("{TOGETHER}, next to {ALONE}");
    rows.push(both);
    Measured::new(table(&rows), &rows)
}

fn row(what: &str, ours: &Samples, theirs: Option<&Samples>) -> Row {
    let ours_s = ours.median().as_secs_f64();
    let theirs_s = theirs.map(|theirs| theirs.median().as_secs_f64());
    Row { what: what.to_owned(), ours_s, theirs_s, ratio: theirs_s.map(|theirs| ours_s / theirs) }
}

fn table(rows: &[Row]) -> String {
    let mut text =
        format!("\nsearch over {PROJECT} next to ast-grep, medians of {ROUNDS}; ratios are ours to theirs\n");
    let _ = writeln!(text, "  {:<60} {:>9} {:>9} {:>9}", "", "ours s", "theirs s", "ratio");
    for row in rows {
        let figure = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.3}"));
        let _ = writeln!(
            text,
            "  {:<60} {:>9.3} {:>9} {:>9}",
            row.what,
            row.ours_s,
            figure(row.theirs_s),
            figure(row.ratio)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn there_are_a_hundred_names_and_ratios_are_ours_to_theirs() {
        let mut names: Vec<&str> = NAMES.split_whitespace().collect();
        names.sort_unstable();
        names.dedup();
        assert!(names.len() >= 100, "{}", names.len());
        let (mut ours, mut theirs) = (Samples::default(), Samples::default());
        ours.push(Duration::from_secs(1));
        theirs.push(Duration::from_secs(4));
        let row = row("a", &ours, Some(&theirs));
        assert_eq!(row.ratio, Some(0.25));
        assert!(table(&[row]).contains("0.250"));
    }
}
