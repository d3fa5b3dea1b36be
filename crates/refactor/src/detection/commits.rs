//! Changes as commits have them: overloads, classes without a name, several things at once.

use super::tests::kinds;
use formicary_model::refactorings::RefactoringKind::*;

const QUEUE: &str = "package jobs;
public class Queue {
    private String host;
    private int waiting;
    private int running;
    public void start(Task task) {
        String label = task.owner().name() + \"/\" + task.number();
        log.info(\"starting \" + label);
        try {
            connection.open(host).send(label, task.payload());
            waiting = waiting + 1;
            running = running - waiting;
        } catch (IOException e) {
            log.error(\"cannot start \" + label, e);
        }
    }
    public void listen() {
        bus.subscribe(new Listener() {
            public void changed(Event event) {
                for (Task task : event.tasks()) {
                    log.info(task.owner() + \" changed \" + task.number());
                }
            }
        });
    }
}
";

#[test]
fn an_overload_that_took_the_body_was_extracted() {
    let (from, to) =
        (QUEUE.find("        String label").unwrap(), QUEUE.find("    public void listen").unwrap());
    let body = QUEUE[from..to].replace("connection.open(host)", "connection.open(host, limit)");
    let after = format!(
        "{}        start(task, 30);\n    }}\n    public void start(Task task, int limit) {{\n{body}{}",
        &QUEUE[..from],
        &QUEUE[to..]
    );
    let p = "jobs/Queue.java";
    assert_eq!(kinds(&[(p, QUEUE)], &[(p, &after)]), [ExtractMethod]);
    assert_eq!(kinds(&[(p, &after)], &[(p, QUEUE)]), [InlineMethod]);
}

#[test]
fn one_becomes_several_and_back() {
    let p = "jobs/Queue.java";
    let parted = QUEUE
        .replace("    private String host;\n", "    private String inner;\n    private String outer;\n")
        .replace("connection.open(host)", "connection.open(inner)")
        .replace("    public void listen", "    public void stop(Task task) {\n        connection.close(outer).send(task.owner(), task.number());\n        log.info(\"stopped\");\n    }\n    public void listen");
    let whole = QUEUE.replace("    public void listen", "    public void stop(Task task) {\n        connection.close(host).send(task.owner(), task.number());\n        log.info(\"stopped\");\n    }\n    public void listen");
    assert_eq!(kinds(&[(p, &whole)], &[(p, &parted)]), [SplitField]);
    assert_eq!(kinds(&[(p, &parted)], &[(p, &whole)]), [MergeField]);
    let variables = QUEUE
        .replace(
            "        String label = task.owner().name() + \"/\" + task.number();\n",
            "        String title = task.owner().name();\n        String tag = task.number();\n",
        )
        .replace("\"starting \" + label", "\"starting \" + title")
        .replace("send(label,", "send(tag,")
        .replace("\"cannot start \" + label", "\"cannot start \" + tag");
    assert_eq!(kinds(&[(p, QUEUE)], &[(p, &variables)]), [SplitVariable]);
    assert_eq!(kinds(&[(p, &variables)], &[(p, QUEUE)]), [MergeVariable]);
}

#[test]
fn a_class_gets_a_name_and_its_method_is_none_of_the_outer() {
    let p = "jobs/Queue.java";
    let body = "            public void changed(Event event) {
                for (Task task : event.tasks()) {
                    log.info(task.owner() + \" changed \" + task.number());
                }
            }
";
    let named = QUEUE.replace(&format!("new Listener() {{\n{body}        }}"), "new Printer()")
        + &format!("class Printer implements Listener {{\n{body}}}\n");
    assert_eq!(kinds(&[(p, QUEUE)], &[(p, &named)]), [AnonymousToClass]);
    // The same under another name: the method around it changed, nothing was renamed but what is within.
    let other = QUEUE.replace("Event event", "Event news").replace("event.tasks", "news.tasks");
    assert!(!kinds(&[(p, QUEUE)], &[(p, &other)]).contains(&RenameMethod));
}

#[test]
fn attributes_of_other_types() {
    let (p, q) = ("jobs/Queue.java", "jobs/Settings.java");
    let settings = "package jobs;\nclass Settings {\n    int retries = 3;\n}\n";
    let server = settings.replace("    int retries", "    String server;\n    int retries");
    let moved = QUEUE.replace("    private String host;\n", "").replace("open(host)", "open(server)");
    assert_eq!(kinds(&[(p, QUEUE), (q, settings)], &[(p, &moved), (q, &server)]), [MoveAndRenameField]);
    let twice = QUEUE.replace("listen() {\n", "listen() {\n        log.info(\"from \" + host);\n");
    let read = twice
        .replace("    private String host;\n", "")
        .replace("open(host)", "open(server)")
        .replace("\"from \" + host", "\"from \" + server");
    let touched = server.replace("= 3", "= 4");
    assert_eq!(kinds(&[(p, &twice), (q, &server)], &[(p, &read), (q, &touched)]), [ReplaceField]);
}

#[test]
fn what_stands_within_goes_along() {
    let (p, q) = ("jobs/Queue.java", "a.js");
    let local = QUEUE.replace("        bus.subscribe", "        class Inner {\n            int size() {\n                return waiting * 3 + running;\n            }\n        }\n        bus.subscribe");
    assert_eq!(kinds(&[(p, &local)], &[(p, &local.replace("class Queue", "class Line"))]), [RenameClass]);
    let once = "function once(emitter, name) {\n  return new Promise((resolve, reject) => {\n    function failed(error) {\n      emitter.removeListener(name, resolver);\n      reject(error);\n    }\n    function resolver(...values) {\n      emitter.removeListener('error', failed);\n      resolve(values);\n    }\n    emitter.on(name, resolver);\n  });\n}\n";
    let rest = "function other(a) {\n  return a.map((b) => b.c + 1).join('-');\n}\n";
    let both = format!("{rest}{once}");
    assert_eq!(
        kinds(
            &[(q, &both), ("b.js", "let a = 1;\n")],
            &[(q, rest), ("b.js", &format!("let a = 1;\n{once}"))]
        ),
        [MoveMethod]
    );
}

#[test]
fn a_type_is_split() {
    let methods: Vec<String> = (0..4)
        .map(|n| format!("    int part{n}(int[] values) {{\n        int sum = {n};\n        for (int value : values) {{\n            sum += value * {n}7 + weight{n}(value);\n        }}\n        return sum;\n    }}\n"))
        .collect();
    let of = |name: &str, list: &[String]| format!("package a;\nclass {name} {{\n{}}}\n", list.concat());
    let found = kinds(
        &[("a/Whole.java", &of("Whole", &methods))],
        &[("a/Front.java", &of("Front", &methods[..2])), ("a/Rear.java", &of("Rear", &methods[2..]))],
    );
    assert_eq!(found, [MoveMethod, MoveMethod, SplitClass]);
}

#[test]
fn refactorings_beside_changed_behaviour() {
    let p = "jobs/Queue.java";
    for (edits, expected) in [
        (vec![("IOException e)", "IOException failure)"), (", e);", ", failure);")], vec![RenameVariable]),
        (vec![("catch (IOException e)", "catch (SocketException e)")], vec![ChangeVariableType]),
        (
            vec![(
                "            connection.open(host).send(label, task.payload());\n",
                "            Bytes load = task.payload();\n            connection.open(host, 7).send(label + \"!\", load, true);\n",
            )],
            vec![ExtractVariable],
        ),
    ] {
        let after = edits.iter().fold(QUEUE.to_owned(), |text, (from, to)| text.replace(from, to));
        assert_ne!(after, QUEUE);
        assert_eq!(kinds(&[(p, QUEUE)], &[(p, &after)]), expected, "{after}");
    }
    let plan = "package jobs;\ninterface Plan {\n}\n";
    let promised = "package jobs;\ninterface Plan {\n    default void retry(Task task) {\n        for (int i = 0; i < 3; i++) {\n            queue.start(task.copy(i));\n        }\n    }\n}\n";
    let own = QUEUE.replace("class Queue", "class Queue implements Plan").replace(
        "    public void listen",
        "    public void retry(Task task) {\n        for (int i = 0; i < 3; i++) {\n            queue.start(task.copy(i));\n        }\n    }\n    public void listen",
    );
    let up = QUEUE.replace("class Queue", "class Queue implements Plan");
    let found = kinds(&[(p, &own), ("jobs/Plan.java", plan)], &[(p, &up), ("jobs/Plan.java", promised)]);
    assert!(found.contains(&PullUpMethod) && !found.contains(&ChangeMethodAccess), "{found:?}");
}
