//! Systems of sentences about integers, shown to have no solution.
//!
//! Products are treated as unknowns, and a point of fractions that satisfies all facts is sought.
//! Such a point is cut off by a disjunction of which it satisfies no sentence, by an integer sum
//! that is a fraction at the point, or by a difference of quotients, an integer at the point, whose
//! product with a parameter is not the unknown of that product. For each of these the search
//! branches. If no point is left, Farkas multipliers prove it.

use super::simplex::{Checked, Conflict, Ratio, Simplex};
use super::sum::{Assertion, Product, Sum, Unknowns};
use bouton_core::{Arrange, LimitReached, Meter};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::{self, Write};
use std::rc::Rc;

/// Why a system is not shown to have no solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotRefuted {
    /// The budget ended.
    Limit(LimitReached),
    /// A number grew too great, or the search too deep.
    Great,
    /// A point satisfies all that the search knows of.
    Satisfied,
}

impl fmt::Display for NotRefuted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRefuted::Limit(limit) => limit.fmt(f),
            NotRefuted::Great => f.write_str("numbers grow too great, or a proof too deep"),
            NotRefuted::Satisfied => {
                f.write_str("no contradiction follows from what is known of products")
            }
        }
    }
}

impl From<LimitReached> for NotRefuted {
    fn from(limit: LimitReached) -> NotRefuted {
        NotRefuted::Limit(limit)
    }
}

/// A refutation; what holds on the way is named by numbers of its own.
#[derive(Debug)]
struct Refutation {
    step: Step,
    /// What it uses of what holds above it.
    used: BTreeSet<usize>,
}

/// A branch: what it begins with, and its refutation.
type Branch = (Vec<usize>, Rc<Refutation>);

#[derive(Debug)]
enum Step {
    /// Facts, times numbers.
    End(Conflict),
    /// Two facts, their product, what follows.
    Times([usize; 3], Rc<Refutation>),
    /// A sum that is 0 or more, or its opposite.
    Split(usize, Vec<Branch>),
    /// A choice.
    Or(usize, Vec<Branch>),
}

/// A sentence: atoms by their numbers.
#[derive(Debug, Clone)]
enum Formula {
    Atom(usize),
    All(Rc<Vec<Formula>>),
    Any(Rc<Vec<Formula>>),
}

/// A sum that may be 0 or more.
#[derive(Debug)]
struct Atom {
    sum: Sum,
    /// Columns and coefficients.
    form: Vec<(usize, i128)>,
    /// Quotients in it.
    quotients: Vec<usize>,
    /// The atom that says that the sum is below 0.
    opposite: usize,
    /// Whether it bounds a quotient, or a difference of two, by a divisor with parameters.
    multiply: bool,
}

/// What holds.
enum Entry {
    Fact(usize),
    Choice(Rc<Vec<Formula>>),
}

/// A choice on the way: parts that are refuted.
struct Pending {
    entry: usize,
    dead: Vec<Option<Branch>>,
    /// Whether one of its parts is said.
    taken: bool,
}

/// A sum at whose value the search forks.
struct Fork {
    sum: Sum,
    form: Vec<(usize, i128)>,
    /// Quotients in it.
    quotients: Vec<usize>,
    /// Parameters' columns, and the form of the product.
    products: Vec<(usize, Vec<(usize, i128)>)>,
    /// Values between which a fork is made.
    between: Option<(i128, i128)>,
    /// Whether this comes before choices.
    first: bool,
}

impl Fork {
    fn new(sum: Sum, quotients: Vec<usize>, between: Option<(i128, i128)>) -> Fork {
        Fork { sum, form: Vec::new(), quotients, products: Vec::new(), between, first: false }
    }
}

/// Most forks one below the other.
const DEEPEST: usize = 400;

/// The greatest coefficient of a cut of Gomory that is used.
const MAX_CUT_COEFFICIENT: i128 = 12;

/// Atoms that are looked at before one is taken to fork at.
const LOOKED_AT: usize = 4;

/// What is undone at the end of a branch.
enum Undo {
    /// A choice on the way, and its part that is refuted.
    Dead(usize, usize),
    /// A quotient whose definition counts.
    Active(usize),
    /// An atom that is said.
    Asserted(usize),
}

/// Where a branch begins.
struct Mark {
    simplex: usize,
    pending: usize,
    undo: usize,
}

/// A branch that was begun.
struct Begun {
    /// What it begins with.
    entries: Vec<usize>,
    /// Two facts, and the entry of their product.
    products: Vec<[usize; 3]>,
    /// Why it ends, if that is seen.
    conflict: Option<Conflict>,
}

struct ProductSearch<'s, 'm> {
    unknowns: &'s Unknowns,
    simplex: Simplex<Product>,
    atoms: Vec<Atom>,
    numbers: HashMap<Sum, usize>,
    entries: Vec<Entry>,
    pending: Vec<Pending>,
    undo: Vec<Undo>,
    /// Quotients whose definitions count.
    active: Vec<bool>,
    /// Quotients by unknowns.
    quotient_of: Vec<Option<usize>>,
    /// How often an atom was said.
    asserted: Vec<u32>,
    /// Facts on parameters alone.
    bounds: Vec<usize>,
    forks: Vec<Fork>,
    depth: usize,
    meter: &'m mut Meter,
}

/// Returns lines of a certificate that refute a system.
///
/// # Errors
///
/// If no refutation is found.
pub fn refute(
    unknowns: &Unknowns,
    system: &[Assertion],
    meter: &mut Meter,
) -> Result<String, NotRefuted> {
    let mut quotient_of = vec![None; unknowns.names.len()];
    for (index, quotient) in unknowns.quotients.iter().enumerate() {
        quotient_of[usize::from(quotient.unknown)] = Some(index);
    }
    let mut search = ProductSearch {
        unknowns,
        simplex: Simplex::new(),
        atoms: Vec::new(),
        numbers: HashMap::new(),
        entries: Vec::new(),
        pending: Vec::new(),
        undo: Vec::new(),
        active: vec![false; unknowns.quotients.len()],
        quotient_of,
        asserted: Vec::new(),
        bounds: Vec::new(),
        forks: Vec::new(),
        depth: 0,
        meter,
    };
    let refutation = search.whole(system);
    let (mut entries, refutation) = refutation?;
    let mut lines = String::new();
    search.write(&refutation, &mut entries, &mut lines);
    Ok(lines)
}

fn ended(conflict: Conflict) -> Rc<Refutation> {
    Rc::new(Refutation {
        used: conflict.iter().map(|(fact, _)| *fact).collect(),
        step: Step::End(conflict),
    })
}

impl ProductSearch<'_, '_> {
    /// Refutes a system; returns with what the way begins.
    fn whole(&mut self, system: &[Assertion]) -> Result<Branch, NotRefuted> {
        let mut entries = Vec::new();
        for definition in &self.unknowns.definitions {
            let atom = self.atom(definition.clone()).ok_or(NotRefuted::Great)?;
            entries.push(self.entries.len());
            self.entries.push(Entry::Fact(atom));
        }
        self.forks().ok_or(NotRefuted::Great)?;
        let whole = Assertion::all([Assertion::all(system.iter().cloned())]);
        let whole = self.formula(&whole).ok_or(NotRefuted::Great)?;
        let mut conflict = None;
        // Of quotients of stones all choices speak.
        for quotient in &self.unknowns.quotients {
            let whole = |unknown: &u16| self.quotient_of[usize::from(*unknown)].is_none();
            if !quotient.divisor.terms.is_empty()
                && quotient.dividend.terms.keys().flatten().all(whole)
            {
                self.activate(quotient.unknown, &mut conflict)?;
            }
        }
        // Bounds of parameters are known before what is multiplied with them.
        let mut begun = Begun { entries: Vec::new(), products: Vec::new(), conflict };
        self.assume(&whole, &mut begun)?;
        for entry in &begun.entries {
            if let Entry::Fact(atom) = self.entries[*entry] {
                let sum = &self.atoms[atom].sum;
                let known = self
                    .bounds
                    .iter()
                    .any(|one| matches!(self.entries[*one], Entry::Fact(a) if a == atom));
                if !sum.terms.is_empty() && !known && self.unknowns.is_of_parameters_alone(sum) {
                    self.bounds.push(*entry);
                }
            }
        }
        self.multiply(&mut begun)?;
        let refutation = match begun.conflict.take() {
            Some(conflict) => ended(conflict),
            None => self.search()?,
        };
        entries.append(&mut begun.entries);
        Ok((entries, wrapped(&begun.products, refutation)))
    }

    /// Returns the number of a sum as an atom.
    fn atom(&mut self, sum: Sum) -> Option<usize> {
        let sum = sum.tightened();
        if let Some(known) = self.numbers.get(&sum) {
            return Some(*known);
        }
        let number = self.atoms.len();
        let opposite = sum.negation()?;
        let form: Vec<(usize, i128)> = self.form(&sum);
        let against = form.iter().map(|(column, c)| (*column, -c)).collect();
        let multiply = self.is_multiplied(&sum);
        self.numbers.insert(sum.clone(), number);
        self.numbers.insert(opposite.clone(), number + 1);
        let found = sum
            .terms
            .keys()
            .flatten()
            .filter_map(|unknown| self.quotient_of[usize::from(*unknown)]);
        let quotients = found.collect::<BTreeSet<usize>>().into_iter().collect::<Vec<usize>>();
        self.atoms.push(Atom {
            sum,
            form,
            quotients: quotients.clone(),
            opposite: number + 1,
            multiply,
        });
        self.atoms.push(Atom {
            sum: opposite,
            form: against,
            quotients,
            opposite: number,
            multiply,
        });
        self.asserted.extend([0, 0]);
        Some(number)
    }

    fn form(&mut self, sum: &Sum) -> Vec<(usize, i128)> {
        sum.terms.iter().map(|(key, c)| (self.simplex.column(key), *c)).collect()
    }

    /// Returns whether a sum bounds an opaque quotient or the difference of two, whatever their
    /// divisors.
    fn is_multiplied(&self, sum: &Sum) -> bool {
        let mut signs = Vec::new();
        for (product, c) in &sum.terms {
            let [unknown] = product[..] else { return false };
            let Some(quotient) = self.quotient_of[usize::from(unknown)] else { return false };
            let divisor = &self.unknowns.quotients[quotient].divisor;
            if divisor.terms.is_empty() || c.abs() != 1 {
                return false;
            }
            signs.push(*c);
        }
        match signs[..] {
            [_] => true,
            [c, k] => c == -k,
            _ => false,
        }
    }

    fn formula(&mut self, assertion: &Assertion) -> Option<Formula> {
        Some(match assertion {
            Assertion::Holds(sum) => Formula::Atom(self.atom(sum.clone())?),
            Assertion::All(parts) => Formula::All(
                parts.iter().map(|part| self.formula(part)).collect::<Option<Vec<_>>>()?.into(),
            ),
            Assertion::Any(parts) => Formula::Any(
                parts.iter().map(|part| self.formula(part)).collect::<Option<Vec<_>>>()?.into(),
            ),
        })
    }

    /// Finds the sums at which the search forks.
    fn forks(&mut self) -> Option<()> {
        let unknowns = self.unknowns;
        let quotients = &unknowns.quotients;
        let alike = |i: usize, j: usize| quotients[i].divisor == quotients[j].divisor;
        let opaque = |i: usize| !quotients[i].divisor.terms.is_empty();
        let sum = |i: usize| Sum::unknown(quotients[i].unknown);
        let count = quotients.len();
        let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
        let pairs: Vec<(usize, usize)> = pairs.filter(|(i, j)| alike(*i, *j)).collect();
        let mut all: Vec<Fork> = Vec::new();
        let others =
            (0..unknowns.names.len() as u16).filter(|u| quotients.iter().all(|q| q.unknown != *u));
        all.extend(others.map(|unknown| Fork::new(Sum::unknown(unknown), Vec::new(), None)));
        all.extend((0..count).filter(|i| !opaque(*i)).map(|i| Fork::new(sum(i), vec![i], None)));
        for (i, j) in pairs.iter().filter(|(i, _)| opaque(*i)) {
            // Of a number, and of what a move makes of it.
            let apart = quotients[*i].dividend.plus(-1, &quotients[*j].dividend)?;
            let first = unknowns.is_of_parameters(&apart);
            let fork = Fork::new(sum(*i).plus(-1, &sum(*j))?, vec![*i, *j], Some((-2, 3)));
            all.push(Fork { first, ..fork });
        }
        all.extend(
            (0..count).filter(|i| opaque(*i)).map(|i| Fork::new(sum(i), vec![i], Some((0, 3)))),
        );
        for (i, j) in pairs.iter().filter(|(i, _)| !opaque(*i)) {
            all.push(Fork::new(sum(*i).plus(-1, &sum(*j))?, vec![*i, *j], None));
        }
        // Parities of sums.
        for (i, j) in pairs.iter().filter(|(i, _)| !opaque(*i)) {
            let (both, difference) = (sum(*i).plus(1, &sum(*j))?, sum(*i).plus(-1, &sum(*j))?);
            for l in (j + 1..count).filter(|l| alike(*i, *l)) {
                for sign in [1, -1] {
                    all.push(Fork::new(both.plus(sign, &sum(l))?, vec![*i, *j, l], None));
                    all.push(Fork::new(difference.plus(sign, &sum(l))?, vec![*i, *j, l], None));
                }
            }
            all.push(Fork::new(both, vec![*i, *j], None));
        }
        // Multiples of different divisors that have a parameter in common.
        for (i, j) in (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))) {
            if opaque(i) && opaque(j) && !alike(i, j) {
                all.push(Fork::new(sum(i).plus(-1, &sum(j))?, vec![i, j], Some((-2, 3))));
            }
        }
        for fork in &mut all {
            fork.form = self.form(&fork.sum);
            if fork.between.is_none() {
                continue;
            }
            for parameter in 0..unknowns.parameters as u16 {
                let has = |quotient: &usize| {
                    unknowns.quotients[*quotient].divisor.terms.contains_key(&vec![parameter])
                };
                if !fork.quotients.is_empty() && fork.quotients.iter().all(has) {
                    let product = fork.sum.times(&Sum::unknown(parameter))?;
                    let product = self.form(&product);
                    fork.products.push((self.simplex.column(&vec![parameter]), product));
                }
            }
        }
        self.forks = all;
        Some(())
    }

    /// Adds what a formula says.
    fn assume(&mut self, formula: &Formula, begun: &mut Begun) -> Result<(), NotRefuted> {
        match formula {
            Formula::All(parts) => {
                for part in parts.iter() {
                    self.assume(part, begun)?;
                }
            }
            Formula::Any(parts) => {
                let entry = self.entries.len();
                self.entries.push(Entry::Choice(Rc::clone(parts)));
                self.pending.push(Pending { entry, dead: vec![None; parts.len()], taken: false });
                begun.entries.push(entry);
            }
            Formula::Atom(atom) => {
                let entry = self.fact(*atom, &mut begun.conflict)?;
                begun.entries.push(entry);
            }
        }
        Ok(())
    }

    /// Adds a fact as the next entry.
    fn fact(&mut self, atom: usize, conflict: &mut Option<Conflict>) -> Result<usize, NotRefuted> {
        let entry = self.entries.len();
        self.entries.push(Entry::Fact(atom));
        self.asserted[atom] += 1;
        self.undo.push(Undo::Asserted(atom));
        self.say(atom, entry, conflict)?;
        let unknowns: Vec<u16> = self.atoms[atom].sum.terms.keys().flatten().copied().collect();
        for unknown in unknowns {
            self.activate(unknown, conflict)?;
        }
        Ok(entry)
    }

    fn say(
        &mut self,
        atom: usize,
        entry: usize,
        conflict: &mut Option<Conflict>,
    ) -> Result<(), NotRefuted> {
        let Atom { sum, .. } = &self.atoms[atom];
        let checked = match sum.terms.is_empty() {
            true if sum.constant < 0 => Checked::Conflict(vec![(entry, 1)]),
            true => Checked::Satisfied,
            false => self.simplex.add(&sum.terms, sum.constant, entry).ok_or(NotRefuted::Great)?,
        };
        if let (Checked::Conflict(found), None) = (checked, &conflict) {
            *conflict = Some(found);
        }
        Ok(())
    }

    /// Makes the definition of a quotient count, and those in its dividend.
    fn activate(
        &mut self,
        unknown: u16,
        conflict: &mut Option<Conflict>,
    ) -> Result<(), NotRefuted> {
        let Some(quotient) = self.quotient_of[usize::from(unknown)] else { return Ok(()) };
        if std::mem::replace(&mut self.active[quotient], true) {
            return Ok(());
        }
        self.undo.push(Undo::Active(quotient));
        for entry in [2 * quotient, 2 * quotient + 1] {
            if let Entry::Fact(atom) = self.entries[entry] {
                self.say(atom, entry, conflict)?;
            }
        }
        let quotient = &self.unknowns.quotients[quotient];
        for unknown in quotient.dividend.terms.keys().chain(quotient.divisor.terms.keys()).flatten()
        {
            self.activate(*unknown, conflict)?;
        }
        Ok(())
    }

    /// Adds products of facts with bounds of parameters.
    fn multiply(&mut self, begun: &mut Begun) -> Result<(), NotRefuted> {
        for own in begun.entries.clone() {
            let Entry::Fact(atom) = self.entries[own] else { continue };
            if !self.atoms[atom].multiply {
                continue;
            }
            for bound in self.bounds.clone() {
                let Entry::Fact(other) = self.entries[bound] else { continue };
                let product =
                    self.atoms[other].sum.times(&self.atoms[atom].sum).ok_or(NotRefuted::Great)?;
                let product = self.atom(product).ok_or(NotRefuted::Great)?;
                let entry = self.fact(product, &mut begun.conflict)?;
                begun.products.push([bound, own, entry]);
            }
        }
        Ok(())
    }

    fn mark(&self) -> Mark {
        Mark {
            simplex: self.simplex.checkpoint(),
            pending: self.pending.len(),
            undo: self.undo.len(),
        }
    }

    fn back(&mut self, mark: &Mark) {
        self.simplex.rollback(mark.simplex);
        while self.undo.len() > mark.undo {
            match self.undo.pop() {
                Some(Undo::Dead(pending, part)) => {
                    if let Some(pending) = self.pending.get_mut(pending) {
                        pending.dead[part] = None;
                    }
                }
                Some(Undo::Active(quotient)) => self.active[quotient] = false,
                Some(Undo::Asserted(atom)) => self.asserted[atom] -= 1,
                None => {}
            }
        }
        self.pending.truncate(mark.pending);
    }

    fn begin(&mut self, start: &Formula) -> Result<Begun, NotRefuted> {
        let mut begun = Begun { entries: Vec::new(), products: Vec::new(), conflict: None };
        self.assume(start, &mut begun)?;
        self.multiply(&mut begun)?;
        Ok(begun)
    }

    /// Returns a branch that ends without a fork, if it does.
    fn probe(&mut self, start: &Formula) -> Result<Option<Branch>, NotRefuted> {
        self.meter.spend_one()?;
        let (mark, length) = (self.mark(), self.entries.len());
        let mut begun = self.begin(start)?;
        if begun.conflict.is_none()
            && let Checked::Conflict(found) = self.simplex.check().ok_or(NotRefuted::Great)?
        {
            begun.conflict = Some(found);
        }
        self.back(&mark);
        Ok(match begun.conflict {
            Some(conflict) => Some((begun.entries, wrapped(&begun.products, ended(conflict)))),
            None => {
                self.entries.truncate(length);
                None
            }
        })
    }

    /// Returns the refutation of a branch.
    fn branch(&mut self, start: &Formula) -> Result<Branch, NotRefuted> {
        let mark = self.mark();
        let begun = self.begin(start)?;
        let refutation = match begun.conflict {
            Some(conflict) => ended(conflict),
            None => {
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err(NotRefuted::Great);
                }
                let found = self.search()?;
                self.depth -= 1;
                found
            }
        };
        self.back(&mark);
        Ok((begun.entries, wrapped(&begun.products, refutation)))
    }

    /// Refutes what holds.
    fn search(&mut self) -> Result<Rc<Refutation>, NotRefuted> {
        self.meter.spend_one()?;
        if let Checked::Conflict(conflict) = self.simplex.check().ok_or(NotRefuted::Great)? {
            return Ok(ended(conflict));
        }
        for number in 0..self.pending.len() {
            let Entry::Choice(parts) = &self.entries[self.pending[number].entry] else { continue };
            let parts = Rc::clone(parts);
            if self.pending[number].taken || self.any_holds(&parts).ok_or(NotRefuted::Great)? {
                continue;
            }
            let mut open = 0;
            for (index, part) in parts.iter().enumerate() {
                if self.pending[number].dead[index].is_some() {
                    continue;
                }
                match self.probe(part)? {
                    Some(branch) => {
                        self.pending[number].dead[index] = Some(branch);
                        self.undo.push(Undo::Dead(number, index));
                    }
                    None => open += 1,
                }
            }
            if open <= 1 {
                return self.fork_choice(number);
            }
        }
        if let Checked::Conflict(conflict) = self.simplex.check().ok_or(NotRefuted::Great)? {
            return Ok(ended(conflict));
        }
        if let Some((atom, _)) = self.cuts(true)?.first() {
            return self.fork(*atom, [None, None]);
        }
        // Atoms of choices that the point does not satisfy.
        let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
        for number in 0..self.pending.len() {
            let Entry::Choice(parts) = &self.entries[self.pending[number].entry] else { continue };
            if self.pending[number].taken || self.any_holds(parts).ok_or(NotRefuted::Great)? {
                continue;
            }
            let dead = &self.pending[number].dead;
            let open = dead.iter().filter(|one| one.is_none()).count();
            let weight = 0.5f64.powi(open as i32);
            for (part, _) in parts.iter().zip(dead).filter(|(_, dead)| dead.is_none()) {
                self.weigh(part, weight, &mut weights);
            }
        }
        if !weights.is_empty() {
            let mut order: Vec<(usize, f64)> = weights.into_iter().collect();
            order.arrange_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            for (atom, _) in order.iter().take(LOOKED_AT) {
                let found = self.both(*atom)?;
                if found.iter().any(Option::is_some) {
                    return self.fork(*atom, found);
                }
            }
            return self.fork(order[0].0, [None, None]);
        }
        if let Checked::Conflict(conflict) = self.simplex.check().ok_or(NotRefuted::Great)? {
            return Ok(ended(conflict));
        }
        // Of these forks one that ends at once is best, then one that leaves a single branch.
        let mut best: Option<(i128, usize, [Option<Branch>; 2])> = None;
        for (atom, rank) in self.cuts(false)? {
            let found = self.both(atom)?;
            let rank = if found.iter().all(Option::is_some) { -1 } else { rank };
            if best.as_ref().is_none_or(|(least, ..)| rank < *least) {
                best = Some((rank, atom, found));
            }
            if rank < 0 {
                break;
            }
        }
        if best.as_ref().is_none_or(|(rank, ..)| *rank > 0) {
            if let Checked::Conflict(conflict) = self.simplex.check().ok_or(NotRefuted::Great)? {
                return Ok(ended(conflict));
            }
            if let Some(atom) = self.gomory()? {
                let found = self.both(atom)?;
                return self.fork(atom, found);
            }
        }
        match best {
            Some((_, atom, found)) => self.fork(atom, found),
            None => match self.fraction()? {
                Some(atom) => self.fork(atom, [None, None]),
                None => Err(NotRefuted::Satisfied),
            },
        }
    }

    /// Returns the cut of Gomory with the least coefficients, if they are small.
    fn gomory(&mut self) -> Result<Option<usize>, NotRefuted> {
        let cuts = self.simplex.gomory().ok_or(NotRefuted::Great)?;
        let best =
            cuts.into_iter().min_by_key(|(sum, _)| sum.values().map(|c| c.abs()).sum::<i128>());
        let Some((sum, constant)) = best else { return Ok(None) };
        if sum.is_empty() || sum.values().any(|c| c.abs() > MAX_CUT_COEFFICIENT) {
            return Ok(None);
        }
        let keys =
            self.simplex.keys().filter_map(|(key, column)| Some((key.clone(), *sum.get(&column)?)));
        let whole = Sum { terms: keys.collect(), constant };
        Ok(Some(self.atom(whole).ok_or(NotRefuted::Great)?))
    }

    /// Returns that an unknown or a product which is a fraction at the point is a greater integer.
    fn fraction(&mut self) -> Result<Option<usize>, NotRefuted> {
        let counts = |unknown: &u16| {
            self.quotient_of[usize::from(*unknown)].is_none_or(|quotient| self.active[quotient])
        };
        let all = self
            .simplex
            .keys()
            .filter(|(key, column)| self.simplex.at(*column).bottom != 1 && key.iter().all(counts));
        let Some((key, column)) = all.min() else { return Ok(None) };
        let value = self.simplex.at(column);
        let constant = -value.top.div_euclid(value.bottom) - 1;
        let sum = Sum { terms: [(key.clone(), 1)].into(), constant };
        Ok(Some(self.atom(sum).ok_or(NotRefuted::Great)?))
    }

    /// Looks for an end of both branches of an atom without a fork.
    fn both(&mut self, atom: usize) -> Result<[Option<Branch>; 2], NotRefuted> {
        let opposite = self.atoms[atom].opposite;
        Ok([self.probe(&Formula::Atom(atom))?, self.probe(&Formula::Atom(opposite))?])
    }

    fn weigh(&self, formula: &Formula, weight: f64, weights: &mut BTreeMap<usize, f64>) {
        match formula {
            Formula::Atom(atom) => {
                let own = (*atom).min(self.atoms[*atom].opposite);
                let known = self.asserted[own] + self.asserted[self.atoms[own].opposite] > 0;
                if !known && !self.atoms[own].sum.terms.is_empty() {
                    *weights.entry(own).or_insert(0.0) += weight;
                }
            }
            Formula::All(parts) | Formula::Any(parts) => {
                parts.iter().for_each(|part| self.weigh(part, weight, weights));
            }
        }
    }

    /// Refutes what is left of a choice.
    fn fork_choice(&mut self, number: usize) -> Result<Rc<Refutation>, NotRefuted> {
        let entry = self.pending[number].entry;
        let Entry::Choice(parts) = &self.entries[entry] else { return Err(NotRefuted::Great) };
        let parts = Rc::clone(parts);
        let mut branches = Vec::new();
        self.pending[number].taken = true;
        for (index, part) in parts.iter().enumerate() {
            let branch = match &self.pending[number].dead[index] {
                Some((entries, refutation)) => (entries.clone(), Rc::clone(refutation)),
                None => self.branch(part)?,
            };
            // What does not use the branch is a refutation without the fork.
            if branch.0.iter().all(|entry| !branch.1.used.contains(entry)) {
                self.pending[number].taken = false;
                return Ok(branch.1);
            }
            branches.push(branch);
        }
        self.pending[number].taken = false;
        let mut used = used_above(&branches);
        used.insert(entry);
        Ok(Rc::new(Refutation { step: Step::Or(entry, branches), used }))
    }

    /// Refutes an atom and its opposite.
    fn fork(
        &mut self,
        atom: usize,
        found: [Option<Branch>; 2],
    ) -> Result<Rc<Refutation>, NotRefuted> {
        let mut branches = Vec::new();
        for (done, own) in found.into_iter().zip([atom, self.atoms[atom].opposite]) {
            let branch = match done {
                Some(done) => done,
                None => self.branch(&Formula::Atom(own))?,
            };
            if branch.0.iter().all(|entry| !branch.1.used.contains(entry)) {
                return Ok(branch.1);
            }
            branches.push(branch);
        }
        let used = used_above(&branches);
        Ok(Rc::new(Refutation { step: Step::Split(atom, branches), used }))
    }

    /// Returns the value of a form at the point.
    fn value(&self, form: &[(usize, i128)], constant: i128) -> Option<Ratio> {
        let mut value = Ratio::whole(constant);
        for (column, c) in form {
            value = value.plus(Ratio::whole(*c).times(self.simplex.at(*column))?)?;
        }
        Some(value)
    }

    fn any_holds(&self, parts: &[Formula]) -> Option<bool> {
        parts.iter().try_fold(false, |any, part| Some(any || self.holds(part)?))
    }

    fn holds(&self, formula: &Formula) -> Option<bool> {
        match formula {
            Formula::Atom(atom) => {
                let Atom { sum, form, quotients, .. } = &self.atoms[*atom];
                if !quotients.iter().all(|quotient| self.active[*quotient]) {
                    return Some(false);
                }
                Some(self.value(form, sum.constant)?.top >= 0)
            }
            Formula::All(parts) => {
                parts.iter().try_fold(true, |all, part| Some(all && self.holds(part)?))
            }
            Formula::Any(parts) => self.any_holds(parts),
        }
    }

    /// Returns atoms such that neither they nor their opposites, with their products, hold at the
    /// point: the first of those that come before choices, or all others.
    fn cuts(&mut self, first: bool) -> Result<Vec<(usize, i128)>, NotRefuted> {
        let mut all = Vec::new();
        for number in 0..self.forks.len() {
            let fork = &self.forks[number];
            if fork.first != first || !fork.quotients.iter().all(|quotient| self.active[*quotient])
            {
                continue;
            }
            let Some(least) = self.cut(fork).ok_or(NotRefuted::Great)? else { continue };
            let sum = fork.sum.plus(-1, &Sum::number(least)).ok_or(NotRefuted::Great)?;
            let atom = self.atom(sum).ok_or(NotRefuted::Great)?;
            if self.asserted[atom] + self.asserted[self.atoms[atom].opposite] == 0 {
                let rank = if self.forks[number].between.is_some() { 0 } else { 1 + least.abs() };
                all.push((atom, rank));
                if first {
                    break;
                }
            }
        }
        Ok(all)
    }

    /// Returns the value from which on, and below which, a fork is looked at.
    fn cut(&self, fork: &Fork) -> Option<Option<i128>> {
        let value = self.value(&fork.form, 0)?;
        let floor = value.top.div_euclid(value.bottom);
        let mut least = (value.bottom != 1).then_some(floor + 1);
        for (parameter, product) in &fork.products {
            if least.is_some() {
                break;
            }
            let right = self.simplex.at(*parameter).times(value)?;
            let over = self.value(product, 0)?.minus(right)?.top;
            if over != 0 {
                least = Some(if over > 0 { floor + 1 } else { floor });
            }
        }
        Some(match (least, fork.between) {
            (Some(least), Some((low, high))) => Some(least.clamp(low, high)),
            (least, _) => least,
        })
    }

    /// Writes the lines of a refutation below these entries.
    fn write(&self, refutation: &Refutation, path: &mut Vec<usize>, lines: &mut String) {
        let length = path.len();
        let number = |path: &[usize], wanted: usize| {
            let is_fact = |entry: &usize| matches!(self.entries[*entry], Entry::Fact(_));
            let kind = is_fact(&wanted);
            1 + path
                .iter()
                .take_while(|entry| **entry != wanted)
                .filter(|entry| is_fact(entry) == kind)
                .count()
        };
        // Writing into a string does not fail.
        let _ = match &refutation.step {
            Step::End(conflict) => {
                let parts: Vec<String> = conflict
                    .iter()
                    .map(|(fact, times)| format!("{}*{times}", number(path, *fact)))
                    .collect();
                writeln!(lines, "end {}", parts.join(" "))
            }
            Step::Times([one, other, product], rest) => {
                let written =
                    writeln!(lines, "times {} {}", number(path, *one), number(path, *other));
                path.push(*product);
                self.write(rest, path, lines);
                path.truncate(length);
                written
            }
            Step::Split(_, branches) | Step::Or(_, branches) => {
                let written = match &refutation.step {
                    Step::Split(atom, _) => {
                        writeln!(
                            lines,
                            "split {}",
                            self.atoms[*atom].sum.text(&self.unknowns.names)
                        )
                    }
                    Step::Or(choice, _) => writeln!(lines, "or {}", number(path, *choice)),
                    _ => Ok(()),
                };
                for (entries, rest) in branches {
                    path.extend(entries);
                    self.write(rest, path, lines);
                    path.truncate(length);
                }
                written
            }
        };
    }
}

/// Returns what branches use of what holds above them.
fn used_above(branches: &[Branch]) -> BTreeSet<usize> {
    let mut used = BTreeSet::new();
    for (entries, refutation) in branches {
        used.extend(refutation.used.iter().filter(|one| !entries.contains(one)));
    }
    used
}

/// Puts the products that a refutation uses before it.
fn wrapped(products: &[[usize; 3]], mut refutation: Rc<Refutation>) -> Rc<Refutation> {
    for numbers in products.iter().rev() {
        let [one, other, product] = *numbers;
        if refutation.used.contains(&product) {
            let mut used = refutation.used.clone();
            used.remove(&product);
            used.extend([one, other]);
            refutation = Rc::new(Refutation { step: Step::Times(*numbers, refutation), used });
        }
    }
    refutation
}
