//! What a value of an object is, and so what a change of it means in either direction.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::amount::Amount;
use super::growth::Growth;
use super::part::Part;
use super::remark::{Gravity, Remark};
use super::selector;
use super::spans;
use super::view::View;
use crate::diff::value::MarkedValue;
use crate::direction::{Direction, Directions};

/// What a set has if it is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Absent {
    Nothing,
    Everything,
}

/// What a value is. A direction is that of the value which grows, comes or is switched on; the other way has its
/// reverse.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fact {
    /// A number of what serves. None of them is a stop; an absent number is this one.
    Serves { absent: &'static str },
    /// A quantity, a percentage or a number.
    Quantity(Direction),
    /// A quantity that is a limit: without one, the guard is gone.
    Limit,
    /// A duration.
    Duration(Direction),
    /// Words from the weakest to the strongest, with `|` between them; an absent one is `absent`.
    Steps {
        words: &'static str,
        absent: &'static str,
        up: Direction,
    },
    /// A switch; `absent` is its default.
    Switch { absent: bool, on: Direction },
    /// The number of the user under whom a container runs: root is the weakest, one of the image the next.
    User,
    /// It counts that there is one. What changes in it is judged by other facts.
    Present(Direction),
    /// A list of texts, or the keys of a map. `*` and `ALL` are everything.
    Set { absent: Absent, larger: Direction },
    /// A list of networks, or their text with commas. No networks are everybody if they are a list of those let in.
    Networks,
    /// A selector of labels.
    Selects { absent: Absent, larger: Direction },
    /// Elements with a name. What changes in one of them is judged by other facts.
    Elements {
        identity: &'static [&'static str],
        comes: Direction,
    },
    /// A change has no order.
    Plain(Direction),
}

impl Fact {
    /// Returns the direction that this fact gives to what grows, comes or is switched on.
    pub(super) fn up(self) -> Direction {
        match self {
            Self::Serves { .. } | Self::Limit => Direction::More,
            Self::Networks => Direction::Wider,
            Self::User => Direction::Stronger,
            Self::Quantity(up)
            | Self::Duration(up)
            | Self::Steps { up, .. }
            | Self::Switch { on: up, .. }
            | Self::Present(up)
            | Self::Set { larger: up, .. }
            | Self::Selects { larger: up, .. }
            | Self::Elements { comes: up, .. }
            | Self::Plain(up) => up,
        }
    }

    /// Returns what the change of a value means; `None` if the fact says nothing of it.
    pub(super) fn means(self, part: &Part<'_>) -> Option<Directions> {
        if part.is_same() {
            return None;
        }
        let (before, after) = (part.before, part.after);
        let is_open = part.is_open();
        let directions = match self {
            Self::Elements { .. } | Self::Present(_) => self.presence(part)?,
            _ if is_open => Direction::Unknown.into(),
            Self::Serves { absent } => {
                let side = |view: View<'_>| Amount::quantity(view.text().unwrap_or(absent));
                serving(side(before), side(after))
            }
            Self::Quantity(up) => ordered(
                before.text().and_then(Amount::quantity),
                after.text().and_then(Amount::quantity),
                up,
            ),
            Self::Duration(up) => ordered(
                before.text().and_then(Amount::duration),
                after.text().and_then(Amount::duration),
                up,
            ),
            Self::Limit => match (before.text(), after.text()) {
                (Some(before), Some(after)) => ordered(
                    Amount::quantity(before),
                    Amount::quantity(after),
                    Direction::More,
                ),
                (None, Some(_)) => Direction::Stronger.into(),
                (Some(_), None) => Direction::Weaker.into(),
                (None, None) => Direction::Same.into(),
            },
            Self::Steps { words, absent, up } => {
                let rank = |view: View<'_>| {
                    let word = view.text().unwrap_or(absent);
                    words
                        .split('|')
                        .position(|step| step.eq_ignore_ascii_case(word))
                };
                match rank(before).zip(rank(after)) {
                    Some((before, after)) => stepped(before.cmp(&after), up),
                    None => Direction::Another.into(),
                }
            }
            Self::Switch { absent, on } => {
                let is_on = |view: View<'_>| match view.text() {
                    None => Some(absent),
                    Some(text) if text.eq_ignore_ascii_case("true") => Some(true),
                    Some(text) if text.eq_ignore_ascii_case("false") => Some(false),
                    Some(_) => None,
                };
                match is_on(before).zip(is_on(after)) {
                    Some((before, after)) => stepped(before.cmp(&after), on),
                    None => Direction::Another.into(),
                }
            }
            Self::User => {
                let rank = |view: View<'_>| {
                    view.text()
                        .map_or(1, |user| if user == "0" { 0 } else { 2 })
                };
                match (rank(before), rank(after)) {
                    (2, 2) => Direction::Another.into(),
                    (before, after) => stepped(before.cmp(&after), Direction::Stronger),
                }
            }
            Self::Set { absent, larger } => set_growth(before, after, absent).directions(larger),
            Self::Networks => return networks(before, after),
            Self::Selects { absent, larger } => selected(before, after, absent)
                .map_or(Direction::Another.into(), |growth| {
                    growth.directions(larger)
                }),
            Self::Plain(direction) => direction.into(),
        };
        Some(directions)
    }

    /// Returns what is said of the change of a value; `None` if the fact says nothing of it.
    pub(super) fn says<'w>(self, part: &Part<'w>) -> Option<Remark<'w>> {
        let mut remark = part.means(self.means(part)?);
        let loses = remark.directions().contains(Direction::Loses);
        remark.gravity = match self {
            Self::Serves { .. } if remark.directions().contains(Direction::Stops) => Gravity::Total,
            Self::Switch { .. } if loses => Gravity::Total,
            Self::Quantity(_) | Self::Duration(_) if !loses => Gravity::Small,
            Self::Serves { .. }
            | Self::Quantity(_)
            | Self::Limit
            | Self::Duration(_)
            | Self::Steps { .. }
            | Self::Switch { .. }
            | Self::User
            | Self::Present(_)
            | Self::Set { .. }
            | Self::Networks
            | Self::Selects { .. }
            | Self::Elements { .. }
            | Self::Plain(_) => Gravity::Usual,
        };
        Some(remark)
    }

    /// Returns what comes and goes; `None` if all stays, with other values.
    fn presence(self, part: &Part<'_>) -> Option<Directions> {
        let mut growth = Growth::default();
        let count = |part: &Part<'_>, growth: &mut Growth| {
            growth.grew |= part.after.is_present() && !part.before.is_present();
            growth.shrank |= part.before.is_present() && !part.after.is_present();
        };
        if let Self::Elements { identity, .. } = self {
            for element in part.elements(identity) {
                count(&element, &mut growth);
            }
        } else {
            count(part, &mut growth);
        }
        if part
            .before
            .value()
            .or(part.after.value())
            .is_some_and(MarkedValue::is_unknown)
            || part.after.value().is_some_and(MarkedValue::is_unknown)
        {
            return Some(Direction::Unknown.into());
        }
        (growth != Growth::default()).then(|| growth.directions(self.up()))
    }
}

/// Returns the direction of a step.
fn stepped(order: Ordering, up: Direction) -> Directions {
    match order {
        Ordering::Less => up.into(),
        Ordering::Equal => Direction::Same.into(),
        Ordering::Greater => up.reverse().into(),
    }
}

/// Returns the direction of two amounts; `another` if they have no order.
fn ordered(before: Option<Amount>, after: Option<Amount>, up: Direction) -> Directions {
    match before
        .zip(after)
        .and_then(|(before, after)| before.order(after))
    {
        Some(order) => stepped(order, up),
        None => Direction::Another.into(),
    }
}

/// Returns the directions of a number of what serves.
fn serving(before: Option<Amount>, after: Option<Amount>) -> Directions {
    let mut directions = ordered(before, after, Direction::More);
    if let Some((before, after)) = before.zip(after) {
        match (before.is_zero(), after.is_zero()) {
            (false, true) => directions.insert(Direction::Stops),
            (true, false) => directions.insert(Direction::Starts),
            (true, true) | (false, false) => {}
        }
    }
    directions
}

/// Returns what a set of texts, or of the keys of a map, gains and loses.
fn set_growth(before: View<'_>, after: View<'_>, absent: Absent) -> Growth {
    let (before, after) = (texts(before), texts(after));
    let is_all = |set: &BTreeSet<&str>| {
        set.is_empty() && absent == Absent::Everything
            || ["*", "ALL", "all"].iter().any(|word| set.contains(word))
    };
    let (all_before, all_after) = (is_all(&before), is_all(&after));
    Growth {
        grew: !all_before && (all_after || after.iter().any(|text| !before.contains(text))),
        shrank: !all_after && (all_before || before.iter().any(|text| !after.contains(text))),
    }
}

/// Returns the texts of a list, the keys of a map, or the one text.
fn texts<'w>(view: View<'w>) -> BTreeSet<&'w str> {
    let keys = view.entries();
    if keys.is_empty() {
        view.items().filter_map(View::text).collect()
    } else {
        keys.iter().map(|(key, _)| *key).collect()
    }
}

/// Returns the directions of a list of the networks that are let in; without one, everybody is.
fn networks(before: View<'_>, after: View<'_>) -> Option<Directions> {
    let side = |view: View<'_>| -> Vec<String> {
        let texts = view.items().filter_map(View::text);
        let networks = texts.flat_map(|text| text.split(','));
        networks
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty())
            .collect()
    };
    let (before, after) = (side(before), side(after));
    let both = ["0.0.0.0/0", "::/0"].map(str::to_owned).to_vec();
    // Whoever lets in all of one version means everybody: the other one is often not served at all.
    let everybody = |networks: Vec<String>| {
        if networks.is_empty() || both.iter().any(|all| networks.contains(all)) {
            both.clone()
        } else {
            networks
        }
    };
    let (before, after) = (everybody(before), everybody(after));
    let before: Vec<_> = before.iter().map(String::as_str).collect();
    let after: Vec<_> = after.iter().map(String::as_str).collect();
    Some(match spans::growth(&before, &after) {
        Some(growth) => growth.directions(Direction::Wider),
        None => Direction::Another.into(),
    })
}

/// Returns what a selector gains and loses; `None` if it cannot be compared.
fn selected(before: View<'_>, after: View<'_>, absent: Absent) -> Option<Growth> {
    match (before.is_present(), after.is_present(), absent) {
        (true, true, _) => selector::growth(&[before], &[after]),
        (true, false, Absent::Nothing) => selector::growth(&[before], &[]),
        (false, true, Absent::Nothing) => selector::growth(&[], &[after]),
        // An absent selector reads as an empty one, which selects everything.
        (_, _, Absent::Everything) => selector::growth(&[before], &[after]),
        (false, false, Absent::Nothing) => Some(Growth::default()),
    }
}
