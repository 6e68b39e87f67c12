//! Each change that a plan lists is accounted for in every format: shown, told once with its like, or
//! counted where it is left out. What the plan lists is read from the document itself.

use std::collections::BTreeMap;

use serde_json::Value;
use tfview::review::formats::{self, Budget};
use tfview::review::{self, Item, Kind, Options, Review};

use super::markdown::{Accounts, visible};
use super::{cases, options, terminal_of};

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
    let address = change["address"].as_str().unwrap_or_default().replace('\n', "␊");
    match change["deposed"].as_str().unwrap_or_default() {
        "" => address,
        deposed => format!("{address} (deposed object {deposed})"),
    }
}

/// How often each address is listed: planned, drifted, put off, invoked.
fn expected(plan: &str) -> BTreeMap<String, usize> {
    let plan: Value = serde_json::from_str(plan).unwrap();
    let mut found = BTreeMap::new();
    let mut add = |change: &Value| *found.entry(address(change)).or_insert(0) += 1;
    list(&plan, "resource_changes").iter().filter(|change| is_listed(change)).for_each(&mut add);
    let changed = |change: &&Value| change["change"]["actions"] != serde_json::json!(["no-op"]);
    list(&plan, "resource_drift").iter().filter(|c| is_listed(c)).filter(changed).for_each(&mut add);
    list(&plan, "deferred_changes").iter().for_each(|deferred| add(&deferred["resource_change"]));
    list(&plan, "action_invocations").iter().for_each(&mut add);
    found
}

fn items(review: &Review) -> impl Iterator<Item = &Item> {
    review.items.iter().chain(&review.drift).chain(&review.deferred).chain(&review.invocations)
}

#[test]
fn every_format_accounts_for_every_change() {
    let mut seen = 0;
    for case in cases() {
        let expected = expected(&case.plan);
        let number: usize = expected.values().sum();
        seen += number;
        for (list, tree) in [(false, false), (true, false), (false, true)] {
            let options = Options { list, tree, ..options() };
            let review = case.review(&options);
            let text = terminal_of(&review, &options);
            for address in expected.keys() {
                assert!(text.contains(&visible(address)), "{} as text: {address}\n{text}", case.name);
            }
            for details in [true, false] {
                let whole = Budget { bytes: usize::MAX, details };
                let markdown = formats::markdown(std::slice::from_ref(&review), &options, whole);
                let accounts = Accounts::of(&markdown);
                assert_eq!(accounts.total(), number, "{} as markdown:\n{markdown}", case.name);
                for address in expected.keys() {
                    assert!(accounts.names(address), "{} as markdown: {address}\n{markdown}", case.name);
                }
            }
        }
    }
    assert!(seen > 1_000, "{seen} changes");
}

#[test]
fn small_markdown_counts_what_it_leaves_out() {
    for case in cases() {
        let number: usize = expected(&case.plan).values().sum();
        let review = case.review(&options());
        for bytes in [2_048, 2_500, 3_000, 4_096, 6_000, 10_000, 32_768, 65_536] {
            for details in [true, false] {
                let budget = Budget { bytes, details };
                let markdown = formats::markdown(std::slice::from_ref(&review), &options(), budget);
                let total = Accounts::of(&markdown).total();
                assert_eq!(total, number, "{} in {bytes} bytes:\n{markdown}", case.name);
            }
        }
    }
}

#[test]
fn many_plans_in_one_text_are_accounted_for_together() {
    let cases = cases();
    let reviews: Vec<Review> = cases.iter().step_by(3).map(|case| case.review(&options())).collect();
    let number: usize =
        cases.iter().step_by(3).map(|case| expected(&case.plan).values().sum::<usize>()).sum();
    for bytes in [2_048, 8_192, 32_768, 65_536, 150_000, 1_000_000, usize::MAX] {
        let markdown = formats::markdown(&reviews, &options(), Budget { bytes, details: true });
        assert!(markdown.len() <= bytes, "{} > {bytes}", markdown.len());
        assert_eq!(Accounts::of(&markdown).total(), number, "{bytes} bytes");
    }
}

/// GitLab's report has numbers only.
#[test]
fn the_gitlab_report_counts_as_the_plan_does() {
    for case in cases() {
        let plan: Value = serde_json::from_str(&case.plan).unwrap();
        let (mut create, mut update, mut delete) = (0, 0, 0);
        for change in list(&plan, "resource_changes").iter().filter(|change| is_listed(change)) {
            for action in list(&change["change"], "actions") {
                create += u64::from(action == "create");
                update += u64::from(action == "update");
                delete += u64::from(action == "delete");
            }
        }
        let report: Value =
            serde_json::from_str(&formats::gitlab_report(&[case.review(&options())])).unwrap();
        let expected = serde_json::json!({"create": create, "update": update, "delete": delete});
        assert_eq!(report, expected, "{}", case.name);
    }
}

#[test]
fn what_filters_hide_is_counted_and_changes_no_verdict() {
    for case in cases() {
        let all = case.review(&options());
        let number: usize = expected(&case.plan).values().sum();
        for filter in [
            review::Filter { only: vec![Kind::Destroy], ..review::Filter::default() },
            review::Filter { exclude: vec!["*a*".to_owned()], ..review::Filter::default() },
            review::Filter { types: vec!["*_simple_*".to_owned()], ..review::Filter::default() },
            review::Filter { modules: vec!["child".to_owned()], ..review::Filter::default() },
        ] {
            let options = Options { filter, ..options() };
            let some = case.review(&options);
            let shown: usize = items(&some).map(|item| item.addresses.len()).sum();
            assert_eq!(shown + some.filtered, number, "{}", case.name);
            if some.filtered > 0 {
                assert!(terminal_of(&some, &options).contains("hidden by filters"), "{}", case.name);
            }
            // What is cosmetic is known of what is shown only.
            let verdict = review::Verdict { cosmetic: all.verdict.cosmetic, ..some.verdict.clone() };
            assert_eq!(verdict, all.verdict, "{}", case.name);
        }
    }
}
