//! Recognizes credentials by the names of their values, such as `DB_PASSWORD`.
//!
//! Names are split into words at underscores, hyphens, dots and changes of case, so `dbPassword` and `DB_PASSWORD` are
//! the same name. A value that names or refers to a credential is not one itself.
//!
//! ```text
//! named("DB_PASSWORD", "kX9…")            Some("password")
//! named("DB_PASSWORD", "${var.password}")  None: a reference
//! ```

use crate::diff::embedded::short_base64;
use crate::review::credentials::random::is_random;
use crate::review::names;

/// The name of all values in the data of a Kubernetes Secret. No attribute or variable can have it.
pub(in crate::review) const DATA_OF_SECRET: &str = "the data of a Secret";

/// The name of an argument that follows the option of a command for a credential.
pub(in crate::review) const OPTION_OF_COMMAND: &str = "the option of a command";

/// What texts call a value in the data of a Secret that has no form of its own.
pub(in crate::review) const LABEL_OF_DATA: &str = "secret data";

/// The length of an AWS secret access key, in characters.
const AWS_SECRET_LEN: usize = 40;

/// The kind of credential that a name announces, which decides what its value must look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamedSecret {
    /// A password, which may be any text.
    Password,
    /// Perhaps a password: `smtp_pass`, but also `first_pass`. The value must have characters of several kinds.
    Pass,
    /// Something that looks random. The value may also be the name of a secret, so other values do not count.
    Random(&'static str),
    /// A random text, or a user and a password in base64.
    Login,
    /// The value of a header: a scheme and a credential.
    Authorization,
    /// A value in the data of a Kubernetes Secret, which is secret whatever it is.
    Data,
    /// An argument that is known to be a credential.
    Argument,
}

impl NamedSecret {
    /// Returns what texts call a credential of this kind.
    fn label(self) -> &'static str {
        match self {
            Self::Password | Self::Pass | Self::Argument => "password",
            Self::Random(what) => what,
            Self::Login | Self::Authorization => "credential",
            Self::Data => LABEL_OF_DATA,
        }
    }
}

/// Returns the name of the credential that `value` is, if `name` says that it is one. Placeholders, and references to
/// the place where a credential is kept, do not count, except in the data of a Secret, where nothing is shown.
pub(super) fn named(name: &str, value: &str) -> Option<&'static str> {
    let kind = kind(name)?;
    if names_aws_secret(name) && is_aws_secret(value) {
        return Some("AWS secret access key");
    }
    let is_secret = match kind {
        NamedSecret::Data | NamedSecret::Argument => {
            return (!value.trim().is_empty()).then_some(kind.label());
        }
        _ if is_reference(value) || is_placeholder(value) => false,
        NamedSecret::Password => is_password(value),
        NamedSecret::Pass => is_password(value) && has_several_kinds(value),
        NamedSecret::Random(_) => is_random(value),
        NamedSecret::Login => is_random(value) || is_login(value),
        NamedSecret::Authorization => value
            .split_once(' ')
            .is_some_and(|(_, credential)| is_random(credential) || is_login(credential)),
    };
    is_secret.then_some(kind.label())
}

/// Returns the name of the credential that `value` is, if `name` names another value that certainly is one: the value
/// that it is changed from or to, for example. Almost any text counts then.
pub(super) fn named_like_another(name: &str, value: &str) -> Option<&'static str> {
    /// The minimum length of such a value, in bytes.
    const SHORTEST: usize = 8;
    let kind = kind(name)?;
    let is_secret = value.len() >= SHORTEST
        && !is_reference(value)
        && !is_placeholder(value)
        && is_password(value)
        && !value.contains(char::is_whitespace);
    is_secret.then_some(kind.label())
}

/// Whether a name alone says that its value is a credential.
pub(super) fn is_named(name: &str) -> bool {
    kind(name).is_some()
}

/// Returns what texts call the credential that a name announces; `None` for other names.
pub(in crate::review) fn label_of_name(name: &str) -> Option<&'static str> {
    kind(name).map(NamedSecret::label)
}

/// Whether a name says that all values below it are credentials: `passwords`, `api_tokens`. The names of these values
/// are those of users or services.
pub(super) fn names_several(name: &str) -> bool {
    name == DATA_OF_SECRET || name.ends_with(['s', 'S']) && is_named(name)
}

/// Whether the name of a value is that of an AWS secret access key, however it is spelled.
fn names_aws_secret(name: &str) -> bool {
    let plain = name
        .bytes()
        .filter(u8::is_ascii_alphanumeric)
        .map(|byte| byte.to_ascii_lowercase());
    plain.rev().take(15).eq("secretaccesskey".bytes().rev())
}

/// Whether a text has the form of an AWS secret access key. Many other texts have it too, so the name must say that it
/// is one.
fn is_aws_secret(text: &str) -> bool {
    let has = |of: fn(&u8) -> bool| text.bytes().any(|byte| of(&byte));
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    text.len() == AWS_SECRET_LEN
        && text.bytes().all(is_digit)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
}

/// Returns the kind of credential that the last words of a name announce: `masterPassword`, `DB_PASSWORD_1`,
/// `auth.token`, `SharedAccessKey`, `SECRET_KEY_BASE`.
fn kind(name: &str) -> Option<NamedSecret> {
    /// The maximum length of a name that is read, in bytes.
    const MAX_LEN: usize = 120;
    match name {
        DATA_OF_SECRET => return Some(NamedSecret::Data),
        OPTION_OF_COMMAND => return Some(NamedSecret::Argument),
        _ => {}
    }
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
    let last = match last.strip_suffix('s') {
        Some(one) if !one.ends_with('s') => one,
        Some(_) | None => last,
    };
    let before = parts
        .len()
        .checked_sub(2)
        .and_then(|index| parts.get(index))
        .map(String::as_str);
    let is_upper = !name.bytes().any(|byte| byte.is_ascii_lowercase());
    let ends = |endings: &[&str]| endings.iter().any(|ending| last.ends_with(ending));
    if ends(names::ENDINGS_OF_PASSWORD_NAMES) || last == "pass" && is_upper && before.is_some() {
        return Some(NamedSecret::Password);
    }
    if ends(names::ENDINGS_OF_KEY_NAMES) {
        return Some(NamedSecret::Random("key"));
    }
    match (last, before) {
        ("pass", Some(_)) => Some(NamedSecret::Pass),
        (last, _) if is_upper && last.ends_with("pass") && last.len() > "bypass".len() => {
            Some(NamedSecret::Pass)
        }
        ("token", Some(before)) if names::WORDS_OF_OTHER_TOKENS.contains(&before) => None,
        ("token" | "pat" | "jwt" | "bearer" | "sa", _) => Some(NamedSecret::Random("token")),
        ("secret", _) => Some(NamedSecret::Random("secret")),
        ("salt" | "pepper", _) => Some(NamedSecret::Random("salt")),
        ("auth" | "credential" | "cred", _) => Some(NamedSecret::Login),
        ("authorization", _) => Some(NamedSecret::Authorization),
        ("key", Some(before)) if names::WORDS_BEFORE_KEY.contains(&before) => {
            Some(NamedSecret::Random("key"))
        }
        // Variables of an environment, such as `STRIPE_KEY`.
        ("key", Some(before)) if is_upper && !names::WORDS_OF_OTHER_KEYS.contains(&before) => {
            Some(NamedSecret::Random("key"))
        }
        _ => None,
    }
}

/// Whether a name may be one of a credential, by three letters in it. This refuses most names at little cost.
fn may_name(name: &str) -> bool {
    const PARTS: [&[u8]; 14] = [
        b"key", b"pas", b"pwd", b"sec", b"tok", b"aut", b"pat", b"cre", b"sal", b"sas", b"jwt",
        b"bea", b"pep", b"psw",
    ];
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

/// The beginnings of values that say where a credential is kept, or that something else replaces later.
const BEGINNINGS_OF_REFERENCES: &[&str] = &[
    "arn:",
    "projects/",
    "vault:",
    "ssm:",
    "@Microsoft.",
    "@@",
    "{{",
    "%(",
    "%{",
    "#{",
    "`",
    "./",
    "../",
    "~/",
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
    "var.",
    "local.",
    "module.",
    "data.",
    "ENC[",
    "AQICAH",
];

/// The first words of expressions in programs, from which a value comes.
const ROOTS_OF_EXPRESSIONS: &[&str] = &[
    "args", "config", "each", "env", "environ", "event", "github", "inputs", "opts", "options",
    "os", "params", "process", "request", "req", "secrets", "self", "settings", "steps", "sys",
    "this", "Values",
];

/// Whether a value says where the credential is kept, or is replaced by it later.
pub(super) fn is_reference(value: &str) -> bool {
    BEGINNINGS_OF_REFERENCES
        .iter()
        .any(|beginning| value.starts_with(beginning))
        || ["://", "${", "{{", "$(", "<%"]
            .iter()
            .any(|part| value.contains(part))
        // One of 64 random texts in base64 begins with a slash.
        || value.starts_with('/') && !is_random(value.trim_start_matches('/'))
        || is_variable(value)
        || is_expression(value)
}

/// Whether a value is a variable of a shell: `$DB_PASSWORD`, `$1`. A password may begin with `$` too, but then it has
/// other characters in it. Hashes of passwords (`$6$…`) count as such values.
fn is_variable(value: &str) -> bool {
    let Some(rest) = value.strip_prefix('$') else {
        return false;
    };
    let is_hash = rest.split('$').count() > 2;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '.' | '[' | ']');
    is_hash || rest.chars().all(is_name)
}

/// Whether a value is an expression of a program or a configuration: `os.environ[`, `random_password.db.result`.
fn is_expression(value: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    let length = value.chars().take_while(|c| is_name(*c)).count();
    let (names, rest) = value.split_at_checked(length).unwrap_or((value, ""));
    let (root, has_members) = match names.split_once('.') {
        Some((root, _)) => (root, true),
        None => (names, false),
    };
    let is_call = rest.starts_with(['(', '['])
        && !names.is_empty()
        && (rest.len() == 1 || rest.ends_with([')', ']', ';', ',']));
    let is_member = rest.is_empty()
        && has_members
        && (ROOTS_OF_EXPRESSIONS.contains(&root) || root.contains('_'));
    is_call || is_member
}

/// The characters around a placeholder, such as `<password>`.
const BRACKETS: [(char, char); 5] = [('<', '>'), ('[', ']'), ('(', ')'), ('{', '}'), ('%', '%')];

/// Whether a text is a placeholder of a password, as in examples and templates.
pub(super) fn is_placeholder(password: &str) -> bool {
    let lower = password.to_ascii_lowercase();
    let is_uniform = lower.bytes().all(|byte| lower.bytes().next() == Some(byte));
    let is_bracketed = BRACKETS
        .iter()
        .any(|(open, close)| lower.starts_with(*open) && lower.ends_with(*close));
    lower.is_empty()
        || is_uniform
        || is_bracketed
        || names::PLACEHOLDERS_OF_PASSWORDS.contains(&&*lower)
        || lower.starts_with("your")
        || lower.contains("***")
        || lower.contains("xxxxx")
        || lower.starts_with('%') && lower.len() <= 3
}

/// Whether a value may be a password: neither a common word, a number or a sentence, nor a block of text.
pub(super) fn is_password(value: &str) -> bool {
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
        && !value.contains('\n')
        && !is_json(value)
}

/// Whether a value is a document, whose parts have names of their own.
fn is_json(value: &str) -> bool {
    value.starts_with('{') && value.ends_with('}') || value.starts_with('[') && value.ends_with(']')
}

/// Whether a value has letters, and digits or other characters.
fn has_several_kinds(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_alphabetic())
        && value
            .bytes()
            .any(|byte| !byte.is_ascii_alphabetic() && !matches!(byte, b'-' | b'_' | b' ' | b'.'))
}

/// Whether a value is a user and a password in base64, as in the configuration of Docker.
pub(super) fn is_login(value: &str) -> bool {
    short_base64(value).is_some_and(|decoded| {
        decoded
            .trim_end()
            .split_once(':')
            .is_some_and(|(user, password)| {
                !user.is_empty()
                    && !user.contains(char::is_whitespace)
                    && is_password(password)
                    && !is_placeholder(password)
            })
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
            ("DB_PASSWORD", "Tr0ub4dor$3(x", Some("password")),
            ("passwords", "correcthorse", Some("password")),
            ("smtp_pass", "corr3ct!horse", Some("password")),
            ("SharedAccessKey", random, Some("key")),
            ("AccountKey", random, Some("key")),
            ("STRIPE_KEY", random, Some("key")),
            ("client_secret", random, Some("secret")),
            ("authToken", random, Some("token")),
            ("SECRET_KEY_BASE", "QQRjPcSKWDWnHnbttxzChCCSdf", Some("key")),
            ("GITHUB_PAT", random, Some("token")),
            ("REDIS_AUTH", random, Some("credential")),
            ("auth", "ZGVwbG95OmNvcnJlY3Rob3JzZQ==", Some("credential")),
            (
                "Authorization",
                "Basic ZGVwbG95OmNvcnJlY3Rob3JzZQ==",
                Some("credential"),
            ),
            (DATA_OF_SECRET, "x", Some("secret data")),
            (
                "secretAccessKey",
                &random.repeat(2),
                Some("AWS secret access key"),
            ),
            ("DB_PASSWORD", "", None),
            ("DB_PASSWORD", "changeme", None),
            ("DB_PASSWORD", "${var.password}", None),
            ("DB_PASSWORD", "$DB_PASSWORD", None),
            ("DB_PASSWORD", "os.environ[", None),
            ("DB_PASSWORD", "random_password.db.result", None),
            ("DB_PASSWORD", "<password>", None),
            (
                "DB_PASSWORD",
                "arn:aws:secretsmanager:eu-west-1:1:secret:x",
                None,
            ),
            ("DB_PASSWORD_FILE", "correcthorse", None),
            ("password_policy", "correcthorse", None),
            ("force_password", "true", None),
            ("first_pass", "release-build", None),
            ("REDIS_AUTH", "enabled-for-all", None),
            ("Authorization", "$request.header.Authorization", None),
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
            ("path", random, None),
            ("dkim_tokens", random, None),
        ] {
            assert_eq!(named(name, value), expected, "{name} = {value}");
        }
        assert!(names_aws_secret("AWS_SECRET_ACCESS_KEY") && names_aws_secret("secretAccessKey"));
        assert!(!names_aws_secret("AWS_ACCESS_KEY_ID") && !names_aws_secret("key"));
        assert!(!is_aws_secret(&"a".repeat(40)));
    }

    #[test]
    fn what_is_changed_from_a_credential_is_one() {
        assert_eq!(
            named_like_another("HMAC_KEY", "correcthorse"),
            Some("key"),
            "its other side is random"
        );
        for value in ["", "short", "${var.key}", "see the wiki", "changeme"] {
            assert_eq!(named_like_another("HMAC_KEY", value), None, "{value}");
        }
    }
}
