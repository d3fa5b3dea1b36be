//! Which jobs can use a sandbox that was made before they came, and which can share the place where it was made.

use super::helper;
use super::order;
use crate::Job;
use crate::job::Warmth;
use formicary_jail::spec::{Early, MountSpec, Program};
use formicary_model::{Assurance, Limits, MountAccess, Network};

/// Where an interpreter finds its part, inside the nursery. Each sandbox has a `/tmp` of its own over it.
const PYTHON_FOLDER: &str = "/tmp/formicary";
/// Where node finds its part, inside the sandbox.
const NODE_PART: &str = "/etc/formicary/early.cjs";
const SITE: &str = include_str!("python/sitecustomize.py");
const EARLY: &str = include_str!("node/early.cjs");

/// What sandboxes of one nursery have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// What is shown besides the system's own folders.
    pub mounts: Vec<MountSpec>,
    /// The interpreter that stands ready, if there is one.
    pub interpreter: Option<Interpreter>,
}

/// A Python interpreter before it has seen a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interpreter {
    command: Vec<String>,
    env: Vec<(String, String)>,
    cwd: String,
}

/// What is started in a sandbox before its job comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// Nothing.
    Sandbox,
    /// The nursery's interpreter.
    Python(usize),
    /// Node, with these words and this environment.
    Node(Vec<String>, Vec<(String, String)>, String),
}

/// What jobs must agree in to use the same sandboxes.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// Where they are born.
    pub kind: Kind,
    /// What is started in them.
    pub start: Start,
    limits: Limits,
    best_effort: bool,
}

impl Fit {
    /// What this job needs, if something can stand ready for it.
    pub fn of(job: &Job) -> Option<Self> {
        let changes_nothing = job.mounts.iter().all(|mount| mount.access == MountAccess::ReadOnly);
        if job.network != Network::None || !changes_nothing {
            return None;
        }
        let interpreter = match job.warmth {
            Warmth::Python(words) => Some(Interpreter {
                command: job.command.get(..words)?.to_vec(),
                env: job.env.clone(),
                cwd: job.cwd.clone(),
            }),
            Warmth::Sandbox | Warmth::Node(_) => None,
        };
        let start = match job.warmth {
            Warmth::Sandbox => Start::Sandbox,
            Warmth::Python(words) => Start::Python(words),
            Warmth::Node(words) => {
                Start::Node(job.command.get(..words)?.to_vec(), job.env.clone(), job.cwd.clone())
            }
        };
        let kind = Kind { mounts: job.mounts.iter().map(order::mount).collect(), interpreter };
        // These are kept by the controller alone, whatever the sandbox was made for.
        let limits =
            Limits { wall_seconds: 0.0, output_bytes: 0, output_total_bytes: 0, ..job.limits.clone() };
        Some(Self { kind, start, limits, best_effort: job.assurance == Assurance::BestEffort })
    }
}

impl Kind {
    /// The files that its nursery has besides the system's, as (path inside, bytes).
    pub fn files(&self, imports: &[String]) -> Vec<(&'static str, Vec<u8>)> {
        match &self.interpreter {
            None => vec![("etc/formicary/early.cjs", EARLY.into())],
            Some(interpreter) => vec![
                ("tmp/formicary/sitecustomize.py", interpreter.site(imports).into_bytes()),
                ("tmp/formicary/_formicary.so", helper::ZYGOTE.into()),
            ],
        }
    }

    /// What serves in its nursery; the jail itself, if this is empty.
    pub fn program(&self) -> Program {
        let Some(interpreter) = &self.interpreter else { return Program::default() };
        let path = match interpreter.python_path() {
            Some(path) => format!("{PYTHON_FOLDER}:{path}"),
            None => PYTHON_FOLDER.to_string(),
        };
        let others = interpreter.env.iter().filter(|(name, _)| name != PYTHON_PATH);
        let env = others.map(|(name, value)| format!("{name}={value}"));
        Program {
            argv: interpreter.command.clone(),
            // The last, so that it can be taken out of the interpreter's memory without moving any other.
            env: env.chain([format!("{PYTHON_PATH}={path}")]).collect(),
            cwd: interpreter.cwd.clone(),
        }
    }
}

const PYTHON_PATH: &str = "PYTHONPATH";

impl Interpreter {
    fn python_path(&self) -> Option<&str> {
        self.env.iter().find(|(name, _)| name == PYTHON_PATH).map(|(_, value)| value.as_str())
    }

    /// The module that Python loads when it starts, with what it must know.
    fn site(&self, imports: &[String]) -> String {
        let path = match self.python_path() {
            Some(path) => format!("bytes.fromhex('{}')", hex::encode(path)),
            None => "None".into(),
        };
        let imports: String =
            imports.iter().map(|name| format!("bytes.fromhex('{}'), ", hex::encode(name))).collect();
        format!("{SITE}\n\n_stand_ready('{PYTHON_FOLDER}', {path}, ({imports}))\n")
    }
}

impl Start {
    /// What is started before there is a job.
    pub fn early(&self, job: &Job) -> Early {
        match self {
            Self::Sandbox => Early::Nothing,
            Self::Python(_) => Early::Interpreter { cwd: job.cwd.clone() },
            Self::Node(words, env, cwd) => {
                let require = ["--require".to_string(), NODE_PART.to_string()];
                let mut argv = words.clone();
                argv.splice(1.min(argv.len())..1.min(argv.len()), require);
                let env = env.iter().map(|(name, value)| format!("{name}={value}")).collect();
                Early::Program(Program { argv, env, cwd: cwd.clone() })
            }
        }
    }

    /// What it is told when the job comes: the program's arguments, each with an end.
    pub fn words(&self, job: &Job) -> Vec<u8> {
        let fixed = match self {
            Self::Sandbox => return Vec::new(),
            Self::Python(words) => *words,
            Self::Node(words, ..) => words.len(),
        };
        job.command.iter().skip(fixed).flat_map(|word| word.bytes().chain([0])).collect()
    }
}
