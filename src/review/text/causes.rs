//! Replacements and their causes as a tree: from a change to the replacements that it forces through
//! references.
//!
//! The tree contains only causes that [`Entry::causes`] proves. An entry is written once, below its first
//! cause; its other causes are named beside it. Entries that cause each other in a circle are left out.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use super::addresses::compact;
use super::{name, root_name};
use crate::report::{Line, Sign, Span, Tone};
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

/// The causes of a plan's replacements.
#[derive(Debug)]
pub(crate) struct CauseTree {
    /// The title: `3 replaced, 1 cause`.
    pub(crate) title: String,
    /// The trees, the most severe first.
    pub(crate) lines: Vec<Line>,
}

/// The causes of a plan's replacements; `None` if none is proven.
pub(crate) fn cause_tree(review: &PlanReview<'_>, options: &Options) -> Option<CauseTree> {
    let nodes = Nodes::new(&review.resources);
    let roots = nodes.roots();
    let sizes = nodes.sizes(&roots);
    let replaced: usize = roots.iter().map(|root| sizes.get(root).map_or(0, |size| size.replaced)).sum();
    if roots.is_empty() || replaced == 0 {
        return None;
    }
    let title = format!("{replaced} replaced, {}", count(nodes.causes(), "cause"));
    let max_lines = if options.unchanged { usize::MAX } else { MAX_LINES };
    let mut writer = Writer {
        nodes: &nodes,
        sizes,
        lines: Vec::new(),
        shown: 0,
        max_lines,
        width: options.width.max(MAX_WIDTH),
    };
    writer.trees(roots);
    let (mut lines, more) = (writer.lines, replaced.saturating_sub(writer.shown));
    if more > 0 {
        lines.push(Line::note(0, format!("… {more} more replaced; --context all shows all")));
    }
    Some(CauseTree { title, lines })
}

/// The entries of a plan, with the replacements that they cause.
struct Nodes<'r, 'a> {
    entries: &'r [Entry<'a>],
    /// The index of the first cause of each replaced entry that has one.
    parents: HashMap<usize, usize>,
    /// The indices of all causes of each entry.
    all_causes: HashMap<usize, BTreeSet<usize>>,
    children: HashMap<usize, Vec<usize>>,
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
        let mut nodes =
            Self { entries, parents: HashMap::new(), all_causes: HashMap::new(), children: HashMap::new() };
        for (at, entry) in entries.iter().enumerate().filter(|(_, entry)| is_replaced(entry)) {
            let causes = entry.causes.iter().filter_map(|cause| places.get(cause.address).copied());
            let causes: Vec<usize> = causes.filter(|cause| *cause != at).collect();
            if let Some(first) = causes.first() {
                nodes.parents.insert(at, *first);
                nodes.children.entry(*first).or_default().push(at);
                nodes.all_causes.insert(at, causes.into_iter().collect());
            }
        }
        nodes
    }

    /// The changes that cause others without having a cause, in the order of the plan.
    fn roots(&self) -> Vec<usize> {
        let mut roots: Vec<usize> =
            self.children.keys().filter(|at| !self.parents.contains_key(at)).copied().collect();
        roots.sort_unstable();
        roots
    }

    /// The number of changes that cause others without having a cause, including second causes.
    fn causes(&self) -> usize {
        let all: BTreeSet<usize> = self.all_causes.values().flatten().copied().collect();
        all.into_iter().filter(|at| !self.parents.contains_key(at)).count()
    }

    fn entry(&self, at: usize) -> Option<&'r Entry<'a>> {
        self.entries.get(at)
    }

    fn below(&self, at: usize) -> &[usize] {
        self.children.get(&at).map_or(&[], Vec::as_slice)
    }

    /// The sizes of all trees below `roots`.
    fn sizes(&self, roots: &[usize]) -> HashMap<usize, Size> {
        // Each node has at most one parent, so the walk visits it once.
        let mut order = roots.to_vec();
        let mut next = 0;
        while let Some(at) = order.get(next).copied() {
            order.extend_from_slice(self.below(at));
            next += 1;
        }
        let mut sizes: HashMap<usize, Size> = HashMap::new();
        for at in order.into_iter().rev() {
            let entry = self.entry(at);
            let mut size = Size {
                replaced: usize::from(entry.is_some_and(is_replaced)),
                gravest: entry.and_then(|entry| entry.findings.first().copied()),
            };
            for below in self.below(at).iter().filter_map(|child| sizes.get(child)) {
                size.replaced += below.replaced;
                size.gravest = match (size.gravest, below.gravest) {
                    (Some(own), Some(other)) => Some(own.min(other)),
                    (own, other) => own.or(other),
                };
            }
            sizes.insert(at, size);
        }
        sizes
    }

    /// The attributes that force the replacement of an entry because of its first cause, and the other
    /// causes.
    fn via(&self, at: usize) -> String {
        let Some(entry) = self.entry(at) else { return String::new() };
        let parent = self.parents.get(&at).and_then(|parent| self.entry(*parent));
        let parent = parent.map_or("", |parent| parent.address);
        let own = entry.causes.iter().filter(|cause| cause.address == parent);
        let mut text = listed(own.map(|cause| cause.attribute));
        let mut others: Vec<&str> = entry.causes.iter().map(|cause| cause.address).collect();
        others.sort_unstable();
        others.dedup();
        others.retain(|address| *address != parent && *address != entry.address);
        match *others {
            [] => {}
            [other] => text.push_str(&format!("; also {other}")),
            [other, ..] => text.push_str(&format!("; also {other} and {} more", others.len() - 1)),
        }
        text
    }

    /// The changed attributes of the first entry of a tree.
    fn what_changes(&self, at: usize) -> String {
        let Some(entry) = self.entry(at) else { return String::new() };
        if is_replaced(entry) {
            let forcing = entry.edits.iter().filter(|edit| edit.replaces).map(root_name);
            return listed(forcing.filter(|name| !name.is_empty()));
        }
        let effects = self.below(at).iter().filter_map(|child| self.entry(*child));
        let sources = effects.flat_map(|effect| effect.causes.iter());
        listed(sources.filter(|cause| cause.address == entry.address).filter_map(|cause| cause.source))
    }
}

/// Whether an object is destroyed or forgotten, and another one is created in its place.
fn is_replaced(entry: &Entry<'_>) -> bool {
    matches!(ChangeKind::from_entry(entry), ChangeKind::Replace | ChangeKind::ReplaceForget)
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
    sizes: HashMap<usize, Size>,
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
            let replaced = |at: &&usize| self.nodes.entry(**at).is_some_and(is_replaced);
            self.shown += branch.members.iter().filter(replaced).count();
            let mut branches = match *branch.members {
                [only] => self.branches(only),
                _ => Vec::new(),
            };
            match branches.pop() {
                Some(only) if branches.is_empty() => next = Some((only, true)),
                Some(last) => {
                    branches.push(last);
                    rest = branches;
                }
                None => {}
            }
        }
        self.lines.push(Line { depth: depth.min(MAX_DEPTH), sign: Sign::Same, spans });
        rest
    }

    fn text(&self, branch: &Branch, has_arrow: bool) -> String {
        let addresses = branch.members.iter().filter_map(|at| self.nodes.entry(*at));
        let addresses: Vec<&str> = addresses.map(|entry| entry.address).collect();
        let all = compact(&addresses);
        let mut text = crate::text::cut(&one_line(&all.join(", ")), 200);
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
        let kinds = self.nodes.entry(at).map(|entry| entry.finding_kinds.clone()).unwrap_or_default();
        Branch { members: vec![at], via: self.nodes.what_changes(at), kinds }
    }

    /// The branches below a node, the most severe first.
    fn branches(&self, at: usize) -> Vec<Branch> {
        let mut children = self.nodes.below(at).to_vec();
        self.sort(&mut children);
        let mut branches: Vec<Branch> = Vec::new();
        let mut places: HashMap<(String, String, BTreeSet<FindingKind>), usize> = HashMap::new();
        for child in children {
            let Some(entry) = self.nodes.entry(child) else { continue };
            let (via, kinds) = (self.nodes.via(child), entry.finding_kinds.clone());
            if self.nodes.below(child).is_empty() {
                let resource = format!("{}.{}.{}", entry.module_address, entry.resource_type, entry.name);
                let place = *places.entry((resource, via.clone(), kinds.clone())).or_insert(branches.len());
                if let Some(branch) = branches.get_mut(place) {
                    branch.members.push(child);
                    continue;
                }
            }
            branches.push(Branch { members: vec![child], via, kinds });
        }
        branches
    }

    fn sort(&self, nodes: &mut [usize]) {
        nodes.sort_by_key(|at| {
            let size = self.sizes.get(at).copied().unwrap_or_default();
            (size.gravest.is_none(), size.gravest, Reverse(size.replaced), *at)
        });
    }
}
