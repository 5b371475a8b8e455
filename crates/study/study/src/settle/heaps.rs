//! Claims about the P-positions of heap games that are compared with tables: sets that hold all of
//! them, or only them, positions that are said to be, and two games whose P-positions correspond.
//!
//! Every position with no heap above the claim's bound is computed, a symmetry class once; the
//! first by greatest heap, then in lexicographic order, that the claim is wrong about is the
//! counterexample, and a search by the rules alone looks at it again.

use super::Bound;
use crate::nim_values::with_value;
use bouton_core::{
    Arrange, Budget, Claim, HeapGame, LimitReached, Outcome, Play, heaps_text, number_with_noun,
};
use bouton_engine::Game;
use bouton_engine::game::Settings;
use bouton_theory::ClaimError;
use bouton_theory::claim::{Correspondence, Listed, Set, Witness};
use bouton_theory::form::Form;
use bouton_theory::recheck;
use bouton_theory::verdict::{Computed, Failure, Proved, Recheck, Refuted, Unknown, Verdict};
use std::collections::HashSet;
use std::ops::ControlFlow::{Break, Continue};

/// Images of one position under the game's symmetry, at most.
const MAX_IMAGES: usize = 5040;
/// Counterexamples listed beside the least.
const LISTED: usize = 11;

/// Positions, one a class, with their outcomes.
type Classes = Vec<(Vec<u64>, Outcome)>;

/// A game on a fixed number of heaps, and its images.
struct Heaps<'g> {
    game: &'g dyn Game,
    stated: HeapGame,
    images: Vec<Vec<usize>>,
}

impl<'g> Heaps<'g> {
    fn new(game: &'g dyn Game) -> Result<Heaps<'g>, ClaimError> {
        let lacks = |why| ClaimError::Game { game: game.name(), why };
        let stated =
            game.heap_game().ok_or_else(|| lacks("is no game on a fixed number of heaps"))?;
        let images = stated.symmetry.permutations(stated.heaps, MAX_IMAGES);
        let images = images.ok_or_else(|| lacks("has too many symmetries"))?;
        Ok(Heaps { game, stated, images })
    }

    fn formula(&self, text: &str) -> Result<Claim, ClaimError> {
        Claim::parse(text, self.stated.heaps)
            .map_err(|error| ClaimError::Formula(text.to_owned(), error))
    }

    /// Returns every class with no heap above `to`, heaps that have left a circle counting as 0 at
    /// its end, by greatest heap; with its outcome. Only the P-positions if `only_p`.
    fn classes(
        &self,
        to: u32,
        play: Play,
        only_p: bool,
        budget: &Budget,
    ) -> Result<Result<Classes, LimitReached>, ClaimError> {
        let budget = Budget { nodes: None, ..budget.clone() };
        let mut session =
            self.game.session(Settings { play, budget: budget.clone(), ..Settings::default() });
        let mut all = Vec::new();
        let mut keep = |heaps: &[u64], outcome| {
            let mut heaps = heaps.to_vec();
            heaps.resize(self.stated.heaps, 0);
            all.push((heaps, outcome));
            if budget.interrupted().is_some() { Break(()) } else { Continue(()) }
        };
        let made = if only_p {
            session.p_sizes(to, &mut |heaps| keep(heaps, Outcome::P))
        } else {
            session.table(to, &mut keep)
        };
        let why = "has no table of positions";
        let made = made.ok_or_else(|| ClaimError::Game { game: self.game.name(), why })?;
        if let Err(limit) = made {
            return Ok(Err(limit));
        }
        if let Some(limit) = budget.interrupted() {
            return Ok(Err(limit));
        }
        all.arrange_by(|(p, _), (q, _)| (p.iter().max(), p).cmp(&(q.iter().max(), q)));
        Ok(Ok(all))
    }

    /// Returns the least image, the same for all positions of a class.
    fn canonical(&self, p: &[u64]) -> Vec<u64> {
        let image = |sigma: &Vec<usize>| sigma.iter().map(|i| p[*i]).collect::<Vec<u64>>();
        self.images.iter().map(image).min().unwrap_or_else(|| p.to_vec())
    }

    /// Returns heaps as the game's positions have them: of a circle that closes up, without those
    /// that have left.
    fn position(&self, heaps: &[u64]) -> Vec<u64> {
        heaps.iter().copied().filter(|heap| *heap > 0 || !self.stated.shrinks).collect()
    }

    /// Returns the second look at an outcome; none if it finds another one.
    fn again(&self, play: Play, heaps: &[u64], outcome: Outcome) -> Option<Recheck> {
        let position = self.position(heaps);
        match recheck::outcome(self.game, play, &position) {
            Some(lost) if lost == outcome.is_p() => {
                let (game, text) = (self.game.name(), heaps_text(&position));
                Some(Recheck::Confirmed(format!(
                    "({text}) is {outcome} in {game} by the rules alone"
                )))
            }
            Some(_) => None,
            None => Some(Recheck::OutOfReach("too many positions for the rules alone".into())),
        }
    }
}

fn computed(words: String, instances: u64, to: u32) -> Computed {
    Computed { words, instances, to: Some(u64::from(to)), ..Computed::default() }
}

/// Returns the verdict on a claim that is wrong about these positions, the least first.
fn refuted(
    heaps: &Heaps,
    play: Play,
    wrong: &[(Vec<u64>, Outcome)],
    what: &str,
    computed: Computed,
) -> Option<Verdict> {
    let (least, outcome) = wrong.first()?;
    let words = |(p, outcome): &(Vec<u64>, Outcome)| {
        format!("({}) is {outcome} {what}", heaps_text(&heaps.position(p)))
    };
    let Some(recheck) = heaps.again(play, least, *outcome) else {
        let reason =
            format!("{}, but not by the rules alone; please report this", words(&wrong[0]));
        return Some(Verdict::Unknown(Unknown { reason, budget: false, computed }));
    };
    Some(Verdict::Refuted(Refuted {
        counterexample: Failure::Words(words(&wrong[0])),
        least: true,
        recheck,
        others: wrong.iter().skip(1).take(LISTED).map(words).collect(),
        computed,
    }))
}

/// Returns whether all P-positions are in a set.
pub(super) fn contains_all(game: &str, set: &Set, bound: &Bound) -> Result<Verdict, ClaimError> {
    let game = bouton_games::parse(game)?.game;
    let heaps = Heaps::new(&*game)?;
    let formula = heaps.formula(&set.formula)?;
    let classes = match heaps.classes(set.to, set.play, true, &bound.budget)? {
        Ok(classes) => classes,
        Err(limit) => return Ok(Unknown::limit_reached(limit)),
    };
    let mut wrong = Vec::new();
    let count = classes.len();
    for (p, outcome) in classes {
        if !formula.holds_up_to(&p, &heaps.images)? {
            wrong.push((p, outcome));
        }
    }
    let mut computed = computed(
        format!("{} of P-positions, heaps up to {}", number_with_noun(count, "class"), set.to),
        count as u64,
        set.to,
    );
    if !wrong.is_empty() {
        computed.words = format!("{} of {}", wrong.len(), computed.words);
    }
    let verdict = refuted(&heaps, set.play, &wrong, "and not among them", computed.clone());
    Ok(verdict.unwrap_or(Verdict::Holds(computed)))
}

/// Returns whether all positions of a set are P.
pub(super) fn contained(game: &str, set: &Set, bound: &Bound) -> Result<Verdict, ClaimError> {
    let game = bouton_games::parse(game)?.game;
    let heaps = Heaps::new(&*game)?;
    let formula = heaps.formula(&set.formula)?;
    let classes = match heaps.classes(set.to, set.play, false, &bound.budget)? {
        Ok(classes) => classes,
        Err(limit) => return Ok(Unknown::limit_reached(limit)),
    };
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (p, outcome) in classes {
        if formula.holds_up_to(&p, &heaps.images)? {
            count += 1;
            if !outcome.is_p() {
                wrong.push((p, outcome));
            }
        }
    }
    let computed = computed(
        format!("{} of its positions, heaps up to {}", number_with_noun(count, "class"), set.to),
        count,
        set.to,
    );
    if count == 0 {
        return Ok(Unknown::because("the set holds no position"));
    }
    let verdict = refuted(&heaps, set.play, &wrong, "and among them", computed.clone());
    Ok(verdict.unwrap_or(Verdict::Holds(computed)))
}

/// Returns whether the P-positions are those listed.
pub(super) fn listed(
    game: &dyn Game,
    claim: &Listed,
    budget: &Budget,
) -> Result<Verdict, ClaimError> {
    let lacks = |why| ClaimError::Game { game: game.name(), why };
    let beside = match claim.values {
        true => Some(with_value(game).map_err(|_| lacks("is no game on a fixed number of heaps"))?),
        false => None,
    };
    let heaps = Heaps::new(beside.as_deref().unwrap_or(game))?;
    let among = claim.among.as_deref().map(|text| heaps.formula(text)).transpose()?;
    if claim
        .positions
        .iter()
        .any(|p| p.len() != heaps.stated.heaps || p.iter().any(|h| *h > claim.to.into()))
    {
        return Err(lacks("has other heaps than those listed, or smaller ones"));
    }
    let classes = match heaps.classes(claim.to, claim.play, false, budget)? {
        Ok(classes) => classes,
        Err(limit) => return Ok(Unknown::limit_reached(limit)),
    };
    let mut left: HashSet<Vec<u64>> = claim.positions.iter().map(|p| heaps.canonical(p)).collect();
    let (mut wrong, mut count, said) = (Vec::new(), 0, left.len());
    for (p, outcome) in classes {
        if let Some(among) = &among
            && !among.holds_up_to(&p, &heaps.images)?
        {
            continue;
        }
        count += 1;
        if left.remove(&heaps.canonical(&p)) != outcome.is_p() {
            wrong.push((p, outcome));
        }
    }
    if !left.is_empty() {
        return Err(lacks("has no such positions as those listed"));
    }
    let computed = computed(
        format!("{said} P-positions of {count}, heaps up to {}", claim.to),
        count,
        claim.to,
    );
    let verdict = refuted(&heaps, claim.play, &wrong, "against the list", computed.clone());
    Ok(verdict.unwrap_or(Verdict::Holds(computed)))
}

/// Positions of the greatest box that a form is compared with.
const BOX: u64 = 1 << 16;

/// Holds a form against boxes of ever greater heaps, while there is time.
pub(super) fn compare_with_tables(
    game: &dyn Game,
    form: &Form,
    budget: &Budget,
) -> Result<Verdict, ClaimError> {
    let heaps = Heaps::new(game)?;
    if !form.smaller.is_empty() || heaps.stated.shrinks {
        return Ok(Unknown::because("a form with smaller boards is held against no tables here"));
    }
    let claim = heaps.formula(&form.whole)?;
    let mut held = Unknown::because("no table was made");
    let fits = |to: u32| {
        u64::from(to + 1).checked_pow(heaps.stated.heaps as u32).is_some_and(|n| n <= BOX)
    };
    for to in (0..).map(|i| (4 << i) - 1).take_while(|to| fits(*to)) {
        let Ok(classes) = heaps.classes(to, form.play, false, budget)? else { break };
        let (mut wrong, count) = (Vec::new(), classes.len() as u64);
        for (p, outcome) in classes {
            let agrees = if form.exactly {
                let says = |sigma: &Vec<usize>| {
                    claim.holds(&sigma.iter().map(|i| p[*i]).collect::<Vec<_>>())
                };
                heaps.images.iter().try_fold(true, |all, sigma| {
                    says(sigma).map(|said| all && said == outcome.is_p())
                })
            } else {
                claim.holds_up_to(&p, &heaps.images).map(|holds| holds == outcome.is_p())
            };
            if !agrees? {
                wrong.push((p, outcome));
            }
        }
        let computed =
            computed(format!("{}, heaps up to {to}", number_with_noun(count, "class")), count, to);
        if let Some(verdict) =
            refuted(&heaps, form.play, &wrong, "against the form", computed.clone())
        {
            return Ok(verdict);
        }
        held = Verdict::Holds(computed);
    }
    Ok(held)
}

/// Returns whether there is a position as is said: proved by the first, looked at again by the
/// rules alone.
pub(super) fn witness(game: &str, claim: &Witness, bound: &Bound) -> Result<Verdict, ClaimError> {
    let game = bouton_games::parse(game)?.game;
    let heaps = Heaps::new(&*game)?;
    let formula = heaps.formula(&claim.formula)?;
    // The first has small heaps, if any has.
    let steps = (1..).map(|i| 1 << i).take_while(|to| *to < claim.to).chain([claim.to]);
    for to in steps {
        let classes = match heaps.classes(to, claim.play, claim.outcome.is_p(), &bound.budget)? {
            Ok(classes) => classes,
            Err(limit) => return Ok(Unknown::limit_reached(limit)),
        };
        let count = classes.len();
        for (p, outcome) in classes {
            if outcome != claim.outcome || !formula.holds_up_to(&p, &heaps.images)? {
                continue;
            }
            let text = heaps_text(&heaps.position(&p));
            return Ok(match heaps.again(claim.play, &p, outcome) {
                Some(Recheck::Confirmed(how)) => Verdict::Proved(Proved::Computed(Computed {
                    words: format!("({text}) is {outcome}; the least"),
                    parts: vec![how],
                    ..computed(String::new(), count as u64, to)
                })),
                Some(Recheck::OutOfReach(why)) => Unknown::because(format!(
                    "({text}) is {outcome}, but not looked at again: {why}"
                )),
                None => Unknown::because(format!(
                    "({text}) was found to be {outcome}, but not by the rules alone; please \
                     report this"
                )),
            });
        }
    }
    Ok(Unknown::because(format!("there is none with heaps up to {}", claim.to)))
}

/// Returns whether the P-positions whose heaps have at least `less` tokens are those of the other
/// game with as many more.
pub(super) fn corresponds(
    game: &str,
    claim: &Correspondence,
    bound: &Bound,
) -> Result<Verdict, ClaimError> {
    let games = [game, &claim.with].map(bouton_games::parse);
    let [here, there] = games;
    let (here, there) = (here?.game, there?.game);
    let (heaps, other) = (Heaps::new(&*here)?, Heaps::new(&*there)?);
    if heaps.stated.heaps != other.stated.heaps {
        return Err(ClaimError::Game {
            game: claim.with.clone(),
            why: "has another number of heaps",
        });
    }
    let less = u64::from(claim.less);
    let here = heaps.classes(claim.to, Play::Normal, true, &bound.budget)?;
    let there =
        other.classes(claim.to.saturating_sub(claim.less), Play::Normal, true, &bound.budget)?;
    let (here, there) = match (here, there) {
        (Ok(here), Ok(there)) => (here, there),
        (Err(limit), _) | (_, Err(limit)) => return Ok(Unknown::limit_reached(limit)),
    };
    let full = |(p, _): (Vec<u64>, Outcome)| p.iter().all(|heap| *heap >= less.max(1)).then_some(p);
    let here: Vec<Vec<u64>> = here.into_iter().filter_map(full).collect();
    let there: Vec<Vec<u64>> =
        there.into_iter().map(|(p, _)| p.iter().map(|heap| heap + less).collect()).collect();
    let known: [HashSet<Vec<u64>>; 2] =
        [&here, &there].map(|list| list.iter().map(|p| heaps.canonical(p)).collect());
    let mut wrong: Vec<(Vec<u64>, Outcome)> =
        known[0].difference(&known[1]).map(|p| (p.clone(), Outcome::P)).collect();
    wrong.extend(known[1].difference(&known[0]).map(|p| (p.clone(), Outcome::N)));
    wrong.arrange_by(|(p, _), (q, _)| (p.iter().max(), p).cmp(&(q.iter().max(), q)));
    let count = known[0].len() as u64;
    let computed = computed(
        format!(
            "{} of P-positions, heaps up to {}; {} without a counterpart",
            number_with_noun(count, "class"),
            claim.to,
            wrong.len()
        ),
        count,
        claim.to,
    );
    let Some((least, outcome)) = wrong.first().cloned() else {
        return Ok(Verdict::Holds(computed));
    };
    let fewer: Vec<u64> = least.iter().map(|heap| heap - less).collect();
    let other_outcome = if outcome.is_p() { Outcome::N } else { Outcome::P };
    let both = [
        heaps.again(Play::Normal, &least, outcome),
        other.again(Play::Normal, &fewer, other_outcome),
    ];
    let words = format!(
        "({}) is {outcome} in {game}, ({}) is {other_outcome} in {}",
        heaps_text(&least),
        heaps_text(&fewer),
        claim.with
    );
    let recheck = match both {
        [Some(Recheck::Confirmed(one)), Some(Recheck::Confirmed(two))] => {
            Recheck::Confirmed(format!("{one}; {two}"))
        }
        [None, _] | [_, None] => {
            let reason = format!("{words}, but not by the rules alone; please report this");
            return Ok(Verdict::Unknown(Unknown { reason, budget: false, computed }));
        }
        _ => Recheck::OutOfReach("too many positions for the rules alone".into()),
    };
    Ok(Verdict::Refuted(Refuted {
        counterexample: Failure::Words(words),
        least: true,
        recheck,
        others: Vec::new(),
        computed,
    }))
}
