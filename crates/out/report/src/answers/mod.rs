//! The answers of `--json`, of the page's API and of Python as types: what they serialise to is
//! what is printed, and docs/reference/schema.json is derived from them. A field that is left out
//! of an answer is an `Option` that is skipped; a field that may be null is an `Option` that is
//! not, or [`OrNull`].

pub mod cash;
pub mod collections;
pub mod conjecture;
pub mod failure;
pub mod games;
pub mod logic;
pub mod sequence;
pub mod solve;
pub mod strategy;
pub mod tables;
pub mod verdict;

pub use bouton_theory::answer::{OutcomeLetter, PlayName};
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// The name of the game in its normal form, as every command reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "game")]
pub struct GameName(pub String);

/// The position as text, as every command reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "position")]
pub struct PositionText<'a>(pub &'a str);

/// The same position as an array of numbers, if it has that form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "numbers")]
pub struct Numbers(pub Vec<u64>);

impl Numbers {
    /// Reads a position that is a list of numbers; `None` of others.
    pub fn read(position: &str) -> Option<Numbers> {
        let numbers = position.split(',').map(|number| number.trim().parse().ok());
        numbers.collect::<Option<_>>().map(Numbers)
    }
}

/// The nim-value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "nim_value")]
pub struct NimValue(pub u32);

/// The points of the player to move less those of the other player under best play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "margin")]
pub struct Margin(pub i32);

/// The least and the greatest margin that are still possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "bounds")]
pub struct Bounds(pub [i32; 2]);

/// Why something is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "reason")]
pub struct Reason(pub String);

impl Reason {
    /// Returns what a limit or an error says.
    pub fn new(why: impl ToString) -> Reason {
        Reason(why.to_string())
    }
}

/// The time taken, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "seconds")]
pub struct Seconds(pub f64);

/// The hash of a certificate; several hashes are separated by blanks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "hash")]
pub struct Hash(pub String);

/// A value or null, in a field that is left out of some answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct OrNull<T>(pub Option<T>);

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for OrNull<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("{}_or_null", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = <Option<T>>::json_schema(generator);
        schema.insert(crate::schema::NULL_IS_MEANT.into(), true.into());
        schema
    }
}

/// Writes an answer in one line, as it is made.
///
/// # Errors
/// Fails if `out` cannot be written to.
pub fn write_json(mut out: impl Write, answer: &impl Serialize) -> io::Result<()> {
    serialise(&mut out, answer)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Of each type of answer there is one, whatever is written to.
fn serialise(out: &mut dyn Write, answer: &impl Serialize) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    serde_json::to_writer(&mut out, answer)?;
    out.flush()
}

/// Returns an answer as a text in one line, without its end.
pub fn to_json(answer: &impl Serialize) -> String {
    let mut text = Vec::new();
    // Plain data whose keys are texts cannot fail to serialise.
    let _ = serialise(&mut text, answer);
    String::from_utf8(text).unwrap_or_default()
}
