//! Tests of the forms: each row with its own examples, and keys.

use super::*;

/// Returns the names and texts of the credentials in a text, without repeats.
fn found(text: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    credentials(text, &mut |credential| {
        let credential = (credential.name, credential.secret.to_owned());
        if !found.contains(&credential) {
            found.push(credential);
        }
    });
    found
}

fn names(text: &str) -> Vec<&'static str> {
    found(text).into_iter().map(|(name, _)| name).collect()
}

/// The tests build credentials, so that none is in this file.
fn body(length: usize) -> String {
    "aB3dE5fG7h".chars().cycle().take(length).collect()
}

/// Returns an example with its credentials: `{a36}`, `{u16}` and `{h32}` become characters, or one `part` of them.
fn written(example: &str, part: usize) -> String {
    let mut text = String::new();
    let mut rest = example;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let end = after.find('}').unwrap_or(0);
        let (kind, digits) = after.split_at(1.min(end));
        let digits = &digits[..end.saturating_sub(1)];
        match (kind, digits.parse::<usize>()) {
            (kind @ ("a" | "u" | "h"), Ok(length)) => {
                let letters = match kind {
                    "a" => "aB3dE5fG7hK9",
                    "u" => "A7B3C9D5E1F2",
                    _ => "7a3bc9d0e5f1",
                };
                text.extend(letters.chars().cycle().take(length / part));
            }
            _ => text.extend(["{", &after[..=end]]),
        }
        rest = &after[end + 1..];
    }
    text + rest
}

#[test]
fn each_row_has_an_example_that_hits_and_one_that_does_not() {
    assert!(MARKS.is_some(), "the marks can be searched");
    let mut count = 0;
    for form in FORMS.iter() {
        assert!(
            Regex::new(&format!(r"\A(?:{})", form.rest)).is_ok(),
            "{}: {}",
            form.name,
            form.rest
        );
        let hit = written(form.hit, 1);
        for text in [hit.clone(), format!("x: \"{hit}\"\n")] {
            let is_found = found(&text)
                .iter()
                .any(|(name, _)| *name == form.name || matches!(form.check, Check::Named));
            assert!(is_found, "{}: {text}: {:?}", form.name, found(&text));
        }
        let miss = match form.place {
            Place::Word => written(form.hit, 2),
            Place::Anywhere | Place::Option | Place::OptionOf(_) => written(form.miss, 1),
        };
        assert!(
            !names(&miss).contains(&form.name),
            "{}: {miss}: {:?}",
            form.name,
            found(&miss)
        );
        if matches!(form.place, Place::Word) {
            let inside = format!("abc{hit}");
            assert!(
                !names(&inside).contains(&form.name),
                "{}: {inside}: in a word",
                form.name
            );
        }
        count += 1;
    }
    assert!(count > 130, "{count} rows");
}

#[test]
fn only_the_credential_of_a_command_is_hidden() {
    let secret = body(14);
    for (text, count) in [
        (format!("curl -s -u admin:{secret} https://x/y"), 1),
        (format!("curl -uadmin:{secret} https://x/y"), 1),
        (
            format!("curl \\\n  --user \"admin:{secret}\" \\\n  https://x"),
            1,
        ),
        (format!("[\"curl\", \"-u\", \"admin:{secret}\"]"), 1),
        (
            format!("[\n  \"curl\",\n  \"-u\",\n  \"admin:{secret}\"\n]"),
            1,
        ),
        (format!("sshpass -p{secret} ssh app@x"), 1),
        (format!("/usr/bin/sshpass -p '{secret}' ssh app@x"), 1),
        (format!("docker login -u app -p {secret} r.example"), 1),
        (
            format!("docker login --username app --password {secret}"),
            1,
        ),
        (format!("helm registry login r -u app -p \"{secret}\""), 1),
        (format!("mysql -h db -uroot -p{secret} shop"), 1),
        (format!("vault operator x -token={secret}Q9"), 1),
        (format!("app --client-secret {secret}9aQ --port 80"), 1),
        (format!("gpg --batch --passphrase {secret} -d x"), 1),
        (format!("keytool -storepass {secret} -keystore k"), 1),
        (format!("echo \"root:{secret}\" | chpasswd"), 1),
        (format!("echo {secret} | passwd --stdin root"), 1),
        (
            "docker run -u 1000:1000 -p 8080:80 nginx:1.27".to_owned(),
            0,
        ),
        ("docker login -u $USER -p $PASSWORD r.example".to_owned(), 0),
        ("curl -u \"$USER:$PASSWORD\" https://x".to_owned(), 0),
        ("mkdir -p /opt/app && ssh -p 2222 app@x".to_owned(), 0),
        (
            "app --token-file /run/secrets/token --password-stdin".to_owned(),
            0,
        ),
        ("app --password <password> --token TOKEN".to_owned(), 0),
        ("tar -p -xf archive.tar.gz -C /opt".to_owned(), 0),
    ] {
        let found = found(&text);
        assert_eq!(found.len(), count, "{text}: {found:?}");
        let is_only = found.iter().all(|(_, shown)| shown.starts_with(&*secret));
        assert!(is_only, "{text}: {found:?}");
    }
}

#[test]
fn keys_and_passwords_are_found_where_they_are_in_plain_text() {
    let key = |label: &str| {
        format!(
            "-----BEGIN {label}-----\n{}\n-----END {label}-----",
            body(80)
        )
    };
    for (text, expected) in [
        (key("RSA PRIVATE KEY"), vec!["private key"]),
        (key("PRIVATE KEY").replace('\n', "\\n"), vec!["private key"]),
        (key("PGP PRIVATE KEY BLOCK"), vec!["PGP private key"]),
        (key("PUBLIC KEY"), vec![]),
        (key("CERTIFICATE"), vec![]),
        (key("ENCRYPTED PRIVATE KEY"), vec![]),
        (
            "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----".to_owned(),
            vec![],
        ),
        (
            format!("postgres://app:{}@db/x", body(9)),
            vec!["password in a URL"],
        ),
        (
            format!("postgres://app:a${}!@db/x", body(9)),
            vec!["password in a URL"],
        ),
        ("postgres://app:${PASSWORD}@db/x".to_owned(), vec![]),
        ("https://user:password@example.com".to_owned(), vec![]),
        ("https://user:****@example.com".to_owned(), vec![]),
        ("https://example.com:8080/a@b".to_owned(), vec![]),
        ("amqp://guest:guest@mq".to_owned(), vec![]),
        (format!("AWS_SECRET_ACCESS_KEY={}", body(41)), vec![]),
        (format!("OTHER={}", body(40)), vec![]),
    ] {
        assert_eq!(names(&text), expected, "{text}");
    }
}

#[test]
fn a_credential_that_is_longer_than_what_is_compared_is_hidden_up_to_its_end() {
    for length in [1_000, 1_199, 1_200, 1_201, 5_000] {
        let token = format!("xoxb-{}", body(length));
        assert_eq!(
            found(&format!("a {token} b")),
            [("Slack token", token.clone())],
            "{length}"
        );
    }
    let token = format!("eyJ{}.eyJ{}.{}", body(40), body(6_000), body(400));
    assert_eq!(
        names(&format!("Bearer {token}.")).first(),
        Some(&"JSON Web Token")
    );
}
