//! Traffic: to the host, to its neighbours, to the world; and what must work inside.

use crate::case::{Bare, Case};
use crate::expect::Expect;
use crate::program::NETWORK;
use crate::scene::Scene;
use formicary_model::Network as Policy;
use formicary_model::Protection::{Network, SystemCalls};
use formicary_model::{Status, ViolationKind};
use formicary_sandbox::Outcome;

fn attack(name: &'static str) -> Case {
    Case::c(&NETWORK, name).needs(&[Network])
}

pub(super) fn cases() -> Vec<Case> {
    let outside = Bare::Harmful("would send packets to machines of other people");
    vec![
        attack("host_loopback"),
        attack("host_loopback_udp").bare(Bare::Shows(|scene, _| {
            if scene.visitors().contains(&"udp") { Ok(()) } else { Err("no datagram arrived".into()) }
        })),
        attack("host_sockets"),
        attack("outside").expect(Expect::refused().violation(ViolationKind::Network, "")).bare(outside),
        attack("outside_and_failed")
            .expect(Expect::status(Status::Denied).exits(1).violation(ViolationKind::Network, ""))
            .bare(outside),
        attack("raw_sockets").bare(Bare::WorksAsRoot),
        attack("strange_families").needs(&[Network, SystemCalls]).bare(Bare::WorksAsRoot),
        attack("netlink_families").needs(&[Network, SystemCalls]),
        attack("interfaces").bare(Bare::Unprovable("a host without a network card has no other interface")),
        attack("configure").bare(Bare::WorksAsRoot),
        attack("flow_labels").needs(&[Network, SystemCalls]),
        attack("own_loopback").expect(Expect::allowed()).bare(Bare::Same),
        attack("pass_descriptors").expect(Expect::allowed()).bare(Bare::Same),
        Case::python("look_up_names", include_str!("../../programs/python/look_up_names.py"))
            .needs(&[Network])
            .bare(outside),
        Case::python("loopback_of_its_own_v6", include_str!("../../programs/python/loopback_v6.py"))
            .needs(&[Network])
            .expect(Expect::allowed())
            .bare(Bare::Same),
        attack("host_loopback")
            .named("host_network_by_name")
            .network(Policy::Host)
            .expect(Expect::allowed())
            .host(visited)
            .bare(Bare::Same),
        attack("host_sockets")
            .named("host_network_keeps_files_apart")
            .network(Policy::Host)
            .expect(Expect::status(Status::Success).never("WORKED socket in the file system"))
            .bare(Bare::Works),
    ]
}

fn visited(scene: &Scene, _: &Outcome) -> Result<(), String> {
    if scene.visitors().contains(&"tcp") { Ok(()) } else { Err("nobody reached the host's service".into()) }
}
