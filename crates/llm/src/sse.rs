//! Server-sent events, read from bytes that come in any pieces.

/// One event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// Its name; empty where it has none.
    pub name: String,
    /// Its data lines together.
    pub data: String,
}

/// Events larger than this are none.
const MOST: usize = 32 * 1024 * 1024;

/// Cuts a stream into events.
#[derive(Debug, Default)]
pub(crate) struct Events {
    buffer: Vec<u8>,
    event: Event,
    size: usize,
}

impl Events {
    /// The events that these bytes complete.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Event>, &'static str> {
        self.buffer.extend_from_slice(bytes);
        let mut done = Vec::new();
        let mut start = 0;
        while let Some(length) = self.buffer[start..].iter().position(|byte| *byte == b'\n') {
            let line = &self.buffer[start..start + length];
            let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned();
            start += length + 1;
            self.line(&line, &mut done);
        }
        self.buffer.drain(..start);
        if self.buffer.len() > MOST || self.size > MOST {
            return Err("one event of the stream is too large");
        }
        Ok(done)
    }

    /// What stands at the end without an empty line after it.
    pub fn rest(mut self) -> Vec<Event> {
        let mut done = Vec::new();
        if !self.buffer.is_empty() {
            let line = String::from_utf8_lossy(&self.buffer).into_owned();
            self.line(line.trim_end_matches('\r'), &mut done);
        }
        self.line("", &mut done);
        done
    }

    fn line(&mut self, line: &str, done: &mut Vec<Event>) {
        if line.is_empty() {
            self.size = 0;
            let event = std::mem::take(&mut self.event);
            if !event.data.is_empty() {
                done.push(event);
            }
            return;
        }
        self.size += line.len();
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event.name),
            "data" => {
                if !self.event.data.is_empty() {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            // Comments keep the connection alive; other fields mean nothing here.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_out_whole_however_they_are_cut() {
        let text = ": hello\r\nevent: a\r\ndata: 1\r\n\r\ndata: {\"x\":\ndata: 2}\n\nid: 7\n\ndata: é\n";
        let expected = [("a", "1"), ("", "{\"x\":\n2}"), ("", "é")];
        for size in 1..text.len() {
            let mut events = Events::default();
            let mut found = Vec::new();
            for piece in text.as_bytes().chunks(size) {
                found.extend(events.push(piece).unwrap());
            }
            found.extend(events.rest());
            let found: Vec<(&str, &str)> = found.iter().map(|e| (e.name.as_str(), e.data.as_str())).collect();
            assert_eq!(found, expected, "{size}");
        }
    }
}
