//! What security rules ask of calls: the name behind an alias, the arguments, and how much of a text is fixed.

use crate::file::{File, last_word};
use formicary_syntax::expression::ItemKey;
use formicary_syntax::scopes::BindingKind;
use formicary_syntax::{
    Argument, CallKind, ExprId, ExprKind, FunctionId, Literal, Operator, Part, Span, StmtKind,
};

/// A call whose name was asked for.
pub(in crate::rules) struct Call<'u, 'a> {
    /// The whole call.
    pub span: Span,
    /// What is called.
    pub callee: ExprId,
    /// With what.
    pub arguments: &'u [Argument<'a>],
    /// How.
    pub kind: CallKind,
    /// The full name with imports resolved: `os.system` also for `from os import system as s`.
    pub path: String,
}

impl Call<'_, '_> {
    /// The argument at a place, or under a keyword.
    pub fn argument(&self, at: usize, keyword: &str) -> Option<ExprId> {
        self.keyword(keyword).or_else(|| self.arguments.get(at).filter(|a| a.name.is_none()).map(|a| a.value))
    }

    /// The argument under a keyword.
    pub fn keyword(&self, keyword: &str) -> Option<ExprId> {
        self.arguments.iter().find(|a| a.name == Some(keyword)).map(|a| a.value)
    }

    /// The first argument.
    pub fn first(&self) -> Option<ExprId> {
        self.arguments.first().map(|argument| argument.value)
    }

    /// What the last word of the name is asked of: `a.b` of `a.b.c()`.
    pub fn receiver(&self) -> &str {
        self.path.rsplit_once('.').map_or("", |(receiver, _)| receiver)
    }

    /// The last word of the name.
    pub fn method(&self) -> &str {
        self.path.rsplit_once('.').map_or(self.path.as_str(), |(_, method)| method)
    }
}

/// The calls whose last word is one of these, imports under another name included.
pub(in crate::rules) fn calls<'u, 'a>(file: &File<'u, 'a>, words: &[&str]) -> Vec<Call<'u, 'a>> {
    let unit = file.unit;
    let renamed = unit
        .imports
        .iter()
        .flat_map(|import| &import.names)
        .filter(|name| name.renamed && words.contains(&last_word(name.name)))
        .map(|name| name.local);
    let mut wanted: Vec<ExprId> =
        words.iter().copied().chain(renamed).flat_map(|word| file.calls_of(word)).copied().collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut found = Vec::with_capacity(wanted.len());
    for id in wanted {
        let expr = unit.expr(id);
        let ExprKind::Call { callee, arguments, kind } = &expr.kind else { continue };
        if is_defined_here(file, *callee) {
            continue;
        }
        let path = path(file, *callee);
        found.push(Call { span: expr.span, callee: *callee, arguments, kind: *kind, path });
    }
    found
}

fn is_defined_here(file: &File<'_, '_>, callee: ExprId) -> bool {
    let ExprKind::Name(name) = file.unit.kind(callee) else { return false };
    let scope = scope_of(file, file.unit.expr(callee).function);
    file.scopes.lookup(scope, name).is_some_and(|(_, binding)| {
        matches!(binding.kind, BindingKind::Function(_) | BindingKind::Class(_) | BindingKind::Parameter(_))
    })
}

fn scope_of(file: &File<'_, '_>, function: Option<FunctionId>) -> usize {
    function.and_then(|id| file.scopes.of_function.get(id.0 as usize)).copied().unwrap_or(0)
}

/// The full name of an expression: imports resolved, calls in between as `()`.
pub(in crate::rules) fn path(file: &File<'_, '_>, id: ExprId) -> String {
    let unit = file.unit;
    let mut parts: Vec<String> = Vec::new();
    let mut suffix = "";
    let mut at = id;
    loop {
        match unit.kind(at) {
            ExprKind::Name(name) => {
                parts.push(imported(file, name, unit.expr(at).function) + suffix);
                break;
            }
            ExprKind::Type(written) => {
                parts.push(written.split('<').next().unwrap_or(written).replace("::", ".") + suffix);
                break;
            }
            ExprKind::Attribute { base, name, .. } => {
                parts.push((*name).to_owned() + suffix);
                suffix = "";
                at = *base;
            }
            ExprKind::Call { callee, .. } => {
                suffix = "()";
                at = *callee;
            }
            ExprKind::Await(inner) | ExprKind::Cast { value: inner, .. } => at = *inner,
            ExprKind::Unary { operator: Operator::Try | Operator::Dereference, operand } => at = *operand,
            _ => {
                parts.push("?".to_owned() + suffix);
                break;
            }
        }
    }
    parts.reverse();
    parts.join(".")
}

/// What a name stands for when it is imported; itself otherwise.
fn imported(file: &File<'_, '_>, name: &str, function: Option<FunctionId>) -> String {
    let language = file.language();
    let known = file.is_python() || file.is_script() || language == formicary_model::Language::Go;
    let own = file.scopes.lookup(scope_of(file, function), name).is_some_and(|(_, binding)| {
        // `require` defines a variable.
        match binding.kind {
            BindingKind::Import(..) => false,
            BindingKind::Variable(_) => !file.is_script(),
            _ => true,
        }
    });
    if !known || own {
        return name.to_owned();
    }
    for import in &file.unit.imports {
        let Some(found) = import.names.iter().find(|found| found.local == name) else { continue };
        let module = import.module.strip_prefix("node:").unwrap_or(import.module);
        return match found.name {
            "*" | "default" => module.to_owned(),
            // `import a.b` binds `a`; `import a.b as c` binds all of it.
            whole if whole == import.module => {
                if found.renamed || !file.is_python() {
                    whole.to_owned()
                } else {
                    name.to_owned()
                }
            }
            part => format!("{module}.{part}"),
        };
    }
    name.to_owned()
}

/// How much of a text is fixed.
#[derive(Default)]
pub(in crate::rules) struct Shape {
    /// What is fixed of it, one after the other.
    pub fixed: String,
    /// Whether something in it is not known here.
    pub open: bool,
    /// Whether it is put together from parts.
    pub built: bool,
}

/// Words in the names of functions that make a value harmless, or a number.
const HARMLESS: &[&str] = &[
    "quote",
    "quote_name",
    "qn",
    "escape",
    "escape_name",
    "int",
    "float",
    "len",
    "parseInt",
    "Number",
    "repr",
    "quote_name_unless_alias",
    "escapeId",
    "Itoa",
    "id",
];

/// What is known of a text.
pub(in crate::rules) fn shape(file: &File<'_, '_>, id: ExprId) -> Shape {
    let mut shape = Shape::default();
    read(file, id, 12, &mut shape);
    shape
}

/// Whether a value is known here.
pub(in crate::rules) fn is_constant(file: &File<'_, '_>, id: ExprId) -> bool {
    !shape(file, id).open
}

fn read(file: &File<'_, '_>, id: ExprId, depth: u32, shape: &mut Shape) {
    let unit = file.unit;
    if depth == 0 {
        shape.open = true;
        return;
    }
    match unit.kind(id) {
        ExprKind::Literal(Literal::Text(text)) => shape.fixed.push_str(text),
        ExprKind::Literal(Literal::Bytes(text)) => shape.fixed.push_str(text),
        ExprKind::Literal(_) | ExprKind::Type(_) | ExprKind::Lambda(_) => {}
        ExprKind::Template(parts) => {
            for part in parts {
                match part {
                    Part::Text(text) => shape.fixed.push_str(text),
                    Part::Value(value) => {
                        shape.built = true;
                        read(file, *value, depth - 1, shape);
                    }
                }
            }
        }
        ExprKind::Binary { left, right, .. } => {
            shape.built = true;
            read(file, *left, depth - 1, shape);
            read(file, *right, depth - 1, shape);
        }
        ExprKind::Conditional { then, otherwise, .. } => {
            read(file, *then, depth - 1, shape);
            read(file, *otherwise, depth - 1, shape);
        }
        ExprKind::Collection { items, .. } => {
            for item in items {
                read(file, item.value, depth - 1, shape);
            }
        }
        ExprKind::Cast { value, .. } | ExprKind::Unary { operand: value, .. } => {
            read(file, *value, depth - 1, shape);
        }
        ExprKind::Call { callee, arguments, .. } => {
            let word = unit.last_name(*callee).unwrap_or("");
            if HARMLESS.contains(&word) {
                return;
            }
            let formats = matches!(word, "format" | "formatted" | "Sprintf" | "format_args" | "concat");
            // Text of text: as known as what it is made of.
            let keeps = matches!(word, "strip" | "encode" | "decode" | "join" | "lower" | "upper" | "dedent")
                || matches!(
                    word,
                    "str" | "to_string" | "to_owned" | "into" | "as_str" | "trim" | "String" | "from"
                );
            if !formats && !keeps {
                shape.open = true;
                return;
            }
            shape.built |= formats;
            if let ExprKind::Attribute { base, .. } = unit.kind(*callee)
                && (keeps || unit.literal_text(*base).is_some())
            {
                read(file, *base, depth - 1, shape);
            }
            for argument in arguments {
                read(file, argument.value, depth - 1, shape);
            }
        }
        ExprKind::Name(name) => match single_value(file, name, unit.expr(id).function) {
            Some(value) => read(file, value, depth - 1, shape),
            None => shape.open = true,
        },
        _ => shape.open = true,
    }
}

/// The value of a variable that is written once.
pub(in crate::rules) fn single_value(
    file: &File<'_, '_>,
    name: &str,
    function: Option<FunctionId>,
) -> Option<ExprId> {
    let unit = file.unit;
    let (_, binding) = file.scopes.lookup(scope_of(file, function), name)?;
    if !matches!(binding.kind, BindingKind::Variable(_)) || binding.writes > 1 {
        return None;
    }
    unit.stmts().find_map(|(_, stmt)| match &stmt.kind {
        StmtKind::Assign { targets, value, operator: None, .. }
            if targets.iter().any(|target| unit.expr(*target).span == binding.span) =>
        {
            *value
        }
        _ => None,
    })
}

/// The text of a literal of text or bytes.
pub(in crate::rules) fn text<'u>(file: &File<'u, '_>, id: ExprId) -> Option<&'u str> {
    match file.unit.kind(id) {
        ExprKind::Literal(Literal::Text(text)) => Some(text),
        ExprKind::Literal(Literal::Bytes(text)) => Some(text),
        _ => None,
    }
}

/// Whether it is the literal of a truth value.
pub(in crate::rules) fn is_bool(file: &File<'_, '_>, id: ExprId, wanted: bool) -> bool {
    matches!(file.unit.kind(id), ExprKind::Literal(Literal::Boolean(value)) if *value == wanted)
}

/// The number of a literal.
pub(in crate::rules) fn integer(file: &File<'_, '_>, id: ExprId) -> Option<i128> {
    match file.unit.kind(id) {
        ExprKind::Literal(Literal::Integer(value)) => *value,
        _ => None,
    }
}

/// Everything that is given a fixed name: members of objects, dictionaries and structs, keyword arguments, assignments.
pub(in crate::rules) fn named<'u>(file: &File<'u, '_>, words: &[&str]) -> Vec<(&'u str, ExprId)> {
    let unit = file.unit;
    let mut found = Vec::new();
    let mut add = |name: &'u str, value: ExprId| {
        if words.is_empty() || words.contains(&name) {
            found.push((name, value));
        }
    };
    for (_, expr) in unit.exprs() {
        match &expr.kind {
            ExprKind::Collection { items, .. } => {
                for item in items {
                    match &item.key {
                        Some(ItemKey::Name(name)) => add(name, item.value),
                        Some(ItemKey::Value(key)) => {
                            if let Some(key) = unit.literal_text(*key).or_else(|| unit.name_of(*key)) {
                                add(key, item.value);
                            }
                        }
                        None => {}
                    }
                }
            }
            ExprKind::Call { arguments, .. } => {
                for argument in arguments {
                    if let Some(name) = argument.name {
                        add(name, argument.value);
                    }
                }
            }
            ExprKind::Assign { target, value, operator: None } => {
                if let Some(name) = target_name(file, *target) {
                    add(name, *value);
                }
            }
            _ => {}
        }
    }
    for (_, stmt) in unit.stmts() {
        let StmtKind::Assign { targets, value: Some(value), operator: None, .. } = &stmt.kind else {
            continue;
        };
        for target in targets {
            if let Some(name) = target_name(file, *target) {
                add(name, *value);
            }
        }
    }
    found
}

/// The word under which something is kept: `b` of `a.b` and of `a["b"]`.
fn target_name<'u>(file: &File<'u, '_>, id: ExprId) -> Option<&'u str> {
    match file.unit.kind(id) {
        ExprKind::Subscript { index: Some(index), .. } => file.unit.literal_text(*index),
        _ => file.unit.last_name(id),
    }
}
