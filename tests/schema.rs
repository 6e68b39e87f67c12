//! Provider schemas and specifications are read completely, and invalid ones are rejected with a path.

use bumpalo::Bump;
use tfview::internals::schema::{
    Attribute, AttributeKind, Block, Error, NestedBlock, Schemas, Type,
};

const AWS: &str = "registry.terraform.io/hashicorp/aws";

fn built<'s>(
    text: &'s str,
    provider: &str,
    kind: &str,
    arena: &'s Bump,
) -> Result<Option<Block<'s>>, Error> {
    let mut schemas = Schemas::new();
    schemas.add(text)?;
    schemas.resource(provider, "managed", kind, arena)
}

fn provider_schemas(block: &str) -> String {
    format!(
        r#"{{"format_version":"1.0","provider_schemas":{{"{AWS}":{{"resource_schemas":{{"aws_x":{{"version":0,"block":{block}}}}}}}}}}}"#
    )
}

/// A short notation for a shape, for comparisons in tests.
pub(crate) fn short(block: &Block<'_>) -> String {
    let attributes = block
        .attributes
        .iter()
        .map(|(name, attribute)| format!("{name}={}", attr(attribute)));
    let blocks = block
        .blocks
        .iter()
        .map(|(name, nested)| format!("{name} {}", nested_block(nested)));
    attributes.chain(blocks).collect::<Vec<_>>().join("; ")
}

fn nested_block(nested: &NestedBlock<'_>) -> String {
    format!("{:?}{{{}}}", nested.nesting, short(&nested.block))
}

fn attr(attribute: &Attribute<'_>) -> String {
    let kind = match attribute.kind {
        AttributeKind::Type(kind) => cty(&kind),
        AttributeKind::Nested(NestedBlock {
            nesting,
            block: Block { attributes, .. },
        }) => {
            let members: Vec<String> = attributes
                .iter()
                .map(|(name, a)| format!("{name}={}", attr(a)))
                .collect();
            format!("nested {nesting:?}({})", members.join("; "))
        }
    };
    let flags = [(attribute.sensitive, "!"), (attribute.write_only, "?")];
    flags
        .iter()
        .filter(|(set, _)| *set)
        .fold(kind, |kind, (_, mark)| kind + mark)
}

fn cty(kind: &Type<'_>) -> String {
    match kind {
        Type::Dynamic => "dynamic".into(),
        Type::Bool => "bool".into(),
        Type::Number => "number".into(),
        Type::String => "string".into(),
        Type::List(inner) => format!("list({})", cty(inner)),
        Type::Set(inner) => format!("set({})", cty(inner)),
        Type::Map(inner) => format!("map({})", cty(inner)),
        Type::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(name, kind)| format!("{name}={}", cty(kind)))
                .collect();
            format!("object({})", members.join("; "))
        }
        Type::Tuple(items) => format!(
            "tuple({})",
            items.iter().map(cty).collect::<Vec<_>>().join(", ")
        ),
    }
}

#[test]
fn provider_schemas_with_every_kind_of_type_are_read() {
    let arena = Bump::new();
    let text = provider_schemas(
        r#"{"attributes":{
            "o":{"type":["object",{"b":"number","a":["map","dynamic"]},["a"]],"optional":true},
            "t":{"type":["tuple",["string","bool"]]},
            "s":{"type":["set",["list","string"]],"sensitive":true},
            "w":{"type":"string","write_only":true,"description":"a \"quoted\" word"},
            "n":{"nested_type":{"nesting_mode":"map","attributes":{"k":{"type":"string","sensitive":true}}}}},
          "block_types":{
            "single":{"nesting_mode":"single","block":{}},
            "group":{"nesting_mode":"group","block":{"attributes":null}},
            "list":{"nesting_mode":"list","block":{"block_types":{"map":{"nesting_mode":"map"}}},"max_items":1},
            "set":{"nesting_mode":"set","block":{"attributes":{"a":{"type":"bool"}}}}}}"#,
    );
    let block = built(&text, AWS, "aws_x", &arena).unwrap().unwrap();
    assert_eq!(
        short(&block),
        "n=nested Map(k=string!); o=object(a=map(dynamic); b=number); s=set(list(string))!; t=tuple(string, bool); w=string?; \
         group Group{}; list List{map Map{}}; set Set{a=bool}; single Single{}"
    );
}

#[test]
fn a_type_is_found_by_mode_and_by_the_best_provider() {
    let arena = Bump::new();
    let one = |host: &str, attribute: &str| {
        format!(
            r#"{{"provider_schemas":{{"{host}/hashicorp/aws":{{
                "resource_schemas":{{"aws_x":{{"block":{{"attributes":{{"{attribute}":{{"type":"string"}}}}}}}}}},
                "data_source_schemas":{{"aws_x":{{"block":{{"attributes":{{"data":{{"type":"bool"}}}}}}}}}},
                "ephemeral_resource_schemas":{{"aws_x":{{"block":{{"attributes":{{"ephemeral":{{"type":"bool"}}}}}}}}}},
                "action_schemas":{{"aws_x":{{"block":{{"attributes":{{"action":{{"type":"bool"}}}}}}}}}}}}}}}}"#
        )
    };
    let (first, second) = (
        one("registry.opentofu.org", "first"),
        one("registry.terraform.io", "second"),
    );
    let mut schemas = Schemas::new();
    schemas.add(&first).unwrap();
    schemas.add(&second).unwrap();
    let shape_of = |provider: &str, mode: &str| {
        schemas
            .resource(provider, mode, "aws_x", &arena)
            .unwrap()
            .map(|block| short(&block))
    };
    assert_eq!(
        shape_of("registry.terraform.io/hashicorp/aws", "managed").as_deref(),
        Some("second=string")
    );
    assert_eq!(
        shape_of("registry.opentofu.org/hashicorp/aws", "managed").as_deref(),
        Some("first=string")
    );
    assert_eq!(
        shape_of("mirror.example/hashicorp/aws", "managed").as_deref(),
        Some("first=string")
    );
    assert_eq!(shape_of("aws", "data").as_deref(), Some("data=bool"));
    assert_eq!(shape_of("", "ephemeral").as_deref(), Some("ephemeral=bool"));
    assert_eq!(shape_of("aws", "unheard-of"), None);
    assert_eq!(shape_of("registry.terraform.io/else/aws", "managed"), None);
    assert_eq!(shape_of("aws", "action").as_deref(), Some("action=bool"));
    assert_eq!(
        schemas.resource("aws", "managed", "aws_y", &arena).unwrap(),
        None
    );
}

#[test]
fn redacted_remote_plan_contains_its_schemas() {
    let arena = Bump::new();
    let text = r#"{"plan_format_version":"1.2","resource_changes":[],"provider_format_version":"1.0",
        "provider_schemas":{"aws":{"resource_schemas":{"aws_x":{"block":{"attributes":{"a":{"type":"number"}}}}}}}}"#;
    assert_eq!(
        short(&built(text, AWS, "aws_x", &arena).unwrap().unwrap()),
        "a=number"
    );
}

#[test]
fn specifications_with_every_kind_of_type_are_read() {
    let arena = Bump::new();
    let text = r#"{"version":"0.1.0","provider":{"name":"example"},
      "datasources":[{"name":"thing","schema":{"attributes":[{"name":"d","bool":{"computed_optional_required":"computed"}}]}}],
      "resources":[{"name":"thing","schema":{
        "attributes":[
          {"name":"s","string":{"computed_optional_required":"optional","sensitive":true}},
          {"name":"b","bool":{}},{"name":"f","float64":{}},{"name":"i","int64":{}},{"name":"n","number":{}},
          {"name":"l","list":{"element_type":{"set":{"element_type":{"string":{}}}}}},
          {"name":"m","map":{"element_type":{"object":{"attribute_types":[{"name":"x","bool":{}}]}}}},
          {"name":"st","set":{"element_type":{"number":{}}}},
          {"name":"o","object":{"attribute_types":[{"name":"z","int64":{}},{"name":"a","list":{"element_type":{"bool":{}}}}]}},
          {"name":"ln","list_nested":{"nested_object":{"attributes":[{"name":"x","string":{"sensitive":true}}]}}},
          {"name":"mn","map_nested":{"nested_object":{"attributes":[{"name":"x","string":{}}]}}},
          {"name":"sn","set_nested":{"nested_object":{"attributes":[]}}},
          {"name":"gn","single_nested":{"attributes":[{"name":"x","string":{}}],"sensitive":true}}],
        "blocks":[
          {"name":"lb","list_nested":{"nested_object":{"attributes":[{"name":"x","string":{}}],
              "blocks":[{"name":"deep","single_nested":{"attributes":[{"name":"y","bool":{}}]}}]}}},
          {"name":"sb","set_nested":{"nested_object":{"attributes":[{"name":"x","string":{}}]}}},
          {"name":"gb","single_nested":{"attributes":[{"name":"x","string":{}}]}}]}}]}"#;
    let mut schemas = Schemas::new();
    schemas.add(text).unwrap();
    let shape_of = |mode| {
        schemas
            .resource(
                "registry.example/acme/example",
                mode,
                "example_thing",
                &arena,
            )
            .unwrap()
    };
    assert_eq!(
        short(&shape_of("managed").unwrap()),
        "b=bool; f=number; gn=nested Single(x=string)!; i=number; l=list(set(string)); ln=nested List(x=string!); \
         m=map(object(x=bool)); mn=nested Map(x=string); n=number; o=object(a=list(bool); z=number); s=string!; \
         sn=nested Set(); st=set(number); gb Single{x=string}; lb List{x=string; deep Single{y=bool}}; sb Set{x=string}"
    );
    assert_eq!(short(&shape_of("data").unwrap()), "d=bool");
    assert_eq!(shape_of("ephemeral"), None);
}

#[test]
fn errors_in_a_schema_have_their_path_and_affect_only_used_types() {
    let arena = Bump::new();
    for (block, expected) in [
        (
            r#"{"block_types":{"b":{"nesting_mode":"tree","block":{}}}}"#,
            "block.block_types.b.nesting_mode: unknown nesting mode \"tree\"",
        ),
        (
            r#"{"attributes":{"a":{"type":"text"}}}"#,
            "block.attributes.a.type: unknown type \"text\"",
        ),
        (
            r#"{"attributes":{"a":{"type":["list",["bag","string"]]}}}"#,
            "block.attributes.a.type: unknown type \"bag\"",
        ),
        (
            r#"{"attributes":{"a":{}}}"#,
            "block.attributes.a: has neither `type` nor `nested_type`",
        ),
        (
            r#"{"attributes":[]}"#,
            "block.attributes: expected an object",
        ),
        (
            r#"{"attributes":{"a":{"type":"string","sensitive":"yes"}}}"#,
            "block.attributes.a.sensitive: expected true or false",
        ),
        (
            r#"{"attributes":{"a":{"nested_type":{"nesting_mode":"group"}}}}"#,
            "block.attributes.a.nested_type.nesting_mode: nesting mode \"group\" is for blocks, not for attributes",
        ),
    ] {
        let text = provider_schemas(block);
        let error = built(&text, AWS, "aws_x", &arena).unwrap_err().to_string();
        assert_eq!(error, format!("{AWS}.resource_schemas.aws_x.{expected}"));
        assert_eq!(built(&text, AWS, "aws_other", &arena), Ok(None));
    }
    let spec = r#"{"version":"0.1.0","provider":{"name":"p"},"resources":[{"name":"r","schema":{"blocks":[{"name":"b","map_nested":{}}]}}]}"#;
    let error = built(spec, "p", "p_r", &arena).unwrap_err().to_string();
    assert_eq!(
        error,
        "p.resource_schemas.p_r.blocks.b: unknown kind of block \"map_nested\""
    );
}

#[test]
fn file_without_a_schema_is_rejected() {
    let mut schemas = Schemas::new();
    for (text, expected) in [
        (
            r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[]}"#,
            "a plan without provider schemas",
        ),
        (
            r#"{"format_version":"1.0","terraform_version":"1.9.0","values":{}}"#,
            "a state without provider schemas",
        ),
        (
            r#"{"version":4,"terraform_version":"1.9.0","resources":[]}"#,
            "a raw state file",
        ),
        (r#"{"@level":"info"}"#, "a log of messages"),
        (r#"{"a":1}"#, "some other JSON document"),
        ("[]", "a JSON document that is no object"),
    ] {
        assert_eq!(
            schemas.add(text),
            Err(Error::NotASchema(expected)),
            "{text}"
        );
    }
    assert!(matches!(
        schemas.add("{\"provider_schemas\": {"),
        Err(Error::Json(_))
    ));
    assert!(matches!(schemas.add(""), Err(Error::Json(_))));
    assert_eq!(
        schemas.add(r#"{"format_version":"2.0","provider_schemas":{}}"#),
        Err(Error::Version("2.0".into()))
    );
    let error = schemas
        .add(r#"{"provider_schemas":{"aws":[]}}"#)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("provider_schemas: cannot be read: "),
        "{error}"
    );
    assert_eq!(
        schemas.add(r#"{"format_version":"1.0"}"#),
        Ok(()),
        "no provider is used"
    );
    assert_eq!(
        schemas.add(r#"{"format_version":"1.99","provider_schemas":{}}"#),
        Ok(())
    );
}
