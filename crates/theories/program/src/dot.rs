//! Directed graphs in DOT, the language of Graphviz: `digraph { a -> b -> c; a -> {b d} }`.
//!
//! Nodes, edges, chains of edges and `{…}` without edges of its own are read; attributes say
//! nothing of the moves, but `dir`. Source: <https://graphviz.org/doc/info/lang.html>.

use crate::graph::{ACCEPTED, Reader, is_name};
use bouton_core::NotationError;
use std::ops::Range;

/// Returns whether a text begins as a graph in DOT.
pub(crate) fn is_dot(text: &str) -> bool {
    let first = text.lines().find(|line| !line.starts_with('#') && !line.trim().is_empty());
    let first = first.unwrap_or_default().trim_start().to_ascii_lowercase();
    text.contains('{')
        && ["digraph", "graph", "strict", "//", "/*"].iter().any(|word| first.starts_with(word))
}

/// A word or mark of the language.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Sign {
    Name {
        text: String,
        is_quoted: bool,
    },
    Arrow,
    /// `--`, an edge without direction.
    Line,
    Mark(char),
}

/// Returns the words and marks with their places, without comments; an error is the place of what
/// is none.
fn signs(text: &str) -> Result<Vec<(Sign, Range<usize>)>, Range<usize>> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let starts_line = text[..at].ends_with('\n') || at == 0;
        let length = if c.is_whitespace() {
            c.len_utf8()
        } else if rest.starts_with("//") || c == '#' && starts_line {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").ok_or(at..at + 2)? + 2
        } else if rest.starts_with("->") || rest.starts_with("--") {
            let sign = if rest.starts_with("->") { Sign::Arrow } else { Sign::Line };
            all.push((sign, at..at + 2));
            2
        } else if c == '"' {
            let mut name = String::new();
            let mut escaped = false;
            let mut end = None;
            for (i, c) in rest.char_indices().skip(1) {
                match (c, escaped) {
                    ('"', false) => {
                        end = Some(i + 1);
                        break;
                    }
                    ('\\', false) => escaped = true,
                    (c, was) => {
                        if was && c != '"' && c != '\\' {
                            name.push('\\');
                        }
                        name.push(c);
                        escaped = false;
                    }
                }
            }
            let end = end.ok_or(at..text.len())?;
            all.push((Sign::Name { text: name, is_quoted: true }, at..at + end));
            end
        } else if "{}[];,=:".contains(c) {
            all.push((Sign::Mark(c), at..at + 1));
            1
        } else {
            let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
            let sign = usize::from(c == '-');
            let end = rest[sign..].find(|c| !is_word(c)).map_or(rest.len(), |end| sign + end);
            if end == sign {
                return Err(at..at + c.len_utf8());
            }
            all.push((Sign::Name { text: rest[..end].to_owned(), is_quoted: false }, at..at + end));
            end
        };
        at += length;
    }
    Ok(all)
}

/// Reads a graph in DOT.
///
/// # Errors
///
/// If the text is no such graph, its edges have no direction, or it has subgraphs with edges.
pub(crate) fn read(text: &str, reader: &mut Reader) -> Result<(), NotationError> {
    let wrong = |at: Range<usize>, message: &str| NotationError::new(text, at, message, ACCEPTED);
    let signs = signs(text).map_err(|at| wrong(at, "this is no part of a graph in DOT"))?;
    let mut dot = Dot { text, signs, next: 0, reader };
    dot.graph()
}

struct Dot<'t, 'r> {
    text: &'t str,
    signs: Vec<(Sign, Range<usize>)>,
    next: usize,
    reader: &'r mut Reader,
}

impl Dot<'_, '_> {
    fn place(&self) -> Range<usize> {
        self.signs.get(self.next).map_or(self.text.len()..self.text.len(), |(_, at)| at.clone())
    }

    fn wrong<T>(&self, message: &str) -> Result<T, NotationError> {
        Err(NotationError::new(self.text, self.place(), message, ACCEPTED))
    }

    fn sees(&self, mark: char) -> bool {
        self.signs.get(self.next).is_some_and(|(sign, _)| *sign == Sign::Mark(mark))
    }

    fn eats(&mut self, mark: char) -> bool {
        let sees = self.sees(mark);
        self.next += usize::from(sees);
        sees
    }

    /// Returns a word that is not in quotation marks, in small letters.
    fn word(&self) -> Option<String> {
        match &self.signs.get(self.next)?.0 {
            Sign::Name { text, is_quoted: false } => Some(text.to_ascii_lowercase()),
            _ => None,
        }
    }

    fn graph(&mut self) -> Result<(), NotationError> {
        self.next += usize::from(self.word().as_deref() == Some("strict"));
        if self.word().as_deref() != Some("digraph") {
            return self.wrong(
                "the edges of a graph have no direction, and moves have one: a digraph has",
            );
        }
        self.next += 1;
        self.next += usize::from(matches!(self.signs.get(self.next), Some((Sign::Name { .. }, _))));
        if !self.eats('{') {
            return self.wrong("`{` is missing");
        }
        while !self.eats('}') {
            self.statement()?;
        }
        if self.next < self.signs.len() {
            self.wrong("one graph is read, and here it has ended")
        } else {
            Ok(())
        }
    }

    fn statement(&mut self) -> Result<(), NotationError> {
        if self.eats(';') || self.eats(',') {
            return Ok(());
        }
        if matches!(self.word().as_deref(), Some("node" | "edge" | "graph")) {
            self.next += 1;
            return if self.sees('[') { self.attributes() } else { self.wrong("`[` is missing") };
        }
        // `rankdir = LR` says how the graph is drawn.
        if matches!(self.signs.get(self.next), Some((Sign::Name { .. }, _)))
            && matches!(self.signs.get(self.next + 1), Some((Sign::Mark('='), _)))
        {
            self.next += 2;
            if !matches!(self.signs.get(self.next), Some((Sign::Name { .. }, _))) {
                return self.wrong("a value is missing");
            }
            self.next += 1;
            return Ok(());
        }
        let mut from = self.nodes()?;
        loop {
            match self.signs.get(self.next).map(|(sign, _)| sign) {
                Some(Sign::Line) => return self.wrong("an edge of a digraph is ->"),
                Some(Sign::Arrow) => {
                    self.next += 1;
                    let to = self.nodes()?;
                    for (one, other) in
                        from.iter().flat_map(|one| to.iter().map(move |other| (one, other)))
                    {
                        self.reader.edge(one, other);
                    }
                    from = to;
                }
                _ => break,
            }
        }
        while self.sees('[') {
            self.attributes()?;
        }
        Ok(())
    }

    /// Reads a node, or several in braces.
    fn nodes(&mut self) -> Result<Vec<String>, NotationError> {
        if self.word().as_deref() == Some("subgraph") {
            return self.wrong("subgraphs are not read; nodes in braces are: a -> {b c}");
        }
        if !self.eats('{') {
            return Ok(vec![self.node()?]);
        }
        let mut all = Vec::new();
        while !self.eats('}') {
            if !self.eats(';') && !self.eats(',') {
                all.push(self.node()?);
                if matches!(
                    self.signs.get(self.next),
                    Some((Sign::Arrow | Sign::Line | Sign::Mark('='), _))
                ) {
                    return self.wrong("between braces stand nodes alone");
                }
            }
        }
        Ok(all)
    }

    fn node(&mut self) -> Result<String, NotationError> {
        let name = match self.signs.get(self.next) {
            Some((Sign::Name { text, .. }, _)) if is_name(text) => text.clone(),
            Some((Sign::Name { .. }, _)) => return self.wrong("this is no name of a node"),
            _ => return self.wrong("a node is missing"),
        };
        self.next += 1;
        self.reader.node(&name);
        // A port says where the edge is drawn.
        while self.eats(':') {
            if !matches!(self.signs.get(self.next), Some((Sign::Name { .. }, _))) {
                return self.wrong("a port is missing");
            }
            self.next += 1;
        }
        Ok(name)
    }

    fn attributes(&mut self) -> Result<(), NotationError> {
        while !self.eats(']') {
            if self.next >= self.signs.len() {
                return self.wrong("`]` is missing");
            }
            // The one attribute that turns an arrow, or gives it two heads.
            if self.word().as_deref() == Some("dir")
                && self.signs.get(self.next + 1).is_some_and(|(sign, _)| *sign == Sign::Mark('='))
                && matches!(self.signs.get(self.next + 2), Some((Sign::Name { text, .. }, _))
                    if text != "forward")
            {
                return self.wrong("dir draws another arrow than ->; write the move as it goes");
            }
            self.next += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use crate::Graph;
    use bouton_engine::Settings;
    use bouton_engine::family::OwnGame;
    use std::path::Path;

    fn parse(text: &str) -> Result<Graph, bouton_core::NotationError> {
        Graph::parse(text, Some(Path::new("g.dot")))
    }

    fn values(text: &str) -> Vec<(String, u32)> {
        let game = parse(text).unwrap().game();
        let mut session = game.session(Settings::default());
        let all = game.all().unwrap();
        all.into_iter()
            .map(|node| {
                let value = session.evaluate(&node).unwrap().unwrap().nim_value.unwrap().0;
                (node, value)
            })
            .collect()
    }

    fn listed(all: &[(&str, u32)]) -> Vec<(String, u32)> {
        all.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
    }

    /// The same graph as people write it: a moves to b and c, b to c, d to a.
    #[test]
    fn notations_of_one_graph() {
        let own = listed(&[("a", 2), ("b", 1), ("c", 0), ("d", 0)]);
        for text in [
            "digraph G { a -> b; a -> c; b -> c; d -> a; }",
            "strict digraph { a -> b -> c\n a -> c d -> a }",
            "// a game\ndigraph \"of mine\" {\n rankdir=LR; node [shape=circle];\n a [label=\"A \
             -> x\"];\n a -> {b c} [color=red, w=2]; /* more */ b:n -> c:s; \"d\" -> a }",
            "a: b c\nb: c\nc:\nd: a\n",
            "a: b, c\nb: c\nd: a",
            "a b\na c\nb c\nd a",
            "a -> b\na -> c\nb -> c\nd -> a",
            "a => b\na=>c\nb → c\n(d, a)",
        ] {
            let mut found = values(text);
            found.sort();
            assert_eq!(found, own, "{text}");
        }
        // Without a direction, or with what is not read, it is no graph.
        for text in [
            "graph { a -- b }",
            "digraph { a -- b }",
            "digraph { subgraph x { a -> b } }",
            "digraph { a -> {b -> c} }",
            "digraph { a -> b [dir=back] }",
            "digraph { edge [color=red, dir=\"both\"]; a -> b }",
            "digraph { a -> }",
            "digraph { a -> b",
            "digraph { a -> b } digraph { c }",
            "digraph { a -> \"b }",
            "a: b: c",
            "a b: c",
            "a -> b -> c",
            "(a, b), (b, c)",
            "f(x) y",
            "a = b",
            "[[1], [2], [0]]",
            "[[1, 2], [2], [0]]",
            "[[1, 3], [0, 2], [1, 3], [0, 2]]",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    /// The first line of a contest's input counts nodes and edges.
    #[test]
    fn a_line_that_counts_is_no_edge() {
        for text in
            ["4 3\n1 2\n1 3\n1 4\n", "5 6\n1 2\n1 3\n2 4\n3 4\n4 5\n3 5\n", "3 2\n2 1\n1 0\n"]
        {
            let error = parse(text).unwrap_err();
            assert!(error.message.contains("nodes and"), "{text}: {error}");
        }
        for text in ["3 -> 2\n2 1\n1 0\n", "4 2\n2 1\n1 0\n3 2\n", "3 2\n2 1\n1 0\n4\n"] {
            assert!(parse(text).is_ok(), "{text}");
        }
    }
}
