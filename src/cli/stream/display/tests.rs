use super::whole_characters;

#[test]
fn characters_are_not_cut() {
    for (bytes, whole) in [
        (&b"abc"[..], 3),
        ("aé".as_bytes(), 3),
        (&"aé".as_bytes()[..2], 1),
        (&"a😀".as_bytes()[..4], 1),
        (b"\xff\xffa", 3),
        (b"\xffa\xc3", 2),
        (b"", 0),
    ] {
        assert_eq!(whole_characters(bytes), whole, "{bytes:?}");
    }
}
