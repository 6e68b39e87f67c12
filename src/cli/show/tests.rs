use super::quoted_for_shell;

#[test]
fn keys_are_quoted_for_a_shell() {
    assert_eq!(quoted_for_shell("module.a-b.t.x_1"), "module.a-b.t.x_1");
    assert_eq!(quoted_for_shell(r#"t.x["it's"]"#), r#"'t.x["it'\''s"]'"#);
}
