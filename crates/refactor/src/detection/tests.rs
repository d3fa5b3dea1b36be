//! One change each, and exactly the refactorings that it consists of.

use super::declarations::VersionFile;
use super::detect;
use formicary_model::refactorings::RefactoringKind::{self, *};

fn versions<'a>(files: &[(&'a str, &'a str)]) -> Vec<VersionFile<'a>> {
    files.iter().map(|(path, text)| VersionFile { path, text }).collect()
}

pub(super) fn kinds(before: &[(&str, &str)], after: &[(&str, &str)]) -> Vec<RefactoringKind> {
    detect(&versions(before), &versions(after)).refactorings.into_iter().map(|found| found.kind).collect()
}

const PYTHON: &str = "class Store:
    def load(self, path, mode):
        rows = []
        with open(path, mode) as handle:
            for line in handle:
                parts = line.strip().split(',')
                rows.append((parts[0], int(parts[1])))
        self.rows = rows
        self.log('loaded', len(rows))
        return rows

    def total(self):
        return sum(amount for name, amount in self.rows if name != 'skip')
";

const JAVA: &str = "package shop;
class Cart {
    private int count;
    int price(List<Item> items, int rate) throws IOException {
        int sum = 0;
        for (Item item : items) {
            sum += item.cost() * rate;
        }
        log.info(\"sum \" + sum);
        if (sum > LIMIT) {
            sum = sum - discount(sum, rate);
        }
        return sum;
    }
    int discount(int sum, int rate) {
        return sum / rate - this.count * 3;
    }
}
";

const SCRIPT: &str = "function render(items, target) {
    const rows = items.filter(item => item.visible);
    for (const row of rows) {
        target.append(row.label + ': ' + row.value);
    }
    console.log('rendered', rows.length);
    return target.close(rows.length > 3);
}
";

#[test]
fn python() {
    let p = "a.py";
    let cases: Vec<(String, Vec<RefactoringKind>)> = vec![
        (PYTHON.replace("def total", "def amount"), vec![RenameMethod]),
        (PYTHON.replace("path, mode)", "path, mode, encoding)").replace("(path, mode, encoding) as", "(path, mode) as"), vec![AddParameter]),
        (PYTHON.replace("def load(self, path, mode)", "def load(self, mode, path)"), vec![ReorderParameters]),
        (PYTHON.replace("rows", "records").replace("self.records", "self.rows"), vec![RenameVariable]),
        (PYTHON.replace("mode", "flags"), vec![RenameParameter]),
        (
            PYTHON
                .replace("                parts = line.strip().split(',')\n                rows.append((parts[0], int(parts[1])))\n", "                rows.append(self.parse(line))\n")
                .replace("    def total", "    def parse(self, line):\n        parts = line.strip().split(',')\n        return (parts[0], int(parts[1]))\n\n    def total"),
            vec![ExtractMethod],
        ),
        (
            PYTHON.replace("        self.log('loaded', len(rows))\n", "        size = len(rows)\n        self.log('loaded', size)\n"),
            vec![ExtractVariable],
        ),
        (PYTHON.replace("self.log('loaded', len(rows))", "self.log('loaded', len(rows), 3)"), vec![]),
        (PYTHON.replace("    def total", "    @property\n    def total"), vec![AddMethodAnnotation]),
    ];
    for (after, expected) in cases {
        assert_eq!(kinds(&[(p, PYTHON)], &[(p, &after)]), expected, "{after}");
        // The way back is the opposite.
        let back: Vec<RefactoringKind> = expected
            .iter()
            .map(|kind| match kind {
                AddParameter => RemoveParameter,
                ExtractMethod => InlineMethod,
                ExtractVariable => InlineVariable,
                AddMethodAnnotation => RemoveMethodAnnotation,
                other => *other,
            })
            .collect();
        assert_eq!(kinds(&[(p, &after)], &[(p, PYTHON)]), back, "back from {after}");
    }
}

#[test]
fn java() {
    let p = "shop/Cart.java";
    let cases: Vec<(String, Vec<RefactoringKind>)> = vec![
        (JAVA.replace("discount", "reduction"), vec![RenameMethod]),
        (JAVA.replace("int price", "long price"), vec![ChangeReturnType]),
        (JAVA.replace("List<Item> items", "Collection<Item> items"), vec![ChangeParameterType]),
        (JAVA.replace("class Cart", "class Basket"), vec![RenameClass]),
        (JAVA.replace("int sum = 0", "long sum = 0"), vec![ChangeVariableType]),
        (JAVA.replace("count", "size").replace("dissize", "discount"), vec![RenameField]),
        (JAVA.replace("    int discount", "    private int discount"), vec![ChangeMethodAccess]),
        (JAVA.replace(" throws IOException", ""), vec![RemoveThrownException]),
        (
            JAVA.replace("        int sum = 0;\n        for (Item item : items) {\n            sum += item.cost() * rate;\n        }\n", "        int sum = add(items, rate);\n")
                .replace("    int discount", "    int add(List<Item> items, int rate) {\n        int sum = 0;\n        for (Item item : items) {\n            sum += item.cost() * rate;\n        }\n        return sum;\n    }\n    int discount"),
            vec![ExtractMethod],
        ),
    ];
    for (after, expected) in cases {
        assert_eq!(kinds(&[(p, JAVA)], &[(p, &after)]), expected, "{after}");
    }
    let method =
        "    int discount(int sum, int rate) {\n        return sum / rate - this.count * 3;\n    }\n";
    let rules = format!("package shop;\nclass Rules {{\n{method}}}\n");
    let empty = "package shop;\nclass Rules {\n}\n";
    let without = JAVA.replace(method, "");
    assert_eq!(
        kinds(&[(p, JAVA), ("shop/Rules.java", empty)], &[(p, &without), ("shop/Rules.java", &rules)]),
        [MoveMethod]
    );
    let base = "package shop;\nclass Rules {\n}\n";
    let child = JAVA.replace("class Cart", "class Cart extends Rules");
    let up = child.replace(method, "");
    assert_eq!(
        kinds(&[(p, &child), ("shop/Rules.java", base)], &[(p, &up), ("shop/Rules.java", &rules)]),
        [PullUpMethod]
    );
    assert_eq!(
        kinds(&[(p, &up), ("shop/Rules.java", &rules)], &[(p, &child), ("shop/Rules.java", base)]),
        [PushDownMethod]
    );
    let moved = JAVA.replace("package shop", "package store");
    let found = kinds(&[(p, JAVA)], &[("store/Cart.java", &moved)]);
    assert_eq!(found, [MoveClass]);
    assert_eq!(kinds(&[("a/shop/Cart.java", JAVA)], &[("b/shop/Cart.java", JAVA)]), [MoveSourceFolder]);
    let extends = up.clone();
    let found = kinds(&[(p, JAVA)], &[(p, &extends), ("shop/Rules.java", &rules)]);
    assert!(
        found.contains(&ExtractSuperclass) && found.contains(&PullUpMethod) && found.len() == 2,
        "{found:?}"
    );
}

#[test]
fn heads_of_java() {
    let p = "shop/Cart.java";
    for (from, to, expected) in [
        ("private int count", "private final int count", AddFieldModifier),
        ("private int count", "protected int count", ChangeFieldAccess),
        ("private int count", "@Nullable private int count", AddFieldAnnotation),
        ("private int count", "private long count", ChangeFieldType),
        ("class Cart", "final class Cart", AddClassModifier),
        ("class Cart", "public class Cart", ChangeClassAccess),
        ("class Cart", "@Beta(since = 1) class Cart", AddClassAnnotation),
        ("int discount(int sum, int rate)", "int discount(final int sum, int rate)", AddParameterModifier),
        (
            "int discount(int sum, int rate)",
            "int discount(@Min(1) int sum, int rate)",
            AddParameterAnnotation,
        ),
        ("int discount", "static int discount", AddMethodModifier),
        ("int sum = 0", "final int sum = 0", AddVariableModifier),
        ("throws IOException", "throws IOException, SQLException", AddThrownException),
        ("throws IOException", "throws SQLException", ChangeThrownException),
    ] {
        let after = JAVA.replace(from, to);
        assert_eq!(kinds(&[(p, JAVA)], &[(p, &after)]), [expected], "{after}");
    }
    let (one, two) = (
        JAVA.replace("int discount", "@A(1) int discount"),
        JAVA.replace("int discount", "@A(2) int discount"),
    );
    assert_eq!(kinds(&[(p, &one)], &[(p, &two)]), [ModifyMethodAnnotation]);
}

#[test]
fn between_variables_parameters_and_attributes() {
    let p = "shop/Cart.java";
    let local = JAVA.replace(
        "        return sum / rate",
        "        int base = sum * 7 + rate;\n        log(base, sum);\n        return sum / rate",
    );
    let taken = local
        .replace("int discount(int sum, int rate)", "int discount(int sum, int rate, int base)")
        .replace("        int base = sum * 7 + rate;\n", "");
    assert_eq!(kinds(&[(p, &local)], &[(p, &taken)]), [AddParameter, ParameterizeVariable]);
    assert_eq!(kinds(&[(p, &taken)], &[(p, &local)]), [RemoveParameter, LocalizeParameter]);
    let held = local
        .replace("        int base = sum * 7 + rate;\n", "")
        .replace("private int count;", "private int count;\n    private int base;");
    assert_eq!(kinds(&[(p, &local)], &[(p, &held)]), [ReplaceVariableWithField]);
    assert_eq!(kinds(&[(p, &held)], &[(p, &local)]), [ReplaceFieldWithVariable]);
    let named = JAVA
        .replace("\"sum \"", "PREFIX")
        .replace("private int count;", "private int count;\n    static final String PREFIX = \"sum \";");
    assert_eq!(kinds(&[(p, JAVA)], &[(p, &named)]), [ExtractField]);
    assert_eq!(kinds(&[(p, &named)], &[(p, JAVA)]), [InlineField]);
}

#[test]
fn javascript_and_others() {
    let p = "a.js";
    for (after, expected) in [
        (SCRIPT.replace("function render", "function paint"), vec![RenameMethod]),
        (SCRIPT.replace("rows", "lines"), vec![RenameVariable]),
        (SCRIPT.replace("items, target", "items"), vec![RemoveParameter]),
        (SCRIPT.replace("render(items, target)", "render(items, target, options)"), vec![AddParameter]),
    ] {
        assert_eq!(kinds(&[(p, SCRIPT)], &[(p, &after)]), expected, "{after}");
    }
    assert_eq!(kinds(&[(p, SCRIPT)], &[("b.js", SCRIPT)]), [RenameFile]);
    let other = "export function unrelated(a) {\n    return a.map(b => b.c).join('-') + a.length;\n}\n";
    let both = format!("{other}{SCRIPT}");
    assert_eq!(
        kinds(&[(p, SCRIPT), ("b.js", other)], &[(p, "const left = 1;\n"), ("b.js", &both)]),
        [MoveMethod]
    );
    let go = "package a\n\nfunc Sum(values []int) int {\n\ttotal := 0\n\tfor _, value := range values {\n\t\ttotal += value * 2\n\t}\n\treturn total\n}\n";
    assert_eq!(kinds(&[("a.go", go)], &[("a.go", &go.replace("Sum", "Add"))]), [RenameMethod]);
    let rust = "fn sum(values: &[i32]) -> i32 {\n    let mut total = 0;\n    for value in values {\n        total += value * 2;\n    }\n    total\n}\n";
    assert_eq!(kinds(&[("a.rs", rust)], &[("a.rs", &rust.replace("sum", "add"))]), [RenameMethod]);
    let c = "int sum(int *values, int n) {\n    int total = 0;\n    for (int i = 0; i < n; i++) {\n        total += values[i] * 2;\n    }\n    return total;\n}\n";
    assert_eq!(kinds(&[("a.c", c)], &[("a.c", &c.replace("sum", "add"))]), [RenameMethod]);
}

#[test]
fn what_is_not_explained_is_told() {
    let after = PYTHON.replace("def total", "def amount").replace("!= 'skip'", "!= 'none'");
    let files = |text| [VersionFile { path: "a.py", text }];
    let report = detect(&files(PYTHON), &files(&after));
    assert_eq!(report.unexplained.len(), 1, "{report:#?}");
    assert_eq!(
        (report.unexplained[0].removed.as_slice(), report.unexplained[0].added.as_slice()),
        (&[13][..], &[13][..])
    );
    let renamed = PYTHON.replace("def total", "def amount");
    let report = detect(&files(PYTHON), &files(&renamed));
    assert_eq!(report.unexplained, [], "{report:#?}");
    assert_eq!(report.refactorings[0].before.first_line, 12);
}

#[test]
fn anything_can_be_compared() {
    for text in ["", "class", "def f(", "\u{0}", "{{{{"] {
        for path in ["a.py", "a.java", "a.js", "a.go", "a.c", "a.txt"] {
            let _ = kinds(&[(path, text)], &[(path, "x = 1\n")]);
            let _ = kinds(&[], &[(path, text)]);
        }
    }
}

#[test]
fn functions_in_function_expressions_are_seen() {
    let body = "{\n        const rows = items.filter(item => item.visible);\n        for (const row of rows) {\n            target.append(row.label + ': ' + row.value);\n        }\n        return target.close(rows.length > 3);\n    }";
    for (before, after) in [
        ("module.exports = {\n    NAME(items, target) BODY\n};\n", "paint"),
        ("module.exports = {\n    NAME: function (items, target) BODY\n};\n", "paint"),
        ("exports.NAME = function (items, target) BODY;\n", "paint"),
        ("module.exports.NAME = (items, target) => BODY;\n", "paint"),
        (
            "(function (root) {\n    function NAME(items, target) BODY\n    root.lib = { NAME };\n})(this);\n",
            "paint",
        ),
        (
            "(function (root) {\n    root.lib = {\n        NAME(items, target) BODY\n    };\n})(this);\n",
            "paint",
        ),
        ("(function (root) {\n    var NAME = function (items, target) BODY;\n})(this);\n", "paint"),
        ("(() => {\n    const NAME = (items, target) => BODY;\n})();\n", "paint"),
        ("!function () {\n    function NAME(items, target) BODY\n}();\n", "paint"),
        (
            "define(['a'], function (a) {\n    return {\n        NAME: function (items, target) BODY\n    };\n});\n",
            "paint",
        ),
        (
            "(function (root, factory) {\n    if (typeof define === 'function' && define.amd) define([], factory);\n    else if (typeof module === 'object') module.exports = factory();\n    else root.lib = factory();\n}(this, function () {\n    'use strict';\n    function NAME(items, target) BODY\n    return { NAME: NAME };\n}));\n",
            "paint",
        ),
    ] {
        let whole = |name: &str| before.replace("NAME", name).replace("BODY", body);
        for path in ["a.js", "a.ts"] {
            let found = kinds(&[(path, &whole("render"))], &[(path, &whole(after))]);
            assert_eq!(found, [RenameMethod], "{path}: {}", whole("render"));
        }
    }
}

#[test]
fn of_what_cannot_be_parsed_nothing_is_claimed_and_that_is_noted() {
    let report =
        |before: &[(&str, &str)], after: &[(&str, &str)]| detect(&versions(before), &versions(after));
    let other = "def other(a):\n    for b in a:\n        print(b.name, b.value + 1)\n    return len(a) * 2\n";
    for (path, sound, from, to) in [
        ("a.py", PYTHON, "def load(self, path, mode):", "def load(self, path, mode:"),
        ("a.py", PYTHON, "        rows = []", "      }  rows = ["),
        ("a.java", JAVA, "int price(List<Item> items", "int price(List<Item items"),
        ("a.java", JAVA, "        if (sum > LIMIT) {", "        if (sum > LIMIT {"),
        ("a.js", SCRIPT, "function render(items", "function render(items {"),
    ] {
        let broken = sound.replacen(from, to, 1);
        assert_ne!(broken, sound);
        for (before, after, side) in [(sound, broken.as_str(), "after"), (&broken, sound, "before")] {
            let found = report(&[(path, before)], &[(path, after)]);
            assert_eq!(found.refactorings, [], "{path} {side}: {from}");
            assert_eq!(found.notes.len(), 1, "{:?}", found.notes);
            let note = &found.notes[0];
            assert_eq!(
                (note.file.as_deref(), note.kind),
                (Some(path), formicary_model::review::NoteKind::Unparsable)
            );
            assert!(
                note.line.is_some() && note.message.contains(&format!("in the version {side}")),
                "{note:?}"
            );
            assert!(!found.unexplained.is_empty(), "what changed there is left to a reader");
        }
        // Other files are compared as ever, and nothing of theirs is said to have gone to or come from the broken one.
        let renamed = other.replace("other", "another");
        let found = report(&[(path, sound), ("b.py", other)], &[(path, &broken), ("b.py", &renamed)]);
        assert_eq!(found.refactorings.iter().map(|one| one.kind).collect::<Vec<_>>(), [RenameMethod]);
    }
    // What is broken alike in both versions hides the same in both.
    let tail = "def rest(:\n    pass\n";
    let (before, after) = (format!("{other}{tail}"), format!("{}{tail}", other.replace("other", "another")));
    let found = report(&[("a.py", &before)], &[("a.py", &after)]);
    assert_eq!(found.refactorings.iter().map(|one| one.kind).collect::<Vec<_>>(), [RenameMethod]);
    assert!(found.notes.len() == 1 && found.notes[0].message.contains("both versions"), "{:?}", found.notes);
}
