//! Finds messages in other text: after the prefix of a log collector, in a JSON string, in another object. Also decides
//! which other text may contain sensitive values.
//!
//! Invariants: only complete JSON with the shape of a message counts as a message. The work on a line is linear in its
//! length. The values in messages, plans and states are never searched.
//!
//! ```text
//! 2024-01-01T00:00:00Z {"@level":"info",…}        the message, and text around it
//! {"log":"{\"@level\":\"info\",…}"}               the message in the string
//! ```

use std::borrow::Cow;

use crate::input::Values;
use crate::json::{ErrorKind, Members, Pairs, Raw, Reader, Str, from_str};
use crate::model::message::Message;

/// The maximum number of JSON values that are tried in a line.
const MAX_ATTEMPTS: usize = 64;
/// The maximum depth at which messages are looked for: strings in objects in strings, and so on.
const MAX_LEVELS: usize = 6;

/// The messages that were found in a line.
#[derive(Debug, Default)]
pub(super) struct LineMessages {
    /// The JSON of each message.
    pub(super) messages: Vec<String>,
    /// Whether the line contains other text besides the messages.
    pub(super) has_more: bool,
    /// JSON that begins on the line but does not end on it.
    pub(super) unfinished: Option<Unfinished>,
}

/// The beginning of JSON that does not end on its line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unfinished {
    /// The text before the JSON.
    pub(super) prefix: String,
    /// The beginning of the JSON.
    pub(super) text: String,
    /// The name of the member whose string contains the JSON, if a log collector splits long lines.
    pub(super) member: Option<String>,
}

/// Finds the messages in a line, at any position and down to `MAX_LEVELS` levels.
pub(super) fn find(line: &str) -> LineMessages {
    let mut result = LineMessages::default();
    let line = line.trim_end_matches(['\n', '\r']);
    if memchr::memchr3(b'{', b'[', b'"', line.as_bytes()).is_some() {
        let mut left = MAX_ATTEMPTS;
        search(&cleaned(line), MAX_LEVELS, &mut left, &mut result);
    }
    result
}

/// Searches a text for JSON values, and each of them for messages, down to `levels` nested strings or objects. At most
/// `left` values are tried.
fn search(text: &str, levels: usize, left: &mut usize, result: &mut LineMessages) {
    let has_strings = text.contains("\\\"");
    let mut rest_from = 0;
    let before = result.messages.len();
    let mut values = Values::new(text, |text| may_begin(text, has_strings));
    while *left > 0
        && let Some((offset, json)) = values.next()
    {
        *left -= 1;
        match json {
            Ok(json) => {
                let count = result.messages.len();
                inside(json, levels, left, result);
                if result.messages.len() > count {
                    result.has_more |= !text[rest_from..offset].trim().is_empty();
                    rest_from = offset + json.len();
                }
            }
            Err(error) if error.kind == ErrorKind::UnexpectedEnd && result.unfinished.is_none() => {
                let (prefix, text) = text.split_at(offset);
                result.unfinished = Some(Unfinished {
                    prefix: prefix.to_owned(),
                    text: text.to_owned(),
                    member: None,
                });
            }
            Err(_) => {}
        }
    }
    if result.messages.len() > before {
        result.has_more |= !text[rest_from..].trim().is_empty();
    }
}

/// Whether JSON that can contain a message may begin with the first byte of `text`. `has_strings` says that the text
/// contains escaped quotes, as JSON in a string does.
fn may_begin(text: &str, has_strings: bool) -> bool {
    let next = text[1..].trim_start().bytes().next();
    match text.as_bytes().first() {
        Some(b'{') => matches!(next, None | Some(b'"')),
        Some(b'[') => matches!(next, None | Some(b'{')),
        _ => has_strings,
    }
}

/// Searches a JSON value for messages: the value itself, its members or elements, or the text of a string.
fn inside(json: &str, levels: usize, left: &mut usize, result: &mut LineMessages) {
    if levels == 0
        || !json.contains("@message") && !json.contains("@level") && !json.contains("{\\\"")
    {
        return;
    }
    match json.as_bytes().first() {
        Some(b'{') => {
            if Message::parse(json).is_some() {
                result.messages.push(json.to_owned());
            } else if !is_document(json)
                && let Ok(members) = from_str::<Pairs<'_, Raw<'_>>>(json)
            {
                for (name, value) in members.iter() {
                    let had = result.unfinished.is_some();
                    inside(value.text(), levels - 1, left, result);
                    match &mut result.unfinished {
                        Some(unfinished) if !had => unfinished.member = Some(name.to_string()),
                        Some(_) | None => {}
                    }
                }
            }
        }
        Some(b'[') => {
            for element in from_str::<Vec<Raw<'_>>>(json).unwrap_or_default() {
                inside(element.text(), levels - 1, left, result);
            }
        }
        Some(b'"') => {
            if let Ok(text) = from_str::<Str<'_>>(json) {
                search(&cleaned(&text), levels - 1, left, result);
            }
        }
        _ => {}
    }
}

/// Whether an object is a plan, a state or schemas, by its members. Their values are not searched for messages.
pub(super) fn is_document(json: &str) -> bool {
    let mut members = Members::new(json);
    while let Ok(Some(name)) = members.next_key() {
        if VALUES.contains(&&*name) || DOCUMENT_MEMBERS.contains(&&*name) {
            return true;
        }
    }
    false
}

/// Members that only the documents of plans and states have, and whose values may be sensitive.
const VALUES: [&str; 8] = [
    "planned_values",
    "prior_state",
    "resource_changes",
    "resource_drift",
    "output_changes",
    "deferred_changes",
    "action_invocations",
    "root_module",
];

/// Further members by which a document is recognized.
const DOCUMENT_MEMBERS: [&str; 6] = [
    "deferred_action_invocations",
    "plan_format_version",
    "state_format_version",
    "provider_schemas",
    "lineage",
    "terraform_version",
];

/// Whether an object is a document of `validate -json`.
pub(super) fn is_validation(json: &str) -> bool {
    let mut members = Members::new(json);
    let (mut has_valid, mut has_result) = (false, false);
    while let Ok(Some(name)) = members.next_key() {
        match &*name {
            "valid" => has_valid = true,
            "diagnostics" | "error_count" => has_result = true,
            _ => {}
        }
    }
    has_valid && has_result
}

/// Returns the string of the member `name`, with which the line of a log collector continues the JSON of the line
/// before.
pub(super) fn member(line: &str, name: &str) -> Option<String> {
    let line = cleaned(line);
    let start = line.find('{')?;
    let members: Pairs<'_, Raw<'_>> = from_str(line[start..].trim_end()).ok()?;
    Some(members.get(name)?.read::<Str<'_>>().ok()?.to_string())
}

/// Removes what cannot be a part of JSON: escape sequences, other control characters and byte order marks.
pub(in crate::stream) fn cleaned(text: &str) -> Cow<'_, str> {
    let is_foreign =
        |c: char| (c.is_control() && !matches!(c, '\t' | '\n' | '\r')) || c == '\u{feff}';
    if !text.contains(is_foreign) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => match chars.next() {
                // CSI: up to its final byte.
                Some('[') => while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {},
                // OSC: up to BEL or ST; ST may be an escape character and a backslash.
                Some(']') => {
                    while chars
                        .next()
                        .is_some_and(|c| !matches!(c, '\u{7}' | '\u{9c}' | '\\'))
                    {
                    }
                }
                Some(_) | None => {}
            },
            '\u{9b}' => while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {},
            c if is_foreign(c) => {}
            c => clean.push(c),
        }
    }
    Cow::Owned(clean)
}

/// Whether a text may contain sensitive values of a message or document. The text must be [`cleaned`]. Keys are
/// recognized however they are quoted: in JSON, in JSON in a string, or in a map as other languages print it.
pub(super) fn may_hold_secrets(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has = |word: &str| memchr::memmem::find(bytes, word.as_bytes()).is_some();
    has("@message")
        || has("@level")
        || VALUES.iter().chain(&WORDS).any(|word| has(word))
        || memchr::memmem::find_iter(bytes, b"ensitive")
            .any(|offset| value_of(&text[offset + "ensitive".len()..]).is_some())
}

/// Words that occur only in the names of members with values.
const WORDS: [&str; 4] = [
    "config_values",
    "sensitive_values",
    "sensitive_attributes",
    "\"lineage",
];

/// Whether a line contains a fragment of a document: as the whole line, after the words that a logger writes before a
/// text, or in a string of a logger's record.
pub(super) fn has_fragment(line: &str) -> bool {
    let indented = line.find("  \"").and_then(|offset| line.get(offset..));
    is_fragment(line)
        || is_fragment(without_lead(line))
        || indented.is_some_and(is_fragment)
        || has_quoted_fragment(line)
}

/// Whether a string in the line contains a fragment, as in a logger's record, or the line was cut off within JSON.
fn has_quoted_fragment(line: &str) -> bool {
    if !line.contains("\\\"") {
        return false;
    }
    let mut rest = line;
    while let Some(offset) = rest.find('"') {
        let (before, text) = rest.split_at(offset);
        if before.ends_with('\\') {
            return true;
        }
        let Ok(string) = Reader::new(text).skip() else {
            return text.contains("\\\"");
        };
        if string.contains("\\\"") && string_has_fragment(string) {
            return true;
        }
        rest = text.get(string.len()..).unwrap_or_default();
    }
    false
}

fn string_has_fragment(string: &str) -> bool {
    let Ok(text) = from_str::<Str<'_>>(string) else {
        return false;
    };
    let text = cleaned(&text);
    text.lines().any(has_fragment)
}

/// Removes the times, levels, labels and names of programs that loggers write before a text.
fn without_lead(line: &str) -> &str {
    let mut rest = line;
    if let Some((head, text)) = rest.split_once(" msg=")
        && head.contains('=')
        && !head.contains('"')
    {
        rest = text;
    }
    let mut has_lead = rest.len() < line.len();
    while let Some(after) = without_word(rest, has_lead) {
        rest = after;
        has_lead = true;
    }
    rest
}

/// Removes one word that a logger writes before a text; `None` if the line begins with another word. A name with a
/// colon counts as that of a program only if `has_lead` says that another word of a logger was before it.
fn without_word(line: &str, has_lead: bool) -> Option<&str> {
    let text = line.trim_start();
    if let Some(label) = text.strip_prefix('[') {
        let (label, rest) = label.split_once(']')?;
        return (!label.contains(['"', '{', '['])).then_some(rest);
    }
    let (word, rest) = text.split_at(text.find([' ', '\t'])?);
    if word.contains(['"', '{', '}', ']']) {
        return None;
    }
    let is_time = word.bytes().filter(u8::is_ascii_digit).count() >= 2
        && word.contains(['-', ':', '/', '.'])
        && word
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b"-:/.,+TZ".contains(&byte));
    let name = word.trim_end_matches(':');
    let is_level = LEVELS.iter().any(|level| name.eq_ignore_ascii_case(level));
    let is_program = has_lead && word.ends_with(':');
    if is_time || is_level || is_program {
        return Some(rest);
    }
    rest.trim_start().strip_prefix('|')
}

/// The names of levels and streams that loggers write before a text.
const LEVELS: [&str; 12] = [
    "debug", "err", "error", "fatal", "info", "notice", "out", "stderr", "stdout", "trace", "warn",
    "warning",
];

/// Whether a line is a fragment of a document: a member, an element, or text with more closing than opening brackets.
/// The marks that make its values sensitive may be in another fragment.
pub(super) fn is_fragment(line: &str) -> bool {
    let is_indented = line.starts_with([' ', '\t']);
    let line = line.trim();
    let mut reader = Reader::new(line);
    if line.starts_with('"') {
        let Ok(string) = reader.skip() else {
            // An element or a member that was cut off.
            return is_indented;
        };
        let rest = line[string.len()..].trim_start();
        // The last element of a list has no comma.
        if rest == ","
            || (rest.is_empty() && is_indented)
            || rest
                .strip_prefix(':')
                .is_some_and(|rest| may_be_value(rest.trim()))
        {
            return true;
        }
    }
    // A member whose name was cut off: `word": "…`.
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    if let Some((name, value)) = line.split_once("\": ")
        && is_name(name)
        && value.contains('"')
    {
        return true;
    }
    let (mut depth, mut escaped) = (0_i64, false);
    let mut closes_more = false;
    for byte in line.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            // The fragment may begin within a string, which makes brackets outside of strings look as if
            // they were inside, so brackets in strings count as well.
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        closes_more |= depth < 0;
    }
    closes_more && line.contains(['"', '\\'])
}

/// Whether a text may begin a JSON value, or is empty.
fn may_be_value(text: &str) -> bool {
    text.is_empty()
        || text.starts_with(['"', '{', '[', '-', 't', 'f', 'n'])
        || text.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a text is the beginning of a message that contains nothing but the level and the `@message`, which are not
/// sensitive.
pub(super) fn is_bare_beginning(text: &str) -> bool {
    let Some(rest) = text.trim_start().strip_prefix("{\"@level\":\"") else {
        return false;
    };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    match rest.strip_prefix("\",\"@message\":") {
        Some(value) => Reader::new(value)
            .skip()
            .is_err_and(|error| error.kind == ErrorKind::UnexpectedEnd),
        None => "\",\"@message\":".starts_with(rest),
    }
}

/// Returns the text after the sign that separates a key from its value; `None` if there is no such sign.
fn value_of(rest: &str) -> Option<&str> {
    let rest = without_quotes(rest);
    [":", "=", "%3A", "%3a"]
        .iter()
        .find_map(|sign| rest.strip_prefix(sign))
}

/// Removes quotes at the beginning, in any of the ways in which other formats escape them.
fn without_quotes(mut text: &str) -> &str {
    /// The forms in which quotes, escapes and spaces occur around a key or a sign.
    const QUOTES: [&str; 8] = ["\\", "\"", "'", " ", "&quot;", "&#34;", "%22", "u0022"];
    while let Some(rest) = QUOTES.iter().find_map(|quote| text.strip_prefix(quote)) {
        text = rest;
    }
    text
}

/// Whether a text contains the level `error`, as the beginning of a message does.
pub(super) fn looks_like_error(text: &str) -> bool {
    let mut levels = memchr::memmem::find_iter(text.as_bytes(), b"@level");
    levels.any(|offset| {
        value_of(&text[offset + "@level".len()..])
            .is_some_and(|value| without_quotes(value).starts_with("error"))
    })
}

/// Returns the `@message` of an incomplete message, if at least that is complete.
pub(super) fn message_text(text: &str) -> Option<String> {
    let start = text.find("{\"@level\"")?;
    let (_, rest) = text[start..].split_once("\"@message\":")?;
    from_str::<Str<'_>>(Reader::new(rest).skip().ok()?)
        .ok()
        .map(|text| text.to_string())
}
