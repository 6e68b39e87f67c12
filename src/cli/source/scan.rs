//! The headers of the blocks of a configuration file: `resource "aws_vpc" "main" {`, and their lines.
//!
//! Source: the syntax of HCL. Only the constructs needed to find the end of a block are recognised: strings,
//! templates, heredocs, comments and braces. Invariants: the work is linear in the length of the text,
//! without recursion; of a file with a syntax error, the recognisable blocks are returned.

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// The line of its header, from 1.
    pub(super) line: u64,
    /// Its last line; 0 if it has no end.
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

/// A construct that is open at the scanner's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frame<'t> {
    /// Braces of a block, an object, or a template in a string.
    Braces,
    /// A string in quotes.
    Quoted,
    /// A heredoc that ends with this line.
    Heredoc(&'t str),
}

/// The blocks of a file.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut scanner =
        Scanner { text, at: 0, line: 1, frames: Vec::new(), outer: Outer::Other, found: Vec::new() };
    while scanner.at < text.len() {
        scanner.step();
    }
    scanner.found
}

/// The top-level block around the scanner's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outer {
    /// A module call, the last block that was found.
    Module,
    /// A check, which may contain a data source.
    Check,
    /// Any other block.
    Other,
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    line: u64,
    frames: Vec<Frame<'t>>,
    outer: Outer,
    found: Vec<Block>,
}

impl<'t> Scanner<'t> {
    fn step(&mut self) {
        match self.frames.last() {
            None | Some(Frame::Braces) => self.code(),
            Some(Frame::Quoted) => self.quoted(),
            Some(Frame::Heredoc(end)) => self.heredoc(end),
        }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Skips at least `length` bytes, and at least one character, and counts lines.
    fn pass(&mut self, length: usize) {
        let mut end = self.text.len().min(self.at + length.max(1));
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        let passed = self.text.get(self.at..end).unwrap_or_default();
        self.line += passed.bytes().filter(|byte| *byte == b'\n').count() as u64;
        self.at = end;
    }

    fn code(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.bytes().next() else { return };
        if first == b'#' || rest.starts_with("//") {
            return self.pass(rest.find('\n').unwrap_or(rest.len()));
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            return self.pass(comment.find("*/").map_or(rest.len(), |end| end + 4));
        }
        if let Some((marker, length)) = heredoc_start(rest) {
            self.frames.push(Frame::Heredoc(marker));
            return self.pass(length);
        }
        match first {
            b'"' => {
                self.frames.push(Frame::Quoted);
                self.pass(1);
            }
            b'{' => {
                self.frames.push(Frame::Braces);
                self.pass(1);
            }
            b'}' => {
                self.frames.pop();
                let is_block =
                    self.frames.is_empty() || (self.frames.len() == 1 && self.outer == Outer::Check);
                if let Some(block) = self.found.last_mut().filter(|block| is_block && block.end == 0) {
                    block.end = self.line;
                }
                self.pass(1);
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' => self.identifier(),
            _ => self.pass(1),
        }
    }

    /// Reads an identifier: the header of a block where one is allowed, otherwise skipped.
    fn identifier(&mut self) {
        let rest = self.rest();
        let name = identifier(rest);
        match (self.frames.len(), self.outer) {
            (0, _) => {
                if let Some((labels, length)) = header(rest.get(name.len()..).unwrap_or_default()) {
                    self.outer = match name {
                        "module" => Outer::Module,
                        "check" => Outer::Check,
                        _ => Outer::Other,
                    };
                    self.found.extend(block(name, &labels, self.line));
                    self.frames.push(Frame::Braces);
                    return self.pass(name.len() + length);
                }
            }
            (1, Outer::Check) if name == "data" => {
                if let Some((labels, length)) = header(rest.get(name.len()..).unwrap_or_default()) {
                    self.found.extend(block(name, &labels, self.line));
                    self.frames.push(Frame::Braces);
                    return self.pass(name.len() + length);
                }
            }
            (1, Outer::Module) if name == "source" => {
                let value = rest.get(name.len()..).unwrap_or_default().trim_start_matches([' ', '\t']);
                let value = value.strip_prefix('=').map(|value| value.trim_start_matches([' ', '\t']));
                if let (Some(text), Some(Block { kind: BlockKind::Module { source, .. }, .. })) =
                    (value.and_then(plain_string), self.found.last_mut())
                {
                    *source = Some(text.to_owned());
                }
            }
            _ => {}
        }
        self.pass(name.len());
    }

    fn quoted(&mut self) {
        let rest = self.rest();
        match rest.as_bytes() {
            [b'\\', ..] => self.pass(2),
            // A string ends with its line, so that text after an error is read as code again.
            [b'"' | b'\n', ..] => {
                self.frames.pop();
                self.pass(1);
            }
            _ => self.template(&['\\', '"', '\n', '$', '%']),
        }
    }

    fn heredoc(&mut self, end: &str) {
        let is_line_start = self.at == 0 || self.text.as_bytes().get(self.at - 1) == Some(&b'\n');
        if is_line_start {
            let line = self.rest().split('\n').next().unwrap_or_default();
            if line.trim() == end {
                self.frames.pop();
                return self.pass(line.len());
            }
        }
        if self.rest().starts_with('\n') {
            return self.pass(1);
        }
        self.template(&['\n', '$', '%']);
    }

    /// Skips a part of a string or heredoc, up to the next special character.
    fn template(&mut self, stops: &[char]) {
        let rest = self.rest();
        if rest.starts_with("$${") || rest.starts_with("%%{") {
            self.pass(3);
        } else if rest.starts_with("${") || rest.starts_with("%{") {
            self.frames.push(Frame::Braces);
            self.pass(2);
        } else {
            let first = rest.chars().next().map_or(1, char::len_utf8);
            let later = rest.get(first..).unwrap_or_default();
            self.pass(first + later.find(stops).unwrap_or(later.len()));
        }
    }
}

fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').unwrap_or(text.len());
    &text[..end]
}

/// The labels after the type of a block, and their length including the brace.
fn header(text: &str) -> Option<(Vec<&str>, usize)> {
    const MAX_LABELS: usize = 3;
    let mut labels = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        if let Some(body) = rest.strip_prefix('{') {
            return Some((labels, text.len() - body.len()));
        }
        if labels.len() == MAX_LABELS {
            return None;
        }
        let (label, length) = match plain_string(rest) {
            Some(label) => (label, label.len() + 2),
            None => {
                let label = identifier(rest);
                (label, label.len())
            }
        };
        if length == 0 {
            return None;
        }
        labels.push(label);
        rest = rest.get(length..)?;
    }
}

/// The string at the start of a text, if it has no escapes and templates.
fn plain_string(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('"')?;
    let end = inner.find(['"', '\n', '\\'])?;
    let string = inner.get(..end)?;
    (inner[end..].starts_with('"') && !string.contains("${") && !string.contains("%{")).then_some(string)
}

/// The end marker of a heredoc that begins here, and the length of its introduction.
fn heredoc_start(text: &str) -> Option<(&str, usize)> {
    let after = text.strip_prefix("<<")?;
    let after = after.strip_prefix('-').unwrap_or(after);
    let marker = identifier(after);
    let rest = after.get(marker.len()..)?;
    let end = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n'))?;
    (!marker.is_empty()).then_some((marker, text.len() - end.len()))
}

/// The block with this type and these labels, if its kind of declaration occurs in plans.
fn block(name: &str, labels: &[&str], line: u64) -> Option<Block> {
    let mode = match name {
        "resource" => "managed",
        "data" => "data",
        "ephemeral" => "ephemeral",
        "module" => {
            let [name] = labels else { return None };
            return Some(Block {
                kind: BlockKind::Module { name: (*name).to_owned(), source: None },
                line,
                end: 0,
            });
        }
        _ => return None,
    };
    let [resource_type, name] = labels else { return None };
    let kind =
        BlockKind::Resource { mode, resource_type: (*resource_type).to_owned(), name: (*name).to_owned() };
    Some(Block { kind, line, end: 0 })
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
                    module \"m\" {\n";
        let ends: Vec<_> = blocks(text).iter().map(|block| (block.line, block.end)).collect();
        assert_eq!(ends, [(1, 3), (7, 8), (10, 0)]);
    }

    #[test]
    fn what_is_broken_ends_nothing_but_itself() {
        assert_eq!(
            found("resource \"a\" \"b\" {\n x = \"open\n}\nresource \"a\" \"c\" {}"),
            ["1 managed.a.b", "4 managed.a.c"]
        );
        assert_eq!(found("}\n}\nresource \"a\" \"b\" {"), ["3 managed.a.b"]);
        assert_eq!(found("x = <<E\nresource \"a\" \"b\" {"), [""; 0]);
        assert_eq!(found("resource \"a\" \"${x}\" {}"), [""; 0]);
        assert_eq!(found("módule \"x\" {}\n\u{feff}é{\"\\é\"}\nresource \"é\" \"b\" {}"), ["3 managed.é.b"]);
        assert_eq!(
            found("module \"m\" {\n source = \"${x}\"\n}\r\nresource \"a\" \"b\" {\r\n}"),
            ["1 module.m ", "4 managed.a.b"]
        );
    }

    #[test]
    fn any_text_is_read_to_its_end() {
        let pieces = [
            "\"",
            "${",
            "}",
            "{",
            "<<E\n",
            "\nE\n",
            "\\",
            "/*",
            "*/",
            "#",
            "\n",
            "é",
            "resource \"a\" \"b\" {",
            "$${",
        ];
        let mut random = 7u64;
        for _ in 0..2_000 {
            let mut text = String::new();
            for _ in 0..20 {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(pieces[(random >> 33) as usize % pieces.len()]);
            }
            let lines = text.lines().count() as u64;
            assert!(blocks(&text).iter().all(|block| block.line <= lines.max(1)), "{text:?}");
        }
    }
}
