//! What a caller from elsewhere may not ask for: anything that reaches the host, and more than the host can bear.

use crate::app::App;
use crate::problem::Problem;
use crate::tenant::Tenant;
use axum::http::StatusCode;
use formicary_model::{Assurance, Caller, ExecutionRequest, Failure, FailureKind, LimitOverrides, Network};
use std::sync::Arc;

/// How much more than the configured limit may be asked for.
const TIMES: u64 = 4;
/// Output kept of one run, which travels in the answer.
const MOST_OUTPUT: u64 = 16 << 20;
/// Memory and disk that suites of tests get where their caller may have it: compilers are among them.
const TESTS_MEMORY: u64 = 3 << 30;
const TESTS_DISK: u64 = 2 << 30;

/// Checks a request and gives it the bounds of its caller. What is refused here is in the audit log like any refusal.
pub async fn checked(
    app: &App,
    tenant: &Tenant,
    mut wish: ExecutionRequest,
) -> Result<ExecutionRequest, Problem> {
    let Err(problem) = request(app, tenant, &mut wish) else { return Ok(wish) };
    let refusal = Failure::new(FailureKind::InvalidInput, problem.body(None).detail);
    let (platform, caller) = (Arc::clone(&app.platform), caller(tenant));
    let noted =
        tokio::task::spawn_blocking(move || platform.record_refusal(&caller, Some(&wish), &refusal)).await;
    if let Ok(Err(failure)) = noted {
        tracing::warn!(%failure, "a refusal is not in the audit log");
    }
    Err(problem)
}

/// The tenant, as monitors and the audit log know it.
pub fn caller(tenant: &Tenant) -> Caller {
    Caller::new(&tenant.name).of(&tenant.id).through("http")
}

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
    let configured = number(app, "limits.memory_bytes");
    bound("memory_bytes", &mut limits.memory_bytes, most_memory(app, tenant), Some(configured))?;
    let disk = number(app, "limits.disk_bytes");
    bound("disk_bytes", &mut limits.disk_bytes, disk.saturating_mul(TIMES), None)?;
    bound("file_size_bytes", &mut limits.file_size_bytes, disk.saturating_mul(TIMES), None)?;
    bound("output_bytes", &mut limits.output_bytes, MOST_OUTPUT, None)
}

/// Tests want more than a program. Where nobody says how much, they get it only as far as their caller may have it.
pub fn for_tests(app: &App, tenant: &Tenant, limits: &mut LimitOverrides) {
    let disk = number(app, "limits.disk_bytes").saturating_mul(TIMES);
    limits.memory_bytes.get_or_insert(most_memory(app, tenant).min(TESTS_MEMORY));
    limits.disk_bytes.get_or_insert(disk.min(TESTS_DISK));
    limits.output_bytes.get_or_insert(MOST_OUTPUT);
}

fn most_memory(app: &App, tenant: &Tenant) -> u64 {
    let configured = number(app, "limits.memory_bytes").max(number(app, "compile_limits.memory_bytes"));
    tenant.quota.memory_bytes.unwrap_or(configured.saturating_mul(TIMES))
}

fn number(app: &App, key: &str) -> u64 {
    app.platform.configuration().number(key) as u64
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
