//! NIM with Cash: take a stones from one pile and pay a dollars, a in a fixed set A; each player has a purse.
//!
//! Source: W. Gasarch, J. Purtilo, D. Ulrich, *NIM with Cash*, Def. 1.6. The players' moves differ with their
//! purses, so there are outcomes but no nim-values.

use crate::family::{Example, Family, head, list, positive_set};
use bouton_rules::{
    Board, Digits, HeapGame, Moves, Notation, NotationError, Outcome, Play, Ruleset, Scanner, Symmetry,
    Windows,
};
use bouton_solve::game::{ByOutcome, Game, How, Judge, Judgement, Kind, judged};
use bouton_solve::{Meter, Spent, cash};
use std::ops::ControlFlow::{self, Continue};

/// This family in the list.
pub const FAMILY: Family = Family {
    name: "nim-with-cash",
    notation: "NIM(a,…;n;d,e) with numbers n, d, e (inf: unlimited), or the letters",
    about: "take a stones from one pile and pay a dollars, a in A",
    source: "Gasarch, Purtilo, Ulrich, NIM with Cash, Def. 1.6",
    examples: &[Example::new("NIM(1,3,4;14;9,9)", ""), Example::new("NIM(1,3,4;n;d,e)", "14,inf,10")],
    // With purses NIM(…;n;d,e), without NIM(…;n).
    claims: |text| head(text) == "NIM" && text.matches(';').count() >= 2,
    parse,
};

/// NIM(A;n;d,e).
#[derive(Debug, Clone)]
pub struct Cash {
    /// What may be taken, ascending, at least 1.
    pub set: Vec<u64>,
    start: Option<Table>,
}

/// Stones left, and both purses; `None` is unlimited money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Table {
    /// Stones left.
    pub stones: u64,
    /// Dollars of the player about to move.
    pub mover: Option<u64>,
    /// Dollars of the other player.
    pub other: Option<u64>,
}

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner = Scanner::new(text, "NIM(1,3,4;14;9,9) or NIM(1,3,4;n;d,e); inf for an unlimited purse");
    scanner.expect("NIM")?;
    scanner.expect("(")?;
    let set = positive_set(&mut scanner, "a number to take", u64::MAX)?;
    scanner.expect(";")?;
    let start = if scanner.eat("n") {
        scanner.expect(";")?;
        scanner.expect("d")?;
        scanner.expect(",")?;
        scanner.expect("e")?;
        None
    } else {
        let stones = scanner.number("the number of stones", u64::MAX)?;
        scanner.expect(";")?;
        let mover = purse(&mut scanner)?;
        scanner.expect(",")?;
        Some(Table { stones, mover, other: purse(&mut scanner)? })
    };
    scanner.expect(")")?;
    scanner.finish()?;
    Ok(judged::<_, ByInvariant>(Cash { set, start }))
}

fn purse(scanner: &mut Scanner<'_>) -> Result<Option<u64>, NotationError> {
    if scanner.eat("inf") || scanner.eat("∞") {
        return Ok(None);
    }
    scanner.number("a purse", u64::MAX).map(Some)
}

fn print_purse(purse: Option<u64>) -> String {
    purse.map_or("inf".into(), |dollars| dollars.to_string())
}

impl Ruleset for Cash {
    type Position = Table;

    fn options<B>(&self, p: &Table, mut visit: impl FnMut(Table) -> ControlFlow<B>) -> ControlFlow<B> {
        let most = p.mover.map_or(p.stones, |dollars| dollars.min(p.stones));
        for taken in self.set.iter().take_while(|taken| **taken <= most) {
            let left = p.mover.map(|dollars| dollars - taken);
            visit(Table { stones: p.stones - taken, mover: p.other, other: left })?;
        }
        Continue(())
    }

    fn rank(&self, p: &Table) -> u64 {
        p.stones
    }

    fn turned(&self, p: Table) -> Table {
        Table { mover: p.other, other: p.mover, ..p }
    }
}

impl Notation for Cash {
    fn name(&self) -> String {
        let set = list(&self.set);
        match self.start {
            None => format!("NIM({set};n;d,e)"),
            Some(p) => format!("NIM({set};{};{},{})", p.stones, print_purse(p.mover), print_purse(p.other)),
        }
    }

    fn describe(&self) -> String {
        format!(
            "Take a stones from the pile and pay a dollars from your own purse, a in {{{}}}.",
            list(&self.set)
        )
    }

    fn position_form(&self) -> String {
        "stones, the mover's dollars, the other's dollars, e.g. 14,9,9 (inf: unlimited)".into()
    }

    fn read(&self, text: &str) -> Result<Table, NotationError> {
        let mut scanner = Scanner::new(text, self.position_form());
        let comma = |scanner: &mut Scanner<'_>| if scanner.eat(";") { Ok(()) } else { scanner.expect(",") };
        let stones = scanner.number("the number of stones", u64::MAX)?;
        comma(&mut scanner)?;
        let mover = purse(&mut scanner)?;
        comma(&mut scanner)?;
        let other = purse(&mut scanner)?;
        scanner.finish()?;
        Ok(Table { stones, mover, other })
    }

    fn print(&self, p: &Table) -> String {
        format!("{},{},{}", p.stones, print_purse(p.mover), print_purse(p.other))
    }

    fn start(&self) -> Option<Table> {
        self.start
    }

    fn positions_up_to<B>(
        &self,
        max: u32,
        mut visit: impl FnMut(Table) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        Some(crate::rings::boxed(3, 0, max, |p| {
            let [stones, mover, other] = [p[0], p[1], p[2]].map(u64::from);
            visit(Table { stones, mover: Some(mover), other: Some(other) })
        }))
    }

    fn heap_game(&self) -> Option<HeapGame> {
        let paid: Vec<String> =
            self.set.iter().map(|a| format!("q0+{a} = p0 & q1 = p2 & q2+{a} = p1")).collect();
        // The other player moves next: his purse comes first.
        let turned = Some(vec![0, 2, 1]);
        Some(HeapGame {
            heaps: 3,
            symmetry: Symmetry::None,
            shrinks: false,
            moves: Moves { windows: Windows::Any(3), condition: Some(paid.join(" | ")), turned },
            digits: Digits::Binary,
        })
    }

    /// Unlimited purses count as the largest number.
    fn sizes(&self, p: &Table) -> Vec<u64> {
        vec![p.stones, p.mover.unwrap_or(u64::MAX), p.other.unwrap_or(u64::MAX)]
    }

    fn move_text(&self, p: &Table, q: &Table) -> String {
        format!("take {}", p.stones - q.stones)
    }

    fn board(&self, p: &Table) -> Board {
        Board::Purses { stones: p.stones, mover: p.mover, other: p.other }
    }
}

/// Judges in normal play by the invariant, in misère play by search.
struct ByInvariant {
    search: ByOutcome<Cash>,
    normal: bool,
}

impl Judge<Cash> for ByInvariant {
    const KIND: Kind = Kind::LastMove;

    fn new(rules: &Cash, how: &How) -> Self {
        ByInvariant { search: ByOutcome::new(rules, how), normal: how.play == Play::Normal }
    }

    fn judge(&mut self, rules: &Cash, p: &Table, meter: &mut Meter) -> Result<Judgement, Spent> {
        if !self.normal {
            return self.search.judge(rules, p, meter);
        }
        let wins = cash::mover_wins(&rules.set, p.stones, p.mover, p.other, meter)?;
        let outcome = if wins { Outcome::N } else { Outcome::P };
        Ok(Judgement { outcome: Some(outcome), ..Judgement::default() })
    }
}
