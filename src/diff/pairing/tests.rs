use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::*;
use crate::diff::value::Builder;

fn pairs(before: &str, after: &str, order: Order) -> Vec<Pair> {
    let (arena, hasher) = (Bump::new(), RandomState::default());
    let read = |text: &str| {
        Builder::new(&arena, &hasher)
            .parse(&*arena.alloc_str(text))
            .unwrap()
    };
    let (before, after) = (read(before), read(after));
    pair(before.as_array().unwrap(), after.as_array().unwrap(), order).pairs
}

fn both(before: usize, after: usize, how: Match) -> Pair {
    Pair {
        before: Some(before),
        after: Some(after),
        how,
    }
}

#[test]
fn no_element_moves_to_its_own_index() {
    let paired = pairs(r#"["a","b","c"]"#, r#"["c","b","a"]"#, Order::Matters);
    assert_eq!(
        paired,
        [
            both(0, 2, Match::Moved),
            both(1, 1, Match::Same),
            both(2, 0, Match::Moved)
        ]
    );
}

#[test]
fn shifted_elements_are_not_moved() {
    let paired = pairs(r#"["a","b","c"]"#, r#"["x","y","b","c"]"#, Order::Matters);
    let unmoved = paired.iter().filter(|pair| pair.how == Match::Same).count();
    assert_eq!(unmoved, 2, "{paired:?}");
    assert!(
        !paired.iter().any(|pair| pair.how == Match::Moved),
        "{paired:?}"
    );
}

#[test]
fn objects_are_paired_by_name_then_by_similarity() {
    let before = r#"[{"name":"a","v":1},{"x":1,"y":2,"z":3},{"name":"b","v":1}]"#;
    let after = r#"[{"name":"b","v":2},{"name":"a","v":2},{"x":1,"y":2,"z":4}]"#;
    let paired = pairs(before, after, Order::Ignored);
    assert_eq!(
        paired,
        [
            both(0, 1, Match::Changed),
            both(1, 2, Match::Changed),
            both(2, 0, Match::Changed)
        ]
    );
}
