//! Summarizes moves and imports by what they have in common.
//!
//! A refactoring moves many objects in the same way: out of a module, to another name, or from `count` to `for_each`.
//! One line about the mapping says what hundreds of lines about objects would say:
//!
//! ```text
//! module.network.module.vpc.aws_subnet.a    -> module.vpc.aws_subnet.a      one mapping of modules:
//! module.network.module.vpc.aws_eip.nat[0]  -> module.vpc.aws_eip.nat[0]    module.network.module.vpc -> module.vpc
//! ```
//!
//! Invariant: each entry that moves and is not destroyed belongs to exactly one mapping.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::ChangeKind;
use super::entry::Entry;

/// The part of an address that a move replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum MoveMapping<'a> {
    /// One prefix of modules is replaced by another. An empty prefix is the root module.
    Modules { from: &'a str, to: &'a str },
    /// The type, name or module of the resource changes; its instance keys stay.
    Resource { from: &'a str, to: &'a str },
    /// The instance keys of one resource change, as they do between `count` and `for_each`.
    Keys { resource: &'a str },
}

/// A mapping with the entries that move by it, as indices in the given list.
#[derive(Clone, Debug)]
pub(super) struct Move<'a> {
    pub(super) mapping: MoveMapping<'a>,
    pub(super) entries: Vec<usize>,
}

/// Returns the moves of `entries`, the mapping with the most entries first.
pub(super) fn moves<'a>(entries: &[Entry<'a>]) -> Vec<Move<'a>> {
    let mut places: HashMap<MoveMapping<'a>, usize> = HashMap::new();
    let mut moves: Vec<Move<'a>> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        // An object that is destroyed is listed at its new address, but nothing is there afterwards.
        if !entry.is_moved() || entry.kind() == ChangeKind::Destroy {
            continue;
        }
        let mapping = MoveMapping::new(entry.previous_address, entry.address);
        let place = *places.entry(mapping).or_insert(moves.len());
        if place == moves.len() {
            moves.push(Move {
                mapping,
                entries: Vec::new(),
            });
        }
        moves[place].entries.push(index);
    }
    for group in &mut moves {
        group.name_module(entries);
    }
    moves.sort_by_key(|group| Reverse(group.entries.len()));
    moves
}

impl<'a> Move<'a> {
    /// Extends the mapping to whole modules if one side of it is the root module and all objects are in the same
    /// module: `module.a.module.vpc -> module.vpc` says more than `module.a` and nothing.
    fn name_module(&mut self, entries: &[Entry<'a>]) {
        let MoveMapping::Modules { from, to } = self.mapping else {
            return;
        };
        let mut pairs = self.entries.iter().map(|index| {
            let entry = &entries[*index];
            let from = Address::new(entry.previous_address).module;
            (from, Address::new(entry.address).module)
        });
        if let Some((whole_from, whole_to)) = pairs.next()
            && (from.is_empty() || to.is_empty())
            && !whole_from.is_empty()
            && !whole_to.is_empty()
            && pairs.all(|pair| pair == (whole_from, whole_to))
        {
            self.mapping = MoveMapping::Modules {
                from: whole_from,
                to: whole_to,
            };
        }
    }
}

impl<'a> MoveMapping<'a> {
    /// Returns the smallest mapping that explains a move between two different addresses.
    pub(super) fn new(previous: &'a str, current: &'a str) -> Self {
        let (from, to) = (Address::new(previous), Address::new(current));
        if from.instance == to.instance {
            let shared = shared_modules(from.module, to.module);
            return Self::Modules {
                from: without_end(from.module, shared),
                to: without_end(to.module, shared),
            };
        }
        if from.resource() == to.resource() {
            return Self::Keys {
                resource: to.resource(),
            };
        }
        Self::Resource {
            from: from.resource(),
            to: to.resource(),
        }
    }
}

/// An address, split into its module and its resource instance: `module.m["a"]` and `aws_x.y[0]`.
struct Address<'a> {
    /// The whole address.
    text: &'a str,
    /// The path of the module; empty for the root module.
    module: &'a str,
    /// The type, the name and the key.
    instance: &'a str,
}

impl<'a> Address<'a> {
    /// Splits an address into the path of its module and the rest. Keys may contain dots and brackets.
    fn new(text: &'a str) -> Self {
        let mut end = 0;
        while let Some(call) = text
            .get(end..)
            .and_then(|rest| rest.strip_prefix("module."))
        {
            let Some(length) = end_of_step(call) else {
                break;
            };
            end += "module.".len() + length + 1;
        }
        let (module, instance) = text.split_at(end.min(text.len()));
        Self {
            text,
            module: module.trim_end_matches('.'),
            instance,
        }
    }

    /// Returns the address without the instance key of the resource.
    fn resource(&self) -> &'a str {
        let length = self.instance.find('[').unwrap_or(self.instance.len());
        let start = self.text.len() - self.instance.len();
        self.text.get(..start + length).unwrap_or(self.text)
    }
}

/// Returns the index of the `.` that ends the first step of an address. A key in quotes may contain dots.
fn end_of_step(text: &str) -> Option<usize> {
    let mut in_quotes = false;
    let mut is_escaped = false;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_quotes => is_escaped = true,
            b'"' => in_quotes = !in_quotes,
            b'.' if !in_quotes => return Some(index),
            _ => {}
        }
    }
    None
}

/// Returns the number of bytes at the end of both module addresses that are the same module calls.
fn shared_modules(from: &str, to: &str) -> usize {
    let mut shared = 0;
    let mut starts: Vec<usize> = Vec::new();
    let mut index = 0;
    while let Some(call) = from
        .get(index..)
        .and_then(|rest| rest.strip_prefix("module."))
    {
        starts.push(index);
        let Some(length) = end_of_step(call) else {
            break;
        };
        index += "module.".len() + length + 1;
    }
    for start in starts.into_iter().rev() {
        let end = &from[start..];
        let ends_alike = to
            .strip_suffix(end)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        if !ends_alike {
            break;
        }
        shared = end.len();
    }
    shared
}

/// Returns a module address without its last `length` bytes and the dot before them.
fn without_end(module: &str, length: usize) -> &str {
    let end = module.len().saturating_sub(length);
    module.get(..end).unwrap_or_default().trim_end_matches('.')
}

/// Objects of one type that are imported without changes, as indices in `entries`.
#[derive(Clone, Debug)]
pub(super) struct Import<'a> {
    pub(super) resource_type: &'a str,
    pub(super) entries: Vec<usize>,
}

/// Returns the imports that change nothing, the type with the most objects first.
pub(super) fn imports<'a>(entries: &[Entry<'a>]) -> Vec<Import<'a>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut imports: Vec<Import<'a>> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        if entry.kind() != ChangeKind::Import {
            continue;
        }
        let place = *places.entry(entry.resource_type).or_insert(imports.len());
        if place == imports.len() {
            imports.push(Import {
                resource_type: entry.resource_type,
                entries: Vec::new(),
            });
        }
        imports[place].entries.push(index);
    }
    imports.sort_by_key(|group| Reverse(group.entries.len()));
    imports
}

#[cfg(test)]
mod tests {
    use super::MoveMapping::{self, Keys, Modules, Resource};

    /// A mapping names the smallest part of an address that changes.
    #[test]
    fn mappings_are_as_small_as_possible() {
        for (previous, current, expected) in [
            (
                "module.network.module.vpc.aws_subnet.a[0]",
                "module.vpc.aws_subnet.a[0]",
                Modules {
                    from: "module.network",
                    to: "",
                },
            ),
            (
                "module.a[\"x.y\"].module.vpc.aws_subnet.a",
                "module.b.module.vpc.aws_subnet.a",
                Modules {
                    from: "module.a[\"x.y\"]",
                    to: "module.b",
                },
            ),
            (
                "aws_s3_bucket.b",
                "module.store.aws_s3_bucket.b",
                Modules {
                    from: "",
                    to: "module.store",
                },
            ),
            (
                "module.m.aws_sqs_queue.q[0]",
                "module.m.aws_sqs_queue.q[\"jobs\"]",
                Keys {
                    resource: "module.m.aws_sqs_queue.q",
                },
            ),
            (
                "aws_sqs_queue.q[0]",
                "aws_sqs_queue.jobs[0]",
                Resource {
                    from: "aws_sqs_queue.q",
                    to: "aws_sqs_queue.jobs",
                },
            ),
        ] {
            assert_eq!(
                MoveMapping::new(previous, current),
                expected,
                "{previous} -> {current}"
            );
        }
    }
}
