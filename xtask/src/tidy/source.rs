//! Rust source split into code, strings and comments, so that a rule never trips over a word in a string.
//!
//! Line breaks stay where they are in every part: a line number of one is a line number of all.

/// One Rust file, taken apart.
#[derive(Debug)]
pub struct Source {
    /// Code with the content of strings and comments blanked.
    pub code: String,
    /// Comments alone.
    pub comments: String,
    /// For each line, whether it belongs to a `#[cfg(test)]` item.
    in_test: Vec<bool>,
}

impl Source {
    /// Takes a file apart.
    pub fn parse(text: &str) -> Self {
        let (code, comments) = split(text);
        let in_test = test_lines(&code);
        Self { code, comments, in_test }
    }

    /// Lines of code with their numbers, from 1.
    pub fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.code.lines().enumerate().map(|(index, line)| (index + 1, line))
    }

    /// Lines of code outside `#[cfg(test)]` items, with their numbers.
    pub fn shipped_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.code_lines().filter(|(number, _)| !self.in_test.get(number - 1).copied().unwrap_or(false))
    }

    /// Lines of comments with their numbers.
    pub fn comment_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.comments.lines().enumerate().map(|(index, line)| (index + 1, line))
    }
}

/// Whether `line` holds `word` with no letter, digit or `_` at either side.
pub fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + word.len()..].chars().next();
        let open_start = !word.starts_with(is_part) || !before.is_some_and(is_part);
        let open_end = !word.ends_with(is_part) || !after.is_some_and(is_part);
        open_start && open_end
    })
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Code,
    LineComment,
    BlockComment(usize),
    Text,
    RawText(usize),
}

/// Code and comments, each with everything else blanked.
fn split(text: &str) -> (String, String) {
    let chars: Vec<char> = text.chars().collect();
    let (mut code, mut comments) = (String::with_capacity(text.len()), String::new());
    let mut state = State::Code;
    let mut at = 0;
    while at < chars.len() {
        let (next, width) = step(&chars, at, state);
        for &c in &chars[at..at + width] {
            let comment = matches!(state, State::LineComment | State::BlockComment(_))
                || matches!(next, State::LineComment | State::BlockComment(_));
            let plain = state == State::Code && next == State::Code;
            code.push(if c == '\n' || plain { c } else { ' ' });
            comments.push(if c == '\n' || comment { c } else { ' ' });
        }
        // A character literal is code on both sides, but its content must not open a string.
        if state == State::Code && next == State::Code && width > 1 {
            blank_last(&mut code, width);
        }
        state = next;
        at += width;
    }
    (code, comments)
}

fn blank_last(code: &mut String, width: usize) {
    for _ in 0..width {
        code.pop();
    }
    code.extend(std::iter::repeat_n(' ', width));
}

/// The state after the token at `at`, and how many characters the token has.
fn step(chars: &[char], at: usize, state: State) -> (State, usize) {
    let here = chars[at];
    let next = chars.get(at + 1).copied();
    match state {
        State::Code => match here {
            '/' if next == Some('/') => (State::LineComment, 2),
            '/' if next == Some('*') => (State::BlockComment(1), 2),
            '"' => (State::Text, 1),
            'r' | 'b' | 'c' if starts_token(chars, at) => raw_text(chars, at).unwrap_or((State::Code, 1)),
            '\'' => (State::Code, char_literal(chars, at).unwrap_or(1)),
            _ => (State::Code, 1),
        },
        State::LineComment if here == '\n' => (State::Code, 1),
        State::LineComment => (State::LineComment, 1),
        State::BlockComment(depth) => match (here, next) {
            ('/', Some('*')) => (State::BlockComment(depth + 1), 2),
            ('*', Some('/')) if depth == 1 => (State::Code, 2),
            ('*', Some('/')) => (State::BlockComment(depth - 1), 2),
            _ => (State::BlockComment(depth), 1),
        },
        State::Text => match here {
            '\\' if next.is_some() => (State::Text, 2),
            '"' => (State::Code, 1),
            _ => (State::Text, 1),
        },
        State::RawText(hashes) => {
            let closes =
                here == '"' && chars[at + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes;
            if closes { (State::Code, 1 + hashes) } else { (State::RawText(hashes), 1) }
        }
    }
}

fn starts_token(chars: &[char], at: usize) -> bool {
    at == 0 || !(chars[at - 1].is_alphanumeric() || chars[at - 1] == '_')
}

/// `r"`, `r#"`, `br##"` and the like: the state inside, and the width of the opening.
fn raw_text(chars: &[char], at: usize) -> Option<(State, usize)> {
    let r = if chars[at] == 'r' { at } else { at + 1 };
    if chars.get(r) != Some(&'r') {
        return None;
    }
    let hashes = chars[r + 1..].iter().take_while(|c| **c == '#').count();
    (chars.get(r + 1 + hashes) == Some(&'"')).then_some((State::RawText(hashes), r + 2 + hashes - at))
}

/// The width of a character literal; `None` for a lifetime.
fn char_literal(chars: &[char], at: usize) -> Option<usize> {
    if chars.get(at + 1) == Some(&'\\') {
        let end = chars[at + 3..].iter().take(10).position(|c| *c == '\'')?;
        return Some(end + 4);
    }
    (chars.get(at + 2) == Some(&'\'')).then_some(3)
}

/// Marks the lines of items that follow `#[cfg(test)]`.
fn test_lines(code: &str) -> Vec<bool> {
    let lines: Vec<&str> = code.lines().collect();
    let mut marks = vec![false; lines.len()];
    let mut at = 0;
    while at < lines.len() {
        if !lines[at].trim_start().starts_with("#[cfg(test)]") {
            at += 1;
            continue;
        }
        let mut depth = 0_i32;
        let mut opened = false;
        while at < lines.len() {
            marks[at] = true;
            for c in lines[at].chars() {
                depth += i32::from(c == '{') - i32::from(c == '}');
                opened |= c == '{';
            }
            let ends = if opened { depth <= 0 } else { lines[at].trim_end().ends_with(';') };
            at += 1;
            if ends {
                break;
            }
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_comments_leave_the_code() {
        let cases = [
            ("let a = \"unsafe\"; // unsafe\nfn b() {}", "unsafe"),
            ("let a = r#\"un\"safe\"#;", "safe"),
            ("/* a /* unsafe */ b */ let c = 'u';", "u'"),
            ("let a = b\"unsafe\\\"unsafe\";", "unsafe"),
            ("let quote = '\"'; let a = \"unsafe\";", "unsafe"),
        ];
        for (text, word) in cases {
            let source = Source::parse(text);
            assert!(!source.code.contains(word), "{text:?} -> {:?}", source.code);
            assert_eq!(source.code.lines().count(), text.lines().count());
        }
    }

    #[test]
    fn lifetimes_are_code() {
        let source =
            Source::parse("fn a<'a>(b: &'a str) -> &'a str { unsafe { c('x', '\\n', '\\u{1F600}') } }");
        assert!(source.code.contains("unsafe"));
        assert!(source.code.contains("fn a<'a>(b: &'a str)"));
    }

    #[test]
    fn comments_are_kept_apart() {
        let source = Source::parse("let a = 1; // because\n/* and */ let b = \"// not\";");
        assert!(source.comments.contains("because") && source.comments.contains("and"));
        assert!(!source.comments.contains("not") && !source.comments.contains("let"));
    }

    #[test]
    fn test_modules_are_not_shipped() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\nfn c() {}\n#[cfg(test)]\nmod d;\nfn e() {}";
        let shipped: Vec<usize> = Source::parse(text).shipped_lines().map(|(number, _)| number).collect();
        assert_eq!(shipped, [1, 6, 9]);
    }

    #[test]
    fn words_have_edges() {
        assert!(has_word("unsafe {", "unsafe") && has_word("(fork())", "fork"));
        assert!(!has_word("unsafe_code", "unsafe") && !has_word("vfork", "fork"));
    }
}
