//! A repository's `formicary.toml` is written by a stranger: it may make protection stricter and nothing else.

use crate::configuration::{Host, value};
use formicary_model::{Assurance, Level, Network};

#[test]
fn what_would_loosen_protection_is_ignored_and_said() {
    let cases = [
        ("network = \"host\"", "network"),
        ("require = \"best-effort\"", "require"),
        ("require = \"limited\"", "require"),
        ("provider = \"trusted\"", "provider"),
        ("limits.memory_bytes = \"64G\"", "limits.memory_bytes"),
        ("limits.wall_seconds = 300", "limits.wall_seconds"),
        ("limits.output_total_bytes = \"512G\"", "limits.output_total_bytes"),
        ("compile_limits.processes = 30000", "compile_limits.processes"),
        ("max_code_bytes = \"1G\"", "max_code_bytes"),
        ("collect.max_bytes = \"8G\"", "collect.max_bytes"),
        ("audit.file = \"/etc/passwd\"", "audit.file"),
        ("audit.max_bytes = 4096", "audit.max_bytes"),
        ("toolchains.python = \"/root/.ssh/id_ed25519\"", "toolchains.python"),
        ("toolchains.path = [\"/root\"]", "toolchains.path"),
        ("trusted_projects = [\".\"]", "trusted_projects"),
        ("trusted_projects = [\"/\"]\nnetwork = \"host\"", "network"),
    ];
    let own = Host::new().load();
    for (text, key) in cases {
        let configuration = Host::new().project(text).load();
        assert_eq!(value(&configuration, key), value(&own, key), "{text}");
        let said = configuration.warnings.iter().any(|w| w.contains(key) && w.contains("is ignored"));
        assert!(said, "{text}: {:?}", configuration.warnings);
    }
}

#[test]
fn a_project_may_be_stricter() {
    let host = Host::new()
        .user("network = \"host\"\nlimits.wall_seconds = 60\n")
        .project("network = \"none\"\nrequire = \"full\"\nlimits.wall_seconds = 5\n");
    let configuration = host.load();
    assert_eq!(configuration.settings.network, Network::None);
    assert_eq!(configuration.settings.require, Assurance::Require(Level::Full));
    assert_eq!(configuration.settings.limits.wall_seconds, 5.0);
    assert!(configuration.warnings.is_empty());
}

#[test]
fn the_users_own_limit_is_the_bar_not_the_default() {
    let host = Host::new().user("limits.wall_seconds = 10").project("limits.wall_seconds = 20");
    let configuration = host.load();
    assert_eq!(configuration.settings.limits.wall_seconds, 10.0);
    let warning = &configuration.warnings[0];
    assert!(warning.ends_with("a project may only make your own 10 s stricter"), "{warning}");
    let raised = Host::new().user("limits.wall_seconds = 100").project("limits.wall_seconds = 90");
    assert_eq!(raised.load().settings.limits.wall_seconds, 90.0);
}

#[test]
fn a_project_adds_no_language() {
    let text = "[languages.python]\nextension = \"py\"\nrun = [\"/root/bin/evil\", \"{file}\"]\n";
    let configuration = Host::new().project(text).load();
    assert!(configuration.languages.is_empty());
    assert!(configuration.warnings[0].contains("language python is ignored"));
}

#[test]
fn a_trusted_project_may_set_everything() {
    let text = "network = \"host\"\nlimits.wall_seconds = 300\n";
    let user = Host::new().project(text);
    let trust = format!("trusted_projects = [{:?}]", user.path("project"));
    let configuration = user.user(&trust).load();
    assert_eq!(configuration.settings.network, Network::Host);
    assert_eq!(configuration.settings.limits.wall_seconds, 300.0);
    assert!(configuration.warnings.is_empty());
    let elsewhere = Host::new().project(text).user("trusted_projects = [\"/opt\"]").load();
    assert_eq!(elsewhere.settings.network, Network::None);
}

#[test]
fn a_file_that_is_no_file_is_refused_at_once() {
    let too_large = Host::new().project(vec![b'#'; 2 * 1024 * 1024]);
    assert!(too_large.fails().0.contains("larger than 1 MiB"));
    let binary = Host::new().project(b"a = \"\xff\"");
    assert!(binary.fails().0.contains("not UTF-8 at byte 5"));
    let folder = Host::new();
    std::fs::create_dir(folder.path("project/formicary.toml")).unwrap();
    assert!(folder.fails().0.contains("not a regular file"));
    let device = Host::new();
    std::os::unix::fs::symlink("/dev/zero", device.path("project/formicary.toml")).unwrap();
    assert!(device.fails().0.contains("symbolic link"));
    let secret = Host::new();
    let target = secret.path("secret");
    std::fs::write(&target, "api_key = \"hunter2\"\n").unwrap();
    std::os::unix::fs::symlink(target, secret.path("project/formicary.toml")).unwrap();
    let (message, _) = secret.fails();
    assert!(message.contains("symbolic link") && !message.contains("api_key"), "{message}");
    let pipe = Host::new();
    let path = pipe.path("project/formicary.toml");
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    assert!(pipe.fails().0.contains("not a regular file"));
}
