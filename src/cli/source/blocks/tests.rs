use super::*;

fn blocks_in(text: &str) -> Vec<String> {
    blocks_of("main.tf", text)
}

/// `line address source`.
fn blocks_of(name: &str, text: &str) -> Vec<String> {
    let described = |block: Block| {
        format!(
            "{} {} {}",
            block.line,
            block.address,
            block.source.unwrap_or_default()
        )
        .trim_end()
        .to_owned()
    };
    blocks(name, text).into_iter().map(described).collect()
}

#[test]
fn headers_are_found_on_their_lines() {
    let text = r#"
# resource "a" "comment" {
// resource "a" "comment" {
/* resource "a" "comment" {
*/ resource "a" "one" { x = "}" }
resource a two {
  y = "${ { "k" = "}" }["k"] } \" $${ ${"resource"}"
  provisioner "local-exec" { command = "x" }
  z = <<-EOT
    resource "a" "heredoc" {
    ${ jsonencode({ a = "}" }) } $${ %{ if true }x%{ endif }
  EOT
}
data "b" "three" {}
module "net" {
  providers = { source = "./not" }
  source    = "./modules/net"
  other     = "x"
}
check "c" {
  data "b" "four" { x = 1 }
  resource "a" "not" {}
}
ephemeral "e" "five" {
}
variable "v" { default = { resource = "x" } }
locals { resource = { a = 1 } }
resource "a" "six" {}"#;
    assert_eq!(
        blocks_in(text),
        [
            "5 a.one",
            "6 a.two",
            "14 data.b.three",
            "15 module.net ./modules/net",
            "21 data.b.four",
            "24 ephemeral.e.five",
            "28 a.six",
        ]
    );
}

#[test]
fn blocks_end_with_their_brace() {
    let text = "resource \"a\" \"b\" {\n x = { y = \"}\" }\n}\nvariable \"v\" {\n}\ncheck \"c\" {\n data \"d\" \"e\" {\n }\n}\n\
                module \"m\" {\n}";
    let ends: Vec<_> = blocks("main.tf", text)
        .iter()
        .map(|block| (block.line, block.end))
        .collect();
    assert_eq!(ends, [(1, 3), (7, 8), (10, 11)]);
}

#[test]
fn of_a_file_with_a_syntax_error_the_readable_blocks_are_found() {
    let text = r#"resource "a" "one" {
  x = <<E
resource "a" "not" {
}
E
}

resource "a" "broken" {
  x = "open
}

module "net" {
  source = "./net"
}
data "b" "two" {}
check "c" {
  data "b" "three" {
  }
}
locals {
  x = {
}
resource "a" "four" {
}
"#;
    let expected = [
        "12 module.net ./net",
        "15 data.b.two",
        "17 data.b.three",
        "23 a.four",
    ];
    assert_eq!(blocks_in(text), expected);
    assert_eq!(blocks_in(&text.replace('\n', "\r\n")), expected);
    for text in [
        "}\n",
        "x = <<E\n",
        "resource \"a\" {\n x = \"open\n}\n",
        "}\n}\na {\n",
    ] {
        assert_eq!(blocks_in(text), [""; 0], "{text}");
    }
    assert_eq!(
        blocks_in("\u{feff}module \"m\" {\n source = \"${x}\"\n}\r\nresource \"a\" \"b\" {\r\n}"),
        ["1 module.m", "4 a.b"]
    );
}

#[test]
fn deep_nesting_is_a_syntax_error() {
    for open in ["[", "(", "{", "x {\n"] {
        assert_eq!(blocks_in(&format!("x = {}", open.repeat(1 << 20))), [""; 0]);
    }
}

#[test]
fn resources_and_calls_have_their_lines() {
    let text = r#"{
  "//": { "resource": "a comment" },
  "resource": {
    "aws_vpc": { "main": { "cidr_block": "10.0.0.0/16" },
      "other": [
        {}
      ] }
  },
  "data": [ { "aws_ami": { "base": {} } },
    { "aws_ami": { "new": {} } } ],
  "module": { "net": {
    "source": "./net" } },
  "check": { "up": { "data": { "http": { "page": {} } } } }
}"#;
    assert_eq!(
        blocks_of("main.tf.json", text),
        [
            "4 aws_vpc.main",
            "5 aws_vpc.other",
            "9 data.aws_ami.base",
            "10 data.aws_ami.new",
            "11 module.net ./net",
            "13 data.http.page",
        ]
    );
}

#[test]
fn blocks_before_a_syntax_error_are_found() {
    assert_eq!(
        blocks_of("main.tf.json", r#"{"resource":{"a":{"b":{}}},"data":{"#).len(),
        1
    );
    assert!(blocks_of("main.tf.json", "not JSON").is_empty());
}
