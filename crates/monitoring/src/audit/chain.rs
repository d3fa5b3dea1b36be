//! How records hang together: each one's hash covers its number, its text and the hash before it. A record that was
//! changed, left out, put in or moved breaks the chain from there on.
//!
//! Whoever may write the store may also write the whole chain anew, or cut off its end together with the note of where it
//! ends. Only a hash that is kept elsewhere finds that: `Verification::head` is the one to keep.

use super::record::{AuditRecord, RecordKind};
use super::store::{AuditError, AuditStore, Order};
use serde::Serialize;
use std::io::BufRead;

/// The hash before the first record.
pub const NOTHING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Records read at a time.
pub(super) const PAGE: usize = 1_000;
/// Problems that are told; one change breaks two links at the most, so these are plenty.
const MOST_PROBLEMS: usize = 100;

/// One record in the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Its number, from 1 without gaps.
    pub seq: u64,
    /// Its time as the store's index has it.
    pub at_ms: u64,
    /// Its hash.
    pub hash: String,
    /// The record, as JSON.
    pub body: String,
}

impl Sealed {
    /// Seals a record behind the one with this hash.
    pub fn new(seq: u64, before: &str, record: &AuditRecord) -> Result<Self, serde_json::Error> {
        let body = serde_json::to_string(record)?;
        Ok(Self { seq, at_ms: record.at_ms, hash: link(before, seq, &body), body })
    }

    /// The record.
    pub fn record(&self) -> Result<AuditRecord, serde_json::Error> {
        serde_json::from_str(&self.body)
    }

    /// One line of an archive. The record stands last and as it is, so that its bytes can be found again.
    pub fn line(&self, before: &str) -> String {
        format!(r#"{{"seq":{},"before":"{before}","hash":"{}","record":{}}}"#, self.seq, self.hash, self.body)
    }
}

/// The hash of a record's place and text: SHA-256 of the hash before it, its number and its JSON, each on a line.
pub fn link(before: &str, seq: u64, body: &str) -> String {
    use sha2::Digest as _;
    let digest = sha2::Sha256::new()
        .chain_update(before)
        .chain_update("\n")
        .chain_update(seq.to_string())
        .chain_update("\n")
        .chain_update(body)
        .finalize();
    hex::encode(digest)
}

/// Something that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The record's number.
    pub seq: u64,
    /// What is wrong.
    pub what: String,
}

/// What came of a look at the whole chain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// Whether nothing is wrong.
    pub intact: bool,
    /// Records looked at.
    pub records: u64,
    /// The first of them.
    pub first: u64,
    /// The last of them.
    pub last: u64,
    /// Number and hash of the last one, `SEQ:HASH`. Kept elsewhere, it finds a chain that was written anew.
    pub head: String,
    /// Runs that started and have no end: under way, or ended by force.
    pub unfinished: u64,
    /// What is wrong, the first hundred.
    pub problems: Vec<Problem>,
}

/// Looks at every record. `expected` are ends of the chain that were kept elsewhere: number and hash.
pub fn verify(store: &mut dyn AuditStore, expected: &[(u64, String)]) -> Result<Verification, AuditError> {
    let mut head = store.head()?;
    let mut check = Check::new(head.base_seq, &head.base_hash, expected);
    loop {
        let page = store.page(check.seq + 1, Order::Rising, PAGE)?;
        page.iter().for_each(|sealed| check.look(sealed));
        if !page.is_empty() {
            continue;
        }
        let now = store.head()?;
        if now.base_seq != head.base_seq {
            // Records were let go meanwhile: from the beginning.
            check = Check::new(now.base_seq, &now.base_hash, expected);
        } else if now == head || check.seq >= now.seq {
            head = now;
            break;
        }
        head = now;
    }
    if check.last_pruned.clone().unwrap_or((0, NOTHING.into())) != (head.base_seq, head.base_hash) {
        let what = "the store says that records before this one were let go, the chain says otherwise";
        check.found.push(Problem { seq: head.base_seq + 1, what: what.into() });
    }
    if (check.seq, &check.hash) != (head.seq, &head.hash) {
        let what = format!("the chain ends here, but the store noted an end at {}", head.seq);
        check.found.push(Problem { seq: check.seq, what });
    }
    Ok(check.done())
}

/// Looks at records that were written out, oldest first, one line each.
pub fn verify_archive(
    lines: impl BufRead,
    place: &str,
    expected: &[(u64, String)],
) -> Result<Verification, AuditError> {
    let wrong = |why: String| AuditError { place: place.into(), why };
    let mut check: Option<Check<'_>> = None;
    for (number, line) in lines.lines().enumerate() {
        let line = line.map_err(|error| wrong(error.to_string()))?;
        let Some((sealed, before)) = unpack(&line) else {
            return Err(wrong(format!("line {} is not a record of an audit archive", number + 1)));
        };
        let check = check.get_or_insert_with(|| Check::new(sealed.seq.saturating_sub(1), &before, expected));
        check.look(&sealed);
    }
    check.map(Check::done).ok_or_else(|| wrong("there is no record in it".into()))
}

/// One line of an archive, with the hash before it.
fn unpack(line: &str) -> Option<(Sealed, String)> {
    let (numbers, body) = line.strip_suffix('}')?.split_once(r#","record":"#)?;
    let head: serde_json::Value = serde_json::from_str(&format!("{numbers}}}")).ok()?;
    let record: AuditRecord = serde_json::from_str(body).ok()?;
    let sealed = Sealed {
        seq: head["seq"].as_u64()?,
        at_ms: record.at_ms,
        hash: head["hash"].as_str()?.into(),
        body: body.into(),
    };
    Some((sealed, head["before"].as_str()?.into()))
}

struct Check<'a> {
    first: u64,
    seq: u64,
    hash: String,
    records: u64,
    expected: &'a [(u64, String)],
    seen: u64,
    open: std::collections::BTreeSet<String>,
    last_pruned: Option<(u64, String)>,
    found: Vec<Problem>,
}

impl<'a> Check<'a> {
    fn new(seq: u64, hash: &str, expected: &'a [(u64, String)]) -> Self {
        Self {
            first: seq + 1,
            seq,
            hash: hash.into(),
            records: 0,
            expected,
            seen: 0,
            open: Default::default(),
            last_pruned: None,
            found: Vec::new(),
        }
    }

    fn look(&mut self, sealed: &Sealed) {
        let mut wrong = |what: String| {
            if self.found.len() < MOST_PROBLEMS {
                self.found.push(Problem { seq: sealed.seq, what });
            }
        };
        if sealed.seq != self.seq + 1 {
            wrong(format!("records {} to {} are missing", self.seq + 1, sealed.seq.saturating_sub(1)));
        } else if link(&self.hash, sealed.seq, &sealed.body) != sealed.hash {
            wrong("its hash does not fit its text, or the hash before it".into());
        }
        for (seq, hash) in self.expected.iter().filter(|(seq, _)| *seq == sealed.seq) {
            self.seen += 1;
            if *hash != sealed.hash {
                wrong(format!("record {seq} had another hash when it was noted"));
            }
        }
        match sealed.record() {
            Err(error) => wrong(format!("it cannot be read: {error}")),
            Ok(record) => {
                if record.at_ms != sealed.at_ms {
                    wrong("its time in the index is not its own".into());
                }
                match record.kind {
                    RecordKind::Started => _ = self.open.insert(record.run_id),
                    RecordKind::Ended => _ = self.open.remove(&record.run_id),
                    RecordKind::Refused => {}
                    RecordKind::Pruned => {
                        self.last_pruned = record.pruned.map(|pruned| (pruned.through, pruned.hash));
                    }
                }
            }
        }
        self.records += 1;
        self.seq = sealed.seq;
        self.hash.clone_from(&sealed.hash);
    }

    fn done(mut self) -> Verification {
        // What was let go since it was noted cannot be compared any more; what is beyond the end was cut off.
        for (seq, _) in self.expected.iter().filter(|(seq, _)| *seq > self.seq) {
            self.found
                .push(Problem { seq: *seq, what: "it was there when it was noted, and is gone".into() });
        }
        Verification {
            intact: self.found.is_empty(),
            records: self.records,
            first: self.first,
            last: self.seq,
            head: format!("{}:{}", self.seq, self.hash),
            unfinished: self.open.len() as u64,
            problems: self.found,
        }
    }
}
