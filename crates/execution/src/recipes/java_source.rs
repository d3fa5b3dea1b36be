//! A look at Java source without parsing it whole: its package, its types, and who has the main method.

/// What a compilation unit declares at its top level.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The package's name.
    pub package: Option<String>,
    /// The public top-level type.
    pub public_type: Option<String>,
    /// All top-level types, each with whether it holds a main method.
    types: Vec<(String, bool)>,
}

impl Source {
    /// Reads a compilation unit. Broken code gives what could be seen.
    pub fn read(text: &str) -> Self {
        let tokens = tokens(text);
        let mut source = Self::default();
        let mut depth = 0_usize;
        let mut public = false;
        let mut at = 0;
        while at < tokens.len() {
            match tokens[at].as_str() {
                "{" => depth += 1,
                "}" => {
                    depth = depth.saturating_sub(1);
                    public = false;
                }
                ";" if depth == 0 => public = false,
                "package" if depth == 0 && source.types.is_empty() => {
                    let name: String = tokens[at + 1..].iter().take_while(|t| *t != ";").cloned().collect();
                    source.package = Some(name).filter(|name| !name.is_empty());
                }
                "public" if depth == 0 => public = true,
                "class" | "interface" | "enum" | "record" if depth == 0 => {
                    if let Some(name) = tokens.get(at + 1).filter(|name| is_name(name)) {
                        if public && source.public_type.is_none() {
                            source.public_type = Some(name.clone());
                        }
                        source.types.push((name.clone(), false));
                    }
                }
                "main" if depth == 1 && is_main(&tokens, at) => {
                    if let Some(last) = source.types.last_mut() {
                        last.1 = true;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        source
    }

    /// The first type with a main method, with its package.
    pub fn main_class(&self) -> Option<String> {
        self.types.iter().find(|(_, main)| *main).map(|(name, _)| self.qualified(name))
    }

    /// The public type or the first one, with its package.
    pub fn first_class(&self) -> Option<String> {
        self.public_type
            .as_ref()
            .or(self.types.first().map(|(name, _)| name))
            .map(|name| self.qualified(name))
    }

    fn qualified(&self, name: &str) -> String {
        match &self.package {
            Some(package) => format!("{package}.{name}"),
            None => name.to_string(),
        }
    }
}

/// `static … void main(`; in interfaces it is public without saying so.
fn is_main(tokens: &[String], at: usize) -> bool {
    let before = &tokens[at.saturating_sub(6)..at];
    let start = before.iter().rposition(|t| matches!(t.as_str(), ";" | "{" | "}")).map_or(0, |end| end + 1);
    let modifiers = &before[start..];
    tokens.get(at + 1).is_some_and(|t| t == "(")
        && modifiers.last().is_some_and(|t| t == "void")
        && modifiers.iter().any(|t| t == "static")
}

/// A file's name without folder and ending.
pub fn stem(path: &str) -> &str {
    let base = path.rsplit('/').next().unwrap_or(path);
    base.rsplit_once('.').map_or(base, |(stem, _)| stem)
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
}

/// Names, and every other character by itself; comments, strings and blanks left out.
fn tokens(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let rest = &characters[at..];
        match rest {
            ['/', '/', ..] => at += rest.iter().position(|c| *c == '\n').unwrap_or(rest.len()),
            ['/', '*', ..] => at += after(rest, 2, &['*', '/']),
            ['"', '"', '"', ..] => at += after(rest, 3, &['"', '"', '"']),
            [quote @ ('"' | '\''), ..] => at += quoted(rest, *quote),
            [c, ..] if c.is_alphabetic() || *c == '_' || *c == '$' => {
                let name: String =
                    rest.iter().take_while(|c| c.is_alphanumeric() || **c == '_' || **c == '$').collect();
                at += name.chars().count();
                tokens.push(name);
            }
            [c, ..] => {
                if !c.is_whitespace() {
                    tokens.push(c.to_string());
                }
                at += 1;
            }
            [] => break,
        }
    }
    tokens
}

/// Length up to and with `end`, looked for from `start` on.
fn after(rest: &[char], start: usize, end: &[char]) -> usize {
    let found = rest[start.min(rest.len())..].windows(end.len()).position(|window| window == end);
    found.map_or(rest.len(), |found| start + found + end.len())
}

/// Length of a quoted literal; an open one ends with its line.
fn quoted(rest: &[char], quote: char) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 1,
            '\n' => return at,
            c if c == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_of_a_source() {
        for (text, public, main) in [
            ("public class Foo { public static void main(String[] a) {} }", Some("Foo"), Some("Foo")),
            ("class A {} class B { public static void main(String... a) {} }", None, Some("B")),
            (
                "package x.y; public class Z { static public void main(String[] a) {} }",
                Some("Z"),
                Some("x.y.Z"),
            ),
            ("// public class No\n/* class No */ public final class Yes {}", Some("Yes"), None),
            ("class A { String s = \"class B { public static void main(\"; }", None, None),
            ("class A { class In { static void main(String[] a) {} } }", None, None),
            ("public interface I { static void main(String[] a) {} }", Some("I"), Some("I")),
            ("public record P(int x) { public static void main(String[] a) {} }", Some("P"), Some("P")),
            ("public enum E { A; public static void main(String[] a) {} }", Some("E"), Some("E")),
            ("import java.util.*;\n@Deprecated public abstract class Ω$_1 {}", Some("Ω$_1"), None),
            ("class A { char c = '\"'; public static void main(String[] a) {} }", None, Some("A")),
            (
                "class A { String t = \"\"\"\n } class B {\n\"\"\"; public static void main(String[] a){} }",
                None,
                Some("A"),
            ),
            ("class A { void f() { main(1); } static int main(int x) { return 1; } }", None, None),
            (
                "class A { void f() {} } public class B { public static synchronized void main(String[] a) {} }",
                Some("B"),
                Some("B"),
            ),
            ("int x = 1;", None, None),
        ] {
            let source = Source::read(text);
            assert_eq!(source.public_type.as_deref(), public, "{text}");
            assert_eq!(source.main_class().as_deref(), main, "{text}");
        }
    }
}
