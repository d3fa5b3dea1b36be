//! What the operator of a host asks: what it offers, what its runs did, what it keeps. Everybody may know what can run here;
//! the rest needs the scope for it, or is for the host's own user alone ([`Route::Host`]).

use crate::audit::Filter;
use crate::audit::reading::ShownRecord;
use crate::audit::time::Moment;
use crate::config::Configuration;
use crate::doctor::DoctorReport;
use crate::facade::Platform;
use crate::images::{ImageRecipe, ImageReport, PruneImages};
use crate::keys::Scope;
use crate::packages::{CacheReport, Prune, list};
use crate::policy::Files;
use crate::use_case::{Context, Plain, declare};
use formicary_execution::LanguageStatus;
use formicary_model::operation::{
    AuditInput, BuildImageInput, DetectInput, Detected, ImageName, PruneInput, RunId, RunsInput,
    VerifyAuditInput,
};
use formicary_model::{Failure, FailureKind, NoInput};
use formicary_monitoring::audit::Verification;
use formicary_monitoring::{MetricsSnapshot, RunRecord, Timeline};
use formicary_sandbox::providers::docker::stock::StockedImage;
use schemars::JsonSchema;
use serde::Serialize;

declare!(
    /// Every language with its state on this host. Nothing is started.
    Languages, "languages", Resource "/v1/languages", "List the languages, and whether they can run here", None, Reads,
    NoInput => Vec<Plain<LanguageStatus>>, |platform: &Platform, _: &Context<'_>, _| {
        Ok(platform.languages().into_iter().map(Plain).collect())
    }
);
declare!(
    /// The language that code seems to be in.
    Detect, "detect", Post "/v1/detect", "Tell the language of code", None, Reads,
    DetectInput => Detected, |platform: &Platform, _: &Context<'_>, input: DetectInput| {
        let found = platform.detect(input.file_name.as_deref(), input.code.as_bytes());
        Ok(found.map_or_else(Detected::default, |found| Detected {
            language: Some(found.language),
            confidence: found.confidence,
            why: found.why,
        }))
    }
);
declare!(
    /// What this host offers, what is missing, and how to get it. Nothing of the user's is started.
    Doctor, "doctor", Resource "/v1/doctor", "Examine what this host offers", None, Reads,
    NoInput => Plain<DoctorReport>, |platform: &Platform, _: &Context<'_>, _| Ok(Plain(platform.doctor()))
);
declare!(
    /// Runs under way and the last ones: the caller's, or everybody's for admins.
    Runs, "runs", Resource "/v1/runs", "List runs under way and the last ones", Some(Scope::Execute), Reads,
    RunsInput => RunList, |platform: &Platform, context: &Context<'_>, input: RunsInput| {
        let monitor = &platform.monitors().executions;
        let own = |runs: Vec<RunRecord>| runs.into_iter().filter(move |run| may_see(context, run));
        Ok(RunList {
            active: own(monitor.active()).map(Plain).collect(),
            ended: own(monitor.ended()).take(input.most.count()).map(Plain).collect(),
        })
    }
);
declare!(
    /// What a run used over time; nothing where it is not known, or not the caller's.
    ShowTimeline, "runs.timeline", Resource "/v1/runs/{id}/timeline", "Show what a run used over time", Some(Scope::Execute), Reads,
    RunId => Option<Plain<Timeline>>, |platform: &Platform, context: &Context<'_>, input: RunId| {
        let monitors = platform.monitors();
        let run = monitors.executions.run(&input.run_id).filter(|run| may_see(context, run));
        Ok(run.and_then(|run| monitors.resources.timeline(&run.run_id)).map(Plain))
    }
);
declare!(
    /// Counts and percentiles of all runs.
    Metrics, "metrics", Resource "/v1/metrics", "Show counts and percentiles of all runs", Some(Scope::Admin), Reads,
    NoInput => Plain<MetricsSnapshot>, |platform: &Platform, _: &Context<'_>, _| {
        Ok(Plain(platform.monitors().metrics.snapshot()))
    }
);
declare!(
    /// Records of the audit log, latest first.
    ReadAudit, "audit.read", Resource "/v1/audit", "Read records of the audit log", Some(Scope::Admin), Reads,
    AuditInput => AuditPage, read_audit
);
declare!(
    /// Looks at every record of the audit log.
    VerifyAudit, "audit.verify", Resource "/v1/audit/verify", "Verify that the audit log is whole", Some(Scope::Admin), Reads,
    VerifyAuditInput => Plain<Verification>, |platform: &Platform, _: &Context<'_>, input: VerifyAuditInput| {
        platform.audit_verify(&input.expected).map(Plain)
    }
);
declare!(
    /// The default image of each language and the images that Formicary made.
    ListImages, "images.list", Host "/v1/images", "List images", Some(Scope::Admin), Reads,
    NoInput => Plain<ImageReport>, |platform: &Platform, _: &Context<'_>, _| platform.images().map(Plain)
);
declare!(
    /// Fetches an image, or the default one of a language. Its name.
    PullImage, "images.pull", Host "/v1/images/pull", "Fetch an image", Some(Scope::Admin), Fetches,
    ImageName => String, |platform: &Platform, context: &Context<'_>, input: ImageName| {
        platform.pull_image(&input.name, &mut |step| context.step(step))
    }
);
declare!(
    /// Builds an image with packages in it.
    BuildImage, "images.build", Host "/v1/images/build", "Build an image with packages in it", Some(Scope::Admin), Fetches,
    BuildImageInput => Plain<StockedImage>, |platform: &Platform, context: &Context<'_>, input| {
        platform.build_image(&recipe(context, input)?, &mut |step| context.step(step)).map(Plain)
    }
);
declare!(
    /// Removes images that Formicary made and that no container uses. Those that went.
    PruneImageStock, "images.prune", Host "/v1/images/prune", "Remove images", Some(Scope::Admin), Discards,
    PruneInput => Vec<Plain<StockedImage>>, |platform: &Platform, _: &Context<'_>, input: PruneInput| {
        let removed = platform.prune_images(if input.all { PruneImages::All } else { PruneImages::Internal })?;
        Ok(removed.into_iter().map(Plain).collect())
    }
);
declare!(
    /// What is cached for the next time.
    ListCache, "cache.list", Host "/v1/cache", "List what is cached", Some(Scope::Admin), Reads,
    NoInput => Plain<CacheReport>, |platform: &Platform, _: &Context<'_>, _| Ok(Plain(platform.cache()))
);
declare!(
    /// Removes what is cached. What was removed.
    PruneCache, "cache.prune", Host "/v1/cache/prune", "Remove what is cached", Some(Scope::Admin), Discards,
    PruneInput => Plain<CacheReport>, |platform: &Platform, _: &Context<'_>, input: PruneInput| {
        Ok(Plain(platform.prune_cache(if input.all { Prune::All } else { Prune::Excess })))
    }
);
declare!(
    /// Every setting with its value and where that comes from.
    ShowConfiguration, "config", Host "/v1/config", "Show every setting and its origin", Some(Scope::Admin), Reads,
    NoInput => Plain<Configuration>, |platform: &Platform, _: &Context<'_>, _| {
        Ok(Plain(platform.configuration().clone()))
    }
);

/// Runs under way, and runs that ended.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunList {
    /// Under way.
    pub active: Vec<Plain<RunRecord>>,
    /// Ended, latest first.
    pub ended: Vec<Plain<RunRecord>>,
}

/// A page of the audit log.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AuditPage {
    /// The records, latest first.
    pub items: Vec<Plain<ShownRecord>>,
    /// The cursor of the next page, if there is one.
    pub next: Option<String>,
}

/// Whether a run is the caller's, or the caller may know of everybody's.
fn may_see(context: &Context<'_>, run: &RunRecord) -> bool {
    context.policy.may(Scope::Admin) || run.caller.tenant() == context.caller.tenant()
}

/// What a build wants. Files of requirements are the caller's own.
pub fn recipe(context: &Context<'_>, input: BuildImageInput) -> Result<ImageRecipe, Failure> {
    let here = match context.policy.files() {
        Files::From(directory) => Some(directory.as_path()),
        _ => None,
    };
    let packages = list::read(&input.requirements, input.from_source, here)?;
    let named = ImageRecipe::named(input.name);
    Ok(ImageRecipe { base: input.base, packages, with_uv: input.uv || named.with_uv, ..named })
}

/// The records that are meant.
pub fn filter_of(input: &AuditInput) -> Result<Filter, Failure> {
    let moment = |text: &Option<String>| -> Result<Option<u64>, Failure> {
        Ok(text.as_deref().map(Moment::read).transpose()?.map(|moment| moment.0))
    };
    let input = input.clone();
    Ok(Filter {
        since_ms: moment(&input.since)?,
        until_ms: moment(&input.until)?,
        caller: input.caller,
        tenant: input.tenant,
        language: input.language,
        status: input.status,
        run_id: input.run_id,
        text: input.text,
        ..Filter::default()
    })
}

fn read_audit(platform: &Platform, _: &Context<'_>, input: AuditInput) -> Result<AuditPage, Failure> {
    let mut filter = filter_of(&input)?;
    let cursor = input.cursor.as_deref().map(read_cursor).transpose()?;
    if let Some((at, _)) = cursor {
        // A page ends in a millisecond that others may share: the next one begins there, after the last number.
        filter.until_ms = Some(at.saturating_add(1));
    }
    let most = input.most.count();
    let found = platform.audit_query(&filter, most + 1 + if cursor.is_some() { SHARED } else { 0 })?;
    let after = |shown: &ShownRecord| cursor.is_none_or(|(_, seq)| shown.seq < seq);
    let mut items: Vec<_> = found.into_iter().filter(after).map(Plain).collect();
    let more = items.len() > most;
    items.truncate(most);
    let next = items.last().filter(|_| more).map(|last| format!("{}.{}", last.0.record.at_ms, last.0.seq));
    Ok(AuditPage { items, next })
}

/// Records that may share a millisecond.
const SHARED: usize = 500;

fn read_cursor(text: &str) -> Result<(u64, u64), Failure> {
    let read = || {
        let (at, seq) = text.split_once('.')?;
        Some((at.parse().ok()?, seq.parse().ok()?))
    };
    read().ok_or_else(|| {
        Failure::new(FailureKind::InvalidInput, "the cursor is none that a page gave")
            .hint("give what `next` said, or leave it out")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ConfigSources;
    use crate::policy::Policy;
    use crate::registry;
    use crate::root::{Root, Writes};
    use crate::tenants::Tenant;
    use crate::use_case::Route;
    use formicary_model::Caller;
    use serde_json::json;
    use std::collections::BTreeMap;

    /// Who may ask, for every kind of caller.
    #[test]
    fn the_operators_own_is_for_the_operator() {
        let sources = ConfigSources::new(BTreeMap::new(), None);
        let platform = Platform::new(Configuration::load(&sources).unwrap(), &sources).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let root = || Root::open(directory.path(), Writes::Refused).unwrap();
        let with = Tenant::with_scopes;
        let callers = [
            ("local", Policy::local(directory.path().to_owned())),
            ("assistant", Policy::assistant(root())),
            ("tenant", Policy::tenant(&with(&[Scope::Execute]), Files::Sent)),
            ("admin", Policy::tenant(&with(&Scope::ALL), Files::Sent)),
            ("worker", Policy::worker()),
        ];
        let open = ["languages", "detect", "doctor", "runs", "runs.timeline"];
        let admins = ["metrics", "audit.read", "audit.verify"];
        let known = [&open[..], &admins].concat();
        for row in registry::ALL.iter().filter(|row| row.route == Route::Host || known.contains(&row.name)) {
            for (who, policy) in &callers {
                let context = Context::new(Caller::new(*who), policy.clone());
                let input = match row.name {
                    "detect" => json!({ "code": "print(1)" }),
                    "runs.timeline" => json!({ "run_id": "r" }),
                    "images.pull" | "images.build" => json!({ "name": "-" }),
                    _ => json!({}),
                };
                let done = row.call(&platform, &context, input);
                let refused = done.as_ref().is_err_and(|failure| failure.kind == FailureKind::Forbidden);
                let allowed = match *who {
                    "local" => true,
                    "tenant" => open.contains(&row.name),
                    _ => row.route != Route::Host,
                };
                assert_eq!(!refused, allowed, "{who} {}: {done:?}", row.name);
            }
        }
    }
}
