//! What of a call hangs on who calls: the name in logs, and what is charged.

use crate::call::Call;
use formicary_model::Caller;
use formicary_platform::local_caller;
use formicary_platform::tenants::LOCAL;

impl Call {
    /// Who asks, for monitors and the audit log.
    pub(crate) fn caller(&self) -> Caller {
        if self.tenant.id == LOCAL {
            return local_caller().through("mcp");
        }
        Caller::new(&self.tenant.name).of(&self.tenant.id).through("mcp")
    }

    /// Notes CPU time that was used.
    pub(crate) fn charge(&self, cpu_seconds: f64) {
        self.house.tenants.charge(&self.tenant.id, cpu_seconds);
    }
}
