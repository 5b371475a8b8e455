//! Families of Kotzig's Nim whose steps grow with the circle, as circles with fixed steps.
//!
//! If u is prime to n, then x ↦ ux is a permutation of the cells that takes steps to steps:
//! Γ(m1,m2;n) is Γ(u·m1,u·m2;n), and steps count mod n (Lemma 2 of Fraenkel et al.). Γ(1,m;m+2) is
//! Γ(1,−2;n) with n = m + 2 so. Steps and cells are lines in a parameter j here, and u is a line in
//! it as well; that a product is a fixed step mod n is an identity of polynomials, so it is shown
//! for all j at once. Where one of the fixed steps is 1 or −1, u times a whole number is that mod
//! n, so u is prime to n. A common factor of steps and cells is divided out first: the token never
//! leaves its multiples (Lemma 1).
//!
//! Source: A. S. Fraenkel, A. Jaffray, A. Kotzig, G. Sabidussi, *Modular Nim*, Theoret. Comput.
//! Sci. 143 (1995) 319–333.

use bouton_core::Arrange;

/// A line in j: slope, and value at 0.
pub(super) type Line = [i64; 2];

/// The numbers of the line u are at most so large.
const MAX_COEFFICIENT: i64 = 4;

/// A family as circles of `cells` with fixed steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Image {
    /// The steps, ascending; negative ones go back. Each `most` cells far at most.
    pub steps: Vec<i64>,
    /// The cells.
    pub cells: Line,
}

impl Image {
    /// Returns the circles with fixed steps, as short as can be had, that are those with these
    /// steps for every j for which the cells are 1 or more; `None` if none is found.
    pub(super) fn find(steps: &[Line], cells: Line, most: i64) -> Option<Image> {
        let all = || steps.iter().chain([&cells]).flatten();
        let factor =
            all().fold(0, |factor, number| num_integer::gcd(factor, number.unsigned_abs()));
        let factor = i64::try_from(factor).ok().filter(|factor| *factor > 0)?;
        let reduced = |line: &Line| line.map(|number| number / factor);
        let (steps, cells): (Vec<Line>, Line) =
            (steps.iter().map(reduced).collect(), reduced(&cells));
        let units = (-MAX_COEFFICIENT..=MAX_COEFFICIENT)
            .flat_map(|slope| (-MAX_COEFFICIENT..=MAX_COEFFICIENT).map(move |at_0| [slope, at_0]));
        let images = units.filter_map(|unit| {
            let image = steps.iter().map(|step| remainder(product(unit, *step)?, cells));
            let mut image: Vec<i64> = image.collect::<Option<_>>()?;
            image.arrange();
            image.dedup();
            let small = |step: &i64| *step != 0 && (-most..=most).contains(step);
            let is_unit = image.contains(&1) || image.contains(&-1);
            (is_unit && image.iter().all(small)).then_some(image)
        });
        let shortest = images
            .min_by_key(|image| (image.iter().map(|step| step.abs()).max(), image.clone()))?;
        Some(Image { steps: shortest, cells })
    }
}

/// Returns the product of two lines: the coefficients of j², j and 1.
fn product(a: Line, b: Line) -> Option<[i64; 3]> {
    let middle = a[0].checked_mul(b[1])?.checked_add(a[1].checked_mul(b[0])?)?;
    Some([a[0].checked_mul(b[0])?, middle, a[1].checked_mul(b[1])?])
}

/// Returns the number that a polynomial differs from by a multiple of the line, the factor a
/// polynomial with whole coefficients; `None` if division does not come out so.
fn remainder([square, middle, at_0]: [i64; 3], line: Line) -> Option<i64> {
    let [slope, offset] = line;
    let quotient = |number: i64| (slope > 0 && number % slope == 0).then(|| number / slope);
    let first = quotient(square)?;
    let second = quotient(middle.checked_sub(first.checked_mul(offset)?)?)?;
    at_0.checked_sub(second.checked_mul(offset)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Circulant;

    /// Lines in j = 0, 1, …: the images are the games themselves under other numbers, by their one
    /// canonical form.
    #[test]
    fn images_are_the_same_games() {
        let mut found = 0;
        let lines = || (0..=2i64).flat_map(|slope| (0..=4i64).map(move |at_0| [slope, at_0]));
        for a in lines() {
            for b in lines() {
                for cells in (1..=4i64).flat_map(|slope| (-1..=4i64).map(move |at_0| [slope, at_0]))
                {
                    let Some(image) = Image::find(&[a, b], cells, 6) else { continue };
                    for j in 0..25 {
                        let at = |line: Line| line[0] * j + line[1];
                        let steps = [a, b].map(at);
                        if at(cells) < 1 || steps[0] < 1 || steps[1] < 1 {
                            continue;
                        }
                        let game = Circulant::from_signed(&steps, at(cells) as u64).unwrap();
                        let other =
                            Circulant::from_signed(&image.steps, at(image.cells) as u64).unwrap();
                        assert_eq!(game.canonical(), other.canonical(), "{game}, {image:?}");
                        found += 1;
                    }
                }
            }
        }
        assert!(found > 1000, "{found}");
    }

    #[test]
    fn the_families_of_the_paper() {
        let image = |steps: &[Line], cells| Image::find(steps, cells, 6);
        let expected = |steps: &[i64], cells| Some(Image { steps: steps.to_vec(), cells });
        // Γ(1,m;m+2), Γ(2,m;m+1), Γ(1,m;2m+1), Γ(3,m;m+1), and Γ(2,m;2m+2) for m = 2j + 1 and m =
        // 2j.
        assert_eq!(image(&[[0, 1], [1, 0]], [1, 2]), expected(&[-2, 1], [1, 2]));
        assert_eq!(image(&[[0, 2], [1, 0]], [1, 1]), expected(&[-2, 1], [1, 1]));
        assert_eq!(image(&[[0, 1], [1, 0]], [2, 1]), expected(&[-2, 1], [2, 1]));
        assert_eq!(image(&[[0, 3], [1, 0]], [1, 1]), expected(&[-3, 1], [1, 1]));
        assert_eq!(image(&[[0, 2], [2, 1]], [4, 4]), expected(&[-2, 1], [4, 4]));
        assert_eq!(image(&[[0, 2], [2, 0]], [4, 2]), expected(&[-2, 1], [2, 1]));
        // m is not prime to 2m + 2 for every m.
        assert_eq!(image(&[[0, 2], [1, 0]], [2, 2]), None);
        // Fixed steps on circles that have a common factor with them now and then.
        assert_eq!(image(&[[0, 2], [0, 4]], [1, 0]), None);
    }
}
