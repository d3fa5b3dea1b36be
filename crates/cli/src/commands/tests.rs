//! `formicary tests`.

use crate::arguments::GlobalArguments;
use crate::arguments::environment::TestEnvironmentArguments;
use crate::arguments::testing::{
    TestsArguments, TestsGenerateArguments, TestsMutateArguments, TestsRunArguments, TestsVerb,
};
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::tests as render;
use crate::terminal;
use formicary_model::use_case::Number;
use formicary_model::{Environment, GenerateTestsInput, MutateTestsInput, RunTestsInput, TestStyle};
use formicary_platform::config::ConfigSources;
use formicary_platform::testing::{GenerateTests, MutateTests, RunTests, junit_xml};
use formicary_platform::{Platform, exit};
use std::path::{Path, PathBuf};

/// Runs, writes or judges tests.
pub fn run(arguments: TestsArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    match arguments.verb {
        TestsVerb::Run(arguments) => run_tests(*arguments, global),
        TestsVerb::Generate(arguments) => generate(*arguments, global),
        TestsVerb::Mutate(arguments) => mutate(*arguments, global),
    }
}

fn run_tests(arguments: TestsRunArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources, working_folder, environment) = prepared(&arguments.environment, global)?;
    let input = RunTestsInput {
        code: door::code(&[arguments.target])?,
        environment,
        framework: arguments.framework,
        only: arguments.only,
        filter: arguments.filter,
        args: arguments.arguments,
        coverage: arguments.coverage,
        test_seconds: arguments.test_timeout,
        seconds: Number::new(arguments.timeout)?,
    };
    let report = platform.perform::<RunTests>(&door::context(&sources), input)?;
    if let Some(path) = &arguments.junit {
        write(&working_folder.join(path), &junit_xml::write(&report))?;
    }
    terminal::show(global.json, &report, || render::run(&report))?;
    Ok(if report.passed { 0 } else { exit::TESTS_NOT_PASSED })
}

fn generate(arguments: TestsGenerateArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources, working_folder, environment) = prepared(&arguments.environment, global)?;
    let root = if working_folder.join(&arguments.target).is_dir() {
        working_folder.join(&arguments.target)
    } else {
        working_folder.clone()
    };
    let input = GenerateTestsInput {
        code: door::code(&[arguments.target])?,
        environment,
        functions: arguments.functions,
        style: if arguments.style == "unittest" { TestStyle::Unittest } else { TestStyle::Pytest },
        seconds: Number::new(arguments.time)?,
        model: arguments.model,
        ..GenerateTestsInput::default()
    };
    let report = platform.perform::<GenerateTests>(&door::context(&sources), input)?;
    let found: Vec<_> = report.files.iter().filter(|file| file.tests > 0).collect();
    let mut written = Vec::new();
    match (&arguments.output, found.as_slice()) {
        (Some(output), [only]) => written.push((working_folder.join(output), &only.text)),
        (Some(_), []) | (None, _) => {}
        (Some(output), _) => {
            return Err(invalid(
                format!("{} is one file, and there are tests of {} files", output.display(), found.len()),
                "use --write, which writes one beside each",
            )
            .into());
        }
    }
    if arguments.write {
        written.extend(found.iter().map(|file| (root.join(&file.file), &file.text)));
    }
    for (path, text) in &written {
        write_new(path, text)?;
    }
    if global.json {
        terminal::print_json(&report)?;
    } else {
        let paths: Vec<PathBuf> = written.iter().map(|(path, _)| path.clone()).collect();
        terminal::print(&render::generation(&report, &paths))?;
    }
    Ok(if found.is_empty() { exit::TESTS_NOT_PASSED } else { 0 })
}

fn mutate(arguments: TestsMutateArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources, _, environment) = prepared(&arguments.environment, global)?;
    let input = MutateTestsInput {
        code: door::code(&[arguments.target])?,
        environment,
        only: arguments.files,
        functions: arguments.functions,
        tests: arguments.tests,
        filter: arguments.filter,
        framework: arguments.framework,
        seconds: Number::new(arguments.time)?,
        most: Number::new(arguments.most as f64)?,
        workers: None,
    };
    let report = platform.perform::<MutateTests>(&door::context(&sources), input)?;
    terminal::show(global.json, &report, || render::mutation(&report))?;
    let enough = arguments.least_score.is_none_or(|least| report.score >= least);
    Ok(if enough { 0 } else { exit::TESTS_NOT_PASSED })
}

fn write_new(path: &Path, text: &str) -> Result<(), Stop> {
    let made = std::fs::File::options().write(true).create_new(true).open(path);
    made.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes())).map_err(|error| {
        invalid(format!("{}: {error}", path.display()), "name a new file in a folder that you may write")
            .into()
    })
}

type Prepared = (Platform, ConfigSources, PathBuf, Environment);

/// The platform, where the user stands, and what the tests need.
fn prepared(arguments: &TestEnvironmentArguments, global: &GlobalArguments) -> Result<Prepared, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let gone = || invalid("the folder where you stand is gone", "change into a folder that exists");
    let working_folder = sources.working_folder.clone().ok_or_else(gone)?;
    let environment = arguments.environment(&platform, &working_folder)?;
    Ok((platform, sources, working_folder, environment))
}

fn write(path: &Path, text: &str) -> Result<(), Stop> {
    std::fs::write(path, text).map_err(|error| {
        invalid(format!("{}: {error}", path.display()), "name a file in a folder that you may write").into()
    })
}
