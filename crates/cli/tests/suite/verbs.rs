//! The verbs that run nothing.

use crate::command::Bench;

#[test]
fn help_and_version_succeed() {
    let bench = Bench::new();
    for arguments in [&["--help"][..], &["help"], &["--version"], &["version"], &["-V"]] {
        let said = bench.run(arguments);
        assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{arguments:?}: {said:?}");
        assert!(said.stdout.to_lowercase().contains("formicary"), "{arguments:?}: {said:?}");
    }
    for verb in ["run", "languages", "doctor", "config", "completions", "man", "exit-codes", "version"] {
        let said = bench.run(&[verb, "--help"]);
        assert_eq!(said.code, 0, "{verb}");
        let longest = said.stdout.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(100), "{verb} fits a terminal: {longest:?}");
    }
}

#[test]
fn the_version_names_the_commit_and_its_date() {
    let bench = Bench::new();
    let json = bench.run(&["version", "--json"]).json();
    let word = |key: &str| json[key].as_str().unwrap().to_owned();
    let (version, commit, date) = (word("version"), word("commit"), word("date"));
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    assert!(commit == "unknown" || commit.len() >= 7 && !commit.contains(char::is_whitespace), "{commit}");
    let is_date = date.len() == 10 && date.chars().all(|letter| letter.is_ascii_digit() || letter == '-');
    assert!(date == "unknown" || is_date, "{date}");
    let text = bench.run(&["version"]).stdout;
    let first = text.lines().next().unwrap();
    let short = commit.get(..9).unwrap_or(&commit);
    assert_eq!(first, format!("formicary {version} (commit {short}, {date})"));
}

#[test]
fn config_shows_values_with_their_origins() {
    let bench = Bench::new()
        .file("formicary.toml", "network = \"host\"\n[limits]\nwall_seconds = \"5s\"\n")
        .variable("FORMICARY_LIMITS_PROCESSES", "32");
    let said = bench.run(&["config", "--set", "limits.memory_bytes=64MiB"]);
    assert_eq!(said.code, 0, "{said:?}");
    let row = |key: &str| {
        let line = said.stdout.lines().find(|line| line.starts_with(&format!("{key} "))).unwrap();
        line.split("  ").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("limits.wall_seconds"), ["limits.wall_seconds", "5 s", "[HERE]/formicary.toml:3"]);
    assert_eq!(row("limits.processes"), ["limits.processes", "32", "environment FORMICARY_LIMITS_PROCESSES"]);
    assert_eq!(row("limits.memory_bytes"), ["limits.memory_bytes", "64 MiB", "--set"]);
    assert_eq!(row("network"), ["network", "none", "default"]);
    assert_eq!(
        said.stderr,
        "warning: [HERE]/formicary.toml:1: network = host is ignored: a project may only make your own none stricter\n"
    );
    let json = bench.run(&["config", "--json"]).json();
    let setting =
        json["settings"].as_array().unwrap().iter().find(|s| s["key"] == "limits.wall_seconds").unwrap();
    assert_eq!(setting["value"], 5);
    assert!(setting["origin"]["project"][0].as_str().unwrap().ends_with("formicary.toml"));
    let paths = bench.run(&["config", "--path"]).stdout;
    assert!(paths.contains("project  yes    [HERE]/formicary.toml"), "{paths}");
}

#[test]
fn exit_codes_are_listed() {
    let bench = Bench::new();
    let text = bench.run(&["exit-codes"]).stdout;
    for code in ["120", "121", "122", "123", "124", "125", "126", "130"] {
        assert!(text.lines().any(|line| line.starts_with(code)), "{code}: {text}");
    }
    assert!(bench.run(&["exit-codes", "--json"]).json().as_array().unwrap().len() >= 10);
}

#[test]
fn completions_and_manual_pages_are_made() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish"] {
        let said = bench.run(&["completions", shell]);
        assert!(
            said.code == 0 && said.stdout.contains("--timeout") || said.stdout.contains("timeout"),
            "{shell}"
        );
    }
    assert!(bench.run(&["man"]).stdout.contains(".SH NAME"));
    assert_eq!(bench.run(&["man", "pages"]).code, 0);
    let entries = std::fs::read_dir(bench.here().join("pages")).unwrap();
    let pages: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    for name in
        ["formicary", "formicary-run", "formicary-doctor", "formicary-session", "formicary-session-new"]
    {
        assert!(pages.contains(&format!("{name}.1")), "{name}: {pages:?}");
    }
    assert!(!pages.iter().any(|page| page.contains("server") || page.contains("help")), "{pages:?}");
    let page = std::fs::read_to_string(bench.here().join("pages/formicary-run.1")).unwrap();
    assert!(page.contains(".TH formicary-run 1"), "{page}");
}

#[test]
fn languages_are_listed() {
    let bench = Bench::new();
    let text = bench.run(&["languages"]).stdout;
    for language in formicary_model::Language::ALL {
        assert!(text.lines().any(|line| line.starts_with(&format!("{language} "))), "{language}: {text}");
    }
    let json = bench.run(&["languages", "--json"]).json();
    assert!(json.as_array().unwrap().iter().any(|l| l["id"] == "python" && l["aliases"][0] == "py"));
}

#[test]
fn the_doctor_tells_what_is_enforced() {
    let bench = Bench::new();
    let json = bench.run(&["doctor", "--json"]);
    let report = json.json();
    assert_eq!(json.code, if report["isolated"] == true { 0 } else { 122 });
    assert_eq!(report["providers"][0]["protections"].as_array().unwrap().len(), 22);
    assert!(report["host"].as_array().unwrap().iter().any(|fact| fact["name"] == "kernel"));
    let text = bench.run(&["doctor", "--details"]).stdout;
    for heading in ["Host", "Provider native", "Languages", "Debuggers"] {
        assert!(text.contains(heading), "{heading}: {text}");
    }
    assert!(report["conclusion"]["missing"].is_array(), "{report}");
    let works = report["conclusion"]["works"].as_str().unwrap();
    let short = bench.run(&["doctor"]).stdout;
    assert!(short.starts_with("Untrusted code can"), "{short}");
    let last = short.lines().last().unwrap();
    assert!(last.starts_with(&format!("Works: {works}; missing: ")), "{last}");
    assert!(short.contains("state/formicary/audit.db"), "{short}");
}

#[test]
fn colours_only_where_asked_for() {
    let bench = Bench::new();
    assert!(!bench.run(&["doctor"]).stdout.contains('\u{1b}'));
    assert!(bench.run(&["doctor", "--color", "always"]).stdout.contains('\u{1b}'));
    let said = bench.run(&["run", "missing.py", "--color", "always"]);
    assert!(said.stderr.contains("\u{1b}[1m") && said.code == 120, "{said:?}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let bench = Bench::new();
    for arguments in [&["config"][..], &["completions", "bash"], &["doctor", "--json"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = bench.command(arguments).stdout(writer).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.as_str()), (Some(141), ""), "{arguments:?}");
    }
}
