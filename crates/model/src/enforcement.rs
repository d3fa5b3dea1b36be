//! Which protections held during a run, and by what. Asked for and enforced are different things.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One thing that the sandbox protects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Protection {
    /// Not the host's users.
    Users,
    /// Only the files it was given.
    Files,
    /// Sees only its own processes.
    Processes,
    /// The network policy.
    Network,
    /// Own System V and POSIX IPC.
    Ipc,
    /// Own host name.
    HostName,
    /// Own cgroup view.
    CgroupView,
    /// No capabilities.
    Capabilities,
    /// No privileges gained by exec.
    NoNewPrivileges,
    /// System calls filtered.
    SystemCalls,
    /// File access restricted a second time.
    FileAccess,
    /// Only the environment it was given.
    Environment,
    /// Everything ends with the run, and with Formicary.
    CleanUp,
    /// Wall-clock limit.
    WallTime,
    /// CPU-time limit.
    CpuTime,
    /// Core limit.
    Cores,
    /// Memory limit.
    Memory,
    /// Process limit.
    ProcessCount,
    /// Disk limit, bytes and files.
    Disk,
    /// Open descriptors.
    OpenFiles,
    /// Size of one file.
    FileSize,
    /// Output caps.
    Output,
}

crate::words!(Protection {
    Users => "users",
    Files => "files",
    Processes => "processes",
    Network => "network",
    Ipc => "ipc",
    HostName => "host_name",
    CgroupView => "cgroup_view",
    Capabilities => "capabilities",
    NoNewPrivileges => "no_new_privileges",
    SystemCalls => "system_calls",
    FileAccess => "file_access",
    Environment => "environment",
    CleanUp => "clean_up",
    WallTime => "wall_time",
    CpuTime => "cpu_time",
    Cores => "cores",
    Memory => "memory",
    ProcessCount => "process_count",
    Disk => "disk",
    OpenFiles => "open_files",
    FileSize => "file_size",
    Output => "output",
});

impl Protection {
    /// Whether it bounds a resource, rather than isolating.
    pub const fn is_limit(self) -> bool {
        matches!(
            self,
            Self::WallTime
                | Self::CpuTime
                | Self::Cores
                | Self::Memory
                | Self::ProcessCount
                | Self::Disk
                | Self::OpenFiles
                | Self::FileSize
                | Self::Output
        )
    }
}

/// Whether one protection held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProtectionState {
    /// The kernel (or the provider) enforced it, by this means.
    Enforced(String),
    /// Formicary watched and acted, by this means: a short overshoot is possible.
    Watched(String),
    /// It did not hold, for this reason.
    Missing(String),
    /// The caller switched it off by name.
    Waived(String),
}

impl ProtectionState {
    /// Whether it held at all.
    pub const fn holds(&self) -> bool {
        matches!(self, Self::Enforced(_) | Self::Watched(_))
    }
}

/// What was enforced during a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Enforcement {
    /// The isolation provider.
    pub provider: String,
    /// The level that was reached.
    pub level: Level,
    /// Every protection and its state.
    pub protections: BTreeMap<Protection, ProtectionState>,
}

impl Enforcement {
    /// An empty report for `provider`.
    pub fn new(provider: impl Into<String>) -> Self {
        Self { provider: provider.into(), ..Self::default() }
    }

    /// Records a protection's state and settles the level anew.
    pub fn record(&mut self, protection: Protection, state: ProtectionState) {
        self.protections.insert(protection, state);
        self.level = self.settle_level();
    }

    /// Protections that are missing, with the reason.
    pub fn missing(&self) -> impl Iterator<Item = (Protection, &str)> {
        self.protections.iter().filter_map(|(protection, state)| match state {
            ProtectionState::Missing(why) => Some((*protection, why.as_str())),
            _ => None,
        })
    }

    fn settle_level(&self) -> Level {
        let state = |p: &Protection| self.protections.get(p);
        let holds = |p: &Protection| match state(p) {
            Some(ProtectionState::Waived(_)) => true,
            Some(state) => state.holds(),
            None => false,
        };
        let by_kernel = |p: &Protection| !matches!(state(p), Some(ProtectionState::Watched(_)));
        let (limits, isolation): (Vec<_>, Vec<_>) = Protection::ALL.iter().partition(|p| p.is_limit());
        let limited = limits.iter().all(holds);
        if !isolation.iter().all(holds) || !limited {
            return if limited { Level::Limited } else { Level::None };
        }
        let watched_by_nature = [Protection::WallTime, Protection::CpuTime, Protection::Output];
        if limits.iter().all(|p| by_kernel(p) || watched_by_nature.contains(p)) {
            Level::Full
        } else {
            Level::Isolated
        }
    }
}

/// How much protection held, or must hold. Each level includes those before it.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Nothing is promised.
    #[default]
    None,
    /// Every limit holds; isolation does not, or not whole.
    Limited,
    /// Every isolation and every limit holds; memory, cores or processes may be watched instead of enforced.
    Isolated,
    /// As isolated, and the kernel itself enforces memory, cores and processes.
    Full,
}

crate::words!(Level {
    None => "none",
    Limited => "limited",
    Isolated => "isolated",
    Full => "full",
});

/// How much protection the caller insists on. A run that cannot reach it fails before the program starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Assurance {
    /// At least this level.
    Require(Level),
    /// Whatever this host offers; the result says what that was.
    BestEffort,
}

impl Default for Assurance {
    fn default() -> Self {
        Self::Require(Level::Isolated)
    }
}

impl Assurance {
    /// Whether `level` is enough.
    pub fn satisfied_by(self, level: Level) -> bool {
        match self {
            Self::Require(wanted) => level >= wanted,
            Self::BestEffort => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(state: impl Fn(Protection) -> ProtectionState) -> Enforcement {
        let mut enforcement = Enforcement::new("test");
        for protection in Protection::ALL {
            enforcement.record(protection, state(protection));
        }
        enforcement
    }

    #[test]
    fn levels_follow_from_states() {
        let enforced = |_| ProtectionState::Enforced("kernel".into());
        assert_eq!(all(enforced).level, Level::Full);
        let watched_memory = |p| match p {
            Protection::Memory => ProtectionState::Watched("polled".into()),
            _ => ProtectionState::Enforced("kernel".into()),
        };
        assert_eq!(all(watched_memory).level, Level::Isolated);
        let no_filter = |p| match p {
            Protection::SystemCalls => ProtectionState::Missing("old kernel".into()),
            _ => ProtectionState::Enforced("kernel".into()),
        };
        assert_eq!(all(no_filter).level, Level::Limited);
        let no_memory = |p| match p {
            Protection::Memory => ProtectionState::Missing("none".into()),
            _ => ProtectionState::Enforced("kernel".into()),
        };
        assert_eq!(all(no_memory).level, Level::None);
    }

    #[test]
    fn a_waived_network_does_not_lower_the_level() {
        let host_network = |p| match p {
            Protection::Network => ProtectionState::Waived("network host".into()),
            _ => ProtectionState::Enforced("kernel".into()),
        };
        assert_eq!(all(host_network).level, Level::Full);
    }
}
