use super::*;

fn parsed<T: Clone + Send + Sync + 'static>(
    parser: &impl TypedValueParser<Value = T>,
    word: &str,
) -> Result<T, String> {
    parser
        .parse_ref(&Command::new("tfview"), None, OsStr::new(word))
        .map_err(|error| error.to_string())
}

#[test]
fn a_space_after_a_comma_and_synonyms_are_accepted() {
    let warning = parsed(&gate(), " check").unwrap();
    assert_eq!((warning.gate, &*warning.word), (Gate::Warning, "check"));
    assert_eq!(parsed(&kind(), "delete"), Ok(ChangeKind::Destroy));
}

#[test]
fn every_listed_word_is_accepted() {
    let accepts = |words: Vec<PossibleValue>, parse: &dyn Fn(&str) -> bool| {
        assert!(words.iter().all(|word| parse(word.get_name())), "{words:?}");
        words.len()
    };
    let listed =
        |words: Option<Box<dyn Iterator<Item = PossibleValue> + '_>>| words.unwrap().collect();
    assert!(
        accepts(listed(gate().possible_values()), &|word| parsed(
            &gate(),
            word
        )
        .is_ok())
            > 20
    );
    assert!(
        accepts(listed(kind().possible_values()), &|word| parsed(
            &kind(),
            word
        )
        .is_ok())
            > 9
    );
    let comparison = comparison_gate();
    assert_eq!(
        accepts(listed(comparison.possible_values()), &|word| parsed(
            &comparison,
            word
        )
        .is_ok()),
        3
    );
}

#[test]
fn an_unknown_word_is_answered_with_the_known_ones() {
    let error = parsed(&gate(), "everything").unwrap_err();
    assert!(
        error.contains("possible values: destroy, delete"),
        "{error}"
    );
    let error = "pdf=a".parse::<OutFile<FormatChoice>>().unwrap_err();
    assert!(error.contains("markdown"), "{error}");
    assert!("json=".parse::<OutFile<FormatChoice>>().is_err());
    assert!(budget("2047").is_err() && budget("github").is_ok());
}
