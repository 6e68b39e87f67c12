//! Finds what expressions of the configuration refer to, and the values of constant ones.
//!
//! In the JSON output format, the constants are the values of expressions that refer to nothing. Those that need a
//! calculation or a function are not evaluated here. References are listed in the order in which the tools visit an
//! expression. Each object is listed with what is read of it, from the longest path (`aws_vpc.main.tags.a`) to the
//! object itself (`aws_vpc.main`). Names that a `for` declares are not references.
//!
//! ```text
//! "${aws_vpc.main.id}-a"    Term { references: ["aws_vpc.main.id", "aws_vpc.main"], constant: None, … }
//! 8 * 60                    Term { references: [], constant: None, … }
//! "web"                     Term { references: [], constant: Some("web"), … }
//! ```

use bumpalo::Bump;
use hcl_edit::expr::{
    Expression, ForExpr, FuncCall, ObjectKey, Traversal, TraversalOperator, UnaryOperator,
};
use hcl_edit::template::{Element, ForTemplateExpr, Template};
use hcl_edit::visit::{Visit, visit_expr};
use hcl_edit::{Ident, Span as _};
use unicode_normalization::UnicodeNormalization as _;

use crate::dialect::Tool;
use crate::json::{Object, Value};
use crate::saved::address::quote_key;
use crate::saved::msgpack::is_number;

/// An expression with its references and, if it is constant, its value.
#[derive(Clone, Debug)]
pub(super) struct Term<'a> {
    /// The references, in the order of the tools.
    pub(super) references: Vec<String>,
    /// The value, if the expression refers to nothing and needs no calculation.
    pub(super) constant: Option<Value<'a>>,
    /// The constant value or, for an object, its constant members.
    pub(super) known: Option<Value<'a>>,
    /// The source text; empty in the JSON syntax.
    pub(super) text: &'a str,
    /// The value as it is written, only in the JSON syntax.
    pub(super) json: Option<Value<'a>>,
}

impl<'a> Term<'a> {
    /// Converts an expression of the native syntax; `file` is the text that it was parsed from.
    pub(super) fn native(
        expression: &Expression,
        file: &'a str,
        tool: Tool,
        arena: &'a Bump,
    ) -> Self {
        let text = expression
            .span()
            .and_then(|span| file.get(span))
            .unwrap_or_default();
        let constants = Constants { file, arena };
        let constant = constants.value(expression);
        Self {
            references: ReferenceFinder::found(tool, |finder| finder.visit_expr(expression)),
            constant,
            known: constant.or_else(|| constants.members(expression)),
            text,
            json: None,
        }
    }

    /// Converts a value of the JSON syntax, whose strings are templates. As in the tools, all of it is a constant even
    /// if templates refer to something.
    ///
    /// # Errors
    /// If a string is not a valid template.
    pub(super) fn json(value: Value<'a>, tool: Tool) -> Result<Self, String> {
        let mut references = Vec::new();
        add_templates(value, tool, &mut references)?;
        Ok(Self {
            references,
            constant: Some(value),
            known: Some(value),
            text: "",
            json: Some(value),
        })
    }
}

/// Returns a value with all its strings in Unicode normalization form C, as the tools do it.
pub(super) fn normalized<'a>(value: Value<'a>, arena: &'a Bump) -> Value<'a> {
    let constants = Constants { file: "", arena };
    match value {
        Value::String(text) if !text.is_ascii() => constants.string(text),
        Value::Array(items) => Value::Array(
            arena.alloc_slice_fill_iter(items.iter().map(|item| normalized(*item, arena))),
        ),
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

/// Appends the references of all templates in the strings of a value.
fn add_templates(value: Value<'_>, tool: Tool, references: &mut Vec<String>) -> Result<(), String> {
    let mut add = |text: &str| -> Result<(), String> {
        if text.contains("${") || text.contains("%{") {
            let template: Template = text
                .parse()
                .map_err(|error| format!("a string is not a template: {}", describe(&error)))?;
            references.extend(ReferenceFinder::found(tool, |finder| {
                finder.visit_template(&template);
            }));
        }
        Ok(())
    };
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
        Value::String(text) => add(text),
        Value::Array(items) => items
            .iter()
            .try_for_each(|item| add_templates(*item, tool, references)),
        Value::Object(members) => members.members().iter().try_for_each(|(key, member)| {
            let mut add = |text: &str| add_templates(Value::String(text), tool, references);
            add(key)?;
            add_templates(*member, tool, references)
        }),
    }
}

/// Returns the location and the problem of a parser error, without the text of the file.
pub(super) fn describe(error: &hcl_edit::parser::Error) -> String {
    let location = error.location();
    format!(
        "line {} column {}: {}",
        location.line(),
        location.column(),
        error.message()
    )
}

/// Evaluates the constant expressions of a file.
struct Constants<'a> {
    /// The text that the expressions were parsed from.
    file: &'a str,
    arena: &'a Bump,
}

impl<'a> Constants<'a> {
    /// Returns the value of a constant expression; `None` if it refers to anything, or needs a function or a
    /// calculation.
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
                let mut parsed = Vec::with_capacity(members.len());
                for (key, value) in members {
                    parsed.push((self.key(key)?, self.value(value.expr())?));
                }
                Value::Object(Object::from_members(parsed, self.arena))
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

    /// Returns an object of the members that are constant; `None` if the expression is not an object.
    fn members(&self, expression: &Expression) -> Option<Value<'a>> {
        let members = expression.as_object()?.iter();
        let members =
            members.filter_map(|(key, value)| Some((self.key(key)?, self.value(value.expr())?)));
        Some(Value::Object(Object::from_members(
            members.collect(),
            self.arena,
        )))
    }

    fn string(&self, text: &str) -> Value<'a> {
        Value::String(self.arena.alloc_str(&text.nfc().collect::<String>()))
    }

    fn key(&self, key: &ObjectKey) -> Option<&'a str> {
        match key {
            ObjectKey::Ident(name) => Some(self.arena.alloc_str(name.as_str())),
            ObjectKey::Expression(key) => as_text(self.value(key)?),
        }
    }

    /// Evaluates a template. One that consists of a single interpolation has the value of its expression; all others
    /// are strings.
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

    /// Returns the digits of a number without an exponent; `None` if they are not certain, because the tools calculate
    /// with more digits than a number of 64 bits has.
    fn number(&self, expression: &Expression) -> Option<&'a str> {
        /// The number of decimal digits that a number of 64 bits always represents exactly.
        const EXACT_DIGITS: usize = 15;
        let text = expression.span().and_then(|span| self.file.get(span))?;
        let text = text.trim();
        if text
            .strip_prefix('-')
            .unwrap_or(text)
            .bytes()
            .all(|byte| byte.is_ascii_digit())
        {
            // JSON has no leading zeros.
            return is_number(text).then_some(text);
        }
        let text = text.replace([' ', '\t'], "");
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
        let is_exact = mantissa.bytes().filter(u8::is_ascii_digit).count() <= EXACT_DIGITS
            && exponent
                .parse::<i32>()
                .is_ok_and(|exponent| exponent.abs() < 200);
        let value: f64 = text.parse().ok().filter(|_| is_exact)?;
        Some(self.arena.alloc_str(&value.to_string()))
    }
}

/// Returns a primitive value as the language converts it to a string; `None` for other values.
fn as_text(value: Value<'_>) -> Option<&str> {
    match value {
        Value::String(text) | Value::Number(text) => Some(text),
        Value::Bool(true) => Some("true"),
        Value::Bool(false) => Some("false"),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A visitor that collects what an expression refers to.
#[derive(Default)]
struct ReferenceFinder {
    /// The references in the order in which they are visited.
    references: Vec<String>,
    /// The functions of providers that are called.
    functions: Vec<String>,
    /// The names that the `for` expressions around the current expression declare.
    declared: Vec<String>,
}

impl ReferenceFinder {
    /// Returns the references that a visit finds, in the order of the tools. OpenTofu lists the functions of providers
    /// too, after everything else.
    fn found(tool: Tool, visit: impl FnOnce(&mut Self)) -> Vec<String> {
        let mut finder = Self::default();
        visit(&mut finder);
        match tool {
            Tool::Terraform => finder.references,
            Tool::OpenTofu => [finder.references, finder.functions].concat(),
        }
    }

    /// Visits what is within a `for`, where its key and value are declared names.
    fn declaring(&mut self, key: Option<&Ident>, value: &Ident, visit: impl FnOnce(&mut Self)) {
        let outside = self.declared.len();
        self.declared.extend(key.map(|key| key.as_str().to_owned()));
        self.declared.push(value.as_str().to_owned());
        visit(self);
        self.declared.truncate(outside);
    }

    /// Adds a path of the given `steps`, such as `.name` and `[key]`. A path that is not a reference in the language is
    /// left out.
    fn path(&mut self, root: &str, steps: &[String]) {
        if self.declared.iter().any(|name| name == root) {
            return;
        }
        let begins =
            |index: usize, with: char| steps.get(index).is_some_and(|step| step.starts_with(with));
        let names = match root {
            "self" => 0,
            "data" | "ephemeral" | "action" | "resource" => 2,
            _ => 1,
        };
        if !(0..names).all(|index| begins(index, '.')) {
            return;
        }
        // The number of steps to the object, and to the object around it, which the tools list too.
        let instance = names + usize::from(begins(names, '['));
        let (object, around) = match root {
            "self" | "count" | "each" | "local" | "path" | "terraform" | "tofu" | "var" => {
                (names, None)
            }
            "module" if begins(instance, '.') => (instance + 1, Some(instance)),
            _ => (instance, (instance > names).then_some(names)),
        };
        let root = if root == "resource" { "" } else { root };
        let text = |end| [root, &*steps.get(..end).unwrap_or_default().concat()].concat();
        let longer = (object + 1..=steps.len()).rev().take(MAX_STEPS);
        let listed = longer.chain([object]).chain(around).map(text);
        self.references
            .extend(listed.map(|path| path.trim_start_matches('.').to_owned()));
    }
}

impl Visit for ReferenceFinder {
    fn visit_expr(&mut self, expression: &Expression) {
        if let Expression::Variable(name) = expression {
            self.path(name.as_str(), &[]);
        } else {
            visit_expr(self, expression);
        }
    }

    fn visit_func_call(&mut self, call: &FuncCall) {
        let path = call.name.namespace.iter().chain([&call.name.name]);
        let path: Vec<&str> = path.map(|name| name.as_str()).collect();
        if path.first() == Some(&"provider") && path.len() > 1 {
            self.functions.push(path.join("::"));
        }
        self.visit_func_args(&call.args);
    }

    /// Visits a `for` expression. The names that it declares are not references.
    fn visit_for_expr(&mut self, each: &ForExpr) {
        self.visit_expr(&each.intro.collection_expr);
        self.declaring(
            each.intro.key_var.as_deref(),
            &each.intro.value_var,
            |inner| {
                let condition = each.cond.as_ref().map(|condition| &condition.expr);
                let parts = each
                    .key_expr
                    .iter()
                    .chain([&each.value_expr])
                    .chain(condition);
                parts.for_each(|part| inner.visit_expr(part));
            },
        );
    }

    fn visit_for_template_expr(&mut self, each: &ForTemplateExpr) {
        self.visit_expr(&each.collection_expr);
        self.declaring(each.key_var.as_deref(), &each.value_var, |inner| {
            inner.visit_template(&each.template);
        });
    }

    /// Visits a path, which is known up to the first splat or computed key.
    fn visit_traversal(&mut self, traversal: &Traversal) {
        let steps: Vec<String> = traversal
            .operators
            .iter()
            .map_while(|operator| step(operator))
            .collect();
        if let Expression::Variable(name) = &traversal.expr {
            self.path(name.as_str(), &steps);
        } else {
            self.visit_expr(&traversal.expr);
        }
        for operator in traversal.operators.iter().skip(steps.len()) {
            if let TraversalOperator::Index(key) = operator.value() {
                self.visit_expr(key);
            }
        }
    }
}

/// The maximum number of paths that are listed for one reference. Without it, their total length would be quadratic.
const MAX_STEPS: usize = 64;

/// Returns a step of a path as text; `None` for a splat or a computed key.
fn step(operator: &TraversalOperator) -> Option<String> {
    match operator {
        TraversalOperator::GetAttr(name) => Some(format!(".{}", name.as_str())),
        TraversalOperator::LegacyIndex(index) => Some(format!("[{}]", index.value())),
        TraversalOperator::Index(Expression::Number(index)) => Some(format!("[{}]", index.value())),
        TraversalOperator::Index(Expression::String(key)) => Some(format!("[{}]", quote_key(key))),
        TraversalOperator::Index(_)
        | TraversalOperator::AttrSplat(_)
        | TraversalOperator::FullSplat(_) => None,
    }
}

#[cfg(test)]
mod tests;
