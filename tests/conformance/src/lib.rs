//! What a hostile or broken program tries, and what must become of it: every case against every provider.
//!
//! | module | what it holds |
//! |---|---|
//! | [`case`] | one attack: a program, its limits, the verdict expected, the proof that it works unprotected |
//! | [`program`] | the attacking programs: Python, Bash, and C compiled once |
//! | [`scene`] | what an attack finds on the host: a secret file, a process, services that listen |
//! | [`expect`] | what the outcome must be |
//! | [`protected`] | a case against a provider, with the checks on the host's side |
//! | [`unprotected`] | the same program without protection, to see that the attack is real |
//! | [`reaper`] | the process above an unprotected run, with which everything ends that the run started |
//! | [`cases`] | all the cases, by area |
//! | [`scenarios`] | what takes more than one program: many runs, two at once, a controller that is killed |
//! | [`providers`], [`warm`] | the providers under test |

pub mod case;
pub mod cases;
pub mod differences;
pub mod expect;
pub mod matrix;
pub mod program;
pub mod protected;
pub mod providers;
pub mod reaper;
pub mod scenarios;
pub mod scene;
pub mod unprotected;
pub mod warm;
