//! How much waits, how much is in work, how old the oldest is.

use super::NatsQueue;
use crate::error::{ClusterError, refused};
use futures_util::TryStreamExt as _;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

/// The queue's fill.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Depth {
    /// Jobs that nobody has taken.
    pub waiting: u64,
    /// Jobs in somebody's hands.
    pub leased: u64,
    /// Seconds since the oldest job that has not ended was submitted; 0 where there is none.
    pub oldest_seconds: f64,
    /// Jobs among the dead letters.
    pub dead: u64,
    /// Unfinished jobs of each class, for classes that have any.
    pub classes: BTreeMap<String, u64>,
}

/// A job that nobody could run to its end.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DeadLetter {
    /// Its place among the dead letters.
    pub place: u64,
    /// The job's name, where it could be read.
    pub job: Option<String>,
    /// Why it is here.
    pub reason: String,
}

impl NatsQueue {
    /// Measures.
    pub async fn depth(&self) -> Result<Depth, ClusterError> {
        let layout = &self.layout;
        let mut depth = Depth::default();
        let filter = format!("{}.jobs.>", self.settings.name);
        let mut subjects =
            layout.jobs.info_with_subjects(filter).await.map_err(refused("tell what waits"))?;
        let state = subjects.info.state.clone();
        while let Some((subject, count)) = subjects.try_next().await.map_err(refused("tell what waits"))? {
            if let Some(class) = layout.class_of(&subject) {
                depth.classes.insert(class.to_owned(), count as u64);
            }
        }
        let mut consumers = layout.jobs.consumers();
        while let Some(consumer) = consumers.try_next().await.map_err(refused("tell what is in work"))? {
            depth.leased += consumer.num_ack_pending as u64;
        }
        depth.waiting = state.messages.saturating_sub(depth.leased);
        if state.messages > 0
            && let Ok(oldest) = layout.jobs.get_raw_message(state.first_sequence).await
        {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            let then = oldest.time.unix_timestamp_nanos() as f64 / 1e9;
            depth.oldest_seconds = (now.as_secs_f64() - then).max(0.0);
        }
        depth.dead = layout.dead.get_info().await.map_err(refused("count dead letters"))?.state.messages;
        Ok(depth)
    }

    /// The dead letters, the oldest first, at most so many.
    pub async fn dead_letters(&self, most: usize) -> Result<Vec<DeadLetter>, ClusterError> {
        let state = self.layout.dead.get_info().await.map_err(refused("count dead letters"))?.state;
        let mut letters = Vec::new();
        for place in state.first_sequence.max(1)..=state.last_sequence {
            if letters.len() >= most {
                break;
            }
            // One that was removed meanwhile leaves a gap.
            let Ok(message) = self.layout.dead.get_raw_message(place).await else { continue };
            let reason =
                message.headers.get(super::layout::REASON).map(ToString::to_string).unwrap_or_default();
            let bytes = self.parcels.unpack(&message.payload).await.unwrap_or_default();
            let job = serde_json::from_slice::<crate::job::Job>(&bytes).ok().map(|job| job.id);
            letters.push(DeadLetter { place, job, reason });
        }
        Ok(letters)
    }
}
