//! Expressions of the configuration: what they refer to, and their value if they are constant.
//!
//! Source: the JSON output format. Its constants are the values of expressions that refer to nothing; of those,
//! the ones that need a calculation or a function are not worked out here.

use bumpalo::Bump;
use hcl_edit::Span as _;
use hcl_edit::expr::{Expression, ObjectKey, UnaryOperator};
use hcl_edit::template::{Element, Template};
use unicode_normalization::UnicodeNormalization as _;

use super::references;
use crate::dialect::Tool;
use crate::json::{Object, Value};

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Term<'a> {
    /// What it refers to.
    pub(super) references: Vec<String>,
    /// Its value, if it is a constant.
    pub(super) constant: Option<Value<'a>>,
    /// Its value, or the constant members of an object.
    pub(super) known: Option<Value<'a>>,
    /// How it is written.
    pub(super) text: &'a str,
    /// Its value in the JSON syntax.
    pub(super) json: Option<Value<'a>>,
}

impl<'a> Term<'a> {
    /// An expression of the native syntax, in this file.
    pub(super) fn native(expression: &Expression, file: &'a str, tool: Tool, arena: &'a Bump) -> Self {
        let text = expression.span().and_then(|span| file.get(span)).unwrap_or_default();
        let constants = Constants { file, arena };
        let constant = constants.value(expression);
        Self {
            references: references::of_expression(expression, tool),
            constant,
            known: constant.or_else(|| constants.members(expression)),
            text,
            json: None,
        }
    }

    /// An expression of the JSON syntax, in which strings are templates. The tools take all of it for a constant.
    pub(super) fn json(value: Value<'a>, tool: Tool) -> Result<Self, String> {
        let mut references = Vec::new();
        add_templates(value, tool, &mut references)?;
        Ok(Self { references, constant: Some(value), known: Some(value), text: "", json: Some(value) })
    }
}

/// A value of the JSON syntax with all strings in the form to which the tools normalize them.
pub(super) fn normalized<'a>(value: Value<'a>, arena: &'a Bump) -> Value<'a> {
    let constants = Constants { file: "", arena };
    match value {
        Value::String(text) if !text.is_ascii() => constants.string(text),
        Value::Array(items) => {
            Value::Array(arena.alloc_slice_fill_iter(items.iter().map(|item| normalized(*item, arena))))
        }
        Value::Object(object) => {
            let members = object.members().iter().map(|(name, member)| {
                let name = as_text(normalized(Value::String(name), arena)).unwrap_or(name);
                (name, normalized(*member, arena))
            });
            Value::Object(Object::from_members(members.collect(), arena))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}

/// Adds the references of all strings and keys.
fn add_templates(value: Value<'_>, tool: Tool, references: &mut Vec<String>) -> Result<(), String> {
    let mut add = |text: &str| -> Result<(), String> {
        if text.contains("${") || text.contains("%{") {
            let template: Template =
                text.parse().map_err(|error| format!("a string is not a template: {}", describe(&error)))?;
            references.extend(references::of_template(&template, tool));
        }
        Ok(())
    };
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
        Value::String(text) => add(text),
        Value::Array(items) => items.iter().try_for_each(|item| add_templates(*item, tool, references)),
        Value::Object(members) => members.members().iter().try_for_each(|(key, member)| {
            let mut add = |text: &str| add_templates(Value::String(text), tool, references);
            add(key)?;
            add_templates(*member, tool, references)
        }),
    }
}

/// The place and the problem in an error of the parser, without the text of the file.
pub(super) fn describe(error: &hcl_edit::parser::Error) -> String {
    let location = error.location();
    format!("line {} column {}: {}", location.line(), location.column(), error.message())
}

/// Works out the values of constants.
struct Constants<'a> {
    file: &'a str,
    arena: &'a Bump,
}

impl<'a> Constants<'a> {
    fn value(&self, expression: &Expression) -> Option<Value<'a>> {
        Some(match expression {
            Expression::Null(_) => Value::Null,
            Expression::Bool(value) => Value::Bool(*value.value()),
            Expression::Number(_) => Value::Number(self.number(expression)?),
            Expression::String(text) => self.string(text),
            Expression::Array(items) => {
                let items: Option<Vec<_>> = items.iter().map(|item| self.value(item)).collect();
                Value::Array(self.arena.alloc_slice_copy(&items?))
            }
            Expression::Object(members) => {
                let mut found = Vec::with_capacity(members.len());
                for (key, value) in members {
                    found.push((self.key(key)?, self.value(value.expr())?));
                }
                Value::Object(Object::from_members(found, self.arena))
            }
            Expression::StringTemplate(template) => self.template(template)?,
            Expression::HeredocTemplate(heredoc) => {
                let mut heredoc = heredoc.clone();
                heredoc.dedent();
                self.template(&heredoc.template)?
            }
            Expression::Parenthesis(inner) => self.value(inner.inner())?,
            Expression::UnaryOp(operation) => {
                match (operation.operator.value(), self.value(&operation.expr)?) {
                    (UnaryOperator::Not, Value::Bool(value)) => Value::Bool(!value),
                    _ => return None,
                }
            }
            Expression::Variable(_)
            | Expression::Conditional(_)
            | Expression::FuncCall(_)
            | Expression::Traversal(_)
            | Expression::BinaryOp(_)
            | Expression::ForExpr(_) => return None,
        })
    }

    /// An object of the constant members.
    fn members(&self, expression: &Expression) -> Option<Value<'a>> {
        let members = expression.as_object()?.iter();
        let members = members.filter_map(|(key, value)| Some((self.key(key)?, self.value(value.expr())?)));
        Some(Value::Object(Object::from_members(members.collect(), self.arena)))
    }

    /// A string in the form to which the tools normalize all strings.
    fn string(&self, text: &str) -> Value<'a> {
        Value::String(self.arena.alloc_str(&text.nfc().collect::<String>()))
    }

    fn key(&self, key: &ObjectKey) -> Option<&'a str> {
        match key {
            ObjectKey::Ident(name) => Some(self.arena.alloc_str(name.as_str())),
            ObjectKey::Expression(key) => as_text(self.value(key)?),
        }
    }

    /// A template of one interpolation is the value of that; all others are strings.
    fn template(&self, template: &Template) -> Option<Value<'a>> {
        if let Some(Element::Interpolation(only)) = template.as_single_element() {
            return self.value(&only.expr);
        }
        let mut text = String::new();
        for element in template {
            match element {
                Element::Literal(literal) => text.push_str(literal),
                Element::Interpolation(inner) if inner.strip == hcl_edit::template::Strip::None => {
                    text.push_str(as_text(self.value(&inner.expr)?)?);
                }
                Element::Interpolation(_) | Element::Directive(_) => return None,
            }
        }
        Some(self.string(&text))
    }

    /// The digits of a number, without exponent. `None` if they are not certain: the tools calculate with more digits
    /// than a number of 64 bits has.
    fn number(&self, expression: &Expression) -> Option<&'a str> {
        const EXACT_DIGITS: usize = 15;
        let text = expression.span().and_then(|span| self.file.get(span))?;
        let text = text.trim();
        if text.strip_prefix('-').unwrap_or(text).bytes().all(|byte| byte.is_ascii_digit()) {
            // JSON has no leading zeros.
            return is_number(text).then_some(text);
        }
        let text = text.replace([' ', '\t'], "");
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
        let is_exact = mantissa.bytes().filter(u8::is_ascii_digit).count() <= EXACT_DIGITS
            && exponent.parse::<i32>().is_ok_and(|exponent| exponent.abs() < 200);
        let value: f64 = text.parse().ok().filter(|_| is_exact)?;
        Some(self.arena.alloc_str(&value.to_string()))
    }
}

fn is_number(text: &str) -> bool {
    super::super::msgpack::number(text).is_ok()
}

/// A primitive value as a string.
fn as_text(value: Value<'_>) -> Option<&str> {
    match value {
        Value::String(text) | Value::Number(text) => Some(text),
        Value::Bool(true) => Some("true"),
        Value::Bool(false) => Some("false"),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant(text: &str) -> Option<String> {
        let arena = Bump::new();
        let body: hcl_edit::structure::Body = text.parse().unwrap();
        let value =
            Term::native(&body.attributes().next().unwrap().value, text, Tool::Terraform, &arena).constant;
        value.map(|value| serde_json::to_string(&value).unwrap())
    }

    #[test]
    fn constants_are_worked_out() {
        for (text, expected) in [
            ("x = null", Some("null")),
            ("x = \"a\\nb$${c}\"", Some(r#""a\nb${c}""#)),
            ("x = -12345678901234567890123", Some("-12345678901234567890123")),
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
        let value = crate::json::parse(r#"{"a": ["x${var.b}", 1], "${var.c}": "$${no}"}"#, &arena).unwrap();
        let term = Term::json(value, Tool::Terraform).unwrap();
        assert_eq!(term.references.join(" "), "var.c var.b");
        assert_eq!(term.constant, Some(value));
        assert!(Term::json(Value::String("${"), Tool::Terraform).is_err());
        let value = crate::json::parse("{\"e\u{301}\": [\"e\u{301}\"]}", &arena).unwrap();
        let value = serde_json::to_string(&normalized(value, &arena)).unwrap();
        assert_eq!(value, "{\"é\":[\"é\"]}");
    }
}
