//! Trusted Python has a virtual environment of its own, which goes with it.

use crate::rig::{check, snippet};
use formicary_model::{Assurance, Environment, ExecutionRequest, Status};
use std::path::Path;

const TELL: &str = "import os, site, sys
prefix = sys.prefix
packages = site.getsitepackages()[0]
open(os.path.join(packages, 'left_here.py'), 'w').write('')
import left_here
print(prefix, prefix != sys.base_prefix, os.environ['VIRTUAL_ENV'] == prefix, packages.startswith(prefix), sep='\\n')
";

fn trusted(code: &str) -> ExecutionRequest {
    ExecutionRequest {
        environment: Environment {
            provider: Some("trusted".into()),
            assurance: Assurance::BestEffort,
            ..snippet("python", code).environment
        },
        ..snippet("python", code)
    }
}

#[test]
fn trusted_python_installs_into_an_environment_of_its_own() {
    let told = |code: &str| {
        let result = check(trusted(code), Status::Success);
        result.stdout.lines().map(str::to_string).collect::<Vec<_>>()
    };
    let first = told(TELL);
    assert_eq!(first[1..], ["True", "True", "True"], "{first:?}");
    assert!(!Path::new(&first[0]).exists(), "{first:?} is left");
    // What the first left in its environment is not in the second's.
    let second = told("import importlib.util as u; print(u.find_spec('left_here'))");
    assert_eq!(second, ["None"]);
}

#[test]
fn a_trusted_command_finds_it_first() {
    let request = ExecutionRequest {
        command: Some(vec!["python3".into(), "main.py".into()]),
        ..trusted("import sys; print(sys.prefix != sys.base_prefix)")
    };
    assert_eq!(check(request, Status::Success).stdout, "True\n");
}
