//! Who asks. Doors know it, engines do not need to: it reaches monitoring and the audit log.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Somebody who has something done.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Caller {
    /// The user, or the name of the key. Never the key itself.
    pub name: String,
    /// Whom it belongs to; absent where there is but one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The front end through which it came: `cli`, `http`, `mcp`, `python`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub door: Option<String>,
}

impl Caller {
    /// Somebody of this name.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The same, belonging to this tenant.
    #[must_use]
    pub fn of(mut self, tenant: impl Into<String>) -> Self {
        self.tenant = Some(tenant.into());
        self
    }

    /// The same, coming through this door.
    #[must_use]
    pub fn through(mut self, door: impl Into<String>) -> Self {
        self.door = Some(door.into());
        self
    }

    /// The tenant's name, empty where there is none.
    pub fn tenant(&self) -> &str {
        self.tenant.as_deref().unwrap_or_default()
    }
}
