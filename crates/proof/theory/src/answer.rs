//! Words of answers that theories and reports share, as they serialise.

use bouton_core::{Outcome, Play};
use serde::{Deserialize, Deserializer, Serialize};

/// Whether the player who cannot move loses or wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "play", rename_all = "lowercase")]
pub enum PlayName {
    /// Whoever cannot move loses.
    Normal,
    /// Whoever cannot move wins.
    Misere,
}

impl From<Play> for PlayName {
    fn from(play: Play) -> PlayName {
        match play {
            Play::Normal => PlayName::Normal,
            Play::Misere => PlayName::Misere,
        }
    }
}

/// Reads a convention of play that data files write as a [`PlayName`].
///
/// # Errors
/// If it is another word.
pub fn read_play<'d, D: Deserializer<'d>>(from: D) -> Result<Play, D::Error> {
    Ok(match PlayName::deserialize(from)? {
        PlayName::Normal => Play::Normal,
        PlayName::Misere => Play::Misere,
    })
}

/// P if the player to move loses, N if the player to move wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "outcome")]
pub enum OutcomeLetter {
    /// The player to move loses.
    P,
    /// The player to move wins.
    N,
}

impl From<Outcome> for OutcomeLetter {
    fn from(outcome: Outcome) -> OutcomeLetter {
        match outcome {
            Outcome::P => OutcomeLetter::P,
            Outcome::N => OutcomeLetter::N,
        }
    }
}

/// Reads an outcome that data files write as an [`OutcomeLetter`].
///
/// # Errors
/// If it is another word.
pub(crate) fn read_outcome<'d, D: Deserializer<'d>>(from: D) -> Result<Outcome, D::Error> {
    Ok(match OutcomeLetter::deserialize(from)? {
        OutcomeLetter::P => Outcome::P,
        OutcomeLetter::N => Outcome::N,
    })
}

/// Returns the schema of what a theory found: its fields, and the word for the kind of study.
#[cfg(feature = "schema")]
pub fn findings_schema<T: schemars::JsonSchema>(
    kind: &str,
    generator: &mut schemars::SchemaGenerator,
) -> schemars::Schema {
    let mut schema = T::json_schema(generator);
    let fields = schema.ensure_object();
    if let Some(properties) = fields.get_mut("properties") {
        properties["kind"] = serde_json::json!({"const": kind});
    }
    if let Some(required) = fields.get_mut("required").and_then(serde_json::Value::as_array_mut) {
        required.push("kind".into());
    }
    schema
}
