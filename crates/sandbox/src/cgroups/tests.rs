//! Against a made-up cgroup file system: both versions, with and without rights, and what the files say.

use super::*;
use std::fs;

struct Fake {
    root: PathBuf,
}

impl Fake {
    fn new(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("formicary-cgroups-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).unwrap();
        Self { root }
    }

    fn file(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_default()
    }

    fn places(&self, mounts: &str, own_groups: &str) -> Places {
        let mounts = mounts.replace("ROOT", &self.root.to_string_lossy());
        Places {
            own_groups: own_groups.into(),
            mounts,
            programs: vec![self.root.join("bin")],
            runtime: Some(self.root.join("run")),
        }
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

const V2: &str = "cgroup2 ROOT cgroup2 rw 0 0\n";

fn limits() -> Limits {
    Limits { memory_bytes: 64 << 20, processes: 10, cores: 0.5, ..Limits::default() }
}

#[test]
fn version_2_uses_the_nearest_folder_that_is_ours() {
    let fake = Fake::new("v2");
    fake.file("cgroup.controllers", "cpu memory pids");
    fake.file("user/app/cgroup.controllers", "cpu memory pids");
    fake.file("user/app/cgroup.subtree_control", "memory pids");
    fake.file("user/app/cgroup.procs", "");
    // The group that holds this process itself offers nothing to groups below it.
    fake.file("user/app/me.scope/cgroup.controllers", "");
    let backend = Backend::detect(&fake.places(V2, "0::/user/app/me.scope\n"));
    let Backend::V2(parent) = &backend else { panic!("{backend:?}") };
    assert_eq!(parent.folder(), fake.root.join("user/app"));
    assert_eq!(fake.read("user/app/cgroup.subtree_control"), "+cpu");

    let group = backend.plan(&Owner::this_process(), &limits(), Company::SupervisorAndFirst).unwrap();
    backend.make(&group, &limits()).unwrap();
    let CgroupPlacement::Born(folder) = group.placement() else { panic!() };
    let folder = PathBuf::from(folder);
    let value = |file: &str| fs::read_to_string(folder.join(file)).unwrap_or_default();
    assert_eq!(value("memory.max"), (64u64 << 20).to_string());
    assert_eq!(value("pids.max"), "11");
    assert_eq!(value("cpu.max"), "50000 100000");

    for (file, text) in [
        ("memory.current", "100\n"),
        ("memory.peak", "200\n"),
        ("memory.events", "low 0\nmax 3\noom 1\noom_kill 2\n"),
        ("cpu.stat", "usage_usec 30\nuser_usec 10\nsystem_usec 20\n"),
        ("pids.current", "3\n"),
        ("pids.peak", "8\n"),
        ("pids.events", "max 5\n"),
    ] {
        fs::write(folder.join(file), text).unwrap();
    }
    let expected = GroupUsage {
        memory: Some(100),
        memory_peak: Some(200),
        user_micros: Some(10),
        system_micros: Some(20),
        memory_kills: 2,
        processes: Some(2),
        processes_peak: Some(7),
        forks_refused: 5,
    };
    assert_eq!(group.usage(), expected);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn version_2_without_controllers_says_which() {
    let fake = Fake::new("v2-bare");
    fake.file("cgroup.controllers", "hugetlb");
    let Backend::None(why) = Backend::detect(&fake.places(V2, "0::/\n")) else { panic!() };
    assert!(why.contains("memory controller"), "{why}");
}

#[test]
fn version_1_makes_one_folder_a_hierarchy() {
    let fake = Fake::new("v1");
    for folder in ["memory/mine", "pids", "cpu,cpuacct"] {
        fs::create_dir_all(fake.root.join(folder)).unwrap();
    }
    let mounts = "cgroup ROOT/memory cgroup rw,memory 0 0\ncgroup ROOT/pids cgroup rw,pids 0 0\n\
                  cgroup ROOT/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0\n";
    let backend = Backend::detect(&fake.places(mounts, "3:memory:/mine\n2:pids:/\n1:cpu,cpuacct:/\n"));
    let Backend::V1(parents) = &backend else { panic!("{backend:?}") };
    assert_eq!(parents.controllers(), ["memory", "pids", "cpuacct", "cpu"]);
    assert_eq!(parents.folders().count(), 3);
    let group = backend.plan(&Owner::this_process(), &limits(), Company::SupervisorAndFirst).unwrap();
    backend.make(&group, &limits()).unwrap();
    let CgroupPlacement::Enter(folders) = group.placement() else { panic!() };
    assert!(folders[0].starts_with(&*fake.root.join("memory/mine").to_string_lossy()), "{folders:?}");
    assert_eq!(fs::read_to_string(Path::new(&folders[1]).join("pids.max")).unwrap(), "12");
}

#[test]
fn a_user_without_rights_gets_a_systemd_scope_if_there_is_one() {
    let fake = Fake::new("systemd");
    fake.file("cgroup.controllers", "");
    fake.file("bin/systemd-run", "");
    fake.file("run/systemd/private", "");
    let backend = Backend::detect(&fake.places(V2, "0::/user.slice/session-1.scope\n"));
    let Backend::Systemd(scope) = &backend else { panic!("{backend:?}") };
    let words = scope.words(&limits()).join(" ");
    for wanted in ["--user --scope", "MemoryMax=67108864", "TasksMax=12", "CPUQuota=50%"] {
        assert!(words.contains(wanted), "{words}");
    }
}

#[test]
fn a_host_without_any_says_why() {
    let fake = Fake::new("none");
    let Backend::None(why) = Backend::detect(&fake.places("", "")) else { panic!() };
    assert!(why.contains("cgroup v2 is not mounted") && why.contains("cgroup v1"), "{why}");
}
