//! The page of a review consists only of allowed elements, contains every change with the text of `show`, and
//! no text of a plan becomes markup.
#![allow(clippy::panic, reason = "helpers fail a test with a panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, Mutex};

use roxmltree::{Document, Node, ParsingOptions};
use serde_json::json;
use tfview::internals::dialect::{Dialect, DialectChoice};
use tfview::internals::json;
use tfview::internals::model::plan::Plan;
use tfview::internals::report::SectionKind;
use tfview::internals::review::{self, Options};
use tfview::internals::term::is_dangerous;

mod comparisons;
pub(crate) mod runs;

use super::cli::harness::without_identity;
use super::display::{self, Display};
use super::random::some_ways;
use super::review::{Case, cases, secrecy, some_cases};

const SCRIPT: (&str, &str) = ("<script>", "</script>");
const STYLE: (&str, &str) = ("<style>", "</style>");

/// Removes the text between two tags, and returns it.
fn cut(page: &mut String, (start, end): (&str, &str)) -> String {
    let from = page.rfind(start).unwrap() + start.len();
    let to = from + page[from..].find(end).unwrap();
    let text = page[from..to].to_owned();
    page.replace_range(from..to, "");
    text
}

/// The script and the style sheet, which are the same on every page.
fn script_and_style() -> &'static (String, String) {
    static BOTH: LazyLock<(String, String)> = LazyLock::new(|| {
        let plan = r#"{"format_version":"1.2","resource_changes":[]}"#;
        let (mut page, _) =
            display::page(plan, None, &display::review_options(), plain(plan)).unwrap();
        (cut(&mut page, SCRIPT), cut(&mut page, STYLE))
    });
    &BOTH
}

/// A display in the dialect of the tool that wrote the plan.
fn plain(plan: &str) -> Display {
    let plan: Plan<'_> = json::from_str(plan).unwrap();
    let tool = plan.resource_changes.iter().find_map(|change| {
        let dialect = change.provider_name.starts_with("registry.opentofu.org");
        dialect.then_some(tfview::internals::dialect::Tool::OpenTofu)
    });
    Display::plain(DialectChoice::default().for_document(tool, &plan.terraform_version))
}

fn options() -> Options {
    Options {
        all_drift: true,
        ..display::review_options()
    }
}

/// The attributes that each element may have.
fn allowed(element: &str) -> Option<&'static [&'static str]> {
    Some(match element {
        "html" => &["lang"],
        "meta" => &["charset", "http-equiv", "content", "name"],
        "head" | "title" | "style" | "script" | "body" | "header" | "footer" | "h1" | "li"
        | "code" | "summary" | "thead" | "tbody" => &[],
        "main" => &["id"],
        "section" => &["id", "class"],
        "h2" | "h3" | "p" | "strong" | "ul" | "div" | "pre" | "table" | "tr" => &["class"],
        "span" => &["class", "data-filter", "data-entries"],
        "td" => &["class", "data-filter"],
        "th" => &["scope", "class"],
        "svg" => &["width", "height", "aria-hidden"],
        "rect" => &["class", "x", "width", "height"],
        "nav" => &["aria-label"],
        "a" => &["href", "class"],
        "details" => &[
            "id",
            "class",
            "data-kind",
            "data-type",
            "data-findings",
            "open",
        ],
        _ => return None,
    })
}

/// Parses a page as strict XML, and checks its elements, attributes and links.
pub(crate) fn with_page<R>(page: &str, name: &str, look: impl FnOnce(Node<'_, '_>) -> R) -> R {
    let mut text = page.to_owned();
    let (script, style) = script_and_style();
    assert_eq!(cut(&mut text, SCRIPT), *script, "{name}");
    assert_eq!(cut(&mut text, STYLE), *style, "{name}");
    assert!(!text.contains("<!--"), "{name}: a comment");
    let parsing = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(&text, parsing)
        .unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
    let mut ids = BTreeSet::new();
    let mut links = Vec::new();
    for node in document.descendants().filter(Node::is_element) {
        let element = node.tag_name().name();
        let attributes = allowed(element).unwrap_or_else(|| panic!("{name}: <{element}>"));
        for attribute in node.attributes() {
            assert!(
                attributes.contains(&attribute.name()),
                "{name}: {element} {}",
                attribute.name()
            );
            match attribute.name() {
                "id" => {
                    assert!(
                        ids.insert(attribute.value().to_owned()),
                        "{name}: {} twice",
                        attribute.value()
                    );
                }
                "href" => links.push(attribute.value().to_owned()),
                _ => {}
            }
        }
    }
    for link in links {
        let id = link
            .strip_prefix('#')
            .unwrap_or_else(|| panic!("{name}: a link to {link}"));
        assert!(ids.contains(id), "{name}: a link to {link}");
    }
    assert!(!text.contains(is_dangerous), "{name}: a hidden character");
    look(document.root_element())
}

/// The innermost element of these names around a node, or the node itself.
fn within<'a, 'i>(node: Node<'a, 'i>, names: &[&str]) -> Option<Node<'a, 'i>> {
    let mut all = node.ancestors();
    all.find(|node| names.contains(&node.tag_name().name()))
}

/// The text of a page as a person sees it: each paragraph, item and row of a table is a line.
pub(crate) fn lines_of(node: Node<'_, '_>) -> String {
    const LINES: [&str; 11] = [
        "h1", "h2", "h3", "p", "li", "pre", "tr", "summary", "div", "a", "title",
    ];
    let mut lines = String::new();
    let mut before: Option<[Option<Node<'_, '_>>; 3]> = None;
    for node in node.descendants().filter(Node::is_text) {
        let text = node.text().unwrap_or_default();
        let line = within(node, &LINES);
        let is_pre = line.is_some_and(|line| line.has_tag_name("pre"));
        if text.trim().is_empty() && !is_pre {
            continue;
        }
        let ancestors = [line, within(node, &["td", "th"]), node.parent()];
        lines.push_str(match before {
            Some([before, ..]) if before != line => "\n",
            Some([_, cell, _]) if cell != ancestors[1] => " | ",
            // The parts of a summary are apart.
            Some([.., parent])
                if parent != ancestors[2] && within(node, &["summary"]).is_some() =>
            {
                " "
            }
            Some(_) | None => "",
        });
        before = Some(ancestors);
        lines.push_str(text.strip_suffix('\n').filter(|_| !is_pre).unwrap_or(text));
    }
    let lines = lines.trim_start().lines().map(str::trim_end);
    let lines = lines.filter(|line| !line.starts_with("Skip to the "));
    lines.map(|line| format!("{line}\n")).collect()
}

pub(crate) fn text_of(node: Node<'_, '_>) -> String {
    node.descendants()
        .filter_map(|node| if node.is_text() { node.text() } else { None })
        .collect()
}

fn page_of(case: &Case, options: &Options) -> String {
    let (page, coverage) =
        display::page(&case.plan, Some(&case.schema), options, plain(&case.plan)).unwrap();
    for list in SectionKind::ALL {
        for account in coverage.accounts(list) {
            assert!(account.entry.is_some(), "{}: {list:?}", case.name);
            assert!(
                account.edits.iter().all(Option::is_some),
                "{}: {list:?}",
                case.name
            );
        }
    }
    assert_eq!(coverage.unreported(), 0, "{}", case.name);
    page
}

/// The page of a fixture with [`options`], which several tests look at. It is made once.
fn page_of_fixture(case: &Case) -> Arc<str> {
    static PAGES: Mutex<BTreeMap<String, Arc<str>>> = Mutex::new(BTreeMap::new());
    let made = PAGES.lock().unwrap().get(&case.name).cloned();
    made.unwrap_or_else(|| {
        let page: Arc<str> = page_of(case, &options()).into();
        PAGES
            .lock()
            .unwrap()
            .insert(case.name.clone(), Arc::clone(&page));
        page
    })
}

/// The changes on a page: their addresses, and the text of each.
fn changes(page: Node<'_, '_>) -> Vec<(String, String)> {
    let is_change =
        |node: &Node<'_, '_>| node.has_tag_name("details") && node.has_attribute("data-kind");
    let find = |node: Node<'_, '_>, name: &'static str| {
        node.descendants()
            .find(|child| child.has_tag_name(name) && child.attribute("class").is_none())
            .map(text_of)
    };
    page.descendants()
        .filter(is_change)
        .map(|change| {
            (
                find(change, "code").unwrap(),
                find(change, "pre").unwrap_or_default(),
            )
        })
        .collect()
}

#[test]
fn pages_of_all_fixtures_are_valid_and_complete() {
    let mut number = 0;
    for (index, case) in some_cases(0).into_iter().enumerate() {
        let variants = vec![
            options(),
            display::review_options(),
            Options {
                list: true,
                ..options()
            },
        ];
        for options in some_ways(variants, index, 1) {
            let page = page_of(&case, &options);
            number += with_page(&page, &case.name, |page| changes(page).len());
        }
    }
    assert!(number > 400, "{number} changes");
}

#[test]
fn text_of_a_change_is_that_of_show() {
    let mut compared = 0;
    for case in some_cases(0) {
        let display = plain(&case.plan);
        let shown = display::shown(&case.plan, Some(&case.schema), display).unwrap();
        let page = page_of_fixture(&case);
        // An object that also drifted is on the page twice; its planned change comes first.
        let texts: BTreeMap<String, String> = with_page(&page, &case.name, |page| {
            changes(page).into_iter().rev().collect()
        });
        let plan: serde_json::Value = serde_json::from_str(&case.plan).unwrap();
        for change in plan["resource_changes"].as_array().into_iter().flatten() {
            let address = change["address"].as_str().unwrap_or_default();
            let is_deposed = !change["deposed"].as_str().unwrap_or_default().is_empty();
            // This change has no entry: a text under this address is that of its drift.
            if change["change"]["actions"] == json!(["no-op"])
                && change["previous_address"].is_null()
                && change["change"]["importing"].is_null()
            {
                continue;
            }
            if let Some(text) = texts.get(address).filter(|_| !is_deposed) {
                // Deleted data sources, which `show` leaves out, have no entry here either.
                let text = text.replace('␍', "\r");
                assert!(
                    shown.contains(&text),
                    "{}: {address}\n{text}\nin\n{shown}",
                    case.name
                );
                compared += usize::from(!text.is_empty());
            }
        }
    }
    assert!(compared > 400, "{compared} texts");
}

#[test]
fn every_change_is_on_the_page_by_its_address() {
    for case in some_cases(0) {
        let page = page_of_fixture(&case);
        let addresses: BTreeSet<String> = with_page(&page, &case.name, |page| {
            changes(page)
                .into_iter()
                .map(|(address, _)| address)
                .collect()
        });
        let plan: serde_json::Value = serde_json::from_str(&case.plan).unwrap();
        for change in plan["resource_changes"].as_array().into_iter().flatten() {
            let (actions, mode) = (&change["change"]["actions"], &change["mode"]);
            let stays = *actions == json!(["no-op"]) || actions.is_null();
            let is_gone_data = *actions == json!(["delete"]) && mode == "data";
            if stays || is_gone_data || mode == "ephemeral" {
                continue;
            }
            let address = change["address"].as_str().unwrap_or_default();
            let is_there = addresses
                .iter()
                .any(|present| present.starts_with(address.split('\n').next().unwrap_or_default()));
            assert!(is_there, "{}: {address} is not in {addresses:?}", case.name);
        }
    }
}

#[test]
fn renames_have_their_moved_blocks_beside_the_entries_of_their_objects() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/words/foreach_rename_no_hint.json"
    );
    let plan = std::fs::read_to_string(path).unwrap();
    let page = page_of(
        &Case {
            name: String::new(),
            plan,
            schema: r#"{"format_version": "1.0"}"#.to_owned(),
        },
        &options(),
    );
    with_page(&page, "renames", |page| {
        assert_eq!(text_of(page).matches("moved {").count(), 9);
        let is_moved = |node: &Node<'_, '_>| {
            node.has_tag_name("details")
                && text_of(*node).contains("moved {\n  from = aws_subnet.private")
        };
        let moved = page.descendants().find(is_moved).unwrap();
        insta::assert_snapshot!(lines_of(moved));
        // What is said about several objects is no change of its own.
        let all = changes(page);
        assert!(
            all.len() >= 18 && all.iter().all(|(address, _)| !address.contains(", aws")),
            "{all:?}"
        );
    });
}

#[test]
fn no_sensitive_value_of_the_fixtures_is_on_a_page() {
    let mut looked_for = 0;
    for case in some_cases(2) {
        let (plan, tokens) = secrecy::planted(&case.plan);
        let case = Case { plan, ..case };
        let page = if tokens.is_empty() {
            String::new()
        } else {
            page_of(&case, &options())
        };
        for token in &tokens {
            assert!(!page.contains(token.as_str()), "{}: {token}", case.name);
        }
        looked_for += tokens.len();
    }
    assert!(looked_for > 300, "{looked_for} tokens");
}

const HOSTILE: &str = "</script></pre><img src=x onerror=alert(1)>\"'--><!--\u{202e}\u{1b}]0;x\u{7}\u{0}&lt;\r\nx ]]>";

/// A plan with a hostile text in every place that a page shows.
fn hostile() -> String {
    let change = |actions: serde_json::Value,
                  before: serde_json::Value,
                  after: serde_json::Value| {
        json!({ "address": format!("module.a[\"{HOSTILE}\"].a_b.c[\"{HOSTILE}\"]"), "mode": "managed",
            "module_address": format!("module.a[\"{HOSTILE}\"]"), "type": format!("a_b{HOSTILE}"), "name": HOSTILE, "index": HOSTILE,
            "deposed": HOSTILE, "previous_address": HOSTILE, "provider_name": HOSTILE, "action_reason": HOSTILE,
            "change": { "actions": actions, "before": before, "after": after, "after_unknown": {},
                "before_sensitive": {}, "after_sensitive": {}, "importing": { "id": HOSTILE } } })
    };
    let object = |text: &str| json!({ HOSTILE: text, "list": [{ "name": text, HOSTILE: [text] }], "map": { text: HOSTILE } });
    let (old, new) = (
        object(&format!("{HOSTILE} old")),
        object(&format!("{HOSTILE} new")),
    );
    json!({ "format_version": "1.2", "terraform_version": HOSTILE, "timestamp": HOSTILE, "errored": true,
        "resource_changes": [
            change(json!(["update"]), old.clone(), new.clone()),
            change(json!(["delete", "create"]), old.clone(), new.clone()),
            change(json!(["create"]), json!(null), new.clone()),
            change(json!([HOSTILE]), old.clone(), json!(null)),
        ],
        "resource_drift": [change(json!(["update"]), old.clone(), new.clone())],
        "deferred_changes": [{ "reason": HOSTILE, "resource_change": change(json!(["create"]), json!(null), new.clone()) }],
        "action_invocations": [{ "address": HOSTILE, "type": HOSTILE, "name": HOSTILE, "provider_name": HOSTILE,
            "config_values": new, "config_sensitive": {}, "config_unknown": {},
            "lifecycle_action_trigger": { "triggering_resource_address": HOSTILE, "action_trigger_event": HOSTILE,
                "action_trigger_block_index": 0, "actions_list_index": 0 } }],
        "deferred_action_invocations": [{ "reason": HOSTILE, "action_invocation": { "address": HOSTILE, "type": HOSTILE,
            "config_values": new, "invoke_action_trigger": { "calling_resource_address": HOSTILE } } }],
        "output_changes": { HOSTILE: { "actions": ["update"], "before": old, "after": HOSTILE, "after_unknown": false,
            "before_sensitive": false, "after_sensitive": false } },
        "checks": [{ "address": { "kind": "check", "to_display": HOSTILE, "name": HOSTILE }, "status": "fail",
            "instances": [{ "address": { "to_display": HOSTILE }, "status": "fail", "problems": [{ "message": HOSTILE }] }] }],
    })
    .to_string()
}

#[test]
fn no_text_of_a_plan_becomes_markup() {
    let plan = hostile();
    for options in [
        options(),
        Options {
            unchanged: true,
            ..options()
        },
        Options {
            list: true,
            ..options()
        },
    ] {
        let (page, _) =
            display::page(&plan, None, &options, Display::plain(Dialect::TERRAFORM)).unwrap();
        let shown = with_page(&page, "hostile", text_of);
        let text = "</script></pre><img src=x onerror=alert(1)>";
        assert!(
            shown.matches(text).count() > 10,
            "the hostile texts are shown as text"
        );
        assert!(shown.contains("<U+202E>"), "hidden characters are visible");
        assert_eq!(page.matches("<script>").count(), 1);
        assert_eq!(page.matches("<img").count(), 0);
    }
}

#[test]
fn page_with_sensitive_values_has_a_warning() {
    let plan = json!({ "format_version": "1.2", "resource_changes": [{ "address": "a.b", "mode": "managed", "type": "a",
        "name": "b", "provider_name": "x", "change": { "actions": ["create"], "before": null, "after": { "p": "hunter2" },
        "after_unknown": {}, "before_sensitive": false, "after_sensitive": { "p": true } } }] })
    .to_string();
    let closed = Display::plain(Dialect::TERRAFORM);
    let (page, _) = display::page(&plan, None, &options(), closed).unwrap();
    assert!(!page.contains("hunter2") && !page.contains("This page shows sensitive values"));
    let open = Display {
        show_sensitive: true,
        ..closed
    };
    let (page, _) = display::page(&plan, None, &options(), open).unwrap();
    with_page(&page, "an open page", |page| {
        insta::assert_snapshot!(without_identity(&lines_of(page)), @r#"
        Review of plan.json
        Review of plan.json
        This page shows sensitive values. It was made with --show-sensitive: keep it as safe as the values.
        NOTICE 1 to create.
        1 to create
        root module
        + a.b 1 value
        Text of the tool
          # a.b will be created
          + resource "a" "b" {
              + p = "hunter2"
            }

        no rules for: a
        Made by tfview [version]. tfview review prints the same on a terminal, and --format json all of it.
        "#);
    });
}

#[test]
fn the_same_plan_gives_the_same_bytes() {
    for case in cases().iter().step_by(10) {
        assert_eq!(
            *page_of_fixture(case),
            page_of(case, &options()),
            "{}",
            case.name
        );
    }
}

#[test]
fn long_text_is_truncated_with_a_note() {
    let lines: String = (0..20_000)
        .map(|number| format!("line {number}\n"))
        .collect();
    let plan = |values: serde_json::Value| {
        json!({ "format_version": "1.2", "resource_changes": [{ "address": "a.b", "mode": "managed", "type": "a",
            "name": "b", "provider_name": "x", "change": { "actions": ["create"], "before": null, "after": values,
            "after_unknown": {}, "before_sensitive": false, "after_sensitive": {} } }] })
        .to_string()
    };
    let mut ends = String::new();
    for values in [
        json!({ "text": lines, "z": "the last" }),
        json!({ "text": "é".repeat(200_000), "z": "the last" }),
    ] {
        let (page, coverage) = display::page(
            &plan(values),
            None,
            &options(),
            Display::plain(Dialect::TERRAFORM),
        )
        .unwrap();
        assert!(page.len() < 200_000, "{} bytes", page.len());
        assert_eq!(coverage.unreported(), 0);
        let shown = with_page(&page, "long", lines_of);
        // What follows the text that is cut.
        let from = shown.find("of this text are not on the page").unwrap();
        let from = shown[..from].rfind('\n').unwrap();
        ends += &shown[from..];
    }
    insta::assert_snapshot!(without_identity(&ends), @r"

    … 16976 lines and 383467 bytes of this text are not on the page; tfview show prints all of it.
    + z = the last

    no rules for: a
    Made by tfview [version]. tfview review prints the same on a terminal, and --format json all of it.

    … 2 lines and 334561 bytes of this text are not on the page; tfview show prints all of it.
    + z = the last

    no rules for: a
    Made by tfview [version]. tfview review prints the same on a terminal, and --format json all of it.
    ");
}

#[test]
fn differences_that_the_tools_leave_out_are_noted() {
    // An attribute that the schema does not have, and an element with a changed member.
    let schema = r#"{"provider_schemas":{"x":{"resource_schemas":{"a":{"block":{"attributes":{
        "rules":{"type":["set",["object",{"name":"string","port":"number"}]]}}}}}}}}"#;
    let side = |port: u8, extra: &str| json!({ "rules": [{ "name": "web", "port": port }], "extra": extra });
    let plan = json!({ "format_version": "1.2", "resource_changes": [{ "address": "a.b", "mode": "managed", "type": "a",
        "name": "b", "provider_name": "x", "change": { "actions": ["update"], "before": side(80, "one"), "after": side(81, "two"),
        "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {} } }] })
    .to_string();
    let (page, _) = display::page(
        &plan,
        Some(schema),
        &options(),
        Display::plain(Dialect::TERRAFORM),
    )
    .unwrap();
    let notes = with_page(&page, "notes", |page| {
        let notes = page
            .descendants()
            .find(|node| node.has_tag_name("pre") && node.attribute("class") == Some("lines"));
        text_of(notes.unwrap())
    });
    insta::assert_snapshot!(notes, @r#"
    rules["web"].port 80 -> 81
    extra one -> two (not in the schema)
    "#);
}

/// The number of numbers in ranges: `3-42 50`.
fn numbers_in(ranges: &str) -> usize {
    let length = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        last.parse::<usize>().unwrap() + 1 - first.parse::<usize>().unwrap()
    };
    ranges.split_whitespace().map(length).sum()
}

#[test]
fn counts_by_level_are_those_of_the_findings_in_the_cards() {
    let mut several = 0;
    for case in some_cases(3) {
        let page = page_of_fixture(&case);
        let (chips, cards) = with_page(&page, &case.name, |page| {
            let of = |class: &'static str| {
                page.descendants()
                    .filter(move |node| node.attribute("class") == Some(class))
            };
            let chips: BTreeMap<String, usize> = of("chip")
                .filter(|chip| chip.attribute("data-filter").unwrap().starts_with("f:"))
                .map(|chip| {
                    let text = text_of(chip);
                    let (number, level) = text.split_once(' ').unwrap();
                    (level.to_owned(), number.parse().unwrap())
                })
                .collect();
            let mut cards: BTreeMap<String, usize> = BTreeMap::new();
            for card in of("card") {
                let level = text_of(card).split_whitespace().next().unwrap().to_owned();
                let lines = card
                    .descendants()
                    .filter_map(|node| node.attribute("data-entries"));
                *cards.entry(level).or_default() += lines.map(numbers_in).sum::<usize>();
            }
            // A finding of an output has no entry.
            cards.retain(|_, number| *number > 0);
            (chips, cards)
        });
        // Few findings have no cards.
        if !cards.is_empty() {
            assert_eq!(chips, cards, "{}", case.name);
        }
        several += chips.values().filter(|number| **number > 1).count();
    }
    assert!(several > 1, "{several} levels with several findings");
}

#[test]
fn filtered_changes_are_counted() {
    let filter = review::Filter {
        exclude: vec!["*".to_owned()],
        ..review::Filter::default()
    };
    for case in cases().iter().step_by(7) {
        let page = page_of(
            case,
            &Options {
                filter: filter.clone(),
                ..options()
            },
        );
        let hides =
            !case.plan.contains("\"resource_changes\":[]") && page.contains("hidden: leave out");
        with_page(&page, &case.name, |page| {
            let left = changes(page).len();
            assert!(left == 0 || !hides, "{}: {left} changes", case.name);
        });
    }
}
