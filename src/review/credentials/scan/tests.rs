//! Tests where credentials are found in a text, and that nothing else is.

use super::*;

/// Returns characters that look random. Tests build credentials, so that none is in this file.
fn body(length: usize) -> String {
    "aB3dE5fG7h".chars().cycle().take(length).collect()
}

fn token() -> String {
    format!("ghp_{}", body(36))
}

fn base64(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |index: usize| char::from(DIGITS[index & 63]);
    text.as_bytes()
        .chunks(3)
        .flat_map(|part| {
            let byte = |index: usize| usize::from(part.get(index).copied().unwrap_or_default());
            let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
            let digits = [18, 12, 6, 0].map(|shift| digit(bits >> shift));
            let kept = part.len() + 1;
            (0..4).map(move |index| if index < kept { digits[index] } else { '=' })
        })
        .collect()
}

/// Returns the credentials of a text, and the rest of the text around them.
fn read(text: &str, name: Option<&str>) -> (Vec<(&'static str, String)>, String) {
    let hits = scan(text, name, Known::default());
    let (mut credentials, mut rest, mut offset) = (Vec::new(), String::new(), 0);
    for hit in &hits {
        hit.each(&mut |name, secret| credentials.push((name, secret.to_owned())));
        rest.extend([&text[offset..hit.range.start], "*"]);
        offset = hit.range.end;
    }
    rest.push_str(&text[offset..]);
    (credentials, rest)
}

#[test]
fn a_credential_is_found_in_any_encoding_and_is_the_same_one() {
    let token = token();
    let escaped: String = token
        .chars()
        .map(|c| format!("\\u{:04x}", u32::from(c)))
        .collect();
    let percent: String = token.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let json = serde_json::json!({ "a": format!("x\n{token}\n") }).to_string();
    let twice = serde_json::json!({ "a": json }).to_string();
    for (text, rest) in [
        (token.clone(), "*"),
        (format!("a {token} b"), "a * b"),
        (base64(&format!("x={token}")), "*"),
        (base64(&base64(&base64(&token))), "*"),
        (
            format!("kind: Secret\ndata:\n  t: {}\n", base64(&token)),
            "kind: Secret\ndata:\n  t: *\n",
        ),
        (format!("{{\"t\":\"{}\"}}", base64(&token)), "{\"t\":\"*\"}"),
        (
            format!("https://x/{}/y", base64(&format!("{token}."))),
            "https://x/*/y",
        ),
        (escaped.clone(), "*"),
        (percent.clone(), "*"),
        (format!("https://x/?t={percent}&u=1"), "https://x/?t=*&u=1"),
        (percent.replace('%', "%25"), "*"),
        (escaped.replace('\\', "\\\\"), "*"),
        (json, "{\"a\":\"x\\n*\\n\"}"),
        (twice, "{\"a\":\"{\\\"a\\\":\\\"x\\\\n*\\\\n\\\"}\"}"),
    ] {
        let (credentials, left) = read(&text, None);
        assert_eq!(credentials, [("GitHub token", token.clone())], "{text}");
        assert_eq!(left, rest, "{text}");
    }
}

#[test]
fn a_value_is_a_credential_if_its_name_says_so() {
    let random = body(24);
    for (text, rest) in [
        (
            "Server=db;Password=a b!c&d=9;Encrypt=True",
            "Server=db;Password=*;Encrypt=True",
        ),
        ("Pwd=corr,ect!horse", "Pwd=*"),
        (
            "postgres://h/x?user=a&password=correct9&ssl=1",
            "postgres://h/x?user=a&password=*&ssl=1",
        ),
        (
            "user=a,password=correct9,host=b",
            "user=a,password=*,host=b",
        ),
        (
            "{\"DB_PASSWORD\":\"cor\\\"rect\"}",
            "{\"DB_PASSWORD\":\"*\"}",
        ),
        (
            "[{\"name\":\"DB_PASSWORD\",\"value\":\"correct9\"}]",
            "[{\"name\":\"DB_PASSWORD\",\"value\":\"*\"}]",
        ),
        (
            "[{\"value\":\"correct9\",\"name\":\"DB_PASSWORD\"}]",
            "[{\"value\":\"*\",\"name\":\"DB_PASSWORD\"}]",
        ),
        (
            "[{\"value\":\"correct9\"},{\"name\":\"DB_PASSWORD\"}]",
            "[{\"value\":\"correct9\"},{\"name\":\"DB_PASSWORD\"}]",
        ),
        (
            "  - name: DB_PASSWORD\n    value: correct9\n",
            "  - name: DB_PASSWORD\n    value: *\n",
        ),
        (
            "  ~ DB_PASSWORD = \"correct8\" -> \"correct9\"",
            "  ~ DB_PASSWORD = \"*\" -> \"*\"",
        ),
        (
            "export DB_PASSWORD=correct9\necho",
            "export DB_PASSWORD=*\necho",
        ),
        (
            "password: correct9 # of the database\nuser: a",
            "password: * # of the database\nuser: a",
        ),
        (
            "password: see the wiki, page 9",
            "password: see the wiki, page 9",
        ),
        (
            "password=${var.password};a=b",
            "password=${var.password};a=b",
        ),
        ("password_policy=correct9", "password_policy=correct9"),
        ("PASSWORD=$DB_PASSWORD", "PASSWORD=$DB_PASSWORD"),
    ] {
        assert_eq!(read(text, None).1, rest, "{text}");
    }
    assert_eq!(
        read(&format!("AccountKey={random};a=b"), None).1,
        "AccountKey=*;a=b"
    );
    assert_eq!(
        read("correct9", Some("DB_PASSWORD")).0,
        [("password", "correct9".to_owned())]
    );
    assert_eq!(read("correct9", Some("user")).0, []);
}

#[test]
fn only_lines_of_base64_are_part_of_a_key() {
    let key = format!(
        "-----BEGIN PRIVATE KEY-----\n{0}\n{0}\n-----END PRIVATE KEY-----\n",
        body(64)
    );
    let (plain, escaped) = (read(&key, None), read(&key.replace('\n', "\\n"), None));
    assert_eq!(plain.0, [("private key", body(64).repeat(2))]);
    assert_eq!(plain.0, escaped.0, "the same key");
    let shown = key_lines("\n0.0.0.0/0\nsuper_admin\n+ AAAABBBB\n").map(|line| line.is_key);
    assert_eq!(shown.collect::<Vec<_>>(), [false, false, false, true]);
}

#[test]
fn ordinary_texts_have_no_credentials() {
    for text in [
        "arn:aws:iam::123456789012:role/AmazonEC2ContainerRegistryReadOnly",
        "/subscriptions/6f1d0a52-9a63-4d7e-9a0c-2b4f6a7d1c11/resourceGroups/rg-shop-prod",
        "InstrumentationKey=00000000-0000-0000-0000-000000000000",
        "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Action\":\"sts:AssumeRole\"}]}",
        "QXJlIHlvdSBzdXJlIHRoYXQgdGhpcyBpcyBhIHNlY3JldD8=",
        "token: my-token-name",
        "secretName: db-credentials-v2",
        "C:\\new\\temp",
        "100%25 of it",
    ] {
        assert_eq!(scan(text, None, Known::default()), [], "{text}");
    }
}

/// Lines are read as the tool shows them if they are added.
#[test]
fn base64_in_lines_of_a_difference_is_read_as_a_whole() {
    let inner = base64(&format!("{}{}", "x ".repeat(40), token()));
    let lines: Vec<String> = base64(&inner)
        .as_bytes()
        .chunks(76)
        .map(|line| String::from_utf8(line.to_vec()).unwrap())
        .collect();
    for before in ["\n", "\n    ", "\n    + ", "\n    - "] {
        let text = format!("a = <<-EOT{before}{}\nEOT\n", lines.join(before));
        let (credentials, rest) = read(&text, None);
        assert_eq!(credentials, [("GitHub token", token())], "{text}");
        assert_eq!(rest, format!("a = <<-EOT{before}*\nEOT\n"));
    }
}

#[test]
fn a_command_of_powershell_is_read() {
    let units: String = format!("$t = '{}'", token())
        .chars()
        .flat_map(|c| [c, '\0'])
        .collect();
    let text = format!("powershell -EncodedCommand {}", base64(&units));
    let (credentials, rest) = read(&text, None);
    assert_eq!(credentials, [("GitHub token", token())], "{text}");
    assert_eq!(rest, "powershell -EncodedCommand *");
}

#[test]
fn entities_of_xml_are_read() {
    for quote in ["&quot;", "&apos;", "&#39;", "&#x27;", "\""] {
        let text = format!("<v>export PGPASSWORD={quote}aQ7bXw2Z9k{quote}</v>");
        let (credentials, rest) = read(&text, None);
        assert_eq!(
            credentials,
            [("password", "aQ7bXw2Z9k".to_owned())],
            "{text}"
        );
        assert_eq!(rest, format!("<v>export PGPASSWORD={quote}*{quote}</v>"));
    }
    assert_eq!(read("a&#xffffffff;b&#;c&;", None).0, []);
}

/// The data of a Secret in a text, and the rest of the text.
#[test]
fn the_data_of_secrets_is_found_in_texts() {
    for (text, rest) in [
        (
            "kind: Secret\ndata:\n  tls.key: aGVsbG8=\nmetadata:\n  name: s\n",
            "kind: Secret\ndata:\n  tls.key: *\nmetadata:\n  name: s\n",
        ),
        (
            "a: ü\n---\ndata:\n  x: y\nkind: ConfigMap\n---\nkind: \"Secret\"\nstringData:\n  x: 'ü y'\n",
            "a: ü\n---\ndata:\n  x: y\nkind: ConfigMap\n---\nkind: \"Secret\"\nstringData:\n  x: '*'\n",
        ),
        (
            "stringData:\n  x: |\n    one\n    two\nkind: Secret\n",
            "stringData:\n  x: |\n    *\nkind: Secret\n",
        ),
        (
            r#"{"items":[{"kind":"Secret","data":{"a":"b c","d":[{"e":"f"}]}},{"data":{"a":"b"}}]}"#,
            r#"{"items":[{"kind":"Secret","data":{"a":"*","d":[{"e":"*"}]}},{"data":{"a":"b"}}]}"#,
        ),
        (
            "kind: Secret\ndata:\n  a: {{ .Values.a }}: x\n  b: c\n---\nkind: X\ndata:\n  d: e\n",
            "kind: Secret\ndata:\n  a: *\n  b: *\n---\nkind: X\ndata:\n  d: e\n",
        ),
        (
            "#!/bin/sh\nset: - x\nkind: Secret\nstringData: {a: \"b\", c: d}\n",
            "#!/bin/sh\nset: - x\nkind: Secret\nstringData: {*}\n",
        ),
        (
            "#!/bin/sh\nset: - x\necho '{\"kind\":\"Secret\",\"data\":{\"a\":\"bc\"}}' | x\n",
            "#!/bin/sh\nset: - x\necho '{\"kind\":\"Secret\",\"data\":{\"a\":\"*\"}}' | x\n",
        ),
        (
            r#"{"s/v1":"{\"kind\":\"Secret\",\"data\":{\"a\":\"bc\"}}"}"#,
            r#"{"s/v1":"{\"kind\":\"Secret\",\"data\":{\"a\":\"*\"}}"}"#,
        ),
        (
            "x: |\n  kind: Secret\n  data:\n    a: bc\ny: z\n",
            "x: |\n  kind: Secret\n  data:\n    a: *\ny: z\n",
        ),
        (
            "kind: SealedSecret\nspec:\n  data:\n    a: b\n",
            "kind: SealedSecret\nspec:\n  data:\n    a: b\n",
        ),
    ] {
        assert_eq!(read(text, None).1, rest, "{text}");
    }
}

/// Of 5,000 values of real plans, those are hidden whose names say that they are credentials.
#[test]
fn values_of_real_plans_stay_readable() {
    const CREDENTIALS: [&str; 16] = [
        "password",
        "admin_password",
        "administrator_login_password",
        "administrator_password",
        "auth_token",
        "access_token",
        "db-password",
        "verification_token",
        "constant_value",
        "container_definitions",
        "gce-container-declaration",
        "insecure_value",
        "value",
        "Sql__ConnectionString",
        "/shop/slack",
        "DB_PASSWORD",
    ];
    let mut values = std::collections::BTreeSet::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    for folder in ["wild", "corpus/plans"] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let file = if path.is_dir() {
                path.join("plan.json")
            } else {
                path
            };
            let text = std::fs::read_to_string(file).unwrap_or_default();
            let mut waiting = vec![(
                String::new(),
                serde_json::from_str::<serde_json::Value>(&text).unwrap_or_default(),
            )];
            while let Some((name, value)) = waiting.pop() {
                match value {
                    serde_json::Value::String(text) => _ = values.insert((name, text)),
                    serde_json::Value::Array(items) => {
                        waiting.extend(items.into_iter().map(|item| (name.clone(), item)));
                    }
                    serde_json::Value::Object(members) => waiting.extend(members),
                    serde_json::Value::Null
                    | serde_json::Value::Bool(_)
                    | serde_json::Value::Number(_) => {}
                }
            }
        }
    }
    // The plans are not a part of the project.
    if values.is_empty() {
        return;
    }
    let every = (values.len() / 5_000).max(1);
    let sample: Vec<_> = values.iter().step_by(every).collect();
    assert!(sample.len() >= 5_000, "{} values", sample.len());
    for (name, text) in sample {
        let hits = scan(text, Some(name), Known::default());
        assert!(
            hits.is_empty() || CREDENTIALS.contains(&&**name),
            "{name} = {text}: {hits:?}"
        );
    }
}
