//! A host that is out of namespaces. It is a user namespace with limits of its own.
#![expect(clippy::disallowed_types, reason = "the small host is made by a program")]

use std::process::Command;

#[test]
fn out_of_namespaces() {
    let done = in_a_small_host("few-namespaces", "echo 3 > /proc/sys/user/max_user_namespaces");
    assert_eq!(done, Ok(()));
}

/// Plays a scenario in a user namespace, where `first` is done before.
fn in_a_small_host(scenario: &str, first: &str) -> Result<(), String> {
    let done = Command::new("unshare")
        .args("--user --map-root-user --mount --pid --fork --kill-child --mount-proc sh -c".split(' '))
        .arg(format!("{first} && exec timeout 120 \"$0\" {scenario}"))
        .arg(env!("CARGO_BIN_EXE_conformance-small-host"))
        .output()
        .map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
    if done.status.success() { Ok(()) } else { Err(said.into_owned()) }
}
