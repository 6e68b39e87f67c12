//! Checks that the directory of a ZIP archive can be read in one way only.
//!
//! Programs that read ZIP archives differ. Of two entries with the same name, the tools take the first and others the
//! last; some search for the directory from the end and others from the beginning; some trust the header before an
//! entry rather than the entry in the directory. What is reviewed here must be what the tool applies, so an archive
//! that could be read in two ways is refused. The tools, like the usual programs, write plain archives: entries one
//! after another, then the directory, then its end record, and nothing else.
//!
//! Source: PKWARE's APPNOTE, section 4.3. All numbers are little-endian.
//!
//! ```text
//! [header of tfplan][data][header of tfconfig/…][data]…[directory][end record]
//! ```

use std::collections::HashMap;
use std::ops::Range;

/// The signature of a local header, which precedes the data of an entry.
const LOCAL_HEADER: &[u8] = b"PK\x03\x04";
/// The length of the fixed part of a local header, before the name, in bytes.
const LOCAL_LENGTH: usize = 30;
/// The signature of an entry of the directory.
const ENTRY: &[u8] = b"PK\x01\x02";
/// The length of the fixed part of an entry of the directory, before the name, in bytes.
const ENTRY_LENGTH: usize = 46;
/// The signature of the end record, which follows the directory.
const END: &[u8] = b"PK\x05\x06";
/// The length of an end record without a comment, in bytes.
const END_LENGTH: usize = 22;

/// The flag of an entry whose checksum and sizes follow its data.
const HAS_DESCRIPTOR: u16 = 1 << 3;
/// The flag of an entry that is encrypted.
const IS_ENCRYPTED: u16 = 1;

/// An entry of the directory.
struct DirectoryEntry<'b> {
    /// The name, in the bytes of the archive.
    name: &'b [u8],
    /// The flags, among them `HAS_DESCRIPTOR` and `IS_ENCRYPTED`.
    flags: u16,
    /// The number of the compression method.
    method: u16,
    /// The checksum and both sizes, in the bytes of the archive.
    sizes: &'b [u8],
    /// The size of the compressed data, in bytes.
    packed_size: usize,
    /// The offset of the local header, in bytes.
    header: usize,
}

/// Checks that an archive can be read in one way only.
///
/// # Errors
/// A sentence fragment that says what is wrong.
pub(super) fn check(archive: &[u8]) -> Result<(), String> {
    let end = archive
        .len()
        .checked_sub(END_LENGTH)
        .and_then(|start| archive.get(start..))
        .filter(|end| end.starts_with(END))
        .ok_or("it does not end with the end of its directory (is it complete?)")?;
    let number = |offset| read_u16(end, offset);
    let is_divided = number(4) != 0 || number(6) != 0 || number(8) != number(10);
    if is_divided || number(10) == u16::MAX || number(20) != 0 {
        return Err(
            "it is split into several files, has a comment, or has too many entries".to_owned(),
        );
    }
    let (size, start) = (read_u32(end, 12), read_u32(end, 16));
    let is_before_end = start
        .checked_add(size)
        .is_some_and(|stop| stop + END_LENGTH == archive.len());
    if !is_before_end {
        return Err("its directory is not at the offset in its end record".to_owned());
    }
    let entries = entries(&archive[start..start + size])?;
    if entries.len() != usize::from(number(10)) {
        return Err("the number of entries differs from that in its end record".to_owned());
    }
    check_names(&entries)?;
    check_data(&entries, archive, start)
}

/// Reads all entries of the directory, which must fill it.
fn entries(mut directory: &[u8]) -> Result<Vec<DirectoryEntry<'_>>, String> {
    let mut entries = Vec::new();
    while !directory.is_empty() {
        let damaged = || "an entry of its directory is damaged".to_owned();
        let fixed = directory
            .get(..ENTRY_LENGTH)
            .filter(|fixed| fixed.starts_with(ENTRY))
            .ok_or_else(damaged)?;
        let length = |offset| usize::from(read_u16(fixed, offset));
        let name_end = ENTRY_LENGTH + length(28);
        entries.push(DirectoryEntry {
            name: directory.get(ENTRY_LENGTH..name_end).ok_or_else(damaged)?,
            flags: read_u16(fixed, 8),
            method: read_u16(fixed, 10),
            sizes: &fixed[16..28],
            packed_size: read_u32(fixed, 20),
            header: read_u32(fixed, 42),
        });
        let entry_end = name_end + length(30) + length(32);
        directory = directory.get(entry_end..).ok_or_else(damaged)?;
    }
    Ok(entries)
}

/// Checks that no two entries have names that mean the same file on any system.
fn check_names(entries: &[DirectoryEntry<'_>]) -> Result<(), String> {
    let mut names = HashMap::new();
    for entry in entries {
        let shown = String::from_utf8_lossy(entry.name);
        if let Some(other) = names.insert(plain_name(&shown), shown.clone()) {
            return Err(if other == shown {
                format!("it has two entries with the name {shown:?}")
            } else {
                format!("its entries {other:?} and {shown:?} are one file")
            });
        }
    }
    Ok(())
}

/// Returns a name without the differences that only some systems recognize: case, the kind of separator, and the steps
/// `.` and `..`.
fn plain_name(name: &str) -> String {
    let mut steps: Vec<String> = Vec::new();
    for step in name.split(['/', '\\']) {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step.to_lowercase()),
        }
    }
    steps.join("/")
}

/// Checks that the local header of each entry agrees with the directory, and that no two entries share bytes.
fn check_data(
    entries: &[DirectoryEntry<'_>],
    archive: &[u8],
    directory: usize,
) -> Result<(), String> {
    let mut places = Vec::with_capacity(entries.len());
    for entry in entries {
        let place = place_of(entry, archive).ok_or_else(|| {
            let name = String::from_utf8_lossy(entry.name);
            format!("the header of its entry {name:?} says something else than its directory")
        })?;
        places.push(place);
    }
    places.sort_by_key(|place| place.start);
    let mut end = 0;
    for place in places {
        if place.start < end || place.end > directory {
            return Err("two of its entries overlap".to_owned());
        }
        end = place.end;
    }
    Ok(())
}

/// Returns the range of bytes of an entry, from its local header to the end of its data. Returns `None` if the header
/// does not agree with the directory, or the entry is encrypted.
fn place_of(entry: &DirectoryEntry<'_>, archive: &[u8]) -> Option<Range<usize>> {
    let header = archive.get(entry.header..)?;
    let fixed = header.get(..LOCAL_LENGTH)?;
    let length = |offset| usize::from(read_u16(fixed, offset));
    let name = header.get(LOCAL_LENGTH..LOCAL_LENGTH + length(26))?;
    let flags = read_u16(fixed, 6);
    let sizes_follow = flags & HAS_DESCRIPTOR != 0;
    let is_same = fixed.starts_with(LOCAL_HEADER)
        && name == entry.name
        && flags == entry.flags
        && flags & IS_ENCRYPTED == 0
        && read_u16(fixed, 8) == entry.method
        && (sizes_follow || &fixed[14..26] == entry.sizes);
    let data = entry.header + LOCAL_LENGTH + length(26) + length(28);
    is_same.then(|| entry.header..data.saturating_add(entry.packed_size))
}

/// Reads a number of two bytes. Bytes beyond the end count as 0.
fn read_u16(bytes: &[u8], offset: usize) -> u16 {
    match bytes.get(offset..offset + 2) {
        Some([low, high]) => u16::from_le_bytes([*low, *high]),
        Some(_) | None => 0,
    }
}

/// Reads a number of four bytes. One that does not fit into `usize` becomes `usize::MAX`, which is larger than any
/// archive.
fn read_u32(bytes: &[u8], offset: usize) -> usize {
    let low = u32::from(read_u16(bytes, offset));
    let high = u32::from(read_u16(bytes, offset + 2));
    usize::try_from(high << 16 | low).unwrap_or(usize::MAX)
}
