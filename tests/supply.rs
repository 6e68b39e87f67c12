//! Dependencies are few, come from one registry with a checksum, and have a documented reason. `cargo deny`
//! checks more (`deny.toml`), but needs its database; these tests need only the lock file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The limit for all packages in the lock file, including those for tests, other systems and features that are not
/// used. The browser (`ratatui`, `crossterm`) and the emulator of its tests brought 51.
const MAX_PACKAGES: usize = 260;

fn file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The packages of the lock file, each with its fields.
fn packages(lock: &str) -> Vec<BTreeMap<&str, &str>> {
    lock.split("[[package]]")
        .skip(1)
        .map(|package| {
            let fields = package.lines().filter_map(|line| line.split_once(" = "));
            fields
                .map(|(name, value)| (name, value.trim_matches('"')))
                .collect()
        })
        .collect()
}

#[test]
fn every_package_comes_from_the_registry_with_a_checksum() {
    let lock = file("Cargo.lock");
    let packages = packages(&lock);
    assert!(
        packages.len() > 50 && packages.len() <= MAX_PACKAGES,
        "{} packages",
        packages.len()
    );
    for package in &packages {
        if package["name"] == "tfview" {
            continue;
        }
        let source = package.get("source").copied();
        assert_eq!(
            source,
            Some("registry+https://github.com/rust-lang/crates.io-index"),
            "{package:?}"
        );
        assert_eq!(
            package.get("checksum").map(|sum| sum.len()),
            Some(64),
            "{package:?}"
        );
    }
}

#[test]
fn every_dependency_has_a_reason() {
    let manifest = file("Cargo.toml");
    let policy = file("SECURITY.md");
    let mut names = BTreeSet::new();
    let mut inside = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.ends_with("dependencies]") && !line.contains("dev-");
        } else if inside && let Some((name, _)) = line.split_once(" = ") {
            names.insert(name);
        }
    }
    assert!(names.len() >= 10, "{names:?}");
    for name in names {
        assert!(
            policy.contains(&format!("| `{name}` |")),
            "{name} has no reason in SECURITY.md"
        );
    }
}
