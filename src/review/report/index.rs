//! What leads to the entries of a plan: the numbers by action and by level, and the tree of modules.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use crate::model::address::module_calls;
use crate::report::{Count, Entry, ModuleRow, Section, SectionKind, Title};
use crate::review::{ChangeKind, one_line};
use crate::text::nonzero;

/// The maximum number of modules around a module of its own row; deeper ones are counted in the last.
const MAX_DEPTH: usize = 8;

/// The entries of single objects.
fn leaves<'e, 'r>(sections: &'e [Section<'r>]) -> impl Iterator<Item = (SectionKind, &'e Entry<'r>)> {
    let of = |entry: &'e Entry<'r>| match &*entry.members {
        [] => std::slice::from_ref(entry),
        members => members,
    };
    sections
        .iter()
        .flat_map(move |section| section.entries.iter().flat_map(of).map(|entry| (section.kind, entry)))
}

/// The numbers of changes to resources by action, and of their findings by level.
pub(super) fn counts(sections: &[Section<'_>]) -> Vec<Count> {
    let (mut kinds, mut levels) = (BTreeMap::new(), BTreeMap::new());
    for (section, entry) in leaves(sections) {
        if section == SectionKind::Resources {
            let places = if entry.members.is_empty() { entry.places.1.len() } else { 1 };
            *kinds.entry(entry.kind).or_insert(0) += places;
        }
        entry.levels.iter().for_each(|(level, number)| *levels.entry(Reverse(*level)).or_insert(0) += number);
    }
    let kinds = ChangeKind::ALL.into_iter().filter_map(|kind| {
        let number = *kinds.get(kind.word())?;
        Some(Count { number, text: kind.verdict(), word: kind.word(), is_level: false })
    });
    let levels = levels.into_iter().map(|(Reverse(level), number)| {
        let word = level.name();
        Count { number, text: word, word, is_level: true }
    });
    kinds.chain(levels).collect()
}

/// The tree of the modules of these changes: pairs of the address of a module and the action.
pub(super) fn modules(changes: &[(&str, ChangeKind)], sections: &[Section<'_>]) -> Vec<ModuleRow> {
    let mut places: HashMap<Vec<&str>, usize> = HashMap::new();
    for (at, section) in sections.iter().enumerate() {
        if let Title::Module(address) = &section.title {
            places.insert(path(address), at);
        }
    }
    let mut numbers: BTreeMap<Vec<&str>, BTreeMap<ChangeKind, usize>> = BTreeMap::new();
    for ((module, kind), number) in crate::sort::tally(changes.iter().copied()) {
        let path = path(module);
        // The root module contains no count of the others.
        let first = usize::from(!path.is_empty());
        for end in first..=path.len() {
            let Some(outer) = path.get(..end) else { continue };
            *numbers.entry(outer.to_vec()).or_default().entry(kind).or_default() += number;
        }
    }
    let row = |(path, numbers): (Vec<&str>, BTreeMap<ChangeKind, usize>)| {
        let counts = nonzero(numbers.into_iter().map(|(kind, number)| (number, kind.verdict())));
        ModuleRow {
            depth: path.len().saturating_sub(1),
            name: path.last().map_or_else(|| "root module".to_owned(), |name| one_line(name)),
            section: places.get(&path).copied(),
            counts: counts.join(", "),
        }
    };
    numbers.into_iter().map(row).collect()
}

/// The calls that lead to a module: `module.a["k"]`, `module.b`.
fn path(module: &str) -> Vec<&str> {
    module_calls(module, MAX_DEPTH)
}
