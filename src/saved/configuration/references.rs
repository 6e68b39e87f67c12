//! The references of an expression, as the JSON output format lists them: each object with what is read of it,
//! from the longest path (`aws_vpc.main.tags.a`) to the object itself (`aws_vpc.main`).
//!
//! Source: the JSON output format. The order is that in which the tools visit an expression. Names that a `for`
//! declares are not references.

use hcl_edit::Ident;
use hcl_edit::expr::{Expression, ForExpr, FuncCall, Traversal, TraversalOperator};
use hcl_edit::template::{ForTemplateExpr, Template};
use hcl_edit::visit::{Visit, visit_expr};

use super::super::address::quote_key;
use crate::dialect::Tool;

/// The references of an expression.
pub(super) fn of_expression(expression: &Expression, tool: Tool) -> Vec<String> {
    let mut found = Finder::default();
    found.visit_expr(expression);
    found.all(tool)
}

/// The references of a template.
pub(super) fn of_template(template: &Template, tool: Tool) -> Vec<String> {
    let mut found = Finder::default();
    found.visit_template(template);
    found.all(tool)
}

#[derive(Default)]
struct Finder {
    references: Vec<String>,
    /// The functions of providers that are called.
    functions: Vec<String>,
    /// The names that a `for` declares, innermost last.
    declared: Vec<String>,
}

/// A step of a path: `.name`, or `[key]`.
struct Step {
    text: String,
    /// The name, unless it is a key.
    name: Option<String>,
}

impl Finder {
    /// OpenTofu lists the functions of providers too, after all else.
    fn all(self, tool: Tool) -> Vec<String> {
        match tool {
            Tool::Terraform => self.references,
            Tool::OpenTofu => [self.references, self.functions].concat(),
        }
    }

    fn declaring(&mut self, key: Option<&Ident>, value: &Ident, visit: impl FnOnce(&mut Self)) {
        let outside = self.declared.len();
        self.declared.extend(key.map(|key| key.as_str().to_owned()));
        self.declared.push(value.as_str().to_owned());
        visit(self);
        self.declared.truncate(outside);
    }

    /// Adds the references of a path. What is not one in the language is left out.
    fn path(&mut self, root: &str, steps: &[Step]) {
        if self.declared.iter().any(|name| name == root) {
            return;
        }
        let name = |at: usize| steps.get(at).and_then(|step| step.name.as_deref());
        let key = |at: usize| steps.get(at).filter(|step| step.name.is_none());
        // The object, how many steps lead to it, and the object around it that is listed too.
        let found = match root {
            "self" => Some(("self".to_owned(), 0, None)),
            "count" | "each" | "local" | "path" | "terraform" | "tofu" | "var" => {
                name(0).map(|name| (format!("{root}.{name}"), 1, None))
            }
            "module" => name(0).map(|call| {
                let call = format!("module.{call}");
                let (instance, at) = match key(1) {
                    Some(key) => (format!("{call}{}", key.text), 2),
                    None => (call.clone(), 1),
                };
                match name(at) {
                    Some(output) => (format!("{instance}.{output}"), at + 1, Some(instance)),
                    None => (instance, at, (at == 2).then_some(call)),
                }
            }),
            _ => {
                let (prefix, at) = match root {
                    "data" | "ephemeral" | "action" => (format!("{root}."), 0),
                    "resource" => (String::new(), 0),
                    kind => (format!("{kind}."), 1),
                };
                let kind = if at == 0 { name(0).map(|kind| format!("{kind}.")) } else { Some(String::new()) };
                let names = kind.zip(name(1 - at));
                names.map(|(kind, name)| {
                    let resource = format!("{prefix}{kind}{name}");
                    match key(2 - at) {
                        Some(key) => (format!("{resource}{}", key.text), 3 - at, Some(resource)),
                        None => (resource, 2 - at, None),
                    }
                })
            }
        };
        let Some((object, length, around)) = found else { return };
        let below = steps.get(length..).unwrap_or_default();
        for end in (1..=below.len()).rev().take(MAX_STEPS) {
            let path: String = below.iter().take(end).map(|step| &*step.text).collect();
            self.references.push(format!("{object}{path}"));
        }
        self.references.push(object);
        self.references.extend(around);
    }
}

impl Visit for Finder {
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

    fn visit_for_expr(&mut self, each: &ForExpr) {
        self.visit_expr(&each.intro.collection_expr);
        self.declaring(each.intro.key_var.as_deref(), &each.intro.value_var, |inner| {
            let condition = each.cond.as_ref().map(|condition| &condition.expr);
            let parts = each.key_expr.iter().chain([&each.value_expr]).chain(condition);
            parts.for_each(|part| inner.visit_expr(part));
        });
    }

    fn visit_for_template_expr(&mut self, each: &ForTemplateExpr) {
        self.visit_expr(&each.collection_expr);
        self.declaring(each.key_var.as_deref(), &each.value_var, |inner| {
            inner.visit_template(&each.template);
        });
    }

    /// The path is known up to the first splat or computed key.
    fn visit_traversal(&mut self, traversal: &Traversal) {
        let steps: Vec<Step> = traversal.operators.iter().map_while(|operator| step(operator)).collect();
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

/// The maximum number of paths listed of one reference; their length together is quadratic.
const MAX_STEPS: usize = 64;

/// A step that is written as it is, not computed.
fn step(operator: &TraversalOperator) -> Option<Step> {
    let (text, name) = match operator {
        TraversalOperator::GetAttr(name) => (format!(".{}", name.as_str()), Some(name.as_str().to_owned())),
        TraversalOperator::LegacyIndex(index) => (format!("[{}]", index.value()), None),
        TraversalOperator::Index(Expression::Number(index)) => (format!("[{}]", index.value()), None),
        TraversalOperator::Index(Expression::String(key)) => (format!("[{}]", quote_key(key)), None),
        TraversalOperator::Index(_) | TraversalOperator::AttrSplat(_) | TraversalOperator::FullSplat(_) => {
            return None;
        }
    };
    Some(Step { text, name })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> String {
        of_expression(&text.parse().unwrap(), Tool::OpenTofu).join(" ")
    }

    #[test]
    fn references_are_listed_from_the_longest_path_to_the_object() {
        for (text, expected) in [
            ("aws_vpc.main.tags.a", "aws_vpc.main.tags.a aws_vpc.main.tags aws_vpc.main"),
            ("data.t.n[0].x", "data.t.n[0].x data.t.n[0] data.t.n"),
            ("resource.t.n.x", "t.n.x t.n"),
            (r#"module.m["a.b"].out"#, r#"module.m["a.b"].out module.m["a.b"]"#),
            ("module.m[0]", "module.m[0] module.m"),
            ("module.m", "module.m"),
            ("t.n[var.i].x", "t.n var.i"),
            ("t.n[*].x", "t.n"),
            ("t.n.*.x", "t.n"),
            ("[for k, v in var.m : \"${k}-${v}-${local.p}\" if v != each.key]", "var.m local.p each.key"),
            ("f(self.a, -count.index)", "self.a self count.index"),
            (
                "{ a = var.x, (var.y) = 1, \"b${var.z}\" = true ? path.module : null }",
                "var.x var.y var.z path.module",
            ),
            ("\"%{ for x in var.l }${x}${var.q}%{ endfor }%{ if var.c }a%{ endif }\"", "var.l var.q var.c"),
            ("provider::p::f(var.x)", "var.x provider::p::f"),
            ("string", ""),
            ("module", ""),
            ("data.t", ""),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }
}
