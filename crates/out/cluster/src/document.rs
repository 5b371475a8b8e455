//! The texts of plans and shards: JSON in one line, with format, version and kind of work first.

use crate::work::{KINDS, WorkKind};
use crate::{FORMAT, VERSION};
use bouton_store::UsageError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<W> {
    format: u32,
    version: String,
    work: String,
    #[serde(flatten)]
    content: W,
}

/// The fields that texts of every version have.
#[derive(Deserialize)]
struct Header {
    format: u32,
    version: String,
}

#[derive(Deserialize)]
struct KindHeader {
    work: String,
}

/// A text that cannot be read.
#[derive(Debug)]
pub(crate) enum DocumentError {
    /// The text is malformed.
    Text(String),
    /// Another version has written the text.
    Version(String),
}

impl From<serde_json::Error> for DocumentError {
    fn from(error: serde_json::Error) -> DocumentError {
        DocumentError::Text(error.to_string())
    }
}

impl DocumentError {
    /// Returns the error of a document of some kind, with the versions that are accepted of it.
    pub(crate) fn usage(self, kind: &str, versions: &str) -> UsageError {
        match self {
            DocumentError::Text(why) => {
                UsageError::plain(format!("not the text of a {kind}: {why}"))
            }
            DocumentError::Version(version) => UsageError::new(
                format!("the {kind} was made by bouton {version}, this is bouton {VERSION}"),
                versions,
            ),
        }
    }
}

/// Returns the text of a plan or a shard.
pub(crate) fn write<W: Serialize>(kind: &WorkKind, content: &W) -> serde_json::Result<String> {
    serde_json::to_string(&Document {
        format: FORMAT,
        version: VERSION.into(),
        work: kind.name.into(),
        content,
    })
}

/// Returns the kind of work of a text, which must be of this version.
pub(crate) fn kind(text: &str) -> Result<&'static WorkKind, DocumentError> {
    let Header { format, version } = serde_json::from_str(text)?;
    if format != FORMAT || version != VERSION {
        return Err(DocumentError::Version(format!("{version}, format {format}")));
    }
    let KindHeader { work } = serde_json::from_str(text)?;
    KINDS.into_iter().find(|kind| kind.name == work).ok_or_else(|| {
        let known: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        DocumentError::Text(format!("unknown work {work:?}, expected one of {}", known.join(", ")))
    })
}

/// Reads the content of a text whose kind is known. Unknown and repeated fields are errors.
pub(crate) fn content<W: DeserializeOwned>(text: &str) -> Result<W, DocumentError> {
    Ok(serde_json::from_str::<Document<W>>(text)?.content)
}
