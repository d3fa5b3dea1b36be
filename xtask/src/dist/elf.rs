//! What a binary needs of the system that it runs on, read from the binary itself: a promise that is computed cannot be wrong.

use std::fmt;

/// The section types that answer.
const DYNAMIC: u32 = 6;
const VERSION_NEEDS: u32 = 0x6fff_fffe;
/// The tag of a shared library's name in the dynamic section.
const NEEDED: u64 = 1;

/// The newest C library's version and the shared libraries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needs {
    /// The version of glibc, 2.17 as (2, 17).
    pub glibc: (u32, u32),
    /// File names of shared libraries, in the binary's order.
    pub libraries: Vec<String>,
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "glibc {}.{} or newer, and {}", self.glibc.0, self.glibc.1, self.libraries.join(", "))
    }
}

/// Reads them from a 64-bit little-endian ELF file.
pub fn needs(bytes: &[u8]) -> Result<Needs, String> {
    if !bytes.starts_with(b"\x7fELF\x02\x01") {
        return Err("no 64-bit ELF file".into());
    }
    read(bytes).ok_or_else(|| "its ELF sections are damaged".into())
}

struct Section {
    kind: u32,
    offset: usize,
    size: usize,
    link: usize,
    entries: usize,
}

fn read(bytes: &[u8]) -> Option<Needs> {
    let table = usize::try_from(u64_at(bytes, 0x28)?).ok()?;
    let (size, count) = (usize::from(u16_at(bytes, 0x3a)?), usize::from(u16_at(bytes, 0x3c)?));
    let section = |index: usize| -> Option<Section> {
        let at = table.checked_add(index.checked_mul(size)?)?;
        Some(Section {
            kind: u32_at(bytes, at.checked_add(4)?)?,
            offset: usize::try_from(u64_at(bytes, at + 0x18)?).ok()?,
            size: usize::try_from(u64_at(bytes, at + 0x20)?).ok()?,
            link: usize::try_from(u32_at(bytes, at + 0x28)?).ok()?,
            entries: usize::try_from(u32_at(bytes, at + 0x2c)?).ok()?,
        })
    };
    let mut needs = Needs { glibc: (0, 0), libraries: Vec::new() };
    for index in 0..count {
        let found = section(index)?;
        if found.kind != DYNAMIC && found.kind != VERSION_NEEDS {
            continue;
        }
        let strings = section(found.link)?.offset;
        let string = |offset: u64| string_at(bytes, strings.checked_add(usize::try_from(offset).ok()?)?);
        if found.kind == DYNAMIC {
            for at in (found.offset..found.offset.checked_add(found.size)?).step_by(16) {
                if u64_at(bytes, at)? == NEEDED {
                    needs.libraries.push(string(u64_at(bytes, at + 8)?)?);
                }
            }
        } else {
            for name in version_names(bytes, &found)? {
                needs.glibc = needs.glibc.max(version(&string(u64::from(name))?).unwrap_or_default());
            }
        }
    }
    Some(needs)
}

/// Offsets of the names of all versions that are needed: a chain of libraries, each with a chain of versions.
fn version_names(bytes: &[u8], section: &Section) -> Option<Vec<u32>> {
    let mut names = Vec::new();
    let mut library = section.offset;
    for _ in 0..section.entries {
        let mut version = library.checked_add(u32_at(bytes, library + 8)? as usize)?;
        for _ in 0..u16_at(bytes, library + 2)? {
            names.push(u32_at(bytes, version.checked_add(8)?)?);
            version = version.checked_add(u32_at(bytes, version + 12)? as usize)?;
        }
        library = library.checked_add(u32_at(bytes, library + 12)? as usize)?;
    }
    Some(names)
}

/// `GLIBC_2.17` and `GLIBC_2.2.5`; nothing for GCC's own versions and for private ones.
fn version(name: &str) -> Option<(u32, u32)> {
    let mut parts = name.strip_prefix("GLIBC_")?.split('.').map(str::parse::<u32>);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    array(bytes, at).map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    array(bytes, at).map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    array(bytes, at).map(u64::from_le_bytes)
}

fn string_at(bytes: &[u8], at: usize) -> Option<String> {
    let text = bytes.get(at..)?.split(|byte| *byte == 0).next()?;
    String::from_utf8(text.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_says_what_it_needs() {
        let bytes = std::fs::read("/proc/self/exe").unwrap();
        let needs = needs(&bytes).unwrap();
        assert!(needs.libraries.iter().any(|name| name == "libc.so.6"), "{needs}");
        assert!(needs.glibc >= (2, 14) && needs.glibc.0 == 2, "{needs}");
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        assert!(needs(b"#!/bin/sh\n").is_err());
        let mut bytes = std::fs::read("/proc/self/exe").unwrap();
        bytes.truncate(4096);
        assert!(needs(&bytes).is_err());
        bytes.truncate(20);
        assert!(needs(&bytes).is_err());
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(version("GLIBC_2.2.5"), Some((2, 2)));
        assert!(version("GLIBC_2.34") > version("GLIBC_2.4"));
        assert_eq!(version("GLIBC_PRIVATE"), None);
        assert_eq!(version("GCC_3.0"), None);
    }
}
