//! What the kernel holds for a program and counts in no control group: file locks, replies of netlink, and with groups of
//! version 1 the buffers of internet sockets.

use super::processes;
use formicary_guest::locks::{self, MOST_LOCKS};
use formicary_guest::sockets;
use std::fs::File;
use std::io::Read;

/// A file lock takes so many bytes.
const LOCK: u64 = 256;
/// What more locks than any program needs are charged with, so that there is an end.
const TOO_MANY: u64 = 1 << 50;
/// The usual buffer of a socket.
const BUFFER: u64 = 212_992;

/// Locks and netlink replies.
pub fn held() -> u64 {
    let netlink = std::fs::read_to_string("/proc/self/net/netlink").unwrap_or_default();
    locks() + netlink.lines().skip(1).map(waiting).sum::<u64>()
}

/// Buffers of internet sockets.
pub fn sockets() -> u64 {
    let text = processes::read_at_once("/proc/self/net/sockstat").unwrap_or_default();
    let inet = ["TCP: inuse ", "UDP: inuse ", "TCP6: inuse ", "UDP6: inuse "];
    let used = |line: &str| inet.iter().find_map(|name| line.strip_prefix(name)).and_then(first_number);
    let v6 = processes::read_at_once("/proc/self/net/sockstat6").unwrap_or_default();
    let all: u64 = text.lines().chain(v6.lines()).filter_map(used).sum();
    sockets::charge(all, BUFFER, |name| {
        std::fs::read_to_string(format!("/proc/self/net/{name}")).unwrap_or_default()
    })
}

fn first_number(text: &str) -> Option<u64> {
    text.split_ascii_whitespace().next()?.parse().ok()
}

/// Read and write queue of a netlink socket.
fn waiting(line: &str) -> u64 {
    line.split_ascii_whitespace().skip(4).take(2).filter_map(|number| number.parse::<u64>().ok()).sum()
}

fn locks() -> u64 {
    let locks = locks::count(|most| {
        let mut text = Vec::new();
        if let Ok(file) = File::open("/proc/locks") {
            // What cannot be read is not there.
            let _ = file.take(most).read_to_end(&mut text);
        }
        text
    });
    if locks > MOST_LOCKS { TOO_MANY } else { locks * LOCK }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_queues_of_a_netlink_socket_count() {
        let line = "0000000000000000 0   4026   00000000 4096     512      0        2        0        1234";
        assert_eq!(waiting(line), 4608);
    }
}
