//! What one sandboxed start costs, next to a bare one and to others. Samples are interleaved and the order rotates, so
//! that drift falls on all peers alike.
//!
//! A peer is one file; [`PEERS`] is where it is registered.

mod bare;
mod bwrap;
mod command_line;
mod library;
mod report;

use super::sample::Samples;
use super::{Measured, Options, WARM_UP, time_process};
use report::LeftOut;
use std::path::Path;
use std::time::Duration;

/// A program whose start is measured.
#[derive(Debug, Clone, Copy)]
pub struct Workload {
    /// Its name in the table.
    pub name: &'static str,
    /// The program and its arguments, the same for every peer.
    pub command: &'static [&'static str],
    /// The same as a language and code, where it is one.
    pub code: Option<(&'static str, &'static str)>,
}

/// What is started.
pub const WORKLOADS: [Workload; 2] = [
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

/// Lets every peer run every workload.
pub fn measured(options: &Options, _scratch: &Path) -> Result<Measured, String> {
    let (mut peers, left_out) = take_part(options);
    let measured = WORKLOADS
        .iter()
        .map(|workload| Ok((*workload, measure(workload, &mut peers, options.runs)?)))
        .collect::<Result<Vec<_>, String>>()?;
    let report = report::Report::new(options.runs, &peers, &measured, left_out);
    Measured::new(report.table(), &report)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

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
