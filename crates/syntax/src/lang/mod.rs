//! One table a language: what its grammar's nodes mean.
//!
//! The grammars name the same things differently; a [`Role`] says what a node is for, and the lowering asks for roles
//! alone. A node without a role keeps its children: nothing is lost, it only means less.

mod bash;
mod c;
mod cpp;
mod go;
mod java;
mod javascript;
mod python;
mod rust;
mod typescript;

use crate::dialect::Dialect;
use crate::expression::CollectionKind;
use crate::unit::ClassKind;
use rustc_hash::FxHashMap;
use std::num::NonZeroU16;
use std::sync::OnceLock;
use tree_sitter::{Language, Node};

/// What a node is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Unknown,
    Skip,
    Comment,
    /// A backslash before a line end: it says nothing, and stands between any two words.
    Continuation,
    // Statements.
    ExpressionStatement,
    Block,
    Wrapper,
    If,
    While,
    DoWhile,
    For,
    ForEach,
    Endless,
    Switch,
    Try,
    With,
    Return,
    Raise,
    Break,
    Continue,
    Goto,
    Label,
    Assert,
    Delete,
    Global,
    Pass,
    Declaration,
    Function,
    Class(ClassKind),
    Import,
    Defer,
    Concurrent,
    Preprocessor,
    MacroText,
    Package,
    Decorated,
    Attribute,
    Shell,
    // Expressions.
    Name,
    Text,
    Joined,
    Number,
    True,
    False,
    Null,
    Character,
    Template,
    Regex,
    Ellipsis,
    Member,
    Subscript,
    Slice,
    Call,
    New,
    Macro,
    Binary,
    Compare,
    Unary,
    Update,
    Conditional,
    Assign,
    Lambda,
    Collection(CollectionKind),
    Comprehension(CollectionKind),
    Await,
    Yield,
    Spread,
    Cast,
    Paren,
    Type,
    Condition,
}

impl Role {
    pub(crate) fn is_statement(self) -> bool {
        use Role::*;
        matches!(
            self,
            ExpressionStatement
                | Block
                | Wrapper
                | If
                | While
                | DoWhile
                | For
                | ForEach
                | Endless
                | Switch
                | Try
                | With
                | Return
                | Raise
                | Break
                | Continue
                | Goto
                | Label
                | Assert
                | Delete
                | Global
                | Pass
                | Declaration
                | Function
                | Class(_)
                | Import
                | Defer
                | Concurrent
                | Preprocessor
                | MacroText
                | Package
                | Decorated
                | Attribute
                | Shell
        )
    }
}

/// A language's nodes by name.
pub(crate) type Kinds = &'static [(&'static str, Role)];

/// A grammar with the roles of its nodes by number.
pub(crate) struct Grammar {
    pub(crate) language: Language,
    roles: Vec<Role>,
    /// The numbers of its fields: asking for a field by name makes the library compare the name with all of them.
    fields: FxHashMap<Box<str>, NonZeroU16>,
}

impl Grammar {
    fn new(language: Language, tables: &[Kinds]) -> Self {
        let count = language.node_kind_count();
        let mut roles = vec![Role::Unknown; count];
        for (id, slot) in roles.iter_mut().enumerate() {
            let Ok(id) = u16::try_from(id) else { break };
            if !language.node_kind_is_named(id) {
                continue;
            }
            let Some(kind) = language.node_kind_for_id(id) else { continue };
            for table in tables {
                if let Some((_, role)) = table.iter().find(|(name, _)| *name == kind) {
                    *slot = *role;
                    break;
                }
            }
        }
        let numbers = 1..=u16::try_from(language.field_count()).unwrap_or(u16::MAX);
        let named = |id: u16| Some((language.field_name_for_id(id)?.into(), NonZeroU16::new(id)?));
        let fields = numbers.filter_map(named).collect();
        Self { language, roles, fields }
    }

    /// The number of a field; none where no node has such a field.
    pub(crate) fn field(&self, name: &str) -> Option<NonZeroU16> {
        self.fields.get(name).copied()
    }

    pub(crate) fn role(&self, node: Node<'_>) -> Role {
        if node.is_error() {
            return Role::Wrapper;
        }
        self.roles.get(node.kind_id() as usize).copied().unwrap_or(Role::Unknown)
    }
}

/// The grammar of a dialect, made once.
pub(crate) fn grammar(dialect: Dialect) -> &'static Grammar {
    static GRAMMARS: [OnceLock<Grammar>; Dialect::ALL.len()] =
        [const { OnceLock::new() }; Dialect::ALL.len()];
    GRAMMARS[dialect as usize].get_or_init(|| match dialect {
        Dialect::Python => Grammar::new(tree_sitter_python::LANGUAGE.into(), &[python::KINDS]),
        Dialect::JavaScript => Grammar::new(tree_sitter_javascript::LANGUAGE.into(), &[javascript::KINDS]),
        Dialect::TypeScript => Grammar::new(
            tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            &[typescript::KINDS, javascript::KINDS],
        ),
        Dialect::Tsx => {
            Grammar::new(tree_sitter_typescript::LANGUAGE_TSX.into(), &[typescript::KINDS, javascript::KINDS])
        }
        Dialect::Java => Grammar::new(tree_sitter_java::LANGUAGE.into(), &[java::KINDS]),
        Dialect::C => Grammar::new(tree_sitter_c::LANGUAGE.into(), &[c::KINDS]),
        Dialect::Cpp => Grammar::new(tree_sitter_cpp::LANGUAGE.into(), &[cpp::KINDS, c::KINDS]),
        Dialect::Go => Grammar::new(tree_sitter_go::LANGUAGE.into(), &[go::KINDS]),
        Dialect::Rust => Grammar::new(tree_sitter_rust::LANGUAGE.into(), &[rust::KINDS]),
        Dialect::Bash => Grammar::new(tree_sitter_bash::LANGUAGE.into(), &[bash::KINDS]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_name_only_what_the_grammars_know() {
        let shared: &[(Dialect, &[Kinds])] = &[
            (Dialect::Python, &[python::KINDS]),
            (Dialect::JavaScript, &[javascript::KINDS]),
            (Dialect::Tsx, &[typescript::KINDS]),
            (Dialect::Java, &[java::KINDS]),
            (Dialect::C, &[c::KINDS]),
            (Dialect::Cpp, &[cpp::KINDS]),
            (Dialect::Go, &[go::KINDS]),
            (Dialect::Rust, &[rust::KINDS]),
            (Dialect::Bash, &[bash::KINDS]),
        ];
        let mut unknown = Vec::new();
        for (dialect, tables) in shared {
            for (name, _) in tables.iter().flat_map(|table| table.iter()) {
                if grammar(*dialect).language.id_for_node_kind(name, true) == 0 {
                    unknown.push(format!("{dialect:?} {name}"));
                }
            }
        }
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
