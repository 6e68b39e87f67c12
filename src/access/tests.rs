//! Names, networks, ports and conditions.

use std::collections::BTreeMap;

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::firewall::{add_range, has_range};
use super::network::{Network, PORTS, Peer, cover_everyone, services};
use super::{Policy, new_and_lost};
use crate::diff::value::Builder;

fn networks(texts: &[&str]) -> Vec<Network> {
    texts
        .iter()
        .filter_map(|text| Network::parse(text))
        .collect()
}

#[test]
fn large_parts_of_the_internet_are_wide_and_private_networks_are_not() {
    for (text, expected) in [
        ("0.0.0.0/0", Some(Peer::Everyone { is_v6: false })),
        ("::/0", Some(Peer::Everyone { is_v6: true })),
        ("2000::/3", Some(Peer::Everyone { is_v6: true })),
        ("Internet", Some(Peer::Everyone { is_v6: false })),
        ("*", Some(Peer::Everyone { is_v6: false })),
        ("allUsers", Some(Peer::Everyone { is_v6: false })),
        ("a/0", None),
        ("users", None),
        ("", None),
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
    assert_eq!(half.around(), [Peer::Everyone { is_v6: false }, half]);
}

#[test]
fn ranges_of_databases_are_read_as_networks() {
    for (first, last, expected) in [
        (
            "0.0.0.0",
            "255.255.255.255",
            Some(Peer::Everyone { is_v6: false }),
        ),
        (
            "1.0.0.0",
            "255.255.255.254",
            Some(Peer::Everyone { is_v6: false }),
        ),
        ("0.0.0.0", "0.0.0.0", Some(Peer::Azure)),
        ("10.0.0.1", "10.0.0.9", None),
        (
            "52.0.0.0",
            "52.255.255.255",
            Some(Peer::Range(52 << 24, (53 << 24) - 1)),
        ),
        ("9.0.0.0", "1.0.0.0", None),
        ("x", "0.0.0.0", None),
    ] {
        assert_eq!(Peer::from_range(first, last), expected, "{first} {last}");
    }
}

#[test]
fn the_halves_of_the_world_are_the_world() {
    assert!(cover_everyone(
        networks(&["128.0.0.0/1", "0.0.0.0/1"]),
        false
    ));
    assert!(cover_everyone(
        networks(&["0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/1"]),
        false
    ));
    assert!(!cover_everyone(
        networks(&["0.0.0.0/1", "128.0.0.0/2"]),
        false
    ));
    assert!(!cover_everyone(networks(&["::/1", "8000::/1"]), false));
    assert!(cover_everyone(networks(&["::/1", "8000::/1"]), true));
    assert!(!cover_everyone(Vec::new(), false));
}

#[test]
fn services_are_found_by_their_ports() {
    assert!(PORTS.is_sorted_by_key(|(port, ..)| *port));
    let names = |range| {
        services(range)
            .iter()
            .map(|(_, name, _)| *name)
            .collect::<Vec<_>>()
    };
    assert_eq!(names((22, 23)), ["ssh", "telnet"]);
    assert_eq!(names((5432, 5432)), ["postgres"]);
    assert_eq!(names((30_000, 30_000)), [""; 0]);
    assert_eq!(names((23, 22)), [""; 0]);
}

#[test]
fn a_range_is_open_inside_of_another_one() {
    let mut ranges = BTreeMap::new();
    for range in [(10, 20), (5, 12), (15, 30), (12, 18), (40, 40), (1, 11)] {
        add_range(&mut ranges, range);
    }
    assert_eq!(
        ranges
            .iter()
            .map(|(from, to)| (*from, *to))
            .collect::<Vec<_>>(),
        [(1, 11), (5, 12), (10, 20), (15, 30), (40, 40)]
    );
    for (range, expected) in [
        ((2, 11), true),
        ((6, 12), true),
        ((16, 29), true),
        ((11, 21), false),
        ((31, 31), false),
        ((0, 1), false),
    ] {
        assert_eq!(has_range(&ranges, range), expected, "{range:?}");
    }
}

/// Whether a statement under a condition grants nothing that it did not grant under another one.
fn covers(old: &str, new: &str) -> bool {
    let arena = Bump::new();
    let hasher = RandomState::default();
    let build = Builder::new(&arena, &hasher);
    let [old, new] = [old, new].map(|condition| {
        let text = format!(
            r#"{{"Statement": {{"Effect": "Allow", "Action": "a", "Condition": {condition}}}}}"#
        );
        Policy::new(build.parse(&*arena.alloc_str(&text)).unwrap()).unwrap()
    });
    new_and_lost(&old.statements, &new.statements)
        .added
        .is_empty()
}

#[test]
fn a_narrower_condition_is_covered_and_a_wider_one_is_not() {
    for (wide, narrow) in [
        (
            r#"{"StringLike": {"sub": "repo:a/b:*"}}"#,
            r#"{"StringEquals": {"sub": "repo:a/b:main"}}"#,
        ),
        (
            r#"{"StringLike": {"sub": "repo:a/*"}}"#,
            r#"{"StringLike": {"sub": ["repo:a/b:*", "repo:a/c:x"]}}"#,
        ),
        (
            r#"{"StringEquals": {"sub": ["a", "b"]}}"#,
            r#"{"StringEquals": {"SUB": "b"}}"#,
        ),
        (
            r#"{"StringEquals": {"sub": "a"}}"#,
            r#"{"StringEquals": {"sub": "a", "aud": "b"}}"#,
        ),
        (
            r#"{"IpAddress": {"ip": ["10.0.0.0/8", "::1/128"]}}"#,
            r#"{"IpAddress": {"ip": "10.0.0.0/8"}}"#,
        ),
        (
            r#"{"StringNotEquals": {"sub": "a"}}"#,
            r#"{"StringNotEquals": {"sub": ["a", "b"]}}"#,
        ),
    ] {
        assert!(covers(wide, narrow), "{wide} {narrow}");
        assert!(!covers(narrow, wide), "{narrow} {wide}");
    }
    assert!(!covers(
        r#"{"StringEquals": {"sub": "a*"}}"#,
        r#"{"StringEquals": {"sub": "ab"}}"#
    ));
}
