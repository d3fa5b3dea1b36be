//! Which declaration of the one version is which of the other.
//!
//! First by name and place, then by what they hold. A method is only taken for another when what they do is alike: with a
//! small body that needs more than with a large one.

use super::declarations::{File, Method, Statement, Type, Version};
use super::fields::Field;
use formicary_clones::differences::kept;
use formicary_clones::tokens::Class;
use rustc_hash::{FxHashMap, FxHashSet};

/// Pairs of declarations, as numbers in the two versions.
#[derive(Debug, Default)]
pub struct Matches {
    /// Files, where their paths differ.
    pub files: Vec<(usize, usize)>,
    /// Types.
    pub types: Vec<(usize, usize)>,
    /// Methods.
    pub methods: Vec<(usize, usize)>,
    after: FxHashMap<usize, usize>,
    before: FxHashMap<usize, usize>,
}

impl Matches {
    fn types_are(&mut self, before: usize, after: usize) {
        self.types.push((before, after));
        self.after.insert(before, after);
        self.before.insert(after, before);
    }

    /// What a type became.
    pub fn type_after(&self, before: usize) -> Option<usize> {
        self.after.get(&before).copied()
    }

    /// What a type was.
    pub fn type_before(&self, after: usize) -> Option<usize> {
        self.before.get(&after).copied()
    }
}

/// Statements that stand for one another: place in the one body, in the other.
#[derive(Debug, Default)]
pub struct Aligned {
    /// Equal words.
    pub equal: Vec<(usize, usize)>,
    /// Equal shape, other names.
    pub alike: Vec<(usize, usize)>,
}

impl Aligned {
    /// From 0 to 1: the share of both bodies that stands in both; names that changed count a little less.
    pub fn likeness(&self, a: &[Statement], b: &[Statement]) -> f64 {
        let total: usize = a.iter().chain(b).map(Statement::size).sum();
        if total == 0 {
            return 0.0;
        }
        let size = |(i, j): &(usize, usize)| (a[*i].size() + b[*j].size()) as f64;
        let shared: f64 =
            self.equal.iter().map(size).sum::<f64>() + self.alike.iter().map(size).sum::<f64>() * 0.8;
        shared / total as f64
    }
}

/// Finds which statements of two bodies are the same.
pub fn align(left: &File<'_>, a: &[Statement], right: &File<'_>, b: &[Statement]) -> Aligned {
    let exact = |list: &[Statement]| list.iter().map(|statement| statement.exact).collect::<Vec<_>>();
    let mut aligned = Aligned { equal: kept(&exact(a), &exact(b)), alike: Vec::new() };
    let mut free_a: Vec<bool> = vec![true; a.len()];
    let mut free_b: Vec<bool> = vec![true; b.len()];
    for (i, j) in &aligned.equal {
        free_a[*i] = false;
        free_b[*j] = false;
    }
    // Moved within the body.
    let mut places: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (j, statement) in b.iter().enumerate().rev().filter(|(j, _)| free_b[*j]) {
        places.entry(statement.exact).or_default().push(j);
    }
    for (i, statement) in a.iter().enumerate() {
        if free_a[i]
            && let Some(j) = places.get_mut(&statement.exact).and_then(Vec::pop)
        {
            free_a[i] = false;
            free_b[j] = false;
            aligned.equal.push((i, j));
        }
    }
    // The same shape between the same neighbours, with names in common.
    let rest = |list: &[Statement], free: &[bool]| -> (Vec<usize>, Vec<u64>) {
        let left = list.iter().enumerate().filter(|(index, _)| free[*index]);
        left.map(|(index, statement)| (index, statement.shape)).unzip()
    };
    let ((own, shapes), (others, other_shapes)) = (rest(a, &free_a), rest(b, &free_b));
    for (x, y) in kept(&shapes, &other_shapes) {
        let (i, j) = (own[x], others[y]);
        if names_shared(left, &a[i], right, &b[j]) >= 0.3 {
            aligned.alike.push((i, j));
        }
    }
    aligned
}

/// From 0 to 1: how many names two statements share.
pub fn names_shared(left: &File<'_>, a: &Statement, right: &File<'_>, b: &Statement) -> f64 {
    let names = |file: &File<'_>, statement: &Statement| -> Vec<u32> {
        let own = &file.tokens[statement.tokens.clone()];
        let mut names: Vec<u32> = own
            .iter()
            .filter(|token| token.class == Class::Name || token.class == Class::Literal)
            .map(|token| formicary_clones::tokens::number(file.word(token).as_bytes()))
            .collect();
        names.sort_unstable();
        names
    };
    let (x, y) = (names(left, a), names(right, b));
    let larger = x.len().max(y.len());
    if larger == 0 {
        return 1.0;
    }
    let mut rest = y;
    let shared = x
        .iter()
        .filter(|name| rest.iter().position(|other| other == *name).map(|at| rest.swap_remove(at)).is_some());
    shared.count() as f64 / larger as f64
}

/// Finds the pairs.
pub fn matches(before: &Version<'_>, after: &Version<'_>) -> Matches {
    let mut found = Matches::default();
    let mut used = Used::default();
    // A method that is where it was.
    let mut places: FxHashMap<(&str, &str, &str), Vec<usize>> = FxHashMap::default();
    for (index, method) in after.methods.iter().enumerate() {
        places.entry((after.file_of(method).path, &method.home, method.name)).or_default().push(index);
    }
    // An overload with the same signature is the same method, whatever it does now.
    for (index, method) in before.methods.iter().enumerate() {
        let key = (before.file_of(method).path, method.home.as_str(), method.name);
        let same =
            |at: &&usize| !used.after.contains(*at) && signature(method).eq(signature(&after.methods[**at]));
        let best = places.get(&key).and_then(|candidates| candidates.iter().find(same)).copied();
        if let Some(best) = best {
            used.take(&mut found, index, best);
        }
    }
    for (index, method) in before.methods.iter().enumerate() {
        let key = (before.file_of(method).path, method.home.as_str(), method.name);
        let Some(candidates) = places.get(&key) else { continue };
        if used.before.contains(&index) {
            continue;
        }
        let best = candidates
            .iter()
            .filter(|candidate| !used.after.contains(*candidate))
            .max_by(|x, y| {
                let score = |at: usize| sameness(before, method, after, &after.methods[at]);
                score(**x).total_cmp(&score(**y)).then(y.cmp(x))
            })
            .copied();
        // With overloads, each waits for the one that fits it best.
        let overloaded = candidates.len() > 1;
        if let Some(best) = best
            && (!overloaded || sameness(before, method, after, &after.methods[best]) >= 0.5)
        {
            used.take(&mut found, index, best);
        }
    }
    types(before, after, &mut found, &used);
    by_likeness(before, after, &mut found, &mut used, Reach::SameType);
    by_likeness(before, after, &mut found, &mut used, Reach::Anywhere);
    files(before, after, &mut found);
    found
}

// What tells overloads apart: types, and names where nothing says a type.
fn signature<'m>(method: &'m Method<'_>) -> impl Iterator<Item = &'m str> {
    method.parameters.iter().map(|parameter| parameter.kind.unwrap_or(parameter.name))
}

/// How much two methods with one name are the same: parameters first, then what they do.
fn sameness(before: &Version<'_>, a: &Method<'_>, after: &Version<'_>, b: &Method<'_>) -> f64 {
    let same = a.parameters.len() == b.parameters.len()
        && a.parameters.iter().zip(&b.parameters).all(|(x, y)| x.kind == y.kind && x.name == y.name);
    let types = a.parameters.len() == b.parameters.len()
        && a.parameters.iter().zip(&b.parameters).all(|(x, y)| x.kind == y.kind);
    let body = if a.body_hash == b.body_hash {
        1.0
    } else {
        align(before.file_of(a), &a.body, after.file_of(b), &b.body).likeness(&a.body, &b.body)
    };
    f64::from(u8::from(same)) * 0.3 + f64::from(u8::from(types)) * 0.5 + body
}

#[derive(Debug, Default)]
struct Used {
    before: FxHashSet<usize>,
    after: FxHashSet<usize>,
}

impl Used {
    fn take(&mut self, found: &mut Matches, b: usize, a: usize) {
        self.before.insert(b);
        self.after.insert(a);
        found.methods.push((b, a));
    }
}

// Types by path, then by what they hold.
fn types(before: &Version<'_>, after: &Version<'_>, found: &mut Matches, used: &Used) {
    let mut left: Vec<usize> = Vec::new();
    let mut taken: FxHashSet<usize> = FxHashSet::default();
    let mut places: FxHashMap<(&str, &str), Vec<usize>> = FxHashMap::default();
    for (index, own) in after.types.iter().enumerate().rev() {
        places.entry((after.files[own.file].path, &own.path)).or_default().push(index);
    }
    for (index, own) in before.types.iter().enumerate() {
        match places.get_mut(&(before.files[own.file].path, own.path.as_str())).and_then(Vec::pop) {
            Some(same) => {
                taken.insert(same);
                found.types_are(index, same);
            }
            None => left.push(index),
        }
    }
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    let known = Known::of(after, &taken);
    for b in &left {
        for a in known.candidates(before, &before.types[*b]) {
            let (own, other) = (&before.types[*b], &after.types[a]);
            let score = type_likeness(before, own, after, other, used);
            let named = own.name == other.name;
            if own.kind == other.kind && (score >= 0.5 || named && score >= 0.25) {
                pairs.push((score + f64::from(u8::from(named)), *b, a));
            }
        }
    }
    pairs.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    let mut gone: FxHashSet<usize> = FxHashSet::default();
    for (_, b, a) in pairs {
        if !gone.contains(&b) && taken.insert(a) {
            gone.insert(b);
            found.types_are(b, a);
        }
    }
}

/// New types by their names and by those of their members, so that not all are compared with all.
#[derive(Debug, Default)]
struct Known<'a> {
    names: FxHashMap<&'a str, Vec<usize>>,
}

/// A name that more types have says nothing about one.
const COMMON: usize = 60;

impl<'a> Known<'a> {
    fn of(after: &Version<'a>, taken: &FxHashSet<usize>) -> Self {
        let mut known = Self::default();
        for (index, own) in after.types.iter().enumerate().filter(|(index, _)| !taken.contains(index)) {
            for name in words_of(after, own) {
                known.names.entry(name).or_default().push(index);
            }
        }
        known
    }

    fn candidates(&self, before: &Version<'_>, own: &Type<'_>) -> Vec<usize> {
        let lists = words_of(before, own).into_iter().filter_map(|name| self.names.get(name));
        let mut found: Vec<usize> = lists.filter(|list| list.len() <= COMMON).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn words_of<'a>(version: &Version<'a>, own: &Type<'a>) -> FxHashSet<&'a str> {
    let methods = own.methods.iter().map(|method| version.methods[*method].name);
    methods.chain(own.fields.iter().map(|field| field.name)).chain([own.name]).collect()
}

// The share of members of both that the other has: methods by name and body, fields by name and type.
fn type_likeness(before: &Version<'_>, a: &Type<'_>, after: &Version<'_>, b: &Type<'_>, used: &Used) -> f64 {
    let mut shared = 0.0;
    let mut rest: Vec<usize> = b.methods.iter().copied().filter(|m| !used.after.contains(m)).collect();
    for own in &a.methods {
        let own = &before.methods[*own];
        // A constructor is called like its type.
        let built = |method: &Method<'_>, owner: &Type<'_>| method.name == owner.name;
        let at = rest.iter().position(|other| {
            let other = &after.methods[*other];
            (own.name == other.name || built(own, a) && built(other, b))
                || own.weight() > 8 && own.body_hash == other.body_hash
        });
        if let Some(at) = at {
            let other = &after.methods[rest.swap_remove(at)];
            let body = if own.body_hash == other.body_hash {
                1.0
            } else {
                align(before.file_of(own), &own.body, after.file_of(other), &other.body)
                    .likeness(&own.body, &other.body)
            };
            shared += 2.0 * (0.4 + 0.6 * body);
        }
    }
    let same = |x: &Field<'_>, y: &Field<'_>| x.name == y.name && x.kind == y.kind;
    let fields = a.fields.iter().filter(|x| b.fields.iter().any(|y| same(x, y))).count();
    shared += 2.0 * fields as f64;
    let total = a.methods.len() + b.methods.len() + a.fields.len() + b.fields.len();
    if total == 0 { 0.0 } else { shared / total as f64 }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    SameType,
    Anywhere,
}

/// Bodies below this weight are alike by chance.
const SLIGHT: usize = 14;

fn by_likeness(
    before: &Version<'_>,
    after: &Version<'_>,
    found: &mut Matches,
    used: &mut Used,
    reach: Reach,
) {
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    let traits = Traits::of(after, used, reach);
    for (b, own) in before.methods.iter().enumerate().filter(|(b, _)| !used.before.contains(b)) {
        for a in traits.candidates(own, own.owner.and_then(|owner| found.type_after(owner)), before) {
            let other = &after.methods[a];
            let together = match (own.owner, other.owner) {
                (Some(x), Some(y)) => found.type_after(x) == Some(y),
                (None, None) => before.file_of(own).path == after.file_of(other).path,
                _ => false,
            };
            if (reach == Reach::SameType) == together
                && let Some(score) = likeness(before, own, after, other, found, together)
            {
                pairs.push((score, b, a));
            }
        }
    }
    pairs.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    for (_, b, a) in pairs {
        if !used.before.contains(&b) && !used.after.contains(&a) {
            used.take(found, b, a);
        }
    }
}

/// New methods by what they have in common with others, so that not all are compared with all.
#[derive(Debug, Default)]
struct Traits<'a> {
    by_name: FxHashMap<&'a str, Vec<usize>>,
    by_type: FxHashMap<usize, Vec<usize>>,
    by_file: FxHashMap<&'a str, Vec<usize>>,
    by_statement: FxHashMap<u64, Vec<usize>>,
    reach: Option<Reach>,
}

impl<'a> Traits<'a> {
    fn of(after: &Version<'a>, used: &Used, reach: Reach) -> Self {
        let mut traits = Self { reach: Some(reach), ..Self::default() };
        for (index, method) in
            after.methods.iter().enumerate().filter(|(index, _)| !used.after.contains(index))
        {
            if reach == Reach::SameType {
                match method.owner {
                    Some(owner) => traits.by_type.entry(owner).or_default().push(index),
                    None => traits.by_file.entry(after.file_of(method).path).or_default().push(index),
                }
                continue;
            }
            traits.by_name.entry(method.name).or_default().push(index);
            for mark in marks(method) {
                traits.by_statement.entry(mark).or_default().push(index);
            }
        }
        traits
    }

    fn candidates(&self, own: &Method<'_>, now: Option<usize>, before: &Version<'_>) -> Vec<usize> {
        if self.reach == Some(Reach::SameType) {
            let list = match own.owner {
                Some(_) => now.and_then(|now| self.by_type.get(&now)),
                None => self.by_file.get(before.file_of(own).path),
            };
            return list.cloned().unwrap_or_default();
        }
        let named = self.by_name.get(own.name).into_iter();
        let lists = named.chain(marks(own).into_iter().filter_map(|mark| self.by_statement.get(&mark)));
        let mut found: Vec<usize> = lists.filter(|list| list.len() <= COMMON).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

// Statements that say enough to be recognised by: their words, and their shapes where they are long.
fn marks(method: &Method<'_>) -> FxHashSet<u64> {
    let body = || method.body.iter();
    let exact = body().filter(|statement| statement.size() >= 4).map(|statement| statement.exact);
    let shapes = body().filter(|statement| statement.size() >= 7).map(|statement| statement.shape);
    exact.chain(shapes).collect()
}

fn likeness(
    before: &Version<'_>,
    own: &Method<'_>,
    after: &Version<'_>,
    other: &Method<'_>,
    found: &Matches,
    together: bool,
) -> Option<f64> {
    let built = |version: &Version<'_>, method: &Method<'_>| {
        method.owner.is_some_and(|owner| version.types[owner].name == method.name)
            || matches!(method.name, "__init__" | "constructor")
    };
    let (constructs, other_constructs) = (built(before, own), built(after, other));
    if constructs != other_constructs {
        return None;
    }
    let named = own.name == other.name || constructs;
    // Constructors do not move.
    if constructs && !together {
        return None;
    }
    let (weight, other_weight) = (own.weight(), other.weight());
    let (small, large) = (weight.min(other_weight), weight.max(other_weight));
    let arity = own.parameters.len() == other.parameters.len();
    if own.body.is_empty() || other.body.is_empty() {
        // Nothing but names and parameters to go by.
        let parameters = own.parameters.iter().map(|p| (p.name, p.kind));
        let same = arity && parameters.eq(other.parameters.iter().map(|p| (p.name, p.kind)));
        let both = own.body.is_empty() && other.body.is_empty();
        let enough = named && together || both && same && own.returns == other.returns && together;
        return enough.then_some(0.6);
    }
    if small * 4 < large {
        return (named && together).then_some(0.3);
    }
    let score = if own.body_hash == other.body_hash {
        1.0
    } else {
        align(before.file_of(own), &own.body, after.file_of(other), &other.body)
            .likeness(&own.body, &other.body)
    };
    let related = own
        .owner
        .zip(other.owner)
        .is_some_and(|(x, y)| found.type_after(x).is_some() && found.type_before(y).is_some());
    let needed = match (named, together) {
        (true, true) => 0.1,
        (true, false) if small >= SLIGHT => 0.5,
        (true, false) => 0.8,
        (false, true) if small >= SLIGHT => 0.6,
        (false, true) if arity => 0.9,
        (false, false) if small >= 2 * SLIGHT && related => 0.75,
        (false, false) if small >= 2 * SLIGHT => 0.8,
        _ => return None,
    };
    (score >= needed).then_some(score + if named { 0.5 } else { 0.0 } + if together { 0.2 } else { 0.0 })
}

// A file that is gone and one that is new, most of whose declarations are pairs.
fn files(before: &Version<'_>, after: &Version<'_>, found: &mut Matches) {
    let paths = |version: &Version<'_>| -> FxHashSet<String> {
        version.files.iter().map(|file| file.path.to_owned()).collect()
    };
    let (old_paths, new_paths) = (paths(before), paths(after));
    let members = |version: &Version<'_>| -> Vec<usize> {
        let mut counts = vec![0; version.files.len()];
        version.methods.iter().for_each(|method| counts[method.file] += 1);
        version.types.iter().for_each(|own| counts[own.file] += 1);
        counts
    };
    let (old_members, new_members) = (members(before), members(after));
    let mut shared: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for (b, a) in &found.methods {
        *shared.entry((before.methods[*b].file, after.methods[*a].file)).or_default() += 1;
    }
    for (b, a) in &found.types {
        *shared.entry((before.types[*b].file, after.types[*a].file)).or_default() += 1;
    }
    let mut texts: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (a, new) in after.files.iter().enumerate().rev().filter(|(_, file)| !old_paths.contains(file.path)) {
        texts.entry(new.unit.source).or_default().push(a);
    }
    for (b, old) in before.files.iter().enumerate().filter(|(_, file)| !new_paths.contains(file.path)) {
        if let Some(a) = texts.get_mut(old.unit.source).and_then(Vec::pop) {
            shared.insert((b, a), usize::MAX / 4);
        }
    }
    let mut pairs: Vec<(usize, usize, usize)> =
        shared.into_iter().map(|((b, a), count)| (count, b, a)).collect();
    pairs.sort_by_key(|(count, b, a)| (std::cmp::Reverse(*count), *b, *a));
    let (mut left, mut right) = (FxHashSet::default(), FxHashSet::default());
    for (count, b, a) in pairs {
        let (old, new) = (&before.files[b], &after.files[a]);
        if new_paths.contains(old.path) || old_paths.contains(new.path) {
            continue;
        }
        let most = old_members[b].max(new_members[a]);
        if count * 2 >= most && !left.contains(&b) && right.insert(a) {
            left.insert(b);
            found.files.push((b, a));
        }
    }
}
