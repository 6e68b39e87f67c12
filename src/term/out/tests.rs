use super::*;

#[test]
fn a_link_is_a_uri_or_no_link() {
    let show = |uri| {
        capture(false, |out| {
            out.link_data(Role::Muted, uri, Untrusted("a\u{1b}\\"))
        })
        .unwrap()
    };
    assert_eq!(
        show("file:///a%20b"),
        "\x1b]8;;file:///a%20b\x1b\\a␛\\\x1b]8;;\x1b\\"
    );
    for uri in [
        "",
        "file:///a b",
        "file:///a\x1b\\",
        "file:///é",
        "file:///a\n",
        "file:///a\u{7}",
    ] {
        assert_eq!(show(uri), "a␛\\", "{uri:?}");
    }
}

#[test]
fn a_line_end_of_cr_lf_is_the_same_with_and_without_colour() {
    let show = |colour| {
        capture(colour, |out| {
            out.role_data(Role::Strong, Untrusted("a\r\nb\rc"))
        })
        .unwrap()
    };
    assert_eq!(show(false), "a\r\nb␍c");
    assert_eq!(show(true), "\x1b[1ma\x1b[0m\r\n\x1b[1mb␍c\x1b[0m");
}

#[test]
fn colours_of_data_pass_on_a_coloured_display_alone() {
    let show =
        |colour, text| capture(colour, |out| out.data_with_colours(Untrusted(text))).unwrap();
    for (text, plain, coloured) in [
        (
            "\x1b[32mgreen\x1b[0m x",
            "green x",
            "\x1b[32mgreen\x1b[0m x\x1b[0m",
        ),
        ("\x1b[1;31mopen", "open", "\x1b[1;31mopen\x1b[0m"),
        ("\x1b[2J\x1b]0;t\x07", "␛[2J␛]0;t␇", "␛[2J␛]0;t␇"),
        ("\x1b[31", "␛[31", "␛[31"),
        ("\x1b[31ma\nb", "a\nb", "\x1b[31ma\x1b[0m\nb"),
        ("plain", "plain", "plain"),
        ("a\r\n\rb", "a\r\n␍b", "a\r\n␍b"),
    ] {
        assert_eq!(show(false, text), plain, "{text:?}");
        assert_eq!(show(true, text), coloured, "{text:?}");
    }
}
