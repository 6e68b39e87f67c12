//! The grammar of rows: reads TOML into packed rows. `README.md` beside this file describes it for people.
//!
//! The build script uses it for the rows of this folder, and the program for those of a project, so both have the same
//! words. Invariant: a word that is unknown, a value of another form, or a path that cannot be read is an error.
//!
//! ```toml
//! [[row]]
//! types = "aws_db_instance"
//! object = { holds = "database", show = ["engine"] }
//! deletion_protection = { guard = "on", level = "critical" }
//! ```

use toml::{Table, Value};

use super::packed::{Field, INVERTED, LAX, RowWriter, STRICT};

/// The key of a row with its resource types.
const TYPES: &str = "types";

/// The key of a row with the facts about the object as a whole.
const OBJECT: &str = "object";

/// The levels that a row may state. `none` makes a fact that is judged and never a finding.
const LEVELS: [&str; 4] = ["none", "notice", "warning", "critical"];

/// The directions that a row may state.
const DIRECTIONS: [&str; 6] = ["loses", "stops", "wider", "weaker", "less", "older"];

/// The classes of what can be opened, as `reach` names them.
const CLASSES: [&str; 6] = [
    "administration",
    "data",
    "shell",
    "database",
    "other",
    "web",
];

/// The words of a guard, which say when it guards, each with the test that finds that it no longer does.
const GUARDS: [(&str, &str); 13] = [
    ("on", "off"),
    ("off", "on"),
    ("more", "lower"),
    ("days", "lower"),
    ("less", "higher"),
    ("set", "gone"),
    ("filled", "emptied"),
    ("each", "fewer"),
    ("none", "there"),
    ("same", "changed"),
    ("nonzero", "zero"),
    ("mentions", "mentions"),
    ("denies", "deny"),
];

/// The words of what opens, loses, stops or is less, which say when it does, each with the test that finds it.
const HARMS: [(&str, &str); 17] = [
    ("on", "on"),
    ("off", "off"),
    ("less", "lower"),
    ("days", "shorter"),
    ("more", "higher"),
    ("unset", "gone"),
    ("emptied", "emptied"),
    ("fewer", "fewer"),
    ("added", "there"),
    ("changed", "changed"),
    ("zero", "zero"),
    ("major", "major"),
    ("older", "downgrade"),
    ("reverted", "reverts"),
    ("world", "any-source"),
    ("routes", "routes"),
    ("undenied", "deny"),
];

/// The keys of facts about values, each with the idea that it stands for.
const IDEAS: [(&str, &str); 10] = [
    ("guard", "guard"),
    ("opens", "access"),
    ("loses", "data"),
    ("stops", "service"),
    ("decides", "decides"),
    ("scale", "scale"),
    ("version", "version"),
    ("words", "words"),
    ("same", "same"),
    ("another", "another"),
];

/// The keys of facts that are findings only if they state a level.
const QUIET: [&str; 6] = ["scale", "version", "words", "same", "another", "grants"];

/// A row as it was read, with what only people and checks need of it.
#[derive(Clone, Debug)]
#[allow(dead_code, reason = "the build script and the tests read all of it")]
pub(crate) struct ReadRow {
    /// The fields.
    pub(crate) fields: RowWriter,
    /// The types and the path, for messages.
    pub(crate) place: String,
    /// What the row says without its types, level, name, words and example: two rows with
    /// the same key say the same of a type that both are for.
    pub(crate) key: String,
    /// The resource types, globs or fragments.
    pub(crate) types: Vec<String>,
    /// Whether the row may be a finding above notice.
    pub(crate) is_grave: bool,
    /// The values before and after of a change that the row finds. Its reverse has the reverse direction.
    pub(crate) example: Option<[Value; 2]>,
    /// The address of the documentation that says so.
    pub(crate) why: Option<String>,
}

/// The named lists: `@name` stands for the items of the list, or for the values with their levels or names.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamedLists(Table);

impl NamedLists {
    /// Creates the named lists of a table.
    pub(crate) fn new(table: Table) -> Self {
        Self(table)
    }

    /// Returns the value of a name such as `@iam-admin`; `None` if the text is not the name of a list.
    fn of(&self, text: &str) -> Option<&Value> {
        self.0.get(text.strip_prefix('@')?)
    }

    /// Replaces each name of a list among texts by its items.
    fn expanded(&self, texts: Vec<String>) -> Result<Vec<String>, String> {
        let mut all = Vec::new();
        for item in texts {
            match self.of(&item) {
                Some(list) => all.extend(plain_texts(list)?),
                None => all.push(item),
            }
        }
        Ok(all)
    }
}

/// Reads the rows of a file: those below `row`. Only the build script and tests read files.
///
/// # Errors
/// If a row is not in the grammar. The error is a text for the author of the file.
#[allow(dead_code, reason = "the build script and the tests use it")]
pub(crate) fn file(file: &Table, lists: &NamedLists) -> Result<Vec<ReadRow>, String> {
    let mut all = Vec::new();
    if let Some(key) = file.keys().find(|key| *key != "row") {
        return Err(format!("`{key}` is unknown: a file has `[[row]]` only"));
    }
    for row in file
        .get("row")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let row = row.as_table().ok_or("a row is a table: `[[row]]`")?;
        all.extend(rows(row, lists)?);
    }
    Ok(all)
}

/// The most facts that one row of a project may have, and the most items of a list in it, each of which may be looked up
/// in each change.
const MAX_PROJECT_ITEMS: usize = 100;

/// The most characters of a text in a row of a project, so that it does not crowd out other findings.
const MAX_PROJECT_TEXT: usize = 100;

/// Reads one `[[row]]` of a project. The named lists of the program are at hand.
///
/// # Errors
/// If it is not in the grammar, or too large. The error is a text for its author.
pub(crate) fn project_rows(row: &Table) -> Result<Vec<ReadRow>, String> {
    check_size(&Value::Table(row.clone()))?;
    let lists: Table = include_str!("lists.toml")
        .parse()
        .map_err(|error| format!("the named lists cannot be read: {error}"))?;
    rows(row, &NamedLists::new(lists))
}

/// Rejects lists and words that are so long that each object would cost too much.
fn check_size(value: &Value) -> Result<(), String> {
    let (count, inner): (usize, Vec<&Value>) = match value {
        Value::Array(items) => (items.len(), items.iter().collect()),
        Value::Table(members) => (members.len(), members.values().collect()),
        Value::String(text) if text.chars().count() > MAX_PROJECT_TEXT => {
            return Err(format!(
                "a text is longer than {MAX_PROJECT_TEXT} characters"
            ));
        }
        Value::String(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::Boolean(_)
        | Value::Datetime(_) => (0, Vec::new()),
    };
    if count > MAX_PROJECT_ITEMS {
        return Err(format!(
            "a row has a list with more than {MAX_PROJECT_ITEMS} items"
        ));
    }
    inner.into_iter().try_for_each(check_size)
}

/// Reads one `[[row]]`: a packed row for each of its facts.
///
/// # Errors
/// If it is not in the grammar. The error is a text for its author.
pub(crate) fn rows(row: &Table, lists: &NamedLists) -> Result<Vec<ReadRow>, String> {
    let types = row.get(TYPES).ok_or("a row needs `types`")?;
    let types = lists.expanded(plain_texts(types)?)?;
    if types.is_empty() || types.iter().any(String::is_empty) {
        return Err("a row needs `types`".to_owned());
    }
    let mut all = Vec::new();
    for (key, value) in row.iter().filter(|(key, _)| *key != TYPES) {
        let facts = match value.as_array() {
            Some(facts) => facts.as_slice(),
            None => std::slice::from_ref(value),
        };
        let path = Some(key.as_str()).filter(|key| *key != OBJECT);
        for fact in facts {
            let place = format!("{} {key}", types.join("|"));
            let fact = fact
                .as_table()
                .ok_or_else(|| format!("{place}: a fact is a table: `{{ guard = \"on\" }}`"))?;
            let reader = FactReader {
                fact: fact.clone(),
                lists,
                fields: RowWriter::default(),
            };
            let read = reader.read(&types, path);
            all.push(read.map_err(|error| format!("{place}: {error}"))?);
        }
    }
    Ok(all)
}

/// Reads one fact. Keys are taken out of the table as they are read, so that what is left is unknown.
struct FactReader<'l> {
    /// The keys that have not been read.
    fact: Table,
    lists: &'l NamedLists,
    /// The row so far.
    fields: RowWriter,
}

impl FactReader<'_> {
    /// Reads the fact, which is about the object if there is no path.
    fn read(mut self, types: &[String], path: Option<&str>) -> Result<ReadRow, String> {
        let is_quiet = QUIET.iter().any(|key| self.fact.contains_key(*key))
            && !self.fact.contains_key("level");
        match path {
            Some(path) => self.value(path)?,
            None => self.object()?,
        }
        self.requirements()?;
        self.created()?;
        self.pairs("names", Field::RoleNames)?;
        let key = self.fields.packed();
        if path.is_some() && self.flag("in_place")? {
            self.fields.set(Field::InPlace, "true");
        }
        self.fields
            .set_list(Field::Types, types.iter().map(String::as_str));
        for (name, field) in [("name", Field::Name), ("what", Field::What)] {
            if let Some(text) = self.text(name)? {
                self.fields.set(field, &text);
            }
        }
        let level = self.word("level", &LEVELS)?;
        if let Some(level) = &level {
            self.fields.set(Field::Level, level);
        }
        if let Some(class) = self.word("reach", &CLASSES)? {
            self.fields.set(Field::Reach, &class);
        }
        self.pairs("levels", Field::Levels)?;
        let example = self.example()?;
        let why = self.text("why")?;
        if let Some((key, _)) = self.fact.iter().next() {
            return Err(format!("`{key}` is not a word of a row here"));
        }
        Ok(ReadRow {
            place: format!("{} {}", types.join("|"), path.unwrap_or(OBJECT)),
            types: types.to_vec(),
            fields: self.fields,
            key,
            is_grave: !is_quiet && !matches!(level.as_deref(), Some("none" | "notice")),
            example,
            why,
        })
    }

    /// Reads what the object as a whole is.
    fn object(&mut self) -> Result<(), String> {
        const WORDS: &str =
            "`object` needs one of `holds`, `guards`, `serves`, `grants`, `deletes`, `interrupts`";
        if let Some(what) = self.text("holds")? {
            self.fields.set(Field::Event, "holds");
            self.fields.set(Field::Idea, "data");
            self.fields.set(Field::What, &what);
            let show = self.list("show")?;
            self.fields
                .set_list(Field::Arguments, show.iter().map(String::as_str));
        } else if let Some(guarded) = self.fact.remove("guards") {
            self.fields.set(Field::Event, "guards");
            self.fields.set(Field::Idea, "guard");
            if let Some(guarded) = guarded.as_table() {
                self.references(guarded)?;
            } else if guarded.as_bool() != Some(true) {
                return Err("`guards` is true, or a table of what is guarded".to_owned());
            }
            if let Some(policy) = self.text("denies")? {
                self.fields.set(Field::Absent, &policy);
            }
        } else if self.flag("grants")? {
            self.fields.set(Field::Event, "grants");
            self.fields.set(Field::Idea, "access");
        } else if let Some(serves) = self.fact.remove("serves") {
            let event = match (serves.as_bool(), serves.as_str()) {
                (Some(true), _) => "serves",
                (_, Some("while replaced")) => "serves-replaced",
                _ => return Err("`serves` is true, or \"while replaced\"".to_owned()),
            };
            self.fields.set(Field::Event, event);
            self.fields.set(Field::Idea, "service");
        } else {
            let [deletes, interrupts] = ["deletes", "interrupts"].map(|key| self.text(key));
            let (idea, what) = match (deletes?, interrupts?) {
                (Some(what), None) => ("data", what),
                (None, Some(what)) => ("service", what),
                (Some(_), Some(_)) | (None, None) => return Err(WORDS.to_owned()),
            };
            self.fields.set(Field::Event, "invoked");
            self.fields.set(Field::Idea, idea);
            self.fields.set(Field::What, &what);
        }
        Ok(())
    }

    /// Reads what the values at a path are.
    fn value(&mut self, path: &str) -> Result<(), String> {
        let mut known = IDEAS.iter().filter(|(key, _)| self.fact.contains_key(*key));
        let (key, idea) = match (known.next(), known.next()) {
            (Some(idea), None) => *idea,
            (Some(_), Some(_)) => return Err("a fact has one idea; write a list".to_owned()),
            (None, _) => {
                let keys = IDEAS.map(|(key, _)| format!("`{key}`")).join(", ");
                return Err(format!("a fact needs one of {keys}"));
            }
        };
        check_path(path)?;
        self.fields.set(Field::Event, "value");
        self.fields.set(Field::Idea, idea);
        self.fields.set(Field::Path, path);
        let Some(value) = self.fact.remove(key) else {
            return Ok(());
        };
        match key {
            "guard" => self.guard(&value)?,
            "scale" => match value.as_str() {
                // Which of two sizes is larger, their names say.
                Some("size") => self.test("smaller", &[]),
                Some("more") => self.test("lower", &[]),
                Some(_) | None => self.guard(&value)?,
            },
            "decides" | "version" | "words" | "same" | "another" => {
                if value != Value::Boolean(true) {
                    return Err(format!("`{key}` is true"));
                }
                let test = match key {
                    "decides" => "unknown",
                    "version" => "downgrade",
                    _ => "never",
                };
                self.test(test, &[]);
            }
            _ => self.harm(&value)?,
        }
        if let Some(direction) = self.word("direction", &DIRECTIONS)? {
            self.fields.set(Field::Direction, &direction);
        }
        if let Some(when) = self.word("when", &["now", "window"])? {
            self.fields.set(Field::When, &when);
        }
        if let Some(absent) = self.text("without")? {
            self.fields.set(Field::Absent, &absent);
        }
        Ok(())
    }

    /// Sets the test of the values, and the list that it compares them with.
    fn test(&mut self, word: &str, arguments: &[String]) {
        self.fields.set(Field::Test, word);
        self.fields
            .set_list(Field::Arguments, arguments.iter().map(String::as_str));
    }

    /// Reads when a value guards.
    fn guard(&mut self, value: &Value) -> Result<(), String> {
        match value {
            Value::String(word) if !word.starts_with('@') => {
                let known = GUARDS.iter().find(|(known, _)| known == word);
                let (_, test) = known.ok_or_else(|| unknown(word, &GUARDS))?;
                let test = match self.text("zero")?.as_deref() {
                    Some("forever") if word == "days" => "shorter",
                    Some(_) => return Err("`zero` is \"forever\", beside \"days\"".to_owned()),
                    None => test,
                };
                self.test(test, &[]);
            }
            Value::Integer(_) | Value::Float(_) => self.test("below", &plain_texts(value)?),
            Value::String(_) | Value::Array(_) => {
                let order = self.lists.expanded(plain_texts(value)?)?;
                self.test("order", &order);
            }
            Value::Table(table) => match one(table)? {
                ("at_most", limit) => self.test("above", &plain_texts(limit)?),
                ("not", values) => {
                    let values = self.lists.expanded(plain_texts(values)?)?;
                    self.test("is", &values);
                }
                (key, _) => return Err(format!("`{key}` is unknown: `at_most` or `not`")),
            },
            Value::Boolean(_) | Value::Datetime(_) => {
                return Err("a guard is a word, a number, or a list from the weakest on".to_owned());
            }
        }
        Ok(())
    }

    /// Reads when a value opens, loses or stops something.
    fn harm(&mut self, value: &Value) -> Result<(), String> {
        match value {
            Value::String(word) if !word.starts_with('@') => {
                let known = HARMS.iter().find(|(known, _)| known == word);
                let (_, test) = known.ok_or_else(|| unknown(word, &HARMS))?;
                let test = match self.text("zero")?.as_deref() {
                    Some("now") if word == "days" => "lower",
                    Some(_) => return Err("`zero` is \"now\", beside \"days\"".to_owned()),
                    None => test,
                };
                self.test(test, &[]);
            }
            Value::String(_) | Value::Array(_) => {
                let values = self.lists.expanded(plain_texts(value)?)?;
                if values.is_empty() {
                    return Err("a list of values is empty".to_owned());
                }
                self.test("is", &values);
            }
            Value::Table(table) if table.contains_key("role") => {
                let mut role = Self {
                    fact: table.clone(),
                    lists: self.lists,
                    fields: RowWriter::default(),
                };
                let path = role.text("role")?.unwrap_or_default();
                check_path(&path)?;
                let [any, to] = ["any", "to"].map(|key| role.list(key));
                self.test("role", &any?);
                self.fields.set(Field::Role, &path);
                self.fields
                    .set_list(Field::To, to?.iter().map(String::as_str));
                if let Some((key, _)) = role.fact.iter().next() {
                    return Err(format!("`{key}` is not a word of a role"));
                }
            }
            Value::Table(table) => match one(table)? {
                ("below", limit) => self.test("below", &plain_texts(limit)?),
                ("above", limit) => self.test("above", &plain_texts(limit)?),
                ("order", order) => {
                    let order = self.lists.expanded(plain_texts(order)?)?;
                    self.test("order", &order);
                }
                ("policy", language) => {
                    let language = plain_texts(language)?;
                    if !matches!(language.as_slice(), [one] if one == "iam" || one == "vault") {
                        return Err("a policy is in `iam` or `vault`".to_owned());
                    }
                    self.test("policy", &language);
                }
                (key, _) => {
                    return Err(format!(
                        "`{key}` is unknown: `below`, `above`, `order`, `policy`, or `role`"
                    ));
                }
            },
            Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {
                return Err("it is a word, a list of values, or a table".to_owned());
            }
        }
        Ok(())
    }

    /// Reads the requirements on other members.
    fn requirements(&mut self) -> Result<(), String> {
        for (key, mark) in [("where", LAX), ("needs", STRICT), ("unless", INVERTED)] {
            let Some(members) = self.fact.remove(key) else {
                continue;
            };
            let members = members
                .as_table()
                .ok_or_else(|| format!("`{key}` is a table of members and their values"))?
                .clone();
            for (name, values) in &members {
                let values = self.lists.expanded(plain_texts(values)?)?;
                let name = format!("{mark}{name}");
                self.fields
                    .add(Field::OnlyIf, &name, values.iter().map(String::as_str));
            }
        }
        Ok(())
    }

    /// Reads whether the row is for created objects.
    fn created(&mut self) -> Result<(), String> {
        if let Some(created) = self.fact.remove("created") {
            let created = created.as_bool().ok_or("`created` is true or false")?;
            self.fields.set(Field::Created, &created.to_string());
        }
        if let Some(parents) = self.fact.remove("created_in") {
            let parents = parents
                .as_table()
                .ok_or("`created_in` is a table of attributes and the types that they name")?
                .clone();
            self.references(&parents)?;
            self.fields.set(Field::Created, "true");
        }
        Ok(())
    }

    /// Reads the attributes that name other objects, each with the types of these.
    fn references(&mut self, table: &Table) -> Result<(), String> {
        for (path, types) in table {
            check_path(path)?;
            let types = self.lists.expanded(plain_texts(types)?)?;
            self.fields
                .add(Field::References, path, types.iter().map(String::as_str));
        }
        Ok(())
    }

    /// Reads a table of texts, or the name of one.
    fn pairs(&mut self, key: &str, field: Field) -> Result<(), String> {
        let Some(value) = self.fact.remove(key) else {
            return Ok(());
        };
        let named = value.as_str().and_then(|name| self.lists.of(name));
        let table = named.unwrap_or(&value).as_table();
        let table = table.ok_or_else(|| format!("`{key}` is a table of values"))?;
        for (name, text) in table {
            let text = text
                .as_str()
                .ok_or_else(|| format!("`{key}` is a table of texts"))?;
            if matches!(field, Field::Levels) && !LEVELS.contains(&text) {
                return Err(format!("`{text}` is not a level"));
            }
            self.fields.add(field, name, [text]);
        }
        Ok(())
    }

    /// Reads the example: the values before and after.
    fn example(&mut self) -> Result<Option<[Value; 2]>, String> {
        let Some(example) = self.fact.remove("example") else {
            return Ok(None);
        };
        let sides: Option<[Value; 2]> = example
            .as_array()
            .and_then(|sides| sides.clone().try_into().ok());
        let sides = sides.ok_or("`example` is a list of the values before and after")?;
        Ok(Some(sides))
    }

    /// Takes a text out of the fact.
    fn text(&mut self, key: &str) -> Result<Option<String>, String> {
        match self.fact.remove(key) {
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(text)),
            Some(_) => Err(format!("`{key}` is a text")),
            None => Ok(None),
        }
    }

    /// Takes a word of a closed set out of the fact.
    fn word(&mut self, key: &str, words: &[&str]) -> Result<Option<String>, String> {
        let word = self.text(key)?;
        match &word {
            Some(word) if !words.contains(&word.as_str()) => Err(format!(
                "`{word}` is unknown: `{key}` is one of {}",
                words.join(", ")
            )),
            Some(_) | None => Ok(word),
        }
    }

    /// Takes a list of texts out of the fact; empty if it has none.
    fn list(&mut self, key: &str) -> Result<Vec<String>, String> {
        match self.fact.remove(key) {
            Some(list) => self.lists.expanded(plain_texts(&list)?),
            None => Ok(Vec::new()),
        }
    }

    /// Takes a flag out of the fact.
    fn flag(&mut self, key: &str) -> Result<bool, String> {
        match self.fact.remove(key) {
            Some(flag) => flag
                .as_bool()
                .ok_or_else(|| format!("`{key}` is true or false")),
            None => Ok(false),
        }
    }
}

/// Says that a word is unknown, and which are known.
fn unknown(word: &str, words: &[(&str, &str)]) -> String {
    let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    format!("`{word}` is unknown: one of {}", words.join(", "))
}

/// Returns the only member of a table.
fn one(table: &Table) -> Result<(&str, &Value), String> {
    let mut members = table.iter();
    match (members.next(), members.next()) {
        (Some((key, value)), None) => Ok((key, value)),
        (Some(_) | None, _) => Err("a table has one member here".to_owned()),
    }
}

/// Returns a scalar as one text, or the scalars of a list. A number or a flag is the text that JSON has for it.
fn plain_texts(value: &Value) -> Result<Vec<String>, String> {
    let text = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        Value::Boolean(flag) => Ok(flag.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => {
            Err("a list has texts, numbers and flags only".to_owned())
        }
    };
    match value.as_array() {
        Some(items) => items.iter().map(text).collect(),
        None => Ok(vec![text(value)?]),
    }
}

/// Checks that a path has the form that `Pattern::parse` reads: names joined by dots, `[*]`, `['…']`, at most one `**`.
///
/// # Errors
/// If it does not. The error is a text for the author.
pub(crate) fn check_path(path: &str) -> Result<(), String> {
    let mut rest = path;
    let mut any = 0;
    while !rest.is_empty() {
        let is_first = rest.len() == path.len();
        rest = if let Some(quoted) = rest.strip_prefix("['") {
            quoted.split_once("']").map(|(_, after)| after)
        } else if let (Some(after), false) = (rest.strip_prefix("[*]"), is_first) {
            Some(after)
        } else {
            let name = if is_first {
                Some(rest)
            } else {
                rest.strip_prefix('.')
            };
            name.and_then(|name| {
                let (name, after) = name.split_at(name.find(['.', '[']).unwrap_or(name.len()));
                any += usize::from(name == "**");
                (!name.is_empty() && !name.contains(']')).then_some(after)
            })
        }
        .ok_or_else(|| format!("'{path}' is not a path"))?;
    }
    if path.is_empty() || any > 1 {
        return Err(format!("'{path}' is not a path"));
    }
    Ok(())
}
