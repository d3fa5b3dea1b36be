//! Coupling, cohesion and weight of classes.

use super::lines::Counter;
use formicary_model::review::{ClassMetrics, FunctionMetrics};
use formicary_syntax::place::place;
use formicary_syntax::scopes::words;
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ClassId, ClassKind, Dialect, ExprKind, FunctionId, Owner, Unit};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn measure(
    unit: &Unit<'_>,
    counter: &Counter<'_, '_>,
    functions: &[(FunctionId, FunctionMetrics)],
) -> Vec<ClassMetrics> {
    let weights: FxHashMap<FunctionId, u32> =
        functions.iter().map(|(id, metrics)| (*id, metrics.cyclomatic)).collect();
    let measured = unit
        .classes()
        .filter(|(_, class)| {
            !class.name.is_empty() && !matches!(class.kind, ClassKind::Module | ClassKind::Alias)
        })
        .filter(|(_, class)| class.kind != ClassKind::Implementation || !defined_here(unit, class.name));
    measured.map(|(id, _)| of_class(unit, counter, &weights, id)).collect()
}

/// Whether an `impl`'s type stands in the same file: then its methods count there.
fn defined_here(unit: &Unit<'_>, name: &str) -> bool {
    unit.classes.iter().any(|class| class.name == name && class.kind != ClassKind::Implementation)
}

/// A class's methods, those of Rust's `impl`s and of Go's receivers included.
pub(crate) fn methods_of(unit: &Unit<'_>, id: ClassId) -> Vec<FunctionId> {
    let class = unit.class(id);
    let mut methods = class.methods.clone();
    match unit.dialect {
        Dialect::Rust if class.kind != ClassKind::Implementation => {
            let others = unit
                .classes
                .iter()
                .filter(|other| other.kind == ClassKind::Implementation && other.name == class.name);
            methods.extend(others.flat_map(|other| &other.methods));
        }
        Dialect::Go | Dialect::Cpp => {
            let own = unit.functions().filter(|(_, function)| {
                function.receiver == Some(class.name)
                    && !matches!(function.owner, Owner::Class(owner) if owner == id)
            });
            methods.extend(own.map(|(id, _)| id));
        }
        _ => {}
    }
    methods
}

fn of_class(
    unit: &Unit<'_>,
    counter: &Counter<'_, '_>,
    weights: &FxHashMap<FunctionId, u32>,
    id: ClassId,
) -> ClassMetrics {
    let class = unit.class(id);
    let methods = methods_of(unit, id);
    let uses: Vec<Uses<'_>> = methods.iter().map(|method| uses_of(unit, *method)).collect();
    let mut fields: FxHashSet<&str> = class.fields.iter().map(|(name, _)| *name).collect();
    let names: FxHashSet<&str> = methods.iter().map(|method| unit.function(*method).name).collect();
    for used in &uses {
        fields.extend(used.own.iter().filter(|name| !names.contains(*name)));
    }
    let mut coupled: FxHashSet<&str> = uses.iter().flat_map(|used| used.classes.iter().copied()).collect();
    for (_, annotation) in &class.fields {
        coupled.extend(annotation.iter().flat_map(|text| words(text)).filter(|word| is_class_name(word)));
    }
    coupled.extend(class.bases.iter().filter_map(|base| unit.last_name(*base)));
    coupled.remove(class.name);
    let called: FxHashSet<&str> = uses.iter().flat_map(|used| used.calls.iter().copied()).collect();
    ClassMetrics {
        name: class.name.to_owned(),
        span: place(unit, class.span),
        lines: counter.of(class.span),
        methods: methods.len() as u32,
        fields: fields.len() as u32,
        weighted_methods: methods.iter().map(|method| weights.get(method).copied().unwrap_or(0)).sum(),
        coupling: coupled.len() as u32,
        response: (names.len() + called.difference(&names).count()) as u32,
        lack_of_cohesion: parts(unit, class.name, &methods, &uses),
        inheritance_depth: u32::from(!class.bases.is_empty()),
        is_abstract: is_abstract(unit, id),
        documented: class.documented,
    }
}

/// Whether a class cannot be made: an interface, an abstract class, or one with an abstract method.
pub(crate) fn is_abstract(unit: &Unit<'_>, id: ClassId) -> bool {
    let class = unit.class(id);
    class.kind == ClassKind::Interface
        || class.modifiers.is_abstract
        || class.methods.iter().any(|method| unit.function(*method).modifiers.is_abstract)
        || class.bases.iter().any(|base| matches!(unit.last_name(*base), Some("ABC" | "Protocol")))
        || class
            .keywords
            .iter()
            .any(|(name, value)| *name == "metaclass" && unit.last_name(*value) == Some("ABCMeta"))
}

#[derive(Default)]
struct Uses<'a> {
    own: FxHashSet<&'a str>,
    calls: FxHashSet<&'a str>,
    classes: FxHashSet<&'a str>,
}

fn uses_of<'a>(unit: &Unit<'a>, id: FunctionId) -> Uses<'a> {
    let function = unit.function(id);
    let receiver = function
        .parameters
        .iter()
        .find(|parameter| parameter.kind == formicary_syntax::ParameterKind::Receiver)
        .map_or("this", |parameter| parameter.name);
    let implicit = matches!(unit.dialect, Dialect::Java | Dialect::Cpp);
    let mut uses = Uses::default();
    let types =
        function.parameters.iter().filter_map(|parameter| parameter.annotation).chain(function.returns);
    uses.classes.extend(types.flat_map(words).filter(|word| is_class_name(word)));
    unit.walk(&function.body, Nested::Enter, &mut |step| {
        let Step::Expr(id) = step else { return };
        match unit.kind(id) {
            ExprKind::Attribute { base, name, .. } if unit.name_of(*base) == Some(receiver) => {
                uses.own.insert(name);
            }
            ExprKind::Name(name) => {
                if is_class_name(name) {
                    uses.classes.insert(name);
                }
                if implicit {
                    uses.own.insert(name);
                }
            }
            ExprKind::Call { callee, .. } => {
                uses.calls.extend(unit.last_name(*callee));
            }
            _ => {}
        }
    });
    uses
}

/// A name as classes have it: a capital first, and not all capitals.
fn is_class_name(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase) && word.chars().any(char::is_lowercase)
}

/// LCOM4: groups of methods that share no field and do not call each other. A constructor touches every field and would
/// tie together what nothing else does; a method that touches nothing of its object is none of its parts.
fn parts(unit: &Unit<'_>, class: &str, methods: &[FunctionId], uses: &[Uses<'_>]) -> u32 {
    let counted: Vec<usize> = (0..methods.len())
        .filter(|at| {
            let function = unit.function(methods[*at]);
            let constructs =
                function.name == class || matches!(function.name, "__init__" | "__new__" | "constructor");
            let of_class = function.decorators.iter().any(|one| unit.last_name(*one) == Some("classmethod"));
            let counts = !constructs && !of_class && !function.modifiers.is_static;
            counts && function.has_body && !function.body.is_empty() && !uses[*at].own.is_empty()
        })
        .collect();
    let mut group: Vec<usize> = (0..methods.len()).collect();
    fn root(group: &mut [usize], mut at: usize) -> usize {
        while group[at] != at {
            group[at] = group[group[at]];
            at = group[at];
        }
        at
    }
    let mut first: FxHashMap<&str, usize> = FxHashMap::default();
    for at in &counted {
        let names = uses[*at].own.iter().copied().chain([unit.function(methods[*at]).name]);
        for name in names {
            let other = *first.entry(name).or_insert(*at);
            let (a, b) = (root(&mut group, *at), root(&mut group, other));
            group[a] = b;
        }
    }
    let roots: FxHashSet<usize> = counted.iter().map(|at| root(&mut group, *at)).collect();
    (roots.len() as u32).max(1)
}
