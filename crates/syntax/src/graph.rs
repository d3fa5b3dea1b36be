//! Control flow of one function, or of the top of a file.
//!
//! Nodes hold statements that run one after the other; edges say what may run next. Compound statements stand in the
//! node that evaluates their question. What cannot be known is taken for possible, so a statement that no path reaches
//! is truly unreachable: constants that are written as such decide (`while True`), nothing else does.

use crate::dialect::Dialect;
use crate::expression::{CallKind, ExprId, ExprKind, Literal, Operator};
use crate::statement::{Block, LoopKind, StmtId, StmtKind, SwitchKind};
use crate::unit::Unit;

/// The number of a node in [`Graph::nodes`].
pub type NodeId = usize;

/// Statements that run one after the other.
#[derive(Debug, Clone, Default)]
pub struct Node {
    /// The statements; compound ones stand for their question alone.
    pub statements: Vec<StmtId>,
    /// What may come next.
    pub next: Vec<NodeId>,
}

/// The control flow of a block.
#[derive(Debug, Clone)]
pub struct Graph {
    /// All nodes; [`Graph::ENTRY`] is the first.
    pub nodes: Vec<Node>,
    reachable: Vec<bool>,
}

impl Graph {
    /// Where the block begins.
    pub const ENTRY: NodeId = 0;
    /// Where it ends: by its last statement, `return` or an exception.
    pub const EXIT: NodeId = 1;

    /// The control flow of a function's body or of a file's top.
    pub fn new(unit: &Unit<'_>, body: &[StmtId]) -> Self {
        let mut builder = Builder {
            unit,
            nodes: vec![Node::default(), Node::default()],
            current: Self::ENTRY,
            loops: Vec::new(),
        };
        builder.block(body);
        builder.edge(builder.current, Self::EXIT);
        let nodes = builder.nodes;
        let mut reachable = vec![false; nodes.len()];
        let mut pending = vec![Self::ENTRY];
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut reachable[node], true) {
                pending.extend(&nodes[node].next);
            }
        }
        Self { nodes, reachable }
    }

    /// Whether any path leads to a node.
    pub fn is_reachable(&self, node: NodeId) -> bool {
        self.reachable.get(node).copied().unwrap_or(false)
    }

    /// The statements that no path reaches, the first of each stretch.
    pub fn unreachable(&self) -> Vec<StmtId> {
        let dead = self.nodes.iter().zip(&self.reachable).filter(|(_, reachable)| !**reachable);
        let mut found: Vec<StmtId> = dead.filter_map(|(node, _)| node.statements.first().copied()).collect();
        found.sort_unstable();
        found
    }

    /// Whether the end is reached by running off the last statement or by a jump to it.
    pub fn ends(&self) -> bool {
        self.is_reachable(Self::EXIT)
    }
}

struct Around<'a> {
    label: Option<&'a str>,
    leave: NodeId,
    again: Option<NodeId>,
}

struct Builder<'u, 'a> {
    unit: &'u Unit<'a>,
    nodes: Vec<Node>,
    current: NodeId,
    loops: Vec<Around<'a>>,
}

impl<'u, 'a> Builder<'u, 'a> {
    fn node(&mut self) -> NodeId {
        self.nodes.push(Node::default());
        self.nodes.len() - 1
    }

    fn edge(&mut self, from: NodeId, to: NodeId) {
        if !self.nodes[from].next.contains(&to) {
            self.nodes[from].next.push(to);
        }
    }

    fn put(&mut self, id: StmtId) {
        self.nodes[self.current].statements.push(id);
    }

    /// What follows a jump starts a node that nothing leads to.
    fn jump(&mut self, to: NodeId) {
        self.edge(self.current, to);
        self.current = self.node();
    }

    fn block(&mut self, block: &[StmtId]) {
        for id in block {
            self.statement(*id);
        }
    }

    /// Runs a block from a node and gives the node where it ends.
    fn branch(&mut self, from: NodeId, block: &[StmtId]) -> NodeId {
        let start = self.node();
        self.edge(from, start);
        self.current = start;
        self.block(block);
        self.current
    }

    /// `a = match b { None => break, … }`: jumps out of expressions, where the language has them.
    fn inner_jumps(&mut self, id: StmtId) {
        let unit = self.unit;
        if !matches!(unit.dialect, Dialect::Rust | Dialect::Java) {
            return;
        }
        let mut targets = Vec::new();
        unit.walk(&[id], crate::walk::Nested::Skip, &mut |step| {
            if let crate::walk::Step::Stmt(inner) = step {
                match unit.stmt(inner).kind {
                    StmtKind::Break(label) if inner != id => targets.push(self.around(label, false)),
                    StmtKind::Continue(label) if inner != id => targets.push(self.around(label, true)),
                    _ => {}
                }
            }
        });
        for target in targets {
            self.edge(self.current, target);
        }
    }

    fn statement(&mut self, id: StmtId) {
        let unit = self.unit;
        if matches!(
            unit.stmt(id).kind,
            StmtKind::Expression(_) | StmtKind::Assign { .. } | StmtKind::Return(_)
        ) {
            self.inner_jumps(id);
        }
        match &unit.stmt(id).kind {
            StmtKind::Return(_) | StmtKind::Raise(_) => {
                self.put(id);
                self.jump(Graph::EXIT);
            }
            StmtKind::Break(label) => {
                self.put(id);
                let target = self.around(*label, false);
                self.jump(target);
            }
            StmtKind::Continue(label) => {
                self.put(id);
                let target = self.around(*label, true);
                self.jump(target);
            }
            StmtKind::Goto(_) => {
                self.put(id);
                self.jump(Graph::EXIT);
            }
            StmtKind::Expression(value) => {
                self.put(id);
                if never_returns(unit, *value) {
                    self.jump(Graph::EXIT);
                }
            }
            StmtKind::If { .. } => self.if_(id),
            StmtKind::Loop { .. } => self.loop_(id),
            StmtKind::Switch { .. } => self.switch(id),
            StmtKind::Try { .. } => self.try_(id),
            StmtKind::With { items, body, .. } => {
                self.put(id);
                let from = self.current;
                let end = self.branch(from, body);
                let after = self.node();
                self.edge(end, after);
                // A context manager may swallow what is raised inside; a return stays a return.
                let raises = body.iter().any(|stmt| matches!(unit.stmt(*stmt).kind, StmtKind::Raise(_)));
                let swallows = items.iter().any(|(held, _)| {
                    let text = unit.text(unit.expr(*held).span);
                    ["suppress", "ignor", "aises", "catch", "swallow"].iter().any(|word| text.contains(word))
                });
                if raises || swallows {
                    self.edge(from, after);
                }
                self.current = after;
            }
            StmtKind::Label { name, body } => {
                // A label may be jumped to from anywhere.
                let start = self.node();
                let after = self.node();
                self.edge(self.current, start);
                self.edge(Graph::ENTRY, start);
                self.nodes[start].statements.push(id);
                self.loops.push(Around { label: Some(name), leave: after, again: None });
                self.current = start;
                self.block(body);
                self.loops.pop();
                self.edge(self.current, after);
                self.current = after;
            }
            StmtKind::Block(body) => self.block(body),
            StmtKind::Other { body, .. } => {
                self.put(id);
                // A pipeline's parts run in shells of their own.
                let from = self.current;
                let end = self.branch(from, body);
                let after = self.node();
                self.edge(end, after);
                self.edge(from, after);
                self.current = after;
            }
            StmtKind::Preprocessor(branches) => {
                self.put(id);
                let from = self.current;
                let after = self.node();
                self.edge(from, after);
                for branch in branches {
                    let end = self.branch(from, branch);
                    self.edge(end, after);
                }
                self.current = after;
            }
            _ => self.put(id),
        }
    }

    fn around(&self, label: Option<&str>, again: bool) -> NodeId {
        let mut found = self.loops.iter().rev().filter(|around| match label {
            Some(label) => around
                .label
                .is_some_and(|name| name.trim_start_matches('\'') == label.trim_start_matches('\'')),
            None => !again && around.label.is_none() || around.again.is_some(),
        });
        match found.next() {
            Some(around) if again => around.again.unwrap_or(around.leave),
            Some(around) => around.leave,
            None => Graph::EXIT,
        }
    }

    fn if_(&mut self, id: StmtId) {
        let unit = self.unit;
        let after = self.node();
        let mut at = Some(id);
        // Chains of `else if` are followed without recursion.
        while let Some(id) = at.take() {
            let StmtKind::If { test, then, otherwise, .. } = &unit.stmt(id).kind else { break };
            self.put(id);
            let from = self.current;
            let truth = truth(unit, *test);
            let start = if truth == Some(false) { self.node() } else { from };
            let end = self.branch(start, then);
            self.edge(end, after);
            let rest = self.node();
            if truth != Some(true) {
                self.edge(from, rest);
            }
            self.current = rest;
            match otherwise.as_slice() {
                [only] if matches!(unit.stmt(*only).kind, StmtKind::If { elif: true, .. }) => {
                    at = Some(*only)
                }
                _ => self.block(otherwise),
            }
        }
        self.edge(self.current, after);
        self.current = after;
    }

    fn loop_(&mut self, id: StmtId) {
        let unit = self.unit;
        let StmtKind::Loop { kind, init, test, body, otherwise, label, .. } = &unit.stmt(id).kind else {
            return;
        };
        self.block(init);
        let head = self.node();
        let after = self.node();
        self.edge(self.current, head);
        self.nodes[head].statements.push(id);
        self.loops.push(Around { label: *label, leave: after, again: Some(head) });
        let truth = match (kind, test) {
            (LoopKind::Endless, _) => Some(true),
            (LoopKind::Until, Some(test)) => truth(unit, *test).map(|truth| !truth),
            (_, Some(test)) => truth(unit, *test),
            (_, None) => None,
        };
        let start = if truth == Some(false) && *kind != LoopKind::DoWhile { self.node() } else { head };
        let end = self.branch(start, body);
        self.edge(end, head);
        self.loops.pop();
        let rest = self.node();
        if truth != Some(true) {
            if *kind == LoopKind::DoWhile {
                // The question is asked after the body, or by `continue`.
                self.edge(end, rest);
                if contains_continue(unit, body) {
                    self.edge(head, rest);
                }
            } else {
                self.edge(head, rest);
            }
        }
        self.current = rest;
        self.block(otherwise);
        self.edge(self.current, after);
        self.current = after;
    }

    fn switch(&mut self, id: StmtId) {
        let unit = self.unit;
        let StmtKind::Switch { kind, arms, .. } = &unit.stmt(id).kind else { return };
        self.put(id);
        let from = self.current;
        let after = self.node();
        let breaks = *kind == SwitchKind::Falling || matches!(unit.dialect, Dialect::Go | Dialect::Java);
        if breaks {
            self.loops.push(Around { label: None, leave: after, again: None });
        }
        let mut before: Option<NodeId> = None;
        for arm in arms {
            let start = self.node();
            self.edge(from, start);
            if let (Some(end), SwitchKind::Falling) = (before, kind) {
                self.edge(end, start);
            }
            self.current = start;
            self.block(&arm.body);
            if *kind != SwitchKind::Falling {
                self.edge(self.current, after);
            }
            before = Some(self.current);
        }
        if let (Some(end), SwitchKind::Falling) = (before, kind) {
            self.edge(end, after);
        }
        if breaks {
            self.loops.pop();
        }
        let exhaustive = match kind {
            SwitchKind::Select => !arms.is_empty(),
            _ => arms.iter().any(|arm| arm.default) || unit.dialect == Dialect::Rust && !arms.is_empty(),
        };
        if !exhaustive {
            self.edge(from, after);
        }
        self.current = after;
    }

    fn try_(&mut self, id: StmtId) {
        let unit = self.unit;
        let StmtKind::Try { body, handlers, otherwise, finally } = &unit.stmt(id).kind else { return };
        self.put(id);
        let from = self.current;
        let first = self.nodes.len();
        let end = self.branch(from, body);
        let last = self.nodes.len();
        self.current = end;
        self.block(otherwise);
        let mut ends = vec![self.current];
        for handler in handlers {
            let start = self.node();
            self.edge(from, start);
            // Anything in the body may raise.
            for inner in first..last {
                self.edge(inner, start);
            }
            self.current = start;
            self.block(&handler.body);
            ends.push(self.current);
        }
        let after = self.node();
        if finally.is_empty() {
            for end in ends {
                self.edge(end, after);
            }
        } else {
            // `finally` runs however the body ends; what follows runs only when the body or a handler ended well.
            let cleanup = self.node();
            self.edge(from, cleanup);
            self.current = cleanup;
            self.block(finally);
            let done = self.current;
            let normal = self.node();
            for end in ends {
                self.edge(end, normal);
            }
            let cleanup_ends = self.ends_normally(cleanup, done);
            if cleanup_ends {
                self.edge(normal, after);
            }
            self.edge(done, Graph::EXIT);
        }
        self.current = after;
    }

    /// Whether a path leads from one node to another.
    fn ends_normally(&self, from: NodeId, to: NodeId) -> bool {
        let mut seen = vec![false; self.nodes.len()];
        let mut pending = vec![from];
        while let Some(node) = pending.pop() {
            if node == to {
                return true;
            }
            if node != Graph::EXIT && !std::mem::replace(&mut seen[node], true) {
                pending.extend(&self.nodes[node].next);
            }
        }
        false
    }
}

fn contains_continue(unit: &Unit<'_>, body: &Block) -> bool {
    let mut found = false;
    unit.walk(body, crate::walk::Nested::Skip, &mut |step| {
        if let crate::walk::Step::Stmt(id) = step {
            found |= matches!(unit.stmt(id).kind, StmtKind::Continue(_));
        }
    });
    found
}

/// Whether a question is decided by what is written: `True`, `1`, `0`, `not False`, Bash's `true` and `:`.
pub fn truth(unit: &Unit<'_>, id: ExprId) -> Option<bool> {
    match unit.kind(id) {
        ExprKind::Literal(Literal::Boolean(value)) => Some(*value),
        ExprKind::Literal(Literal::Integer(Some(value))) => Some(*value != 0),
        ExprKind::Literal(Literal::Null) => Some(false),
        ExprKind::Unary { operator: Operator::Not, operand } => truth(unit, *operand).map(|truth| !truth),
        ExprKind::Call { callee, arguments, kind: CallKind::Command } if arguments.is_empty() => {
            match unit.name_of(*callee)? {
                "true" | ":" => Some(true),
                "false" => Some(false),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a call ends the program or always raises.
pub fn never_returns(unit: &Unit<'_>, id: ExprId) -> bool {
    let ExprKind::Call { callee, kind, .. } = unit.kind(id) else { return false };
    let Some(name) = unit.dotted(*callee) else { return false };
    match unit.dialect {
        Dialect::Python => matches!(name.as_str(), "sys.exit" | "os._exit" | "os.abort" | "exit" | "quit"),
        Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx => {
            name == "process.exit" || name == "process.abort"
        }
        Dialect::Java => false,
        Dialect::C | Dialect::Cpp => {
            matches!(
                name.as_str(),
                "exit"
                    | "_exit"
                    | "_Exit"
                    | "abort"
                    | "quick_exit"
                    | "std.exit"
                    | "std.abort"
                    | "std.terminate"
            )
        }
        Dialect::Go => {
            name == "os.Exit"
                || name == "panic"
                || name.starts_with("log.Fatal")
                || name.starts_with("log.Panic")
        }
        Dialect::Rust => match kind {
            CallKind::Macro => matches!(name.as_str(), "panic" | "unreachable" | "todo" | "unimplemented"),
            _ => matches!(name.as_str(), "std.process.exit" | "process.exit" | "std.process.abort"),
        },
        Dialect::Bash => {
            *kind == CallKind::Command && matches!(name.as_str(), "exit" | "exec") && {
                // `exec` without a command only redirects.
                name == "exit"
                    || matches!(unit.kind(id), ExprKind::Call { arguments, .. } if !arguments.is_empty())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    /// The lines of the first function's statements that no path reaches.
    fn dead(dialect: Dialect, source: &str) -> Vec<u32> {
        let unit = parse(dialect, source);
        let body = unit.functions.first().map_or(&unit.body, |function| &function.body);
        let graph = Graph::new(&unit, body);
        graph.unreachable().into_iter().map(|id| unit.lines.line(unit.stmt(id).span.start)).collect()
    }

    #[test]
    fn what_no_path_reaches_is_found() {
        let cases: &[(Dialect, &str, &[u32])] = &[
            (Dialect::Python, "def f():\n  return 1\n  a()\n", &[3]),
            (Dialect::Python, "def f():\n  while True:\n    a()\n  b()\n", &[4]),
            (Dialect::Python, "def f():\n  while True:\n    break\n  b()\n", &[]),
            (Dialect::Python, "def f():\n  if x:\n    return 1\n  else:\n    raise A\n  b()\n", &[6]),
            (Dialect::Python, "def f():\n  try:\n    return a()\n  except B:\n    pass\n  b()\n", &[]),
            (Dialect::Python, "def f():\n  try:\n    return a()\n  finally:\n    c()\n  b()\n", &[6]),
            (Dialect::Python, "def f():\n  for x in y:\n    continue\n    a()\n", &[4]),
            (Dialect::Python, "def f():\n  if False:\n    a()\n", &[3]),
            (Dialect::Python, "def f():\n  with a():\n    raise B\n  c()\n", &[]),
            (Dialect::JavaScript, "function f() {\n for (;;) {}\n b()\n}", &[3]),
            (
                Dialect::JavaScript,
                "function f() {\n switch (a) {\n case 1: return 1\n default: return 2\n }\n b()\n}",
                &[6],
            ),
            (Dialect::JavaScript, "function f() {\n do { if (a) continue; break } while (b)\n c()\n}", &[]),
            (Dialect::C, "int f() {\n goto end;\nend:\n return 1;\n}", &[]),
            (Dialect::C, "int f() {\n#if A\n return 1;\n#endif\n return 2;\n}", &[]),
            (Dialect::Rust, "fn f() -> u8 {\n match a { 1 => return 1, _ => return 2 }\n b()\n}", &[3]),
            (Dialect::Rust, "fn f() {\n loop {\n if a { break }\n }\n b()\n}", &[]),
            (Dialect::Go, "func f() {\n for {\n select {}\n }\n b()\n}", &[5]),
            (Dialect::Java, "class A { void f() {\n while (true) { if (a) break; }\n b();\n} }", &[]),
            (Dialect::Bash, "f() {\n exit 1\n echo a\n}", &[3]),
            (Dialect::Bash, "f() {\n while true; do\n a\n done\n b\n}", &[5]),
        ];
        for (dialect, source, expected) in cases {
            assert_eq!(&dead(*dialect, source), expected, "{source}");
        }
    }
}
