//! Credentials that nothing marks as sensitive: a review finds them, and shows them in JSON only.

use crate::plan::{Change, PlanBuilder};
use serde_json::{Value, json};
use tfview::internals::compare::Options;
use tfview::internals::dialect::Dialect;

use crate::base64::base64;
use crate::compare::compare;
use crate::display::{self, Display};

/// Credentials that are made here, so that none is in this file.
#[derive(Default)]
struct Maker {
    number: usize,
    made: Vec<String>,
}

impl Maker {
    /// A text of letters and digits.
    fn body(&mut self, length: usize) -> String {
        self.number += 1;
        let digits = format!("{:03}", self.number);
        "aB3dE5fG7h"
            .chars()
            .chain(digits.chars())
            .cycle()
            .take(length)
            .collect()
    }

    fn token(&mut self) -> String {
        let token = format!("ghp_{}", self.body(36));
        self.made.push(token.clone());
        token
    }

    fn secret_key(&mut self) -> String {
        let key = self.body(40);
        self.made.push(key.clone());
        key
    }

    fn url(&mut self) -> String {
        // The tool's text escapes what is in between.
        let parts = [self.body(9), self.body(9)];
        self.made.extend_from_slice(&parts);
        format!(r"postgres://app:{}\{}@db/x", parts[0], parts[1])
    }

    /// A key in PEM, each of whose lines must not be shown.
    fn key(&mut self) -> String {
        let lines: Vec<String> = (0..3).map(|_| self.body(64)).collect();
        self.made.extend(lines.iter().cloned());
        format!(
            "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
            lines.join("\n")
        )
    }

    fn script(&mut self) -> String {
        base64(format!("#!/bin/sh\nexport TOKEN={}\n", self.token()).as_bytes())
    }

    fn document(&mut self) -> String {
        json!([{ "name": "AWS_SECRET_ACCESS_KEY", "value": self.secret_key() }, { "name": "K", "value": self.key() }])
            .to_string()
    }

    fn object(&mut self) -> Value {
        json!({
            "token": self.token(),
            "long": format!("{} {}", "x".repeat(385), self.token()),
            "url": self.url(),
            "lines": format!("a\n{}b\n", self.key()),
            "script": self.script(),
            "document": self.document(),
            "yaml": format!("a: 1\ntoken: {}\n", self.token()),
            "list": [{ "token": self.token(), "at": self.number }, { "token": self.token(), "at": 0 }],
        })
    }
}

fn plan(maker: &mut Maker) -> Value {
    let key = maker.key();
    let with_key = |line: &str| json!({ "lines": format!("a\n{key}{line}\n"), "list": [1] });
    let sides = [
        (Value::Null, maker.object()),
        (maker.object(), Value::Null),
        (maker.object(), maker.object()),
        // The key is between the changed lines.
        (with_key("b"), with_key("c")),
    ];
    let resource = |(index, (before, after)): (usize, &(Value, Value))| {
        Change::between(&format!("a_b.c{index}"), before, after)
    };
    let changes = sides.iter().enumerate().map(resource);
    let action = json!({
        "address": "action.a_b.c", "type": "a_b", "name": "c", "provider_name": "registry.terraform.io/x/a",
        "config_values": { "payload": maker.token() }, "invoke_action_trigger": {},
    });
    PlanBuilder::of(changes)
        .drift(resource((9, &(maker.object(), maker.object()))))
        .output("o", json!(maker.token()), json!({ "k": maker.token() }))
        .output(
            "aws_secret_access_key",
            Value::Null,
            json!(maker.secret_key()),
        )
        .with(
            "variables",
            json!({ "aws_secret_access_key": { "value": maker.secret_key() } }),
        )
        .with("action_invocations", json!([action]))
        .value()
}

#[test]
fn c4_no_credential_is_in_a_text_of_a_review() {
    let mut maker = Maker::default();
    let plan = plan(&mut maker).to_string();
    let display = Display::plain(Dialect::TERRAFORM);
    for (output, text) in display::reviewed(&plan, None, display) {
        let shown = maker
            .made
            .iter()
            .filter(|made| text.contains(*made))
            .count();
        match output {
            // Those in documents and base64 are escaped or encoded.
            "review as json" => assert!(
                2 * shown > maker.made.len(),
                "{output} has all values: {shown}"
            ),
            _ => assert_eq!(shown, 0, "{output}:\n{text}"),
        }
    }
    for (output, text) in display::reviewed(
        &plan,
        None,
        Display {
            show_sensitive: true,
            ..display
        },
    ) {
        let is_shown = maker.made.iter().any(|made| text.contains(made));
        assert_eq!(
            is_shown,
            output != "review for gitlab",
            "{output} with --show-sensitive:\n{text}"
        );
    }
}

#[test]
fn c4_no_credential_is_in_a_text_of_a_comparison() {
    let mut maker = Maker::default();
    let plans = [plan(&mut maker), plan(&mut maker)].map(|plan| plan.to_string());
    let options = Options::default();
    let compared = compare(&plans[0], &plans[1], None, &options);
    let number = |text: &str| {
        maker
            .made
            .iter()
            .filter(|made| text.contains(*made))
            .count()
    };
    assert!(
        4 * number(&compared.json) > maker.made.len(),
        "the JSON has all values: {}",
        compared.json
    );
    for text in [&compared.terminal, &compared.markdown, &compared.html] {
        assert_eq!(number(text), 0, "{text}");
        assert!(text.contains("credentials are not shown"), "{text}");
    }
    let compared = compare(
        &plans[0],
        &plans[1],
        None,
        &Options {
            show_sensitive: true,
            ..options
        },
    );
    assert!(
        number(&compared.terminal) > 0 && !compared.terminal.contains("credentials are not shown")
    );
}
