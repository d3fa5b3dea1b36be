//! `cargo xtask places`: rename, extract and inline on places of real packages, picked by a fixed seed.
//!
//! A place is good where the operation is refused with a reason, or where the package's own tests pass before and after, in
//! the sandbox. A change that makes them fail is a break: it is printed whole, and the chore fails.

mod packages;
mod pick;

use packages::Package;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the command line asks for.
#[derive(Debug)]
pub struct Options {
    /// How many places in all.
    pub places: usize,
    /// Where the picking begins.
    pub seed: u64,
    /// Where packages are kept between runs.
    pub folder: PathBuf,
    /// The program to judge.
    pub binary: PathBuf,
    /// Only packages of this registry: pypi, npm, java.
    pub only: Option<String>,
}

#[derive(Debug, Default)]
struct Row {
    made: usize,
    refused: usize,
    broken: usize,
}

/// Picks places, makes what can be made, and prints the table.
pub fn command(options: &Options) -> Result<(), String> {
    let mut packages = packages::fetched(&options.folder)?;
    packages.retain(|package| options.only.as_deref().is_none_or(|only| package.registry == only));
    if packages.is_empty() {
        return Err("no package could be fetched".into());
    }
    let mut rows: BTreeMap<(String, &'static str), Row> = BTreeMap::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut breaks = Vec::new();
    let each = options.places.div_ceil(packages.len());
    for package in &packages {
        for place in pick::places(&package.folder, options.seed, each)? {
            let row = rows.entry((package.name.clone(), place.operation)).or_default();
            match tried(options, package, &place) {
                Tried::Made => row.made += 1,
                Tried::Refused(why) => {
                    row.refused += 1;
                    *reasons.entry(shortened(&why)).or_default() += 1;
                }
                Tried::Broken(what) => {
                    row.broken += 1;
                    breaks.push(format!("{} {} {}\n{what}", package.name, place.operation, place.written));
                }
            }
        }
    }
    print(&rows, &reasons);
    for one in &breaks {
        println!("\nBROKEN {one}");
    }
    if breaks.is_empty() { Ok(()) } else { Err(format!("{} places broke", breaks.len())) }
}

enum Tried {
    Made,
    Refused(String),
    Broken(String),
}

fn formicary(options: &Options, package: &Package) -> Command {
    let mut command = Command::new(&options.binary);
    command.current_dir(&package.folder);
    command
}

fn tried(options: &Options, package: &Package, place: &pick::Place) -> Tried {
    let mut command = formicary(options, package);
    command.args(["refactor", place.operation, &place.written]).args(&place.name);
    command.args(["--write", "--json", "--verify", "sh verify.sh"]);
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => return Tried::Broken(error.to_string()),
    };
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if report["what"].is_null() {
        let message = report["error"]["message"].as_str().map(str::to_owned);
        let first = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("no reason").to_owned();
        return match output.status.code() {
            Some(120) => Tried::Refused(message.unwrap_or(first)),
            code => Tried::Broken(format!("exit code {code:?}: {} {said}", message.unwrap_or_default())),
        };
    }
    let verification = &report["verification"];
    if verification["before"] != 0 {
        return Tried::Broken(format!("the tests failed before it: {}", verification["output"]));
    }
    if verification["after"] != 0 {
        let changes = report["changes"].as_array().into_iter().flatten();
        let diffs: Vec<&str> = changes.filter_map(|change| change["diff"].as_str()).collect();
        return Tried::Broken(format!(
            "{}\n{}",
            diffs.join("\n"),
            verification["output"].as_str().unwrap_or("")
        ));
    }
    match undone(options, package) {
        Ok(()) => Tried::Made,
        Err(why) => Tried::Broken(why),
    }
}

/// Every place begins with the package as it was.
fn undone(options: &Options, package: &Package) -> Result<(), String> {
    match formicary(options, package).args(["rewrite", "--undo"]).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// A reason without its place, and not too long.
fn shortened(why: &str) -> String {
    let why = why.trim_start_matches("error: ");
    let why = why.split_once(": ").map_or(why, |(_, why)| why);
    let words: Vec<&str> = why.lines().next().unwrap_or("").split_whitespace().take(12).collect();
    words.join(" ")
}

fn print(rows: &BTreeMap<(String, &'static str), Row>, reasons: &BTreeMap<String, usize>) {
    println!("| package | operation | made, tests pass | refused | broken |\n|---|---|---|---|---|");
    let mut all = Row::default();
    for ((package, operation), row) in rows {
        println!("| {package} | {operation} | {} | {} | {} |", row.made, row.refused, row.broken);
        all.made += row.made;
        all.refused += row.refused;
        all.broken += row.broken;
    }
    println!("| all | | {} | {} | {} |", all.made, all.refused, all.broken);
    let mut reasons: Vec<_> = reasons.iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    println!("\nrefused because");
    for (why, count) in reasons.iter().take(40) {
        println!("{count:4} {why}");
    }
}

/// Runs a program that fetches or unpacks.
fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{program} {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr)))
}
