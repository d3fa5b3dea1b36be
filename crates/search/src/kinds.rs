//! What the matcher must know of a grammar's kinds, as numbers that are quick to look up.

use formicary_syntax::Dialect;
use formicary_syntax::tree::grammar_of;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// Facts about the kinds of one grammar, by kind number.
#[derive(Debug)]
pub(crate) struct Kinds {
    /// One number for kinds that mean the same: every kind of identifier, tokens of one spelling.
    same: Vec<u16>,
    facts: Vec<Fact>,
    /// Kinds whose brackets count.
    bracketed: Vec<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fact {
    Other,
    /// Punctuation whose meaning the tree already holds.
    Separator,
    Comment,
    /// Holds statements; never itself a metavariable.
    Container,
    /// Names joined by dots or colons.
    Chain,
    Identifier,
    /// Where a string begins or ends, with its prefix.
    Quote,
    /// Says its name before its value: order among its siblings means nothing.
    Keyed,
}

const CONTAINERS: &[&str] = &[
    "module",
    "program",
    "source_file",
    "translation_unit",
    "block",
    "statement_list",
    "class_body",
    "statement_block",
    "compound_statement",
    "declaration_list",
    "argument_list",
    "arguments",
    "parameters",
    "formal_parameters",
    "parameter_list",
    "field_declaration_list",
    "decorated_definition",
    "match_block",
    "switch_body",
    "switch_block",
    "enum_body",
    "interface_body",
    "enum_variant_list",
];
const CHAINS: &[&str] = &[
    "attribute",
    "dotted_name",
    "member_expression",
    "field_access",
    "scoped_identifier",
    "scoped_type_identifier",
    "selector_expression",
    "qualified_identifier",
    "qualified_type",
    "nested_identifier",
];
const KEYED: &[&str] = &[
    "keyword_argument",
    "pair",
    "jsx_attribute",
    "keyed_element",
    "field_initializer",
    "element_value_pair",
    "shorthand_field_initializer",
    "property_signature",
];
/// Kinds in which brackets are the meaning: `delete[]`, `operator()`, `int[][]`.
const MEANT_BRACKETS: &[&str] = &["delete_expression", "operator_name", "dimensions"];
const SEPARATORS: &[&str] = &[",", ";", "(", ")", "{", "}", "[", "]", "\"", "'"];

impl Kinds {
    /// The facts of a grammar; found once.
    pub fn of(dialect: Dialect) -> &'static Self {
        static ALL: [OnceLock<Kinds>; Dialect::ALL.len()] = [const { OnceLock::new() }; Dialect::ALL.len()];
        ALL[dialect as usize].get_or_init(|| Self::new(dialect))
    }

    fn new(dialect: Dialect) -> Self {
        let grammar = grammar_of(dialect);
        let mut first: FxHashMap<(&str, bool), u16> = FxHashMap::default();
        let mut kinds = Self { same: Vec::new(), facts: Vec::new(), bracketed: Vec::new() };
        for id in 0..u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX) {
            let name = grammar.node_kind_for_id(id).unwrap_or("");
            let named = grammar.node_kind_is_named(id);
            let fact = if named { fact(name) } else { token_fact(name) };
            let meaning = if fact == Fact::Identifier { "identifier" } else { name };
            kinds.same.push(*first.entry((meaning, named)).or_insert(id));
            kinds.facts.push(fact);
            kinds.bracketed.extend((named && MEANT_BRACKETS.contains(&name)).then_some(id));
        }
        kinds
    }

    /// The number that stands for all kinds that mean the same.
    pub fn same(&self, kind: u16) -> u16 {
        self.same.get(kind as usize).copied().unwrap_or(kind)
    }

    /// How many kinds there are.
    pub fn count(&self) -> usize {
        self.same.len()
    }

    fn fact(&self, kind: u16) -> Fact {
        self.facts.get(kind as usize).copied().unwrap_or(Fact::Other)
    }

    /// Whether nodes of this kind are neither matched nor missed.
    pub fn is_skipped(&self, kind: u16) -> bool {
        matches!(self.fact(kind), Fact::Separator | Fact::Comment)
    }

    /// Whether a child of this kind is neither matched nor missed in such a parent.
    pub fn is_skipped_in(&self, parent: u16, kind: u16) -> bool {
        match self.fact(kind) {
            Fact::Separator => !self.bracketed.contains(&parent),
            fact => fact == Fact::Comment,
        }
    }

    pub fn is_comment(&self, kind: u16) -> bool {
        self.fact(kind) == Fact::Comment
    }

    pub fn is_container(&self, kind: u16) -> bool {
        self.fact(kind) == Fact::Container
    }

    pub fn is_chain(&self, kind: u16) -> bool {
        self.fact(kind) == Fact::Chain
    }

    pub fn is_identifier(&self, kind: u16) -> bool {
        self.fact(kind) == Fact::Identifier
    }

    pub fn is_quote(&self, kind: u16) -> bool {
        self.fact(kind) == Fact::Quote
    }

    pub fn is_keyed(&self, kind: u16) -> bool {
        self.fact(kind) == Fact::Keyed
    }
}

fn fact(name: &str) -> Fact {
    match name {
        // A line that goes on in the next says as little as a comment.
        _ if name.ends_with("comment") || name == "line_continuation" => Fact::Comment,
        "string_start" | "string_end" => Fact::Quote,
        _ if CONTAINERS.contains(&name) => Fact::Container,
        _ if CHAINS.contains(&name) => Fact::Chain,
        _ if KEYED.contains(&name) => Fact::Keyed,
        _ if name.ends_with("identifier") || name == "self" || name == "super" => Fact::Identifier,
        _ => Fact::Other,
    }
}

fn token_fact(name: &str) -> Fact {
    if SEPARATORS.contains(&name) || name.trim().is_empty() { Fact::Separator } else { Fact::Other }
}
