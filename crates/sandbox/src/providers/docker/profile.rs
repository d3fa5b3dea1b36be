//! The system calls that a container is refused: the one table, in the engine's words.
//!
//! The profile lies on everything in the container, the guest agent too; the agent lays a filter from the same table on the
//! program besides, which knows numbers, so that unknown ones are refused there.

use formicary_jail::calls::{Action, Architecture, Layer, Rule, TABLE, Test};
use formicary_jail::spec::Refusal;
use serde_json::{Value, json};

/// The profile for a container with these refusals, as the engine takes it.
pub fn profile(architecture: Architecture, refusals: &[Refusal]) -> String {
    let calls = TABLE.iter().filter(|call| call.number(architecture).is_some());
    let rules = calls.flat_map(|call| {
        let rules = call.rules_for(Layer::Profile, refusals);
        rules.flat_map(|rule| {
            alternatives(rule).into_iter().map(|tests| entry(call.name, rule.action, &tests))
        })
    });
    let rules: Vec<Value> = rules.collect();
    json!({ "defaultAction": "SCMP_ACT_ALLOW", "architectures": names(architecture), "syscalls": rules })
        .to_string()
}

fn entry(name: &str, action: Action, tests: &[Value]) -> Value {
    let errno = match action {
        Action::Fail(errno) => errno,
        Action::Report | Action::Ask => libc::EPERM,
    };
    json!({ "names": [name], "action": "SCMP_ACT_ERRNO", "errnoRet": errno, "args": tests })
}

/// Numbers of an interface that is not listed mean death, and there are programs that probe.
fn names(architecture: Architecture) -> &'static [&'static str] {
    match architecture {
        Architecture::X86_64 => &["SCMP_ARCH_X86_64", "SCMP_ARCH_X32"],
        Architecture::Aarch64 => &["SCMP_ARCH_AARCH64"],
    }
}

/// The engine knows comparisons with one value, all of which must hold: every way in which a rule's tests can hold.
fn alternatives(rule: &Rule) -> Vec<Vec<Value>> {
    rule.tests.iter().fold(vec![Vec::new()], |ways, test| {
        let longer = |way: &Vec<Value>, one: &Value| way.iter().chain([one]).cloned().collect();
        let own = comparisons(test);
        ways.iter().flat_map(|way| own.iter().map(move |one| longer(way, one))).collect()
    })
}

fn comparisons(test: &Test) -> Vec<Value> {
    let masked = |index: u8, mask: u32, value: u32| json!({ "index": index, "value": mask, "valueTwo": value, "op": "SCMP_CMP_MASKED_EQ" });
    match *test {
        Test::AnyBit(index, bits) => {
            let bits = (0..u32::BITS).map(|bit| 1 << bit).filter(|bit| bits & bit != 0);
            bits.map(|bit| masked(index, bit, bit)).collect()
        }
        Test::Among(index, mask, values) => values.iter().map(|value| masked(index, mask, *value)).collect(),
        Test::NoneOf(index, values) => {
            let outside = outside(0, 0, values);
            outside.into_iter().map(|(mask, value)| masked(index, mask, value)).collect()
        }
        Test::NotNull(index) => {
            vec![json!({ "index": index, "value": 0, "valueTwo": 0, "op": "SCMP_CMP_NE" })]
        }
    }
}

/// All numbers that begin with the `value` beneath `mask` and are none of these, as few (mask, value) as there can be.
fn outside(mask: u32, value: u32, values: &[u32]) -> Vec<(u32, u32)> {
    if !values.iter().any(|one| one & mask == value) {
        return vec![(mask, value)];
    }
    if mask == u32::MAX {
        return Vec::new();
    }
    let next = 1 << (u32::BITS - 1 - mask.leading_ones());
    [value, value | next].into_iter().flat_map(|value| outside(mask | next, value, values)).collect()
}
