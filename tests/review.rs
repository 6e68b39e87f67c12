//! The review: what it says of real plans, that nothing is lost or leaks, that markdown fits.

use std::fs;
use std::path::{Path, PathBuf};

use bumpalo::Bump;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};
use tfview::json;
use tfview::model::plan::Plan;
use tfview::review::formats::{self, Budget};
use tfview::review::gate::Gate;
use tfview::review::{self, Filter, Kind, Options, Review};
use tfview::schema::Schemas;

fn options() -> Options {
    Options {
        dialect: tfview::model::Dialect::default(),
        show_sensitive: false,
        filter: Filter::default(),
        depth: None,
        context: 2,
        list: false,
        tree: false,
    }
}

/// `rules` is a set of objects; all else is inferred.
const SCHEMA: &str = r#"{"provider_schemas":{"registry.example/x/sets":{"resource_schemas":{"sets_a":{"block":{"attributes":{
    "rules":{"type":["set",["object",{"description":"string","port":"number","cidr":"string","proto":"string"}]]}}}}}}}}"#;

fn review(text: &str, options: &Options) -> Review {
    let arena = Bump::new();
    let plan: Plan<'_> = json::from_str(text).unwrap();
    let mut schemas = Schemas::new();
    schemas.add(SCHEMA).unwrap();
    let mut review = review::read("plan.json", &plan, &schemas, options, &arena).unwrap();
    review.items = review::collapse(review.items, options);
    review.drift = review::collapse(review.drift, options);
    review
}

fn terminal(text: &str, options: &Options) -> String {
    let mut bytes = Vec::new();
    formats::terminal(&[review(text, options)], options, false, None, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn fixtures() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut found = Vec::new();
    for kind in ["goldens", "fuzz"] {
        for entry in fs::read_dir(root.join(kind)).unwrap() {
            let path = entry.unwrap().path().join("plan.json");
            if let Ok(text) = fs::read_to_string(&path) {
                found.push((path, text));
            }
        }
    }
    assert!(found.len() > 50, "the fixtures are there");
    found
}

fn golden(case: &str) -> String {
    fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/goldens").join(case).join("plan.json"),
    )
    .unwrap()
}

#[test]
fn every_listed_change_is_accounted_for_in_every_format() {
    for (path, text) in fixtures() {
        let all = review(&text, &options());
        let addresses: usize = all.items.iter().map(|item| item.addresses.len()).sum();
        assert_eq!(addresses, all.verdict.resources(), "{}", path.display());
        let (text_out, mut options) = (terminal(&text, &options()), options());
        let document: serde_json::Value =
            serde_json::from_str(&formats::json(&[review(&text, &options)])).unwrap();
        let listed: usize = document["plans"][0]["resources"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["addresses"].as_array().unwrap().len())
            .sum();
        assert_eq!(listed, addresses, "{}", path.display());
        for address in all.items.iter().flat_map(|item| &item.addresses) {
            if address.chars().all(|c| !c.is_control() && c != '\u{202e}' && c != '\u{200b}') {
                assert!(text_out.contains(address.as_str()), "{}: {address}", path.display());
            }
        }
        options.filter.only = vec![Kind::Destroy];
        let some = review(&text, &options);
        let shown: usize = some.items.iter().map(|item| item.addresses.len()).sum();
        // What is cosmetic is known of what is shown only.
        let verdict = review::Verdict { cosmetic: all.verdict.cosmetic, ..some.verdict.clone() };
        assert_eq!(verdict, all.verdict, "a filter changes no verdict: {}", path.display());
        assert!(shown + some.filtered >= some.verdict.resources());
    }
}

/// Markdown is what a parser takes it for: fences that close, nothing that links or embeds.
fn check_markdown(text: &str, place: &str) {
    for event in Parser::new(text) {
        if let Event::Start(tag) = &event {
            let links = matches!(tag, Tag::Link { .. } | Tag::Image { .. });
            assert!(!links, "{place}: a link\n{text}");
        }
        if let Event::Start(Tag::CodeBlock(kind)) = &event {
            assert_eq!(*kind, CodeBlockKind::Fenced("diff".into()), "{place}");
        }
        if let Event::Html(html) | Event::InlineHtml(html) = &event {
            for tag in html.split('<').skip(1) {
                let known = ["details>", "/details>", "summary>", "/summary>", "code>", "/code>"];
                assert!(known.iter().any(|known| tag.starts_with(known)), "{place}: <{tag}");
            }
        }
    }
    let fences = text.lines().filter(|line| line.starts_with("```")).count();
    assert_eq!(fences % 2, 0, "{place}: a fence is open");
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count(), "{place}");
}

#[test]
fn markdown_parses_and_fits_its_budget() {
    for (path, text) in fixtures() {
        let review = review(&text, &options());
        for bytes in [2_048, 3_000, 5_000, 10_000, 65_536, usize::MAX] {
            for details in [true, false] {
                let budget = Budget { bytes, details };
                let place = format!("{} at {bytes}", path.display());
                let text = formats::markdown(std::slice::from_ref(&review), &options(), budget);
                assert!(text.len() <= bytes, "{place}: {} bytes", text.len());
                check_markdown(&text, &place);
            }
        }
    }
}

#[test]
fn many_plans_fit_too() {
    let text = golden("force-new-values-terraform");
    let reviews: Vec<Review> = (0..40).map(|_| review(&text, &options())).collect();
    for bytes in [2_048, 8_192, 65_536] {
        let text = formats::markdown(&reviews, &options(), Budget { bytes, details: true });
        assert!(text.len() <= bytes, "{} > {bytes}", text.len());
        check_markdown(&text, "many plans");
    }
}

const SECRET: &str = "hunter2hunter2hunter2";

/// A plan with a secret in every kind of place: elements that are paired, names that identify,
/// strings of JSON and base64, replacements, outputs.
fn secretive() -> String {
    r#"{"format_version":"1.2","resource_changes":[
      {"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"registry.terraform.io/x/a","change":{
        "actions":["delete","create"],
        "before":{"plain":"SECRET1","rules":[{"name":"SECRET2","port":1,"z":"q"},{"name":"b","port":2,"z":"q"}],
                  "doc":"{\"k\":\"SECRET3\"}","multi":"a\nSECRET4\nb","all":{"x":"SECRET5"}},
        "after":{"plain":"SECRET6","rules":[{"name":"SECRET7","port":3,"z":"q"},{"name":"b","port":4,"z":"q"}],
                 "doc":"{\"k\":\"SECRET8\"}","multi":"a\nSECRET9\nb","all":{"x":"SECRET0"}},
        "after_unknown":{},
        "before_sensitive":{"plain":true,"rules":[{"name":true},{}],"doc":true,"multi":true,"all":true},
        "after_sensitive":{"plain":true,"rules":[{"name":true},{}],"doc":true,"multi":true,"all":true},
        "replace_paths":[["plain"],["rules",0,"name"]]}}],
     "output_changes":{"o":{"actions":["update"],"before":"SECRETa","after":"SECRETb","after_unknown":false,
        "before_sensitive":true,"after_sensitive":true}}}"#
        .replace("SECRET", SECRET)
}

#[test]
fn nothing_that_is_marked_reaches_a_format() {
    let text = secretive();
    let review = review(&text, &options());
    let markdown = formats::markdown(std::slice::from_ref(&review), &options(), Budget::default());
    for (format, text) in [
        ("terminal", terminal(&text, &options())),
        ("markdown", markdown),
        ("json", formats::json(&[review])),
    ] {
        assert!(!text.contains(SECRET), "{format}:\n{text}");
        assert!(text.contains("sensitive"), "{format} says that there is something");
    }
    let open = Options { show_sensitive: true, ..options() };
    assert!(terminal(&text, &open).contains(SECRET));
}

#[test]
fn input_forges_nothing() {
    let text = r#"{"format_version":"1.2","resource_changes":[
      {"address":"a.b[\"</code><img src=x>`@team [x](http://y) \n::error::x ##vso[task.complete]\"]","mode":"managed",
       "type":"a","name":"b","provider_name":"x","change":{"actions":["update"],
        "before":{"t":"x\n```\n::error::1\ny"},"after":{"t":"x\n````\n::error::1\n::error::2 ##vso[x]\ny"},
        "after_unknown":{},"before_sensitive":{},"after_sensitive":{}}}]}"#;
    let review = review(text, &options());
    let markdown = formats::markdown(std::slice::from_ref(&review), &options(), Budget::default());
    check_markdown(&markdown, "forged");
    for system in [tfview::term::CiSystem::GitHub, tfview::term::CiSystem::Azure] {
        let mut bytes = Vec::new();
        formats::terminal(std::slice::from_ref(&review), &options(), false, Some(system), &mut bytes)
            .unwrap();
        let text = String::from_utf8(bytes).unwrap();
        for line in text.lines() {
            let commands = ["::group::", "::endgroup::", "##[group]", "##[endgroup]"];
            let own = commands.iter().any(|command| line.starts_with(command));
            assert!(own || !line.trim_start().starts_with("::"), "{line}");
            assert!(!line.contains("##vso[") && (own || !line.contains("##[")), "{line}");
        }
    }
}

#[test]
fn gates_see_what_filters_hide() {
    let text = golden("force-new-values-terraform");
    let mut options = options();
    options.filter.exclude = vec!["*".to_owned()];
    let review = review(&text, &options);
    assert!(review.items.is_empty());
    for (word, shut) in
        [("destroy", true), ("replace", true), ("delete", false), ("update", true), ("drift", false)]
    {
        assert_eq!(Gate::of_word(word).unwrap().shut_by(&review.verdict).is_some(), shut, "{word}");
    }
}

/// A plan of one update with these sides.
fn update(before: &str, after: &str) -> String {
    format!(
        r#"{{"format_version":"1.2","resource_changes":[{{"address":"a.b","mode":"managed","type":"a","name":"b",
        "provider_name":"x","change":{{"actions":["update"],"before":{before},"after":{after},"after_unknown":{{}},
        "before_sensitive":{{}},"after_sensitive":{{}}}}}}]}}"#
    )
}

#[test]
fn what_strings_hold_is_compared_as_what_it_is() {
    let text = update(
        r##"{"yaml":"a: 1\nlist:\n- name: x\n  port: 1\n","b":"eyJhIjoxLCJiYiI6ImNjYyJ9","same":"{\"a\":1}","sp":"a b","crlf":"a\r\nb"}"##,
        r##"{"yaml":"a: 1\nlist:\n- name: x\n  port: 2\n","b":"eyJhIjoyLCJiYiI6ImNjYyJ9","same":"{ \"a\": 1 }","sp":"a\u00a0b","crlf":"a\nb"}"##,
    );
    insta::assert_snapshot!(terminal(&text, &options()));
}

#[test]
fn elements_are_paired_by_likeness() {
    let text = update(
        r#"{"rules":[{"description":"ssh","port":22,"cidr":"10.0.0.0/8","proto":"tcp"},{"description":"web","port":80,"cidr":"0.0.0.0/0","proto":"tcp"}]}"#,
        r#"{"rules":[{"description":"new","port":53,"cidr":"10.1.0.0/16","proto":"udp"},{"description":"ssh","port":22,"cidr":"10.9.0.0/16","proto":"tcp"},{"description":"web","port":80,"cidr":"0.0.0.0/0","proto":"tcp"}]}"#,
    );
    let text = text
        .replace(r#""type":"a""#, r#""type":"sets_a""#)
        .replace(r#""provider_name":"x""#, r#""provider_name":"registry.example/x/sets""#);
    insta::assert_snapshot!(terminal(&text, &options()));
}

#[test]
fn options_combine() {
    let text = golden("complex-resource-terraform");
    let mut shown = String::new();
    for (name, list, tree, depth, ignored) in [
        ("plain", false, false, None, None),
        ("list", true, false, None, None),
        ("tree and depth", false, true, Some(2), None),
        ("ignored", false, false, None, Some("list*")),
    ] {
        let mut options = Options { list, tree, depth, ..options() };
        options.filter.ignored = ignored.into_iter().map(str::to_owned).collect();
        shown.push_str(&format!("== {name}\n{}", terminal(&text, &options)));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn the_same_change_is_told_once() {
    let one = |key: usize| {
        format!(
            r#"{{"address":"a.b[{key}]","mode":"managed","type":"a","name":"b","index":{key},"provider_name":"x","change":{{
            "actions":["update"],"before":{{"name":"web-{key}","size":"small"}},"after":{{"name":"web-{key}","size":"large"}},
            "after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#
        )
    };
    let changes: Vec<String> = (0..48).map(one).collect();
    let text = format!(r#"{{"format_version":"1.2","resource_changes":[{}]}}"#, changes.join(","));
    let review = review(&text, &options());
    assert_eq!(review.items.len(), 1);
    assert_eq!(review.items[0].addresses.len(), 48);
    let markdown = formats::markdown(&[review], &options(), Budget::default());
    assert!(markdown.contains("same change × 48"), "{markdown}");
    insta::assert_snapshot!(
        markdown.lines().filter(|line| !line.starts_with("- `a.b[")).collect::<Vec<_>>().join("\n")
    );
}
