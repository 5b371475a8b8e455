//! Proofs written down for the independent checker. Format: docs/certificates.md, kind
//! `p-positions`.
//!
//! The exploration keeps more than a proof needs. Sets that contain other sets are left out, and
//! states in none of the remaining sets become states that accept nothing. The automaton then
//! accepts fewer words, which is safe.

use crate::cover::Cover;
use crate::derivation::{Deriver, joined, line};
use crate::game::MoveSystem;
use crate::prove::{Proof, ProofCase};
use bouton_automata::effort::Undecided;
use bouton_automata::numeration::Numeration;
use bouton_certificate::{Certificate, CertificateKind, PPositionsClaim};
use bouton_core::{Arrange, Claim, Meter, Node, Symmetry, Windows};
use rustc_hash::FxHashMap;

impl Proof {
    /// Returns the proof as a certificate for the game of this name, of which this is the statement
    /// proved, read in these digits. An error where a step of it was not found in the form in which
    /// the checker verifies it, or the budget is spent.
    pub fn certificate(
        &self,
        name: &str,
        game: &MoveSystem,
        claims: &[Claim],
        numeration: Numeration,
        meter: &mut Meter,
    ) -> Result<Certificate, Undecided> {
        let mut deriver = Deriver::new(name, game, claims, numeration)?;
        let mut body = String::new();
        for (number, board) in game.boards.iter().enumerate() {
            line(&mut body, format_args!("heaps {}", board.heaps));
            let (cover, used) = trimmed(&self.covers[number]);
            let parts: Vec<(&ProofCase, u32)> = used
                .iter()
                .map(|&i| (&self.parts[number][i], cover.starts.get(i).copied().unwrap_or(0)))
                .collect();
            deriver.board(&mut body, number, &claims[number], &parts, &cover, meter)?;
            if board.heaps == 0 {
                continue;
            }
            line(&mut body, format_args!("states {}", cover.next.len() - 2));
            for (next, accepting) in cover.next.iter().zip(&cover.accepting).skip(2) {
                let mark = if *accepting { " !" } else { "" };
                line(&mut body, format_args!("{} {}{mark}", next[0], next[1]));
            }
            line(&mut body, format_args!("sets {}", cover.sets.len()));
            for set in &cover.sets {
                line(&mut body, format_args!("{}", joined(set, " ")));
            }
        }
        body.insert_str(0, &deriver.refutations());
        Ok(Certificate {
            kind: CertificateKind::PPositions,
            game: name.into(),
            claim: statement(game, claims),
            body,
        })
    }
}

/// Returns the claims as a certificate states them: `P iff FORMULA, up to symmetry`, or `in misere
/// play P iff …`.
pub fn statement(game: &MoveSystem, claims: &[Claim]) -> String {
    let whole = game.boards.len() == 1;
    let text = |(board, claim): (usize, &Claim)| match &claim.formula().root {
        _ if whole => Some(claim.to_string()),
        Node::Constant(false) => None,
        _ => Some(format!("{} heaps: {claim}", game.boards[board].heaps)),
    };
    let texts: Vec<String> = claims.iter().enumerate().rev().filter_map(text).collect();
    let form = &*texts.join("; ");
    let is_misere = game.misere;
    PPositionsClaim { is_misere, up_to_symmetry: true, ..PPositionsClaim::new(form) }.to_string()
}

/// Returns the name by which certificates call a game whose move is one formula over all its heaps,
/// as in a rule file: `rules(HEAPS;SYMMETRY;DIGITS;MOVE)`, read in these digits, HEAPS as `2+1`
/// where one number more is remembered. None for other games.
pub fn written_name(game: &bouton_core::HeapGame, numeration: Numeration) -> Option<String> {
    let n = game.heaps;
    let whole = matches!(game.moves.windows, Windows::Any(k) | Windows::Arc(k) if k >= n);
    let formula = game
        .moves
        .condition
        .as_ref()
        .filter(|_| whole && !game.shrinks && game.moves.permutation.is_none())?;
    let symmetry = match game.symmetry {
        Symmetry::None => "none",
        Symmetry::Ring => "ring",
        Symmetry::Full => "full",
    };
    let digits = match numeration {
        Numeration::Binary => "binary".to_owned(),
        Numeration::ZECKENDORF => "zeckendorf".to_owned(),
        Numeration::Ostrowski(period) => format!("ostrowski({period})"),
    };
    // What is remembered is distinguished from the heaps.
    let heaps = match game.moves.memory.count {
        0 => n.to_string(),
        memory => format!("{}+{memory}", n - memory),
    };
    Some(format!("{WRITTEN}{heaps};{symmetry};{digits};{formula})"))
}

/// How the names of games begin whose moves are written out ([`written_name`]).
const WRITTEN: &str = "rules(";

/// Returns whether a certificate's name for a game writes its moves out: of these the checker does
/// not take the symmetry for granted.
pub(crate) fn is_written(name: &str) -> bool {
    name.starts_with(WRITTEN)
}

/// Returns the cover with the sets and states that are needed, and the parts that are, by number.
fn trimmed(cover: &Cover) -> (Cover, Vec<usize>) {
    if cover.next.is_empty() {
        // The board without heaps: one part will do.
        return (Cover::default(), vec![0]);
    }
    let sets = least(&cover.sets, cover.next.len());
    // Between two rounds the members of sets are kept, within a round what leads to them or to
    // state 1.
    let count = cover.next.len();
    let mut alive = vec![false; count];
    alive[1] = true;
    sets.iter().copied().flatten().for_each(|&s| alive[s as usize] = true);
    let mut within: Vec<usize> = (2..count).filter(|&s| cover.level[s] > 0).collect();
    within.arrange_by_key(|&s| std::cmp::Reverse(cover.level[s]));
    for s in within {
        alive[s] = cover.next[s].iter().any(|&t| alive[t as usize]);
    }
    let mut number = vec![0; count];
    number[1] = 1;
    let mut order: Vec<u32> =
        (2..count as u32).filter(|&s| cover.level[s as usize] == 0 && alive[s as usize]).collect();
    order.iter().zip(2..).for_each(|(&s, n)| number[s as usize] = n);
    let mut result =
        Cover { next: vec![[0; 2], [1; 2]], accepting: vec![false, true], ..Cover::default() };
    let mut at = 0;
    while at < order.len() {
        let s = order[at] as usize;
        let next = cover.next[s].map(|t| {
            if alive[t as usize] && number[t as usize] == 0 {
                order.push(t);
                number[t as usize] = order.len() as u32 + 1;
            }
            number[t as usize]
        });
        result.next.push(next);
        result.accepting.push(cover.accepting[s] && cover.level[s] == 0);
        at += 1;
    }
    result.sets =
        sets.iter().map(|set| set.iter().map(|&s| number[s as usize]).collect()).collect();
    result.sets.iter_mut().for_each(|set| set.arrange());
    result.sets.arrange();
    result.starts = cover.starts.iter().map(|&s| number[s as usize]).collect();
    let used = (0..result.starts.len()).filter(|&i| result.starts[i] != 0).collect();
    (result, used)
}

/// Returns the sets that contain no other; all of them sorted lists of numbers below `count`.
fn least(sets: &[Vec<u32>], count: usize) -> Vec<&Vec<u32>> {
    let mut by_size: Vec<&Vec<u32>> = sets.iter().collect();
    by_size.arrange_by_key(|set| set.len());
    let mut by_last: FxHashMap<u32, Vec<&Vec<u32>>> = FxHashMap::default();
    let mut marked = vec![usize::MAX; count];
    let mut kept = Vec::new();
    for (mark, &set) in by_size.iter().enumerate() {
        set.iter().for_each(|&s| marked[s as usize] = mark);
        let inside = |small: &&Vec<u32>| small.iter().all(|&s| marked[s as usize] == mark);
        if set.iter().any(|s| by_last.get(s).is_some_and(|smaller| smaller.iter().any(inside))) {
            continue;
        }
        if let Some(&last) = set.last() {
            by_last.entry(last).or_default().push(set);
            kept.push(set);
        }
    }
    kept
}
