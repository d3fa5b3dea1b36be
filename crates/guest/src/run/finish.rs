//! After the program: listing the files that there are and sending those that are requested.

use super::orders::Orders;
use crate::files::Work;
use crate::stream::Outgoing;
use formicary_guest::message::Entry;
use formicary_guest::message::run::Kind;
use std::io::{self, Read};

/// Entries in one piece of the list.
const AT_ONCE: usize = 512;
/// Names looked at, at most.
const MAX_NAMES: usize = 200_000;

/// Answers until nothing more is requested.
pub fn finish(work: &Work, orders: &mut Orders, out: &mut Outgoing) -> io::Result<()> {
    let mut list: Vec<Entry> = Vec::new();
    while let Some((kind, content)) = orders.wait()? {
        match kind {
            Kind::List => {
                list = work.list(MAX_NAMES);
                list.chunks(AT_ONCE).for_each(|part| out.send_value(Kind::Entries, &part));
                out.send(Kind::Entries, &[]);
            }
            Kind::Fetch => {
                let number: u64 = postcard::from_bytes(&content).map_err(io::Error::other)?;
                let entry = usize::try_from(number).ok().and_then(|number| list.get(number));
                match entry.ok_or(io::ErrorKind::NotFound.into()).and_then(|entry| read(work, entry)) {
                    Ok(content) => out.send(Kind::Content, &content),
                    Err(error) => out.send(Kind::Unreadable, error.to_string().as_bytes()),
                }
            }
            Kind::Bye => return Ok(()),
            _ => {}
        }
    }
    Ok(())
}

/// An ordinary file of the list; at most as many bytes as it claimed.
fn read(work: &Work, entry: &Entry) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    work.read(&entry.path)?.0.take(entry.size).read_to_end(&mut content)?;
    Ok(content)
}
