//! The sources of the rules of the families, for bibliographies.

use bouton_games::FAMILIES;

/// A reference.
struct Source {
    /// The name of the family.
    family: &'static str,
    kind: &'static str,
    key: &'static str,
    author: &'static str,
    title: &'static str,
    /// Journal, volume and pages, or publisher.
    place: &'static str,
    year: &'static str,
}

/// The sources, one for each family.
#[rustfmt::skip]
const SOURCES: &[Source] = &[
    Source { family: "nim", kind: "article", key: "bouton",
        author: "Charles L. Bouton", title: "Nim, a game with a complete mathematical theory",
        place: "Annals of Mathematics 3, 35-39", year: "1902" },
    Source { family: "moore", kind: "article", key: "moore",
        author: "Eliakim H. Moore", title: "A generalization of the game called Nim",
        place: "Annals of Mathematics 11, 93-94", year: "1910" },
    Source { family: "kayles", kind: "book", key: "dudeney",
        author: "Henry E. Dudeney", title: "The Canterbury Puzzles",
        place: "", year: "1907" },
    Source { family: "take-and-break", kind: "article", key: "guy-smith",
        author: "Richard K. Guy and Cedric A. B. Smith", title: "The G-values of various games",
        place: "Proc. Camb. Phil. Soc. 52, 514-526", year: "1956" },
    Source { family: "wythoff", kind: "article", key: "wythoff",
        author: "Willem A. Wythoff", title: "A modification of the game of Nim",
        place: "Nieuw Archief voor Wiskunde 7, 199-202", year: "1907" },
    Source { family: "subtraction", kind: "book", key: "winning-ways",
        author: "Elwyn R. Berlekamp and John H. Conway and Richard K. Guy", title: "Winning Ways for your Mathematical Plays",
        place: "Academic Press", year: "1982" },
    Source { family: "circular", kind: "article", key: "dufour-heubach",
        author: "Matthieu Dufour and Silvia Heubach", title: "Circular Nim Games",
        place: "Electron. J. Combin. 20(2), P22", year: "2013" },
    Source { family: "shrinking", kind: "misc", key: "shrinking-circular-nim",
        author: "", title: "Shrinking Circular Nim",
        place: "", year: "2024" },
    Source { family: "simplicial", kind: "article", key: "ehrenborg-steingrimsson",
        author: "Richard Ehrenborg and Einar Steingrimsson", title: "Playing Nim on a simplicial complex",
        place: "Electron. J. Combin. 3(1), R9", year: "1996" },
    Source { family: "kotzig", kind: "article", key: "tan-ward",
        author: "Xin Lu Tan and Mark Daniel Ward", title: "On Kotzig's Nim",
        place: "Integers 14, G6", year: "2014" },
    Source { family: "strip", kind: "book", key: "winning-ways",
        author: "Elwyn R. Berlekamp and John H. Conway and Richard K. Guy", title: "Winning Ways for your Mathematical Plays",
        place: "Academic Press", year: "1982" },
    Source { family: "turning", kind: "book", key: "winning-ways",
        author: "Elwyn R. Berlekamp and John H. Conway and Richard K. Guy", title: "Winning Ways for your Mathematical Plays",
        place: "Academic Press", year: "1982" },
    Source { family: "nim-with-cash", kind: "misc", key: "nim-with-cash",
        author: "William Gasarch and James Purtilo and Douglas Ulrich", title: "NIM with Cash",
        place: "", year: "" },
    Source { family: "nim-pile", kind: "misc", key: "nim-with-cash",
        author: "William Gasarch and James Purtilo and Douglas Ulrich", title: "NIM with Cash",
        place: "", year: "" },
    Source { family: "dots", kind: "book", key: "berlekamp",
        author: "Elwyn R. Berlekamp", title: "The Dots and Boxes Game: Sophisticated Child's Play",
        place: "A K Peters", year: "2000" },
    Source { family: "coins", kind: "book", key: "winning-ways",
        author: "Elwyn R. Berlekamp and John H. Conway and Richard K. Guy", title: "Winning Ways for your Mathematical Plays",
        place: "Academic Press", year: "1982" },
];

fn source(game: &str) -> Option<&'static Source> {
    let family = FAMILIES.iter().find(|family| (family.claims)(game))?;
    SOURCES.iter().find(|source| source.family == family.name)
}

/// Returns the source of the rules of a game in a line; `None` for a game of the user.
pub(crate) fn reference(game: &str) -> Option<String> {
    let source = source(game)?;
    let parts =
        [source.author.replace(" and ", ", "), source.title.into(), source.place.into(), source.year.into()];
    Some(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "))
}

/// Returns entries for BibTeX: this program, and the source of the rules of a game.
pub fn bibtex(game: &str) -> String {
    let mut out = format!(
        "@misc{{bouton-program,\n  title = {{Bouton: a workbench for take-away games}},\n  author = {{{{The Bouton founders}}}},\n  note = {{Version {}}}\n}}\n",
        env!("CARGO_PKG_VERSION")
    );
    if let Some(source) = source(game) {
        let place = if source.kind == "article" { "journal" } else { "publisher" };
        let fields = [
            ("author", source.author),
            ("title", source.title),
            (place, source.place),
            ("year", source.year),
        ];
        let fields = fields.iter().filter(|(_, text)| !text.is_empty());
        let fields: Vec<String> = fields.map(|(name, text)| format!("  {name} = {{{text}}}")).collect();
        out += &format!("\n@{}{{{},\n{}\n}}\n", source.kind, source.key, fields.join(",\n"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_has_a_reference() {
        for family in FAMILIES {
            assert!(SOURCES.iter().any(|source| source.family == family.name), "{}", family.name);
        }
        let nim = bibtex("nim(3)");
        assert!(nim.contains("title = {Nim, a game with a complete mathematical theory}"), "{nim}");
        assert_eq!(nim.matches('{').count(), nim.matches('}').count());
    }
}
