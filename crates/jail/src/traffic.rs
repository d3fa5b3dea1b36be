//! What happened in a sandbox's network, from the kernel's own counters.

use crate::message::Traffic;
use crate::sys::files;
use crate::sys::raw::Fd;
use alloc::string::String;

/// The counters of both internet protocols.
pub struct Counters {
    four: Fd,
    six: Fd,
}

impl Counters {
    /// Those of this process's network, unless it cannot see them.
    pub fn open() -> Option<Self> {
        let open = |path| files::open_read(path).ok();
        Some(Self { four: open("/proc/self/net/snmp")?, six: open("/proc/self/net/snmp6")? })
    }

    /// What they say now.
    pub fn read(&self) -> Option<Traffic> {
        let read = |fd| String::from_utf8(files::read_at_once(fd, 16 * 1024).ok()?).ok();
        Some(count(&read(&self.four)?, &read(&self.six)?))
    }
}

fn count(four: &str, six: &str) -> Traffic {
    let mut lines = four.lines().filter_map(|line| line.strip_prefix("Ip: "));
    let names = lines.next().unwrap_or_default().split(' ');
    let values = lines.next().unwrap_or_default().split(' ');
    let of_four = |wanted: &str| {
        let mut pairs = names.clone().zip(values.clone());
        pairs.find(|(name, _)| *name == wanted).and_then(|(_, value)| value.parse::<u64>().ok()).unwrap_or(0)
    };
    let of_six = |wanted: &str| {
        six.lines().find_map(|line| line.strip_prefix(wanted)?.trim().parse::<u64>().ok()).unwrap_or(0)
    };
    let unroutable = of_four("OutNoRoutes") + of_six("Ip6OutNoRoutes");
    // What comes up with an interface (multicast reports) is not the payload's, but only adds to these.
    let sent = of_four("OutRequests") + of_six("Ip6OutRequests");
    Traffic { unroutable_packets: unroutable, untouched: unroutable + sent == 0 }
}
