//! The tree of replacements and their causes, as far as [`Entry::causes`] proves these.
//!
//! An entry is written once, below its first cause; its other causes are named after it. A chain of causes is on one
//! line if it fits. Entries that cause each other in a circle are left out.
//!
//! ```text
//! aws_vpc.data cidr_block
//!   → aws_security_group.db (vpc_id) → aws_instance.db (vpc_security_group_ids)
//!   → aws_subnet.data[0…2] × 3 (vpc_id)
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use crate::report::{Causes, Line, Sign, Span, Tone};
use crate::review::entry::Entry;
use crate::review::paths::{compact, few_names, root_name};
use crate::review::plan::PlanReview;
use crate::review::{Options, count, one_line};
use crate::text::cut;

/// The maximum number of lines of the tree; further replacements are counted.
const MAX_LINES: usize = 12;
/// The minimum width of a line before a chain of causes is broken, in characters.
const MAX_WIDTH: usize = 100;
/// The maximum length of the addresses of a branch, in characters.
const MAX_ADDRESS_LEN: usize = 200;
/// The depth from which on lines are not indented further.
const MAX_DEPTH: usize = 12;

/// Returns the tree of causes, the most severe first, below the title `3 replaced, 1 cause`. `None` if no cause is
/// proven.
pub(crate) fn cause_tree(review: &PlanReview<'_>, options: &Options) -> Option<Causes> {
    let mut tree = Tree::new(&review.changes.resources, options);
    let is_root =
        |index: &usize| tree.parents[*index].is_none() && !tree.children[*index].is_empty();
    let mut roots: Vec<usize> = (0..tree.entries.len()).filter(is_root).collect();
    tree.measure(&roots);
    let replaced: usize = roots.iter().map(|root| tree.sizes[*root].replaced).sum();
    if replaced == 0 {
        return None;
    }
    tree.sort(&mut roots);
    let mut stack: Vec<(usize, Branch)> = roots
        .into_iter()
        .rev()
        .map(|root| (0, tree.root(root)))
        .collect();
    while let Some((depth, branch)) = stack.pop()
        && tree.lines.len() < options.limit(MAX_LINES)
    {
        let rest = tree.line(depth, branch);
        stack.extend(rest.into_iter().rev().map(|branch| (depth + 1, branch)));
    }
    let title = format!("{replaced} replaced, {}", count(tree.causes.len(), "cause"));
    if replaced > tree.shown {
        let text = format!(
            "… {} more replaced; --context all shows all",
            replaced - tree.shown
        );
        tree.lines.push(Line::note(0, text));
    }
    Some(Causes {
        title,
        lines: tree.lines,
    })
}

/// The tree under construction. Its nodes are the indices of entries.
struct Tree<'r, 'a> {
    /// The changed resources.
    entries: &'r [Entry<'a>],
    /// The first cause of each entry, below which the entry is written.
    parents: Vec<Option<usize>>,
    /// The entries of which each entry is the first cause.
    children: Vec<Vec<usize>>,
    /// The changes that cause others, but have no cause themselves, including those that are only further causes.
    causes: BTreeSet<usize>,
    /// The size of the part of the tree at and below each entry, which decides the order.
    sizes: Vec<Size>,
    /// The lines written so far.
    lines: Vec<Line>,
    /// The number of replaced objects on the lines written so far.
    shown: usize,
    /// The maximum length of a line, in columns.
    width: usize,
}

/// The size of the part of the tree at and below an entry.
#[derive(Clone, Copy)]
struct Size {
    /// The number of replaced objects.
    replaced: usize,
    /// The lowest rank of a finding in it, which is the gravest; the highest number if there are no findings.
    gravest: usize,
}

/// A node of the tree as it is written: an entry, or instances that are replaced because of the same attribute and
/// cause nothing else.
struct Branch {
    /// The entries.
    members: Vec<usize>,
    /// The attribute through which they are replaced, with their other causes.
    via: String,
}

fn is_replaced(entry: &Entry<'_>) -> bool {
    entry.kind().is_replacement()
}

impl<'r, 'a> Tree<'r, 'a> {
    /// Builds the tree: each replaced entry is below its first cause.
    fn new(entries: &'r [Entry<'a>], options: &Options) -> Self {
        let current = entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.deposed.is_empty());
        let places: HashMap<&str, usize> = current
            .map(|(index, entry)| (entry.address, index))
            .collect();
        let own_size = |entry: &Entry<'_>| Size {
            replaced: usize::from(is_replaced(entry)),
            gravest: entry.findings.first().copied().unwrap_or(usize::MAX),
        };
        let mut tree = Self {
            entries,
            parents: vec![None; entries.len()],
            children: vec![Vec::new(); entries.len()],
            causes: BTreeSet::new(),
            sizes: entries.iter().map(own_size).collect(),
            lines: Vec::new(),
            shown: 0,
            width: options.width.max(MAX_WIDTH),
        };
        for (index, entry) in entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| is_replaced(entry))
        {
            let causes = entry
                .causes
                .iter()
                .filter_map(|cause| places.get(cause.address).copied());
            let mut causes = causes.filter(|cause| *cause != index).peekable();
            if let Some(first) = causes.peek().copied() {
                tree.parents[index] = Some(first);
                tree.children[first].push(index);
                tree.causes.extend(causes);
            }
        }
        tree.causes.retain(|index| tree.parents[*index].is_none());
        tree
    }

    /// Adds the size of each entry to that of its parent, from the leaves up.
    fn measure(&mut self, roots: &[usize]) {
        // Each node has at most one parent, so the walk visits it once.
        let mut order = roots.to_vec();
        let mut next = 0;
        while let Some(index) = order.get(next).copied() {
            order.extend_from_slice(&self.children[index]);
            next += 1;
        }
        for index in order.into_iter().rev() {
            let Size { replaced, gravest } = self.sizes[index];
            if let Some(parent) = self.parents[index] {
                let above = &mut self.sizes[parent];
                *above = Size {
                    replaced: above.replaced + replaced,
                    gravest: above.gravest.min(gravest),
                };
            }
        }
    }

    /// Returns the attribute through which an entry is replaced, with its other causes.
    fn via(&self, index: usize) -> String {
        let entry = &self.entries[index];
        let parent = self.parents[index].map_or("", |parent| self.entries[parent].address);
        let of_parent = entry.causes.iter().filter(|cause| cause.address == parent);
        let mut text = few_names(of_parent.map(|cause| cause.attribute));
        let others: BTreeSet<&str> = entry.causes.iter().map(|cause| cause.address).collect();
        let mut others = others
            .into_iter()
            .filter(|address| *address != parent && *address != entry.address);
        if let Some(other) = others.next() {
            text.push_str(&format!("; also {other}"));
        }
        let more = others.count();
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
        text
    }

    /// Returns the branch of an entry without a cause, with the attributes that make it cause others.
    fn root(&self, index: usize) -> Branch {
        let entry = &self.entries[index];
        let via = if is_replaced(entry) {
            few_names(
                entry
                    .shown_edits
                    .iter()
                    .filter(|edit| edit.replaces)
                    .map(root_name),
            )
        } else {
            let causes = self.children[index]
                .iter()
                .flat_map(|child| &self.entries[*child].causes);
            few_names(
                causes
                    .filter(|cause| cause.address == entry.address)
                    .filter_map(|cause| cause.source),
            )
        };
        Branch {
            members: vec![index],
            via,
        }
    }

    /// Writes a line that begins with a branch, and continues it with what the branch causes as long as that is a
    /// single branch and fits. Returns the branches that are to be written below it.
    fn line(&mut self, depth: usize, first: Branch) -> Vec<Branch> {
        let mut spans = Vec::new();
        let mut next = Some((first, depth > 0));
        let mut length = 2 * depth.min(MAX_DEPTH);
        let mut rest = Vec::new();
        while let Some((branch, has_arrow)) = next.take() {
            let space = if spans.is_empty() { "" } else { " " };
            let text = format!("{space}{}", self.text(&branch, has_arrow));
            let size = text.chars().count();
            if !spans.is_empty() && length + size > self.width {
                rest.push(branch);
                break;
            }
            length += size;
            spans.push(Span::new(text, Tone::Plain));
            self.shown += branch
                .members
                .iter()
                .filter(|index| is_replaced(&self.entries[**index]))
                .count();
            let mut branches = match *branch.members {
                [only] => self.branches(only),
                _ => Vec::new(),
            };
            match branches.len() {
                1 => next = branches.pop().map(|only| (only, true)),
                _ => rest = branches,
            }
        }
        self.lines
            .push(Line::of(depth.min(MAX_DEPTH), Sign::Same, spans));
        rest
    }

    /// Returns the text of a branch: its addresses, their number, and the attribute through which they are replaced.
    fn text(&self, branch: &Branch, has_arrow: bool) -> String {
        let addresses: Vec<&str> = branch
            .members
            .iter()
            .map(|index| self.entries[*index].address)
            .collect();
        let mut text = cut(&one_line(&compact(&addresses).join(", ")), MAX_ADDRESS_LEN);
        if branch.members.len() > 1 {
            text.push_str(&format!(" × {}", branch.members.len()));
        }
        let text = match (has_arrow, branch.via.as_str()) {
            (true, "") => format!("→ {text}"),
            (true, via) => format!("→ {text} ({via})"),
            (false, "") => text,
            (false, what) => format!("{text} {what}"),
        };
        one_line(&text)
    }

    /// Returns the children of an entry. Those of the same resource with the same reason are one branch.
    fn branches(&self, index: usize) -> Vec<Branch> {
        let mut children = self.children[index].clone();
        self.sort(&mut children);
        let keyed = children.into_iter().map(|child| {
            let entry = &self.entries[child];
            let resource = format!(
                "{}.{}.{}",
                entry.module_address, entry.resource_type, entry.name
            );
            let branch_root = (!self.children[child].is_empty()).then_some(child);
            (
                (
                    resource,
                    self.via(child),
                    entry.finding_kinds.clone(),
                    branch_root,
                ),
                child,
            )
        });
        let branch = |members: Vec<usize>| {
            Some(Branch {
                via: self.via(*members.first()?),
                members,
            })
        };
        crate::grouping::groups(keyed)
            .into_iter()
            .filter_map(branch)
            .collect()
    }

    /// Sorts entries of one level: the gravest first, then those with the most replaced objects.
    fn sort(&self, nodes: &mut [usize]) {
        nodes.sort_by_key(|index| {
            let Size { replaced, gravest } = self.sizes[*index];
            (gravest, Reverse(replaced), *index)
        });
    }
}
