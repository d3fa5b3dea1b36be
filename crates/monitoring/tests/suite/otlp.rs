//! The exporter against a collector of the test's own, which looks at what it gets.

use crate::bench::{event, refused, run};
use formicary_model::{Caller, Event, EventKind, Phase, Status, Step};
use formicary_monitoring::otlp::{Exporter, OtlpSettings};
use formicary_monitoring::{Listener, MetricsCollector};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::sync::Arc;
use std::time::Duration;

/// Answers every request with this status and hands on what came: path and body.
fn collector(status: &'static str) -> (String, Receiver<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (tell, told) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            loop {
                let (mut line, mut length) = (String::new(), 0);
                if stream.read_line(&mut line).unwrap_or(0) == 0 {
                    break;
                }
                let path = line.split(' ').nth(1).unwrap().to_owned();
                assert!(line.starts_with("POST "), "{line}");
                loop {
                    let mut header = String::new();
                    stream.read_line(&mut header).unwrap();
                    let header = header.trim().to_ascii_lowercase();
                    if let Some(value) = header.strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap();
                    }
                    if header.is_empty() {
                        break;
                    }
                }
                let mut body = vec![0; length];
                stream.read_exact(&mut body).unwrap();
                let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 2\r\n\r\n{{}}");
                let _ = stream.get_mut().write_all(answer.as_bytes());
                if tell.send((path, serde_json::from_slice(&body).unwrap())).is_err() {
                    return;
                }
            }
        }
    });
    (address, told)
}

fn exporter(address: &str) -> (Exporter, Arc<MetricsCollector>) {
    let metrics = Arc::new(MetricsCollector::new());
    let hour = Duration::from_secs(3600);
    let settings = OtlpSettings { traces_every: hour, metrics_every: hour, ..OtlpSettings::new(address) };
    (Exporter::start(settings, Arc::clone(&metrics)).unwrap(), metrics)
}

fn whole_run(name: &str) -> Vec<Event> {
    let step = |step, seconds| event(name, EventKind::Step { step, seconds });
    let mut events = run(name);
    let end = events.pop().unwrap();
    events.insert(1, step(Step::Queue, 0.010));
    events.insert(2, step(Step::Guard, 0.001));
    events.extend([
        step(Step::Sandbox, 0.002),
        event(name, EventKind::PhaseStarted { phase: Phase::Compile }),
        event(name, EventKind::PhaseFinished { phase: Phase::Compile, status: Status::Success, duration: 0.0 }),
        step(Step::Sandbox, 0.002),
        event(name, EventKind::PhaseStarted { phase: Phase::Run }),
        step(Step::Collect, 0.0),
        event(name, EventKind::PhaseFinished { phase: Phase::Run, status: Status::Success, duration: 0.0 }),
        end,
    ]);
    events
}

fn hexadecimal(value: &Value, length: usize) -> bool {
    value.as_str().is_some_and(|text| text.len() == length && text.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[test]
fn a_run_is_a_trace_with_its_parts_under_it() {
    let (address, told) = collector("200 OK");
    let (exporter, metrics) = exporter(&address);
    let caller = Caller::new("ada").of("house");
    for event in whole_run("one").iter().chain(&refused("two")) {
        exporter.heard(&caller, event);
        metrics.heard(&caller, event);
    }
    drop(exporter);
    let (path, body) = told.recv().unwrap();
    assert_eq!(path, "/v1/traces");
    let resource = &body["resourceSpans"][0];
    assert_eq!(resource["resource"]["attributes"][0]["value"]["stringValue"], "formicary");
    let spans = resource["scopeSpans"][0]["spans"].as_array().unwrap();
    let names: Vec<_> = spans.iter().map(|span| span["name"].as_str().unwrap()).collect();
    let expected =
        ["execution", "queue", "guard", "sandbox", "compile", "sandbox", "collect", "run", "execution"];
    assert_eq!(names, expected);
    let nano = |span: &Value, name: &str| span[name].as_str().unwrap().parse::<u64>().unwrap();
    let root = &spans[0];
    for span in spans {
        assert!(hexadecimal(&span["traceId"], 32) && hexadecimal(&span["spanId"], 16), "{span}");
        assert!(nano(span, "startTimeUnixNano") <= nano(span, "endTimeUnixNano"), "{span}");
    }
    for span in &spans[1..8] {
        assert_eq!((&span["parentSpanId"], &span["traceId"]), (&root["spanId"], &root["traceId"]));
        assert!(nano(span, "startTimeUnixNano") >= nano(root, "startTimeUnixNano"), "{span}");
        assert!(nano(span, "endTimeUnixNano") <= nano(root, "endTimeUnixNano"), "{span}");
    }
    let known = |name: &str| {
        let attributes = root["attributes"].as_array().unwrap();
        attributes.iter().find(|a| a["key"] == name).map(|a| a["value"].clone()).unwrap_or_default()
    };
    assert_eq!(known("formicary.language")["stringValue"], "python");
    assert_eq!(known("formicary.tenant")["stringValue"], "house");
    assert_eq!(known("formicary.code_bytes")["intValue"], "9");
    assert_eq!(spans[8]["status"]["code"], 2);
    assert!(spans[8].get("parentSpanId").is_none());

    let (path, body) = told.recv().unwrap();
    assert_eq!(path, "/v1/metrics");
    let figures = body["resourceMetrics"][0]["scopeMetrics"][0]["metrics"].as_array().unwrap();
    let of = |name: &str| figures.iter().find(|figure| figure["name"] == name).unwrap();
    assert_eq!(of("formicary.runs")["sum"]["dataPoints"][0]["asInt"], "1");
    assert_eq!(of("formicary.failures")["sum"]["dataPoints"][0]["asInt"], "1");
    assert_eq!(of("formicary.runs")["sum"]["aggregationTemporality"], 2);
    let duration = &of("formicary.run.duration")["histogram"]["dataPoints"][0];
    let counts = duration["bucketCounts"].as_array().unwrap();
    assert_eq!(counts.len(), duration["explicitBounds"].as_array().unwrap().len() + 1);
    let sum: u64 = counts.iter().map(|count| count.as_str().unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(duration["count"], sum.to_string());
}

#[test]
fn batches_are_sent_while_runs_go_on_and_all_is_sent_at_the_end() {
    let (address, told) = collector("200 OK");
    let (exporter, _) = exporter(&address);
    for n in 0..300 {
        run(&format!("r{n}")).iter().for_each(|event| exporter.heard(&Caller::default(), event));
    }
    // A full batch does not wait for its time.
    let (path, _) = told.recv_timeout(Duration::from_secs(30)).unwrap();
    assert_eq!(path, "/v1/traces");
    drop(exporter);
    let mut spans = 0;
    for (path, body) in told.try_iter() {
        if path == "/v1/traces" {
            spans += body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().len();
        }
    }
    assert!(spans > 0, "the rest came at the end");
}

#[test]
fn a_collector_that_is_not_there_or_refuses_costs_traces_and_nothing_else() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (refusing, _told) = collector("400 Bad Request");
    for address in [format!("http://{free}"), refusing] {
        let (exporter, _) = exporter(&address);
        for n in 0..3_000 {
            run(&format!("r{n}")).iter().for_each(|event| exporter.heard(&Caller::default(), event));
        }
        let shared = exporter.sent();
        assert_eq!(shared.sent, 0);
        drop(exporter);
    }
}
