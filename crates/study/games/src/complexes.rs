//! Every simplicial complex on a few vertices, one of each kind: two that differ in the names of
//! their vertices are the same game of Nim with its heaps in other places.
//!
//! A complex is given by its facets, the faces that lie in no other one: sets of vertices, none
//! within another, which together are all vertices. They are listed by depth-first search, and of
//! each class under the n! renamings one is kept: that with the most symmetric order of its heaps,
//! for tables of it are the smallest, then the least. The numbers for n = 1 to 5 are 1, 2, 5, 20,
//! 180 (OEIS A006602).

use crate::simplicial::{listed, order_symmetry};
use bouton_core::{Arrange, Symmetry};

/// The most vertices for which all complexes are listed; on six there are 16143 kinds and some
/// millions with names.
pub const MAX_VERTICES: usize = 5;

/// Returns the complexes on exactly this many vertices, 1 to [`MAX_VERTICES`], one of each kind,
/// as they are written in `simplicial(…)`; none for other numbers. In the order of the number of
/// their faces.
pub fn complexes(vertices: usize) -> Vec<String> {
    if !(1..=MAX_VERTICES).contains(&vertices) {
        return Vec::new();
    }
    let renamings = renamings(vertices);
    let mut kept: Vec<Vec<u32>> = covers(vertices)
        .into_iter()
        .filter(|faces| is_chosen(vertices, faces, &renamings))
        .collect();
    kept.arrange_by_key(|faces| (faces.len(), key(vertices, faces)));
    kept.iter().map(|faces| written(faces)).collect()
}

/// As in the game's name.
fn written(faces: &[u32]) -> String {
    let face = |face: &u32| {
        listed(*face).iter().map(|v| (v + 1).to_string()).collect::<Vec<_>>().join(",")
    };
    let mut sorted = faces.to_vec();
    sorted.arrange_by_key(|face| listed(*face));
    sorted.iter().map(face).collect::<Vec<_>>().join(";")
}

/// Returns all sets of faces, none within another, that cover the vertices; each once, its faces
/// ascending.
fn covers(vertices: usize) -> Vec<Vec<u32>> {
    fn extend(all: u32, from: u32, chosen: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
        if chosen.iter().fold(0, |union, face| union | face) == all {
            found.push(chosen.clone());
        }
        for face in from..=all {
            if chosen.iter().all(|other| other & face != face && other & face != *other) {
                chosen.push(face);
                extend(all, face + 1, chosen, found);
                chosen.pop();
            }
        }
    }
    let mut found = Vec::new();
    extend((1 << vertices) - 1, 1, &mut Vec::new(), &mut found);
    found
}

/// Returns all permutations of the vertices.
fn renamings(vertices: usize) -> Vec<Vec<usize>> {
    (0..vertices).fold(vec![Vec::new()], |shorter: Vec<Vec<usize>>, last| {
        let with = |order: &Vec<usize>, at: usize| {
            let mut longer = order.clone();
            longer.insert(at, last);
            longer
        };
        shorter.iter().flat_map(|order| (0..=last).map(move |at| with(order, at))).collect()
    })
}

/// Returns what the chosen one of a class has least.
fn key(vertices: usize, faces: &[u32]) -> (u8, Vec<u32>) {
    let order = match order_symmetry(vertices, faces) {
        Symmetry::Full => 0,
        Symmetry::Ring => 1,
        Symmetry::None => 2,
    };
    let mut faces = faces.to_vec();
    faces.arrange();
    (order, faces)
}

fn is_chosen(vertices: usize, faces: &[u32], renamings: &[Vec<usize>]) -> bool {
    let own = key(vertices, faces);
    let renamed = |order: &Vec<usize>| -> Vec<u32> {
        faces
            .iter()
            .map(|face| listed(*face).iter().fold(0, |image, v| image | 1 << order[*v]))
            .collect()
    };
    renamings.iter().all(|order| own <= key(vertices, &renamed(order)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use std::collections::BTreeSet;

    /// The numbers with names (OEIS A006126) and without (A006602).
    #[test]
    fn there_are_as_many_as_are_published() {
        assert_eq!((1..=5).map(|n| covers(n).len()).collect::<Vec<_>>(), [1, 2, 9, 114, 6894]);
        assert_eq!((1..=5).map(|n| complexes(n).len()).collect::<Vec<_>>(), [1, 2, 5, 20, 180]);
        assert!(complexes(0).is_empty() && complexes(6).is_empty());
    }

    /// Of each class there is exactly one: the classes of those kept are disjoint, and together
    /// they are all.
    #[test]
    fn one_of_each_kind() {
        for vertices in 1..=4 {
            let renamings = renamings(vertices);
            let mut met = BTreeSet::new();
            for text in complexes(vertices) {
                let faces: Vec<u32> = text
                    .split(';')
                    .map(|face| face.split(',').map(|v| 1 << (v.parse::<u32>().unwrap() - 1)).sum())
                    .collect();
                let images: BTreeSet<Vec<u32>> = renamings
                    .iter()
                    .map(|order| {
                        let image = |face: &u32| {
                            (0..vertices)
                                .filter(|v| face >> v & 1 == 1)
                                .map(|v| 1 << order[v])
                                .sum()
                        };
                        let mut faces: Vec<u32> = faces.iter().map(image).collect();
                        faces.sort_unstable();
                        faces
                    })
                    .collect();
                assert!(images.iter().all(|image| met.insert(image.clone())), "{text}");
            }
            let all: BTreeSet<Vec<u32>> = covers(vertices).into_iter().collect();
            assert_eq!(met, all, "{vertices} vertices");
        }
    }

    /// They are names of games, in normal form, on this many heaps; the five-cycle is in its own
    /// order.
    #[test]
    fn they_are_games() {
        for vertices in 1..=5 {
            for text in complexes(vertices) {
                let game = crate::parse(&format!("simplicial({text})")).unwrap().game;
                assert_eq!(game.name(), format!("simplicial({text})"));
                assert_eq!(game.heap_game().unwrap().heaps, vertices);
            }
        }
        assert!(complexes(5).contains(&"1,2;1,5;2,3;3,4;4,5".to_owned()));
    }
}
