use super::*;

#[test]
fn no_text_is_markup() {
    let hostile = "</script><img onerror='x' a=\"-->&amp;\u{202e}\u{1b}[8m\r\n";
    let fragment = Fragment::new(|html| {
        html.element(
            "pre",
            &[Attribute::Data("data-findings", Untrusted(hostile))],
            |html| {
                html.data(Untrusted(hostile));
            },
        );
    });
    let text = "&lt;/script&gt;&lt;img onerror='x' a=\"--&gt;&amp;amp;&lt;U+202E&gt;␛[8m␍\n";
    let value = text.replace('\'', "&#39;").replace('"', "&quot;");
    let expected = format!("<pre data-findings=\"{value}\">{text}</pre>");
    assert_eq!(String::from_utf8(fragment.0).unwrap(), expected);
}
