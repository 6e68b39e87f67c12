use super::*;

fn described(body: &Body<'_>) -> String {
    let attributes = body
        .attributes
        .iter()
        .map(|(name, term)| format!("{name}({})", term.references.join(",")));
    let blocks = body.blocks.iter().map(|block| {
        format!(
            "{}[{}]{{{}}}",
            block.kind,
            block.labels.join(","),
            described(&block.body)
        )
    });
    attributes.chain(blocks).collect::<Vec<_>>().join(" ")
}

#[test]
fn both_syntaxes_give_the_same_blocks() {
    let arena = Bump::new();
    let native = r#"
resource "a" "b" {
  x = var.y
  provisioner "local-exec" { command = "echo ${self.id}" }
}
resource "a" "c" {}
check "k" {
  data "d" "e" { z = local.l }
}
"#;
    let json = r#"{"//": 1, "resource": {"a": [{"b": {"x": "${var.y}",
            "provisioner": [{"local-exec": {"command": "echo ${self.id}"}}]}}, {"c": {}}]},
            "check": {"k": {"data": {"d": {"e": {"z": "${local.l}"}}}}}}"#;
    let native = described(&Body::native(native, Tool::Terraform, &arena).unwrap());
    assert_eq!(
        native,
        "resource[a,b]{x(var.y) provisioner[local-exec]{command(self.id,self)}} resource[a,c]{} \
             check[k]{data[d,e]{z(local.l)}}"
    );
    let mut blocks: Vec<ConfigBlock<'_>> =
        Body::json(json, Tool::Terraform, &arena).unwrap().blocks;
    blocks.sort_by_key(|block| block.kind != "resource");
    // Its command is self.id, and self as in all references.
    assert_eq!(
        described(&Body {
            attributes: Vec::new(),
            blocks,
        }),
        native
    );
}

#[test]
fn an_override_replaces_attributes_and_kinds_of_blocks() {
    let arena = Bump::new();
    let read = |text| Body::native(text, Tool::Terraform, &arena).unwrap();
    let mut body = read("a = var.a\nb = var.b\nx {}\nx {}\ny {}\n");
    body.merge(read("b = var.new\nx {\n z = 1\n}\n"));
    assert_eq!(described(&body), "a(var.a) b(var.new) y[]{} x[]{z()}");
}

#[test]
fn what_is_malformed_is_an_error_with_a_place() {
    let arena = Bump::new();
    let error = Body::native("a = 1\nb = [", Tool::Terraform, &arena).unwrap_err();
    assert!(error.starts_with("line 2 column"), "{error}");
    for text in [
        "",
        "{\"resource\": 1}",
        "{\"resource\": {\"a\": [1]}}",
        "[1]",
    ] {
        assert!(Body::json(text, Tool::Terraform, &arena).is_err(), "{text}");
    }
}

/// Objects are counted before they are parsed, because the parser takes the square of their members.
#[test]
fn members_of_objects_are_counted() {
    for (text, members) in [
        ("locals {\n  a = 1\n  b = 2\n}\n", 0),
        ("locals {\n  x = { a = 1, b = { c = 2 } }\n}\n", 2),
        ("x = [{ a : 1 }, { a = 1\n b = 2\n c = 3 }]\n", 3),
        ("x = f({ a = 1, b = 2 }, (c))\n", 2),
        ("x = { a = [1, 2], b = 3", 2),
    ] {
        assert_eq!(most_members(text), members, "{text}");
    }
}
