//! The blocks of a configuration file in the native syntax, and their lines.
//!
//! Invariant: a file with a syntax error has no blocks, as the tools read none of it.

use hcl_edit::Span as _;
use hcl_edit::expr::Expression;
use hcl_edit::structure::{self, Body};

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// The line of its header, from 1.
    pub(super) line: u64,
    /// Its last line.
    pub(super) end: u64,
}

/// The declaration of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// A resource, with its mode as in plans.
    Resource { mode: &'static str, resource_type: String, name: String },
    /// A module call, with its source if that is a plain string.
    Module { name: String, source: Option<String> },
}

/// The blocks of a file.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Ok(body) = text.parse::<Body>() else { return Vec::new() };
    let checked = |block: &'_ structure::Block| block.ident.as_str() == "check";
    // A check may contain a data source.
    let all = body.blocks().flat_map(|block| {
        let inner = block.body.blocks().filter(move |inner| checked(block) && inner.ident.as_str() == "data");
        std::iter::once(block).chain(inner)
    });
    let (mut at, mut line) = (0, 1);
    let mut line_at = |offset: usize| {
        line +=
            text.as_bytes().get(at..offset).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count()
                as u64;
        at = at.max(offset);
        line
    };
    let mut found = Vec::new();
    for block in all {
        let (Some(kind), Some(span)) = (kind(block), block.span()) else { continue };
        found.push(Block { kind, line: line_at(span.start), end: line_at(span.end) });
    }
    found
}

/// The declaration in a block, if it is of a kind that occurs in plans.
fn kind(block: &structure::Block) -> Option<BlockKind> {
    let labels: Vec<&str> = block.labels.iter().map(|label| label.as_str()).collect();
    let mode = match (block.ident.as_str(), &*labels) {
        ("resource", _) => "managed",
        ("data", _) => "data",
        ("ephemeral", _) => "ephemeral",
        ("module", [name]) => {
            let source = block.body.get_attribute("source").map(|source| &source.value);
            let source = source.and_then(Expression::as_str).map(str::to_owned);
            return Some(BlockKind::Module { name: (*name).to_owned(), source });
        }
        _ => return None,
    };
    let [resource_type, name] = *labels else { return None };
    Some(BlockKind::Resource { mode, resource_type: resource_type.to_owned(), name: name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `line mode.type.name`, or `line module.name source`.
    fn found(text: &str) -> Vec<String> {
        let told = |block: Block| match block.kind {
            BlockKind::Resource { mode, resource_type, name } => {
                format!("{} {mode}.{resource_type}.{name}", block.line)
            }
            BlockKind::Module { name, source } => {
                format!("{} module.{name} {}", block.line, source.unwrap_or_default())
            }
        };
        blocks(text).into_iter().map(told).collect()
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
            found(text),
            [
                "5 managed.a.one",
                "6 managed.a.two",
                "14 data.b.three",
                "15 module.net ./modules/net",
                "21 data.b.four",
                "24 ephemeral.e.five",
                "28 managed.a.six",
            ]
        );
    }

    #[test]
    fn blocks_end_with_their_brace() {
        let text = "resource \"a\" \"b\" {\n x = { y = \"}\" }\n}\nvariable \"v\" {\n}\ncheck \"c\" {\n data \"d\" \"e\" {\n }\n}\n\
                    module \"m\" {\n}";
        let ends: Vec<_> = blocks(text).iter().map(|block| (block.line, block.end)).collect();
        assert_eq!(ends, [(1, 3), (7, 8), (10, 11)]);
    }

    #[test]
    fn a_file_with_a_syntax_error_has_no_blocks() {
        for text in ["resource \"a\" \"b\" {}\nresource \"a\" {\n x = \"open\n}\n", "}\n", "x = <<E\n"] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        assert_eq!(
            found("\u{feff}module \"m\" {\n source = \"${x}\"\n}\r\nresource \"a\" \"b\" {\r\n}"),
            ["1 module.m ", "4 managed.a.b"]
        );
    }

    #[test]
    fn deep_nesting_is_a_syntax_error() {
        for open in ["[", "(", "{", "x {\n"] {
            assert_eq!(found(&format!("x = {}", open.repeat(1 << 20))), [""; 0]);
        }
    }
}
