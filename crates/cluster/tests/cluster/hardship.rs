//! Jobs in foul weather: workers that vanish, cables that are cut, a server that is restarted. Every job has one result.

use crate::nats::Cable;
use crate::stage::{Hand, job, offer, settings, until, with_server};
use formicary_cluster::queue::Stored;
use formicary_cluster::{ClusterClient, Outcome, Queue as _};
use std::collections::BTreeMap;
use std::time::Duration;

/// Jobs in the ordinary suite, and in the long one.
pub fn count() -> usize {
    if std::env::var_os("FORMICARY_LONG").is_some_and(|value| value != "0") { 3_000 } else { 300 }
}

/// Every job has a result, and it is its own.
pub async fn check_results(
    client: &ClusterClient,
    count: usize,
    output: impl Fn(usize) -> String,
) -> BTreeMap<String, usize> {
    let mut by_worker = BTreeMap::new();
    for index in 0..count {
        let outcome = client.wait(&format!("j{index}")).await.unwrap();
        *by_worker.entry(outcome.worker.clone()).or_default() += 1;
        assert_eq!(outcome.into_result().unwrap().stdout, output(index));
    }
    by_worker
}

#[test]
fn a_cut_cable_loses_and_doubles_nothing() {
    with_server("a_cut_cable_loses_and_doubles_nothing", |server| async move {
        let cable = Cable::to(server.port());
        let client = ClusterClient::connect(settings(server.url())).await.unwrap();
        let cut = Hand::start(settings(cable.url()), 4, offer(&["python"])).await;
        let lost = Hand::start(settings(server.url()), 4, offer(&["python"])).await;
        let whole = Hand::start(settings(server.url()), 4, offer(&["python"])).await;
        let count = count();
        for index in 0..count {
            client.submit(&job(&format!("j{index}"), &format!("sleep 10 {index}"))).await.unwrap();
        }
        until("all work", || async { [&cut, &lost, &whole].iter().all(|hand| hand.worker.finished() > 5) })
            .await;
        cable.cut();
        // Its tasks end where they are, as with a killed process; its runs are lost.
        lost.task.abort();
        until("much is done", || async { whole.worker.finished() as usize > count / 3 }).await;
        cable.mend();
        let by_worker = check_results(&client, count, |index| format!("sleep 10 {index}")).await;
        assert_eq!(by_worker.values().sum::<usize>(), count, "{by_worker:?}");
        until("nothing is left on the queue", || async {
            client.status().await.is_ok_and(|status| status.depth.waiting + status.depth.leased == 0)
        })
        .await;
        // A result that comes late does not replace the one that is there.
        let before = client.result("j0").await.unwrap().unwrap();
        let late = Outcome { worker: "late".into(), ..before.clone() };
        let queue = formicary_cluster::nats::NatsQueue::open(settings(server.url())).await.unwrap();
        assert_eq!(queue.store(&late).await.unwrap(), Stored::Late);
        assert_eq!(client.result("j0").await.unwrap().unwrap(), before);
        // The one that was cut off is back at work.
        whole.drain().await;
        client.submit(&job("again", "sleep 1")).await.unwrap();
        assert_eq!(client.wait("again").await.unwrap().worker, cut.worker.id());
    });
}

#[test]
fn a_restarted_server_goes_on_where_it_was() {
    with_server("a_restarted_server_goes_on_where_it_was", |mut server| async move {
        let client = ClusterClient::connect(settings(server.url())).await.unwrap();
        let hand = Hand::start(settings(server.url()), 2, offer(&["python"])).await;
        let count = count() / 3;
        for index in 0..count {
            client.submit(&job(&format!("j{index}"), &format!("sleep 5 {index}"))).await.unwrap();
        }
        until("some are done", || async { hand.worker.finished() > 10 }).await;
        server.kill();
        tokio::time::sleep(Duration::from_millis(300)).await;
        server.restart();
        check_results(&client, count, |index| format!("sleep 5 {index}")).await;
        // An idle worker hears of new jobs after a restart too.
        until("idle", || async { hand.worker.finished() as usize >= count }).await;
        server.kill();
        server.restart();
        until("the job is taken", || async { client.submit(&job("after", "after")).await.is_ok() }).await;
        assert_eq!(client.wait("after").await.unwrap().into_result().unwrap().stdout, "after");
    });
}
