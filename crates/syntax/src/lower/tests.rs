//! Every language says the same things in the same form.

use crate::{Dialect, ExprKind, Literal, Operator, ParameterKind, StmtKind, Unit, parse};

/// What the form says: functions with parameters, calls with their arguments, imports.
fn facts(unit: &Unit<'_>) -> String {
    let mut facts = Vec::new();
    for import in &unit.imports {
        let names: Vec<&str> = import.names.iter().map(|name| name.local).collect();
        facts.push(format!("import {} {}", import.module, names.join(",")));
    }
    for function in unit.functions.iter().filter(|function| !function.name.is_empty()) {
        let parameters = function.parameters.iter().filter(|one| one.kind != ParameterKind::Receiver);
        let parameters: Vec<&str> = parameters.map(|one| one.name).collect();
        facts.push(format!("fn {}({})", function.name, parameters.join(",")));
    }
    for expr in &unit.expressions {
        if let ExprKind::Call { callee, arguments, .. } = &expr.kind {
            let name = unit.dotted(*callee).unwrap_or_default();
            let arguments = arguments.iter().map(|one| {
                let keyword = one.name.map(|name| format!("{name}=")).unwrap_or_default();
                format!("{keyword}{}", shape(unit, one.value))
            });
            facts.push(format!("{name}({})", arguments.collect::<Vec<_>>().join(",")));
        }
    }
    facts.join("; ")
}

fn shape(unit: &Unit<'_>, id: crate::ExprId) -> String {
    match unit.kind(id) {
        ExprKind::Name(name) => (*name).to_owned(),
        ExprKind::Literal(Literal::Text(text)) => format!("{text:?}"),
        ExprKind::Literal(Literal::Integer(Some(number))) => number.to_string(),
        ExprKind::Binary { operator: Operator::Add, left, right } => {
            format!("{}+{}", shape(unit, *left), shape(unit, *right))
        }
        ExprKind::Template(_) => "template".to_owned(),
        ExprKind::Lambda(_) => "lambda".to_owned(),
        ExprKind::Subscript { base, index } => {
            let index = index.map(|index| shape(unit, index)).unwrap_or_default();
            format!("{}[{index}]", shape(unit, *base))
        }
        _ => unit.dotted(id).unwrap_or_else(|| "other".to_owned()),
    }
}

#[test]
fn calls_functions_and_imports_look_alike() {
    let cases = [
        (
            Dialect::Python,
            "from a import b as c\ndef f(x, *y, k=1):\n    c.run(\"s\" + x, y[\"k\"], shell=x, t=f'{x}')\n",
            "import a c; fn f(x,y,k); c.run(\"s\"+x,y[\"k\"],shell=x,t=template)",
        ),
        (
            Dialect::JavaScript,
            "const c = require('a'); const f = (x, ...y) => c.run('s' + x, y['k'], `${x}`, () => 1)",
            "import a c; fn f(x,y); require(\"a\"); c.run(\"s\"+x,y[\"k\"],template,lambda)",
        ),
        (
            Dialect::TypeScript,
            "import { b as c } from 'a';\nfunction f(x: string, y?: B): void { c.run('s' + x, y); }",
            "import a c; fn f(x,y); c.run(\"s\"+x,y)",
        ),
        (
            Dialect::Java,
            "import a.C; class A { void f(String x, int... y) { C.run(\"s\" + x, y[1]); new B(x); } }",
            "import a.C C; fn f(x,y); C.run(\"s\"+x,y[1]); B(x)",
        ),
        (
            Dialect::C,
            "#include \"a.h\"\nstatic int *f(char *x, int y[]) { return run(\"s\", x, y[1], s->t); }",
            "import a.h ; fn f(x,y); run(\"s\",x,y[1],s.t)",
        ),
        (
            Dialect::Cpp,
            "#include <a>\nint A::f(const std::string &x, int y = 1) { return c::run(\"s\" + x, y); }",
            "import a ; fn f(x,y); c.run(\"s\"+x,y)",
        ),
        (
            Dialect::Go,
            "package p\nimport c \"x/a\"\nfunc (t *T) f(x, z string, y ...int) { c.run(\"s\"+x, y[1]) }",
            "import x/a c; fn f(x,z,y); c.run(\"s\"+x,y[1])",
        ),
        (
            Dialect::Rust,
            "use a::{b as c, d}; impl T { fn f(&self, mut x: u8, (y, z): (u8, u8)) { c::run(\"s\", x, d!(\"{y}\", z)); } }",
            "import a c; import a d; fn f(x,); d(template,z); c.run(\"s\",x,other)",
        ),
        (
            Dialect::Bash,
            "source a.sh\nf() { run \"s$x\" $y 'k'; }\n",
            "import a.sh ; fn f(); source(\"a.sh\"); run(template,y,\"k\")",
        ),
    ];
    for (dialect, source, expected) in cases {
        let unit = parse(dialect, source);
        assert!(unit.notes.is_empty(), "{dialect:?}: {:?}", unit.notes);
        assert_eq!(facts(&unit), expected, "{dialect:?}");
    }
}

#[test]
fn nothing_is_lost_between_statements() {
    let cases = [
        (Dialect::Python, "try:\n    a()\nexcept (B, C) as d:\n    e()\nelse:\n    f()\nfinally:\n    g()\n"),
        (Dialect::JavaScript, "try { a() } catch (d) { e(); f() } finally { g() }"),
        (
            Dialect::Java,
            "class A { void m() { try (R r = a()) { e(); } catch (B | C d) { f(); } finally { g(); } } }",
        ),
        (Dialect::Cpp, "void m() { try { a(); e(); } catch (const B &d) { f(); g(); } }"),
    ];
    for (dialect, source) in cases {
        let unit = parse(dialect, source);
        let tries = unit.statements.iter().filter(|stmt| matches!(stmt.kind, StmtKind::Try { .. })).count();
        assert_eq!(tries, 1, "{dialect:?}");
        let calls = unit.expressions.iter().filter(|expr| matches!(expr.kind, ExprKind::Call { .. })).count();
        assert_eq!(calls, 4, "{dialect:?}");
    }
}

#[test]
fn the_head_of_a_switch_is_no_arm() {
    for (dialect, code, expected) in [
        (Dialect::Go, "package a\nfunc f() { switch d { default: g(); case 1, 2: h() } }", 2),
        (Dialect::Go, "package a\nfunc f() { switch x := v.(type) { case int: g(x) } }", 1),
        (Dialect::Go, "package a\nfunc f() { switch x := y(); x { case 1: g() } }", 1),
        (Dialect::Bash, "case $x in a) f ;; *) g ;; esac", 2),
    ] {
        let unit = parse(dialect, code);
        let arms: Vec<usize> = unit
            .statements
            .iter()
            .filter_map(|statement| match &statement.kind {
                StmtKind::Switch { arms, .. } => Some(arms.len()),
                _ => None,
            })
            .collect();
        assert_eq!(arms, [expected], "{code}");
    }
}
