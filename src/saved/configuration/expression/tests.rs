use super::*;

fn constant(text: &str) -> Option<String> {
    let arena = Bump::new();
    let body: hcl_edit::structure::Body = text.parse().unwrap();
    let value = Term::native(
        &body.attributes().next().unwrap().value,
        text,
        Tool::Terraform,
        &arena,
    )
    .constant;
    value.map(|value| serde_json::to_string(&value).unwrap())
}

#[test]
fn constants_are_worked_out() {
    for (text, expected) in [
        ("x = null", Some("null")),
        ("x = \"a\\nb$${c}\"", Some(r#""a\nb${c}""#)),
        (
            "x = -12345678901234567890123",
            Some("-12345678901234567890123"),
        ),
        ("x = 1.50", Some("1.5")),
        ("x = 1e3", Some("1000")),
        // The tools write all digits of these.
        ("x = 1.00000000000000000001", None),
        ("x = 1e-400", None),
        ("x = 12345678901234567e1", None),
        ("x = { a = 1, \"a\" = 2 }", Some(r#"{"a":2}"#)),
        ("x = \"e\u{301}${\"\"}\"", Some("\"é\"")),
        ("x = [1, (true), !true, {}]", Some("[1,true,false,{}]")),
        (
            "x = { b = 1, \"a b\" = \"${1}-${true}\", (\"c\") = null }",
            Some(r#"{"a b":"1-true","b":1,"c":null}"#),
        ),
        ("x = \"${[1]}\"", Some("[1]")),
        ("x = <<-E\n    a\n      b\n  E\n", Some(r#""a\n  b\n""#)),
        ("x = <<E\nE\n", Some(r#""""#)),
        ("x = var.a", None),
        ("x = [1, f(2)]", None),
        ("x = 1 + 2", None),
    ] {
        assert_eq!(constant(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn strings_of_the_json_syntax_are_templates() {
    let arena = Bump::new();
    let value =
        crate::json::parse(r#"{"a": ["x${var.b}", 1], "${var.c}": "$${no}"}"#, &arena).unwrap();
    let term = Term::json(value, Tool::Terraform).unwrap();
    assert_eq!(term.references.join(" "), "var.c var.b");
    assert_eq!(term.constant, Some(value));
    assert!(Term::json(Value::String("${"), Tool::Terraform).is_err());
    let value = crate::json::parse("{\"e\u{301}\": [\"e\u{301}\"]}", &arena).unwrap();
    let value = serde_json::to_string(&normalized(value, &arena)).unwrap();
    assert_eq!(value, "{\"é\":[\"é\"]}");
}

fn references_in(text: &str) -> String {
    ReferenceFinder::collect(Tool::OpenTofu, |finder| {
        finder.visit_expr(&text.parse().unwrap());
    })
    .join(" ")
}

#[test]
fn references_are_listed_from_the_longest_path_to_the_object() {
    for (text, expected) in [
        (
            "aws_vpc.main.tags.a",
            "aws_vpc.main.tags.a aws_vpc.main.tags aws_vpc.main",
        ),
        ("data.t.n[0].x", "data.t.n[0].x data.t.n[0] data.t.n"),
        ("resource.t.n.x", "t.n.x t.n"),
        (
            r#"module.m["a.b"].out"#,
            r#"module.m["a.b"].out module.m["a.b"]"#,
        ),
        ("module.m[0]", "module.m[0] module.m"),
        ("module.m", "module.m"),
        ("t.n[var.i].x", "t.n var.i"),
        ("t.n[*].x", "t.n"),
        ("t.n.*.x", "t.n"),
        (
            "[for k, v in var.m : \"${k}-${v}-${local.p}\" if v != each.key]",
            "var.m local.p each.key",
        ),
        ("f(self.a, -count.index)", "self.a self count.index"),
        (
            "{ a = var.x, (var.y) = 1, \"b${var.z}\" = true ? path.module : null }",
            "var.x var.y var.z path.module",
        ),
        (
            "\"%{ for x in var.l }${x}${var.q}%{ endfor }%{ if var.c }a%{ endif }\"",
            "var.l var.q var.c",
        ),
        ("provider::p::f(var.x)", "var.x provider::p::f"),
        ("string", ""),
        ("module", ""),
        ("data.t", ""),
    ] {
        assert_eq!(references_in(text), expected, "{text}");
    }
}
