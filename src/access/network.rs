//! Networks in rules: the world, or a large part of it.

use std::net::{IpAddr, Ipv4Addr};

/// The largest prefix of a wide network, by version of IP.
const WIDE: [u8; 2] = [8, 16];

/// Somebody from whom many may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Peer {
    /// Everybody, in one version of IP. Words that mean everybody count as the first version.
    World { is_v6: bool },
    /// A large part of the internet.
    Wide(Network),
    /// The same as a range of addresses of version 4.
    Range(u32, u32),
    /// Everything that runs in Azure, whoever owns it.
    Azure,
}

/// A network: its first address, and the length of its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Network {
    is_v6: bool,
    start: u128,
    bits: u8,
}

impl Peer {
    /// The peer that a text names; `None` if it is no large part of the internet.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let Some(network) = Network::parse(text) else {
            return super::is_everybody(text).then_some(Self::World { is_v6: false });
        };
        if network.bits == 0 || network == Network::GLOBAL_UNICAST {
            return Some(Self::World { is_v6: network.is_v6 });
        }
        network.is_wide().then_some(Self::Wide(network))
    }

    /// The peer of a range of addresses, as firewalls of databases have it. From 0.0.0.0 to 0.0.0.0 means everything
    /// that runs in Azure.
    pub(crate) fn from_range(first: &str, last: &str) -> Option<Self> {
        let (first, last) =
            (first.parse::<Ipv4Addr>().ok()?.to_bits(), last.parse::<Ipv4Addr>().ok()?.to_bits());
        let count = u64::from(last.checked_sub(first)?) + 1;
        Some(match (first, last) {
            (0, 0) => Self::Azure,
            // All but a few, such as 0.0.0.1 to 255.255.255.254.
            _ if count >= 1 << 31 => Self::World { is_v6: false },
            _ if count >= 1 << (32 - WIDE[0]) => Self::Range(first, last),
            _ => return None,
        })
    }

    /// The peers that have all of this one, from the largest.
    pub(crate) fn around(self) -> Vec<Self> {
        match self {
            Self::World { .. } => vec![self],
            Self::Range(..) | Self::Azure => vec![Self::World { is_v6: false }, self],
            Self::Wide(network) => {
                let wider = (1..=network.bits).map(|bits| Self::Wide(network.with_bits(bits)));
                [Self::World { is_v6: network.is_v6 }].into_iter().chain(wider).collect()
            }
        }
    }
}

impl Network {
    /// All addresses of the internet that IPv6 has given out.
    const GLOBAL_UNICAST: Self = Self { is_v6: true, start: 0x2000 << 112, bits: 3 };

    fn parse(text: &str) -> Option<Self> {
        let (address, bits) = text.split_once('/')?;
        let bits: u8 = bits.parse().ok()?;
        let (is_v6, start) = match address.parse().ok()? {
            IpAddr::V4(address) => (false, u128::from(address.to_bits()) << 96),
            IpAddr::V6(address) => (true, address.to_bits()),
        };
        (bits <= if is_v6 { 128 } else { 32 }).then(|| Self { is_v6, start, bits: 0 }.with_bits(bits))
    }

    /// The network around its first address with this prefix.
    fn with_bits(self, bits: u8) -> Self {
        let mask = if bits == 0 { 0 } else { u128::MAX << (128 - u32::from(bits)) };
        Self { start: self.start & mask, bits, ..self }
    }

    fn is_wide(self) -> bool {
        let [v4, v6] = WIDE;
        let is_private = if self.is_v6 {
            // Unique local, link-local and multicast addresses.
            self.bits >= 7 && self.start >> 121 == 0x7e
                || self.bits >= 10 && self.start >> 118 == 0x3fa
                || self.bits >= 8 && self.start >> 120 == 0xff
        } else {
            // 10/8, 127/8, 0/8 and what is above 224/3 is not reached over the internet.
            let first = self.start >> 120;
            self.bits >= 8 && matches!(first, 0 | 10 | 127) || self.bits >= 3 && first >= 224
        };
        self.bits <= if self.is_v6 { v6 } else { v4 } && !is_private
    }
}

/// Whether networks together are the world, in one version of IP.
pub(crate) fn are_world(mut networks: Vec<Network>, is_v6: bool) -> bool {
    networks.retain(|network| network.is_v6 == is_v6);
    crate::sort::by_key(&mut networks, |network| network.start);
    let mut next = 0;
    for Network { start, bits, .. } in networks {
        if start > next {
            return false;
        }
        let last = start | if bits == 0 { u128::MAX } else { !(u128::MAX << (128 - u32::from(bits))) };
        match last.checked_add(1) {
            Some(end) => next = end.max(next),
            None => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn networks(texts: &[&str]) -> Vec<Network> {
        texts.iter().filter_map(|text| Network::parse(text)).collect()
    }

    #[test]
    fn large_parts_of_the_internet_are_wide_and_private_networks_are_not() {
        for (text, expected) in [
            ("0.0.0.0/0", Some(Peer::World { is_v6: false })),
            ("::/0", Some(Peer::World { is_v6: true })),
            ("2000::/3", Some(Peer::World { is_v6: true })),
            ("Internet", Some(Peer::World { is_v6: false })),
            ("10.0.0.0/8", None),
            ("10.0.0.0/7", Some(Peer::Wide(networks(&["10.0.0.0/7"])[0]))),
            ("52.1.2.3/8", Some(Peer::Wide(networks(&["52.0.0.0/8"])[0]))),
            ("52.0.0.0/9", None),
            ("fd00::/8", None),
            ("fc00::/7", None),
            ("240.0.0.0/4", None),
            ("2a00::/12", Some(Peer::Wide(networks(&["2a00::/12"])[0]))),
            ("s3:*", None),
            ("10.0.0.0/99", None),
        ] {
            assert_eq!(Peer::parse(text), expected, "{text}");
        }
        let half = Peer::parse("128.0.0.0/1").unwrap();
        assert_eq!(half.around(), [Peer::World { is_v6: false }, half]);
    }

    #[test]
    fn ranges_of_databases_are_read_as_networks() {
        for (first, last, expected) in [
            ("0.0.0.0", "255.255.255.255", Some(Peer::World { is_v6: false })),
            ("1.0.0.0", "255.255.255.254", Some(Peer::World { is_v6: false })),
            ("0.0.0.0", "0.0.0.0", Some(Peer::Azure)),
            ("10.0.0.1", "10.0.0.9", None),
            ("52.0.0.0", "52.255.255.255", Some(Peer::Range(52 << 24, (53 << 24) - 1))),
            ("9.0.0.0", "1.0.0.0", None),
            ("x", "0.0.0.0", None),
        ] {
            assert_eq!(Peer::from_range(first, last), expected, "{first} {last}");
        }
    }

    #[test]
    fn the_halves_of_the_world_are_the_world() {
        assert!(are_world(networks(&["128.0.0.0/1", "0.0.0.0/1"]), false));
        assert!(are_world(networks(&["0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/1"]), false));
        assert!(!are_world(networks(&["0.0.0.0/1", "128.0.0.0/2"]), false));
        assert!(!are_world(networks(&["::/1", "8000::/1"]), false));
        assert!(are_world(networks(&["::/1", "8000::/1"]), true));
        assert!(!are_world(Vec::new(), false));
    }
}
