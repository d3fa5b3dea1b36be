//! Renaming in Java: what it makes, what it refuses.

use crate::operations::rename;
use formicary_search::Source;
use formicary_syntax::Dialect;

/// A project; `¦` marks the place in the first file.
fn project(files: &[(&str, &str)]) -> (Vec<Source>, usize) {
    let place = files[0].1.find('¦').unwrap();
    let source = |(path, text): &(&str, &str)| Source::new(*path, Dialect::Java, text.replace('¦', ""));
    (files.iter().map(source).collect(), place)
}

#[track_caller]
fn renamed(files: &[(&str, &str)], expected: &[(&str, &str)]) {
    let (sources, place) = project(files);
    let done = rename(&sources, files[0].0, place, "fresh").unwrap();
    let found: Vec<(&str, &str)> = done
        .changes
        .iter()
        .map(|change| (change.moved_to.as_deref().unwrap_or(change.path.as_str()), change.after.as_str()))
        .collect();
    assert_eq!(found, expected);
}

#[track_caller]
fn here(text: &str, expected: &str) {
    renamed(&[("A.java", text)], &[("A.java", expected)]);
}

#[track_caller]
fn refused(files: &[(&str, &str)], why: &str) {
    let (sources, place) = project(files);
    let found = rename(&sources, files[0].0, place, "fresh").unwrap_err().to_string();
    assert!(found.contains(why), "{found}");
}

#[test]
fn locals_change_with_their_scope() {
    here(
        "class A { int old; int f(int ¦old) { this.old = old; { int b = old; } return old + g(old -> old); } int h() { return old; } }",
        "class A { int old; int f(int fresh) { this.old = fresh; { int b = fresh; } return fresh + g(old -> old); } int h() { return old; } }",
    );
    here(
        "class A { void f() { for (int ¦old = 0; old < 1; old++) {} for (int old : x) {} old: for (;;) break old; } }",
        "class A { void f() { for (int fresh = 0; fresh < 1; fresh++) {} for (int old : x) {} old: for (;;) break old; } }",
    );
    here(
        "class A { <T> T f(Object o) { if (o instanceof String ¦old) return old.old(); return null; } }",
        "class A { <T> T f(Object o) { if (o instanceof String fresh) return fresh.old(); return null; } }",
    );
}

#[test]
fn methods_change_with_what_overrides_and_calls_them() {
    renamed(
        &[
            ("p/A.java", "package p;\nclass A { void ¦old(int a) { old(1); old(); } void old() {} }\n"),
            ("p/B.java", "package p;\nclass B extends A { @Override void old(int b) { super.old(b); } }\n"),
            (
                "p/C.java",
                "package p;\nclass C { A a; void g(B b, String s) { a.old(2); b.old(3); this.a.old(4); new A().old(5); s.old(6); a.old(); } }\n",
            ),
            ("p/D.java", "package p;\nclass D { void old(int a) { old(1); } }\n"),
        ],
        &[
            ("p/A.java", "package p;\nclass A { void fresh(int a) { fresh(1); old(); } void old() {} }\n"),
            (
                "p/B.java",
                "package p;\nclass B extends A { @Override void fresh(int b) { super.fresh(b); } }\n",
            ),
            (
                "p/C.java",
                "package p;\nclass C { A a; void g(B b, String s) { a.fresh(2); b.fresh(3); this.a.fresh(4); new A().fresh(5); s.old(6); a.old(); } }\n",
            ),
        ],
    );
    renamed(
        &[
            ("I.java", "interface I { int ¦old(); static I make() { return null; } }\n"),
            (
                "J.java",
                "class J { I i = new I() { public int old() { return 1; } }; int g() { return I.make().old() + i.old(); } }\n",
            ),
        ],
        &[
            ("I.java", "interface I { int fresh(); static I make() { return null; } }\n"),
            (
                "J.java",
                "class J { I i = new I() { public int fresh() { return 1; } }; int g() { return I.make().fresh() + i.fresh(); } }\n",
            ),
        ],
    );
    renamed(
        &[
            ("p/A.java", "package p;\npublic class A { public static int ¦old() { return 1; } }\n"),
            (
                "q/B.java",
                "package q;\nimport static p.A.old;\nclass B { int a = old(); java.util.function.Supplier<Integer> s = p.A::old; }\n",
            ),
        ],
        &[
            ("p/A.java", "package p;\npublic class A { public static int fresh() { return 1; } }\n"),
            (
                "q/B.java",
                "package q;\nimport static p.A.fresh;\nclass B { int a = fresh(); java.util.function.Supplier<Integer> s = p.A::fresh; }\n",
            ),
        ],
    );
}

#[test]
fn fields_and_types_change_everywhere() {
    renamed(
        &[
            (
                "A.java",
                "class A { int ¦old; A(int old) { this.old = old; } class N { int g() { return old; } } }\n",
            ),
            ("B.java", "class B extends A { B(A a) { super(a.old); old++; } }\n"),
        ],
        &[
            (
                "A.java",
                "class A { int fresh; A(int old) { this.fresh = old; } class N { int g() { return fresh; } } }\n",
            ),
            ("B.java", "class B extends A { B(A a) { super(a.fresh); fresh++; } }\n"),
        ],
    );
    renamed(
        &[
            ("p/Old.java", "package p;\npublic class ¦Old<T> { Old() {} static class In {} Old<T> me; }\n"),
            (
                "q/B.java",
                "package q;\nimport p.Old;\nimport p.Old.In;\nclass B extends Old<String> { Object o = new Old<>(), c = Old.class, d = p.Old.In.class; }\n",
            ),
            ("r/C.java", "package r;\nimport other.Old;\nclass C { Old old; }\n"),
        ],
        &[
            (
                "p/fresh.java",
                "package p;\npublic class fresh<T> { fresh() {} static class In {} fresh<T> me; }\n",
            ),
            (
                "q/B.java",
                "package q;\nimport p.fresh;\nimport p.fresh.In;\nclass B extends fresh<String> { Object o = new fresh<>(), c = fresh.class, d = p.fresh.In.class; }\n",
            ),
        ],
    );
}

#[test]
fn what_is_not_sure_is_not_renamed() {
    refused(&[("A.java", "class A { void f(int ¦old) { int fresh = 1; } }")], "taken");
    refused(&[("A.java", "class A { void f(int ¦old) { g(fresh); } }")], "captured");
    refused(&[("A.java", "class A { void ¦old(int a) {} void old(String a) {} }")], "told apart");
    refused(&[("A.java", "class A { void ¦old(int... a) {} }")], "told apart");
    refused(&[("A.java", "class A extends Thread { void ¦old() {} }")], "not of the project");
    refused(
        &[("A.java", "class A { void ¦old() {} }"), ("B.java", "class B { void g() { x.y().old(); } }")],
        "not certain",
    );
    refused(
        &[
            ("A.java", "class A { void ¦old() {} }"),
            ("B.java", "class B<T extends A> { void g(T t) { t.old(); } }"),
        ],
        "not certain",
    );
    refused(
        &[
            ("A.java", "class A { void ¦old() {} }"),
            ("B.java", "class B { Object o = A.class.getMethod(\"old\"); }"),
        ],
        "a string says",
    );
    refused(&[("A.java", "class A { void ¦old() {} }\nclass B extends A { void fresh() {} }")], "taken");
    refused(&[("A.java", "class A { @Inject int ¦old; }")], "@Inject");
    refused(&[("A.java", "class A implements Serializable { int ¦old; }")], "stored");
    refused(&[("A.java", "enum A { ¦old }")], "tells its name");
    refused(&[("A.java", "record A(int ¦old) {}")], "more than one face");
    refused(&[("A.java", "class A { public static void ¦main(String[] a) {} }")], "known to Java");
    refused(&[("A.java", "class ¦Old {} class B { String s = \"p.Old\"; }")], "a string says");
    refused(&[("A.java", "class ¦Old {} class B { String s = x.getSimpleName(); }")], "asks classes");
    refused(&[("A.java", "class ¦Old {} class fresh {}")], "taken");
    refused(&[("A.java", "class A { void f() { int ¦old = ; } }")], "does not parse");
}
