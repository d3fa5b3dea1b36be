//! Real runs at the same time: each has a timeline of its own.

use crate::configuration::Host;
use formicary_model::{ExecutionRequest, Source};
use formicary_platform::config::Configuration;
use formicary_platform::{Live, Platform};

const MIB: u64 = 1024 * 1024;

#[test]
fn eight_runs_at_once_are_told_apart() {
    let host = Host::new();
    let mut sources = host.sources();
    sources.environment.insert("PATH".into(), "/usr/bin:/bin".into());
    let platform = Platform::new(Configuration::load(&sources).unwrap(), &sources).unwrap();
    let results: Vec<_> = std::thread::scope(|scope| {
        let run = |number: u64| {
            let code =
                format!("x=$(head -c {} /dev/zero | tr '\\0' a); sleep 0.7; echo ${{#x}}", number * 8 * MIB);
            let request = ExecutionRequest {
                language: Some("bash".into()),
                source: Source::code(code),
                ..platform.new_request()
            };
            (
                number,
                platform.execute_as(&formicary_platform::local_caller(), request, Live::default()).unwrap(),
            )
        };
        let threads: Vec<_> = (1..=8).map(|number| scope.spawn(move || run(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (number, result) in &results {
        assert!(result.success(), "{result:?}");
        let line = platform.monitors().resources.timeline(&result.run_id).unwrap();
        let most = line.points.iter().filter_map(|point| point.usage.memory_peak).max().unwrap_or(0);
        let own = number * 8 * MIB;
        assert!(line.samples > 0 && most >= own, "{number}: {most} of {own} in {} samples", line.samples);
        let times: Vec<f64> = line.points.iter().map(|point| point.elapsed).collect();
        assert!(times.is_sorted(), "{times:?}");
    }
    assert!(platform.monitors().executions.active().is_empty());
    assert_eq!(platform.monitors().metrics.snapshot().finished, 8);
}
