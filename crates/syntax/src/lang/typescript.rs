//! What TypeScript's grammar adds to JavaScript's.

use super::{Kinds, Role};
use crate::unit::ClassKind;

pub(super) const KINDS: Kinds = &[
    ("abstract_class_declaration", Role::Class(ClassKind::Class)),
    ("interface_declaration", Role::Class(ClassKind::Interface)),
    ("enum_declaration", Role::Class(ClassKind::Enum)),
    ("type_alias_declaration", Role::Class(ClassKind::Alias)),
    ("internal_module", Role::Class(ClassKind::Module)),
    ("module", Role::Class(ClassKind::Module)),
    ("ambient_declaration", Role::Wrapper),
    ("function_signature", Role::Function),
    ("method_signature", Role::Function),
    ("abstract_method_signature", Role::Function),
    ("public_field_definition", Role::Declaration),
    ("property_signature", Role::Declaration),
    ("import_alias", Role::Import),
    ("as_expression", Role::Cast),
    ("satisfies_expression", Role::Cast),
    ("non_null_expression", Role::Paren),
    ("nested_identifier", Role::Member),
    ("type_identifier", Role::Name),
    ("type_annotation", Role::Type),
    ("type_arguments", Role::Skip),
    ("type_parameters", Role::Skip),
    ("predefined_type", Role::Type),
    ("generic_type", Role::Type),
    ("union_type", Role::Type),
    ("object_type", Role::Type),
    ("array_type", Role::Type),
    ("function_type", Role::Type),
    ("index_signature", Role::Skip),
    ("call_signature", Role::Skip),
    ("construct_signature", Role::Skip),
    ("accessibility_modifier", Role::Skip),
    ("override_modifier", Role::Skip),
];
