//! Decodes escapes in texts: those of JSON and shells, percent signs, and entities of XML.
//!
//! ```text
//! a\u003db%26c&quot;    a=b&c"
//! ```

/// A text without its escapes (`\n`, `\"`, `\u0067`), percent signs (`%67`) and entities of XML (`&quot;`).
pub(super) struct Plain {
    /// The decoded text.
    pub(super) text: String,
    /// The parts without escapes, each by its start in the decoded text and in the original.
    parts: Vec<(usize, usize)>,
}

impl Plain {
    /// Decodes the escapes of a text. Returns `None` if nothing is escaped.
    pub(super) fn new(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let first = memchr::memchr3(b'\\', b'%', b'&', bytes)?;
        let mut plain = Self {
            text: String::with_capacity(text.len()),
            parts: vec![(0, 0)],
        };
        let (mut offset, mut from) = (first, 0);
        while offset < bytes.len() {
            if let Some((decoded, length)) = escape(text, offset) {
                plain.text.push_str(text.get(from..offset)?);
                plain.text.push_str(&decoded);
                offset += length;
                from = offset;
                plain.parts.push((plain.text.len(), offset));
            } else {
                offset += 1;
            }
            let next = memchr::memchr3(b'\\', b'%', b'&', bytes.get(offset..)?);
            offset += next.unwrap_or(bytes.len() - offset);
        }
        plain.text.push_str(text.get(from..)?);
        (plain.parts.len() > 1).then_some(plain)
    }

    /// Returns the offset in the original of an offset in the decoded text.
    pub(super) fn original(&self, offset: usize) -> usize {
        let next = self.parts.partition_point(|(start, _)| *start <= offset);
        let (start, to) = self.parts[next - 1];
        to + (offset - start)
    }
}

/// Returns the text that the escape at this offset means, and the length of the escape; `None` if there is no escape.
fn escape(text: &str, offset: usize) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    match bytes[offset] {
        b'%' => return percent(bytes, offset),
        b'&' => return entity(text.get(offset..)?),
        _ => {}
    }
    let one = |c: char| Some((c.to_string(), 2));
    match bytes.get(offset + 1)? {
        b'n' => one('\n'),
        b'r' => one('\r'),
        b't' => one('\t'),
        b'"' => one('"'),
        b'\'' => one('\''),
        b'/' => one('/'),
        b'\\' => one('\\'),
        b'u' => {
            let unit = |from: usize| u16::from_str_radix(text.get(from..from + 4)?, 16).ok();
            let first = unit(offset + 2)?;
            if let Some(c) = char::from_u32(u32::from(first)) {
                return Some((c.to_string(), 6));
            }
            let second = text
                .get(offset + 6..offset + 8)
                .filter(|next| *next == "\\u")
                .and_then(|_| unit(offset + 8))?;
            Some((String::from_utf16(&[first, second]).ok()?, 12))
        }
        b'x' => {
            let byte = u8::from_str_radix(text.get(offset + 2..offset + 4)?, 16).ok()?;
            byte.is_ascii().then(|| (char::from(byte).to_string(), 4))
        }
        _ => None,
    }
}

/// The characters that XML cannot have as they are, by the name of their entity.
const ENTITIES: [(&str, char); 5] = [
    ("quot", '"'),
    ("apos", '\''),
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
];

/// Returns the character of an entity at the beginning of a text, and the length of the entity: `&quot;`, `&#34;` or
/// `&#x22;`.
pub(super) fn entity(rest: &str) -> Option<(String, usize)> {
    /// The maximum length of an entity, in bytes.
    const MAX_LEN: usize = 8;
    let rest = rest.strip_prefix('&').map(|_| rest)?;
    let length = rest.bytes().take(MAX_LEN).position(|byte| byte == b';')?;
    let name = rest.get(1..length)?;
    let meant = match name.strip_prefix('#') {
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
        None => ENTITIES.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((meant.to_string(), length + 1))
}

/// Returns the character of up to four bytes that percent signs encode, and the length of its encoding.
fn percent(bytes: &[u8], offset: usize) -> Option<(String, usize)> {
    let mut decoded = Vec::new();
    for start in (offset..).step_by(3).take(4) {
        let digits = bytes.get(start..start + 3)?.strip_prefix(b"%")?;
        let digits = std::str::from_utf8(digits).ok()?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        decoded.push(u8::from_str_radix(digits, 16).ok()?);
        if let Ok(text) = std::str::from_utf8(&decoded) {
            return Some((text.to_owned(), start + 3 - offset));
        }
    }
    None
}
