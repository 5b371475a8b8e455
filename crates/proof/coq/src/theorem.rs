//! The whole: from a certificate to a file for Coq.

use crate::board::{Board, Target};
use crate::certificate::Body;
use crate::formula::Formula;
use crate::game::Game;
use crate::refute::Known;
use crate::{NotCovered, breaking, closing, file};
use bouton_check::Envelope;
use bouton_core::Formula as Source;

/// What is left out of an export for a test to see that Coq rejects it.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spoiled {
    /// Nothing.
    Nothing,
    /// The last part is dropped.
    Part,
    /// One transition of the automaton leads to another state.
    Transition,
    /// One coefficient of a condition is one more.
    Coefficient,
    /// Numbers may end in a state where a part's conditions do not hold.
    Ends,
}

/// The longest file, in bytes. That of CN(7,3) has 8 MB and takes 7.6 GB of memory; one of 19 MB had not ended with 9.7 GB.
const LARGEST: usize = 10_000_000;

/// A Coq file for an accepted certificate of kind `p-positions` or `period`. It is accepted by `coqc` with the library of the folder `coq`.
pub fn export(certificate: &str) -> Result<String, NotCovered> {
    if let Err(rejected) = bouton_check::check(certificate) {
        return Err(NotCovered::new(format!("the certificate is not accepted: {rejected}")));
    }
    let file = spoiled(certificate, None, Spoiled::Nothing)?;
    if file.len() > LARGEST {
        return Err(NotCovered::new(format!(
            "the file would have {} MB, and `coqc` was not seen to read more than {} MB",
            file.len() / 1_000_000,
            LARGEST / 1_000_000
        )));
    }
    Ok(file)
}

/// As [`export`], for a certificate that nobody has accepted, with another claim in its place, or something changed: for controls.
#[doc(hidden)]
pub fn spoiled(certificate: &str, claim: Option<&str>, how: Spoiled) -> Result<String, NotCovered> {
    let envelope = Envelope::open(certificate).map_err(|rejected| NotCovered::new(rejected.to_string()))?;
    if envelope.kind == "period" {
        return breaking::export(&envelope, how);
    }
    if envelope.kind != "p-positions" {
        return Err(NotCovered::new(format!("proofs of kind {} are not exported", envelope.kind)));
    }
    let broken = || NotCovered::new("the certificate cannot be read");
    let (misere, statement) = match envelope.claim.strip_prefix("in misere play ") {
        Some(rest) => (true, rest),
        None => (false, &*envelope.claim),
    };
    let text = statement
        .strip_prefix("P iff ")
        .and_then(|rest| rest.strip_suffix(", up to symmetry"))
        .ok_or_else(broken)?;
    let text = claim.unwrap_or(text);
    let forced = claim.is_some() || how != Spoiled::Nothing;
    if let Some((n, k)) = shrinking(envelope.game) {
        let claims = closing::claims(text, n)?;
        if claims[0] != Formula::Known(!misere) && !forced {
            return Err(broken());
        }
        let bodies = Body::read_all(envelope.body)?;
        if bodies.len() != n + 1 {
            return Err(broken());
        }
        let mut known = Known::default();
        let mut all = Vec::new();
        for (m, body) in bodies.into_iter().enumerate().skip(1) {
            let mut board = closing::board(m, k, &claims, known, forced);
            let how = if m == n { how } else { Spoiled::Nothing };
            all.push(board.data(&body, how)?);
            known = board.refutations;
        }
        return Ok(file::closing(envelope.game, &envelope.claim, misere, [n, k], &claims, &all));
    }
    let game = Game::read(envelope.game)?;
    let n = game.heaps;
    let letters: Vec<String> = ('a'..='z').take(n).map(String::from).collect();
    let source = Source::parse_over(text, &letters).map_err(|_| broken())?;
    let formula = Formula::read(&source)?;
    let body = match &mut Body::read_all(envelope.body)?[..] {
        [body] => std::mem::take(body),
        _ => return Err(broken()),
    };
    let identity = Target { order: (0..n).collect(), left: n };
    let mut board = Board {
        heaps: n,
        windows: game.windows.clone(),
        rule: game.rule.clone(),
        alive: false,
        claims: vec![formula; n + 1],
        images: vec![identity.order.clone()],
        targets: vec![identity.clone()],
        misere,
        forced,
        refutations: Known::default(),
    };
    let mut invariant = true;
    for image in game.generators() {
        invariant = invariant && board.implied(&identity, &Target { order: image, left: n })?.is_some();
    }
    let mut images_text = None;
    if !invariant {
        let (images, text) = game.images();
        if images.is_empty() {
            return Err(NotCovered::new("so many images of a claim are not exported"));
        }
        board.targets = images.iter().map(|s| Target { order: s.clone(), left: n }).collect();
        board.images = images;
        images_text = Some(text);
    }
    let data = board.data(&body, how)?;
    Ok(file::staying(envelope.game, &envelope.claim, &game, &board, images_text.as_deref(), &data))
}

/// n and k of `SCN(n,k)`.
fn shrinking(game: &str) -> Option<(usize, usize)> {
    let (n, k) = game.strip_prefix("SCN(")?.strip_suffix(')')?.split_once(',')?;
    Some((n.parse().ok()?, k.parse().ok()?)).filter(|(n, k)| 1 <= *k && k <= n && *n <= 26)
}
