//! Host paths that a program may see: never the host's heart, unless the caller insists by name.

use super::{refuse, shown};
use formicary_model::{Failure, Mount};
use std::path::{Component, Path, PathBuf};

/// What the guard must know of the host to judge a mount.
#[derive(Debug, Clone, Default)]
pub struct MountPolicy {
    /// The user's home folder.
    pub home: Option<PathBuf>,
}

/// Places whose whole tree is refused, with the word for people.
const REFUSED_TREES: &[(&str, &str)] = &[
    ("/proc", "the host's processes"),
    ("/sys", "the host's kernel"),
    ("/dev", "the host's devices"),
    ("/run", "the host's services and sockets"),
    ("/var/run", "the host's services and sockets"),
    ("/etc", "the host's configuration"),
    ("/root", "a home folder"),
    ("/boot", "the host's kernel images"),
    ("/efi", "the host's firmware files"),
    ("/lost+found", "the host's file system"),
    ("/var/lib/docker", "the container engine's state"),
    ("/var/lib/containerd", "the container engine's state"),
    ("/var/lib/containers", "the container engine's state"),
    ("/var/lib/kubelet", "the cluster agent's state"),
    ("/var/spool", "the host's jobs and mail"),
];

/// Places that are refused themselves, while folders below them may be given.
const REFUSED_FOLDERS: &[(&str, &str)] = &[
    ("/home", "all home folders"),
    ("/var", "the host's state"),
    ("/var/lib", "the host's state"),
    ("/var/log", "the host's logs"),
    ("/tmp", "every user's temporary files"),
    ("/var/tmp", "every user's temporary files"),
    ("/usr", "the host's system"),
    ("/mnt", "all mounted disks"),
    ("/media", "all mounted disks"),
    ("/srv", "the host's served files"),
    ("/opt", "the host's extra software"),
];

/// Names of files and folders that hold secrets, wherever they lie.
const SECRET_NAMES: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".netrc",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".password-store",
    ".mozilla",
    ".pgpass",
    ".my.cnf",
    ".vault-token",
];

/// Secrets that lie deeper: the end of the path.
const SECRET_ENDS: &[&str] = &[
    ".config/gcloud",
    ".config/gh",
    ".config/op",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".local/share/keyrings",
    ".config/google-chrome",
    ".config/chromium",
];

/// Names of sockets through which a program would command the host.
const SOCKETS: &[&str] = &["docker.sock", "podman.sock", "containerd.sock", "crio.sock", "snapd.socket"];

/// Guest places that carry the sandbox itself.
const GUEST_TREES: &[&str] = &[
    "/proc",
    "/sys",
    "/dev",
    "/etc",
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt/formicary",
];

/// The mounts with their host paths resolved, or why one is refused.
pub fn check_mounts(
    mounts: &[Mount],
    insisted: &[String],
    policy: &MountPolicy,
) -> Result<Vec<Mount>, Failure> {
    let mut checked: Vec<Mount> = Vec::new();
    for mount in mounts {
        let guest = check_guest(&mount.guest)?;
        if let Some(other) = checked.iter().find(|other| other.guest == guest) {
            return Err(refuse(
                format!("mounts {} and {} both want {guest}", shown(&other.host), shown(&mount.host)),
                "give each mount its own place inside",
            ));
        }
        let host = resolve_host(&mount.host)?;
        let insisted = insisted.iter().any(|named| *named == mount.host || Path::new(named) == host);
        if let (false, Some(why)) = (insisted, refusal(&host, policy)) {
            return Err(refuse(
                format!("mount of {} is refused: it would show {why}", shown(&mount.host)),
                "mount only the folder that the program needs, or insist on it by name (--insist-mount)",
            ));
        }
        let Some(host) = host.to_str() else {
            return Err(refuse(format!("mount {} is not UTF-8", shown(&mount.host)), "rename the folder"));
        };
        checked.push(Mount { host: host.to_string(), guest, access: mount.access });
    }
    Ok(checked)
}

fn resolve_host(host: &str) -> Result<PathBuf, Failure> {
    if !host.starts_with('/') || host.contains('\0') {
        return Err(refuse(
            format!("mount of {}: the host path is not absolute", shown(host)),
            "give the whole path from / on",
        ));
    }
    Path::new(host).canonicalize().map_err(|error| {
        refuse(format!("mount of {}: {error}", shown(host)), "give a host path that exists and can be read")
    })
}

/// Why the resolved `host` is refused, if it is.
fn refusal(host: &Path, policy: &MountPolicy) -> Option<String> {
    if host == Path::new("/") {
        return Some("the whole host".into());
    }
    if let Some(home) = &policy.home {
        let home = home.canonicalize().unwrap_or_else(|_| home.clone());
        if home.starts_with(host) {
            return Some("your home folder".into());
        }
        // A folder above a secret shows it as well.
        let above = |end: &&&str| home.join(end).starts_with(host) && home.join(end).exists();
        if let Some(end) = SECRET_ENDS.iter().chain(SECRET_NAMES).find(above) {
            return Some(format!("credentials ({end})"));
        }
    }
    let is_a_home = host.parent() == Some(Path::new("/home"));
    if is_a_home {
        return Some("a home folder".into());
    }
    let holds = |place: &&(&str, &str)| {
        let place = Path::new(place.0);
        place.starts_with(host) && place.exists()
    };
    let folder = REFUSED_FOLDERS.iter().find(|(place, _)| host == Path::new(place));
    if let Some((_, what)) = folder {
        return Some((*what).into());
    }
    // The user's own projects below /root are his to show; the rest of /root is not.
    let below_home = policy.home.as_ref().is_some_and(|home| host.starts_with(home));
    let tree =
        REFUSED_TREES.iter().find(|(place, _)| host.starts_with(place) && !(*place == "/root" && below_home));
    if let Some((_, what)) = tree.or_else(|| REFUSED_TREES.iter().find(holds)) {
        return Some((*what).into());
    }
    secret(host)
}

fn secret(host: &Path) -> Option<String> {
    for part in host.components() {
        let Component::Normal(name) = part else { continue };
        let name = name.to_string_lossy();
        if SECRET_NAMES.contains(&name.as_ref()) {
            return Some(format!("credentials ({name})"));
        }
        if SOCKETS.contains(&name.as_ref()) {
            return Some(format!("a control socket ({name})"));
        }
    }
    let text = host.to_string_lossy();
    let end = SECRET_ENDS.iter().find(|end| text.contains(&format!("/{end}")))?;
    Some(format!("credentials ({end})"))
}

/// The guest path in its plain form, or why it is refused.
fn check_guest(guest: &str) -> Result<String, Failure> {
    let bad = |why: &str| {
        Err(refuse(
            format!("mount at {} inside the sandbox {why}", shown(guest)),
            "choose a place such as /data or /work/data",
        ))
    };
    if !guest.starts_with('/') || guest.chars().any(char::is_control) {
        return bad("is not an absolute path");
    }
    let parts: Vec<&str> = guest.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.contains(&"..") {
        return bad("holds \"..\"");
    }
    let plain = format!("/{}", parts.join("/"));
    let path = Path::new(&plain);
    if parts.is_empty()
        || path == Path::new("/work")
        || path == Path::new("/tmp")
        || path == Path::new("/opt")
    {
        return bad("would cover the sandbox's own folder");
    }
    if path.starts_with(format!("/work/{}", super::RESERVED_FOLDER)) {
        return bad("would cover a reserved folder");
    }
    if GUEST_TREES.iter().any(|tree| path.starts_with(tree)) {
        return bad("would cover the sandbox's own system");
    }
    if plain.len() > 1024 {
        return bad("is too long");
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::MountAccess;

    fn check(host: &str, guest: &str, insisted: &[&str]) -> Result<Vec<Mount>, Failure> {
        let mount = Mount { host: host.into(), guest: guest.into(), access: MountAccess::ReadOnly };
        let insisted: Vec<String> = insisted.iter().map(|named| (*named).to_string()).collect();
        check_mounts(&[mount], &insisted, &MountPolicy { home: Some("/root".into()) })
    }

    #[test]
    fn the_hosts_heart_is_refused() {
        for host in [
            "/",
            "//",
            "/usr/..",
            "/proc",
            "/proc/self",
            "/sys",
            "/dev",
            "/dev/null",
            "/run",
            "/etc",
            "/etc/passwd",
            "/root",
            "/boot",
            "/home",
            "/var",
            "/var/lib",
            "/tmp",
            "/usr",
            "/proc/1/root",
        ] {
            assert!(check(host, "/data", &[]).is_err(), "{host}");
        }
        for host in ["relative", "", "/no/such/place", "/a\0b"] {
            assert!(check(host, "/data", &[]).is_err(), "{host}");
        }
    }

    #[test]
    fn links_are_followed_first() {
        let folder = std::env::temp_dir().join(format!("formicary-mounts-{}", std::process::id()));
        let secret = folder.join("proj/.ssh");
        std::fs::create_dir_all(&secret).unwrap();
        std::os::unix::fs::symlink("/", folder.join("link")).unwrap();
        std::fs::write(folder.join("docker.sock"), "").unwrap();
        let text = |path: PathBuf| path.to_str().unwrap().to_string();
        assert!(check(&text(folder.clone()), "/data", &[]).is_ok());
        assert!(check(&text(folder.join("link")), "/data", &[]).is_err());
        assert!(check(&text(folder.join("link/etc")), "/data", &[]).is_err());
        assert!(check(&text(secret), "/data", &[]).is_err());
        assert!(check(&text(folder.join("docker.sock")), "/data", &[]).is_err());
        let config = folder.join("home/.config");
        std::fs::create_dir_all(config.join("gh")).unwrap();
        let policy = MountPolicy { home: Some(folder.join("home")) };
        let mount = |host: &Path| Mount {
            host: text(host.to_path_buf()),
            guest: "/data".into(),
            access: MountAccess::ReadOnly,
        };
        assert!(check_mounts(&[mount(&config)], &[], &policy).is_err(), "a folder above a secret");
        std::fs::create_dir_all(folder.join("home/project")).unwrap();
        assert!(check_mounts(&[mount(&folder.join("home/project"))], &[], &policy).is_ok());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn insisting_by_name_helps_for_the_host_side_only() {
        assert!(check("/etc", "/data", &["/etc"]).is_ok());
        assert!(check("/etc", "/data", &["/"]).is_err());
        assert!(check("/etc", "/usr", &["/etc"]).is_err());
    }

    #[test]
    fn guest_places() {
        for (guest, fine) in [
            ("/data", true),
            ("/work/data", true),
            ("/tmp/x", true),
            ("/srv//a/./b", true),
            ("/", false),
            ("/work", false),
            ("/work/", false),
            ("/tmp", false),
            ("/usr/lib", false),
            ("/proc", false),
            ("/dev/shm", false),
            ("/etc/passwd", false),
            ("/data/../etc", false),
            ("data", false),
            ("", false),
            ("/opt/formicary/python", false),
            ("/work/.formicary/x", false),
        ] {
            assert_eq!(check("/usr/share", guest, &[]).is_ok(), fine, "{guest:?}");
        }
    }
}
