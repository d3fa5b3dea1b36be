//! What the program uses: from control groups where there are any, from the process table where there are none.

use super::{kernel, processes};
use formicary_guest::message::run::{GROUPS, Meter, Order, Reach, Sample};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The guest's account of all its memory, files included.
const GUEST_MEMORY: &str = "/sys/fs/cgroup/memory/memory.usage_in_bytes";
const PAGE: u64 = 4096;
/// A limit that the kernel shows for none is beyond this.
const NO_LIMIT: u64 = 1 << 60;
/// The unit of the process table is a hundredth of a second on every Linux that we meet.
const MICROS_A_TICK: u64 = 10_000;

/// Reads what is used.
pub struct Gauge {
    source: Source,
    /// Folders whose file systems are looked at, and those that are open for it.
    folders: Vec<String>,
    disks: Vec<File>,
    unroutable_before: u64,
    peak: u64,
    /// A guest tells of no refusal; that the group was seen full is as near as one comes.
    most_processes: u64,
    lost: Lost,
}

/// Time of processes that ended and that nobody waited for: it is in no account of the table's any more.
#[derive(Default)]
struct Lost {
    /// What the table said last, in microseconds.
    last: u64,
    /// What it has forgotten since the beginning.
    all: u64,
}

impl Lost {
    /// What is used never shrinks: where the table says so, it has forgotten that much.
    fn restore(&mut self, sample: &mut Sample) {
        let used = sample.user_micros.unwrap_or(0) + sample.system_micros.unwrap_or(0);
        self.all += self.last.saturating_sub(used);
        self.last = used;
        sample.user_micros = sample.user_micros.map(|user| user + self.all);
    }
}

enum Source {
    V1 { memory: PathBuf, cpu: PathBuf, pids: PathBuf },
    V2(PathBuf),
    Guest { group: PathBuf, files: Box<GuestFiles>, processes: u64 },
    Table(Reach),
}

/// Kept open: in a guest every call costs, and looking should not be what slows the program down.
#[derive(Default)]
struct GuestFiles {
    memory: Option<File>,
    user: Option<File>,
    system: Option<File>,
    processes: Option<File>,
}

impl Gauge {
    /// Prepares the reading, and makes a guest's group.
    pub fn new(order: &Order) -> io::Result<Self> {
        let root = Path::new("/sys/fs/cgroup");
        let source = match &order.meter {
            Meter::Container if root.join("memory.current").exists() => Source::V2(root.into()),
            Meter::Container if root.join("memory/memory.usage_in_bytes").exists() => {
                Source::V1 { memory: root.join("memory"), cpu: root.join("cpuacct"), pids: root.join("pids") }
            }
            Meter::Container => Source::Table(order.reach),
            Meter::Guest { processes } => guest(*processes)?,
            Meter::Descendants => Source::Table(order.reach),
        };
        // In a guest's network nobody has been yet.
        let is_new = matches!(order.meter, Meter::Guest { .. });
        let unroutable_before = if is_new { 0 } else { unroutable_packets() };
        Ok(Self {
            source,
            folders: order.disks.clone(),
            disks: Vec::new(),
            unroutable_before,
            peak: 0,
            most_processes: 0,
            lost: Lost::default(),
        })
    }

    /// Opens what will be looked at again and again. None of it can be moved or replaced by the program.
    pub fn open(&mut self) {
        self.disks = self.folders.drain(..).filter_map(|folder| File::open(folder).ok()).collect();
        if let Source::Guest { group, files, .. } = &mut self.source {
            let open = |name: &str| File::open(group.join(name)).ok();
            **files = GuestFiles {
                memory: File::open(GUEST_MEMORY).ok(),
                user: open("cpuacct.usage_user"),
                system: open("cpuacct.usage_sys"),
                processes: open("pids.current"),
            };
        }
    }

    /// The file that takes a process into the program's group, where the agent made one.
    pub fn entrance(&self) -> Option<String> {
        match &self.source {
            Source::Guest { group, .. } => Some(group.join("cgroup.procs").display().to_string()),
            _ => None,
        }
    }

    /// Packets that had nowhere to go in the meantime.
    pub fn unroutable_packets(&self) -> u64 {
        unroutable_packets().saturating_sub(self.unroutable_before)
    }

    /// What is used now.
    pub fn sample(&mut self) -> Sample {
        let mut sample = match &self.source {
            Source::V1 { memory, cpu, pids } => {
                // What an engine leaves without a limit the kernel does not count, either.
                let limit = number(&memory.join("memory.kmem.tcp.limit_in_bytes"));
                let uncounted = limit.is_none_or(|bytes| bytes >= NO_LIMIT);
                let beside = kernel::held() + if uncounted { kernel::sockets() } else { 0 };
                Sample { beside, ..v1(memory, cpu, pids) }
            }
            Source::V2(folder) => Sample { beside: kernel::held(), ..v2(folder) },
            Source::Guest { files, processes, .. } => {
                let now = again(files.processes.as_ref());
                self.most_processes = self.most_processes.max(now.unwrap_or(0));
                let micros = |file: &Option<File>| again(file.as_ref()).map(|nanos| nanos / 1000);
                Sample {
                    memory: again(files.memory.as_ref()),
                    user_micros: micros(&files.user),
                    system_micros: micros(&files.system),
                    processes: now,
                    // Who was refused may have ended before one could look: one fewer than allowed is full, too.
                    forks_refused: u64::from(self.most_processes + 1 >= *processes),
                    ..Sample::default()
                }
            }
            Source::Table(reach) => {
                let mut sample = table(*reach);
                self.lost.restore(&mut sample);
                sample
            }
        };
        self.peak = self.peak.max(sample.memory.unwrap_or(0));
        sample.memory_peak = sample.memory_peak.or(Some(self.peak));
        sample.disk_full = self.disks.iter().any(is_full);
        sample
    }
}

fn guest(processes: u64) -> io::Result<Source> {
    use rustix::mount::{MountFlags, mount};
    let folder = Path::new(GROUPS);
    std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    // The guest's kernel leaves it open to everybody.
    let _ = std::fs::set_permissions("/sys/fs/cgroup", std::os::unix::fs::PermissionsExt::from_mode(0o755));
    let groups = folder.join("groups");
    std::fs::create_dir(&groups)?;
    mount("none", &groups, "cgroup", MountFlags::empty(), Some(c"pids,cpuacct"))?;
    let group = groups.join("program");
    std::fs::create_dir(&group)?;
    std::fs::write(group.join("pids.max"), processes.to_string())?;
    Ok(Source::Guest { group, files: Box::default(), processes })
}

fn v1(memory: &Path, cpu: &Path, pids: &Path) -> Sample {
    let nanos = |file: &str| number(&cpu.join(file)).map(|value| value / 1000);
    Sample {
        memory: number(&memory.join("memory.usage_in_bytes")),
        memory_peak: number(&memory.join("memory.max_usage_in_bytes")),
        user_micros: nanos("cpuacct.usage_user"),
        system_micros: nanos("cpuacct.usage_sys"),
        memory_kills: keyed(&memory.join("memory.oom_control"), "oom_kill").unwrap_or(0),
        processes: number(&pids.join("pids.current")),
        forks_refused: keyed(&pids.join("pids.events"), "max").unwrap_or(0),
        ..Sample::default()
    }
}

fn v2(folder: &Path) -> Sample {
    let cpu = |key| keyed(&folder.join("cpu.stat"), key);
    Sample {
        memory: number(&folder.join("memory.current")),
        memory_peak: number(&folder.join("memory.peak")),
        user_micros: cpu("user_usec"),
        system_micros: cpu("system_usec"),
        memory_kills: keyed(&folder.join("memory.events"), "oom_kill").unwrap_or(0),
        processes: number(&folder.join("pids.current")),
        forks_refused: keyed(&folder.join("pids.events"), "max").unwrap_or(0),
        ..Sample::default()
    }
}

/// Sums over the process table; who ended and was waited for counts with the agent itself.
fn table(reach: Reach) -> Sample {
    let table = processes::table();
    let own = processes::line(std::process::id());
    let (mut user, mut system) = own.map_or((0, 0), |line| (line.user, line.system));
    let (mut memory, mut threads) = (0, 0);
    for line in processes::within(reach, &table).into_iter().filter_map(|pid| table.get(&pid)) {
        user += line.user;
        system += line.system;
        memory += line.resident * PAGE;
        threads += line.threads;
    }
    Sample {
        memory: Some(memory),
        user_micros: Some(user * MICROS_A_TICK),
        system_micros: Some(system * MICROS_A_TICK),
        processes: Some(threads),
        ..Sample::default()
    }
}

fn is_full(disk: &File) -> bool {
    // A file system without a bound says zero of zero.
    rustix::fs::fstatvfs(disk).is_ok_and(|stats| {
        (stats.f_blocks > 0 && stats.f_bavail == 0) || (stats.f_files > 0 && stats.f_favail == 0)
    })
}

/// Packets that had nowhere to go, in the network that the agent shares with the program.
fn unroutable_packets() -> u64 {
    let v4 = processes::read_at_once("/proc/self/net/snmp").unwrap_or_default();
    let mut lines = v4.lines().filter(|line| line.starts_with("Ip:"));
    let column = lines.next().and_then(|names| names.split(' ').position(|name| name == "OutNoRoutes"));
    let values: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
    let v4 = column.and_then(|at| values.get(at)?.parse::<u64>().ok()).unwrap_or(0);
    v4 + keyed_loosely("/proc/self/net/snmp6", "Ip6OutNoRoutes").unwrap_or(0)
}

/// A number in an open file, as it is now.
fn again(file: Option<&File>) -> Option<u64> {
    let mut buffer = [0; 32];
    let count = file?.read_at(&mut buffer, 0).ok()?;
    std::str::from_utf8(buffer.get(..count)?).ok()?.trim().parse().ok()
}

fn number(path: &Path) -> Option<u64> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}

fn keyed(path: &Path, key: &str) -> Option<u64> {
    keyed_loosely(&path.to_string_lossy(), key)
}

fn keyed_loosely(path: &str, key: &str) -> Option<u64> {
    let text = processes::read_at_once(path).ok()?;
    text.lines().find_map(|line| {
        let mut words = line.split_ascii_whitespace();
        (words.next() == Some(key)).then(|| words.next()?.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_that_the_table_forgets_is_kept() {
        let mut lost = Lost::default();
        let shown = [(10, 0), (40, 10), (0, 10), (45, 10), (5, 10)].map(|(user, system)| {
            let mut sample =
                Sample { user_micros: Some(user), system_micros: Some(system), ..Sample::default() };
            lost.restore(&mut sample);
            sample.user_micros.unwrap_or(0) + sample.system_micros.unwrap_or(0)
        });
        assert_eq!(shown, [10, 50, 50, 95, 95]);
    }
}
