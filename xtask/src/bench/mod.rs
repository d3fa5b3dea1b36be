//! `cargo xtask bench`: what a sandboxed start costs, next to a bare one and to others, in one run.
//!
//! Only ratios within one run mean anything: machines, loads and clocks differ. Samples are interleaved and the
//! order rotates, so that drift falls on all peers alike. Nothing asserts on absolute times.
//!
//! A peer is one file; [`PEERS`] is where it is registered.

mod bare;
mod build;
mod bwrap;
mod command_line;
mod compiling;
mod judging;
mod library;
mod providers;
mod report;
mod sample;
mod warm;

use report::LeftOut;
use sample::Samples;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What the command line asks for.
#[derive(Debug)]
pub struct Options {
    /// Where to write the figures as JSON.
    pub json: Option<PathBuf>,
    /// How often each peer runs each workload.
    pub runs: u32,
    /// How many programs are judged in a row.
    pub judged: u32,
    /// The release binary; absent at first, when the chore still has to build it and itself.
    pub binary: Option<PathBuf>,
}

/// A program whose start is measured.
#[derive(Debug, Clone, Copy)]
pub struct Workload {
    name: &'static str,
    /// The program and its arguments, the same for every peer.
    command: &'static [&'static str],
    /// The same as a language and code, where it is one.
    code: Option<(&'static str, &'static str)>,
}

const WORKLOADS: [Workload; 2] = [
    Workload { name: "/bin/true", command: &["/bin/true"], code: None },
    Workload {
        name: "python pass",
        command: &["/usr/bin/python3", "-c", "pass"],
        code: Some(("python", "pass")),
    },
];

/// One way to run a program.
trait Peer {
    /// Its name in the table.
    fn name(&self) -> &'static str;

    /// What it does and does not do, in one line.
    fn note(&self) -> &'static str;

    /// Runs the workload once, to its end; the time that a caller waits for it.
    fn run(&mut self, workload: &Workload) -> Result<Duration, String>;
}

/// Makes a peer, or says why it cannot take part here.
type MakePeer = fn(&Options) -> Result<Box<dyn Peer>, String>;

/// The first is what the others' overhead is measured over, the second what their overhead is compared with.
const PEERS: [(&str, MakePeer); 4] = [
    (bare::NAME, bare::make),
    (bwrap::NAME, bwrap::make),
    (library::NAME, library::make),
    (command_line::NAME, command_line::make),
];

/// Runs before the counted ones, so that caches are warm for all alike.
const WARM_UP: u32 = 3;

/// Builds what is measured, measures it and prints the table.
pub fn command(options: &Options) -> Result<(), String> {
    if options.binary.is_none() {
        return build::and_start_again(options);
    }
    let (mut peers, left_out) = take_part(options);
    let measured = WORKLOADS
        .iter()
        .map(|workload| Ok((*workload, measure(workload, &mut peers, options.runs)?)))
        .collect::<Result<Vec<_>, String>>()?;
    let report = report::Report::new(options.runs, &peers, &measured, left_out);
    print!("{}", report.table());
    let scratch = std::env::temp_dir().join(format!("formicary-bench-{}", std::process::id()));
    std::fs::create_dir(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let sustained = sustained(&scratch, options);
    let _ = std::fs::remove_dir_all(&scratch);
    let sustained = sustained?;
    print!("{}", warm::table(&sustained.ready, &sustained.not_ready));
    print!("{}", compiling::table(&sustained.compile_cache, &sustained.not_compiled));
    print!("{}", judging::table(&sustained.judging));
    print!("{}", providers::table(&sustained.providers, &sustained.not_provided));
    if let Some(path) = &options.json {
        std::fs::write(path, report.json(&sustained)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        println!("figures written to {}", path.display());
    }
    Ok(())
}

/// What is measured beside single starts.
#[derive(Debug, serde::Serialize)]
pub struct Sustained {
    ready: Vec<warm::Row>,
    not_ready: Vec<String>,
    compile_cache: Vec<compiling::Row>,
    not_compiled: Vec<String>,
    judging: judging::Figures,
    providers: Vec<providers::Row>,
    not_provided: Vec<String>,
}

fn sustained(scratch: &Path, options: &Options) -> Result<Sustained, String> {
    let (ready, not_ready) = warm::measure(scratch, options.runs)?;
    let (compile_cache, not_compiled) = compiling::measure(scratch)?;
    let judging = judging::measure(scratch, options.judged)?;
    let (providers, not_provided) = providers::measure(options.runs)?;
    Ok(Sustained { ready, not_ready, compile_cache, not_compiled, judging, providers, not_provided })
}

fn take_part(options: &Options) -> (Vec<Box<dyn Peer>>, Vec<LeftOut>) {
    let mut left_out = Vec::new();
    let mut peers = Vec::new();
    for (name, make) in PEERS {
        match make(options) {
            Ok(peer) => peers.push(peer),
            Err(why) => left_out.push(LeftOut { peer: name, why }),
        }
    }
    (peers, left_out)
}

/// One set of samples a peer, in the peers' order.
fn measure(workload: &Workload, peers: &mut [Box<dyn Peer>], runs: u32) -> Result<Vec<Samples>, String> {
    let mut samples = vec![Samples::default(); peers.len()];
    for round in 0..runs + WARM_UP {
        for turn in 0..peers.len() {
            let index = (turn + round as usize) % peers.len();
            let peer = &mut peers[index];
            let time = peer
                .run(workload)
                .map_err(|error| format!("{} could not run {}: {error}", peer.name(), workload.name))?;
            if round >= WARM_UP {
                samples[index].push(time);
            }
        }
    }
    Ok(samples)
}

/// The time from before the start of a process until it has been waited for.
fn time_process(command: &mut Command) -> Result<Duration, String> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let start = Instant::now();
    let output = command.output().map_err(|error| error.to_string())?;
    let time = start.elapsed();
    if output.status.success() {
        Ok(time)
    } else {
        Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(Vec<&'static str>);

    impl Peer for Fixed {
        fn name(&self) -> &'static str {
            "fixed"
        }

        fn note(&self) -> &'static str {
            "always the same"
        }

        fn run(&mut self, workload: &Workload) -> Result<Duration, String> {
            self.0.push(workload.name);
            Ok(Duration::from_millis(self.0.len() as u64))
        }
    }

    #[test]
    fn each_peer_is_sampled_as_often_and_warmed_up() {
        let mut peers: Vec<Box<dyn Peer>> = vec![Box::new(Fixed(Vec::new())), Box::new(Fixed(Vec::new()))];
        let samples = measure(&WORKLOADS[0], &mut peers, 5).unwrap();
        for samples in samples {
            assert_eq!(samples.len(), 5);
            assert_eq!(samples.minimum(), Duration::from_millis(u64::from(WARM_UP) + 1));
        }
    }

    #[test]
    fn a_failing_program_is_no_sample() {
        assert!(time_process(&mut Command::new("/bin/true")).is_ok());
        assert!(time_process(&mut Command::new("/bin/false")).is_err());
        assert!(time_process(&mut Command::new("/no/such/program")).is_err());
    }
}
