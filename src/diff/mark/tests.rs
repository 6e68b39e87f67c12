use super::*;
use crate::json::parse;

#[test]
fn a_mark_of_the_wrong_shape_hides() {
    let arena = Bump::new();
    for (mark, value, expected) in [
        ("true", "1", true),
        ("false", "1", false),
        ("null", "1", false),
        ("\"yes\"", "1", true),
        ("\"no schema\"", "1", true),
        ("\"no schema\"", "{\"a\":1}", true),
        ("{\"a\":true}", "{\"a\":1}", false),
        ("{\"a\":true}", "[1]", true),
        ("{\"a\":true}", "\"text\"", true),
        ("{\"a\":false}", "\"text\"", false),
        ("[false,true]", "[1,2]", false),
        ("[false,true]", "[1]", true),
        ("[true]", "{\"a\":1}", true),
        ("{}", "[1]", false),
    ] {
        let mark = Mark::new(parse(mark, &arena).unwrap());
        assert_eq!(
            mark.covers(parse(value, &arena).unwrap()),
            expected,
            "{mark:?} over {value}"
        );
    }
}

#[test]
fn a_mark_for_want_of_a_schema_covers_all_parts() {
    let mark = Mark::new(Value::String(NO_SCHEMA));
    for part in [mark, mark.key("a"), mark.index(7), mark.key("a").index(0)] {
        assert!(part.lacks_schema() && part.is_any() && part.covers(Value::Bool(true)));
    }
    assert!(!Mark::ALL.lacks_schema());
}

#[test]
fn an_element_past_the_marks_is_hidden() {
    let arena = Bump::new();
    let mark = Mark::new(parse("[true]", &arena).unwrap());
    assert!(mark.index(0).covers(Value::Bool(true)));
    assert!(mark.index(1).covers(Value::Bool(true)));
    let mark = Mark::new(parse("[false]", &arena).unwrap());
    assert!(!mark.index(1).covers(Value::Bool(true)));
    let items = parse("[1,2,3]", &arena).unwrap();
    for marks in [
        "[true]",
        "[false]",
        "[false,{\"a\":[true]}]",
        "[]",
        "[[false],[false,false]]",
    ] {
        let mark = Mark::new(parse(marks, &arena).unwrap());
        for index in 0..3 {
            let fitted = mark.fitted(items, &arena).index(index);
            assert_eq!(
                fitted.is_any(),
                mark.index(index).is_any(),
                "{marks} at {index}"
            );
        }
    }
}
