//! What can go wrong when foreign data arrives where it is trusted; one rule a class.

use super::examples;
use formicary_model::Language;
use formicary_model::review::rule::Info;
use formicary_model::review::{Category, Confidence, RuleInfo, Severity};

/// A kind of hole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Class {
    Sql,
    Command,
    Code,
    Ldap,
    XPath,
    Template,
    Header,
    Log,
    Path,
    Xss,
    Request,
    Redirect,
    Xml,
    Deserialise,
    Trust,
    Regex,
    Format,
    Random,
}

/// Several kinds of holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Classes(pub u32);

impl Class {
    /// All of them, in the order of their numbers.
    pub(crate) const ALL: [Self; 18] = [
        Self::Sql,
        Self::Command,
        Self::Code,
        Self::Ldap,
        Self::XPath,
        Self::Template,
        Self::Header,
        Self::Log,
        Self::Path,
        Self::Xss,
        Self::Request,
        Self::Redirect,
        Self::Xml,
        Self::Deserialise,
        Self::Trust,
        Self::Regex,
        Self::Format,
        Self::Random,
    ];

    /// This one alone.
    pub(crate) const fn only(self) -> Classes {
        Classes(1 << self as u32)
    }

    /// The class of a number; the inverse of `as u8`.
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// Its rule.
    pub(crate) fn info(self) -> &'static Info {
        INFOS[self as usize]
    }
}

impl Classes {
    /// None.
    pub(crate) const NONE: Self = Self(0);
    /// All that foreign data can do; a predictable number is no foreign data.
    pub(crate) const FOREIGN: Self = Self((1 << 18) - 1).without(Class::Random);
    /// All.
    pub(crate) const ALL: Self = Self((1 << 18) - 1);
    /// What the one who starts a program could not do anyway.
    pub(crate) const LOCAL: Self = Class::Sql
        .only()
        .with(Class::Command)
        .with(Class::Code)
        .with(Class::Deserialise)
        .with(Class::Format)
        .with(Class::Ldap)
        .with(Class::XPath);

    /// These and one more.
    pub(crate) const fn with(self, class: Class) -> Self {
        Self(self.0 | class.only().0)
    }

    /// These but one.
    pub(crate) const fn without(self, class: Class) -> Self {
        Self(self.0 & !class.only().0)
    }

    /// Whether a class is in it.
    pub(crate) const fn has(self, class: Class) -> bool {
        self.0 & class.only().0 != 0
    }

    /// These and those.
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What both have.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

const TAINT: Info = Info {
    category: Category::Security,
    severity: Severity::High,
    confidence: Confidence::High,
    languages: &Language::ALL,
    ..Info::LINT
};

static INFOS: [&Info; 18] = [
    &SQL,
    &COMMAND,
    &CODE,
    &LDAP,
    &XPATH,
    &TEMPLATE,
    &HEADER,
    &LOG,
    &PATH,
    &XSS,
    &REQUEST,
    &REDIRECT,
    &XML,
    &DESERIALISE,
    &TRUST,
    &REGEX,
    &FORMAT,
    &RANDOM,
];

/// The rules of this crate, in the order of [`Class::ALL`].
pub(crate) fn infos() -> &'static [&'static Info] {
    &INFOS
}

/// The descriptions of the rules of this crate.
pub fn catalogue() -> Vec<RuleInfo> {
    infos().iter().map(|info| info.describe()).collect()
}

static SQL: Info = Info {
    name: "sql-injection",
    title: "Foreign data in the text of a query",
    why: "Whoever sends it writes part of the query: reads, changes or deletes what is stored.",
    suggestion: "Keep the text of the query fixed and pass values as parameters.",
    severity: Severity::Critical,
    cwe: Some(89),
    examples: examples::SQL,
    ..TAINT
};

static COMMAND: Info = Info {
    name: "command-injection",
    title: "Foreign data in a command of the system",
    why: "Whoever sends it runs programs with the rights of this one.",
    suggestion: "Start a fixed program with a list of arguments and no shell; check the value against a list.",
    severity: Severity::Critical,
    cwe: Some(78),
    examples: examples::COMMAND,
    ..TAINT
};

static CODE: Info = Info {
    name: "code-injection",
    title: "Foreign data that is run as code",
    why: "Whoever sends it decides what this program does.",
    suggestion: "Parse the data instead (`json`, `ast.literal_eval`), or choose from a fixed table.",
    severity: Severity::Critical,
    cwe: Some(94),
    examples: examples::CODE,
    ..TAINT
};

static LDAP: Info = Info {
    name: "ldap-injection",
    title: "Foreign data in a directory's search filter",
    why: "The search finds, or lets in, whom it should not.",
    suggestion: "Escape the value for filters, or use the library's parameters.",
    cwe: Some(90),
    examples: examples::LDAP,
    ..TAINT
};

static XPATH: Info = Info {
    name: "xpath-injection",
    title: "Foreign data in an XPath expression",
    why: "The expression selects what it should not.",
    suggestion: "Bind the value as a variable of the expression.",
    cwe: Some(643),
    examples: examples::XPATH,
    ..TAINT
};

static TEMPLATE: Info = Info {
    name: "template-injection",
    title: "Foreign data as the text of a template",
    why: "Templates can reach objects of the program, and through them everything.",
    suggestion: "Keep the template fixed and pass the value to it.",
    severity: Severity::Critical,
    cwe: Some(1336),
    examples: examples::TEMPLATE,
    ..TAINT
};

static HEADER: Info = Info {
    name: "header-injection",
    title: "Foreign data in a header of a response",
    why: "A line break in it adds headers, or a second response.",
    suggestion: "Remove line breaks, or encode the value.",
    severity: Severity::Medium,
    confidence: Confidence::Medium,
    cwe: Some(113),
    examples: examples::HEADER,
    ..TAINT
};

static LOG: Info = Info {
    name: "log-injection",
    title: "Foreign data in a log",
    why: "A line break in it forges entries.",
    suggestion: "Remove line breaks before logging, or log in a structured form.",
    severity: Severity::Low,
    confidence: Confidence::Medium,
    cwe: Some(117),
    examples: examples::LOG,
    ..TAINT
};

static PATH: Info = Info {
    name: "path-traversal",
    title: "Foreign data in the name of a file",
    why: "`../` in it reaches files that were never meant.",
    suggestion: "Resolve the path and check that it stays below the folder, or choose from a list.",
    cwe: Some(22),
    examples: examples::PATH,
    ..TAINT
};

static XSS: Info = Info {
    name: "cross-site-scripting",
    title: "Foreign data in a page, not escaped",
    why: "A script in it runs in the browser of whoever looks at the page.",
    suggestion: "Escape the value for HTML, or let an escaping template write it.",
    cwe: Some(79),
    examples: examples::XSS,
    ..TAINT
};

static REQUEST: Info = Info {
    name: "request-forgery",
    title: "Foreign data decides where a request goes",
    why: "The server can be made to ask machines that only it can reach.",
    suggestion: "Check the host against a list.",
    cwe: Some(918),
    examples: examples::REQUEST,
    ..TAINT
};

static REDIRECT: Info = Info {
    name: "open-redirect",
    title: "Foreign data decides where a visitor is sent",
    why: "A link to this site leads to an attacker's.",
    suggestion: "Allow relative addresses or a list of hosts.",
    severity: Severity::Medium,
    cwe: Some(601),
    examples: examples::REDIRECT,
    ..TAINT
};

static XML: Info = Info {
    name: "foreign-xml",
    title: "Foreign XML read by a parser that resolves entities",
    why: "Entities read files and reach other machines.",
    suggestion: "Switch entities and document types off.",
    cwe: Some(611),
    examples: examples::XML,
    ..TAINT
};

static DESERIALISE: Info = Info {
    name: "foreign-deserialisation",
    title: "Foreign data turned into objects",
    why: "Making the objects runs code that the sender chooses.",
    suggestion: "Use a format that holds data alone, such as JSON.",
    severity: Severity::Critical,
    cwe: Some(502),
    examples: examples::DESERIALISE,
    ..TAINT
};

static TRUST: Info = Info {
    name: "trust-boundary",
    title: "Foreign data kept among trusted data",
    why: "Later readers of the session believe that it was checked.",
    suggestion: "Check the value before it is kept.",
    severity: Severity::Medium,
    cwe: Some(501),
    examples: examples::TRUST,
    ..TAINT
};

static REGEX: Info = Info {
    name: "regex-injection",
    title: "Foreign data as a regular expression",
    why: "Some expressions take hours on short texts.",
    suggestion: "Escape the value, or use an engine that runs in linear time.",
    severity: Severity::Medium,
    cwe: Some(1333),
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript, Language::Java],
    examples: examples::REGEX,
    ..TAINT
};

static FORMAT: Info = Info {
    name: "foreign-format",
    title: "Foreign data as a format string",
    why: "Its placeholders read, and in C write, memory or attributes that were never meant.",
    suggestion: "Keep the format fixed: `printf(\"%s\", value)`.",
    cwe: Some(134),
    examples: examples::FORMAT,
    ..TAINT
};

static RANDOM: Info = Info {
    name: "predictable-secret",
    title: "A secret made of predictable numbers",
    why: "After some outputs the next ones can be computed: tokens and passwords can be guessed.",
    suggestion: "Use `secrets`, `crypto.randomBytes`, `SecureRandom`, `crypto/rand`, `getrandom`.",
    severity: Severity::Medium,
    confidence: Confidence::Medium,
    cwe: Some(330),
    examples: examples::RANDOM,
    ..TAINT
};
