//! The compile cache: what the second compilation of a source costs, next to the first.

use super::sample::{Samples, milliseconds};
use super::{Measured, Options};
use formicary_model::{ExecutionRequest, Source};
use formicary_platform::config::{ConfigSources, Configuration};
use formicary_platform::{Live, Platform};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// A language and a program in which `@` stands for a number, so that each source is new to the cache.
const PROGRAMS: [(&str, &str); 6] = [
    ("c", "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", @); return 0; }\n"),
    ("cpp", "#include <iostream>\nint main() { std::cout << @ << std::endl; }\n"),
    ("rust", "fn main() { println!(\"{}\", @); }\n"),
    ("go", "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(@) }\n"),
    ("java", "public class Main { public static void main(String[] a) { System.out.println(@); } }\n"),
    ("typescript", "const n: number = @;\nconsole.log(n);\n"),
];

/// Sources compiled twice in each language.
const SOURCES: u32 = 5;

/// One language's figures.
#[derive(Debug, Serialize)]
pub struct Row {
    language: &'static str,
    first_ms: f64,
    second_ms: f64,
    ratio: f64,
}

/// The compile cache's figures.
#[derive(Debug, Serialize)]
struct Figures {
    compile_cache: Vec<Row>,
    left_out: Vec<String>,
}

/// Every language, compiled first and again.
pub fn measured(_options: &Options, scratch: &Path) -> Result<Measured, String> {
    let (compile_cache, left_out) = measure(scratch)?;
    Measured::new(table(&compile_cache, &left_out), &Figures { compile_cache, left_out })
}

/// A language that cannot take part here is left out, with the reason.
fn measure(scratch: &Path) -> Result<(Vec<Row>, Vec<String>), String> {
    let platform = platform(scratch)?;
    let (mut rows, mut left_out) = (Vec::new(), Vec::new());
    for (language, template) in PROGRAMS {
        match row(&platform, language, template) {
            Ok(row) => rows.push(row),
            Err(why) => left_out.push(format!("{language}: {why}")),
        }
    }
    Ok((rows, left_out))
}

/// The platform with a cache of its own and nobody's configuration.
pub fn platform(scratch: &Path) -> Result<Platform, String> {
    let (configuration, sources) = configuration(scratch, &[])?;
    Platform::new(configuration, &sources).map_err(|failure| failure.message)
}

/// The same for a caller that stays, with these settings.
pub fn platform_to_stay(scratch: &Path, settings: &[(&str, &str)]) -> Result<Platform, String> {
    let (configuration, sources) = configuration(scratch, settings)?;
    Platform::to_stay(configuration, &sources).map_err(|failure| failure.message)
}

fn configuration(
    scratch: &Path,
    settings: &[(&str, &str)],
) -> Result<(Configuration, ConfigSources), String> {
    let environment = std::env::vars().filter(|(name, _)| !name.starts_with("FORMICARY_")).collect();
    let mut sources = ConfigSources::new(environment, None);
    (sources.system_file, sources.user_file) = (None, None);
    sources.flags.push(("cache.folder".into(), scratch.join("cache").display().to_string()));
    sources.environment.insert("XDG_STATE_HOME".into(), scratch.join("state").display().to_string());
    let own = settings.iter().map(|(key, value)| ((*key).to_string(), (*value).to_string()));
    sources.flags.extend(own);
    let configuration = Configuration::load(&sources).map_err(|failure| failure.message)?;
    Ok((configuration, sources))
}

fn row(platform: &Platform, language: &'static str, template: &str) -> Result<Row, String> {
    let (mut first, mut second) = (Samples::default(), Samples::default());
    for number in 0..SOURCES {
        let code = template.replace('@', &number.to_string());
        first.push(compiled(platform, language, &code, false)?);
        second.push(compiled(platform, language, &code, true)?);
    }
    let (first_ms, second_ms) = (milliseconds(first.median()), milliseconds(second.median()));
    Ok(Row { language, first_ms, second_ms, ratio: second_ms / first_ms })
}

/// The time of the compile step alone.
fn compiled(platform: &Platform, language: &str, code: &str, cached: bool) -> Result<Duration, String> {
    let request = ExecutionRequest {
        language: Some(language.into()),
        source: Source::code(code),
        ..platform.new_request()
    };
    let result = platform
        .execute_as(&formicary_platform::local_caller(), request, Live::default())
        .map_err(|failure| failure.message)?;
    let compile = result.compile.as_ref().filter(|_| result.success());
    let compile = compile.ok_or_else(|| format!("it ended as {}", result.status))?;
    if compile.cached != cached {
        return Err(format!("the cache {}", if cached { "missed" } else { "knew it already" }));
    }
    Ok(Duration::from_secs_f64(compile.duration))
}

/// For people.
fn table(rows: &[Row], left_out: &[String]) -> String {
    let mut text = format!("\ncompile cache, medians of {SOURCES} sources\n");
    let _ = writeln!(text, "  {:<24} {:>9} {:>9} {:>9}", "", "first ms", "second ms", "ratio");
    for Row { language, first_ms, second_ms, ratio } in rows {
        let _ = writeln!(text, "  {language:<24} {first_ms:>9.2} {second_ms:>9.2} {ratio:>9.4}");
    }
    for left_out in left_out {
        let _ = writeln!(text, "left out: {left_out}");
    }
    text
}
