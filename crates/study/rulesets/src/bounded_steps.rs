//! Games on one heap, perhaps with a memory, in which no move takes more than some number of tokens
//! and all large heaps with the same remainder modulo some `cycle` are moved in alike. Their values
//! repeat as the heap grows: the values of a heap depend on its remainder and on the values of the
//! `step` heaps below it alone, so two windows of `step` heaps with the same values, a multiple of
//! the cycle apart, prove a period, as of subtraction games.

use crate::growth::renumbered;
use crate::searched_rules::{Numbers, SearchedRules};
use bouton_automata::{Decision, Numeration, Undecided, decide};
use bouton_core::{Arrange, Formula, LimitReached, Meter, Node, Play, Relation, Term};
use bouton_engine::game::HeapPeriod;
use rustc_hash::FxHashMap;

/// The greatest number of tokens of a move that is looked for.
const MAX_STEP: u64 = 1 << 12;
/// Heaps whose options are looked at before anything is decided of all: from this one on, and twice
/// as many as the longest cycle.
const LOOKED_AT: u64 = 1 << 14;
/// The longest cycle that is looked for.
const MAX_CYCLE: u64 = 64;
/// The most positions whose options are written down: memories times small heaps.
const MAX_OPTIONS: usize = 1 << 16;
/// The most values that are held.
const MAX_VALUES: usize = 1 << 25;

/// Rules under which no move takes more than `step` tokens, and all heaps from `from` on are moved
/// in as those with `cycle` tokens more.
#[derive(Debug, Clone)]
pub struct BoundedSteps {
    rules: SearchedRules,
    step: u64,
    from: u64,
    cycle: u64,
}

/// Says that a move leads from the heap `before` to the heap `after`, the variables that stand for
/// p0 and q0; bound variables are numbered higher by `by`.
fn moved(condition: &Formula, before: usize, after: usize, by: usize) -> Node {
    let other = renumbered(&condition.root, &mut |v| match v {
        0 => before,
        1 => after,
        v if v < condition.free => v,
        v => v + by,
    });
    Node::And(vec![
        other,
        Node::Compare(Term::Variable(after), Relation::Less, Term::Variable(before)),
    ])
}

impl BoundedSteps {
    /// Returns the rules with the greatest number of tokens of a move; `None` unless it is proved
    /// that there is one, and that what a move does is the same for all large heaps. The formula is
    /// that of the moves; `meter` is for one question.
    ///
    /// # Errors
    ///
    /// If a question is not decided within its meter.
    pub fn new(
        rules: SearchedRules,
        condition: &Formula,
        numeration: Numeration,
        meter: &mut dyn FnMut() -> Meter,
    ) -> Result<Option<BoundedSteps>, Undecided> {
        let mut moves: Vec<Option<Vec<Numbers>>> = Vec::new();
        for heap in LOOKED_AT..LOOKED_AT + 2 * MAX_CYCLE {
            let from: Numbers = std::iter::once(heap)
                .chain(std::iter::repeat_n(0, condition.free / 2 - 1))
                .collect();
            let takes_more = |to: &Numbers| to[0] + MAX_STEP < heap;
            let mut options = rules.options_of(&from).ok();
            if options.as_ref().is_some_and(|options| options.iter().any(takes_more)) {
                return Ok(None);
            }
            options.iter_mut().flatten().for_each(|to| to[0] = heap - to[0]);
            moves.push(options.map(|mut all| {
                all.arrange();
                all
            }));
        }
        let is_cycle = |cycle: &u64| {
            let cycle = *cycle as usize;
            moves[cycle..].iter().zip(&moves).all(|(one, other)| one == other)
        };
        let Some(cycle) = (1..=MAX_CYCLE).find(is_cycle) else { return Ok(None) };
        let mut names = condition.names.clone();
        let bound: Vec<String> =
            names[condition.free..].iter().map(|name| format!("{name}'")).collect();
        let by = bound.len();
        names.extend(bound);
        let (before, after) = (names.len(), names.len() + 1);
        names.extend(["before".to_owned(), "after".to_owned()]);
        let mut never = |root: Node| -> Result<bool, Undecided> {
            let asked = Formula { names: names.clone(), free: condition.free, root };
            Ok(match decide(&asked, numeration, &mut meter())? {
                Decision::Open(found) => !found.dfa.coaccessible_states()[found.dfa.start()],
                Decision::True(_) => false,
                Decision::False(_) => true,
            })
        };
        let plus = |v: usize, k: u64| Term::Sum(vec![Term::Variable(v), Term::Number(k)]);
        let here = || moved(condition, 0, 1, 0);
        let mut takes_at_most = |step: u64| {
            let more = Node::Compare(Term::Variable(0), Relation::Greater, plus(1, step));
            never(Node::And(vec![here(), more]))
        };
        let mut step = 1;
        while !takes_at_most(step)? {
            step *= 2;
            if step > MAX_STEP {
                return Ok(None);
            }
        }
        let mut less = step / 2;
        while step - less > 1 {
            let middle = less.midpoint(step);
            if takes_at_most(middle)? { step = middle } else { less = middle }
        }
        // A cycle of tokens more, before and after.
        let raised = Node::Exists(
            vec![before, after],
            Box::new(Node::And(vec![
                Node::Compare(Term::Variable(before), Relation::Equal, plus(0, cycle)),
                Node::Compare(Term::Variable(after), Relation::Equal, plus(1, cycle)),
                moved(condition, before, after, by),
            ])),
        );
        let alike = Node::Iff(Box::new(here()), Box::new(raised));
        for from in [step, 2 * step, 8 * step, 1024] {
            let large = Node::Compare(Term::Variable(0), Relation::AtLeast, Term::Number(from));
            if from >= step && never(Node::And(vec![large, Node::Not(Box::new(alike.clone()))]))? {
                return Ok(Some(BoundedSteps { rules, step, from, cycle }));
            }
        }
        Ok(None)
    }

    /// Returns the values of all positions with a memory that play can lead to from this one, and
    /// their period; `None` if there are too many to find one.
    ///
    /// # Errors
    ///
    /// If the meter is spent, or the options of a position cannot be found.
    pub fn repeating(
        &self,
        memory: &[u64],
        play: Play,
        meter: &mut Meter,
    ) -> Result<Option<Repeating>, LimitReached> {
        let mut memories = vec![Numbers::from_slice(memory)];
        let mut places: FxHashMap<Numbers, usize> = FxHashMap::default();
        places.insert(memories[0].clone(), 0);
        // For each memory and heap below `end`: the tokens taken, and the place of the memory
        // after it.
        let end = self.from + self.cycle;
        let mut options: Vec<Vec<Vec<(usize, usize)>>> = Vec::new();
        while let Some(own) = memories.get(options.len()).cloned() {
            if memories.len() * end as usize > MAX_OPTIONS {
                return Ok(None);
            }
            let mut of_heaps = Vec::new();
            for heap in 0..end {
                meter.spend_one()?;
                let from: Numbers = std::iter::once(heap).chain(own.iter().copied()).collect();
                let mut all = Vec::new();
                for to in self.rules.options_of(&from)? {
                    let next = Numbers::from_slice(&to[1..]);
                    let count = memories.len();
                    let place = *places.entry(next.clone()).or_insert(count);
                    if place == count {
                        memories.push(next);
                    }
                    all.push(((heap - to[0]) as usize, place));
                }
                of_heaps.push(all);
            }
            options.push(of_heaps);
        }
        let (width, step, from) = (memories.len(), self.step as usize, self.from as usize);
        let cycle = self.cycle as usize;
        let mut values: Vec<u32> = Vec::new();
        let (mut anchor, mut power) = (from.max(step), 1);
        let mut seen: Vec<u32> = Vec::new();
        for heap in 0.. {
            if heap > anchor {
                let window = |end: usize| (end - step) * width..end * width;
                if (heap - anchor).is_multiple_of(cycle)
                    && values[window(anchor)] == values[window(heap)]
                {
                    let period = heap - anchor;
                    let mut start = anchor - step;
                    let row = |heap: usize| heap * width..(heap + 1) * width;
                    while start > 0 && values[row(start - 1)] == values[row(start - 1 + period)] {
                        start -= 1;
                    }
                    return Ok(Some(Repeating { places, values, start, period, play }));
                }
                if heap - anchor == power {
                    (anchor, power) = (heap, 2 * power);
                }
            }
            if values.len() + width > MAX_VALUES {
                return Ok(None);
            }
            meter.spend(width as u64)?;
            for of_heaps in &options {
                let all = &of_heaps[if heap < from { heap } else { from + (heap - from) % cycle }];
                seen.clear();
                seen.extend(
                    all.iter().map(|(taken, place)| values[(heap - taken) * width + place]),
                );
                values.push(match play {
                    Play::Normal => {
                        seen.arrange();
                        seen.iter().fold(0, |least, value| least + u32::from(*value == least))
                    }
                    Play::Misere => u32::from(seen.is_empty() || seen.contains(&0)),
                });
            }
        }
        Ok(None)
    }

    /// Returns the period as others see it.
    pub fn period(&self, memory: &[u64], found: &Repeating) -> HeapPeriod {
        let heaps = 0..(found.start + found.period) as u64;
        let values = heaps.filter_map(|heap| found.value(heap, memory)).collect();
        HeapPeriod {
            preperiod: found.start as u64,
            period: found.period as u64,
            most_taken: self.step,
            alike_from: self.from,
            cycle: self.cycle,
            memories: found.places.len(),
            values,
        }
    }
}

/// Values of all heaps, of which those from one heap on repeat.
#[derive(Debug, Clone)]
pub struct Repeating {
    places: FxHashMap<Numbers, usize>,
    /// By heap, then by the place of the memory: nim-values, or in misère play 1 of N-positions and
    /// 0 of P-positions.
    values: Vec<u32>,
    start: usize,
    period: usize,
    /// The winner at the end.
    pub play: Play,
}

impl Repeating {
    /// Returns the period and the heap from which the values repeat.
    pub fn period(&self) -> (usize, usize) {
        (self.period, self.start)
    }

    /// Returns the value of a heap with a memory; `None` of a memory that play does not lead to.
    pub fn value(&self, heap: u64, memory: &[u64]) -> Option<u32> {
        let place = self.places.get(memory)?;
        let (start, period) = (self.start as u64, self.period as u64);
        let like = if heap < start { heap } else { start + (heap - start) % period };
        self.values.get(like as usize * self.places.len() + place).copied()
    }
}
