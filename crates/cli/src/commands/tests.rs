//! `formicary tests`.

use crate::arguments::GlobalArguments;
use crate::arguments::packages::PackageArguments;
use crate::arguments::testing::{
    TestsArguments, TestsGenerateArguments, TestsMutateArguments, TestsRunArguments, TestsVerb,
};
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::tests as render;
use crate::{signals, terminal};
use formicary_model::ExecutionRequest;
use formicary_platform::config::ConfigSources;
use formicary_platform::testing::{
    GenerationWanted, MutationWanted, Style, TestOptions, TestTarget, Wanted, junit_xml,
};
use formicary_platform::{Cancel, Platform, exit};
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
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let working_folder = working_folder(&sources)?;
    let base = base(
        &platform,
        &working_folder,
        arguments.venv.as_deref(),
        arguments.provider.as_deref(),
        &arguments.packages,
    )?;
    let options = TestOptions {
        working_folder: working_folder.clone(),
        target: TestTarget::Path(arguments.target),
        wanted: Wanted {
            framework: arguments.framework,
            select: arguments.only,
            filter: arguments.filter,
            arguments: arguments.arguments,
            coverage: arguments.coverage,
            test_seconds: arguments.test_timeout,
            seconds: Some(arguments.timeout),
        },
        base,
    };
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    let report = platform.run_tests(&options, &cancel)?;
    if let Some(path) = &arguments.junit {
        write(&working_folder.join(path), &junit_xml::write(&report))?;
    }
    if global.json {
        terminal::print_json(&report)?;
    } else {
        terminal::print(&render::run(&report))?;
    }
    Ok(if report.passed { 0 } else { exit::TESTS_NOT_PASSED })
}

fn workers() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 8)
}

fn generate(arguments: TestsGenerateArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let working_folder = working_folder(&sources)?;
    let base = base(
        &platform,
        &working_folder,
        arguments.venv.as_deref(),
        arguments.provider.as_deref(),
        &arguments.packages,
    )?;
    let root = if working_folder.join(&arguments.target).is_dir() {
        working_folder.join(&arguments.target)
    } else {
        working_folder.clone()
    };
    let options = TestOptions {
        working_folder: working_folder.clone(),
        target: TestTarget::Path(arguments.target),
        wanted: Wanted::default(),
        base,
    };
    let wanted = GenerationWanted {
        files: Vec::new(),
        functions: arguments.functions,
        seconds: arguments.time,
        style: if arguments.style == "unittest" { Style::Unittest } else { Style::Pytest },
        workers: workers(),
    };
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    let report = match &arguments.model {
        Some(model) => platform.generate_tests_with_model(&options, &wanted, model, &sources, &cancel)?,
        None => platform.generate_tests(&options, &wanted, &cancel)?,
    };
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
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let working_folder = working_folder(&sources)?;
    let base = base(
        &platform,
        &working_folder,
        arguments.venv.as_deref(),
        arguments.provider.as_deref(),
        &arguments.packages,
    )?;
    let options = TestOptions {
        working_folder,
        target: TestTarget::Path(arguments.target),
        wanted: Wanted::default(),
        base,
    };
    let wanted = MutationWanted {
        files: arguments.files,
        functions: arguments.functions,
        tests: arguments.tests,
        filter: arguments.filter,
        framework: arguments.framework,
        seconds: arguments.time,
        most: arguments.most,
        workers: workers(),
    };
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    let report = platform.mutate(&options, &wanted, &cancel)?;
    if global.json {
        terminal::print_json(&report)?;
    } else {
        terminal::print(&render::mutation(&report))?;
    }
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

fn working_folder(sources: &ConfigSources) -> Result<PathBuf, Stop> {
    let folder = sources.working_folder.clone();
    Ok(folder
        .ok_or_else(|| invalid("the folder where you stand is gone", "change into a folder that exists"))?)
}

fn base(
    platform: &Platform,
    working: &Path,
    venv: Option<&Path>,
    provider: Option<&str>,
    packages: &PackageArguments,
) -> Result<ExecutionRequest, Stop> {
    let mut base = platform.new_request();
    base.packages = packages.request(Some(working))?;
    base.assurance = platform.assurance_of(provider);
    base.provider = provider.map(str::to_owned);
    if let Some(venv) = venv {
        let path = working.join(venv);
        let text = path
            .to_str()
            .ok_or_else(|| invalid(format!("{} is not UTF-8", venv.display()), "rename the folder"))?;
        base.venv = Some(text.to_owned());
    }
    Ok(base)
}

fn write(path: &Path, text: &str) -> Result<(), Stop> {
    std::fs::write(path, text).map_err(|error| {
        invalid(format!("{}: {error}", path.display()), "name a file in a folder that you may write").into()
    })
}
