//! Reads the bytes of files, and decodes them to text: gzip, UTF-8 with or without a byte order mark, UTF-16.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use flate2::read::MultiGzDecoder;

use crate::input::{Encoding, utf16};

/// Below this many bytes a second thread costs more than it saves.
const WORTHWHILE: usize = 4 << 20;

/// Reads a file.
pub(super) fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "a directory, not a file"));
    }
    let length = usize::try_from(metadata.len()).unwrap_or(0);
    if length >= WORTHWHILE
        && let Some(bytes) = read_halves(&file, length)
    {
        return Ok(bytes);
    }
    // One more byte, so that the read that finds the end does not grow the buffer.
    let mut bytes = Vec::with_capacity(length + 1);
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads both halves of a large file of `length` bytes in parallel; `None` if it cannot be read this way or does not have
/// that length. Most of the time is spent on copying and on page faults, which are both work for the processor.
#[cfg(unix)]
fn read_halves(file: &File, length: usize) -> Option<Vec<u8>> {
    use std::os::unix::fs::FileExt;
    use std::thread;

    let mut bytes = vec![0; length];
    let (first, second) = bytes.split_at_mut(length / 2);
    let middle = first.len() as u64;
    thread::scope(|scope| {
        let helper =
            thread::Builder::new().spawn_scoped(scope, || file.read_exact_at(second, middle)).ok()?;
        file.read_exact_at(first, 0).ok()?;
        helper.join().ok()?.ok()
    })?;
    let at_end = file.read_at(&mut [0], length as u64).ok()? == 0;
    at_end.then_some(bytes)
}

/// Other platforms have no positioned reads that leave the file cursor unchanged.
#[cfg(not(unix))]
fn read_halves(_: &File, _: usize) -> Option<Vec<u8>> {
    None
}

/// Decodes bytes. Returns the text, without a byte order mark, and the kind of text to which positions refer, if not to
/// the bytes.
pub(super) fn text(mut bytes: Vec<u8>) -> anyhow::Result<(String, Option<&'static str>)> {
    let mut converted = None;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        (bytes, converted) = (unpack(&bytes)?, Some("unpacked"));
    }
    match Encoding::detect(&bytes).unwrap_or((Encoding::Utf8, 0)) {
        (Encoding::Utf8, mark) => {
            // The mark is replaced by white space, because removing three bytes would move up to 100 MB.
            bytes[..mark].fill(b' ');
            Ok((utf8(bytes)?, converted))
        }
        (Encoding::Utf16 { big_endian }, mark) => {
            Ok((decode_utf16(&bytes, mark, big_endian)?, Some("converted (UTF-8)")))
        }
    }
}

fn unpack(bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    /// The maximum size of decompressed data, in bytes. A small file can expand to any size.
    const MAX_UNPACKED: u64 = 4 << 30;
    let mut unpacked = Vec::new();
    MultiGzDecoder::new(bytes)
        .take(MAX_UNPACKED + 1)
        .read_to_end(&mut unpacked)
        .context("malformed gzip data\n  tip: is the file complete?")?;
    ensure!(
        unpacked.len() as u64 <= MAX_UNPACKED,
        "the gzip data unpacks to more than {} GiB\n  tip: unpack it first if it is meant to",
        MAX_UNPACKED >> 30
    );
    Ok(unpacked)
}

fn utf8(bytes: Vec<u8>) -> anyhow::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(at).copied().unwrap_or_default();
        anyhow!(
            "not valid UTF-8: byte 0x{byte:02x} at offset {at} begins no character\n  tip: was the file converted or truncated?"
        )
    })
}

fn decode_utf16(bytes: &[u8], mark: usize, big_endian: bool) -> anyhow::Result<String> {
    let text: Result<String, usize> = utf16(&bytes[mark..], big_endian).collect();
    text.map_err(|at| match mark + at {
        at if at + 1 == bytes.len() => anyhow!(
            "not valid UTF-16: half a character at its end, offset {at}\n  tip: is the file complete?"
        ),
        at => anyhow!("not valid UTF-16: half a surrogate pair at offset {at}"),
    })
}

#[cfg(test)]
mod tests;
