//! Messages out of bytes: a header that tells the length, an empty line, the body.

/// The largest header and the largest body.
const MOST_HEADER: usize = 4 * 1024;
/// A stack with all its variables stays far below.
pub const MOST_BODY: usize = 16 * 1024 * 1024;

/// Takes bytes as they come and gives whole messages.
#[derive(Debug, Default)]
pub struct Frames {
    bytes: Vec<u8>,
}

impl Frames {
    /// More bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole message, none while it is not complete, or why what came is none.
    pub fn message(&mut self) -> Result<Option<Vec<u8>>, String> {
        let Some((header, start)) = self.header()? else { return Ok(None) };
        let length = length_of(&header)?;
        if length > MOST_BODY {
            return Err(format!("a message of {length} bytes, more than {MOST_BODY}"));
        }
        if self.bytes.len() < start + length {
            return Ok(None);
        }
        let body = self.bytes[start..start + length].to_vec();
        self.bytes.drain(..start + length);
        Ok(Some(body))
    }

    /// The header and where the body begins.
    fn header(&self) -> Result<Option<(String, usize)>, String> {
        const END: &[u8] = b"\r\n\r\n";
        let seen = &self.bytes[..self.bytes.len().min(MOST_HEADER)];
        match seen.windows(END.len()).position(|window| window == END) {
            Some(end) => Ok(Some((String::from_utf8_lossy(&seen[..end]).into_owned(), end + END.len()))),
            // What does not begin like a header never becomes one.
            None if !seen.first().is_none_or(u8::is_ascii_alphabetic) => Err("no header".into()),
            None if self.bytes.len() >= MOST_HEADER => Err("a header without an end".into()),
            None => Ok(None),
        }
    }
}

fn length_of(header: &str) -> Result<usize, String> {
    let value = header.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-length").then_some(value.trim())
    });
    let value = value.ok_or("a header without a length")?;
    value.parse().map_err(|_| format!("a length that is no number: {:.40}", value))
}

/// A message with its header.
pub fn framed(body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(chunks: &[&[u8]]) -> Result<Vec<String>, String> {
        let (mut frames, mut found) = (Frames::default(), Vec::new());
        for chunk in chunks {
            frames.push(chunk);
            while let Some(body) = frames.message()? {
                found.push(String::from_utf8(body).unwrap());
            }
        }
        Ok(found)
    }

    #[test]
    fn messages_come_in_any_pieces() {
        let two = [framed(b"{}"), framed("{\"a\":\"é\"}".as_bytes())].concat();
        assert_eq!(all(&[&two]).unwrap(), ["{}", "{\"a\":\"é\"}"]);
        let single: Vec<&[u8]> = two.chunks(1).collect();
        assert_eq!(all(&single).unwrap(), ["{}", "{\"a\":\"é\"}"]);
        let other = b"Content-Type: x\r\ncontent-length:  2 \r\n\r\n[]";
        assert_eq!(all(&[other]).unwrap(), ["[]"]);
        assert!(all(&[b"Content-Length: 10\r\n\r\n{}"]).unwrap().is_empty());
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for (bytes, why) in [
            (b"\x7fELF rubbish".to_vec(), "no header"),
            (b"{\"seq\":1}".to_vec(), "no header"),
            (vec![b'a'; 5_000], "without an end"),
            (b"Length: 3\r\n\r\nabc".to_vec(), "without a length"),
            (b"Content-Length: -3\r\n\r\nabc".to_vec(), "no number"),
            (b"Content-Length: 99999999999999999999999\r\n\r\n".to_vec(), "no number"),
            (b"Content-Length: 999999999999\r\n\r\n".to_vec(), "999999999999 bytes"),
        ] {
            let said = all(&[&bytes]).unwrap_err();
            assert!(said.contains(why), "{said}");
        }
    }
}
