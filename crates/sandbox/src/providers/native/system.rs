//! What of the host is shown inside, besides the job's own mounts: programs and libraries, a few harmless files of
//! `/etc`, and the devices that every program expects. All of it read-only.

use formicary_jail::spec::{MountKind, MountSpec};
use std::borrow::Cow;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::OnceLock;

/// Folders of programs and libraries: shown where they are folders, copied where they are links into `/usr`.
const PROGRAMS: [&str; 6] = ["bin", "sbin", "lib", "lib32", "lib64", "libx32"];
/// Parts of `/etc` that programs need and that tell nothing of the host's people.
const ETC: [&str; 4] = ["alternatives", "ld.so.cache", "ssl/certs", "fonts"];
/// Small files that are copied: a mount costs more than a few bytes.
const COPIED: [&str; 2] = ["localtime", "ld.so.conf"];
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

/// Who the payload is. Names are looked up by programs from `whoami` to the JVM.
const ACCOUNTS: [(&str, &str); 5] = [
    (
        "etc/passwd",
        "sandbox:x:1000:1000:sandbox:/tmp:/bin/sh\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n",
    ),
    ("etc/group", "sandbox:x:1000:\nnogroup:x:65534:\n"),
    ("etc/hosts", "127.0.0.1 localhost formicary\n::1 localhost\n"),
    ("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"),
    // An address that is never routed: a look-up fails at once, and the attempt can be counted.
    ("etc/resolv.conf", "nameserver 192.0.2.1\noptions timeout:1 attempts:1\n"),
];

/// The host's side of every sandbox.
pub struct System {
    /// Small files of the host, as (path inside, bytes).
    pub copies: Vec<(String, Vec<u8>)>,
    /// Mounts.
    pub mounts: Vec<MountSpec>,
    /// Links, as (path inside, target).
    pub links: Vec<(String, String)>,
}

/// Looked up once: a host's system folders do not come and go.
pub fn system() -> &'static System {
    static SYSTEM: OnceLock<System> = OnceLock::new();
    SYSTEM.get_or_init(look_up)
}

/// Files written into each sandbox, as (path inside, bytes).
pub fn files(own_network: bool) -> Vec<(&'static str, Cow<'static, [u8]>)> {
    let host_resolver = || std::fs::read("/etc/resolv.conf").unwrap_or_default();
    let accounts = ACCOUNTS.iter().map(|(path, text)| match *path {
        "etc/resolv.conf" if !own_network => (*path, Cow::Owned(host_resolver())),
        _ => (*path, Cow::Borrowed(text.as_bytes())),
    });
    let copies = system().copies.iter().map(|(path, bytes)| (path.as_str(), Cow::Borrowed(bytes.as_slice())));
    accounts.chain(copies).collect()
}

/// Whether a mount is to be lent (see [`MountSpec::lend`]): a writable one always, another if others than the owner and
/// its group may not look into the folder, or read the file.
pub fn to_lend(source: &str, kind: MountKind) -> bool {
    let is_closed = || {
        std::fs::metadata(source).is_ok_and(|facts| {
            let needed = if facts.is_dir() { 0o005 } else { 0o004 };
            facts.mode() & needed != needed
        })
    };
    match kind {
        MountKind::ReadWrite => true,
        MountKind::ReadOnly => is_closed(),
        MountKind::Device => false,
    }
}

fn look_up() -> System {
    let mut system = System { copies: Vec::new(), mounts: Vec::new(), links: Vec::new() };
    let mut show = |source: String, kind| {
        let target = source.trim_start_matches('/').to_string();
        let lend = to_lend(&source, kind);
        system.mounts.push(MountSpec { source, target, kind, lend });
    };
    show("/usr".into(), MountKind::ReadOnly);
    for name in PROGRAMS {
        let path = format!("/{name}");
        match std::fs::read_link(&path) {
            Ok(target) => system.links.push(((*name).into(), target.to_string_lossy().into_owned())),
            Err(_) if Path::new(&path).is_dir() => show(path, MountKind::ReadOnly),
            Err(_) => {}
        }
    }
    let java = std::fs::read_dir("/etc").into_iter().flatten().flatten().filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        name.starts_with("java").then_some(name)
    });
    for name in ETC.iter().map(ToString::to_string).chain(java) {
        let path = format!("/etc/{name}");
        if Path::new(&path).exists() {
            show(path, MountKind::ReadOnly);
        }
    }
    for name in COPIED {
        if let Ok(bytes) = std::fs::read(format!("/etc/{name}")) {
            system.copies.push((format!("etc/{name}"), bytes));
        }
    }
    for name in DEVICES {
        show(format!("/dev/{name}"), MountKind::Device);
    }
    for (name, target) in [
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
    ] {
        system.links.push((format!("dev/{name}"), target.into()));
    }
    system
}
