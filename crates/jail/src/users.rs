//! Which user, outside, a sandbox that root makes runs as.

/// User numbers that nobody has, so that a sandbox made by root shares nothing with any user, or another sandbox.
const UNUSED_IDS: u32 = 0x7000_0000;
const NOBODY: u32 = 65534;

/// For root: an identity of this sandbox alone, which has a process of this number; or `nobody` where a container has only few
/// numbers; where it has none but root's, that is some ordinary user outside, whose own identity serves. The maps are those
/// of this process's user namespace.
pub fn apart(own: (u32, u32), users: &str, groups: &str, process: u32) -> (u32, u32) {
    let wanted = [UNUSED_IDS + process, NOBODY];
    let pick = |map: &str, own| wanted.into_iter().find(|id| is_mapped(map, *id)).unwrap_or(own);
    (pick(users, own.0), pick(groups, own.1))
}

fn is_mapped(map: &str, id: u32) -> bool {
    map.lines().any(|line| {
        let mut numbers = line.split_whitespace().filter_map(|word| word.parse::<u64>().ok());
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(first), Some(_), Some(count)) => (first..first + count).contains(&u64::from(id)),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::apart;

    #[test]
    fn a_number_that_the_namespace_has() {
        let all = "         0          0 4294967295\n";
        assert_eq!(apart((0, 0), all, all, 77), (0x7000_004d, 0x7000_004d));
        let few = "0 100000 65536\n";
        assert_eq!(apart((0, 5), few, all, 77), (65534, 0x7000_004d));
        assert_eq!(apart((0, 5), "0 1000 1\n", "", 77), (0, 5));
    }
}
