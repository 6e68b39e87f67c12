//! Sets of points on an axis: addresses, ports of protocols, numbers of names.
//!
//! An axis has spaces, each with numbers: IPv4 and IPv6 for addresses, one for each direction of traffic for ports. A
//! set is a sorted list of ranges that neither overlap nor touch, so that sets that hold the same points are equal.
//!
//! ```text
//! 10.0.0.0/9, 10.128.0.0/9    [(v4, 10.0.0.0) .. (v4, 11.0.0.0)]
//! 80, 81-90                   [(in, 80) .. (in, 91)]
//! ```

use std::net::IpAddr;

use ipnet::IpNet;

/// A point of an axis. Points are ordered by their space, and then by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Point {
    /// The space that the number counts in.
    pub(crate) space: u32,
    /// The address, port or number of a name.
    pub(crate) number: u128,
}

impl Point {
    /// The first point of each axis.
    const FIRST: Self = Self {
        space: 0,
        number: 0,
    };
    /// Behind the last point of each axis.
    const END: Self = Self {
        space: u32::MAX,
        number: u128::MAX,
    };

    /// Returns the point behind this one; behind the last number of a space, the first one of the next space.
    fn next(self) -> Self {
        match self.number.checked_add(1) {
            Some(number) => Self { number, ..self },
            None => Self {
                space: self.space.saturating_add(1),
                number: 0,
            },
        }
    }
}

/// A set of points: the start of each range, and the point behind its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Ranges(Vec<(Point, Point)>);

/// The space of IPv4 addresses on an axis that has nothing else but addresses and names.
pub(crate) const V4: u32 = 0;
/// The space of IPv6 addresses on such an axis.
pub(crate) const V6: u32 = 1;

impl Ranges {
    /// Returns the set of all points.
    pub(crate) fn all() -> Self {
        Self(vec![(Point::FIRST, Point::END)])
    }

    /// Returns the numbers of a space from `first` to `last`, both included; nothing if `last` is before `first`.
    pub(crate) fn span(space: u32, first: u128, last: u128) -> Self {
        let range = |number| Point { space, number };
        let (start, end) = (range(first), range(last).next());
        Self(if first <= last {
            vec![(start, end)]
        } else {
            Vec::new()
        })
    }

    /// Returns all numbers of a space.
    pub(crate) fn space(space: u32) -> Self {
        Self::span(space, 0, u128::MAX)
    }

    /// Returns all addresses of both versions.
    #[cfg(test)]
    pub(crate) fn everybody() -> Self {
        Self::addresses(0, "0.0.0.0/0".parse().unwrap())
            .union(&Self::addresses(0, "::/0".parse().unwrap()))
    }

    /// Returns the addresses of a network, in the spaces `base + V4` and `base + V6`.
    pub(crate) fn addresses(base: u32, network: IpNet) -> Self {
        Self::between(base, network.network(), network.broadcast())
    }

    /// Returns the addresses from `first` to `last`, both included; nothing if their versions differ.
    pub(crate) fn between(base: u32, first: IpAddr, last: IpAddr) -> Self {
        match (first, last) {
            (IpAddr::V4(first), IpAddr::V4(last)) => {
                Self::span(base + V4, first.to_bits().into(), last.to_bits().into())
            }
            (IpAddr::V6(first), IpAddr::V6(last)) => {
                Self::span(base + V6, first.to_bits(), last.to_bits())
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => Self::default(),
        }
    }

    /// Whether the set has no point.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the ranges: the start of each, and the point behind its end.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (Point, Point)> + '_ {
        self.0.iter().copied()
    }

    /// Returns the points of both sets. Takes time proportional to their ranges, and to sort them.
    pub(crate) fn union(&self, other: &Self) -> Self {
        self.iter().chain(other.iter()).collect()
    }

    /// Returns the points that are in both sets, in time proportional to their ranges.
    pub(crate) fn intersection(&self, other: &Self) -> Self {
        let (mut left, mut right) = (self.iter().peekable(), other.iter().peekable());
        let mut both = Vec::new();
        while let (Some(a), Some(b)) = (left.peek().copied(), right.peek().copied()) {
            let (start, end) = (a.0.max(b.0), a.1.min(b.1));
            if start < end {
                both.push((start, end));
            }
            if a.1 <= b.1 {
                left.next();
            } else {
                right.next();
            }
        }
        Self(both)
    }

    /// Returns the points that are not in `other`, in time proportional to the ranges of both sets.
    pub(crate) fn without(&self, other: &Self) -> Self {
        let mut rest = Vec::new();
        let mut holes = other.iter().peekable();
        for (mut start, end) in self.iter() {
            while let Some((hole, behind)) = holes.peek().copied() {
                if hole >= end {
                    break;
                }
                if start < hole {
                    rest.push((start, hole));
                }
                start = start.max(behind);
                if behind > end {
                    break;
                }
                holes.next();
            }
            if start < end {
                rest.push((start, end));
            }
        }
        Self(rest)
    }

    /// Whether all points are in `other`.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.without(other).is_empty()
    }
}

impl FromIterator<(Point, Point)> for Ranges {
    /// Sorts and joins ranges, in time n log n.
    fn from_iter<I: IntoIterator<Item = (Point, Point)>>(ranges: I) -> Self {
        let mut ranges: Vec<_> = ranges.into_iter().collect();
        ranges.sort_unstable();
        let mut joined: Vec<(Point, Point)> = Vec::with_capacity(ranges.len());
        for (start, end) in ranges {
            match joined.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                Some(_) | None => joined.push((start, end)),
            }
        }
        Self(joined)
    }
}

impl Extend<Self> for Ranges {
    /// Adds the points of sets, in time n log n.
    fn extend<I: IntoIterator<Item = Self>>(&mut self, sets: I) {
        let old = std::mem::take(&mut self.0);
        *self = old
            .into_iter()
            .chain(sets.into_iter().flat_map(|set| set.0))
            .collect();
    }
}

/// Parses a network (`10.0.0.0/8`), or an address, which is a network of its own. Bits behind the prefix do not count.
pub(crate) fn network(text: &str) -> Option<IpNet> {
    let text = text.trim();
    if let Ok(network) = text.parse::<IpNet>() {
        return Some(network.trunc());
    }
    text.parse::<IpAddr>().ok().map(IpNet::from)
}

#[cfg(test)]
mod tests {
    use super::{Point, Ranges, network};

    /// A set of numbers below 20, from the bits of a number.
    fn of_bits(bits: u32) -> Ranges {
        (0..20)
            .filter(|bit| bits >> bit & 1 == 1)
            .map(|bit| {
                let point = |number| Point { space: 0, number };
                (point(bit), point(bit + 1))
            })
            .collect()
    }

    #[test]
    fn operations_on_sets_of_ranges_are_those_on_sets_of_points() {
        let mut state = 7_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 12
        };
        for _ in 0..2_000 {
            let (a, b) = (random() & random(), random());
            assert_eq!(of_bits(a).union(&of_bits(b)), of_bits(a | b));
            assert_eq!(of_bits(a).intersection(&of_bits(b)), of_bits(a & b));
            assert_eq!(of_bits(a).without(&of_bits(b)), of_bits(a & !b));
            assert_eq!(of_bits(a).is_within(&of_bits(b)), a & !b & 0xf_ffff == 0);
        }
    }

    #[test]
    fn halves_of_a_network_are_the_network() {
        let set = |text: &str| Ranges::addresses(0, network(text).unwrap());
        assert_eq!(
            set("10.0.0.0/9").union(&set("10.128.0.0/9")),
            set("10.3.2.1/8")
        );
        assert_eq!(set("::/1").union(&set("8000::/1")), set("::/0"));
        assert!(set("203.0.113.7").is_within(&set("203.0.113.0/24")));
        assert!(!set("::/0").is_within(&set("0.0.0.0/0")));
        assert_eq!(set("0.0.0.0/0").union(&set("::/0")), Ranges::everybody());
    }
}
