//! Positions answered by theorems on families of games: `S(1,2,999999999)` is one of the games
//! `S(1,2,h)`.
//!
//! For a subtraction game on one heap the theorem on its family is found, proved and checked at the
//! first question about the family. For NIM with Cash a data file has the forms ([`FORMS`]). A form
//! without a source is proved and checked first. Of one with a source the certificate is checked,
//! if there is one ([`PROOFS`]); if not, the answer rests on the source.

use crate::answer::Answer;
use crate::parametric::{ParametricSettled, parametric_theorem, settle_parametric};
use crate::parametric_game::parametric_game;
use bouton_certificate::{Header, SealedCertificate};
use bouton_core::clock::Instant;
use bouton_core::{Arrange, Budget, HeapMoves, MoveText, Outcome, Play};
use bouton_engine::{Analysis, Evaluation, Game, Move};
use bouton_games::{THEORIES, replace_words};
use bouton_prover::parametric::{ParametricClaim, ParametricGame};
use bouton_theory::Justification;
use bouton_theory::checked::check_certificate;
use num_bigint::BigInt;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Forms of families of games; the file says how they are written.
const FORMS: &str = include_str!("../data/parametric-theorems.txt");

/// Certificates of forms, which `bouton prove` finds in some seconds each and `bouton check`
/// accepts.
const PROOFS: [&str; 4] = [
    include_str!("../data/proofs/cash-even.cert"),
    include_str!("../data/proofs/cash-even-next.cert"),
    include_str!("../data/proofs/cash-odd-next.cert"),
    include_str!("../data/proofs/cash-range.cert"),
];

/// The least great amount from which a family is asked: periods are short below.
const GREAT: u64 = 1000;
/// How far an amount may be from a multiple of the least great one.
const NEAR: i64 = 20;
/// The greatest such multiple.
const MAX_TIMES: i64 = 4;
/// A heap so great is asked of a theorem first, which knows no nim-value.
const MANY_TOKENS: u64 = 1 << 22;
/// The greatest of the fixed amounts of a family.
const MAX_FIXED: u64 = 30;
/// This many moves are listed.
const MAX_LISTED: usize = 64;
/// How long a theorem is sought.
const SOUGHT: Duration = Duration::from_secs(10);

/// A position: heap, or stones and purses. A purse that is unlimited is as good as one with a
/// dollar for each stone.
#[derive(Debug, Clone)]
struct Position {
    numbers: Vec<BigInt>,
    unlimited: Vec<bool>,
}

impl Position {
    /// Reads a position as people write it.
    fn read(game: &dyn Game, text: &str, count: usize) -> Option<Position> {
        match count {
            // A heap may be greater than the game's own positions hold.
            1 => Position::parse(text, count),
            _ => Position::parse(&game.normal_form(text).ok()?, count),
        }
    }

    /// Reads a position in its normal form, of this many numbers.
    fn parse(text: &str, count: usize) -> Option<Position> {
        let words: Vec<&str> = text.split(',').map(str::trim).collect();
        let unlimited: Vec<bool> = words.iter().map(|word| *word == "inf").collect();
        let number = |word: &str| -> Option<BigInt> {
            word.bytes().all(|c| c.is_ascii_digit()).then(|| word.parse().ok()).flatten()
        };
        let first = number(words.first()?)?;
        let numbers = words
            .iter()
            .map(|word| if *word == "inf" { Some(first.clone()) } else { number(word) });
        let numbers = numbers.collect::<Option<Vec<BigInt>>>()?;
        (numbers.len() == count).then_some(Position { numbers, unlimited })
    }

    /// Returns what taking this many leaves; `None` if that is not allowed.
    fn after(&self, taken: u64) -> Option<Position> {
        let taken = BigInt::from(taken);
        let paid = self.numbers.iter().take(2).all(|number| *number >= taken);
        let left = paid.then(|| &self.numbers[0] - &taken)?;
        let [_, mover, other] = &self.numbers[..] else {
            return Some(Position { numbers: vec![left], unlimited: vec![false] });
        };
        let unlimited = vec![false, self.unlimited[2], self.unlimited[1]];
        Some(Position { numbers: vec![left, other.clone(), mover - taken], unlimited })
    }

    fn text(&self) -> String {
        let words = self.numbers.iter().zip(&self.unlimited);
        let words =
            words.map(|(number, inf)| if *inf { "inf".to_owned() } else { number.to_string() });
        words.collect::<Vec<_>>().join(",")
    }
}

/// What is known of a family, for the values of one game.
#[derive(Debug, Clone)]
struct FamilyTheorem {
    claim: ParametricClaim,
    values: Vec<BigInt>,
    by: Justification,
}

impl FamilyTheorem {
    fn is_p(&self, position: &Position) -> Option<bool> {
        self.claim.holds(&self.values, &position.numbers)
    }
}

/// Returns whether a position is so great that a theorem on its family is asked before all else: a
/// heap of which no values are computed, or many stones of which many may be taken.
pub(crate) fn comes_first(game: &dyn Game, position: &str) -> bool {
    let Some((set, count)) = amounts(game) else { return false };
    let Some(position) = Position::read(game, position, count) else { return false };
    let least = if count == 1 { MANY_TOKENS } else { 10 * GREAT };
    set.last().is_some_and(|most| *most >= GREAT) && position.numbers[0] >= BigInt::from(least)
}

/// Returns what is proved of a position by a theorem on a family that its game is one of; `None`
/// where that is nothing, or play is over.
pub(crate) fn answer(
    game: &dyn Game,
    position: &str,
    play: Play,
    budget: &Budget,
) -> Option<Answer> {
    let started = Instant::now();
    if play != Play::Normal || !game.rule_files().is_empty() {
        return None;
    }
    let (set, count) = amounts(game)?;
    let position = Position::read(game, position, count)?;
    let options: Vec<(u64, Position)> =
        set.iter().filter_map(|taken| Some((*taken, position.after(*taken)?))).collect();
    if options.is_empty() {
        return None;
    }
    let theorem = theorem(&set, count, budget)?;
    let is_p = theorem.is_p(&position)?;
    let mut moves = Vec::new();
    for (taken, option) in &options {
        let outcome = if theorem.is_p(option)? { Outcome::P } else { Outcome::N };
        moves.push(Move {
            to: option.text(),
            text: match count {
                1 => MoveText::Change(format!("heap 1: {} → {}", position.text(), option.text())),
                _ => MoveText::Words(format!("take {taken}")),
            },
            evaluation: Evaluation { outcome: Some(outcome), ..Evaluation::default() },
            brings: None,
        });
    }
    // Outcomes of options that contradict that of the position: the theorem is not used.
    let wins = moves.iter().any(|one| one.evaluation.outcome == Some(Outcome::P));
    if wins == is_p {
        return None;
    }
    // Of many moves only one is listed, which wins if one does.
    if moves.len() > MAX_LISTED {
        let best = moves.iter().position(|one| one.evaluation.outcome == Some(Outcome::P));
        moves = vec![moves.swap_remove(best.unwrap_or(0))];
    }
    let outcome = if is_p { Outcome::P } else { Outcome::N };
    let evaluation = Evaluation { outcome: Some(outcome), ..Evaluation::default() };
    let analysis = Analysis {
        seconds: started.elapsed().as_secs_f64(),
        ..Analysis::without_search(position.text(), evaluation, moves)
    };
    Some(Answer { analysis, by: theorem.by, moves: Some(options.len().into()), ignored: None })
}

/// Returns what may be taken, ascending, of a game of which a family may be asked, and how many
/// numbers a position has.
fn amounts(game: &dyn Game) -> Option<(Vec<u64>, usize)> {
    if let Some(HeapMoves::Take(set)) = game.heap_moves() {
        return Some((set, 1)).filter(|(set, _)| set.last().is_some_and(|most| *most >= GREAT));
    }
    THEORIES.iter().find_map(|theory| theory.amounts(game)).map(|set| (set, 3))
}

/// Theorems by what may be taken, and the count of a position's numbers; `None`: none is found.
type FoundTheorems = BTreeMap<(Vec<u64>, usize), Option<FamilyTheorem>>;

/// Those that were found in this process.
static FOUND: Mutex<FoundTheorems> = Mutex::new(BTreeMap::new());

/// Returns the theorem on a family that has the game of this set.
fn theorem(set: &[u64], count: usize, budget: &Budget) -> Option<FamilyTheorem> {
    let key = (set.to_vec(), count);
    let known = || FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known().get(&key) {
        return found.clone();
    }
    let search = Budget { nodes: None, ..budget.within(SOUGHT) };
    let found = if count == 1 { of_one_heap(set, &search) } else { with_cash(set, &search) };
    // A search that the request's own budget ended says nothing of the next request.
    if found.is_some() || budget.interrupted().is_none() {
        known().insert(key, found.clone());
    }
    found
}

/// Finds, proves and checks a theorem on a family of subtraction games.
fn of_one_heap(set: &[u64], budget: &Budget) -> Option<FamilyTheorem> {
    for game in families(set) {
        let Ok(game) = parametric_game(&game) else { continue };
        let Some(values) = values(&game, set) else { continue };
        if let Some((claim, certificate)) = parametric_theorem(&game, &values, budget) {
            let by = Justification::Theorem {
                statement: statement(&claim, &game, &values),
                certificate: certificate.hash().to_owned(),
            };
            return Some(FamilyTheorem { claim, values: numbers(&values), by });
        }
    }
    None
}

/// Looks up the form of a family of games with purses.
fn with_cash(set: &[u64], budget: &Budget) -> Option<FamilyTheorem> {
    for form in forms() {
        let Some(values) = values(&form.game, set).filter(|values| form.claim.is_of(values)) else {
            continue;
        };
        let by = match &form.source {
            Some(source) => {
                let statement = format!("{source}; here {}", here(&form.game, &values));
                match form
                    .proof()
                    .filter(|proof| matches!(check_certificate(proof.as_str(), budget), Ok(Ok(_))))
                {
                    Some(proof) => {
                        Justification::Theorem { statement, certificate: proof.hash().to_owned() }
                    }
                    None => Justification::Literature(statement),
                }
            }
            None => {
                let ParametricSettled::Proved(certificate) = settle_parametric(&form.claim, budget)
                else {
                    continue;
                };
                Justification::Theorem {
                    statement: statement(&form.claim, &form.game, &values),
                    certificate: certificate.hash().to_owned(),
                }
            }
        };
        return Some(FamilyTheorem { claim: form.claim.clone(), values: numbers(&values), by });
    }
    None
}

fn numbers(values: &[i64]) -> Vec<BigInt> {
    values.iter().map(|value| BigInt::from(*value)).collect()
}

/// Writes a claim, and for which values it is used.
fn statement(claim: &ParametricClaim, game: &ParametricGame, values: &[i64]) -> String {
    format!("{} {}; here {}", game.name(), claim.statement(), here(game, values))
}

fn here(game: &ParametricGame, values: &[i64]) -> String {
    let each =
        game.parameters().iter().zip(values).map(|(name, value)| format!("{name} = {value}"));
    each.collect::<Vec<_>>().join(", ")
}

/// Returns the names of families that a set may be one of: ranges, and fixed amounts with others
/// that are near multiples of a great one.
fn families(set: &[u64]) -> Vec<String> {
    let (Some(least), Some(most)) = (set.first(), set.last()) else { return Vec::new() };
    if set.len() > 1 && (most - least) as usize + 1 == set.len() {
        return vec![if *least == 1 { "S(1..M)".into() } else { "S(L..M)".into() }];
    }
    // The widest gap parts fixed amounts from great ones.
    let mut gaps: Vec<usize> = (1..set.len()).filter(|at| set[*at] / set[*at - 1] >= 4).collect();
    gaps.arrange_by_key(|at| std::cmp::Reverse(set[*at] / set[*at - 1]));
    gaps.push(0);
    let mut all = Vec::new();
    for gap in gaps {
        let mut items: Vec<String> = set[..gap].iter().map(u64::to_string).collect();
        let Ok(great) = i64::try_from(set[gap]) else { continue };
        if great < 4 * NEAR || set[..gap].iter().any(|fixed| *fixed > MAX_FIXED) {
            continue;
        }
        let near = set[gap..].iter().map(|amount| {
            let amount = i64::try_from(*amount).ok()?;
            let times = (amount + great / 2) / great;
            let over = amount - times * great;
            if !(1..=MAX_TIMES).contains(&times) || over.abs() > NEAR {
                return None;
            }
            let mut text = if times == 1 { "h".to_owned() } else { format!("{times}*h") };
            if over != 0 {
                // Writing into a string does not fail.
                let _ = write!(text, "{over:+}");
            }
            Some(text)
        });
        if let Some(near) = near.collect::<Option<Vec<_>>>() {
            items.extend(near);
            all.push(format!("S({})", items.join(",")));
        }
    }
    all
}

/// Returns values of the parameters, each an amount, for which the game has exactly this set.
fn values(game: &ParametricGame, set: &[u64]) -> Option<Vec<i64>> {
    let set: Vec<i64> =
        set.iter().map(|amount| i64::try_from(*amount).ok()).collect::<Option<_>>()?;
    let is_set = |values: &[i64]| game.amounts(values).is_some_and(|amounts| amounts == set);
    // Of a long range both ends are enough.
    let tried: Vec<i64> = match set[..] {
        [first, .., last] if set.len() > 8 => vec![first, last],
        _ => set.clone(),
    };
    match game.parameters().len() {
        1 => tried.iter().map(|one| vec![*one]).find(|values| is_set(values)),
        2 => Some(vec![*set.first()?, *set.last()?]).filter(|values| is_set(values)),
        _ => None,
    }
}

/// A form of the file.
#[derive(Debug)]
struct KnownForm {
    game: ParametricGame,
    claim: ParametricClaim,
    source: Option<String>,
}

impl KnownForm {
    /// Returns the certificate of this form, if there is one; it is still to be checked.
    fn proof(&self) -> Option<SealedCertificate> {
        let is_own = |proof: &&&str| {
            let header = Header::parse(proof);
            header.is_some_and(|own| {
                own.game == self.game.name() && own.claim == self.claim.statement()
            })
        };
        PROOFS.iter().find(is_own).and_then(|proof| SealedCertificate::read(*proof))
    }
}

/// Returns the forms of the file, which is read once.
fn forms() -> &'static [KnownForm] {
    static READ: OnceLock<Vec<KnownForm>> = OnceLock::new();
    READ.get_or_init(|| {
        let (common, theorems) = FORMS.split_once("\ntheorem ").unwrap_or((FORMS, ""));
        theorems.split("\ntheorem ").filter_map(|own| read_form(common, own, &[])).collect()
    })
}

/// Returns the published forms of a family, each with its source and its certificate, if there is
/// one, which is still to be checked.
pub(crate) fn published_forms(
    game: &str,
) -> impl Iterator<Item = (&'static ParametricClaim, &'static str, Option<SealedCertificate>)> {
    forms().iter().filter(move |form| form.game.name() == game).map(|form| {
        let source = form.source.as_deref().unwrap_or(OWN);
        (&form.claim, source, form.proof())
    })
}

/// Returns the published form of a family under a condition, with other meanings of some names
/// instead of its own, and its certificate, if there is one, which is still to be checked; `None`
/// if there is no such form, or none with these names.
pub(crate) fn published_form(
    game: &str,
    condition: &str,
    instead: &[[String; 2]],
) -> Option<(ParametricClaim, Option<SealedCertificate>)> {
    let (common, theorems) = FORMS.split_once("\ntheorem ")?;
    let read = theorems.split("\ntheorem ").filter_map(|own| read_form(common, own, instead));
    let mut own =
        read.filter(|form| form.game.name() == game && form.claim.condition() == condition);
    own.next().map(|form| (form.claim.clone(), form.proof()))
}

/// The source of forms without one.
const OWN: &str = "a form that comes with the program";

/// What names stand for, and the condition under which they do.
type Case = (String, Vec<(String, String)>);

/// Reads a form: the name of its game, then its lines, some names of which stand for something else
/// instead; `None` if that is no form.
fn read_form(common: &str, own: &str, instead: &[[String; 2]]) -> Option<KnownForm> {
    let (name, lines) = own.split_once('\n')?;
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let (mut condition, mut source, mut form) = (None, None, None);
    let mut lists: Vec<Vec<Case>> = Vec::new();
    let mut begins = true;
    let pair = |text: &str| {
        text.split_once(" = ").map(|(a, b)| (a.trim().to_owned(), b.trim().to_owned()))
    };
    for line in common
        .lines()
        .chain(lines.lines())
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "for" => condition = Some(rest),
            "source" => source = Some(rest.to_owned()),
            "form" => form = Some(rest),
            "let" => names.extend([pair(rest)?]),
            "or" => begins = true,
            "case" => {
                if std::mem::take(&mut begins) {
                    lists.push(Vec::new());
                }
                let (when, says) = rest.split_once(": ")?;
                let says = says.split("; ").map(pair).collect::<Option<Vec<_>>>()?;
                lists.last_mut()?.push((when.to_owned(), says));
            }
            _ => return None,
        }
    }
    // One case of each list.
    let mut chosen: Vec<Case> = vec![(String::new(), Vec::new())];
    for list in &lists {
        let with = |(before, names): &Case, (when, says): &Case| {
            let both = if before.is_empty() {
                format!("({when})")
            } else {
                format!("{before} & ({when})")
            };
            (both, [&names[..], &says[..]].concat())
        };
        chosen =
            chosen.iter().flat_map(|one| list.iter().map(move |case| with(one, case))).collect();
    }
    let form = form?;
    let whole = chosen.into_iter().map(|(when, says)| {
        let mut names = names.clone();
        names.extend(says);
        for [name, text] in instead {
            names.insert(name.clone(), text.clone())?;
        }
        let text = if when.is_empty() { form.to_owned() } else { format!("{when} & ({form})") };
        written_out(&text, &names, 0)
    });
    let whole = whole.collect::<Option<Vec<_>>>()?.join(" | ");
    let game = parametric_game(name).ok()?;
    let claim = ParametricClaim::parse(&game, condition?, &whole).ok()?;
    Some(KnownForm { game, claim, source })
}

/// Replaces names by what they stand for, in parentheses; `None` if they stand for each other.
fn written_out(text: &str, names: &BTreeMap<String, String>, depth: usize) -> Option<String> {
    if depth > 20 {
        return None;
    }
    let mut is_cyclic = false;
    let all = replace_words(text, |word| {
        let meant = written_out(names.get(word)?, names, depth + 1);
        is_cyclic |= meant.is_none();
        Some(format!("({})", meant?))
    });
    (!is_cyclic).then_some(all)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]
    use super::*;

    /// Returns whether positions up to these numbers are P, by the rules alone.
    fn play(set: &[u64], stones: usize, purse: usize) -> Vec<Vec<Vec<bool>>> {
        let mut all: Vec<Vec<Vec<bool>>> = Vec::new();
        for n in 0..=stones {
            let mut rows = Vec::new();
            for d in 0..=purse {
                let wins = |e: usize| {
                    let mut taken =
                        set.iter().map(|taken| *taken as usize).filter(|t| *t <= n.min(d));
                    taken.any(|t| all[n - t][e][d - t])
                };
                rows.push((0..=purse).map(|e| !wins(e)).collect());
            }
            all.push(rows);
        }
        all
    }

    /// Every form of the file, with every value of its letters up to 7: all positions.
    #[test]
    fn forms_agree_with_play() {
        assert_eq!(forms().len(), FORMS.matches("\ntheorem ").count());
        let mut games = 0;
        for form in forms() {
            let most = if form.game.parameters().len() == 2 { 5 } else { 7 };
            for first in 1..=most {
                for second in first..=if form.game.parameters().len() == 2 { most } else { first } {
                    let values = &[first, second][..form.game.parameters().len()];
                    if !form.claim.is_of(values) {
                        continue;
                    }
                    let set: Vec<u64> = form
                        .game
                        .amounts(values)
                        .unwrap()
                        .iter()
                        .map(|amount| *amount as u64)
                        .collect();
                    let period = (*set.last().unwrap() + set[0]) as usize;
                    let stones = (4 * period).min(36);
                    let table = play(&set, stones, stones);
                    for (n, rows) in table.iter().enumerate() {
                        for (d, row) in rows.iter().enumerate() {
                            for (e, is_p) in row.iter().enumerate() {
                                let position = [n as i64, d as i64, e as i64];
                                assert_eq!(
                                    form.claim.holds(values, &position),
                                    Some(*is_p),
                                    "{} {values:?} {position:?}",
                                    form.game.name()
                                );
                            }
                        }
                    }
                    games += 1;
                }
            }
        }
        assert!(games >= 25, "{games}");
    }

    /// Each certificate is that of a form, and accepted; each form with a source has one.
    #[test]
    fn proofs_of_forms() {
        let mut without = Vec::new();
        let mut with = 0;
        for form in forms().iter().filter(|form| form.source.is_some()) {
            match form.proof() {
                None => without.push(form.game.name()),
                Some(proof) => {
                    let accepted = bouton_check::check(proof.as_str()).unwrap();
                    assert_eq!(accepted.claim, form.claim.statement());
                    assert_eq!(accepted.game, form.game.name());
                    with += 1;
                }
            }
        }
        assert_eq!((with, without), (PROOFS.len(), Vec::<&str>::new()));
    }

    /// Makes the certificates anew: `cargo test -p bouton-study -- --ignored proofs_anew`.
    #[test]
    #[ignore = "writes files"]
    fn proofs_anew() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/proofs/");
        let cash = |form: &&KnownForm| form.source.is_some();
        let names = ["cash-even", "cash-even-next", "cash-odd-next", "cash-range"];
        for (form, name) in forms().iter().filter(cash).zip(names) {
            let ParametricSettled::Proved(proof) =
                settle_parametric(&form.claim, &Budget::default())
            else {
                panic!("{}", form.claim.statement())
            };
            std::fs::write(format!("{folder}{name}.cert"), proof.as_str()).unwrap();
        }
    }

    #[test]
    fn families_of_sets() {
        assert_eq!(families(&[1, 2, 999_999_999]), ["S(1,2,h)"]);
        assert_eq!(families(&[1, 4000, 4001]), ["S(1,h,h+1)"]);
        assert_eq!(families(&[1, 4000, 7999]), ["S(1,h,2*h-1)"]);
        let range: Vec<u64> = (5..=4000).collect();
        assert_eq!(families(&range), ["S(L..M)"]);
        for (set, game) in [(&[1, 4000, 7999][..], "S(1,h,2*h-1)"), (&range, "S(L..M)")] {
            let game = parametric_game(game).unwrap();
            let values = values(&game, set).unwrap();
            let amounts: Vec<u64> =
                game.amounts(&values).unwrap().iter().map(|amount| *amount as u64).collect();
            assert_eq!(amounts, set);
        }
    }
}
