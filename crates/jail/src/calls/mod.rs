//! The one table of system-call rules, and what is made of it.
//!
//! A deny-list: allow-lists rot as languages' runtimes begin to use new calls. What the kernel learns after the table
//! was reviewed ([`LAST_REVIEWED`]) answers "not implemented", which every runtime survives.
//!
//! Three layers are printed from the table, and a test of the sandbox crate interprets all three and compares them with
//! [`verdict`]: the native filter and the filter beside a guest agent (both by [`program`]), and the profile of a
//! container engine (by the Docker provider, which needs names and JSON). Where one of them differs on purpose, the
//! rule says so with its reason ([`Rule::not_in`]).
//!
//! | module | what it holds |
//! |---|---|
//! | [`table`] | the rules: data alone |
//! | [`program`] | the filter as a program for the kernel's BPF machine |

pub mod program;
pub mod table;

use crate::spec::Refusal;
use alloc::format;
use alloc::string::{String, ToString};
use libc::c_long;
pub use table::TABLE;

/// The highest system call number that was looked at when the table was made.
pub const LAST_REVIEWED: u32 = 469;

/// A processor whose system call numbers the table knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Architecture {
    /// 64-bit x86.
    X86_64,
    /// 64-bit Arm.
    Aarch64,
}

impl Architecture {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::X86_64, Self::Aarch64];
    /// The one that this program was built for.
    #[cfg(target_arch = "x86_64")]
    pub const HERE: Self = Self::X86_64;
    /// The one that this program was built for.
    #[cfg(target_arch = "aarch64")]
    pub const HERE: Self = Self::Aarch64;

    /// The kernel's own constant for it, as a filter sees it.
    pub const fn audit(self) -> u32 {
        match self {
            Self::X86_64 => 0xc000_003e,
            Self::Aarch64 => 0xc000_00b7,
        }
    }
}

/// Where the rules are enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The native sandbox's filter, whose controller listens.
    Native,
    /// A filter that nobody listens to: the guest agent's, and the native one beneath another filter with a listener.
    Guest,
    /// The profile of a container engine. It knows names and no numbers, and lies on the guest agent, too.
    Profile,
}

/// The rules for one system call.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    /// Its name, as engines spell it.
    pub name: &'static str,
    numbers: [Option<u32>; 2],
    /// The first that applies decides; where none does, the call is allowed.
    pub rules: &'static [Rule],
    /// What is wrong with the call.
    pub why: &'static str,
    reported_as: Option<&'static str>,
}

impl Call {
    /// Its number, where the processor has it.
    pub const fn number(&self, architecture: Architecture) -> Option<u32> {
        self.numbers[architecture as usize]
    }

    /// The rules that count for a layer of a sandbox with these refusals.
    pub fn rules_for<'a>(&'a self, layer: Layer, refusals: &'a [Refusal]) -> impl Iterator<Item = &'a Rule> {
        self.rules.iter().filter(move |rule| rule.counts(layer, refusals))
    }
}

/// What happens to a call with certain arguments.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The refusal that a sandbox must have for it; absent: every sandbox.
    pub when: Option<Refusal>,
    /// All must hold. No argument is tested twice: engines read two tests of one argument as alternatives.
    pub tests: &'static [Test],
    /// What happens then.
    pub action: Action,
    /// Where the rule is left out, and why.
    pub absent: Option<(Layer, &'static str)>,
}

impl Rule {
    const fn new(action: Action, tests: &'static [Test]) -> Self {
        Self { when: None, tests, action, absent: None }
    }

    /// The rule counts only for sandboxes with this refusal.
    const fn when(self, refusal: Refusal) -> Self {
        Self { when: Some(refusal), ..self }
    }

    /// The rule is left out of this layer, for this reason.
    const fn not_in(self, layer: Layer, reason: &'static str) -> Self {
        Self { absent: Some((layer, reason)), ..self }
    }

    fn counts(&self, layer: Layer, refusals: &[Refusal]) -> bool {
        let asked_in_vain = matches!(self.action, Action::Ask) && layer != Layer::Native;
        let is_absent = self.absent.is_some_and(|(left_out, _)| left_out == layer);
        !asked_in_vain && !is_absent && self.when.is_none_or(|refusal| refusals.contains(&refusal))
    }
}

/// A test of one argument, by its position. Only the lower half of the register counts, as for the kernel.
#[derive(Debug, Clone, Copy)]
pub enum Test {
    /// It has one of these bits.
    AnyBit(u8, u32),
    /// Beneath this mask, it is one of these values.
    Among(u8, u32, &'static [u32]),
    /// It is none of these values.
    NoneOf(u8, &'static [u32]),
    /// It is not null: a pointer, so both halves count.
    NotNull(u8),
}

impl Test {
    /// Whether it holds.
    pub fn holds(&self, arguments: &[u64; 6]) -> bool {
        let low = |index: u8| arguments[usize::from(index)] as u32;
        match *self {
            Self::AnyBit(index, bits) => low(index) & bits != 0,
            Self::Among(index, mask, values) => values.contains(&(low(index) & mask)),
            Self::NoneOf(index, values) => !values.contains(&low(index)),
            Self::NotNull(index) => arguments[usize::from(index)] != 0,
        }
    }
}

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It fails with EPERM, and the controller hears of it where it listens.
    Report,
    /// The controller decides, and mostly lets it go on. Where nobody listens, it is allowed.
    Ask,
    /// It fails with this error number. Zero: nothing happens, and the caller is led to believe that it did.
    Fail(i32),
}

/// What a call meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is made.
    Allow,
    /// It fails with this error number.
    Fail(i32),
    /// The controller is notified and answers.
    Notify,
}

/// What the table says of a call: the reference for everything that is printed from it.
pub fn verdict(
    architecture: Architecture,
    layer: Layer,
    refusals: &[Refusal],
    number: u32,
    arguments: &[u64; 6],
) -> Verdict {
    // An engine's profile has no numbers, and lets pass what it has no name for.
    if number > LAST_REVIEWED && layer != Layer::Profile {
        return Verdict::Fail(libc::ENOSYS);
    }
    let call = TABLE.iter().find(|call| call.number(architecture) == Some(number));
    let mut rules = call.into_iter().flat_map(|call| call.rules_for(layer, refusals));
    let rule = rules.find(|rule| rule.tests.iter().all(|test| test.holds(arguments)));
    match (rule.map(|rule| rule.action), layer) {
        (None, _) => Verdict::Allow,
        (Some(Action::Fail(errno)), _) => Verdict::Fail(errno),
        (Some(Action::Report | Action::Ask), Layer::Native) => Verdict::Notify,
        (Some(Action::Report | Action::Ask), _) => Verdict::Fail(libc::EPERM),
    }
}

/// The name of a call that is reported.
pub fn name(number: c_long) -> String {
    TABLE
        .iter()
        .find(|call| call.number(Architecture::HERE).is_some_and(|known| c_long::from(known) == number))
        .map_or_else(
            || format!("system call {number}"),
            |call| call.reported_as.unwrap_or(call.name).to_string(),
        )
}

/// Whether a call that the controller is notified of only makes a new process or thread, in no new namespace.
pub fn is_plain_fork(number: c_long, first_argument: u64) -> bool {
    #[cfg(target_arch = "x86_64")]
    if matches!(number, libc::SYS_fork | libc::SYS_vfork) {
        return true;
    }
    number == libc::SYS_clone && first_argument & u64::from(table::ANY_NAMESPACE) == 0
}

/// Whether such a process shares its table of open files without being a thread: when it ends, locks that it took stay,
/// and no longer name a process that can be seen.
pub fn shares_files(number: c_long, first_argument: u64) -> bool {
    is_clone_with(number, first_argument, libc::CLONE_FILES)
}

/// Whether it is a thread with open files of its own, where only those of its process are looked at.
pub fn hides_files(number: c_long, first_argument: u64) -> bool {
    is_clone_with(number, first_argument, libc::CLONE_THREAD)
}

fn is_clone_with(number: c_long, first_argument: u64, flag: i32) -> bool {
    number == libc::SYS_clone && first_argument as u32 & table::FILES_AND_THREAD == flag as u32
}

/// Whether a call that is asked about watches a file or directory.
pub fn watches_files(number: c_long) -> bool {
    number == libc::SYS_inotify_add_watch
}

/// Whether a call that is asked about maps anonymous memory that processes share.
pub fn maps_shared_memory(number: c_long) -> bool {
    number == libc::SYS_mmap
}

#[cfg(test)]
mod tests;
