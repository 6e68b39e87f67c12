//! Decodes the text of a file: UTF-8 or UTF-16, with or without a byte order mark, possibly compressed by gzip.
//!
//! ```text
//! 1f 8b 08 …              unpacked by gzip first
//! ff fe 7b 00             UTF-16, little-endian
//! ef bb bf 7b             UTF-8 with a byte order mark, which is dropped
//! ```
//!
//! Errors say what to do: whether the file may be incomplete, or has another encoding.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::{Encoding, utf16};

/// The decoded text of a file.
#[derive(Debug)]
pub struct Decoded {
    /// The text as UTF-8, without a byte order mark.
    pub text: String,
    /// Whether positions in the text differ from those in the file.
    pub is_converted: bool,
}

/// The reason why a file has no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct DecodeError {
    /// The problem, as the end of a sentence: `cannot read FILE: …`.
    pub problem: String,
    /// A suggestion of what to try.
    pub tip: Option<&'static str>,
}

impl DecodeError {
    fn new(problem: impl Into<String>, tip: Option<&'static str>) -> Self {
        Self {
            problem: problem.into(),
            tip,
        }
    }
}

/// Decodes the text of a file.
///
/// # Errors
/// Returns an error if the bytes are not text, or are gzip data that is damaged or too large.
pub fn decode(mut bytes: Vec<u8>) -> Result<Decoded, DecodeError> {
    let is_packed = bytes.starts_with(&[0x1f, 0x8b]);
    if is_packed {
        bytes = unpack(&bytes)?;
    }
    match Encoding::detect(&bytes).unwrap_or((Encoding::Utf8, 0)) {
        (Encoding::Utf8, mark) => {
            let mut text = utf8(bytes)?;
            text.drain(..mark);
            Ok(Decoded {
                text,
                is_converted: is_packed,
            })
        }
        (Encoding::Utf16 { big_endian }, mark) => Ok(Decoded {
            text: decode_utf16(&bytes, mark, big_endian)?,
            is_converted: true,
        }),
    }
}

/// Unpacks gzip data of up to `MAX_UNPACKED` bytes.
fn unpack(bytes: &[u8]) -> Result<Vec<u8>, DecodeError> {
    /// The maximum size of unpacked data, in bytes. A small file can expand to any size.
    const MAX_UNPACKED: u64 = 4 << 30;
    let mut unpacked = Vec::new();
    let read = MultiGzDecoder::new(bytes)
        .take(MAX_UNPACKED + 1)
        .read_to_end(&mut unpacked);
    if let Err(error) = read {
        return Err(DecodeError::new(
            format!("malformed gzip data: {error}"),
            Some("is the file complete?"),
        ));
    }
    if unpacked.len() as u64 > MAX_UNPACKED {
        let problem = format!(
            "the gzip data unpacks to more than {} GiB",
            MAX_UNPACKED >> 30
        );
        let tip = "unpack it first if it is meant to";
        return Err(DecodeError::new(problem, Some(tip)));
    }
    Ok(unpacked)
}

/// Decodes UTF-8. The error names the first invalid byte.
fn utf8(bytes: Vec<u8>) -> Result<String, DecodeError> {
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(offset).copied().unwrap_or_default();
        DecodeError::new(
            format!("not valid UTF-8: byte 0x{byte:02x} at offset {offset} begins no character"),
            Some("was the file converted or truncated?"),
        )
    })
}

/// Decodes UTF-16 after the byte order mark, which has `mark` bytes. The error names the offset in the data.
fn decode_utf16(bytes: &[u8], mark: usize, big_endian: bool) -> Result<String, DecodeError> {
    let text: Result<String, usize> = utf16(&bytes[mark..], big_endian).collect();
    text.map_err(|offset| match mark + offset {
        offset if offset + 1 == bytes.len() => DecodeError::new(
            format!("not valid UTF-16: half a character at its end, offset {offset}"),
            Some("is the file complete?"),
        ),
        offset => DecodeError::new(
            format!("not valid UTF-16: half a surrogate pair at offset {offset}"),
            None,
        ),
    })
}
