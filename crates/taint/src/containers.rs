//! Lists, dictionaries, builders and section stores: what their methods do to what is known to be in them.

use super::calls::Site;
use super::engine::Engine;
use super::value::{Consts, Key, Object, Value};
use formicary_model::Language;
use formicary_syntax::{ExprId, ExprKind};

/// Types whose making gives an empty container.
pub(super) fn is_container(name: &str) -> bool {
    matches!(
        name,
        "ArrayList"
            | "LinkedList"
            | "Vector"
            | "Stack"
            | "ArrayDeque"
            | "HashMap"
            | "LinkedHashMap"
            | "TreeMap"
            | "Hashtable"
            | "ConcurrentHashMap"
            | "HashSet"
            | "LinkedHashSet"
            | "TreeSet"
            | "Properties"
            | "list"
            | "dict"
            | "deque"
            | "OrderedDict"
            | "defaultdict"
            | "set"
            | "ConfigParser"
            | "RawConfigParser"
            | "Map"
            | "Set"
            | "Array"
            | "Object"
            | "Vec"
            | "vector"
            | "make"
            | "SafeConfigParser"
            | "Dictionary"
    )
}

/// Whether a container of this type keeps its things by key.
fn by_key(name: &str) -> bool {
    name.contains("Map")
        || name.contains("ict")
        || matches!(name, "Hashtable" | "Properties" | "Object")
        || name.contains("Config")
}

impl Engine<'_, '_, '_> {
    /// An empty container.
    pub(super) fn container(&mut self, at: ExprId, name: &str, arguments: &[Value]) -> Option<Value> {
        let mut object = Object { whole: true, ..Object::default() };
        let source = arguments.iter().find_map(|argument| {
            argument.objects.first().and_then(|id| self.state.heap.get(id)).map(|object| (**object).clone())
        });
        if let Some(pairs) = source.as_ref().filter(|_| by_key(name)).and_then(|source| source.list.as_ref())
        {
            for pair in pairs {
                self.enter(&mut object, pair);
            }
        } else if let Some(source) = source {
            object = source;
        } else if !by_key(name) {
            object.list = Some(Vec::new());
        }
        for argument in arguments.iter().filter(|argument| argument.objects.is_empty()) {
            if !argument.taint.is_empty() {
                object.blur();
                object.rest.taint.absorb(&argument.taint);
            }
        }
        let id = self.make(at, object)?;
        Some(Value { objects: vec![id], kind: Some(name.into()), ..Value::default() })
    }

    /// One pair of key and value of a list from which a dictionary is made.
    fn enter(&self, into: &mut Object, pair: &Value) {
        let parts = match pair.objects.as_slice() {
            [id] => self.state.heap.get(id).and_then(|object| object.list.as_deref()),
            _ => None,
        };
        match parts {
            Some([key, value]) if Key::of(key).is_some() => {
                into.fields.extend(Key::of(key).map(|key| (key, value.clone())));
            }
            _ => {
                into.rest.taint.absorb(&self.state.deep(pair));
            }
        }
    }

    /// `entries["a"].append(x)`: something that was not there yet is a list from now on.
    pub(super) fn grown(
        &mut self,
        site: &Site<'_, '_>,
        holder: &Value,
        arguments: &[Value],
    ) -> Option<Value> {
        let base = site.base?;
        let ExprKind::Subscript { .. } = self.unit.kind(base) else { return None };
        if self.language != Language::Python || !matches!(site.word, "append" | "add" | "insert" | "extend") {
            return None;
        }
        let id = self.make(base, Object { list: Some(Vec::new()), whole: true, ..Object::default() })?;
        let grown = Value { objects: vec![id], ..holder.clone() };
        self.put_back(base, grown.clone());
        self.contained(&grown, site.word, arguments)
    }

    /// A method of something that holds things; none when this is not known of it.
    pub(super) fn contained(&mut self, holder: &Value, name: &str, arguments: &[Value]) -> Option<Value> {
        if holder.objects.is_empty() {
            return None;
        }
        let first = arguments.first().cloned().unwrap_or_default();
        let second = arguments.get(1).cloned().unwrap_or_default();
        match (name, arguments.len()) {
            // Java's deques are stacks from their front.
            ("push", 1) if is_deque(holder) => self.contained(holder, "addFirst", arguments),
            (
                "append" | "add" | "push" | "addLast" | "addElement" | "push_back" | "Add" | "offer"
                | "emplace_back",
                1,
            ) => {
                self.each_object(holder, |object| match &mut object.list {
                    Some(list) if list.len() < 64 => list.push(first.clone()),
                    _ => {
                        object.blur();
                        put(object, &first);
                    }
                });
                Some(Value::default())
            }
            ("push" | "unshift", _) => {
                self.each_object(holder, |object| match &mut object.list {
                    Some(list) if list.len() < 60 => {
                        let at = if name == "push" { list.len() } else { 0 };
                        list.splice(at..at, arguments.iter().cloned());
                    }
                    _ => arguments.iter().for_each(|value| put(object, value)),
                });
                Some(Value::default())
            }
            ("add" | "insert" | "addFirst" | "appendleft" | "push_front", _) if arguments.len() <= 2 => {
                let (at, value) =
                    if arguments.len() == 2 { (first.as_int(), second) } else { (Some(0), first) };
                self.each_object(holder, |object| {
                    let place = at.and_then(|at| usize::try_from(at).ok());
                    match (&mut object.list, place) {
                        (Some(list), Some(at)) if at <= list.len() && list.len() < 64 => {
                            list.insert(at, value.clone())
                        }
                        _ => {
                            object.blur();
                            put(object, &value);
                        }
                    }
                });
                Some(Value::default())
            }
            (
                "remove" | "pop" | "removeFirst" | "removeLast" | "popleft" | "shift" | "poll" | "delete",
                0 | 1,
            ) => Some(self.take_out(holder, name, arguments)),
            (
                "get" | "getFirst" | "getLast" | "at" | "elementAt" | "getOrDefault" | "getProperty"
                | "getString" | "peek",
                0..=2,
            ) if !(name == "get" && arguments.len() == 2 && self.is_section(holder, arguments)) => {
                let key = match name {
                    "getFirst" => Some(Key::Int(0)),
                    "peek" if is_deque(holder) => Some(Key::Int(0)),
                    "getLast" | "peek" => Some(Key::Int(-1)),
                    _ => Key::of(&first),
                };
                let mut value = self.member(holder, key.as_ref());
                if arguments.len() == 2 {
                    let known = key.as_ref().is_some_and(|key| {
                        holder.objects.iter().all(|id| {
                            self.state.heap.get(id).is_some_and(|object| object.fields.contains_key(key))
                        })
                    });
                    if !known {
                        value = value.join(&second);
                    }
                }
                Some(value)
            }
            (
                "put" | "set" | "setProperty" | "__setitem__" | "setdefault" | "Set" | "insert"
                | "setAttribute" | "store",
                2,
            ) => {
                let key = Key::of(&first);
                self.write_value(holder, key, second);
                Some(holder.clone())
            }
            // A store of sections: the two words are one key.
            ("set", 3) => {
                let key = section(&first, &second);
                let third = arguments.get(2).cloned().unwrap_or_default();
                self.write_value(holder, key, third);
                Some(Value::default())
            }
            ("get", 2) => {
                let key = section(&first, &second);
                Some(self.member(holder, key.as_ref()))
            }
            ("add_section" | "clear" | "sort" | "reverse" | "has_option" | "has_section", _) => {
                if name == "clear" {
                    self.each_object(holder, |object| {
                        *object = Object {
                            list: object.list.as_ref().map(|_| Vec::new()),
                            whole: true,
                            ..Object::default()
                        }
                    });
                } else if matches!(name, "sort" | "reverse") {
                    self.each_object(holder, Object::blur);
                }
                Some(Value::default())
            }
            ("extend" | "addAll" | "putAll" | "update" | "append_all" | "concat", 1) => {
                let inside = self.state.deep(&first);
                let more = first.objects.first().and_then(|id| self.state.heap.get(id)).cloned();
                self.each_object(holder, |object| match (&mut object.list, &more) {
                    (Some(list), Some(more)) if more.list.is_some() => {
                        list.extend(more.list.iter().flatten().cloned());
                        list.truncate(64);
                    }
                    (None, Some(more)) if more.list.is_none() => {
                        object
                            .fields
                            .extend(more.fields.iter().map(|(key, value)| (key.clone(), value.clone())));
                        object.rest.taint.absorb(&more.rest.taint);
                    }
                    _ => {
                        object.blur();
                        object.rest.taint.absorb(&inside);
                    }
                });
                Some(holder.clone())
            }
            (
                "size" | "length" | "isEmpty" | "contains" | "containsKey" | "indexOf" | "includes" | "has"
                | "count" | "index",
                _,
            ) => Some(Value::default()),
            (
                "iterator" | "listIterator" | "values" | "stream" | "copy" | "clone" | "toArray" | "items"
                | "entries" | "entrySet" | "toList",
                _,
            ) => Some(Value { kind: None, ..holder.clone() }),
            ("keys" | "keySet", 0) if holder.taint.is_empty() => {
                let unknown = holder
                    .objects
                    .iter()
                    .any(|id| self.state.heap.get(id).is_none_or(|object| !object.whole));
                if unknown { None } else { Some(Value::default()) }
            }
            _ => None,
        }
    }

    fn is_section(&self, holder: &Value, arguments: &[Value]) -> bool {
        self.language == Language::Python
            && holder.kind.as_deref().is_some_and(|kind| kind.contains("Config"))
            && arguments.len() == 2
    }

    /// Takes something out of a container, and gives it.
    pub(super) fn take_out(&mut self, holder: &Value, name: &str, arguments: &[Value]) -> Value {
        let last = name == "pop" && !is_deque(holder) || name == "removeLast";
        let at = match arguments.first() {
            Some(at) => Key::of(at),
            None if last => Some(Key::Int(-1)),
            None => Some(Key::Int(0)),
        };
        let value = self.member(holder, at.as_ref());
        let by_value = self.language == Language::Python && name == "remove";
        self.each_object(holder, |object| match (&mut object.list, &at) {
            (Some(list), Some(Key::Int(at))) if !by_value => {
                let at = if *at < 0 { *at + list.len() as i128 } else { *at };
                match usize::try_from(at) {
                    Ok(at) if at < list.len() => {
                        list.remove(at);
                    }
                    _ => {}
                }
            }
            (Some(list), Some(key)) if by_value => {
                // The first that is equal goes.
                match list.iter().position(|value| Key::of(value).as_ref() == Some(key)) {
                    Some(at) => {
                        list.remove(at);
                    }
                    None => object.blur(),
                }
            }
            (None, Some(key)) => {
                object.fields.remove(key);
            }
            _ => object.blur(),
        });
        value
    }

    fn each_object(&mut self, holder: &Value, change: impl Fn(&mut Object)) {
        let only = holder.objects.len() == 1;
        for id in &holder.objects {
            if let Some(object) = self.state.object(*id) {
                if only {
                    change(object);
                } else {
                    // Which of them it is nobody knows: it may have changed or not.
                    let before = object.clone();
                    change(object);
                    let mut rest = before;
                    rest.blur();
                    object.blur();
                    object.rest = std::mem::take(&mut object.rest).join(&rest.rest);
                }
            }
        }
    }
}

/// Whether something is taken from where it was put last by `push`, or put first by `add`: Java's deques and queues.
fn is_deque(holder: &Value) -> bool {
    let kind = holder.kind.as_deref().unwrap_or_default();
    let kind = kind.split('<').next().unwrap_or(kind);
    kind.ends_with("Deque") || kind.ends_with("Queue") || kind.ends_with("LinkedList")
}

fn section(first: &Value, second: &Value) -> Option<Key> {
    let (first, second) = (first.as_text()?, second.as_text()?);
    Some(Key::Text(format!("{first}\u{1f}{second}").into()))
}

fn put(object: &mut Object, value: &Value) {
    object.rest.taint.absorb(&value.taint);
    object.rest.consts = Consts::Unknown;
    for id in &value.objects {
        if !object.rest.objects.contains(id) && object.rest.objects.len() < 4 {
            object.rest.objects.push(*id);
        }
    }
}
