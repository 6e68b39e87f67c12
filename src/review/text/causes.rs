//! Replacements and their causes as a tree: from a change to the replacements that it forces through
//! references.
//!
//! The tree contains only causes that [`Entry::causes`] proves. An entry is written once, below its first
//! cause; its other causes are named beside it. Entries that cause each other in a circle are left out.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use super::addresses::compact;
use super::{name, root_name};
use crate::report::{Causes, Line, Sign, Span, Tone};
use crate::review::entry::{Entry, FindingKind, PlanReview};
use crate::review::{ChangeKind, Options, count, one_line};

/// The maximum number of lines; more replacements are counted.
const MAX_LINES: usize = 12;
/// The maximum length of a chain on one line, in characters.
const MAX_WIDTH: usize = 100;
/// The maximum number of attributes named for one change.
const MAX_NAMES: usize = 3;
/// The maximum depth of indentation; deeper levels are indented equally.
const MAX_DEPTH: usize = 12;

/// The causes of a plan's replacements, the most severe first, below the title `3 replaced, 1 cause`; `None` if none is
/// proven.
pub(crate) fn cause_tree(review: &PlanReview<'_>, options: &Options) -> Option<Causes> {
    let nodes = Nodes::new(&review.resources);
    // The changes that cause others without having a cause.
    let is_root = |at: &usize| nodes.parents[*at].is_none() && !nodes.children[*at].is_empty();
    let roots: Vec<usize> = (0..nodes.entries.len()).filter(is_root).collect();
    let sizes = nodes.sizes(&roots);
    let replaced: usize = roots.iter().map(|root| sizes[*root].replaced).sum();
    if replaced == 0 {
        return None;
    }
    let title = format!("{replaced} replaced, {}", count(nodes.causes.len(), "cause"));
    let max_lines = if options.unchanged { usize::MAX } else { MAX_LINES };
    let width = options.width.max(MAX_WIDTH);
    let mut writer = Writer { nodes: &nodes, sizes, lines: Vec::new(), shown: 0, max_lines, width };
    writer.trees(roots);
    let (mut lines, more) = (writer.lines, replaced.saturating_sub(writer.shown));
    if more > 0 {
        lines.push(Line::note(0, format!("… {more} more replaced; --context all shows all")));
    }
    Some(Causes { title, lines })
}

/// The entries of a plan, with the replacements that they cause. All indices are those of entries.
struct Nodes<'r, 'a> {
    entries: &'r [Entry<'a>],
    /// The first cause of each replaced entry that has one.
    parents: Vec<Option<usize>>,
    /// The entries of which each is the first cause.
    children: Vec<Vec<usize>>,
    /// The changes that cause others without having a cause, including second causes.
    causes: BTreeSet<usize>,
}

/// The size of a tree, including its root.
#[derive(Clone, Copy, Default)]
struct Size {
    replaced: usize,
    /// The rank of the gravest finding.
    gravest: Option<usize>,
}

impl<'r, 'a> Nodes<'r, 'a> {
    fn new(entries: &'r [Entry<'a>]) -> Self {
        let current = entries.iter().enumerate().filter(|(_, entry)| entry.deposed.is_empty());
        let places: HashMap<&str, usize> = current.map(|(at, entry)| (entry.address, at)).collect();
        let (parents, children) = (vec![None; entries.len()], vec![Vec::new(); entries.len()]);
        let mut nodes = Self { entries, parents, children, causes: BTreeSet::new() };
        for (at, entry) in entries.iter().enumerate().filter(|(_, entry)| is_replaced(entry)) {
            let causes = entry.causes.iter().filter_map(|cause| places.get(cause.address).copied());
            let mut causes = causes.filter(|cause| *cause != at).peekable();
            if let Some(first) = causes.peek().copied() {
                nodes.parents[at] = Some(first);
                nodes.children[first].push(at);
                nodes.causes.extend(causes);
            }
        }
        nodes.causes.retain(|at| nodes.parents[*at].is_none());
        nodes
    }

    /// The sizes of all trees below `roots`.
    fn sizes(&self, roots: &[usize]) -> Vec<Size> {
        // Each node has at most one parent, so the walk visits it once.
        let mut order = roots.to_vec();
        let mut next = 0;
        while let Some(at) = order.get(next).copied() {
            order.extend_from_slice(&self.children[at]);
            next += 1;
        }
        let mut sizes = vec![Size::default(); self.entries.len()];
        for at in order.into_iter().rev() {
            let entry = &self.entries[at];
            let own =
                Size { replaced: usize::from(is_replaced(entry)), gravest: entry.findings.first().copied() };
            sizes[at] = self.children[at].iter().map(|child| sizes[*child]).fold(own, |size, below| Size {
                replaced: size.replaced + below.replaced,
                gravest: size.gravest.into_iter().chain(below.gravest).min(),
            });
        }
        sizes
    }

    /// The attributes that force the replacement of an entry because of its first cause, and the other
    /// causes.
    fn via(&self, at: usize) -> String {
        let entry = &self.entries[at];
        let parent = self.parents[at].map_or("", |parent| self.entries[parent].address);
        let own = entry.causes.iter().filter(|cause| cause.address == parent);
        let mut text = listed(own.map(|cause| cause.attribute));
        let others: BTreeSet<&str> = entry.causes.iter().map(|cause| cause.address).collect();
        let mut others = others.into_iter().filter(|address| *address != parent && *address != entry.address);
        if let Some(other) = others.next() {
            text.push_str(&format!("; also {other}"));
        }
        let more = others.count();
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
        text
    }

    /// The changed attributes of the first entry of a tree.
    fn what_changes(&self, at: usize) -> String {
        let entry = &self.entries[at];
        if is_replaced(entry) {
            return listed(entry.edits.iter().filter(|edit| edit.replaces).map(root_name));
        }
        let sources = self.children[at].iter().flat_map(|child| &self.entries[*child].causes);
        listed(sources.filter(|cause| cause.address == entry.address).filter_map(|cause| cause.source))
    }
}

fn is_replaced(entry: &Entry<'_>) -> bool {
    ChangeKind::from_entry(entry).is_replacement()
}

/// Distinct names: `vpc_id, subnet_ids, +2`.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut seen: Vec<&str> = Vec::new();
    let mut more = 0;
    for name in names.filter(|name| !name.is_empty()) {
        if !seen.contains(&name) {
            if seen.len() < MAX_NAMES { seen.push(name) } else { more += 1 }
        }
    }
    let mut text = seen.into_iter().map(name).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text.push_str(&format!(", +{more}"));
    }
    text
}

struct Writer<'n, 'r, 'a> {
    nodes: &'n Nodes<'r, 'a>,
    sizes: Vec<Size>,
    lines: Vec<Line>,
    /// The number of replacements that have been written.
    shown: usize,
    max_lines: usize,
    width: usize,
}

/// Entries on one line: instances that are replaced because of the same attribute, and cause nothing else.
struct Branch {
    members: Vec<usize>,
    via: String,
    kinds: BTreeSet<FindingKind>,
}

impl Writer<'_, '_, '_> {
    fn trees(&mut self, mut roots: Vec<usize>) {
        self.sort(&mut roots);
        // A stack: the branch to be written next is the last. Roots are not preceded by a connector.
        let mut stack: Vec<(usize, Branch)> =
            roots.into_iter().rev().map(|root| (0, self.root(root))).collect();
        while let Some((depth, branch)) = stack.pop() {
            if self.lines.len() >= self.max_lines {
                return;
            }
            let rest = self.line(depth, branch);
            stack.extend(rest.into_iter().rev().map(|branch| (depth + 1, branch)));
        }
    }

    /// Writes a branch, and continues with what it causes until there is more than one; returns these
    /// branches.
    fn line(&mut self, depth: usize, first: Branch) -> Vec<Branch> {
        let mut spans = Vec::new();
        let mut next = Some((first, depth > 0));
        let mut length = 2 * depth.min(MAX_DEPTH);
        let mut rest = Vec::new();
        while let Some((branch, has_arrow)) = next.take() {
            let space = if spans.is_empty() { "" } else { " " };
            let text = format!("{space}{}", self.text(&branch, has_arrow));
            let size = text.chars().count();
            // A chain that is too long continues on the next line.
            if !spans.is_empty() && length + size > self.width {
                rest.push(branch);
                break;
            }
            length += size;
            spans.push(Span::new(text, Tone::Plain));
            if !branch.kinds.is_empty() {
                let kinds: Vec<&str> = branch.kinds.iter().map(|kind| kind.name()).collect();
                spans.push(Span::new(format!("  ! {}", kinds.join(", ")), Tone::Alert));
            }
            self.shown += branch.members.iter().filter(|at| is_replaced(&self.nodes.entries[**at])).count();
            let mut branches = match *branch.members {
                [only] => self.branches(only),
                _ => Vec::new(),
            };
            match branches.len() {
                1 => next = branches.pop().map(|only| (only, true)),
                _ => rest = branches,
            }
        }
        self.lines.push(Line { depth: depth.min(MAX_DEPTH), sign: Sign::Same, spans });
        rest
    }

    fn text(&self, branch: &Branch, has_arrow: bool) -> String {
        let addresses: Vec<&str> = branch.members.iter().map(|at| self.nodes.entries[*at].address).collect();
        let mut text = crate::text::cut(&one_line(&compact(&addresses).join(", ")), 200);
        if branch.members.len() > 1 {
            text.push_str(&format!(" × {}", branch.members.len()));
        }
        let arrow = if has_arrow { "→ " } else { "" };
        let via = match (has_arrow, branch.via.as_str()) {
            (_, "") => String::new(),
            (true, via) => format!(" ({via})"),
            (false, what) => format!(" {what}"),
        };
        one_line(&format!("{arrow}{text}{via}"))
    }

    fn root(&self, at: usize) -> Branch {
        let kinds = self.nodes.entries[at].finding_kinds.clone();
        Branch { members: vec![at], via: self.nodes.what_changes(at), kinds }
    }

    /// The branches below a node, the most severe first.
    fn branches(&self, at: usize) -> Vec<Branch> {
        let mut children = self.nodes.children[at].clone();
        self.sort(&mut children);
        let keyed = children.into_iter().map(|child| {
            let entry = &self.nodes.entries[child];
            let resource = format!("{}.{}.{}", entry.module_address, entry.resource_type, entry.name);
            // What causes something else has a branch of its own.
            let own = (!self.nodes.children[child].is_empty()).then_some(child);
            let (via, kinds) = (self.nodes.via(child), entry.finding_kinds.clone());
            ((resource, via.clone(), kinds.clone(), own), (child, via, kinds))
        });
        let branch = |same: Vec<(usize, String, BTreeSet<FindingKind>)>| {
            let members = same.iter().map(|(child, ..)| *child).collect();
            let (_, via, kinds) = same.into_iter().next()?;
            Some(Branch { members, via, kinds })
        };
        crate::sort::grouped(keyed).into_iter().filter_map(branch).collect()
    }

    fn sort(&self, nodes: &mut [usize]) {
        crate::sort::by_key(nodes, |at| {
            let size = self.sizes[*at];
            (size.gravest.is_none(), size.gravest, Reverse(size.replaced), *at)
        });
    }
}
