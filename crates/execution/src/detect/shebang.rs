//! The interpreter that a script's first line names.

/// The program's own name: `python3.11` for `#!/usr/bin/env -S VAR=1 python3.11 -u`.
pub fn program(code: &[u8]) -> Option<String> {
    let code = code.strip_prefix(b"\xef\xbb\xbf").unwrap_or(code);
    let line = code.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(&line[..line.len().min(512)]).ok()?;
    let mut words = line.split_whitespace();
    let first = base_name(words.next()?);
    if first != "env" {
        return Some(first.to_string());
    }
    let mut skip_next = false;
    for word in words {
        let takes_value = matches!(word, "-u" | "--unset" | "-C" | "--chdir");
        if skip_next || takes_value {
            skip_next = takes_value;
            continue;
        }
        let word = word.strip_prefix("-S").or_else(|| word.strip_prefix("--split-string=")).unwrap_or(word);
        if word.is_empty() || word.starts_with('-') || word.contains('=') {
            continue;
        }
        return Some(base_name(word).to_string());
    }
    None
}

/// The word by which the registry knows the program's language.
pub fn language_word(program: &str) -> Option<&str> {
    let plain = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    Some(match plain {
        "pypy" | "ipython" => "python",
        "bun" => "javascript",
        "ts-node" | "tsx" | "deno" => "typescript",
        "dash" | "ash" | "rbash" => "bash",
        "rust-script" | "cargo" => "rust",
        "gorun" => "go",
        "tcc" => "c",
        "" => return None,
        other => other,
    })
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
