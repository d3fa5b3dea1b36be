//! The variables of a method: renamed, retyped, extracted, inlined, turned into parameters or fields.

use super::declarations::{File, Method, Statement};
use super::fields::Field;
use super::heads::{self, Head};
use super::pairs::Pair;
use super::parts;
use super::{Draft, place, squeezed};
use formicary_model::refactorings::{RefactoringKind as Kind, RefactoringPlace};
use formicary_syntax::{Declares, Dialect, ExprId, ExprKind, Handler, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// A variable where it is declared; in Python where it is first given something.
#[derive(Debug, Clone)]
pub struct Local<'a> {
    /// Its name.
    pub name: &'a str,
    /// The line.
    pub line: u32,
    /// The number of the statement in the method's body.
    pub statement: Option<usize>,
    /// Its type.
    pub kind: Option<String>,
    /// The words of what it is given.
    pub value: Vec<&'a str>,
    /// What stands before it.
    pub head: Head,
}

/// The variables of a method, in their order.
pub fn of<'a>(file: &File<'a>, method: &Method<'a>) -> Vec<Local<'a>> {
    let mut reader = Reader { file, method, found: Vec::new(), seen: FxHashSet::default() };
    for id in file.statements_of(method.id) {
        match &file.unit.stmt(*id).kind {
            StmtKind::Assign { targets, operator: None, value, annotation, declares } => {
                for target in targets {
                    reader.target(*target, *value, *annotation, *declares != Declares::Nothing);
                }
            }
            StmtKind::Loop { target: Some(target), .. } => reader.target(*target, None, None, true),
            StmtKind::With { items, .. } => {
                for (value, target) in items {
                    if let Some(target) = target {
                        reader.target(*target, Some(*value), None, true);
                    }
                }
            }
            StmtKind::Try { handlers, .. } => handlers.iter().for_each(|handler| reader.caught(handler)),
            _ => {}
        }
    }
    reader.found
}

struct Reader<'r, 'a> {
    file: &'r File<'a>,
    method: &'r Method<'a>,
    found: Vec<Local<'a>>,
    seen: FxHashSet<&'a str>,
}

impl<'a> Reader<'_, 'a> {
    // The exception's name.
    fn caught(&mut self, handler: &Handler<'a>) {
        let Some(name) = handler.name else { return };
        let token = self.file.within(handler.span).iter().find(|token| self.file.word(token) == name);
        if let Some(token) = token
            && (self.file.unit.dialect != Dialect::Python || self.seen.insert(name))
        {
            self.add(name, token.start, None, None);
        }
    }

    fn add(&mut self, name: &'a str, start: u32, value: Option<ExprId>, annotation: Option<&'a str>) {
        let unit = &self.file.unit;
        let token = self.file.tokens.partition_point(|token| token.start < start);
        let statement = self.method.body.iter().position(|one| one.tokens.contains(&token));
        let head = if unit.dialect == Dialect::Java {
            heads::before_name(self.file, start)
        } else {
            Head::default()
        };
        let kind = match annotation {
            Some(kind) => Some(squeezed(kind)),
            None => Some(head.kind.concat()).filter(|kind| !kind.is_empty()),
        };
        self.found.push(Local {
            name,
            line: unit.lines.line(start),
            statement,
            kind,
            value: value.map(|value| self.file.words(unit.expr(value).span)).unwrap_or_default(),
            head,
        });
    }

    fn target(&mut self, target: ExprId, value: Option<ExprId>, annotation: Option<&'a str>, declares: bool) {
        let unit = &self.file.unit;
        match unit.kind(target) {
            ExprKind::Name(name) => {
                let by_first = matches!(unit.dialect, Dialect::Python | Dialect::Bash);
                let known = self.method.parameters.iter().any(|parameter| parameter.name == *name);
                if known || !(declares || by_first) || by_first && !self.seen.insert(name) || name.is_empty()
                {
                    return;
                }
                self.add(name, unit.expr(target).span.start, value, annotation);
            }
            ExprKind::Collection { items, .. } => {
                for item in items {
                    self.target(item.value, None, None, declares);
                }
            }
            _ => {}
        }
    }
}

/// What is asked about the variables of one method.
#[derive(Debug)]
pub struct Change<'p, 'v, 'a> {
    pub(super) pair: &'p Pair<'v, 'a>,
    old: Vec<Local<'a>>,
    new: Vec<Local<'a>>,
    removed: Vec<&'v Statement>,
    added: Vec<&'v Statement>,
}

impl<'p, 'v, 'a> Change<'p, 'v, 'a> {
    /// Reads the variables of both versions.
    pub fn new(pair: &'p Pair<'v, 'a>) -> Self {
        let (removed, added) = pair.differing();
        Self { pair, old: of(pair.left, pair.was), new: of(pair.right, pair.is), removed, added }
    }

    /// Where the method stands, before and after.
    fn whole(&self) -> (RefactoringPlace, RefactoringPlace) {
        (
            super::place_of_method(self.pair.left, self.pair.was),
            super::place_of_method(self.pair.right, self.pair.is),
        )
    }

    /// Tells about variables. `gone` and `come` are the fields that the method's type lost and got.
    pub fn tell(&self, gone: &[&Field<'a>], come: &[&Field<'a>], out: &mut Vec<Draft>) {
        let renamed = self.declared(out);
        let has = |list: &[Local<'_>], name: &str| list.iter().any(|local| local.name == name);
        let takes = |method: &Method<'_>, name: &str| method.parameters.iter().any(|p| p.name == name);
        let (was, is) = (self.pair.was, self.pair.is);
        let mut told: FxHashSet<&str> = FxHashSet::default();
        for local in self.new.iter().filter(|local| !has(&self.old, local.name) && told.insert(local.name)) {
            if renamed.values().any(|to| *to == local.name) {
                continue;
            }
            if takes(was, local.name) {
                if !takes(is, local.name) {
                    self.one(
                        Kind::LocalizeParameter,
                        "is a variable now, was a parameter,",
                        None,
                        Some(local),
                        out,
                    );
                }
            } else if gone.iter().any(|field| field.name == local.name) {
                self.one(
                    Kind::ReplaceFieldWithVariable,
                    "is a variable now, was an attribute,",
                    None,
                    Some(local),
                    out,
                );
            } else if self.stood(&local.value, local.name, Way::Extracted) {
                self.one(Kind::ExtractVariable, "was extracted", None, Some(local), out);
            }
        }
        told.clear();
        for local in self.old.iter().filter(|local| !has(&self.new, local.name) && told.insert(local.name)) {
            if renamed.contains_key(local.name) {
                continue;
            }
            let now = self.pair.called_now(local.name).map_or(local.name, |(to, _)| to);
            let fresh = |name: &str| takes(is, name) && !takes(was, name);
            if fresh(local.name) || fresh(now) {
                self.one(Kind::ParameterizeVariable, "is a parameter now", Some(local), None, out);
            } else if come
                .iter()
                .any(|field| field.name == local.name || field.name == now && now != local.name)
            {
                self.one(Kind::ReplaceVariableWithField, "is an attribute now", Some(local), None, out);
            } else if self.stood(&local.value, local.name, Way::Inlined) {
                self.one(Kind::InlineVariable, "was inlined", Some(local), None, out);
            }
        }
        self.of_fields(gone, come, out);
    }

    fn of_fields(&self, gone: &[&Field<'a>], come: &[&Field<'a>], out: &mut Vec<Draft>) {
        let (x, y) = self.whole();
        for field in come.iter().filter(|field| self.stood(&field.value, field.name, Way::Extracted)) {
            let now = place(self.pair.right, field.line, field.line, field.name);
            let text = format!("the attribute {} was extracted from {}", field.name, self.pair.is.shown());
            out.push(Draft::new(Kind::ExtractField, text, x.clone(), now, 0.85).covering(&[], &[field.line]));
        }
        for field in gone {
            let was = place(self.pair.left, field.line, field.line, field.name);
            if self.pair.is.parameters.iter().any(|p| p.name == field.name)
                && !self.pair.was.parameters.iter().any(|p| p.name == field.name)
                && self.pair.changed()
                && self.mentions(field.name)
            {
                let text = format!("{} is a parameter of {} now", field.name, self.pair.is.shown());
                out.push(Draft::new(Kind::ParameterizeField, text, was, y.clone(), 0.8));
            } else if self.stood(&field.value, field.name, Way::Inlined) {
                let text = format!("the attribute {} was inlined into {}", field.name, self.pair.is.shown());
                out.push(
                    Draft::new(Kind::InlineField, text, was, y.clone(), 0.85).covering(&[field.line], &[]),
                );
            }
        }
    }

    fn mentions(&self, name: &str) -> bool {
        let span = self.pair.left.unit.function(self.pair.was.id).body_span;
        self.pair.left.within(span).iter().any(|token| self.pair.left.word(token) == name)
    }

    fn one(
        &self,
        kind: Kind,
        said: &str,
        old: Option<&Local<'a>>,
        new: Option<&Local<'a>>,
        out: &mut Vec<Draft>,
    ) {
        let Some(local) = old.or(new) else { return };
        let (whole, whole_now) = self.whole();
        let of = |file, local: Option<&Local<'_>>, whole| match local {
            Some(local) => place(file, local.line, local.line, local.name),
            None => whole,
        };
        let text = format!("{} {said} in {}", local.name, self.pair.is.shown());
        let lines = |local: Option<&Local<'_>>| local.map(|local| local.line).into_iter().collect::<Vec<_>>();
        out.push(
            Draft::new(kind, text, of(self.pair.left, old, whole), of(self.pair.right, new, whole_now), 0.85)
                .covering(&lines(old), &lines(new)),
        );
    }

    // Declarations that are one: other name, other type, other words before it. Gives the renames.
    fn declared(&self, out: &mut Vec<Draft>) -> FxHashMap<&'a str, &'a str> {
        let mut partner: FxHashMap<usize, usize> = FxHashMap::default();
        for (i, j) in self.pair.statements() {
            partner.entry(i).or_insert(j);
        }
        let names = |list: &[Local<'a>]| list.iter().map(|local| local.name).collect::<FxHashSet<_>>();
        let (old_names, new_names) = (names(&self.old), names(&self.new));
        let mut renamed = FxHashMap::default();
        let mut used: FxHashSet<usize> = FxHashSet::default();
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (x, local) in self.old.iter().enumerate() {
            let place = local.statement.and_then(|statement| partner.get(&statement));
            let of_statement = |y: &usize| self.new[*y].statement == place.copied() && place.is_some();
            let free = |y: &usize| !used.contains(y);
            let all = 0..self.new.len();
            let same =
                all.clone().filter(free).filter(of_statement).find(|y| self.new[*y].name == local.name);
            let nth = self.old[..x].iter().filter(|other| other.statement == local.statement).count();
            let there: Vec<usize> = all.clone().filter(of_statement).collect();
            let at = same.or_else(|| {
                there
                    .get(nth)
                    .copied()
                    .filter(|y| free(y) && self.is_renamed(local, &self.new[*y], &old_names, &new_names))
            });
            let at = at.or_else(|| {
                let alone =
                    |list: &[Local<'_>]| list.iter().filter(|other| other.name == local.name).count() == 1;
                let y = self.new.iter().position(|other| other.name == local.name)?;
                (alone(&self.old) && alone(&self.new) && free(&y)).then_some(y)
            });
            if let Some(y) = at {
                used.insert(y);
                pairs.push((x, y));
            }
        }
        self.by_votes(&mut pairs, &mut used, &old_names, &new_names);
        let parted = self.parted(out);
        pairs.retain(|(x, y)| !parted.contains(self.old[*x].name) && !parted.contains(self.new[*y].name));
        renamed.extend(parted.iter().map(|name| (*name, *name)));
        for (x, y) in pairs {
            let (old, new) = (&self.old[x], &self.new[y]);
            let mut add = |kind, text: String, confidence| {
                let p = place(self.pair.left, old.line, old.line, old.name);
                let q = place(self.pair.right, new.line, new.line, new.name);
                let draft = Draft::new(kind, text, p, q, confidence).covering(&[old.line], &[new.line]);
                out.push(match (kind, &old.kind, &new.kind) {
                    (Kind::RenameVariable, _, _) => draft.renaming(old.name, new.name),
                    (Kind::ChangeVariableType, Some(x), Some(y)) => draft.retyping(x, y),
                    _ => draft,
                });
            };
            let shown = self.pair.is.shown();
            if old.name != new.name {
                renamed.insert(old.name, new.name);
                add(Kind::RenameVariable, format!("{} is now {} in {shown}", old.name, new.name), 0.9);
            }
            if let (Some(was), Some(is)) = (&old.kind, &new.kind)
                && was != is
            {
                add(Kind::ChangeVariableType, format!("{} is {is}, was {was}, in {shown}", new.name), 0.9);
            }
            let about = format!("{} in {shown}", new.name);
            for (kind, text) in heads::changes(&heads::VARIABLE, &old.head, &new.head, &about) {
                add(kind, text, 0.9);
            }
        }
        renamed
    }

    // One variable in whose place several stand, and several in whose place one stands.
    fn parted(&self, out: &mut Vec<Draft>) -> FxHashSet<&'a str> {
        let single = |own: &[Local<'a>], others: &[Local<'a>]| -> Vec<&'a str> {
            let times =
                |list: &[Local<'a>], name: &str| list.iter().filter(|other| other.name == name).count();
            let alone = own.iter().filter(|l| times(own, l.name) == 1 && times(others, l.name) == 0);
            alone.map(|local| local.name).collect()
        };
        let (gone, come) = (single(&self.old, &self.new), single(&self.new, &self.old));
        let votes = |from: &str, to: &str| {
            self.pair.renamed.get(from).and_then(|names| names.get(to)).copied().unwrap_or(0)
        };
        let split = parts::of(&gone, &come, votes);
        let merged = parts::of(&come, &gone, |to, from| votes(from, to));
        let shown = self.pair.is.shown();
        let find = |list: &[Local<'a>], name: &str| list.iter().find(|local| local.name == name).cloned();
        for (kind, (one, several)) in split
            .iter()
            .map(|part| (Kind::SplitVariable, part))
            .chain(merged.iter().map(|part| (Kind::MergeVariable, part)))
        {
            let (old, new) = match kind {
                Kind::SplitVariable => (find(&self.old, one), find(&self.new, several[0])),
                _ => (find(&self.old, several[0]), find(&self.new, one)),
            };
            let (Some(old), Some(new)) = (old, new) else { continue };
            let said = match kind {
                Kind::SplitVariable => format!("{one} is now {} in {shown}", several.join(", ")),
                _ => format!("{} are now {one} in {shown}", several.join(", ")),
            };
            let p = place(self.pair.left, old.line, old.line, old.name);
            let q = place(self.pair.right, new.line, new.line, new.name);
            out.push(Draft::new(kind, said, p, q, 0.8).covering(&[old.line], &[new.line]));
        }
        split.into_iter().chain(merged).flat_map(|(one, several)| several.into_iter().chain([one])).collect()
    }

    // Where the declaring statements do not meet but the uses do.
    fn by_votes(
        &self,
        pairs: &mut Vec<(usize, usize)>,
        used: &mut FxHashSet<usize>,
        old_names: &FxHashSet<&str>,
        new_names: &FxHashSet<&str>,
    ) {
        let taken: FxHashSet<usize> = pairs.iter().map(|(x, _)| *x).collect();
        for (x, local) in self.old.iter().enumerate().filter(|(x, _)| !taken.contains(x)) {
            let Some((to, _)) = self.pair.called_now(local.name) else { continue };
            let fresh = !old_names.contains(to) && !new_names.contains(local.name);
            let at = self.new.iter().position(|other| other.name == to);
            if let Some(y) = at.filter(|y| fresh && !used.contains(y)) {
                used.insert(y);
                pairs.push((x, y));
            }
        }
    }

    fn is_renamed(
        &self,
        old: &Local<'_>,
        new: &Local<'_>,
        old_names: &FxHashSet<&str>,
        new_names: &FxHashSet<&str>,
    ) -> bool {
        // Both names still there: two variables, not one.
        if new_names.contains(old.name) || old_names.contains(new.name) {
            return false;
        }
        match self.pair.called_now(old.name) {
            Some((to, _)) => to == new.name,
            None => old.kind == new.kind && old.value == new.value,
        }
    }

    // The words of a value stood in a statement in whose place the name stands on the other side.
    fn stood(&self, value: &[&str], name: &str, way: Way) -> bool {
        let quoted = value.len() == 1 && value[0].len() > 3 && value[0].starts_with(['"', '\'']);
        if value.len() < 2 && !quoted {
            return false;
        }
        let (left, right) = (self.pair.left, self.pair.right);
        let strictly = match way {
            Way::Extracted => replaced((left, &self.removed), (right, &self.added), value, name),
            Way::Inlined => replaced((right, &self.added), (left, &self.removed), value, name),
        };
        strictly || value.len() >= 3 && self.exchanged(value, name, way)
    }

    // A statement that was edited in other places too: the value is gone from it, the name is new in it.
    fn exchanged(&self, value: &[&str], name: &str, way: Way) -> bool {
        let times = |words: &[&str]| words.windows(value.len()).filter(|window| *window == value).count();
        self.pair.aligned.alike.iter().chain(&self.pair.edited).any(|(i, j)| {
            let old = self.pair.left.words_of(&self.pair.was.body[*i]);
            let new = self.pair.right.words_of(&self.pair.is.body[*j]);
            let (with_value, with_name) = match way {
                Way::Extracted => (old, new),
                Way::Inlined => (new, old),
            };
            times(&with_value) > times(&with_name) && with_name.contains(&name) && !with_value.contains(&name)
        })
    }
}

#[derive(Debug, Clone, Copy)]
enum Way {
    Extracted,
    Inlined,
}

fn replaced(
    (left, removed): (&File<'_>, &[&Statement]),
    (right, added): (&File<'_>, &[&Statement]),
    value: &[&str],
    name: &str,
) -> bool {
    let with_name: Vec<Vec<&str>> =
        added.iter().map(|new| right.words_of(new)).filter(|new| new.contains(&name)).collect();
    !with_name.is_empty()
        && removed.iter().any(|old| {
            let old = left.words_of(old);
            let places = (0..(old.len() + 1).saturating_sub(value.len()))
                .filter(|at| old[*at..*at + value.len()] == *value);
            places.into_iter().any(|at| with_name.iter().any(|new| stands(&old, at, value.len(), new, name)))
        })
}

// What stands before and after the value also stands before and after the name; brackets around it may have gone.
fn stands(old: &[&str], at: usize, length: usize, new: &[&str], name: &str) -> bool {
    let (mut from, mut to) = (at, at + length);
    loop {
        let before = from.checked_sub(1).map(|before| old[before]);
        let after = old.get(to).copied();
        let met = new.iter().enumerate().filter(|(_, word)| **word == name).any(|(place, _)| {
            let declares = matches!(new.get(place + 1), Some(&"=" | &":="))
                || new.get(place + 1) == Some(&":") && place < 2;
            // `this.name`, `self.name`, `Type.name` stand for the name.
            let mut start = place;
            while start >= 2 && new[start - 1] == "." {
                start -= 2;
            }
            new.len() > 1
                && !declares
                && (before == start.checked_sub(1).map(|at| new[at])
                    || before == place.checked_sub(1).map(|at| new[at]))
                && after == new.get(place + 1).copied()
        });
        if met {
            return true;
        }
        if before == Some("(") && after == Some(")") {
            (from, to) = (from - 1, to + 1);
        } else {
            return false;
        }
    }
}
