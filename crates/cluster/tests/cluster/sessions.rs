//! Sessions on workers with the real platform: they stick, and are lost with their worker.

use crate::stage::{settings, until, with_server};
use formicary_cluster::sessions::{SessionAnswer, SessionCall};
use formicary_cluster::worker::runner::offer_of;
use formicary_cluster::{ClusterClient, ClusterError, Worker, WorkerSettings};
use formicary_model::{CellRequest, SessionRequest, SourceFile};
use formicary_platform::Platform;
use formicary_platform::config::{ConfigSources, Configuration};
use std::sync::Arc;
use tokio::task::JoinHandle;

fn platform() -> Platform {
    let path = std::env::var("PATH").unwrap_or_default();
    let sources = ConfigSources::new([("PATH".to_owned(), path)].into(), None);
    Platform::new(Configuration::load(&sources).unwrap(), &sources).unwrap()
}

async fn start(url: String, id: &str) -> (Arc<Worker<Platform>>, JoinHandle<()>) {
    let platform = Arc::new(platform());
    let offer = offer_of(&platform);
    let own = WorkerSettings { id: Some(id.into()), capacity: 1, offer, shutdown: Default::default() };
    let worker = Worker::connect(settings(url), own, platform).await.unwrap();
    let running = Arc::clone(&worker);
    (worker, tokio::spawn(async move { running.run().await.unwrap() }))
}

async fn run(client: &ClusterClient, id: &str, code: &str) -> Result<String, ClusterError> {
    let cell = CellRequest { code: code.into(), ..CellRequest::default() };
    match client.session(&SessionCall::Run(id.into(), cell)).await? {
        SessionAnswer::Cell(result) => Ok(format!("{}{}", result.stdout, result.stderr)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn sessions_stick_to_their_worker_and_are_lost_with_it() {
    with_server("sessions_stick_to_their_worker_and_are_lost_with_it", |server| async move {
        let client = ClusterClient::connect(settings(server.url())).await.unwrap();
        let (one, one_task) = start(server.url(), "one").await;
        let (_two, _two_task) = start(server.url(), "two").await;
        until("workers are there", || async { client.workers().await.unwrap().len() == 2 }).await;
        let base = platform().new_session("python");
        for id in ["a", "b", "c", "d"] {
            let made =
                client.create_session(SessionRequest { id: Some(id.into()), ..base.clone() }).await.unwrap();
            assert_eq!(made.id, id);
            run(&client, id, &format!("x = '{id}'")).await.unwrap();
            // Room is seen by heartbeats.
            let count = |workers: Vec<formicary_cluster::worker::heartbeat::WorkerInfo>| {
                workers.iter().map(|worker| worker.sessions).sum::<u64>()
            };
            let made = ["a", "b", "c", "d"].iter().position(|name| *name == id).unwrap() as u64 + 1;
            until("it is counted", || async { count(client.workers().await.unwrap()) == made }).await;
        }
        let workers = client.workers().await.unwrap();
        assert!(workers.iter().all(|worker| worker.sessions == 2), "{workers:?}");
        for id in ["a", "b", "c", "d"] {
            assert_eq!(run(&client, id, "print(x)").await.unwrap(), format!("{id}\n"));
        }
        let twice =
            client.create_session(SessionRequest { id: Some("a".into()), ..base.clone() }).await.unwrap_err();
        assert!(twice.to_string().contains("there already"), "{twice}");
        let content = vec![7_u8; 3_000_000];
        let file = SourceFile { path: "big.bin".into(), content: content.clone(), executable: false };
        client.session(&SessionCall::Put("a".into(), vec![file])).await.unwrap();
        match client.session(&SessionCall::Get("a".into(), "big.bin".into())).await.unwrap() {
            SessionAnswer::File(file) => assert_eq!(file.content, content),
            other => panic!("{other:?}"),
        }
        client.session(&SessionCall::Close("d".into())).await.unwrap();
        let closed = run(&client, "d", "1").await.unwrap_err();
        assert!(matches!(closed, ClusterError::NoSession { .. }), "{closed}");
        one_task.abort();
        let _ = one_task.await;
        drop(one);
        let (mut lost, mut kept) = (0, 0);
        for id in ["a", "b", "c"] {
            match run(&client, id, "print(x)").await {
                Ok(output) => kept += usize::from(output == format!("{id}\n")),
                Err(ClusterError::SessionLost { worker, .. }) => lost += usize::from(worker == "one"),
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!(lost + kept, 3);
        assert!(lost >= 1 && kept >= 1, "{lost} lost, {kept} kept");
    });
}
