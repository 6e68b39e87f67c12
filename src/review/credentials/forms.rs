//! The known forms of credentials. A text counts only if it has a form that its issuer documents.
//!
//! Invariant: each text is read once from left to right. Forms are tried only where a word begins, by its first byte.
//!
//! ```text
//! "see ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"   Credential { name: "GitHub token", text: "ghp_…", secret: "ghp_…" }
//! "postgres://app:kX9…@db/shop"                     Credential { name: "password in a URL", secret: "kX9…", … }
//! ```

use std::ops::{Range, RangeInclusive};

use crate::review::names;

/// A credential in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Credential<'t> {
    /// The name of the form, in texts.
    pub name: &'static str,
    /// The text that identifies the credential.
    pub text: &'t str,
    /// The part that must not be shown.
    pub secret: &'t str,
}

impl<'t> Credential<'t> {
    /// Creates a credential that is secret as a whole.
    pub(super) fn new(name: &'static str, text: &'t str) -> Self {
        Self {
            name,
            text,
            secret: text,
        }
    }
}

/// The characters that a credential may have after its prefix.
#[derive(Clone, Copy)]
enum Charset {
    Alphanumeric,
    Word,
    Dotted,
    Upper,
    Hex,
    Base64,
}

impl Charset {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Alphanumeric => byte.is_ascii_alphanumeric(),
            Self::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => Self::Word.has(byte) || byte == b'.',
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'),
        }
    }
}

/// A form of credentials that is recognized by its first characters.
struct CredentialPattern {
    /// The characters that identify the issuer, such as `ghp_`.
    prefix: &'static str,
    /// The characters that follow.
    charset: Charset,
    /// The number of characters that follow.
    length: RangeInclusive<usize>,
    /// The name of the form, in texts.
    name: &'static str,
}

/// Creates a form.
const fn form(
    prefix: &'static str,
    charset: Charset,
    length: RangeInclusive<usize>,
    name: &'static str,
) -> CredentialPattern {
    CredentialPattern {
        prefix,
        charset,
        length,
        name,
    }
}

/// The maximum number of characters that are read for a form without a limit of its own.
const ANY: usize = 1_000;

/// The forms of tokens, sorted by the first byte of their prefix. The first one that fits is taken.
const PATTERNS: &[CredentialPattern] = &[
    form(
        "AGE-SECRET-KEY-1",
        Charset::Upper,
        58..=58,
        "age secret key",
    ),
    form("AIza", Charset::Word, 35..=35, "Google API key"),
    form("AKIA", Charset::Upper, 16..=16, "AWS access key"),
    form("ASIA", Charset::Upper, 16..=16, "AWS access key"),
    form("ATATT3", Charset::Word, 100..=ANY, "Atlassian token"),
    form("AccountKey=", Charset::Base64, 86..=86, "Azure storage key"),
    form("NRAK-", Charset::Upper, 27..=27, "New Relic key"),
    form("PMAK-", Charset::Word, 50..=70, "Postman key"),
    form("SG.", Charset::Dotted, 66..=66, "SendGrid key"),
    form("SK", Charset::Hex, 32..=32, "Twilio key"),
    form(
        "SharedAccessKey=",
        Charset::Base64,
        43..=43,
        "Azure access key",
    ),
    form("dapi", Charset::Hex, 32..=32, "Databricks token"),
    form("dckr_pat_", Charset::Word, 27..=40, "Docker token"),
    form("doo_v1_", Charset::Hex, 64..=64, "DigitalOcean token"),
    form("dop_v1_", Charset::Hex, 64..=64, "DigitalOcean token"),
    form("dor_v1_", Charset::Hex, 64..=64, "DigitalOcean token"),
    form("dp.pt.", Charset::Alphanumeric, 40..=44, "Doppler token"),
    form("gho_", Charset::Alphanumeric, 36..=36, "GitHub token"),
    form("ghp_", Charset::Alphanumeric, 36..=36, "GitHub token"),
    form("ghr_", Charset::Alphanumeric, 36..=76, "GitHub token"),
    form("ghs_", Charset::Alphanumeric, 36..=36, "GitHub token"),
    form("ghu_", Charset::Alphanumeric, 36..=36, "GitHub token"),
    form("github_pat_", Charset::Word, 50..=100, "GitHub token"),
    form("gldt-", Charset::Word, 20..=60, "GitLab token"),
    form("glpat-", Charset::Word, 20..=60, "GitLab token"),
    form("glptt-", Charset::Word, 20..=60, "GitLab token"),
    form("glrt-", Charset::Word, 20..=60, "GitLab token"),
    form("glsa_", Charset::Word, 41..=41, "Grafana token"),
    form("hf_", Charset::Alphanumeric, 34..=34, "Hugging Face token"),
    form(
        "https://hooks.slack.com/services/T",
        Charset::Base64,
        40..=60,
        "Slack webhook",
    ),
    form("hvb.", Charset::Word, 90..=ANY, "Vault token"),
    form("hvs.", Charset::Word, 90..=ANY, "Vault token"),
    form("lin_api_", Charset::Alphanumeric, 40..=40, "Linear key"),
    form("npm_", Charset::Alphanumeric, 36..=36, "npm token"),
    form("pscale_pw_", Charset::Word, 32..=64, "PlanetScale password"),
    form("pscale_tkn_", Charset::Word, 32..=64, "PlanetScale token"),
    form("pul-", Charset::Hex, 40..=40, "Pulumi token"),
    form(
        "pypi-AgEIcHlwaS5vcmc",
        Charset::Word,
        50..=ANY,
        "PyPI token",
    ),
    form("rk_live_", Charset::Alphanumeric, 16..=ANY, "Stripe key"),
    form("sbp_", Charset::Hex, 40..=40, "Supabase token"),
    form("shpat_", Charset::Hex, 32..=32, "Shopify token"),
    form("sk-ant-", Charset::Word, 32..=ANY, "Anthropic key"),
    form("sk-proj-", Charset::Word, 40..=ANY, "OpenAI key"),
    form("sk_live_", Charset::Alphanumeric, 16..=ANY, "Stripe key"),
    form("sntrys_", Charset::Word, 40..=ANY, "Sentry token"),
    form("tskey-auth-", Charset::Word, 20..=80, "Tailscale key"),
    form("xapp-1-", Charset::Word, 30..=ANY, "Slack token"),
    form("xoxa-", Charset::Word, 20..=ANY, "Slack token"),
    form("xoxb-", Charset::Word, 20..=ANY, "Slack token"),
    form("xoxp-", Charset::Word, 20..=ANY, "Slack token"),
    form("xoxr-", Charset::Word, 20..=ANY, "Slack token"),
    form("xoxs-", Charset::Word, 20..=ANY, "Slack token"),
];

/// The length of an AWS secret access key, in characters.
const AWS_SECRET_LEN: usize = 40;

/// Whether a credential may begin with a byte, so that it is worth trying the forms.
const BEGINS: [bool; 256] = {
    let mut begins = [false; 256];
    let others = b"-:.aAe";
    let mut at = 0;
    while at < PATTERNS.len() {
        begins[PATTERNS[at].prefix.as_bytes()[0] as usize] = true;
        begins[others[at % others.len()] as usize] = true;
        at += 1;
    }
    begins
};

/// Calls `each` for each credential in `text`, from left to right. The text of a credential is not searched for others.
pub(super) fn credentials<'t>(text: &'t str, each: &mut dyn FnMut(Credential<'t>)) {
    let bytes = text.as_bytes();
    let mut offset = 0;
    while let Some(byte) = bytes.get(offset) {
        if !BEGINS[usize::from(*byte)] {
            offset += 1;
            continue;
        }
        let is_start = offset == 0
            || !bytes
                .get(offset - 1)
                .is_some_and(|byte| Charset::Alphanumeric.has(*byte));
        let step = match byte {
            b'-' if is_start => private_key(text, offset, each),
            b':' => url_password(text, offset, each),
            b'.' => terraform_token(text, offset, each),
            b'e' if is_start => web_token(text, offset, each),
            b'a' | b'A' if is_start => {
                token(text, offset, each).or_else(|| named_aws_secret(text, offset, each))
            }
            _ if is_start => token(text, offset, each),
            _ => None,
        };
        offset += step.unwrap_or(1).max(1);
    }
}

/// Whether the name of a value is that of an AWS secret access key, however it is spelled.
pub(super) fn names_aws_secret(name: &str) -> bool {
    let plain = name
        .bytes()
        .filter(u8::is_ascii_alphanumeric)
        .map(|byte| byte.to_ascii_lowercase());
    plain.rev().take(15).eq("secretaccesskey".bytes().rev())
}

/// Whether a text has the form of an AWS secret access key. Many other texts have it too, so the name must say that it
/// is one.
pub(super) fn is_aws_secret(text: &str) -> bool {
    let has = |of: fn(&u8) -> bool| text.bytes().any(|byte| of(&byte));
    text.len() == AWS_SECRET_LEN
        && text.bytes().all(|byte| Charset::Base64.has(byte))
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
}

/// A function that is called for each credential.
type OnCredential<'f, 't> = &'f mut dyn FnMut(Credential<'t>);

/// Tries the table of forms at a position. Returns the length of the token, or `None` if there is none.
fn token<'t>(text: &'t str, offset: usize, each: OnCredential<'_, 't>) -> Option<usize> {
    let rest = text.as_bytes().get(offset..)?;
    let first = *rest.first()?;
    let from = PATTERNS.partition_point(|form| form.prefix.as_bytes().first() < Some(&first));
    let same = PATTERNS
        .get(from..)?
        .iter()
        .take_while(|form| form.prefix.as_bytes().first() == Some(&first));
    for CredentialPattern {
        prefix,
        charset,
        length: allowed,
        name,
    } in same
    {
        let Some(body) = rest.strip_prefix(prefix.as_bytes()) else {
            continue;
        };
        let length = body
            .iter()
            .take(allowed.end() + 1)
            .take_while(|byte| charset.has(**byte))
            .count();
        let is_varied = body
            .first()
            .is_some_and(|first| body.iter().take(length).any(|byte| byte != first));
        // Words with hyphens, such as `your-token-here`, have no digits.
        let has_digit = body.iter().take(length).any(u8::is_ascii_digit);
        if !allowed.contains(&length) || !is_varied || !has_digit {
            continue;
        }
        let end = offset + prefix.len() + length;
        each(Credential::new(name, text.get(offset..end)?));
        return Some(end - offset);
    }
    None
}

/// Finds a private key in PEM, with line breaks or with escaped ones. Keys that are encrypted do not count.
fn private_key<'t>(text: &'t str, offset: usize, each: OnCredential<'_, 't>) -> Option<usize> {
    const BEGIN: &str = "-----BEGIN ";
    /// The maximum length of a label such as `RSA PRIVATE KEY`, in bytes.
    const MAX_LABEL: usize = 40;
    let rest = text.get(offset..)?.strip_prefix(BEGIN)?;
    let label_end = rest.bytes().take(MAX_LABEL).position(|byte| byte == b'-')?;
    let label = rest.get(..label_end)?;
    let body = rest.get(label_end..)?.strip_prefix("-----")?;
    let is_private = label.ends_with("PRIVATE KEY") || label == "PGP PRIVATE KEY BLOCK";
    let digits = body
        .bytes()
        .take(100)
        .filter(|byte| Charset::Base64.has(*byte))
        .count();
    let is_encrypted =
        label.starts_with("ENCRYPTED") || body.trim_start().starts_with("Proc-Type: 4,ENCRYPTED");
    if !is_private || is_encrypted || digits < 40 {
        return None;
    }
    let end = match body.find("-----END") {
        Some(end) => end,
        // A key without an end continues as long as its lines look like those of a key.
        None => {
            let length = key_lines(body)
                .take_while(|line| line.is_key)
                .last()
                .map_or(0, |line| line.range.end);
            if length == 0 {
                return None;
            }
            length
        }
    };
    let name = if label.starts_with("PGP") {
        "PGP private key"
    } else {
        "private key"
    };
    each(Credential::new(name, body.get(..end)?));
    Some(text.len() - offset - body.len() + end)
}

/// A word in the body of a key, without the white space, breaks and signs of a difference around it.
pub(in crate::review) struct KeyLine {
    /// The position of the word in the body.
    pub range: Range<usize>,
    /// Whether the word is base64. Whatever else is written between the lines of a key is not part of it.
    pub is_key: bool,
}

/// Returns the words in the body of a key. Line breaks may be escaped, any number of times.
pub(in crate::review) fn key_lines(body: &str) -> impl Iterator<Item = KeyLine> {
    /// The minimum length of a word of a key, in bytes. Shorter ones are signs of a difference, or words.
    const SHORTEST: usize = 4;
    let bytes = body.as_bytes();
    let mut offset = 0;
    std::iter::from_fn(move || {
        while let Some(byte) = bytes.get(offset) {
            offset += match byte {
                b'\\' if matches!(bytes.get(offset + 1), Some(b'n' | b'r' | b't')) => 2,
                b'\\' | b'"' | b'\'' | b',' => 1,
                byte if byte.is_ascii_whitespace() => 1,
                _ => break,
            };
        }
        let start = offset;
        let ends =
            |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'\\' | b'"' | b'\'' | b',');
        offset += bytes
            .get(start..)?
            .iter()
            .position(ends)
            .unwrap_or(bytes.len() - start);
        let word = bytes.get(start..offset).filter(|word| !word.is_empty())?;
        let is_base64 = |byte: &u8| Charset::Base64.has(*byte) || *byte == b'=';
        Some(KeyLine {
            range: start..offset,
            is_key: word.len() >= SHORTEST && word.iter().all(is_base64),
        })
    })
}

/// Finds a password in a URL: `scheme://user:password@host`, where `offset` is that of the first colon.
fn url_password<'t>(text: &'t str, offset: usize, each: OnCredential<'_, 't>) -> Option<usize> {
    /// The maximum length of the part of a URL between `//` and the path that is read, in bytes.
    const MAX_LEN: usize = 512;
    let before = text.as_bytes().get(..offset)?;
    let rest = text.get(offset..)?.strip_prefix("://")?;
    before.last().filter(|byte| byte.is_ascii_alphanumeric())?;
    let is_end = |byte: u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b'/' | b'?' | b'#' | b'"' | b'\'' | b'<' | b'`' | b',')
    };
    let end = rest
        .bytes()
        .take(MAX_LEN)
        .position(is_end)
        .unwrap_or(rest.len().min(MAX_LEN));
    let authority = rest.get(..end)?;
    let (user_info, host) = authority.rsplit_once('@')?;
    let (user, password) = user_info.split_once(':')?;
    if host.is_empty() || is_placeholder(password) || user == password {
        return Some(3);
    }
    let secret = password;
    each(Credential {
        name: "password in a URL",
        text: authority,
        secret,
    });
    Some(3 + end)
}

/// Whether a text is a placeholder of a password, as in examples and templates.
pub(super) fn is_placeholder(password: &str) -> bool {
    let lower = password.to_ascii_lowercase();
    let is_uniform = lower.bytes().all(|byte| lower.bytes().next() == Some(byte));
    lower.is_empty()
        || is_uniform
        || names::PLACEHOLDERS_OF_PASSWORDS.contains(&&*lower)
        || lower.starts_with("your")
        || lower.contains(['$', '{', '}', '<', '>', '*', '(', '['])
        || lower.starts_with('%') && lower.len() <= 3
}

/// Finds a JSON Web Token: two JSON objects and a signature in base64, joined by dots.
fn web_token<'t>(text: &'t str, offset: usize, each: OnCredential<'_, 't>) -> Option<usize> {
    /// `{"` in base64.
    const OBJECT: &str = "eyJ";
    /// The minimum length of each of the three parts, in bytes.
    const MIN_PART: usize = 16;
    let rest = text.get(offset..)?;
    let mut end = 0;
    for (number, begin) in [OBJECT, OBJECT, ""].into_iter().enumerate() {
        let part = rest.get(end..)?;
        let length = part
            .bytes()
            .take_while(|byte| Charset::Word.has(*byte))
            .count();
        if length < MIN_PART || !part.starts_with(begin) {
            return None;
        }
        end += length;
        if number < 2 {
            rest.get(end..)?.strip_prefix('.')?;
            end += 1;
        }
    }
    each(Credential::new("JSON Web Token", rest.get(..end)?));
    Some(end)
}

/// Finds a token of HCP Terraform: `….atlasv1.…`, where `offset` is that of the first dot.
fn terraform_token<'t>(text: &'t str, offset: usize, each: OnCredential<'_, 't>) -> Option<usize> {
    /// The text between the ID of a token and its secret.
    const MARK: &str = ".atlasv1.";
    let body = text.get(offset..)?.strip_prefix(MARK)?;
    let length = body
        .bytes()
        .take(ANY)
        .take_while(|byte| Charset::Word.has(*byte))
        .count();
    let start = offset.checked_sub(14).filter(|_| length >= 60)?;
    text.get(start..offset)
        .filter(|id| id.bytes().all(|byte| byte.is_ascii_alphanumeric()))?;
    each(Credential::new("HCP Terraform token", body.get(..length)?));
    Some(MARK.len() + length)
}

/// Finds an AWS secret access key that follows its name: `AWS_SECRET_ACCESS_KEY=…`, also with spaces, a colon and
/// quotes.
fn named_aws_secret<'t>(text: &'t str, offset: usize, each: OnCredential<'_, 't>) -> Option<usize> {
    const NAME: &str = "aws_secret_access_key";
    let name = text.get(offset..offset + NAME.len())?;
    if !name.eq_ignore_ascii_case(NAME) {
        return None;
    }
    let rest = text.get(offset + NAME.len()..)?;
    let gap = rest
        .bytes()
        .take(6)
        .take_while(|byte| matches!(byte, b' ' | b'=' | b':' | b'"' | b'\'' | b'\\'))
        .count();
    let value = rest.get(gap..gap + AWS_SECRET_LEN).filter(|_| gap > 0)?;
    let is_end = rest
        .as_bytes()
        .get(gap + AWS_SECRET_LEN)
        .is_none_or(|byte| !Charset::Base64.has(*byte));
    if !is_end || !is_aws_secret(value) {
        return None;
    }
    each(Credential::new("AWS secret access key", value));
    Some(NAME.len() + gap + AWS_SECRET_LEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&'static str> {
        let mut names = Vec::new();
        credentials(text, &mut |credential| names.push(credential.name));
        names
    }

    /// The tests build credentials, so that none is in this file.
    fn body(length: usize) -> String {
        "aB3dE5fG7h".chars().cycle().take(length).collect()
    }

    #[test]
    fn a_web_token_has_two_objects_and_a_signature() {
        let (header, payload) = ("eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiJhYmMifQ");
        let payload = format!("{payload}{}", body(10));
        let token = format!("{header}.{payload}.{}", body(43));
        assert_eq!(names(&format!("Bearer {token}")), ["JSON Web Token"]);
        assert_eq!(names(&format!("{header}.{payload}")), [""; 0]);
        assert_eq!(names(&format!("{header}.x{payload}.{}", body(43))), [""; 0]);
        assert_eq!(names(&format!("{header}.{payload}.x")), [""; 0]);
    }

    #[test]
    fn each_form_is_found_and_no_shorter_text() {
        let mut before = "";
        for CredentialPattern {
            prefix,
            charset,
            length,
            name,
        } in PATTERNS
        {
            let min = length.start();
            assert!(
                before.as_bytes().first() <= prefix.as_bytes().first(),
                "{prefix} is not sorted"
            );
            before = prefix;
            let chars: Vec<char> = ('0'..='z').filter(|c| charset.has(*c as u8)).collect();
            let of = |length: usize| {
                chars
                    .iter()
                    .cycle()
                    .skip(3)
                    .take(length)
                    .collect::<String>()
            };
            let full = format!("x: \"{prefix}{}\";", of(*min));
            assert_eq!(names(&full), [*name], "{full}");
            let short = format!("x: \"{prefix}{}\";", of(*min - 1));
            assert_eq!(names(&short), [""; 0], "{short}");
            assert_eq!(
                names(&format!("{prefix}{}", "x".repeat(*min))),
                [""; 0],
                "{prefix}"
            );
            assert_eq!(
                names(&format!("abc{prefix}{}", of(*min))),
                [""; 0],
                "{prefix} in a word"
            );
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
            ("postgres://app:${PASSWORD}@db/x".to_owned(), vec![]),
            ("https://user:password@example.com".to_owned(), vec![]),
            ("https://user:****@example.com".to_owned(), vec![]),
            ("https://example.com:8080/a@b".to_owned(), vec![]),
            ("amqp://guest:guest@mq".to_owned(), vec![]),
            (
                format!("export AWS_SECRET_ACCESS_KEY=\"{}\"", body(40)),
                vec!["AWS secret access key"],
            ),
            (format!("AWS_SECRET_ACCESS_KEY={}", body(41)), vec![]),
            (format!("OTHER={}", body(40)), vec![]),
            (
                format!("{}.atlasv1.{}", body(14), body(67)),
                vec!["HCP Terraform token"],
            ),
        ] {
            assert_eq!(names(&text), expected, "{text}");
        }
        assert!(names_aws_secret("AWS_SECRET_ACCESS_KEY") && names_aws_secret("secretAccessKey"));
        assert!(!names_aws_secret("AWS_ACCESS_KEY_ID") && !names_aws_secret("key"));
        assert!(!is_aws_secret(&"a".repeat(40)));
    }
}
