//! What each level guarantees, in one table, and holding providers to it.

use crate::SandboxError;
use crate::providers::native::claims::shortfall;
use formicary_model::{Assurance, Enforcement, Level};

/// What a level guarantees.
#[derive(Debug, Clone, Copy)]
pub struct Guarantee {
    /// The level.
    pub level: Level,
    /// What the program cannot do, in one line.
    pub about: &'static str,
    /// The rule by which it is reached.
    pub rule: &'static str,
}

/// Every level, weakest first.
pub const TABLE: [Guarantee; 4] = [
    Guarantee {
        level: Level::None,
        about: "nothing is promised; the program may do what the caller may do",
        rule: "any provider",
    },
    Guarantee {
        level: Level::Limited,
        about: "it cannot use more time, memory, processes, files or output than allowed",
        rule: "every limit holds, enforced or watched",
    },
    Guarantee {
        level: Level::Isolated,
        about: "it also cannot reach the host's files, processes, network, users or kernel interfaces",
        rule: "every isolation and every limit holds; limits may be watched, with a short overshoot",
    },
    Guarantee {
        level: Level::Full,
        about: "as isolated, and the kernel itself keeps memory, cores, processes and files within limits",
        rule: "every isolation and every limit holds, all enforced but time and output",
    },
];

/// Refuses to start where a provider cannot give what the caller insists on, naming what is missing and why.
pub fn insist(claims: &Enforcement, assurance: Assurance) -> Result<(), SandboxError> {
    let Assurance::Require(wanted) = assurance else { return Ok(()) };
    if claims.level >= wanted {
        return Ok(());
    }
    Err(SandboxError::LevelNotReached {
        reached: claims.level,
        wanted,
        missing: format!("provider {}: {}", claims.provider, shortfall(claims, wanted == Level::Full)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::{Protection, ProtectionState};

    #[test]
    fn the_table_has_every_level_in_order() {
        assert_eq!(TABLE.map(|guarantee| guarantee.level), Level::ALL);
    }

    #[test]
    fn what_is_missing_is_named_with_its_reason() {
        let mut claims = Enforcement::new("weak");
        for protection in Protection::ALL {
            claims.record(protection, ProtectionState::Enforced("kernel".into()));
        }
        claims.record(Protection::Network, ProtectionState::Missing("no such thing".into()));
        let error = insist(&claims, Assurance::Require(Level::Isolated)).unwrap_err().to_string();
        assert!(error.contains("weak") && error.contains("network is missing (no such thing)"), "{error}");
        assert!(insist(&claims, Assurance::BestEffort).is_ok());
        assert!(insist(&claims, Assurance::Require(Level::Limited)).is_ok());
    }
}
