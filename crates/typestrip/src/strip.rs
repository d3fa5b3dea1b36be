//! One file: parse, survey, transform, print.

use crate::prelude;
use crate::report::report;
use crate::survey::{Kind, Survey, find_source, relative};
use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_codegen::{Codegen, CodegenOptions};
use oxc_diagnostics::OxcDiagnostic;
use oxc_parser::Parser;
use oxc_semantic::SemanticBuilder;
use oxc_sourcemap::SourceMap;
use oxc_span::SourceType;
use oxc_transformer::{
    DecoratorOptions, HelperLoaderMode, HelperLoaderOptions, JsxOptions, JsxRuntime, TransformOptions,
    Transformer,
};
use std::path::Path;

/// JavaScript, and how node must take it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stripped {
    /// The code, with a source map at its end.
    pub code: String,
    /// Module or CommonJS.
    pub kind: Kind,
}

/// Strips the types of one file. `exists` tells which files stand beside it (for relative imports). The error is a
/// report as compilers give it.
pub fn strip(path: &Path, source: &str, exists: &dyn Fn(&Path) -> bool) -> Result<Stripped, String> {
    let fail = |diagnostics: &[OxcDiagnostic]| Err(report(path, source, diagnostics));
    let Some(source_type) = source_type(path) else {
        return Err(format!(
            "{}: error: not a TypeScript file name (.ts, .tsx, .mts, .cts, .jsx)\n",
            path.display()
        ));
    };
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, source, source_type).parse();
    if !parsed.diagnostics.is_empty() || parsed.panicked {
        return fail(&parsed.diagnostics);
    }
    let mut program = parsed.program;
    let resolve = |specifier: &str| resolve(path, specifier, exists);
    let survey = Survey::take(&allocator, &mut program, &resolve);
    if let Some(span) = survey.standard_decorators {
        let message =
            "standard decorators cannot be translated yet; the older form (experimentalDecorators) can";
        return fail(&[OxcDiagnostic::error(message).with_label(span)]);
    }
    let kind = Kind::of(path, parsed.module_record.has_module_syntax || survey.awaits);
    let checked = SemanticBuilder::new().with_check_syntax_error(true).with_enum_eval(true).build(&program);
    if !checked.diagnostics.is_empty() {
        return fail(&checked.diagnostics);
    }
    let scoping = checked.semantic.into_scoping();
    let prefix = match kind {
        Kind::Module => prelude::commonjs_names(|name| {
            scoping.root_unresolved_references().keys().any(|key| *key == name)
        }),
        Kind::CommonJs => None,
    };
    let options = options();
    let transformed = Transformer::new(&allocator, path, &options).build_with_scoping(scoping, &mut program);
    if !transformed.diagnostics.is_empty() {
        return fail(&transformed.diagnostics);
    }
    Ok(Stripped { code: print(&program, path, prefix), kind })
}

/// How to read a file of this name: as a module, so that it may await outside functions, unless it says otherwise.
fn source_type(path: &Path) -> Option<SourceType> {
    let by_name = SourceType::from_path(path).ok()?;
    Some(if by_name.is_commonjs() { by_name } else { by_name.with_module(true) })
}

/// Types go; enums, namespaces, parameter properties and decorators become code; JSX becomes calls. Nothing newer
/// than node is translated: node knows what it knows.
fn options() -> TransformOptions {
    TransformOptions {
        decorator: DecoratorOptions { legacy: true, ..DecoratorOptions::default() },
        jsx: JsxOptions { runtime: JsxRuntime::Classic, ..JsxOptions::enable() },
        helper_loader: HelperLoaderOptions {
            mode: HelperLoaderMode::External,
            ..HelperLoaderOptions::default()
        },
        ..TransformOptions::default()
    }
}

/// The specifier of the stripped file; nothing where the given one may stay.
fn resolve(importer: &Path, specifier: &str, exists: &dyn Fn(&Path) -> bool) -> Option<String> {
    let found = find_source(importer, specifier, exists)?;
    let ending = found.extension()?.to_str()?.to_string();
    let target = match ending.as_str() {
        "ts" | "tsx" | "mts" | "cts" | "jsx" => found.with_extension(kind_on_disk(&found).extension()),
        _ => found,
    };
    let changed = relative(importer, &target);
    (changed != specifier).then_some(changed)
}

/// The kind of another file of the folder, by a parse of its own.
fn kind_on_disk(path: &Path) -> Kind {
    let source = std::fs::read_to_string(path).unwrap_or_default();
    let allocator = Allocator::default();
    let source_type = source_type(path).unwrap_or_default();
    let mut parsed = Parser::new(&allocator, &source, source_type).parse();
    let survey = Survey::take(&allocator, &mut parsed.program, &|_| None);
    Kind::of(path, parsed.module_record.has_module_syntax || survey.awaits)
}

/// The code with the lines that it needs before its own, and a source map that leads back to the TypeScript file.
fn print(program: &Program<'_>, path: &Path, prefix: Option<String>) -> String {
    let name = path.file_name().map(Path::new).unwrap_or(path).to_path_buf();
    let printed = Codegen::new()
        .with_options(CodegenOptions { source_map_path: Some(name), ..Default::default() })
        .build(program);
    let mut code = printed.code;
    if code.starts_with("#!") {
        // A first line for the kernel says nothing to node, and could not stay first behind a prefix.
        let end = code.find('\n').unwrap_or(code.len());
        code.replace_range(..end, "");
    }
    let decorators = code.contains("babelHelpers.decorate").then_some(prelude::DECORATORS);
    let before: String = prefix.iter().map(String::as_str).chain(decorators).collect();
    let mut map = printed.map;
    if !before.is_empty() {
        code.insert_str(0, &format!("{before}\n"));
    }
    if let Some(map) = &mut map {
        let mut json = map.to_json();
        if !before.is_empty() {
            json.mappings.insert(0, ';');
        }
        if let Ok(moved) = SourceMap::from_json(json) {
            code.push_str("\n//# sourceMappingURL=");
            code.push_str(&moved.to_data_url());
            code.push('\n');
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(name: &str, source: &str) -> Stripped {
        strip(Path::new(name), source, &|_| false).unwrap_or_else(|report| panic!("{report}"))
    }

    fn code(source: &str) -> String {
        let code = stripped("main.ts", source).code;
        code.split("\n//# sourceMappingURL").next().unwrap_or_default().to_string()
    }

    #[test]
    fn types_go_and_code_stays() {
        for (source, expected) in [
            ("const x: number = 1;", "const x = 1;\n"),
            ("function f<T>(a?: T): a is T { return true; }", "function f(a) {\n\treturn true;\n}\n"),
            ("interface A { x: string }\ntype B = A | null;\nlet y!: B;", "let y;\n"),
            ("const z = <any>1 as unknown as string satisfies string;", "const z = 1;\n"),
            (
                "declare const q: number;\nabstract class A { abstract f(): void; private x = 1; }",
                "class A {\n\tx = 1;\n}\n",
            ),
            ("import { a, type B } from 'x';\na();", "import { a } from \"x\";\na();\n"),
            ("import type { T } from 'x';\nexport const v = 1;", "export const v = 1;\n"),
        ] {
            assert_eq!(code(source), expected, "{source}");
        }
    }

    #[test]
    fn kinds_of_module() {
        for (name, source, kind) in [
            ("a.ts", "export {};", Kind::Module),
            ("a.ts", "const x = 1;", Kind::CommonJs),
            ("a.ts", "await f();", Kind::Module),
            ("a.ts", "for await (const x of y) {}", Kind::Module),
            ("a.ts", "async () => { await f(); }", Kind::CommonJs),
            ("a.mts", "const x = 1;", Kind::Module),
            ("a.cts", "const x = 1;", Kind::CommonJs),
            ("a.ts", "console.log(import.meta.url)", Kind::Module),
        ] {
            assert_eq!(stripped(name, source).kind, kind, "{name}: {source}");
        }
    }

    #[test]
    fn what_needs_code_gets_code() {
        for (source, part) in [
            ("enum E { A = 2 }", "E[E[\"A\"] = 2] = \"A\""),
            ("namespace N { export const x = 1; }", "_N.x = 1"),
            ("class A { constructor(private x: number) {} }", "this.x = x"),
            ("@d class A {}", "const babelHelpers="),
            ("import fs from 'fs';\nrequire('x');", "require=__formicary_require"),
            ("import fs from 'fs';\nconsole.log(fs, __dirname);", "__dirname="),
        ] {
            assert!(code(source).contains(part), "{source}: {}", code(source));
        }
        assert!(!code("import fs from 'fs';\nconst require = 1; fs(require);").contains("createRequire"));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (source, place) in [
            ("let x: = 1;", "main.ts:1:8: error:"),
            ("\n\nlet é = ;", "main.ts:3:9: error:"),
            ("let a; let a;", "main.ts:1:5: error:"),
            ("function d(v: any, c: ClassMethodDecoratorContext) {}", "main.ts:1:23: error:"),
            ("namespace N { export let x = 1; }", "main.ts:1:26: error:"),
        ] {
            let report = strip(Path::new("main.ts"), source, &|_| false).expect_err(source);
            assert!(report.starts_with(place), "{source}: {report}");
        }
        assert!(strip(Path::new("main.txt"), "", &|_| false).is_err());
    }

    #[test]
    fn jsx_becomes_calls() {
        let stripped = stripped("view.tsx", "const v = <a href=\"x\">{y as string}</a>;");
        assert!(
            stripped.code.contains("React.createElement(\"a\", { href: \"x\" }, y)"),
            "{}",
            stripped.code
        );
    }

    #[test]
    fn a_first_line_for_the_kernel_goes() {
        assert!(
            !stripped("main.ts", "#!/usr/bin/env ts-node\nexport const x = __dirname;").code.contains("#!")
        );
    }
}
