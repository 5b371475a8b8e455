//! Theorems with parameters: `kind: parameters`. Format: docs/certificates.md.
//!
//! **The game.** Parameters s, … are integers. A position is a heap of a ≥ 0 tokens (`S`), or n ≥ 0
//! stones with purses d, e ≥ 0 of the mover and the other (`NIM`). A move takes t tokens, t one of
//! the amounts and t ≤ a, and leaves a − t; or t ≤ n, t ≤ d, and leaves n − t, e, d − t. An amount
//! is an expression in the parameters, or lo..hi, which is each integer from lo to hi. Whoever
//! cannot move loses.
//!
//! **The claim.** For all parameters that satisfy the condition, and all positions, P iff F.
//!
//! **Theorem.** Suppose for all integer values of the parameters that satisfy the condition:
//!
//! 1. (`divisor`) each divisor of F, or of a witness, that is no number is at least 1;
//! 2. (`amount`) each amount, and each lower end lo, is at least 1;
//! 3. (`to-p`, one an amount) no move leads from a position with F to a position with F;
//! 4. (`to-n`) from each position without F one of the witnesses, an amount each, is a move to a
//!    position with F.
//!
//! Then the claim is true. *Proof.* By 1, quotients and remainders, and so F, are defined for all
//! integers. By 2 each move lowers the heap, so play ends, and induction on the heap is possible.
//! Let F be right of all options of a position. If F holds of it, all options are N by 3, and it is
//! P. If not, some option is P by 4, and it is N. ∎
//!
//! Each of the four says that a system of sentences about integers has no solution. The checker
//! derives the systems from game, condition, F and witnesses, and follows a refutation of each. A
//! quotient q = ⌊v/D⌋ is an integer of its own with 0 ≤ v − Dq ≤ D − 1. Products stay products:
//! facts are polynomials that are 0 or more, and steps are those of [`refutation`].

mod polynomial;
mod refutation;
mod sentence;

use crate::hypotheses::{Hypothesis, all_hold};
use crate::lines::Lines;
use crate::work::{Reason, Work, many, number, shown};
use crate::{CheckReport, Envelope, Rejected};
use polynomial::Polynomial;
use refutation::refuted;
use sentence::{Integers, Sentence, number_of, sentence_of};

/// Names that no parameter has: heaps and purses, the amount taken, quotients.
const RESERVED: &str = "andetq";

/// Amounts and witnesses of a file, at most.
const MAX_AMOUNTS: usize = 64;

/// A game with parameters: texts as the file has them.
struct Game<'t> {
    parameters: Vec<String>,
    amounts: Vec<Amount<'t>>,
    /// A heap `a`; or stones and purses `n`, `d`, `e`.
    coordinates: &'static [&'static str],
}

/// What a move may take.
#[derive(Clone, Copy)]
enum Amount<'t> {
    Single(&'t str),
    Range(&'t str, &'t str),
}

/// A claim: the condition on the parameters, and the form of the P-positions.
struct Claim<'t> {
    condition: &'t str,
    form: &'t str,
}

/// Checks what the theorem assumes of game, claim and example, but for what the refutations show.
fn hypotheses(game: &Game<'_>, divides: bool, example: bool) -> [Hypothesis; 5] {
    let plain = |name: &String| {
        name.len() == 1
            && name.chars().all(|c| c.is_ascii_alphabetic())
            && !RESERVED.contains(name.as_str())
    };
    let twice = |at: usize| game.parameters[..at].contains(&game.parameters[at]);
    [
        Hypothesis::new(3, "an amount", !game.amounts.is_empty(), "there is none"),
        Hypothesis::new(
            3,
            "parameters that are one letter each, none of a, n, d, e, t, q",
            game.parameters.iter().all(plain),
            "one is called otherwise",
        ),
        Hypothesis::new(
            3,
            "parameters each once",
            !(0..game.parameters.len()).any(twice),
            "one comes twice",
        ),
        Hypothesis::new(
            4,
            "a condition whose divisors are numbers",
            !divides,
            "one has a parameter in it",
        ),
        Hypothesis::new(
            6,
            "values of the parameters, named by the file, that satisfy the condition",
            example,
            "these do not",
        ),
    ]
}

/// Checks a proof of kind `parameters`.
pub fn check(envelope: &Envelope<'_>, work: &Work<'_>) -> Result<CheckReport, Rejected> {
    let at = |line: usize| move |why: Reason| Rejected::new(line, why);
    let game = Game::read(envelope.game, work).map_err(at(3))?;
    let claim = Claim::read(&envelope.claim).map_err(at(4))?;
    let mut lines = Lines::new(envelope.body, envelope.body_line, MAX_AMOUNTS, work);
    let example = lines.after("example");
    let example =
        example.ok_or_else(|| lines.rejected("here `example NAME=N ...` should stand"))?;
    let example = claim.holds_of(&game, example, work).map_err(|why| lines.rejected(why))?;
    let (integers, _) = Goal::Condition.system(&game, &claim, &[], work).map_err(at(4))?;
    let divides = !integers.divisors.is_empty();
    all_hold("the theorem on games with parameters", hypotheses(&game, divides, example))?;
    let mut witnesses = Vec::new();
    while let Some(rest) = lines.after("witness ") {
        let (number, amount) = rest.split_once(' ').unwrap_or((rest, ""));
        let index =
            crate::work::number(number).filter(|index| (1..=game.amounts.len()).contains(index));
        let index: usize =
            index.ok_or_else(|| lines.rejected("there is no amount of this number"))?;
        witnesses.push((game.amounts[index - 1], amount));
        if witnesses.len() > MAX_AMOUNTS {
            return Err(lines.rejected("there are too many witnesses"));
        }
    }
    // All systems first, so that the divisors in them are known.
    let count = game.amounts.len();
    let goals = (0..count).map(Goal::Amount).chain((0..count).map(Goal::ToP)).chain([Goal::ToN]);
    let mut systems = Vec::new();
    let mut divisors: Vec<Polynomial> = Vec::new();
    for goal in goals {
        let system =
            goal.system(&game, &claim, &witnesses, work).map_err(|why| lines.rejected(why))?;
        for divisor in &system.0.divisors {
            if !divisors.contains(divisor) {
                divisors.push(divisor.clone());
            }
        }
        systems.push((goal.word(), system));
    }
    let mut all = Vec::new();
    for divisor in &divisors {
        let (integers, mut sentences) =
            Goal::Condition.system(&game, &claim, &[], work).map_err(at(4))?;
        let less = Polynomial::constant(0).plus(-1, divisor, work).map_err(at(4))?;
        sentences.push(Sentence::AtLeast0(less));
        all.push(("divisor", (integers, sentences)));
    }
    all.extend(systems);
    let (count, mut steps) = (all.len(), 0);
    for (word, (integers, sentences)) in all {
        if lines.take() != word {
            return Err(lines.rejected(format!("here `{word}` should stand")));
        }
        steps += refuted(&integers, sentences, &mut lines, work)?;
    }
    lines.end().map_err(|why| lines.rejected(why))?;
    Ok(CheckReport {
        work: format!("{} without a solution, {}", many(count, "system"), many(steps, "step")),
        theorem: stated(&game, &claim),
    })
}

/// Returns the theorem in words.
fn stated(game: &Game<'_>, claim: &Claim<'_>) -> String {
    let takes = |amount: &Amount<'_>| match amount {
        Amount::Single(one) => (*one).to_owned(),
        Amount::Range(least, most) => format!("{least} to {most}"),
    };
    let amounts: Vec<String> = game.amounts.iter().map(takes).collect();
    let rules = match game.coordinates.len() {
        1 => "from a heap of a tokens".to_owned(),
        _ => "from n stones and pays a dollar for each, d being the mover's dollars and e the \
            other's"
            .into(),
    };
    format!(
        "A move takes one of these numbers of tokens: {}, {rules}. Whoever cannot move loses. For \
         all integers {} with {}, and in all positions, the player to move loses iff {}.",
        amounts.join(", "),
        game.parameters.join(", "),
        claim.condition,
        claim.form
    )
}

impl<'t> Game<'t> {
    /// Reads `S(AMOUNT,...)` or `NIM(AMOUNT,...;n;d,e)`. Parameters are the names in the amounts.
    fn read(text: &'t str, work: &Work<'_>) -> Result<Game<'t>, Reason> {
        let inner = |start: &str, end: &str| text.strip_prefix(start)?.strip_suffix(end);
        let (list, coordinates): (_, &'static [&'static str]) = match inner("NIM(", ";n;d,e)") {
            Some(list) => (list, &["n", "d", "e"]),
            None => (inner("S(", ")").ok_or("no game S(...) or NIM(...;n;d,e)")?, &["a"]),
        };
        work.spend(16 * list.len())?;
        if list.contains(' ') {
            return Err("there is a blank in the game's name".into());
        }
        let amounts: Vec<Amount<'t>> = list.split(',').map(Amount::read).collect();
        if amounts.len() > MAX_AMOUNTS {
            return Err("there are too many amounts".into());
        }
        let mut parameters: Vec<String> = Vec::new();
        for word in list.split(|c: char| !c.is_ascii_alphanumeric()) {
            let name = word.chars().any(|c| c.is_ascii_alphabetic());
            if name && !["mod", "div"].contains(&word) && !parameters.iter().any(|own| own == word)
            {
                parameters.push(word.to_owned());
                if parameters.len() > MAX_AMOUNTS {
                    return Err("there are too many parameters".into());
                }
            }
        }
        Ok(Game { parameters, amounts, coordinates })
    }

    /// Returns what names stand for: parameters for themselves, coordinates for these numbers.
    fn values<'n>(&'n self, position: &[Polynomial]) -> Vec<(&'n str, Polynomial)> {
        let parameters = self.parameters.iter().enumerate();
        let parameters =
            parameters.map(|(index, name)| (name.as_str(), Polynomial::variable(index)));
        parameters.chain(self.coordinates.iter().copied().zip(position.iter().cloned())).collect()
    }

    /// Returns the position that taking `taken` leaves, and the numbers that have to be 0 or more.
    fn option(
        &self,
        position: &[Polynomial],
        taken: &Polynomial,
        work: &Work<'_>,
    ) -> Result<(Vec<Polynomial>, Vec<Sentence>), Reason> {
        let left = position[0].plus(-1, taken, work)?;
        let mut can = vec![Sentence::AtLeast0(left.clone())];
        if position.len() == 1 {
            return Ok((vec![left], can));
        }
        let paid = position[1].plus(-1, taken, work)?;
        can.push(Sentence::AtLeast0(paid.clone()));
        // The other player is to move.
        Ok((vec![left, position[2].clone(), paid], can))
    }
}

impl<'t> Amount<'t> {
    fn read(text: &'t str) -> Amount<'t> {
        match text.split_once("..") {
            Some((least, most)) => Amount::Range(least, most),
            None => Amount::Single(text),
        }
    }

    fn least(self) -> &'t str {
        match self {
            Amount::Single(least) | Amount::Range(least, _) => least,
        }
    }
}

impl<'t> Claim<'t> {
    /// Reads `for CONDITION, P iff FORM`.
    fn read(text: &'t str) -> Result<Claim<'t>, Reason> {
        let (condition, form) = text
            .strip_prefix("for ")
            .and_then(|rest| rest.split_once(", P iff "))
            .ok_or("a claim reads `for CONDITION, P iff FORM`")?;
        Ok(Claim { condition, form })
    }

    /// Returns whether the condition holds of values of the parameters, one each, as ` h=2 k=3`.
    fn holds_of(&self, game: &Game<'_>, example: &str, work: &Work<'_>) -> Result<bool, Reason> {
        let mut integers = Integers::new(&[], &[]);
        let mut values = Vec::new();
        let mut rest = example;
        for name in &game.parameters {
            let wanted = || format!("here ` {}=NUMBER` should stand", shown(name));
            let own = rest.strip_prefix(' ').and_then(|rest| rest.strip_prefix(name.as_str()));
            let own = own.and_then(|own| own.strip_prefix('=')).ok_or_else(wanted)?;
            let end = own.find(' ').unwrap_or(own.len());
            let value: u32 = number(&own[..end]).ok_or_else(wanted)?;
            values.push((name.as_str(), Polynomial::constant(value.into())));
            rest = &own[end..];
        }
        if !rest.is_empty() {
            return Err("there are more values than parameters".into());
        }
        Ok(sentence_of(self.condition, &values, &mut integers, work)?.truth() == Some(true))
    }
}

/// A system that is to have no solution.
#[derive(Clone, Copy)]
enum Goal {
    /// The condition alone; it does have solutions, and other systems begin with it.
    Condition,
    /// An amount of this index below 1.
    Amount(usize),
    /// A move by an amount of this index from a claimed P-position to one.
    ToP(usize),
    /// A position that is none, and no witness leads to one.
    ToN,
}

impl Goal {
    fn word(self) -> &'static str {
        match self {
            Goal::Condition => "condition",
            Goal::Amount(_) => "amount",
            Goal::ToP(_) => "to-p",
            Goal::ToN => "to-n",
        }
    }

    /// Returns the system: its integers, and what is said of them.
    fn system(
        self,
        game: &Game<'_>,
        claim: &Claim<'_>,
        witnesses: &[(Amount<'_>, &str)],
        work: &Work<'_>,
    ) -> Result<(Integers, Vec<Sentence>), Reason> {
        let mut others: Vec<&str> = Vec::new();
        if matches!(self, Goal::ToP(_) | Goal::ToN) {
            others.extend(game.coordinates);
        }
        let range = |index: usize| matches!(game.amounts[index], Amount::Range(..));
        if matches!(self, Goal::ToP(index) if range(index)) {
            others.push("t");
        }
        let integers = &mut Integers::new(&game.parameters, &others);
        let position: Vec<Polynomial> =
            others.iter().filter_map(|name| integers.named(name)).collect();
        let position = &position[..position.len().min(game.coordinates.len())];
        let here = game.values(position);
        let outside = game.values(&[]);
        let mut all = vec![sentence_of(claim.condition, &outside, integers, work)?];
        all.extend(position.iter().cloned().map(Sentence::AtLeast0));
        match self {
            Goal::Condition => {}
            Goal::Amount(index) => {
                let least = number_of(game.amounts[index].least(), &outside, integers, work)?;
                all.push(Sentence::AtLeast0(Polynomial::constant(0).plus(-1, &least, work)?));
            }
            Goal::ToP(index) => {
                all.push(sentence_of(claim.form, &here, integers, work)?);
                let taken = match game.amounts[index] {
                    Amount::Single(amount) => number_of(amount, &outside, integers, work)?,
                    Amount::Range(least, most) => {
                        let taken = integers.named("t").ok_or("no variable t")?;
                        all.extend(between(least, &taken, most, &outside, integers, work)?);
                        taken
                    }
                };
                let (option, can) = game.option(position, &taken, work)?;
                all.extend(can);
                all.push(sentence_of(claim.form, &game.values(&option), integers, work)?);
            }
            Goal::ToN => {
                all.push(sentence_of(claim.form, &here, integers, work)?.negated(work)?);
                for (amount, text) in witnesses {
                    let mut good = Vec::new();
                    let taken = match amount {
                        Amount::Single(amount) if text.is_empty() => {
                            number_of(amount, &outside, integers, work)?
                        }
                        Amount::Single(_) => {
                            return Err("a witness of a single amount is that amount".into());
                        }
                        Amount::Range(least, most) => {
                            let taken = number_of(text, &here, integers, work)?;
                            good.extend(between(least, &taken, most, &outside, integers, work)?);
                            taken
                        }
                    };
                    let (option, can) = game.option(position, &taken, work)?;
                    good.extend(can);
                    good.push(sentence_of(claim.form, &game.values(&option), integers, work)?);
                    all.push(Sentence::all(good).negated(work)?);
                }
            }
        }
        work.hold(all.iter().map(Sentence::bytes).sum())?;
        Ok((std::mem::replace(integers, Integers::new(&[], &[])), all))
    }
}

/// Returns that a number taken is one of the integers from `least` to `most`.
fn between(
    least: &str,
    taken: &Polynomial,
    most: &str,
    outside: &[(&str, Polynomial)],
    integers: &mut Integers,
    work: &Work<'_>,
) -> Result<[Sentence; 2], Reason> {
    let least = number_of(least, outside, integers, work)?;
    let most = number_of(most, outside, integers, work)?;
    let (above, below) = (taken.plus(-1, &least, work)?, most.plus(-1, taken, work)?);
    Ok([Sentence::AtLeast0(above), Sentence::AtLeast0(below)])
}
