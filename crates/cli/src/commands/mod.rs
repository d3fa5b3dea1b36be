//! One file per verb.

#[cfg(feature = "agent")]
pub mod agent;
pub mod audit;
pub mod cache;
pub mod clones;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod completions;
pub mod config;
pub mod diagnose;
pub mod doctor;
pub mod exit_codes;
pub mod fix;
#[cfg(feature = "docker")]
pub mod images;
pub mod index;
pub mod inspect;
pub mod judge;
#[cfg(feature = "server")]
pub mod keys;
pub mod languages;
pub mod man;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod refactor;
pub mod refactorings;
pub mod review;
pub mod rewrite;
pub mod run;
pub mod search;
#[cfg(feature = "server")]
pub mod serve;
pub mod session;
pub mod tests;
pub mod version;
#[cfg(feature = "cluster")]
pub mod worker;

/// Declares what stands for a verb that this build is without.
macro_rules! left_out {
    ($($feature:literal: $verb:ident),* $(,)?) => {$(
        #[cfg(not(feature = $feature))]
        pub mod $verb {
            use crate::arguments::GlobalArguments;
            use crate::failure::Stop;

            /// Names the feature that brings it.
            pub fn run(_: impl Sized, _: &GlobalArguments) -> Result<u8, Stop> {
                crate::left_out::answer(stringify!($verb), $feature)
            }
        }
    )*};
}

left_out! {
    "agent": agent,
    "docker": images,
    "mcp": mcp,
    "server": keys,
    "server": serve,
    "cluster": worker,
}

/// What stands for `cluster`, and for the cluster that other verbs send programs to.
#[cfg(not(feature = "cluster"))]
pub mod cluster {
    use crate::arguments::GlobalArguments;
    use crate::arguments::cluster::ClusterArguments;
    use crate::failure::Stop;
    use crate::left_out;
    use formicary_model::Failure;
    use formicary_platform::Elsewhere;
    use formicary_platform::config::Configuration;
    use std::sync::Arc;

    /// Names the feature that brings it.
    pub fn run(_: impl Sized, _: &GlobalArguments) -> Result<u8, Stop> {
        left_out::answer("cluster", "cluster")
    }

    /// A cluster with its address.
    pub type NamedCluster = (Arc<dyn Elsewhere>, String);

    /// None; one that is named cannot be reached.
    pub fn front(arguments: &ClusterArguments, _: &Configuration) -> Result<Option<NamedCluster>, Failure> {
        match arguments.url {
            Some(_) => Err(left_out::missing("--cluster", "cluster")),
            None => Ok(None),
        }
    }
}
