//! The process outside: makes the namespaces, names the users, places the payload in its cgroup, and waits.
//!
//! A controller that can does all that itself, and what it starts is the sandbox's first process at once. Where it cannot
//! (mounts are lent, systemd makes the cgroup, many sandboxes are to be born), this process is the only one that it knows.
//! When the controller says so, or dies, it kills the sandbox's
//! first process, and with it the kernel kills everything in there; a dead controller's cgroups it removes as well.

use crate::init::{self, Parent};
use crate::report::give_up;
use crate::spec::{
    self, CONTROL_FD, CgroupPlacement, GO, INSIDE_ID, MountKind, MountSpec, Role, SPEC_FD, Spec,
};
use crate::sys::process::{self, Fork};
use crate::sys::raw::Fd;
use crate::sys::{Done, Fault, files, identity, mounts, socket};
use crate::users;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// The spec, and the bytes of its files.
pub struct Plan {
    /// The spec itself.
    pub spec: Spec,
    /// What its files hold, one after the other.
    pub contents: &'static [u8],
}

/// Runs one sandbox to its end.
pub fn supervise() {
    if let Err(fault) = try_supervise() {
        give_up(fault);
    }
}

fn try_supervise() -> Done {
    let plan = read_plan()?;
    let spec = &plan.spec;
    if process::id() == 1 {
        // The controller has made the namespaces itself: this is the sandbox's first process.
        if !spec.anywhere.is_empty() {
            // Where they were taken from the controller meanwhile, those stay that it has.
            let _ = process::use_processors(&spec.anywhere);
        }
        let nothing = spec.mounts.iter().map(|_| None).collect();
        init::run(&plan, nothing, &Parent::Controller);
    }
    identity::leave_groups();
    let mut namespaces = spec::NAMESPACES;
    if spec.own_network && spec.role == Role::Nursery {
        namespaces |= libc::CLONE_NEWNET;
    }
    let born_in = birthplace(&spec.cgroup)?;
    let (wait_here, go_on) = socket::pair()?;
    let lent = lend(spec);
    match process::clone_into(namespaces, born_in.as_ref())? {
        Fork::Child => {
            drop(go_on);
            init::run(&plan, lent, &Parent::Supervisor(wait_here))
        }
        Fork::Parent(pid, handle) => {
            drop((wait_here, lent));
            let users = outside_users();
            name_users(pid, INSIDE_ID, INSIDE_ID, users)?;
            // The payload may open its own streams again by name (/dev/stdout), so they must be its own.
            identity::give_streams(users);
            socket::send_byte(&go_on)?;
            wait_for_end(&handle, &spec.cgroup);
            Ok(())
        }
    }
}

/// The cgroup (version 2) to be born in, once the controller has made it.
fn birthplace(cgroup: &CgroupPlacement) -> Done<Option<Fd>> {
    let CgroupPlacement::Born(folder) = cgroup else { return Ok(None) };
    if !socket::receive_is(CONTROL_FD, GO) {
        return Err(called_off());
    }
    files::open_folder(folder).map(Some)
}

fn called_off() -> Fault {
    Fault { step: "the controller called it off".into(), errno: libc::ECANCELED }
}

/// Reads the order once the controller has written it, which it does while this process starts.
fn read_plan() -> Done<Plan> {
    if !socket::receive_is(CONTROL_FD, GO) {
        return Err(called_off());
    }
    let (spec, contents) = spec::split(files::map(SPEC_FD)?)
        .ok_or_else(|| Fault { step: "decode the spec".into(), errno: libc::EINVAL })?;
    Ok(Plan { spec, contents })
}

/// The user and group, outside, that the payload runs as.
fn outside_users() -> (u32, u32) {
    let map = |path: &str| {
        let bytes = files::open_read(path).and_then(|fd| files::read_all(fd.raw(), 4096, 0));
        String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
    };
    match identity::effective() {
        own @ (0, _) => {
            users::apart(own, &map("/proc/self/uid_map"), &map("/proc/self/gid_map"), process::id())
        }
        own => own,
    }
}

/// Maps the one user and group that exist inside to one outside.
fn name_users(pid: i32, inside_user: u32, inside_group: u32, (user, group): (u32, u32)) -> Done {
    files::write_once(&format!("/proc/{pid}/setgroups"), "deny")?;
    files::write_once(&format!("/proc/{pid}/uid_map"), &format!("{inside_user} {user} 1"))?;
    files::write_once(&format!("/proc/{pid}/gid_map"), &format!("{inside_group} {group} 1"))
}

/// For root only: mounts whose files' owner appears as the sandbox's own user (see [`MountSpec::lend`]). Where the file
/// system cannot do that, the mount is shown as it is.
fn lend(spec: &Spec) -> Vec<Option<Fd>> {
    if identity::effective().0 != 0 || spec.mounts.iter().all(|mount| !mount.lend) {
        return spec.mounts.iter().map(|_| None).collect();
    }
    let users = outside_users();
    spec.mounts.iter().map(|mount| try_lend(mount, users).ok().flatten()).collect()
}

fn try_lend(mount: &MountSpec, users: (u32, u32)) -> Done<Option<Fd>> {
    if !mount.lend {
        return Ok(None);
    }
    let source = files::open_path(&mount.source)?;
    let mut attributes = mounts::NO_SETUID | mounts::NO_DEVICES;
    if mount.kind == MountKind::ReadOnly {
        attributes |= mounts::READ_ONLY;
    }
    let (user, group) = files::owner(&source)?;
    let tree = mounts::copy_tree(&source, attributes, &mount.target)?;
    // A namespace exists only as long as something holds it: a child that does nothing, until we hold it ourselves.
    let (wait_here, go_on) = socket::pipe()?;
    match process::clone_into(libc::CLONE_NEWUSER, None)? {
        Fork::Child => {
            drop(go_on);
            socket::await_byte(&wait_here);
            process::exit_now(0)
        }
        Fork::Parent(pid, _) => {
            let named = name_users(pid, user, group, users);
            let namespace = files::open_read(&format!("/proc/{pid}/ns/user"));
            drop(go_on);
            process::wait_any();
            named?;
            mounts::rename_owners(&tree, &namespace?)?;
            Ok(Some(tree))
        }
    }
}

fn wait_for_end(handle: &Fd, cgroup: &CgroupPlacement) {
    let controller = match socket::wait_for_either(handle.raw(), CONTROL_FD) {
        socket::Woken::First => Controller::Lives,
        socket::Woken::Second => Controller::Lives,
        socket::Woken::SecondHungUp => Controller::Died,
    };
    process::kill_by_descriptor(handle, libc::SIGKILL);
    // A namespace's first process can be waited for only after all its others are gone.
    while process::wait_any().is_some() {}
    if controller == Controller::Died {
        remove(cgroup);
    }
}

#[derive(PartialEq)]
enum Controller {
    Lives,
    Died,
}

fn remove(cgroup: &CgroupPlacement) {
    let folders = match cgroup {
        CgroupPlacement::None => return,
        CgroupPlacement::Enter(folders) => folders.clone(),
        CgroupPlacement::Born(folder) => vec![folder.clone()],
        CgroupPlacement::Elsewhere { parents, prefix } => {
            let in_one = |parent: &String| {
                let names = files::names(parent).unwrap_or_default();
                let ours = names.into_iter().filter(|name| name.starts_with(prefix.as_str()));
                ours.map(|name| format!("{parent}/{name}")).collect::<Vec<_>>()
            };
            parents.iter().flat_map(in_one).collect()
        }
    };
    for folder in folders {
        // What cannot be removed now is swept when Formicary next starts.
        let _ = files::remove_folder(&folder);
    }
}
