//! What a test shows about a value on the way where it holds.

use super::classes::{Class, Classes};
use super::engine::Engine;
use super::value::{Const, Taint, Value};
use formicary_model::Language;
use formicary_syntax::{ExprId, ExprKind, Literal, Operator, StmtKind};

/// Set on marks of paths that were resolved: what they begin with is where they are.
pub(super) const RESOLVED: Classes = Classes(1 << 24);

impl<'a> Engine<'_, '_, 'a> {
    /// Takes up what follows from a test that holds, or does not.
    pub(super) fn assume(&mut self, test: ExprId, holds: bool) {
        self.deeper(|this| this.assume_inside(test, holds));
    }

    fn assume_inside(&mut self, test: ExprId, holds: bool) {
        let unit = self.unit;
        match unit.kind(test) {
            ExprKind::Unary { operator: Operator::Not, operand } => self.assume(*operand, !holds),
            ExprKind::Logical { operator, left, right } => match (operator, holds) {
                (Operator::And, true) | (Operator::Or, false) => {
                    self.assume(*left, holds);
                    self.assume(*right, holds);
                }
                // One of both holds: what follows from each of them is known.
                (Operator::And, false) | (Operator::Or, true) => {
                    let before = self.state.shown();
                    self.assume(*left, holds);
                    let one = self.state.replace_shown(before.clone());
                    self.assume(*right, holds);
                    let other = self.state.replace_shown(before);
                    self.state.show_common(&one, &other);
                }
                _ => {}
            },
            ExprKind::Compare { left, rest } => {
                if let [(operator, right)] = rest.as_slice() {
                    self.assume_compare(*operator, *left, *right, holds);
                }
            }
            ExprKind::Call { callee, arguments, .. } => {
                let values: Vec<ExprId> = arguments.iter().map(|argument| argument.value).collect();
                self.assume_call(*callee, &values, holds);
            }
            // `known[x]`: only what is in it gets through.
            ExprKind::Subscript { base, index: Some(index) } if holds && self.peek(*base).0.is_empty() => {
                let (taint, classes) = self.peek(*index);
                self.state.show(&taint, classes);
            }
            ExprKind::Name(name) => {
                if let Some(flag) = self.flags.remove(name) {
                    self.assume(flag, holds);
                    self.flags.insert(name, flag);
                }
            }
            ExprKind::Assign { value, .. } | ExprKind::Await(value) => self.assume(*value, holds),
            ExprKind::Other(parts) => {
                if let [only] = parts.as_slice() {
                    self.assume(*only, holds);
                }
            }
            ExprKind::Block(block) => {
                if let Some(StmtKind::Expression(value)) = block.last().map(|last| &unit.stmt(*last).kind) {
                    self.assume(*value, holds);
                }
            }
            _ => {}
        }
    }

    fn assume_compare(&mut self, operator: Operator, left: ExprId, right: ExprId, holds: bool) {
        use Operator::{Equal, In, Is, IsNot, NotEqual, NotIn, StrictEqual, StrictNotEqual};
        match operator {
            Equal | StrictEqual | Is | NotEqual | StrictNotEqual | IsNot => {
                let same = matches!(operator, Equal | StrictEqual | Is) == holds;
                // `x.indexOf("..") == -1` says what `!x.contains("..")` says.
                if let Some((call, found)) = self.position(left, right) {
                    self.assume_contains(call, found != same);
                    return;
                }
                // `commonpath([base, path]) == base`.
                if same
                    && let ExprKind::Call { callee, arguments, .. } = self.unit.kind(left)
                    && self.unit.last_name(*callee) == Some("commonpath")
                {
                    for argument in arguments.iter().map(|argument| argument.value).collect::<Vec<_>>() {
                        let value = self.eval(argument);
                        let taint = self.state.deep(&value);
                        self.state.show(&taint, Class::Path.only());
                    }
                    return;
                }
                let (one, other) = (self.peek(left), self.peek(right));
                if same && one.0.is_empty() != other.0.is_empty() {
                    let (taint, classes) = if one.0.is_empty() { other } else { one };
                    self.state.show(&taint, classes);
                }
            }
            In | NotIn => {
                let inside = (operator == In) == holds;
                let (one, other) = (self.peek(left), self.peek(right));
                if inside && !one.0.is_empty() && other.0.is_empty() {
                    self.state.show(&one.0, one.1);
                } else if !inside && one.0.is_empty() && !other.0.is_empty() {
                    let text = self.eval(left).as_text();
                    if let Some(text) = text {
                        self.state.show(&other.0, needed_for(&text));
                    }
                }
            }
            _ => {
                // `x.indexOf("..") >= 0`, `< 0`, `> -1`.
                if let Some((call, _)) = self.position(left, right) {
                    let found = matches!(operator, Operator::Greater | Operator::GreaterEqual);
                    self.assume_contains(call, found == holds);
                }
            }
        }
    }

    /// `x.indexOf(y)` compared with -1 or 0; whether equality means that it was found.
    fn position(&self, left: ExprId, right: ExprId) -> Option<(ExprId, bool)> {
        let ExprKind::Call { callee, .. } = self.unit.kind(left) else { return None };
        let word = self.unit.last_name(*callee)?;
        if !matches!(word, "indexOf" | "find" | "Index" | "search") {
            return None;
        }
        let minus = matches!(self.unit.kind(right), ExprKind::Unary { operator: Operator::Negate, .. });
        let zero = matches!(self.unit.kind(right), ExprKind::Literal(Literal::Integer(Some(0))));
        (minus || zero).then_some((left, !minus))
    }

    fn assume_contains(&mut self, call: ExprId, found: bool) {
        let unit = self.unit;
        if let ExprKind::Call { callee, arguments, .. } = unit.kind(call)
            && let ExprKind::Attribute { base, .. } = unit.kind(*callee)
            && let Some(first) = arguments.first()
        {
            self.contains(*base, first.value, found);
        }
    }

    /// Whether `holder` has `thing` in it.
    fn contains(&mut self, holder: ExprId, thing: ExprId, found: bool) {
        let (holds, thing_value) = (self.peek(holder), self.peek(thing));
        if found && holds.0.is_empty() && !thing_value.0.is_empty() {
            self.state.show(&thing_value.0, thing_value.1);
        } else if !found && !holds.0.is_empty() && thing_value.0.is_empty() {
            let text = self.eval(thing).as_text();
            if let Some(text) = text {
                self.state.show(&holds.0, needed_for(&text));
            }
        }
    }

    fn assume_call(&mut self, callee: ExprId, arguments: &[ExprId], holds: bool) {
        let unit = self.unit;
        let Some(word) = unit.last_name(callee) else { return };
        let base = match unit.kind(callee) {
            ExprKind::Attribute { base, .. } => Some(*base),
            _ => None,
        };
        let first = arguments.first().copied();
        match word {
            "contains" | "includes" | "has" | "containsKey" | "contains_key" | "Contains"
            | "hasOwnProperty" | "ContainsAny" | "containsIgnoreCase" | "Has" => match (base, arguments) {
                // Go's and Rust's free functions name both.
                (_, [holder, thing]) => self.contains(*holder, *thing, holds),
                (Some(base), [thing]) => self.contains(base, *thing, holds),
                _ => {}
            },
            "equals" | "equalsIgnoreCase" | "eq" | "EqualFold" | "compare_digest" if holds => {
                let sides = match (base, arguments) {
                    (_, [a, b]) => Some((*a, *b)),
                    (Some(base), [a]) => Some((base, *a)),
                    _ => None,
                };
                if let Some((a, b)) = sides {
                    self.assume_compare(Operator::Equal, a, b, true);
                }
            }
            "startswith" | "startsWith" | "HasPrefix" | "starts_with" | "is_relative_to" if holds => {
                let (value, start) = match (word, base, arguments) {
                    ("HasPrefix", _, [value, start]) => (*value, *start),
                    (_, Some(base), [start]) => (base, *start),
                    _ => return,
                };
                self.begins(value, start);
            }
            "matches" | "fullmatch" | "match" | "test" | "MatchString" | "is_match" | "search" | "find"
            | "Match"
                if holds =>
            {
                self.matches_pattern(word, base, arguments);
            }
            "isdigit" | "isalnum" | "isalpha" | "isnumeric" | "isdecimal" | "isidentifier" if holds => {
                if let Some(base) = base {
                    let (taint, classes) = self.peek(base);
                    self.state.show(&taint, classes);
                }
            }
            "isNumeric" | "isAlphanumeric" | "isAlpha" | "isDigits" | "isInteger" | "isUUID"
            | "isCreatable" | "isInt"
                if holds =>
            {
                if let Some(first) = first {
                    let (taint, classes) = self.peek(first);
                    self.state.show(&taint, classes);
                }
            }
            "url_has_allowed_host_and_scheme" | "is_safe_url" if holds => {
                if let Some(first) = first {
                    let (taint, _) = self.peek(first);
                    self.state.show(&taint, Class::Redirect.only().with(Class::Request));
                }
            }
            "IsLocal" if holds => {
                if let Some(first) = first {
                    let (taint, _) = self.peek(first);
                    self.state.show(&taint, Class::Path.only());
                }
            }
            "every" | "some" | "bool" | "Boolean" => {}
            _ => self.assume_function(word, arguments, holds),
        }
    }

    /// A test in a function of its own: what its last `return` says.
    fn assume_function(&mut self, word: &str, arguments: &[ExprId], holds: bool) {
        let unit = self.unit;
        let Some([function]) = self.names.functions.get(word).map(Vec::as_slice) else { return };
        let function = unit.function(*function);
        let Some(StmtKind::Return(Some(value))) = function.body.last().map(|last| &unit.stmt(*last).kind)
        else {
            return;
        };
        if function.body.len() > 3 {
            return;
        }
        let parameters: Vec<&'a str> = function
            .parameters
            .iter()
            .filter(|parameter| parameter.kind != formicary_syntax::ParameterKind::Receiver)
            .map(|parameter| parameter.name)
            .collect();
        let values: Vec<Value> =
            arguments.iter().map(|argument| Value::tainted(self.peek(*argument).0)).collect();
        let vars = self.state.vars.clone();
        for (name, value) in parameters.into_iter().zip(values) {
            self.state.vars.insert(name, value);
        }
        self.assume(*value, holds);
        self.state.vars = vars;
    }

    fn begins(&mut self, value: ExprId, start: ExprId) {
        let fixed = self.eval(start);
        if !self.state.deep(&fixed).is_empty() {
            return;
        }
        let taint = {
            let value = self.eval(value);
            self.state.deep(&value)
        };
        if taint.0.iter().all(|mark| mark.cleared.and(RESOLVED) == RESOLVED) {
            self.state.show(&taint, Class::Path.only());
        }
        if let Some(text) = fixed.as_text()
            && let Some((_, rest)) = text.split_once("://")
            && rest.find('/').is_some_and(|at| at > 0)
        {
            self.state.show(&taint, Class::Redirect.only().with(Class::Request));
        }
    }

    fn matches_pattern(&mut self, word: &str, base: Option<ExprId>, arguments: &[ExprId]) {
        let (pattern, subject) = match (base, arguments) {
            // `re.match(p, x)`, `Pattern.matches(p, x)`, `regexp.MatchString(p, x)`.
            (_, [pattern, subject, ..]) => (*pattern, *subject),
            (Some(base), [only]) => {
                let (on_base, on_only) = (self.peek(base).0, self.peek(*only).0);
                // `x.matches(p)` and `p.test(x)`.
                if on_base.is_empty() && !on_only.is_empty() { (base, *only) } else { (*only, base) }
            }
            // `PATTERN.matcher(x).matches()`.
            (Some(base), []) => match self.unit.kind(base) {
                ExprKind::Call { callee, arguments, .. } => {
                    match (self.unit.kind(*callee), arguments.as_slice()) {
                        (ExprKind::Attribute { base, .. }, [only]) => (*base, only.value),
                        _ => return,
                    }
                }
                _ => return,
            },
            _ => return,
        };
        let (taint, classes) = self.peek(subject);
        if taint.is_empty() {
            return;
        }
        let text = self.eval(pattern).as_text();
        let whole = matches!(word, "fullmatch") || word == "matches" && self.language == Language::Java;
        let from_start = whole || word == "match" && self.language == Language::Python;
        if let Some(text) = text
            && is_narrow(&text, whole, from_start)
        {
            self.state.show(&taint, classes);
        }
    }

    /// What a test is about: the marks of a value without running anything, and the classes that a test of it decides.
    fn peek(&mut self, id: ExprId) -> (Taint, Classes) {
        let unit = self.unit;
        let nothing = (Taint::default(), Classes::NONE);
        match unit.kind(id) {
            ExprKind::Name(_) => {
                let value = self.eval(id);
                (self.state.deep(&value), Classes::ALL)
            }
            ExprKind::Attribute { base, name, .. } => {
                let value = self.eval(id);
                let taint = self.state.deep(&value);
                match *name {
                    "netloc" | "hostname" | "host" | "Host" => {
                        (taint, Class::Redirect.only().with(Class::Request))
                    }
                    _ if matches!(unit.last_name(*base), Some("self" | "this")) => (taint, Classes::ALL),
                    "scheme" | "protocol" | "length" | "size" | "Scheme" => nothing,
                    _ => (taint, Classes::ALL),
                }
            }
            ExprKind::Call { callee, arguments, .. } => {
                let word = unit.last_name(*callee).unwrap_or("");
                if matches!(word, "getHost" | "Hostname")
                    && let ExprKind::Attribute { base, .. } = unit.kind(*callee)
                {
                    return (self.peek(*base).0, Class::Redirect.only().with(Class::Request));
                }
                let keeps = matches!(
                    word,
                    "str"
                        | "lower"
                        | "upper"
                        | "strip"
                        | "trim"
                        | "toLowerCase"
                        | "toUpperCase"
                        | "toString"
                        | "String"
                        | "to_lowercase"
                        | "as_str"
                        | "ToLower"
                        | "TrimSpace"
                        | "resolve"
                        | "normalize"
                        | "realpath"
                        | "abspath"
                        | "normpath"
                        | "getCanonicalPath"
                        | "Clean"
                        | "get"
                );
                if !keeps {
                    return nothing;
                }
                let base = match unit.kind(*callee) {
                    ExprKind::Attribute { base, .. } => self.peek(*base).0,
                    _ => Taint::default(),
                };
                let mut taint = base;
                for argument in arguments {
                    let more = self.peek(argument.value).0;
                    taint.absorb(&more);
                }
                (taint, Classes::ALL)
            }
            ExprKind::Cast { value, .. } | ExprKind::Await(value) | ExprKind::Assign { value, .. } => {
                self.peek(*value)
            }
            ExprKind::Unary { operator: Operator::Dereference | Operator::AddressOf, operand } => {
                self.peek(*operand)
            }
            // A part that holds no quote, with quotes around it that were tested too.
            ExprKind::Subscript { base, index: Some(index) }
                if matches!(unit.kind(*index), ExprKind::Slice(_)) =>
            {
                self.peek(*base)
            }
            ExprKind::Template(_) | ExprKind::Binary { .. } => {
                let value = self.eval(id);
                (self.state.deep(&value), Classes::ALL)
            }
            _ => nothing,
        }
    }
}

/// What cannot be done without this text.
pub(super) fn needed_for(text: &str) -> Classes {
    let mut classes = Classes::NONE;
    if matches!(text, ".." | "../" | "/" | "..\\" | "./" | "/..") {
        classes = classes.with(Class::Path);
    }
    if matches!(text, "'" | "\"") {
        classes = classes.with(Class::Sql).with(Class::XPath).with(Class::Code).with(Class::Command);
    }
    if matches!(text, "<" | ">" | "&" | "<script") {
        classes = classes.with(Class::Xss);
    }
    if matches!(text, "\n" | "\r" | "\r\n" | "\\n" | "\\r") {
        classes = classes.with(Class::Header).with(Class::Log);
    }
    if matches!(text, "(" | ")" | "*") {
        classes = classes.with(Class::Ldap);
    }
    if matches!(text, "//" | "://" | ":") {
        classes = classes.with(Class::Redirect).with(Class::Request);
    }
    classes
}

/// Whether a pattern lets only harmless letters through, from the first to the last.
fn is_narrow(pattern: &str, whole: bool, from_start: bool) -> bool {
    let starts = from_start || pattern.starts_with('^') || pattern.starts_with("\\A");
    let ends = whole || pattern.ends_with('$') || pattern.to_lowercase().ends_with("\\z");
    let wide = ["[^", ".*", ".+", "\\S", "\\W", "\\D"].iter().any(|wide| pattern.contains(wide));
    let unsafe_letters = ["/", "'", "\"", "<", ";", "|&"].iter().any(|letter| pattern.contains(letter));
    starts && ends && !wide && !unsafe_letters
}

/// What remains possible when this pattern is replaced by nothing, or by something harmless.
pub(super) fn replaced(pattern: &Value, by: Option<&Value>, is_pattern: bool) -> Classes {
    let Some(Const::Text(text)) = pattern.one() else { return Classes::NONE };
    if is_pattern {
        // `[^a-z0-9]`: only what is listed stays.
        let listed =
            text.trim_end_matches(['+', '*']).strip_prefix("[^").and_then(|rest| rest.strip_suffix(']'));
        if let Some(listed) = listed {
            let harmful = listed.contains(['/', '\'', '"', '<', '>', ';', '|', '&', '$', '`']);
            return if harmful { Classes::NONE } else { Classes::ALL };
        }
        let inner = text.trim_end_matches(['+', '*']).trim_start_matches('[').trim_end_matches(']');
        if !inner.is_empty()
            && inner.replace("\\r", "").replace("\\n", "").trim_matches(['|', '\r', '\n']).is_empty()
        {
            return Class::Header.only().with(Class::Log);
        }
    }
    let again = by.and_then(Value::as_text).is_some_and(|by| by.contains(&**text) && **text != *"'");
    if again {
        Classes::NONE
    } else {
        needed_for(text).without(Class::Path).without(Class::Redirect).without(Class::Request)
    }
}
