//! Recognizes networks that are the whole internet or a large part of it, and the services at ports.

use std::net::{IpAddr, Ipv4Addr};

use serde::Deserialize;

/// The largest number of bits of the prefix of a wide network, for IPv4 and IPv6.
const WIDE: [u8; 2] = [8, 16];

/// The words of all providers that mean everybody.
const EVERYBODY: [&str; 9] = [
    "*",
    "Internet",
    "Any",
    "any",
    "0.0.0.0",
    "allUsers",
    "allAuthenticatedUsers",
    "system:anonymous",
    "system:unauthenticated",
];

/// The other side of traffic: an address, a network or a word, as far as it is more than a few hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Peer {
    /// Everybody. The words for it count as IPv4.
    Everyone { is_v6: bool },
    /// A large part of the internet.
    Wide(Network),
    /// A smaller network of the internet. It only counts where nobody from outside should come in.
    Public(Network),
    /// A range of IPv4 addresses, with its first and last one.
    Range(u32, u32),
    /// Everything that runs in Azure, whoever owns it.
    Azure,
}

/// A network: the addresses of one version with the same first bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Network {
    /// Whether the addresses are of IPv6.
    is_v6: bool,
    /// The first address, whose bits are at the upper end of the number also for IPv4.
    start: u128,
    /// The number of bits that the addresses have in common.
    bits: u8,
}

impl Peer {
    /// Parses an address, a network or a word. Returns `None` if it is not a large part of the internet.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let Some(network) = Network::parse(text) else {
            return EVERYBODY
                .contains(&text)
                .then_some(Self::Everyone { is_v6: false });
        };
        if network.bits == 0 || network == Network::GLOBAL_UNICAST {
            return Some(Self::Everyone {
                is_v6: network.is_v6,
            });
        }
        network.is_wide().then_some(Self::Wide(network))
    }

    /// Parses a network of the internet, however small, or a range if `last` is given. Returns `None` for private
    /// addresses and for texts that are no network.
    pub(crate) fn parse_public(first: &str, last: Option<&str>) -> Option<Self> {
        let network = |text: &str| {
            let network = match text.parse::<IpAddr>() {
                Ok(IpAddr::V4(_)) => Network::parse(&format!("{text}/32")),
                Ok(IpAddr::V6(_)) => Network::parse(&format!("{text}/128")),
                Err(_) => Network::parse(text),
            };
            network.filter(|network| !network.is_private())
        };
        let first = network(first)?;
        let Some(last) = last.and_then(network) else {
            return Some(Self::Public(first));
        };
        let address = |network: Network| u32::try_from(network.start >> 96).ok();
        if first == last || first.is_v6 {
            return Some(Self::Public(first));
        }
        Some(Self::Range(address(first)?, address(last)?))
    }

    /// Whether the peer has as many addresses as a large network.
    pub(crate) fn is_wide(self) -> bool {
        match self {
            Self::Everyone { .. } | Self::Wide(_) | Self::Azure => true,
            Self::Public(_) => false,
            Self::Range(first, last) => last.saturating_sub(first) >= (1 << (32 - WIDE[0])) - 1,
        }
    }

    /// Parses the first and last address of a range of IPv4. Returns `None` if it is not large.
    ///
    /// In Azure's firewalls of databases, the range from 0.0.0.0 to 0.0.0.0 means everything that runs in Azure.
    pub(crate) fn from_range(first: &str, last: &str) -> Option<Self> {
        let (first, last) = (
            first.parse::<Ipv4Addr>().ok()?.to_bits(),
            last.parse::<Ipv4Addr>().ok()?.to_bits(),
        );
        let count = u64::from(last.checked_sub(first)?) + 1;
        Some(match (first, last) {
            (0, 0) => Self::Azure,
            // Such a range leaves out only a few addresses, as 0.0.0.1 to 255.255.255.254 does.
            _ if count >= 1 << 31 => Self::Everyone { is_v6: false },
            _ if count >= 1 << (32 - WIDE[0]) => Self::Range(first, last),
            _ => return None,
        })
    }

    /// Returns the peers that include this one, and itself, the largest one first.
    pub(crate) fn around(self) -> Vec<Self> {
        match self {
            Self::Everyone { .. } => vec![self],
            Self::Range(..) | Self::Azure => vec![Self::Everyone { is_v6: false }, self],
            Self::Wide(network) | Self::Public(network) => {
                // A network around a large one is large too.
                let is_large = matches!(self, Self::Wide(_));
                let wider = (1..=network.bits).flat_map(|bits| {
                    let network = network.with_bits(bits);
                    let small = (!is_large).then_some(Self::Public(network));
                    [Some(Self::Wide(network)), small]
                });
                [Self::Everyone {
                    is_v6: network.is_v6,
                }]
                .into_iter()
                .chain(wider.flatten())
                .collect()
            }
        }
    }
}

impl Network {
    /// The addresses of IPv6 that are given out for the internet.
    const GLOBAL_UNICAST: Self = Self {
        is_v6: true,
        start: 0x2000 << 112,
        bits: 3,
    };

    /// Parses a network in CIDR notation.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (address, bits) = text.split_once('/')?;
        let bits: u8 = bits.parse().ok()?;
        let (is_v6, start) = match address.parse().ok()? {
            IpAddr::V4(address) => (false, u128::from(address.to_bits()) << 96),
            IpAddr::V6(address) => (true, address.to_bits()),
        };
        (bits <= if is_v6 { 128 } else { 32 }).then(|| {
            Self {
                is_v6,
                start,
                bits: 0,
            }
            .with_bits(bits)
        })
    }

    /// Returns the network that has only the first `bits` bits in common, and includes this one.
    fn with_bits(self, bits: u8) -> Self {
        let mask = if bits == 0 {
            0
        } else {
            u128::MAX << (128 - u32::from(bits))
        };
        Self {
            start: self.start & mask,
            bits,
            ..self
        }
    }

    /// Whether the addresses cannot be reached over the internet: RFC 1918, 6598, 4193 and similar ones.
    fn is_private(self) -> bool {
        let is_in = |address: u128, bits: u8| {
            self.bits >= bits && self.start >> (128 - u32::from(bits)) == address
        };
        if self.is_v6 {
            return is_in(0x7e, 7) || is_in(0x3fa, 10) || is_in(0xff, 8) || is_in(1, 128);
        }
        let blocks = [
            (0, 8),
            (10, 8),
            (100 << 2 | 1, 10),
            (127, 8),
            (169 << 8 | 254, 16),
            (172 << 4 | 1, 12),
            (192 << 8 | 168, 16),
            (7, 3),
        ];
        blocks
            .into_iter()
            .any(|(address, bits)| is_in(address, bits))
    }

    /// Whether the network is a large part of the internet.
    fn is_wide(self) -> bool {
        let [v4, v6] = WIDE;
        let is_private = if self.is_v6 {
            // These are unique local, link-local and multicast addresses.
            self.bits >= 7 && self.start >> 121 == 0x7e
                || self.bits >= 10 && self.start >> 118 == 0x3fa
                || self.bits >= 8 && self.start >> 120 == 0xff
        } else {
            // 10/8, 127/8, 0/8 and everything from 224/3 on cannot be reached over the internet.
            let first = self.start >> 120;
            self.bits >= 8 && matches!(first, 0 | 10 | 127) || self.bits >= 3 && first >= 224
        };
        self.bits <= if self.is_v6 { v6 } else { v4 } && !is_private
    }
}

/// Whether the networks of one IP version together cover all of its addresses.
pub(crate) fn cover_everyone(mut networks: Vec<Network>, is_v6: bool) -> bool {
    networks.retain(|network| network.is_v6 == is_v6);
    networks.sort_by_key(|network| network.start);
    let mut next = 0;
    for Network { start, bits, .. } in networks {
        if start > next {
            return false;
        }
        let last = start
            | if bits == 0 {
                u128::MAX
            } else {
                !(u128::MAX << (128 - u32::from(bits)))
            };
        match last.checked_add(1) {
            Some(end) => next = end.max(next),
            None => return true,
        }
    }
    false
}

/// The kind of service at a port, ordered by how grave it is that everybody can reach it: the gravest is first.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Class {
    Administration,
    Data,
    Shell,
    Database,
    Other,
    Web,
}

impl Class {
    /// Returns the word in rows and rules.
    pub(crate) fn word(self) -> &'static str {
        self.into()
    }
}

/// The ports of known services with their names and classes, sorted by port.
pub(super) const PORTS: &[(u32, &str, Class)] = &[
    (21, "ftp", Class::Data),
    (22, "ssh", Class::Shell),
    (23, "telnet", Class::Shell),
    (25, "smtp", Class::Other),
    (53, "dns", Class::Other),
    (69, "tftp", Class::Data),
    (80, "http", Class::Web),
    (123, "ntp", Class::Other),
    (161, "snmp", Class::Other),
    (389, "ldap", Class::Other),
    (443, "https", Class::Web),
    (445, "smb", Class::Data),
    (636, "ldaps", Class::Other),
    (873, "rsync", Class::Data),
    (1433, "sql server", Class::Database),
    (1521, "oracle", Class::Database),
    (2049, "nfs", Class::Data),
    (2375, "docker api", Class::Administration),
    (2376, "docker api", Class::Administration),
    (2379, "etcd", Class::Administration),
    (2380, "etcd", Class::Administration),
    (3306, "mysql", Class::Database),
    (3389, "rdp", Class::Shell),
    (5432, "postgres", Class::Database),
    (5439, "redshift", Class::Database),
    (5601, "kibana", Class::Other),
    (5672, "amqp", Class::Other),
    (5900, "vnc", Class::Shell),
    (5984, "couchdb", Class::Database),
    (5985, "winrm", Class::Shell),
    (5986, "winrm", Class::Shell),
    (6379, "redis", Class::Database),
    (6443, "kubernetes api", Class::Administration),
    (8086, "influxdb", Class::Database),
    (9042, "cassandra", Class::Database),
    (9092, "kafka", Class::Data),
    (9200, "elasticsearch", Class::Database),
    (9300, "elasticsearch", Class::Database),
    (10250, "kubelet", Class::Administration),
    (11211, "memcached", Class::Database),
    (26257, "cockroachdb", Class::Database),
    (27017, "mongodb", Class::Database),
];

/// Returns the known services in a range of ports.
pub(super) fn services((from, to): (u32, u32)) -> &'static [(u32, &'static str, Class)] {
    let start = PORTS.partition_point(|(port, ..)| *port < from);
    let end = PORTS.partition_point(|(port, ..)| *port <= to);
    PORTS.get(start..end).unwrap_or_default()
}
