//! Which method `value.method()` calls in Go and Java: the types of values, followed through the files of a project.

use super::facts::FileFacts;
use super::repository::{Place, RepositoryIndex};
use super::values::Value;
use formicary_model::patterns::SymbolKind;
use formicary_syntax::Dialect;
use rustc_hash::FxHashMap;

/// How many steps a value is followed at most, over all files.
const DEEPEST: usize = 24;
/// How many types are looked through for a method that one inherits.
const LARGEST_LINEAGE: usize = 64;

/// A method that is called, and whether it is certainly the one that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Called {
    pub(super) place: Place,
    /// Not where an interface or a subclass may hold another.
    pub(super) certain: bool,
}

/// What a value turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Meaning {
    /// A value of a type as it is written in a file, within what has this path.
    Of { file: usize, within: String, written: String },
    /// A type itself.
    Type(Place),
    /// A function or method.
    Function(Called),
    /// A package of Go's: its files.
    Package(Vec<usize>),
}

/// Whether a member is called: in Java a field and a method may share a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Called,
    Read,
}

impl RepositoryIndex {
    /// The method that a chain of values ends with.
    pub(super) fn called(&self, file: usize, within: &str, value: &Value) -> Option<Called> {
        match self.meaning(file, within, value, Use::Called, DEEPEST)? {
            Meaning::Function(called) => Some(called),
            _ => None,
        }
    }

    fn meaning(&self, file: usize, within: &str, value: &Value, how: Use, left: usize) -> Option<Meaning> {
        let left = left.checked_sub(1)?;
        match value {
            Value::Of(written) => {
                Some(Meaning::Of { file, within: within.to_owned(), written: written.clone() })
            }
            Value::Name(name) => self.outer_name(file, within, name, how, left),
            Value::Member(base, name) => {
                let base = self.meaning(file, within, base, Use::Read, left)?;
                self.member_of(base, name, how, left)
            }
            Value::Result(of, number) => match self.meaning(file, within, of, Use::Called, left)? {
                Meaning::Function(called) => self.result(called.place, *number),
                // `T(x)` of Go.
                Meaning::Type(place) => Some(self.instance(place)),
                _ => None,
            },
            Value::Element(of) => match self.meaning(file, within, of, Use::Read, left)? {
                Meaning::Of { file, within, written } => {
                    Some(Meaning::Of { file, within, written: element(&written)?.to_owned() })
                }
                _ => None,
            },
            Value::Each(all) => {
                let mut meanings = all.iter().map(|one| {
                    let meaning = self.meaning(file, within, one, how, left)?;
                    self.type_of(&meaning)
                });
                let first = meanings.next()??;
                meanings.all(|one| one == Some(first)).then(|| self.instance(first))
            }
        }
    }

    fn instance(&self, place: Place) -> Meaning {
        let written = self.files[place.0].symbols[place.1].path.clone();
        Meaning::Of { file: place.0, within: String::new(), written }
    }

    fn result(&self, place: Place, number: usize) -> Option<Meaning> {
        let facts = &self.files[place.0];
        let path = facts.symbols[place.1].path.clone();
        let written = facts.types.results.get(&path)?.as_str();
        let one = match written.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
            Some(all) => {
                let one = all.split(',').nth(number)?.trim();
                // Results may have names: `(t *T, err error)`.
                one.rsplit(' ').next().unwrap_or(one)
            }
            None if number == 0 => written,
            None => return None,
        };
        Some(Meaning::Of { file: place.0, within: path, written: one.to_owned() })
    }

    /// A name that no function around declares: fields of the classes around it, the file's, the package's, an import.
    fn outer_name(&self, file: usize, within: &str, name: &str, how: Use, left: usize) -> Option<Meaning> {
        let facts = &self.files[file];
        if facts.dialect == Dialect::Java {
            let mut around = within;
            while let Some((outer, _)) = around.rsplit_once('.') {
                let class = self.here(file, outer).filter(|place| self.is_type(*place));
                let found = class.and_then(|class| self.member_of(self.instance(class), name, how, left));
                if found.is_some() {
                    return found;
                }
                around = outer;
            }
        }
        if let Some(place) = self.visible(file, within, name) {
            return self.of_symbol(place, left);
        }
        let import = facts.imports.iter().find(|import| import.local == name && import.level == 0)?;
        match facts.dialect {
            Dialect::Go => Some(Meaning::Package(self.modules.resolve(facts, import))),
            _ => self.of_symbol(self.imported(file, import, &[])?, left),
        }
    }

    fn of_symbol(&self, place: Place, left: usize) -> Option<Meaning> {
        let facts = &self.files[place.0];
        let symbol = &facts.symbols[place.1];
        match symbol.kind {
            SymbolKind::Function | SymbolKind::Method => {
                Some(Meaning::Function(Called { place, certain: true }))
            }
            SymbolKind::Variable => {
                let value = facts.types.variables.get(&symbol.path)?;
                self.meaning(place.0, "", value, Use::Read, left)
            }
            SymbolKind::Module => None,
            _ => Some(Meaning::Type(place)),
        }
    }

    fn member_of(&self, base: Meaning, name: &str, how: Use, left: usize) -> Option<Meaning> {
        let left = left.checked_sub(1)?;
        match base {
            Meaning::Package(files) => {
                let mut places = files.into_iter().filter_map(|file| self.here(file, name));
                let place = places.next().filter(|_| places.next().is_none())?;
                self.of_symbol(place, left)
            }
            Meaning::Function(_) => None,
            Meaning::Type(class) => {
                let path = format!("{}.{name}", self.files[class.0].symbols[class.1].path);
                let inner = self.here(class.0, &path).filter(|place| self.is_type(*place));
                inner.map(Meaning::Type).or_else(|| self.member_of(self.instance(class), name, how, left))
            }
            Meaning::Of { .. } => {
                let class = self.type_of(&base)?;
                let method = || self.method(class, name).map(Meaning::Function);
                match how {
                    Use::Called => method(),
                    Use::Read => self.field(class, name).or_else(method),
                }
            }
        }
    }

    /// A method of a type, its own or that of what it extends or embeds.
    pub(super) fn method(&self, class: Place, name: &str) -> Option<Called> {
        let lineage = self.lineage(class);
        let mut depth = 0;
        while depth <= lineage.last()?.0 {
            let here = lineage.iter().filter(|(own, _)| *own == depth);
            let mut found = here.filter_map(|(_, class)| self.own_method(*class, name));
            if let Some(first) = found.next() {
                // A class comes before interfaces; two that Go embeds at one depth are ambiguous.
                let java = self.files[class.0].dialect == Dialect::Java;
                return (java || found.next().is_none()).then_some(first);
            }
            depth += 1;
        }
        None
    }

    fn own_method(&self, class: Place, name: &str) -> Option<Called> {
        let facts = &self.files[class.0];
        let path = format!("{}.{name}", facts.symbols[class.1].path);
        let place = match facts.dialect {
            // Overloads stand in one file.
            Dialect::Java => self.here(class.0, &path)?,
            _ => self.in_package(class.0, &path)?,
        };
        if self.files[place.0].symbols[place.1].kind != SymbolKind::Method {
            return None;
        }
        let shape = facts.types.shapes.get(&facts.symbols[class.1].path);
        let overridden = || {
            let heirs = self.heirs.get(&class).map(Vec::as_slice).unwrap_or_default();
            heirs.iter().any(|heir| {
                let path = &self.files[heir.0].symbols[heir.1].path;
                self.here(heir.0, &format!("{path}.{name}")).is_some()
            })
        };
        let open = shape.is_some_and(|shape| shape.interface) || overridden();
        Some(Called { place, certain: !open })
    }

    fn field(&self, class: Place, name: &str) -> Option<Meaning> {
        self.lineage(class).into_iter().find_map(|(_, class)| {
            let facts = &self.files[class.0];
            let path = &facts.symbols[class.1].path;
            let shape = facts.types.shapes.get(path)?;
            let own = shape.fields.iter().find(|(field, _)| field == name).map(|(_, written)| written);
            let embedded = || {
                let mut bases = shape.bases.iter().filter(|_| facts.dialect == Dialect::Go);
                bases.find(|base| base.rsplit('.').next() == Some(name))
            };
            let written = own.or_else(embedded)?.clone();
            Some(Meaning::Of { file: class.0, within: path.clone(), written })
        })
    }

    /// A type and what it extends or embeds, with how far away, nearest first.
    fn lineage(&self, class: Place) -> Vec<(usize, Place)> {
        let mut all = vec![(0, class)];
        let mut at = 0;
        while let Some((depth, class)) = all.get(at).copied() {
            at += 1;
            let facts = &self.files[class.0];
            let path = &facts.symbols[class.1].path;
            let bases = facts.types.shapes.get(path).map(|shape| shape.bases.as_slice()).unwrap_or_default();
            for written in bases.iter().take(LARGEST_LINEAGE) {
                let base = self.written_type(class.0, path, written);
                if let Some(base) = base.filter(|base| all.iter().all(|(_, known)| known != base)) {
                    all.push((depth + 1, base));
                }
            }
            if all.len() >= LARGEST_LINEAGE {
                break;
            }
        }
        all
    }

    /// Which types of Java's extend which, at any distance.
    pub(super) fn heirs(&self) -> FxHashMap<Place, Vec<Place>> {
        let mut heirs: FxHashMap<Place, Vec<Place>> = FxHashMap::default();
        for (file, facts) in self.files.iter().enumerate().filter(|(_, facts)| facts.dialect == Dialect::Java)
        {
            for path in facts.types.shapes.iter().filter(|(_, shape)| !shape.bases.is_empty()) {
                let Some(class) = self.here(file, path.0) else { continue };
                for (_, base) in self.lineage(class).into_iter().skip(1) {
                    heirs.entry(base).or_default().push(class);
                }
            }
        }
        heirs
    }

    fn type_of(&self, meaning: &Meaning) -> Option<Place> {
        match meaning {
            Meaning::Of { file, within, written } => self.written_type(*file, within, written),
            Meaning::Type(place) => Some(*place),
            Meaning::Function(_) | Meaning::Package(_) => None,
        }
    }

    /// The type that is written like this in a file.
    fn written_type(&self, file: usize, within: &str, written: &str) -> Option<Place> {
        let facts = &self.files[file];
        let plain = written.trim().trim_start_matches(['*', '&']).trim();
        let plain = plain.strip_prefix("final ").unwrap_or(plain);
        if plain.starts_with(['[', '(']) || plain.ends_with(']') && facts.dialect == Dialect::Java {
            return None;
        }
        let plain = plain.split(['<', '[']).next()?.trim();
        if plain.is_empty() || !plain.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.')) {
            return None;
        }
        let whole = self.visible(file, within, plain).filter(|place| self.is_type(*place));
        if whole.is_some() {
            return whole;
        }
        let mut parts = plain.split('.');
        let first = parts.next()?;
        let rest: Vec<String> = parts.map(str::to_owned).collect();
        let import = facts.imports.iter().find(|import| import.local == first)?;
        let found = match facts.dialect {
            Dialect::Go => {
                let files = self.modules.resolve(facts, import);
                files.into_iter().find_map(|file| self.here(file, rest.first()?))
            }
            _ => self.imported(file, import, &rest),
        };
        found.filter(|place| self.is_type(*place))
    }

    /// What has this path, seen from within another: inside of it, around it, in its file, in its package.
    fn visible(&self, file: usize, within: &str, path: &str) -> Option<Place> {
        let mut around = within;
        while !around.is_empty() {
            if let Some(place) = self.here(file, &format!("{around}.{path}"))
                && self.is_type(place)
            {
                return Some(place);
            }
            around = around.rsplit_once('.').map_or("", |(outer, _)| outer);
        }
        self.here(file, path).or_else(|| self.in_package(file, path))
    }

    fn is_type(&self, place: Place) -> bool {
        use SymbolKind::{Alias, Class, Enum, Interface};
        matches!(self.files[place.0].symbols[place.1].kind, Class | Interface | Enum | Alias)
    }

    /// What has this path in the package of a file, where that is one thing alone.
    fn in_package(&self, file: usize, path: &str) -> Option<Place> {
        let facts = &self.files[file];
        let key = (package_of(facts)?, path.to_owned());
        let mut all = self.by_package.get(&key)?.iter();
        all.next().copied().filter(|_| all.next().is_none())
    }

    /// Everything in packages of Go and Java, by the package and the path.
    pub(super) fn packages(&self) -> FxHashMap<(String, String), Vec<Place>> {
        let mut packages: FxHashMap<(String, String), Vec<Place>> = FxHashMap::default();
        for (file, facts) in self.files.iter().enumerate() {
            let Some(package) = package_of(facts) else { continue };
            for (number, symbol) in facts.symbols.iter().enumerate() {
                let key = (package.clone(), symbol.path.clone());
                packages.entry(key).or_default().push((file, number));
            }
        }
        packages
    }
}

/// What the files of a package share, so that each sees what is in the others.
fn package_of(facts: &FileFacts) -> Option<String> {
    let beside = super::repository::folder(&facts.path);
    match (facts.dialect, facts.package.as_deref()) {
        (Dialect::Java, Some(package)) => Some(package.to_owned()),
        (Dialect::Java, None) => Some(format!("/{beside}")),
        // Tests may be a package of their own in the same directory.
        (Dialect::Go, package) => Some(format!("{beside}:{}", package.unwrap_or(""))),
        _ => None,
    }
}

/// The type of the elements of a written one.
fn element(written: &str) -> Option<&str> {
    let written = written.trim();
    if let Some(rest) = written.strip_prefix('[') {
        return rest.split_once(']').map(|(_, element)| element);
    }
    if let Some(rest) = written.strip_prefix("map[") {
        return rest.split_once(']').map(|(_, element)| element);
    }
    if let Some(element) = written.strip_suffix("[]") {
        return Some(element);
    }
    let (outer, inner) = written.split_once('<')?;
    let is_one = matches!(outer.trim(), "List" | "ArrayList" | "Set" | "HashSet" | "Collection" | "Iterable");
    inner.strip_suffix('>').filter(|_| is_one)
}
