//! Ways out through mounts, namespaces, identities, devices and the kernel's own files.

use crate::case::{Bare, Case};
use crate::expect::Expect;
use crate::program::NAMESPACES;
use crate::scene::Scene;
use formicary_model::Protection::{Capabilities, Files, HostName, SystemCalls, Users};
use formicary_model::ViolationKind;
use formicary_sandbox::Outcome;

fn attack(name: &'static str) -> Case {
    Case::c(&NAMESPACES, name)
}

pub(super) fn cases() -> Vec<Case> {
    let recorded = |call| Expect::refused().violation(ViolationKind::SystemCall, call);
    vec![
        attack("mount_tmpfs").needs(&[SystemCalls]).expect(recorded("mount")).bare(Bare::WorksAsRoot),
        attack("bind_mount").needs(&[SystemCalls]).expect(recorded("mount")).bare(Bare::WorksAsRoot),
        attack("unmount").needs(&[SystemCalls]).expect(recorded("umount")).bare(Bare::WorksAsRoot),
        attack("remount_writable").needs(&[SystemCalls]).expect(recorded("mount")).bare(Bare::WorksAsRoot),
        attack("second_pivot").needs(&[SystemCalls]).expect(recorded("pivot_root")).bare(Bare::WorksAsRoot),
        attack("new_mount_calls").needs(&[SystemCalls]).bare(Bare::WorksAsRoot),
        attack("chroot_escape").needs(&[Capabilities]).bare(Bare::WorksAsRoot),
        attack("nested_user").needs(&[SystemCalls]).expect(recorded("unshare")),
        attack("clone_new_user").needs(&[SystemCalls]).expect(recorded("clone")),
        attack("every_namespace").needs(&[SystemCalls]).expect(recorded("unshare")).bare(Bare::WorksAsRoot),
        attack("nested_user_then_mount").needs(&[SystemCalls]),
        attack("enter_namespaces").needs(&[SystemCalls, Users]).bare(Bare::WorksAsRoot),
        attack("raise_capabilities").needs(&[Capabilities]).bare(Bare::WorksAsRoot),
        attack("become_root").needs(&[Users]).bare(Bare::WorksAsRoot),
        attack("device_nodes").needs(&[Capabilities]).bare(Bare::WorksAsRoot),
        attack("host_devices").needs(&[Files]),
        attack("replace_devices").needs(&[Files]).bare(Bare::Harmful("would remove the host's devices")),
        attack("kernel_files").needs(&[Files]).bare(Bare::WorksAsRoot),
        Case::python("kernel_knobs", include_str!("../../programs/python/kernel_knobs.py"))
            .needs(&[Files])
            .bare(Bare::WorksAsRoot),
        attack("kernel_secrets").needs(&[Files]).expect(Expect::refused()).bare(Bare::WorksAsRoot),
        attack("cgroup_release_agent")
            .needs(&[SystemCalls])
            .bare(Bare::Harmful("would mount a cgroup hierarchy on the host")),
        attack("raise_own_limits").bare(Bare::WorksAsRoot),
        attack("rename_host")
            .needs(&[HostName])
            .host(host_name_stays)
            .bare(Bare::Harmful("would rename the host")),
        Case::python("host_name_is_its_own", include_str!("../../programs/python/host_name.py"))
            .env("HOST", host_name())
            .needs(&[HostName]),
        Case::python("kernel_lists_are_its_own", include_str!("../../programs/python/kernel_lists.py"))
            .needs(&[Files]),
    ]
}

fn host_name() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned()
}

fn host_name_stays(scene: &Scene, _: &Outcome) -> Result<(), String> {
    if host_name().starts_with(&scene.id[..4]) { Err("the host was renamed".into()) } else { Ok(()) }
}
