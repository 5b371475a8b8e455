//! NIM with Cash: the players take a stones from one pile and pay a dollars, a in a fixed set A;
//! each player has a purse.
//!
//! Source: W. Gasarch, J. Purtilo, D. Ulrich, *NIM with Cash*, Def. 1.6. The players' moves differ
//! with their purses, so there are outcomes but no nim-values. Numbers may have thousands of
//! digits: `10^40` is accepted.

use crate::condition::Condition;
use crate::invariant;
use bouton_core::{
    Appearance, Board, Coordinates, Digits, HeapGame, Heaps, LimitReached, MAX_NUMBER, Meter,
    MoveText, Moves, Node, Notation, NotationError, Outcome, Play, Ruleset, Scanner, Symmetry,
    Term, Windows, WrittenNumber, positions_in_box,
};
use bouton_engine::family::{
    Example, Family, Reference, ReferenceKind, joined_by_or, list, name_prefix, positive_set,
};
use bouton_engine::game::{ByOutcome, Evaluation, Evaluator, Game, Kind, Settings, with_evaluator};
use num_bigint::BigUint;
use std::ops::ControlFlow::{self, Continue};

/// The entry of this family in the catalogue.
pub const FAMILY: Family = Family {
    name: "nim-with-cash",
    notation: "NIM(a,…;n;d,e) with numbers n, d, e (inf: unlimited), or the letters, or NIM(a,…)",
    about: "take a stones from one pile and pay a dollars, a in A",
    title: "Nim with Cash",
    sentence: "Every stone costs a dollar. Run out of stones or of money, and you lose.",
    opening: Example::new("NIM(1,3,4;14;9,9)", ""),
    source: "Gasarch, Purtilo, Ulrich, NIM with Cash, Def. 1.6",
    reference: Reference {
        kind: ReferenceKind::Other,
        key: "nim-with-cash",
        author: "William Gasarch and James Purtilo and Douglas Ulrich",
        title: "NIM with Cash",
        place: "",
        year: "",
    },
    examples: &[
        Example::new("NIM(1,3,4;14;9,9)", ""),
        Example::new("NIM(1,3,4;n;d,e)", "14,inf,10"),
    ],
    // With purses NIM(…;n;d,e) or NIM(…), without NIM(…;n).
    claims: |text| name_prefix(text) == "NIM" && text.matches(';').count() != 1,
    parse,
};

/// The game NIM(A;n;d,e).
#[derive(Debug, Clone)]
pub struct Cash {
    /// The set A: ascending, members at least 1.
    pub set: Vec<u64>,
    start: Option<CashPosition>,
}

/// A position: the stones left, and both purses; `None` is unlimited money.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CashPosition {
    /// The stones left.
    pub stones: BigUint,
    /// The dollars of the player to move.
    pub mover: Option<BigUint>,
    /// The dollars of the other player.
    pub other: Option<BigUint>,
}

/// The greatest number of digits of a number.
const MAX_DIGITS: usize = 10_000;

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    Ok(Cash::parse(text)?.game())
}

impl Cash {
    /// Returns the game without a start of its own; the numbers that may be taken ascend and are at
    /// least 1.
    pub(crate) fn new(set: Vec<u64>) -> Cash {
        Cash { set, start: None }
    }

    /// Returns the game as a trait object.
    pub fn game(self) -> Box<dyn Game> {
        with_evaluator::<_, CashEvaluator>(self)
    }

    /// Reads NIM(A;n;d,e), with letters or numbers; NIM(A) has the letters.
    pub fn parse(text: &str) -> Result<Cash, NotationError> {
        let mut scanner =
            Scanner::new(text, "NIM(1,3,4;14;9,9) or NIM(1,3,4;n;d,e); inf for an unlimited purse");
        scanner.expect("NIM")?;
        scanner.expect("(")?;
        let set = positive_set(&mut scanner, "a number to take", u64::MAX)?;
        if scanner.eat(")") {
            scanner.finish()?;
            return Ok(Cash { set, start: None });
        }
        scanner.expect(";")?;
        let start = if scanner.eat("n") {
            scanner.expect(";")?;
            scanner.expect("d")?;
            scanner.expect(",")?;
            scanner.expect("e")?;
            None
        } else {
            let stones = amount(&mut scanner, "the number of stones")?;
            scanner.expect(";")?;
            let mover = purse(&mut scanner)?;
            scanner.expect(",")?;
            Some(CashPosition { stones, mover, other: purse(&mut scanner)? })
        };
        scanner.expect(")")?;
        scanner.finish()?;
        Ok(Cash { set, start })
    }
}

/// Reads a number or a power: `144`, `10^40`, `1e40`.
fn amount(scanner: &mut Scanner<'_>, what: &str) -> Result<BigUint, NotationError> {
    let start = scanner.at();
    let written = scanner.written(what)?;
    value(&written).ok_or_else(|| {
        let at = start..start + written.length;
        scanner.error(at, format!("{what} can have at most {MAX_DIGITS} digits"))
    })
}

/// Returns the value of a number; `None` if it has more than [`MAX_DIGITS`] digits.
fn value(written: &WrittenNumber<'_>) -> Option<BigUint> {
    let significant = |digits: &str| digits.trim_start_matches('0').len();
    let (factor, base) = (significant(written.factor), significant(written.base));
    let number = |digits: &str| BigUint::parse_bytes(digits.as_bytes(), 10);
    if factor > MAX_DIGITS || base > MAX_DIGITS {
        return None;
    }
    let (factor, base) = (number(written.factor)?, number(written.base)?);
    if factor == BigUint::ZERO {
        return Some(factor);
    }
    let most_bits = MAX_DIGITS as u64 * 3322 / 1000;
    // base^exponent ≥ 2^(exponent · (bits of base − 1)): checked before it is computed.
    if u64::from(written.exponent) * base.bits().saturating_sub(1) > most_bits {
        return None;
    }
    let value = factor * base.pow(written.exponent);
    (value.bits() <= most_bits).then_some(value)
}

fn purse(scanner: &mut Scanner<'_>) -> Result<Option<BigUint>, NotationError> {
    if scanner.eat("inf") || scanner.eat("∞") {
        return Ok(None);
    }
    amount(scanner, "a purse").map(Some)
}

fn print_purse(purse: Option<&BigUint>) -> String {
    purse.map_or("inf".into(), BigUint::to_string)
}

/// Returns the number, or the greatest u64.
fn clipped(number: &BigUint) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

impl Ruleset for Cash {
    type Position = CashPosition;

    fn options<B>(
        &self,
        p: &CashPosition,
        mut visit: impl FnMut(CashPosition) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let most = clipped(p.mover.as_ref().map_or(&p.stones, |dollars| dollars.min(&p.stones)));
        for taken in self.set.iter().take_while(|taken| **taken <= most) {
            let left = p.mover.as_ref().map(|dollars| dollars - taken);
            visit(CashPosition { stones: &p.stones - taken, mover: p.other.clone(), other: left })?;
        }
        Continue(())
    }

    fn rank(&self, p: &CashPosition) -> Option<u64> {
        u64::try_from(&p.stones).ok()
    }

    fn seen_by_opponent(&self, p: CashPosition) -> CashPosition {
        CashPosition { mover: p.other, other: p.mover, ..p }
    }
}

impl Notation for Cash {
    fn name(&self) -> String {
        let set = list(&self.set);
        match &self.start {
            None => format!("NIM({set};n;d,e)"),
            Some(p) => {
                let (mover, other) = (print_purse(p.mover.as_ref()), print_purse(p.other.as_ref()));
                format!("NIM({set};{};{mover},{other})", p.stones)
            }
        }
    }

    fn describe(&self) -> String {
        format!(
            "Take {} {} from the pile, and pay a dollar from your own purse for each.",
            joined_by_or(&self.set),
            if self.set == [1] { "stone" } else { "stones" }
        )
    }

    fn position_form(&self) -> String {
        "stones, the mover's dollars, the other's dollars, e.g. 14,9,9 or 10^40,10^39,7 (inf: \
         unlimited)"
            .into()
    }

    fn read(&self, text: &str) -> Result<CashPosition, NotationError> {
        let mut scanner = Scanner::new(text, self.position_form());
        let comma =
            |scanner: &mut Scanner<'_>| if scanner.eat(";") { Ok(()) } else { scanner.expect(",") };
        let stones = amount(&mut scanner, "the number of stones")?;
        comma(&mut scanner)?;
        let mover = purse(&mut scanner)?;
        comma(&mut scanner)?;
        let other = purse(&mut scanner)?;
        scanner.finish()?;
        Ok(CashPosition { stones, mover, other })
    }

    fn print(&self, p: &CashPosition) -> String {
        format!("{},{},{}", p.stones, print_purse(p.mover.as_ref()), print_purse(p.other.as_ref()))
    }

    fn start(&self) -> Option<CashPosition> {
        self.start.clone()
    }

    fn move_text(&self, p: &CashPosition, q: &CashPosition) -> MoveText {
        MoveText::Words(format!("take {}", &p.stones - &q.stones))
    }
}

impl Coordinates for Cash {
    fn positions_up_to<B>(
        &self,
        max: u32,
        mut visit: impl FnMut(CashPosition) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        Some(positions_in_box(3, max, |p: Heaps| {
            let [stones, mover, other] = [p[0], p[1], p[2]].map(BigUint::from);
            visit(CashPosition { stones, mover: Some(mover), other: Some(other) })
        }))
    }

    fn heap_game(&self) -> Option<HeapGame> {
        if self.set.iter().any(|a| *a > MAX_NUMBER) {
            return None;
        }
        let (before, after) = (Moves::size_before, Moves::size_after);
        let plus = |term: Term, a: u64| Term::Sum(vec![term, Term::Number(a)]);
        // A move subtracts the payment from the stones, and the purses change places.
        let paid = |a: &u64| {
            Node::all([
                plus(after(0), *a).equals(before(0)),
                after(1).equals(before(2)),
                plus(after(2), *a).equals(before(1)),
            ])
        };
        let moves = Moves::with_condition(Windows::Any(3), Node::any(self.set.iter().map(paid)));
        // The other player moves next: his purse comes first.
        let turned = Some(vec![0, 2, 1]);
        Some(HeapGame {
            heaps: 3,
            symmetry: Symmetry::None,
            shrinks: false,
            moves: Moves { permutation: turned, ..moves },
            digits: Digits::Binary,
        })
    }

    /// Returns `None`: unlimited purses have no number.
    fn sizes(&self, p: &CashPosition) -> Option<Vec<u64>> {
        [Some(&p.stones), p.mover.as_ref(), p.other.as_ref()]
            .into_iter()
            .map(|number| u64::try_from(number?).ok())
            .collect()
    }

    fn position(&self, sizes: &[u64]) -> Option<CashPosition> {
        let &[stones, mover, other] = sizes else { return None };
        Some(CashPosition {
            stones: stones.into(),
            mover: Some(mover.into()),
            other: Some(other.into()),
        })
    }
}

impl Appearance for Cash {
    fn board(&self, p: &CashPosition) -> Board {
        let purse = |purse: &Option<BigUint>| purse.as_ref().map(clipped);
        Board::Purses { stones: clipped(&p.stones), mover: purse(&p.mover), other: purse(&p.other) }
    }
}

/// The number of stones from which a condition for the whole game is sought and used.
const MANY_STONES: u64 = 1 << 20;

/// Evaluates positions: in normal play by the invariant or by a condition for the whole game, in
/// misère play by search.
struct CashEvaluator {
    search: ByOutcome<Cash>,
    normal: bool,
    /// The condition, once sought; the inner `None` means that none was found.
    condition: Option<Option<Condition>>,
}

impl Evaluator<Cash> for CashEvaluator {
    const KIND: Kind = Kind::LastMove;

    fn new(rules: &Cash, settings: &Settings) -> Self {
        let search = ByOutcome::new(rules, settings);
        CashEvaluator { search, normal: settings.play == Play::Normal, condition: None }
    }

    fn evaluate(
        &mut self,
        rules: &Cash,
        p: &CashPosition,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        if !self.normal {
            return self.search.evaluate(rules, p, meter);
        }
        let wins = self.mover_wins(rules, p, meter)?;
        let outcome = if wins { Outcome::N } else { Outcome::P };
        Ok(Evaluation { outcome: Some(outcome), ..Evaluation::default() })
    }
}

impl CashEvaluator {
    fn mover_wins(
        &mut self,
        rules: &Cash,
        p: &CashPosition,
        meter: &mut Meter,
    ) -> Result<bool, LimitReached> {
        let (mover, other) = (p.mover.as_ref(), p.other.as_ref());
        if let Some(wins) = invariant::money_decides(rules.set[0], &p.stones, mover, other) {
            return Ok(wins);
        }
        let stones = clipped(&p.stones);
        if stones > MANY_STONES {
            if self.condition.is_none() {
                self.condition = Some(Condition::find(&rules.set, meter)?);
            }
            if let Some(Some(condition)) = &self.condition {
                meter.spend_one()?;
                return Ok(condition.mover_wins(&p.stones, mover, other));
            }
            if stones == u64::MAX {
                return Err(LimitReached::NumbersTooLarge);
            }
        }
        // A purse as large as the number of stones is equivalent to unlimited money.
        let purse =
            |dollars: Option<&BigUint>| dollars.map(clipped).filter(|dollars| *dollars < stones);
        invariant::mover_wins(&rules.set, stones, purse(mover), purse(other), meter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_size_are_read_as_people_write_them() {
        let stones = |text: &str| Cash::parse(text).map(|game| game.start.unwrap().stones);
        let ten = BigUint::from(10u32);
        for (text, exponent) in [("10^40", 40), ("1e40", 40), ("100e38", 40), ("10^9999", 9999)] {
            assert_eq!(
                stones(&format!("NIM(1,2;{text};9,9)")).unwrap(),
                ten.pow(exponent),
                "{text}"
            );
        }
        for (text, small) in [("0e4000000000", 0), ("1^4000000000", 1), ("0^3", 0), ("7^0", 1)] {
            assert_eq!(
                stones(&format!("NIM(1,2;{text};9,9)")).unwrap(),
                BigUint::from(small as u32),
                "{text}"
            );
        }
        for text in ["10^10001", "10^4000000000", "1e20000", "-3"] {
            assert!(stones(&format!("NIM(1,2;{text};9,9)")).is_err(), "{text}");
        }
    }
}
