//! Views of `tfview schema show`: a schema, or a part of it, with its documentation.

use std::io;

use super::json::{self, ListJson, SchemaJson};
use super::markdown::{self, code, prose};
use super::table;
use super::text::{one_line, wrapped};
use super::{Document, Selected, View};
use crate::schema::catalog::{Body, Form, Function, Member, Parameter, SchemaKind};
use crate::term::TextPart::{Lit, Styled, StyledData};
use crate::term::{Out, Role};

fn heading(out: &mut Out<'_>, selected: &Selected<'_, '_>) -> io::Result<()> {
    let Document { entry, schema } = selected.document;
    let (name, path) = (one_line(&entry.name), one_line(&selected.dotted_path()));
    let version = schema.version.map_or_else(String::new, |version| format!(", schema version {version}"));
    let provider = one_line(&format!("{}{version}", entry.provider));
    out.parts(&[Styled(Role::Muted, entry.kind.noun(1)), Lit(" "), StyledData(Role::Strong, &name)])?;
    out.parts(&[StyledData(Role::Strong, &path), Styled(Role::Muted, "  of ")])?;
    out.parts(&[StyledData(Role::Muted, &provider), Lit("\n")])
}

fn paragraph(out: &mut Out<'_>, role: Role, text: &str, width: usize) -> io::Result<()> {
    out.lit("\n")?;
    wrapped(text, width).iter().try_for_each(|line| out.parts(&[StyledData(role, line), Lit("\n")]))
}

fn one(out: &mut Out<'_>, selected: &Selected<'_, '_>, width: usize) -> io::Result<()> {
    let Document { entry, schema } = selected.document;
    heading(out, selected)?;
    let member = selected.member();
    if let Some(member) = member {
        out.parts(&[Lit("\n"), StyledData(Role::Read, &one_line(&member.type_words()))])?;
        for (role, word) in table::flags(member) {
            out.parts(&[Lit(", "), Styled(role, &word)])?;
        }
        out.lit("\n")?;
    }
    let about = selected.about();
    if let Some(message) = about.deprecated {
        paragraph(out, Role::Delete, &deprecation(message), width)?;
    }
    for text in selected.document.summary().into_iter().chain(about.description) {
        paragraph(out, Role::Plain, text, width)?;
    }
    if let Some(default) = member.and_then(|member| member.default) {
        paragraph(out, Role::Plain, &format!("Default: {default}"), width)?;
    }
    let members = selected.members();
    match &schema.body {
        Body::Function(function) => {
            out.lit("\n")?;
            signature(out, &entry.name, function, width)
        }
        Body::Members(_) if !members.is_empty() => {
            out.lit("\n")?;
            table::write(out, &table::rows(members), width)
        }
        Body::Members(_) if member.is_none() => {
            out.parts(&[Lit("\n"), Styled(Role::Muted, "It has no attributes and no blocks.\n")])
        }
        Body::Members(_) => Ok(()),
    }
}

fn deprecation(message: &str) -> String {
    if message.is_empty() { "Deprecated.".to_owned() } else { format!("Deprecated: {message}") }
}

/// Writes the signature of a function and its parameters.
fn signature(out: &mut Out<'_>, name: &str, function: &Function<'_>, width: usize) -> io::Result<()> {
    out.parts(&[StyledData(Role::Read, &one_line(&call(name, function))), Lit("\n")])?;
    let rows = parameters(function).map(|(parameter, variadic)| {
        let flags = [(variadic, "variadic"), (parameter.nullable, "nullable")].into_iter();
        let flags = flags.filter(|(set, _)| *set).map(|(_, word)| (Role::Plain, word.to_owned()));
        table::Row {
            name: parameter.name.to_owned(),
            name_role: Role::Strong,
            kind: parameter.kind.to_string(),
            flags: flags.collect(),
            description: parameter.description.unwrap_or_default().to_owned(),
            ..table::Row::default()
        }
    });
    let rows: Vec<_> = rows.collect();
    if !rows.is_empty() {
        out.lit("\n")?;
        table::write(out, &rows, width)?;
    }
    Ok(())
}

fn parameters<'f, 'a>(function: &'f Function<'a>) -> impl Iterator<Item = (&'f Parameter<'a>, bool)> {
    let fixed = function.parameters.iter().map(|parameter| (parameter, false));
    fixed.chain(function.variadic.iter().map(|parameter| (parameter, true)))
}

fn call(name: &str, function: &Function<'_>) -> String {
    let arguments = parameters(function).map(|(parameter, variadic)| {
        format!("{}{}: {}", parameter.name, if variadic { "..." } else { "" }, parameter.kind)
    });
    format!("{name}({}) -> {}", arguments.collect::<Vec<_>>().join(", "), function.result)
}

fn markdown_rows(text: &mut String, members: &[Member<'_>], parent: &str) {
    let mut sorted: Vec<&Member<'_>> = members.iter().collect();
    crate::sort::by_key(&mut sorted, |member| member.reading_order());
    for member in sorted {
        let path = format!("{parent}{}", member.name);
        text.push_str(&table::row(member).markdown(&path));
        markdown_rows(text, &member.members, &format!("{path}."));
    }
}

/// The word for the form of a member.
pub(super) fn form_word(form: Form) -> &'static str {
    match form {
        Form::Attribute => "attribute",
        Form::NestedAttribute(_) => "nested_attribute",
        Form::Block(_) => "block",
        Form::ObjectAttribute => "object_attribute",
    }
}

/// The name of a schema for `schema show`.
pub(super) fn typed_name(kind: SchemaKind, name: &str) -> String {
    if kind == SchemaKind::Resource { name.to_owned() } else { format!("{}.{name}", kind.word()) }
}

impl View for [Selected<'_, '_>] {
    fn text(&self, out: &mut Out<'_>, width: usize) -> io::Result<()> {
        for (at, selected) in self.iter().enumerate() {
            out.lit(if at > 0 { "\n" } else { "" })?;
            one(out, selected, width)?;
        }
        Ok(())
    }

    fn markdown(&self) -> String {
        let mut text = String::new();
        for (at, selected) in self.iter().enumerate() {
            text.push_str(if at > 0 { "\n" } else { "" });
            let Document { entry, schema } = selected.document;
            let name = code(&format!("{}{}", entry.name, selected.dotted_path()));
            text.push_str(&format!("## {} {name}\n\n", entry.kind.noun(1)));
            let version =
                schema.version.map_or_else(String::new, |version| format!(", schema version {version}"));
            text.push_str(&format!("Provider {}{version}\n", code(&entry.provider)));
            let about = selected.about();
            if let Some(message) = about.deprecated {
                text.push_str(&format!("\n**Deprecated.** {}\n", prose(message)));
            }
            if let Body::Function(function) = &schema.body {
                text.push_str(&format!("\n{}\n", code(&call(&entry.name, function))));
            }
            let paragraphs = selected.document.summary().into_iter().chain(about.description);
            text.extend(paragraphs.map(|paragraph| format!("\n{}\n", prose(paragraph))));
            if !selected.members().is_empty() {
                text.push_str(&format!("\n{}", markdown::table(&table::MARKDOWN)));
                markdown_rows(&mut text, selected.members(), "");
            }
        }
        text
    }

    fn json(&self) -> io::Result<String> {
        json::document(ListJson::Schemas(self.iter().map(SchemaJson::new).collect()))
    }
}
