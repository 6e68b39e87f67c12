//! The positions of elements that are paired.
//!
//! Two indices for each pair would take several times the memory of the text of a list of digits. The pairs of a
//! list are therefore stored as steps through both sides, a byte each.

use bumpalo::Bump;

/// The index that stands for no element.
pub(super) const NONE: u32 = u32::MAX;

/// The indices of two paired elements; [`NONE`] on one side for an added or removed element.
pub(super) type Pair = (u32, u32);

/// The number of steps from one stored position to the next.
const STRIDE: usize = 64;

/// The sides on which a step takes an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Before,
    After,
    Both,
    Neither,
}

/// Paired elements in display order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pairs<'p> {
    /// Those of a list.
    Ordered(Steps<'p>),
    /// Those of a set: the partner of each element before, then the added elements.
    Matched {
        /// The index after for each element before, or [`NONE`].
        partners: &'p [u32],
        /// The indices of the other elements after.
        added: &'p [u32],
    },
}

/// Pairs that take the elements of each side in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps<'p> {
    steps: &'p [Step],
    /// The positions on both sides at every [`STRIDE`]th step.
    positions: &'p [Pair],
}

/// Pairs of a list that are being found.
#[derive(Debug, Default)]
pub(super) struct StepList {
    steps: Vec<Step>,
    positions: Vec<Pair>,
    /// The number of elements taken on both sides.
    next: Pair,
}

impl StepList {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        let positions = Vec::with_capacity(capacity.div_ceil(STRIDE));
        Self { steps: Vec::with_capacity(capacity), positions, next: (0, 0) }
    }

    /// All elements of two sides of `length` elements, paired by index.
    pub(super) fn by_index(length: usize) -> Self {
        let positions = (0..length as u32).step_by(STRIDE).map(|at| (at, at)).collect();
        Self { steps: vec![Step::Both; length], positions, next: (length as u32, length as u32) }
    }

    /// Takes the next element of the sides that have one.
    pub(super) fn push(&mut self, before: bool, after: bool) {
        if self.steps.len().is_multiple_of(STRIDE) {
            self.positions.push(self.next);
        }
        let (step, before, after) = match (before, after) {
            (true, false) => (Step::Before, 1, 0),
            (false, true) => (Step::After, 0, 1),
            (true, true) => (Step::Both, 1, 1),
            (false, false) => (Step::Neither, 0, 0),
        };
        self.steps.push(step);
        self.next = (self.next.0 + before, self.next.1 + after);
    }

    pub(super) fn steps(&self) -> Steps<'_> {
        Steps { steps: &self.steps, positions: &self.positions }
    }
}

impl<'p> Steps<'p> {
    fn get(self, at: usize) -> Pair {
        let block = at / STRIDE;
        let passed = &self.steps[block * STRIDE..at];
        let count =
            |other: Step| passed.iter().filter(|step| **step == other || **step == Step::Both).count() as u32;
        let (before, after) = self.positions[block];
        pair(self.steps[at], (before + count(Step::Before), after + count(Step::After)))
    }

    /// The pairs.
    pub(super) fn iter(self) -> impl Iterator<Item = Pair> + use<'p> {
        self.steps.iter().scan((0, 0), |next, step| {
            let pair = pair(*step, *next);
            next.0 += u32::from(pair.0 != NONE);
            next.1 += u32::from(pair.1 != NONE);
            Some(pair)
        })
    }
}

fn pair(step: Step, (before, after): Pair) -> Pair {
    match step {
        Step::Before => (before, NONE),
        Step::After => (NONE, after),
        Step::Both => (before, after),
        Step::Neither => (NONE, NONE),
    }
}

impl<'p> Pairs<'p> {
    pub(super) fn len(self) -> usize {
        match self {
            Self::Ordered(steps) => steps.steps.len(),
            Self::Matched { partners, added } => partners.len() + added.len(),
        }
    }

    pub(super) fn get(self, at: usize) -> Pair {
        match self {
            Self::Ordered(steps) => steps.get(at),
            Self::Matched { partners, added } => match partners.get(at) {
                Some(partner) => (at as u32, *partner),
                None => (NONE, added[at - partners.len()]),
            },
        }
    }

    /// All pairs in order.
    pub(super) fn each(self, mut take: impl FnMut(Pair)) {
        match self {
            Self::Ordered(steps) => steps.iter().for_each(take),
            Self::Matched { .. } => (0..self.len()).for_each(|at| take(self.get(at))),
        }
    }

    /// A copy in `arena`.
    pub(super) fn copied<'a>(self, arena: &'a Bump) -> Pairs<'a> {
        match self {
            Self::Ordered(Steps { steps, positions }) => Pairs::Ordered(Steps {
                steps: arena.alloc_slice_copy(steps),
                positions: arena.alloc_slice_copy(positions),
            }),
            Self::Matched { partners, added } => Pairs::Matched {
                partners: arena.alloc_slice_copy(partners),
                added: arena.alloc_slice_copy(added),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn steps_are_the_pairs_that_were_pushed(sides in prop::collection::vec(any::<(bool, bool)>(), 0..300)) {
            let (mut list, mut expected, mut next) = (StepList::with_capacity(0), Vec::new(), (0, 0));
            for (before, after) in sides {
                list.push(before, after);
                expected.push((if before { next.0 } else { NONE }, if after { next.1 } else { NONE }));
                next = (next.0 + u32::from(before), next.1 + u32::from(after));
            }
            let pairs = Pairs::Ordered(list.steps());
            prop_assert_eq!((0..pairs.len()).map(|at| pairs.get(at)).collect::<Vec<_>>(), expected.clone());
            prop_assert_eq!(list.steps().iter().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn pairs_by_index_are_those_of_every_step() {
        let mut list = StepList::default();
        (0..200).for_each(|_| list.push(true, true));
        let (list, by_index) = (list.steps(), StepList::by_index(200));
        assert!(list.iter().eq(by_index.steps().iter()));
        assert!((0..200).all(|at| by_index.steps().get(at) == (at as u32, at as u32)));
    }
}
