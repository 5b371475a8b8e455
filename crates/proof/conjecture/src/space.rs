//! Affine subspaces over the integers: systems of linear equations between heaps, hulls of points,
//! simplest equations.

use bouton_core::Arrange;
use std::fmt::Write;
use std::ops::ControlFlow::{self, Continue};

/// An equation: a coefficient for each heap, then the constant.
pub type Row = Vec<i64>;

/// The integer points of a system of linear equations, in reduced echelon form: equal spaces are
/// equal values.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Space {
    heaps: usize,
    rows: Vec<Row>,
}

/// Divides a row by the common divisor of its entries, and makes the entry at `lead` positive.
fn primitive(row: &mut [i128], lead: usize) {
    let by = row.iter().fold(0, |g, x| if g == 1 { 1 } else { bouton_core::gcd(g, *x) });
    if by != 0 && (by != 1 || row[lead] < 0) {
        let by = if row[lead] < 0 { -by } else { by };
        row.iter_mut().for_each(|x| *x /= by);
    }
}

/// Reduces by Gauss–Jordan elimination on the first `columns` columns; `None` on overflow.
fn reduce(mut rows: Vec<Vec<i128>>, columns: usize) -> Option<Vec<Vec<i128>>> {
    let mut done = 0;
    for column in 0..columns {
        let Some(pivot) = (done..rows.len()).find(|r| rows[*r][column] != 0) else { continue };
        rows.swap(done, pivot);
        primitive(&mut rows[done], column);
        let lead = rows[done].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != done && row[column] != 0 {
                let (up, down) = (lead[column], row[column]);
                for (x, y) in row.iter_mut().zip(&lead) {
                    *x = x.checked_mul(up)?.checked_sub(y.checked_mul(down)?)?;
                }
                let first = row.iter().position(|x| *x != 0).unwrap_or(0);
                primitive(row, first);
            }
        }
        done += 1;
    }
    rows.truncate(done);
    Some(rows)
}

/// Returns whether a row is a combination of reduced rows; false if the numbers grow too large to
/// decide.
fn is_combination<T: Copy + Into<i128>>(basis: &[Vec<T>], mut row: Vec<i128>) -> bool {
    for known in basis {
        let known = || known.iter().map(|x| (*x).into());
        let Some((lead, up)) = known().enumerate().find(|(_, x)| *x != 0) else { continue };
        let down = row[lead];
        if down != 0 {
            for (x, y) in row.iter_mut().zip(known()) {
                let less = x.checked_mul(up).and_then(|x| x.checked_sub(y.checked_mul(down)?));
                let Some(less) = less else { return false };
                *x = less;
            }
        }
    }
    row.iter().all(|x| *x == 0)
}

impl Space {
    /// Returns the space of all positions.
    pub fn whole(heaps: usize) -> Space {
        Space { heaps, rows: Vec::new() }
    }

    /// Returns the space of some equations; `None` if they contradict each other, or if their
    /// numbers grow too large.
    pub fn new(heaps: usize, rows: &[Row]) -> Option<Space> {
        let wide = rows.iter().map(|row| row.iter().map(|x| i128::from(*x)).collect()).collect();
        let reduced = reduce(wide, heaps + 1)?;
        if reduced.iter().any(|row| row[..heaps].iter().all(|x| *x == 0)) {
            return None;
        }
        let narrow =
            |row: &Vec<i128>| row.iter().map(|x| i64::try_from(*x).ok()).collect::<Option<Row>>();
        let rows = reduced.iter().map(narrow).collect::<Option<_>>()?;
        Some(Space { heaps, rows })
    }

    /// Returns the least space with all the points.
    pub fn hull<'p>(heaps: usize, points: impl IntoIterator<Item = &'p [i64]>) -> Option<Space> {
        let mut basis: Vec<Vec<i128>> = Vec::new();
        for point in points {
            let row: Vec<i128> = point.iter().map(|x| i128::from(*x)).chain([1]).collect();
            if is_combination(&basis, row.clone()) {
                continue;
            }
            basis.push(row);
            basis = reduce(basis, heaps + 1)?;
            if basis.len() > heaps {
                return Some(Space::whole(heaps));
            }
        }
        // The vectors orthogonal to all rows (x, 1): (c, −k) with c·x = k. There is one for each
        // column without a leading entry.
        let leads: Vec<usize> =
            basis.iter().filter_map(|row| row.iter().position(|x| *x != 0)).collect();
        let mut rows = Vec::new();
        for free in (0..=heaps).filter(|c| !leads.contains(c)) {
            let all = basis
                .iter()
                .zip(&leads)
                .try_fold(1i128, |all, (row, l)| all.checked_mul(row[*l]))?;
            let mut vector = vec![0i128; heaps + 1];
            vector[free] = all;
            for (row, lead) in basis.iter().zip(&leads) {
                vector[*lead] = -row[free].checked_mul(all / row[*lead])?;
            }
            vector[heaps] = -vector[heaps];
            primitive(&mut vector, free);
            rows.push(vector.iter().map(|x| i64::try_from(*x).ok()).collect::<Option<Row>>()?);
        }
        Space::new(heaps, &rows)
    }

    /// Returns the number of heaps.
    pub fn heaps(&self) -> usize {
        self.heaps
    }

    /// Returns the number of free heaps.
    pub fn dimension(&self) -> usize {
        self.heaps - self.rows.len()
    }

    /// Returns the equations in echelon form.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns whether a position solves the equations.
    pub fn contains(&self, p: &[i64]) -> bool {
        self.rows.iter().all(|row| value(row, p) == row[self.heaps])
    }

    /// Returns whether an equation follows from these.
    pub fn implies(&self, row: &[i64]) -> bool {
        is_combination(&self.rows, row.iter().map(|x| i128::from(*x)).collect())
    }

    /// Returns the space of the images of all points.
    pub fn image(&self, permutation: &[usize]) -> Space {
        let turn = |row: &Row| {
            permutation.iter().map(|from| row[*from]).chain([row[self.heaps]]).collect::<Row>()
        };
        let rows: Vec<Row> = self.rows.iter().map(turn).collect();
        Space::new(self.heaps, &rows).unwrap_or_else(|| self.clone())
    }

    /// Returns the equations with coefficients −1, 0 and 1 that follow, simplest first. Only for at
    /// most ten heaps: others have too many.
    pub fn simple_equations(&self) -> Vec<Row> {
        if self.rows.is_empty() || self.heaps > 10 {
            return Vec::new();
        }
        let mut all = Vec::new();
        for code in 1..3usize.pow(self.heaps as u32) {
            let mut row: Row =
                (0..self.heaps).map(|i| (code / 3usize.pow(i as u32) % 3) as i64).collect();
            row.iter_mut().for_each(|c| *c = if *c == 2 { -1 } else { *c });
            if row.iter().find(|c| **c != 0) != Some(&1) {
                continue;
            }
            if let Some(constant) = self.constant(&row) {
                row.push(constant);
                all.push(row);
            }
        }
        all.arrange_by_key(|row| (weight(row), row.iter().map(|c| -c).collect::<Vec<_>>()));
        all
    }

    /// Returns the value of a combination of heaps, if it is an integer and the same everywhere in
    /// the space.
    fn constant(&self, coefficients: &[i64]) -> Option<i64> {
        let mut left: Vec<i128> = coefficients.iter().map(|x| i128::from(*x)).collect();
        let (mut constant, mut scale) = (0i128, 1i128);
        for own in &self.rows {
            let Some(lead) = own.iter().position(|x| *x != 0) else { continue };
            if left[lead] != 0 {
                let (up, down) = (i128::from(own[lead]), left[lead]);
                for (x, y) in left.iter_mut().zip(own) {
                    *x = *x * up - i128::from(*y) * down;
                }
                constant = constant * up + i128::from(own[self.heaps]) * down;
                scale *= up;
            }
        }
        let whole = left.iter().all(|x| *x == 0) && constant % scale == 0;
        whole.then(|| i64::try_from(constant / scale).ok()).flatten()
    }

    /// Returns the simplest independent equations of the space.
    pub fn equations(&self) -> Vec<Row> {
        let mut chosen: Vec<Row> = Vec::new();
        let mut span = Space::whole(self.heaps);
        for row in self.simple_equations().into_iter().chain(self.rows.iter().cloned()) {
            if chosen.len() == self.rows.len() {
                break;
            }
            if !span.implies(&row) {
                chosen.push(row);
                match Space::new(self.heaps, &chosen) {
                    Some(wider) => span = wider,
                    None => {
                        chosen.pop();
                    }
                }
            }
        }
        chosen
    }

    /// Visits the points with heaps in `least..=most` until `visit` breaks. O(side^dimension).
    pub fn visit<B>(
        &self,
        least: i64,
        most: i64,
        visit: &mut impl FnMut(&[i64]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let walk = PointWalk::new(self, false);
        walk.step(0, least, most, &mut vec![0; self.heaps], visit)
    }

    /// Visits the points whose heaps ascend. O(C(side + dimension, dimension)).
    pub fn visit_ascending<B>(
        &self,
        least: i64,
        most: i64,
        visit: &mut impl FnMut(&[i64]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let walk = PointWalk::new(self, true);
        walk.step(0, least, most, &mut vec![0; self.heaps], &mut |p| {
            if p.is_sorted() { visit(p) } else { Continue(()) }
        })
    }

    /// Returns whether the space is the line of positions with equal heaps.
    pub fn is_diagonal(&self) -> bool {
        self.dimension() == 1 && [0, 1].iter().all(|x| self.contains(&vec![*x; self.heaps]))
    }

    /// Returns the point whose free heaps are chosen by `choose`, if it has integers.
    pub fn point(&self, mut choose: impl FnMut() -> i64) -> Option<Vec<i64>> {
        let mut p = vec![0; self.heaps];
        let leads: Vec<usize> = self.rows.iter().map(|row| lead(row)).collect();
        (0..self.heaps).filter(|h| !leads.contains(h)).for_each(|h| p[h] = choose());
        for (row, lead) in self.rows.iter().zip(&leads) {
            p[*lead] = 0;
            let rest = row[self.heaps] - value(row, &p);
            p[*lead] = (rest % row[*lead] == 0).then(|| rest / row[*lead])?;
        }
        Some(p)
    }
}

fn lead(row: &[i64]) -> usize {
    row.iter().position(|x| *x != 0).unwrap_or(0)
}

/// Returns the combination of heaps of a row.
pub fn value(row: &[i64], p: &[i64]) -> i64 {
    row.iter().zip(p).map(|(c, x)| c * x).sum()
}

/// Returns the length of a row in symbols: terms, and constants other than 0.
pub fn weight(row: &[i64]) -> u64 {
    let terms: u64 = row[..row.len() - 1].iter().map(|c| c.unsigned_abs().min(3)).sum();
    terms + row[row.len() - 1].unsigned_abs().min(3)
}

/// The order in which heaps are chosen, and the rows that are determined after each choice.
struct PointWalk<'s> {
    heaps: usize,
    /// Whether each free heap starts at the value of the previous one.
    ascending: bool,
    free: Vec<usize>,
    settled: Vec<Vec<(&'s Row, usize)>>,
}

impl<'s> PointWalk<'s> {
    fn new(space: &'s Space, ascending: bool) -> PointWalk<'s> {
        let leads: Vec<usize> = space.rows.iter().map(|row| lead(row)).collect();
        let free: Vec<usize> = (0..space.heaps).filter(|h| !leads.contains(h)).collect();
        let mut settled = vec![Vec::new(); free.len() + 1];
        for (row, lead) in space.rows.iter().zip(leads) {
            let last = free.iter().rposition(|h| row[*h] != 0).map_or(0, |i| i + 1);
            settled[last].push((row, lead));
        }
        PointWalk { heaps: space.heaps, ascending, free, settled }
    }

    fn step<B>(
        &self,
        depth: usize,
        least: i64,
        most: i64,
        p: &mut [i64],
        visit: &mut impl FnMut(&[i64]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for (row, lead) in &self.settled[depth] {
            p[*lead] = 0;
            let used = |h: &usize| row[*h] * p[*h];
            let rest = row[self.heaps] - self.free[..depth].iter().map(used).sum::<i64>();
            let whole = rest / row[*lead];
            if rest % row[*lead] != 0 || whole < least || whole > most {
                return Continue(());
            }
            p[*lead] = whole;
        }
        if depth == self.free.len() {
            return visit(p);
        }
        let first = if self.ascending && depth > 0 { p[self.free[depth - 1]] } else { least };
        for x in first..=most {
            p[self.free[depth]] = x;
            self.step(depth + 1, least, most, p, visit)?;
        }
        Continue(())
    }
}

/// Returns the name of a heap.
pub(crate) fn name(heap: usize) -> char {
    char::from(b'a' + heap as u8)
}

/// Returns a sum with positive coefficients and a constant as a formula.
pub(crate) fn sum(terms: impl Iterator<Item = (usize, i64)>, constant: i64) -> String {
    let mut text = String::new();
    for (heap, c) in terms {
        if !text.is_empty() {
            text.push('+');
        }
        if c != 1 {
            let _ = write!(text, "{c}*");
        }
        text.push(name(heap));
    }
    if text.is_empty() {
        return constant.to_string();
    }
    if constant != 0 {
        let _ = write!(text, "+{constant}");
    }
    text
}

/// Returns the two sides of a comparison of a combination of heaps with a constant, without
/// subtraction.
pub(crate) fn sides(row: &[i64]) -> (String, String) {
    let (heaps, constant) = (&row[..row.len() - 1], row[row.len() - 1]);
    let terms = |sign: i64| {
        heaps.iter().enumerate().map(move |(i, c)| (i, c * sign)).filter(|(_, c)| *c > 0)
    };
    (sum(terms(1), (-constant).max(0)), sum(terms(-1), constant.max(0)))
}

/// Returns an equation as a formula.
pub(crate) fn equation(row: &[i64]) -> String {
    let (left, right) = sides(row);
    let lone = |side: &str| side.len() == 1 && side.starts_with(|c: char| c.is_alphabetic());
    if !lone(&left) && lone(&right) || left.parse::<u64>().is_ok() {
        format!("{right} = {left}")
    } else {
        format!("{left} = {right}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hulls_are_spanned() {
        let points = [[0i64, 3, 1, 2, 3], [0, 5, 1, 4, 5], [0, 5, 2, 3, 5]];
        let hull = Space::hull(5, points.iter().map(|p| &p[..])).unwrap();
        assert_eq!(hull.dimension(), 2);
        let texts: Vec<String> = hull.equations().iter().map(|row| equation(row)).collect();
        assert_eq!(texts, ["a = 0", "b = e", "b = c+d"]);
        let mut count = 0;
        let _ = hull.visit::<()>(0, 4, &mut |p| {
            assert!(hull.contains(p));
            count += 1;
            Continue(())
        });
        assert_eq!(count, 15);
        assert_eq!(Space::hull(2, [&[0i64, 1][..], &[1, 1], &[1, 3]]), Some(Space::whole(2)));
    }

    #[test]
    fn images_hold_the_images() {
        let space = Space::new(3, &[vec![1, -2, 0, 3]]).unwrap();
        let turned = space.image(&[1, 2, 0]);
        let _ = space.visit::<()>(0, 9, &mut |p| {
            assert!(turned.contains(&[p[1], p[2], p[0]]));
            Continue(())
        });
        assert_eq!(space.equations(), [vec![1, -2, 0, 3]]);
    }
}
