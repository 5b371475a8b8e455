//! Reading the files of claims: claims and tables as typed data; a key or a word that is none is
//! refused.

use crate::row;
use bouton_core::FormulaError;
use bouton_games::THEORIES;
use bouton_study::PublishedClaim;
use bouton_study::claim::{ClaimKind, ClaimStatement, KINDS, Tables};
use bouton_study::table_entry::Entry;
use std::collections::HashMap;
use toml::{Table, Value};

/// A mistake in the files of claims.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClaimDataError {
    /// Not TOML.
    #[error("{file}: {error}")]
    File {
        /// The file.
        file: String,
        /// What is wrong.
        error: Box<toml::de::Error>,
    },
    /// A claim that is none, or has a key or a word that it cannot have.
    #[error("{file}: claim {id}: {message}; accepted: {accepted}")]
    Claim {
        /// The file.
        file: String,
        /// The claim's id, or its number where it has none.
        id: String,
        /// What is wrong.
        message: String,
        /// What could stand there.
        accepted: String,
    },
    /// A condition that is no formula over the pattern's letters.
    #[error("claim {id}: {text}: {error}")]
    When {
        /// The claim.
        id: String,
        /// The condition.
        text: String,
        /// What is wrong.
        error: FormulaError,
    },
    /// A condition that has no value for a game.
    #[error("claim {id}: {error}")]
    Undecided {
        /// The claim.
        id: String,
        /// Why.
        error: bouton_core::Unknown,
    },
}

/// Keys that every claim has or may have.
const HEAD: &[&str] = &["id", "game", "kind", "games", "when", "source", "statement", "coq"];

/// Tables that other claims of the same row say as formulas; they are compared with the engines in
/// tests.
const AS_FORMULAS: &[&str] = &["residues", "starts", "cash"];

pub(crate) fn parse(file: &str, text: &str) -> Result<Table, ClaimDataError> {
    text.parse()
        .map_err(|error| ClaimDataError::File { file: file.to_owned(), error: Box::new(error) })
}

/// Returns the tables of `[[name]]`, whatever their number.
fn listed(table: &Table) -> impl Iterator<Item = (&str, usize, &Table)> {
    table.iter().flat_map(|(name, entries)| {
        let entries =
            entries.as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_table);
        entries.enumerate().map(move |(i, entry)| (name.as_str(), i, entry))
    })
}

/// Returns the claims of some files, with the tables that belong to them.
pub(crate) fn claims(
    files: &[(&str, &str)],
    tables: &[(&str, &str)],
) -> Result<Vec<PublishedClaim>, ClaimDataError> {
    let mut all = Vec::new();
    for (file, text) in files {
        let table = parse(file, text)?;
        if let Some(key) = table.keys().find(|key| *key != "claim") {
            let message = format!("`{key}` is no list of claims");
            return Err(refused(file, "?", message, "[[claim]]".into()));
        }
        for (_, i, keys) in listed(&table) {
            all.push(claim(file, i, keys)?);
        }
    }
    // The first claim of each row that has tables.
    let mut owners: HashMap<String, usize> = HashMap::new();
    for (place, claim) in all.iter().enumerate() {
        if matches!(claim.says, ClaimStatement::Tables(_)) {
            owners.entry(row(&claim.id).to_owned()).or_insert(place);
        }
    }
    for (file, text) in tables {
        for (name, i, keys) in listed(&parse(file, text)?) {
            let Some((of, entry)) = entry(file, name, i, keys)? else { continue };
            let owner = owners.get(&*of).map(|place| &mut all[*place]);
            if let Some(PublishedClaim {
                says: ClaimStatement::Tables(Tables { entries }), ..
            }) = owner
            {
                entries.push(entry);
            }
        }
    }
    Ok(all)
}

pub(crate) fn refused(file: &str, id: &str, message: String, accepted: String) -> ClaimDataError {
    ClaimDataError::Claim { file: file.to_owned(), id: id.to_owned(), message, accepted }
}

/// Returns what serde says of a value, in a line.
fn parse_error(error: &toml::de::Error) -> String {
    error.message().replace('\n', " ")
}

/// Returns one claim, the number `i` of its file.
pub(crate) fn claim(file: &str, i: usize, keys: &Table) -> Result<PublishedClaim, ClaimDataError> {
    let id = keys
        .get("id")
        .and_then(Value::as_str)
        .map_or_else(|| format!("number {}", i + 1), str::to_owned);
    let kind = keys.get("kind").and_then(Value::as_str).unwrap_or_default();
    let refused = |message: String, accepted: String| refused(file, &id, message, accepted);
    let Some((_, own_keys)) = kinds().find(|(name, _)| *name == kind) else {
        let kinds = kinds().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
        return Err(refused(format!("`kind` is `{kind}`"), kinds));
    };
    let accepted = || HEAD.iter().chain(own_keys).copied().collect::<Vec<_>>().join(", ");
    if let Some(key) =
        keys.keys().find(|key| !HEAD.contains(&key.as_str()) && !own_keys.contains(&key.as_str()))
    {
        return Err(refused(format!("unknown key `{key}`"), accepted()));
    }
    let text = |key: &str| match keys.get(key) {
        Some(Value::String(text)) => Ok(Some(text.clone())),
        None => Ok(None),
        Some(_) => Err(refused(format!("`{key}` is no text"), format!("{key} = \"…\""))),
    };
    let needed =
        |key: &str| text(key)?.ok_or_else(|| refused(format!("`{key}` is missing"), accepted()));
    let games = match keys.get("games") {
        None => Vec::new(),
        Some(list) => list.clone().try_into().map_err(|error| {
            refused(format!("`games`: {}", parse_error(&error)), "games = [\"…\", …]".into())
        })?,
    };
    let own = keys.iter().filter(|(key, _)| *key == "kind" || !HEAD.contains(&key.as_str()));
    let says: Table = own.map(|(key, value)| (key.clone(), value.clone())).collect();
    let says = read_says(kind, says).map_err(|why| refused(why, accepted()))?;
    Ok(PublishedClaim {
        game: needed("game")?,
        games,
        rules: None,
        when: text("when")?,
        source: needed("source")?,
        statement: needed("statement")?,
        coq: text("coq")?,
        says,
        recorded: None,
        id: needed("id")?,
    })
}

/// Returns every kind of claim, with its keys.
fn kinds() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    KINDS.iter().copied().chain(theory_kinds().map(|kind| (kind.name, kind.keys)))
}

/// Returns the kinds that belong to theories.
fn theory_kinds() -> impl Iterator<Item = &'static ClaimKind> {
    THEORIES.iter().flat_map(|theory| theory.claim_kinds())
}

/// Returns what a claim of this kind says; `keys` are its own and its kind.
fn read_says(kind: &str, mut keys: Table) -> Result<ClaimStatement, String> {
    let Some(of_theory) = theory_kinds().find(|known| known.name == kind) else {
        return Value::Table(keys).try_into().map_err(|error| parse_error(&error));
    };
    keys.remove("kind");
    let keys = serde_json::to_value(keys).map_err(|error| error.to_string())?;
    (of_theory.read)(keys).map_err(|error| error.to_string())
}

/// Reads an entry of a table and the row it belongs to; none of a kind that formulas say.
fn entry(
    file: &str,
    name: &str,
    i: usize,
    keys: &Table,
) -> Result<Option<(String, Entry)>, ClaimDataError> {
    if AS_FORMULAS.contains(&name) {
        return Ok(None);
    }
    let id = format!("[[{name}]] {}", i + 1);
    let kind = if name == "period" && keys.contains_key("row") { "row_period" } else { name };
    let mut entry = keys.clone();
    entry.insert("table".into(), kind.into());
    let mut head = |key: &str| {
        let text = entry.remove(key).and_then(|text| text.as_str().map(str::to_owned));
        text.ok_or_else(|| {
            refused(file, &id, format!("`{key}` is missing"), format!("{key} = \"…\""))
        })
    };
    let of = head("claim")?;
    head("source")?;
    let read = Value::Table(entry).try_into();
    let entry = read.map_err(|error| {
        refused(file, &id, parse_error(&error), "the keys of tests/oracles/README.md".into())
    })?;
    Ok(Some((of, entry)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_core::Play;

    const CLAIM: &str = "[[claim]]\nid = 'X1'\nkind = 'p-positions'\ngame = 'nim(2)'\nsource = \
        's'\nstatement = 't'\n";

    fn read(text: &str) -> Result<Vec<PublishedClaim>, ClaimDataError> {
        claims(&[("x.toml", text)], &[])
    }

    #[test]
    fn a_misspelt_key_is_refused() {
        // Each kind's keys, with values that are right, and the ends of the messages.
        let right = [
            (
                "p-positions",
                "form = 'a = b'\nsmaller = ['1: false']\nexactly = true\nplay = 'misere'\n",
            ),
            ("values", "values = 'v = a xor b'\n"),
            (
                "automaton",
                "automaton = \"\"\"msd_2\n\n0 1\n0 -> 0\n1 -> 0\n\"\"\"\nplay = 'normal'\n",
            ),
            (
                "listed",
                "positions = [[0, 0]]\nto = 1\namong = 'a = b'\nvalues = true\nwhy = 'no \
                 formula'\nplay = 'normal'\n",
            ),
            ("contains-all", "formula = 'a = b'\nto = 9\nplay = 'normal'\n"),
            ("contained", "formula = 'a = b'\nto = 9\nplay = 'normal'\n"),
            ("corresponds", "with = 'nim(2)'\nless = 1\nto = 9\n"),
            ("witness", "formula = 'a = b'\noutcome = 'P'\nto = 9\nplay = 'misere'\n"),
            ("parametric", "where = 'L >= 1'\ninstead = [['m', 'L']]\n"),
            ("sentence", "sentence = 'A a: a = a'\n"),
            (
                "family",
                "p = 'true'\nplay = 'misere'\nparity = false\nreplay = true\nmost = 2\ncells = 3\n",
            ),
            ("family", "same = 'Gamma(1;n)'\n"),
            ("family", "settled = 3\n"),
            ("cash", "for = 'n in 1..2'\nwhere = 'n = 1'\nholds = 'n = 1'\ntable = 20\n"),
            ("tables", "entries = [{ table = 'mex', of = [1], value = 0 }]\n"),
            ("remark", "why = 'open'\n"),
        ];
        let head = "id = 'X1'\ngame = 'nim(2)'\ngames = ['nim(2)']\nwhen = 'true'\nsource = \
            's'\nstatement = 't'\ncoq = 'L.v X1'\n";
        for (kind, keys) in right {
            let text = format!("[[claim]]\nkind = '{kind}'\n{head}{keys}");
            read(&text).unwrap_or_else(|error| panic!("{error}"));
            for line in text.lines().filter(|line| line.contains(" = ")) {
                let key = line.split(' ').next().unwrap();
                let wrong = text.replacen(&format!("\n{key} = "), &format!("\n{key}x = "), 1);
                let message = read(&wrong).unwrap_err().to_string();
                assert!(message.starts_with("x.toml: claim "), "{message}");
                assert!(key == "id" || message.contains("claim X1: "), "{message}");
                let misspelt =
                    message.contains(&format!("`{key}x`")) && message.contains(&format!(" {key}"));
                assert!(key == "kind" && message.contains("remark") || misspelt, "{message}");
            }
        }
        assert!(right.iter().all(|(kind, _)| kinds().any(|(known, _)| known == *kind)));
        for (kind, keys) in kinds() {
            let shown: Vec<&str> =
                right.iter().filter(|(k, _)| *k == kind).map(|(_, text)| *text).collect();
            for key in keys {
                assert!(
                    shown
                        .iter()
                        .any(|text| text.lines().any(|l| l.starts_with(&format!("{key} = ")))),
                    "{kind} {key}"
                );
            }
        }
    }

    #[test]
    fn a_misspelt_word_is_refused() {
        let form = |end: &str| read(&format!("{CLAIM}form = 'a = b'\n{end}"));
        assert_eq!(form("play = 'misere'").unwrap()[0].says.play(), Play::Misere);
        let message = form("play = 'miser'").unwrap_err().to_string();
        assert!(
            message.contains("X1") && message.contains("`miser`") && message.contains("`misere`"),
            "{message}"
        );
        assert!(form("exactly = 'yes'").is_err());
        let kind = CLAIM.replace("p-positions", "p-position");
        let message = read(&kind).unwrap_err().to_string();
        assert!(message.contains("`p-position`") && message.contains("p-positions, "), "{message}");
        assert!(read(&CLAIM.replace("[[claim]]", "[[claims]]")).is_err());
        let both = CLAIM.replace("p-positions", "family") + "p = 'true'\nsettled = 3\n";
        assert!(read(&both).unwrap_err().to_string().contains("only one"));
        let table = CLAIM.replace("p-positions", "tables")
            + "entries = [{ table = 'mex', off = [1], value = 0 }]\n";
        assert!(read(&table).unwrap_err().to_string().contains("`off`"));
    }
}
