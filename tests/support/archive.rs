//! Saved plans that are taken apart and put together again, and such that are made by hand.

use std::fs;
use std::io::{Cursor, Write};

use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

/// An archive of these entries, with correct checksums.
pub(crate) fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        let is_large = bytes.len() > 1 << 20;
        let method = if is_large {
            CompressionMethod::Deflated
        } else {
            CompressionMethod::Stored
        };
        writer
            .start_file(
                *name,
                SimpleFileOptions::default().compression_method(method),
            )
            .unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The entries of a saved plan of the fixtures.
pub(crate) fn entries(case: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let mut archive =
        zip::ZipArchive::new(fs::File::open(case.join("plan.tfplan")).unwrap()).unwrap();
    let count = archive.len();
    let read = |index| {
        let mut entry = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        std::io::copy(&mut entry, &mut bytes).unwrap();
        (entry.name().unwrap().into_owned(), bytes)
    };
    (0..count).map(read).collect()
}

/// A field of a message of protocol buffers.
pub(crate) fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut message = varint(u64::from(number) << 3 | 2);
    message.extend(varint(bytes.len() as u64));
    message.extend(bytes);
    message
}

pub(crate) fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A plan that creates one object with this value.
pub(crate) fn plan_of(value: &[u8]) -> Vec<u8> {
    let change = [vec![0x08, 1], field(2, &field(1, value))].concat();
    let resource = [
        field(8, b"provider[\"registry.terraform.io/acme/acme\"]"),
        field(9, &change),
        field(13, b"acme_thing.a"),
    ]
    .concat();
    zip(&[("tfplan", &[vec![0x08, 3], field(3, &resource)].concat())])
}
