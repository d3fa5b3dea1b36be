//! Functions: each begins with a frame of its own, and says what it returns.

use super::expressions::Record;
use super::table::{FunctionEntry, NodeId};
use super::{FRAME, RECORDER, Walk};
use oxc_ast::ast::{ArrowFunctionBody, ArrowFunctionExpression, FormalParameters, Function, FunctionBody};
use oxc_span::GetSpan;
use serde_json::{Value, json};

impl Walk<'_> {
    /// A function that is written with the word or as a method. `name` is that of the place where it stands.
    pub(super) fn function(&mut self, node: NodeId, function: &Function<'_>, name: &str) {
        let Some(body) = &function.body else { return };
        if self.quiet > 0 {
            return;
        }
        let name = function.id.as_ref().map_or(name, |id| id.name.as_str()).to_owned();
        let outer = self.enter_function(node, &name);
        self.set_function("async", function.r#async);
        self.set_function("gen", function.generator);
        let names = self.parameters(&function.params, outer);
        self.function_body(node, body, &names);
        self.function = outer;
    }

    pub(super) fn arrow(&mut self, node: NodeId, arrow: &ArrowFunctionExpression<'_>) {
        if self.quiet > 0 {
            return;
        }
        let outer = self.enter_function(node, "");
        self.set_function("async", arrow.r#async);
        self.set_function("arrow", true);
        let names = self.parameters(&arrow.params, outer);
        match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => self.function_body(node, body, &names),
            body => {
                if let Some(inner) = body.as_expression() {
                    let (span, function) = (inner.span(), self.function);
                    self.insert(
                        span.start,
                        format!("{{var {FRAME}={RECORDER}.n({function},{names});return "),
                    );
                    let returned = self.expression(inner, Record::Return);
                    self.returns(returned);
                    self.insert(span.end, "}");
                }
            }
        }
        self.function = outer;
    }

    fn enter_function(&mut self, node: NodeId, name: &str) -> usize {
        let outer = self.function;
        self.function = self.table.functions.len();
        let mut entry = FunctionEntry::new(name, node, self.file, Some(outer));
        // Methods say of which class they are.
        let class = self.table.nodes[node].fields["cls"].clone();
        entry.fields["cls"] = class;
        entry.fields["kind"] = self.table.nodes[node].fields["kind"].clone();
        self.table.functions.push(entry);
        let function = self.function;
        self.set(node, "fi", function);
        outer
    }

    pub(super) fn set_function(&mut self, field: &str, value: impl Into<Value>) {
        let function = self.function;
        self.table.functions[function].fields[field] = value.into();
    }

    pub(super) fn returns(&mut self, node: NodeId) {
        let function = self.function;
        if let Some(list) = self.table.functions[function].fields["rets"].as_array_mut() {
            list.push(node.into());
        }
    }

    /// The names that the parameters bind, as a list in the language. Defaults are evaluated before the frame begins: they
    /// belong to the frame around.
    fn parameters(&mut self, parameters: &FormalParameters<'_>, outer: usize) -> String {
        let inner = self.function;
        let mut names = Vec::new();
        let mut described = Vec::new();
        let rest = parameters.rest.as_ref().map(|rest| (&rest.rest.argument, None, true, false));
        let all = parameters
            .items
            .iter()
            .map(|item| {
                // TypeScript's `private x` in a constructor is a field, too.
                let is_field = item.accessibility.is_some() || item.readonly || item.r#override;
                (&item.pattern, item.initializer.as_deref(), false, is_field)
            })
            .chain(rest);
        for (index, (pattern, initializer, is_rest, is_field)) in all.enumerate() {
            self.function = outer;
            let default = initializer.map(|inner| self.expression(inner, Record::Varying));
            let bound = self.bound(pattern);
            self.function = inner;
            for name in bound {
                self.table.symbols[name.symbol]["f"] = inner.into();
                let at = names.len();
                let own = name.default.or(default.filter(|_| name.path.is_empty()));
                described.push(json!({
                    "y": name.symbol, "i": index, "path": name.path, "d": own, "whole": default, "rest": is_rest,
                    "field": is_field.then_some(&name.name),
                }));
                self.write(name.symbol, json!({"k": "param", "f": inner, "i": at}));
                names.push(name.name);
            }
        }
        self.set_function("params", described);
        format!("[{}]", names.join(","))
    }

    fn function_body(&mut self, node: NodeId, body: &FunctionBody<'_>, names: &str) {
        let start = body.directives.last().map_or(body.span.start + 1, |directive| directive.span.end);
        let function = self.function;
        let semicolon = if body.directives.is_empty() { "" } else { ";" };
        self.insert(start, format!("{semicolon}var {FRAME}={RECORDER}.n({function},{names});"));
        self.statements(&body.statements);
        let place = oxc_span::Span::new(body.span.end - 1, body.span.end);
        let end = self.add("end", place, json!({"fn": node}));
        self.set_function("end", end);
        self.insert(body.span.end - 1, format!(";{RECORDER}.e({FRAME},{end})"));
    }
}
