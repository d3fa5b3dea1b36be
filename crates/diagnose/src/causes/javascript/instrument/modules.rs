//! Imports and exports: names are followed from one file to the other.

use super::Walk;
use super::expressions::Record;
use oxc_ast::ast::{
    Declaration, ExportDefaultDeclarationKind, ImportDeclaration, ImportDeclarationSpecifier, Statement,
};
use serde_json::json;

impl Walk<'_> {
    /// An `import` or `export`; false if the statement is none.
    pub(super) fn module_statement(&mut self, statement: &Statement<'_>) -> bool {
        match statement {
            Statement::ImportDeclaration(import) => self.import(import),
            Statement::ExportDefaultDeclaration(export) => match &export.declaration {
                ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                    let node = self.add("fn", function.span, json!({}));
                    self.function_declaration(node, function);
                    self.export("default", json!({"n": node}));
                }
                ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                    let node = self.add("cls", class.span, json!({}));
                    self.within(node, |walk| walk.class(node, class));
                    self.export("default", json!({"n": node}));
                }
                other => {
                    if let Some(inner) = other.as_expression() {
                        let node = self.expression(inner, Record::Varying);
                        self.export("default", json!({"n": node}));
                    }
                }
            },
            Statement::ExportDeclaration(export) => {
                self.declaration(&export.declaration);
                self.export_names(&export.declaration);
            }
            Statement::ExportNamedDeclaration(export) => {
                for specifier in &export.specifiers {
                    if let Some(name) = specifier.local.identifier_name().map(|name| name.to_string()) {
                        let exported = specifier.exported.name().to_string();
                        self.export(&exported, json!({"name": name}));
                    }
                }
            }
            Statement::ExportFromDeclaration(export) => {
                for specifier in &export.specifiers {
                    let target =
                        json!({"from": export.source.value.as_str(), "as": specifier.local.name().as_str()});
                    let exported = specifier.exported.name().to_string();
                    self.export(&exported, target);
                }
            }
            Statement::ExportAllDeclaration(export) => {
                let key = format!("*{}", export.source.value);
                self.export(&key, json!({"from": export.source.value.as_str(), "as": "*"}));
            }
            _ => return false,
        }
        true
    }

    fn import(&mut self, import: &ImportDeclaration<'_>) {
        let source = import.source.value.as_str();
        for specifier in import.specifiers.iter().flatten() {
            let (local, name) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => {
                    (&one.local, one.imported.name().to_string())
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => (&one.local, "default".to_owned()),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => (&one.local, "*".to_owned()),
            };
            let node = self.add("import", import.span, json!({"local": local.name.as_str()}));
            if let Some(symbol) = self.declared(local) {
                self.write(symbol, json!({"k": "imported", "n": node, "from": source, "as": name}));
            }
        }
    }

    fn export(&mut self, name: &str, target: serde_json::Value) {
        let file = self.file;
        self.table.files[file].exports[name] = target;
    }

    fn export_names(&mut self, declaration: &Declaration<'_>) {
        let names: Vec<String> = match declaration {
            Declaration::VariableDeclaration(variables) => variables
                .declarations
                .iter()
                .flat_map(|one| one.id.get_binding_identifiers())
                .map(|name| name.name.to_string())
                .collect(),
            Declaration::FunctionDeclaration(function) => {
                function.id.iter().map(|id| id.name.to_string()).collect()
            }
            Declaration::ClassDeclaration(class) => class.id.iter().map(|id| id.name.to_string()).collect(),
            _ => Vec::new(),
        };
        for name in names {
            self.export(&name, json!({"name": name}));
        }
    }
}
