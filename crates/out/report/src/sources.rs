//! The sources of the rules of the families, for bibliographies.

use bouton_engine::family::{Reference, ReferenceKind};
use bouton_games::FAMILIES;

/// Returns the source of the rules of a game; `None` for a game of the user.
fn source(game: &str) -> Option<&'static Reference> {
    FAMILIES.iter().find(|family| (family.claims)(game)).map(|family| &family.reference)
}

/// Returns the source of the rules of a game in a line; `None` for a game of the user.
pub(crate) fn reference(game: &str) -> Option<String> {
    let source = source(game)?;
    let parts = [
        source.author.replace(" and ", ", "),
        source.title.into(),
        source.place.into(),
        source.year.into(),
    ];
    Some(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "))
}

/// Returns entries for BibTeX: this program, and the source of the rules of a game.
pub fn bibtex(game: &str) -> String {
    let mut out = format!(
        "@misc{{bouton-program,\n  title = {{Bouton: a workbench for take-away games}},\n  author \
         = {{{{The Bouton founders}}}},\n  note = {{Version {}}}\n}}\n",
        env!("CARGO_PKG_VERSION")
    );
    if let Some(source) = source(game) {
        let (kind, place) = match source.kind {
            ReferenceKind::Article => ("article", "journal"),
            ReferenceKind::Book => ("book", "publisher"),
            ReferenceKind::Other => ("misc", "publisher"),
        };
        let fields = [
            ("author", source.author),
            ("title", source.title),
            (place, source.place),
            ("year", source.year),
        ];
        let fields = fields.iter().filter(|(_, text)| !text.is_empty());
        let fields: Vec<String> =
            fields.map(|(name, text)| format!("  {name} = {{{text}}}")).collect();
        out += &format!("\n@{kind}{{{},\n{}\n}}\n", source.key, fields.join(",\n"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_has_a_reference() {
        for family in FAMILIES {
            assert!(
                !family.reference.title.is_empty() && !family.reference.key.is_empty(),
                "{}",
                family.name
            );
        }
        let nim = bibtex("nim(3)");
        assert!(nim.contains("title = {Nim, a game with a complete mathematical theory}"), "{nim}");
        assert_eq!(nim.matches('{').count(), nim.matches('}').count());
    }
}
