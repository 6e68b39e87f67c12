use super::*;
use crate::json::{Value, parse};
use bumpalo::Bump;
use proptest::prelude::*;

proptest! {
    /// Holds for repeated, added, removed and moved elements.
    #[test]
    fn a_number_is_the_first_place_of_an_equal_element(
        before in prop::collection::vec(0u8..6, 0..30), after in prop::collection::vec(0u8..8, 0..30))
    {
        let all = [&before[..], &after].concat();
        let first = |key: &u8| all.iter().position(|other| other == key).unwrap() as u32;
        let (of_before, of_after) = numbers(&before, &after);
        prop_assert_eq!(of_before, before.iter().map(first).collect::<Vec<_>>());
        prop_assert_eq!(of_after, after.iter().map(first).collect::<Vec<_>>());
    }
}

#[test]
fn equal_values_and_no_others_share_a_number() {
    let arena = Bump::new();
    let texts = [
        "1",
        "1.0",
        "\"1\"",
        "[1]",
        "{\"a\":1,\"b\":2}",
        "null",
        "[]",
        "{}",
        "[[1]]",
        "[1,1]",
    ];
    let values = |texts: &[&'static str]| -> Vec<Value<'_>> {
        texts
            .iter()
            .map(|text| parse(text, &arena).unwrap())
            .collect()
    };
    let (before, after) = (
        values(&texts),
        values(&["{\"b\":2, \"a\":1}", "true", "[1]", "true"]),
    );
    let (of_before, of_after) = numbers(&before, &after);
    assert_eq!(of_before, (0..10).collect::<Vec<u32>>());
    assert_eq!(of_after, [4, 11, 3, 11]);
    assert_eq!(numbers(&before, &before).1, of_before);
}
