//! Finds credentials by their known forms, which are rows of data ([`rows`]): a text counts only if it has a form that
//! its issuer documents, or stands where a command, a header, an address or a file has a credential.
//!
//! Each row has a mark, which every credential of its form has in it or beside it. One search finds all marks of a text;
//! only what follows a mark is compared with the regular expression of its row.
//!
//! ```text
//! "see ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"   Credential { name: "GitHub token", secret: "ghp_…" }
//! "postgres://app:kX9…@db/shop"                     Credential { name: "password in a URL", secret: "kX9…" }
//! "curl -u app:kX9… https://x"                      Credential { name: "password", secret: "kX9…" }
//! ```

mod rows;

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::Regex;

use super::names::{is_login, is_password, is_placeholder, is_reference, named};
use super::random::is_random;

/// A credential in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Credential<'t> {
    /// The name of the form, in texts.
    pub name: &'static str,
    /// The part that must not be shown.
    pub secret: &'t str,
}

/// A form of credentials.
struct Form {
    /// The name of the form, in texts.
    name: &'static str,
    /// The characters that each credential of the form begins with, or follows.
    mark: &'static str,
    /// The regular expression for what follows the mark. The last group that takes part is the secret; without groups,
    /// the mark and all that follows it is.
    rest: &'static str,
    /// The maximum number of bytes after the mark that are compared.
    longest: usize,
    /// The place that the mark must have in the text.
    place: Place,
    /// The condition that the secret must meet besides.
    check: Check,
    /// A text with a credential of this form.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the example is read by the tests")
    )]
    hit: &'static str,
    /// A text that looks like one, and has none; empty for tokens, whose misses are made of their hits.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the example is read by the tests")
    )]
    miss: &'static str,
}

/// The place that a mark must have.
#[derive(Clone, Copy)]
enum Place {
    /// Where a word begins, in the given spelling. The word ends with the credential.
    Word,
    /// Anywhere, in capitals or small letters.
    Anywhere,
    /// Where the option of a command begins, in the given spelling.
    Option,
    /// The same, and one of these commands stands before it.
    OptionOf(&'static [&'static str]),
}

/// The condition that a secret must meet besides its form.
#[derive(Clone, Copy)]
enum Check {
    /// None.
    Any,
    /// It has a digit, and characters that differ: words with hyphens, such as `your-token-here`, have no digits.
    Varied,
    /// It has capitals and small letters.
    Mixed,
    /// The same as for `Varied`, and digits stand before the mark.
    AfterDigits,
    /// It may be a password, and is neither a placeholder nor a reference.
    Password,
    /// It looks random.
    Random,
    /// It is a user and a password in base64.
    Login,
    /// It is a password in an address: neither a placeholder, nor a reference, nor the name of the user.
    InAddress,
    /// The group `name` is the name of a credential, and the value counts for it.
    Named,
}

/// The rows of all forms.
static FORMS: LazyLock<Vec<&'static Form>> = LazyLock::new(|| {
    [rows::TOKENS, rows::ADDRESSES, rows::PLACES, rows::COMMANDS]
        .into_iter()
        .flatten()
        .collect()
});

/// The search for the marks of all forms, in the order of the forms. `None` cannot be, as the tests show.
static MARKS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .kind(Some(AhoCorasickKind::DFA))
        .build(FORMS.iter().map(|form| form.mark))
        .ok()
});

/// The regular expression of each form, which is compiled when its mark is first found.
static RESTS: LazyLock<Vec<OnceLock<Option<Regex>>>> =
    LazyLock::new(|| FORMS.iter().map(|_| OnceLock::new()).collect());

/// Calls `each` for each credential in `text`. Credentials may overlap, and are in no order.
pub(super) fn credentials<'t>(text: &'t str, each: &mut dyn FnMut(Credential<'t>)) {
    private_keys(text, each);
    let Some(marks) = &*MARKS else {
        return;
    };
    for matched in marks.find_overlapping_iter(text) {
        let index = matched.pattern().as_usize();
        let (Some(form), Some(rest)) = (FORMS.get(index), RESTS.get(index)) else {
            continue;
        };
        let mark = matched.range();
        if !form.place.allows(text, &mark, form.mark) {
            continue;
        }
        let rest = rest.get_or_init(|| Regex::new(&format!(r"\A(?:{})", form.rest)).ok());
        if let Some(secret) = rest
            .as_ref()
            .and_then(|rest| form.secret(rest, text, &mark))
        {
            each(secret);
        }
    }
}

impl Place {
    /// Whether a mark at a range of a text may be one of this place. `mark` is its spelling.
    fn allows(self, text: &str, range: &Range<usize>, mark: &str) -> bool {
        let before = range
            .start
            .checked_sub(1)
            .and_then(|index| text.as_bytes().get(index));
        let is_spelled = text.get(range.clone()) == Some(mark);
        let begins_option = before.is_none_or(|byte| {
            byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b',' | b'[' | b'(' | b'/')
        });
        match self {
            Self::Word => is_spelled && before.is_none_or(|byte| !byte.is_ascii_alphanumeric()),
            Self::Anywhere => true,
            Self::Option => is_spelled && begins_option,
            Self::OptionOf(commands) => {
                is_spelled && begins_option && follows_command(text, range.start, commands)
            }
        }
    }
}

/// Whether one of these commands stands before an offset, in the same command of a script.
fn follows_command(text: &str, offset: usize, commands: &[&str]) -> bool {
    /// The maximum number of bytes before an option that are read.
    const MAX_BEFORE: usize = 400;
    let mut from = offset.saturating_sub(MAX_BEFORE);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let before = text.get(from..offset).unwrap_or_default();
    // A line continues after a backslash, and a list of arguments after a comma and in the next item.
    let ends = before.char_indices().rev().find(|(index, c)| match c {
        ';' | '|' | '&' => true,
        '\n' => {
            let is_item = before[index + 1..].trim_start().starts_with("- ");
            let line = before[..*index].trim_end_matches(['\r', ' ', '\t']);
            !is_item && !line.ends_with(['\\', ',', '['])
        }
        _ => false,
    });
    let command = ends.map_or(before, |(index, _)| {
        before.get(index + 1..).unwrap_or_default()
    });
    command
        .split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '.'))
        .any(|word| {
            let name = word.split('.').next().unwrap_or_default();
            commands.contains(&word) || commands.contains(&name)
        })
}

impl Form {
    /// Returns the credential whose mark is at `mark`, if what follows has this form.
    fn secret<'t>(
        &self,
        rest: &Regex,
        text: &'t str,
        mark: &Range<usize>,
    ) -> Option<Credential<'t>> {
        let mut end = (mark.end + self.longest).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let groups = rest.captures(text.get(mark.end..end)?)?;
        let mut whole = groups.get(0)?.range();
        let group = groups.iter().skip(1).flatten().last();
        let mut secret = match group {
            Some(group) => mark.end + group.start()..mark.end + group.end(),
            None => mark.start..mark.end + whole.end,
        };
        if secret.end == end && end < text.len() {
            // What is longer than the text that was compared is hidden up to its end.
            let rest = text.as_bytes().get(end..)?.iter();
            let more = rest.take_while(|byte| is_token(**byte)).count();
            secret.end += more;
            whole.end += more;
        }
        let ends_word = || {
            let next = text.as_bytes().get(mark.end + whole.end);
            next.is_none_or(|byte| !byte.is_ascii_alphanumeric())
        };
        if matches!(self.place, Place::Word) && !ends_word() {
            return None;
        }
        let secret = text.get(secret)?;
        let body = match group {
            Some(_) => secret,
            None => text.get(mark.end..mark.end + whole.end)?,
        };
        let mut name = self.name;
        let is_secret = match self.check {
            Check::Any => true,
            Check::Varied => is_varied(body),
            Check::Mixed => {
                body.bytes().any(|byte| byte.is_ascii_uppercase())
                    && body.bytes().any(|byte| byte.is_ascii_lowercase())
                    && text
                        .as_bytes()
                        .get(mark.end + whole.end)
                        .is_none_or(|byte| !byte.is_ascii_alphanumeric())
            }
            Check::AfterDigits => {
                let digits = text.as_bytes().get(..mark.start)?.iter().rev();
                is_varied(body) && digits.take_while(|byte| byte.is_ascii_digit()).count() >= 6
            }
            Check::Password => {
                is_password(secret) && !is_placeholder(secret) && !is_reference(secret)
            }
            Check::Random => is_random(secret) && !is_reference(secret),
            Check::Login => is_login(secret),
            Check::InAddress => {
                let user = groups.get(1).map_or("", |user| user.as_str());
                !is_placeholder(secret) && !is_reference(secret) && user != secret
            }
            Check::Named => {
                name = named(groups.name("name")?.as_str(), secret)?;
                true
            }
        };
        is_secret.then_some(Credential { name, secret })
    }
}

/// Whether a byte may be one of a token or of a signature.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=' | b'%' | b'~')
}

/// Whether a text has a digit, and characters that differ.
fn is_varied(text: &str) -> bool {
    let first = text.bytes().next();
    text.bytes().any(|byte| Some(byte) != first) && text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Finds private keys in PEM, with line breaks or with escaped ones. Keys that are encrypted do not count.
fn private_keys<'t>(text: &'t str, each: &mut dyn FnMut(Credential<'t>)) {
    const BEGIN: &str = "-----BEGIN ";
    let mut from = 0;
    while let Some(begin) = text
        .get(from..)
        .and_then(|rest| memchr::memmem::find(rest.as_bytes(), BEGIN.as_bytes()))
    {
        let start = from + begin + BEGIN.len();
        from = start;
        if let Some((credential, end)) = text.get(start..).and_then(private_key) {
            each(credential);
            from += end;
        }
    }
}

/// Returns the private key whose label begins here, and where it ends.
fn private_key(rest: &str) -> Option<(Credential<'_>, usize)> {
    /// The maximum length of a label such as `RSA PRIVATE KEY`, in bytes.
    const MAX_LABEL: usize = 40;
    /// The minimum number of digits at the beginning of a key that is written out.
    const SHORTEST: usize = 40;
    let label_end = rest.bytes().take(MAX_LABEL).position(|byte| byte == b'-')?;
    let label = rest.get(..label_end)?;
    let body = rest.get(label_end..)?.strip_prefix("-----")?;
    let is_private = label.ends_with("PRIVATE KEY") || label == "PGP PRIVATE KEY BLOCK";
    let digits = body
        .bytes()
        .take(100)
        .filter(|byte| is_key_digit(*byte))
        .count();
    let is_encrypted =
        label.starts_with("ENCRYPTED") || body.trim_start().starts_with("Proc-Type: 4,ENCRYPTED");
    if !is_private || is_encrypted || digits < SHORTEST {
        return None;
    }
    let end = match memchr::memmem::find(body.as_bytes(), b"-----END") {
        Some(end) => end,
        // A key without an end continues as long as its lines look like those of a key.
        None => key_lines(body)
            .take_while(|line| line.is_key)
            .last()
            .map(|line| line.range.end)?,
    };
    let name = if label.starts_with("PGP") {
        "PGP private key"
    } else {
        "private key"
    };
    let secret = body.get(..end)?;
    Some((Credential { name, secret }, rest.len() - body.len() + end))
}

/// Whether a byte is a digit of base64 as keys have it.
fn is_key_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
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
        let is_base64 = |byte: &u8| is_key_digit(*byte) || *byte == b'=';
        Some(KeyLine {
            range: start..offset,
            is_key: word.len() >= SHORTEST && word.iter().all(is_base64),
        })
    })
}

#[cfg(test)]
mod tests;
