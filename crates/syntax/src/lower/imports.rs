//! What a file takes from others.

use super::{Lowering, offset, span_of};
use crate::dialect::Dialect;
use crate::expression::{ExprId, ExprKind, ItemKey};
use crate::lines::Span;
use crate::statement::{Block, StmtId, StmtKind};
use crate::unit::{Import, ImportId, ImportKind, ImportedName};
use tree_sitter::Node;

impl<'a> Lowering<'a> {
    pub(super) fn import(&mut self, node: Node<'_>, out: &mut Block) {
        match self.dialect() {
            Dialect::Python => self.python_import(node, out),
            Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx => self.javascript_import(node, out),
            Dialect::Java => self.java_import(node, out),
            Dialect::C | Dialect::Cpp => self.include(node, out),
            Dialect::Go => self.go_import(node, out),
            Dialect::Rust => self.use_(node, out),
            Dialect::Bash => {}
        }
    }

    pub(super) fn blank_import(&self, module: &'a str, span: Span) -> Import<'a> {
        Import {
            module,
            path: Vec::new(),
            level: 0,
            names: Vec::new(),
            star: false,
            types_only: false,
            kind: ImportKind::Normal,
            span,
            statement: StmtId(0),
            function: self.function,
            conditional: self.conditional > 0,
        }
    }

    pub(super) fn add_import(&mut self, mut import: Import<'a>, out: &mut Block) {
        self.decorators.clear();
        let id = ImportId(offset(self.unit.imports.len()));
        let span = import.span;
        import.statement = StmtId(offset(self.unit.statements.len()));
        self.unit.imports.push(import);
        self.push(StmtKind::Import(id), span, out);
    }

    fn imported(&self, name: Node<'_>, alias: Option<Node<'_>>) -> ImportedName<'a> {
        let text = self.text(name);
        match alias {
            Some(alias) => ImportedName {
                name: text,
                local: self.text(alias),
                renamed: true,
                span: span_of(name).to(span_of(alias)),
            },
            None => ImportedName { name: text, local: text, renamed: false, span: span_of(name) },
        }
    }

    fn python_import(&mut self, node: Node<'_>, out: &mut Block) {
        let span = span_of(node);
        let names = self.fields(node, "name");
        if node.kind() == "import_statement" {
            for name in names {
                let alias = self.field(name, "alias");
                let path = self.field(name, "name").unwrap_or(name);
                let mut import = self.blank_import(self.text(path), span);
                let mut imported = self.imported(path, alias);
                if alias.is_none() {
                    // `import a.b` binds `a`.
                    imported.local = imported.name.split('.').next().unwrap_or("").trim();
                }
                import.names.push(imported);
                self.add_import(import, out);
            }
            return;
        }
        let written = match self.field(node, "module_name") {
            Some(module) => self.text(module),
            None => "__future__",
        };
        let module = written.trim_start_matches(['.', ' ']);
        let mut import = self.blank_import(module, span);
        import.level =
            offset(written.chars().take_while(|c| matches!(c, '.' | ' ')).filter(|c| *c == '.').count());
        import.star = self.child_of_kind(node, "wildcard_import").is_some();
        for name in names {
            let imported = self.imported(self.field(name, "name").unwrap_or(name), self.field(name, "alias"));
            import.names.push(imported);
        }
        self.add_import(import, out);
    }

    fn javascript_import(&mut self, node: Node<'_>, out: &mut Block) {
        let source = self.field(node, "source").or_else(|| {
            self.child_of_kind(node, "import_require_clause").and_then(|clause| self.field(clause, "source"))
        });
        let Some(source) = source else { return self.export(node, out) };
        let module = self.text(source).trim_matches(['"', '\'', '`']);
        let mut import = self.blank_import(module, span_of(node));
        import.types_only = self.has_word(node, "type");
        if node.kind() == "export_statement" {
            import.kind = ImportKind::Reexport;
            import.star = self.has_word(node, "*");
        }
        let mut pending = self.children(node);
        pending.reverse();
        while let Some(part) = pending.pop() {
            match part.kind() {
                "import_clause" | "named_imports" | "export_clause" | "import_require_clause" => {
                    let mut children = self.children(part);
                    children.reverse();
                    pending.extend(children);
                }
                "import_specifier" | "export_specifier" => {
                    if let Some(name) = self.field(part, "name") {
                        let imported = self.imported(name, self.field(part, "alias"));
                        import.names.push(imported);
                    }
                }
                "namespace_import" | "namespace_export" => {
                    if let Some(name) = self.children(part).first().copied() {
                        let local = self.text(name);
                        import.names.push(ImportedName {
                            name: "*",
                            local,
                            renamed: false,
                            span: span_of(name),
                        });
                    }
                }
                "identifier" => {
                    let local = self.text(part);
                    import.names.push(ImportedName {
                        name: "default",
                        local,
                        renamed: false,
                        span: span_of(part),
                    });
                }
                _ => {}
            }
        }
        self.add_import(import, out);
    }

    /// `export …` without `from`: what it exports is used, and what it declares is public.
    fn export(&mut self, node: Node<'_>, out: &mut Block) {
        let span = span_of(node);
        let functions = self.unit.functions.len();
        let classes = self.unit.classes.len();
        let before = out.len();
        self.outer_start = Some(span.start);
        let mut names = Vec::new();
        for child in self.children(node) {
            match child.kind() {
                "decorator" => {
                    if let Some(inner) = self.children(child).first().copied() {
                        let decorator = self.expr(inner);
                        self.decorators.push(decorator);
                    }
                }
                "export_clause" => {
                    for specifier in self.children(child) {
                        if let Some(name) = self.field(specifier, "name") {
                            names.push(self.expr(name));
                        }
                    }
                }
                _ => self.statement(child, out),
            }
        }
        self.outer_start = None;
        if let Some(function) = self.unit.functions.get_mut(functions) {
            function.modifiers.public = true;
        }
        if let Some(class) = self.unit.classes.get_mut(classes) {
            class.modifiers.public = true;
        }
        self.export_declared(before, names, span, out);
    }

    /// What is exported is read from outside: each name that was declared since `before` counts as used.
    pub(super) fn export_declared(
        &mut self,
        before: usize,
        mut names: Vec<ExprId>,
        span: Span,
        out: &mut Block,
    ) {
        let declared: Vec<StmtId> = out.get(before..).unwrap_or_default().to_vec();
        for id in declared {
            if let StmtKind::Assign { targets, .. } = &self.unit.stmt(id).kind {
                for target in targets.clone() {
                    self.exported_names(target, &mut names);
                }
            }
        }
        if !names.is_empty() {
            self.push(StmtKind::Other { expressions: names, body: Vec::new() }, span, out);
        }
    }

    fn exported_names(&mut self, target: ExprId, names: &mut Vec<ExprId>) {
        let span = self.unit.expr(target).span;
        match self.unit.kind(target).clone() {
            ExprKind::Name(name) => names.push(self.add(ExprKind::Name(name), span)),
            ExprKind::Collection { items, .. } => {
                for item in items {
                    self.exported_names(item.value, names);
                }
            }
            _ => {}
        }
    }

    /// `x = require("y")`, `{a, b} = require("y")`, `await import("y")` are imports too.
    pub(super) fn required(&mut self, value: ExprId, target: Option<ExprId>, span: Span) {
        if !matches!(self.dialect(), Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx) {
            return;
        }
        let mut at = value;
        while let ExprKind::Attribute { base, .. } | ExprKind::Await(base) = self.unit.kind(at) {
            at = *base;
        }
        let Some(module) = self.required_module(at) else { return };
        let mut import = self.blank_import(module, span);
        if let Some(target) = target {
            match self.unit.kind(target) {
                ExprKind::Name(local) => {
                    let span = self.unit.expr(target).span;
                    import.names.push(ImportedName { name: "*", local, renamed: false, span });
                }
                ExprKind::Collection { items, .. } => {
                    for item in items {
                        if let ExprKind::Name(local) = self.unit.kind(item.value) {
                            let name = match &item.key {
                                Some(ItemKey::Name(name)) => name,
                                _ => local,
                            };
                            let span = self.unit.expr(item.value).span;
                            import.names.push(ImportedName { name, local, renamed: name != local, span });
                        }
                    }
                }
                _ => {}
            }
        }
        import.statement = StmtId(offset(self.unit.statements.len()));
        self.unit.imports.push(import);
    }

    fn required_module(&self, id: ExprId) -> Option<&'a str> {
        let ExprKind::Call { callee, arguments, .. } = self.unit.kind(id) else { return None };
        if !matches!(self.unit.name_of(*callee)?, "require" | "import") {
            return None;
        }
        let [only] = arguments.as_slice() else { return None };
        self.unit.literal_text(only.value)?;
        let span = self.unit.expr(only.value).span;
        Some(span.text(self.unit.source).trim_matches(['"', '\'', '`']))
    }

    fn java_import(&mut self, node: Node<'_>, out: &mut Block) {
        let Some(path) = self.children(node).first().copied() else { return };
        let module = self.text(path);
        let mut import = self.blank_import(module, span_of(node));
        import.star = self.child_of_kind(node, "asterisk").is_some();
        if self.has_word(node, "static") {
            import.kind = ImportKind::Static;
        }
        if !import.star {
            let local = module.rsplit('.').next().unwrap_or(module);
            import.names.push(ImportedName { name: local, local, renamed: false, span: span_of(path) });
        }
        self.add_import(import, out);
    }

    fn include(&mut self, node: Node<'_>, out: &mut Block) {
        let span = span_of(node);
        let Some(path) = self.field(node, "path") else {
            // C++'s `using namespace x;`
            if let Some(name) = self.children(node).first().copied() {
                let value = self.expr(name);
                self.push(StmtKind::Other { expressions: vec![value], body: Vec::new() }, span, out);
            }
            return;
        };
        let written = self.text(path);
        let mut import = self.blank_import(written.trim_matches(['"', '<', '>']), span);
        import.star = true;
        if written.starts_with('"') {
            import.kind = ImportKind::Local;
        }
        self.add_import(import, out);
    }

    fn go_import(&mut self, node: Node<'_>, out: &mut Block) {
        let Some(path) = self.field(node, "path") else { return };
        let module = self.text(path).trim_matches(['"', '`']);
        let mut import = self.blank_import(module, span_of(node));
        match self.field(node, "name") {
            Some(name) if self.text(name) == "." => import.star = true,
            Some(name) if self.text(name) == "_" => {}
            Some(name) => {
                let local = self.text(name);
                import.names.push(ImportedName { name: module, local, renamed: true, span: span_of(node) });
            }
            None => {
                let local = go_package(module);
                import.names.push(ImportedName { name: module, local, renamed: false, span: span_of(node) });
            }
        }
        self.add_import(import, out);
    }

    fn use_(&mut self, node: Node<'_>, out: &mut Block) {
        let span = span_of(node);
        if node.kind() == "extern_crate_declaration" {
            let Some(name) = self.field(node, "name") else { return };
            let mut import = self.blank_import(self.text(name), span);
            let imported = self.imported(name, self.field(node, "alias"));
            import.names.push(imported);
            return self.add_import(import, out);
        }
        let reexport = self.child_of_kind(node, "visibility_modifier").is_some();
        let hidden = !self.decorators.is_empty();
        let Some(argument) = self.field(node, "argument") else { return };
        let mut leaves = Vec::new();
        self.use_leaves(argument, "", &[], &mut leaves);
        for leaf in leaves {
            let mut import = self.blank_import(leaf.module, span);
            import.path = leaf.path;
            import.conditional |= hidden;
            import.star = leaf.name.is_none();
            import.names.extend(leaf.name);
            if reexport {
                import.kind = ImportKind::Reexport;
            }
            self.add_import(import, out);
        }
    }

    /// The leaves of `a::{b, c as d, e::*}`, each with the path before it.
    fn use_leaves(
        &mut self,
        node: Node<'_>,
        prefix: &'a str,
        before: &[&'a str],
        leaves: &mut Vec<UseLeaf<'a>>,
    ) {
        let Some(()) = self.deeper(node, |this| this.use_leaves_inside(node, prefix, before, leaves)) else {
            return;
        };
    }

    fn use_leaves_inside(
        &mut self,
        node: Node<'_>,
        prefix: &'a str,
        before: &[&'a str],
        leaves: &mut Vec<UseLeaf<'a>>,
    ) {
        let joined = |text: Option<&'a str>| -> Vec<&'a str> {
            let own = text.into_iter().flat_map(|text| text.split("::").map(str::trim));
            before.iter().copied().chain(own).collect()
        };
        match node.kind() {
            "use_list" => {
                for child in self.children(node) {
                    self.use_leaves(child, prefix, before, leaves);
                }
            }
            "scoped_use_list" => {
                let own = self.field(node, "path").map(|path| self.text(path));
                let module = if prefix.is_empty() { own.unwrap_or(prefix) } else { prefix };
                if let Some(list) = self.field(node, "list") {
                    self.use_leaves(list, module, &joined(own), leaves);
                }
            }
            "use_wildcard" => {
                let own = self.children(node).first().map(|path| self.text(*path));
                leaves.push(UseLeaf { module: own.unwrap_or(prefix), path: joined(own), name: None });
            }
            "use_as_clause" => {
                if let (Some(path), Some(alias)) = (self.field(node, "path"), self.field(node, "alias")) {
                    let text = self.text(path);
                    let module = if prefix.is_empty() { text } else { prefix };
                    let name = Some(self.imported(path, Some(alias)));
                    leaves.push(UseLeaf { module, path: without_self(joined(Some(text))), name });
                }
            }
            _ => {
                let text = self.text(node);
                let module = if prefix.is_empty() { text } else { prefix };
                let path = without_self(joined(Some(text)));
                let local = path.last().copied().unwrap_or(text);
                let name = ImportedName { name: local, local, renamed: false, span: span_of(node) };
                leaves.push(UseLeaf { module, path, name: Some(name) });
            }
        }
    }
}

/// One name that a `use` brings, or all of a module.
struct UseLeaf<'a> {
    /// What stands before the outermost braces, or all of it without any.
    module: &'a str,
    path: Vec<&'a str>,
    /// None for `*`.
    name: Option<ImportedName<'a>>,
}

/// `a::{self}` brings `a`.
fn without_self(mut path: Vec<&str>) -> Vec<&str> {
    if path.len() > 1 && path.last() == Some(&"self") {
        path.pop();
    }
    path
}

/// The package that a Go path most likely holds: its last part without a version.
fn go_package(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or(path);
    let version = last
        .strip_prefix('v')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()));
    let last = if version { parts.next().unwrap_or(last) } else { last };
    let last = last.split(".v").next().unwrap_or(last);
    last.strip_prefix("go-").unwrap_or(last)
}
