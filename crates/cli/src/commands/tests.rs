//! `formicary tests`.

use crate::arguments::GlobalArguments;
use crate::arguments::tests::{TestsArguments, TestsRunArguments, TestsVerb};
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::tests as render;
use crate::{signals, terminal};
use formicary_model::ExecutionRequest;
use formicary_platform::config::ConfigSources;
use formicary_platform::testing::{TestOptions, TestTarget, Wanted, junit_xml};
use formicary_platform::{Cancel, Platform, exit};
use std::path::{Path, PathBuf};

/// Runs tests.
pub fn run(arguments: TestsArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    match arguments.verb {
        TestsVerb::Run(arguments) => run_tests(*arguments, global),
    }
}

fn run_tests(arguments: TestsRunArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let working_folder = working_folder(&sources)?;
    let mut base = base(&platform, &working_folder, arguments.venv.as_deref(), arguments.provider.as_deref())?;
    base.packages = arguments.packages.request(Some(&working_folder))?;
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
) -> Result<ExecutionRequest, Stop> {
    let mut base = platform.new_request();
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
