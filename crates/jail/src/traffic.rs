//! What happened in a sandbox's network, from the kernel's own counters.

use crate::message::Traffic;
use crate::sys::files;
use crate::sys::raw::Fd;
use alloc::string::String;

/// The counters of both internet protocols, and of what lies above them.
pub struct Counters {
    four: Fd,
    six: Fd,
    more: Fd,
}

/// What stands among the counters and is none.
const SETTINGS: [&str; 6] = ["Forwarding", "DefaultTTL", "RtoAlgorithm", "RtoMin", "RtoMax", "MaxConn"];

impl Counters {
    /// Those of this process's network, unless it cannot see them.
    pub fn open() -> Option<Self> {
        let open = |path| files::open_read(path).ok();
        Some(Self {
            four: open("/proc/self/net/snmp")?,
            six: open("/proc/self/net/snmp6")?,
            more: open("/proc/self/net/netstat")?,
        })
    }

    /// What they say now.
    pub fn read(&self) -> Option<Traffic> {
        let read = |fd| String::from_utf8(files::read_at_once(fd, 16 * 1024).ok()?).ok();
        Some(count(&read(&self.four)?, &read(&self.six)?, &read(&self.more)?))
    }
}

fn count(four: &str, six: &str, more: &str) -> Traffic {
    let of_four = |wanted: &str| {
        let ip = pairs(four).filter(|(line, ..)| *line == "Ip:");
        ip.filter(|(_, name, _)| *name == wanted).map(|(.., value)| value).next().unwrap_or(0)
    };
    let of_six = six.lines().filter_map(|line| {
        let mut words = line.split_ascii_whitespace();
        Some((words.next()?, words.next()?.parse::<u64>().ok()?))
    });
    let of_six_named = |wanted: &str| {
        of_six.clone().find_map(|(name, value)| (name == wanted).then_some(value)).unwrap_or(0)
    };
    // Whoever gets the network next can read every counter, and many count without a packet: a send of memory that is not
    // there counts as a packet that was discarded. What comes up with an interface (multicast reports) is not the
    // payload's, but only adds to these.
    let untouched =
        pairs(four).chain(pairs(more)).all(|(_, name, value)| value == 0 || SETTINGS.contains(&name))
            && of_six.clone().all(|(_, value)| value == 0);
    Traffic { unroutable_packets: of_four("OutNoRoutes") + of_six_named("Ip6OutNoRoutes"), untouched }
}

/// The counters of a table in which a line of names stands above each line of values: protocol, name, value.
fn pairs(table: &str) -> impl Iterator<Item = (&str, &str, u64)> {
    let (names, values) = (table.lines().step_by(2), table.lines().skip(1).step_by(2));
    names.zip(values).flat_map(|(names, values)| {
        let line = names.split(' ').next().unwrap_or_default();
        // No counter is negative; a setting may be.
        let value = |value: &str| value.parse().unwrap_or(u64::MAX);
        names.split(' ').zip(values.split(' ')).skip(1).map(move |(name, shown)| (line, name, value(shown)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUR: &str = "Ip: Forwarding DefaultTTL OutDiscards OutNoRoutes\nIp: 1 64 0 0\n\
                        Tcp: RtoAlgorithm RtoMin RtoMax MaxConn\nTcp: 1 200 120000 -1\nUdp: SndbufErrors\nUdp: 0\n";
    const SIX: &str = "Ip6OutNoRoutes                  \t0\nIp6OutDiscards                  \t0\n";
    const MORE: &str = "TcpExt: ListenDrops\nTcpExt: 0\nIpExt: InOctets\nIpExt: 0\n";

    #[test]
    fn a_network_in_which_anything_was_counted_is_touched() {
        for (what, value, unroutable) in [
            ("", "", 0),
            ("Ip: 1 64 0 0", "Ip: 1 64 77 0", 0),
            ("Ip: 1 64 0 0", "Ip: 1 64 0 5", 5),
            ("Udp: 0", "Udp: 3", 0),
            ("Ip6OutDiscards                  \t0", "Ip6OutDiscards                  \t33", 0),
            ("Ip6OutNoRoutes                  \t0", "Ip6OutNoRoutes                  \t2", 2),
            ("TcpExt: 0", "TcpExt: 1", 0),
        ] {
            let [four, six, more] = [FOUR, SIX, MORE].map(|text| text.replace(what, value));
            let traffic = count(&four, &six, &more);
            assert_eq!(traffic.untouched, what.is_empty(), "{value}");
            assert_eq!(traffic.unroutable_packets, unroutable, "{value}");
        }
    }
}
