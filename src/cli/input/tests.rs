use std::io::Write;

use super::*;

fn utf16_bytes(text: &str, little: bool) -> Vec<u8> {
    text.encode_utf16()
        .flat_map(|unit| {
            if little {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            }
        })
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
        let text = decode(bytes).unwrap().0;
        assert_eq!(text.replace(' ', ""), json);
    }
}

#[test]
fn faults_are_placed() {
    for (bytes, message) in [
        (&b"{\"a\":\"\xff\"}"[..], "byte 0xff at offset 6"),
        (b"\xef\xbb\xbf{\xc3", "byte 0xc3 at offset 4"),
        (
            b"\xff\xfe{\0\x00\xd8{\0",
            "half a surrogate pair at offset 4",
        ),
        (b"\xff\xfe{\0}", "half a character at its end, offset 4"),
        (b"\x1f\x8b\x08nonsense", "malformed gzip data"),
    ] {
        let error = format!("{:#}", decode(bytes.to_vec()).unwrap_err());
        assert!(error.contains(message), "{error}");
    }
}
