//! A query that is put together from values.

use super::SECURITY;
use super::calls::{calls, shape};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Confidence;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "built-query",
    title: "A database query that is put together from values",
    why: "A quote in the value ends the text of the query: the rest of the value is run as SQL.",
    suggestion: "Write a placeholder (`?`, `%s`, `$1`) and give the value as a parameter.",
    confidence: Confidence::Medium,
    cwe: Some(89),
    languages: &[
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Java,
        Language::Go,
        Language::Rust,
    ],
    examples: &[
        (
            Language::Python,
            "def f(cursor, x):\n    cursor.execute(\"select * from t where a = '%s'\" % x)\n",
            "def f(cursor, x):\n    cursor.execute('select * from t where a = %s', [x])\n",
        ),
        (
            Language::Python,
            "def f(cursor, x):\n    q = f'delete from t where a = {x}'\n    cursor.execute(q)\n",
            "TABLE = 't'\ndef f(cursor, x):\n    cursor.execute('select a from ' + TABLE + ' where a = ?', (x,))\n",
        ),
        (
            Language::JavaScript,
            "function f(db, x) { db.query(`select * from t where a = ${x}`) }",
            "function f(db, x) { db.query('select * from t where a = ?', [x]) }",
        ),
        (
            Language::TypeScript,
            "function f(db: Db, x: string) { db.query('select * from t where a = ' + x) }",
            "function f(db: Db, x: string) { db.query('select * from t where a = $1', [x]) }",
        ),
        (
            Language::Java,
            "class A { void f(Statement s, String x) throws Exception { s.executeQuery(\"select * from t where a = '\" + x + \"'\"); } }",
            "class A { void f(Connection c, String x) throws Exception { c.prepareStatement(\"select * from t where a = ?\"); } }",
        ),
        (
            Language::Go,
            "package a\nimport \"fmt\"\nfunc f(x string) { db.Query(fmt.Sprintf(\"select * from t where a = '%s'\", x)) }",
            "package a\nfunc f(x string) { db.Query(\"select * from t where a = $1\", x) }",
        ),
        (
            Language::Rust,
            "fn f(c: &C, x: &str) { c.execute(&format!(\"delete from t where a = '{}'\", x), []); }",
            "fn f(c: &C, x: &str) { c.execute(\"delete from t where a = ?\", [x]); }",
        ),
    ],
    ..SECURITY
};

const WORDS: &[&str] = &[
    "execute",
    "executemany",
    "executescript",
    "raw",
    "query",
    "executeQuery",
    "executeUpdate",
    "prepareStatement",
    "createQuery",
    "createNativeQuery",
    "queryForObject",
    "queryForList",
    "addBatch",
    "Query",
    "QueryRow",
    "Exec",
    "QueryContext",
    "QueryRowContext",
    "ExecContext",
    "Raw",
    "rawQuery",
    "sql_query",
    "read_sql",
    "text",
    "$queryRawUnsafe",
    "$executeRawUnsafe",
    "prepare",
    "query_row",
    "batch_execute",
    "simple_query",
    "fetch",
    "fetchrow",
    "extra",
];

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    for call in calls(file, WORDS) {
        let at = usize::from(call.method().ends_with("Context"));
        let Some(query) = call.arguments.get(at) else { continue };
        let shape = shape(file, query.value);
        if shape.open && shape.built && is_sql(&shape.fixed) {
            let name = call.method().to_owned();
            let finding =
                report.find(call.span, format!("`{name}` gets a query with values written into its text"));
            if file.is_test() {
                finding.confidence = Confidence::Low;
            }
        }
    }
}

/// Whether a text begins as a query does.
fn is_sql(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(200).collect::<String>().to_lowercase();
    let mut words = start.split_whitespace();
    let (first, second) = (words.next().unwrap_or(""), words.next());
    match first {
        "select" => second.is_some(),
        "insert" | "replace" => second == Some("into"),
        "delete" => second == Some("from"),
        "update" => start.contains(" set ") || second.is_some_and(|word| word.contains(['%', '{'])),
        "drop" | "alter" | "create" | "truncate" => {
            second.is_some_and(|word| matches!(word, "table" | "database" | "index" | "view" | "user"))
        }
        _ => false,
    }
}
