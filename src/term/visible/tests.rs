use super::*;

#[test]
fn shows_what_could_act_or_hide() {
    let mut out = Vec::new();
    push_visible(
        &mut out,
        "a\u{1b}[2J\r\nb\rc\u{7f}\u{9b}\u{202e}é👩\u{200d}👩\t\u{e0041}",
    );
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "a␛[2J\r\nb␍c␡<U+009B><U+202E>é👩\u{200d}👩\t<U+E0041>"
    );
}

/// `ad\u{ad}min` looked like `admin`.
#[test]
fn shows_characters_without_a_width() {
    for c in "\u{ad}\u{34f}\u{115f}\u{1160}\u{17b4}\u{180e}\u{206a}\u{3164}\u{ffa0}\u{fff9}\u{1bca0}\u{1d173}"
        .chars()
    {
        assert_eq!(visible(&format!("ad{c}min")), format!("ad<U+{:04X}>min", c as u32));
    }
}

#[test]
fn suspects_every_character_that_is_replaced() {
    for c in (0..=0x10_ffff)
        .filter_map(char::from_u32)
        .filter(|c| is_dangerous(*c))
    {
        assert!(is_suspect(&c.to_string()), "{c:?}");
    }
}
