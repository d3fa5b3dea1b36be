//! What the kernel holds for a program and counts in no control group: file locks, replies of netlink, and with groups of
//! version 1 the buffers of internet sockets.

use super::processes;
use formicary_guest::locks::{self, MOST_LOCKS};
use std::fs::File;
use std::io::Read;

/// A file lock takes so many bytes.
const LOCK: u64 = 256;
/// What more locks than any program needs are charged with, so that there is an end.
const TOO_MANY: u64 = 1 << 50;
/// Sockets that cost nothing; what more there are is charged with a full buffer each.
const FREE_SOCKETS: u64 = 32;
const BUFFER: u64 = 212_992;
/// A byte that waits takes up to so many, with what the kernel keeps around it.
const OVERHEAD: u64 = 2;

/// Locks and netlink replies.
pub fn held() -> u64 {
    let netlink = std::fs::read_to_string("/proc/self/net/netlink").unwrap_or_default();
    locks() + netlink.lines().skip(1).map(waiting).sum::<u64>()
}

/// Buffers of internet sockets: of many at what they can hold, of few at what they do. How much one can hold differs from host to
/// host by a hundred times.
pub fn sockets() -> u64 {
    let text = processes::read_at_once("/proc/self/net/sockstat").unwrap_or_default();
    let inet = ["TCP: inuse ", "UDP: inuse ", "TCP6: inuse ", "UDP6: inuse "];
    let used = |line: &str| inet.iter().find_map(|name| line.strip_prefix(name)).and_then(first_number);
    let v6 = processes::read_at_once("/proc/self/net/sockstat6").unwrap_or_default();
    let all: u64 = text.lines().chain(v6.lines()).filter_map(used).sum();
    let many = all.saturating_sub(FREE_SOCKETS) * BUFFER;
    if all < 2 { many } else { many.max(queued() * OVERHEAD) }
}

/// Bytes that wait in internet sockets to be read or sent.
fn queued() -> u64 {
    let tables = ["tcp", "tcp6", "udp", "udp6"].map(|name| {
        let text = std::fs::read_to_string(format!("/proc/self/net/{name}")).unwrap_or_default();
        text.lines().skip(1).filter_map(queues).sum::<u64>()
    });
    tables.iter().sum()
}

/// Both queues of an internet socket.
fn queues(line: &str) -> Option<u64> {
    let (written, read) = line.split_ascii_whitespace().nth(4)?.split_once(':')?;
    let bytes = |text| u64::from_str_radix(text, 16).ok();
    Some(bytes(written)? + bytes(read)?)
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
    fn both_queues_of_an_internet_socket_count() {
        let line =
            "   1: 0100007F:A0B6 0100007F:1F90 01 00000100:00010000 04:00000016 00000000  1000        0 99 2";
        assert_eq!(queues(line), Some(0x100 + 0x1_0000));
        assert_eq!(queues("  sl  local_address rem_address   st tx_queue rx_queue"), None);
    }

    #[test]
    fn both_queues_of_a_netlink_socket_count() {
        let line = "0000000000000000 0   4026   00000000 4096     512      0        2        0        1234";
        assert_eq!(waiting(line), 4608);
    }
}
