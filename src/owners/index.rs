//! Finds the rules of `CODEOWNERS` that match a path, without trying each.
//!
//! The patterns are a tree: each edge is a name of a path, a pattern of a name, or any number of names. Looking up a path
//! follows all edges that fit, name by name.

use std::collections::{BTreeSet, HashMap};

use super::OwnerRule;
use super::pattern::{NameForm, NamePattern, Part};

/// What a section says about a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Matches {
    /// The last rule that matches, which decides.
    pub(super) last: Option<usize>,
    /// A rule exempts the path.
    pub(super) is_exempt: bool,
}

impl Matches {
    fn add(&mut self, other: Self) {
        self.last = self.last.max(other.last);
        self.is_exempt |= other.is_exempt;
    }
}

/// The patterns of a section as a tree. The first node is its root.
#[derive(Debug)]
pub(super) struct RuleIndex {
    nodes: Vec<Node>,
}

/// What may follow the names so far; nodes are given by their indices.
#[derive(Debug, Default)]
struct Node {
    /// Plain names.
    literal: HashMap<String, usize>,
    /// Patterns `NAME*`, by the name.
    beginning: HashMap<String, usize>,
    /// Patterns `*NAME`, by the name.
    ending: HashMap<String, usize>,
    /// Other patterns, each of which is tried.
    others: HashMap<NamePattern, usize>,
    /// After any number of names.
    any: Option<usize>,
    /// The node is one that any number of names lead to.
    is_any: bool,
    /// The rules that match what ends here.
    exact: Matches,
    /// The rules that match everything below.
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
    /// Adds a rule, given with its index.
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

    /// Returns the node that a part of a pattern leads to; a new one if there is none.
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

    /// Returns the last rule that matches a path, given by its names.
    pub(super) fn matches(&self, names: &[&str]) -> Matches {
        let mut matches = Matches::default();
        let mut reached = BTreeSet::new();
        self.reach(0, &mut reached);
        for name in names {
            let mut next = BTreeSet::new();
            let chars: Vec<char> = name.chars().collect();
            for node in &reached {
                matches.add(self.nodes[*node].covering);
                self.follow(*node, name, &chars, &mut next);
            }
            reached = next;
        }
        for node in reached {
            matches.add(self.nodes[node].exact);
        }
        matches
    }

    /// Adds a node, and the one that no further name leads to.
    fn reach(&self, node: usize, reached: &mut BTreeSet<usize>) {
        reached.insert(node);
        reached.extend(self.nodes[node].any);
    }

    /// Adds the nodes to which a name leads, given as a text and as its characters.
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
                .map(|(split, _)| split)
                .chain([name.len()])
        };
        for split in places() {
            let (start, end) = name.split_at(split);
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
