//! What every use case's input has in common: it is read strictly, and it shows its parts to whoever judges them.

use crate::{
    CollectRequest, Environment, ExecutionRequest, Failure, FailureKind, LimitOverrides, SourceFile, suggest,
};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The input of a use case, as every front end sends it.
pub trait Input: Serialize + DeserializeOwned + JsonSchema + Send + 'static {
    /// Shows each part of it on which a caller's policy has a say. What is not shown here is harmless from anybody.
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure>;
}

/// Judges the parts of an input for one caller: refuses what the caller may not have, and fills in its bounds.
pub trait Judge {
    /// Where programs run.
    fn environment(&mut self, environment: &mut Environment, purpose: Purpose) -> Result<(), Failure>;
    /// Limits besides the environment's own.
    fn limits(&mut self, limits: &mut LimitOverrides) -> Result<(), Failure>;
    /// Which produced files are brought back.
    fn collect(&mut self, collect: &mut CollectRequest);
    /// How many things come in one request.
    fn count(&mut self, field: &'static str, count: usize) -> Result<(), Failure>;
    /// The code that it is about.
    fn code(&mut self, code: &mut Code) -> Result<(), Failure>;
    /// A path of the host besides the code: only for callers who may name such.
    fn host_path(&mut self, field: &'static str, path: Option<&str>) -> Result<(), Failure>;
    /// A path that may lie among the files that came along, or beneath the caller's root.
    fn project_path(&mut self, field: &'static str, path: &mut String) -> Result<(), Failure>;
    /// Seconds that work may take.
    fn seconds(&mut self, field: &'static str, seconds: f64) -> Result<(), Failure>;
    /// Seconds that all parts of the work may take, one after the other.
    fn total_seconds(&mut self, field: &'static str, seconds: f64) -> Result<(), Failure>;
    /// What a run of the agent may spend: a confined caller at most what is configured.
    fn budget(&mut self, budget: Budget, amount: f64) -> Result<(), Failure>;
    /// Workers that it may occupy at one time.
    fn workers(&mut self, workers: &mut Option<usize>);
    /// Whether the caller's files are changed.
    fn write(&mut self, write: bool) -> Result<(), Failure>;
    /// A field that only the host's own user may set.
    fn own(&mut self, field: &'static str, set: bool) -> Result<(), Failure>;
}

/// What a run of the agent spends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// Answers of the model.
    Steps,
    /// Proposals that do not pass.
    Attempts,
    /// Time.
    Seconds,
    /// Tokens, read and written.
    Tokens,
    /// Money.
    Money,
    /// Time of programs in the sandbox.
    SandboxSeconds,
}

impl Budget {
    /// The field of the input that bounds it.
    pub fn field(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Attempts => "attempts",
            Self::Seconds => "seconds",
            Self::Tokens => "tokens",
            Self::Money => "money",
            Self::SandboxSeconds => "sandbox_seconds",
        }
    }
}

/// What an environment is for: tests and compilers may have more than one program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// One program.
    Run,
    /// A suite of tests with its compilers.
    Tests,
}

/// The code that a use case is about: files that come along, or else files beneath the caller's root.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct Code {
    /// Files that come with the request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<SourceFile>,
    /// Files and directories, relative to the project; all of it if none is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// The directory where relative paths begin, if it is not the caller's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// A number with its default and its bounds in its type, so that each is declared once.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Number<const DEFAULT: u64, const LEAST: u64, const MOST: u64>(f64);

impl<const DEFAULT: u64, const LEAST: u64, const MOST: u64> Number<DEFAULT, LEAST, MOST> {
    /// The number, if it lies within the bounds.
    pub fn new(value: f64) -> Result<Self, Failure> {
        if (LEAST as f64..=MOST as f64).contains(&value) {
            return Ok(Self(value));
        }
        Err(Failure::new(FailureKind::InvalidInput, format!("{value} is not between {LEAST} and {MOST}"))
            .hint(format!("give {LEAST} to {MOST}, or leave it out for {DEFAULT}")))
    }

    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The number as a count.
    pub const fn count(self) -> usize {
        self.0 as usize
    }
}

impl<const DEFAULT: u64, const LEAST: u64, const MOST: u64> Default for Number<DEFAULT, LEAST, MOST> {
    fn default() -> Self {
        Self(DEFAULT as f64)
    }
}

impl<'de, const DEFAULT: u64, const LEAST: u64, const MOST: u64> Deserialize<'de>
    for Number<DEFAULT, LEAST, MOST>
{
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // `null` is what clients send for "not given".
        let value = Option::<f64>::deserialize(deserializer)?.unwrap_or(DEFAULT as f64);
        Self::new(value).map_err(|failure| serde::de::Error::custom(failure.message))
    }
}

impl<const DEFAULT: u64, const LEAST: u64, const MOST: u64> JsonSchema for Number<DEFAULT, LEAST, MOST> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Number_{DEFAULT}_{LEAST}_{MOST}").into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number", "minimum": LEAST, "maximum": MOST, "default": DEFAULT })
    }
}

static SCHEMAS: LazyLock<Mutex<HashMap<TypeId, Arc<Value>>>> = LazyLock::new(Mutex::default);

/// The schema of an input or an output, made once.
pub fn schema_of<T: JsonSchema + 'static>() -> Arc<Value> {
    let mut known = SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner);
    let made = || {
        let generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
        Arc::new(Value::from(generator.into_root_schema_for::<T>()))
    };
    Arc::clone(known.entry(TypeId::of::<T>()).or_insert_with(made))
}

/// An input from JSON. What serde lets pass is refused: unknown fields, with the nearest known one, and lists in the place of
/// objects. What is configured, `defaults` says: it holds where the caller leaves a field out.
pub fn read<T: DeserializeOwned + JsonSchema + 'static>(
    mut value: Value,
    defaults: Option<&ExecutionRequest>,
) -> Result<T, Failure> {
    let schema = schema_of::<T>();
    check(&schema, &schema, &value, "").map_err(|wrong| wrong.failure())?;
    integers(&schema, &schema, &mut value);
    if let (Some(defaults), Some(fields)) = (defaults, value.as_object_mut()) {
        fill(&schema, fields, defaults);
    }
    T::deserialize(value).map_err(|error| Wrong::shape(error.to_string()).failure())
}

/// Models write numbers as they like: `1e9` bytes are as good as `1000000000`.
fn integers(root: &Value, schema: &Value, value: &mut Value) {
    if let Some(place) = schema["$ref"].as_str() {
        if let Some(schema) = place.strip_prefix('#').and_then(|place| root.pointer(place)) {
            integers(root, schema, value);
        }
        return;
    }
    let is_integer = |kind: &Value| kind == "integer";
    let kind = &schema["type"];
    let wants_integer = is_integer(kind) || kind.as_array().is_some_and(|kinds| kinds.iter().any(is_integer));
    match value {
        Value::Number(number) if wants_integer && number.is_f64() => {
            let whole = number.as_f64().filter(|float| float.fract() == 0.0 && (0.0..1.8e19).contains(float));
            if let Some(float) = whole {
                *value = Value::from(float as u64);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                if let Some(own) = schema["properties"].get(name) {
                    integers(root, own, field);
                }
            }
        }
        _ => {}
    }
}

/// Puts what is configured where the caller says nothing.
fn fill(schema: &Value, fields: &mut Map<String, Value>, defaults: &ExecutionRequest) {
    let known = |name: &str| schema["properties"].get(name).is_some();
    let environment = serde_json::to_value(&defaults.environment).unwrap_or_default();
    for name in ["network", "assurance"].into_iter().filter(|name| known(name)) {
        fields.entry(name).or_insert_with(|| environment[name].clone());
    }
    if known("collect") {
        let collect = fields.entry("collect").or_insert_with(|| Map::new().into());
        if collect.is_array() {
            *collect = serde_json::json!({ "globs": collect.take() });
        }
        if let Some(collect) = collect.as_object_mut() {
            let CollectRequest { max_files, max_bytes, .. } = defaults.collect;
            collect.entry("max_files").or_insert_with(|| max_files.into());
            collect.entry("max_bytes").or_insert_with(|| max_bytes.into());
        }
    }
}

struct Wrong {
    message: String,
    hint: String,
}

impl Wrong {
    fn shape(message: String) -> Self {
        Self { message, hint: "the schema of the request says what it takes".into() }
    }

    fn failure(self) -> Failure {
        Failure::new(FailureKind::InvalidInput, format!("the request has a wrong shape: {}", self.message))
            .code("input.shape")
            .hint(self.hint)
    }
}

/// Whether a value fits as far as names of fields and lists go.
fn check(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), Wrong> {
    if let Some(place) = schema["$ref"].as_str() {
        let found = place.strip_prefix('#').and_then(|place| root.pointer(place));
        return found.map_or(Ok(()), |schema| check(root, schema, value, path));
    }
    for choices in ["anyOf", "oneOf"].iter().filter_map(|key| schema[key].as_array()) {
        let mut wrong = None;
        let meant = choices.iter().filter(|choice| could_be_meant(root, choice, value));
        let fits = meant.map(|choice| check(root, choice, value, path)).any(|fits| match fits {
            Ok(()) => true,
            Err(why) => {
                // The first choice that could be meant says best what is wrong.
                wrong.get_or_insert(why);
                false
            }
        });
        if !fits {
            return match wrong {
                Some(why) => Err(why),
                None if value.is_array() => Err(misplaced(path)),
                // Which choices there are is best said by serde.
                None => Ok(()),
            };
        }
    }
    match value {
        Value::Array(items) => {
            let kind = &schema["type"];
            let list = |kind: &Value| kind == "array";
            if !kind.is_null() && !list(kind) && !kind.as_array().is_some_and(|kinds| kinds.iter().any(list))
            {
                return Err(misplaced(path));
            }
            let mut items = items.iter().enumerate();
            items.try_for_each(|(index, item)| {
                check(root, &schema["items"], item, &below(path, &index.to_string()))
            })
        }
        Value::Object(fields) => {
            let known = schema["properties"].as_object();
            for (name, value) in fields {
                let place = below(path, name);
                match known.and_then(|known| known.get(name)) {
                    Some(own) => check(root, own, value, &place)?,
                    // A map of anything, or a choice whose fields were looked at above.
                    None if schema["additionalProperties"].is_object() => {
                        check(root, &schema["additionalProperties"], value, &place)?;
                    }
                    None if known.is_none_or(Map::is_empty) || schema["additionalProperties"] == true => {}
                    None if schema.get("oneOf").is_some() || schema.get("anyOf").is_some() => {}
                    None => return Err(unknown(known.into_iter().flat_map(Map::keys), &place, name)),
                }
            }
            Ok(())
        }
        Value::Number(number) => {
            let bound = |key: &str| schema[key].as_f64();
            match (number.as_f64(), bound("minimum"), bound("maximum")) {
                (Some(value), Some(least), Some(most)) if !(least..=most).contains(&value) => {
                    let message = format!("{path} is {number}, it must be {least} to {most}");
                    Err(Wrong { message, hint: format!("give {least} to {most}, or leave it out") })
                }
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// Whether a value could be meant as this choice: it has what the choice needs, and is of its kind.
fn could_be_meant(root: &Value, choice: &Value, value: &Value) -> bool {
    if let Some(place) = choice["$ref"].as_str() {
        let found = place.strip_prefix('#').and_then(|place| root.pointer(place));
        return found.is_none_or(|choice| could_be_meant(root, choice, value));
    }
    let kind = match value {
        Value::Object(_) => "object",
        Value::Array(_) => "array",
        Value::String(_) => "string",
        Value::Null => "null",
        _ => return true,
    };
    let is = |wanted: &Value| wanted == kind;
    let fits_kind = match &choice["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(is),
        one => is(one),
    };
    let required = choice["required"].as_array();
    let has_all = match (required, value.as_object()) {
        (Some(required), Some(fields)) => {
            required.iter().filter_map(Value::as_str).all(|name| fields.contains_key(name))
        }
        _ => true,
    };
    fits_kind && has_all
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn misplaced(path: &str) -> Wrong {
    let place = if path.is_empty() { "the whole" } else { path };
    Wrong::shape(format!("{place} is a list and must not be one, or lacks something"))
}

fn unknown<'a>(known: impl Iterator<Item = &'a String> + Clone, place: &str, name: &str) -> Wrong {
    let near = suggest::nearest(name, known.clone().map(String::as_str));
    let hint = match near {
        Some(near) => format!("did you mean {near}?"),
        None => format!("known: {}", known.map(String::as_str).collect::<Vec<_>>().join(", ")),
    };
    Wrong { message: format!("unknown field `{place}`"), hint }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_serde_lets_pass_is_refused() {
        let cases = [
            (json!({}), None),
            (json!(null), Some("null")),
            (json!([]), Some("the whole is a list")),
            (json!({ "limits": {} }), None),
            (json!({ "limits": [] }), Some("limits is a list")),
            (json!({ "limits": [1, 2] }), Some("limits is a list")),
            (json!({ "source": { "code": { "code": "x" } } }), None),
            (json!({ "source": { "code": { "code": { "base64": "eA==" } } } }), None),
            (json!({ "source": { "code": ["x", null] } }), Some("source.code is a list")),
            (json!({ "source": { "files": { "files": [{ "path": "a", "content": "" }] } } }), None),
            (
                json!({ "source": { "files": { "files": [["a", ""]] } } }),
                Some("source.files.files.0 is a list"),
            ),
            (json!({ "args": ["a"], "command": ["b"], "env": { "A": "b" } }), None),
            (json!({ "network": "none", "assurance": { "require": "full" } }), None),
            (json!({ "collect": ["*.png"] }), None),
            (json!({ "collect": [["*"], 1, 1] }), Some("collect.0 is a list")),
            (json!({ "langage": "python" }), Some("unknown field `langage`")),
            (json!({ "limits": { "memory": 1 } }), Some("unknown field `limits.memory`")),
            (json!({ "packages": { "requirement": [] } }), Some("unknown field `packages.requirement`")),
            (json!({ "packages": ["six"] }), None),
        ];
        for (value, expected) in cases {
            let found = read::<ExecutionRequest>(value.clone(), None);
            match expected {
                None => assert!(found.is_ok(), "{value}: {found:?}"),
                Some(why) => {
                    let failure = found.unwrap_err();
                    assert!(failure.message.contains(why), "{value}: {}", failure.message);
                }
            }
        }
        let near = read::<ExecutionRequest>(json!({ "langage": "python" }), None).unwrap_err();
        assert_eq!(near.hint.as_deref(), Some("did you mean language?"));
    }

    #[test]
    fn what_is_configured_holds_where_nothing_is_said() {
        let defaults = ExecutionRequest {
            collect: CollectRequest { max_files: 7, ..CollectRequest::default() },
            ..Environment { network: crate::Network::Host, ..Environment::default() }.into()
        };
        let read = |value| {
            let read = read::<ExecutionRequest>(value, Some(&defaults)).unwrap();
            (read.environment.network, read.collect.max_files, read.collect.globs)
        };
        assert_eq!(read(json!({})), (crate::Network::Host, 7, vec![]));
        let given = json!({ "network": "none", "collect": { "max_files": 8 } });
        assert_eq!(read(given), (crate::Network::None, 8, vec![]));
        assert_eq!(read(json!({ "collect": ["*"] })), (crate::Network::Host, 7, vec!["*".to_owned()]));
    }

    #[test]
    fn whole_numbers_may_be_written_as_floats() {
        let read =
            |bytes: Value| read::<ExecutionRequest>(json!({ "limits": { "memory_bytes": bytes } }), None);
        assert_eq!(read(json!(1e9)).unwrap().limits.memory_bytes, Some(1_000_000_000));
        for wrong in [json!(1.5), json!(-1e9), json!(1e30)] {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_know_their_bounds() {
        type Seconds = Number<60, 1, 600>;
        assert_eq!(Seconds::default().get(), 60.0);
        assert_eq!(serde_json::from_value::<Seconds>(json!(2.5)).unwrap().get(), 2.5);
        assert_eq!(serde_json::from_value::<Seconds>(json!(null)).unwrap().get(), 60.0);
        for wrong in [json!(0), json!(601), json!("x")] {
            assert!(serde_json::from_value::<Seconds>(wrong).is_err());
        }
        assert!(Seconds::new(f64::NAN).is_err());
    }
}
