//! Which file locks of `/proc/locks` a program itself holds.
//!
//! The kernel hides locks of processes in other namespaces, but a lock that hangs on an open file (`F_OFD_SETLK`) has no process:
//! those of the whole host are listed everywhere. No sandbox can take one (the table of system-call rules refuses it), so none of
//! them is a program's own, and none may be charged to it or end it.

/// More locks than any program needs. Listing them holds up others who lock files, and takes ever longer.
pub const MOST_LOCKS: u64 = 4096;
/// The longest line about a lock.
const LOCK_LINE: u64 = 128;
/// How much more is read where other users' locks stand before those that count.
const MORE: u64 = 16;

/// How many there are, as far as it matters. `read` gives the beginning of the list, of so many bytes at most.
pub fn count(read: impl Fn(u64) -> Vec<u8>) -> u64 {
    let most = (MOST_LOCKS + 1) * LOCK_LINE;
    let list = read(most);
    let own = own(&list);
    if list.len() as u64 >= most && own <= MOST_LOCKS { self::own(&read(most * MORE)) } else { own }
}

fn own(list: &[u8]) -> u64 {
    let lines = list.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    lines.filter(|line| !line.windows(OPEN_FILE.len()).any(|word| word == OPEN_FILE)).count() as u64
}

/// The kind of a lock that hangs on an open file.
const OPEN_FILE: &[u8] = b"OFDLCK";

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str =
        "1: POSIX  ADVISORY  WRITE 7 08:02:17 0 EOF\n2: FLOCK  ADVISORY  READ 7 00:2a:3 0 EOF\n";
    const OTHERS: &str =
        "3: OFDLCK ADVISORY  WRITE -1 08:02:44 0 10\n3: -> OFDLCK ADVISORY  WRITE -1 08:02:44 0 10\n";

    fn counted(list: &str) -> u64 {
        count(|most| list.as_bytes()[..list.len().min(most as usize)].to_vec())
    }

    /// Another user's locks are listed in every sandbox of the host and must end no run there.
    #[test]
    fn locks_of_others_do_not_count() {
        assert_eq!(counted(""), 0);
        assert_eq!(counted(OWN), 2);
        assert_eq!(counted(&format!("{OWN}{OTHERS}")), 2);
        assert_eq!(counted(&OTHERS.repeat(5_000)), 0);
        assert_eq!(counted("5: OFDLCK"), 0);
    }

    /// Nor may they hide a program's own.
    #[test]
    fn locks_behind_those_of_others_count() {
        let many = OWN.repeat(3_000);
        assert!(counted(&many) > MOST_LOCKS);
        assert!(counted(&format!("{}{many}", OTHERS.repeat(10_000))) > MOST_LOCKS);
    }
}
