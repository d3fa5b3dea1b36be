//! What a run may use. Every limit has a default and bounds; nothing is unlimited.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;
const GIB: u64 = 1024 * MIB;

/// One limit's name, meaning, unit and bounds: the table from which options, configuration and documentation are made.
#[derive(Debug, Clone, Copy)]
pub struct LimitInfo {
    /// The field's name on the wire and in configuration.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// `s`, `bytes` or nothing.
    pub unit: &'static str,
    /// Smallest value accepted.
    pub min: f64,
    /// Largest value accepted.
    pub max: f64,
}

macro_rules! limits {
    ($( $(#[doc = $doc:literal])+ $name:ident : $type:ty = $default:expr, $unit:literal, $min:expr, $max:expr; )+) => {
        /// The limits in force for one phase (compile or run).
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct Limits { $( $(#[doc = $doc])+ pub $name: $type, )+ }

        impl Default for Limits {
            fn default() -> Self { Self { $( $name: $default, )+ } }
        }

        /// Limits that a caller sets; what is absent stays as it was.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct LimitOverrides {
            $( $(#[doc = $doc])+ #[serde(default, skip_serializing_if = "Option::is_none")] pub $name: Option<$type>, )+
        }

        impl Limits {
            /// Every limit with its bounds.
            pub const TABLE: &'static [LimitInfo] = &[ $( LimitInfo {
                name: stringify!($name),
                about: concat!($($doc),+),
                unit: $unit,
                min: $min as f64,
                max: $max as f64,
            }, )+ ];

            /// These limits with the overrides applied. A longer wall clock lifts the CPU time that would make it useless.
            #[must_use]
            pub fn with(mut self, overrides: &LimitOverrides) -> Self {
                let lifted = overrides.wall_seconds.filter(|wall| *wall > self.cpu_seconds);
                $( if let Some(value) = overrides.$name { self.$name = value; } )+
                if let (Some(wall), None) = (lifted, overrides.cpu_seconds) {
                    self.cpu_seconds = wall;
                }
                self
            }

            /// The value of each limit, in the order of [`Limits::TABLE`].
            pub fn values(&self) -> Vec<(&'static str, f64)> {
                vec![ $( (stringify!($name), self.$name as f64), )+ ]
            }
        }

        impl LimitOverrides {
            /// These overrides, and where they are silent, `other`'s.
            #[must_use]
            pub fn or(self, other: &Self) -> Self {
                Self { $( $name: self.$name.or(other.$name), )+ }
            }

            /// Sets one limit by its name. `false` when there is no limit of that name.
            pub fn set(&mut self, name: &str, value: f64) -> bool {
                match name {
                    $( stringify!($name) => self.$name = Some(value as $type), )+
                    _ => return false,
                }
                true
            }

            /// The limits that are set, by name.
            pub fn values(&self) -> Vec<(&'static str, f64)> {
                let mut set = Vec::new();
                $( if let Some(value) = self.$name { set.push((stringify!($name), value as f64)); } )+
                set
            }
        }
    };
}

limits! {
    /// Wall-clock time.
    wall_seconds: f64 = 30.0, "s", 0.1, 300.0;
    /// CPU time of all processes together.
    cpu_seconds: f64 = 30.0, "s", 0.1, 3600.0;
    /// Memory of all processes together, files on the sandbox's own file system included.
    memory_bytes: u64 = 512 * MIB, "bytes", 8 * MIB, 1024 * GIB;
    /// Processor cores; fractions are allowed.
    cores: f64 = 2.0, "", 0.1, 1024.0;
    /// Processes and threads at one time.
    processes: u32 = 64, "", 1, 32768;
    /// Bytes that files in the sandbox may hold.
    disk_bytes: u64 = 256 * MIB, "bytes", 64 * KIB, 1024 * GIB;
    /// Files and folders in the sandbox.
    disk_inodes: u64 = 65_536, "", 64, 100_000_000;
    /// Open descriptors of one process.
    open_files: u32 = 256, "", 8, 1_048_576;
    /// Bytes of one file.
    file_size_bytes: u64 = 256 * MIB, "bytes", KIB, 1024 * GIB;
    /// Bytes kept of each of stdout and stderr (head and tail).
    output_bytes: u64 = MIB, "bytes", 64, GIB;
    /// Bytes that stdout and stderr together may produce before the program is ended.
    output_total_bytes: u64 = 256 * MIB, "bytes", 64, 1024 * GIB;
}

/// A limit outside its bounds.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("limit {name} is {value}{unit}, outside {min}{unit} to {max}{unit}")]
pub struct LimitOutOfBounds {
    /// The limit's name.
    pub name: &'static str,
    /// The value asked for.
    pub value: f64,
    /// Its unit, with a leading space where there is one.
    pub unit: String,
    /// Smallest accepted.
    pub min: f64,
    /// Largest accepted.
    pub max: f64,
}

impl Limits {
    /// The limits of a compile step: compilers need more than the programs they make.
    pub fn for_compiling() -> Self {
        Self {
            wall_seconds: 60.0,
            cpu_seconds: 120.0,
            memory_bytes: 2 * GIB,
            processes: 256,
            disk_bytes: GIB,
            open_files: 1024,
            ..Self::default()
        }
    }

    /// The first limit that lies outside its bounds, if any.
    pub fn check(&self) -> Result<(), LimitOutOfBounds> {
        for ((name, value), info) in self.values().into_iter().zip(Self::TABLE) {
            let inside = value >= info.min && value <= info.max;
            if !inside {
                let unit = if info.unit.is_empty() { String::new() } else { format!(" {}", info.unit) };
                return Err(LimitOutOfBounds { name, value, unit, min: info.min, max: info.max });
            }
        }
        Ok(())
    }

    /// The wall-clock limit.
    pub fn wall(&self) -> Duration {
        Duration::from_secs_f64(self.wall_seconds)
    }

    /// The CPU-time limit.
    pub fn cpu(&self) -> Duration {
        Duration::from_secs_f64(self.cpu_seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_within_their_bounds() {
        assert_eq!(Limits::default().check(), Ok(()));
        assert_eq!(Limits::for_compiling().check(), Ok(()));
    }

    #[test]
    fn values_outside_are_named() {
        for (name, value) in
            [("wall_seconds", 0.0), ("wall_seconds", -1.0), ("wall_seconds", 1e9), ("cores", f64::NAN)]
        {
            let mut overrides = LimitOverrides::default();
            assert!(overrides.set(name, value));
            let error = Limits::default().with(&overrides).check().unwrap_err();
            assert_eq!(error.name, name);
        }
    }

    #[test]
    fn a_longer_wall_clock_lifts_the_cpu_time() {
        let usual = Limits { cpu_seconds: 30.0, ..Limits::default() };
        let cpu = |wall_seconds, cpu_seconds| {
            let overrides = LimitOverrides { wall_seconds, cpu_seconds, ..LimitOverrides::default() };
            usual.clone().with(&overrides).cpu_seconds
        };
        assert_eq!((cpu(Some(60.0), None), cpu(Some(10.0), None)), (60.0, 30.0));
        assert_eq!((cpu(Some(60.0), Some(5.0)), cpu(None, None)), (5.0, 30.0));
    }

    #[test]
    fn overrides_layer() {
        let file = LimitOverrides { wall_seconds: Some(10.0), processes: Some(8), ..Default::default() };
        let flag = LimitOverrides { wall_seconds: Some(5.0), ..Default::default() };
        let limits = Limits::default().with(&flag.or(&file));
        assert_eq!((limits.wall_seconds, limits.processes), (5.0, 8));
    }
}
