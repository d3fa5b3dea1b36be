//! Spans and figures as OTLP's JSON: field names in camel case, numbers of 64 bits as text, identifiers in hexadecimal.

use super::spans::{Span, Trace};
use crate::metrics::{Counted, Labels};
use crate::sketch::Sketch;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Bounds of histograms of seconds.
const SECONDS: [f64; 10] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0];
/// A cumulative value, in OTLP's number for it.
const CUMULATIVE: u8 = 2;

/// A request for `/v1/traces`.
pub fn traces(service: &str, traces: &[Trace]) -> Value {
    let spans: Vec<Value> = traces.iter().flat_map(spans_of).collect();
    json!({"resourceSpans": [{
        "resource": resource(service),
        "scopeSpans": [{"scope": scope(), "spans": spans}],
    }]})
}

/// A request for `/v1/metrics`: figures that were counted from `start` to `now`, in nanoseconds.
pub fn metrics(service: &str, counted: &Counted, start: u64, now: u64) -> Value {
    let point = |attributes: Vec<Value>, value: u64| {
        json!({"attributes": attributes, "startTimeUnixNano": start.to_string(), "timeUnixNano": now.to_string(),
               "asInt": value.to_string()})
    };
    let mut runs = Vec::new();
    for (labels, series) in &counted.series {
        for (status, count) in &series.by_status {
            let mut attributes = shown(labels);
            attributes.push(attribute("formicary.status", &json!(status)));
            runs.push(point(attributes, *count));
        }
    }
    let failures = counted
        .by_failure
        .iter()
        .map(|(kind, count)| point(vec![attribute("error.type", &json!(kind))], *count));
    let failures: Vec<Value> = failures.collect();
    let durations =
        counted.series.iter().map(|(labels, series)| histogram(shown(labels), &series.durations, start, now));
    let durations: Vec<Value> = durations.collect();
    let steps = counted.steps.iter().map(|(step, sketch)| {
        histogram(vec![attribute("formicary.step", &json!(step.word()))], sketch, start, now)
    });
    let steps: Vec<Value> = steps.collect();
    let sum = |points: Vec<Value>| json!({"dataPoints": points, "aggregationTemporality": CUMULATIVE, "isMonotonic": true});
    let of = |points: Vec<Value>| json!({"dataPoints": points, "aggregationTemporality": CUMULATIVE});
    let active = point(Vec::new(), counted.active);
    json!({"resourceMetrics": [{
        "resource": resource(service),
        "scopeMetrics": [{"scope": scope(), "metrics": [
            {"name": "formicary.runs", "unit": "{run}", "description": "Runs that ended with a result", "sum": sum(runs)},
            {"name": "formicary.failures", "unit": "{request}", "description": "Requests without a result", "sum": sum(failures)},
            {"name": "formicary.runs.active", "unit": "{run}", "description": "Runs that are under way",
             "gauge": {"dataPoints": [active]}},
            {"name": "formicary.run.duration", "unit": "s", "description": "Time of runs", "histogram": of(durations)},
            {"name": "formicary.step.duration", "unit": "s", "description": "Time of what is around programs", "histogram": of(steps)},
        ]}],
    }]})
}

fn histogram(attributes: Vec<Value>, sketch: &Sketch, start: u64, now: u64) -> Value {
    let mut before = 0;
    let mut counts: Vec<String> = Vec::new();
    for sum in sketch.not_above(&SECONDS).into_iter().chain([sketch.count()]) {
        counts.push((sum - before).to_string());
        before = sum;
    }
    json!({"attributes": attributes, "startTimeUnixNano": start.to_string(), "timeUnixNano": now.to_string(),
           "count": sketch.count().to_string(), "sum": sketch.sum(), "bucketCounts": counts, "explicitBounds": SECONDS})
}

/// A run's identifiers follow from its name: whoever has the one finds the other.
fn spans_of(trace: &Trace) -> Vec<Value> {
    let trace_id = &hash(&trace.run_id)[..32];
    let id = |index: usize| hash(&format!("{} {index}", trace.run_id))[..16].to_owned();
    let span = |(index, span): (usize, &Span)| {
        let mut attributes: Vec<Value> =
            span.attributes.iter().map(|(name, value)| attribute(name, value)).collect();
        attributes.retain(|attribute| !attribute["value"].is_null());
        let mut written = json!({
            "traceId": trace_id,
            "spanId": id(index),
            "name": span.name,
            "kind": 1,
            "startTimeUnixNano": span.start.to_string(),
            "endTimeUnixNano": span.end.to_string(),
            "attributes": attributes,
            "status": match &span.error {
                Some(message) => json!({"code": 2, "message": message}),
                None => json!({"code": 0}),
            },
        });
        if index > 0 {
            written["parentSpanId"] = json!(id(0));
        }
        written
    };
    trace.spans.iter().enumerate().map(span).collect()
}

fn hash(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

fn resource(service: &str) -> Value {
    json!({"attributes": [
        attribute("service.name", &json!(service)),
        attribute("service.version", &json!(env!("CARGO_PKG_VERSION"))),
    ]})
}

fn scope() -> Value {
    json!({"name": "formicary", "version": env!("CARGO_PKG_VERSION")})
}

fn shown(labels: &Labels) -> Vec<Value> {
    let Labels { language, provider, tenant } = labels;
    [("formicary.language", language), ("formicary.provider", provider), ("formicary.tenant", tenant)]
        .into_iter()
        .map(|(name, value)| attribute(name, &json!(value)))
        .collect()
}

fn attribute(name: &str, value: &Value) -> Value {
    let value = match value {
        Value::String(text) => json!({"stringValue": text}),
        Value::Bool(flag) => json!({"boolValue": flag}),
        Value::Number(number) if number.is_f64() => json!({"doubleValue": number}),
        Value::Number(number) => json!({"intValue": number.to_string()}),
        _ => Value::Null,
    };
    json!({"key": name, "value": value})
}
