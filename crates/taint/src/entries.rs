//! Functions that a frame calls with what somebody else sent: which parameters are foreign, and whose results are pages.

use super::classes::Classes;
use super::engine::Engine;
use super::names::is_number;
use super::value::{Label, RECEIVER, Taint, Value};
use formicary_model::Language;
use formicary_syntax::{ExprId, ExprKind, Function, FunctionId, Literal, Owner, Parameter, ParameterKind};

/// Annotations of Java that fill a parameter from the request.
const FILLED: &[&str] = &[
    "RequestParam",
    "PathVariable",
    "RequestHeader",
    "CookieValue",
    "RequestBody",
    "ModelAttribute",
    "RequestPart",
    "MatrixVariable",
    "QueryParam",
    "PathParam",
    "FormParam",
    "HeaderParam",
    "CookieParam",
    "QueryValue",
    "Body",
    "Query",
    "Param",
    "Headers",
];

/// Types that hold what a request brought, in Rust's frames.
const EXTRACTORS: &[&str] = &["Query", "Path", "Json", "Form", "RawQuery", "Multipart", "HeaderMap"];

impl<'a> Engine<'_, '_, 'a> {
    /// Whether a route leads to the function.
    pub(super) fn is_route(&self, function: &Function<'a>) -> bool {
        function.decorators.iter().any(|decorator| {
            let ExprKind::Call { callee, arguments, .. } = self.unit.kind(*decorator) else { return false };
            let word = self.unit.last_name(*callee).unwrap_or("");
            match self.language {
                Language::Python => {
                    matches!(
                        word,
                        "route"
                            | "get"
                            | "post"
                            | "put"
                            | "delete"
                            | "patch"
                            | "websocket"
                            | "api_route"
                            | "head"
                    ) && matches!(self.unit.kind(*callee), ExprKind::Attribute { .. })
                        && !arguments.is_empty()
                }
                Language::Java => word.ends_with("Mapping") || word == "Path",
                _ => matches!(word, "Get" | "Post" | "Put" | "Delete" | "Patch" | "All"),
            }
        }) || self.language == Language::Java
            && function.decorators.iter().any(|decorator| {
                self.unit
                    .last_name(*decorator)
                    .is_some_and(|name| name.ends_with("Mapping") || name == "GET" || name == "POST")
            })
    }

    /// Whether a frame calls the function, rather than code of the project.
    pub(super) fn is_entry(&self, function: &Function<'a>) -> bool {
        let request = function.parameters.iter().any(|parameter| {
            let written = parameter.annotation.unwrap_or("");
            ["HttpServletRequest", "ServletRequest", "http.Request", "gin.Context", "echo.Context"]
                .iter()
                .any(|kind| written.contains(kind))
        });
        let overriding =
            matches!(function.name, "doGet" | "doPost" | "doPut" | "doDelete" | "service" | "main");
        self.is_route(function) || request && (overriding || self.language == Language::Go)
    }

    /// Whether what the function returns is shown by a browser as it is.
    pub(super) fn is_page(&self, function: &Function<'a>) -> bool {
        if !self.is_route(function) {
            return false;
        }
        match self.language {
            Language::Python => {
                let imported =
                    |name: &str| self.unit.imports.iter().any(|import| import.module.starts_with(name));
                !imported("fastapi")
                    && (imported("flask") || imported("quart") || imported("bottle") || imported("sanic"))
            }
            Language::Java => {
                let named = |list: &[ExprId], word: &str| {
                    list.iter().any(|one| match self.unit.kind(*one) {
                        ExprKind::Call { callee, .. } => self.unit.last_name(*callee) == Some(word),
                        _ => self.unit.last_name(*one) == Some(word),
                    })
                };
                let class = match function.owner {
                    Owner::Class(class) => named(&self.unit.class(class).decorators, "RestController"),
                    _ => false,
                };
                let text = function
                    .returns
                    .is_some_and(|written| written == "String" || written.contains("<String>"));
                (class || named(&function.decorators, "ResponseBody")) && text
            }
            _ => false,
        }
    }

    /// What the parameters of a function hold when nothing is known about its caller.
    pub(super) fn open_parameters(&mut self, id: FunctionId) {
        let unit = self.unit;
        let function = unit.function(id);
        let route = self.is_route(function);
        let class = unit.class_of(id).map(|class| unit.class(class).name).or(function.receiver);
        let explicit = matches!(self.language, Language::Python | Language::Go | Language::Rust);
        if class.is_some() && !explicit || self.language == Language::Java {
            let this = self.unknown_this(class);
            self.state.vars.insert("this", this);
        }
        let mut place = 0;
        for parameter in &function.parameters {
            if parameter.kind == ParameterKind::Receiver {
                let this = self.unknown_this(class);
                self.state.vars.insert(parameter.name, this);
                continue;
            }
            let mut value = match self.foreign_parameter(function, parameter, route) {
                Some(classes) => {
                    let what = format!("the parameter `{}`", parameter.name);
                    self.foreign(parameter.span, what, classes)
                }
                None => Value::tainted(Taint::of(Label::Param(place))),
            };
            place = (place + 1).min(RECEIVER - 1);
            match parameter.annotation {
                Some(written) if is_number(written) => value = Value::of_kind(written),
                Some(written) => self.annotate(&mut value, written),
                None => value.kind = Some(parameter.name.into()),
            }
            match parameter.pattern {
                Some(pattern) if parameter.name.is_empty() => self.take_apart(pattern, value),
                Some(pattern) => {
                    self.bind(pattern, &value);
                    self.state.vars.insert(parameter.name, value);
                }
                None => {
                    self.state.vars.insert(parameter.name, value);
                }
            }
        }
    }

    fn foreign_parameter(
        &self,
        function: &Function<'a>,
        parameter: &Parameter<'a>,
        route: bool,
    ) -> Option<Classes> {
        let written = parameter.annotation.unwrap_or("");
        if is_number(written) {
            return None;
        }
        let foreign = match self.language {
            Language::Python => route && self.is_path_parameter(function, parameter),
            Language::Java | Language::TypeScript | Language::JavaScript => {
                parameter.decorators.iter().any(|decorator| {
                    let word = match self.unit.kind(*decorator) {
                        ExprKind::Call { callee, .. } => self.unit.last_name(*callee),
                        _ => self.unit.last_name(*decorator),
                    };
                    word.is_some_and(|word| FILLED.contains(&word))
                })
            }
            Language::Rust => {
                let outer = written.split('<').next().unwrap_or("");
                let outer = outer.rsplit("::").next().unwrap_or(outer);
                EXTRACTORS.contains(&outer) && written.contains('<') || outer == "RawQuery"
            }
            Language::C | Language::Cpp => {
                if function.name == "main" && parameter.name == "argv" {
                    // Who starts a program may open any file that the program may open.
                    return Some(Classes::LOCAL);
                }
                false
            }
            _ => false,
        };
        foreign.then_some(Classes::FOREIGN)
    }

    /// Flask's and FastAPI's parameters, but what is a number, a service or the request itself.
    fn is_path_parameter(&self, function: &Function<'a>, parameter: &Parameter<'a>) -> bool {
        let unit = self.unit;
        if matches!(parameter.annotation, Some(written) if written.contains("Request") || written.contains("Session") || written.contains("Depends") || written.contains("Response") || written.contains("Tasks"))
        {
            return false;
        }
        if let Some(default) = parameter.default
            && let ExprKind::Call { callee, .. } = unit.kind(default)
            && unit.last_name(*callee).is_some_and(|word| matches!(word, "Depends" | "Security"))
        {
            return false;
        }
        // `<int:id>` lets numbers through alone.
        let number = function.decorators.iter().any(|decorator| {
            let ExprKind::Call { arguments, .. } = unit.kind(*decorator) else { return false };
            arguments.iter().any(|argument| match unit.kind(argument.value) {
                ExprKind::Literal(Literal::Text(text)) => ["int", "float", "uuid"]
                    .iter()
                    .any(|kind| text.contains(&format!("<{kind}:{}>", parameter.name))),
                _ => false,
            })
        });
        !number && parameter.kind != ParameterKind::KeywordRest && parameter.name != "request"
    }
}
