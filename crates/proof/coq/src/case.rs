//! Proofs that the conditions of a case imply its conclusion: definitions, witnesses and
//! refutations of the contrary, in the order of coq/Games.v.

use crate::ExportError;
use crate::board::{Board, ClaimedOption};
use crate::body::{CaseConclusion, Condition, ProofCase};
use crate::form::{Form, Variable};
use crate::formula::{Formula, Naming, alternatives};
use crate::refute::{Refutation, RefutationCache};
use itertools::Itertools;

/// The definition of a further variable.
#[derive(Debug, Clone)]
pub enum Definition {
    /// The maximum (or minimum) of forms, and proofs that it is a natural number.
    Extreme(bool, Vec<Form>, Vec<CaseRefutation>),
    /// The quotient of a condition on divisibility, by the place of the condition.
    Quotient(usize, CaseRefutation),
}

/// A choice in a formula that makes it provable.
#[derive(Debug, Clone)]
pub enum Witness {
    /// No choice: the formula is proved as it is.
    Whole,
    /// The left side of a disjunction.
    Left(Box<Witness>),
    /// The right side of a disjunction.
    Right(Box<Witness>),
    /// Both sides of a conjunction.
    Pair(Box<Witness>, Box<Witness>),
    /// A value of a bound variable.
    Value(Variable, Box<Witness>),
}

/// A refutation by cases of definitions.
#[derive(Debug, Clone)]
pub struct CaseRefutation {
    /// The definitions that are split into cases.
    pub splits: Vec<usize>,
    /// A refutation for each case.
    pub leaves: Vec<Refutation>,
}

/// A case with its proof.
#[derive(Debug)]
pub struct ProvedCase {
    /// The conclusion.
    pub conclusion: CaseConclusion,
    /// For a move, the claimed option.
    pub option: ClaimedOption,
    /// For a move, the variables of the window's heaps in the option.
    pub moved: Vec<Variable>,
    /// The witness of the rule.
    pub rule_witness: Witness,
    /// The witness of the claim.
    pub claim_witness: Witness,
    /// The further variables.
    pub definitions: Vec<Definition>,
    /// The proofs of the goals.
    pub goals: Vec<CaseRefutation>,
    /// The conditions, in the numbers of Coq.
    pub conditions: Vec<Condition>,
    /// The number of guessed variables.
    pub guesses: usize,
}

/// Proves a case.
///
/// # Errors
/// Fails if the search finds no proof, or if the case is malformed.
pub fn prove_case(board: &mut Board, case: &ProofCase) -> Result<ProvedCase, ExportError> {
    let mut refutations = std::mem::take(&mut board.refutations);
    let proved = CaseProver::new(board, case, &mut refutations).prove();
    board.refutations = refutations;
    proved
}

fn unproved() -> ExportError {
    ExportError::new("that a part's conditions imply its move was not shown by sums and walks")
}

fn not_natural() -> ExportError {
    ExportError::new("that a value is a natural number was not shown")
}

fn without_value() -> ExportError {
    ExportError::new("a part of the certificate names a variable without a value")
}

/// Returns the form that is at most 0 if `form` is negative.
fn negative(form: &Form) -> Form {
    Form::constant(1).plus(form)
}

/// The state of the proof of one case.
struct CaseProver<'b> {
    board: &'b Board,
    case: &'b ProofCase,
    refutations: &'b mut RefutationCache,
    /// Forms that are at most 0.
    facts: Vec<Form>,
    /// For each definition or inequation, the forms of which one is at most 0.
    splits: Vec<Vec<Form>>,
    /// The first variable without a meaning.
    next: Variable,
    definitions: Vec<Definition>,
    goals: Vec<CaseRefutation>,
}

impl<'b> CaseProver<'b> {
    fn new(
        board: &'b Board,
        case: &'b ProofCase,
        refutations: &'b mut RefutationCache,
    ) -> CaseProver<'b> {
        let heaps: Vec<usize> = (0..board.heaps).collect();
        let mut facts = board.nonempty(&|i| i, &heaps);
        let mut splits = Vec::new();
        for condition in &case.conditions {
            match condition {
                Condition::Bound(form) => facts.push(form.clone()),
                Condition::Differs(form) => {
                    let one = Form::constant(1);
                    splits.push(vec![one.plus(form), one.minus(form)]);
                }
                Condition::Divisible(..) => {}
            }
        }
        let next = (board.heaps + case.guesses) as Variable;
        let (definitions, goals) = (Vec::new(), Vec::new());
        CaseProver { board, case, refutations, facts, splits, next, definitions, goals }
    }

    fn prove(mut self) -> Result<ProvedCase, ExportError> {
        self.define_quotients()?;
        self.define_values()?;
        match &self.case.conclusion {
            CaseConclusion::Over => {
                for i in 0..self.board.heaps as Variable {
                    self.prove_bound(negative(&Form::variable(i).times(-1)))?;
                }
                Ok(self.proved())
            }
            CaseConclusion::Impossible => {
                let goal = self.refute(&[]).ok_or_else(unproved)?;
                self.goals.push(goal);
                Ok(self.proved())
            }
            CaseConclusion::Claimed(image) => self.prove_claimed(image),
            CaseConclusion::Move(window, gone, image) => self.prove_move(window, gone, image),
        }
    }

    /// Returns the proof found so far, without witnesses.
    fn proved(self) -> ProvedCase {
        ProvedCase {
            conclusion: self.case.conclusion.clone(),
            option: ClaimedOption { order: Vec::new(), remaining: 0 },
            moved: Vec::new(),
            rule_witness: Witness::Whole,
            claim_witness: Witness::Whole,
            definitions: self.definitions,
            goals: self.goals,
            conditions: self.case.conditions.clone(),
            guesses: self.case.guesses,
        }
    }

    fn define_quotients(&mut self) -> Result<(), ExportError> {
        for (i, condition) in self.case.conditions.iter().enumerate() {
            if let Condition::Divisible(m, form) = condition {
                let natural = self.refute(&[negative(form)]).ok_or_else(|| {
                    ExportError::new("a remainder of what may be negative is not exported")
                })?;
                let multiple = Form::variable(self.next).times(*m as i64);
                self.facts.extend([form.minus(&multiple), multiple.minus(form)]);
                self.splits.push(vec![Form::default()]);
                self.next += 1;
                self.definitions.push(Definition::Quotient(i, natural));
            }
        }
        Ok(())
    }

    fn define_values(&mut self) -> Result<(), ExportError> {
        for value in &self.case.values {
            let forms = value.forms.clone();
            let negatives: Vec<Form> = forms.iter().map(negative).collect();
            let proofs = if value.is_maximum {
                vec![self.refute(&negatives).ok_or_else(not_natural)?]
            } else {
                let refute =
                    |form: &Form| self.refute(std::slice::from_ref(form)).ok_or_else(not_natural);
                negatives.iter().map(refute).collect::<Result<Vec<_>, _>>()?
            };
            let v = Form::variable(self.next);
            let at_most: Vec<Form> = forms.iter().map(|form| form.minus(&v)).collect();
            let at_least: Vec<Form> = forms.iter().map(|form| v.minus(form)).collect();
            let (facts, split) =
                if value.is_maximum { (at_most, at_least) } else { (at_least, at_most) };
            self.facts.extend(facts);
            if forms.len() == 1 {
                self.facts.extend(split.iter().cloned());
            }
            self.splits.push(split);
            self.next += 1;
            self.definitions.push(Definition::Extreme(value.is_maximum, forms, proofs));
        }
        Ok(())
    }

    /// Defines a variable of value 0, which stands for heaps that are removed.
    fn define_zero(&mut self) -> Result<Variable, ExportError> {
        let (v, zero) = (Form::variable(self.next), Form::constant(0));
        let proof = self.refute(&[negative(&zero)]).ok_or_else(not_natural)?;
        self.facts.extend([zero.minus(&v), v.minus(&zero)]);
        self.splits.push(vec![v.minus(&zero)]);
        self.definitions.push(Definition::Extreme(true, vec![zero], vec![proof]));
        self.next += 1;
        Ok(self.next - 1)
    }

    /// Proves that `contrary` cannot be at most 0.
    fn prove_bound(&mut self, contrary: Form) -> Result<(), ExportError> {
        let goal = self.refute(&[contrary]).ok_or_else(unproved)?;
        self.goals.push(goal);
        Ok(())
    }

    /// Proves that the position is claimed, in the image of the certificate or in any other.
    fn prove_claimed(mut self, image: &Vec<usize>) -> Result<ProvedCase, ExportError> {
        let (board, case) = (self.board, self.case);
        let (n, zero) = (board.heaps as Variable, self.next);
        let known = board.images.iter().find(|own| *own == image);
        let candidates = known.map_or(&board.images[..], std::slice::from_ref);
        for image in candidates {
            let naming = in_order(n, zero, &|i| i, image);
            let value = |i| case.bound_value(1, board.heaps, i);
            if let Some((witness, goals)) = self.prove_formula(board.claim(), &naming, &value)? {
                self.goals = goals;
                let conclusion = CaseConclusion::Claimed(image.clone());
                return Ok(ProvedCase { conclusion, claim_witness: witness, ..self.proved() });
            }
        }
        Err(unproved())
    }

    /// Proves that a move in `window` leads to a claimed option. The move empties the heaps `gone`;
    /// `image` orders the remaining ones, counted without those that are gone.
    fn prove_move(
        mut self,
        window: &[usize],
        gone: &[usize],
        image: &[usize],
    ) -> Result<ProvedCase, ExportError> {
        let (board, case) = (self.board, self.case);
        let n = board.heaps as Variable;
        let gone_value = if gone.is_empty() { None } else { Some(self.define_zero()?) };
        let zero = self.next;
        let remaining: Vec<usize> = (0..board.heaps).filter(|h| !gone.contains(h)).collect();
        // The variables of lowered heaps are listed in the order of the circle.
        let lowered: Vec<usize> =
            remaining.iter().copied().filter(|h| window.contains(h)).collect();
        let moved_to = |h: &usize| match lowered.iter().position(|own| own == h) {
            Some(at) => case.lower.get(at).copied(),
            None => gone_value,
        };
        let moved: Vec<Variable> = window
            .iter()
            .map(|h| moved_to(h).ok_or_else(without_value))
            .collect::<Result<_, _>>()?;
        let option = |i: Variable| {
            let at = window.iter().position(|h| *h as Variable == i);
            at.map_or(i, |at| moved[at])
        };
        let taken = |h: Variable| Form::variable(h).minus(&Form::variable(option(h)));
        for h in window.iter().map(|h| *h as Variable).filter(|h| *h < board.holding()) {
            self.prove_bound(negative(&taken(h)))?;
        }
        if board.must_take {
            let total =
                (0..board.holding()).rev().fold(Form::default(), |sum, h| taken(h).plus(&sum));
            self.prove_bound(total)?;
        }
        let order: Vec<usize> = image
            .iter()
            .map(|i| remaining.get(*i).copied())
            .collect::<Option<_>>()
            .ok_or_else(without_value)?;
        let is_candidate = |option: &&ClaimedOption| {
            option.remaining == remaining.len() && option.gone().iter().all(|h| gone.contains(h))
        };
        let candidates: Vec<&ClaimedOption> = board.options.iter().filter(is_candidate).collect();
        let exact: Vec<&ClaimedOption> =
            candidates.iter().copied().filter(|option| option.kept() == order).collect();
        let candidates = if exact.is_empty() { candidates } else { exact };
        let naming = in_window(n, zero, &option, window);
        let value = |i| case.bound_value(0, 2 * window.len(), i);
        let (rule_witness, rule_goals) =
            self.prove_formula(&board.rule, &naming, &value)?.ok_or_else(unproved)?;
        for candidate in candidates {
            let naming = in_order(n, zero, &option, candidate.kept());
            let claim = &board.claims[candidate.remaining];
            let value = |i| case.bound_value(1, candidate.remaining, i);
            let Some((claim_witness, claim_goals)) = self.prove_formula(claim, &naming, &value)?
            else {
                continue;
            };
            if board.is_shrinking {
                let heap = |h: &usize| Form::variable(option(*h as Variable));
                for h in candidate.kept() {
                    self.prove_bound(heap(h))?;
                }
                for h in candidate.gone() {
                    self.prove_bound(Form::constant(1).minus(&heap(h)))?;
                }
            }
            self.goals.extend(rule_goals);
            self.goals.extend(claim_goals);
            let option = candidate.clone();
            let moved = moved.clone();
            return Ok(ProvedCase { option, moved, rule_witness, claim_witness, ..self.proved() });
        }
        Err(unproved())
    }

    /// Refutes that the forms of `contrary` are all at most 0, if necessary by cases of one, two or
    /// all definitions.
    fn refute(&mut self, contrary: &[Form]) -> Option<CaseRefutation> {
        let wide: Vec<usize> =
            (0..self.splits.len()).filter(|i| self.splits[*i].len() > 1).collect();
        let attempts = (0..=2).flat_map(|count| wide.iter().copied().combinations(count));
        let attempts = attempts.chain((wide.len() > 2).then(|| wide.clone()));
        attempts.into_iter().find_map(|splits| self.refute_by_cases(contrary, splits))
    }

    fn refute_by_cases(&mut self, contrary: &[Form], splits: Vec<usize>) -> Option<CaseRefutation> {
        /// The greatest number of cases.
        const MAX_CASES: usize = 64;
        let cases = splits.iter().map(|i| self.splits[*i].len()).fold(1, usize::saturating_mul);
        if cases > MAX_CASES {
            return None;
        }
        let mut leaves = Vec::new();
        if splits.is_empty() {
            leaves.push(self.refutations.find(&[&self.facts[..], contrary].concat())?);
        } else {
            for case in
                splits.iter().map(|i| self.splits[*i].iter().cloned()).multi_cartesian_product()
            {
                leaves.push(self.refutations.find(&[&self.facts[..], contrary, &case].concat())?);
            }
        }
        Some(CaseRefutation { splits, leaves })
    }

    /// Proves a formula: returns the first witness for which all contraries are refuted.
    fn prove_formula(
        &mut self,
        formula: &Formula,
        naming: &Naming<'_>,
        value: &dyn Fn(usize) -> Option<Variable>,
    ) -> Result<Option<(Witness, Vec<CaseRefutation>)>, ExportError> {
        'witnesses: for witness in witnesses(formula, value) {
            let mut chosen = Vec::new();
            collect_chosen(formula, &witness, Vec::new(), &mut chosen);
            let mut goals = Vec::new();
            for (bound, goal) in chosen {
                let naming = |i: usize| {
                    bound.iter().rev().find(|(j, _)| *j == i).map_or_else(|| naming(i), |(_, v)| *v)
                };
                let mut next = self.next + 1;
                for contrary in alternatives(&naming, false, goal, &mut next)? {
                    match self.refute(&contrary) {
                        Some(goal) => goals.push(goal),
                        None => continue 'witnesses,
                    }
                }
            }
            return Ok(Some((witness, goals)));
        }
        Ok(None)
    }
}

/// Names the heaps of a position in the order of a list.
pub fn in_order<'n>(
    n: Variable,
    zero: Variable,
    option: &'n dyn Fn(Variable) -> Variable,
    order: &'n [usize],
) -> Box<Naming<'n>> {
    Box::new(move |i| match order.get(i) {
        Some(j) if (*j as Variable) < n => option(*j as Variable),
        _ => zero,
    })
}

/// Names the heaps of a window before a move, then those after it.
pub fn in_window<'n>(
    n: Variable,
    zero: Variable,
    option: &'n dyn Fn(Variable) -> Variable,
    window: &'n [usize],
) -> Box<Naming<'n>> {
    Box::new(move |i| {
        let after = i >= window.len();
        match window.get(if after { i - window.len() } else { i }) {
            Some(j) if (*j as Variable) < n => {
                if after {
                    option(*j as Variable)
                } else {
                    *j as Variable
                }
            }
            _ => zero,
        }
    })
}

/// The greatest number of witnesses that are tried.
const MAX_WITNESSES: usize = 200;

/// Returns the possible witnesses of a formula.
fn witnesses(formula: &Formula, value: &dyn Fn(usize) -> Option<Variable>) -> Vec<Witness> {
    let mut all = match formula {
        Formula::Or(f, g) => {
            let left = witnesses(f, value).into_iter().map(|w| Witness::Left(w.into()));
            let right = witnesses(g, value).into_iter().map(|w| Witness::Right(w.into()));
            let mut all: Vec<Witness> = left.chain(right).collect();
            if formula.quantifier_free() {
                all.push(Witness::Whole);
            }
            all
        }
        Formula::Exists(i, f) => match value(*i) {
            Some(v) => {
                witnesses(f, value).into_iter().map(|w| Witness::Value(v, w.into())).collect()
            }
            None => vec![],
        },
        Formula::And(f, g) => {
            let (left, right) = (witnesses(f, value), witnesses(g, value));
            if let ([Witness::Whole], [Witness::Whole]) = (&left[..], &right[..]) {
                return vec![Witness::Whole];
            }
            let pair = |v: &Witness, w: &Witness| Witness::Pair(v.clone().into(), w.clone().into());
            left.iter()
                .flat_map(|v| right.iter().map(move |w| pair(v, w)))
                .take(MAX_WITNESSES)
                .collect()
        }
        _ => vec![Witness::Whole],
    };
    all.truncate(MAX_WITNESSES);
    all
}

/// Subformulas without choices, each with the values of its bound variables.
type Chosen<'f> = Vec<(Vec<(usize, Variable)>, &'f Formula)>;

/// Collects the subformulas that remain to be proved after the choices of a witness.
fn collect_chosen<'f>(
    formula: &'f Formula,
    witness: &Witness,
    bound: Vec<(usize, Variable)>,
    into: &mut Chosen<'f>,
) {
    match (witness, formula) {
        (Witness::Left(w), Formula::Or(f, _)) | (Witness::Right(w), Formula::Or(_, f)) => {
            collect_chosen(f, w, bound, into)
        }
        (Witness::Pair(v, w), Formula::And(f, g)) => {
            collect_chosen(f, v, bound.clone(), into);
            collect_chosen(g, w, bound, into);
        }
        (Witness::Value(x, w), Formula::Exists(i, f)) => {
            collect_chosen(f, w, [bound, vec![(*i, *x)]].concat(), into);
        }
        _ => into.push((bound, formula)),
    }
}
