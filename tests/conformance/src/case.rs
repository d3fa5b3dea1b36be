//! One attack: a program, what it is given, the verdict expected, and the proof that it works unprotected.

use crate::expect::Expect;
use crate::program::Program;
use crate::scene::Scene;
use crate::unprotected::BareRun;
use formicary_model::{CollectRequest, Limits, Network, Protection};
use formicary_sandbox::Outcome;
use std::time::Duration;

/// A check on the host's side, or on an outcome that no declaration covers. The error is the sentence that is printed.
pub type Check = fn(&Scene, &Outcome) -> Result<(), String>;

/// Whether the attack works where nothing protects, and how that is known.
#[derive(Clone, Copy)]
pub enum Bare {
    /// It prints `WORKED`.
    Works,
    /// It prints `WORKED` when root runs it; an ordinary user is refused by the kernel anyway.
    WorksAsRoot,
    /// This check passes on what the unprotected run did, sooner or later.
    Shows(fn(&Scene, &BareRun) -> Result<(), String>),
    /// The main process is still there after this long.
    Lasts(Duration),
    /// It is no attack: it must do the same inside as outside, and end well in both.
    Same,
    /// Trying would do harm, namely this.
    Harmful(&'static str),
    /// Trying would show nothing, for this reason.
    Unprovable(&'static str),
}

/// One case.
pub struct Case {
    /// Its name within its area.
    pub name: &'static str,
    /// What runs.
    pub program: Program,
    /// What the provider must claim, else the case is skipped with that reason.
    pub needs: &'static [Protection],
    /// What it may use.
    pub limits: Limits,
    /// Its standard input.
    pub stdin: Vec<u8>,
    /// Variables besides those of the scene.
    pub env: Vec<(&'static str, String)>,
    /// What it sees of the network.
    pub network: Network,
    /// What is collected afterwards.
    pub collect: CollectRequest,
    /// The verdict.
    pub expect: Expect,
    /// A further check on the host's side.
    pub host: Option<Check>,
    /// The proof.
    pub bare: Bare,
    /// How long it can be seen that it wanted too many processes.
    pub refusal: Refusal,
}

/// How long a program stays at its limit of processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Long enough for whoever looks from time to time.
    Lasting,
    /// Not even that long: only the kernel's own counter is sure to notice.
    Brief,
}

impl Case {
    /// A case under small limits: 10 s, 128 MiB, 32 processes, 16 MiB of files.
    pub fn new(name: &'static str, program: Program) -> Self {
        let limits = Limits {
            wall_seconds: 10.0,
            cpu_seconds: 8.0,
            memory_bytes: 128 << 20,
            processes: 32,
            disk_bytes: 16 << 20,
            disk_inodes: 4096,
            file_size_bytes: 16 << 20,
            output_bytes: 64 << 10,
            output_total_bytes: 16 << 20,
            ..Limits::default()
        };
        Self {
            name,
            program,
            needs: &[],
            limits,
            stdin: Vec::new(),
            env: Vec::new(),
            network: Network::None,
            collect: CollectRequest::default(),
            expect: Expect::refused(),
            host: None,
            bare: Bare::Works,
            refusal: Refusal::Lasting,
        }
    }

    /// Why the attack is never tried unprotected, where it is not.
    pub fn untried(&self) -> Option<&'static str> {
        match self.bare {
            Bare::Harmful(why) | Bare::Unprovable(why) => Some(why),
            _ => None,
        }
    }

    /// A Python program.
    pub fn python(name: &'static str, code: &'static str) -> Self {
        Self::new(name, Program::Python(code))
    }

    /// A Bash program.
    pub fn bash(name: &'static str, code: &'static str) -> Self {
        Self::new(name, Program::Bash(code))
    }

    /// An attack of one of the C programs, by its own name.
    pub fn c(source: &'static crate::program::CSource, attack: &'static str) -> Self {
        Self::new(attack, Program::C(source, attack))
    }

    /// Another name than the attack's.
    #[must_use]
    pub fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// What the provider must claim.
    #[must_use]
    pub fn needs(self, needs: &'static [Protection]) -> Self {
        Self { needs, ..self }
    }

    /// Other limits.
    #[must_use]
    pub fn limits(mut self, change: impl FnOnce(&mut Limits)) -> Self {
        change(&mut self.limits);
        self
    }

    /// Standard input.
    #[must_use]
    pub fn stdin(self, stdin: impl Into<Vec<u8>>) -> Self {
        Self { stdin: stdin.into(), ..self }
    }

    /// One more variable.
    #[must_use]
    pub fn env(mut self, name: &'static str, value: impl ToString) -> Self {
        self.env.push((name, value.to_string()));
        self
    }

    /// The network that the caller allows.
    #[must_use]
    pub fn network(self, network: Network) -> Self {
        Self { network, ..self }
    }

    /// Files to bring back.
    #[must_use]
    pub fn collect(mut self, globs: &[&str]) -> Self {
        self.collect.globs = globs.iter().map(|glob| (*glob).to_owned()).collect();
        self
    }

    /// The verdict.
    #[must_use]
    pub fn expect(self, expect: Expect) -> Self {
        Self { expect, ..self }
    }

    /// A further check on the host's side.
    #[must_use]
    pub fn host(self, check: Check) -> Self {
        Self { host: Some(check), ..self }
    }

    /// It is at its limit of processes for a moment only.
    #[must_use]
    pub fn briefly(self) -> Self {
        Self { refusal: Refusal::Brief, ..self }
    }

    /// The proof.
    #[must_use]
    pub fn bare(self, bare: Bare) -> Self {
        Self { bare, ..self }
    }
}
