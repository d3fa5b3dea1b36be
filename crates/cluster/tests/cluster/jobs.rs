//! Jobs in fair weather: run, routed by what they need, cancelled, buried, large, drained.

use crate::stage::{Hand, await_workers, job, offer, request, settings, until, with_server};
use formicary_cluster::queue::{Stored, Submitted};
use formicary_cluster::{ClusterClient, ClusterSettings, Job};
use formicary_model::{Environment, ExecutionRequest, FailureKind};
use std::time::Duration;

#[test]
fn a_job_is_run_once_whoever_asks_how_often() {
    with_server("a_job_is_run_once_whoever_asks_how_often", |server| async move {
        let client = ClusterClient::connect(settings(server.url())).await.unwrap();
        let hand = Hand::start(settings(server.url()), 2, offer(&["python"])).await;
        await_workers(&client, 1).await;
        assert_eq!(client.execute(request("hello")).await.unwrap().stdout, "hello");
        assert_eq!(client.submit(&job("twice", "one")).await.unwrap(), Submitted::New);
        assert_eq!(client.submit(&job("twice", "one")).await.unwrap(), Submitted::Known);
        let outcome = client.wait("twice").await.unwrap();
        assert_eq!((outcome.attempt, outcome.worker.as_str()), (1, hand.worker.id()));
        assert_eq!(hand.runner.starts()["one"], 1);
        assert_eq!(client.result("never").await.unwrap(), None);
        assert!(client.result("no.name").await.is_err());
        until("the queue is empty", || async {
            let depth = client.status().await.unwrap().depth;
            depth.waiting + depth.leased == 0 && depth.classes.is_empty()
        })
        .await;
        hand.drain().await;
        until("the worker has said good-bye", || async { client.workers().await.unwrap().is_empty() }).await;
    });
}

#[test]
fn workers_take_what_they_can_run() {
    with_server("workers_take_what_they_can_run", |server| async move {
        let client = ClusterClient::connect(settings(server.url())).await.unwrap();
        let python = Hand::start(settings(server.url()), 2, offer(&["python"])).await;
        let c = Hand::start(settings(server.url()), 2, offer(&["c", "cpp"])).await;
        await_workers(&client, 2).await;
        for index in 0..20 {
            let language = if index % 2 == 0 { "py" } else { "c" };
            let request = ExecutionRequest {
                language: Some(language.into()),
                ..request(&format!("{language}-{index}"))
            };
            client.submit(&Job::named(format!("j{index}"), request)).await.unwrap();
        }
        for index in 0..20 {
            let outcome = client.wait(&format!("j{index}")).await.unwrap();
            let expected = if index % 2 == 0 { &python } else { &c };
            assert_eq!(outcome.worker, expected.worker.id());
        }
        let impossible = [
            ExecutionRequest { language: Some("go".into()), ..request("x") },
            ExecutionRequest {
                environment: Environment { provider: Some("docker".into()), ..request("x").environment },
                ..request("x")
            },
            ExecutionRequest {
                environment: Environment {
                    limits: formicary_model::LimitOverrides {
                        memory_bytes: Some(3 << 30),
                        ..Default::default()
                    },
                    ..request("x").environment
                },
                ..request("x")
            },
        ];
        for request in impossible {
            let failure = client.execute(request).await.unwrap_err();
            assert_eq!(failure.kind, FailureKind::ToolchainMissing, "{failure:?}");
            assert!(failure.message.contains("no worker can run"), "{failure:?}");
        }
        // Submitted all the same, such a job waits for a worker that can: it is what an autoscaler sees.
        let go = ExecutionRequest { language: Some("go".into()), ..request("late") };
        client.submit(&Job::named("late", go)).await.unwrap();
        let status = client.status().await.unwrap();
        assert_eq!((status.depth.waiting, status.capacity), (1, 4), "{status:?}");
        assert_eq!(status.depth.classes["go.any.m512m"], 1);
        let late = Hand::start(settings(server.url()), 1, offer(&["go"])).await;
        assert_eq!(client.wait("late").await.unwrap().worker, late.worker.id());
    });
}

#[test]
fn waiting_and_running_jobs_are_cancelled() {
    with_server("waiting_and_running_jobs_are_cancelled", |server| async move {
        let client = ClusterClient::connect(settings(server.url())).await.unwrap();
        let hand = Hand::start(settings(server.url()), 1, offer(&["python"])).await;
        client.submit(&job("running", "stuck")).await.unwrap();
        until("it runs", || async { hand.runner.starts().contains_key("stuck") }).await;
        client.submit(&job("waiting", "never")).await.unwrap();
        for id in ["waiting", "running"] {
            assert_eq!(client.cancel(id).await.unwrap(), Stored::First);
            assert_eq!(client.cancel(id).await.unwrap(), Stored::Late);
            let failure = client.wait(id).await.unwrap().into_result().unwrap_err();
            assert_eq!(failure.kind, FailureKind::Cancelled);
        }
        // The worker is free again, and never started what was cancelled in time.
        client.submit(&job("after", "after")).await.unwrap();
        assert_eq!(client.wait("after").await.unwrap().into_result().unwrap().stdout, "after");
        assert!(!hand.runner.starts().contains_key("never"));
    });
}

#[test]
fn what_nobody_can_read_or_finish_is_buried() {
    with_server("what_nobody_can_read_or_finish_is_buried", |server| async move {
        let settings = ClusterSettings { attempts: 2, ..settings(server.url()) };
        let client = ClusterClient::connect(settings.clone()).await.unwrap();
        let raw = async_nats::connect(server.url()).await.unwrap();
        let context = async_nats::jetstream::new(raw);
        let ack = context.publish("formicary.jobs.python.any.m512m", "no job at all".into()).await.unwrap();
        ack.await.unwrap();
        // A job that ends its worker, twice: workers that vanish in the middle of it.
        client.submit(&job("poison", "stuck")).await.unwrap();
        for _ in 0..2 {
            let hand = Hand::start(settings.clone(), 2, offer(&["python"])).await;
            until("it runs", || async { hand.runner.starts().contains_key("stuck") }).await;
            hand.task.abort();
            let _ = hand.task.await;
        }
        let hand = Hand::start(settings.clone(), 2, offer(&["python"])).await;
        let failure = client.wait("poison").await.unwrap().into_result().unwrap_err();
        assert!(failure.message.contains("started 2 times"), "{failure:?}");
        assert!(!hand.runner.starts().contains_key("stuck"));
        until("both are buried", || async { client.status().await.unwrap().depth.dead == 2 }).await;
        let letters = client.dead_letters(10).await.unwrap();
        let jobs: Vec<_> = letters.iter().map(|letter| letter.job.as_deref()).collect();
        assert_eq!(jobs, [None, Some("poison")], "{letters:?}");
        assert!(letters.iter().all(|letter| !letter.reason.is_empty()), "{letters:?}");
    });
}

#[test]
fn large_jobs_and_results_travel() {
    with_server("large_jobs_and_results_travel", |server| async move {
        let client = ClusterClient::connect(settings(server.url())).await.unwrap();
        let _hand = Hand::start(settings(server.url()), 1, offer(&["python"])).await;
        await_workers(&client, 1).await;
        let code = format!("echo {}", "é".repeat(2_000_000));
        assert_eq!(client.execute(request(&code)).await.unwrap().stdout, code);
        assert_eq!(client.execute(request("large 9000000")).await.unwrap().stdout.len(), 9_000_000);
    });
}

#[test]
fn a_worker_that_drains_finishes_and_takes_no_more() {
    with_server("a_worker_that_drains_finishes_and_takes_no_more", |server| async move {
        let client = ClusterClient::connect(settings(server.url())).await.unwrap();
        let hand = Hand::start(settings(server.url()), 1, offer(&["python"])).await;
        client.submit(&job("first", "sleep 700")).await.unwrap();
        until("it runs", || async { hand.runner.starts().len() == 1 }).await;
        client.submit(&job("second", "sleep 1")).await.unwrap();
        let runner = std::sync::Arc::clone(&hand.runner);
        hand.drain().await;
        assert_eq!(client.result("first").await.unwrap().map(|outcome| outcome.attempt), Some(1));
        assert_eq!(client.result("second").await.unwrap(), None);
        assert_eq!(runner.starts().len(), 1);
        // An idle one ends at once too, and what it was offered meanwhile is not stuck with it.
        let idle = Hand::start(settings(server.url()), 1, offer(&["c"])).await;
        tokio::time::timeout(Duration::from_secs(10), idle.drain()).await.unwrap();
        let next = Hand::start(settings(server.url()), 1, offer(&["python"])).await;
        assert_eq!(client.wait("second").await.unwrap().worker, next.worker.id());
        // One that leaves gives back what it runs.
        client.submit(&job("third", "sleep 1500")).await.unwrap();
        until("it runs", || async { next.runner.starts().contains_key("sleep 1500") }).await;
        next.worker.shutdown().leave();
        next.task.await.unwrap();
        let last = Hand::start(settings(server.url()), 1, offer(&["python"])).await;
        assert_eq!(client.wait("third").await.unwrap().worker, last.worker.id());
    });
}

#[test]
fn what_cannot_travel_is_refused_at_the_door() {
    with_server("what_cannot_travel_is_refused_at_the_door", |server| async move {
        let client = ClusterClient::connect(settings(server.url())).await.unwrap();
        let bad = [
            ExecutionRequest { language: Some("a.b".into()), ..request("x") },
            ExecutionRequest {
                environment: Environment {
                    network: formicary_model::Network::Host,
                    ..request("x").environment
                },
                ..request("x")
            },
            ExecutionRequest {
                environment: Environment { venv: Some("/venv".into()), ..request("x").environment },
                ..request("x")
            },
        ];
        for request in bad {
            let failure = client.execute(request).await.unwrap_err();
            assert_eq!(failure.kind, FailureKind::InvalidInput, "{failure:?}");
        }
        let failure = client.submit(&job("a b", "x")).await.unwrap_err();
        assert!(failure.to_string().contains("a b"), "{failure}");
    });
}
