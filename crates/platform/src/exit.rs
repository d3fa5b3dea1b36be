//! The one table of how things end: exit codes for the command line, HTTP statuses for the server.

#[cfg(feature = "agent")]
use formicary_agent::{BudgetKind, Ending};
use formicary_model::{Diagnosis, ExecutionResult, FailureKind, JudgeSummary, Status};
use serde::Serialize;

/// The request or the configuration is wrong.
pub const INVALID: u8 = 120;
/// The language's tools are not on this host.
pub const TOOLCHAIN_MISSING: u8 = 121;
/// The host cannot give the protection that was asked for.
pub const ISOLATION_UNAVAILABLE: u8 = 122;
/// The program hit a limit other than time, or was refused something and failed.
pub const LIMIT: u8 = 123;
/// The program ran out of time.
pub const TIME: u8 = 124;
/// Formicary or its sandbox failed.
pub const INTERNAL: u8 = 125;
/// The program did not compile.
pub const COMPILE_ERROR: u8 = 126;
/// The caller cancelled.
pub const CANCELLED: u8 = 130;
/// Whoever read the output went away.
pub const OUTPUT_CLOSED: u8 = 141;

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ExitRow {
    /// The exit code, or in words where it depends on the program.
    pub code: &'static str,
    /// When.
    pub meaning: &'static str,
}

/// The table as it is shown to people.
pub const TABLE: &[ExitRow] = &[
    ExitRow {
        code: "0–255", meaning: "the program's own exit code, passed through (success, nonzero_exit)"
    },
    ExitRow { code: "128+N", meaning: "signal N ended the program (signaled)" },
    ExitRow { code: "0 (judge)", meaning: "every program was judged and accepted" },
    ExitRow { code: "1 (judge)", meaning: "some program was not accepted, or could not be judged" },
    ExitRow { code: "0 (review, gate)", meaning: "nothing was found that fails it; every gate is met" },
    ExitRow { code: "1 (review, gate)", meaning: "findings reach --fail-on; a gate is not met" },
    ExitRow { code: "0 (search)", meaning: "something matches" },
    ExitRow { code: "1 (search)", meaning: "nothing matches" },
    ExitRow {
        code: "1 (rewrite, refactor, rules test)",
        meaning: "a file that matches was left alone; the change was taken back; a rule fails its test",
    },
    ExitRow { code: "0 (diagnose)", meaning: "the program ran, and nothing went wrong" },
    ExitRow { code: "1 (diagnose)", meaning: "an error was found" },
    ExitRow { code: "3 (diagnose)", meaning: "a log was read, and no error of a known form is in it" },
    ExitRow {
        code: "0 (fix, debug)",
        meaning: "a patch was found, and tests or an expected output verify it",
    },
    ExitRow {
        code: "1 (fix, debug)",
        meaning: "no patch that passes was found within the budget, or none that a test verifies (suggested)",
    },
    ExitRow { code: "3 (fix, debug)", meaning: "nothing is wrong: the tests pass as the program is" },
    ExitRow { code: "0 (audit verify)", meaning: "every record is as it was written" },
    ExitRow { code: "1 (audit verify)", meaning: "a record was changed, is missing, or was put in" },
    ExitRow {
        code: "0 (tests)",
        meaning: "every test passed; mutants reach --least-score; tests were written",
    },
    ExitRow {
        code: "1 (tests)",
        meaning: "a test did not pass, or none ran; mutants do not reach --least-score; no test was found to write",
    },
    ExitRow { code: "0 (agent)", meaning: "the task is done: accepted, and the review lets it pass" },
    ExitRow { code: "1 (agent)", meaning: "the model gave up" },
    ExitRow { code: "10 (agent)", meaning: "out of steps" },
    ExitRow { code: "11 (agent)", meaning: "out of attempts" },
    ExitRow { code: "12 (agent)", meaning: "out of time" },
    ExitRow { code: "13 (agent)", meaning: "out of tokens" },
    ExitRow { code: "14 (agent)", meaning: "out of money" },
    ExitRow { code: "15 (agent)", meaning: "out of sandbox time" },
    ExitRow { code: "16 (agent)", meaning: "going in circles" },
    ExitRow { code: "17 (agent)", meaning: "the model could not be asked" },
    ExitRow { code: "18 (agent)", meaning: "a human was needed and nobody answered" },
    ExitRow { code: "19 (agent)", meaning: "it works, but the review does not let it pass" },
    ExitRow { code: "120", meaning: "the input or the configuration is wrong; nothing ran" },
    ExitRow { code: "121", meaning: "the language's tools are not on this host; nothing ran" },
    ExitRow { code: "122", meaning: "this host cannot give the protection that is required; nothing ran" },
    ExitRow {
        code: "123",
        meaning: "another limit (memory_limit, process_limit, disk_limit, output_limit), or denied",
    },
    ExitRow { code: "124", meaning: "time ran out (timeout, cpu_limit)" },
    ExitRow { code: "125", meaning: "Formicary or its sandbox failed" },
    ExitRow { code: "126", meaning: "the program did not compile (compile_error)" },
    ExitRow { code: "130", meaning: "cancelled, by Ctrl-C or SIGTERM" },
    ExitRow { code: "141", meaning: "whoever read Formicary's output went away" },
];

/// `judge`: not every program was accepted.
pub const NOT_ACCEPTED: u8 = 1;

/// `search`: nothing matches; `rewrite`, `refactor`, `rules test`: not everything went as it should.
pub const NOT_DONE: u8 = 1;

/// `review`, `gate`, `clones`: what was found fails it.
pub const NOT_PASSED: u8 = 1;

/// `diagnose`: an error was found.
pub const ERROR_FOUND: u8 = 1;

/// `diagnose`: no error was found in a log. That is no promise that there is none, so it is not 0.
pub const NO_ERROR_FOUND: u8 = 3;

/// `audit verify`: a record is not as it was written.
pub const CHANGED: u8 = 1;

/// `fix`, `debug`: no patch that passes was found, or none that a test verifies.
pub const NOT_FIXED: u8 = 1;

/// `fix`, `debug`: the tests pass as the program is.
pub const NOTHING_WRONG: u8 = 3;

/// `tests`: not every test passed, or nothing came of it.
pub const TESTS_NOT_PASSED: u8 = 1;

/// The exit code of a run of the agent that came to its end.
#[cfg(feature = "agent")]
pub const fn agent_code(ending: Ending) -> u8 {
    match ending {
        Ending::Solved => 0,
        Ending::GaveUp => 1,
        Ending::OutOf(BudgetKind::Steps) => 10,
        Ending::OutOf(BudgetKind::Attempts) => 11,
        Ending::OutOf(BudgetKind::Time) => 12,
        Ending::OutOf(BudgetKind::Tokens) => 13,
        Ending::OutOf(BudgetKind::Money) => 14,
        Ending::OutOf(BudgetKind::Sandbox) => 15,
        Ending::Circles => 16,
        Ending::ModelFailed => 17,
        Ending::NeedsHuman => 18,
        Ending::GateNotMet => 19,
    }
}

/// The exit code of a diagnosis: of a run, which has a status, or of a log, which has none.
pub fn diagnosis_code(diagnosis: &Diagnosis) -> u8 {
    match (diagnosis.errors.is_empty(), diagnosis.status) {
        (false, _) => ERROR_FOUND,
        (true, Some(status)) => status_code(status, None, None),
        (true, None) => NO_ERROR_FOUND,
    }
}

/// The exit code of a judging that came to its end.
pub fn judge_code(summary: &JudgeSummary) -> u8 {
    if summary.all_accepted() { 0 } else { NOT_ACCEPTED }
}

/// The exit code of a failure.
pub const fn failure_code(kind: FailureKind) -> u8 {
    match kind {
        FailureKind::InvalidInput
        | FailureKind::Forbidden
        | FailureKind::NotFound
        | FailureKind::InvalidConfiguration => INVALID,
        FailureKind::ToolchainMissing => TOOLCHAIN_MISSING,
        FailureKind::IsolationUnavailable => ISOLATION_UNAVAILABLE,
        FailureKind::SandboxFailed | FailureKind::Internal => INTERNAL,
        FailureKind::Cancelled => CANCELLED,
    }
}

/// The HTTP status of a failure.
pub const fn failure_http_status(kind: FailureKind) -> u16 {
    match kind {
        FailureKind::InvalidInput => 400,
        FailureKind::Forbidden => 403,
        FailureKind::NotFound => 404,
        FailureKind::InvalidConfiguration | FailureKind::SandboxFailed | FailureKind::Internal => 500,
        FailureKind::ToolchainMissing => 501,
        FailureKind::IsolationUnavailable => 503,
        FailureKind::Cancelled => 499,
    }
}

/// The exit code that a result stands for.
pub fn result_code(result: &ExecutionResult) -> u8 {
    status_code(result.status, result.exit_code, result.signal)
}

/// The exit code of a status, with the program's own code or signal.
pub fn status_code(status: Status, exit_code: Option<i32>, signal: Option<i32>) -> u8 {
    match status {
        Status::Success => 0,
        // Exit codes have eight bits; a program that failed never looks like one that did not.
        Status::NonzeroExit => exit_code.map_or(1, |code| (code & 0xff) as u8).max(1),
        Status::Signaled => signal.map_or(128, |signal| (128 + (signal & 0x7f)) as u8),
        Status::Timeout | Status::CpuLimit => TIME,
        Status::MemoryLimit
        | Status::ProcessLimit
        | Status::DiskLimit
        | Status::OutputLimit
        | Status::Denied => LIMIT,
        Status::CompileError => COMPILE_ERROR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn our_own_codes_are_unambiguous_and_documented() {
        let own = [
            INVALID,
            TOOLCHAIN_MISSING,
            ISOLATION_UNAVAILABLE,
            LIMIT,
            TIME,
            INTERNAL,
            COMPILE_ERROR,
            CANCELLED,
            OUTPUT_CLOSED,
        ];
        let distinct: BTreeSet<_> = own.into_iter().collect();
        assert_eq!(distinct.len(), own.len());
        let documented: BTreeSet<u8> = TABLE.iter().filter_map(|row| row.code.parse().ok()).collect();
        assert_eq!(documented, distinct);
    }

    #[test]
    fn a_failure_of_ours_never_has_a_code_of_a_result() {
        let of_failures: BTreeSet<u8> = FailureKind::ALL.into_iter().map(failure_code).collect();
        for status in Status::ALL {
            if matches!(status, Status::NonzeroExit | Status::Signaled) {
                continue;
            }
            assert!(!of_failures.contains(&status_code(status, Some(0), None)), "{status}");
            let row = TABLE.iter().filter(|row| row.meaning.contains(status.word())).count();
            assert_eq!(row, 1, "{status} stands in one row");
        }
    }

    #[test]
    fn every_end_of_the_agent_has_a_code_of_its_own() {
        let codes: BTreeSet<u8> = Ending::ALL.into_iter().map(agent_code).collect();
        assert_eq!(codes.len(), Ending::ALL.len());
        for code in codes {
            assert!(TABLE.iter().any(|row| row.code == format!("{code} (agent)")), "{code}");
        }
    }

    #[test]
    fn only_a_program_that_ran_well_diagnoses_as_0() {
        let said =
            formicary_diagnose::failures::text::Said::of(b"Traceback (most recent call last):\nKeyError: 1");
        let error = formicary_diagnose::failures::of_text(&said, None, &[]).errors.remove(0);
        let diagnosis = |status, errors: usize| Diagnosis {
            status,
            errors: vec![error.clone(); errors],
            ..Diagnosis::default()
        };
        for (status, errors, code) in [
            (None, 0, 3),
            (None, 2, 1),
            (Some(Status::Success), 0, 0),
            (Some(Status::Success), 1, 1),
            (Some(Status::NonzeroExit), 1, 1),
            (Some(Status::NonzeroExit), 0, 1),
            (Some(Status::Timeout), 0, TIME),
        ] {
            assert_eq!(diagnosis_code(&diagnosis(status, errors)), code, "{status:?} {errors}");
        }
    }

    #[test]
    fn the_programs_own_end_is_passed_through() {
        let cases = [
            (Status::Success, Some(0), None, 0),
            (Status::NonzeroExit, Some(3), None, 3),
            (Status::NonzeroExit, Some(255), None, 255),
            (Status::NonzeroExit, Some(256), None, 1),
            (Status::NonzeroExit, None, None, 1),
            (Status::Signaled, None, Some(11), 139),
            (Status::Signaled, None, Some(9), 137),
            (Status::Timeout, None, Some(9), 124),
            (Status::MemoryLimit, None, Some(9), 123),
            (Status::CompileError, Some(1), None, 126),
        ];
        for (status, exit_code, signal, code) in cases {
            assert_eq!(status_code(status, exit_code, signal), code, "{status} {exit_code:?} {signal:?}");
        }
    }

    #[test]
    fn http_statuses_tell_client_from_server() {
        for kind in FailureKind::ALL {
            let status = failure_http_status(kind);
            let client = matches!(
                kind,
                FailureKind::InvalidInput
                    | FailureKind::Forbidden
                    | FailureKind::NotFound
                    | FailureKind::Cancelled
            );
            assert_eq!((400..500).contains(&status), client, "{kind:?}");
        }
    }
}
