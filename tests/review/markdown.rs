//! Markdown: it is what a parser of CommonMark takes it for, and fits its budget at every size.

#![allow(clippy::wildcard_enum_match_arm, reason = "events that tell nothing here")]

use std::collections::BTreeSet;

use pulldown_cmark::{CodeBlockKind, Event, Options as Extensions, Parser, Tag, TagEnd};
use tfview::review::entry::PlanReview;
use tfview::review::formats::{self, Budget};
use tfview::term::push_visible;

use super::{cases, golden, markdown_of, options, with_review, with_reviews};

/// A text from a plan as markdown has it: visible, and without the end of what is very long.
pub(super) fn visible(text: &str) -> String {
    let mut bytes = Vec::new();
    push_visible(&mut bytes, &text.replace(['\n', '\r'], "␊"));
    String::from_utf8(bytes).unwrap()
}

/// What a reader of the parsed text finds of the plan's changes.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    /// What stands in code outside of fences: addresses and reasons.
    pub(super) code: BTreeSet<String>,
    /// Headers, and how many changes each stands for.
    told: usize,
    /// Changes that are said not to be listed.
    left_out: usize,
}

impl Accounts {
    pub(super) fn of(markdown: &str) -> Self {
        let mut accounts = Self::default();
        let (mut item, mut codes, mut fenced) = (String::new(), 0, false);
        for event in Parser::new_ext(markdown, Extensions::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::CodeBlock(_)) => fenced = true,
                Event::End(TagEnd::CodeBlock) => fenced = false,
                Event::Start(Tag::Item | Tag::Paragraph) => (item, codes) = (String::new(), 0),
                Event::End(TagEnd::Item | TagEnd::Paragraph) => {
                    accounts.line(&std::mem::take(&mut item), std::mem::take(&mut codes));
                }
                Event::Code(code) => {
                    codes += 1;
                    accounts.code.insert(code.to_string());
                }
                Event::Text(text) if !fenced => item.push_str(&text),
                Event::Html(html) | Event::InlineHtml(html) => accounts.summary(&html),
                _ => {}
            }
        }
        accounts
    }

    /// A line outside of what opens: a header has its symbol and its address in code.
    fn line(&mut self, text: &str, codes: usize) {
        // The plans of which planning failed are named in code, too.
        if codes >= 2 && !text.contains("PLANNING FAILED") {
            self.told += stands_for(text);
        }
        if text.starts_with("Cut for the size") || text.contains("not shown for the size") {
            self.left_out +=
                number_before(text, "not listed") + number_before(text, "not shown for the size");
        }
    }

    fn summary(&mut self, html: &str) {
        let Some((_, inner)) = html.split_once("<summary>") else { return };
        let codes: Vec<String> = inner
            .split("<code>")
            .skip(1)
            .filter_map(|rest| Some(plain(rest.split_once("</code>")?.0)))
            .collect();
        if codes.len() >= 2 {
            self.told += stands_for(inner);
        }
        self.code.extend(codes);
    }

    pub(super) fn total(&self) -> usize {
        self.told + self.left_out
    }

    pub(super) fn names(&self, address: &str) -> bool {
        let address = visible(address);
        let head: String = address.chars().take(200).collect();
        self.code.iter().any(|code| *code == address || code.starts_with(&format!("{head}…(")))
    }
}

/// How many changes a header stands for.
fn stands_for(text: &str) -> usize {
    let after = text.split_once("same change × ").map(|(_, rest)| rest);
    let digits =
        |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap();
    after.map_or(1, digits)
}

/// The number in `N entries WHAT`.
fn number_before(text: &str, what: &str) -> usize {
    let before = text.split_once(what).map_or("", |(before, _)| before).trim_end();
    let entries = before.strip_suffix("entries").or_else(|| before.strip_suffix("entry"));
    entries.and_then(|rest| rest.trim_end().rsplit(' ').next()?.parse().ok()).unwrap_or(0)
}

fn plain(html: &str) -> String {
    let text = html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&#64;", "@").replace("&amp;", "&")
}

/// Markdown is what a parser takes it for: fences that close, nothing that links or embeds.
pub(super) fn check_markdown(text: &str, place: &str) {
    let mut fences = 0;
    for event in Parser::new_ext(text, Extensions::ENABLE_TABLES) {
        if let Event::Start(tag) = &event {
            let links = matches!(tag, Tag::Link { .. } | Tag::Image { .. });
            assert!(!links, "{place}: a link\n{text}");
        }
        if let Event::Start(Tag::CodeBlock(kind)) = &event {
            assert_eq!(*kind, CodeBlockKind::Fenced("diff".into()), "{place}");
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
                    "!-- tfview:review",
                ];
                assert!(known.iter().any(|known| tag.starts_with(known)), "{place}: <{tag}");
            }
        }
    }
    // The marker is the first line, and nothing else is a comment.
    assert!(text.starts_with("<!-- tfview:review") && text.matches("<!--").count() == 1, "{place}: {text}");
    let lines = text.lines().filter(|line| line.starts_with("```")).count();
    assert_eq!(lines, 2 * fences, "{place}: a fence is open, or stands in something else");
    assert_eq!(text.matches("<details").count(), text.matches("</details>").count(), "{place}");
}

#[test]
fn every_fixture_parses_and_fits_at_many_sizes() {
    for case in cases() {
        case.review(&options(), |review| {
            for bytes in [2_048, 2_500, 4_096, 10_000, 32_768, 65_536, 150_000, 1_000_000, usize::MAX] {
                for details in [true, false] {
                    let budget = Budget { bytes, details };
                    let place = format!("{} at {bytes}", case.name);
                    let (text, _) = markdown_of(review, &options(), budget);
                    assert!(text.len() <= bytes, "{place}: {} bytes", text.len());
                    check_markdown(&text, &place);
                }
            }
        });
    }
}

/// Every size from 2 KB up, in small steps, for the fixtures that have most to say.
#[test]
fn the_largest_fit_at_every_size() {
    let mut cases = cases();
    cases.sort_by_cached_key(|case| {
        let size = |review: &PlanReview<'_>| markdown_of(review, &options(), Budget::default()).0.len();
        std::cmp::Reverse(case.review(&options(), size))
    });
    for case in &cases[..8] {
        let name = &case.name;
        case.review(&options(), |review| {
            let whole = markdown_of(review, &options(), Budget::default()).0.len();
            assert!(whole > 4_096, "{name} has more to say than fits: {whole}");
            for bytes in (2_048..whole + 200).step_by(173) {
                let budget = Budget { bytes, details: bytes % 2 == 0 };
                let (text, _) = markdown_of(review, &options(), budget);
                assert!(text.len() <= bytes, "{name} at {bytes}: {} bytes", text.len());
                check_markdown(&text, &format!("{name} at {bytes}"));
            }
        });
    }
}

#[test]
fn many_plans_fit_too() {
    let text = golden("force-new-values-terraform");
    let plans = vec![(&*text, super::SCHEMA); 40];
    with_reviews(&plans, &options(), false, |reviews| {
        for bytes in [2_048, 8_192, 65_536] {
            let (text, _) = formats::markdown(reviews, &options(), Budget { bytes, details: true });
            assert!(text.len() <= bytes, "{} > {bytes}", text.len());
            check_markdown(&text, "many plans");
        }
    });
}

/// A budget that does not hold all keeps what is destroyed and replaced longest.
#[test]
fn destroys_and_replaces_go_last() {
    let one = |kind: &str, at: usize| {
        let sides = match kind {
            "create" => r#""before":null,"after":{"name":"x","size":1}"#,
            _ => r#""before":{"name":"x","size":1},"after":null"#,
        };
        format!(
            r#"{{"address":"{kind}.n{at}","mode":"managed","type":"{kind}","name":"n{at}","provider_name":"x","change":{{
            "actions":["{kind}"],{sides},"after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#
        )
    };
    let changes: Vec<String> =
        (0..60).map(|at| one(if at % 4 == 0 { "delete" } else { "create" }, at)).collect();
    // Each has a name of its own, so that none is told with another.
    let changes: Vec<String> = changes
        .iter()
        .enumerate()
        .map(|(at, text)| text.replace("\"x\"", &format!("\"name {at}\"")))
        .collect();
    let text = format!(r#"{{"format_version":"1.2","resource_changes":[{}]}}"#, changes.join(","));
    let mut all_destroys = false;
    for bytes in (2_048..12_000).step_by(100) {
        let budget = Budget { bytes, details: true };
        let (text, _) = with_review(&text, &options(), |review| markdown_of(review, &options(), budget));
        let listed =
            |kind: &str| Accounts::of(&text).code.iter().filter(|code| code.starts_with(kind)).count();
        let (destroys, creates) = (listed("delete.n"), listed("create.n"));
        assert!(creates == 0 || destroys == 15, "{bytes}: {creates} creates, {destroys} of 15 destroys");
        all_destroys |= destroys == 15 && creates < 45;
    }
    assert!(all_destroys, "some size tells the grave ones only");
}
