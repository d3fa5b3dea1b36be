//! What a file is, and its relative imports made to name files that will be there.

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    Argument, ArrowFunctionExpression, AwaitExpression, CallExpression, ExportAllDeclaration,
    ExportFromDeclaration, Expression, ForOfStatement, Function, ImportDeclaration, ImportExpression,
    Program, StringLiteral, TSExternalModuleReference, TSTypeName, TSTypeReference,
};
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_span::Span;
use oxc_str::Str;
use oxc_syntax::scope::ScopeFlags;
use std::path::{Component, Path, PathBuf};

/// How node takes a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `import` and `export`.
    Module,
    /// `require` and `module.exports`.
    CommonJs,
}

impl Kind {
    /// The ending that tells node.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Module => "mjs",
            Self::CommonJs => "cjs",
        }
    }

    /// The kind of a file by its name and by what is in it.
    pub fn of(path: &Path, uses_module_syntax: bool) -> Self {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("mts") => Self::Module,
            Some("cts") => Self::CommonJs,
            _ if uses_module_syntax => Self::Module,
            _ => Self::CommonJs,
        }
    }
}

/// Walks a program once: notes what is in it and rewrites relative specifiers.
pub struct Survey<'a, 'b> {
    allocator: &'a Allocator,
    /// Finds the specifier of the stripped file for a relative one; nothing where it may stay.
    resolve: &'b dyn Fn(&str) -> Option<String>,
    depth: usize,
    /// Whether something is awaited outside all functions.
    pub awaits: bool,
    /// Where a type of the standard decorators is named: those cannot be translated.
    pub standard_decorators: Option<Span>,
}

impl<'a, 'b> Survey<'a, 'b> {
    /// Surveys `program`.
    pub fn take(
        allocator: &'a Allocator,
        program: &mut Program<'a>,
        resolve: &'b dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let mut survey = Self { allocator, resolve, depth: 0, awaits: false, standard_decorators: None };
        survey.visit_program(program);
        survey
    }

    fn rewrite(&self, literal: &mut StringLiteral<'a>) {
        if let Some(changed) = (self.resolve)(literal.value.as_str()) {
            literal.value = Str::from_str_in(&changed, &self.allocator);
            literal.raw = None;
        }
    }
}

impl<'a> VisitMut<'a> for Survey<'a, '_> {
    fn visit_import_declaration(&mut self, it: &mut ImportDeclaration<'a>) {
        self.rewrite(&mut it.source);
        walk_mut::walk_import_declaration(self, it);
    }

    fn visit_export_from_declaration(&mut self, it: &mut ExportFromDeclaration<'a>) {
        self.rewrite(&mut it.source);
        walk_mut::walk_export_from_declaration(self, it);
    }

    fn visit_export_all_declaration(&mut self, it: &mut ExportAllDeclaration<'a>) {
        self.rewrite(&mut it.source);
        walk_mut::walk_export_all_declaration(self, it);
    }

    fn visit_import_expression(&mut self, it: &mut ImportExpression<'a>) {
        if let Expression::StringLiteral(source) = &mut it.source {
            self.rewrite(source);
        }
        walk_mut::walk_import_expression(self, it);
    }

    fn visit_ts_external_module_reference(&mut self, it: &mut TSExternalModuleReference<'a>) {
        self.rewrite(&mut it.expression);
        walk_mut::walk_ts_external_module_reference(self, it);
    }

    fn visit_call_expression(&mut self, it: &mut CallExpression<'a>) {
        let requires = matches!(&it.callee, Expression::Identifier(name) if name.name == "require");
        if let (true, [Argument::StringLiteral(source)]) = (requires, it.arguments.as_mut_slice()) {
            self.rewrite(source);
        }
        walk_mut::walk_call_expression(self, it);
    }

    fn visit_ts_type_reference(&mut self, it: &mut TSTypeReference<'a>) {
        if let TSTypeName::IdentifierReference(name) = &it.type_name
            && name.name.ends_with("DecoratorContext")
        {
            self.standard_decorators.get_or_insert(it.span);
        }
        walk_mut::walk_ts_type_reference(self, it);
    }

    fn visit_function(&mut self, it: &mut Function<'a>, flags: ScopeFlags) {
        self.depth += 1;
        walk_mut::walk_function(self, it, flags);
        self.depth -= 1;
    }

    fn visit_arrow_function_expression(&mut self, it: &mut ArrowFunctionExpression<'a>) {
        self.depth += 1;
        walk_mut::walk_arrow_function_expression(self, it);
        self.depth -= 1;
    }

    fn visit_await_expression(&mut self, it: &mut AwaitExpression<'a>) {
        self.awaits |= self.depth == 0;
        walk_mut::walk_await_expression(self, it);
    }

    fn visit_for_of_statement(&mut self, it: &mut ForOfStatement<'a>) {
        self.awaits |= it.r#await && self.depth == 0;
        walk_mut::walk_for_of_statement(self, it);
    }
}

/// The file that a relative specifier means, looked for as TypeScript does: itself, with an ending, with another
/// ending, or as a folder with an index.
pub fn find_source(importer: &Path, specifier: &str, exists: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    if !(specifier.starts_with("./") || specifier.starts_with("../") || specifier == "." || specifier == "..")
    {
        return None;
    }
    const ENDINGS: [&str; 9] = ["ts", "tsx", "mts", "cts", "js", "mjs", "cjs", "jsx", "json"];
    let base = plain(&importer.parent().unwrap_or(Path::new("")).join(specifier))?;
    let swapped: &[&str] = match base.extension().and_then(|ending| ending.to_str()) {
        Some("js") => &["ts", "tsx", "jsx"],
        Some("mjs") => &["mts"],
        Some("cjs") => &["cts"],
        _ => &[],
    };
    let with = |ending: &&str| PathBuf::from(format!("{}.{ending}", base.display()));
    std::iter::once(base.clone())
        .chain(swapped.iter().map(|ending| base.with_extension(ending)))
        .chain(ENDINGS.iter().map(with))
        .chain(ENDINGS.iter().map(|ending| base.join(format!("index.{ending}"))))
        .find(|path| exists(path))
}

/// The path without `.` and `..`; nothing where it would leave the folder.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name),
            Component::ParentDir => drop(parts.pop()?),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.iter().collect())
}

/// A relative specifier from one file to another.
pub fn relative(importer: &Path, target: &Path) -> String {
    let from: Vec<_> = importer.parent().map(|folder| folder.components().collect()).unwrap_or_default();
    let to: Vec<_> = target.components().collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let mut parts = vec![if from.len() == shared { ".".to_string() } else { "..".to_string() }];
    parts.extend(std::iter::repeat_n("..".to_string(), from.len().saturating_sub(shared + 1)));
    parts.extend(to[shared..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned()));
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifiers_find_their_files() {
        let there =
            ["a.ts", "lib/b.ts", "lib/index.ts", "c.mts", "d.js", "e.json", "view.tsx", "both.js", "both.ts"];
        let exists = |path: &Path| there.iter().any(|known| Path::new(known) == path);
        for (importer, specifier, found) in [
            ("main.ts", "./a", Some("a.ts")),
            ("main.ts", "./a.ts", Some("a.ts")),
            ("main.ts", "./a.js", Some("a.ts")),
            ("main.ts", "./lib", Some("lib/index.ts")),
            ("main.ts", "./lib/b", Some("lib/b.ts")),
            ("lib/b.ts", "../a", Some("a.ts")),
            ("lib/b.ts", ".", Some("lib/index.ts")),
            ("main.ts", "./c.mjs", Some("c.mts")),
            ("main.ts", "./d", Some("d.js")),
            ("main.ts", "./e.json", Some("e.json")),
            ("main.ts", "./view", Some("view.tsx")),
            ("main.ts", "./both.js", Some("both.js")),
            ("main.ts", "./both", Some("both.ts")),
            ("main.ts", "fs", None),
            ("main.ts", "../outside", None),
            ("main.ts", "./absent", None),
        ] {
            let got = find_source(Path::new(importer), specifier, &exists);
            assert_eq!(got.as_deref(), found.map(Path::new), "{importer}: {specifier}");
        }
    }

    #[test]
    fn relative_specifiers() {
        for (importer, target, specifier) in [
            ("main.ts", "a.mjs", "./a.mjs"),
            ("main.ts", "lib/b.mjs", "./lib/b.mjs"),
            ("lib/b.ts", "a.mjs", "../a.mjs"),
            ("lib/b.ts", "lib/c.mjs", "./c.mjs"),
            ("x/y/z.ts", "x/a.mjs", "../a.mjs"),
            ("x/y/z.ts", "a/b.mjs", "../../a/b.mjs"),
        ] {
            assert_eq!(relative(Path::new(importer), Path::new(target)), specifier);
        }
    }
}
