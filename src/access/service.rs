//! What answers at a port, in words that people use.

/// What is behind an open door, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Class {
    Administration,
    Data,
    Shell,
    Database,
    Other,
    Web,
}

impl Class {
    pub(crate) const ALL: [Self; 6] =
        [Self::Administration, Self::Data, Self::Shell, Self::Database, Self::Other, Self::Web];

    /// The name in rules.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Administration => "administration",
            Self::Data => "data",
            Self::Shell => "shell",
            Self::Database => "database",
            Self::Other => "other",
            Self::Web => "web",
        }
    }
}

/// Well-known ports, sorted, with the name and class of what answers.
const PORTS: &[(u32, &str, Class)] = &[
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

/// The well-known services at a range of ports.
pub(super) fn services((from, to): (u32, u32)) -> &'static [(u32, &'static str, Class)] {
    let start = PORTS.partition_point(|(port, ..)| *port < from);
    let end = PORTS.partition_point(|(port, ..)| *port <= to);
    PORTS.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_found_by_their_ports() {
        assert!(PORTS.is_sorted_by_key(|(port, ..)| *port));
        let names = |range| services(range).iter().map(|(_, name, _)| *name).collect::<Vec<_>>();
        assert_eq!(names((22, 23)), ["ssh", "telnet"]);
        assert_eq!(names((5432, 5432)), ["postgres"]);
        assert_eq!(names((30_000, 30_000)), [""; 0]);
        assert_eq!(names((23, 22)), [""; 0]);
    }
}
