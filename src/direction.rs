//! The direction of an edit: what it does to those who depend on the object, as one word of a closed set.
//!
//! `docs/meaning.md` says when each word holds. The words are ordered from the gravest to the most harmless, and each
//! has a reverse: a plan that is turned round has the reverse of each direction.
//!
//! ```text
//! deletion_protection: true -> false              weaker
//! backup_retention_period: 7 -> 30                stronger
//! a policy gains an action, and loses another     wider, and narrower at once
//! ```

use strum::{IntoStaticStr, VariantArray};

/// What an edit, an object, an output or an action does. The variants are in the order of their gravity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Direction {
    /// Data goes, may go, or will be deleted by a rule that the plan sets.
    Loses,
    /// What serves is interrupted, disabled, paused or detached.
    Stops,
    /// More principals, actions, objects, networks or ports may be reached, or a limit goes.
    Wider,
    /// A guard is off, lower, shorter, covers less, or tells fewer.
    Weaker,
    /// Less capacity, size or number; less is served.
    Less,
    /// An earlier version of the same thing.
    Older,
    /// Nobody here knows what the edit means.
    Unjudged,
    /// Known only after apply, and what is known beside it does not decide.
    Unknown,
    /// Judged, and without an order: a target, an image by digest, a route, a name that others read.
    Another,
    /// An object goes that holds nothing, serves nothing, guards nothing and grants nothing.
    Gone,
    /// An object comes that holds nothing, serves nothing, guards nothing and grants nothing.
    New,
    /// A later version of the same thing.
    Newer,
    /// Fewer may be reached, or a limit comes.
    Narrower,
    /// A guard is on, higher, longer, covers more, or tells more.
    Stronger,
    /// More capacity, size or number; more is served.
    More,
    /// Data that was lost before is kept, or an object comes that holds data.
    Keeps,
    /// What serves is created, enabled, resumed or attached.
    Starts,
    /// Another address, the same object.
    Moved,
    /// Read by people only: descriptions, comments, tags that no selector reads.
    Words,
    /// Means the same.
    Same,
}

impl Direction {
    /// All directions, from the gravest to the most harmless.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The directions that `--allow harmless` stands for.
    pub const HARMLESS: &'static [Self] = &[
        Self::Narrower,
        Self::Stronger,
        Self::More,
        Self::Keeps,
        Self::Starts,
        Self::Words,
        Self::Same,
        Self::Moved,
    ];

    /// Returns the word in JSON and on the command line.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Returns the direction with this word; `None` if there is none.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|direction| direction.word() == word)
    }

    /// Returns the direction of the same edit with its two sides exchanged.
    pub fn reverse(self) -> Self {
        match self {
            Self::Loses => Self::Keeps,
            Self::Keeps => Self::Loses,
            Self::Stops => Self::Starts,
            Self::Starts => Self::Stops,
            Self::Wider => Self::Narrower,
            Self::Narrower => Self::Wider,
            Self::Weaker => Self::Stronger,
            Self::Stronger => Self::Weaker,
            Self::Less => Self::More,
            Self::More => Self::Less,
            Self::Older => Self::Newer,
            Self::Newer => Self::Older,
            Self::New => Self::Gone,
            Self::Gone => Self::New,
            Self::Unjudged
            | Self::Unknown
            | Self::Another
            | Self::Moved
            | Self::Words
            | Self::Same => self,
        }
    }

    /// Whether the direction is one of those that `harmless` stands for.
    pub fn is_harmless(self) -> bool {
        Self::HARMLESS.contains(&self)
    }
}

/// A set of directions: everything that something is at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Directions(u32);

impl Directions {
    /// Returns the set of both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Adds a direction.
    pub fn insert(&mut self, direction: Direction) {
        self.0 |= Self::from(direction).0;
    }

    /// Removes a direction, if it is in the set.
    pub fn remove(&mut self, direction: Direction) {
        self.0 &= !Self::from(direction).0;
    }

    /// Whether a direction is in the set.
    pub fn contains(self, direction: Direction) -> bool {
        self.0 & Self::from(direction).0 != 0
    }

    /// Whether no direction is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the directions of the set, the gravest first.
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL
            .iter()
            .copied()
            .filter(move |direction| self.contains(*direction))
    }

    /// Returns the gravest direction; `None` if the set is empty.
    pub fn gravest(self) -> Option<Direction> {
        self.iter().next()
    }

    /// Returns the set with each direction reversed.
    #[must_use]
    pub fn reverse(self) -> Self {
        self.iter().map(Direction::reverse).collect()
    }
}

impl From<Direction> for Directions {
    fn from(direction: Direction) -> Self {
        Self(1 << direction as u32)
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> Self {
        let mut set = Self::default();
        for direction in directions {
            set.insert(direction);
        }
        set
    }
}

/// The largest part in which two versions differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Step {
    /// Another build of the same version.
    Build,
    /// A version that only mends.
    Patch,
    /// A version that adds.
    Minor,
    /// A version that may break.
    Major,
    /// The texts of the versions have no order that is known.
    Unordered,
}

impl Step {
    /// Returns the word in JSON and on the command line.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// When something that stops does so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum When {
    /// During the apply.
    Now,
    /// In the maintenance window of the object.
    Window,
}

impl When {
    /// Returns the word in JSON.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// What an edit, an object, an output or an action means: its directions, with what else is known of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Meaning {
    /// Everything that it is at once; empty only where nothing was asked, as in a comparison of two plans.
    pub directions: Directions,
    /// The step, if versions are compared.
    pub step: Option<Step>,
    /// When it stops, if the plan proves it.
    pub when: Option<When>,
}

impl Meaning {
    /// Returns the gravest direction; `Unjudged` if there is none.
    pub fn direction(self) -> Direction {
        self.directions.gravest().unwrap_or(Direction::Unjudged)
    }

    /// Returns the directions besides the gravest.
    pub fn both(self) -> impl Iterator<Item = Direction> {
        self.directions.iter().skip(1)
    }

    /// Returns both meanings as one.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            directions: self.directions.union(other.directions),
            step: self.step.max(other.step),
            when: self.when.or(other.when),
        }
    }
}

impl From<Direction> for Meaning {
    fn from(direction: Direction) -> Self {
        Self::from(Directions::from(direction))
    }
}

impl From<Directions> for Meaning {
    fn from(directions: Directions) -> Self {
        Self {
            directions,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Direction, Directions};

    #[test]
    fn the_reverse_of_a_reverse_is_the_direction_itself() {
        for direction in Direction::ALL {
            assert_eq!(direction.reverse().reverse(), *direction);
        }
    }

    #[test]
    fn the_gravest_of_a_set_comes_first_in_the_order_of_the_contract() {
        let set: Directions = [Direction::Narrower, Direction::Wider, Direction::Less]
            .into_iter()
            .collect();
        assert_eq!(set.gravest(), Some(Direction::Wider));
        assert_eq!(set.reverse().gravest(), Some(Direction::Wider));
        assert!(set.reverse().contains(Direction::More));
    }
}
