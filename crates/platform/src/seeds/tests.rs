//! The first documents' quick start, and what needs no engine.

use super::*;
use crate::config::{ConfigSources, Configuration};
use crate::facade::Platform;
use formicary_model::{FailureKind, Level, Status};
use std::collections::BTreeMap;

fn platform(flags: &[(&str, &str)]) -> Platform {
    let (configuration, sources) = configured(flags);
    Platform::new(configuration, &sources).unwrap()
}

fn configured(flags: &[(&str, &str)]) -> (Configuration, ConfigSources) {
    let environment = BTreeMap::from([("PATH".to_string(), "/usr/local/bin:/usr/bin:/bin".to_string())]);
    let mut sources = ConfigSources::new(environment, None);
    sources.system_file = None;
    sources.flags = flags.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    (Configuration::load(&sources).unwrap(), sources)
}

#[test]
fn a_server_does_not_run_trusted_code_unless_it_is_told_to() {
    let serve = |flags: &[(&str, &str)]| {
        let (configuration, sources) = configured(flags);
        Platform::to_serve(configuration, &sources)
    };
    let request = |platform: &Platform| {
        let mut request = platform.code("bash", "echo 1", "");
        request.provider = Some("trusted".into());
        request.assurance = platform.assurance_of(Some("trusted"));
        platform.execute_as(&crate::facade::local_caller(), request, Default::default())
    };
    let refused = request(&serve(&[]).unwrap()).unwrap_err();
    assert!(refused.message.contains("trusted"), "{refused}");
    assert!(serve(&[("provider", "trusted")]).is_err());
    assert!(request(&serve(&[("server.trusted", "on")]).unwrap()).unwrap().success());
}

#[test]
fn the_quick_start_runs() {
    let platform = platform(&[]);
    let sandbox = SandboxEnvironment::new(&platform);
    let executor = CodeExecutor::new(&sandbox);
    let result = executor.run_python("print(sum([1, 2, 3]))").unwrap();
    assert!(result.success(), "{}", result.stderr);
    assert_eq!(result.stdout, "6\n");
    let offline = executor.run_bash("exec 3<>/dev/tcp/127.0.0.1/1").unwrap();
    assert!(!offline.success());
}

#[test]
fn limits_hold_within_their_context_alone() {
    let platform = platform(&[]);
    let limits = ExecutionLimits { time_limit: Some(0.5), ..ExecutionLimits::default() };
    let slow = "import time\ntime.sleep(1)\nprint('done')";
    let limited = platform.execute_with_limits("python", slow, "", &limits).unwrap();
    assert_eq!(limited.status, Status::Timeout);
    let free = platform.execute_with_limits("python", slow, "", &ExecutionLimits::default()).unwrap();
    assert_eq!(free.stdout, "done\n");
    let wrong = ExecutionLimits { memory_limit_mb: Some(0), ..ExecutionLimits::default() };
    assert_eq!(wrong.validated().unwrap_err().kind, FailureKind::InvalidInput);
}

#[test]
fn a_process_is_isolated() {
    let command = ["sh", "-c", "id -u; ls /home /root 2>&1 | wc -l"].map(str::to_string);
    let result =
        platform(&[]).sandbox_process_isolation(&command, Vec::new(), &ExecutionLimits::default()).unwrap();
    assert!(result.enforcement.level >= Level::Isolated);
    assert!(result.stdout.starts_with("1000\n"), "{}", result.stdout);
}

#[test]
fn without_an_engine_that_is_said_with_the_remedy() {
    let platform = platform(&[("docker.socket", "/no/such/docker.sock")]);
    let found = platform.check_docker_available();
    assert!(!found.available && found.failure.is_some_and(|failure| failure.hint.is_some()));
    let sandbox =
        DockerSandbox::new(&platform, [("main.py".to_string(), b"print(1)".to_vec())], "python main.py");
    assert!(sandbox.setup_image().unwrap_err().message.contains("/no/such/docker.sock"));
    assert_eq!(sandbox.run(5.0).unwrap_err().kind, FailureKind::IsolationUnavailable);
}
