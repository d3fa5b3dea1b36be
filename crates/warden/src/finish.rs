//! After the program: telling which files there are and sending those that are wanted.

use crate::files::Work;
use crate::orders::Orders;
use formicary_warden::frame::{self, Kind};
use formicary_warden::message::Entry;
use std::io::{self, Write};

/// Entries in one piece of the list.
const AT_ONCE: usize = 512;

/// Answers until nothing more is wanted.
pub fn finish(work: &Work, orders: &mut Orders, out: &mut impl Write) -> io::Result<()> {
    let mut list: Vec<Entry> = Vec::new();
    while let Some((kind, content)) = orders.wait()? {
        match kind {
            Kind::List => {
                list = work.list();
                for part in list.chunks(AT_ONCE) {
                    let part = postcard::to_allocvec(part).map_err(io::Error::other)?;
                    frame::write(out, Kind::Entries, &part)?;
                }
                frame::write(out, Kind::Entries, &[])?;
            }
            Kind::Fetch => {
                let number: u64 = postcard::from_bytes(&content).map_err(io::Error::other)?;
                let entry = usize::try_from(number).ok().and_then(|number| list.get(number));
                match entry.ok_or(io::ErrorKind::NotFound.into()).and_then(|entry| work.read(entry)) {
                    Ok(content) => frame::write(out, Kind::Content, &content)?,
                    Err(error) => frame::write(out, Kind::Unreadable, error.to_string().as_bytes())?,
                }
            }
            Kind::Bye => return Ok(()),
            _ => {}
        }
    }
    Ok(())
}
