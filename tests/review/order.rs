//! A small budget keeps the most important changes: what is destroyed, then those with findings, then the others.
//! Destroyed objects that are not named are counted in the head.

use tfview::internals::report::Budget;
use tfview::internals::review::formats;

use crate::plan::{Change, PlanBuilder};
use crate::random::is_thorough;

use super::markdown::Accounts;
use super::{markdown_of, options, terminal_of, with_findings};

/// A plan that lists created objects first, then a change with a finding, then destroyed objects without one.
fn plan_with_a_finding_in_the_middle() -> String {
    let mut changes = Vec::new();
    for index in 0..30 {
        changes.push(Change::created(
            &format!("aws_eip.n{index}"),
            &format!(r#"{{"name":"e{index}"}}"#),
        ));
    }
    let (before, after) = (
        r#"{"publicly_accessible":false}"#,
        r#"{"publicly_accessible":true}"#,
    );
    changes.push(Change::updated("aws_db_instance.open", before, after));
    for index in 0..10 {
        let before = format!(r#"{{"cidr_block":"10.{index}.0.0/16"}}"#);
        changes.push(Change::destroyed(&format!("aws_route.n{index}"), &before));
    }
    PlanBuilder::of(changes).json()
}

#[test]
fn small_budget_keeps_destroyed_objects_then_findings() {
    let plan = plan_with_a_finding_in_the_middle();
    let mut reached = [false; 2];
    for tree in [false, true] {
        let options = tfview::internals::review::Options { tree, ..options() };
        with_findings(&[&plan], &options, |reviews| {
            for bytes in (420..6_000).step_by(if is_thorough() { 40 } else { 90 }) {
                let (text, _) = markdown_of(
                    &reviews[0],
                    &options,
                    Budget {
                        bytes,
                        details: true,
                    },
                );
                // Only the table, because findings name the same objects.
                let (_, below) = text.split_once("\n|---").unwrap_or(("", ""));
                let accounts = Accounts::of(below);
                let listed = |kind: &str| {
                    accounts
                        .code
                        .iter()
                        .filter(|code| code.starts_with(kind))
                        .count()
                };
                let (open, destroyed) = (listed("aws_db_instance."), listed("aws_route."));
                let created = listed("aws_eip.");
                assert!(
                    created == 0 || open == 1,
                    "{bytes}: {created} created, the finding is left out\n{text}"
                );
                assert!(
                    open == 0 || destroyed == 10,
                    "{bytes}: {destroyed} destroyed, the finding is kept\n{text}"
                );
                reached[0] |= destroyed == 10 && created == 0;
                reached[1] |= open == 1 && created == 0;
            }
        });
    }
    assert_eq!(
        reached, [true; 2],
        "one size keeps the destroyed objects, another one the finding too"
    );
}

/// Twenty findings in the head, or a project's own rules, displaced the only object that is destroyed.
#[test]
fn findings_do_not_displace_a_destroyed_object() {
    let side =
        |open: bool, port: usize| format!(r#"{{"publicly_accessible":{open},"port":{port}}}"#);
    let name = |index: usize| {
        format!("aws_db_instance.very_long_name_of_an_instance_that_is_opened_{index}")
    };
    let mut changes: Vec<Change> = (0..40)
        .map(|index| Change::updated(&name(index), &side(false, 0), &side(true, 1 + index)))
        .collect();
    changes.push(Change::destroyed(
        "aws_route.only",
        r#"{"cidr_block":"10.0.0.0/16"}"#,
    ));
    with_findings(&[&PlanBuilder::of(changes).json()], &options(), |reviews| {
        for bytes in [1_000, 2_048, 4_096] {
            let (text, _) = markdown_of(
                &reviews[0],
                &options(),
                Budget {
                    bytes,
                    details: true,
                },
            );
            assert!(text.contains("aws_route.only"), "{bytes}: {text}");
            assert!(text.len() <= bytes, "{}", text.len());
        }
    });
}

/// A group named only its first forty members, and without space none of them.
#[test]
fn every_destroyed_object_is_named_or_counted_in_the_head() {
    let name =
        |index: usize| format!("aws_route.very_long_name_of_a_route_that_is_destroyed_{index}_");
    let routes = |is_same: bool| -> Vec<Change> {
        let before = |index: usize| {
            format!(
                r#"{{"cidr_block":"10.{}.0.0/16"}}"#,
                if is_same { 0 } else { index }
            )
        };
        (0..100)
            .map(|index| Change::destroyed(&name(index), &before(index)))
            .collect()
    };
    for (is_same, several) in [(true, false), (false, false), (false, true), (true, true)] {
        let text = PlanBuilder::of(routes(is_same)).json();
        let plans = if several {
            vec![text.as_str(); 3]
        } else {
            vec![text.as_str()]
        };
        with_findings(&plans, &options(), |reviews| {
            for bytes in [1_000, 2_048, 8_000, 20_000, usize::MAX] {
                let (text, _) = formats::markdown(
                    reviews,
                    &options(),
                    Budget {
                        bytes,
                        details: true,
                    },
                );
                let (head, _) = text.split_once("\n|").unwrap_or((&text, ""));
                let counted: usize = head
                    .split_once(" destroyed object")
                    .and_then(|(before, _)| before.rsplit_once("**")?.1.parse().ok())
                    .unwrap_or(0);
                // A change that all units have is named once.
                let is_shared = text.contains("same change in 3 units");
                let times = |index: usize| match text.matches(&name(index)).count() {
                    1.. if is_shared => plans.len(),
                    number => number.min(plans.len()),
                };
                let named: usize = (0..100).map(times).sum();
                assert!(
                    named + counted >= 100 * plans.len(),
                    "{bytes}: {named} {counted}\n{text}"
                );
                assert!(text.len() <= bytes, "{}", text.len());
                assert_eq!(
                    counted > 0,
                    named == 0 || named < 100 * plans.len(),
                    "{bytes}: {text}"
                );
            }
            let mut bytes = Vec::new();
            formats::terminal(reviews, &options(), false, None, None, &mut bytes).unwrap();
            let text = String::from_utf8(bytes).unwrap();
            assert!((0..100).all(|index| text.contains(&name(index))), "{text}");
        });
    }
}

#[test]
fn changes_of_one_action_are_ordered_by_findings_and_weight() {
    let edit = |name: &str, to: &str| {
        (
            format!(r#"{{"{name}":"a"}}"#),
            format!(r#"{{"{name}":"{to}"}}"#),
        )
    };
    let mut changes = Vec::new();
    for (address, name, to) in [
        ("aws_instance.tags", "description", "b"),
        ("aws_instance.size", "disk_size", "b"),
        ("aws_instance.policy", "kms_policy", "b"),
    ] {
        let (before, after) = edit(name, to);
        changes.push(Change::updated(address, &before, &after));
    }
    let unguarded = (
        r#"{"deletion_protection":true}"#,
        r#"{"deletion_protection":false}"#,
    );
    changes.push(Change::updated(
        "aws_db_instance.unguarded",
        unguarded.0,
        unguarded.1,
    ));
    let open = (
        r#"{"publicly_accessible":false}"#,
        r#"{"publicly_accessible":true}"#,
    );
    changes.push(Change::updated("aws_db_instance.open", open.0, open.1));
    let text = with_findings(&[&PlanBuilder::of(changes).json()], &options(), |reviews| {
        terminal_of(&reviews[0], &options()).0
    });
    insta::assert_snapshot!(text);
}

#[test]
fn worst_of_several_plans_is_first() {
    let quiet = PlanBuilder::of([Change::created("a.b", r#"{"name":"q"}"#)]).json();
    let open = (
        r#"{"publicly_accessible":false}"#,
        r#"{"publicly_accessible":true}"#,
    );
    let flagged = PlanBuilder::of([Change::updated("aws_db_instance.open", open.0, open.1)]).json();
    let destroys = PlanBuilder::of([Change::destroyed("aws_route.r", r#"{"name":"r"}"#)]).json();
    let failed = r#"{"format_version":"1.2","errored":true,"resource_changes":[]}"#.to_owned();
    let plans = [&*quiet, &*destroys, &*flagged, &*failed];
    with_findings(&plans, &options(), |reviews| {
        let mut bytes = Vec::new();
        let coverages =
            formats::terminal(reviews, &options(), false, None, None, &mut bytes).unwrap();
        let (text, markdown_coverages) = formats::markdown(reviews, &options(), Budget::default());
        let list: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
        insta::assert_snapshot!(list.join("\n"), @r"
        - ❌ `plan.json` failed to plan
        - no rules for: a
        ");
        let rows: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("| `plan.json` |"))
            .collect();
        assert_eq!(
            rows,
            [
                "| `plan.json` | 🔴 | | | | 1 | | exposure |",
                "| `plan.json` | 🟡 | 1 | | | | | downtime |",
                "| `plan.json` | 🔵 | | | | | 1 |  |",
            ],
            "{text}"
        );
        // The coverages are in the order of the given plans.
        let sizes = |coverages: &[tfview::internals::report::Coverage]| -> Vec<usize> {
            coverages
                .iter()
                .map(|coverage| {
                    coverage
                        .accounts(tfview::internals::report::SectionKind::Resources)
                        .len()
                })
                .collect()
        };
        assert_eq!(
            (sizes(&coverages), sizes(&markdown_coverages)),
            (vec![1, 1, 1, 0], vec![1, 1, 1, 0])
        );
    });
}

#[test]
fn markdown_begins_with_a_marker_for_bots() {
    let text = PlanBuilder::of([Change::created("a.b", r#"{"name":"q"}"#)]).json();
    with_findings(&[&text], &options(), |reviews| {
        let (text, _) = formats::markdown(reviews, &options(), Budget::default());
        assert!(
            text.starts_with("<!-- tfview:review plan.json -->\n\n"),
            "{text}"
        );
    });
    with_findings(&[&text, &text], &options(), |reviews| {
        let (text, _) = formats::markdown(reviews, &options(), Budget::default());
        assert!(text.starts_with("<!-- tfview:review -->\n\n"), "{text}");
    });
}
