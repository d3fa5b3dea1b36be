//! The part of the Debug Adapter Protocol that is spoken: requests with their arguments, answers, events.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request.
#[derive(Debug, Serialize)]
pub struct Request<'a, A> {
    /// Its number.
    pub seq: i64,
    /// `request`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Its name.
    pub command: &'a str,
    /// What goes with it.
    pub arguments: A,
}

/// The answer to a request of the adapter's: there is nothing here that it could ask for.
#[derive(Debug, Serialize)]
pub struct Refusal<'a> {
    /// Its number.
    pub seq: i64,
    /// `response`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// What is answered.
    pub request_seq: i64,
    /// No.
    pub success: bool,
    /// Its name.
    pub command: &'a str,
    /// Why.
    pub message: &'static str,
}

/// What an adapter says.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Said {
    /// Its number.
    pub seq: i64,
    /// `response`, `event` or `request`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Which request is answered.
    pub request_seq: i64,
    /// Whether it was done.
    pub success: bool,
    /// The request's name.
    pub command: String,
    /// Why not.
    pub message: Option<String>,
    /// The event's name.
    pub event: String,
    /// All else.
    pub body: Value,
}

/// Who asks.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Initialize {
    /// A name.
    #[serde(rename = "clientID")]
    pub client_id: &'static str,
    /// The adapter's name.
    #[serde(rename = "adapterID")]
    pub adapter_id: String,
    /// From 1.
    pub lines_start_at1: bool,
    /// From 1.
    pub columns_start_at1: bool,
    /// `path`.
    pub path_format: &'static str,
    /// Types of variables are of use.
    pub supports_variable_type: bool,
}

/// What an adapter can do.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Capabilities {
    /// Whether it must be told that all breakpoints are set.
    pub supports_configuration_done_request: bool,
    /// Breakpoints at functions.
    pub supports_function_breakpoints: bool,
    /// Conditions.
    pub supports_conditional_breakpoints: bool,
    /// It tells of exceptions.
    pub supports_exception_info_request: bool,
}

/// A file.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
#[serde(default)]
pub struct Source {
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// Breakpoints of one file.
#[derive(Debug, Serialize)]
pub struct SetBreakpoints {
    /// Which.
    pub source: Source,
    /// All of them.
    pub breakpoints: Vec<LineBreakpoint>,
}

/// A breakpoint at a line.
#[derive(Debug, Clone, Serialize)]
pub struct LineBreakpoint {
    /// Which.
    pub line: u32,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
}

/// Breakpoints at functions.
#[derive(Debug, Serialize)]
pub struct SetFunctionBreakpoints {
    /// All of them.
    pub breakpoints: Vec<FunctionBreakpoint>,
}

/// A breakpoint at a function.
#[derive(Debug, Clone, Serialize)]
pub struct FunctionBreakpoint {
    /// Which.
    pub name: String,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
}

/// Which exceptions stop.
#[derive(Debug, Serialize)]
pub struct SetExceptionBreakpoints<'a> {
    /// The adapter's own names for them.
    pub filters: &'a [String],
}

/// What became of breakpoints, in their order.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Breakpoints {
    /// Each.
    pub breakpoints: Vec<PlacedPoint>,
}

/// What became of a breakpoint.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub struct PlacedPoint {
    /// Its number.
    pub id: Option<i64>,
    /// Whether there is such a place.
    pub verified: bool,
    /// Why not.
    pub message: Option<String>,
    /// The line.
    pub line: Option<i64>,
}

/// A thread.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfThread {
    /// Which.
    pub thread_id: i64,
}

/// Calls under way.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StackTrace {
    /// Of which thread.
    pub thread_id: i64,
    /// From which.
    pub start_frame: u32,
    /// How many.
    pub levels: u32,
}

/// Calls under way.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Stack {
    /// Each, innermost first.
    pub stack_frames: Vec<Frame>,
}

/// A call.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub struct Frame {
    /// Its number.
    pub id: i64,
    /// The function.
    pub name: String,
    /// The file.
    pub source: Option<Source>,
    /// The line, 0 where there is none.
    pub line: i64,
}

/// A frame.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfFrame {
    /// Which.
    pub frame_id: i64,
}

/// Where variables of a frame are.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Scopes {
    /// Each.
    pub scopes: Vec<Scope>,
}

/// Variables of one kind.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Scope {
    /// What they are.
    pub name: String,
    /// `locals`, `arguments`, `registers`.
    pub presentation_hint: Option<String>,
    /// Their number.
    pub variables_reference: i64,
    /// Whether they are many.
    pub expensive: bool,
}

/// Variables are wanted.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WantVariables {
    /// By their number.
    pub variables_reference: i64,
    /// How many; only of what has indices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
}

/// Variables.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Variables {
    /// Each.
    pub variables: Vec<Variable>,
}

/// A variable.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The number of what is in it, 0 for nothing.
    pub variables_reference: i64,
    /// How many with an index are in it.
    pub indexed_variables: Option<u64>,
    /// What LLDB says besides.
    #[serde(rename = "$__lldb_extensions")]
    pub extensions: Option<Extensions>,
}

/// What LLDB says of a variable besides.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub struct Extensions {
    /// Where it is declared.
    pub declaration: Option<Declaration>,
}

/// Where a variable is declared.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub struct Declaration {
    /// The line.
    pub line: Option<i64>,
}

/// An expression.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluate<'a> {
    /// The text.
    pub expression: &'a str,
    /// In which frame.
    pub frame_id: i64,
    /// `watch`: nothing but an expression.
    pub context: &'static str,
}

/// What it gave.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Given {
    /// The value.
    pub result: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The number of what is in it.
    pub variables_reference: i64,
    /// How many with an index are in it.
    pub indexed_variables: Option<u64>,
}

/// The exception at which it stands.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ExceptionInfo {
    /// Its name.
    pub exception_id: String,
    /// What it says.
    pub description: Option<String>,
}

/// Threads.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Threads {
    /// Each.
    pub threads: Vec<Thread>,
}

/// A thread.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Thread {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
}

/// It stands still.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Stopped {
    /// Why.
    pub reason: String,
    /// The same for people.
    pub description: Option<String>,
    /// More of it.
    pub text: Option<String>,
    /// Which thread.
    pub thread_id: Option<i64>,
    /// At which breakpoints.
    pub hit_breakpoint_ids: Vec<i64>,
}

/// It ended.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Exited {
    /// How.
    pub exit_code: i32,
}

/// Something was written.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Output {
    /// `console` for what the debugger says itself.
    pub category: Option<String>,
    /// The text.
    pub output: String,
}

/// No more.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Disconnect {
    /// The program ends with it.
    pub terminate_debuggee: bool,
}

/// Nothing goes with it.
#[derive(Debug, Serialize)]
pub struct Nothing {}
