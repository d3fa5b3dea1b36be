//! Code must be UTF-8 without NUL; the error gives line, column and byte.

use super::refuse;
use formicary_model::Failure;

/// Refuses code that is not UTF-8 or holds a NUL, naming the first such place of `name`.
pub fn check_encoding(name: &str, code: &[u8]) -> Result<(), Failure> {
    let nul = code.iter().position(|byte| *byte == 0);
    let invalid = std::str::from_utf8(code).err().map(|error| error.valid_up_to());
    match (nul, invalid) {
        (None, None) => Ok(()),
        (Some(nul), invalid) if invalid.is_none_or(|invalid| nul < invalid) => Err(refuse(
            format!("{name} holds a NUL byte at {}", place(code, nul)),
            "give source text; a binary file can be passed as a data file or on stdin",
        )),
        (_, invalid) => {
            let at = invalid.unwrap_or_default();
            Err(refuse(
                format!("{name} is not UTF-8: byte 0x{:02x} at {}", code[at], place(code, at)),
                "save it as UTF-8; a binary file can be passed as a data file or on stdin",
            ))
        }
    }
}

/// `line 3, column 7 (byte 42)`; lines and columns count from 1, columns in characters, bytes from 0.
fn place(code: &[u8], at: usize) -> String {
    let before = &code[..at];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    format!("line {line}, column {column} (byte {at})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_named() {
        for (code, expected) in [
            (&b"a\xff"[..], Some("0xff at line 1, column 2 (byte 1)")),
            (b"ok\n\xc3\xa9\xc3", Some("0xc3 at line 2, column 2 (byte 5)")),
            (b"\xfe\xffa", Some("0xfe at line 1, column 1 (byte 0)")),
            (b"x\ny\0z", Some("NUL byte at line 2, column 2 (byte 3)")),
            (b"\0\xff", Some("NUL byte at line 1, column 1 (byte 0)")),
            (b"\xff\0", Some("0xff at line 1, column 1 (byte 0)")),
            ("\u{fffd} is text".as_bytes(), None),
            (b"", None),
            (b"\xed\xa0\x80", Some("0xed at line 1, column 1 (byte 0)")),
        ] {
            let got = check_encoding("code", code).err().map(|failure| failure.message);
            match expected {
                None => assert_eq!(got, None),
                Some(part) => assert!(got.as_deref().is_some_and(|got| got.contains(part)), "{got:?} {part}"),
            }
        }
    }
}
