//! The posture of a confined process, whole: every fact that the kernel tells about it against an exhaustive expectation.
//! A fact that is new or missing fails, so that a change of posture is a change of this page.

use super::Scenario;
use crate::case::Case;
use crate::protected::start;
use crate::providers::{Hearing, Tested};
use crate::scene::Scene;
use formicary_model::{Assurance, Level, Protection};
use formicary_sandbox::Outcome;
use rustix::process::Gid;
use rustix::thread::set_thread_groups;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

pub(super) fn scenarios() -> Vec<Scenario> {
    vec![
        Scenario {
            name: "posture::privileges",
            needs: &[Protection::Capabilities, Protection::SystemCalls],
            run: |p, _| privileges(p),
        },
        Scenario {
            name: "posture::namespaces",
            needs: &[Protection::Processes, Protection::Ipc],
            run: |p, _| namespaces(p),
        },
        Scenario { name: "posture::descriptors", needs: &[], run: |p, _| descriptors(p) },
        Scenario {
            name: "posture::environment",
            needs: &[Protection::Environment],
            run: |p, _| environment(p),
        },
        Scenario { name: "posture::mounts", needs: &[Protection::Files], run: |p, _| mounts(p) },
        Scenario { name: "posture::resource_limits", needs: &[], run: |p, _| resource_limits(p) },
        Scenario { name: "posture::identity", needs: &[Protection::Users], run: |p, _| identity(p) },
        Scenario { name: "posture::session", needs: &[Protection::Processes], run: |p, _| session(p) },
        Scenario { name: "posture::report_is_complete", needs: &[], run: |p, _| report_is_complete(p) },
    ]
}

type Facts = BTreeMap<String, Vec<String>>;

/// Runs the program that lists every fact, one a line: a kind, a tab, a value.
fn facts(tested: &Tested) -> Result<(Facts, Outcome, Scene), String> {
    let case = Case::python("posture", include_str!("../../programs/python/posture.py"));
    let scene = Scene::new().map_err(|error| error.to_string())?;
    let mut job = case.job(&scene)?;
    job.env = vec![("ONE".into(), "1".into()), ("PATH".into(), "/usr/bin:/bin".into())];
    let outcome = start(tested.provider.as_ref(), &job, Vec::new())?;
    let mut facts = Facts::new();
    for line in String::from_utf8_lossy(&outcome.stdout.joined()).lines() {
        let (kind, value) = line.split_once('\t').ok_or(format!("no fact: {line}"))?;
        facts.entry(kind.into()).or_default().push(value.into());
    }
    if facts.is_empty() {
        return Err(crate::expect::describe(&outcome));
    }
    Ok((facts, outcome, scene))
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{what}: found {found:?}, expected {wanted:?}")) }
}

fn one<'a>(facts: &'a Facts, kind: &str) -> Result<&'a str, String> {
    match facts.get(kind).map(Vec::as_slice) {
        Some([value]) => Ok(value),
        other => Err(format!("{kind}: {other:?}")),
    }
}

fn privileges(tested: &Tested) -> Result<(), String> {
    let (facts, ..) = facts(tested)?;
    if tested.hearing == Hearing::Nothing {
        for set in ["CapInh", "CapPrm", "CapEff", "CapBnd"] {
            same(set, one(&facts, set)?, "0000000000000000")?;
        }
        // A guest's kernel tells of nothing more.
        let may_say = |kind: &str, value: &str| match facts.get(kind) {
            Some(_) => same(kind, one(&facts, kind)?, value),
            None => Ok(()),
        };
        may_say("CapAmb", "0000000000000000")?;
        may_say("NoNewPrivs", "1")?;
        return may_say("Seccomp", "2");
    }
    for set in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
        same(set, one(&facts, set)?, "0000000000000000")?;
    }
    same("NoNewPrivs", one(&facts, "NoNewPrivs")?, "1")?;
    same("Seccomp", one(&facts, "Seccomp")?, "2")?;
    let securebits = one(&facts, "securebits")?;
    // Untouched, or root's privileges switched off (with or without the ambient ones), locked.
    if !["0", "47", "239"].contains(&securebits) {
        return Err(format!("securebits are {securebits}"));
    }
    same("TracerPid", one(&facts, "TracerPid")?, "0")
}

fn namespaces(tested: &Tested) -> Result<(), String> {
    let (facts, ..) = facts(tested)?;
    if tested.hearing == Hearing::Nothing {
        for kind in ["cgroup", "ipc", "mnt", "net", "pid", "uts"] {
            let host = fs::read_link(format!("/proc/self/ns/{kind}")).map_err(|error| error.to_string())?;
            let inside = facts.get(&format!("ns/{kind}")).and_then(|values| values.first());
            if inside.is_some_and(|inside| host.to_string_lossy() == **inside) {
                return Err(format!("the {kind} namespace is the host's"));
            }
        }
        return Ok(());
    }
    for kind in ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"] {
        let inside = one(&facts, &format!("ns/{kind}"))?;
        let host = fs::read_link(format!("/proc/self/ns/{kind}")).map_err(|error| error.to_string())?;
        if host.to_string_lossy() == inside {
            return Err(format!("the {kind} namespace is the host's"));
        }
    }
    let known = [
        "cgroup",
        "ipc",
        "mnt",
        "net",
        "pid",
        "pid_for_children",
        "time",
        "time_for_children",
        "user",
        "uts",
    ];
    let found: BTreeSet<&str> = facts.keys().filter_map(|kind| kind.strip_prefix("ns/")).collect();
    same("kinds of namespace", found, known.into_iter().collect())
}

fn descriptors(tested: &Tested) -> Result<(), String> {
    let (facts, ..) = facts(tested)?;
    let mut open: Vec<_> =
        facts.get("fd").into_iter().flatten().map(|fd| fd.split(' ').next().unwrap_or_default()).collect();
    open.sort_unstable();
    same("open descriptors", open, vec!["0", "1", "2"])
}

fn environment(tested: &Tested) -> Result<(), String> {
    let (facts, ..) = facts(tested)?;
    let mut found = facts.get("env").cloned().unwrap_or_default();
    found.sort_unstable();
    // Without files of its own, the temporary folder has to be told.
    found.retain(|one| tested.label != "trusted" || !one.starts_with("TMPDIR="));
    same("environment", found, vec!["ONE=1".to_owned(), "PATH=/usr/bin:/bin".to_owned()])
}

/// Where something is mounted, whether it is writable there, and the options that must not be missing.
fn mounts(tested: &Tested) -> Result<(), String> {
    let (facts, _, scene) = facts(tested)?;
    if tested.hearing == Hearing::Nothing {
        return others_mounts(&facts, &scene);
    }
    let writable = ["/work", "/tmp", "/dev/shm"];
    let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
    let known =
        ["/", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/dev", "/etc"];
    for mount in facts.get("mount").into_iter().flatten() {
        let mut fields = mount.split(' ');
        let (point, options) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        let options: BTreeSet<&str> = options.split(',').collect();
        let expected = known.contains(&point)
            || writable.contains(&point)
            || devices.contains(&point)
            || ["/etc/", "/proc/", "/dev/", "/usr/"].iter().any(|below| point.starts_with(below));
        if !expected {
            return Err(format!("an unexpected mount: {mount}"));
        }
        let may_write = writable.contains(&point);
        if !may_write && !devices.contains(&point) && !options.contains("ro") {
            return Err(format!("a writable mount: {mount}"));
        }
        if !options.contains("nosuid") {
            return Err(format!("set-user-ID programs work on {mount}"));
        }
        // A mask is /dev/null itself laid over a file.
        let is_mask = mount.ends_with(" devtmpfs /null");
        if !is_mask && !devices.contains(&point) && point != "/dev" && !options.contains("nodev") {
            return Err(format!("devices work on {mount}"));
        }
        if mount.contains(&*scene.folder().to_string_lossy()) {
            return Err(format!("a folder of the host shows: {mount}"));
        }
    }
    let folders: BTreeSet<&str> = facts.get("root").into_iter().flatten().map(String::as_str).collect();
    let allowed: BTreeSet<&str> = [
        "bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "opt", "proc", "sbin", "tmp", "usr", "var",
        "run", "home", "work",
    ]
    .into();
    let strange: Vec<_> = folders.difference(&allowed).collect();
    same("strange folders in the root", strange, Vec::new())
}

/// What the program can really write to is its own; a mount that says otherwise belongs to somebody else.
fn others_mounts(facts: &Facts, scene: &Scene) -> Result<(), String> {
    let own = ["/work", "/tmp", "/dev/shm", "/dev/mqueue"];
    let writable = facts.get("writable").into_iter().flatten();
    let strange: Vec<_> = writable.filter(|point| !own.contains(&point.as_str())).collect();
    same("writable mounts", strange, Vec::new())?;
    let shows = |mount: &&String| mount.contains(&*scene.folder().to_string_lossy());
    same("folders of the host", facts.get("mount").into_iter().flatten().find(shows), None)
}

fn resource_limits(tested: &Tested) -> Result<(), String> {
    let (facts, ..) = facts(tested)?;
    let limit =
        |name: &str| -> Result<String, String> { Ok(one(&facts, &format!("limit/{name}"))?.to_owned()) };
    // One byte is no dump either, and unlike zero it also keeps the host's own core handler from being started.
    if !["0 0", "1 1"].contains(&limit("CORE")?.as_str()) {
        return Err(format!("RLIMIT_CORE is {}", limit("CORE")?));
    }
    same("RLIMIT_NOFILE", limit("NOFILE")?, "256 256".into())?;
    same("RLIMIT_FSIZE", limit("FSIZE")?, format!("{0} {0}", 16 << 20))?;
    if tested.label == "gvisor" {
        // The guest's kernel has no such things, nor limits for them.
        return same("RLIMIT_AS", limit("AS")?, "-1 -1".into());
    }
    same("RLIMIT_RTPRIO", limit("RTPRIO")?, "0 0".into())?;
    same("RLIMIT_NICE", limit("NICE")?, "0 0".into())?;
    for name in ["MEMLOCK", "MSGQUEUE", "STACK", "SIGPENDING"] {
        let value = limit(name)?;
        let hard = value.split(' ').nth(1).and_then(|hard| hard.parse::<i64>().ok());
        // Zero and small numbers are fine; without bound is not.
        if name != "STACK" && !hard.is_some_and(|hard| (0..=1 << 30).contains(&hard)) {
            return Err(format!("RLIMIT_{name} is {value}"));
        }
    }
    // A limit on addresses would break V8, Go and the JVM.
    same("RLIMIT_AS", limit("AS")?, "-1 -1".into())
}

fn identity(tested: &Tested) -> Result<(), String> {
    // Root's own groups must not come along: here it is in some, of which this thread alone knows.
    let taken = set_thread_groups(&[4, 27].map(Gid::from_raw)).is_ok();
    let found = facts(tested);
    if taken {
        set_thread_groups(&[]).map_err(|error| error.to_string())?;
    }
    let (facts, ..) = found?;
    same("Uid", one(&facts, "Uid")?, "1000 1000 1000 1000")?;
    same("Gid", one(&facts, "Gid")?, "1000 1000 1000 1000")?;
    let groups = one(&facts, "Groups")?;
    // What cannot be named inside is somebody's outside. Who is not root cannot leave its groups.
    let unnamed = if taken { "1000" } else { "65534" };
    if groups.split_whitespace().any(|group| group != "1000" && group != unnamed) {
        return Err(format!("groups of the host: {groups}"));
    }
    if tested.hearing == Hearing::Nothing {
        return Ok(());
    }
    same("setgroups", one(&facts, "setgroups")?, "deny")
}

fn session(tested: &Tested) -> Result<(), String> {
    let (facts, ..) = facts(tested)?;
    same("controlling terminal", one(&facts, "tty")?, "0")?;
    same("session leader of one's own", one(&facts, "session")?, "own")?;
    same("working folder", one(&facts, "cwd")?, "/work")?;
    if tested.label == "gvisor" {
        // Its kernel tells nothing of signals and masks.
        return Ok(());
    }
    same("blocked signals", one(&facts, "SigBlk")?, "0000000000000000")?;
    // Python ignores SIGPIPE and SIGXFSZ for itself; 32 and 33 belong to the C library, whose spawn leaves them ignored.
    let ignored = u64::from_str_radix(one(&facts, "SigIgn")?, 16).map_err(|error| error.to_string())?;
    same("ignored signals", ignored & !0x1_8000_0000, 0x100_1000)?;
    same("umask", one(&facts, "Umask")?, "0022")
}

fn report_is_complete(tested: &Tested) -> Result<(), String> {
    let (_, outcome, scene) = facts(tested)?;
    let missing: Vec<_> =
        Protection::ALL.into_iter().filter(|p| !outcome.enforcement.protections.contains_key(p)).collect();
    same("protections without a word in the report", missing, Vec::new())?;
    same("provider", outcome.enforcement.provider.as_str(), tested.provider.name())?;
    let claimed = tested.provider.capabilities().level;
    if outcome.enforcement.level > claimed {
        return Err(format!(
            "a run reached {}, which is more than the provider claims: {claimed}",
            outcome.enforcement.level
        ));
    }
    // What is insisted on and cannot be had is an error, never a weaker run.
    let case = Case::bash("insist", "echo ran");
    let mut job = case.job(&scene)?;
    job.assurance = Assurance::Require(Level::Full);
    match (start(tested.provider.as_ref(), &job, Vec::new()), claimed) {
        (Ok(outcome), _) if outcome.enforcement.level < Level::Full => {
            Err(format!("insisted on full, ran with {}", outcome.enforcement.level))
        }
        (Err(error), Level::Full) => Err(format!("full is claimed, and not given: {error}")),
        _ => Ok(()),
    }
}
