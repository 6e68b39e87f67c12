//! Networks that are the world or a large part of it, and the services at ports.

use std::net::{IpAddr, Ipv4Addr};

use serde::Deserialize;

/// The largest prefix of a wide network, by version of IP.
const WIDE: [u8; 2] = [8, 16];

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

/// Who is meant by an address, a network or a word, as far as it is not a few hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Peer {
    /// Words that mean everybody count as version 4.
    Everyone { is_v6: bool },
    /// A large part of the internet.
    Wide(Network),
    /// A smaller network of the internet, which counts only where nobody outside should come in.
    Public(Network),
    /// Addresses of version 4.
    Range(u32, u32),
    /// Everything that runs in Azure, whoever owns it.
    Azure,
}

/// A network of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Network {
    is_v6: bool,
    start: u128,
    bits: u8,
}

impl Peer {
    /// Reads an address, a network or a word. `None` if it is no large part of the internet.
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

    /// A network or range of the internet, however small; `None` for private addresses and what is no network.
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

    /// The number of addresses is that of a large network.
    pub(crate) fn is_wide(self) -> bool {
        match self {
            Self::Everyone { .. } | Self::Wide(_) | Self::Azure => true,
            Self::Public(_) => false,
            Self::Range(first, last) => last.saturating_sub(first) >= (1 << (32 - WIDE[0])) - 1,
        }
    }

    /// In firewalls of databases, 0.0.0.0 to 0.0.0.0 means everything that runs in Azure.
    pub(crate) fn from_range(first: &str, last: &str) -> Option<Self> {
        let (first, last) = (
            first.parse::<Ipv4Addr>().ok()?.to_bits(),
            last.parse::<Ipv4Addr>().ok()?.to_bits(),
        );
        let count = u64::from(last.checked_sub(first)?) + 1;
        Some(match (first, last) {
            (0, 0) => Self::Azure,
            // All but a few, such as 0.0.0.1 to 255.255.255.254.
            _ if count >= 1 << 31 => Self::Everyone { is_v6: false },
            _ if count >= 1 << (32 - WIDE[0]) => Self::Range(first, last),
            _ => return None,
        })
    }

    /// The largest peer is first.
    pub(crate) fn around(self) -> Vec<Self> {
        match self {
            Self::Everyone { .. } => vec![self],
            Self::Range(..) | Self::Azure => vec![Self::Everyone { is_v6: false }, self],
            Self::Wide(network) | Self::Public(network) => {
                // What is around a large network is large.
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
    /// All addresses of the internet that IPv6 has given out.
    const GLOBAL_UNICAST: Self = Self {
        is_v6: true,
        start: 0x2000 << 112,
        bits: 3,
    };

    /// Reads a network in CIDR notation.
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

    /// Whether its addresses are not reached over the internet: RFC 1918, 6598, 4193 and their like.
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

/// Whether the networks of one version together cover all addresses.
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

/// The gravest class is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Class {
    Administration,
    Data,
    Shell,
    Database,
    Other,
    Web,
}

/// Sorted by port.
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

pub(super) fn services((from, to): (u32, u32)) -> &'static [(u32, &'static str, Class)] {
    let start = PORTS.partition_point(|(port, ..)| *port < from);
    let end = PORTS.partition_point(|(port, ..)| *port <= to);
    PORTS.get(start..end).unwrap_or_default()
}
