//! Which heaps may change places without changing the game.

/// A group of permutations of heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symmetry {
    /// Every heap has its own part: stones and purses.
    None,
    /// Rotations and reflections of a circle.
    Ring,
    /// All permutations.
    Full,
}

impl Symmetry {
    /// Returns the permutations of `n` heaps, each as the list of places that the images take their
    /// heaps from; the identity first. `None` where there are more than `most`.
    pub fn permutations(self, n: usize, most: usize) -> Option<Vec<Vec<usize>>> {
        let mut all: Vec<Vec<usize>> = match self {
            Symmetry::None => vec![(0..n).collect()],
            Symmetry::Ring => {
                let turned = |by: usize| (0..n).map(|i| (i + by) % n).collect::<Vec<_>>();
                let back = |by: usize| (0..n).map(|i| (by + n - i) % n).collect();
                (0..n).map(turned).chain((0..n).map(back)).collect()
            }
            Symmetry::Full => {
                let mut all = vec![vec![]];
                for i in 0..n {
                    if all.len().saturating_mul(i + 1) > most {
                        return None;
                    }
                    all = all
                        .into_iter()
                        .flat_map(|p: Vec<usize>| {
                            (0..=i).rev().map(move |at| {
                                let mut q = p.clone();
                                q.insert(at, i);
                                q
                            })
                        })
                        .collect();
                }
                all
            }
        };
        let mut seen = std::collections::BTreeSet::new();
        all.retain(|p| seen.insert(p.clone()));
        (all.len() <= most).then_some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_their_orders() {
        let order = |symmetry: Symmetry, n| symmetry.permutations(n, 1000).map(|all| all.len());
        assert_eq!(order(Symmetry::Ring, 5), Some(10));
        assert_eq!(order(Symmetry::Ring, 2), Some(2));
        assert_eq!(order(Symmetry::Ring, 1), Some(1));
        assert_eq!(order(Symmetry::Full, 5), Some(120));
        assert_eq!(order(Symmetry::Full, 12), None);
        assert_eq!(Symmetry::Full.permutations(3, 10).unwrap()[0], [0, 1, 2]);
    }
}
