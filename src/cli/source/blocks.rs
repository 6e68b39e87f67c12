//! Finds the blocks of a configuration file that declare objects of a plan or call modules, in the native syntax and in
//! JSON (`main.tf.json`).
//!
//! Invariants: the work is linear in the length of the file. In a file with a syntax error, the blocks that can be
//! parsed on their own are found; in JSON, those before the error.

use hcl_edit::Span as _;
use hcl_edit::expr::Expression;
use hcl_edit::structure::{self, Body};

use crate::json::{Members, Raw, Str, from_str};

/// A block of a configuration file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The address in its module, such as `aws_vpc.main`, `data.aws_ami.it` or `module.net`.
    pub(super) address: String,
    /// The `source` of a module call.
    pub(super) source: Option<String>,
    /// The first line, from 1.
    pub(super) line: u64,
    /// The last line.
    pub(super) end: u64,
}

/// Returns the blocks of a file. The name of the file decides the syntax.
pub(super) fn blocks(name: &str, text: &str) -> Vec<Block> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut finder = BlockFinder {
        text,
        offset: 0,
        line: 1,
        blocks: Vec::new(),
    };
    if name.ends_with(".json") {
        finder.json(text);
    } else if let Ok(body) = text.parse::<Body>() {
        finder.native(&body, 0);
    } else {
        // In the layout of the formatter, only the closing brace of a block begins a line.
        let mut start = 0;
        for part in text.split_inclusive("\n}") {
            if let Ok(body) = part.parse::<Body>() {
                finder.native(&body, start);
            }
            start += part.len();
        }
    }
    finder.blocks
}

/// The blocks that were found, and the line up to which lines were counted.
struct BlockFinder<'t> {
    /// The text of the file.
    text: &'t str,
    /// The offset up to which lines were counted.
    offset: usize,
    /// The line at this offset.
    line: u64,
    /// The blocks that were found.
    blocks: Vec<Block>,
}

impl<'t> BlockFinder<'t> {
    fn add(&mut self, address: String, source: Option<String>, start: usize, end: usize) {
        let line = self.line_at(start);
        let end = self.line_at(end);
        self.blocks.push(Block {
            address,
            source,
            line,
            end,
        });
    }

    /// Returns the line of a position, which must not be before the last one that was asked for.
    fn line_at(&mut self, position: usize) -> u64 {
        let passed = self
            .text
            .as_bytes()
            .get(self.offset..position)
            .unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', passed).count() as u64;
        self.offset = position;
        self.line
    }

    /// Adds the blocks of a body in the native syntax that begins at the offset `start` of the file.
    fn native(&mut self, body: &Body, start: usize) {
        let is_check = |block: &structure::Block| block.ident.as_str() == "check";
        // A check may contain a data source.
        let all = body.blocks().flat_map(|block| {
            let inner = block.body.blocks();
            let inner =
                inner.filter(move |inner| is_check(block) && inner.ident.as_str() == "data");
            std::iter::once(block).chain(inner)
        });
        for block in all {
            let labels: Vec<&str> = block.labels.iter().map(|label| label.as_str()).collect();
            let address = match (block.ident.as_str(), &*labels) {
                ("resource", [kind, name]) => format!("{kind}.{name}"),
                (mode @ ("data" | "ephemeral"), [kind, name]) => format!("{mode}.{kind}.{name}"),
                ("module", [name]) => format!("module.{name}"),
                _ => continue,
            };
            let source = block
                .body
                .get_attribute("source")
                .map(|source| &source.value);
            let source = source.and_then(Expression::as_str).map(str::to_owned);
            if let Some(span) = block.span() {
                self.add(address, source, start + span.start, start + span.end);
            }
        }
    }

    /// Adds the blocks of a file in JSON.
    fn json(&mut self, text: &'t str) {
        each_member(text, &mut |block, body| match block {
            "resource" => self.json_objects("", body),
            "data" => self.json_objects("data.", body),
            "ephemeral" => self.json_objects("ephemeral.", body),
            "module" => each_member(body, &mut |name, body| {
                let mut source = None;
                each_member(body, &mut |name, value| {
                    if name == "source" {
                        source = from_str::<Str<'_>>(value).ok().map(|text| text.to_string());
                    }
                });
                self.add_json(format!("module.{name}"), source, body);
            }),
            "check" => each_member(body, &mut |_, check| {
                each_member(check, &mut |block, body| {
                    if block == "data" {
                        self.json_objects("data.", body);
                    }
                });
            }),
            _ => {}
        });
    }

    fn json_objects(&mut self, mode: &str, types: &'t str) {
        each_member(types, &mut |kind, names| {
            each_member(names, &mut |name, body| {
                self.add_json(format!("{mode}{kind}.{name}"), None, body);
            });
        });
    }

    fn add_json(&mut self, address: String, source: Option<String>, body: &'t str) {
        let start = body.as_ptr().addr() - self.text.as_ptr().addr();
        self.add(address, source, start, start + body.len());
    }
}

/// Calls `each` for each member of an object. Wherever blocks may be repeated, an array of objects may replace an
/// object.
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
mod tests;
