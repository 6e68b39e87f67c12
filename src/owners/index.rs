//! Finds the rules of `CODEOWNERS` that match a path without trying each rule.
//!
//! The patterns form a tree. Each edge is a name of a path, a pattern for a name, or any number of names. A lookup
//! follows all edges that match the path, name by name.
//!
//! ```text
//! *.tf  @a             rule 0: any number of names, then a name that ends with `.tf`
//! /modules/net/ @b     rule 1: `modules`, `net`, and everything below
//! modules/net/main.tf  both match; the last one is rule 1
//! ```

use std::collections::{BTreeSet, HashMap};

use super::OwnerRule;
use super::pattern::{NameForm, NamePattern, Part};

/// The result of a lookup: what the rules of a section say about a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Matches {
    /// The index of the last rule that matches, which decides.
    pub(super) last: Option<usize>,
    /// Whether a rule exempts the path.
    pub(super) is_exempt: bool,
}

impl Matches {
    /// Combines this with the result of other rules.
    fn add(&mut self, other: Self) {
        self.last = self.last.max(other.last);
        self.is_exempt |= other.is_exempt;
    }
}

/// The patterns of a section as a tree. The first node is the root.
#[derive(Debug)]
pub(super) struct RuleIndex {
    nodes: Vec<Node>,
}

/// A node of the tree: what may follow the names so far. Other nodes are given by their indices.
#[derive(Debug, Default)]
struct Node {
    /// The nodes after a plain name.
    literal: HashMap<String, usize>,
    /// The nodes after a name that matches `NAME*`, by `NAME`.
    beginning: HashMap<String, usize>,
    /// The nodes after a name that matches `*NAME`, by `NAME`.
    ending: HashMap<String, usize>,
    /// The nodes after a name that matches another pattern. Each of these patterns is tried.
    others: HashMap<NamePattern, usize>,
    /// The node after any number of names, if there is one.
    any: Option<usize>,
    /// Whether any number of names lead to this node.
    is_any: bool,
    /// The rules that match a path that ends at this node.
    exact: Matches,
    /// The rules that match everything below this node.
    covering: Matches,
}

impl Default for RuleIndex {
    fn default() -> Self {
        Self {
            nodes: vec![Node::default()],
        }
    }
}

impl RuleIndex {
    /// Adds a rule; `number` is its index in the section.
    pub(super) fn add(&mut self, rule: &OwnerRule, number: usize) {
        let mut node = 0;
        for part in &rule.pattern.parts {
            node = self.child(node, part);
        }
        let matches = Matches {
            last: Some(number),
            is_exempt: rule.owners.is_none(),
        };
        let node = &mut self.nodes[node];
        if rule.pattern.is_exact {
            node.exact.add(matches);
        }
        if rule.pattern.covers {
            node.covering.add(matches);
        }
    }

    /// Returns the node that a part of a pattern leads to, which is created if there is none.
    fn child(&mut self, node: usize, part: &Part) -> usize {
        let new = self.nodes.len();
        let parent = &mut self.nodes[node];
        let child = match part {
            Part::Any if parent.is_any => node,
            Part::Any => *parent.any.get_or_insert(new),
            Part::Name(name) => *match name.form() {
                NameForm::Plain(name) => parent.literal.entry(name).or_insert(new),
                NameForm::Beginning(name) => parent.beginning.entry(name).or_insert(new),
                NameForm::Ending(name) => parent.ending.entry(name).or_insert(new),
                NameForm::Other(name) => parent.others.entry(name).or_insert(new),
            },
        };
        if child == new {
            self.nodes.push(Node {
                is_any: *part == Part::Any,
                ..Node::default()
            });
        }
        child
    }

    /// Returns the result for a path, given by its names. The time depends on the length of the path and on the number
    /// of patterns that are neither plain nor `NAME*` or `*NAME`.
    pub(super) fn matches(&self, names: &[&str]) -> Matches {
        let mut found = Matches::default();
        let mut reached = BTreeSet::new();
        self.reach(0, &mut reached);
        for name in names {
            let mut next = BTreeSet::new();
            let chars: Vec<char> = name.chars().collect();
            for node in &reached {
                found.add(self.nodes[*node].covering);
                self.follow(*node, name, &chars, &mut next);
            }
            reached = next;
        }
        for node in reached {
            found.add(self.nodes[node].exact);
        }
        found
    }

    /// Adds a node to those that are reached, and the one that follows it without any further name.
    fn reach(&self, node: usize, reached: &mut BTreeSet<usize>) {
        reached.insert(node);
        reached.extend(self.nodes[node].any);
    }

    /// Adds the nodes that a name leads to from a node. The name is given as text and as characters.
    fn follow(&self, node: usize, name: &str, chars: &[char], next: &mut BTreeSet<usize>) {
        let from = &self.nodes[node];
        if from.is_any {
            self.reach(node, next);
        }
        if let Some(child) = from.literal.get(name) {
            self.reach(*child, next);
        }
        let places = || {
            name.char_indices()
                .map(|(place, _)| place)
                .chain([name.len()])
        };
        for place in places() {
            let (start, end) = name.split_at(place);
            for child in [from.beginning.get(start), from.ending.get(end)]
                .into_iter()
                .flatten()
            {
                self.reach(*child, next);
            }
        }
        for (pattern, child) in &from.others {
            if pattern.matches(chars) {
                self.reach(*child, next);
            }
        }
    }
}
