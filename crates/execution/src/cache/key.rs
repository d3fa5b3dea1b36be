//! An entry's name: a hash over everything that shapes what a compile step leaves.

use super::identity;
use crate::recipes::Plan;
use blake3::{Hash, Hasher};
use formicary_sandbox::InputFile;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Changes whenever recipes or this format change in a way that the rest of the name does not show.
const RECIPE_VERSION: u32 = 1;

/// An entry's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key(pub(crate) Hash);

impl Key {
    /// The name of what this plan's compile steps will leave. `None`: what they leave depends on more than can be
    /// known, so it is not to be cached.
    pub fn of(plan: &Plan, language: &str, provider: &str, env: &BTreeMap<String, String>) -> Option<Self> {
        if plan.compile.is_empty() || tells_the_time(plan) {
            return None;
        }
        let mut hasher = Hasher::new();
        hasher.update(&RECIPE_VERSION.to_le_bytes());
        let target = [env!("CARGO_PKG_VERSION"), std::env::consts::ARCH, std::env::consts::OS];
        texts(&mut hasher, target.into_iter().chain([language, provider]));
        pairs(&mut hasher, env.iter());
        for step in &plan.compile {
            texts(&mut hasher, step.command.iter().map(String::as_str));
            pairs(&mut hasher, step.env.iter().map(|(name, value)| (name, value)));
            texts(&mut hasher, step.path_dirs.iter().map(String::as_str));
            texts(&mut hasher, step.leaves.iter().map(String::as_str));
            texts(&mut hasher, step.moved_from.iter().map(String::as_str));
            count(&mut hasher, step.files.len());
            for file in &step.files {
                texts(&mut hasher, [file.path.as_str()]);
                hasher.update(&[u8::from(file.executable)]);
                hasher.update(content(file).as_bytes());
            }
            identity::describe(step, &mut hasher)?;
        }
        Some(Self(hasher.finalize()))
    }

    /// The entry's file name.
    pub fn file_name(self) -> String {
        self.0.to_hex().to_string()
    }
}

/// Whether the compiler would put the time of day into the program: such a program is different each time.
fn tells_the_time(plan: &Plan) -> bool {
    const MACROS: [&[u8]; 3] = [b"__DATE__", b"__TIME__", b"__TIMESTAMP__"];
    let is_source = |file: &&InputFile| file.content.len() < 16 * 1024 * 1024 && !file.executable;
    let files = plan.compile.iter().flat_map(|step| &step.files).filter(is_source);
    files.into_iter().any(|file| MACROS.iter().any(|word| holds(&file.content, word)))
}

fn holds(content: &[u8], word: &[u8]) -> bool {
    content.windows(word.len()).any(|window| window == word)
}

fn count(hasher: &mut Hasher, number: usize) {
    hasher.update(&(number as u64).to_le_bytes());
}

/// Texts with their lengths, so that no two lists look alike.
fn texts<'a>(hasher: &mut Hasher, texts: impl IntoIterator<Item = &'a str>) {
    let texts: Vec<&str> = texts.into_iter().collect();
    count(hasher, texts.len());
    for text in texts {
        count(hasher, text.len());
        hasher.update(text.as_bytes());
    }
}

fn pairs<'a>(hasher: &mut Hasher, pairs: impl Iterator<Item = (&'a String, &'a String)>) {
    texts(hasher, pairs.flat_map(|(name, value)| [name.as_str(), value.as_str()]));
}

/// The hash of a file's bytes. A tool of our own that goes with every compile step is large: its hash is remembered
/// for as long as its bytes are held here, so that their place in memory names them.
fn content(file: &InputFile) -> Hash {
    const LARGE: usize = 512 * 1024;
    const REMEMBERED: usize = 2;
    type Known = (Arc<[u8]>, Hash);
    static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());
    if file.content.len() < LARGE || !file.executable {
        return blake3::hash(&file.content);
    }
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, hash)) = known.iter().find(|(bytes, _)| Arc::ptr_eq(bytes, &file.content)) {
        return *hash;
    }
    let hash = blake3::hash(&file.content);
    if known.len() == REMEMBERED {
        known.remove(0);
    }
    known.push((Arc::clone(&file.content), hash));
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipes::Step;

    fn plan(command: &[&str], files: &[(&str, &str)]) -> Plan {
        let mut step = Step::new(command.iter().copied());
        step.files = files
            .iter()
            .map(|(path, text)| InputFile {
                path: (*path).into(),
                content: text.as_bytes().into(),
                executable: false,
            })
            .collect();
        Plan { compile: vec![step], ..Plan::default() }
    }

    fn key(plan: &Plan, env: &[(&str, &str)]) -> Option<String> {
        let env = env.iter().map(|(name, value)| ((*name).to_string(), (*value).to_string())).collect();
        Key::of(plan, "c", "native", &env).map(Key::file_name)
    }

    #[test]
    fn everything_that_matters_changes_the_name() {
        let base = plan(&["cc", "-O2", "a.c"], &[("a.c", "int main(){}")]);
        let name = key(&base, &[]).unwrap();
        assert_eq!(name, key(&base, &[]).unwrap());
        let others = [
            key(&plan(&["cc", "-O2a.c"], &[("a.c", "int main(){}")]), &[]),
            key(&plan(&["cc", "-O3", "a.c"], &[("a.c", "int main(){}")]), &[]),
            key(&plan(&["cc", "-O2", "a.c"], &[("a.c", "int main(){ }")]), &[]),
            key(&plan(&["cc", "-O2", "a.c"], &[("b.c", "int main(){}")]), &[]),
            key(&plan(&["cc", "-O2", "a.c"], &[("a.c", "int main(){}"), ("a.h", "")]), &[]),
            key(&base, &[("CPATH", "/x")]),
            Key::of(&base, "cpp", "native", &BTreeMap::new()).map(Key::file_name),
            Key::of(&base, "c", "docker", &BTreeMap::new()).map(Key::file_name),
        ];
        for (index, other) in others.into_iter().enumerate() {
            assert_ne!(other.unwrap(), name, "{index}");
        }
    }

    #[test]
    fn what_changes_by_itself_has_no_name() {
        assert_eq!(key(&plan(&["cc"], &[("a.c", "char *t = __TIME__;")]), &[]), None);
        assert_eq!(key(&Plan::default(), &[]), None);
    }
}
