//! The resources and module calls of a configuration file in JSON (`main.tf.json`), and their lines.
//!
//! Source: the JSON configuration syntax of Terraform and OpenTofu. Wherever blocks may be repeated, an array of
//! objects may take the place of an object. Invariants: the work is linear in the length of the text; of a file
//! with a syntax error, the blocks before it are returned.

use crate::json::{Members, Raw, Str, from_str};

use super::scan::{Block, BlockKind};

/// The blocks of a file.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut reader = BlockReader { text, at: 0, line: 1, found: Vec::new() };
    each_member(text, &mut |block, body| match block {
        "resource" => reader.resources("managed", body),
        "data" => reader.resources("data", body),
        "ephemeral" => reader.resources("ephemeral", body),
        "module" => reader.modules(body),
        "check" => each_member(body, &mut |_, check| {
            each_member(check, &mut |block, body| {
                if block == "data" {
                    reader.resources("data", body);
                }
            });
        }),
        _ => {}
    });
    reader.found
}

struct BlockReader<'t> {
    text: &'t str,
    /// The position up to which lines were counted, and the line there.
    at: usize,
    line: u64,
    found: Vec<Block>,
}

impl<'t> BlockReader<'t> {
    fn resources(&mut self, mode: &'static str, types: &'t str) {
        each_member(types, &mut |resource_type, names| {
            each_member(names, &mut |name, body| {
                let (resource_type, name) = (resource_type.to_owned(), name.to_owned());
                self.add(BlockKind::Resource { mode, resource_type, name }, body);
            });
        });
    }

    fn modules(&mut self, names: &'t str) {
        each_member(names, &mut |name, body| {
            let mut source = None;
            each_member(body, &mut |name, value| {
                if name == "source" {
                    source = from_str::<Str<'_>>(value).ok().map(|text| text.to_string());
                }
            });
            self.add(BlockKind::Module { name: name.to_owned(), source }, body);
        });
    }

    /// Adds a block. `body` is a part of the text, behind those of the blocks before.
    fn add(&mut self, kind: BlockKind, body: &'t str) {
        let at = body.as_ptr().addr() - self.text.as_ptr().addr();
        let passed = self.text.as_bytes().get(self.at..at).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', passed).count() as u64;
        self.at = at;
        let end = self.line + memchr::memchr_iter(b'\n', body.as_bytes()).count() as u64;
        self.found.push(Block { kind, line: self.line, end });
    }
}

/// Calls `each` with the members of an object, or of each object in an array.
fn each_member<'t>(value: &'t str, each: &mut dyn FnMut(&str, &'t str)) {
    let value = value.trim_start();
    if value.starts_with('[') {
        for element in from_str::<Vec<Raw<'t>>>(value).unwrap_or_default() {
            if element.text().starts_with('{') {
                each_member(element.text(), each);
            }
        }
    } else if value.starts_with('{') {
        let mut members = Members::new(value);
        while let Ok(Some(name)) = members.next_key() {
            let Ok(value) = members.value() else { return };
            each(&name, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, u64)> {
        let name = |kind| match kind {
            BlockKind::Resource { mode, resource_type, name } => format!("{mode} {resource_type}.{name}"),
            BlockKind::Module { name, source } => format!("module {name} {}", source.unwrap_or_default()),
        };
        blocks(text).into_iter().map(|block| (name(block.kind), block.line)).collect()
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
        let expected = [
            ("managed aws_vpc.main", 4),
            ("managed aws_vpc.other", 5),
            ("data aws_ami.base", 9),
            ("data aws_ami.new", 10),
            ("module net ./net", 11),
            ("data http.page", 13),
        ];
        assert_eq!(found(text), expected.map(|(name, line)| (name.to_owned(), line)));
    }

    #[test]
    fn blocks_before_a_syntax_error_are_found() {
        assert_eq!(found(r#"{"resource":{"a":{"b":{}}},"data":{"#).len(), 1);
        assert!(found("not JSON").is_empty());
    }
}
