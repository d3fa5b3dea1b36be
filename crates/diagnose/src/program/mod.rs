//! One file as the templates see it: which part stands where, what it may be, what is in reach.

use formicary_syntax::expression::ItemKey;
use formicary_syntax::{
    Block, CollectionKind, ExprId, ExprKind, FunctionId, Literal, Operator, Part, Span, StmtId, StmtKind,
    Unit,
};
use std::collections::{BTreeMap, HashMap};
mod words;

use words::{Words, words};

/// What an expression is for where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Assigned, returned, stored.
    Value,
    /// Decides: the question of an `if` or a loop.
    Condition,
    /// Given to a call.
    Argument,
    /// A side of an operator.
    Operand,
    /// In square brackets.
    Index,
    /// What a loop goes through.
    Iterable,
    /// Before a dot or brackets.
    Base,
    /// What is called.
    Callee,
    /// Written to.
    Target,
    /// An expression for its effect.
    Effect,
    /// Not to be touched: types, patterns, decorators.
    Fixed,
}

/// What a value is, coarsely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A number.
    Number,
    /// A truth value.
    Truth,
    /// Text.
    Text,
    /// A sequence.
    List,
    /// A map.
    Map,
    /// A set.
    Set,
    /// Nothing.
    Null,
    /// A function or a class.
    Callable,
    /// An object of some class.
    Object,
}

/// Types of variables by function, as a run or the declarations told them.
pub type Types = HashMap<(String, String), Vec<String>>;

/// A file prepared for the templates.
pub struct Program<'a> {
    /// The file.
    pub unit: &'a Unit<'a>,
    /// Which file of the case.
    pub file: usize,
    /// The language's words.
    pub words: Words,
    roles: Vec<Role>,
    parents: Vec<Option<ExprId>>,
    statements: Vec<Option<StmtId>>,
    blocks: HashMap<StmtId, (Block, usize)>,
    enclosing: HashMap<StmtId, StmtId>,
    types: &'a Types,
    variables: HashMap<Option<FunctionId>, Vec<&'a str>>,
}

impl<'a> Program<'a> {
    /// Looks through the whole file once.
    pub fn new(unit: &'a Unit<'a>, file: usize, types: &'a Types) -> Self {
        let count = unit.expressions.len();
        let mut program = Self {
            unit,
            file,
            words: words(unit.dialect.language()),
            roles: vec![Role::Fixed; count],
            parents: vec![None; count],
            statements: vec![None; count],
            blocks: HashMap::new(),
            enclosing: HashMap::new(),
            types,
            variables: HashMap::new(),
        };
        for (id, _) in unit.stmts() {
            program.place_statement(id);
        }
        // Comprehensions first: what they bind may be a pattern with parts of its own.
        let binds = |index: &usize| matches!(unit.expressions[*index].kind, ExprKind::Comprehension { .. });
        let (first, rest): (Vec<usize>, Vec<usize>) = (0..count).partition(binds);
        for index in first.into_iter().chain(rest) {
            program.place_expression(ExprId(index as u32));
        }
        program.keep_blocks();
        program.find_variables();
        program
    }

    /// What an expression is for.
    pub fn role(&self, id: ExprId) -> Role {
        self.roles[id.0 as usize]
    }

    /// The expression around it.
    pub fn parent(&self, id: ExprId) -> Option<ExprId> {
        self.parents[id.0 as usize]
    }

    /// The statement that an expression belongs to.
    pub fn statement_of(&self, mut id: ExprId) -> Option<StmtId> {
        loop {
            if let Some(stmt) = self.statements[id.0 as usize] {
                return Some(stmt);
            }
            id = self.parent(id)?;
        }
    }

    /// The block that holds a statement, and its place in it.
    pub fn block_of(&self, id: StmtId) -> Option<(&Block, usize)> {
        self.blocks.get(&id).map(|(block, at)| (block, *at))
    }

    /// The statement whose block holds this one.
    pub fn around(&self, id: StmtId) -> Option<StmtId> {
        self.enclosing.get(&id).copied()
    }

    /// The text of an expression.
    pub fn text(&self, id: ExprId) -> &'a str {
        self.unit.text(self.unit.expr(id).span)
    }

    /// The text of a statement.
    pub fn statement_text(&self, id: StmtId) -> &'a str {
        self.unit.text(self.unit.stmt(id).span)
    }

    /// The line of a byte.
    pub fn line(&self, offset: u32) -> u32 {
        self.unit.lines.line(offset)
    }

    /// Whether an expression may be longer than one word without parentheses of its own.
    pub fn is_delimited(&self, id: ExprId) -> bool {
        if self.is_in_parentheses(id) {
            return true;
        }
        match self.role(id) {
            Role::Value | Role::Condition | Role::Argument | Role::Index | Role::Iterable => {
                let parent = self.parent(id).map(|parent| self.unit.kind(parent));
                !matches!(
                    parent,
                    Some(
                        ExprKind::Logical { .. }
                            | ExprKind::Unary { .. }
                            | ExprKind::Conditional { .. }
                            | ExprKind::Comprehension { .. }
                            | ExprKind::Lambda(_)
                    )
                )
            }
            _ => false,
        }
    }

    /// Whether parentheses stand around it already.
    pub fn is_in_parentheses(&self, id: ExprId) -> bool {
        let span = self.unit.expr(id).span;
        let before = self.unit.source.get(..span.start as usize).unwrap_or("").trim_end();
        let after = self.unit.source.get(span.end as usize..).unwrap_or("").trim_start();
        let callee = self.parent(id).is_some_and(|parent| {
            matches!(self.unit.kind(parent), ExprKind::Call { arguments, .. } if arguments.len() != 1)
        });
        before.ends_with('(') && after.starts_with(')') && !callee
    }

    /// Whether an expression must stand in parentheses where it is a part of another.
    pub fn is_composite(&self, id: ExprId) -> bool {
        matches!(
            self.unit.kind(id),
            ExprKind::Binary { .. }
                | ExprKind::Logical { .. }
                | ExprKind::Compare { .. }
                | ExprKind::Unary { .. }
                | ExprKind::Conditional { .. }
                | ExprKind::Lambda(_)
                | ExprKind::Assign { .. }
                | ExprKind::Cast { .. }
                | ExprKind::Await(_)
        )
    }

    /// The text of an expression as a part of another.
    pub fn part(&self, id: ExprId) -> String {
        if self.is_composite(id) { format!("({})", self.text(id)) } else { self.text(id).to_owned() }
    }

    /// The names of the function that are in reach of an expression or statement of it, most used first.
    pub fn variables(&self, function: Option<FunctionId>) -> &[&'a str] {
        self.variables.get(&function).map_or(&[], Vec::as_slice)
    }

    /// The name of a function as the recorder knows it.
    pub fn function_name(&self, function: Option<FunctionId>) -> &'a str {
        function.map_or("<module>", |id| self.unit.function(id).name)
    }

    /// The types that a variable was seen with.
    pub fn types_of(&self, function: Option<FunctionId>, name: &str) -> Option<&Vec<String>> {
        let key = (format!("{}:{}", self.file, self.function_name(function)), name.to_owned());
        self.types.get(&key)
    }

    /// What a variable is, coarsely.
    pub fn kind_of_name(&self, function: Option<FunctionId>, name: &str) -> Option<Kind> {
        let types = self.types_of(function, name)?;
        types
            .iter()
            .map(|text| kind_of_type(text))
            .find(|kind| *kind != Kind::Null)
            .or_else(|| types.first().map(|text| kind_of_type(text)))
    }

    /// What an expression is, coarsely; nothing where nobody can tell.
    pub fn kind_of(&self, id: ExprId) -> Option<Kind> {
        let function = self.unit.expr(id).function;
        match self.unit.kind(id) {
            ExprKind::Name(name) => self.kind_of_name(function, name),
            ExprKind::Literal(literal) => match literal {
                Literal::Text(_) | Literal::Character(_) | Literal::Bytes(_) => Some(Kind::Text),
                Literal::Integer(_) | Literal::Float(_) => Some(Kind::Number),
                Literal::Boolean(_) => Some(Kind::Truth),
                Literal::Null => Some(Kind::Null),
                _ => None,
            },
            ExprKind::Template(_) => Some(Kind::Text),
            ExprKind::Compare { .. } => Some(Kind::Truth),
            ExprKind::Unary { operator: Operator::Not, .. } => Some(Kind::Truth),
            ExprKind::Unary { operator: Operator::Negate, .. } | ExprKind::Update { .. } => {
                Some(Kind::Number)
            }
            ExprKind::Binary { operator, left, right } => match operator {
                Operator::Add => self.kind_of(*left).or_else(|| self.kind_of(*right)),
                Operator::Multiply | Operator::Modulo => {
                    self.kind_of(*left).filter(|kind| *kind != Kind::Number).or(Some(Kind::Number))
                }
                Operator::BitAnd | Operator::BitOr | Operator::BitXor => self.kind_of(*left),
                _ => Some(Kind::Number),
            },
            ExprKind::Conditional { then, otherwise, .. } => {
                self.kind_of(*then).or_else(|| self.kind_of(*otherwise))
            }
            ExprKind::Collection { kind, .. } | ExprKind::Comprehension { kind, .. } => Some(match kind {
                CollectionKind::Dict | CollectionKind::Object => Kind::Map,
                CollectionKind::Set => Kind::Set,
                _ => Kind::List,
            }),
            ExprKind::Call { callee, .. } => self.kind_of_call(*callee),
            ExprKind::Subscript { base, index } => {
                let slice = index.is_some_and(|index| matches!(self.unit.kind(index), ExprKind::Slice(_)));
                if slice {
                    return self.kind_of(*base);
                }
                let name = self.unit.name_of(*base)?;
                let types = self.types_of(function, name)?;
                let kinds = || types.iter().filter_map(|text| element_kind(text));
                kinds().find(|kind| *kind != Kind::Null).or_else(|| kinds().next())
            }
            ExprKind::Attribute { name, .. } => matches!(*name, "length" | "size").then_some(Kind::Number),
            _ => None,
        }
    }

    fn kind_of_call(&self, callee: ExprId) -> Option<Kind> {
        Some(match self.unit.last_name(callee)? {
            "len" | "int" | "abs" | "sum" | "ord" | "round" | "float" | "index" | "find" | "count"
            | "floor" | "ceil" | "length" | "size" | "indexOf" | "parseInt" | "Number" | "sqrt" | "pow"
            | "bit_length" => Kind::Number,
            "str" | "join" | "lower" | "upper" | "strip" | "replace" | "chr" | "format" | "toLowerCase"
            | "toUpperCase" | "trim" | "String" | "charAt" | "substring" | "bin" | "hex" => Kind::Text,
            "list" | "sorted" | "range" | "reversed" | "split" | "zip" | "enumerate" | "keys" | "values"
            | "items" | "map" | "filter" => Kind::List,
            "set" | "frozenset" => Kind::Set,
            "dict" | "defaultdict" | "Counter" => Kind::Map,
            "any" | "all" | "isinstance" | "isdigit" | "isalpha" | "startswith" | "endswith" | "bool"
            | "islower" | "isupper" | "isalnum" | "includes" | "contains" | "isEmpty" | "equals" => {
                Kind::Truth
            }
            _ => return None,
        })
    }

    /// Whether a function is a part of the tests. `mixed` says that program and tests stand in this file together: there,
    /// what ends the run of its own will is one of them, though its name may be `main`.
    pub fn is_test(&self, function: FunctionId, mixed: bool) -> bool {
        let function = self.unit.function(function);
        let refuses = || {
            let text = self.unit.text(function.span);
            ["throw", "raise", "panic", "exit", "abort", "fail", "return 1"]
                .iter()
                .any(|word| text.contains(word))
        };
        let test = |name: &str| {
            let lower = name.to_ascii_lowercase();
            let drives = lower == "main" && self.words.braces && self.unit.functions.len() > 1;
            let of_both = drives || lower.starts_with("check");
            lower.starts_with("test") || lower.ends_with("_test") || mixed && of_both && refuses()
        };
        let marked = function
            .decorators
            .iter()
            .any(|mark| self.unit.last_name(*mark).is_some_and(|name| name.eq_ignore_ascii_case("test")));
        marked
            || test(function.name)
            || match function.owner {
                formicary_syntax::Owner::Function(outer) => self.is_test(outer, mixed),
                formicary_syntax::Owner::Class(class) => {
                    let name = self.unit.class(class).name;
                    name.starts_with("Test") || name.ends_with("Test") || name.ends_with("Tests")
                }
                formicary_syntax::Owner::File => false,
            }
    }

    fn keep_blocks(&mut self) {
        let unit = self.unit;
        let mut blocks: Vec<(Block, Option<StmtId>)> = vec![(unit.body.clone(), None)];
        for function in &unit.functions {
            blocks.push((function.body.clone(), None));
        }
        for class in &unit.classes {
            blocks.push((class.body.clone(), None));
        }
        for (id, stmt) in unit.stmts() {
            let mut own = |block: &Block| blocks.push((block.clone(), Some(id)));
            match &stmt.kind {
                StmtKind::If { then, otherwise, .. } => {
                    own(then);
                    own(otherwise);
                }
                StmtKind::Loop { body, otherwise, .. } => {
                    own(body);
                    own(otherwise);
                }
                StmtKind::Try { body, handlers, otherwise, finally } => {
                    own(body);
                    handlers.iter().for_each(|handler| own(&handler.body));
                    own(otherwise);
                    own(finally);
                }
                StmtKind::With { body, .. } | StmtKind::Block(body) | StmtKind::Label { body, .. } => {
                    own(body)
                }
                StmtKind::Switch { arms, .. } => arms.iter().for_each(|arm| own(&arm.body)),
                _ => {}
            }
        }
        for expr in &unit.expressions {
            if let ExprKind::Block(block) = &expr.kind {
                blocks.push((block.clone(), None));
            }
        }
        for (block, owner) in blocks {
            for (at, stmt) in block.iter().enumerate() {
                self.blocks.insert(*stmt, (block.clone(), at));
                if let Some(owner) = owner {
                    self.enclosing.insert(*stmt, owner);
                }
            }
        }
    }

    fn find_variables(&mut self) {
        let mut counts: HashMap<Option<FunctionId>, BTreeMap<&'a str, usize>> = HashMap::new();
        for (index, function) in self.unit.functions.iter().enumerate() {
            let own = counts.entry(Some(FunctionId(index as u32))).or_default();
            for parameter in &function.parameters {
                if !parameter.name.is_empty() {
                    *own.entry(parameter.name).or_default() += 1;
                }
            }
        }
        for (index, expr) in self.unit.expressions.iter().enumerate() {
            let ExprKind::Name(name) = expr.kind else { continue };
            let role = self.roles[index];
            if matches!(role, Role::Callee | Role::Fixed) || matches!(name, "self" | "this" | "cls" | "super")
            {
                continue;
            }
            let known = self.types_of(expr.function, name).is_some() || role == Role::Target;
            let assigned = known || !self.words.dynamic || self.types.is_empty();
            if assigned {
                *counts.entry(expr.function).or_default().entry(name).or_default() += 1;
            }
        }
        // Inner functions see what the outer ones have.
        for index in 0..self.unit.functions.len() {
            let mut at = self.unit.functions[index].owner;
            while let formicary_syntax::Owner::Function(outer) = at {
                let outer_names: Vec<&'a str> =
                    counts.get(&Some(outer)).map(|own| own.keys().copied().collect()).unwrap_or_default();
                let own = counts.entry(Some(FunctionId(index as u32))).or_default();
                outer_names.into_iter().for_each(|name| {
                    own.entry(name).or_default();
                });
                at = self.unit.function(outer).owner;
            }
        }
        let imported: Vec<&str> =
            self.unit.imports.iter().flat_map(|import| import.names.iter().map(|n| n.name)).collect();
        for (function, own) in counts {
            let mut names: Vec<(&str, usize)> =
                own.into_iter().filter(|(name, _)| !imported.contains(name)).collect();
            names.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
            self.variables.insert(function, names.into_iter().map(|(name, _)| name).take(16).collect());
        }
    }

    fn set(&mut self, id: ExprId, role: Role, parent: Option<ExprId>) {
        self.roles[id.0 as usize] = role;
        self.parents[id.0 as usize] = parent;
    }

    fn place_statement(&mut self, id: StmtId) {
        let unit = self.unit;
        let mut own: Vec<(ExprId, Role)> = Vec::new();
        match &unit.stmt(id).kind {
            StmtKind::Expression(value) => own.push((*value, Role::Effect)),
            StmtKind::Assign { targets, value, .. } => {
                own.extend(targets.iter().map(|target| (*target, Role::Target)));
                own.extend(value.iter().map(|value| (*value, Role::Value)));
            }
            StmtKind::Return(value) => own.extend(value.iter().map(|value| (*value, Role::Value))),
            StmtKind::If { test, .. } => own.push((*test, Role::Condition)),
            StmtKind::Loop { test, target, iterable, update, .. } => {
                own.extend(test.iter().map(|test| (*test, Role::Condition)));
                own.extend(target.iter().map(|target| (*target, Role::Target)));
                own.extend(iterable.iter().map(|value| (*value, Role::Iterable)));
                own.extend(update.iter().map(|value| (*value, Role::Effect)));
            }
            StmtKind::Switch { subject, arms, .. } => {
                own.extend(subject.iter().map(|subject| (*subject, Role::Value)));
                for arm in arms {
                    own.extend(arm.guard.iter().map(|guard| (*guard, Role::Condition)));
                }
            }
            StmtKind::With { items, .. } => own.extend(items.iter().map(|(value, _)| (*value, Role::Value))),
            StmtKind::Raise(values) => own.extend(values.iter().map(|value| (*value, Role::Value))),
            _ => {}
        }
        for (expr, role) in own {
            self.set(expr, role, None);
            self.statements[expr.0 as usize] = Some(id);
        }
    }

    fn place_expression(&mut self, id: ExprId) {
        let unit = self.unit;
        let mut own: Vec<(ExprId, Role)> = Vec::new();
        match unit.kind(id) {
            ExprKind::Template(parts) => {
                for part in parts {
                    if let Part::Value(value) = part {
                        own.push((*value, Role::Argument));
                    }
                }
            }
            ExprKind::Attribute { base, .. } => own.push((*base, Role::Base)),
            ExprKind::Subscript { base, index } => {
                own.push((*base, Role::Base));
                own.extend(index.iter().map(|index| (*index, Role::Index)));
            }
            ExprKind::Slice(parts) => own.extend(parts.iter().map(|part| (*part, Role::Index))),
            ExprKind::Call { callee, arguments, .. } => {
                own.push((*callee, Role::Callee));
                own.extend(arguments.iter().map(|argument| (argument.value, Role::Argument)));
            }
            ExprKind::Binary { left, right, .. } => {
                own.extend([(*left, Role::Operand), (*right, Role::Operand)])
            }
            ExprKind::Logical { left, right, .. } => {
                own.extend([(*left, Role::Condition), (*right, Role::Condition)]);
            }
            ExprKind::Compare { left, rest } => {
                own.push((*left, Role::Operand));
                own.extend(rest.iter().map(|(_, operand)| (*operand, Role::Operand)));
            }
            ExprKind::Unary { operator, operand } => {
                let role = if *operator == Operator::Not { Role::Condition } else { Role::Operand };
                own.push((*operand, role));
            }
            ExprKind::Conditional { test, then, otherwise } => {
                own.extend([(*test, Role::Condition), (*then, Role::Value), (*otherwise, Role::Value)]);
            }
            ExprKind::Collection { items, .. } => {
                for item in items {
                    if let Some(ItemKey::Value(key)) = &item.key {
                        own.push((*key, Role::Argument));
                    }
                    own.push((item.value, Role::Argument));
                }
            }
            ExprKind::Comprehension { elements, clauses, .. } => {
                own.extend(elements.iter().map(|element| (*element, Role::Value)));
                for clause in clauses {
                    own.push((clause.target, Role::Target));
                    own.push((clause.iterable, Role::Iterable));
                    own.extend(clause.conditions.iter().map(|test| (*test, Role::Condition)));
                }
            }
            ExprKind::Assign { target, value, .. } => {
                own.extend([(*target, Role::Target), (*value, Role::Value)]);
            }
            ExprKind::Update { target, .. } => own.push((*target, Role::Target)),
            ExprKind::Await(inner) | ExprKind::Spread(inner) => own.push((*inner, Role::Base)),
            ExprKind::Cast { value, .. } => own.push((*value, Role::Operand)),
            ExprKind::Yield(inner) => own.extend(inner.iter().map(|value| (*value, Role::Value))),
            ExprKind::Other(parts) => own.extend(parts.iter().map(|part| (*part, Role::Argument))),
            _ => {}
        }
        let target = self.role(id) == Role::Target;
        for (expr, role) in own {
            let inside = target && matches!(unit.kind(id), ExprKind::Collection { .. });
            self.set(expr, if inside { Role::Target } else { role }, Some(id));
        }
    }
}

/// What a type's name stands for.
pub fn kind_of_type(text: &str) -> Kind {
    let text =
        text.trim().trim_start_matches(['&', '*']).trim_start_matches("mut ").trim_start_matches("const ");
    let head = text.split(['[', '<', ' ', '(']).next().unwrap_or(text);
    match head {
        "int" | "float" | "complex" | "Decimal" | "Fraction" | "long" | "short" | "byte" | "double"
        | "Integer" | "Long" | "Double" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16"
        | "u32" | "u64" | "u128" | "usize" | "f32" | "f64" | "int64" | "int32" | "uint" | "uint64"
        | "float64" | "float32" | "number" | "size_t" | "unsigned" => match text.contains("[]") {
            true => Kind::List,
            false => Kind::Number,
        },
        "bool" | "boolean" | "Boolean" => Kind::Truth,
        "str" | "String" | "string" | "char" | "bytes" | "rune" | "std::string" | "Character" => Kind::Text,
        "list" | "tuple" | "deque" | "range" | "List" | "ArrayList" | "Vec" | "vector" | "std::vector"
        | "array" | "" | "Deque" | "ArrayDeque" | "LinkedList" | "Array" => Kind::List,
        "dict" | "defaultdict" | "Counter" | "OrderedDict" | "Map" | "HashMap" | "TreeMap" | "map"
        | "BTreeMap" => Kind::Map,
        "set" | "frozenset" | "Set" | "HashSet" | "TreeSet" => Kind::Set,
        "NoneType" => Kind::Null,
        "function" | "type" | "builtin_function_or_method" | "method" | "module" => Kind::Callable,
        _ if text.contains("[]") => Kind::List,
        _ => Kind::Object,
    }
}

/// What the elements of a sequence are, by its type's name.
fn element_kind(text: &str) -> Option<Kind> {
    if text.starts_with("str") {
        return Some(Kind::Text);
    }
    if let Some(inner) = text.split_once('[').map(|(_, inner)| inner.trim_end_matches(']')) {
        let last = inner.rsplit(',').next().unwrap_or(inner);
        if !last.is_empty() {
            return Some(kind_of_type(last));
        }
    }
    text.strip_suffix("[]").map(kind_of_type)
}

/// A span of nothing at this byte.
pub fn at(byte: u32) -> Span {
    Span { start: byte, end: byte }
}
