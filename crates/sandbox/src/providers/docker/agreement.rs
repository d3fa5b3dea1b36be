//! Proof that everything printed from the table of system-call rules means the same: the filters are interpreted as the
//! kernel does it, the engine's profile by its documented meaning, and both are compared with the table's own word.

use super::profile::profile;
use formicary_jail::calls::program::program;
use formicary_jail::calls::{
    Action, Architecture, Call, LAST_REVIEWED, Layer, Rule, TABLE, Test, Verdict, verdict,
};
use formicary_jail::spec::Refusal;
use libc::sock_filter;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const SETS: [&[Refusal]; 6] = [
    &[],
    &[Refusal::UnseenLocks],
    &[Refusal::SetuidBits],
    &[Refusal::HiddenMemory, Refusal::UncountedSharing, Refusal::UnseenLocks],
    &[Refusal::Affinity, Refusal::UncountedSharing],
    &[
        Refusal::HiddenMemory,
        Refusal::UncountedSharing,
        Refusal::UnseenLocks,
        Refusal::Affinity,
        Refusal::SetuidBits,
    ],
];
/// Numbers that no row is about: the next ones, and those of the interface with 32-bit pointers.
const STRANGE: [u32; 6] = [LAST_REVIEWED, LAST_REVIEWED + 1, 999, 0x4000_0000, 0x4000_0000 | 272, u32::MAX];

/// The kernel's machine, as far as our filters use it.
fn interpret(
    filter: &[sock_filter],
    architecture: Architecture,
    number: u32,
    arguments: &[u64; 6],
) -> Verdict {
    let word = |offset: u32| match offset {
        0 => number,
        4 => architecture.audit(),
        16.. => (arguments[(offset as usize - 16) / 8] >> (8 * (offset % 8))) as u32,
        _ => panic!("a filter reads {offset}"),
    };
    let (mut at, mut register) = (0, 0u32);
    loop {
        let sock_filter { code, jt, jf, k } = filter[at];
        at += 1;
        let mut jump = |holds: bool| at += usize::from(if holds { jt } else { jf });
        match u32::from(code) {
            code if code == libc::BPF_LD | libc::BPF_W | libc::BPF_ABS => register = word(k),
            code if code == libc::BPF_ALU | libc::BPF_AND | libc::BPF_K => register &= k,
            code if code == libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K => jump(register == k),
            code if code == libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K => jump(register & k != 0),
            code if code == libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K => jump(register > k),
            code if code == libc::BPF_JMP | libc::BPF_JA => at += k as usize,
            code if code == libc::BPF_RET | libc::BPF_K => return meaning(k),
            code => panic!("a filter has an instruction of code {code:#x}"),
        }
    }
}

fn meaning(answer: u32) -> Verdict {
    match answer & 0xffff_0000 {
        libc::SECCOMP_RET_ALLOW => Verdict::Allow,
        libc::SECCOMP_RET_USER_NOTIF => Verdict::Notify,
        libc::SECCOMP_RET_ERRNO => Verdict::Fail((answer & 0xffff) as i32),
        other => panic!("a filter answers {other:#x}"),
    }
}

/// A profile read as its specification says: a rule matches if all its arguments do. Of rules that match, all must say the same,
/// since nothing says which comes first.
struct Profile(BTreeMap<String, Vec<(i32, Vec<Value>)>>);

impl Profile {
    fn read(text: &str) -> Self {
        let whole: Value = serde_json::from_str(text).unwrap();
        assert_eq!(whole["defaultAction"], "SCMP_ACT_ALLOW");
        let mut rules = BTreeMap::<_, Vec<_>>::new();
        for rule in whole["syscalls"].as_array().unwrap() {
            assert_eq!(rule["action"], "SCMP_ACT_ERRNO");
            let errno = rule["errnoRet"].as_i64().unwrap() as i32;
            let arguments = rule["args"].as_array().unwrap().clone();
            let tested: BTreeSet<_> = arguments.iter().map(|one| one["index"].as_u64().unwrap()).collect();
            assert_eq!(tested.len(), arguments.len(), "two tests of one argument are alternatives");
            for name in rule["names"].as_array().unwrap() {
                let name = name.as_str().unwrap().to_string();
                rules.entry(name).or_default().push((errno, arguments.clone()));
            }
        }
        Self(rules)
    }

    fn verdict(&self, call: &Call, arguments: &[u64; 6]) -> Verdict {
        let holds = |test: &Value| {
            let number = |field: &str| test[field].as_u64().unwrap();
            let argument = arguments[number("index") as usize];
            match test["op"].as_str().unwrap() {
                "SCMP_CMP_MASKED_EQ" => argument & number("value") == number("valueTwo"),
                "SCMP_CMP_NE" => argument != number("value"),
                other => panic!("a profile compares by {other}"),
            }
        };
        let rules = self.0.get(call.name).into_iter().flatten();
        let errnos: BTreeSet<i32> =
            rules.filter(|(_, tests)| tests.iter().all(holds)).map(|(errno, _)| *errno).collect();
        assert!(errnos.len() < 2, "{}: rules contradict each other at {arguments:x?}", call.name);
        errnos.first().map_or(Verdict::Allow, |errno| Verdict::Fail(*errno))
    }
}

/// Arguments on both sides of every test of a call, alone and combined.
fn representatives(call: &Call) -> Vec<[u64; 6]> {
    let mut values = [const { BTreeSet::<u64>::new() }; 6];
    for test in call.rules.iter().flat_map(|rule| rule.tests) {
        let (index, edges): (u8, Vec<u32>) = match *test {
            Test::AnyBit(index, bits) => {
                let each = (0..32)
                    .map(|bit| 1 << bit)
                    .filter(|bit| bits & bit != 0 && (bits != u32::MAX || bit % 7 == 1));
                (index, each.chain([bits, !bits]).collect())
            }
            Test::Among(index, mask, values) => {
                let near = values.iter().flat_map(|value| [*value, value ^ 1, value | !mask]);
                (index, near.chain([mask]).collect())
            }
            Test::NoneOf(index, values) => {
                let near =
                    values.iter().flat_map(|value| [*value, value ^ 1, value.wrapping_add(1), value | 0x100]);
                (index, near.chain([46, 47, 64, 1 << 31]).collect())
            }
            Test::NotNull(index) => (index, vec![1, 0x8000_0000]),
        };
        let edges = edges.into_iter().chain([0, u32::MAX]).map(u64::from);
        values[usize::from(index)].extend(edges.flat_map(|edge| [edge, edge | 1 << 33]));
    }
    values.iter().enumerate().filter(|(_, values)| !values.is_empty()).fold(
        vec![[0; 6]],
        |all, (index, values)| {
            let with = |arguments: &[u64; 6], value: u64| {
                let mut arguments = *arguments;
                arguments[index] = value;
                arguments
            };
            all.iter().flat_map(|arguments| values.iter().map(move |value| with(arguments, *value))).collect()
        },
    )
}

#[test]
fn filters_and_profile_say_what_the_table_says() {
    let mut compared = 0;
    for architecture in Architecture::ALL {
        for refusals in SETS {
            let filters =
                [Layer::Native, Layer::Guest].map(|layer| (layer, program(architecture, layer, refusals)));
            let profile = Profile::read(&profile(architecture, refusals));
            let by_number = |number: u32, arguments: &[u64; 6]| {
                for (layer, filter) in &filters {
                    let expected = verdict(architecture, *layer, refusals, number, arguments);
                    let found = interpret(filter, architecture, number, arguments);
                    assert_eq!(
                        found, expected,
                        "{layer:?} {architecture:?} {refusals:?} {number} {arguments:x?}"
                    );
                }
            };
            for number in (0..=LAST_REVIEWED).chain(STRANGE) {
                by_number(number, &[0; 6]);
                by_number(number, &[u64::MAX; 6]);
            }
            for call in TABLE {
                let Some(number) = call.number(architecture) else {
                    assert!(
                        !profile.0.contains_key(call.name),
                        "{} is not a call of {architecture:?}",
                        call.name
                    );
                    continue;
                };
                for arguments in representatives(call) {
                    by_number(number, &arguments);
                    let expected = verdict(architecture, Layer::Profile, refusals, number, &arguments);
                    let found = profile.verdict(call, &arguments);
                    assert_eq!(found, expected, "{} {architecture:?} {refusals:?} {arguments:x?}", call.name);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 10_000, "only {compared} sets of arguments were compared");
}

/// Layers differ in who is asked, and where the table gives a reason: nowhere else.
#[test]
fn layers_differ_for_a_reason_alone() {
    const LAYERS: [Layer; 3] = [Layer::Native, Layer::Guest, Layer::Profile];
    let unheard = |verdict: Verdict| match verdict {
        Verdict::Notify => Verdict::Fail(libc::EPERM),
        other => other,
    };
    // What is only asked about is allowed where nobody is.
    let is_special = |rule: &Rule| rule.absent.is_some() || matches!(rule.action, Action::Ask);
    for (call, number) in TABLE.iter().filter_map(|call| Some((call, call.number(Architecture::HERE)?))) {
        for refusals in [&[][..], &[Refusal::HiddenMemory, Refusal::Affinity, Refusal::SetuidBits]] {
            for arguments in representatives(call) {
                let verdicts = LAYERS
                    .map(|layer| unheard(verdict(Architecture::HERE, layer, refusals, number, &arguments)));
                let agree = verdicts.iter().all(|one| *one == verdicts[0]);
                assert!(
                    agree || call.rules.iter().any(is_special),
                    "{} {arguments:x?}: {verdicts:?}",
                    call.name
                );
            }
        }
    }
}

#[test]
fn a_foreign_interface_is_death() {
    for architecture in Architecture::ALL {
        let filter = program(architecture, Layer::Guest, &[]);
        // Load the architecture, go on if it is ours, else end the process.
        assert_eq!((filter[0].k, filter[1].k, filter[1].jt), (4, architecture.audit(), 1));
        assert_eq!(filter[2].k, libc::SECCOMP_RET_KILL_PROCESS);
    }
}
