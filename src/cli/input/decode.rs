//! Decodes bytes to text: gzip, UTF-8 with or without a byte order mark, UTF-16.

use std::io::Read;

use anyhow::{Context, bail};
use flate2::read::MultiGzDecoder;

use crate::input::{Encoding, utf16};

/// A decoded text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decoded {
    /// The text, without a byte order mark.
    pub(super) text: String,
    /// The kind of text to which positions refer, if not to the bytes of the file.
    pub(super) converted: Option<&'static str>,
}

/// Decodes `bytes`.
pub(super) fn text(bytes: Vec<u8>) -> anyhow::Result<Decoded> {
    let unpacked = bytes.starts_with(&[0x1f, 0x8b]);
    let bytes = if unpacked { unpack(&bytes)? } else { bytes };
    let converted = unpacked.then_some("unpacked");
    match Encoding::detect(&bytes).unwrap_or((Encoding::Utf8, 0)) {
        (Encoding::Utf8, mark) => {
            // The mark is replaced by white space, because removing three bytes would move up to
            // 100 MB.
            let mut bytes = bytes;
            bytes[..mark].fill(b' ');
            Ok(Decoded { text: utf8(bytes)?, converted })
        }
        (Encoding::Utf16 { big_endian }, mark) => Ok(Decoded {
            text: decode_utf16(&bytes, mark, big_endian)?,
            converted: Some("converted (UTF-8)"),
        }),
    }
}

/// The maximum size of decompressed data, in bytes. A small file can expand to any size.
const MAX_UNPACKED: u64 = 4 << 30;

fn unpack(bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut unpacked = Vec::new();
    MultiGzDecoder::new(bytes)
        .take(MAX_UNPACKED + 1)
        .read_to_end(&mut unpacked)
        .context("malformed gzip data\n  tip: is the file complete?")?;
    if unpacked.len() as u64 > MAX_UNPACKED {
        bail!(
            "the gzip data unpacks to more than {} GiB\n  tip: unpack it first if it is meant to",
            MAX_UNPACKED >> 30
        );
    }
    Ok(unpacked)
}

fn utf8(bytes: Vec<u8>) -> anyhow::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(at).copied().unwrap_or_default();
        anyhow::anyhow!(
            "not valid UTF-8: byte 0x{byte:02x} at offset {at} begins no character\n  tip: was the file converted or truncated?"
        )
    })
}

fn decode_utf16(bytes: &[u8], mark: usize, big_endian: bool) -> anyhow::Result<String> {
    let text: Result<String, usize> = utf16(&bytes[mark..], big_endian).collect();
    text.map_err(|at| match mark + at {
        at if at + 1 == bytes.len() => anyhow::anyhow!(
            "not valid UTF-16: half a character at its end, offset {at}\n  tip: is the file complete?"
        ),
        at => anyhow::anyhow!("not valid UTF-16: half a surrogate pair at offset {at}"),
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn utf16_bytes(text: &str, little: bool) -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() })
            .collect()
    }

    #[test]
    fn every_encoding_gives_the_same_text() {
        let json = r#"{"é":"😀"}"#;
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(json.as_bytes()).unwrap();
        for bytes in [
            json.as_bytes().to_vec(),
            [b"\xef\xbb\xbf", json.as_bytes()].concat(),
            packed.finish().unwrap(),
            [&b"\xff\xfe"[..], &utf16_bytes(json, true)].concat(),
            [&b"\xfe\xff"[..], &utf16_bytes(json, false)].concat(),
            utf16_bytes(&format!("{{ {}", &json[1..]), true),
            utf16_bytes(&format!("{{ {}", &json[1..]), false),
        ] {
            let text = text(bytes).unwrap().text;
            assert_eq!(text.replace(' ', ""), json);
        }
    }

    #[test]
    fn faults_are_placed() {
        for (bytes, message) in [
            (&b"{\"a\":\"\xff\"}"[..], "byte 0xff at offset 6"),
            (b"\xef\xbb\xbf{\xc3", "byte 0xc3 at offset 4"),
            (b"\xff\xfe{\0\x00\xd8{\0", "half a surrogate pair at offset 4"),
            (b"\xff\xfe{\0}", "half a character at its end, offset 4"),
            (b"\x1f\x8b\x08nonsense", "malformed gzip data"),
        ] {
            let error = format!("{:#}", text(bytes.to_vec()).unwrap_err());
            assert!(error.contains(message), "{error}");
        }
    }
}
