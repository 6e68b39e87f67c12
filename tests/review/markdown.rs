//! Markdown is parsed as intended by a CommonMark parser, and fits its budget at every size.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "other events are not relevant here"
)]

use std::collections::BTreeSet;

use pulldown_cmark::{CodeBlockKind, Event, Options as Extensions, Parser, Tag, TagEnd};
use tfview::internals::report::Budget;
use tfview::internals::review::formats;
use tfview::internals::review::plan::PlanReview;
use tfview::internals::term::push_visible;

use serde_json::json;

use super::{
    cases, golden, markdown_of, options, some_cases, with_findings, with_review, with_reviews,
};
use crate::cli::harness::without_identity;
use crate::plan::{Change, PlanBuilder};
use crate::random::{is_thorough, some_ways};

/// A text of a plan as Markdown contains it, with control characters made visible.
pub(super) fn visible(text: &str) -> String {
    let mut bytes = Vec::new();
    push_visible(&mut bytes, &text.replace(['\n', '\r'], "␊"));
    String::from_utf8(bytes).unwrap()
}

/// The changes of a plan that are found in parsed Markdown.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    /// The inline code: addresses and reasons.
    pub(super) code: BTreeSet<String>,
    /// The number of changes that have a row, alone or in a group.
    listed: usize,
    /// The number of changes that are reported as not listed.
    left_out: usize,
}

impl Accounts {
    pub(super) fn of(markdown: &str) -> Self {
        let mut accounts = Self::default();
        let (mut item, mut fenced) = (String::new(), false);
        // The table of changes, not that of units, begins with a column without a title.
        let (mut is_of_changes, mut is_title) = (false, false);
        for event in Parser::new_ext(markdown, Extensions::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::CodeBlock(_)) => fenced = true,
                Event::End(TagEnd::CodeBlock) => fenced = false,
                Event::Start(Tag::TableHead) => (item, is_title) = (String::new(), true),
                Event::End(TagEnd::TableCell) if is_title => {
                    is_of_changes = item.is_empty();
                    is_title = false;
                }
                Event::End(TagEnd::TableCell) => item.push(' '),
                Event::Start(Tag::TableRow) => item = String::new(),
                Event::End(TagEnd::TableRow) if is_of_changes => {
                    accounts.listed += changes_of_row(&std::mem::take(&mut item));
                }
                Event::Start(Tag::Item | Tag::Paragraph) => item = String::new(),
                Event::End(TagEnd::Item | TagEnd::Paragraph) => {
                    accounts.line(&std::mem::take(&mut item));
                }
                Event::Code(code) => {
                    accounts.code.insert(code.to_string());
                }
                Event::Text(text) if !fenced => item.push_str(&text),
                Event::Html(html) | Event::InlineHtml(html) => accounts.summary(&html),
                _ => {}
            }
        }
        accounts
    }

    /// Counts the changes that a line says are not listed.
    fn line(&mut self, text: &str) {
        if text.starts_with("Cut for the size") || text.contains("not shown for the size") {
            self.left_out +=
                number_before(text, "not listed") + number_before(text, "not shown for the size");
        }
    }

    fn summary(&mut self, html: &str) {
        let Some((_, inner)) = html.split_once("<summary>") else {
            return;
        };
        let codes = inner.split("<code>").skip(1);
        let codes = codes.filter_map(|rest| Some(plain(rest.split_once("</code>")?.0)));
        self.code.extend(codes);
    }

    pub(super) fn total(&self) -> usize {
        self.listed + self.left_out
    }

    pub(super) fn names(&self, address: &str) -> bool {
        let address = visible(address);
        let head: String = address.chars().take(200).collect();
        self.code
            .iter()
            .any(|code| *code == address || code.starts_with(&format!("{head}…(")))
    }
}

/// The number of changes that a row of the table represents.
fn changes_of_row(text: &str) -> usize {
    let times = text.split_once("\u{a0}×\u{a0}").map(|(_, rest)| rest);
    times.map_or(1, |rest| {
        rest.chars()
            .take_while(char::is_ascii_digit)
            .collect::<String>()
            .parse()
            .unwrap()
    })
}

/// The number in `N entries WHAT`.
fn number_before(text: &str, what: &str) -> usize {
    let before = text
        .split_once(what)
        .map_or("", |(before, _)| before)
        .trim_end();
    let entries = before
        .strip_suffix("entries")
        .or_else(|| before.strip_suffix("entry"));
    entries
        .and_then(|rest| rest.trim_end().rsplit(' ').next()?.parse().ok())
        .unwrap_or(0)
}

pub(crate) fn plain(html: &str) -> String {
    let mut text = html
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"");
    for c in [
        '\'', '@', '!', '`', '*', '~', '\\', '|', '$', ']', ':', '.', '_',
    ] {
        text = text.replace(&format!("&#{};", u32::from(c)), &c.to_string());
    }
    text.replace("&amp;", "&")
}

/// Checks that Markdown is parsed as intended: nothing links or embeds. Returns the number of fences.
pub(crate) fn check_markup(text: &str, context: &str) -> usize {
    let mut fences = 0;
    for event in Parser::new_ext(text, Extensions::ENABLE_TABLES) {
        if let Event::Start(tag) = &event {
            let links = matches!(tag, Tag::Link { .. } | Tag::Image { .. });
            assert!(!links, "{context}: a link\n{text}");
        }
        if let Event::Start(Tag::CodeBlock(kind)) = &event {
            assert_eq!(*kind, CodeBlockKind::Fenced("diff".into()), "{context}");
            fences += 1;
        }
        if let Event::Html(html) | Event::InlineHtml(html) = &event {
            for tag in html.split('<').skip(1) {
                let known = [
                    "details>",
                    "details open>",
                    "/details>",
                    "summary>",
                    "/summary>",
                    "code>",
                    "/code>",
                    "strong>",
                    "/strong>",
                    "br>",
                    "sub>",
                    "/sub>",
                    "!-- tfview:review",
                ];
                assert!(
                    known.iter().any(|known| tag.starts_with(known)),
                    "{context}: <{tag}"
                );
            }
        }
    }
    fences
}

/// Checks the Markdown of a review: all fences are closed, too.
pub(crate) fn check_markdown(text: &str, context: &str) {
    let fences = check_markup(text, context);
    // The marker is the first line, and nothing else is a comment.
    assert!(
        text.starts_with("<!-- tfview:review") && text.matches("<!--").count() == 1,
        "{context}: {text}"
    );
    let lines = text.lines().filter(|line| line.starts_with("```")).count();
    assert_eq!(
        lines,
        2 * fences,
        "{context}: a fence is open, or is inside of something else"
    );
    let outside = text.split("\n```").step_by(2);
    let has_gap = outside.filter(|part| part.contains("\n\n\n")).count() > 0;
    assert!(!has_gap, "{context}: two empty lines in a row\n{text}");
    assert_eq!(
        text.matches("<details").count(),
        text.matches("</details>").count(),
        "{context}"
    );
}

#[test]
fn every_fixture_is_valid_and_fits_at_many_sizes() {
    let sizes = [
        2_048,
        2_500,
        4_096,
        10_000,
        32_768,
        65_536,
        150_000,
        1_000_000,
        usize::MAX,
    ];
    let budgets: Vec<Budget> = sizes
        .into_iter()
        .flat_map(|bytes| [true, false].map(|details| Budget { bytes, details }))
        .collect();
    for (index, case) in some_cases(1).into_iter().enumerate() {
        case.review(&options(), |review| {
            for budget in some_ways(budgets.clone(), 4 * index, 4) {
                let bytes = budget.bytes;
                let context = format!("{} at {bytes}", case.name);
                let (text, _) = markdown_of(review, &options(), budget);
                assert!(text.len() <= bytes, "{context}: {} bytes", text.len());
                check_markdown(&text, &context);
            }
        });
    }
}

/// Every size from 2 KB up, in small steps, for the fixtures with the longest reviews.
#[test]
fn largest_reviews_fit_at_every_size() {
    let mut cases = cases();
    // Only long plans have long reviews.
    cases.sort_by_key(|case| std::cmp::Reverse(case.plan.len()));
    if !is_thorough() {
        cases.truncate(40);
    }
    cases.sort_by_cached_key(|case| {
        let size =
            |review: &PlanReview<'_>| markdown_of(review, &options(), Budget::default()).0.len();
        std::cmp::Reverse(case.review(&options(), size))
    });
    for case in some_ways(cases[..8].iter().collect(), 0, 4) {
        let name = &case.name;
        case.review(&options(), |review| {
            let whole = markdown_of(review, &options(), Budget::default()).0.len();
            assert!(
                whole > 2_500,
                "{name} is longer than a small budget: {whole}"
            );
            for bytes in (2_048..whole + 200).step_by(173) {
                let budget = Budget {
                    bytes,
                    details: bytes % 2 == 0,
                };
                let (text, _) = markdown_of(review, &options(), budget);
                assert!(
                    text.len() <= bytes,
                    "{name} at {bytes}: {} bytes",
                    text.len()
                );
                check_markdown(&text, &format!("{name} at {bytes}"));
            }
        });
    }
}

#[test]
fn many_plans_fit_their_budget() {
    let text = golden("force-new-values-terraform");
    let plans = vec![(&*text, super::SCHEMA); 40];
    with_reviews(&plans, &options(), false, |reviews| {
        for bytes in [2_048, 8_192, 65_536] {
            let (text, _) = formats::markdown(
                reviews,
                &options(),
                Budget {
                    bytes,
                    details: true,
                },
            );
            assert!(text.len() <= bytes, "{} > {bytes}", text.len());
            check_markdown(&text, "many plans");
        }
    });
}

/// A small budget leaves out destroyed and replaced objects last.
#[test]
fn destroys_and_replaces_are_left_out_last() {
    let one = |index: usize| {
        // Each has a different name, so that no two are grouped.
        let object = json!({"name": format!("name {index}"), "size": 1});
        if index.is_multiple_of(4) {
            Change::destroyed(&format!("delete.n{index}"), object)
        } else {
            Change::created(&format!("create.n{index}"), object)
        }
    };
    let text = PlanBuilder::of((0..60).map(one)).json();
    let mut all_destroys = false;
    let budgets = (2_048..12_000).step_by(100).map(|bytes| Budget {
        bytes,
        details: true,
    });
    let texts: Vec<(usize, String)> = with_review(&text, &options(), |review| {
        let text_of = |budget: Budget| (budget.bytes, markdown_of(review, &options(), budget).0);
        budgets.map(text_of).collect()
    });
    for (bytes, text) in texts {
        let accounts = Accounts::of(&text);
        let listed = |kind: &str| {
            accounts
                .code
                .iter()
                .filter(|code| code.starts_with(kind))
                .count()
        };
        let (destroys, creates) = (listed("delete.n"), listed("create.n"));
        assert!(
            creates == 0 || destroys == 15,
            "{bytes}: {creates} creates, {destroys} of 15 destroys"
        );
        all_destroys |= destroys == 15 && creates < 45;
    }
    assert!(all_destroys, "at some size, only destroys are listed");
}

/// The kind was before the description, as if the description were lost or interrupted.
#[test]
fn the_kind_of_a_finding_about_an_object_is_behind_what_the_object_is() {
    let before = r#"{"identifier": "shop-orders", "engine": "postgres", "engine_version": "16.4", "storage_encrypted": false,
        "skip_final_snapshot": true, "deletion_protection": false}"#;
    let after = before.replace("encrypted\": false", "encrypted\": true");
    let change = Change::replaced("aws_db_instance.orders", before, &after);
    let plan = PlanBuilder::of([change]).json();
    let text = with_findings(&[&plan], &options(), |reviews| {
        let budgets = [true, false].map(|details| Budget {
            bytes: usize::MAX,
            details,
        });
        budgets
            .map(|budget| without_identity(&markdown_of(&reviews[0], &options(), budget).0))
            .join("")
    });
    insta::assert_snapshot!(text);
}
