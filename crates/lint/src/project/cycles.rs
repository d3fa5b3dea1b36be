//! Cycles of the import graph, and the arrows that would have to go.
//!
//! A cycle is a set of modules that all reach each other by imports that run when a module loads. The arrows to cut are
//! the fewest where the set has few arrows, and few by a known approximation where it has many: modules are put in
//! order by arrows out minus arrows in (Eades, Lin, Smyth), and arrows that point back are cut, each only if needed.

use super::graph::Dependencies;
use rustc_hash::{FxHashMap, FxHashSet};

/// Modules that import each other.
#[derive(Debug, Clone)]
pub struct Cycle {
    /// The modules, by their numbers.
    pub modules: Vec<usize>,
    /// The arrows among them.
    pub edges: Vec<(usize, usize)>,
    /// Arrows without which there is no cycle.
    pub cut: Vec<(usize, usize)>,
}

/// Up to this many arrows every small set of cuts is tried.
const EXACT_EDGES: usize = 40;

/// All cycles, largest first.
pub fn cycles(graph: &Dependencies) -> Vec<Cycle> {
    let edges: Vec<(usize, usize)> =
        graph.edges.iter().filter(|edge| edge.3).map(|edge| (edge.0, edge.1)).collect();
    let mut found: Vec<Cycle> = components(graph.names.len(), &edges)
        .into_iter()
        .filter(|modules| modules.len() > 1)
        .map(|modules| {
            let inside: FxHashSet<usize> = modules.iter().copied().collect();
            let edges: Vec<(usize, usize)> = edges
                .iter()
                .copied()
                .filter(|(from, to)| inside.contains(from) && inside.contains(to))
                .collect();
            let cut = cut(&modules, &edges);
            Cycle { modules, edges, cut }
        })
        .collect();
    found.sort_by_key(|cycle| (std::cmp::Reverse(cycle.modules.len()), cycle.modules.first().copied()));
    found
}

/// Strongly connected components, by Tarjan's way without recursion.
fn components(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (from, to) in edges {
        next[*from].push(*to);
    }
    let mut state = Tarjan {
        index: vec![usize::MAX; count],
        low: vec![0; count],
        on_stack: vec![false; count],
        stack: Vec::new(),
        counter: 0,
    };
    let mut found = Vec::new();
    for start in 0..count {
        if state.index[start] != usize::MAX {
            continue;
        }
        let mut work = vec![(start, 0)];
        state.enter(start);
        while let Some((node, at)) = work.pop() {
            match next[node].get(at) {
                Some(&to) => {
                    work.push((node, at + 1));
                    if state.index[to] == usize::MAX {
                        state.enter(to);
                        work.push((to, 0));
                    } else if state.on_stack[to] {
                        state.low[node] = state.low[node].min(state.index[to]);
                    }
                }
                None => {
                    if let Some((parent, _)) = work.last() {
                        state.low[*parent] = state.low[*parent].min(state.low[node]);
                    }
                    if state.low[node] == state.index[node] {
                        found.push(state.leave(node));
                    }
                }
            }
        }
    }
    found
}

struct Tarjan {
    index: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    counter: usize,
}

impl Tarjan {
    fn enter(&mut self, node: usize) {
        self.index[node] = self.counter;
        self.low[node] = self.counter;
        self.counter += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    fn leave(&mut self, root: usize) -> Vec<usize> {
        let mut component = Vec::new();
        while let Some(node) = self.stack.pop() {
            self.on_stack[node] = false;
            component.push(node);
            if node == root {
                break;
            }
        }
        component.sort_unstable();
        component
    }
}

fn is_acyclic(edges: &[(usize, usize)], without: &[(usize, usize)]) -> bool {
    let mut incoming: FxHashMap<usize, usize> = FxHashMap::default();
    let mut next: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (from, to) in edges.iter().filter(|edge| !without.contains(edge)) {
        *incoming.entry(*to).or_insert(0) += 1;
        incoming.entry(*from).or_insert(0);
        next.entry(*from).or_default().push(*to);
    }
    let mut ready: Vec<usize> =
        incoming.iter().filter(|(_, count)| **count == 0).map(|(node, _)| *node).collect();
    let mut done = 0;
    while let Some(node) = ready.pop() {
        done += 1;
        for to in next.get(&node).into_iter().flatten() {
            if let Some(count) = incoming.get_mut(to) {
                *count -= 1;
                if *count == 0 {
                    ready.push(*to);
                }
            }
        }
    }
    done == incoming.len()
}

fn cut(modules: &[usize], edges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    if edges.len() <= EXACT_EDGES {
        for edge in edges {
            if is_acyclic(edges, &[*edge]) {
                return vec![*edge];
            }
        }
        for (at, first) in edges.iter().enumerate() {
            for second in &edges[at + 1..] {
                if is_acyclic(edges, &[*first, *second]) {
                    return vec![*first, *second];
                }
            }
        }
    }
    approximate(modules, edges)
}

fn approximate(modules: &[usize], edges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut left: FxHashSet<usize> = modules.iter().copied().collect();
    let mut out: FxHashMap<usize, i64> = FxHashMap::default();
    let mut into: FxHashMap<usize, i64> = FxHashMap::default();
    for (from, to) in edges {
        *out.entry(*from).or_insert(0) += 1;
        *into.entry(*to).or_insert(0) += 1;
    }
    let degree = |map: &FxHashMap<usize, i64>, node: usize| map.get(&node).copied().unwrap_or(0);
    let (mut front, mut back) = (Vec::new(), Vec::new());
    while !left.is_empty() {
        let sink = left.iter().copied().filter(|node| degree(&out, *node) == 0).min();
        let source = left.iter().copied().filter(|node| degree(&into, *node) == 0).min();
        let best = left
            .iter()
            .copied()
            .max_by_key(|node| (degree(&out, *node) - degree(&into, *node), std::cmp::Reverse(*node)));
        let Some(node) = sink.or(source).or(best) else { break };
        if sink == Some(node) {
            back.push(node)
        } else {
            front.push(node)
        }
        left.remove(&node);
        for (from, to) in edges {
            if *from == node {
                *into.entry(*to).or_insert(0) -= 1;
            }
            if *to == node {
                *out.entry(*from).or_insert(0) -= 1;
            }
        }
    }
    back.reverse();
    front.append(&mut back);
    let place: FxHashMap<usize, usize> = front.iter().enumerate().map(|(at, node)| (*node, at)).collect();
    let mut cut: Vec<(usize, usize)> =
        edges.iter().copied().filter(|(from, to)| place.get(from) > place.get(to)).collect();
    // Some may stay after all.
    if edges.len() <= 2_000 {
        for edge in cut.clone() {
            let without: Vec<(usize, usize)> = cut.iter().copied().filter(|other| *other != edge).collect();
            if is_acyclic(edges, &without) {
                cut = without;
            }
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(count: usize, edges: &[(usize, usize)]) -> Dependencies {
        Dependencies {
            names: (0..count).map(|number| number.to_string()).collect(),
            edges: edges.iter().map(|(from, to)| (*from, *to, 1, true)).collect(),
        }
    }

    #[test]
    fn cycles_are_found_with_the_fewest_cuts() {
        let found = cycles(&graph(6, &[(0, 1), (1, 2), (2, 0), (2, 3), (4, 5), (5, 4)]));
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].modules, [0, 1, 2]);
        assert_eq!(found[0].cut.len(), 1);
        let two_rings = [(0, 1), (1, 0), (1, 2), (2, 1)];
        assert_eq!(cycles(&graph(3, &two_rings))[0].cut.len(), 2);
        // One arrow that both rings share.
        let shared = [(0, 1), (1, 2), (2, 0), (1, 3), (3, 0)];
        assert_eq!(cycles(&graph(4, &shared))[0].cut, [(0, 1)]);
    }

    #[test]
    fn approximate_cuts_leave_no_cycle() {
        let edges: Vec<(usize, usize)> = (0..30)
            .flat_map(|a| (0..30).filter(move |b| (a * 7 + b * 3) % 5 == 0 && a != *b).map(move |b| (a, b)))
            .collect();
        for cycle in cycles(&graph(30, &edges)) {
            assert!(is_acyclic(&cycle.edges, &cycle.cut));
        }
    }
}
