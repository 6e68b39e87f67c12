//! Policies of Vault against its documentation and a naive evaluator.

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::{judge, priority};
use crate::diff::value::{Builder, MarkedValue};
use crate::meaning::{Documents, ObjectChange};

/// Judges a change of a policy. Returns the words of its directions, the gravest first.
fn judged(before: &str, after: &str) -> String {
    let arena = Bump::new();
    let hasher = RandomState::default();
    let build = Builder::new(&arena, &hasher);
    let documents = Documents::new(build);
    let [before, after]: [MarkedValue<'_>; 2] = [before, after].map(|text| {
        let object = serde_json::json!({ "policy": text }).to_string();
        build.parse(&*arena.alloc_str(&object)).unwrap()
    });
    let change = ObjectChange {
        resource_type: "vault_policy",
        before,
        after,
        documents: &documents,
    };
    let judgements = judge(&change).unwrap_or_default();
    let directions = judgements
        .iter()
        .flat_map(|judgement| judgement.directions.iter());
    let words: Vec<&str> = directions.map(|direction| direction.word()).collect();
    words.join(" ")
}

fn rule(path: &str, capabilities: &str) -> String {
    let list: Vec<&str> = capabilities.split(' ').collect();
    format!("path {path:?} {{\n  capabilities = {list:?}\n}}\n")
}

#[test]
fn the_rule_with_the_highest_priority_decides() {
    let (all, app) = (
        rule("secret/*", "read update"),
        rule("secret/data/app/*", "read"),
    );
    for (before, after, expected) in [
        (all.clone(), format!("{all}{app}"), "narrower"),
        (
            rule("secret/data/app/db", "read"),
            rule("secret/data/+/db", "read"),
            "wider",
        ),
        (
            rule("a/*", "read"),
            rule("a/*", "read") + &rule("a/b", "deny"),
            "narrower",
        ),
        (rule("a/b", "deny"), rule("a/b", "read"), "wider"),
        (rule("a/b", "deny"), String::new(), "wider"),
        (format!("{all}{app}"), format!("# both\n{app}{all}"), "same"),
        (rule("/a/b", "read"), rule("a/b", "read"), "same"),
        (rule("a", "read"), rule("a", "list"), "wider narrower"),
        (
            rule("a", "read list"),
            "path \"a\" { policy = \"read\" }".to_owned(),
            "same",
        ),
    ] {
        assert_eq!(judged(&before, &after), expected, "{before} {after}");
    }
}

#[test]
fn parameters_limit_what_a_rule_gives() {
    let free = "path \"a\" { capabilities = [\"update\"] }";
    let bound = "path \"a\" { capabilities = [\"update\"]\n allowed_parameters = { \"b\" = [] } }";
    let other = bound.replace("\"b\"", "\"c\"");
    let json = r#"{"path": {"a": {"capabilities": ["update"]}}}"#;
    for (before, after, expected) in [
        (free, bound, "narrower"),
        (bound, free, "wider"),
        (bound, &other, "another"),
        (free, json, "same"),
        (free, "path \"a\" { capabilities = ", "another"),
        (free, "rule \"a\" { }", "another"),
    ] {
        assert_eq!(judged(before, after), expected, "{before} {after}");
    }
}

#[test]
fn priorities_are_those_of_the_documentation() {
    // Each path has a higher priority than the one before it.
    let paths = [
        "*",
        "secret/+/*",
        "secret/*",
        "secret/+/b",
        "secret/a/*",
        "secret/a/+",
        "secret/a/b*",
        "secret/a/b",
    ];
    for pair in paths.windows(2) {
        assert!(priority(pair[0]) < priority(pair[1]), "{pair:?}");
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test asks how many cases it tries"
)]
#[test]
fn random_policies_agree_with_an_evaluator() {
    const PATHS: [&str; 8] = ["a/*", "a/b/*", "a/b/c", "a/+/c", "*", "x/+", "x/y", "a/b*"];
    const WORLD: [&str; 9] = [
        "a/b/c", "a/z/c", "a/b/z", "a/bz", "a/z", "x/y", "x/z", "q", "x/y/z",
    ];
    const CAPABILITIES: [&str; 4] = ["read", "list", "update", "deny"];
    let cases = std::env::var("TFVIEW_CASES")
        .ok()
        .and_then(|text| text.parse().ok());
    let mut state = 7u64;
    let mut below = |end: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % end
    };
    for _ in 0..cases.unwrap_or(500) {
        let mut policy = |rules: &mut Vec<(&'static str, Vec<&'static str>)>| {
            let path = PATHS[below(PATHS.len())];
            let names = (0..=below(2)).map(|_| CAPABILITIES[below(4)]).collect();
            rules.retain(|(other, _)| *other != path);
            rules.push((path, names));
        };
        let mut old = Vec::new();
        (0..3).for_each(|_| policy(&mut old));
        let mut new = old.clone();
        policy(&mut new);
        if new.len() > 2 {
            new.remove(0);
        }
        let text = |rules: &[(&str, Vec<&str>)]| -> String {
            rules
                .iter()
                .map(|(path, names)| rule(path, &names.join(" ")))
                .collect()
        };
        // Of each capability: 0 if it is denied, 1 if nothing is said, 2 if it is given.
        let answers = |rules: &[(&str, Vec<&str>)]| -> Vec<u8> {
            let mut answers = Vec::new();
            for path in WORLD {
                let fitting = rules.iter().filter(|(pattern, _)| fits(pattern, path));
                let decides = fitting.max_by_key(|(pattern, _)| priority(pattern));
                for name in &CAPABILITIES[..3] {
                    answers.push(match decides {
                        None => 1,
                        Some((_, names)) if names.contains(&"deny") => 0,
                        Some((_, names)) => 1 + u8::from(names.contains(name)),
                    });
                }
            }
            answers
        };
        let (before, after) = (answers(&old), answers(&new));
        let (grew, shrank) = (
            before.iter().zip(&after).any(|(old, new)| new > old),
            before.iter().zip(&after).any(|(old, new)| new < old),
        );
        let judged = judged(&text(&old), &text(&new));
        assert!(
            !grew || judged.contains("wider"),
            "{old:?} {new:?}: {judged}"
        );
        assert!(
            !shrank || judged.contains("narrower"),
            "{old:?} {new:?}: {judged}"
        );
        assert!(!judged.contains("another"), "{old:?} {new:?}: {judged}");
    }
}

/// Whether a path of a rule fits the path of a request, segment by segment.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, is_prefix) = match pattern.strip_suffix('*') {
        Some(start) => (start, true),
        None => (pattern, false),
    };
    let (mut own, mut other) = (pattern.split('/').peekable(), path.split('/'));
    while let Some(segment) = own.next() {
        let is_last = own.peek().is_none();
        let Some(text) = other.next() else {
            return false;
        };
        if is_last && is_prefix {
            return text.starts_with(segment);
        }
        if segment != text && segment != "+" {
            return false;
        }
    }
    other.next().is_none()
}
