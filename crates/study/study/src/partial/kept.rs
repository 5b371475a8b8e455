//! Theorems on parts of a game, kept and found again.
//!
//! Each is kept as a theorem on the game that the part is, beside a list of the parts of the whole
//! game. The list only names the parts: the game of a part is made again from the rules, and the
//! theorem about that game says what is proved.

use super::{IMAGES, Small};
use crate::move_system::stated_in;
use crate::partial_theorem::PartialTheorem;
use crate::theorems::{Known, Theorems, key};
use bouton_core::{Arrange, Budget, Play};
use bouton_engine::Game;
use bouton_theory::certificates::{TheoremError, file_name, write_in};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How lists of parts of a game on which theorems are kept begin, and how their names end.
const PARTS_HEAD: &str = "bouton parts 1";
const PARTS: &str = "parts";

/// Returns the theorem about a part of a game that has a position, if one is kept, and the place in
/// the position of each of the part's heaps. Errors as [`Theorems::find`].
pub(crate) fn theorem_on_part(
    theorems: &Theorems,
    game: &dyn Game,
    position: &[BigUint],
    play: Play,
) -> Result<Option<(Known, Vec<usize>)>, TheoremError> {
    let Some(directory) = theorems.certificates().directory() else { return Ok(None) };
    let Ok((_, numeration)) = stated_in(play, game) else { return Ok(None) };
    let Some(stated) = game.heap_game().filter(|stated| stated.heaps == position.len()) else {
        return Ok(None);
    };
    let file = directory.join(file_name(&key(game, numeration), play, PARTS));
    let kept = match std::fs::read_to_string(&file) {
        Ok(text) => parts_of(&text).map_err(|why| TheoremError::Damaged(file, why))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TheoremError::File(file, error)),
    };
    let images = stated.symmetry.permutations(stated.heaps, IMAGES).unwrap_or_default();
    for small in kept {
        let Some(places) = images.iter().find_map(|image| small.places(image, position)) else {
            continue;
        };
        // The list is only where to look: what is proved is said by the theorem on the part,
        // which is made of the game anew.
        let Some(part) = small.game(game, &Budget::default()) else { continue };
        if let Some(known) = theorems.find(&*part, play)? {
            return Ok(Some((known, places)));
        }
    }
    Ok(None)
}

impl Theorems {
    /// Keeps theorems on parts of a game, as [`Theorems::keep`]: those on positions with small
    /// heaps whose forms are formulas.
    pub fn keep_parts(
        &self,
        game: &dyn Game,
        found: &[PartialTheorem],
    ) -> Result<(), TheoremError> {
        let Some(directory) = self.certificates().directory() else { return Ok(()) };
        let mut kept: BTreeMap<String, Vec<Small>> = BTreeMap::new();
        for theorem in
            found.iter().filter(|one| one.positions.is_none() && one.heaps_at_most.is_none())
        {
            let small =
                Small { empty: theorem.empty.iter().copied().collect(), at_most: theorem.at_most };
            let (Some(form), Some(part)) = (&theorem.claim, small.game(game, &Budget::default()))
            else {
                continue;
            };
            let Ok((_, numeration)) = stated_in(form.play, game) else { continue };
            self.keep(&*part, form, &theorem.certificate)?;
            kept.entry(file_name(&key(game, numeration), form.play, PARTS))
                .or_default()
                .push(small);
        }
        for (file, mut parts) in kept {
            // Those that are kept already stay; what cannot be read is written anew.
            if let Ok(text) = std::fs::read_to_string(directory.join(&file)) {
                parts.extend(parts_of(&text).unwrap_or_default());
            }
            parts.arrange();
            parts.dedup();
            write_in(directory, &file, &parts_text(&parts))?;
        }
        Ok(())
    }
}

/// Returns a list of parts as a file: a line each, the empty heaps with commas between, and what a
/// heap is at most.
fn parts_text(parts: &[Small]) -> String {
    let mut text = format!("{PARTS_HEAD}\n");
    for small in parts {
        let empty: Vec<String> = small.empty.iter().map(usize::to_string).collect();
        // Writing into a string does not fail.
        let _ = match small.at_most {
            Some((heap, most)) => {
                writeln!(text, "empty {}; {heap} at most {most}", empty.join(","))
            }
            None => writeln!(text, "empty {}", empty.join(",")),
        };
    }
    text
}

/// Reads a list of parts. What is wrong with it, in words.
fn parts_of(text: &str) -> Result<Vec<Small>, String> {
    let mut lines = text.lines();
    if lines.next() != Some(PARTS_HEAD) {
        return Err(format!("it does not begin with `{PARTS_HEAD}`"));
    }
    let part = |line: &str| {
        let (empty, bound) = match line.strip_prefix("empty ")?.split_once("; ") {
            Some((empty, bound)) => (empty, Some(bound.split_once(" at most ")?)),
            None => (line.strip_prefix("empty ")?, None),
        };
        let empty = empty.split(',').filter(|heap| !heap.is_empty());
        Some(Small {
            empty: empty.map(|heap| heap.parse().ok()).collect::<Option<_>>()?,
            at_most: match bound {
                Some((heap, most)) => Some((heap.parse().ok()?, most.parse().ok()?)),
                None => None,
            },
        })
    };
    let read =
        |(number, line)| part(line).ok_or(format!("line {} is no part of a game", number + 2));
    lines.enumerate().map(read).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::settle::settle_form;
    use bouton_theory::form::Form;
    use bouton_theory::verdict::{Proved, Verdict};
    use std::collections::BTreeSet;

    /// A theorem on a part answers positions of the part and their images alone; a list that says
    /// more than is proved answers nothing.
    #[test]
    fn theorems_on_parts_are_kept() {
        let directory = std::env::temp_dir().join(format!("bouton-parts-{}", std::process::id()));
        let theorems = Theorems::none().with_cache(&directory);
        let game = bouton_games::parse("CN(6,2)").unwrap().game;
        let small = Small { empty: BTreeSet::from([0, 3]), at_most: None };
        let part = small.game(&*game, &Budget::default()).unwrap();
        let form = Form { whole: "a+b = c+d".into(), ..Form::default() };
        let Verdict::Proved(Proved::Theorem(theorem)) =
            settle_form(&*part, &form, &Default::default()).unwrap()
        else {
            panic!("it is a theorem")
        };
        let proved = PartialTheorem {
            empty: vec![0, 3],
            at_most: None,
            heaps_at_most: None,
            positions: None,
            game: part.name(),
            form: form.whole.clone(),
            up_to_symmetry: true,
            classes: 1,
            of: 1,
            claim: Some(form),
            certificate: theorem.certificate,
        };
        let about = |position: [u32; 6]| {
            let position = position.map(BigUint::from);
            theorem_on_part(&theorems, &*game, &position, Play::Normal).unwrap()
        };
        assert!(about([0, 1, 2, 0, 3, 4]).is_none());
        theorems.keep_parts(&*game, std::slice::from_ref(&proved)).unwrap();
        assert_eq!(about([0, 1, 2, 0, 3, 4]).unwrap().1, [1, 2, 4, 5]);
        assert_eq!(about([1, 2, 0, 3, 4, 0]).unwrap().0.certificate, proved.certificate.hash());
        assert!(about([0, 0, 1, 2, 3, 4]).is_none());
        let file = std::fs::read_dir(&directory).unwrap().map(|file| file.unwrap().path());
        let list =
            file.into_iter().find(|path| path.extension().is_some_and(|end| end == PARTS)).unwrap();
        let text = std::fs::read_to_string(&list).unwrap();
        let parts = [small, Small { empty: BTreeSet::from([0]), at_most: Some((2, 3)) }];
        assert_eq!(parts_of(&parts_text(&parts)).unwrap(), parts);
        assert_eq!(text, parts_text(&parts[..1]));
        std::fs::write(&list, format!("{PARTS_HEAD}\nempty \n")).unwrap();
        assert!(about([0, 1, 2, 0, 3, 4]).is_none());
        std::fs::write(&list, "empty 0,3\n").unwrap();
        let position = [0u32, 1, 2, 0, 3, 4].map(BigUint::from);
        let damaged = theorem_on_part(&theorems, &*game, &position, Play::Normal);
        assert!(matches!(damaged, Err(TheoremError::Damaged(..))));
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
