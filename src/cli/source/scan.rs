//! The blocks of a configuration file in the native syntax, and their lines.
//!
//! Invariants: of a file with a syntax error, the top-level blocks that can be read by themselves are found; the work
//! is linear in the length of the file.

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
    let mut found = Vec::new();
    if let Ok(body) = text.parse::<Body>() {
        add(&body, text, 1, &mut found);
        return found;
    }
    for (line, part) in parts(text) {
        if let Ok(body) = part.parse::<Body>() {
            add(&body, part, line, &mut found);
        }
    }
    found
}

/// The top-level blocks of a file in the layout of the formatter, each with its first line: from a line that begins
/// with a name and opens a brace, to the next one that is a closing brace.
fn parts(text: &str) -> impl Iterator<Item = (u64, &str)> {
    let mut open: Option<(u64, usize)> = None;
    let mut end = 0;
    (1..).zip(text.split_inclusive('\n')).filter_map(move |(number, line)| {
        let start = end;
        end += line.len();
        let line = line.trim_end();
        if open.is_none() && line.starts_with(|c: char| c.is_ascii_alphabetic()) && line.contains('{') {
            open = Some((number, start));
        }
        // A block of several lines, or of one.
        let ends =
            |&mut (first, _): &mut (u64, usize)| line == "}" || (first == number && line.ends_with('}'));
        let (first, start) = open.take_if(ends)?;
        Some((first, text.get(start..end)?))
    })
}

/// Adds the blocks of a text that begins on the line `first`.
fn add(body: &Body, text: &str, first: u64, found: &mut Vec<Block>) {
    let checked = |block: &'_ structure::Block| block.ident.as_str() == "check";
    // A check may contain a data source.
    let all = body.blocks().flat_map(|block| {
        let inner = block.body.blocks().filter(move |inner| checked(block) && inner.ident.as_str() == "data");
        std::iter::once(block).chain(inner)
    });
    let (mut at, mut line) = (0, first);
    let mut line_at = |offset: usize| {
        line +=
            text.as_bytes().get(at..offset).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count()
                as u64;
        at = at.max(offset);
        line
    };
    for block in all {
        let (Some(kind), Some(span)) = (kind(block), block.span()) else { continue };
        found.push(Block { kind, line: line_at(span.start), end: line_at(span.end) });
    }
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
        let expected = ["12 module.net ./net", "15 data.b.two", "17 data.b.three", "23 managed.a.four"];
        assert_eq!(found(text), expected);
        assert_eq!(found(&text.replace('\n', "\r\n")), expected);
        for text in ["}\n", "x = <<E\n", "resource \"a\" {\n x = \"open\n}\n", "}\n}\na {\n"] {
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
