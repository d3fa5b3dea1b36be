//! Copies of every kind, and code that only looks like one.

use super::*;
use formicary_model::Language;
use formicary_model::clones::{CloneLevel, CloneReport, CloneType};

fn found(sources: &[(&str, Language, &str)]) -> CloneReport {
    let sources: Vec<CloneSource<'_>> = sources
        .iter()
        .map(|(path, language, text)| CloneSource { path, language: *language, text })
        .collect();
    detect(&sources, &CloneOptions::default(), &|| false)
}

const COPY: &str = "class A {
    static void copyFile(File source, File target) throws IOException {
        FileInputStream in = new FileInputStream(source);
        FileOutputStream out = new FileOutputStream(target);
        byte[] buffer = new byte[4096];
        int count;
        while ((count = in.read(buffer)) > 0) {
            out.write(buffer, 0, count);
        }
        in.close();
        out.close();
    }
}
";

#[test]
fn kinds_of_copies() {
    let renamed = COPY.replace("source", "from").replace("4096", "1024").replace("copyFile", "transfer");
    let strong = COPY.replace("        int count;\n", "        int count;\n        long total = 0;\n");
    let moderate = COPY
        .replace("        in.close();\n        out.close();\n", "        log.info(target.getName());\n        out.flush();\n        closeQuietly(in);\n        closeQuietly(out);\n")
        .replace("FileInputStream in = new FileInputStream(source)", "InputStream in = new BufferedInputStream(open(source))");
    let other = "class B {
    int find(int[] sorted, int wanted) {
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < wanted) { low = middle + 1; }
            else if (sorted[middle] > wanted) { high = middle - 1; }
            else { return middle; }
        }
        return -1;
    }
}
";
    for (text, expected) in [
        (COPY.replace("  ", "\t").replace("int count;", "int count; // read\n"), Some(CloneType::Exact)),
        (renamed, Some(CloneType::Renamed)),
        (strong, Some(CloneType::Edited)),
        (moderate, Some(CloneType::Edited)),
        (other.to_owned(), None),
    ] {
        let report = found(&[("A.java", Language::Java, COPY), ("B.java", Language::Java, &text)]);
        let kind = report.groups.iter().map(|group| group.kind).min();
        assert_eq!(kind, expected, "{text}\n{report:#?}");
    }
}

#[test]
fn without_edited_copies_nothing_is_parsed_and_the_same_is_found() {
    let renamed = COPY.replace("source", "from").replace("class A", "class B");
    let sources = [("A.java", COPY), ("B.java", renamed.as_str())].map(|(path, text)| CloneSource {
        path,
        language: Language::Java,
        text,
    });
    let options =
        CloneOptions { types: vec![CloneType::Exact, CloneType::Renamed], ..CloneOptions::default() };
    let report = detect(&sources, &options, &|| false);
    assert_eq!(report.groups.len(), 1, "{report:#?}");
    assert!(report.groups[0].kind == CloneType::Renamed);
}

#[test]
fn functional_copies_and_languages() {
    let python = "def total(items, rate):
    out = []
    for item in items:
        if item.price > rate:
            out.append(item.price * rate + item.fee)
    if len(out) > 3:
        report(out, rate)
    return out
";
    let other = "def priced(entries, factor):
    if len(entries) < 0:
        pass
    result = [factor * e.price + e.fee for e in entries if factor < e.price]
    if 3 < len(result):
        report(result, factor)
    return result
";
    let script = "function priced(entries, factor) {
    const result = [];
    for (const e of entries) {
        if (e.price > factor) {
            result.push(e.fee + e.price * factor);
        }
    }
    if (result.length > 3) { report(result, factor); }
    return result;
}
";
    let report = found(&[("a.py", Language::Python, python), ("b.py", Language::Python, other)]);
    assert!(!report.groups.is_empty(), "{report:#?}");
    let report = found(&[("a.py", Language::Python, python), ("b.js", Language::JavaScript, script)]);
    assert_eq!(report.groups.first().map(|group| group.kind), Some(CloneType::Functional), "{report:#?}");
}

#[test]
fn blocks_files_and_lines_that_differ() {
    let block = "        total = 0\n        for line in open(path):\n            parts = line.split(',')\n            if len(parts) > 3 and parts[0] != 'x':\n                total += int(parts[1]) * int(parts[2])\n        print('sum', total, path)\n        log(total)\n";
    let a = format!(
        "class A:\n    def one(self, path):\n        self.begin(path, 1)\n{block}        for other in self.rest:\n            other.drop(self.one)\n            self.count -= 1\n            self.names[other.key] = other.value\n        while not self.ready(5):\n            sleep(self.delay or 1)\n        if self.count == 7:\n            del self.names['seven']\n        assert self.names, self.count\n        import_all(self.plugins, lazy=True)\n        with self.pool.borrow() as worker:\n            worker.submit(self.one, retries=3)\n            worker.join(timeout=self.patience)\n        self.signal.send(sender=self, final=not self.open)\n        return self.end(total)\n"
    );
    let b = format!(
        "class B:\n    def two(self, path, mode):\n        if mode:\n            raise ValueError(mode)\n        with self.lock:\n            self.state = mode\n            self.waiting.append(path)\n{block}        yield total\n        try:\n            self.flush()\n        except OSError as error:\n            self.warn(error)\n        self.history = [x for x in self.history if x.age < mode]\n        self.clock.tick(self.history[-1], force=True)\n        yield from self.waiting\n        global SEEN\n        SEEN = {{key: value for key, value in self.state.items() if value is not None}}\n        lowest, highest = min(SEEN), max(SEEN)\n        for step in range(lowest, highest, mode):\n            yield (step, SEEN.get(step, mode) ** 2)\n        raise StopIteration from None\n"
    );
    let report = found(&[("a.py", Language::Python, &a), ("b.py", Language::Python, &b)]);
    let group = &report.groups[0];
    assert_eq!((group.level, group.places.len()), (CloneLevel::Block, 2), "{report:#?}");
    let lines: Vec<(u32, u32)> =
        group.places.iter().map(|place| (place.first_line, place.last_line)).collect();
    assert_eq!(lines, [(4, 10), (8, 14)]);
    let report = found(&[("a.py", Language::Python, &a), ("c.py", Language::Python, &a)]);
    assert_eq!(report.groups.len(), 1, "{report:#?}");
    assert_eq!(report.groups[0].level, CloneLevel::File);
    assert!(report.duplication_percent > 99.0);
    let edited = COPY.replace("        int count;\n", "        int count;\n        long total = 0;\n");
    let report = found(&[("A.java", Language::Java, COPY), ("B.java", Language::Java, &edited)]);
    let place = report.groups[0].places.iter().find(|place| place.file == "B.java").unwrap();
    assert_eq!(place.differing_lines, [7], "{report:#?}");
}

#[test]
fn imports_tables_and_generated_files_are_no_copies() {
    let imports: String = (0..40).map(|n| format!("import os.path.module{n} as m{n}\n")).collect();
    let table = format!("DATA = [{}]\n", "1, 'a', 2.5, ".repeat(60));
    let generated = format!("# Code generated by x. DO NOT EDIT.\n{COPY}");
    let report = found(&[
        ("a.py", Language::Python, &imports),
        ("b.py", Language::Python, &imports),
        ("c.py", Language::Python, &table),
        ("d.py", Language::Python, &table),
        ("e.java", Language::Java, &generated),
        ("f.java", Language::Java, &generated),
    ]);
    assert_eq!(report.groups, [], "{report:#?}");
}

#[test]
fn a_change_that_forgets_a_copy_is_told() {
    let renamed = COPY.replace("source", "from").replace("class A", "class B");
    let mended = COPY.replace("> 0", "!= -1");
    let source = |path: &'static str, text| CloneSource { path, language: Language::Java, text };
    let before = [source("A.java", COPY), source("B.java", &renamed)];
    let after = [source("A.java", &mended), source("B.java", &renamed)];
    let found = change::inconsistent(&before, &after, &CloneOptions::default(), &|| false);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].edited.file.as_str(), found[0].changed_lines.as_slice()), ("A.java", &[7][..]));
    assert_eq!(found[0].untouched[0].file, "B.java");
    let both = [source("A.java", &mended), source("B.java", &mended)];
    assert!(change::inconsistent(&before, &both, &CloneOptions::default(), &|| false).is_empty());
}

#[test]
fn known_groups_are_marked() {
    let sources = [("A.java", Language::Java, COPY), ("B.java", Language::Java, COPY)];
    let mut report = found(&sources);
    let known = baseline::KnownClones::of(&report);
    known.mark(&mut report);
    assert!(report.groups.iter().all(|group| group.known));
    let mut more = found(&[sources[0], sources[1], ("C.java", Language::Java, COPY)]);
    known.mark(&mut more);
    assert!(more.groups.iter().any(|group| !group.known));
}

#[test]
fn anything_can_be_read() {
    for text in ["", "\"", "class A { void f( ", "\u{0}\u{1}", "'''", "`${", "r#\""] {
        for language in Language::ALL {
            let report = found(&[("a", language, text), ("b", language, text)]);
            assert_eq!(report.groups, [], "{text}");
        }
    }
}
