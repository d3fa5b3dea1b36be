//! Renaming in JavaScript and TypeScript: what it makes, what it refuses.

use crate::operations::rename;
use formicary_search::Source;
use formicary_syntax::Dialect;

/// A project; `¦` marks the place in the first file.
fn project(files: &[(&str, &str)]) -> (Vec<Source>, usize) {
    let place = files[0].1.find('¦').unwrap();
    let source = |(path, text): &(&str, &str)| {
        Source::new(*path, Dialect::of_file(path, text).unwrap(), text.replace('¦', ""))
    };
    (files.iter().map(source).collect(), place)
}

#[track_caller]
fn renamed(files: &[(&str, &str)], expected: &[(&str, &str)]) {
    let (sources, place) = project(files);
    let done = rename(&sources, files[0].0, place, "fresh").unwrap();
    let found: Vec<(&str, &str)> =
        done.changes.iter().map(|change| (change.path.as_str(), change.after.as_str())).collect();
    assert_eq!(found, expected);
}

#[track_caller]
fn here(path: &str, text: &str, expected: &str) {
    renamed(&[(path, text)], &[(path, expected)]);
}

#[track_caller]
fn refused(files: &[(&str, &str)], why: &str) {
    let (sources, place) = project(files);
    let found = rename(&sources, files[0].0, place, "fresh").unwrap_err().to_string();
    assert!(found.contains(why), "{found}");
}

#[test]
fn names_of_functions_change_with_their_scope() {
    here(
        "a.js",
        "function f(¦old) { { let old = 1; old++; } return { old, a: x.old, 'old': old, [old]: 1 }; }",
        "function f(fresh) { { let old = 1; old++; } return { old: fresh, a: x.old, 'old': fresh, [fresh]: 1 }; }",
    );
    here(
        "a.js",
        "function f(old) { var ¦old = old || {}; return () => old; }",
        "function f(fresh) { var fresh = fresh || {}; return () => fresh; }",
    );
    here(
        "a.js",
        "function f(x) { if (x) { var ¦old = 1; } for (old of x) {} return old; }",
        "function f(x) { if (x) { var fresh = 1; } for (fresh of x) {} return fresh; }",
    );
    here(
        "a.js",
        "const f = ({ ¦old, b: [c = old], ...d }) => { ({ old } = d); old(); };",
        "const f = ({ old: fresh, b: [c = fresh], ...d }) => { ({ old: fresh } = d); fresh(); };",
    );
    here(
        "a.js",
        "const f = ({ ¦old = 1 } = {}) => { try {} catch (old) { old; } label: for (;;) { break label; } return old; };",
        "const f = ({ old: fresh = 1 } = {}) => { try {} catch (old) { old; } label: for (;;) { break label; } return fresh; };",
    );
    here(
        "a.js",
        "function f() { const g = function ¦old(n) { return n && old(n - 1); }; old(); return g; }",
        "function f() { const g = function fresh(n) { return n && fresh(n - 1); }; old(); return g; }",
    );
    here(
        "a.ts",
        "import x from 'x';\ninterface ¦Old<T> { a: Old<T>; old(Old: number): void }\nfunction f(Old: Old<string>): Old is Old<string> { return Old.a; }",
        "import x from 'x';\ninterface fresh<T> { a: fresh<T>; old(Old: number): void }\nfunction f(Old: fresh<string>): Old is fresh<string> { return Old.a; }",
    );
    here(
        "a.js",
        "class A { #¦old = 1; get() { return this.#old + (#old in this); } }",
        "class A { #fresh = 1; get() { return this.#fresh + (#fresh in this); } }",
    );
}

#[test]
fn elements_follow_their_component() {
    let text = "import x from 'x';\nfunction ¦Old() { return <Old a={old}><old/><a.Old/></Old>; }";
    let (sources, place) = project(&[("a.jsx", text)]);
    let done = rename(&sources, "a.jsx", place, "Fresh").unwrap();
    let expected = "import x from 'x';\nfunction Fresh() { return <Fresh a={old}><old/><a.Old/></Fresh>; }";
    assert_eq!(done.changes[0].after, expected);
}

#[test]
fn names_of_modules_change_where_they_are_taken() {
    renamed(
        &[
            ("src/a.js", "export function ¦old() { return old; }\n"),
            ("src/b.js", "import { old } from './a.js';\nexport { old };\nold();\n"),
            ("src/c.js", "import { old as o } from './a';\nimport * as all from './a';\no(); all.old();\n"),
            ("src/d.js", "export { old } from './a';\nexport { old as other } from './a';\n"),
            ("src/e.js", "import { old } from './other';\nold();\n"),
            ("src/f.js", "import { old } from './a';\nconst fresh = 1;\nold(fresh);\n"),
        ],
        &[
            ("src/a.js", "export function fresh() { return fresh; }\n"),
            ("src/b.js", "import { fresh } from './a.js';\nexport { fresh as old };\nfresh();\n"),
            (
                "src/c.js",
                "import { fresh as o } from './a';\nimport * as all from './a';\no(); all.fresh();\n",
            ),
            ("src/d.js", "export { fresh as old } from './a';\nexport { fresh as other } from './a';\n"),
            ("src/f.js", "import { fresh as old } from './a';\nconst fresh = 1;\nold(fresh);\n"),
        ],
    );
    renamed(
        &[
            ("lib/a.js", "function ¦old() {}\nmodule.exports = { old, b: 1 };\n"),
            (
                "test/b.js",
                "const { old } = require('../lib/a');\nconst a = require('../lib/a.js');\nold(); a.old(); require('../lib/a').old;\n",
            ),
        ],
        &[
            ("lib/a.js", "function fresh() {}\nmodule.exports = { fresh, b: 1 };\n"),
            (
                "test/b.js",
                "const { fresh: old } = require('../lib/a');\nconst a = require('../lib/a.js');\nold(); a.fresh(); require('../lib/a').fresh;\n",
            ),
        ],
    );
    // What cannot be followed keeps its name for others.
    renamed(
        &[
            ("lib/a.js", "function ¦old() {}\nexports.old = old;\n"),
            ("test/b.js", "use(require('../lib/a'));\n"),
        ],
        &[("lib/a.js", "function fresh() {}\nexports.old = fresh;\n")],
    );
    here("a.js", "import { ¦old } from './b';\nold();\n", "import { old as fresh } from './b';\nfresh();\n");
    here("a.js", "const ¦old = require('x');\nold.old();\n", "const fresh = require('x');\nfresh.old();\n");
    here(
        "a.js",
        "export default function ¦old() { old(); }\n",
        "export default function fresh() { fresh(); }\n",
    );
}

#[test]
fn what_is_not_sure_is_not_renamed() {
    refused(&[("a.js", "function f() { let ¦old = 1; let fresh = 2; return old; }")], "taken");
    refused(&[("a.js", "function f() { let ¦old = 1; return fresh(old); }")], "captured");
    refused(&[("a.js", "function f() { let ¦old = 1; return fresh => old; }")], "shadowed");
    refused(&[("a.js", "function f() { let ¦old = 1; return eval('old'); }")], "eval");
    refused(&[("a.js", "function f(¦old, x) { with (x) { old(); } }")], "with");
    refused(&[("a.js", "let ¦old = 1;\n")], "no module");
    refused(&[("a.jsx", "import x from 'x';\nfunction ¦Old() { return <Old/>; }")], "element of the page");
    refused(&[("a.js", "x.¦old();\n")], "a property");
    refused(&[("a.js", "¦old();\n")], "not defined");
    refused(&[("a.js", "class A { ¦old() {} }\n")], "a property");
    refused(&[("a.ts", "class A { constructor(private ¦old: number) {} }\n")], "a property of its class");
    refused(&[("a.ts", "enum E { ¦old = 1 }\n")], "enumeration");
    refused(&[("a.js", "export const ¦old = 1;\n"), ("b.js", "export * from './a';\n")], "handed on");
    refused(
        &[("a.js", "export const ¦old = 1;\n"), ("b.js", "import * as a from './a';\nf(a);\n")],
        "cannot be followed",
    );
    refused(
        &[("a.js", "export const ¦old = 1;\n"), ("b.js", "const a = await import('./a');\na.old;\n")],
        "given the module's path",
    );
    refused(
        &[("a.js", "export const ¦old = 1;\n"), ("b.js", "jest.mock('./a', () => ({ old: 2 }));\n")],
        "given the module's path",
    );
    refused(
        &[("index.js", "export const ¦old = 1;\n"), ("b.js", "import { old } from 'pkg';\n")],
        "this very package",
    );
    refused(
        &[("a.js", "export const ¦old = 1;\n"), ("a.d.ts", "export const old: number;\n")],
        "declarations",
    );
    refused(&[("a.js", "function f() { let ¦old = ; }")], "does not parse");
    refused(
        &[("a.js", "import x from 'x';\nfunction ¦old() {}\n"), ("b.js", "assert(f.name === 'old');\n")],
        "their names",
    );
    let (sources, place) = project(&[("a.js", "function f(¦old) {}")]);
    assert!(rename(&sources, "a.js", place, "class").unwrap_err().to_string().contains("not a name"));
}
