//! Networks and ports as points that stand for all addresses and ports which no rule tells apart.

use std::collections::BTreeSet;
use std::net::IpAddr;

use super::growth::Growth;

/// A range of addresses of one version, from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Network {
    is_v6: bool,
    first: u128,
    last: u128,
}

/// An address of one version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Address {
    is_v6: bool,
    number: u128,
}

impl Network {
    /// Parses a network in CIDR notation, or a single address; `None` for any other text.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u32>().ok()?)),
            None => (text, None),
        };
        let (is_v6, width, number) = match address.trim().parse().ok()? {
            IpAddr::V4(address) => (false, 32, u128::from(address.to_bits())),
            IpAddr::V6(address) => (true, 128, address.to_bits()),
        };
        let free = width - bits.unwrap_or(width).min(width);
        if bits.is_some_and(|bits| bits > width) {
            return None;
        }
        let mask = 1_u128.checked_shl(free).map_or(u128::MAX, |size| size - 1);
        let first = number & !mask;
        Some(Self {
            is_v6,
            first,
            last: first | mask,
        })
    }

    /// Whether the network includes an address.
    pub(super) fn includes(self, address: Address) -> bool {
        self.is_v6 == address.is_v6 && (self.first..=self.last).contains(&address.number)
    }
}

/// Returns the first address of each range of addresses that the networks do not tell apart, of both versions.
pub(super) fn addresses(networks: &[Network]) -> BTreeSet<Address> {
    let start = |is_v6| Address { is_v6, number: 0 };
    let mut addresses = BTreeSet::from([start(false), start(true)]);
    for network in networks {
        let last = if network.is_v6 {
            u128::MAX
        } else {
            u128::from(u32::MAX)
        };
        let next = network.last.checked_add(1).filter(|next| *next <= last);
        for number in [Some(network.first), next].into_iter().flatten() {
            addresses.insert(Address {
                is_v6: network.is_v6,
                number,
            });
        }
    }
    addresses
}

/// Returns what a list of networks gains and loses, of which each adds its addresses. No networks are no addresses.
/// `None` if a text is no network.
pub(super) fn growth(before: &[&str], after: &[&str]) -> Option<Growth> {
    let parse = |texts: &[&str]| -> Option<Vec<Network>> {
        texts.iter().map(|text| Network::parse(text)).collect()
    };
    let (before, after) = (parse(before)?, parse(after)?);
    let all: Vec<_> = before.iter().chain(&after).copied().collect();
    let mut growth = Growth::default();
    for address in addresses(&all) {
        let was = before.iter().any(|network| network.includes(address));
        let is = after.iter().any(|network| network.includes(address));
        growth.grew |= is && !was;
        growth.shrank |= was && !is;
    }
    Some(growth)
}
