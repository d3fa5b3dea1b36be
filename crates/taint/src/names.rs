//! What the names of a file mean: imports, functions and classes by name.

use formicary_syntax::{ClassId, ClassKind, Dialect, FunctionId, Owner, Unit};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The names of a file.
pub(super) struct Names<'a> {
    /// What an imported name stands for, as a dotted name.
    pub imports: FxHashMap<&'a str, Rc<str>>,
    pub functions: FxHashMap<&'a str, Vec<FunctionId>>,
    pub classes: FxHashMap<&'a str, ClassId>,
    /// Classes by what they extend, by the last word.
    pub heirs: FxHashMap<&'a str, Vec<ClassId>>,
    /// The methods of a class, also those that stand outside of it.
    pub methods: FxHashMap<(&'a str, &'a str), Vec<FunctionId>>,
}

impl<'a> Names<'a> {
    pub(super) fn new(unit: &Unit<'a>) -> Self {
        let mut names = Self {
            imports: FxHashMap::default(),
            functions: FxHashMap::default(),
            classes: FxHashMap::default(),
            heirs: FxHashMap::default(),
            methods: FxHashMap::default(),
        };
        for import in &unit.imports {
            let module = import.module.strip_prefix("node:").unwrap_or(import.module);
            for name in &import.names {
                let path = match name.name {
                    "*" | "default" => module.to_owned(),
                    whole if whole == import.module => match unit.dialect {
                        Dialect::Python if !name.renamed => name.local.to_owned(),
                        _ => whole.to_owned(),
                    },
                    part if module.is_empty() => part.to_owned(),
                    part => format!("{module}.{part}"),
                };
                names.imports.insert(name.local, path.replace("::", ".").into());
            }
        }
        for (id, class) in unit.classes() {
            if !matches!(class.kind, ClassKind::Module | ClassKind::Alias) {
                names.classes.entry(class.name).or_insert(id);
            }
            for base in &class.bases {
                if let Some(base) = last_word(unit, *base) {
                    names.heirs.entry(base).or_default().push(id);
                }
            }
        }
        for (id, function) in unit.functions() {
            if function.name.is_empty() || !function.has_body {
                continue;
            }
            let class = match (function.receiver, function.owner) {
                (Some(receiver), _) => Some(receiver),
                (None, Owner::Class(class)) => Some(unit.class(class).name),
                (None, _) => None,
            };
            names.functions.entry(function.name).or_default().push(id);
            if let Some(class) = class {
                names.methods.entry((class, function.name)).or_default().push(id);
            }
        }
        names
    }
}

/// The last word of a type.
pub(super) fn last_word<'a>(unit: &Unit<'a>, id: formicary_syntax::ExprId) -> Option<&'a str> {
    match unit.kind(id) {
        formicary_syntax::ExprKind::Type(written) => Some(plain_type(written)),
        _ => unit.last_name(id),
    }
}

/// `List` of `java.util.List<String>[]`.
pub(super) fn plain_type(written: &str) -> &str {
    let written = written.trim().trim_start_matches(['*', '&', ':', ' ']);
    let written = written.strip_prefix("mut ").unwrap_or(written);
    let written = written.split(['<', '[', ' ']).next().unwrap_or(written);
    written.trim_end_matches(['*', '&', '?'])
}

/// Whether a type holds numbers and truth values alone: nothing foreign can be written in it.
pub(super) fn is_number(written: &str) -> bool {
    let plain = plain_type(written);
    matches!(
        plain.rsplit(['.', ':']).next().unwrap_or(plain),
        "int"
            | "long"
            | "short"
            | "byte"
            | "float"
            | "double"
            | "boolean"
            | "bool"
            | "Integer"
            | "Long"
            | "Short"
            | "Double"
            | "Float"
            | "Boolean"
            | "BigDecimal"
            | "BigInteger"
            | "UUID"
            | "number"
            | "size_t"
            | "unsigned"
            | "int32"
            | "int64"
            | "uint"
            | "uint32"
            | "uint64"
            | "float32"
            | "float64"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "i128"
            | "isize"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "u128"
            | "usize"
            | "f32"
            | "f64"
            | "ssize_t"
            | "int32_t"
            | "int64_t"
            | "uint32_t"
            | "uint64_t"
            | "Decimal"
            | "date"
            | "datetime"
            | "LocalDate"
            | "LocalDateTime"
            | "Instant"
    ) && !written.contains('*')
        && !written.contains('[')
}
