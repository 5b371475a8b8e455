//! Patterns of games, such as `CN({n},{k})` with n = "2..8" and k = "1..n-1".
//!
//! Names in braces are replaced by their values, from left to right. A bound may be a name further
//! left, with a number added or subtracted.

use bouton_core::WrittenNumber;
use bouton_store::UsageError;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The values of a name in a pattern: a range or the like, or a list.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum NameValues {
    Text(String),
    List(Vec<String>),
}

/// Returns the error of a pattern with more than `most` games.
fn too_many(most: usize) -> UsageError {
    UsageError::plain(format!("too many games, more than {most}"))
}

/// Expands a pattern, into at most `most` texts.
pub(crate) fn expand(
    pattern: &str,
    with: &BTreeMap<String, NameValues>,
    most: usize,
) -> Result<Vec<String>, UsageError> {
    let names = names(pattern)?;
    if let Some(unused) = with.keys().find(|name| !names.contains(name)) {
        return Err(UsageError::new(
            format!("{unused} is given values, and does not stand in the pattern"),
            format!("{{{unused}}} there"),
        ));
    }
    let mut texts = vec![(pattern.to_owned(), BTreeMap::new())];
    for name in names {
        let values = with.get(&name).ok_or_else(|| {
            UsageError::new(
                format!("nothing is said of {{{name}}}"),
                format!("with = {{ {name} = \"1..8\" }}"),
            )
        })?;
        let mut longer = Vec::new();
        for (text, chosen) in texts {
            for value in expand_values(&name, values, &chosen, most)? {
                let mut chosen: BTreeMap<String, i64> = chosen.clone();
                if let Ok(number) = value.parse() {
                    chosen.insert(name.clone(), number);
                }
                longer.push((text.replace(&format!("{{{name}}}"), &value), chosen));
            }
            if longer.len() > most {
                return Err(too_many(most));
            }
        }
        texts = longer;
    }
    Ok(texts.into_iter().map(|(text, _)| text).collect())
}

/// Returns the names in braces, each once, from left to right.
fn names(pattern: &str) -> Result<Vec<String>, UsageError> {
    let mut names: Vec<String> = Vec::new();
    let mut rest = pattern;
    while let Some(open) = rest.find('{') {
        let close = rest[open..].find('}').ok_or_else(|| {
            UsageError::new("an open brace", "{n} with n = \"1..8\" under `with`")
        })? + open;
        let name = &rest[open + 1..close];
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
        rest = &rest[close + 1..];
    }
    Ok(names)
}

/// Returns the values of a name, given the numbers `chosen` for the names further left.
fn expand_values(
    name: &str,
    values: &NameValues,
    chosen: &BTreeMap<String, i64>,
    most: usize,
) -> Result<Vec<String>, UsageError> {
    let text = match values {
        NameValues::List(list) => return Ok(list.clone()),
        NameValues::Text(text) => text.trim(),
    };
    let wrong = || {
        UsageError::new(
            format!("{name} = {text:?}"),
            "\"1..8\", \"1..n-1\", \"subsets 1..8\", \"complexes 1..5\", or a list of texts",
        )
    };
    let (kind, range) = match text.split_once(' ') {
        Some((kind @ ("subsets" | "complexes"), range)) => (kind, range),
        _ => ("", text),
    };
    let (low, high) = range.split_once("..").ok_or_else(wrong)?;
    let (low, high) =
        (bound(low, chosen).ok_or_else(wrong)?, bound(high, chosen).ok_or_else(wrong)?);
    let count = high.saturating_sub(low).saturating_add(1).max(0);
    if count as u128 > most as u128 || kind == "subsets" && count >= i64::from(usize::BITS - 1) {
        return Err(too_many(most));
    }
    match kind {
        "subsets" => {
            if low < 0 || (1usize << count) > most.saturating_add(1) {
                return Err(if low < 0 { wrong() } else { too_many(most) });
            }
            let members = |mask: usize| {
                (0..count)
                    .filter(|i| mask >> i & 1 == 1)
                    .map(|i| (low + i).to_string())
                    .collect::<Vec<_>>()
                    .join(",")
            };
            Ok((1..1usize << count).map(members).collect())
        }
        "complexes" => {
            if low < 1 || high > bouton_games::MAX_VERTICES as i64 {
                return Err(wrong());
            }
            Ok((low..=high)
                .flat_map(|vertices| bouton_games::complexes(vertices as usize))
                .collect())
        }
        _ => Ok((low..=high).map(|number| number.to_string()).collect()),
    }
}

/// Reads a bound: a number, a name, or a name with a number added or subtracted.
fn bound(text: &str, chosen: &BTreeMap<String, i64>) -> Option<i64> {
    let text = text.trim();
    if let Some(number) = text.parse().ok().or_else(|| WrittenNumber::read(text)) {
        return Some(number);
    }
    if let Some(value) = chosen.get(text) {
        return Some(*value);
    }
    let at = text.rfind(['+', '-'])?;
    let (name, number): (_, i64) = (text[..at].trim(), WrittenNumber::read(&text[at + 1..])?);
    let value = *chosen.get(name)?;
    if text[at..].starts_with('+') { value.checked_add(number) } else { value.checked_sub(number) }
}
