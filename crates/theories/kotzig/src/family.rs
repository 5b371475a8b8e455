//! A family of games: Γ with parameters in the places of numbers, such as Γ(m1,m2;n) or
//! Γ(m,m+2;k*(2*m+2)-1).

use crate::{Circulant, MAX_CELLS};
use bouton_core::expression::Expression;
use bouton_core::{Arrange, NotationError, Scanner};
use std::fmt;
use std::ops::RangeInclusive;

/// The values of one parameter.
pub type Range = RangeInclusive<i64>;

/// A family of games of Kotzig's Nim.
#[derive(Debug, Clone)]
pub struct KotzigFamily {
    text: String,
    moves: Vec<Expression>,
    n: Expression,
    names: Vec<String>,
}

/// One game of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// The parameters' values, in the order of [`KotzigFamily::names`].
    pub values: Vec<i64>,
    /// The game.
    pub game: Circulant,
}

impl KotzigFamily {
    /// Reads `Gamma(m1,m2;n)`: moves and length are sums and products of numbers and of names in
    /// small letters. A move that is a number may have a minus: `Gamma(1,-2;n)` goes back by 2.
    ///
    /// # Errors
    /// Another text, with the place at fault.
    pub fn parse(text: &str) -> Result<KotzigFamily, NotationError> {
        KotzigFamily::parse_over(text, Vec::new())
    }

    /// Reads a family whose first parameters are these, whether it uses them or not.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse).
    pub fn parse_over(text: &str, mut names: Vec<String>) -> Result<KotzigFamily, NotationError> {
        let accepted = "a family such as Gamma(1,4;n), Gamma(m1,m2;n), Gamma(m,m+2;k*(2*m+2)-1)";
        let mut scanner = Scanner::new(text, accepted);
        if !["Gamma", "gamma", "GAMMA", "Γ"].iter().any(|head| scanner.eat(head)) {
            return Err(scanner.unexpected("`Gamma`"));
        }
        scanner.expect("(")?;
        let mut moves = Vec::new();
        loop {
            moves.push(Expression::read_signed(&mut scanner, &mut names)?);
            if !scanner.eat(",") {
                break;
            }
        }
        scanner.expect(";")?;
        let n = Expression::read(&mut scanner, &mut names)?;
        scanner.expect(")")?;
        scanner.finish()?;
        Ok(KotzigFamily { text: text.trim().to_owned(), moves, n, names })
    }

    /// Returns the parameters, in the order in which they occur.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the number of moves as they are written.
    pub fn moves(&self) -> usize {
        self.moves.len()
    }

    /// Returns whether only the length varies.
    pub fn has_fixed_moves(&self) -> bool {
        self.moves.iter().all(|m| m.value(&[]).is_some())
    }

    /// Returns the game for these values of the parameters. `None` unless 1 ≤ n ≤ [`MAX_CELLS`] and
    /// its moves are at least 1 and ascend strictly, so that every move set comes once, or are
    /// [fixed](Self::fixed) and one goes back.
    pub fn at(&self, values: &[i64]) -> Option<Circulant> {
        let n = u64::try_from(self.n.value(values)?).ok()?;
        match self.steps(values) {
            Some(steps) => Circulant::new(&steps, n).ok(),
            None => Circulant::from_signed(&self.fixed().filter(|steps| steps[0] < 0)?, n).ok(),
        }
    }

    /// Returns the moves, ascending, each once, those that go back negative; `None` if they depend
    /// on parameters or one is 0.
    pub fn fixed(&self) -> Option<Vec<i64>> {
        let mut moves: Vec<i64> = self.moves.iter().map(|m| m.value(&[])).collect::<Option<_>>()?;
        moves.arrange();
        moves.dedup();
        (!moves.contains(&0)).then_some(moves)
    }

    /// Returns the moves as [slope, at 0] of lines in the one parameter without a value; `None`
    /// where one is no line in it.
    pub fn move_lines(&self, values: &[Option<i64>]) -> Option<Vec<[i64; 2]>> {
        self.moves.iter().map(|m| m.line(values)).collect()
    }

    /// Returns the moves for these values of the parameters; `None` unless they are at least 1 and
    /// ascend strictly.
    pub fn steps(&self, values: &[i64]) -> Option<Vec<u64>> {
        let moves: Option<Vec<u64>> =
            self.moves.iter().map(|m| u64::try_from(m.value(values)?).ok()).collect();
        moves.filter(|moves| {
            moves.first().is_some_and(|m| *m > 0) && moves.is_sorted_by(|a, b| a < b)
        })
    }

    /// Returns which parameters the moves depend on, in the order of [`KotzigFamily::names`].
    pub fn varying(&self) -> Vec<bool> {
        (0..self.names.len()).map(|name| self.moves.iter().any(|m| m.has(name))).collect()
    }

    /// Returns the cells as [slope, at 0] of a line in the one parameter without a value; `None`
    /// where they are no line in it.
    pub fn line(&self, values: &[Option<i64>]) -> Option<[i64; 2]> {
        self.n.line(values)
    }

    /// Returns every game of the family with parameters in `ranges` (in the order of
    /// [`KotzigFamily::names`]), the last running fastest.
    pub fn instances(&self, ranges: &[Range]) -> Vec<Instance> {
        let mut all = Vec::new();
        let mut values: Vec<i64> = ranges.iter().map(|range| *range.start()).collect();
        if ranges.iter().any(|range| range.is_empty()) {
            return all;
        }
        loop {
            if let Some(game) = self.at(&values) {
                all.push(Instance { values: values.clone(), game });
            }
            let Some(next) = (0..values.len()).rev().find(|i| values[*i] < *ranges[*i].end())
            else {
                return all;
            };
            values[next] += 1;
            (next + 1..values.len()).for_each(|i| values[i] = *ranges[i].start());
        }
    }

    /// Returns every game of the family on at most `to` cells whose parameters lie in 0..=most, n
    /// in `1..=to`.
    pub fn instances_up_to(&self, to: usize, most: i64) -> Vec<Instance> {
        let to = to.min(MAX_CELLS);
        let range = |name: &String| if name == "n" { 1..=to as i64 } else { 0..=most };
        let ranges: Vec<Range> = self.names.iter().map(range).collect();
        let mut all = self.instances(&ranges);
        all.retain(|instance| instance.game.n() <= to);
        all
    }
}

impl fmt::Display for KotzigFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_read() {
        let family = KotzigFamily::parse("Gamma(m, m+2; k*(2*m+2)-1)").unwrap();
        assert_eq!(family.names(), ["m", "k"]);
        assert_eq!(family.at(&[3, 2]).unwrap().to_string(), "Gamma(3,5;15)");
        assert_eq!(family.at(&[0, 2]), None);
        assert_eq!(family.at(&[3, 0]), None);
        assert_eq!(family.at(&[i64::MAX, 2]), None);
        let back = KotzigFamily::parse("Gamma(1, -2; n)").unwrap();
        assert_eq!((back.fixed(), back.at(&[7]).unwrap().steps()), (Some(vec![-2, 1]), vec![1, 5]));
        assert!(back.at(&[2]).unwrap().steps() == [1] && back.at(&[1]).unwrap().steps().is_empty());
        assert!(
            KotzigFamily::parse("Gamma(1,-m;n)").is_err()
                && KotzigFamily::parse("Gamma(1;-n)").is_err()
        );
        assert_eq!(KotzigFamily::parse("Gamma(2*m-1,m;n)").unwrap().at(&[0, 5]), None);
        assert!(KotzigFamily::parse("Γ(1,4;n)").unwrap().has_fixed_moves());
    }

    #[test]
    fn errors_are_shown() {
        for (text, at) in [
            ("Gamma()", 6),
            ("Gamma(1,2)", 9),
            ("Gamma(1;n", 9),
            ("CN(5,2)", 0),
            ("Gamma(1;n+)", 10),
        ] {
            assert_eq!(KotzigFamily::parse(text).unwrap_err().at.start, at, "{text}");
        }
        assert!(KotzigFamily::parse(&format!("Gamma({}1;n)", "(".repeat(10_000))).is_err());
    }

    #[test]
    fn the_triples_of_the_paper() {
        let family = KotzigFamily::parse("Gamma(m1,m2;n)").unwrap();
        assert_eq!(family.instances(&[1..=72, 1..=72, 1..=72]).len(), 184_032);
        assert_eq!(family.instances(&[1..=3, Range::new(5, 4), 1..=2]), []);
    }
}
