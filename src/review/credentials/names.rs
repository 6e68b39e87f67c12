//! Recognizes credentials by the names of their values, such as `DB_PASSWORD`.
//!
//! Names are split into words at underscores, hyphens, dots and changes of case, so `dbPassword` and `DB_PASSWORD` are
//! the same name. A value that names or refers to a credential is not one itself.
//!
//! ```text
//! named("DB_PASSWORD", "kX9…")            Some("password")
//! named("DB_PASSWORD", "${var.password}")  None: a reference
//! ```

use crate::review::credentials::forms::{is_aws_secret, is_placeholder, names_aws_secret};
use crate::review::names;

/// The kind of credential that a name announces, which decides what its value must look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamedSecret {
    /// A password, which may be any text.
    Password,
    /// Something that looks random. The value may also be the name of a secret, so other values do not count.
    Random(&'static str),
}

/// Returns the name of the credential that `value` is, if `name` says that it is one. Placeholders, and references to
/// the place where a credential is kept, do not count.
pub(super) fn named(name: &str, value: &str) -> Option<&'static str> {
    let kind = kind(name)?;
    if names_aws_secret(name) && is_aws_secret(value) {
        return Some("AWS secret access key");
    }
    if is_reference(value) || is_placeholder(value) {
        return None;
    }
    match kind {
        NamedSecret::Password if is_password(value) => Some("password"),
        NamedSecret::Random(what) if is_random(value) => Some(what),
        NamedSecret::Password | NamedSecret::Random(_) => None,
    }
}

/// Whether a name alone says that its value is a credential.
pub(super) fn is_named(name: &str) -> bool {
    kind(name).is_some()
}

/// Returns the kind of credential that the last words of a name announce: `masterPassword`, `DB_PASSWORD_1`,
/// `auth.token`, `SharedAccessKey`.
fn kind(name: &str) -> Option<NamedSecret> {
    /// The maximum length of a name that is read, in bytes.
    const MAX_LEN: usize = 120;
    if name.len() > MAX_LEN || !name.is_ascii() || !may_name(name) {
        return None;
    }
    let parts = split(name);
    let mut parts = parts.as_slice();
    while let [rest @ .., last] = parts
        && (last.bytes().all(|byte| byte.is_ascii_digit())
            || names::SUFFIXES_OF_CREDENTIAL_NAMES.contains(&&**last))
    {
        parts = rest;
    }
    let last = parts.last()?.trim_end_matches(|c: char| c.is_ascii_digit());
    let before = parts
        .len()
        .checked_sub(2)
        .and_then(|index| parts.get(index));
    let is_upper = !name.bytes().any(|byte| byte.is_ascii_lowercase());
    let ends = |endings: &[&str]| endings.iter().any(|ending| last.ends_with(ending));
    if ends(names::ENDINGS_OF_PASSWORD_NAMES) || last == "pass" && is_upper && before.is_some() {
        return Some(NamedSecret::Password);
    }
    if ends(names::ENDINGS_OF_KEY_NAMES) {
        return Some(NamedSecret::Random("key"));
    }
    match (last, before) {
        ("token", _) => Some(NamedSecret::Random("token")),
        ("secret", _) => Some(NamedSecret::Random("secret")),
        ("key", Some(before)) if names::WORDS_BEFORE_KEY.contains(&&**before) => {
            Some(NamedSecret::Random("key"))
        }
        // Variables of an environment, such as `STRIPE_KEY`.
        ("key", Some(before)) if is_upper && !names::WORDS_OF_OTHER_KEYS.contains(&&**before) => {
            Some(NamedSecret::Random("key"))
        }
        _ => None,
    }
}

/// Whether a name may be one of a credential, by three letters in it. This refuses most names at little cost.
fn may_name(name: &str) -> bool {
    const PARTS: [&[u8]; 5] = [b"key", b"pas", b"pwd", b"sec", b"tok"];
    name.as_bytes()
        .windows(3)
        .any(|part| PARTS.iter().any(|known| part.eq_ignore_ascii_case(known)))
}

/// Splits a name into words in lower case: at characters that are no letters or digits, and at the beginning of a word
/// in capitals.
fn split(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let begins =
            c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit());
        if begins || !c.is_ascii_alphanumeric() {
            parts.push(String::new());
        }
        if c.is_ascii_alphanumeric()
            && let Some(part) = parts.last_mut()
        {
            part.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Whether a value says where the credential is kept, or is replaced by it later.
fn is_reference(value: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "arn:",
        "projects/",
        "vault:",
        "ssm:",
        "@Microsoft.",
        "$",
        "{{",
        "%(",
        "%{",
        "/",
        "./",
        "file:",
        "env:",
        "http:",
        "https:",
        "op://",
        "sm://",
        "ref+",
        "gcp:",
        "aws:",
        "secret:",
        "secretsmanager:",
        "{resolve:",
        "[",
        "<",
        "(",
        "var.",
        "local.",
        "module.",
        "data.",
        "ENC[",
        "AQICAH",
    ];
    BEGINNINGS
        .iter()
        .any(|beginning| value.starts_with(beginning))
        || value.contains("://")
        || value.contains("${")
        || value.contains("{{")
}

/// Whether a value may be a password: neither a common word, a number or a sentence, nor a block of text.
fn is_password(value: &str) -> bool {
    /// The minimum length of a password, in bytes.
    const SHORTEST: usize = 4;
    /// The maximum length of a password, in bytes.
    const LONGEST: usize = 512;
    (SHORTEST..=LONGEST).contains(&value.len())
        && !names::WORDS_THAT_ARE_NO_PASSWORDS.contains(&&*value.to_ascii_lowercase())
        && !value
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
        && (!value.contains(char::is_whitespace) || value.bytes().any(|byte| byte.is_ascii_digit()))
        && !value.contains(['\n', '{', '}'])
}

/// Whether a value looks random: a part of it is long and has digits and letters. This is not so for names such as
/// `prod-db-secret-2`, whose words are short.
fn is_random(value: &str) -> bool {
    /// The minimum length of a random part, in bytes.
    const SHORTEST: usize = 12;
    /// The maximum length of a value that is read, in bytes.
    const LONGEST: usize = 4_096;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=_-.~!@#%^&*".contains(byte);
    if !(SHORTEST..=LONGEST).contains(&value.len()) || !value.bytes().all(|byte| is_part(&byte)) {
        return false;
    }
    value.split(['-', '_', '.', '/']).any(|part| {
        let count = |of: fn(&u8) -> bool| part.bytes().filter(of).count();
        let digits = count(u8::is_ascii_digit);
        let (upper, lower) = (count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase));
        part.len() >= SHORTEST && digits >= 2 && upper + lower >= 2
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_their_values_are() {
        let random = "aB3dE5fG7haB3dE5fG7h";
        for (name, value, expected) in [
            ("DB_PASSWORD", "Wint3r!sComing", Some("password")),
            ("Password", "Wint3r!sComing", Some("password")),
            ("Pwd", "correcthorse", Some("password")),
            ("masterUserPassword1", "correcthorse", Some("password")),
            ("PGPASSWORD", "correcthorse", Some("password")),
            ("MYSQL_PASS", "correcthorse", Some("password")),
            ("SharedAccessKey", random, Some("key")),
            ("AccountKey", random, Some("key")),
            ("STRIPE_KEY", random, Some("key")),
            ("client_secret", random, Some("secret")),
            ("authToken", random, Some("token")),
            (
                "secretAccessKey",
                &random.repeat(2),
                Some("AWS secret access key"),
            ),
            ("DB_PASSWORD", "", None),
            ("DB_PASSWORD", "changeme", None),
            ("DB_PASSWORD", "${var.password}", None),
            (
                "DB_PASSWORD",
                "arn:aws:secretsmanager:eu-west-1:1:secret:x",
                None,
            ),
            ("DB_PASSWORD_FILE", "correcthorse", None),
            ("password_policy", "correcthorse", None),
            ("force_password", "true", None),
            (
                "password",
                "@Microsoft.KeyVault(SecretUri=https://x/y)",
                None,
            ),
            ("existingSecret", "prod-db-secret-2", None),
            ("secret_name", random, None),
            ("kms_key", random, None),
            ("public_key", random, None),
            ("S3_KEY", random, None),
            ("key", random, None),
            ("token", "my-token-name", None),
            ("monkey", random, None),
        ] {
            assert_eq!(named(name, value), expected, "{name} = {value}");
        }
    }
}
