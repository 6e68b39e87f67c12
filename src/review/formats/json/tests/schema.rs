//! Makes the JSON Schema of a serialized type from its source.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use syn::{Fields, GenericArgument, ItemEnum, PathArguments, PathSegment, Type};

use super::types::{Declared, Item, Serde, Types, description};

/// The tables of what the source of the types does not say. The parent module has them, and describes each.
pub(super) struct Tables<'t> {
    pub(super) names: &'t [(&'t str, &'t str, &'t str)],
    pub(super) functions: &'t [(&'t str, &'t str)],
    pub(super) others: &'t [(&'t str, &'t str)],
    pub(super) own_forms: &'t [(&'t str, Value)],
    pub(super) narrowed: &'t [(&'t str, &'t str, Value)],
    /// The entries that a schema needed.
    pub(super) used: BTreeSet<String>,
}

impl<'t> Tables<'t> {
    /// Returns the name of a type in the schemas.
    fn name_of(&mut self, declared: &Declared) -> String {
        let name = declared.name();
        let mut names = self.names.iter();
        match names.find(|(file, of, _)| *file == declared.file && *of == name) {
            None => name,
            Some((_, _, published)) => {
                self.used.insert((*published).to_owned());
                (*published).to_owned()
            }
        }
    }

    /// Returns the type that a function of `serialize_with` writes.
    fn written_by(&mut self, function: &str) -> Type {
        let written = self.functions.iter().find(|(name, _)| *name == function);
        let (name, written) = written.unwrap_or_else(|| panic!("what does {function} write?"));
        self.used.insert((*name).to_owned());
        syn::parse_str(written).unwrap()
    }

    /// Returns the type in whose form another type serializes itself.
    fn other(&mut self, name: &str) -> Option<Type> {
        let (name, other) = self.others.iter().find(|(own, _)| *own == name)?;
        self.used.insert((*name).to_owned());
        Some(syn::parse_str(other).unwrap())
    }

    /// Returns the schema of a type that serializes itself.
    fn own_form(&mut self, name: &str) -> Option<&'t Value> {
        let (name, schema) = self.own_forms.iter().find(|(own, _)| *own == name)?;
        self.used.insert((*name).to_owned());
        Some(schema)
    }

    /// Returns the keywords in the schema of a member that do not follow from its type.
    fn narrowed(&mut self, file: &str, member: &str) -> Option<&'t Value> {
        let mut narrowed = self.narrowed.iter();
        let (file, member, keywords) =
            narrowed.find(|(in_file, of, _)| *in_file == file && *of == member)?;
        self.used.insert(format!("{file}: {member}"));
        Some(keywords)
    }

    /// Returns the entries that no schema needed.
    pub(super) fn unused(&self) -> Vec<String> {
        let names = self.names.iter().map(|(_, _, name)| (*name).to_owned());
        let functions = self.functions.iter().map(|(name, _)| (*name).to_owned());
        let others = self.others.iter().map(|(name, _)| (*name).to_owned());
        let own_forms = self.own_forms.iter().map(|(name, _)| (*name).to_owned());
        let narrowed = self
            .narrowed
            .iter()
            .map(|(file, member, _)| format!("{file}: {member}"));
        let all = names
            .chain(functions)
            .chain(others)
            .chain(own_forms)
            .chain(narrowed);
        all.filter(|entry| !self.used.contains(entry)).collect()
    }
}

/// The members of an object, and the alternative forms that it has because of a flattened enum.
#[derive(Default)]
struct Object {
    properties: Map<String, Value>,
    required: Vec<Value>,
    variants: Option<Value>,
}

impl Object {
    fn add(&mut self, name: &str, schema: Value, is_required: bool) {
        let previous = self.properties.insert(name.to_owned(), schema);
        assert!(previous.is_none(), "two members {name}");
        if is_required {
            self.required.push(name.into());
        }
    }

    /// Adds the members of a flattened object.
    fn merge(&mut self, flat: Self, is_required: bool) {
        self.properties.extend(flat.properties);
        if is_required {
            self.required.extend(flat.required);
        }
        assert!(self.variants.is_none() || flat.variants.is_none());
        self.variants = self.variants.take().or(flat.variants);
    }

    fn schema(self) -> Value {
        let mut schema = json!({ "type": "object", "properties": self.properties });
        if let Some(variants) = self.variants {
            schema["oneOf"] = variants;
        }
        if !self.required.is_empty() {
            schema["required"] = self.required.into();
        }
        schema
    }
}

/// Makes the schema of one document.
pub(super) struct Generator<'t, 'u> {
    types: &'t Types,
    tables: &'u mut Tables<'t>,
    /// The file and the schema of each type that is referred to, by name.
    definitions: BTreeMap<String, (&'t str, Value)>,
}

impl<'t, 'u> Generator<'t, 'u> {
    pub(super) fn new(types: &'t Types, tables: &'u mut Tables<'t>) -> Self {
        Self {
            types,
            tables,
            definitions: BTreeMap::new(),
        }
    }

    /// Returns the schema of a document of this type, with those of all types in it.
    pub(super) fn document(mut self, title: &str, root: &'t Declared) -> Value {
        let mut schema = self.declared(root);
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
        schema["title"] = title.into();
        let definitions = self.definitions.into_iter();
        let definitions: Map<_, _> = definitions
            .map(|(name, (_, schema))| (name, schema))
            .collect();
        if !definitions.is_empty() {
            schema["$defs"] = definitions.into();
        }
        schema
    }

    /// Returns the schema of a type.
    fn declared(&mut self, declared: &'t Declared) -> Value {
        let serde = declared.serde();
        let schema = match (&serde.into, &declared.item) {
            (Some(other), _) => self.value(&syn::parse_str(other).unwrap(), declared),
            (None, Item::Struct(item)) => {
                let name = declared.name();
                self.object(&name, &item.fields, declared).schema()
            }
            (None, Item::Enum(item)) => {
                let keyword = if serde.is_untagged { "anyOf" } else { "oneOf" };
                json!({ keyword: self.variants(item, declared) })
            }
        };
        described(schema, declared.description())
    }

    /// Returns the members that fields become. `owner` is the name of the type, or of the type and the variant.
    fn object(&mut self, owner: &str, fields: &Fields, declared: &'t Declared) -> Object {
        let mut object = Object::default();
        for field in fields {
            let serde = Serde::read(&field.attrs);
            if serde.is_skipped {
                continue;
            }
            let written = serde.serialize_with.as_ref();
            let written = written.map(|function| self.tables.written_by(function));
            let kind = written.as_ref().unwrap_or(&field.ty);
            if serde.is_flat {
                let (kind, is_required) = match optional(kind) {
                    Some(inner) => (inner, false),
                    None => (kind, true),
                };
                object.merge(self.flat(kind, declared), is_required);
                continue;
            }
            let ident = field.ident.as_ref().unwrap().to_string();
            let mut schema = self.value(kind, declared);
            let member = format!("{owner}.{ident}");
            if let Some(keywords) = self.tables.narrowed(&declared.file, &member) {
                narrow(&mut schema, keywords);
            }
            let name = serde.name(&ident, &Serde::default());
            let schema = described(schema, description(&field.attrs));
            object.add(&name, schema, !serde.is_optional);
        }
        object
    }

    /// Returns the members that a flattened type has.
    fn flat(&mut self, kind: &Type, user: &'t Declared) -> Object {
        let name = segment(kind).ident.to_string();
        if let Some(form) = self.tables.own_form(&name) {
            return Object {
                properties: form["properties"].as_object().unwrap().clone(),
                required: form["required"].as_array().unwrap().clone(),
                variants: None,
            };
        }
        let declared = self.named(&name, user);
        match &declared.item {
            Item::Struct(item) => self.object(&name, &item.fields, declared),
            Item::Enum(item) => Object {
                variants: Some(self.variants(item, declared)),
                ..Object::default()
            },
        }
    }

    /// Returns the schemas of the variants of an enum.
    fn variants(&mut self, item: &ItemEnum, declared: &'t Declared) -> Value {
        let of_enum = declared.serde();
        let mut schemas = Vec::new();
        for variant in &item.variants {
            let ident = variant.ident.to_string();
            let name = Serde::read(&variant.attrs).name(&ident, &of_enum);
            let owner = format!("{}.{ident}", declared.name());
            let schema = match (&variant.fields, &of_enum.tag) {
                (Fields::Unit, None) => json!({ "type": "string", "const": name }),
                (fields, Some(tag)) => {
                    let mut object = Object::default();
                    object.add(tag, json!({ "type": "string", "const": name }), true);
                    object.merge(self.object(&owner, fields, declared), true);
                    object.schema()
                }
                (fields, None) => {
                    let content = match fields {
                        Fields::Unnamed(unnamed) => self.value(&unnamed.unnamed[0].ty, declared),
                        Fields::Named(_) | Fields::Unit => {
                            self.object(&owner, fields, declared).schema()
                        }
                    };
                    if of_enum.is_untagged {
                        content
                    } else {
                        let mut object = Object::default();
                        object.add(&name, content, true);
                        object.schema()
                    }
                }
            };
            schemas.push(described(schema, description(&variant.attrs)));
        }
        schemas.into()
    }

    /// Returns the schema of a value of this type, in the type `user`.
    fn value(&mut self, kind: &Type, user: &'t Declared) -> Value {
        match kind {
            Type::Reference(reference) => return self.value(&reference.elem, user),
            Type::Slice(slice) => return self.list(&slice.elem, user),
            _ => {}
        }
        if let Some(inner) = optional(kind) {
            return nullable(self.value(inner, user));
        }
        let segment = segment(kind);
        let name = segment.ident.to_string();
        match &*name {
            "Arc" | "Box" => self.value(arguments(segment)[0], user),
            "Vec" => self.list(arguments(segment)[0], user),
            "BTreeSet" => {
                let mut list = self.list(arguments(segment)[0], user);
                list["uniqueItems"] = true.into();
                list
            }
            "BTreeMap" => {
                let values = self.value(arguments(segment)[1], user);
                json!({ "type": "object", "additionalProperties": values })
            }
            "String" | "str" => json!({ "type": "string" }),
            "bool" => json!({ "type": "boolean" }),
            "usize" => json!({ "type": "integer", "format": "uint", "minimum": 0 }),
            "u32" => json!({ "type": "integer", "format": "uint32", "minimum": 0 }),
            "u64" => json!({ "type": "integer", "format": "uint64", "minimum": 0 }),
            "Self" => self.reference(user),
            _ => self.of_this_crate(&name, user),
        }
    }

    fn list(&mut self, items: &Type, user: &'t Declared) -> Value {
        json!({ "type": "array", "items": self.value(items, user) })
    }

    /// Returns the schema of a type of this crate that `user` contains.
    fn of_this_crate(&mut self, name: &str, user: &'t Declared) -> Value {
        if let Some(other) = self.tables.other(name) {
            return self.value(&other, user);
        }
        match self.tables.own_form(name) {
            None => {
                let declared = self.named(name, user);
                self.reference(declared)
            }
            // A form with a description becomes a definition.
            Some(form) if form.get("description").is_some() => {
                self.definitions.insert(name.to_owned(), ("", form.clone()));
                reference(name)
            }
            Some(form) => form.clone(),
        }
    }

    fn named(&self, name: &str, user: &Declared) -> &'t Declared {
        let declared = self.types.named(name, &user.file);
        declared.unwrap_or_else(|| panic!("src/{}: what does {name} write?", user.file))
    }

    /// Returns a reference to the definition of a type, which is made if it is new.
    fn reference(&mut self, declared: &'t Declared) -> Value {
        let name = self.tables.name_of(declared);
        match self.definitions.get(&name) {
            Some((file, _)) => assert_eq!(*file, declared.file, "two types {name}"),
            None => {
                // The name is added before the definition is made, because types may contain themselves.
                self.definitions
                    .insert(name.clone(), (&declared.file, Value::Null));
                let schema = self.declared(declared);
                self.definitions
                    .insert(name.clone(), (&declared.file, schema));
            }
        }
        reference(&name)
    }
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// Returns the last segment of the path of a type.
fn segment(kind: &Type) -> &PathSegment {
    match kind {
        Type::Reference(reference) => segment(&reference.elem),
        Type::Path(path) => path.path.segments.last().unwrap(),
        _ => panic!("no schema is made of this type"),
    }
}

/// Returns the types in angle brackets.
fn arguments(segment: &PathSegment) -> Vec<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return Vec::new();
    };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(kind) => Some(kind),
        _ => None,
    });
    types.collect()
}

/// Returns the type in an `Option`; `None` for other types.
fn optional(kind: &Type) -> Option<&Type> {
    let Type::Path(_) = kind else {
        return None;
    };
    let segment = segment(kind);
    (segment.ident == "Option").then(|| arguments(segment)[0])
}

/// Returns a schema that also accepts null.
fn nullable(mut schema: Value) -> Value {
    if schema == Value::Bool(true) {
        return schema;
    }
    match schema.get("type").cloned() {
        Some(kind) => schema["type"] = json!([kind, "null"]),
        None => return json!({ "anyOf": [schema, { "type": "null" }] }),
    }
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    }
    schema
}

/// Adds a description to a schema, if there is one.
fn described(mut schema: Value, description: Option<String>) -> Value {
    match description {
        None => schema,
        Some(description) if schema == Value::Bool(true) => json!({ "description": description }),
        Some(description) => {
            schema["description"] = description.into();
            schema
        }
    }
}

/// Adds keywords to the schema of a member. Words restrict only values that are not null.
fn narrow(schema: &mut Value, keywords: &Value) {
    if *schema == Value::Bool(true) {
        *schema = json!({});
    }
    let may_be_null = schema["type"].is_array();
    for (keyword, value) in keywords.as_object().unwrap() {
        match (&**keyword, value) {
            ("type", value) if value == "string" => {}
            ("enum", Value::Array(words)) if may_be_null => {
                let words = words.iter().cloned().chain([Value::Null]);
                schema["enum"] = words.collect();
            }
            _ => schema[keyword] = value.clone(),
        }
    }
}
