//! Tests texts that are equal except for instance keys.

use crate::review::build::groups::positions;

fn places(keys: [&str; 2], first: &str, second: &str) -> Option<usize> {
    let places = positions(&[(0, keys)], &[first], &[second])?;
    Some(places.get(&0).map_or(0, Vec::len))
}

#[test]
fn a_key_is_a_word_of_its_own_at_the_same_places() {
    // A number is a key only after a name: these may be different networks for another reason.
    assert_eq!(places(["0", "1"], "10.0.0.0/24", "10.0.1.0/24"), None);
    assert_eq!(places(["3", "10"], "web-3 of 10", "web-10 of 10"), Some(1));
    assert_eq!(places(["3", "4"], "web-33", "web-44"), None);
    assert_eq!(places(["a.b", "a.c"], "x/a.b", "x/a.c"), Some(1));
    assert_eq!(places(["3", "4"], "5", "0"), None);
    assert_eq!(places(["3", "4"], "x3", "x"), None);
}
