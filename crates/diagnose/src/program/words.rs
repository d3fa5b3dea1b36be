//! How each language writes what the templates put in.

use formicary_model::Language;

/// The small words of a language.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    /// Both.
    pub and: &'static str,
    /// Either.
    pub or: &'static str,
    /// Not, with the space that it needs.
    pub not: &'static str,
    /// True and false.
    pub truth: [&'static str; 2],
    /// Nothing.
    pub null: Option<&'static str>,
    /// What ends a simple statement.
    pub end: &'static str,
    /// Whether blocks stand in braces.
    pub braces: bool,
    /// Whether the question of an `if` stands in parentheses.
    pub parentheses: bool,
    /// Whether any value may be a question: `if x`.
    pub truthy: bool,
    /// Whether types are found out while running only.
    pub dynamic: bool,
    /// The names of functions and methods that are taken for each other.
    pub twins: &'static [&'static [&'static str]],
    /// Functions around a value.
    pub wraps: &'static [&'static str],
    /// Methods after a value.
    pub methods: &'static [&'static str],
}

/// The words of a language.
pub fn words(language: Language) -> Words {
    let c_like = Words {
        and: "&&",
        or: "||",
        not: "!",
        truth: ["true", "false"],
        null: None,
        end: ";",
        braces: true,
        parentheses: true,
        truthy: false,
        dynamic: false,
        twins: &[],
        wraps: &[],
        methods: &[],
    };
    match language {
        Language::Python => Words {
            and: "and",
            or: "or",
            not: "not ",
            truth: ["True", "False"],
            null: Some("None"),
            end: "",
            braces: false,
            parentheses: false,
            truthy: true,
            dynamic: true,
            twins: PYTHON_TWINS,
            wraps: &[
                "set", "sorted", "list", "abs", "len", "int", "sum", "str", "max", "min", "reversed",
                "tuple", "float", "round", "bool", "ord", "chr",
            ],
            methods: &[
                "lower()",
                "strip()",
                "upper()",
                "split()",
                "copy()",
                "keys()",
                "values()",
                "items()",
                "swapcase()",
                "capitalize()",
                "title()",
            ],
        },
        Language::JavaScript | Language::TypeScript => Words {
            null: Some("null"),
            truthy: true,
            dynamic: language == Language::JavaScript,
            twins: JAVASCRIPT_TWINS,
            wraps: &["Math.abs", "Math.floor", "Math.ceil", "Math.round", "String", "Number", "parseInt"],
            methods: &[
                "length",
                "toLowerCase()",
                "toUpperCase()",
                "trim()",
                "slice()",
                "reverse()",
                "toString()",
            ],
            ..c_like
        },
        Language::Java => Words {
            null: Some("null"),
            twins: JAVA_TWINS,
            wraps: &[
                "Math.abs",
                "(int)",
                "(double)",
                "Math.sqrt",
                "Math.floor",
                "Math.ceil",
                "String.valueOf",
            ],
            methods: &["length()", "size()", "toLowerCase()", "toUpperCase()", "trim()"],
            ..c_like
        },
        Language::Go => Words {
            null: Some("nil"),
            end: "",
            parentheses: false,
            twins: GO_TWINS,
            wraps: &[
                "len",
                "int",
                "float64",
                "string",
                "math.Abs",
                "math.Sqrt",
                "strings.ToLower",
                "strings.ToUpper",
                "strings.TrimSpace",
            ],
            ..c_like
        },
        Language::Rust => Words {
            null: Some("None"),
            parentheses: false,
            twins: RUST_TWINS,
            methods: &["abs()", "len()", "clone()", "rev()", "to_lowercase()", "to_uppercase()"],
            ..c_like
        },
        Language::C | Language::Cpp => Words {
            null: Some(if language == Language::Cpp { "nullptr" } else { "NULL" }),
            truthy: true,
            twins: CPP_TWINS,
            wraps: &["abs", "toupper", "tolower", "(int)", "(double)", "sqrt", "floor", "ceil", "round"],
            methods: &["size()", "back()", "front()"],
            ..c_like
        },
        Language::Bash => {
            Words { end: "", braces: false, parentheses: false, twins: BASH_TWINS, dynamic: true, ..c_like }
        }
    }
}

const PYTHON_TWINS: &[&[&str]] = &[
    &["any", "all"],
    &["min", "max"],
    &["floor", "ceil", "trunc"],
    &["lower", "upper", "swapcase", "title", "capitalize"],
    &["append", "extend", "insert", "appendleft"],
    &["add", "remove", "discard", "update"],
    &["pop", "popleft", "remove"],
    &["index", "find", "rfind"],
    &["startswith", "endswith"],
    &["strip", "lstrip", "rstrip"],
    &["isdigit", "isalpha", "isalnum", "isspace", "isnumeric"],
    &["islower", "isupper"],
    &["keys", "values", "items"],
    &["sum", "max", "min", "len", "prod"],
    &["sorted", "list", "reversed", "set"],
    &["int", "float", "round", "str"],
    &["bin", "hex", "oct", "str"],
    &["union", "intersection", "difference"],
    &["intersection_update", "difference_update", "update"],
    &["heappush", "heappop"],
    &["left", "right"],
    &["next", "prev", "previous"],
    &["first", "last"],
    &["sin", "cos", "tan"],
    &["permutations", "combinations", "product"],
    &["bisect_left", "bisect_right"],
    &["ljust", "rjust", "center"],
    &["split", "splitlines", "rsplit"],
    &["get", "pop", "setdefault"],
    &["chr", "ord"],
    &["days", "seconds"],
];

const JAVASCRIPT_TWINS: &[&[&str]] = &[
    &["push", "unshift", "concat"],
    &["pop", "shift"],
    &["some", "every", "find", "filter"],
    &["map", "filter", "forEach", "flatMap"],
    &["floor", "ceil", "round", "trunc"],
    &["min", "max"],
    &["toLowerCase", "toUpperCase"],
    &["indexOf", "lastIndexOf"],
    &["startsWith", "endsWith", "includes"],
    &["trim", "trimStart", "trimEnd"],
    &["slice", "splice", "substring"],
    &["keys", "values", "entries"],
    &["reduce", "reduceRight"],
    &["charAt", "charCodeAt"],
    &["parseInt", "parseFloat", "Number"],
    &["replace", "replaceAll"],
    &["padStart", "padEnd"],
    &["left", "right"],
];

const JAVA_TWINS: &[&[&str]] = &[
    &["addFirst", "addLast", "add"],
    &["getFirst", "getLast"],
    &["removeFirst", "removeLast", "poll", "pop"],
    &["peek", "poll", "peekLast", "pollLast"],
    &["push", "add", "addLast", "addFirst"],
    &["min", "max"],
    &["floor", "ceil", "round"],
    &["toLowerCase", "toUpperCase"],
    &["isDigit", "isLetter", "isLetterOrDigit", "isAlphabetic"],
    &["isUpperCase", "isLowerCase"],
    &["indexOf", "lastIndexOf"],
    &["startsWith", "endsWith", "contains"],
    &["keySet", "values", "entrySet"],
    &["getKey", "getValue"],
    &["addAll", "removeAll", "retainAll", "add"],
    &["add", "remove"],
    &["first", "last"],
    &["left", "right"],
    &["length", "size"],
    &["anyMatch", "allMatch", "noneMatch"],
    &["containsKey", "containsValue"],
    &["naturalOrder", "reverseOrder"],
];

const GO_TWINS: &[&[&str]] = &[
    &["Min", "Max"],
    &["Floor", "Ceil", "Round", "Trunc"],
    &["ToLower", "ToUpper", "Title"],
    &["HasPrefix", "HasSuffix", "Contains"],
    &["Index", "LastIndex"],
    &["TrimLeft", "TrimRight", "Trim", "TrimSpace"],
    &["IsDigit", "IsLetter", "IsNumber"],
    &["IsUpper", "IsLower"],
    &["len", "cap"],
    &["Ints", "Strings"],
];

const RUST_TWINS: &[&[&str]] = &[
    &["min", "max"],
    &["any", "all"],
    &["floor", "ceil", "round"],
    &["push", "push_front", "push_back", "push_str"],
    &["pop", "pop_front", "pop_back"],
    &["first", "last"],
    &["is_some", "is_none"],
    &["is_ok", "is_err"],
    &["is_alphabetic", "is_numeric", "is_alphanumeric", "is_ascii_digit"],
    &["is_uppercase", "is_lowercase"],
    &["to_lowercase", "to_uppercase"],
    &["to_ascii_lowercase", "to_ascii_uppercase"],
    &["starts_with", "ends_with", "contains"],
    &["find", "rfind"],
    &["take", "skip"],
    &["sum", "product"],
    &["keys", "values", "iter"],
    &["map", "filter"],
    &["trim", "trim_start", "trim_end"],
    &["wrapping_add", "wrapping_sub", "wrapping_mul"],
    &["min_by_key", "max_by_key"],
];

const CPP_TWINS: &[&[&str]] = &[
    &["min", "max"],
    &["floor", "ceil", "round"],
    &["push_back", "push_front", "emplace_back"],
    &["pop_back", "pop_front"],
    &["front", "back", "top"],
    &["begin", "rbegin"],
    &["end", "rend"],
    &["tolower", "toupper"],
    &["isdigit", "isalpha", "isalnum", "isspace"],
    &["isupper", "islower"],
    &["find", "rfind"],
    &["lower_bound", "upper_bound"],
    &["any_of", "all_of", "none_of"],
    &["insert", "erase"],
    &["strlen", "sizeof"],
    &["strcpy", "strcat"],
    &["strcmp", "strncmp"],
    &["left", "right"],
];

const BASH_TWINS: &[&[&str]] =
    &[&["head", "tail"], &["sort", "uniq"], &["-lt", "-le", "-gt", "-ge", "-eq", "-ne"], &["-f", "-d", "-e"]];
