//! A small budget keeps the most important changes: those with facts first, then destroyed, replaced, changed
//! and created objects.

use tfview::review::formats::{self, Budget};

use super::markdown::Accounts;
use super::{markdown_of, options, terminal_of, with_facts};

fn change(address: &str, actions: &str, before: &str, after: &str) -> String {
    let (kind, name) = address.split_once('.').unwrap();
    format!(
        r#"{{"address":"{address}","mode":"managed","type":"{kind}","name":"{name}","provider_name":"x","change":{{
        "actions":{actions},"before":{before},"after":{after}}}}}"#
    )
}

fn plan(changes: &[String]) -> String {
    format!(r#"{{"format_version":"1.2","resource_changes":[{}]}}"#, changes.join(","))
}

/// A plan that lists created objects first, then a change with a fact, then destroyed objects without one.
fn plan_with_a_fact_in_the_middle() -> String {
    let mut changes = Vec::new();
    for at in 0..30 {
        changes.push(change(
            &format!("aws_eip.n{at}"),
            r#"["create"]"#,
            "null",
            &format!(r#"{{"name":"e{at}"}}"#),
        ));
    }
    let (before, after) = (r#"{"publicly_accessible":false}"#, r#"{"publicly_accessible":true}"#);
    changes.push(change("aws_db_instance.open", r#"["update"]"#, before, after));
    for at in 0..10 {
        let before = format!(r#"{{"cidr_block":"10.{at}.0.0/16"}}"#);
        changes.push(change(&format!("aws_route.n{at}"), r#"["delete"]"#, &before, "null"));
    }
    plan(&changes)
}

#[test]
fn small_budget_keeps_facts_then_destroyed_objects() {
    let plan = plan_with_a_fact_in_the_middle();
    let mut seen = [false; 2];
    for tree in [false, true] {
        let options = tfview::review::Options { tree, ..options() };
        with_facts(&[&plan], &options, |reviews| {
            for bytes in (420..6_000).step_by(40) {
                let (text, _) = markdown_of(&reviews[0], &options, Budget { bytes, details: true });
                // Only the text below the index, which lists the same changes.
                let (_, below) = text.rsplit_once("| ").unwrap_or(("", &text));
                let accounts = Accounts::of(below);
                let listed = |kind: &str| accounts.code.iter().filter(|code| code.starts_with(kind)).count();
                let (open, destroyed) = (listed("aws_db_instance"), listed("aws_route."));
                let created = listed("aws_eip.");
                assert!(created == 0 || destroyed == 10, "{bytes}: {created} created, {destroyed} destroyed");
                assert!(
                    destroyed == 0 || open == 1,
                    "{bytes}: {destroyed} destroyed, the fact is left out\n{text}"
                );
                seen[0] |= open == 1 && destroyed == 0;
                seen[1] |= destroyed == 10 && created == 0;
            }
        });
    }
    assert_eq!(
        seen, [true; 2],
        "one size keeps only the fact, another one only the fact and the destroyed objects"
    );
}

#[test]
fn changes_of_one_action_are_ordered_by_facts_and_weight() {
    let edit = |name: &str, to: &str| (format!(r#"{{"{name}":"a"}}"#), format!(r#"{{"{name}":"{to}"}}"#));
    let mut changes = Vec::new();
    for (address, name, to) in [
        ("aws_instance.tags", "description", "b"),
        ("aws_instance.size", "instance_type", "b"),
        ("aws_instance.policy", "kms_policy", "b"),
    ] {
        let (before, after) = edit(name, to);
        changes.push(change(address, r#"["update"]"#, &before, &after));
    }
    let unguarded = (r#"{"deletion_protection":true}"#, r#"{"deletion_protection":false}"#);
    changes.push(change("aws_db_instance.unguarded", r#"["update"]"#, unguarded.0, unguarded.1));
    let open = (r#"{"publicly_accessible":false}"#, r#"{"publicly_accessible":true}"#);
    changes.push(change("aws_db_instance.open", r#"["update"]"#, open.0, open.1));
    let text = with_facts(&[&plan(&changes)], &options(), |reviews| terminal_of(&reviews[0], &options()).0);
    let places: Vec<usize> = [
        "aws_db_instance.open changes",
        "aws_db_instance.unguarded changes",
        "aws_instance.policy changes",
        "aws_instance.size changes",
        "aws_instance.tags changes",
    ]
    .iter()
    .map(|title| text.find(title).unwrap_or_else(|| panic!("{title}\n{text}")))
    .collect();
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn worst_of_several_plans_is_first() {
    let quiet = plan(&[change("a.b", r#"["create"]"#, "null", r#"{"name":"q"}"#)]);
    let open = (r#"{"publicly_accessible":false}"#, r#"{"publicly_accessible":true}"#);
    let flagged = plan(&[change("aws_db_instance.open", r#"["update"]"#, open.0, open.1)]);
    let destroys = plan(&[change("aws_route.r", r#"["delete"]"#, r#"{"name":"r"}"#, "null")]);
    let failed = r#"{"format_version":"1.2","errored":true,"resource_changes":[]}"#.to_owned();
    let plans = [&*quiet, &*destroys, &*flagged, &*failed];
    with_facts(&plans, &options(), |reviews| {
        let mut bytes = Vec::new();
        let ledgers = formats::terminal(reviews, &options(), false, None, &mut bytes).unwrap();
        let (text, markdown_ledgers) = formats::markdown(reviews, &options(), Budget::default());
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| `plan.json` |")).collect();
        assert_eq!(
            rows,
            [
                "| `plan.json` | ❌ planning failed | | | | | |  |",
                "| `plan.json` | 🟡 | | | | 1 | | opens |",
                "| `plan.json` | 🔴 | 1 | | | | |  |",
                "| `plan.json` | 🟡 | | | | | 1 |  |",
            ],
            "{text}"
        );
        // The ledgers are in the order of the given plans.
        let sizes = |ledgers: &[tfview::review::Ledger]| -> Vec<usize> {
            ledgers.iter().map(|ledger| ledger.accounts(tfview::review::List::Resources).len()).collect()
        };
        assert_eq!((sizes(&ledgers), sizes(&markdown_ledgers)), (vec![1, 1, 1, 0], vec![1, 1, 1, 0]));
    });
}

#[test]
fn markdown_begins_with_a_marker_for_bots() {
    let text = plan(&[change("a.b", r#"["create"]"#, "null", r#"{"name":"q"}"#)]);
    with_facts(&[&text], &options(), |reviews| {
        let (text, _) = formats::markdown(reviews, &options(), Budget::default());
        assert!(text.starts_with("<!-- tfview:review plan.json -->\n\n"), "{text}");
    });
    with_facts(&[&text, &text], &options(), |reviews| {
        let (text, _) = formats::markdown(reviews, &options(), Budget::default());
        assert!(text.starts_with("<!-- tfview:review -->\n\n"), "{text}");
    });
}
