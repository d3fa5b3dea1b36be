//! What internet sockets can hold, and what waits in them, by the tables of their network namespace.
//!
//! How much one socket may hold differs from host to host by a hundred times, so of many sockets their usual buffers are charged, and
//! of any number what really waits in them.

/// Sockets that cost nothing; what more there are is charged with a full buffer each.
const FREE: u64 = 32;
/// A byte that waits takes up to so many, with what the kernel keeps around it.
const OVERHEAD: u64 = 2;

/// What so many sockets are charged with. `read` gives a table of `/proc/PID/net` by its name, empty where there is none.
pub fn charge(sockets: u64, buffer: u64, read: impl Fn(&str) -> String) -> u64 {
    let many = sockets.saturating_sub(FREE) * buffer;
    // One alone has nobody to send to.
    if sockets < 2 { many } else { many.max(waiting(read) * OVERHEAD) }
}

/// Bytes that wait to be read or sent.
fn waiting(read: impl Fn(&str) -> String) -> u64 {
    let tables = ["tcp", "tcp6", "udp", "udp6"];
    tables.iter().map(|name| read(name).lines().skip(1).filter_map(queues).sum::<u64>()).sum()
}

/// Both queues of a socket, from its line.
fn queues(line: &str) -> Option<u64> {
    let (written, read) = line.split_ascii_whitespace().nth(4)?.split_once(':')?;
    let bytes = |text| u64::from_str_radix(text, 16).ok();
    Some(bytes(written)? + bytes(read)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "  sl  local_address rem_address   st tx_queue rx_queue\n   1: 0100007F:A0B6 0100007F:1F90 01 00000100:00010000 \
                         04:00000016 00000000  1000        0 99 2\n";

    fn tcp_alone(name: &str) -> String {
        if name == "tcp" { TABLE.into() } else { String::new() }
    }

    #[test]
    fn both_queues_of_an_internet_socket_count() {
        assert_eq!(waiting(tcp_alone), 0x100 + 0x1_0000);
    }

    #[test]
    fn few_sockets_are_charged_with_what_waits_and_many_with_their_buffers() {
        let nothing = |_: &str| String::new();
        assert_eq!(charge(FREE, 1_000, nothing), 0);
        assert_eq!(charge(FREE + 3, 1_000, nothing), 3_000);
        assert_eq!(charge(2, 1_000, tcp_alone), OVERHEAD * (0x100 + 0x1_0000));
        assert_eq!(charge(1, 1_000, tcp_alone), 0);
    }
}
