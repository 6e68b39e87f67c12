//! Reads one file of a ZIP archive: the lock file of a saved plan.
//!
//! Supports only archives as the tools write them: a single part, no encryption, files stored or deflated.
//! In any other archive there is no lock file. Invariant: at most [`MAX_LEN`] bytes are decompressed.

use std::io::Read;

use flate2::read::DeflateDecoder;

/// The name of the file.
const NAME: &[u8] = b".terraform.lock.hcl";

/// The maximum length of a lock file, in bytes.
const MAX_LEN: u64 = 4 << 20;

/// The signatures of the records, and their lengths without names.
const END: (&[u8; 4], usize) = (b"PK\x05\x06", 22);
const ENTRY: (&[u8; 4], usize) = (b"PK\x01\x02", 46);
const LOCAL: (&[u8; 4], usize) = (b"PK\x03\x04", 30);

/// Reads the lock file in a saved plan.
pub(super) fn lock_file(archive: &[u8]) -> Option<String> {
    let end = memchr::memmem::rfind(archive, END.0)?;
    let end = archive.get(end..end + END.1)?;
    let count = number(end, 10, 2)?;
    let mut at = number(end, 16, 4)?;
    for _ in 0..count {
        let entry = archive.get(at..)?;
        if !entry.starts_with(ENTRY.0) {
            return None;
        }
        let (name, extra, comment) = (number(entry, 28, 2)?, number(entry, 30, 2)?, number(entry, 32, 2)?);
        if entry.get(ENTRY.1..ENTRY.1 + name)? == NAME {
            return unpacked(archive, entry);
        }
        at += ENTRY.1 + name + extra + comment;
    }
    None
}

fn unpacked(archive: &[u8], entry: &[u8]) -> Option<String> {
    let (method, length) = (number(entry, 10, 2)?, number(entry, 20, 4)?);
    let local = archive.get(number(entry, 42, 4)?..)?;
    if !local.starts_with(LOCAL.0) {
        return None;
    }
    let start = LOCAL.1 + number(local, 26, 2)? + number(local, 28, 2)?;
    let packed = local.get(start..)?.get(..length)?;
    let mut text = Vec::new();
    match method {
        0 => packed.take(MAX_LEN).read_to_end(&mut text).ok()?,
        8 => DeflateDecoder::new(packed).take(MAX_LEN).read_to_end(&mut text).ok()?,
        _ => return None,
    };
    String::from_utf8(text).ok()
}

/// A little-endian number in a record.
fn number(record: &[u8], at: usize, length: usize) -> Option<usize> {
    let bytes = record.get(at..at + length)?;
    bytes
        .iter()
        .rev()
        .try_fold(0usize, |number, byte| number.checked_mul(256)?.checked_add(usize::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive with these files, stored without compression.
    fn archive(files: &[(&str, &str)]) -> Vec<u8> {
        let (mut locals, mut entries) = (Vec::new(), Vec::new());
        for (name, text) in files {
            let at = u32::try_from(locals.len()).unwrap();
            let (name_length, length) =
                (u16::try_from(name.len()).unwrap(), u32::try_from(text.len()).unwrap());
            let common = [
                &[20, 0, 0, 0, 0, 0][..],
                &[0; 8],
                &length.to_le_bytes(),
                &length.to_le_bytes(),
                &name_length.to_le_bytes(),
            ]
            .concat();
            locals.extend([&LOCAL.0[..], &common, &[0, 0], name.as_bytes(), text.as_bytes()].concat());
            entries.extend(
                [&ENTRY.0[..], &[20, 0], &common, &[0; 12], &at.to_le_bytes(), name.as_bytes()].concat(),
            );
        }
        let (count, start) = (u16::try_from(files.len()).unwrap(), u32::try_from(locals.len()).unwrap());
        let size = u32::try_from(entries.len()).unwrap();
        [
            &locals[..],
            &entries,
            END.0,
            &[0; 4],
            &count.to_le_bytes(),
            &count.to_le_bytes(),
            &size.to_le_bytes(),
            &start.to_le_bytes(),
            &[0, 0],
        ]
        .concat()
    }

    #[test]
    fn the_lock_file_is_found() {
        let lock = "provider \"registry.terraform.io/hashicorp/aws\" {}\n";
        let plan = archive(&[("tfplan", "binary"), (".terraform.lock.hcl", lock), ("tfstate", "{}")]);
        assert_eq!(lock_file(&plan).as_deref(), Some(lock));
        assert_eq!(lock_file(&archive(&[("tfplan", "binary")])), None);
    }

    #[test]
    fn a_broken_archive_has_none() {
        let plan = archive(&[("tfplan", "binary"), (".terraform.lock.hcl", "x")]);
        for length in 0..plan.len() {
            let _: Option<String> = lock_file(&plan[..length]);
            let mut changed = plan.clone();
            changed[length] = 0xff;
            let _: Option<String> = lock_file(&changed);
        }
        assert_eq!(lock_file(b"PK\x03\x04 a plan"), None);
    }
}
