//! Decides whether a file in a form that tfview does not read may hold a document that is packed, encoded or encrypted.
//!
//! Invariants: the answer takes time and memory linear in the length of the file. Data that is encoded several times is
//! decoded up to [`DEEPEST`] times.

use std::io::Read;

use flate2::read::ZlibDecoder;

use crate::diff::embedded::{base64_digit, is_base64};

/// The maximum number of times that encoded data is decoded.
const DEEPEST: usize = 4;
/// The minimum length of a run of characters that is decoded, in bytes. A plan is longer than that; a digest is not, in
/// most notations.
const SHORTEST: usize = 64;

/// Whether data begins like an archive or like compressed data.
pub(super) fn is_packed(head: &[u8]) -> bool {
    /// The offset of the magic bytes in a tar archive, in bytes.
    const TAR: usize = 257;
    let magics: [&[u8]; 15] = [
        b"\x1f\x8b\x08",
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"BZh",
        b"\xfd7zXZ\0",
        b"\x5d\0\0",
        b"LZIP",
        b"\x28\xb5\x2f\xfd",
        b"\x04\x22\x4d\x18",
        b"7z\xbc\xaf\x27\x1c",
        b"Rar!\x1a\x07",
        b"\x1f\x9d\x90",
        b"!<arch>\n",
        b"070701",
        b"070707",
    ];
    magics.iter().any(|magic| head.starts_with(magic)) || head.get(TAR..TAR + 5) == Some(b"ustar")
}

/// Whether a text or data may be a document in encrypted or encoded form.
pub(super) fn may_hold_document(bytes: &[u8]) -> bool {
    is_encrypted(bytes) || has_encoded(bytes, DEEPEST) || is_base85_of_document(bytes)
}

/// Whether data begins like the output of a program that encrypts or encodes files.
fn is_encrypted(bytes: &[u8]) -> bool {
    let heads = [
        "-----BEGIN PGP MESSAGE-----",
        "-----BEGIN AGE ENCRYPTED FILE-----",
        "age-encryption.org/",
        "$ANSIBLE_VAULT;",
        "Salted__",
        "begin 6",
        "begin-base64 ",
    ];
    let start = bytes.trim_ascii_start();
    heads.iter().any(|head| start.starts_with(head.as_bytes()))
}

/// Whether a text has a run of characters that may encode a document.
fn has_encoded(text: &[u8], depth: usize) -> bool {
    depth > 0 && runs(text).any(|run| decodings(&run).any(|decoded| is_document(&decoded, depth)))
}

/// Whether decoded data may be a document, or may hold one.
fn is_document(bytes: &[u8], depth: usize) -> bool {
    let has_version = memchr::memmem::find(bytes, b"\"format_version").is_some();
    has_version
        || is_packed(bytes)
        || is_zlib(bytes)
        || is_encrypted(bytes)
        || has_encoded(bytes, depth - 1)
}

/// Whether data is packed by zlib. Its header has only two bytes, so the beginning is unpacked, too.
fn is_zlib(bytes: &[u8]) -> bool {
    let [method, flags, ..] = *bytes else {
        return false;
    };
    let is_head = method == 0x78 && u16::from_be_bytes([method, flags]).is_multiple_of(31);
    let mut start = [0; SHORTEST];
    is_head && ZlibDecoder::new(bytes).read_exact(&mut start).is_ok()
}

/// Whether a whole text is base85 of data that may be a document. Base85 within other text cannot be recognized, because
/// its digits are nearly all printable characters.
fn is_base85_of_document(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let framed = text
        .strip_prefix(b"<~")
        .and_then(|text| text.strip_suffix(b"~>"));
    let text = framed.unwrap_or(text);
    let holds_document = |digits: &[u8]| {
        let decoded = decode_base85(text, digits);
        decoded.is_some_and(|decoded| is_document(&decoded, 1))
    };
    text.len() >= SHORTEST && [ASCII85, BASE85, Z85].into_iter().any(holds_document)
}

/// The digits of Ascii85, which Adobe's formats use.
const ASCII85: &[u8] =
    b"!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstu";
/// The digits of RFC 1924, which Python and Git use.
const BASE85: &[u8] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
/// The digits of Z85, which ZeroMQ uses.
const Z85: &[u8] =
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

/// Decodes base85: each group of five digits is four bytes. `None` if a character is no digit, or a group does not fit into
/// four bytes. Digits after the last group are ignored. In Ascii85, `z` is a group of four zero bytes.
fn decode_base85(text: &[u8], digits: &[u8]) -> Option<Vec<u8>> {
    let mut values = [None; 256];
    for (value, digit) in (0_u32..).zip(digits) {
        values[usize::from(*digit)] = Some(value);
    }
    let mut decoded = Vec::with_capacity(text.len() / 5 * 4);
    let (mut value, mut digit_count) = (0_u32, 0);
    for byte in text.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        if *byte == b'z' && values[usize::from(b'z')].is_none() && digit_count == 0 {
            decoded.extend([0; 4]);
            continue;
        }
        let digit = values[usize::from(*byte)]?;
        value = value.checked_mul(85)?.checked_add(digit)?;
        digit_count += 1;
        if digit_count == 5 {
            decoded.extend(value.to_be_bytes());
            (value, digit_count) = (0, 0);
        }
    }
    Some(decoded)
}

/// Returns the runs of characters that may encode something, in base64 or a notation with fewer characters. Lines that
/// have nothing else are joined into one run.
fn runs(text: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let (mut runs, mut lines): (Vec<Vec<u8>>, Vec<u8>) = (Vec::new(), Vec::new());
    for line in text.split(|byte| *byte == b'\n').chain([&b"."[..]]) {
        let line = line.trim_ascii();
        let padding = line.iter().rev().take_while(|byte| **byte == b'=').count();
        let plain = &line[..line.len() - padding];
        if !plain.is_empty() && plain.iter().copied().all(is_base64) {
            lines.extend_from_slice(plain);
            continue;
        }
        runs.push(std::mem::take(&mut lines));
        let within = line.split(|byte| !is_base64(*byte));
        runs.extend(
            within
                .filter(|run| run.len() >= SHORTEST)
                .map(<[u8]>::to_vec),
        );
    }
    runs.into_iter().filter(|run| run.len() >= SHORTEST)
}

/// Decodes a run in each notation that it may have: hexadecimal, base32 and base64.
fn decodings(run: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let digit = |byte: u8| (byte as char).to_digit(16);
    let base32 = |byte: u8| match byte {
        b'A'..=b'Z' => Some(u32::from(byte - b'A')),
        b'2'..=b'7' => Some(u32::from(byte - b'2') + 26),
        _ => None,
    };
    [
        decode(run, 4, digit),
        decode(run, 5, base32),
        decode(run, 6, base64_digit),
    ]
    .into_iter()
    .flatten()
}

/// Decodes digits of `bits` bits each; `None` if a character is not a digit.
fn decode(run: &[u8], bits: u32, digit: impl Fn(u8) -> Option<u32>) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(run.len() * bits as usize / 8);
    let (mut value, mut left) = (0, 0);
    for byte in run {
        value = (value << bits | digit(*byte)?) & 0xffff;
        left += bits;
        if left >= 8 {
            left -= 8;
            decoded.push((value >> left & 0xff) as u8);
        }
    }
    Some(decoded)
}

/// Whether data begins like a form that has nothing to do with plans: a picture, a font, a program.
pub(super) fn has_other_form(head: &[u8]) -> bool {
    let known: [&[u8]; 24] = [
        b"\x89PNG",
        b"\xff\xd8\xff",
        b"GIF8",
        b"%PDF",
        b"\0\0\x01\0",
        b"RIFF",
        b"BM",
        b"II*\0",
        b"MM\0*",
        b"wOFF",
        b"wOF2",
        b"OTTO",
        b"\0\x01\0\0",
        b"\0\0\0\x01Bud1",
        b"\x7fELF",
        b"MZ",
        b"\0asm",
        b"\xca\xfe\xba\xbe",
        b"\xfe\xed\xfa",
        b"\xcf\xfa\xed\xfe",
        b"ID3",
        b"OggS",
        b"SQLite format 3",
        b"\0\0\0 ftyp",
    ];
    known.iter().any(|magic| head.starts_with(magic))
}

/// Whether data is not text. Text in UTF-16 has zeros in every second byte, and text in other encodings has few
/// characters that are not UTF-8.
pub(super) fn is_no_text(head: &[u8]) -> bool {
    let zeros = |parity: usize| {
        let bytes = head.iter().skip(parity).step_by(2);
        bytes.filter(|byte| **byte == 0).count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    if even + odd > 0 {
        return even.min(odd) * 8 > head.len() / 2 || even.max(odd) * 4 < head.len() / 2;
    }
    let is_control = |c: &char| c.is_control() && !"\t\n\r\u{c}\u{1b}".contains(*c);
    let is_strange = |c: &char| *c == char::REPLACEMENT_CHARACTER || is_control(c);
    let strange = String::from_utf8_lossy(head)
        .chars()
        .filter(is_strange)
        .count();
    strange * 8 > head.len()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    /// The bits of bytes as digits of some bits each, in the characters of a notation.
    fn encode(bytes: &[u8], bits: usize, digits: &str) -> String {
        let all: Vec<u8> = bytes
            .iter()
            .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1))
            .collect();
        let digits: Vec<char> = digits.chars().collect();
        let value = |bits: &[u8]| bits.iter().fold(0, |value, bit| value * 2 + *bit as usize);
        all.chunks(bits)
            .map(|chunk| digits[value(chunk) << (bits - chunk.len())])
            .collect()
    }

    #[test]
    fn documents_in_other_notations_are_found_and_digests_are_none() {
        let base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let notations = [
            (4, "0123456789abcdef"),
            (4, "0123456789ABCDEF"),
            (5, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
            (6, base64),
            (6, &base64.replace("+/", "-_")),
        ];
        let plan = format!("{{\n  \"format_version\": \"1.2\"{}}}", ", ".repeat(30));
        let zip = [b"PK\x03\x04".as_slice(), &[7; 60]].concat();
        for (bits, digits) in notations {
            for bytes in [plan.as_bytes(), &zip] {
                let once = encode(bytes, bits, digits);
                let twice = encode(once.as_bytes(), 6, base64);
                let lines: Vec<&str> = once
                    .as_bytes()
                    .chunks(20)
                    .map(|line| std::str::from_utf8(line).unwrap())
                    .collect();
                for text in [
                    once.clone(),
                    twice,
                    lines.join("\n"),
                    format!(
                        "-----BEGIN X-----\r\n{}==\r\n-----END X-----\r\n",
                        lines.join("\r\n")
                    ),
                    format!("data:\n  plan: {once}\n"),
                    format!("PLAN=\"{once}=\""),
                ] {
                    assert!(may_hold_document(text.as_bytes()), "{text}");
                }
            }
            // Digests, and texts of other kinds.
            for bytes in [
                &[0xa5; 32][..],
                &[0x5a; 64],
                b"#!/bin/sh\necho a line of a script, and one more, and more\n",
            ] {
                let text = format!("zh:{}\n", encode(bytes, bits, digits));
                assert!(!may_hold_document(text.as_bytes()), "{text}");
            }
        }
        assert!(may_hold_document(b"$ANSIBLE_VAULT;1.1;AES256\n3132\n"));
        assert!(!may_hold_document(
            "a word on each line\n"
                .replace(' ', "\n")
                .repeat(40)
                .as_bytes()
        ));
    }

    /// Neither encoding was counted in the note.
    #[test]
    fn documents_in_base85_and_packed_by_zlib_are_found() {
        let plan = format!("{{\n  \"format_version\": \"1.2\"{}}}", ", ".repeat(30));
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(plan.as_bytes()).unwrap();
        let packed = packed.finish().unwrap();
        let zip = [b"PK\x03\x04".as_slice(), &[7; 60]].concat();
        let base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let long = [&packed[..], &[0; 60]].concat();
        assert!(may_hold_document(encode(&long, 6, base64).as_bytes()));
        // The first two bytes of zlib data, followed by other data.
        let digest = [&[0x78, 0x9c][..], &[0xff; 62]].concat();
        assert!(!may_hold_document(encode(&digest, 6, base64).as_bytes()));
        assert!(ASCII85.iter().copied().eq(b'!'..=b'u'));
        for digits in [ASCII85, BASE85, Z85] {
            let encoded = |bytes: &[u8]| -> String {
                let groups = bytes.chunks_exact(4).map(|four| {
                    let mut value = u32::from_be_bytes(four.try_into().unwrap());
                    let mut group = [' '; 5];
                    for digit in group.iter_mut().rev() {
                        *digit = char::from(digits[(value % 85) as usize]);
                        value /= 85;
                    }
                    group.iter().collect::<String>()
                });
                groups.collect()
            };
            for (bytes, expected) in [
                (plan.as_bytes(), true),
                (&zip[..], true),
                (&[0xa5; 64][..], false),
            ] {
                let text = encoded(bytes);
                let lines: Vec<String> = text
                    .as_bytes()
                    .chunks(30)
                    .map(|line| String::from_utf8_lossy(line).into_owned())
                    .collect();
                for text in [
                    text.clone(),
                    lines.join("\n"),
                    format!("<~{}~>\n", lines.join("\r\n")),
                ] {
                    assert_eq!(may_hold_document(text.as_bytes()), expected, "{text}");
                }
            }
        }
    }

    #[test]
    fn pictures_programs_and_texts_are_no_unknown_binaries() {
        let utf16: Vec<u8> = "text\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let packed: Vec<u8> = (0..512_u32)
            .map(|index| ((index * index * 7919) >> 5) as u8)
            .collect();
        let mut tar = vec![0; 512];
        tar[..6].copy_from_slice(b"plan.x");
        for (bytes, expected) in [
            (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], false),
            (b"\x7fELF\x02\x01\x01\0\0\0\0\0", false),
            (b"caf\xe9 in Latin 1, as an old file has it\n", false),
            (b"\x1b[1mcoloured\x1b[0m\n", false),
            ("é ü 日本".as_bytes(), false),
            (&utf16, false),
            (b"", false),
            (&packed, true),
            (&tar, true),
        ] {
            let is_unknown = !has_other_form(bytes) && is_no_text(bytes);
            assert_eq!(is_unknown, expected, "{bytes:?}");
        }
    }
}
