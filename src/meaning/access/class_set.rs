//! Sets of classes: those that are listed, or all but those.

/// A set of classes of one dimension, such as the actions, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ClassSet {
    /// These classes, in ascending order.
    Only(Vec<u32>),
    /// All classes but these, in ascending order.
    AllBut(Vec<u32>),
}

impl ClassSet {
    /// Returns the set of all classes.
    pub(crate) fn all() -> Self {
        Self::AllBut(Vec::new())
    }

    /// Returns the set of these classes, which may come in any order and several times.
    pub(crate) fn only(mut classes: Vec<u32>) -> Self {
        classes.sort_unstable();
        classes.dedup();
        Self::Only(classes)
    }

    /// Returns the other classes.
    pub(crate) fn complement(self) -> Self {
        match self {
            Self::Only(classes) => Self::AllBut(classes),
            Self::AllBut(classes) => Self::Only(classes),
        }
    }

    /// Returns the number of classes that are listed, which is what an operation costs.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Only(classes) | Self::AllBut(classes) => classes.len(),
        }
    }

    /// Whether the set has none of the `count` classes that there are.
    pub(crate) fn is_empty(&self, count: usize) -> bool {
        match self {
            Self::Only(classes) => classes.is_empty(),
            Self::AllBut(classes) => classes.len() >= count,
        }
    }

    /// Returns the classes of both sets.
    pub(crate) fn intersection(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Only(own), Self::Only(others)) => Self::Only(kept(own, others, true)),
            (Self::Only(own), Self::AllBut(others)) | (Self::AllBut(others), Self::Only(own)) => {
                Self::Only(kept(own, others, false))
            }
            (Self::AllBut(own), Self::AllBut(others)) => Self::AllBut(merged(own, others)),
        }
    }

    /// Returns the classes of this set that are not in the other one.
    pub(crate) fn difference(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Only(own), Self::Only(others)) => Self::Only(kept(own, others, false)),
            (Self::Only(own), Self::AllBut(others)) => Self::Only(kept(own, others, true)),
            (Self::AllBut(own), Self::Only(others)) => Self::AllBut(merged(own, others)),
            (Self::AllBut(own), Self::AllBut(others)) => Self::Only(kept(others, own, false)),
        }
    }
}

/// Returns the numbers of a list that are in another one, or those that are not. Both are in ascending order.
fn kept(list: &[u32], other: &[u32], is_in: bool) -> Vec<u32> {
    // A short list is looked up in a long one.
    if list.len().saturating_mul(8) < other.len() {
        return list
            .iter()
            .copied()
            .filter(|number| other.binary_search(number).is_ok() == is_in)
            .collect();
    }
    let mut others = other.iter().peekable();
    let mut kept = Vec::new();
    for number in list {
        while others.next_if(|other| *other < number).is_some() {}
        if (others.peek() == Some(&number)) == is_in {
            kept.push(*number);
        }
    }
    kept
}

/// Returns the numbers of both lists in ascending order.
fn merged(list: &[u32], other: &[u32]) -> Vec<u32> {
    let mut all = [list, other].concat();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::ClassSet;

    #[test]
    fn operations_agree_with_those_on_single_classes() {
        let has = |set: &ClassSet, class: u32| match set {
            ClassSet::Only(classes) => classes.contains(&class),
            ClassSet::AllBut(classes) => !classes.contains(&class),
        };
        let lists = [vec![], vec![1], vec![0, 2], vec![0, 1, 2, 3]];
        let sets: Vec<ClassSet> = lists
            .iter()
            .flat_map(|list| {
                let only = ClassSet::only(list.clone());
                [only.clone(), only.complement()]
            })
            .collect();
        for one in &sets {
            for other in &sets {
                for class in 0..4 {
                    assert_eq!(
                        has(&one.intersection(other), class),
                        has(one, class) && has(other, class)
                    );
                    assert_eq!(
                        has(&one.difference(other), class),
                        has(one, class) && !has(other, class)
                    );
                }
                let common = one.intersection(other);
                assert_eq!(common.is_empty(4), (0..4).all(|class| !has(&common, class)));
            }
        }
    }
}
