//! Commands of a caller's own (`npm test`, `pytest -q`, `cargo test`) and directories that are run: which language's tools they
//! need, and what stands beside the sources. Who runs a command in a project expects what a shell there would find.

use crate::beside;
use crate::facade::Platform;
use formicary_diagnose::command::words;
use formicary_model::node_packages::{LINK_PACKAGES, PACKAGES_AT};
use formicary_model::{ExecutionRequest, Language, Mount, MountAccess, Network, Source};
use std::path::Path;

/// Where packages of JavaScript are shown.
const NODE_MODULES: &str = "/work/node_modules";

/// Programs that tell the language whose tools a command needs.
const PROGRAMS: [(&str, Language); 40] = [
    ("node", Language::JavaScript),
    ("npm", Language::JavaScript),
    ("npx", Language::JavaScript),
    ("yarn", Language::JavaScript),
    ("pnpm", Language::JavaScript),
    ("jest", Language::JavaScript),
    ("vitest", Language::JavaScript),
    ("mocha", Language::JavaScript),
    ("ava", Language::JavaScript),
    ("tap", Language::JavaScript),
    ("eslint", Language::JavaScript),
    ("tsc", Language::TypeScript),
    ("tsx", Language::TypeScript),
    ("ts-node", Language::TypeScript),
    ("python", Language::Python),
    ("python3", Language::Python),
    ("pytest", Language::Python),
    ("py.test", Language::Python),
    ("tox", Language::Python),
    ("nox", Language::Python),
    ("coverage", Language::Python),
    ("mypy", Language::Python),
    ("cargo", Language::Rust),
    ("rustc", Language::Rust),
    ("go", Language::Go),
    ("gofmt", Language::Go),
    ("java", Language::Java),
    ("javac", Language::Java),
    ("mvn", Language::Java),
    ("gradle", Language::Java),
    ("gcc", Language::C),
    ("cc", Language::C),
    ("clang", Language::C),
    ("tcc", Language::C),
    ("g++", Language::Cpp),
    ("c++", Language::Cpp),
    ("clang++", Language::Cpp),
    ("cmake", Language::Cpp),
    ("ctest", Language::Cpp),
    ("ninja", Language::Cpp),
];

/// Files that tell the language of a project whose command names no program of a language: `make test`, `./check`.
const MANIFESTS: [(&str, Language); 9] = [
    ("Cargo.toml", Language::Rust),
    ("go.mod", Language::Go),
    ("package.json", Language::JavaScript),
    ("pyproject.toml", Language::Python),
    ("setup.py", Language::Python),
    ("requirements.txt", Language::Python),
    ("pom.xml", Language::Java),
    ("build.gradle", Language::Java),
    ("CMakeLists.txt", Language::Cpp),
];

/// What a shell starts with so that programs of a project's packages are found.
const NODE_PATH: &str = "PATH=\"$PWD/node_modules/.bin:$PATH\"; ";
/// A virtual environment's own start scripts name an interpreter of the host, so their modules are started instead.
const PYTHON_PROGRAMS: &str = "command -v pytest >/dev/null || pytest() { python3 -m pytest \"$@\"; }; \
                               command -v coverage >/dev/null || coverage() { python3 -m coverage \"$@\"; }; ";

impl Platform {
    /// Completes a request that comes from a directory: the language whose tools its command needs, the packages that stand
    /// beside its sources. Gives what could not be shown.
    pub fn complete(&self, root: &Path, request: &mut ExecutionRequest) -> Vec<String> {
        let mut notes = Vec::new();
        self.name_language(request);
        // An image brings its own tools and packages.
        if request.image.is_some() {
            return notes;
        }
        let language = match &request.language {
            Some(word) => Language::from_word(word),
            None => self.language_of(request),
        };
        match language {
            Some(Language::JavaScript | Language::TypeScript) => show_node_modules(root, request, &mut notes),
            Some(Language::Python) if request.venv.is_none() && request.packages.is_empty() => {
                if let Some(venv) = beside::venv(root) {
                    let path = venv.display().to_string();
                    match self.executor.check_venv(&path) {
                        Ok(()) => request.venv = Some(path),
                        Err(failure) => notes.push(format!("{path} is left out: {}", failure.message)),
                    }
                }
            }
            _ => {}
        }
        if request.venv.is_some() {
            by_module(request);
        }
        notes
    }

    /// Names the language whose tools a command needs, where the caller leaves that open.
    pub(crate) fn name_language(&self, request: &mut ExecutionRequest) {
        by_shell(request);
        let Some(shell) = shell_of(request).map(str::to_owned) else { return };
        let named = match &request.language {
            Some(word) => Language::from_word(word),
            None => of_command(&shell, &request.source),
        };
        let Some(named) = named else { return };
        request.language.get_or_insert_with(|| named.id().to_owned());
        let offline = request.network == Network::None;
        for (name, value) in environment(named, offline) {
            request.env.entry((*name).to_owned()).or_insert_with(|| (*value).to_owned());
        }
        if matches!(named, Language::JavaScript | Language::TypeScript) {
            prefix(request, NODE_PATH);
        }
    }
}

/// A tool of a project that is given word by word finds what it needs as it does in a shell's line. An image brings its own tools,
/// and need not have a shell.
fn by_shell(request: &mut ExecutionRequest) {
    if request.image.is_some() {
        return;
    }
    let Some(command) = &request.command else { return };
    let is_tool = |word: &String| {
        let name = word.rsplit('/').next().unwrap_or(word);
        PROGRAMS.iter().any(|(program, _)| *program == name) || word.contains("venv/bin/")
    };
    if shell_of(request).is_none() && command.first().is_some_and(is_tool) {
        let line = command.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        request.command = Some(vec!["/bin/sh".into(), "-c".into(), line, "sh".into()]);
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=+@%,".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// The line of `sh -c LINE`.
fn shell_of(request: &ExecutionRequest) -> Option<&str> {
    match request.command.as_deref()? {
        [shell, dash, line, ..] if dash == "-c" && shell.rsplit('/').next().is_some_and(is_shell) => {
            Some(line)
        }
        _ => None,
    }
}

fn is_shell(name: &str) -> bool {
    matches!(name, "sh" | "bash" | "dash")
}

fn prefix(request: &mut ExecutionRequest, with: &str) {
    if let Some(line) = request.command.as_mut().and_then(|command| command.get_mut(2))
        && !line.starts_with(with)
    {
        line.insert_str(0, with);
    }
}

/// Starts a virtual environment's programs as modules of the interpreter that the sandbox shows.
fn by_module(request: &mut ExecutionRequest) {
    if shell_of(request).is_none() {
        return;
    }
    if let Some(line) = request.command.as_mut().and_then(|command| command.get_mut(2)) {
        for folder in [".venv/bin/", "venv/bin/"] {
            for python in ["python3", "python"] {
                *line = replaced(line, &format!("{folder}{python}"), "python3");
            }
            *line = replaced(line, &format!("{folder}pytest"), "python3 -m pytest");
        }
    }
    prefix(request, PYTHON_PROGRAMS);
}

/// A line with a word replaced where it stands alone, with or without `./` before it.
fn replaced(line: &str, word: &str, by: &str) -> String {
    let parts = line.split(' ').map(|part| {
        let plain = part.strip_prefix("./").unwrap_or(part);
        if plain == word { by } else { part }
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// What the tools of a language need where they may write to the working directory alone and reach nobody.
fn environment(language: Language, offline: bool) -> &'static [(&'static str, &'static str)] {
    match language {
        // npm looks for a newer version of itself, and npx for packages, until the time is over.
        Language::JavaScript | Language::TypeScript if offline => &[
            ("npm_config_offline", "true"),
            ("npm_config_update_notifier", "false"),
            ("npm_config_audit", "false"),
            ("npm_config_fund", "false"),
            ("npm_config_cache", "/tmp/npm"),
        ],
        Language::Rust if offline => &[("CARGO_HOME", "/tmp/cargo"), ("CARGO_NET_OFFLINE", "true")],
        Language::Rust => &[("CARGO_HOME", "/tmp/cargo")],
        _ => &[],
    }
}

/// The language whose tools a shell's line needs.
fn of_command(line: &str, source: &Source) -> Option<Language> {
    let words = words(line);
    let mut starts = true;
    for word in &words {
        if matches!(word.as_str(), "&&" | "||" | ";" | "|" | "&") {
            starts = true;
            continue;
        }
        let assignment = word.contains('=') && !word.starts_with('-');
        if !starts || assignment || matches!(word.as_str(), "exec" | "env" | "time" | "cd" | "command") {
            // `cd` takes its argument along; that a directory is named like a program is no harm.
            continue;
        }
        starts = false;
        let name = word.rsplit('/').next().unwrap_or(word);
        if let Some((_, language)) = PROGRAMS.iter().find(|(program, _)| *program == name) {
            return Some(*language);
        }
        if word.contains("node_modules/.bin/") {
            return Some(Language::JavaScript);
        }
        if name.starts_with("python3.") || word.contains("venv/bin/") {
            return Some(Language::Python);
        }
    }
    of_files(source)
}

fn of_files(source: &Source) -> Option<Language> {
    let Source::Files { files, .. } = source else { return None };
    let manifest = |name: &str| files.iter().any(|file| file.path == name);
    if let Some((_, language)) = MANIFESTS.iter().find(|(name, _)| manifest(name)) {
        return Some(*language);
    }
    let of = |path: &str| Language::from_extension(path.rsplit_once('.')?.1);
    let all: Vec<Language> = files.iter().filter_map(|file| of(&file.path)).collect();
    let count = |language: &Language| all.iter().filter(|other| *other == language).count();
    all.iter().copied().max_by_key(count)
}

/// Shows the packages of a JavaScript project, read-only.
fn show_node_modules(root: &Path, request: &mut ExecutionRequest, notes: &mut Vec<String>) {
    let taken = |mount: &Mount| mount.guest.starts_with(NODE_MODULES) || mount.guest.starts_with(PACKAGES_AT);
    if request.mounts.iter().any(taken) {
        return;
    }
    match beside::node_modules(root) {
        Some(place) => {
            let by_shell = shell_of(request).is_some();
            let guest = if by_shell { PACKAGES_AT } else { NODE_MODULES };
            request.mounts.push(Mount {
                host: place.display().to_string(),
                guest: guest.into(),
                access: MountAccess::ReadOnly,
            });
            if by_shell {
                prefix(request, LINK_PACKAGES);
            }
        }
        None if root.join("node_modules").symlink_metadata().is_ok() => {
            notes.push("node_modules is left out: it is a link that leads out of the project".into());
        }
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::SourceFile;

    fn files(paths: &[&str]) -> Source {
        let file = |path: &&str| SourceFile { path: (*path).into(), content: Vec::new(), executable: false };
        Source::Files { files: paths.iter().map(file).collect(), entry: None }
    }

    #[test]
    fn a_command_names_its_language() {
        use Language::{C, Cpp, Go, Java, JavaScript, Python, Rust};
        let none: &[&str] = &[];
        for (line, paths, language) in [
            ("npm test", none, Some(JavaScript)),
            ("CI=1 npx vitest run", none, Some(JavaScript)),
            ("node_modules/.bin/mocha -R spec", none, Some(JavaScript)),
            ("python3 -m pytest -q", none, Some(Python)),
            (".venv/bin/python -m unittest", none, Some(Python)),
            ("cd src && exec pytest", none, Some(Python)),
            ("/usr/bin/python3.11 x.py", none, Some(Python)),
            ("cargo test --offline", none, Some(Rust)),
            ("go vet ./... && go test ./...", none, Some(Go)),
            ("javac *.java && java Main", none, Some(Java)),
            ("gcc -o p p.c && ./p", none, Some(C)),
            ("cmake -B b && cmake --build b", none, Some(Cpp)),
            ("make check", &["Makefile", "a.c", "b.c", "t.py"], Some(C)),
            ("make check", &["Makefile", "go.mod", "a.c"], Some(Go)),
            ("./run-tests", &["run-tests", "package.json", "x.py"], Some(JavaScript)),
            ("echo python", none, None),
        ] {
            assert_eq!(of_command(line, &files(paths)), language, "{line}");
        }
    }

    #[test]
    fn programs_of_an_environment_are_started_as_modules() {
        for (line, expected) in [
            (".venv/bin/pytest -q", "python3 -m pytest -q"),
            ("./venv/bin/python x.py", "python3 x.py"),
            ("cat .venv/bin/python3.cfg", "cat .venv/bin/python3.cfg"),
        ] {
            let command = ["/bin/sh", "-c", line].map(str::to_owned).to_vec();
            let mut request = ExecutionRequest { command: Some(command), ..ExecutionRequest::default() };
            by_module(&mut request);
            let line = request.command.unwrap_or_default().pop().unwrap_or_default();
            assert_eq!(line, format!("{PYTHON_PROGRAMS}{expected}"));
        }
    }
}
