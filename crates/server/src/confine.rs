//! What a caller from elsewhere may not ask for: anything that reaches the host, and more than the host can bear.

use crate::app::App;
use crate::problem::Problem;
use crate::tenant::Tenant;
use formicary_model::use_case::Input as _;
use formicary_model::{Assurance, Caller, ExecutionRequest};
use formicary_platform::policy::{Files, Judgement, Policy};

/// The tenant, as monitors and the audit log know it.
pub fn caller(tenant: &Tenant) -> Caller {
    Caller::new(&tenant.name).of(&tenant.id).through("http")
}

/// Checks a request and gives it the bounds of its caller.
pub fn request(app: &App, tenant: &Tenant, request: &mut ExecutionRequest) -> Result<(), Problem> {
    // What is not given is what is configured.
    if request.environment.assurance == Assurance::default() {
        request.environment.assurance = app.platform.assurance_of(None);
    }
    Ok(request.parts(&mut Judgement::new(&app.platform, &policy(tenant)))?)
}

/// What a caller over HTTP may ask for: what it is about comes along, since it has no files on this host.
pub fn policy(tenant: &Tenant) -> Policy {
    Policy::tenant(tenant, Files::Sent)
}
