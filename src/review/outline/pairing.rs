//! Which element of a list or set became which: by content, by name, by likeness.
//!
//! The tools pair the elements of a list by their places, and those of a set not at all. For a
//! reader, the change inside of what is the same thing is shorter. Invariants: each element that
//! went and each that came is in the result, alone or in one pair; secrets take no part: two elements
//! are alike by what is shown of them; where a path forces a replacement, the tools' pairs stay.

use std::collections::{HashMap, VecDeque};

use bumpalo::Bump;
use rustc_hash::FxHashSet;

use super::half::{Side, forces_replacement, half};
use super::hidden::hidden_difference;
use super::identity;
use super::merge::merge;
use super::print::{gather, print};
use crate::diff::tree::{Action, Diff, Node};
use crate::json::Value;

/// More candidates than this are not compared by likeness.
const MOST: usize = 250_000;
/// The share of equal values from which on two elements are taken for the same.
const ALIKE: f64 = 0.5;
/// Longer strings are not looked at for others that look the same.
const NAME: usize = 1_000;
/// How much the tools' own pair is preferred among equally alike ones.
const OWN: f64 = 0.01;

/// An element as a reader sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<'a> {
    /// What happens to it.
    pub(super) diff: Diff<'a>,
    /// Its place before, if it was there.
    pub(super) before: Option<usize>,
    /// Its place after, if it will be there.
    pub(super) after: Option<usize>,
    /// The tools see it as two.
    pub(super) is_paired: bool,
}

/// The elements, and what is to be said of their pairing.
#[derive(Debug)]
pub(super) struct Paired<'a> {
    /// In the order of the places before; what comes stands where the tools show it.
    pub(super) elements: Vec<Element<'a>>,
    /// So many keep their content, but stand elsewhere.
    pub(super) moved: usize,
    /// Pairs that the tools made by place were made anew.
    pub(super) anew: bool,
    /// There were too many to compare all.
    pub(super) bounded: bool,
}

impl Paired<'_> {
    /// Nothing but the order differs.
    pub(super) fn is_order_only(&self) -> bool {
        self.moved > 0 && self.elements.iter().all(|element| element.diff.action == Action::NoOp)
    }
}

/// One side of an element that may find another partner.
#[derive(Clone, Copy)]
struct Half<'a> {
    diff: Diff<'a>,
    place: usize,
    /// Which item it is of.
    item: usize,
    partner: Option<usize>,
}

/// Pairs the elements.
pub(super) fn paired<'a>(items: &[Diff<'a>], is_set: bool, arena: &'a Bump) -> Paired<'a> {
    let mut desk = Desk::new(items, arena);
    desk.by_content();
    desk.by_name();
    let bounded = !desk.by_likeness();
    desk.look_alikes();
    desk.by_place(is_set);
    desk.done(items, bounded, arena)
}

struct Desk<'a> {
    gone: Vec<Half<'a>>,
    new: Vec<Half<'a>>,
    /// For each item its places, and which halves it gave.
    places: Vec<(usize, usize)>,
    of_item: Vec<(Option<usize>, Option<usize>)>,
}

impl<'a> Desk<'a> {
    fn new(items: &[Diff<'a>], arena: &'a Bump) -> Self {
        let changed = items.iter().filter(|item| item.action != Action::NoOp).count();
        let may_part =
            |item: &Diff<'a>| item.action == Action::Update && changed > 1 && !forces_replacement(item);
        let mut desk = Self { gone: Vec::new(), new: Vec::new(), places: Vec::new(), of_item: Vec::new() };
        let (mut before, mut after) = (0, 0);
        for (item, diff) in items.iter().enumerate() {
            let parts = match diff.action {
                Action::Delete => (Some(*diff), None),
                Action::Create => (None, Some(*diff)),
                Action::Update if may_part(diff) => {
                    match (half(diff, Side::Before, arena), half(diff, Side::After, arena)) {
                        (Some(old), Some(new)) => (Some(old), Some(new)),
                        // What is not known yet, where the tools show what was there on its own.
                        (None, Some(new)) => (None, Some(new)),
                        _ => (None, None),
                    }
                }
                Action::NoOp | Action::Update => (None, None),
            };
            let put = |halves: &mut Vec<Half<'a>>, diff: Option<Diff<'a>>, place| {
                diff.map(|diff| {
                    halves.push(Half { diff, place, item, partner: None });
                    halves.len() - 1
                })
            };
            let of_item = (put(&mut desk.gone, parts.0, before), put(&mut desk.new, parts.1, after));
            desk.of_item.push(of_item);
            desk.places.push((before, after));
            before += usize::from(diff.action != Action::Create);
            after += usize::from(diff.action != Action::Delete);
        }
        desk
    }

    fn pair(&mut self, gone: usize, new: usize) {
        self.gone[gone].partner = Some(new);
        self.new[new].partner = Some(gone);
    }

    fn free(halves: &[Half<'a>]) -> Vec<usize> {
        (0..halves.len()).filter(|at| halves[*at].partner.is_none()).collect()
    }

    /// Equal elements, in their order.
    fn by_content(&mut self) {
        if self.gone.is_empty() || self.new.is_empty() {
            return;
        }
        let mut places: HashMap<u64, VecDeque<usize>> = HashMap::new();
        for (at, half) in self.new.iter().enumerate() {
            if let Some(print) = print(&half.diff) {
                places.entry(print).or_default().push_back(at);
            }
        }
        for gone in 0..self.gone.len() {
            let print = print(&self.gone[gone].diff);
            if let Some(new) = print.and_then(|print| places.get_mut(&print)?.pop_front()) {
                self.pair(gone, new);
            }
        }
    }

    /// Elements of a name that no other one on their side has.
    fn by_name(&mut self) {
        let names = |halves: &[Half<'a>]| -> HashMap<String, Option<usize>> {
            let mut names: HashMap<String, Option<usize>> = HashMap::new();
            for at in Self::free(halves) {
                if let Some(name) = identity::of(&halves[at].diff) {
                    names.entry(name).and_modify(|at| *at = None).or_insert(Some(at));
                }
            }
            names
        };
        let come = names(&self.new);
        let mut pairs: Vec<(usize, usize)> = names(&self.gone)
            .into_iter()
            .filter_map(|(name, gone)| Some((gone?, (*come.get(&name)?)?)))
            .collect();
        pairs.sort_unstable();
        pairs.into_iter().for_each(|(gone, new)| self.pair(gone, new));
    }

    /// Those that are most alike first; false if there are too many.
    fn by_likeness(&mut self) -> bool {
        let objects = |halves: &[Half<'a>]| -> Vec<usize> {
            Self::free(halves).into_iter().filter(|at| is_object(&halves[*at].diff)).collect()
        };
        let (gone, new) = (objects(&self.gone), objects(&self.new));
        if gone.len().saturating_mul(new.len()) > MOST {
            return false;
        }
        let facts = |half: &Half<'a>| {
            let mut facts = FxHashSet::default();
            gather(&half.diff, 0, &mut facts);
            facts
        };
        let old: Vec<_> = gone.iter().map(|at| facts(&self.gone[*at])).collect();
        let come: Vec<_> = new.iter().map(|at| facts(&self.new[*at])).collect();
        let mut candidates = Vec::new();
        for (g, old) in gone.iter().zip(&old) {
            for (n, come) in new.iter().zip(&come) {
                let all = old.len() + come.len();
                let alike = 2.0 * old.intersection(come).count() as f64 / all.max(1) as f64;
                if alike >= ALIKE {
                    let own = self.gone[*g].item == self.new[*n].item;
                    candidates.push((alike + if own { OWN } else { 0.0 }, *g, *n));
                }
            }
        }
        candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        for (_, gone, new) in candidates {
            if self.gone[gone].partner.is_none() && self.new[new].partner.is_none() {
                self.pair(gone, new);
            }
        }
        true
    }

    /// Strings that eyes take for the same.
    fn look_alikes(&mut self) {
        let strings = |halves: &[Half<'a>]| -> Vec<(usize, &'a str)> {
            let texts = Self::free(halves).into_iter().filter_map(|at| Some((at, text(&halves[at].diff)?)));
            texts.filter(|(_, text)| text.len() <= NAME).collect()
        };
        let (gone, new) = (strings(&self.gone), strings(&self.new));
        if gone.len().saturating_mul(new.len()) > MOST / 100 {
            return;
        }
        for (g, old) in gone {
            let alike = |(n, text): &&(usize, &str)| {
                self.new[*n].partner.is_none() && hidden_difference(old, text).is_some()
            };
            if let Some((n, _)) = new.iter().find(alike) {
                self.pair(g, *n);
            }
        }
    }

    /// What is left stays as the tools have it; a value for another one at the same place is a change.
    fn by_place(&mut self, is_set: bool) {
        for (old, new) in self.of_item.clone() {
            if let (Some(old), Some(new)) = (old, new)
                && self.gone[old].partner.is_none()
                && self.new[new].partner.is_none()
            {
                self.pair(old, new);
            }
        }
        // What is not known yet stands for what was there.
        let (gone, new) = (Self::free(&self.gone), Self::free(&self.new));
        let unknown = new.into_iter().filter(|at| matches!(self.new[*at].diff.node, Node::Unknown { .. }));
        for (old, new) in gone.into_iter().zip(unknown.collect::<Vec<_>>()) {
            self.pair(old, new);
        }
        let is_scalar = |half: &Half<'a>| matches!(half.diff.node, Node::Scalar { .. });
        if !is_set
            && let ([old], [new]) = (&*Self::free(&self.gone), &*Self::free(&self.new))
            && self.gone[*old].place == self.new[*new].place
            && is_scalar(&self.gone[*old])
            && is_scalar(&self.new[*new])
        {
            self.pair(*old, *new);
        }
    }

    fn done(&self, items: &[Diff<'a>], bounded: bool, arena: &'a Bump) -> Paired<'a> {
        let mut paired = Paired { elements: Vec::new(), moved: 0, anew: false, bounded };
        for (item, diff) in items.iter().enumerate() {
            let (gone, new) = self.of_item[item];
            let (before, after) = self.places[item];
            if gone.is_none() && new.is_none() {
                let (before, after) = (Some(before), Some(after));
                paired.elements.push(Element { diff: *diff, before, after, is_paired: false });
                continue;
            }
            if let Some(half) = gone.map(|gone| self.gone[gone]) {
                paired.elements.push(self.element(half, items, arena));
                if let Some(partner) = half.partner {
                    let last = paired.elements.last().map(|element| element.diff.action);
                    paired.moved += usize::from(last == Some(Action::NoOp));
                    let other = self.new[partner].item;
                    let halved = |item: usize| {
                        items[item].action == Action::Update
                            && !matches!(items[item].node, Node::Unknown { .. })
                    };
                    paired.anew |= other != item && (halved(item) || halved(other));
                }
            }
            if let Some(half) = new.map(|new| self.new[new]).filter(|half| half.partner.is_none()) {
                let (before, after) = (None, Some(half.place));
                paired.elements.push(Element { diff: half.diff, before, after, is_paired: false });
            }
        }
        paired
    }

    /// The element that an old half is, alone or with its partner.
    fn element(&self, half: Half<'a>, items: &[Diff<'a>], arena: &'a Bump) -> Element<'a> {
        let before = Some(half.place);
        match half.partner.map(|partner| self.new[partner]) {
            None => Element { diff: half.diff, before, after: None, is_paired: false },
            Some(new) if new.item == half.item => {
                let (diff, after) = (items[half.item], Some(new.place));
                Element { diff, before, after, is_paired: false }
            }
            Some(new) => {
                let diff = merge(&half.diff, &new.diff, arena);
                Element { diff, before, after: Some(new.place), is_paired: true }
            }
        }
    }
}

/// Whether something has parts that can be alike.
pub(super) fn is_object(diff: &Diff<'_>) -> bool {
    matches!(diff.node, Node::Object { .. } | Node::Block { .. } | Node::Map { .. })
}

/// The string that comes or goes.
fn text<'a>(diff: &Diff<'a>) -> Option<&'a str> {
    let Node::Scalar { before, after, .. } = diff.node else { return None };
    match if diff.action == Action::Create { after } else { before }.value() {
        Value::String(text) => Some(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
