use super::*;

#[test]
fn only_known_words_are_tags() {
    let pieces = |text| -> Vec<(String, &str)> {
        let parts = parts(text, &mut Codes::default());
        parts
            .into_iter()
            .map(|(prefix, _, part)| (prefix.replace("\x1b[", ""), part))
            .collect()
    };
    let piece = |prefix: &str, part| (prefix.to_owned(), part);
    assert_eq!(
        pieces("a[0][BOLD]b[\"x\"][reset]c"),
        [piece("", "a[0]"), piece("1m", "b[\"x\"]"), piece("", "c")]
    );
    assert_eq!(pieces("[[red]x"), [piece("", "["), piece("31m", "x")]);
    assert_eq!(pieces("[_LIGHT_MAGENTA_]é[é"), [piece("105m", "é[é")]);
    let colours = COLOURS.iter().map(|(name, ..)| name.len() + 2);
    let styles = STYLES.iter().map(|(name, _)| name.len());
    assert_eq!(colours.chain(styles).max(), Some(MAX_LEN));
}

#[test]
fn of_each_kind_the_last_code_holds() {
    let mut codes = Codes::default();
    for code in ["31", "1", "38;5;57", "40", "4", "107", "97", "1"] {
        codes.push(code);
    }
    assert_eq!(codes.prefix(), "\x1b[4m\x1b[107m\x1b[97m\x1b[1m");
    codes.push(RESET);
    assert_eq!(codes.prefix(), "");
}
