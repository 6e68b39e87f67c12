use super::*;

#[test]
fn every_name_and_value_has_its_place() {
    let text = "{ \"a\": [1, true],\n \"a\" : \"\\u0062\" }";
    let tree = Tree::parse(text).unwrap();
    let [first, second] = tree.members() else {
        panic!("{tree:?}")
    };
    assert_eq!((first.offset, first.value.offset), (2, 7));
    assert_eq!(&text[second.offset..=second.offset], "\"");
    assert_eq!(tree.get("a").and_then(Tree::as_str), Some("b"));
    assert!(Tree::parse("{\"a\":}").is_err());
    assert!(Tree::parse("{} x").is_err());
}
