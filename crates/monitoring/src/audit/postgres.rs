//! Records on a PostgreSQL server, which many machines may share. The row of the chain's end is locked for each
//! transaction: whoever writes, writes alone. A connection that broke is made anew at the next write.

use super::chain::Sealed;
use super::record::AuditRecord;
use super::store::{AuditError, AuditStore, Head, Order};
use postgres::{Client, Config, NoTls, Transaction};
use std::time::Duration;

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS formicary_audit (
    seq BIGINT PRIMARY KEY, at_ms BIGINT NOT NULL, hash TEXT NOT NULL, body TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS formicary_audit_at ON formicary_audit (at_ms);
CREATE TABLE IF NOT EXISTS formicary_audit_head (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    seq BIGINT NOT NULL, hash TEXT NOT NULL, base_seq BIGINT NOT NULL, base_hash TEXT NOT NULL);
";

/// A server that keeps records.
pub struct PostgresStore {
    config: Config,
    place: String,
    client: Option<Client>,
}

impl PostgresStore {
    /// Connects to the server and makes the tables where they are not there yet.
    pub fn connect(url: &str) -> Result<Self, AuditError> {
        let place = without_password(url);
        let mut config: Config = url.parse().map_err(|error: postgres::Error| AuditError {
            place: place.clone(),
            why: format!("it is not an address of a PostgreSQL server: {}", told(&error)),
        })?;
        config.connect_timeout(PATIENCE).tcp_user_timeout(PATIENCE).application_name("formicary");
        config.options("-c statement_timeout=10s -c lock_timeout=10s");
        let mut store = Self { config, place, client: None };
        store.head()?;
        Ok(store)
    }

    fn with<T>(
        &mut self,
        work: impl FnOnce(&mut Client) -> Result<T, postgres::Error>,
    ) -> Result<T, AuditError> {
        let wrong = |error: &postgres::Error| AuditError { place: self.place.clone(), why: told(error) };
        let mut client = match self.client.take().filter(|client| !client.is_closed()) {
            Some(client) => client,
            None => connected(&self.config).map_err(|error| wrong(&error))?,
        };
        let done = work(&mut client);
        let done = done.map_err(|error| wrong(&error));
        // What went wrong may have left the connection in any state.
        if done.is_ok() {
            self.client = Some(client);
        }
        done
    }

    fn write(
        &mut self,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<(), postgres::Error>,
    ) -> Result<(), AuditError> {
        self.with(|client| {
            let mut transaction = client.transaction()?;
            // Whatever the server's default is: a commit that is answered has reached its disk.
            transaction.batch_execute("SET LOCAL synchronous_commit = on")?;
            work(&mut transaction)?;
            transaction.commit()
        })
    }
}

fn connected(config: &Config) -> Result<Client, postgres::Error> {
    let mut client = config.connect(NoTls)?;
    // Two that make the tables at once would trip over each other: one lock for all of Formicary.
    client.batch_execute("SELECT pg_advisory_lock(7270411)")?;
    let made = client.batch_execute(SCHEMA);
    client.batch_execute("SELECT pg_advisory_unlock(7270411)")?;
    made.map(|()| client)
}

/// The address without what must not be shown.
pub fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.into() };
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let authority = match authority.rsplit_once('@') {
        Some((user, host)) => format!("{}@{host}", user.split(':').next().unwrap_or_default()),
        None => authority.into(),
    };
    // Parameters may hold a password too.
    let path = path.split('?').next().unwrap_or_default();
    format!("{scheme}://{authority}{path}")
}

fn told(error: &postgres::Error) -> String {
    let mut text = error.to_string();
    if let Some(database) = error.as_db_error() {
        return database.message().into();
    }
    let mut source = std::error::Error::source(error);
    while let Some(deeper) = source {
        text = format!("{text}: {deeper}");
        source = deeper.source();
    }
    text
}

fn head_of(transaction: &mut impl postgres::GenericClient, lock: &str) -> Result<Head, postgres::Error> {
    let text = format!("SELECT seq, hash, base_seq, base_hash FROM formicary_audit_head {lock}");
    let row = transaction.query_opt(&text, &[])?;
    Ok(row.map_or_else(Head::default, |row| Head {
        seq: row.get::<_, i64>(0) as u64,
        hash: row.get(1),
        base_seq: row.get::<_, i64>(2) as u64,
        base_hash: row.get(3),
    }))
}

fn seal(transaction: &mut Transaction<'_>, records: &[AuditRecord]) -> Result<(), postgres::Error> {
    let first = Head::default();
    transaction.execute(
        "INSERT INTO formicary_audit_head VALUES (1, 0, $1, 0, $1) ON CONFLICT DO NOTHING",
        &[&first.hash],
    )?;
    let Head { mut seq, mut hash, .. } = head_of(transaction, "FOR UPDATE")?;
    let (mut numbers, mut times, mut hashes, mut bodies) = (vec![], vec![], vec![], vec![]);
    for record in records {
        // A record holds numbers, texts and lists of them: there is always JSON of it.
        let Ok(sealed) = Sealed::new(seq + 1, &hash, record) else { continue };
        seq += 1;
        hash.clone_from(&sealed.hash);
        numbers.push(seq as i64);
        times.push(sealed.at_ms as i64);
        hashes.push(sealed.hash);
        bodies.push(sealed.body);
    }
    transaction.execute(
        "INSERT INTO formicary_audit (seq, at_ms, hash, body)
         SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[])",
        &[&numbers, &times, &hashes, &bodies],
    )?;
    transaction.execute("UPDATE formicary_audit_head SET seq = $1, hash = $2", &[&(seq as i64), &hash])?;
    Ok(())
}

impl AuditStore for PostgresStore {
    fn place(&self) -> String {
        self.place.clone()
    }

    fn append(&mut self, records: &[AuditRecord]) -> Result<(), AuditError> {
        self.write(|transaction| seal(transaction, records))
    }

    fn unsettled(&self) -> Option<std::path::PathBuf> {
        None
    }

    fn head(&mut self) -> Result<Head, AuditError> {
        self.with(|client| head_of(client, ""))
    }

    fn page(&mut self, from: u64, order: Order, count: usize) -> Result<Vec<Sealed>, AuditError> {
        let (compare, order) = match order {
            Order::Rising => (">=", "ASC"),
            Order::Falling => ("<=", "DESC"),
        };
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        let text = format!(
            "SELECT seq, at_ms, hash, body FROM formicary_audit WHERE seq {compare} $1 ORDER BY seq {order} LIMIT $2"
        );
        self.with(|client| {
            let rows = client.query(&text, &[&from, &(count as i64)])?;
            let sealed = |row: &postgres::Row| Sealed {
                seq: row.get::<_, i64>(0) as u64,
                at_ms: row.get::<_, i64>(1) as u64,
                hash: row.get(2),
                body: row.get(3),
            };
            Ok(rows.iter().map(sealed).collect())
        })
    }

    fn last_before(&mut self, at_ms: u64) -> Result<u64, AuditError> {
        let at = i64::try_from(at_ms).unwrap_or(i64::MAX);
        let text = "SELECT coalesce((SELECT min(seq) - 1 FROM formicary_audit WHERE at_ms >= $1),
                                    (SELECT seq FROM formicary_audit_head), 0)";
        let seq = self.with(|client| client.query_one(text, &[&at]).map(|row| row.get::<_, i64>(0)))?;
        Ok(seq.max(0) as u64)
    }

    fn forget(&mut self, through: &Sealed, record: AuditRecord) -> Result<(), AuditError> {
        self.write(|transaction| {
            // Another process was quicker and let more go: the beginning of the chain never moves back.
            if head_of(transaction, "FOR UPDATE")?.base_seq >= through.seq {
                return Ok(());
            }
            seal(transaction, &[record])?;
            let seq = through.seq as i64;
            let base = "UPDATE formicary_audit_head SET base_seq = $1, base_hash = $2";
            transaction.execute(base, &[&seq, &through.hash])?;
            transaction.execute("DELETE FROM formicary_audit WHERE seq <= $1", &[&seq]).map(drop)
        })
    }

    fn bytes(&mut self) -> Option<u64> {
        let text = "SELECT pg_total_relation_size('formicary_audit')";
        self.with(|client| client.query_one(text, &[]).map(|row| row.get::<_, i64>(0) as u64)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        for (url, shown) in [
            ("postgres://ada:secret@db:5432/audit", "postgres://ada@db:5432/audit"),
            ("postgres://ada:se@cret@db/audit?password=x", "postgres://ada@db/audit"),
            ("postgres:///audit?host=/run&password=x", "postgres:///audit"),
            ("postgres://db", "postgres://db"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }
}
