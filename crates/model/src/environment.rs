//! Where code runs: what every use case that starts programs lets its caller choose, declared once.

use crate::{Assurance, LimitOverrides};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The environment of a run, a session, a judging, tests, debugging or an agent. Nothing in it is trusted: the policy of the
/// caller judges it, then the guard checks it. A field that is added here reaches every front end.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct Environment {
    /// Environment variables, besides the few that the sandbox sets.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Limits that differ from the configured ones.
    pub limits: LimitOverrides,
    /// The network that the program sees.
    pub network: Network,
    /// Host directories and files made visible inside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mounts: Vec<Mount>,
    /// Mounts of places that are refused unless named here again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub insist_on_mounts: Vec<String>,
    /// A Python virtual environment on the host whose packages the program may import.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub venv: Option<String>,
    /// Python packages that the program may import, installed in a phase of their own before it runs.
    #[serde(skip_serializing_if = "PackageRequest::is_empty")]
    pub packages: PackageRequest,
    /// The image whose tools and files it sees in the place of the host's, or `default` for the language's own. Needs a
    /// provider that has images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// How much protection must hold.
    pub assurance: Assurance,
    /// The isolation provider: `native` unless configured otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
}

/// What the program sees of the network.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// Nothing but its own loopback.
    #[default]
    None,
    /// The host's network, all of it.
    Host,
}

/// Read-only or writable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MountAccess {
    /// The program can read.
    #[default]
    ReadOnly,
    /// The program can change the host's files there.
    ReadWrite,
}

/// A host path made visible inside the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mount {
    /// Absolute path on the host.
    pub host: String,
    /// Absolute path inside.
    pub guest: String,
    /// Read-only unless said otherwise.
    #[serde(default)]
    pub access: MountAccess,
}

/// Packages of the language's index.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "PackagesOnTheWire")]
pub struct PackageRequest {
    /// Requirements as in a `requirements.txt`: `numpy`, `pandas>=2,<3`, `six==1.17.0 --hash=sha256:…`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
    /// The same for packages that are only wanted by others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// Whether packages may be built from source where there is no built one. Building runs their code, confined.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub from_source: bool,
}

/// A list of requirements, or a request that says more.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum PackagesOnTheWire {
    /// Requirements.
    List(Vec<String>),
    /// Requirements and how they are met.
    Request(PackagesInFull),
}

/// Packages of the language's index.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct PackagesInFull {
    /// Requirements as in a `requirements.txt`: `numpy`, `pandas>=2,<3`, `six==1.17.0 --hash=sha256:…`.
    requirements: Vec<String>,
    /// The same for packages that are only wanted by others.
    constraints: Vec<String>,
    /// Whether packages may be built from source if there is no built one. Building runs their code, confined.
    from_source: bool,
}

impl From<PackagesOnTheWire> for PackageRequest {
    fn from(wire: PackagesOnTheWire) -> Self {
        match wire {
            PackagesOnTheWire::List(requirements) => Self { requirements, ..Self::default() },
            PackagesOnTheWire::Request(PackagesInFull { requirements, constraints, from_source }) => {
                Self { requirements, constraints, from_source }
            }
        }
    }
}

impl JsonSchema for PackageRequest {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PackageRequest".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        PackagesOnTheWire::json_schema(generator)
    }
}

impl PackageRequest {
    /// Whether nothing is wanted.
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What can be asked for is what can be had.
    #[test]
    fn the_schema_names_no_network_that_is_always_refused() {
        let schema = schemars::schema_for!(Network).to_value().to_string();
        assert!(
            schema.contains("none") && schema.contains("host") && !schema.contains("domains"),
            "{schema}"
        );
        let told = serde_json::from_str::<Network>(r#"{"domains": ["a.b"]}"#).unwrap_err().to_string();
        assert!(told.contains("`none` or `host`"), "{told}");
    }
}
