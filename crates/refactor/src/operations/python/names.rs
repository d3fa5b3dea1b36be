//! Every name of a Python file, with what it stands for.

use tree_sitter::{Node, Tree};

/// The number of a scope; the file is the first.
pub(crate) type ScopeId = usize;

/// One scope.
#[derive(Debug)]
pub(crate) struct Scope {
    pub kind: ScopeKind,
    pub parent: Option<ScopeId>,
    /// Names that `global` or `nonlocal` takes from outside.
    pub outer: Vec<(String, bool)>,
    pub range: std::ops::Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    File,
    Class,
    Function,
    Comprehension,
}

/// One place where a name stands.
#[derive(Debug, Clone)]
pub(crate) struct Occurrence<'s> {
    pub name: &'s str,
    pub range: std::ops::Range<usize>,
    pub scope: ScopeId,
    pub role: Role<'s>,
}

/// What a name does at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Role<'s> {
    /// It is defined or written.
    Bind,
    /// It is a parameter.
    Parameter,
    /// It is read.
    Read,
    /// `global x`, `nonlocal x`.
    Declare,
    /// It follows a dot; the text before it.
    Attribute(&'s str),
    /// It names an argument of a call; the text of what is called.
    Keyword(&'s str),
    /// `import a.b as name`, `import a`: the module that the name is bound to.
    ImportModule(&'s str),
    /// `from module import name`: what is taken, and whether this very place is that name and the local one.
    ImportFrom { module: &'s str, aliased: bool },
    /// The local name of `from module import x as name`.
    Alias { module: &'s str, name: &'s str },
}

impl Role<'_> {
    pub fn binds(&self) -> bool {
        match self {
            Self::Bind | Self::Parameter | Self::ImportModule(_) | Self::Alias { .. } => true,
            Self::ImportFrom { aliased, .. } => !aliased,
            Self::Read | Self::Declare | Self::Attribute(_) | Self::Keyword(_) => false,
        }
    }

    fn is_plain(&self) -> bool {
        self.binds() || matches!(self, Self::Read | Self::Declare)
    }
}

/// The names of one file.
#[derive(Debug)]
pub(crate) struct Names<'s> {
    pub scopes: Vec<Scope>,
    pub occurrences: Vec<Occurrence<'s>>,
    /// `from module import *`, with its place.
    pub stars: Vec<(&'s str, usize)>,
    /// Strings with their contents and places.
    pub strings: Vec<(&'s str, std::ops::Range<usize>)>,
    /// Calls of `eval`, `exec`, `locals`, `vars`, `globals`.
    pub dynamic: Vec<(ScopeId, usize)>,
}

impl<'s> Names<'s> {
    pub fn new(tree: &Tree, source: &'s str) -> Self {
        let mut finder = Finder {
            source,
            names: Names {
                scopes: Vec::new(),
                occurrences: Vec::new(),
                stars: Vec::new(),
                strings: Vec::new(),
                dynamic: Vec::new(),
            },
            pending: Vec::new(),
        };
        let root = tree.root_node();
        let file = finder.scope(ScopeKind::File, None, root);
        finder.children(root, file);
        finder.run();
        finder.names.occurrences.sort_by_key(|one| one.range.start);
        finder.names
    }

    fn binds(&self, scope: ScopeId, name: &str) -> bool {
        self.occurrences.iter().any(|one| one.scope == scope && one.name == name && one.role.binds())
            && !self.scopes[scope].outer.iter().any(|(outer, _)| outer == name)
    }

    /// The scope that defines a name which stands in a scope; none where the file does not define it.
    pub fn resolve(&self, from: ScopeId, name: &str) -> Option<ScopeId> {
        let mut at = Some(from);
        while let Some(scope) = at {
            let here = &self.scopes[scope];
            if let Some((_, global)) = here.outer.iter().find(|(outer, _)| outer == name) {
                if *global {
                    return self.binds(0, name).then_some(0);
                }
            } else if (scope == from || here.kind != ScopeKind::Class) && self.binds(scope, name) {
                return Some(scope);
            }
            at = here.parent;
        }
        None
    }

    /// The occurrences that stand for a name of a scope.
    pub fn of(&self, scope: ScopeId, name: &str) -> impl Iterator<Item = &Occurrence<'s>> {
        let plain = move |one: &&Occurrence<'s>| one.name == name && one.role.is_plain();
        self.occurrences.iter().filter(plain).filter(move |one| self.resolve(one.scope, name) == Some(scope))
    }

    /// The name at a place.
    pub fn at(&self, offset: usize) -> Option<&Occurrence<'s>> {
        self.occurrences.iter().find(|one| one.range.start <= offset && offset <= one.range.end)
    }

    /// The innermost scope that holds these bytes.
    pub fn scope_at(&self, range: &std::ops::Range<usize>) -> ScopeId {
        let holds = |scope: &Scope| scope.range.start <= range.start && range.end <= scope.range.end;
        let found = self.scopes.iter().enumerate().filter(|(_, scope)| holds(scope));
        // Of two that cover the same bytes, the later one is inside.
        found.min_by_key(|(id, scope)| (scope.range.len(), std::cmp::Reverse(*id))).map_or(0, |(id, _)| id)
    }

    /// Whether a scope lies within another, or is it.
    pub fn is_within(&self, scope: ScopeId, outer: ScopeId) -> bool {
        let mut at = Some(scope);
        while let Some(id) = at {
            if id == outer {
                return true;
            }
            at = self.scopes[id].parent;
        }
        false
    }
}

struct Finder<'s, 't> {
    source: &'s str,
    names: Names<'s>,
    pending: Vec<(Node<'t>, ScopeId)>,
}

impl<'s, 't> Finder<'s, 't> {
    fn scope(&mut self, kind: ScopeKind, parent: Option<ScopeId>, node: Node<'t>) -> ScopeId {
        self.names.scopes.push(Scope { kind, parent, outer: Vec::new(), range: node.byte_range() });
        self.names.scopes.len() - 1
    }

    fn text(&self, node: Node<'t>) -> &'s str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    fn children(&mut self, node: Node<'t>, scope: ScopeId) {
        let mut cursor = node.walk();
        let children: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
        self.pending.extend(children.into_iter().map(|child| (child, scope)));
    }

    fn later(&mut self, node: Option<Node<'t>>, scope: ScopeId) {
        self.pending.extend(node.map(|node| (node, scope)));
    }

    fn occurs(&mut self, node: Node<'t>, scope: ScopeId, role: Role<'s>) {
        let name = self.text(node);
        self.names.occurrences.push(Occurrence { name, range: node.byte_range(), scope, role });
    }

    fn run(&mut self) {
        while let Some((node, scope)) = self.pending.pop() {
            self.node(node, scope);
        }
    }

    fn node(&mut self, node: Node<'t>, scope: ScopeId) {
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "identifier" => self.occurs(node, scope, Role::Read),
            "comment" => {}
            "string" => {
                let content = node.named_child(1).filter(|child| child.kind() == "string_content");
                if let Some(content) = content {
                    self.names.strings.push((self.text(content), content.byte_range()));
                }
                self.children(node, scope);
            }
            "function_definition" => self.function(node, scope),
            "lambda" => {
                let inner = self.scope(ScopeKind::Function, Some(scope), node);
                self.parameters(field("parameters"), scope, inner);
                self.later(field("body"), inner);
            }
            "class_definition" => {
                if let Some(name) = field("name") {
                    self.occurs(name, scope, Role::Bind);
                }
                self.later(field("superclasses"), scope);
                self.later(field("type_parameters"), scope);
                if let Some(body) = field("body") {
                    let inner = self.scope(ScopeKind::Class, Some(scope), body);
                    self.children(body, inner);
                }
            }
            "list_comprehension"
            | "set_comprehension"
            | "dictionary_comprehension"
            | "generator_expression" => {
                self.comprehension(node, scope);
            }
            "assignment" | "augmented_assignment" => {
                if let Some(left) = field("left") {
                    self.bind(left, scope);
                }
                self.later(field("right"), scope);
                self.later(field("type"), scope);
            }
            "named_expression" => {
                let mut outer = scope;
                while let (ScopeKind::Comprehension, Some(parent)) =
                    (self.names.scopes[outer].kind, self.names.scopes[outer].parent)
                {
                    outer = parent;
                }
                if let Some(name) = field("name") {
                    self.bind(name, outer);
                }
                self.later(field("value"), scope);
            }
            "for_statement" => {
                if let Some(left) = field("left") {
                    self.bind(left, scope);
                }
                ["right", "body", "alternative"].iter().for_each(|name| self.later(field(name), scope));
            }
            "as_pattern" => {
                let alias = field("alias");
                if let Some(alias) = alias {
                    let mut cursor = alias.walk();
                    let targets: Vec<Node<'t>> = alias.named_children(&mut cursor).collect();
                    targets.into_iter().for_each(|target| self.bind(target, scope));
                }
                let mut cursor = node.walk();
                let others: Vec<Node<'t>> =
                    node.named_children(&mut cursor).filter(|child| Some(*child) != alias).collect();
                others.into_iter().for_each(|other| self.pending.push((other, scope)));
            }
            "case_pattern" => self.case(node, scope),
            "global_statement" | "nonlocal_statement" => {
                let global = node.kind() == "global_statement";
                let mut cursor = node.walk();
                let declared: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
                for name in declared {
                    let written = self.text(name).to_owned();
                    self.names.scopes[scope].outer.push((written, global));
                    self.occurs(name, scope, Role::Declare);
                }
            }
            "import_statement" => self.import(node, scope),
            "import_from_statement" => self.import_from(node, scope),
            "attribute" => {
                if let (Some(object), Some(name)) = (field("object"), field("attribute")) {
                    let base = self.text(object);
                    self.occurs(name, scope, Role::Attribute(base));
                    self.later(Some(object), scope);
                }
            }
            "call" => {
                let function = field("function");
                let called = function.map(|function| self.text(function)).unwrap_or("");
                if matches!(called, "eval" | "exec" | "locals" | "vars" | "globals") {
                    self.names.dynamic.push((scope, node.start_byte()));
                }
                self.later(function, scope);
                let Some(arguments) = field("arguments") else { return };
                let mut cursor = arguments.walk();
                let list: Vec<Node<'t>> = arguments.named_children(&mut cursor).collect();
                if arguments.kind() == "generator_expression" {
                    return self.comprehension(arguments, scope);
                }
                for argument in list {
                    if argument.kind() == "keyword_argument" {
                        if let Some(name) = argument.child_by_field_name("name") {
                            self.occurs(name, scope, Role::Keyword(called));
                        }
                        self.later(argument.child_by_field_name("value"), scope);
                    } else {
                        self.pending.push((argument, scope));
                    }
                }
            }
            // A keyword of a class statement is nobody's name.
            "keyword_argument" => self.later(field("value"), scope),
            _ => self.children(node, scope),
        }
    }

    fn function(&mut self, node: Node<'t>, scope: ScopeId) {
        let field = |name: &str| node.child_by_field_name(name);
        if let Some(name) = field("name") {
            self.occurs(name, scope, Role::Bind);
        }
        let inner = self.scope(ScopeKind::Function, Some(scope), node);
        self.parameters(field("parameters"), scope, inner);
        self.later(field("return_type"), scope);
        self.later(field("type_parameters"), scope);
        self.later(field("body"), inner);
    }

    fn parameters(&mut self, list: Option<Node<'t>>, outer: ScopeId, inner: ScopeId) {
        let Some(list) = list else { return };
        let mut cursor = list.walk();
        let parameters: Vec<Node<'t>> = list.named_children(&mut cursor).collect();
        for parameter in parameters {
            self.parameter(parameter, outer, inner);
        }
    }

    fn parameter(&mut self, node: Node<'t>, outer: ScopeId, inner: ScopeId) {
        match node.kind() {
            "identifier" => self.occurs(node, inner, Role::Parameter),
            "default_parameter" | "typed_default_parameter" => {
                if let Some(name) = node.child_by_field_name("name") {
                    self.parameter(name, outer, inner);
                }
                self.later(node.child_by_field_name("value"), outer);
                self.later(node.child_by_field_name("type"), outer);
            }
            "typed_parameter" => {
                if let Some(name) = node.named_child(0) {
                    self.parameter(name, outer, inner);
                }
                self.later(node.child_by_field_name("type"), outer);
            }
            "list_splat_pattern" | "dictionary_splat_pattern" | "tuple_pattern" => {
                let mut cursor = node.walk();
                let inside: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
                inside.into_iter().for_each(|child| self.parameter(child, outer, inner));
            }
            _ => {}
        }
    }

    fn comprehension(&mut self, node: Node<'t>, scope: ScopeId) {
        let inner = self.scope(ScopeKind::Comprehension, Some(scope), node);
        let mut first = true;
        let mut cursor = node.walk();
        let parts: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
        for part in parts {
            if part.kind() != "for_in_clause" {
                self.pending.push((part, inner));
                continue;
            }
            if let Some(left) = part.child_by_field_name("left") {
                self.bind(left, inner);
            }
            // The first iterable is looked up outside.
            self.later(part.child_by_field_name("right"), if first { scope } else { inner });
            first = false;
        }
    }

    fn bind(&mut self, node: Node<'t>, scope: ScopeId) {
        match node.kind() {
            "identifier" => self.occurs(node, scope, Role::Bind),
            "pattern_list"
            | "tuple_pattern"
            | "list_pattern"
            | "list_splat_pattern"
            | "expression_list"
            | "tuple"
            | "list"
            | "parenthesized_expression"
            | "as_pattern_target" => {
                let mut cursor = node.walk();
                let parts: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
                parts.into_iter().for_each(|part| self.bind(part, scope));
            }
            _ => self.pending.push((node, scope)),
        }
    }

    /// A plain name in a pattern is bound; a dotted one, and the class of `Point(x)`, is read.
    fn case(&mut self, node: Node<'t>, scope: ScopeId) {
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            match node.kind() {
                "identifier" => self.occurs(node, scope, Role::Bind),
                "dotted_name" if node.named_child_count() == 1 => pending.extend(node.named_child(0)),
                "dotted_name" => {
                    if let Some(first) = node.named_child(0) {
                        self.occurs(first, scope, Role::Read);
                    }
                }
                "class_pattern" => {
                    let mut cursor = node.walk();
                    for (at, child) in node.named_children(&mut cursor).enumerate() {
                        match (at, child.named_child(0)) {
                            (0, Some(name)) => self.occurs(name, scope, Role::Read),
                            _ => pending.push(child),
                        }
                    }
                }
                "keyword_pattern" => pending.extend(node.named_child(1)),
                _ => {
                    let mut cursor = node.walk();
                    pending.extend(node.named_children(&mut cursor));
                }
            }
        }
    }

    fn import(&mut self, node: Node<'t>, scope: ScopeId) {
        let mut cursor = node.walk();
        let names: Vec<Node<'t>> = node.children_by_field_name("name", &mut cursor).collect();
        for name in names {
            let alias = name.child_by_field_name("alias");
            let path = name.child_by_field_name("name").unwrap_or(name);
            let bound = alias.or_else(|| path.named_child(0));
            // `import a.b` binds `a`.
            let module = match alias {
                Some(_) => self.text(path),
                None => self.text(path).split('.').next().unwrap_or(""),
            };
            if let Some(bound) = bound {
                self.occurs(bound, scope, Role::ImportModule(module));
            }
        }
    }

    fn import_from(&mut self, node: Node<'t>, scope: ScopeId) {
        let module = node.child_by_field_name("module_name").map(|module| self.text(module)).unwrap_or("");
        let mut cursor = node.walk();
        if node.named_children(&mut cursor).any(|child| child.kind() == "wildcard_import") {
            self.names.stars.push((module, node.start_byte()));
        }
        let mut cursor = node.walk();
        let names: Vec<Node<'t>> = node.children_by_field_name("name", &mut cursor).collect();
        for name in names {
            let alias = name.child_by_field_name("alias");
            let path = name.child_by_field_name("name").unwrap_or(name);
            let taken = self.text(path);
            self.occurs(path, scope, Role::ImportFrom { module, aliased: alias.is_some() });
            if let Some(alias) = alias {
                self.occurs(alias, scope, Role::Alias { module, name: taken });
            }
        }
    }
}
