//! Credentials by what they are, not where they were found first: what is called one or is one is hidden, on both sides of
//! an edit, in every encoding in which it is shown.
//!
//! A generator joins what the rows of `src/review/credentials/forms/rows.rs` are about (names, addresses, headers,
//! commands, objects of kind Secret) with carriers (attributes, variables, scripts, documents, lists of arguments) and
//! encodings. Credentials are made here, so that none is in this file.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tfview::internals::compare::Options;
use tfview::internals::dialect::Dialect;
use tfview::internals::stack;

use crate::base64::base64;
use crate::compare::compare;
use crate::display::{self, Display};
use crate::plan::{Change, PlanBuilder};
use crate::random::{Random, cases, first_seed};

/// The number of kinds of lines.
const LINES: usize = 30;

/// A plan that is being made, and the texts that no output may show.
struct Maker {
    random: Random,
    needles: Vec<String>,
}

impl Maker {
    fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            needles: Vec::new(),
        }
    }

    /// Random characters of an alphabet.
    fn characters(&mut self, alphabet: &[u8], length: usize) -> String {
        (0..length)
            .map(|_| char::from(*self.random.pick(alphabet)))
            .collect()
    }

    /// A random text, as generators of passwords, keys and tokens make it.
    fn secret(&mut self) -> String {
        const LOWER: &[u8] = b"abcdefghijkmnpqrstuvwxyz";
        const LETTERS: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
        const ALL: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
        const HEX: &[u8] = b"0123456789abcdef";
        let length = 20 + self.random.below(20);
        let body = match self.random.below(4) {
            0 => self.characters(LETTERS, 32),
            1 => format!("a7{}9e", self.characters(HEX, 28)),
            2 => self.characters(LOWER, 32),
            _ => format!("aQ7b{}Z9", self.characters(ALL, length)),
        };
        self.needles.push(body.clone());
        body
    }

    /// An attribute or variable whose name says that its value is a credential.
    fn named(&mut self) -> (String, String) {
        const NAMES: [&str; 22] = [
            "SECRET_KEY_BASE",
            "GITHUB_PAT",
            "REDIS_AUTH",
            "CLIENT_SECRET",
            "clientSecret",
            "HMAC_KEY",
            "signing_key",
            "apiToken",
            "access_token",
            "DB_PASSWORD",
            "dbPassword",
            "jwt-secret",
            "APP_SALT",
            "NPM_TOKEN",
            "STRIPE_API_KEY",
            "encryptionKey",
            "session_key",
            "cookie_secret",
            "MASTER_KEY",
            "X-Api-Key",
            "webhook_secret",
            "registry.auth",
        ];
        let name = (*self.random.pick(&NAMES)).to_owned();
        (name, self.secret())
    }

    /// An address that is a credential, a header, a line of a file or a command of a script: one of [`LINES`].
    fn line(&mut self, choice: usize) -> String {
        const LETTERS: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
        let mut plain = |length: usize| {
            let body = format!("7{}4", self.characters(LETTERS, length - 2));
            self.needles.push(body.clone());
            body
        };
        match choice {
            0 => format!(
                "https://a.blob.core.windows.net/c?sv=2022-11-02&sp=r&sig={}%3D",
                plain(43)
            ),
            1 => format!(
                "https://discord.com/api/webhooks/123456789012345678/{}",
                plain(68)
            ),
            2 => format!(
                "https://discordapp.com/api/v9/webhooks/123456789012345678/{}",
                plain(68)
            ),
            3 => format!(
                "https://hooks.slack.com/services/T02ABCDEF/B03ABCDEF/{}",
                plain(24)
            ),
            4 => format!(
                "https://x.webhook.office.com/webhookb2/0f8fad5b-d9cb-469f-a165-708677289500@0f8fad5b/IncomingWebhook/{}/0f8f",
                plain(32)
            ),
            5 => format!(
                "https://api.telegram.org/bot123456789:{}/sendMessage",
                plain(35)
            ),
            6 => format!(
                "https://prod-01.westeurope.logic.azure.com:443/workflows/0f8fad5b/triggers/manual/paths/invoke?api-version=2016-10-01&sv=1.0&sig={}",
                plain(43)
            ),
            7 => format!(
                "https://d.cloudfront.net/k?Expires=1&Signature={}&Key-Pair-Id=K1",
                plain(120)
            ),
            8 => format!("Authorization: Bearer {}", plain(40)),
            9 => format!("Authorization: token {}", plain(40)),
            10 => {
                let login = base64(format!("deploy:{}", plain(16)).as_bytes());
                self.needles.push(login.clone());
                format!("Authorization: Basic {login}")
            }
            11 => format!("curl -s -u admin:{} https://repo.example.net/x", plain(14)),
            12 => format!(
                "curl --user 'admin:{}' https://repo.example.net/x",
                plain(14)
            ),
            13 => format!("sshpass -p {} ssh deploy@host", plain(14)),
            14 => format!("sshpass -p'{}' scp a deploy@host:", plain(14)),
            15 => format!("docker login -u app -p {} registry.example.net", plain(14)),
            16 => format!("mysql -h db -u root -p{} shop", plain(14)),
            17 => format!("app serve --token {} --port 80", plain(30)),
            18 => format!("app serve --password={} --port 80", plain(14)),
            19 => format!("app login --client-secret '{}'", plain(30)),
            20 => format!("echo 'root:{}' | chpasswd", plain(14)),
            21 => format!("echo \"ubuntu:{}\" | sudo chpasswd", plain(14)),
            22 => format!(
                "echo {} | docker login -u app --password-stdin r.example",
                plain(14)
            ),
            23 => format!("machine a.example login app password {}", plain(14)),
            24 => format!("redis-cli -h r -a {} ping", plain(14)),
            25 => format!("CREATE USER 'app' IDENTIFIED BY '{}';", plain(14)),
            26 => format!("wget --password={} https://x", plain(14)),
            27 => format!("ldapsearch -D cn=admin -w {} -b x", plain(14)),
            28 => format!("http -a admin:{} x.example", plain(14)),
            _ => format!("openssl rsa -passin pass:{} -in k", plain(14)),
        }
    }

    /// The configuration of Docker with the login of a registry.
    fn docker(&mut self) -> String {
        let login = base64(format!("deploy:{}", self.secret()).as_bytes());
        self.needles.push(login.clone());
        json!({ "auths": { "registry.example.com": { "auth": login } } }).to_string()
    }

    /// An object of kind Secret, whose values may be anything.
    fn secret_object(&mut self) -> Value {
        let value = |random: &mut Random| match random.below(4) {
            0 => "Zu8-this is private".to_owned(),
            1 => format!("<x>Zu8-this-is-private {}</x>", random.below(99)),
            2 => "{\"auth\":\"Zu8-this-is-private\"}".to_owned(),
            _ => "line one Zu8\nthis-is-private two".to_owned(),
        };
        let values: Vec<String> = (0..3).map(|_| value(&mut self.random)).collect();
        let encoded = base64(values[0].as_bytes());
        self.needles
            .extend(["Zu8-this", "this-is-private", &encoded].map(str::to_owned));
        json!({
            "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "s" }, "type": "Opaque",
            "data": { "service.jks": encoded, "tls.key": base64(values[1].as_bytes()) },
            "stringData": { "config.json": values[2], "text": values[1] },
        })
    }

    /// An object as YAML.
    fn yaml(object: &Value, indent: &str) -> String {
        let mut text = String::new();
        for (name, value) in object.as_object().unwrap() {
            match value {
                Value::Object(_) => {
                    text += &format!(
                        "{indent}{name}:\n{}",
                        Self::yaml(value, &format!("{indent}  "))
                    );
                }
                Value::String(value) if value.contains('\n') => {
                    let lines = value.replace('\n', &format!("\n{indent}    "));
                    text += &format!("{indent}{name}: |\n{indent}    {lines}\n");
                }
                Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Array(_) => {
                    text += &format!("{indent}{name}: {value}\n");
                }
            }
        }
        text
    }

    /// The object where it may stand: as it is, and as text.
    fn carried_object(&mut self, object: &Value) -> Value {
        let other = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: b\n";
        match self.random.below(8) {
            0 => json!({ "manifest": object }),
            1 => json!({ "yaml_body": Self::yaml(object, "") }),
            2 => {
                json!({ "content": format!("{other}---\n{}---\n{other}", Self::yaml(object, "")) })
            }
            3 => json!({ "manifest": object.to_string() }),
            4 => json!({ "values": [json!({ "extraObjects": [object] }).to_string()] }),
            5 => {
                json!({ "list": { "kind": "List", "items": [{ "kind": "ConfigMap", "data": {} }, object] } })
            }
            6 => json!({ "manifest": json!({ "secret/v1/s": object.to_string() }).to_string() }),
            _ => json!({ "content_base64": base64(Self::yaml(object, "").as_bytes()) }),
        }
    }

    /// A line of a script in what may hold scripts.
    fn carried_line(&mut self, line: &str) -> Value {
        let script = format!("#!/bin/sh\nset -e\n{line}\necho done\n");
        match self.random.below(6) {
            0 => json!({ "user_data": script }),
            1 => {
                let text = base64(script.as_bytes());
                self.needles.push(text.clone());
                json!({ "user_data_base64": text })
            }
            2 => json!({ "note": line }),
            3 => json!({ "document": json!({ "run": [script] }).to_string() }),
            4 => json!({ "environment": [{ "name": "CMD", "value": line }] }),
            _ => {
                json!({ "manifest": format!("steps:\n  - run: |\n      {line}\n      echo done\n") })
            }
        }
    }

    /// A named value in what may hold variables.
    fn carried_name(&mut self, name: &str, value: &str) -> Value {
        match self.random.below(8) {
            0 => json!({ "environment": { "variables": { name: value } } }),
            1 => json!({ "env": [{ "name": name, "value": value }] }),
            2 => {
                json!({ "container_definitions": json!([{ "environment": [{ "name": name, "value": value }] }]).to_string() })
            }
            3 => json!({ "parameters": [{ "ParameterKey": name, "ParameterValue": value }] }),
            4 => {
                json!({ "user_data": format!("#!/bin/sh\nexport {}={value}\n", name.replace(['-', '.'], "_")) })
            }
            5 => json!({ "config": format!("a: 1\n{name}: {value}\nb: 2\n") }),
            6 => json!({ "app_settings": { name: value } }),
            _ => json!({ "settings": json!({ "x": { name: value } }).to_string() }),
        }
    }

    /// An attribute with a credential, of the same kind on both sides.
    fn side(&mut self, kind: usize, carrier: u64) -> Value {
        // Both sides have the same carrier.
        let needles = std::mem::take(&mut self.needles);
        let value = match kind {
            0 => {
                let (name, value) = self.named();
                self.random = Random::new(carrier);
                self.carried_name(&name, &value)
            }
            1 => {
                let choice = self.random.below(LINES);
                let line = self.line(choice);
                self.random = Random::new(carrier);
                self.carried_line(&line)
            }
            2 => {
                let object = self.secret_object();
                self.random = Random::new(carrier);
                self.carried_object(&object)
            }
            _ => json!({ "file": self.docker() }),
        };
        self.needles.splice(0..0, needles);
        value
    }
}

/// The texts that a person reads; the JSON has all values.
fn shown(plan: &str) -> Vec<(&'static str, String)> {
    let all = display::reviewed(plan, None, Display::plain(Dialect::TERRAFORM));
    all.into_iter()
        .filter(|(output, _)| *output != "review as json")
        .collect()
}

fn plan(before: &Value, after: &Value) -> String {
    PlanBuilder::of([Change::between("a_b.c", before, after)]).json()
}

fn report(leaks: &[String]) {
    assert!(
        leaks.is_empty(),
        "{} leaks\n{}",
        leaks.len(),
        leaks[..leaks.len().min(5)].join("\n")
    );
}

#[test]
fn no_credential_of_any_class_is_shown_on_either_side() {
    let mut leaks = Vec::new();
    for seed in first_seed()..first_seed() + cases(20) {
        let mut maker = Maker::new(seed);
        let kind = maker.random.below(4);
        let carrier = seed.wrapping_mul(31) + 7;
        let before = maker.side(kind, carrier);
        maker.random = Random::new(seed + 1_000_003);
        let after = maker.side(kind, carrier);
        let sides = match seed % 4 {
            0 => (Value::Null, after),
            1 => (before, Value::Null),
            _ => (before, after),
        };
        let text = plan(&sides.0, &sides.1);
        let other = plan(&sides.0, &json!({ "note": "x" }));
        let compared = compare(&other, &text, None, &Options::default());
        let compared = [
            ("diff", compared.terminal),
            ("diff as markdown", compared.markdown),
            ("diff as html", compared.html),
        ];
        for (output, shown) in shown(&text).into_iter().chain(compared) {
            for needle in maker
                .needles
                .iter()
                .filter(|needle| shown.contains(&***needle))
            {
                leaks.push(format!(
                    "TFVIEW_SEED={seed}: {needle} in {output} of {text}"
                ));
            }
        }
    }
    report(&leaks);
}

#[test]
fn what_names_one_side_of_an_edit_names_the_other() {
    let random = "aRseydUiFX4CGMDcAbLdvzCmQZXi";
    for other in [
        "DfZLyYzZFYimGmfueiqwhMJztWc",
        "correct-horse-battery",
        "winterIsComing",
    ] {
        for (before, after) in [(random, other), (other, random)] {
            let side = |value: &str| {
                json!({ "environment": [{ "variables": { "HMAC_KEY": value } }],
                    "config": format!("a: 1\nHMAC_KEY: {value}\n") })
            };
            for (output, text) in shown(&plan(&side(before), &side(after))) {
                assert!(
                    !text.contains(random) && !text.contains(other),
                    "{output}: {text}"
                );
            }
        }
    }
}

#[test]
fn two_credentials_that_differ_never_look_the_same() {
    for choice in 0..LINES {
        let mut maker = Maker::new(first_seed());
        let [before, after] = [(); 2].map(|()| json!({ "note": maker.line(choice) }));
        for (output, text) in shown(&plan(&before, &after)) {
            let are_told_apart = ["2)", "3)", "2}"].iter().any(|mask| text.contains(mask));
            assert!(output != "review" || are_told_apart, "{choice}: {text}");
        }
    }
}

/// The tool prints base64; a comment must not show more than the tool does.
#[test]
fn base64_that_is_called_a_password_is_not_decoded() {
    let side = |value: &str| {
        let encoded = base64(value.as_bytes());
        json!({ "manifest": { "data": { "password": encoded } },
            "yaml_body": format!("kind: X\nspec:\n  password: {encoded}\n") })
    };
    let [old, new] = ["ijMmsd1piZwz-old", "ijMms1piZwz_paa-new"];
    for (before, after) in [
        (Value::Null, side(new)),
        (side(old), side(new)),
        (side(new), Value::Null),
    ] {
        for (output, text) in shown(&plan(&before, &after)) {
            for needle in [old, new]
                .map(str::to_owned)
                .into_iter()
                .chain([old, new].map(|text| base64(text.as_bytes())))
            {
                assert!(!text.contains(&needle), "{output}: {text}");
            }
        }
    }
}

/// What is deeper than a bound was not searched.
#[test]
fn a_credential_is_found_at_any_depth() {
    let token = format!("ghp_{}", "aB3dE5fG7h".repeat(4).get(..36).unwrap());
    let deep = |depth: usize| {
        let mut value = json!({ "DB_PASSWORD": "Wint3r!sComing", "t": token });
        for _ in 0..depth {
            value = json!({ "a": value });
        }
        let text = plan(&json!({ "v": "x" }), &json!({ "v": value }));
        for (output, text) in shown(&text) {
            assert!(!text.contains(&token), "{output} at {depth}");
            assert!(!text.contains("Wint3r!sComing"), "{output} at {depth}");
        }
    };
    stack::large(|| [3, 63, 64, 65, 200, 900].into_iter().for_each(deep))
        .unwrap()
        .unwrap();
    let mut encoded = token.clone();
    for _ in 0..14 {
        encoded = base64(encoded.as_bytes());
    }
    for (output, text) in shown(&plan(&json!({ "v": "x" }), &json!({ "v": encoded }))) {
        assert!(!text.contains(&encoded[..200]), "{output}: {text}");
    }
}

/// Values that somebody has to read in order to approve, with names and forms that are near those of credentials.
const READABLE: &[(&str, &str)] = &[
    ("secret_name", "prod/db/password"),
    (
        "secret_arn",
        "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
    ),
    ("existingSecret", "postgres-credentials-v2"),
    ("secretKeyRef", "db-credentials"),
    ("password_policy", "length>=12"),
    ("force_password_change", "true-on-first-login"),
    ("password_reuse_prevention", "24 passwords"),
    ("token_type", "JWT-ACCESS-TOKEN"),
    ("token_use", "access-token-v2"),
    ("access_token_lifetime", "3600 seconds"),
    ("kms_key", "alias/prod-database"),
    ("kms_key_id", "1f3e5a7c-1b2d-4f6a-8c9e-0a1b2c3d4e5f"),
    ("kms_master_key_id", "alias/aws/sqs"),
    ("key_name", "deploy-2024-eu-west-1"),
    (
        "public_key",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9x deploy@example",
    ),
    ("partition_key", "customerId2024PartitionKey"),
    ("hash_key", "tenantId"),
    ("cache_key", "v3-dependencies-20240601"),
    (
        "instrumentation_key",
        "1f3e5a7c-1b2d-4f6a-8c9e-0a1b2c3d4e5f",
    ),
    ("auth_type", "AWS_IAM"),
    ("auth", "required"),
    ("authorization", "COGNITO_USER_POOLS"),
    ("authorization_scopes", "email openid"),
    ("identity_source", "$request.header.Authorization"),
    ("credentials", "arn:aws:iam::123456789012:role/gateway"),
    ("credential_duration", "PT1H-reauthenticate"),
    ("pat", "^release-[0-9]+$"),
    ("pattern", "^release-[0-9]+$"),
    ("path", "/v1/tokens/refresh"),
    ("compatibility", "2024-09-23"),
    (
        "image",
        "registry.example.com/app@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ),
    ("etag", "9f86d081884c7d659a2feaa0c55ad015"),
    ("id", "i-0123456789abcdef0"),
    (
        "role",
        "arn:aws:iam::123456789012:role/AmazonEC2ContainerRegistryReadOnly",
    ),
    ("command", "docker run -u 1000:1000 -p 8080:80 nginx:1.27"),
    ("command", "mkdir -p /opt/app && ssh -p 2222 app@host"),
    (
        "command",
        "app --token-file /run/secrets/token --password-stdin",
    ),
    ("command", "curl -fsSL https://get.example.com | sh"),
    ("command", "docker login -u $USER -p $PASSWORD r.example"),
    ("command", "echo $PASSWORD | docker login --password-stdin"),
    ("command", "curl -u \"$USER:$PASSWORD\" https://x.example"),
    ("command", "psql -U app -h db -c 'select 1'"),
    ("url", "https://example.com/callback?code=200&state=ok"),
    ("url", "https://discord.com/invite/terraform"),
    ("url", "https://hooks.slack.com/"),
    ("url", "https://user@example.com/path"),
    ("url", "https://example.com:8443/webhooks/github"),
    ("text", "the login form asks for a password and a token"),
    (
        "text",
        "Basic authentication is required for the bearer of this letter",
    ),
    (
        "template",
        "password=${var.password};token={{ .Values.token }}",
    ),
    ("template", "Authorization: Bearer ${token}"),
    (
        "template",
        "export DB_PASSWORD=$(aws secretsmanager get-secret-value --secret-id db)",
    ),
    ("code", "password = os.environ[\"DB_PASSWORD\"]"),
    ("code", "const token = process.env.API_TOKEN;"),
    ("code", "token = request.headers.get('Authorization')"),
    (
        "yaml",
        "kind: ConfigMap\ndata:\n  mode: standard-readable\n",
    ),
    (
        "yaml",
        "kind: ExternalSecret\nspec:\n  data:\n    - secretKey: readable-key\n",
    ),
    (
        "yaml",
        "secretName: tls-certificate\nsecretRef:\n  name: readable\n",
    ),
];

#[test]
fn what_is_no_credential_stays_readable() {
    for (name, value) in READABLE {
        let before = json!({ "x": { *name: "before" } });
        let after = json!({ "x": { *name: value } });
        for (output, text) in shown(&plan(&before, &after)) {
            assert!(
                !text.contains("credentials are not shown"),
                "{output}: {name} = {value}: {text}"
            );
        }
    }
}

/// What may hold a credential cannot reach a writer: the exact edits are a type of their own.
#[test]
fn only_code_that_judges_reads_exact_edits_and_only_masks_makes_shown_ones() {
    const JUDGES: [&str; 8] = [
        "src/review/build/",
        "src/review/causes.rs",
        "src/review/edit_lists.rs",
        "src/review/entry.rs",
        "src/review/findings/",
        "src/review/formats/json/",
        "src/review/masks/",
        "src/review/risk.rs",
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut folders, mut count) = (vec![root.join("src")], 0);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .replace('\\', "/");
            let text = fs::read_to_string(&path).unwrap_or_default();
            let is_judge = JUDGES.iter().any(|judge| name.starts_with(judge))
                // Once before masking, for the paths of what forces a replacement.
                || name == "src/review/reasons.rs";
            assert!(
                is_judge || !text.contains(".exact()"),
                "{name} reads exact edits"
            );
            let is_mask =
                name.starts_with("src/review/masks/") || name == "src/review/edit_lists.rs";
            assert!(
                is_mask || !text.contains("ShownEdits::masked("),
                "{name} makes shown edits"
            );
            count += usize::from(text.contains(".exact()"));
        }
    }
    assert!(count > 5, "{count} files read exact edits");
}
