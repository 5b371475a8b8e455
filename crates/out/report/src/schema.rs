//! The JSON Schema of all answers (docs/reference/schema.json), derived from their types: see
//! [`crate::answers`].

use crate::answers::cash::{ConditionFound, PilesSolved};
use crate::answers::collections::{PlanCounts, PlanEntry, PlanGames, Plans, Swept};
use crate::answers::conjecture::Conjectured;
use crate::answers::failure::{BrokenOff, Failure};
use crate::answers::games::{GameEntry, WordEntry};
use crate::answers::logic::Decided;
use crate::answers::sequence::{GenusOfPosition, PeriodFound, QuotientFound};
use crate::answers::solve::Solved;
use crate::answers::strategy::StrategyTree;
use crate::answers::tables::{
    BoardMargins, KeptSequence, NamedOutcomes, NamedValues, NimSequence, PPositions, TableOfTwo,
    WythoffPeriods, WythoffValues,
};
use crate::answers::verdict::{
    CertificateChecked, ClaimEntry, ClaimSettled, LiteratureEntry, ParametricVerdict,
};
use bouton_kotzig::{CircleOutcome, Playout};
use bouton_study::{ParametricStudy, RangeStudy, Study};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Marks a field that may be null though it is left out of some answers.
pub(crate) const NULL_IS_MEANT: &str = "x-null-is-meant";

/// What is said of a value, in the order in which the text has it.
const ORDER: [&str; 14] = [
    "$ref",
    "type",
    "description",
    "enum",
    "const",
    "minimum",
    "anyOf",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "properties",
    "required",
    "additionalProperties",
];

/// The longest line of the text.
const WIDTH: usize = 110;

/// The answers whose definition is one type, of the name of its command.
const ANSWERS: [&str; 10] = [
    "error",
    "unknown",
    "solve",
    "positions",
    "period",
    "quotient",
    "logic",
    "conjecture",
    "heatmap",
    "sweep",
];

/// Returns the text of docs/reference/schema.json.
///
/// # Panics
/// If two types have one name, or a definition that is referred to is missing.
pub fn text() -> String {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let commands = commands(&mut generator);
    let raw = generator.take_definitions(true);
    let mut wanted: Vec<String> = ANSWERS.iter().map(|name| (*name).to_owned()).collect();
    wanted.extend(commands.iter().map(|(name, _)| name.clone()));
    let mut all = Map::new();
    for (name, mut schema) in raw.clone().into_iter().chain(commands) {
        plain(&mut schema, &raw);
        let twice = all.insert(snake_case(&name), schema);
        assert!(twice.is_none(), "two definitions are named {name}");
    }
    // What was written out in its places is not defined besides.
    let mut used = BTreeSet::new();
    while let Some(name) = wanted.pop() {
        let schema = all.get(&name).unwrap_or_else(|| panic!("there is no definition {name}"));
        if used.insert(name) {
            wanted.extend(references(schema));
        }
    }
    all.retain(|name, _| used.contains(name));
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Answers of bouton",
        "description": "An answer of `bouton COMMAND --json` is described by the definition of the \
                        command's name, or by `error` or `unknown`.",
        "$defs": all,
    });
    let mut out = String::new();
    write(&schema, 0, 0, &mut out);
    out + "\n"
}

/// The answers of the commands whose definition is more than one type.
fn commands(generator: &mut SchemaGenerator) -> Vec<(String, Value)> {
    fn one<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
        generator.subschema_for::<T>().to_value()
    }
    fn list<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
        one::<Vec<T>>(generator)
    }
    let g = generator;
    // These are ANSWERS.
    one::<Failure<'_>>(g);
    one::<BrokenOff>(g);
    one::<Solved<'_>>(g);
    one::<PPositions<'_>>(g);
    one::<PeriodFound>(g);
    one::<QuotientFound<'_>>(g);
    one::<Decided<'_>>(g);
    one::<Conjectured>(g);
    one::<TableOfTwo<'_>>(g);
    one::<Swept>(g);
    let several = [
        (
            "values",
            "Nim-values.",
            vec![
                one::<NimSequence<'_>>(g),
                one::<NamedValues<'_>>(g),
                one::<NamedOutcomes<'_>>(g),
                one::<KeptSequence>(g),
                one::<BoardMargins>(g),
            ],
        ),
        (
            "genus",
            "A genus, or those of single heaps.",
            vec![one::<GenusOfPosition<'_>>(g), list::<GenusOfPosition<'_>>(g)],
        ),
        ("cash", "NIM with Cash.", vec![one::<ConditionFound<'_>>(g), one::<PilesSolved>(g)]),
        (
            "prove",
            "The verdict on a claim, or on every published form if no claim is given.",
            vec![
                one::<ClaimSettled<'_>>(g),
                list::<ClaimSettled<'_>>(g),
                one::<Study>(g),
                one::<ParametricVerdict<'_>>(g),
            ],
        ),
        (
            "check",
            "A certificate checked, or several.",
            vec![one::<CertificateChecked>(g), list::<CertificateChecked>(g)],
        ),
        ("strategy", "A winning strategy.", vec![one::<StrategyTree<'_>>(g), one::<Playout>(g)]),
        (
            "atlas",
            "An atlas: plans, what is known of them, or the games of a plan.",
            vec![one::<Plans<PlanEntry>>(g), one::<Plans<PlanCounts>>(g), one::<PlanGames>(g)],
        ),
        (
            "wythoff",
            "Rows of Wythoff's game: their periods, or their values.",
            vec![one::<WythoffPeriods>(g), one::<WythoffValues>(g)],
        ),
        (
            "study",
            "A study: of a game, of a game for each value of a parameter, or of one for all values \
             of its parameters.",
            vec![one::<Study>(g), one::<RangeStudy>(g), one::<ParametricStudy>(g)],
        ),
        ("help", "Words of the theory.", vec![one::<WordEntry>(g), list::<WordEntry>(g)]),
    ];
    let lists = [
        ("claims", "The published claims, with their verdicts.", list::<ClaimEntry<'_>>(g)),
        (
            "literature",
            "Published games, what is claimed of them, and the verdicts.",
            list::<LiteratureEntry<'_>>(g),
        ),
        ("games", "The families, and the games with names.", list::<GameEntry<'_>>(g)),
        ("query", "Games of the database.", list::<CircleOutcome<'_>>(g)),
    ];
    let several =
        several.map(|(name, about, all)| (name, json!({"description": about, "anyOf": all})));
    let lists = lists.map(|(name, about, mut list)| {
        list["description"] = about.into();
        (name, list)
    });
    several.into_iter().chain(lists).map(|(name, schema)| (name.to_owned(), schema)).collect()
}

/// Returns the name of a type as definitions are named.
fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.char_indices() {
        if c.is_uppercase() && at > 0 && !out.ends_with('_') {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Returns the names of the definitions that are referred to.
fn references(schema: &Value) -> Vec<String> {
    match schema {
        Value::Object(all) => {
            let own =
                all.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix("#/$defs/"));
            own.map(str::to_owned).into_iter().chain(all.values().flat_map(references)).collect()
        }
        Value::Array(all) => all.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

/// Makes a schema, and all in it, what the file has: objects are closed, a field that is left out
/// is not null besides, and nothing is said that readers of JSON do not need.
fn plain(schema: &mut Value, definitions: &Map<String, Value>) {
    spread(schema, definitions);
    let Value::Object(all) = schema else { return };
    for unneeded in ["format", "title", "maximum"] {
        all.remove(unneeded);
    }
    if let Some(Value::String(about)) = all.get_mut("description") {
        *about = about.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    if let Some(Value::String(to)) = all.get_mut("$ref")
        && let Some(name) = to.strip_prefix("#/$defs/")
    {
        *to = format!("#/$defs/{}", snake_case(name));
    }
    if let Some(cases) = all.remove("oneOf") {
        all.insert("anyOf".into(), cases);
    }
    // Words, each of which is described in Rust.
    if let Some(Value::Array(cases)) = all.get("anyOf")
        && let Some(words) = cases.iter().map(word).collect::<Option<Vec<_>>>()
    {
        all.remove("anyOf");
        all.insert("type".into(), "string".into());
        all.insert("enum".into(), words.into());
    }
    if all.get("type").is_some_and(|of| of == "object") && !all.contains_key("additionalProperties")
    {
        all.insert("additionalProperties".into(), false.into());
    }
    let required = all.get("required").cloned().unwrap_or_default();
    if let Some(Value::Object(fields)) = all.get_mut("properties") {
        for (name, field) in fields {
            let is_required =
                required.as_array().is_some_and(|names| names.iter().any(|one| one == name));
            if !is_required && field.get(NULL_IS_MEANT).is_none() {
                not_null(field);
            }
            plain(field, definitions);
        }
    }
    all.remove(NULL_IS_MEANT);
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = all.get_mut(key) {
            plain(inner, definitions);
        }
    }
    for key in ["anyOf", "prefixItems"] {
        for inner in all.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten() {
            plain(inner, definitions);
        }
    }
    // A pair of the same.
    if let Some(Value::Array(parts)) = all.get("prefixItems")
        && parts.windows(2).all(|two| two[0] == two[1])
    {
        let part = parts[0].clone();
        all.remove("prefixItems");
        all.insert("items".into(), part);
    }
    let place = |key: &str| ORDER.iter().position(|known| *known == key).unwrap_or(ORDER.len());
    let mut keys: Vec<(String, Value)> = std::mem::take(all).into_iter().collect();
    keys.sort_by_key(|(key, _)| place(key));
    all.extend(keys);
}

/// Returns the one text that fits a schema of one text.
fn word(schema: &Value) -> Option<Value> {
    (schema["type"] == "string").then(|| schema.get("const").cloned())?
}

/// Takes null from what fits a schema.
fn not_null(schema: &mut Value) {
    let Value::Object(all) = schema else { return };
    if let Some(Value::Array(types)) = all.get_mut("type") {
        types.retain(|of| of != "null");
        if let [one] = &types[..] {
            let one = one.clone();
            all.insert("type".into(), one);
        }
    }
    if let Some(Value::Array(cases)) = all.get_mut("anyOf") {
        cases.retain(|case| case["type"] != "null");
        if let [one] = &cases[..] {
            let one = one.as_object().cloned().unwrap_or_default();
            all.remove("anyOf");
            for (key, value) in one {
                all.entry(key).or_insert(value);
            }
        }
    }
}

/// Writes an object that has fields of its own and cases with fields as its cases, each whole.
fn spread(schema: &mut Value, definitions: &Map<String, Value>) {
    let Value::Object(all) = schema else { return };
    let has_cases = ["anyOf", "oneOf", "allOf"].iter().any(|key| all.contains_key(*key));
    if !has_cases || !all.contains_key("properties") {
        return;
    }
    let about = all.remove("description").unwrap_or_default();
    let whole: Vec<Value> = cases(schema, definitions).into_iter().map(Value::Object).collect();
    *schema = json!({"description": about, "anyOf": whole});
}

/// Returns the objects that a schema of objects allows, each as one schema without cases.
fn cases(schema: &Value, definitions: &Map<String, Value>) -> Vec<Map<String, Value>> {
    let mut own = schema.as_object().cloned().unwrap_or_default();
    let mut all = vec![Map::new()];
    let mut restrict = |cases: Vec<Map<String, Value>>| {
        let both = |one: &Map<String, Value>| {
            cases.iter().map(|case| merged(one, case)).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(both).collect();
    };
    if let Some(to) = own.remove("$ref") {
        let name = to.as_str().and_then(|to| to.strip_prefix("#/$defs/")).unwrap_or_default();
        restrict(cases(&definitions[name], definitions));
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(Value::Array(inner)) = own.remove(key) {
            restrict(inner.iter().flat_map(|case| cases(case, definitions)).collect());
        }
    }
    if let Some(Value::Array(inner)) = own.remove("allOf") {
        inner.iter().for_each(|case| restrict(cases(case, definitions)));
    }
    all.iter().map(|case| merged(&own, case)).collect()
}

/// Returns a schema with the fields of two; what it is about is what the second says, if it does.
fn merged(first: &Map<String, Value>, second: &Map<String, Value>) -> Map<String, Value> {
    let mut both = first.clone();
    for (key, value) in second {
        match (key.as_str(), both.get_mut(key)) {
            ("properties", Some(Value::Object(fields))) => {
                fields.extend(value.as_object().cloned().unwrap_or_default());
            }
            ("required", Some(Value::Array(names))) => {
                let more = value.as_array().into_iter().flatten();
                let more: Vec<Value> = more.filter(|name| !names.contains(name)).cloned().collect();
                names.extend(more);
            }
            _ => {
                both.insert(key.clone(), value.clone());
            }
        }
    }
    both
}

/// Writes a value: in one line if that has room for it behind `used` characters, else over several.
fn write(value: &Value, depth: usize, used: usize, out: &mut String) {
    let line = in_line(value);
    if used + line.chars().count() <= WIDTH {
        *out += &line;
        return;
    }
    let indent = "  ".repeat(depth + 1);
    match value {
        Value::Object(all) => {
            *out += "{\n";
            for (at, (key, inner)) in all.iter().enumerate() {
                let head = format!("{indent}{}: ", Value::from(key.as_str()));
                *out += &head;
                write(inner, depth + 1, head.chars().count() + 1, out);
                *out += if at + 1 < all.len() { ",\n" } else { "\n" };
            }
            *out += &format!("{}}}", "  ".repeat(depth));
        }
        Value::Array(all) => {
            *out += "[\n";
            for (at, inner) in all.iter().enumerate() {
                *out += &indent;
                write(inner, depth + 1, indent.len() + 1, out);
                *out += if at + 1 < all.len() { ",\n" } else { "\n" };
            }
            *out += &format!("{}]", "  ".repeat(depth));
        }
        _ => *out += &line,
    }
}

/// Returns a value in one line, with blanks between its parts.
fn in_line(value: &Value) -> String {
    match value {
        Value::Object(all) => {
            let parts = all
                .iter()
                .map(|(key, inner)| format!("{}: {}", Value::from(key.as_str()), in_line(inner)));
            format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
        }
        Value::Array(all) => {
            format!("[{}]", all.iter().map(in_line).collect::<Vec<_>>().join(", "))
        }
        _ => value.to_string(),
    }
}
