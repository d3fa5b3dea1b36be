//! Output with a finding a line. A template shows what a line looks like: `{file}:{line}:{column}: {message} [{rule}]`.

use super::description::Told;

/// The findings in some output. The first template that fits a line reads it; lines that fit none are left out.
pub fn read(templates: &[String], output: &str) -> Vec<Told> {
    let templates: Vec<Vec<Part<'_>>> = templates.iter().map(|template| parts(template)).collect();
    output.lines().filter_map(|line| templates.iter().find_map(|parts| fit(parts, line.trim_end()))).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    Field(&'a str),
}

fn parts(template: &str) -> Vec<Part<'_>> {
    let mut found = Vec::new();
    let mut rest = template;
    while let Some((text, after)) = rest.split_once('{') {
        let (field, after) = after.split_once('}').unwrap_or((after, ""));
        if !text.is_empty() {
            found.push(Part::Text(text));
        }
        found.push(Part::Field(field));
        rest = after;
    }
    if !rest.is_empty() {
        found.push(Part::Text(rest));
    }
    found
}

// Fields take as little as they can, and numbers must be numbers: so a colon in a message does no harm.
fn fit(parts: &[Part<'_>], line: &str) -> Option<Told> {
    let mut told = Told::default();
    fill(parts, line, &mut told).then_some(told)
}

fn fill(parts: &[Part<'_>], line: &str, told: &mut Told) -> bool {
    match parts {
        [] => line.is_empty(),
        [Part::Text(text), rest @ ..] => line.strip_prefix(text).is_some_and(|after| fill(rest, after, told)),
        [Part::Field(name)] => set(told, name, line),
        [Part::Field(name), Part::Text(text), rest @ ..] => {
            let mut from = 0;
            while let Some(at) = line[from..].find(text).map(|at| from + at) {
                let mut attempt = told.clone();
                if set(&mut attempt, name, &line[..at]) && fill(rest, &line[at + text.len()..], &mut attempt)
                {
                    *told = attempt;
                    return true;
                }
                from = at + text.chars().next().map_or(1, char::len_utf8);
            }
            false
        }
        [Part::Field(_), Part::Field(_), ..] => false,
    }
}

fn set(told: &mut Told, name: &str, value: &str) -> bool {
    let number = |place: &mut u32| match value.trim().parse() {
        Ok(number) => {
            *place = number;
            true
        }
        Err(_) => false,
    };
    match name {
        "line" => return number(&mut told.line),
        "column" => return number(&mut told.column),
        "end_line" => return number(&mut told.end_line),
        "end_column" => return number(&mut told.end_column),
        "cwe" => told.cwe = value.trim().parse().ok().filter(|number| *number > 0),
        "file" => value.trim().clone_into(&mut told.file),
        // A rule and a severity are words.
        "rule" if !value.contains(char::is_whitespace) => value.clone_into(&mut told.rule),
        "severity" if !value.contains(char::is_whitespace) => value.clone_into(&mut told.severity),
        "message" => value.trim().clone_into(&mut told.message),
        _ => return false,
    }
    !value.is_empty() || name == "cwe"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_read_lines() {
        let template = "{file}:{line}:{column}: {severity}: {message} [{rule}]";
        let told = &read(&[template.into()], "dir/a b.c:3:9: warning: say: a [b] or c [x-y]\nnoise\n")[..];
        let expected = Told {
            file: "dir/a b.c".into(),
            line: 3,
            column: 9,
            severity: "warning".into(),
            message: "say: a [b] or c".into(),
            rule: "x-y".into(),
            ..Told::default()
        };
        assert_eq!(told, [expected]);
    }
}
