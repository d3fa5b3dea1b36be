//! Every budget ends the run by itself, with the best that there was; going back and forth is noticed.

use super::*;
use formicary_platform::agent::{Ending, Outcome};
use formicary_platform::use_case::Human;
use std::time::Duration;

/// Settings, key and value.
type Flags = &'static [(&'static str, &'static str)];

fn ends(plays: Vec<Play>, flags: &[(&str, &str)], budget: Budget) -> Outcome {
    let bench = Bench::new("openai", plays, flags);
    let done = bench.run(spending(bench.options(expects("hello\n"), None), budget)).unwrap();
    let outcome = done.outcome;
    // The end is an end: resuming gives the same again, and asks nobody.
    let asked = bench.asked().len();
    let again = bench.resume(&outcome.id).unwrap().outcome;
    assert_eq!(
        (again.ending, &again.tree, again.reason),
        (outcome.ending, &outcome.tree, outcome.reason.clone())
    );
    assert_eq!(bench.asked().len(), asked);
    assert_eq!(bench.replay(&outcome.id).unwrap().outcome.tree, outcome.tree);
    assert!(done.folder.join("transcript.html").is_file());
    outcome
}

fn look(word: usize) -> Play {
    call("find_text", json!({"text": format!("word {word}")}))
}

#[test]
fn each_budget_ends_the_run_with_its_reason() {
    let roomy = || Budget { attempts: 50, ..Budget::default() };
    let sleepy = "import time\ntime.sleep(0.7)\nprint('x')";
    let word = |outcome: &Outcome| outcome.ending.word();
    let cases: Vec<(&str, Vec<Play>, Flags, Budget)> = vec![
        ("out of steps", (0..9).map(look).collect(), &[], Budget { steps: 3, ..roomy() }),
        (
            "out of attempts",
            (0..9).map(|n| main_py(&format!("print({n})"))).collect(),
            &[],
            Budget { attempts: 2, ..roomy() },
        ),
        (
            "out of time",
            (0..9)
                .map(|n| {
                    Play::Slow(
                        Spoken::call("find_text", json!({"text": format!("{n}")})),
                        Duration::from_millis(60),
                    )
                })
                .collect(),
            &[],
            Budget { seconds: 0.8, ..roomy() },
        ),
        ("out of tokens", (0..9).map(look).collect(), &[], Budget { tokens: 250, ..roomy() }),
        (
            "out of money",
            (0..9).map(look).collect(),
            &[("llm.prices", "scripted=10000/0")],
            Budget { money: Some(1.5), ..roomy() },
        ),
        (
            "out of sandbox time",
            (0..9).map(|n| main_py(&format!("{sleepy}\n# {n}"))).collect(),
            &[],
            Budget { sandbox_seconds: 1.2, ..roomy() },
        ),
    ];
    for (expected, plays, flags, budget) in cases {
        let outcome = ends(plays, flags, budget);
        assert_eq!(word(&outcome), expected, "{}", outcome.reason);
        assert!(outcome.reason.contains("budget"), "{}", outcome.reason);
        let spent = &outcome.spent;
        // On a busy machine the time may be over before the first answer is.
        let first = spent.steps > 0 || expected == "out of time";
        assert!(first && spent.steps < 9, "{expected}: {spent:?}");
    }
}

#[test]
fn attempts_are_counted_for_each_step_of_the_plan() {
    let wrong = |n: usize| [write("main.py", &format!("print({n})\n")), finish()];
    let plan =
        || call("plan", json!({"steps": [{"title": "one", "check": "test -e one"}, {"title": "two"}]}));
    let mut plays =
        vec![plan(), call("step_done", json!({})), write("one", "1"), call("step_done", json!({}))];
    // Planning anew gives no attempt back.
    plays.extend(wrong(1));
    plays.push(call("plan", json!({"steps": [{"title": "two again"}]})));
    plays.extend(wrong(2));
    plays.extend(wrong(3));
    let outcome = ends(plays, &[], Budget { attempts: 2, ..Budget::default() });
    assert_eq!(outcome.ending.word(), "out of attempts", "{}", outcome.reason);
    assert_eq!((outcome.spent.attempts, outcome.spent.steps), (3, 9));
}

#[test]
fn the_best_state_is_handed_over_not_the_last() {
    let plays = vec![main_py("print('nearly')"), main_py("raise SystemExit(3)")];
    let outcome = ends(plays, &[], Budget { attempts: 2, ..Budget::default() });
    assert_eq!(outcome.files.text("main.py"), Some("print('nearly')\n"));
}

#[test]
fn going_in_circles_is_noticed() {
    let (a, b) = (|| main_py("print('a')"), || main_py("print('b')"));
    let budget = || Budget { attempts: 20, ..Budget::default() };
    for plays in [
        vec![a(), b(), a(), b(), a(), b()],
        vec![call("read_file", json!({"path": "no.py"})); 6],
        vec![say("I shall think about it."); 6],
    ] {
        let outcome = ends(plays, &[], budget());
        assert_eq!(outcome.ending, Ending::Circles, "{}", outcome.reason);
        assert!(outcome.spent.steps < 6);
    }
}

#[test]
fn a_model_may_give_up() {
    let outcome = ends(
        vec![call("finish", json!({"summary": "it cannot be done", "give_up": true}))],
        &[],
        Budget::default(),
    );
    assert_eq!((outcome.ending, outcome.reason.as_str()), (Ending::GaveUp, "it cannot be done"));
}

#[test]
fn questions_need_somebody_to_answer() {
    struct Person(Option<&'static str>);
    impl Human for Person {
        fn answer(&self, _: &str) -> Option<String> {
            self.0.map(str::to_owned)
        }
    }
    let question = || call("ask_user", json!({"question": "which way?"}));
    let asking = |bench: &Bench, person: &Person| {
        let options = bench.options(expects("hello\n"), None);
        bench.platform.perform::<SolveTask>(&bench.context().asking(person), options).unwrap().outcome.ending
    };
    let bench = Bench::new("openai", vec![question()], &[]);
    assert_eq!(asking(&bench, &Person(None)), Ending::NeedsHuman);
    let bench = Bench::new("openai", vec![question(), main_py("print('hello')")], &[]);
    assert_eq!(asking(&bench, &Person(Some("that way"))), Ending::Solved);
    assert!(bench.asked()[1].contains("The user answers: that way"));
}

#[test]
fn long_conversations_stay_within_the_window() {
    let filler = "x = 1  # a long line that fills the window of a small model\n".repeat(60);
    let mut plays: Vec<Play> = (0..12).map(|n| write(&format!("f{n}.py"), &filler)).collect();
    plays.extend((0..6).map(|n| call("read_file", json!({"path": format!("f{n}.py")}))));
    plays.push(main_py("print('hello')"));
    let bench = Bench::new("openai", plays, &[("llm.context_tokens", "6000")]);
    let outcome = bench.solve(expects("hello\n"), None);
    assert_eq!(outcome.ending, Ending::Solved, "{}", outcome.reason);
    let asked = bench.server.seen();
    for seen in &asked {
        assert!(
            seen.body["messages"].to_string().len() < 6_000 * 4,
            "{}",
            seen.body["messages"].to_string().len()
        );
    }
    assert!(bench.asked().last().unwrap().contains("earlier steps"));
}
