//! What a test command means: which tests it runs, and whether they can be run inside one warm interpreter.

/// How the tests of a case are run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCommand {
    /// The command for a shell, as people write it.
    pub shell: String,
    /// What it means.
    pub meaning: Meaning,
}

/// What a command runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// Test functions and classes in these Python files: pytest, unittest.
    PythonTests {
        /// The files, relative to the root.
        files: Vec<String>,
        /// Whether pytest runs them.
        pytest: bool,
    },
    /// A Python script that fails where a test fails.
    PythonScript {
        /// The script.
        path: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// Java: all files compiled, the main method of a class run; JUnit's runner, too.
    JavaMain {
        /// The class.
        class: String,
        /// What it is given.
        arguments: Vec<String>,
        /// Archives of the class path; `folder/*` stands for all of a folder.
        archives: Vec<String>,
        /// The files that are compiled, as the command names them: names with `*`. None: all.
        sources: Vec<String>,
        /// Where further sources are looked for.
        folders: Vec<String>,
    },
    /// A JavaScript file that fails where a test fails.
    NodeScript {
        /// The script.
        path: String,
    },
    /// A program that is built and run as everywhere else, by the recipe of its language.
    Program {
        /// The file that is run.
        entry: String,
    },
    /// A program that one can only run and see.
    Opaque,
}

impl TestCommand {
    /// Reads a command. `files` are all paths of the project.
    pub fn read(shell: &str, files: &[String]) -> Self {
        let opaque = Self { shell: shell.to_owned(), meaning: Meaning::Opaque };
        let words = words(shell);
        if let Some(meaning) = java_main(&words) {
            return Self { meaning, ..opaque };
        }
        if words.iter().any(|word| matches!(word.as_str(), "&&" | "||" | ";" | "|" | ">" | "<" | "&")) {
            return opaque;
        }
        let mut rest = words.as_slice();
        while rest.first().is_some_and(|word| word.contains('=') && !word.starts_with('-')) {
            rest = &rest[1..];
        }
        let Some(program) = rest.first().map(|word| word.rsplit('/').next().unwrap_or(word)) else {
            return opaque;
        };
        let python = program.starts_with("python") || program.starts_with("pypy");
        let pytest =
            program == "pytest" || program == "py.test" || (python && module(rest) == Some("pytest"));
        let unittest = python && module(rest) == Some("unittest");
        if pytest || unittest {
            let named = named_tests(rest, files);
            let found = if named.is_empty() {
                files.iter().filter(|path| is_test_file(path)).cloned().collect()
            } else {
                named
            };
            return Self { meaning: Meaning::PythonTests { files: found, pytest }, ..opaque };
        }
        if let ("node", [_, path]) = (program, rest)
            && files.contains(&plain(path))
            && [".js", ".cjs"].iter().any(|ending| path.ends_with(ending))
        {
            return Self { meaning: Meaning::NodeScript { path: plain(path) }, ..opaque };
        }
        let script = rest.iter().position(|word| word.ends_with(".py"));
        match script {
            Some(at)
                if python
                    && rest[1..at]
                        .iter()
                        .all(|word| word.starts_with('-') && word != "-c" && word != "-m") =>
            {
                let path = plain(&rest[at]);
                if !files.contains(&path) {
                    return opaque;
                }
                Self { meaning: Meaning::PythonScript { path, arguments: rest[at + 1..].to_vec() }, ..opaque }
            }
            _ => opaque,
        }
    }
}

/// Whether a path looks like a file of tests.
pub fn is_test_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let lower = stem.to_ascii_lowercase();
    lower.starts_with("test_")
        || lower.ends_with("_test")
        || lower == "test"
        || lower == "tests"
        || lower.ends_with(".test")
        || lower.ends_with(".spec")
        || stem.ends_with("Test")
        || stem.ends_with("Tests")
        || (stem.starts_with("Test") && stem.chars().nth(4).is_some_and(char::is_uppercase))
        || name == "conftest.py"
}

fn plain(path: &str) -> String {
    path.strip_prefix("./").unwrap_or(path).to_owned()
}

fn module(words: &[String]) -> Option<&str> {
    let at = words.iter().position(|word| word == "-m")?;
    words.get(at + 1).map(String::as_str)
}

fn named_tests(words: &[String], files: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in words.iter().skip(1).filter(|word| !word.starts_with('-')) {
        let path = plain(word.split("::").next().unwrap_or(word));
        let dotted = format!("{}.py", path.replace('.', "/"));
        let folder = format!("{}/", path.trim_end_matches('/'));
        let mut add = |path: &str| {
            if !found.iter().any(|known| known == path) {
                found.push(path.to_owned());
            }
        };
        if path.ends_with(".py") && files.contains(&path) {
            add(&path);
        } else if files.contains(&dotted) {
            add(&dotted);
        } else {
            files
                .iter()
                .filter(|file| file.starts_with(&folder) && is_test_file(file))
                .for_each(|file| add(file));
        }
    }
    found.retain(|path| !path.ends_with("conftest.py"));
    found
}

/// The class of `javac … && java … Class …`; folders may be made and removed before.
fn java_main(words: &[String]) -> Option<Meaning> {
    let parts: Vec<&[String]> = words.split(|word| word == "&&").collect();
    let program =
        |part: &[String]| part.first().map(|word| word.rsplit('/').next().unwrap_or(word).to_owned());
    let made = |part: &&[String]| matches!(program(part).as_deref(), Some("mkdir" | "rm"));
    let parts: Vec<&[String]> = parts.into_iter().skip_while(made).collect();
    let [compile, run] = parts.as_slice() else { return None };
    if program(compile).as_deref() != Some("javac") || program(run).as_deref() != Some("java") {
        return None;
    }
    if words.iter().any(|word| matches!(word.as_str(), "||" | ";" | "|" | ">" | "<" | "&")) {
        return None;
    }
    let (mut archives, mut folders) = (Vec::new(), vec![".".to_owned()]);
    let takes_path = |word: &str| matches!(word, "-cp" | "-classpath" | "--class-path" | "-sourcepath");
    let mut words = compile[1..].iter();
    let mut sources = Vec::new();
    while let Some(word) = words.next() {
        if takes_path(word) {
            let entries = words.next()?.split(':');
            folders
                .extend(entries.filter(|entry| !is_archive(entry) && !entry.is_empty()).map(str::to_owned));
        } else if word.ends_with(".java") {
            sources.push(plain(word));
        } else if word.contains(['@', '$', '`']) {
            // A list that only the shell knows: everything.
            sources.push("*".into());
        }
    }
    let mut words = run[1..].iter();
    while let Some(word) = words.next() {
        if takes_path(word) {
            let entries = words.next()?.split(':').filter(|entry| is_archive(entry));
            archives.extend(entries.map(str::to_owned));
        } else if !word.starts_with('-') || word == "-jar" {
            let class = if word == "-jar" { words.next()?.clone() } else { word.clone() };
            if class.ends_with(".jar") && !archives.contains(&class) {
                archives.push(class.clone());
            }
            let arguments = runner_arguments(&class, words.cloned().collect(), &mut archives);
            return Some(Meaning::JavaMain { class, arguments, archives, sources, folders });
        }
    }
    None
}

fn is_archive(entry: &str) -> bool {
    entry.ends_with(".jar") || entry.ends_with('*')
}

/// What a runner of JUnit 5 is given, without the class path of its own: that would show the program as it was.
fn runner_arguments(class: &str, given: Vec<String>, archives: &mut Vec<String>) -> Vec<String> {
    if !(class.contains("ConsoleLauncher") || class.contains("junit-platform-console")) {
        return given;
    }
    let mut kept = Vec::new();
    let mut words = given.into_iter();
    while let Some(word) = words.next() {
        let name = word.split('=').next().unwrap_or(&word);
        if matches!(name, "-cp" | "-classpath" | "--classpath" | "--class-path") {
            let path = match word.split_once('=') {
                Some((_, path)) => path.to_owned(),
                None => words.next().unwrap_or_default(),
            };
            archives.extend(path.split(':').filter(|entry| is_archive(entry)).map(str::to_owned));
        } else {
            kept.push(word);
        }
    }
    kept
}

/// Whether a path is one of those that a pattern with `*` means; a star does not go over a folder's end.
pub fn matches_glob(pattern: &str, path: &str) -> bool {
    if pattern == "*" {
        return true;
    }
    let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if part_matches(wanted, given) => {}
            _ => return false,
        }
    }
}

fn part_matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, rest)) => text.strip_prefix(before).is_some_and(|left| {
            let ends = left.char_indices().map(|(at, _)| at).chain([left.len()]);
            ends.into_iter().any(|at| part_matches(rest, &left[at..]))
        }),
    }
}

/// The words of a command, quotes taken off.
pub fn words(shell: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote, mut inside) = (String::new(), None, false);
    let mut letters = shell.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some('"') | None, '\\') => word.extend(letters.next()),
            (Some(_), _) => word.push(letter),
            (None, '\'' | '"') => {
                quote = Some(letter);
                inside = true;
            }
            (None, ' ' | '\t' | '\n') => {
                if inside || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                    inside = false;
                }
            }
            (None, ';' | '|' | '<' | '>' | '&') => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                let doubled = letters.peek() == Some(&letter);
                if doubled {
                    letters.next();
                }
                words.push(if doubled { format!("{letter}{letter}") } else { letter.to_string() });
            }
            _ => word.push(letter),
        }
    }
    if inside || !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_understood() {
        let files: Vec<String> = ["a.py", "test_a.py", "tests/test_b.py", "tests/conftest.py", "run.py"]
            .map(String::from)
            .to_vec();
        let python = |files: &[&str], pytest| Meaning::PythonTests {
            files: files.iter().map(|f| (*f).into()).collect(),
            pytest,
        };
        let script = |path: &str, arguments: &[&str]| Meaning::PythonScript {
            path: path.into(),
            arguments: arguments.iter().map(|a| (*a).into()).collect(),
        };
        let java = |class: &str, arguments: &[&str], archives: &[&str], folders: &[&str]| Meaning::JavaMain {
            class: class.into(),
            arguments: arguments.iter().map(|a| (*a).into()).collect(),
            archives: archives.iter().map(|a| (*a).into()).collect(),
            sources: vec!["*.java".into()],
            folders: folders.iter().map(|a| (*a).into()).collect(),
        };
        for (command, expected) in [
            ("python3 -m pytest test_a.py", python(&["test_a.py"], true)),
            ("pytest -q tests", python(&["tests/test_b.py"], true)),
            ("python3 -m unittest test_a", python(&["test_a.py"], false)),
            ("python3 -B ./run.py 'x y'", script("run.py", &["x y"])),
            ("python3 missing.py", Meaning::Opaque),
            ("cd x && python3 run.py", Meaning::Opaque),
            ("javac *.java && java -ea -cp . Main", java("Main", &[], &[], &["."])),
            (
                "mkdir -p out && javac -d out *.java && java -cp out:/lib/junit4.jar org.junit.runner.JUnitCore T",
                java("org.junit.runner.JUnitCore", &["T"], &["/lib/junit4.jar"], &["."]),
            ),
            (
                "javac -cp src:l.jar *.java && java -jar l/junit-platform-console.jar -cp out:m.jar --scan-class-path",
                java(
                    "l/junit-platform-console.jar",
                    &["--scan-class-path"],
                    &["l/junit-platform-console.jar", "m.jar"],
                    &[".", "src"],
                ),
            ),
            ("javac *.java && java Main | grep x", Meaning::Opaque),
            ("go test ./...", Meaning::Opaque),
            ("node --test", Meaning::Opaque),
            ("", Meaning::Opaque),
        ] {
            assert_eq!(TestCommand::read(command, &files).meaning, expected, "{command}");
        }
    }

    #[test]
    fn stars_stay_in_their_folder() {
        for (pattern, path, holds) in [
            ("*.java", "A.java", true),
            ("*.java", "a/A.java", false),
            ("src/*/T*.java", "src/a/Tests.java", true),
            ("src/A.java", "src/A.java", true),
            ("*", "a/b/C.java", true),
        ] {
            assert_eq!(matches_glob(pattern, path), holds, "{pattern} {path}");
        }
    }
}
