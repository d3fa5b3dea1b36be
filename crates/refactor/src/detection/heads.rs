//! What stands before a name where it is declared: annotations, words like `static`, the type.

use super::declarations::File;
use formicary_model::refactorings::RefactoringKind as Kind;
use formicary_syntax::{ExprId, Span};

/// Words that say who may use something.
const ACCESS: [&str; 4] = ["public", "protected", "private", "pub"];

/// Words that say something else about a declaration.
const OTHERS: [&str; 16] = [
    "static",
    "final",
    "abstract",
    "synchronized",
    "native",
    "default",
    "transient",
    "volatile",
    "strictfp",
    "async",
    "readonly",
    "const",
    "unsafe",
    "inline",
    "virtual",
    "extern",
];

/// What stands before a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// With their arguments, without blanks.
    pub annotations: Vec<String>,
    /// `public` and its kin; empty for none.
    pub access: String,
    /// All other words that are no type.
    pub modifiers: Vec<String>,
    /// The type, as its words.
    pub kind: Vec<String>,
}

/// Reads the head of what is declared by the name that begins here; for languages that write the type before the name.
pub fn before_name(file: &File<'_>, name: u32) -> Head {
    let at = file.tokens.partition_point(|token| token.start < name);
    let (mut depth, mut start) = (0i32, at);
    while start > 0 {
        let word = file.word(&file.tokens[start - 1]);
        match word {
            ")" | "]" | ">" => depth += 1,
            ">>" => depth += 2,
            ">>>" => depth += 3,
            "(" | "[" | "<" => depth -= 1,
            ";" | "{" | "}" | "," | "=" | "->" | ":" if depth == 0 => break,
            _ => {}
        }
        if depth < 0 {
            break;
        }
        start -= 1;
    }
    let words: Vec<&str> = file.tokens[start..at].iter().map(|token| file.word(token)).collect();
    read(&words)
}

/// Reads a head that goes from here to there.
pub fn within(file: &File<'_>, span: Span) -> Head {
    read(&file.words(span))
}

fn read(words: &[&str]) -> Head {
    let mut head = Head::default();
    let mut at = 0;
    while at < words.len() {
        let word = words[at];
        if word == "@" && words.get(at + 1).is_some_and(|next| *next != "interface") {
            let end = annotation(words, at);
            head.annotations.push(words[at..end].concat());
            at = end;
            continue;
        }
        if ACCESS.contains(&word) {
            word.clone_into(&mut head.access);
        } else if OTHERS.contains(&word) {
            head.modifiers.push(word.to_owned());
        } else {
            head.kind.push(word.to_owned());
        }
        at += 1;
    }
    head
}

// The end of an annotation: its dotted name and its arguments.
fn annotation(words: &[&str], at: usize) -> usize {
    let mut end = at + 2;
    while words.get(end) == Some(&".") {
        end += 2;
    }
    if words.get(end) == Some(&"(") {
        let mut depth = 0;
        while let Some(word) = words.get(end) {
            depth += i32::from(*word == "(") - i32::from(*word == ")");
            end += 1;
            if depth == 0 {
                break;
            }
        }
    }
    end.min(words.len())
}

/// Annotations that the unit knows.
pub fn annotations(file: &File<'_>, list: &[ExprId]) -> Vec<String> {
    list.iter()
        .map(|id| {
            let text = file.unit.text(file.unit.expr(*id).span).trim_start_matches('@');
            format!("@{}", text.split_whitespace().collect::<String>())
        })
        .collect()
}

/// Which kinds tell about one sort of declaration.
#[derive(Debug, Clone, Copy)]
pub struct Kinds {
    /// Annotation added, removed, modified.
    pub annotation: [Kind; 3],
    /// Access changed.
    pub access: Option<Kind>,
    /// Modifier added, removed.
    pub modifier: [Kind; 2],
}

/// Of methods.
pub const METHOD: Kinds = Kinds {
    annotation: [Kind::AddMethodAnnotation, Kind::RemoveMethodAnnotation, Kind::ModifyMethodAnnotation],
    access: Some(Kind::ChangeMethodAccess),
    modifier: [Kind::AddMethodModifier, Kind::RemoveMethodModifier],
};
/// Of types.
pub const CLASS: Kinds = Kinds {
    annotation: [Kind::AddClassAnnotation, Kind::RemoveClassAnnotation, Kind::ModifyClassAnnotation],
    access: Some(Kind::ChangeClassAccess),
    modifier: [Kind::AddClassModifier, Kind::RemoveClassModifier],
};
/// Of fields.
pub const FIELD: Kinds = Kinds {
    annotation: [Kind::AddFieldAnnotation, Kind::RemoveFieldAnnotation, Kind::ModifyFieldAnnotation],
    access: Some(Kind::ChangeFieldAccess),
    modifier: [Kind::AddFieldModifier, Kind::RemoveFieldModifier],
};
/// Of parameters.
pub const PARAMETER: Kinds = Kinds {
    annotation: [
        Kind::AddParameterAnnotation,
        Kind::RemoveParameterAnnotation,
        Kind::ModifyParameterAnnotation,
    ],
    access: None,
    modifier: [Kind::AddParameterModifier, Kind::RemoveParameterModifier],
};
/// Of variables.
pub const VARIABLE: Kinds = Kinds {
    annotation: [Kind::AddVariableAnnotation, Kind::RemoveVariableAnnotation, Kind::ModifyVariableAnnotation],
    access: None,
    modifier: [Kind::AddVariableModifier, Kind::RemoveVariableModifier],
};

/// Tells how the head of one declaration changed: the kind and a sentence that ends with what it is about.
pub fn changes(kinds: &Kinds, old: &Head, new: &Head, about: &str) -> Vec<(Kind, String)> {
    let mut out = Vec::new();
    let name = |text: &str| text.split('(').next().unwrap_or(text).to_owned();
    let mut gone: Vec<&String> = old.annotations.iter().filter(|x| !new.annotations.contains(x)).collect();
    for come in new.annotations.iter().filter(|y| !old.annotations.contains(y)) {
        match gone.iter().position(|x| name(x) == name(come)) {
            Some(at) => {
                let was = gone.remove(at);
                out.push((kinds.annotation[2], format!("{was} is now {come} at {about}")));
            }
            None => out.push((kinds.annotation[0], format!("{come} was added to {about}"))),
        }
    }
    for was in gone {
        out.push((kinds.annotation[1], format!("{was} was removed from {about}")));
    }
    if let Some(kind) = kinds.access
        && old.access != new.access
    {
        let said = |word: &str| if word.is_empty() { "package".to_owned() } else { word.to_owned() };
        out.push((kind, format!("{about} is {}, was {}", said(&new.access), said(&old.access))));
    }
    for word in new.modifiers.iter().filter(|word| !old.modifiers.contains(word)) {
        out.push((kinds.modifier[0], format!("{word} was added to {about}")));
    }
    for word in old.modifiers.iter().filter(|word| !new.modifiers.contains(word)) {
        out.push((kinds.modifier[1], format!("{word} was removed from {about}")));
    }
    out
}
