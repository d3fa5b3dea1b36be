//! Facts about the kernel and the machine that decide what can be enforced, read from the kernel's own files.

use formicary_sandbox::host::Host;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What a fact means for isolation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// As it should be.
    Good,
    /// Neither good nor bad.
    Note,
    /// Something is missing.
    Bad,
}

/// One fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What was looked at.
    pub name: &'static str,
    /// What was found.
    pub value: String,
    /// What it means.
    pub verdict: Verdict,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<&'static str>,
    /// The command that does it, if one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<&'static str>,
}

impl Fact {
    fn good(name: &'static str, value: impl Into<String>) -> Self {
        Self { name, value: value.into(), verdict: Verdict::Good, remedy: None, command: None }
    }

    fn note(name: &'static str, value: impl Into<String>) -> Self {
        Self { name, value: value.into(), verdict: Verdict::Note, remedy: None, command: None }
    }

    fn bad(name: &'static str, value: impl Into<String>, remedy: &'static str) -> Self {
        Self { name, value: value.into(), verdict: Verdict::Bad, remedy: Some(remedy), command: None }
    }

    fn by(self, command: Option<&'static str>) -> Self {
        Self { command, ..self }
    }
}

/// Loads the profile from where the Debian package puts it, or an archive that is installed for everybody.
const LOAD_PROFILE: &str = "sudo apparmor_parser -r /usr/share/formicary/apparmor/formicary";
const LOAD_LOCAL_PROFILE: &str = "sudo apparmor_parser -r /usr/local/share/formicary/apparmor/formicary";

/// Places that the configuration names.
#[derive(Debug, Default)]
pub struct Named {
    /// The engine's socket.
    pub socket: Option<PathBuf>,
    /// `runsc`.
    pub runsc: Option<PathBuf>,
}

/// All facts of the host whose files are below `root` and whose kernel answered as `probed`.
pub fn facts(root: &Path, probed: &Host, named: &Named) -> Vec<Fact> {
    let host = Files { root };
    vec![
        host.kernel(),
        host.user(),
        host.user_namespaces(probed),
        host.apparmor(probed),
        landlock(probed),
        host.seccomp(probed),
        host.cgroups(),
        host.docker(named.socket.as_deref()),
        host.gvisor(named.runsc.as_deref()),
    ]
}

struct Files<'a> {
    root: &'a Path,
}

impl Files<'_> {
    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.path(path)).ok().map(|text| text.trim().to_owned())
    }

    fn kernel(&self) -> Fact {
        match self.read("proc/sys/kernel/osrelease") {
            None => Fact::bad("kernel", "unknown", "mount /proc"),
            Some(release) => {
                let mut parts = release.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
                let version = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
                if version >= (5, 13) {
                    Fact::good("kernel", release)
                } else {
                    Fact::bad("kernel", release, "use Linux 5.13 or later: it has landlock and cgroup.kill")
                }
            }
        }
    }

    fn user(&self) -> Fact {
        let status = self.read("proc/self/status").unwrap_or_default();
        let uid = field(&status, "Uid:").and_then(|ids| ids.split_whitespace().nth(1).map(str::to_owned));
        match uid.as_deref() {
            Some("0") => Fact::note("user", "root: the kernel can enforce every limit"),
            Some(uid) => Fact::note("user", format!("uid {uid}: limits depend on a delegated cgroup")),
            None => Fact::note("user", "unknown"),
        }
    }

    fn user_namespaces(&self, probed: &Host) -> Fact {
        const NAME: &str = "user namespaces";
        match &probed.user_namespaces {
            Ok(()) => {
                let most =
                    self.read("proc/sys/user/max_user_namespaces").unwrap_or_else(|| "unlimited".into());
                Fact::good(NAME, format!("allowed, {most} at the most"))
            }
            Err(why) => Fact::bad(NAME, why, "allow them, or run as root").by(self.allows_user_namespaces()),
        }
    }

    /// The setting that stands in the way of ordinary users, and the command that changes it.
    fn allows_user_namespaces(&self) -> Option<&'static str> {
        let is = |path: &str, value: &str| self.read(path).as_deref() == Some(value);
        if is("proc/sys/user/max_user_namespaces", "0") {
            Some("sudo sysctl -w user.max_user_namespaces=10000")
        } else if is("proc/sys/kernel/unprivileged_userns_clone", "0") {
            Some("sudo sysctl -w kernel.unprivileged_userns_clone=1")
        } else {
            is("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1").then(|| self.loads_profile())
        }
    }

    fn loads_profile(&self) -> &'static str {
        let is_local = self.path("usr/local/share/formicary/apparmor/formicary").exists();
        if is_local { LOAD_LOCAL_PROFILE } else { LOAD_PROFILE }
    }

    fn apparmor(&self, probed: &Host) -> Fact {
        const NAME: &str = "AppArmor";
        match self.read("proc/sys/kernel/apparmor_restrict_unprivileged_userns").as_deref() {
            Some("1") if probed.user_namespaces.is_ok() => {
                Fact::good(NAME, "restricts user namespaces, but not those of formicary")
            }
            Some("1") => Fact::bad(
                NAME,
                "restricts user namespaces of ordinary users",
                "load the profile that comes with formicary (deploy/apparmor/formicary in the source, \
                 share/formicary/apparmor/formicary in a release); it is for /usr/bin and /usr/local/bin",
            )
            .by(Some(self.loads_profile())),
            Some(_) => Fact::good(NAME, "does not restrict user namespaces"),
            None => Fact::good(NAME, "no restriction of user namespaces in this kernel"),
        }
    }

    fn seccomp(&self, probed: &Host) -> Fact {
        const NAME: &str = "seccomp";
        match &probed.seccomp {
            Ok(()) => {
                let actions = self.read("proc/sys/kernel/seccomp/actions_avail");
                Fact::good(NAME, actions.unwrap_or_else(|| "available".into()))
            }
            Err(why) => Fact::bad(NAME, why, "use a kernel with CONFIG_SECCOMP_FILTER, 5.0 or later"),
        }
    }

    fn cgroups(&self) -> Fact {
        const NAME: &str = "cgroups";
        if let Some(controllers) = self.read("sys/fs/cgroup/cgroup.controllers") {
            let wanted = ["cpu", "memory", "pids"];
            let missing: Vec<_> = wanted
                .into_iter()
                .filter(|c| !controllers.split_whitespace().any(|have| have == *c))
                .collect();
            return if missing.is_empty() {
                Fact::good(NAME, format!("version 2 ({controllers})"))
            } else {
                let value = format!("version 2, without {}", missing.join(", "));
                Fact::bad(NAME, value, "enable the controllers in the parent's cgroup.subtree_control")
            };
        }
        let found: Vec<_> = ["cpu", "cpuacct", "memory", "pids", "freezer"]
            .into_iter()
            .filter(|c| self.path(&format!("sys/fs/cgroup/{c}")).is_dir())
            .collect();
        if found.is_empty() {
            const REMEDY: &str = "mount cgroups, or accept that limits are watched instead of enforced";
            return Fact::bad(NAME, "none visible", REMEDY);
        }
        Fact::good(NAME, format!("version 1 ({})", found.join(" ")))
    }

    fn docker(&self, named: Option<&Path>) -> Fact {
        let usual = ["var/run/docker.sock", "run/docker.sock", "run/podman/podman.sock"];
        self.helper("Docker", named, &usual)
    }

    fn gvisor(&self, named: Option<&Path>) -> Fact {
        self.helper("gVisor", named, &["usr/bin/runsc", "usr/local/bin/runsc"])
    }

    /// What some providers need: where the configuration says, or at one of the usual places.
    fn helper(&self, name: &'static str, named: Option<&Path>, usual: &[&str]) -> Fact {
        let there = match named {
            Some(path) if path.exists() => path.display().to_string(),
            Some(path) => format!("nothing at {}, where it should be by the configuration", path.display()),
            None => usual
                .iter()
                .find(|path| self.path(path).exists())
                .map_or("not there".into(), |path| format!("/{path}")),
        };
        Fact::note(name, format!("{there}; not needed"))
    }
}

fn landlock(probed: &Host) -> Fact {
    const NAME: &str = "landlock";
    match &probed.landlock {
        Ok(version) => Fact::good(NAME, format!("version {version}")),
        Err(why) => Fact::bad(NAME, why, "use Linux 5.13 or later and boot with landlock in lsm="),
    }
}

fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(files: &[(&str, &str)], answers: Result<(), String>) -> Vec<Fact> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let probed = Host {
            kernel: String::new(),
            user_namespaces: answers.clone(),
            landlock: answers.clone().map(|()| 7),
            seccomp: answers,
        };
        facts(folder.path(), &probed, &Named::default())
    }

    #[test]
    fn each_fact_is_judged() {
        use Verdict::{Bad, Good, Note};
        type Pairs = &'static [(&'static str, &'static str)];
        let cases: &[(&str, Pairs, Verdict)] = &[
            ("kernel", &[("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n")], Good),
            ("kernel", &[("proc/sys/kernel/osrelease", "4.19.0\n")], Bad),
            ("kernel", &[], Bad),
            ("AppArmor", &[("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n")], Good),
            ("AppArmor", &[], Good),
            ("cgroups", &[("sys/fs/cgroup/cgroup.controllers", "cpu io memory pids")], Good),
            ("cgroups", &[("sys/fs/cgroup/cgroup.controllers", "cpu")], Bad),
            ("cgroups", &[("sys/fs/cgroup/memory/tasks", "")], Good),
            ("cgroups", &[], Bad),
            ("Docker", &[("var/run/docker.sock", "")], Note),
        ];
        for (name, files, verdict) in cases {
            let facts = host(files, Ok(()));
            let fact = facts.iter().find(|fact| fact.name == *name).unwrap();
            assert_eq!(fact.verdict, *verdict, "{name} with {files:?}: {fact:?}");
            assert_eq!(fact.remedy.is_some(), *verdict == Bad, "{name}: what is bad has a remedy");
        }
    }

    #[test]
    fn what_the_configuration_names_is_looked_at() {
        let root = tempfile::tempdir().unwrap();
        let socket = root.path().join("own.sock");
        std::fs::write(&socket, "").unwrap();
        let host = Files { root: root.path() };
        assert!(host.docker(Some(&socket)).value.contains("own.sock; not needed"));
        assert!(host.gvisor(Some(Path::new("/no/runsc"))).value.starts_with("nothing at /no/runsc"));
        assert_eq!(host.docker(None).value, "not there; not needed");
    }

    #[test]
    fn what_keeps_from_user_namespaces_has_a_command() {
        let cases = [
            ("proc/sys/user/max_user_namespaces", "0", Some("sudo sysctl -w user.max_user_namespaces=10000")),
            (
                "proc/sys/kernel/unprivileged_userns_clone",
                "0",
                Some("sudo sysctl -w kernel.unprivileged_userns_clone=1"),
            ),
            ("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", Some(LOAD_PROFILE)),
            ("proc/sys/kernel/osrelease", "6.1.0", None),
        ];
        for (path, value, command) in cases {
            let facts = host(&[(path, value)], Err("refused".into()));
            let fact = facts.iter().find(|fact| fact.name == "user namespaces").unwrap();
            assert_eq!((fact.verdict, fact.command), (Verdict::Bad, command), "{path}");
        }
        let restricted = [("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1")];
        let facts = host(&restricted, Err("refused".into()));
        let fact = facts.iter().find(|fact| fact.name == "AppArmor").unwrap();
        assert_eq!((fact.verdict, fact.command), (Verdict::Bad, Some(LOAD_PROFILE)));
        let local = [restricted[0], ("usr/local/share/formicary/apparmor/formicary", "")];
        let facts = host(&local, Err("refused".into()));
        let fact = facts.iter().find(|fact| fact.name == "AppArmor").unwrap();
        assert_eq!(fact.command, Some(LOAD_LOCAL_PROFILE));
    }

    #[test]
    fn what_the_kernel_refuses_is_bad_and_said() {
        for name in ["user namespaces", "landlock", "seccomp"] {
            let verdict = |answers| {
                let facts = host(&[], answers);
                facts.into_iter().find(|fact| fact.name == name).unwrap()
            };
            assert_eq!(verdict(Ok(())).verdict, Verdict::Good, "{name}");
            let refused = verdict(Err("not here".into()));
            assert_eq!((refused.verdict, refused.value.as_str()), (Verdict::Bad, "not here"), "{name}");
            assert!(refused.remedy.is_some(), "{name}");
        }
    }
}
