//! Games played in single heaps: their nim-sequences, the values of heaps, and how long play lasts;
//! what has a genus and a misère quotient.

use crate::single_heap_sums::{most_lowered, single_moves};
use bouton_core::{Budget, LimitReached, Meter, NotationError, Play};
use bouton_engine::game_graph::GameGraph;
use bouton_engine::remoteness::{self, Remoteness};
use bouton_engine::{Game, Kind, Settings};
use bouton_octal::code_of;
use bouton_octal::sequence::period::extend_until_period;
use bouton_octal::sequence::{Sequence, TakeAndBreakCode};

/// Returns the nim-sequence of a game's single heaps, of a rule file too if it takes fixed numbers
/// from one heap.
///
/// # Errors
/// If single heaps of the game have no nim-sequence.
pub fn single_heap_sequence(game: &dyn Game) -> Result<Sequence, NotationError> {
    let moves = single_moves(game).ok_or_else(|| {
        let text = &game.name();
        let form = "a code like 0.77 or 4!.0, kayles(K), dawson-kayles, grundy or S(s,…)";
        NotationError::new(
            text,
            0..text.len(),
            "no code says how single heaps of this game are played",
            form,
        )
    })?;
    Sequence::from_moves(&moves)
}

/// Appends the nim-values of single heaps 0..=`to` in normal play to `values`, by what is known of
/// the rules: Nim's values are the sizes; a sequence goes on by its period as soon as one is
/// proved; else heap by heap.
///
/// Returns `None` if the game has no single heaps or no nim-values.
///
/// # Errors
///
/// If the budget ends. The values so far are kept.
pub fn single_heap_values(
    game: &dyn Game,
    to: u32,
    budget: &Budget,
    values: &mut Vec<u32>,
) -> Option<Result<(), LimitReached>> {
    let len = to as usize + 1;
    let mut meter = Meter::new(budget);
    // The list is all that takes memory.
    let room = |meter: &mut Meter| meter.check_bytes(size_of::<u32>() as u64 * len as u64);
    if let Ok(mut sequence) = single_heap_sequence(game) {
        let extended =
            room(&mut meter).and_then(|()| extend_until_period(&mut sequence, len, &mut meter));
        let (period, limit) = match extended {
            Ok(period) => (period, None),
            Err(limit) => (None, Some(limit)),
        };
        let is_whole = sequence.list_values(values, period, len);
        return Some(match limit {
            Some(limit) => Err(limit),
            None if is_whole => Ok(()),
            None => Err(LimitReached::NumbersTooLarge),
        });
    }
    let single = most_lowered(game) == Some(1) && game.normal_form("0").is_ok();
    if single {
        return Some(room(&mut meter).map(|()| values.extend(0..=to)));
    }
    let mut session = game.session(Settings { budget: budget.clone(), ..Settings::default() });
    session.values(to, &mut |_, value| values.push(value.0))
}

/// Returns how long play lasts from a position, `None` if it is a draw without end; outside, `None`
/// if the game is won on points.
///
/// # Errors
///
/// If `position` is not a position; inside, if the budget ends.
pub fn remoteness_of(
    game: &dyn Game,
    position: &str,
    play: Play,
    budget: &Budget,
) -> Result<Option<Result<Option<Remoteness>, LimitReached>>, NotationError> {
    let found = remoteness_of_all(game, &[position.to_owned()], play, budget)?;
    Ok(found.map(|found| found.map(|found| found[0])))
}

/// How long play lasts from each of some positions, `None` of those that are draws without end.
pub type RemotenessOfAll = Result<Vec<Option<Remoteness>>, LimitReached>;

/// Returns how long play lasts from each of some positions; `None` if the game is won on points.
///
/// # Errors
///
/// If one is not a position, or misère play of the game is another one's; inside, if the budget
/// ends.
pub fn remoteness_of_all(
    game: &dyn Game,
    positions: &[String],
    play: Play,
    budget: &Budget,
) -> Result<Option<RemotenessOfAll>, NotationError> {
    if game.kind() == Kind::Scored {
        return Ok(None);
    }
    if play == Play::Misere {
        bouton_games::check_misere(game, positions.first().map_or("", String::as_str))?;
    }
    let mut graph = game.graph();
    graph.begin(budget);
    let nodes: Vec<u32> =
        positions.iter().map(|position| graph.read(position)).collect::<Result<_, _>>()?;
    Ok(Some(remoteness::remoteness(&mut *graph, &nodes, play, &mut Meter::new(budget))))
}

/// Returns the positions and moves of a game whose positions have a genus.
///
/// # Errors
/// If the game is not impartial, or misère play of it is another one's.
pub fn genus_graph(game: &dyn Game) -> Result<Box<dyn GameGraph + '_>, NotationError> {
    let name = game.name();
    if game.kind() != Kind::Impartial {
        let message = format!("{name} is not impartial, so its positions have no genus");
        return Err(NotationError::new(&name, 0..name.len(), message, "an impartial game"));
    }
    bouton_games::check_misere(game, &name)?;
    Ok(game.graph())
}

/// Returns the code of a game whose single heaps have a misère quotient.
///
/// # Errors
/// If the game has no code, or misère play of it is another one's.
pub fn quotient_code(game: &dyn Game) -> Result<TakeAndBreakCode, NotationError> {
    bouton_games::check_misere(game, &game.name())?;
    code_of(game)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Outcome;

    /// What a code says of Treblecross in misère play is another game: who makes three in a row
    /// loses then.
    #[test]
    fn misere_play_of_another_game_is_refused() {
        let catalogue = bouton_games::Catalogue::standard();
        for name in ["treblecross", "crosses and crosses", "northcott"] {
            let game = catalogue.parse(name).unwrap().game;
            assert!(genus_graph(&*game).is_err(), "{name}");
            assert!(quotient_code(&*game).is_err(), "{name}");
            let lasts = |play| remoteness_of(&*game, "5", play, &Budget::default());
            assert!(lasts(Play::Misere).is_err() && lasts(Play::Normal).is_ok(), "{name}");
        }
        // The code by its own name is what it is.
        let code = catalogue.parse("0.11337").unwrap().game;
        assert!(genus_graph(&*code).is_ok() && quotient_code(&*code).is_ok());
    }

    fn lasts(game: &str, position: &str, play: Play) -> (Outcome, u32) {
        let game = bouton_games::parse(game).unwrap().game;
        let found = remoteness_of(&*game, position, play, &Budget::default()).unwrap();
        let found = found.unwrap().unwrap().unwrap();
        (found.outcome, found.moves)
    }

    /// Whoever takes 1 or 2 of 10 wins in 7 moves (GamesmanPy, ten-to-zero).
    #[test]
    fn ten_to_zero() {
        assert_eq!(lasts("S(1,2)", "10", Play::Normal), (Outcome::N, 7));
    }

    /// By the definition, over all heaps up to 14, in both plays: from the rules of S(1,3,4) and of
    /// two heaps of Nim.
    #[test]
    fn remoteness_by_definition() {
        let from_options = |play: Play, options: &[(Outcome, u32)]| {
            let lost = options
                .iter()
                .filter(|(outcome, _)| outcome.is_p())
                .map(|(_, moves)| moves + 1)
                .min();
            let won = options.iter().map(|(_, moves)| moves + 1).max();
            match (lost, won, play) {
                (Some(moves), ..) => (Outcome::N, moves),
                (None, Some(moves), _) => (Outcome::P, moves),
                (None, None, Play::Normal) => (Outcome::P, 0),
                (None, None, Play::Misere) => (Outcome::N, 0),
            }
        };
        for play in [Play::Normal, Play::Misere] {
            let mut heaps: Vec<(Outcome, u32)> = Vec::new();
            for n in 0..=14usize {
                let options: Vec<_> =
                    [1, 3, 4].iter().filter(|s| **s <= n).map(|s| heaps[n - s]).collect();
                heaps.push(from_options(play, &options));
                assert_eq!(lasts("S(1,3,4)", &n.to_string(), play), heaps[n], "{n} {play}");
            }
            let mut two = vec![vec![(Outcome::P, 0); 6]; 6];
            for (a, b) in (0..6usize).flat_map(|a| (0..6usize).map(move |b| (a, b))) {
                let options: Vec<_> =
                    (0..a).map(|c| two[c][b]).chain((0..b).map(|c| two[a][c])).collect();
                two[a][b] = from_options(play, &options);
                assert_eq!(lasts("nim", &format!("{a},{b}"), play), two[a][b], "{a},{b} {play}");
            }
        }
    }

    /// Values of single heaps, by whichever way: those of the rules.
    #[test]
    fn values_of_single_heaps() {
        for (game, to) in
            [("nim", 40), ("S(1,3,4)", 2000), ("kayles", 3000), ("4.[3]", 1500), ("0.8", 1500)]
        {
            let game = bouton_games::parse(game).unwrap().game;
            let mut values = Vec::new();
            single_heap_values(&*game, to, &Budget::default(), &mut values).unwrap().unwrap();
            assert_eq!(values.len(), to as usize + 1);
            let mut expected: Vec<u32> = Vec::new();
            let few = to.min(60) as usize;
            for n in 0..=few {
                let mut graph = game.graph();
                let node = graph.position(&[n as u64]).unwrap();
                let options: Vec<u32> = graph.options(node).unwrap().to_vec();
                let reached: Vec<u32> = options
                    .into_iter()
                    .map(|option| {
                        let heaps = graph.sizes(option).unwrap();
                        heaps.iter().fold(0, |sum, heap| sum ^ expected[*heap as usize])
                    })
                    .collect();
                expected.push((0..).find(|value| !reached.contains(value)).unwrap());
            }
            assert_eq!(values[..=few], expected, "{}", game.name());
        }
    }
}
