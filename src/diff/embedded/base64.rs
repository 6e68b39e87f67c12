//! Base64 (RFC 4648, standard and URL-safe alphabets, with or without padding).

/// The minimum length: shorter strings are too often valid base64 by chance.
const SHORTEST: usize = 16;

/// Decodes `text`; `None` if it is not base64, or too short to be certain.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('\n');
    let body = text.trim_end_matches('=');
    let padding = text.len() - body.len();
    if text.len() < SHORTEST
        || padding > 2
        || (padding > 0 && !text.len().is_multiple_of(4))
        || body.len() % 4 == 1
    {
        return None;
    }
    let mut bytes = Vec::with_capacity(body.len() * 3 / 4);
    let (mut bits, mut held) = (0u32, 0);
    for byte in body.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    (bits == 0).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn decodes_what_is_base64_only() {
        assert_eq!(decode("aGVsbG8sIHdvcmxkIQ==").as_deref(), Some(&b"hello, world!"[..]));
        assert_eq!(decode("aGVsbG8sIHdvcmxkIQ").as_deref(), Some(&b"hello, world!"[..]));
        for text in ["", "aGVsbG8=", "not base64 at all!", "aGVsbG8sIHdvcmxkIR==", "aGVsbG8sIHdvcmxkIQ="] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
