//! Control groups: version 2, version 1, a systemd user scope, or none.
//!
//! What the host offers is looked up once ([`Backend::detect`]); each run then gets a [`Group`] of its own, which
//! carries its owner's process number and start time in its name so that leftovers can be told from living ones.

mod owner;
mod systemd;
mod v1;
mod v2;

pub use owner::{Owner, sweep};

use formicary_jail::spec::CgroupPlacement;
use formicary_model::Limits;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What this host lets us use.
#[derive(Debug, Clone)]
pub enum Backend {
    /// Version 2, in this folder.
    V2(v2::Parent),
    /// Version 1, one folder a controller.
    V1(v1::Parents),
    /// Through the user's systemd.
    Systemd(systemd::Scope),
    /// Nothing, for this reason.
    None(String),
}

/// Where to look. The real ones are under `/`; tests bring their own.
#[derive(Debug, Clone)]
pub struct Places {
    /// Text of `/proc/self/cgroup`.
    pub own_groups: String,
    /// Text of `/proc/self/mounts`.
    pub mounts: String,
    /// Folders searched for `systemd-run`.
    pub programs: Vec<PathBuf>,
    /// The user's runtime folder (`/run/user/1000`).
    pub runtime: Option<PathBuf>,
}

impl Places {
    /// Those of this process.
    pub fn of_this_process() -> Self {
        let read = |path| std::fs::read_to_string(path).unwrap_or_default();
        let runtime = PathBuf::from(format!("/run/user/{}", crate::sys::process::effective_user()));
        Self {
            own_groups: read("/proc/self/cgroup"),
            mounts: read("/proc/self/mounts"),
            programs: vec!["/usr/bin".into(), "/bin".into()],
            runtime: runtime.is_dir().then_some(runtime),
        }
    }

    /// Mount points of a kind of cgroup file system, with their options.
    fn mounted(&self, kind: &str) -> impl Iterator<Item = (PathBuf, Vec<&str>)> {
        self.mounts.lines().filter_map(move |line| {
            let mut words = line.split(' ');
            let (_, point, this, options) = (words.next()?, words.next()?, words.next()?, words.next()?);
            (this == kind).then(|| (PathBuf::from(point), options.split(',').collect()))
        })
    }

    /// The path of this process's own group in the hierarchy whose second field is `controllers`.
    fn own_path(&self, controllers: impl Fn(&str) -> bool) -> Option<&str> {
        self.own_groups.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':');
            let (_, names, path) = (fields.next()?, fields.next()?, fields.next()?);
            controllers(names).then_some(path)
        })
    }
}

impl Backend {
    /// Finds the best that this host offers.
    pub fn detect(places: &Places) -> Self {
        let mut why = Vec::new();
        match v2::Parent::find(places) {
            Ok(parent) => return Self::V2(parent),
            Err(reason) => why.push(reason),
        }
        match v1::Parents::find(places) {
            Ok(parents) => return Self::V1(parents),
            Err(reason) => why.push(reason),
        }
        match systemd::Scope::find(places) {
            Ok(scope) => return Self::Systemd(scope),
            Err(reason) => why.push(reason),
        }
        Self::None(why.join("; "))
    }

    /// A group for these limits, yet to be made. `None` where the host offers none or makes it in another way.
    pub fn plan(&self, owner: &Owner, limits: &Limits, company: Company) -> Option<Group> {
        match self {
            Self::V2(parent) => Some(Group::V2(parent.plan(owner))),
            Self::V1(parents) => Some(Group::V1(parents.plan(owner, limits, company))),
            Self::Systemd(_) | Self::None(_) => None,
        }
    }

    /// Makes a planned group.
    pub fn make(&self, group: &Group, limits: &Limits) -> io::Result<()> {
        match (self, group) {
            (Self::V2(parent), Group::V2(group)) => parent.make(group, limits),
            (_, Group::V1(group)) => group.make(limits),
            _ => Ok(()),
        }
    }

    /// Whether the buffers of internet sockets count as memory, or have a bound of their own.
    pub fn bounds_sockets(&self) -> bool {
        match self {
            Self::V2(_) | Self::Systemd(_) => true,
            Self::V1(parents) => parents.bounds_sockets(),
            Self::None(_) => false,
        }
    }

    /// Folders that may hold groups of ours.
    pub fn parents(&self) -> Vec<&Path> {
        match self {
            Self::V2(parent) => vec![parent.folder()],
            Self::V1(parents) => parents.folders().collect(),
            Self::Systemd(_) | Self::None(_) => Vec::new(),
        }
    }

    /// In a few words, for people.
    pub fn describe(&self) -> String {
        match self {
            Self::V2(parent) => format!("cgroup v2 in {}", parent.folder().display()),
            Self::V1(parents) => format!("cgroup v1 ({})", parents.controllers().join(", ")),
            Self::Systemd(_) => "cgroup v2 by a systemd user scope".into(),
            Self::None(why) => format!("none: {why}"),
        }
    }
}

/// Who lives in a group besides the payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Company {
    /// The sandbox's first process, and with version 1 its supervisor, which enters before it starts that one.
    SupervisorAndFirst,
    /// The sandbox's first process, which enters by itself.
    First,
}

/// What a group says about its processes. Absent: this kernel does not tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GroupUsage {
    /// Bytes now.
    pub memory: Option<u64>,
    /// Bytes at the most.
    pub memory_peak: Option<u64>,
    /// CPU time in user mode, microseconds.
    pub user_micros: Option<u64>,
    /// CPU time in the kernel, microseconds.
    pub system_micros: Option<u64>,
    /// Processes killed because memory ran out.
    pub memory_kills: u64,
    /// Processes and threads now.
    pub processes: Option<u64>,
    /// At the most.
    pub processes_peak: Option<u64>,
    /// Forks refused because of the limit.
    pub forks_refused: u64,
}

impl GroupUsage {
    /// What was used since then, of what only grows.
    #[must_use]
    pub fn since(self, before: (u64, u64)) -> Self {
        let less = |now: Option<u64>, before| now.map(|now| now.saturating_sub(before));
        Self {
            user_micros: less(self.user_micros, before.0),
            system_micros: less(self.system_micros, before.1),
            ..self
        }
    }
}

/// One run's group. Removed when dropped; what is still in it is killed first.
#[derive(Debug)]
pub enum Group {
    /// Version 2.
    V2(v2::Group),
    /// Version 1.
    V1(v1::Group),
    /// A scope that systemd made and will remove.
    Systemd(v2::Group),
}

impl Group {
    /// How the jail gets into it.
    pub fn placement(&self) -> CgroupPlacement {
        match self {
            Self::V2(group) => CgroupPlacement::Born(group.folder().to_string_lossy().into_owned()),
            Self::V1(group) => {
                CgroupPlacement::Enter(group.folders().map(|f| f.to_string_lossy().into_owned()).collect())
            }
            Self::Systemd(_) => CgroupPlacement::None,
        }
    }

    /// A handle of its folder (version 2), to be born in.
    pub fn handle(&self) -> io::Result<OwnedFd> {
        match self {
            Self::V2(group) | Self::Systemd(group) => File::open(group.folder()).map(OwnedFd::from),
            Self::V1(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Files by which a process enters by itself, writing `0` to each.
    pub fn doors(&self) -> io::Result<Vec<std::fs::File>> {
        let open = |path: PathBuf| std::fs::OpenOptions::new().write(true).open(path);
        match self {
            Self::V1(group) => group.folders().map(|folder| open(folder.join("tasks"))).collect(),
            Self::V2(group) | Self::Systemd(group) => {
                open(group.folder().join("cgroup.procs")).map(|door| vec![door])
            }
        }
    }

    /// The threads that are in it now.
    pub fn threads(&self) -> Vec<i32> {
        let list = match self {
            Self::V1(group) => group.folders().next().map(|folder| folder.join("tasks")),
            Self::V2(group) | Self::Systemd(group) => Some(group.folder().join("cgroup.threads")),
        };
        let text = list.and_then(|list| std::fs::read_to_string(list).ok()).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).filter(|thread| *thread > 0).collect()
    }

    /// CPU time in user mode and in the kernel, in microseconds.
    pub fn cpu_micros(&self) -> (u64, u64) {
        let (user, system) = match self {
            Self::V2(group) | Self::Systemd(group) => group.cpu_micros(),
            Self::V1(group) => group.cpu_micros(),
        };
        (user.unwrap_or(0), system.unwrap_or(0))
    }

    /// What it says now.
    pub fn usage(&self) -> GroupUsage {
        match self {
            Self::V2(group) | Self::Systemd(group) => group.usage(),
            Self::V1(group) => group.usage(),
        }
    }

    /// What it says of all that was, without what is now: enough when all is over.
    pub fn account(&self) -> GroupUsage {
        match self {
            Self::V2(group) | Self::Systemd(group) => group.account(),
            Self::V1(group) => group.account(),
        }
    }

    /// Opens the files of the account, which need only be read then.
    pub fn keep_open(&self) {
        match self {
            Self::V2(group) | Self::Systemd(group) => group.keep_open(),
            Self::V1(group) => group.keep_open(),
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        match self {
            Self::V2(group) => owner::remove(group.folder()),
            Self::V1(group) => group.folders().for_each(owner::remove),
            Self::Systemd(_) => {}
        }
    }
}

/// Files of a group that stay open once they have been opened ahead.
#[derive(Debug, Default)]
struct Gauges(OnceLock<Vec<(&'static str, File)>>);

impl Gauges {
    /// Opens these, as (folder, name); those that are not there are left out.
    fn open<'a>(&self, files: impl Iterator<Item = (&'a Path, &'static str)>) {
        let open = |(folder, name): (&Path, &'static str)| Some((name, File::open(folder.join(name)).ok()?));
        self.0.get_or_init(|| files.filter_map(open).collect());
    }

    /// A number in a file, if it is there.
    fn number(&self, folder: &Path, file: &str) -> Option<u64> {
        self.read(folder, file)?.trim().parse().ok()
    }

    /// The number behind `key` in a file of `key value` lines.
    fn keyed(&self, folder: &Path, file: &str, key: &str) -> Option<u64> {
        let text = self.read(folder, file)?;
        text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
    }

    /// The text of a file of the kernel's, which gives all of it in one call.
    fn read(&self, folder: &Path, name: &str) -> Option<String> {
        let mut buffer = [0; 4096];
        let kept = self.0.get().and_then(|kept| kept.iter().find(|(kept, _)| *kept == name));
        let length = match kept {
            Some((_, file)) => file.read_at(&mut buffer, 0).ok()?,
            None => File::open(folder.join(name)).ok()?.read(&mut buffer).ok()?,
        };
        std::str::from_utf8(&buffer[..length]).ok().map(str::to_owned)
    }
}

/// Writes a value, naming the file in the error.
fn set(folder: &Path, file: &str, value: impl ToString) -> io::Result<()> {
    let path = folder.join(file);
    std::fs::write(&path, value.to_string())
        .map_err(|error| io::Error::new(error.kind(), format!("cgroup {}: {error}", path.display())))
}

/// Whether groups can probably be made in a folder: asking is cheaper than trying, and every run starts with it.
fn is_writable(folder: &Path) -> io::Result<()> {
    crate::sys::folder::check_writable(folder)
}

/// The period over which cores are shared out.
const PERIOD_MICROS: u64 = 100_000;

fn quota_micros(limits: &Limits) -> u64 {
    ((limits.cores * PERIOD_MICROS as f64) as u64).max(1000)
}

/// Whether the limit asks for fewer cores than there are.
pub fn limits_cores(limits: &Limits) -> bool {
    limits.cores < crate::sys::process::processors().len() as f64
}

#[cfg(test)]
mod tests;
