//! The description of the rewritten files, which the runtime reads as JSON.

use serde_json::{Value, json};

/// A place in the program, counted over all files.
pub(crate) type NodeId = usize;

/// A program with more places than this is not rewritten.
const MOST_NODES: usize = 60_000;

/// One expression or statement.
pub(crate) struct Node {
    pub kind: &'static str,
    pub start: u32,
    pub end: u32,
    pub function: usize,
    pub parent: Option<NodeId>,
    /// Whether its value is recorded.
    pub recorded: bool,
    pub fields: Value,
}

/// A function, or a file as a whole.
pub(crate) struct FunctionEntry {
    pub fields: Value,
}

impl FunctionEntry {
    pub(crate) fn new(name: &str, node: NodeId, file: usize, parent: Option<usize>) -> Self {
        let fields =
            json!({"name": name, "node": node, "file": file, "up": parent, "params": [], "rets": []});
        Self { fields }
    }
}

/// One rewritten file.
pub(crate) struct FileEntry {
    path: String,
    source: String,
    /// Where each byte's character stands in UTF-16; empty for ASCII.
    units: Vec<u32>,
    /// Places of insertions in the original with their lengths, both in UTF-16.
    insertions: Vec<(u32, u32)>,
    pub exports: Value,
    /// Whether it has the syntax of a module.
    pub is_module: bool,
    /// The name under which it runs, if that is another.
    run: Option<String>,
}

impl FileEntry {
    pub(crate) fn new(path: &str, source: &str) -> Self {
        let mut units = Vec::new();
        if !source.is_ascii() {
            units.reserve(source.len() + 1);
            let mut at = 0;
            for character in source.chars() {
                units.extend(std::iter::repeat_n(at, character.len_utf8()));
                at += character.len_utf16() as u32;
            }
            units.push(at);
        }
        let (path, source) = (path.to_owned(), source.to_owned());
        Self { path, source, units, insertions: Vec::new(), exports: json!({}), is_module: false, run: None }
    }

    fn unit(&self, byte: u32) -> u32 {
        self.units.get(byte as usize).copied().unwrap_or(byte)
    }

    /// The text with the insertions, which are remembered.
    pub(crate) fn insert(&mut self, source: &str, mut insertions: Vec<(u32, String)>) -> String {
        insertions.sort_by_key(|(at, _)| *at);
        let mut text = String::with_capacity(source.len() * 3);
        let mut done = 0;
        for (at, inserted) in insertions {
            text.push_str(&source[done..at as usize]);
            text.push_str(&inserted);
            done = at as usize;
            self.insertions.push((self.unit(at), inserted.encode_utf16().count() as u32));
        }
        text.push_str(&source[done..]);
        text
    }
}

/// Everything that the runtime must know of the program.
#[derive(Default)]
pub(crate) struct Table {
    pub nodes: Vec<Node>,
    pub functions: Vec<FunctionEntry>,
    pub files: Vec<FileEntry>,
    pub symbols: Vec<Value>,
}

/// The lengths of a table's lists.
pub(super) struct Mark(usize, usize, usize, usize);

impl Table {
    pub(super) fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    pub(super) fn symbol(&mut self, name: &str) -> usize {
        self.symbols.push(json!({"name": name, "f": null, "writes": []}));
        self.symbols.len() - 1
    }

    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() > MOST_NODES
    }

    /// Whether the file that was added last is a module.
    pub(crate) fn last_is_module(&self) -> bool {
        self.files.last().is_some_and(|file| file.is_module)
    }

    /// The file that was added last runs under another name.
    pub(crate) fn run_as(&mut self, path: &str) {
        if let Some(file) = self.files.last_mut() {
            file.run = Some(path.to_owned());
        }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.nodes.len(), self.functions.len(), self.files.len(), self.symbols.len())
    }

    /// Forgets what came after a mark: a file that is not rewritten after all.
    pub(super) fn reset(&mut self, mark: &Mark) {
        self.nodes.truncate(mark.0);
        self.functions.truncate(mark.1);
        self.files.truncate(mark.2);
        self.symbols.truncate(mark.3);
    }

    /// The table as JSON, with places in UTF-16.
    pub(crate) fn json(&self) -> String {
        let nodes: Vec<Value> = self.nodes.iter().map(|node| self.node(node)).collect();
        let functions: Vec<&Value> = self.functions.iter().map(|function| &function.fields).collect();
        let files: Vec<Value> = self
            .files
            .iter()
            .map(|file| {
                let insertions: Vec<u32> =
                    file.insertions.iter().flat_map(|(at, length)| [*at, *length]).collect();
                json!({
                    "path": file.path, "run": file.run, "source": file.source, "ins": insertions,
                    "exports": file.exports,
                })
            })
            .collect();
        json!({"nodes": nodes, "functions": functions, "files": files, "symbols": self.symbols}).to_string()
    }

    fn node(&self, node: &Node) -> Value {
        let file = self.functions.get(node.function).and_then(|function| function.fields["file"].as_u64());
        let file = file.and_then(|file| self.files.get(file as usize));
        let unit = |byte: u32| file.map_or(byte, |file| file.unit(byte));
        let mut value = node.fields.clone();
        value["k"] = node.kind.into();
        value["s"] = unit(node.start).into();
        value["e"] = unit(node.end).into();
        value["f"] = node.function.into();
        value["up"] = node.parent.into();
        if node.recorded {
            value["w"] = 1.into();
        }
        // Further places in the file.
        for place in ["q", "ts", "te"] {
            if let Some(byte) = node.fields[place].as_u64() {
                value[place] = unit(byte as u32).into();
            }
        }
        value
    }
}
