//! Nothing active comes from a document: each string and each key of plans, states and messages is made hostile in
//! turn, and the Markdown and the pages about it are parsed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use bumpalo::Bump;
use pulldown_cmark::{Event, Options as Extensions, Parser, Tag, TagEnd};
use serde_json::{Value, json};
use tfview::internals::compare::{Options, StateSide, compare_states, formats};
use tfview::internals::dialect::Dialect;
use tfview::internals::diff::parallel::Storage;
use tfview::internals::model::state::StateDocument;
use tfview::internals::report::{self, Budget, PageOptions};
use tfview::internals::schema::Schemas;
use tfview::internals::term::is_dangerous;

use crate::compare::compare;
use crate::display::{self, Display, Streaming};
use crate::page::{runs, text_of, with_page};
use crate::random::{Random, cases, first_seed};
use crate::review::markdown::check_markup;

/// Each does something in Markdown, HTML, a terminal or a CI system where it is not shown as text.
const HOSTILE: [&str; 16] = [
    "![x](https://evil.example/p.png)",
    "[x](javascript:alert(1))",
    "[x]: https://evil.example 'x'\n\n[x]",
    "https://evil.example/x www.evil.example evil@evil.example",
    "<img src=https://evil.example/p.png onerror=alert(1)>",
    "</code></pre></details><script>alert(1)</script><!--",
    "--> <a href=javascript:alert(1)>x</a>",
    "\" onmouseover=alert(1) x=\"",
    "@evil-team and #4711, evil/repo#4711, !4711",
    "`@evil-team` ``@evil-team`` ```\n```\n@evil-team",
    "\n\n# evil heading\n\n| a | b |\n|---|---|\n| @evil-team | evil |\n",
    "\n> [!CAUTION]\n> @evil-team\n\n- [x] @evil-team",
    "$$\\href{javascript:alert(1)}{x}$$ $`x`$ [^1]\n\n[^1]: @evil-team",
    "\n::error title=evil::x\n##vso[task.setvariable variable=x]y\n##[error]evil\nsection_start:1:evil\r",
    "\u{1b}]8;;https://evil.example\u{7}x\u{1b}]8;;\u{7}\u{1b}[2J\u{9b}31m\u{0}\u{8}\r",
    "\u{202e}gpj.evil\u{2066}\u{200b}\u{feff}\u{e0041}",
];

/// What an outer system makes active, and which therefore is nowhere but in code.
const ACTIVE_AS_TEXT: [&str; 6] = [
    "@evil",
    "evil@",
    "://evil",
    "www.evil",
    "#4711",
    "javascript:",
];

/// A string of a document, or the key of a member.
#[derive(Clone, Debug)]
struct Place {
    /// The JSON pointer of the string, or of the object that has the key.
    pointer: String,
    key: Option<String>,
}

/// The first place of each kind: those whose paths differ in indices only are alike.
fn places(document: &Value) -> BTreeMap<String, Place> {
    let mut places = BTreeMap::new();
    collect(document, "", "", &mut places);
    places
}

fn collect(value: &Value, pointer: &str, kind: &str, places: &mut BTreeMap<String, Place>) {
    let place = |key: Option<&String>| Place {
        pointer: pointer.to_owned(),
        key: key.cloned(),
    };
    match value {
        Value::String(_) => {
            places.entry(kind.to_owned()).or_insert_with(|| place(None));
        }
        Value::Object(members) => {
            for (name, member) in members {
                let key = format!("{kind}/{name} (key)");
                places.entry(key).or_insert_with(|| place(Some(name)));
                let step = name.replace('~', "~0").replace('/', "~1");
                collect(
                    member,
                    &format!("{pointer}/{step}"),
                    &format!("{kind}/{step}"),
                    places,
                );
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(
                    item,
                    &format!("{pointer}/{index}"),
                    &format!("{kind}/*"),
                    places,
                );
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn planted(document: &Value, place: &Place, text: &str) -> Value {
    let mut document = document.clone();
    let target = document.pointer_mut(&place.pointer).unwrap();
    match &place.key {
        Some(key) => {
            let member = target.as_object_mut().unwrap().remove(key).unwrap();
            target[text] = member;
        }
        None => *target = json!(text),
    }
    document
}

/// Checks that a comment has no markup, link or mention of its document, and no command or control character.
#[expect(clippy::panic, reason = "it is an assertion")]
fn check_comment(text: &str, context: &str) {
    check_markup(text, context);
    let mut code = 0_usize;
    let extensions = Extensions::ENABLE_TABLES
        | Extensions::ENABLE_FOOTNOTES
        | Extensions::ENABLE_MATH
        | Extensions::ENABLE_TASKLISTS
        | Extensions::ENABLE_STRIKETHROUGH;
    let mut shown = String::new();
    for event in Parser::new_ext(text, extensions) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => code += 1,
            Event::End(TagEnd::CodeBlock) => code -= 1,
            Event::Html(html) | Event::InlineHtml(html) => {
                code += html.matches("<code>").count();
                code -= html.matches("</code>").count();
                let outside = outside_code(&html);
                shown.push_str(&outside);
                shown.push('\n');
            }
            Event::Text(text) if code == 0 => shown.push_str(&text),
            Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::TaskListMarker(_) => panic!("{context}: {event:?}\n{text}"),
            Event::Start(_)
            | Event::End(_)
            | Event::Text(_)
            | Event::Code(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::Rule => shown.push('\n'),
        }
    }
    for active in ACTIVE_AS_TEXT {
        assert!(
            !shown.contains(active),
            "{context}: {active}\n{shown}\n{text}"
        );
    }
    check_log(text, context);
}

/// The text of HTML that is on one line and has its code with it.
fn outside_code(html: &str) -> String {
    let mut parts = html.split("<code>");
    let mut outside = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        outside.push_str(part.split_once("</code>").map_or("", |(_, rest)| rest));
    }
    outside
}

/// A comment may be printed to the log of a job.
fn check_log(text: &str, context: &str) {
    for line in text.lines() {
        let line = line.trim_start();
        let is_command = line.starts_with("::") || line.contains("##vso[") || line.contains("##[");
        let is_fold = line.starts_with("section_start:") || line.starts_with("section_end:");
        assert!(!is_command && !is_fold, "{context}: {line:?}");
    }
    let dangerous = text.chars().find(|c| *c != '\n' && is_dangerous(*c));
    assert_eq!(dangerous, None, "{context}\n{text}");
}

fn check_page(page: &str, context: &str) {
    let text = with_page(page, context, text_of);
    assert!(!text.is_empty(), "{context}");
}

#[test]
fn no_string_of_a_plan_is_active_in_a_comment_or_on_a_page() {
    let mut kinds: BTreeMap<String, (Rc<Value>, Place)> = BTreeMap::new();
    for case in crate::review::cases() {
        if case.plan.len() > 20_000 {
            continue;
        }
        let plan: Value = serde_json::from_str(&case.plan).unwrap();
        let plan = Rc::new(plan);
        for (kind, place) in places(&plan) {
            kinds.entry(kind).or_insert_with(|| (plan.clone(), place));
        }
    }
    let kinds: Vec<(String, (Rc<Value>, Place))> = kinds.into_iter().collect();
    assert!(kinds.len() > 500, "{} kinds of places", kinds.len());
    let mut read = 0;
    for seed in first_seed()..first_seed() + cases(1) {
        let mut random = Random::new(seed);
        let (kind, (plan, place)) = random.pick(&kinds);
        let hostile = *random.pick(&HOSTILE);
        let text = planted(plan, place, hostile).to_string();
        let context = format!("TFVIEW_SEED={seed}: {hostile:?} at {kind}");
        let plain = Display::plain(Dialect::TERRAFORM);
        let outputs = display::reviewed(&text, None, plain);
        for (output, shown) in &outputs {
            match *output {
                "review as markdown" => check_comment(shown, &context),
                "review" | "review for gitlab" => check_log(shown, &context),
                _ => {}
            }
        }
        // A document that is an error is shown nowhere.
        if let Ok((page, _)) = display::page(&text, None, &display::review_options(), plain) {
            check_page(&page, &context);
            read += 1;
            // A comparison is checked against its schema, which takes long.
            if random.one_in(4) {
                let original = plan.to_string();
                let outcome = compare(&original, &text, None, &Options::default());
                check_comment(&outcome.markdown, &context);
                check_page(&outcome.html, &context);
            }
        }
    }
    assert!(read * 2 > cases(1), "{read} documents were read");
}

/// A state in which everything that can have a text has one.
fn state() -> Value {
    let object = |name: &str, size: u64| {
        json!({
            "address": format!("module.m[\"k\"].x_a.{name}[\"key\"]"), "mode": "managed", "type": "x_a", "name": name,
            "index": "key", "provider_name": "registry.terraform.io/x/x", "schema_version": 0,
            "values": { "id": name, "size": size, "tags": { "k": "v" }, "list": ["a", { "b": "c" }], "text": "a\nb" },
            "sensitive_values": { "tags": {} }, "depends_on": ["x_a.z"], "tainted": true, "deposed_key": "abc",
        })
    };
    json!({
        "format_version": "1.0", "terraform_version": "1.15.0",
        "values": {
            "outputs": { "o": { "sensitive": false, "type": "string", "value": "v" } },
            "root_module": {
                "resources": [object("a", 1)],
                "child_modules": [{ "address": "module.m[\"k\"]", "resources": [object("b", 2)] }],
            },
        },
    })
}

#[test]
fn no_string_of_a_state_is_active_in_a_comment_or_on_a_page() {
    let original = state();
    let original_text = original.to_string();
    let mut read = 0;
    for (tried, (kind, place)) in places(&original).into_iter().enumerate() {
        for turn in 0..3 {
            let hostile = HOSTILE[(tried * 3 + turn) % HOSTILE.len()];
            let text = planted(&original, &place, hostile).to_string();
            let Ok(now) = tfview::internals::json::from_str::<StateDocument<'_>>(&text) else {
                continue;
            };
            let before: StateDocument<'_> =
                tfview::internals::json::from_str(&original_text).unwrap();
            let (arena, mut storage) = (Bump::new(), Storage::default());
            let side = |name, text, state| StateSide { name, text, state };
            let compared = compare_states(
                side("old.tfstate", &original_text, &before),
                side("new.tfstate", &text, &now),
                &Schemas::new(),
                &Options::default(),
                &arena,
                &mut storage,
            );
            let Ok(comparison) = compared else { continue };
            let context = format!("{hostile:?} at {kind}");
            let mut document = formats::report(&comparison);
            let mut page = Vec::new();
            report::page(&document, &PageOptions::default(), &mut page).unwrap();
            check_page(&String::from_utf8(page).unwrap(), &context);
            check_comment(
                &report::markdown(&mut document, Budget::default()),
                &context,
            );
            read += 1;
        }
    }
    assert!(read > 60, "{read} states were read");
}

#[test]
fn no_string_of_a_message_is_active_on_the_page_of_a_run() {
    let mut kinds: BTreeMap<String, (Rc<Vec<Value>>, usize, Place)> = BTreeMap::new();
    for (_, file) in runs::cases() {
        let messages = runs::messages(&fs::read_to_string(&file).unwrap());
        if messages.len() > 60 {
            continue;
        }
        let messages = Rc::new(messages);
        for (index, message) in messages.iter().enumerate() {
            let of = message["type"].as_str().unwrap_or_default();
            for (kind, place) in places(message) {
                let entry = || (messages.clone(), index, place);
                kinds.entry(format!("{of}{kind}")).or_insert_with(entry);
            }
        }
    }
    let kinds: Vec<_> = kinds.into_iter().collect();
    assert!(kinds.len() > 200, "{} kinds of places", kinds.len());
    let streaming = Streaming {
        display: Display::plain(Dialect::OPENTOFU),
        cut: 4096,
        plan: None,
        live: false,
    };
    for seed in first_seed()..first_seed() + cases(1) {
        let mut random = Random::new(seed);
        let (kind, (messages, index, place)) = random.pick(&kinds);
        let hostile = *random.pick(&HOSTILE);
        let mut messages = Vec::clone(messages);
        messages[*index] = planted(&messages[*index], place, hostile);
        let lines: Vec<String> = messages.iter().map(Value::to_string).collect();
        let context = format!("TFVIEW_SEED={seed}: {hostile:?} at {kind}");
        let text = lines.join("\n") + "\n";
        check_page(&streaming.page(text.as_bytes(), None).unwrap(), &context);
    }
}

/// The comparison of a plan with the run that applied it.
#[test]
fn no_string_of_a_run_is_active_in_a_comment() {
    let goldens = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/goldens");
    let mut read = 0;
    for (folder, file) in runs::cases().into_iter().step_by(4) {
        let plan = folder.join("plan.json");
        if !file.ends_with("apply.jsonl") || !plan.exists() {
            continue;
        }
        let plan = fs::read_to_string(plan).unwrap();
        let messages = runs::messages(&fs::read_to_string(&file).unwrap());
        let name = folder.strip_prefix(&goldens).unwrap().display();
        for (index, message) in messages.iter().enumerate() {
            for (kind, place) in places(message).into_iter().step_by(11) {
                let hostile = HOSTILE[(index + read) % HOSTILE.len()];
                let mut messages = messages.clone();
                messages[index] = planted(message, &place, hostile);
                let lines: Vec<String> = messages.iter().map(Value::to_string).collect();
                let run = lines.join("\n") + "\n";
                let outcome =
                    crate::compare::compare_result(&plan, &run, None, &Options::default());
                let Ok(outcome) = outcome else { continue };
                let context = format!("{name}: {hostile:?} at {kind}");
                check_comment(&outcome.markdown, &context);
                read += 1;
            }
        }
        if read > 60 {
            break;
        }
    }
    assert!(read > 40, "{read} runs were read");
}
