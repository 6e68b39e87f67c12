use super::*;
use crate::json::parse;

fn paths<'a>(text: &'a str, arena: &'a Bump) -> Paths<'a> {
    Paths::parse(parse(text, arena).unwrap(), arena)
}

#[test]
fn paths_are_followed_by_key_and_by_number() {
    let arena = Bump::new();
    let all = paths(
        r#"[["a",0,"b"],["a","1"],["a",2.0],["c"],["a","k"],[]]"#,
        &arena,
    );
    assert!(all.matches() && all.key("c").matches());
    let a = all.key("a");
    assert!(!a.matches() && a.may_match());
    assert!(!a.index(0).matches() && a.index(0).key("b").matches());
    assert!(a.index(1).matches() && a.key("1").matches());
    assert!(a.index(2).matches() && a.key("k").matches());
    assert!(!a.index(3).may_match() && !a.key("2.0").may_match());
    assert!(
        !all.key("c").key("d").may_match(),
        "only the value itself is meant"
    );
    assert!(!paths("[]", &arena).may_match() && !paths("null", &arena).may_match());
}

#[test]
fn what_is_inherited_holds_below() {
    let arena = Bump::new();
    let inherited = |text| {
        Paths::new(
            parse(text, &arena).unwrap().as_array().unwrap(),
            true,
            &arena,
        )
    };
    let relevant = inherited(r#"[["a"]]"#);
    assert!(relevant.key("a").key("b").index(5).matches());
    assert!(!relevant.key("b").may_match());
    let both = relevant.or(inherited(r#"[["c","d"]]"#)).or(Paths::Never);
    assert!(both.key("a").matches() && both.key("c").key("d").matches());
    assert!(both.key("c").may_match() && !both.key("c").matches());
    assert!(!inherited("[]").may_match());
}
