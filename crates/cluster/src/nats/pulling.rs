//! Taking jobs from the lines of several classes.
//!
//! First what waits already: one look at the stream tells which lines hold anything, and those are asked, each time
//! beginning with another, so that none starves. Only when nothing waits, all lines are asked at once to send their next
//! job. The first answer ends the waiting; jobs that others sent meanwhile are run too where there is room, and given
//! back where there is not. Nothing that was sent is forgotten: it would be missed until its lease ends.

use super::NatsQueue;
use super::layout::Layout;
use crate::class::Class;
use crate::error::{ClusterError, refused};
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::message::AckKind;
use async_nats::{StatusCode, Subscriber};
use futures_util::{StreamExt as _, TryStreamExt as _};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How long a line is asked to wait for a job before it is asked anew.
const EXPIRES: Duration = Duration::from_secs(30);
/// How long a line may take to say that it holds nothing.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);
/// How often a line that has jobs is asked before all are looked at again.
const IN_A_ROW: u32 = 16;
/// After an answer that is neither a job nor the end of the waiting.
const PAUSE: Duration = Duration::from_millis(500);

/// Where the next look begins.
static TURN: AtomicUsize = AtomicUsize::new(0);

pub(super) async fn pull(
    queue: &NatsQueue,
    classes: &[Class],
    most: usize,
    stop: impl Future<Output = ()> + Send,
) -> Result<Vec<Message>, ClusterError> {
    let mut stop = pin!(stop);
    loop {
        let waiting = take_waiting(queue, classes, most).await?;
        if !waiting.is_empty() {
            return Ok(waiting);
        }
        let next = await_next(queue, classes, most, stop.as_mut()).await?;
        match next {
            Next::Jobs(jobs) if jobs.is_empty() => {}
            Next::Jobs(jobs) => return Ok(jobs),
            Next::Stopped => return Ok(Vec::new()),
        }
    }
}

async fn take_waiting(
    queue: &NatsQueue,
    classes: &[Class],
    most: usize,
) -> Result<Vec<Message>, ClusterError> {
    if let Some(class) = busy_line(queue) {
        let taken = take_from(queue, &class, most).await?;
        if !taken.is_empty() {
            return Ok(taken);
        }
    }
    let layout = &queue.layout;
    let own: BTreeMap<String, &Class> = classes.iter().map(|class| (layout.subject(class), class)).collect();
    let filter = format!("{}.jobs.>", queue.settings.name);
    let mut lines = Vec::new();
    let mut subjects = layout.jobs.info_with_subjects(filter).await.map_err(refused("tell what waits"))?;
    while let Some((subject, _)) = subjects.try_next().await.map_err(refused("tell what waits"))? {
        lines.extend(own.get(&subject).copied());
    }
    lines.sort();
    if !lines.is_empty() {
        let turn = TURN.fetch_add(1, Ordering::Relaxed) % lines.len();
        lines.rotate_left(turn);
    }
    let mut taken = Vec::new();
    for class in lines {
        let more = take_from(queue, class, most - taken.len()).await?;
        if !more.is_empty() {
            *queue.busy.lock().unwrap_or_else(PoisonError::into_inner) = Some((class.clone(), IN_A_ROW));
        }
        taken.extend(more);
        if taken.len() >= most {
            break;
        }
    }
    Ok(taken)
}

/// The line that had jobs the last time. Asked first it saves a look at all of them; not for ever, or others would starve.
fn busy_line(queue: &NatsQueue) -> Option<Class> {
    let mut busy = queue.busy.lock().unwrap_or_else(PoisonError::into_inner);
    match busy.take() {
        Some((class, left @ 1..)) => {
            *busy = Some((class.clone(), left - 1));
            Some(class)
        }
        _ => None,
    }
}

/// Takes what waits in one line, without waiting for more.
async fn take_from(queue: &NatsQueue, class: &Class, most: usize) -> Result<Vec<Message>, ClusterError> {
    let mut taken = Vec::new();
    let Some(consumer) = consumer(queue, class).await? else { return Ok(taken) };
    let batch = consumer.fetch().max_messages(most).messages().await;
    let mut batch = batch.map_err(refused("hand out a job"))?;
    // A batch whose connection went away would be waited for in vain; its rest comes again after its lease.
    while let Ok(Some(answer)) = tokio::time::timeout(ANSWERS_WITHIN, batch.next()).await {
        let Ok(message) = answer else {
            // Perhaps it is gone: the next look asks for it again.
            queue.consumers.lock().unwrap_or_else(PoisonError::into_inner).remove(class);
            break;
        };
        taken.push(message);
    }
    Ok(taken)
}

/// The consumer of a class's line, remembered: it says nothing of what waits.
async fn consumer(queue: &NatsQueue, class: &Class) -> Result<Option<PullConsumer>, ClusterError> {
    let known = queue.consumers.lock().unwrap_or_else(PoisonError::into_inner).get(class).cloned();
    if known.is_some() {
        return Ok(known);
    }
    let name = Layout::consumer_name(class);
    match queue.layout.jobs.get_consumer::<pull::Config>(&name).await {
        Ok(consumer) => {
            let mut consumers = queue.consumers.lock().unwrap_or_else(PoisonError::into_inner);
            consumers.insert(class.clone(), consumer.clone());
            Ok(Some(consumer))
        }
        // Somebody removed it: it is made anew, and asked at the next look.
        Err(_) => queue.layout.make_consumer(class).await.map(|()| None),
    }
}

enum Next {
    Jobs(Vec<Message>),
    Stopped,
}

async fn await_next(
    queue: &NatsQueue,
    classes: &[Class],
    most: usize,
    mut stop: std::pin::Pin<&mut (impl Future<Output = ()> + Send)>,
) -> Result<Next, ClusterError> {
    let inbox = queue.client.new_inbox();
    let answers = queue.client.subscribe(format!("{inbox}.*")).await;
    let mut answers = answers.map_err(refused("listen for jobs"))?;
    let mut connections = queue.connections.clone();
    connections.mark_unchanged();
    for (index, class) in classes.iter().enumerate() {
        ask(queue, class, format!("{inbox}.{index}")).await?;
    }
    let first = tokio::select! {
        () = &mut stop => {
            let late = close(queue, answers, most).await;
            // It came while the waiting ended: somebody else runs it.
            for message in &late { let _ = message.ack_with(AckKind::Nak(None)).await; }
            return Ok(Next::Stopped);
        }
        // The requests went with the old connection; the next look asks anew.
        _ = connections.changed() => {
            queue.consumers.lock().unwrap_or_else(PoisonError::into_inner).clear();
            None
        }
        () = tokio::time::sleep(EXPIRES) => None,
        message = first_job(&mut answers) => message,
    };
    let mut jobs: Vec<Message> = first.map(|message| own(queue, message)).into_iter().collect();
    let room = most.saturating_sub(jobs.len());
    jobs.extend(close(queue, answers, room).await);
    Ok(Next::Jobs(jobs))
}

async fn ask(queue: &NatsQueue, class: &Class, reply: String) -> Result<(), ClusterError> {
    let (stream, consumer) = (&queue.layout.jobs.cached_info().config.name, Layout::consumer_name(class));
    let subject = format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}");
    let payload = format!(r#"{{"batch":1,"expires":{}}}"#, EXPIRES.as_nanos());
    queue
        .client
        .publish_with_reply(subject, reply, payload.into())
        .await
        .map_err(refused("be asked for jobs"))
}

/// The next message that is a job. `None` where a line had something else to say, and should be asked anew.
async fn first_job(answers: &mut Subscriber) -> Option<async_nats::Message> {
    let message = answers.next().await?;
    match message.status {
        None => Some(message),
        // Nothing came in time. The others' time is up too.
        Some(StatusCode::TIMEOUT) => None,
        // Leadership moved, the server ends, a consumer is gone, JetStream is not ready: not all at once.
        Some(status) => {
            tracing::debug!(%status, "a line of jobs answered");
            tokio::time::sleep(PAUSE).await;
            None
        }
    }
}

/// Ends the waiting, and gives what was sent meanwhile: at most `room` jobs, the others go back to their lines.
async fn close(queue: &NatsQueue, mut answers: Subscriber, room: usize) -> Vec<Message> {
    let mut jobs = Vec::new();
    if answers.drain().await.is_err() {
        return jobs;
    }
    let rest = async {
        while let Some(message) = answers.next().await {
            if message.status.is_some() {
                continue;
            }
            let message = own(queue, message);
            if jobs.len() < room {
                jobs.push(message);
            } else {
                let _ = message.ack_with(AckKind::Nak(None)).await;
            }
        }
    };
    // A connection that is gone drains nothing; what was on its way comes again after its lease.
    let _ = tokio::time::timeout(Duration::from_secs(2), rest).await;
    jobs
}

fn own(queue: &NatsQueue, message: async_nats::Message) -> Message {
    Message { message, context: queue.layout.context.clone() }
}
