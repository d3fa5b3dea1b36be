//! scratch
#![allow(clippy::all, clippy::print_stdout, clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]
use formicary_model::Language;
use formicary_patterns::clones::*;
fn walk(p: &std::path::Path, out: &mut Vec<std::path::PathBuf>) {
    if p.is_dir() {
        for e in std::fs::read_dir(p).unwrap() {
            walk(&e.unwrap().path(), out);
        }
    } else {
        out.push(p.to_owned());
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut files = vec![];
    walk(std::path::Path::new(&args[1]), &mut files);
    let types = args.get(2).cloned().unwrap_or("1234".into());
    let texts: Vec<(String, String, Language)> = files
        .iter()
        .filter_map(|f| {
            let t = std::fs::read_to_string(f).ok()?;
            let d = formicary_syntax::Dialect::of_file(f.to_str()?, &t)?;
            Some((f.to_str()?.to_owned(), t, d.language()))
        })
        .collect();
    let sources: Vec<CloneSource> =
        texts.iter().map(|(p, t, l)| CloneSource { path: p, language: *l, text: t }).collect();
    let mut o = CloneOptions::default();
    o.types.retain(|t| types.contains(&t.number().to_string()));
    let s = std::time::Instant::now();
    let r = detect(&sources, &o, &|| false);
    println!(
        "{} files {} lines {:?} groups {} dup {}%",
        r.files,
        r.lines,
        s.elapsed(),
        r.groups.len(),
        r.duplication_percent
    );
    for t in 1..=4 {
        println!("T{t}: {}", r.groups.iter().filter(|g| g.kind.number() == t).count());
    }
    if let Some(n) = args.get(3) {
        let n: usize = n.parse().unwrap();
        let k: u8 = args[4].parse().unwrap();
        let lo: f64 = args[5].parse().unwrap();
        let hi: f64 = args[6].parse().unwrap();
        let sel: Vec<_> = r
            .groups
            .iter()
            .filter(|g| {
                g.kind.number() == k
                    && g.similarity >= lo
                    && g.similarity < hi
                    && g.level.word() == "function"
            })
            .collect();
        println!("{} in range", sel.len());
        let step = (sel.len() / n).max(1);
        for g in sel.iter().step_by(step).take(n) {
            println!("==== {} {} {:?} {} places", g.similarity, g.level.word(), g.kind, g.places.len());
            for p in g.places.iter().take(2) {
                println!("-- {}:{}-{}", p.file, p.first_line, p.last_line);
                let t = &texts.iter().find(|x| x.0 == p.file).unwrap().1;
                for l in t
                    .lines()
                    .skip(p.first_line as usize - 1)
                    .take(((p.last_line - p.first_line + 1) as usize).min(22))
                {
                    println!("{l}");
                }
            }
        }
    }
}
