//! Compares two lists of rules: which answers change for some traffic.
//!
//! A rule answers for the traffic that lies in its set on each axis. Of a list the first rule that fits answers; what
//! fits no rule is refused. Axis after axis is swept: between two borders of ranges the same rules fit, and only they
//! are compared on the next axis. So the answer is exact, and costs n log n where ranges of ports do not cross by the
//! thousand.
//!
//! ```text
//! before   22 from 10.0.0.0/8: allow
//! after    22 from 10.0.0.0/9: allow, 23 from 10.0.0.0/8: allow
//! changes  allow -> refuse (22 from 10.128.0.0/9), refuse -> allow (23 from 10.0.0.0/8)
//! ```

use std::collections::{BTreeSet, HashSet};

use super::ranges::{Point, Ranges};

/// The number of axes: the direction, protocol and port; the port of the source; who is protected; a limit in the words
/// of its provider; the other side. The axis with the most ranges comes last.
pub(crate) const AXES: usize = 5;

/// The maximum number of ranges that one comparison visits, about half a second. A security group has at most a few
/// thousand rules; only ranges of ports that cross each other by the thousand come to more.
const MAX_WORK: usize = 8_000_000;

/// What a rule answers to traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Answer {
    /// It does not pass.
    Refuse,
    /// Others decide, or it passes with an inspection.
    Pass,
    /// It passes.
    Allow,
    /// It goes to a target with this number.
    Via(u32),
}

/// A rule of a list.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Rule {
    /// The traffic that fits: the product of these sets.
    pub(crate) sets: [Ranges; AXES],
    /// What it answers.
    pub(crate) answer: Answer,
}

/// The answers that change for some traffic, as pairs of the answer before and after; equal ones where a rule of both
/// sides fits. `None` if the comparison takes too much work.
pub(crate) type Changes = Option<BTreeSet<(Answer, Answer)>>;

/// Compares two lists in which the first rule that fits answers.
pub(crate) fn compare(before: &[Rule], after: &[Rule]) -> Changes {
    // Rules at both ends that are the same on both sides decide nothing by themselves.
    let same = |pair: &(&Rule, &Rule)| pair.0 == pair.1;
    let head = before.iter().zip(after).take_while(same).count();
    let rest = before.len().min(after.len()) - head;
    let tail = before
        .iter()
        .rev()
        .zip(after.iter().rev())
        .take(rest)
        .take_while(same)
        .count();
    let mut rules = Vec::with_capacity(before.len() + after.len());
    for list in [before, after] {
        let changed = head..list.len() - tail;
        let marked = |(index, rule)| Marked {
            rule,
            differs: changed.contains(&index),
        };
        rules.extend(list.iter().enumerate().map(marked));
    }
    Sweep::new(rules, before.len()).run()
}

/// Compares two lists in which a rule that fits allows, whatever the others are: their order does not count.
pub(crate) fn compare_sets(mut before: Vec<Rule>, mut after: Vec<Rule>) -> Changes {
    for list in [&mut before, &mut after] {
        list.sort_unstable();
        list.dedup();
    }
    let marked = |list: &[Rule], other: &[Rule]| -> Vec<bool> {
        let is_alone = |rule: &Rule| other.binary_search(rule).is_err();
        list.iter().map(is_alone).collect()
    };
    let differs = [marked(&before, &after), marked(&after, &before)].concat();
    let rules = before.iter().chain(&after).zip(differs);
    let rules = rules.map(|(rule, differs)| Marked { rule, differs });
    Sweep::new(rules.collect(), before.len()).run()
}

/// A rule, and whether the two sides can differ because of it.
#[derive(Clone, Copy)]
struct Marked<'r> {
    rule: &'r Rule,
    /// Whether it is on one side only, or at another place of the order.
    differs: bool,
}

/// A comparison at work.
struct Sweep<'r> {
    /// The rules of the side before, and behind them those of the side after; each in its order.
    rules: Vec<Marked<'r>>,
    /// The number of rules before.
    split: usize,
    /// The ranges that may still be visited.
    work: usize,
    /// The rules that were compared from an axis on.
    known: HashSet<(usize, Vec<usize>)>,
    /// The pairs of answers that were met.
    found: BTreeSet<(Answer, Answer)>,
}

impl<'r> Sweep<'r> {
    /// Makes a comparison of rules, of which the first `split` are those before.
    fn new(rules: Vec<Marked<'r>>, split: usize) -> Self {
        Self {
            rules,
            split,
            work: MAX_WORK,
            known: HashSet::new(),
            found: BTreeSet::new(),
        }
    }

    /// Returns the pairs of answers that were found.
    fn run(mut self) -> Changes {
        let all: Vec<usize> = (0..self.rules.len()).collect();
        self.compare(&all, 0)?;
        Some(self.found)
    }

    /// Compares the rules of these numbers on an axis and those behind it. `None` if there is too much to do.
    fn compare(&mut self, rules: &[usize], axis: usize) -> Option<()> {
        let mut borders: Vec<(Point, usize, bool)> = Vec::new();
        for number in rules {
            if let Some(set) = self
                .rules
                .get(*number)
                .and_then(|marked| marked.rule.sets.get(axis))
            {
                for (start, end) in set.iter() {
                    borders.push((start, *number, true));
                    borders.push((end, *number, false));
                }
            }
        }
        self.work = self.work.checked_sub(borders.len())?;
        borders.sort_unstable_by_key(|(point, ..)| *point);
        let mut active = Active::default();
        let mut borders = borders.into_iter().peekable();
        while let Some((point, number, is_start)) = borders.next() {
            let differs = self.rules.get(number).is_some_and(|rule| rule.differs);
            active.turn(number, is_start, differs);
            let is_border = borders.peek().is_some_and(|(next, ..)| *next != point);
            if !is_border || active.differing == 0 {
                continue;
            }
            if axis + 1 == AXES {
                self.note(&active);
                continue;
            }
            self.work = self.work.checked_sub(active.rules.len())?;
            let rules: Vec<usize> = active.rules.iter().copied().collect();
            if self.known.insert((axis, rules.clone())) {
                self.compare(&rules, axis + 1)?;
            }
        }
        Some(())
    }

    /// Notes the answers of the first rules of both sides.
    fn note(&mut self, active: &Active) {
        let answer = |rules: std::ops::Range<usize>| {
            let first = active.rules.range(rules).next();
            first
                .and_then(|number| self.rules.get(*number))
                .map_or(Answer::Refuse, |marked| marked.rule.answer)
        };
        let pair = (answer(0..self.split), answer(self.split..usize::MAX));
        self.found.insert(pair);
    }
}

/// The rules that fit between two borders.
#[derive(Default)]
struct Active {
    /// Their numbers, in order.
    rules: BTreeSet<usize>,
    /// How many of them can make a difference.
    differing: usize,
}

impl Active {
    /// Adds or removes a rule. The ranges of a rule do not overlap, so that it is added once.
    fn turn(&mut self, number: usize, is_start: bool, differs: bool) {
        if is_start {
            self.rules.insert(number);
            self.differing += usize::from(differs);
        } else {
            self.rules.remove(&number);
            self.differing -= usize::from(differs);
        }
    }
}
