//! One whole command: its arguments, its folder, its stdin, and what came of it.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A folder of its own in which commands run, with no configuration but what the test writes.
pub struct Bench {
    folder: TempDir,
    environment: Vec<(String, String)>,
}

/// What a command said and how it exited.
#[derive(Debug)]
pub struct Said {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    /// Stdout as it came.
    pub bytes: Vec<u8>,
}

impl Bench {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("here")).unwrap();
        Self { folder, environment: Vec::new() }
    }

    /// The folder in which commands run.
    pub fn here(&self) -> PathBuf {
        self.folder.path().join("here")
    }

    pub fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.here().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self
    }

    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// The names of the files in the folder.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.here()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The command, ready to start. Toolchains are found as the user would find them; configuration is not.
    pub fn command(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        // Where this was built may be closed to the user who runs it; then the runner names another place.
        let binary = std::env::var_os("NEXTEST_BIN_EXE_formicary");
        let mut command = Command::new(binary.unwrap_or_else(|| env!("CARGO_BIN_EXE_formicary").into()));
        command.args(arguments).current_dir(self.here()).env_clear();
        for name in ["PATH", "HOME", "RUSTUP_HOME", "CARGO_HOME", "PYENV_ROOT", "XDG_RUNTIME_DIR"] {
            if let Ok(value) = std::env::var(name) {
                command.env(name, value);
            }
        }
        command.env("XDG_CONFIG_HOME", self.folder.path().join("config"));
        command.env("XDG_CACHE_HOME", self.folder.path().join("cache"));
        command.env("XDG_STATE_HOME", self.folder.path().join("state"));
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, arguments: &[impl AsRef<OsStr>]) -> Said {
        self.run_with_stdin(arguments, b"")
    }

    pub fn run_with_stdin(&self, arguments: &[impl AsRef<OsStr>], stdin: &[u8]) -> Said {
        self.finish(self.command(arguments), stdin)
    }

    /// Runs a command in a directory below.
    pub fn run_in(&self, directory: &str, arguments: &[impl AsRef<OsStr>]) -> Said {
        let mut command = self.command(arguments);
        command.current_dir(self.here().join(directory));
        self.finish(command, b"")
    }

    fn finish(&self, mut command: Command, stdin: &[u8]) -> Said {
        command.stdin(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let output = std::thread::scope(|scope| {
            // The command may end without reading: that is its right.
            scope.spawn(move || drop(pipe.write_all(stdin)));
            child.wait_with_output().unwrap()
        });
        let text = |bytes: &[u8]| {
            let folder = self.here().display().to_string();
            String::from_utf8_lossy(bytes).replace(&folder, "[HERE]")
        };
        Said {
            code: output.status.code().unwrap_or(-1),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
            bytes: output.stdout,
        }
    }
}

impl Said {
    /// Stdout as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}
