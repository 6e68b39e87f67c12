//! Every change that a plan lists is accounted for in every format: shown, grouped with equal changes, or
//! counted if it is left out. The expected changes are read from the JSON, without tfview.

use std::collections::BTreeMap;

use serde_json::Value;
use tfview::internals::report::Budget;
use tfview::internals::report::{Coverage, SectionKind, Shown};
use tfview::internals::review::formats;
use tfview::internals::review::{self, ChangeKind, Options, Verdict};

use super::markdown::{Accounts, visible};
use super::{
    Case, SCHEMA, cases, generated, json_of, markdown_of, options, some_cases, terminal_of,
    with_reviews,
};
use crate::random;

fn list<'p>(plan: &'p Value, name: &str) -> &'p [Value] {
    plan[name].as_array().map_or(&[], Vec::as_slice)
}

/// Whether the tools list a change.
fn is_listed(change: &Value) -> bool {
    let actions = &change["change"]["actions"];
    let (mode, previous) = (&change["mode"], &change["previous_address"]);
    let stays = *actions == serde_json::json!(["no-op"]) || actions.is_null();
    let moves = previous.is_string() && *previous != change["address"];
    mode != "ephemeral"
        && !(stays && !moves && change["change"]["importing"].is_null())
        && !(*actions == serde_json::json!(["delete"]) && mode == "data")
}

fn address(change: &Value) -> String {
    let address = change["address"]
        .as_str()
        .unwrap_or_default()
        .replace('\n', "␊");
    match change["deposed"].as_str().unwrap_or_default() {
        "" => address,
        deposed => format!("{address} (deposed object {deposed})"),
    }
}

/// How often each address is listed: planned, drifted, deferred or invoked.
fn expected(plan: &str) -> BTreeMap<String, usize> {
    let plan: Value = serde_json::from_str(plan).unwrap();
    let mut counts = BTreeMap::new();
    let mut add = |change: &Value| *counts.entry(address(change)).or_insert(0) += 1;
    list(&plan, "resource_changes")
        .iter()
        .filter(|change| is_listed(change))
        .for_each(&mut add);
    list(&plan, "resource_drift").iter().for_each(&mut add);
    list(&plan, "deferred_changes")
        .iter()
        .for_each(|deferred| add(&deferred["resource_change"]));
    list(&plan, "action_invocations").iter().for_each(&mut add);
    let deferred = list(&plan, "deferred_action_invocations").iter();
    deferred.for_each(|deferred| add(&deferred["action_invocation"]));
    counts
}

/// The lists of a review whose entries have addresses.
const LISTS: [&str; 5] = [
    "resources",
    "drift",
    "deferred",
    "action_invocations",
    "deferred_action_invocations",
];

/// How often each address is listed in the JSON of a review.
fn in_json(document: &Value) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for plan in document["plans"].as_array().unwrap() {
        for member in LISTS {
            let entries = list(plan, member).iter();
            for entry in entries.filter(|entry| member != "resources" || is_entry_listed(entry)) {
                *counts.entry(address(entry)).or_insert(0) += 1;
            }
        }
    }
    counts
}

fn is_entry_listed(entry: &Value) -> bool {
    let is_gone_data = entry["mode"] == "data" && entry["change"] == "destroy";
    entry["mode"] != "ephemeral" && !is_gone_data
}

/// Checks that every entry and every edit is reported. Returns the number of edits.
fn check_coverage(coverage: &Coverage, context: &str) -> usize {
    let mut edits = 0;
    for list in SectionKind::ALL {
        for (index, account) in coverage.accounts(list).iter().enumerate() {
            assert!(account.entry.is_some(), "{context}: {list:?} {index}");
            for (edit, mention) in account.edits.iter().enumerate() {
                assert!(
                    mention.is_some(),
                    "{context}: {list:?} {index}, edit {edit}"
                );
            }
            edits += account.edits.len();
        }
    }
    assert_eq!(coverage.unreported(), 0, "{context}");
    edits
}

fn variants() -> Vec<(&'static str, Options)> {
    vec![
        ("plain", options()),
        (
            "narrow",
            Options {
                width: 40,
                ..options()
            },
        ),
        (
            "list",
            Options {
                list: true,
                ..options()
            },
        ),
        (
            "tree",
            Options {
                tree: true,
                ..options()
            },
        ),
        (
            "depth",
            Options {
                depth: Some(1),
                ..options()
            },
        ),
        (
            "all",
            Options {
                unchanged: true,
                context: Some(usize::MAX),
                all_drift: true,
                ..options()
            },
        ),
        (
            "ignored",
            Options {
                filter: review::Filter {
                    ignored: vec!["*a*".to_owned()],
                    ..review::Filter::default()
                },
                ..options()
            },
        ),
        (
            "filtered",
            Options {
                filter: review::Filter {
                    only: vec![ChangeKind::Update],
                    ..review::Filter::default()
                },
                ..options()
            },
        ),
    ]
}

/// Checks that each format shows, names or counts each edit, with all options and budgets.
fn check_plan(plan: &str, schema: &str, name: &str, turn: usize) -> usize {
    let mut edits = 0;
    for (variant, options) in random::some_ways(variants(), turn, 1) {
        with_reviews(&[(plan, schema)], &options, false, |reviews| {
            let review = &reviews[0];
            let (text, coverage) = terminal_of(review, &options);
            edits = check_coverage(&coverage, &format!("{name} ({variant}) as text"));
            assert!(
                !text.contains("could not be shown"),
                "{name} ({variant}):\n{text}"
            );
            for bytes in [2_048, 6_000, usize::MAX] {
                let (_, coverage) = markdown_of(
                    review,
                    &options,
                    Budget {
                        bytes,
                        details: true,
                    },
                );
                check_coverage(
                    &coverage,
                    &format!("{name} ({variant}) as markdown of {bytes}"),
                );
            }
        });
    }
    edits
}

#[test]
fn every_edit_of_the_fixtures_is_reported() {
    let check =
        |(index, case): (usize, Case)| check_plan(&case.plan, &case.schema, &case.name, index);
    let edits: usize = some_cases(1).into_iter().enumerate().map(check).sum();
    assert!(edits > 300, "{edits} edits");
}

#[test]
fn every_edit_of_generated_plans_is_reported() {
    let seeds = (0..random::cases(1)).map(|case| random::first_seed() + case);
    let edits: usize = seeds
        .map(|seed| {
            check_plan(
                &generated::plan(seed),
                SCHEMA,
                &format!("seed {seed}"),
                seed as usize,
            )
        })
        .sum();
    assert!(edits > 0, "generated plans change something");
}

#[test]
fn every_entry_is_in_every_format() {
    let mut changes = 0;
    let options = Options {
        all_drift: true,
        ..options()
    };
    for (index, case) in some_cases(0).into_iter().enumerate() {
        let expected = expected(&case.plan);
        let number: usize = expected.values().sum();
        changes += number;
        case.review(&options, |review| {
            let document: Value =
                serde_json::from_str(&json_of(std::slice::from_ref(review))).unwrap();
            assert_eq!(in_json(&document), expected, "{} as JSON", case.name);
            // Otherwise, objects that say the same are one entry.
            let each = Options {
                unchanged: true,
                ..options.clone()
            };
            let (text, _) = terminal_of(review, &each);
            // Members of a group may be written as a range.
            let grouped = |address: &str| {
                review
                    .groups
                    .iter()
                    .any(|group| group.members.contains(&address))
            };
            let alone: Vec<&String> = expected
                .keys()
                .filter(|address| !grouped(address))
                .collect();
            for address in &alone {
                assert!(
                    text.contains(&visible(address)),
                    "{} as text: {address}\n{text}",
                    case.name
                );
            }
            for details in random::some_ways(vec![true, false], index, 1) {
                let whole = Budget {
                    bytes: usize::MAX,
                    details,
                };
                let (markdown, _) = markdown_of(review, &options, whole);
                let accounts = Accounts::of(&markdown);
                assert_eq!(
                    accounts.total(),
                    number,
                    "{} as markdown:\n{markdown}",
                    case.name
                );
                let (markdown, _) = markdown_of(review, &each, whole);
                let accounts = Accounts::of(&markdown);
                for address in &alone {
                    assert!(
                        accounts.names(address),
                        "{} as markdown: {address}\n{markdown}",
                        case.name
                    );
                }
            }
        });
    }
    assert!(changes > 400, "{changes} changes");
}

#[test]
fn small_markdown_counts_what_it_leaves_out() {
    let options = Options {
        all_drift: true,
        ..options()
    };
    let sizes = [2_048, 2_500, 3_000, 4_096, 6_000, 10_000, 32_768, 65_536];
    let budgets: Vec<Budget> = sizes
        .into_iter()
        .flat_map(|bytes| [true, false].map(|details| Budget { bytes, details }))
        .collect();
    for (index, case) in some_cases(2).into_iter().enumerate() {
        let number: usize = expected(&case.plan).values().sum();
        case.review(&options, |review| {
            for budget in random::some_ways(budgets.clone(), index, 3) {
                let (markdown, _) = markdown_of(review, &options, budget);
                let total = Accounts::of(&markdown).total();
                let bytes = budget.bytes;
                assert_eq!(total, number, "{} in {bytes} bytes:\n{markdown}", case.name);
            }
        });
    }
}

#[test]
fn many_plans_in_one_text_are_accounted_for_together() {
    let cases: Vec<_> = cases().into_iter().step_by(3).collect();
    let plans: Vec<(&str, &str)> = cases
        .iter()
        .map(|case| (&*case.plan, &*case.schema))
        .collect();
    let number: usize = cases
        .iter()
        .map(|case| expected(&case.plan).values().sum::<usize>())
        .sum();
    let options = Options {
        all_drift: true,
        ..options()
    };
    with_reviews(&plans, &options, false, |reviews| {
        let sizes = vec![2_048, 8_192, 32_768, 65_536, 150_000, 1_000_000, usize::MAX];
        for bytes in random::some_ways(sizes, 6, 3) {
            let (markdown, coverages) = formats::markdown(
                reviews,
                &options,
                Budget {
                    bytes,
                    details: true,
                },
            );
            assert!(markdown.len() <= bytes, "{} > {bytes}", markdown.len());
            assert_eq!(
                Accounts::of(&markdown).total(),
                number,
                "{bytes} bytes: {markdown}"
            );
            coverages.iter().for_each(|coverage| {
                check_coverage(coverage, &format!("{bytes} bytes"));
            });
        }
    });
}

/// The report contains only numbers.
#[test]
fn gitlab_report_has_the_counts_of_the_plan() {
    for case in some_cases(2) {
        let plan: Value = serde_json::from_str(&case.plan).unwrap();
        let (mut create, mut update, mut delete) = (0, 0, 0);
        for change in list(&plan, "resource_changes")
            .iter()
            .filter(|change| is_listed(change))
        {
            for action in list(&change["change"], "actions") {
                create += u64::from(action == "create");
                update += u64::from(action == "update");
                delete += u64::from(action == "delete");
            }
        }
        let report = case.review(&options(), |review| {
            formats::gitlab_report(std::slice::from_ref(review))
        });
        let report: Value = serde_json::from_str(&report).unwrap();
        let expected = serde_json::json!({"create": create, "update": update, "delete": delete});
        assert_eq!(report, expected, "{}", case.name);
    }
}

#[test]
fn filtered_changes_are_counted_in_text_and_verdict() {
    let mut hidden = 0;
    for (index, case) in some_cases(1).into_iter().enumerate() {
        let all = case.review(&options(), Verdict::new);
        let filters = vec![
            review::Filter {
                only: vec![ChangeKind::Destroy],
                ..review::Filter::default()
            },
            review::Filter {
                exclude: vec!["*a*".to_owned()],
                ..review::Filter::default()
            },
            review::Filter {
                types: vec!["*_simple_*".to_owned()],
                ..review::Filter::default()
            },
            review::Filter {
                modules: vec!["child".to_owned()],
                ..review::Filter::default()
            },
        ];
        for filter in random::some_ways(filters, index, 1) {
            let options = Options {
                filter,
                ..options()
            };
            case.review(&options, |review| {
                assert_eq!(Verdict::new(review), all, "{}", case.name);
                let (text, coverage) = terminal_of(review, &options);
                let counted = coverage.accounts(SectionKind::Resources).iter();
                let counted = counted
                    .filter(|account| account.entry == Some(Shown::Counted))
                    .count();
                let number = review
                    .changes
                    .resources
                    .iter()
                    .filter(|entry| entry.hidden)
                    .count();
                assert!(counted >= number, "{}", case.name);
                assert!(
                    number == 0 || text.contains("hidden: leave out"),
                    "{}",
                    case.name
                );
                hidden += number;
            });
        }
    }
    assert!(hidden > 100, "{hidden} hidden entries");
}
