use super::*;
use sha2::{Digest, Sha256};

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three
            .iter()
            .fold(0u32, |bits, byte| bits << 8 | u32::from(*byte))
            << (8 * (3 - three.len()));
        for index in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * index)) as usize & 63];
            text.push(if index > three.len() {
                '='
            } else {
                char::from(digit)
            });
        }
    }
    text
}

#[test]
fn the_hashes_are_those_of_script_and_style() {
    for (name, text, hash) in [
        ("SCRIPT_HASH", SCRIPT, SCRIPT_HASH),
        ("STYLE_HASH", STYLE, STYLE_HASH),
    ] {
        let digest = base64(&Sha256::digest(text)[..]);
        assert_eq!(
            hash,
            format!("sha256-{digest}"),
            "{name} in src/page/mod.rs"
        );
    }
}

#[test]
fn nothing_in_script_or_style_ends_it_or_loads_anything() {
    for text in [SCRIPT, STYLE] {
        for word in [
            "</",
            "<!--",
            "http:",
            "https:",
            "url(",
            "@import",
            "innerHTML",
            "eval(",
            "document.write",
        ] {
            assert!(!text.contains(word), "{word}");
        }
    }
}
