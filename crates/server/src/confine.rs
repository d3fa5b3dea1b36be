//! What a caller from elsewhere may not ask for: anything that reaches the host, and more than the host can bear.

use crate::app::App;
use crate::problem::Problem;
use crate::tenant::Tenant;
use axum::http::StatusCode;
use formicary_model::{Assurance, ExecutionRequest, LimitOverrides, Network};

/// How much more than the configured limit may be asked for.
const TIMES: u64 = 4;
/// Output kept of one run, which travels in the answer.
const MOST_OUTPUT: u64 = 16 << 20;

/// Checks a request and gives it the bounds of its caller.
pub fn request(app: &App, tenant: &Tenant, request: &mut ExecutionRequest) -> Result<(), Problem> {
    let reaching = [
        ("mounts", !request.mounts.is_empty()),
        ("insist_on_mounts", !request.insist_on_mounts.is_empty()),
        ("venv", request.venv.is_some()),
    ];
    if let Some((name, _)) = reaching.iter().find(|(_, asked)| *asked) {
        return Err(refuse(&format!("{name} would reach the server's own files"), "send the files along"));
    }
    if request.session_id.is_some() {
        return Err(Problem::invalid("session_id is not for single executions")
            .hint("POST /v1/sessions/{id}/cells runs code in a session"));
    }
    network(app, &request.network)?;
    request.assurance = assurance(app, request.assurance)?;
    let configured = app.platform.new_request().collect;
    request.collect.max_files = request.collect.max_files.min(configured.max_files);
    request.collect.max_bytes = request.collect.max_bytes.min(configured.max_bytes);
    limits(app, tenant, &mut request.limits)?;
    limits(app, tenant, &mut request.compile_limits)
}

/// The host's network is for callers on whom the configuration relies.
pub fn network(app: &App, network: &Network) -> Result<(), Problem> {
    if *network == Network::Host && app.platform.new_request().network != Network::Host {
        return Err(refuse("the host's network would reach what the host reaches", "leave network out"));
    }
    Ok(())
}

/// The assurance that holds: never less than the configured one.
fn assurance(app: &App, asked: Assurance) -> Result<Assurance, Problem> {
    let configured = app.platform.assurance_of(None);
    // What is not said is what is configured.
    if asked == Assurance::default() {
        return Ok(configured);
    }
    let enough = match (asked, configured) {
        (_, Assurance::BestEffort) => true,
        (Assurance::Require(asked), Assurance::Require(configured)) => asked >= configured,
        (Assurance::BestEffort, Assurance::Require(_)) => false,
    };
    if !enough {
        return Err(refuse("less protection than the server's own is not given", "leave assurance out"));
    }
    Ok(asked)
}

/// Limits within what the caller may have: its quota, or a few times what is configured.
pub fn limits(app: &App, tenant: &Tenant, limits: &mut LimitOverrides) -> Result<(), Problem> {
    let number = |key: &str| app.platform.configuration().number(key) as u64;
    let configured = number("limits.memory_bytes");
    let compile = number("compile_limits.memory_bytes");
    let most = tenant.quota.memory_bytes.unwrap_or(configured.max(compile).saturating_mul(TIMES));
    bound("memory_bytes", &mut limits.memory_bytes, most, Some(configured))?;
    let disk = number("limits.disk_bytes");
    bound("disk_bytes", &mut limits.disk_bytes, disk.saturating_mul(TIMES), None)?;
    bound("file_size_bytes", &mut limits.file_size_bytes, disk.saturating_mul(TIMES), None)?;
    bound("output_bytes", &mut limits.output_bytes, MOST_OUTPUT, None)
}

fn bound(name: &str, limit: &mut Option<u64>, most: u64, usual: Option<u64>) -> Result<(), Problem> {
    match *limit {
        Some(asked) if asked > most => {
            Err(refuse(&format!("{name} is {asked}, at most {most} may be asked for"), "ask for less"))
        }
        None if usual.is_some_and(|usual| usual > most) => {
            *limit = Some(most);
            Ok(())
        }
        _ => Ok(()),
    }
}

fn refuse(detail: &str, hint: &str) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "forbidden", detail).hint(hint)
}
