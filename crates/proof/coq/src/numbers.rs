//! Statement and proof in numbers, in the order in which coq/Verify.v reads them, behind the lines
//! of the certificate that coq/Reading.v reads.

use crate::automatic::{Digits, ReadPositions};
use crate::board::Board;
use crate::cash::{CashCondition, CashValues};
use crate::data::DataText;
use crate::formula::{Formula, Term};
use crate::game::{Game, Reach, Symmetry};
use crate::kotzig::{TokenCircles, TokenPosition, TokenStatement};
use crate::laps::TokenLaps;
use crate::period::Sequence;
use crate::stuck::StuckClaim;

/// Stands before a statement that is proved by automata.
const BY_AUTOMATA: u64 = 99;

/// Stands before a proof of what the certificate's lines state, the statement being theirs.
pub const OF_THE_LINES: u64 = 98;

/// Stands before a statement on misère play in which players may be stuck.
const WHERE_STUCK: u64 = 97;

/// Returns a statement on a fixed number of heaps, and its proof.
pub fn fixed_heaps(game: &Game, board: &Board, order: Symmetry, data: &DataText) -> Vec<u64> {
    let mut all = DataText::default();
    all.heaps(board.is_misere, game, order, board.claim());
    [all.numbers(), data.numbers()].concat()
}

/// Returns a statement on a fixed number of heaps, and its proof by automata.
pub fn read_positions(read: &ReadPositions) -> Vec<u64> {
    let mut all = DataText::default();
    all.number(BY_AUTOMATA);
    if let Some(claim) = &read.claim {
        all.heaps(false, &read.game, read.order, claim);
    } else {
        all.number(if read.digits == Digits::Zeckendorf { 10 } else { 9 });
        all.game(&read.game);
    }
    if let Digits::Base(base) = read.digits {
        all.number(base);
    }
    all.rows(&read.positions);
    if read.claim.is_some() {
        all.rows(&read.formula);
    }
    all.list_of(&read.moves, |all, (length, rows)| {
        all.place(*length);
        all.rows(rows);
    });
    all.list_of(&read.sets, |all, (state, ways)| {
        let states = read.positions.len().max(1) as u64;
        if read.digits == Digits::Zeckendorf {
            all.number(state % states);
            all.number(state / states);
        } else {
            all.number(*state);
        }
        all.list_of(ways, |all, (window, moved, option)| {
            all.place(*window);
            all.number(*moved);
            all.number(*option);
        });
    });
    all.numbers().to_vec()
}

/// Returns a statement on heaps and numbers remembered, and its proof.
pub fn memory(board: &Board, data: &DataText) -> Vec<u64> {
    let mut all = DataText::default();
    all.memory(false, [board.heaps, board.memory], [&board.rule, board.claim()]);
    [all.numbers(), data.numbers()].concat()
}

/// Returns a statement on misère play in which players may be stuck, and its proof.
pub fn stuck(game: &Game, claim: &StuckClaim, data: &DataText) -> Vec<u64> {
    let mut all = DataText::default();
    all.number(WHERE_STUCK);
    if game.memory > 0 {
        all.memory(true, [game.heaps, game.memory], [&game.rule, &claim.claim]);
    } else {
        all.heaps(true, game, Symmetry::None, &claim.claim);
    }
    all.formula(&claim.stuck);
    [all.numbers(), data.numbers()].concat()
}

/// Returns a statement on circles of up to so many heaps, from which emptied heaps are removed, and
/// its proof.
pub fn shrinking_circles(
    is_misere: bool,
    [most, k]: [usize; 2],
    claims: &[Formula],
    data: &[DataText],
) -> Vec<u64> {
    let mut all = DataText::default();
    all.number(1);
    all.number(is_misere.into());
    all.place(k);
    all.place(most);
    all.list_of(claims, DataText::formula);
    std::iter::once(&all).chain(data).flat_map(DataText::numbers).copied().collect()
}

/// Returns a statement on the nim-values of a game of taking and breaking; its proof is computed.
pub fn period(sequence: &Sequence) -> Vec<u64> {
    let mut all = DataText::default();
    all.number(2);
    all.list_of(&sequence.code, |all, digit| all.number(*digit));
    all.place(sequence.period);
    all.place(sequence.preperiod);
    all.list_of(&sequence.values, |all, value| all.number(*value));
    all.numbers().to_vec()
}

/// Returns a statement on Kotzig's Nim on circles of every length, and its proof: the automata.
pub fn token_circles(circles: &TokenCircles) -> Vec<u64> {
    let mut all = token_statement(&circles.statement);
    all.number(0);
    all.list_of(&circles.classes, |all, class| {
        all.number(class.first);
        all.number(class.is_lost.into());
        let count = class.states.len() as u64;
        // States are counted from 0 here; behind the last is what is not there.
        let state = |next: u64| if next == 0 { count } else { next - 1 };
        all.list_of(&class.states, |all, (next, label)| {
            next.iter().for_each(|next| all.number(state(*next)));
            all.number(*label);
        });
    });
    all.numbers().to_vec()
}

/// Returns a statement on Kotzig's Nim on circles of every length, and its proof: the automata of
/// each lap.
pub fn token_laps(proof: &TokenLaps) -> Vec<u64> {
    let mut all = token_statement(&proof.statement);
    all.number(1);
    all.number(proof.from);
    all.number(proof.periodic_from);
    all.number(proof.period);
    all.list_of(&proof.laps, |all, lap| {
        all.list_of(&lap.tapes, |all, (next, ends)| {
            next.iter().for_each(|next| all.number(*next));
            all.number((*ends).into());
        });
        all.list_of(&lap.classes, |all, (next, (word, label))| {
            next.iter().for_each(|next| all.number(*next));
            all.number(*word);
            all.list_of(label, |all, letter| all.number(*letter));
        });
        all.list_of(&lap.words, |all, (next, said)| {
            next.iter().for_each(|next| all.number(*next));
            all.number(*said);
        });
    });
    all.numbers().to_vec()
}

/// Returns a statement on Kotzig's Nim on circles of every length.
fn token_statement(statement: &TokenStatement) -> DataText {
    let mut all = DataText::default();
    all.number(3);
    all.number(statement.is_misere.into());
    all.list_of(&statement.steps, |all, step| all.integer(*step));
    all.formula(&statement.claim);
    all
}

/// Returns a statement on one position of Kotzig's Nim, and its proof: the winner's steps.
pub fn token_position(position: &TokenPosition) -> Vec<u64> {
    let mut all = DataText::default();
    all.number(4);
    all.number(position.is_misere.into());
    all.list_of(&position.steps, |all, step| all.integer(*step));
    all.place(position.cells);
    all.places(&position.position);
    all.number(position.mover_wins.into());
    all.list_of(&position.book, |all, (cells, step)| {
        all.places(cells);
        all.integer(*step);
    });
    all.numbers().to_vec()
}

/// Returns a statement on all positions of NIM with Cash; its proof is computed.
pub fn cash_condition(condition: &CashCondition) -> Vec<u64> {
    let mut all = DataText::default();
    all.number(7);
    all.list_of(&condition.amounts, |all, amount| all.number(*amount));
    all.number(condition.least);
    match &condition.values {
        CashValues::Window { period, from, lines, rows } => {
            all.number(0);
            for (n, c) in [period, from] {
                all.number(*n);
                all.integer(*c);
            }
            all.list_of(lines, |all, (grows, rest)| {
                all.number((*grows).into());
                all.integer(*rest);
            });
            all.list_of(rows, |all, (again, values)| {
                all.number(*again);
                all.list_of(values, |all, value| all.integer(*value));
            });
        }
        CashValues::Words(first, paths) => {
            all.number(1);
            all.number(*first);
            all.list_of(paths, |all, path| {
                all.integer(path.start);
                all.number(path.goes_up.into());
                all.list_of(&path.pieces, |all, (steps, times)| {
                    all.list_of(steps, |all, is_up| all.number((*is_up).into()));
                    times.iter().for_each(|times| all.integer(*times));
                });
            });
        }
    }
    all.numbers().to_vec()
}

/// Returns the file: game and claim of the certificate, and the numbers.
pub fn file(game: &str, claim: &str, numbers: &[u64]) -> String {
    /// The numbers of a line.
    const LINE: usize = 24;
    let mut text = format!("bouton proof 1\ngame: {game}\nclaim: {claim}\n");
    for line in numbers.chunks(LINE) {
        text += &line.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        text.push('\n');
    }
    text
}

impl DataText {
    /// Writes a statement on a fixed number of heaps.
    fn heaps(&mut self, is_misere: bool, game: &Game, order: Symmetry, claim: &Formula) {
        self.number(0);
        self.number(is_misere.into());
        self.game(game);
        self.order(order);
        self.formula(claim);
    }

    /// Writes a statement on heaps and numbers remembered: so many numbers in all, and so many
    /// remembered; the rule and the claim.
    fn memory(
        &mut self,
        is_misere: bool,
        [numbers, memory]: [usize; 2],
        [rule, claim]: [&Formula; 2],
    ) {
        self.number(8);
        self.number(is_misere.into());
        self.place(numbers - memory);
        self.place(numbers);
        self.formula(rule);
        self.formula(claim);
    }

    /// Writes the states of an automaton.
    fn rows(&mut self, rows: &[Vec<u64>]) {
        self.list_of(rows, |all, row| all.list_of(row, |all, number| all.number(*number)));
    }

    /// Writes the number of heaps, the windows and what else holds of a move.
    fn game(&mut self, game: &Game) {
        self.place(game.heaps);
        match game.reach {
            Reach::Neighbours(k) => {
                self.number(0);
                self.place(k);
            }
            Reach::AnyOf(k) => {
                self.number(1);
                self.place(k);
            }
            Reach::OneOf => {
                self.number(2);
                self.list_of(&game.windows, |all, window| all.places(window));
            }
        }
        self.formula(&game.rule);
    }

    /// Writes the orders of the heaps in which a claim is read.
    fn order(&mut self, order: Symmetry) {
        self.number(match order {
            Symmetry::None => 0,
            Symmetry::Ring => 1,
            Symmetry::Full => 2,
        });
    }

    fn term(&mut self, term: &Term) {
        let mut two = |tag: u64, a: &Term, b: &Term| {
            self.number(tag);
            self.term(a);
            self.term(b);
        };
        match term {
            Term::Plus(a, b) => two(2, a, b),
            Term::Xor(a, b) => two(4, a, b),
            Term::Min(a, b) => two(5, a, b),
            Term::Max(a, b) => two(6, a, b),
            Term::Number(k) => {
                self.number(0);
                self.number(*k);
            }
            Term::Heap(i) => {
                self.number(1);
                self.place(*i);
            }
            Term::DigitSum(modulus, heaps) => {
                self.number(9);
                self.number((*modulus).into());
                self.places(heaps);
            }
            Term::Times(k, a) | Term::Quotient(a, k) | Term::Remainder(a, k) => {
                self.number(match term {
                    Term::Times(..) => 3,
                    Term::Quotient(..) => 7,
                    _ => 8,
                });
                self.number(*k);
                self.term(a);
            }
        }
    }

    /// Writes a formula.
    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Known(value) => self.number((*value).into()),
            Formula::Equal(a, b) | Formula::AtMost(a, b) | Formula::Less(a, b) => {
                self.number(match formula {
                    Formula::Equal(..) => 2,
                    Formula::AtMost(..) => 3,
                    _ => 4,
                });
                self.term(a);
                self.term(b);
            }
            Formula::Not(f) => {
                self.number(5);
                self.formula(f);
            }
            Formula::And(f, g) | Formula::Or(f, g) => {
                self.number(if matches!(formula, Formula::And(..)) { 6 } else { 7 });
                self.formula(f);
                self.formula(g);
            }
            Formula::Exists(i, f) => {
                self.number(8);
                self.place(*i);
                self.formula(f);
            }
        }
    }
}
