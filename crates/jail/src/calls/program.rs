//! The table as a filter: a short program for the kernel's classic BPF machine.
//!
//! Calls that are allowed whatever their arguments cost nothing: the kernel works that out once when the filter is
//! installed and skips the program for them.

use super::{Action, Architecture, LAST_REVIEWED, Layer, Rule, TABLE, Test};
use crate::spec::Refusal;
use alloc::vec::Vec;
use libc::sock_filter;

const NUMBER: u32 = 0;
const ARCH: u32 = 4;
/// Where the lower half of an argument lies.
const fn argument(index: u8) -> u32 {
    16 + 8 * index as u32
}

const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const fn refuse(errno: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | errno as u32
}

/// Calls of one leaf of the tree, which are looked at one after the other.
const LEAF: usize = 3;

/// The filter for a layer of a sandbox with these refusals.
pub fn program(architecture: Architecture, layer: Layer, refusals: &[Refusal]) -> Vec<sock_filter> {
    let mut program = Piece::default();
    program.load(ARCH);
    program.if_equal(architecture.audit(), 1, 0);
    program.answer(libc::SECCOMP_RET_KILL_PROCESS);
    program.load(NUMBER);
    // Beyond what was reviewed, and with it the x32 numbers (bit 30).
    program.if_above(LAST_REVIEWED, 0, 1);
    program.answer(refuse(libc::ENOSYS));
    program.0.extend(branch(&answers(architecture, layer, refusals)).0);
    program.0
}

/// A piece of a program.
#[derive(Default)]
struct Piece(Vec<sock_filter>);

/// A jump names how many instructions are skipped if its test holds, and how many if not.
impl Piece {
    fn push(&mut self, code: u32, k: u32, jt: u8, jf: u8) {
        self.0.push(sock_filter { code: code as u16, jt, jf, k });
    }
    fn load(&mut self, offset: u32) {
        self.push(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset, 0, 0);
    }
    fn answer(&mut self, action: u32) {
        self.push(libc::BPF_RET | libc::BPF_K, action, 0, 0);
    }
    fn and(&mut self, k: u32) {
        self.push(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, k, 0, 0);
    }
    fn if_equal(&mut self, k: u32, jt: u8, jf: u8) {
        self.push(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, k, jt, jf);
    }
    fn if_any_bit(&mut self, k: u32, jt: u8, jf: u8) {
        self.push(libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K, k, jt, jf);
    }
    fn if_above(&mut self, k: u32, jt: u8, jf: u8) {
        self.push(libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K, k, jt, jf);
    }
    fn skip(&mut self, instructions: u32) {
        self.push(libc::BPF_JMP | libc::BPF_JA, instructions, 0, 0);
    }
    /// No piece that is jumped over is longer than a jump can be: a test holds that for the whole table.
    fn length(&self) -> u8 {
        self.0.len() as u8
    }
}

/// What is answered to which call, by number. Each piece ends with an answer.
fn answers(architecture: Architecture, layer: Layer, refusals: &[Refusal]) -> Vec<(u32, Piece)> {
    let mut answers: Vec<_> = TABLE
        .iter()
        .filter_map(|call| {
            let rules: Vec<&Rule> = call.rules_for(layer, refusals).collect();
            let number = call.number(architecture)?;
            (!rules.is_empty()).then(|| (number, answer(&rules, layer)))
        })
        .collect();
    answers.sort_unstable_by_key(|(number, _)| *number);
    answers
}

/// A search tree over the numbers. The kernel follows the program once for each of its calls when the filter is
/// installed: one question after the other would cost a tenth of a millisecond there.
fn branch(calls: &[(u32, Piece)]) -> Piece {
    let mut piece = Piece::default();
    if calls.len() <= LEAF {
        for (number, answer) in calls {
            piece.if_equal(*number, 0, answer.length());
            piece.0.extend_from_slice(&answer.0);
        }
        piece.answer(ALLOW);
        return piece;
    }
    let (low, high) = calls.split_at(calls.len() / 2);
    let below = branch(low);
    piece.if_above(high[0].0 - 1, 0, 1);
    piece.skip(below.0.len() as u32);
    piece.0.extend(below.0);
    piece.0.extend(branch(high).0);
    piece
}

/// One rule after the other.
fn answer(rules: &[&Rule], layer: Layer) -> Piece {
    let mut piece = Piece::default();
    for rule in rules {
        let action = match (rule.action, layer) {
            (Action::Fail(errno), _) => refuse(errno),
            (Action::Report | Action::Ask, Layer::Native) => libc::SECCOMP_RET_USER_NOTIF,
            (Action::Report | Action::Ask, _) => refuse(libc::EPERM),
        };
        let mut rest = Piece::default();
        rest.answer(action);
        // From the end: a test that fails skips what comes after it.
        for one in rule.tests.iter().rev() {
            let mut tested = test(one, rest.length());
            tested.0.append(&mut rest.0);
            rest = tested;
        }
        piece.0.append(&mut rest.0);
        if rule.tests.is_empty() {
            return piece;
        }
    }
    piece.answer(ALLOW);
    piece
}

/// Goes on behind itself where the test holds, and skips the `rest` there where it does not.
fn test(test: &Test, rest: u8) -> Piece {
    let mut piece = Piece::default();
    match *test {
        Test::AnyBit(index, bits) => {
            piece.load(argument(index));
            piece.if_any_bit(bits, 0, rest);
        }
        Test::Among(index, mask, values) => {
            piece.load(argument(index));
            if mask != u32::MAX {
                piece.and(mask);
            }
            for (value, left) in values.iter().zip((0..values.len() as u8).rev()) {
                piece.if_equal(*value, left, if left == 0 { rest } else { 0 });
            }
        }
        Test::NoneOf(index, values) => {
            piece.load(argument(index));
            for (value, left) in values.iter().zip((0..values.len() as u8).rev()) {
                piece.if_equal(*value, left + rest, 0);
            }
        }
        Test::NotNull(index) => {
            piece.load(argument(index));
            piece.if_any_bit(u32::MAX, 2, 0);
            piece.load(argument(index) + 4);
            piece.if_any_bit(u32::MAX, 0, rest);
        }
    }
    piece
}
