//! A hash by which code is known in events and in the audit log: the same that `sha256sum` tells of a file.

use formicary_model::Source;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// SHA-256 of a snippet's bytes. Of several files: of the list that `sha256sum` prints for them, ordered by their paths.
pub fn code_hash(source: &Source) -> String {
    match source {
        Source::Code { code, .. } => hex(code),
        Source::Files { files, .. } => {
            let mut files: Vec<_> = files.iter().collect();
            files.sort_by(|left, right| left.path.cmp(&right.path));
            let mut list = String::new();
            for file in files {
                // Writing to a String cannot fail.
                let _ = writeln!(list, "{}  {}", hex(&file.content), file.path);
            }
            hex(list.as_bytes())
        }
    }
}

/// Bytes of code, all files together.
pub fn code_bytes(source: &Source) -> u64 {
    match source {
        Source::Code { code, .. } => code.len() as u64,
        Source::Files { files, .. } => files.iter().map(|file| file.content.len() as u64).sum(),
    }
}

fn hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::SourceFile;

    #[test]
    fn it_is_what_sha256sum_tells() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(code_hash(&Source::code("abc")), abc);
        let file = |path: &str| SourceFile { path: path.into(), content: b"abc".to_vec(), executable: false };
        let list = format!("{abc}  a.py\n{abc}  b.py\n");
        for files in [vec![file("a.py"), file("b.py")], vec![file("b.py"), file("a.py")]] {
            let source = Source::Files { files, entry: None };
            assert_eq!(code_hash(&source), hex(list.as_bytes()));
            assert_eq!(code_bytes(&source), 6);
        }
    }
}
