//! How each language is compiled and run: one file a language, each a static row and a plan function.
//!
//! A plan says what to start, with which files, mounts and environment; it starts nothing. Compile and run are
//! separate jobs: what the compile job leaves is collected and given to the run job.

pub mod bash;
pub mod c;
pub mod cpp;
pub mod custom;
pub mod go;
pub mod java;
pub mod javascript;
pub mod python;
pub mod rust;
pub mod typescript;

mod java_source;
mod modules;

use crate::guard::RESERVED_FOLDER;
use crate::toolchain::{Tool, Toolbox, Toolchain};
use formicary_model::{Failure, Language, Limits, Mount};
use formicary_sandbox::{InputFile, Job, Warmth};

/// A built-in language's row.
pub struct Recipe {
    /// The language.
    pub language: Language,
    /// The tool without which nothing goes.
    pub tool: Tool,
    /// Other tools that it needs.
    pub also: &'static [Tool],
    /// Arguments with which the tool tells its version.
    pub version: &'static [&'static str],
    /// How a project of this language is compiled and run.
    pub plan: fn(&Project<'_>, &Toolbox) -> Result<Plan, Failure>,
}

/// What is to be compiled and run; checked by the guard.
pub struct Project<'a> {
    /// The files, with plain relative paths.
    pub files: Vec<InputFile>,
    /// The file to run.
    pub entry: String,
    /// Whether the caller chose the entry's name; if not, the recipe may choose a better one.
    pub entry_is_named: bool,
    /// Arguments of the program.
    pub args: &'a [String],
    /// Extra flags for the compiler.
    pub flags: &'a [String],
    /// Limits of the run, for runtimes that size themselves by them.
    pub limits: &'a Limits,
    /// Limits of the compile step, likewise.
    pub compile_limits: &'a Limits,
    /// A Python virtual environment on the host.
    pub venv: Option<&'a str>,
    /// When its output is wanted.
    pub output: Output,
    /// The interpreter of a package environment.
    pub packages: Option<Toolchain>,
}

impl Project<'_> {
    /// The entry's text; the guard made sure that it is UTF-8.
    pub fn entry_text(&self) -> &str {
        let file = self.files.iter().find(|file| file.path == self.entry);
        file.and_then(|file| std::str::from_utf8(&file.content).ok()).unwrap_or_default()
    }

    /// Files with one of these endings.
    pub fn with_endings<'b>(&'b self, endings: &'b [&'b str]) -> impl Iterator<Item = &'b InputFile> {
        self.files.iter().filter(move |file| has_ending(&file.path, endings))
    }

    /// All files but those with one of these endings: the data that a compiled program may want to read.
    pub fn without_endings(&self, endings: &[&str]) -> Vec<InputFile> {
        self.files.iter().filter(|file| !has_ending(&file.path, endings)).cloned().collect()
    }

    /// The same files with the entry under another name.
    pub fn renamed(&self, name: &str) -> Vec<InputFile> {
        let mut files = self.files.clone();
        for file in files.iter_mut().filter(|file| file.path == self.entry) {
            file.path = name.to_string();
        }
        files
    }

    /// Whether there is a file at this path.
    pub fn has(&self, path: &str) -> bool {
        self.files.iter().any(|file| file.path == path)
    }
}

/// The ending of a path's last part, without the dot.
pub fn ending(path: &str) -> Option<&str> {
    path.rsplit('/').next()?.rsplit_once('.').map(|(_, end)| end)
}

fn has_ending(path: &str, endings: &[&str]) -> bool {
    ending(path).is_some_and(|end| endings.iter().any(|own| own.eq_ignore_ascii_case(end)))
}

/// What to do for one project.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Steps before the run, in order: each gets the files of the plan and what the one before it left.
    pub compile: Vec<Step>,
    /// The program itself.
    pub run: Step,
    /// Files of the run besides what the compile steps left.
    pub run_files: Vec<InputFile>,
    /// How the runtime itself says that it ran out of memory.
    pub memory_marker: Option<MemoryMarker>,
    /// The script to run, without its ending, where only the compile step can tell the ending: stands for
    /// [`SCRIPT`] in the run's command.
    pub script_stem: Option<String>,
}

/// What may be started before there is a program to run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ready {
    /// The sandbox alone.
    #[default]
    Sandbox,
    /// Node, with the step's command, once for each program.
    Node,
    /// CPython, with the step's command, forked for each program.
    Python,
}

/// When a program's output is wanted, for runtimes that hold it back where nobody sits at a terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Output {
    /// When it has ended.
    #[default]
    AtTheEnd,
    /// As it comes: somebody reads along, and may answer.
    AsItComes,
}

/// The word in a run's command that stands for the compiled script.
pub const SCRIPT: &str = "{script}";

/// A file that the runtime leaves when the program wanted more memory than the runtime was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryMarker {
    /// Its path in the working folder.
    pub path: String,
    /// What it must hold.
    pub holds: &'static str,
}

/// One process to start.
#[derive(Debug, Clone, Default)]
pub struct Step {
    /// What starts the program: its file, or an interpreter with its options and the script.
    pub command: Vec<String>,
    /// The program's own arguments.
    pub arguments: Vec<String>,
    /// Environment besides what every job gets.
    pub env: Vec<(String, String)>,
    /// What must be visible besides the system's own folders.
    pub mounts: Vec<Mount>,
    /// Folders for `PATH` before the system's.
    pub path_dirs: Vec<String>,
    /// Files placed before the start (compile steps only).
    pub files: Vec<InputFile>,
    /// Globs of what the step leaves for the run (compile steps only).
    pub leaves: Vec<String>,
    /// A folder whose content goes to the working folder itself for the run (compile steps only).
    pub moved_from: Option<String>,
    /// What may stand ready before it is started.
    pub ready: Ready,
}

impl Step {
    /// A step that starts `command`.
    pub fn new(command: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { command: command.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// The same with a toolchain visible.
    #[must_use]
    pub fn with(mut self, toolchain: &Toolchain) -> Self {
        self.env.extend(toolchain.env.iter().cloned());
        self.path_dirs.extend(toolchain.path_dirs.iter().cloned());
        for mount in &toolchain.mounts {
            if !self.mounts.contains(mount) {
                self.mounts.push(mount.clone());
            }
        }
        self
    }

    /// The same with more words in the command.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.command.extend(args.into_iter().map(Into::into));
        self
    }

    /// The same with these arguments of the program.
    #[must_use]
    pub fn given(mut self, arguments: &[String]) -> Self {
        self.arguments.extend_from_slice(arguments);
        self
    }

    /// The same, where this may stand ready for it.
    #[must_use]
    pub fn ready(mut self, ready: Ready) -> Self {
        self.ready = ready;
        self
    }

    /// The whole command line, and how the sandbox is asked to have this ready for it. Where an interpreter does, it was started with the command
    /// alone: both are made here and nowhere else, so that they cannot disagree about where the arguments begin.
    pub fn command_line(&self, ready: Ready) -> (Vec<String>, Warmth) {
        let started = self.command.len();
        let warmth = match ready {
            Ready::Sandbox => Warmth::Sandbox,
            Ready::Python => Warmth::Python(started),
            Ready::Node => Warmth::Node(started),
        };
        (self.command.iter().chain(&self.arguments).cloned().collect(), warmth)
    }

    /// The same with one more variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }
}

/// Where compile steps put the program, relative to the working folder.
pub fn program_path() -> String {
    format!("{RESERVED_FOLDER}/program")
}

/// The same, absolute and inside.
pub fn program_inside() -> String {
    inside(&program_path())
}

/// A path in the working folder, absolute and inside.
pub fn inside(path: &str) -> String {
    format!("{}/{path}", Job::WORK)
}

/// A file that makes the reserved folder exist, for tools that do not make their output folder.
pub fn reserved_folder_marker() -> InputFile {
    InputFile { path: format!("{RESERVED_FOLDER}/keep"), content: Vec::new().into(), executable: false }
}

/// `percent` of the memory limit in MiB, at least 16.
pub fn memory_share(limits: &Limits, percent: u64) -> u64 {
    (limits.memory_bytes / 100 * percent / (1024 * 1024)).max(16)
}
