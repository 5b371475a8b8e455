//! From a certificate to a theorem: as a file for Coq, or in numbers for the extracted checker.

use crate::board::{Board, ClaimedOption};
use crate::body::CertificateBody;
use crate::data::DataText;
use crate::formula::Formula;
use crate::game::{Game, Symmetry};
use crate::period::{MAX_VALUES, MAX_VALUES_EXTRACTED, Sequence};
use crate::refute::RefutationCache;
use crate::stuck::{StuckClaim, lifted_claim, lifted_game};
use crate::{
    ExportError, automatic, cash, file, kotzig, laps, numbers, orbit, parameters, period, shrinking,
};
use bouton_certificate::PPositionsClaim;
use bouton_check::Envelope;
use bouton_core::Formula as Source;

/// A change that makes an export invalid; tests check that Coq rejects it.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutation {
    /// No change.
    None,
    /// The last case is missing.
    Case,
    /// A transition of the automaton leads to another state.
    Transition,
    /// A coefficient of a condition is one more.
    Coefficient,
    /// Numbers may end in a state in which the conditions of a case fail.
    Ends,
}

/// The greatest size of a file, in bytes. The file of CN(7,3) has 8 MB and takes 7.6 GB of memory;
/// one of 19 MB did not end with 9.7 GB.
const MAX_SIZE: usize = 10_000_000;

/// Begins a body about misère play in which players may be stuck.
const STUCK: &str = "stuck ";

/// A theorem and the data of its proof.
enum Theorem {
    FixedHeaps {
        game: Game,
        board: Box<Board>,
        order: Symmetry,
        data: DataText,
    },
    Stuck {
        game: Game,
        claim: StuckClaim,
        data: DataText,
    },
    ShrinkingCircles {
        is_misere: bool,
        size: [usize; 2],
        claims: Vec<Formula>,
        data: Vec<DataText>,
    },
    Period(Sequence),
}

/// The kinds of certificates that are written as files for Coq.
const EXPORTED: [&str; 2] = ["p-positions", "period"];

/// Returns whether certificates of a kind are written as files for Coq ([`export`]).
pub fn is_exported(kind: &str) -> bool {
    EXPORTED.contains(&kind)
}

/// Returns a Coq file for an accepted certificate of kind `p-positions` or `period`. `coqc` accepts
/// the file with the library of the folder `coq`.
///
/// # Errors
/// Fails if the checker does not accept the certificate, or if it cannot be exported.
pub fn export(certificate: &str) -> Result<String, ExportError> {
    accepted(certificate)?;
    let file = export_mutated(certificate, None, Mutation::None)?;
    if file.len() > MAX_SIZE {
        return Err(ExportError::new(format!(
            "the file would have {} MB, and `coqc` was not seen to read more than {} MB",
            file.len() / 1_000_000,
            MAX_SIZE / 1_000_000
        )));
    }
    Ok(file)
}

/// Returns game and claim of an accepted certificate of kind `p-positions`, `period`, `circle`,
/// `laps`, `strategy`, `win-condition`, `parameters`, `automatic` or `orbit`, and its proof in
/// numbers: what `bouton-verify` reads, the checker extracted from coq/Reading.v.
///
/// # Errors
/// Fails if the checker does not accept the certificate, or if it cannot be exported.
pub fn translate(certificate: &str) -> Result<String, ExportError> {
    accepted(certificate)?;
    translate_mutated(certificate, None, Mutation::None)
}

fn accepted(certificate: &str) -> Result<(), ExportError> {
    match bouton_check::check(certificate) {
        Ok(_) => Ok(()),
        Err(rejected) => {
            Err(ExportError::new(format!("the certificate is not accepted: {rejected}")))
        }
    }
}

/// Exports a certificate without checking it, with another claim or with a mutation. For tests.
#[doc(hidden)]
pub fn export_mutated(
    certificate: &str,
    claim: Option<&str>,
    mutation: Mutation,
) -> Result<String, ExportError> {
    let envelope = open(certificate)?;
    let [name, statement] = [envelope.game, &*envelope.claim];
    Ok(match theorem(&envelope, claim, mutation, MAX_VALUES)? {
        Theorem::FixedHeaps { board, .. } if board.memory > 0 => {
            return Err(ExportError::new(
                "numbers remembered are exported for the extracted checker alone",
            ));
        }
        Theorem::Stuck { .. } => {
            return Err(ExportError::new(
                "misere play in which players may be stuck is exported for the extracted checker \
                 alone",
            ));
        }
        Theorem::FixedHeaps { game, board, order, data } => {
            file::fixed_heaps(name, statement, &game, &board, order, &data)
        }
        Theorem::ShrinkingCircles { is_misere, size, claims, data } => {
            file::shrinking_circles(name, statement, is_misere, size, &claims, &data)
        }
        Theorem::Period(sequence) => file::period(name, statement, &sequence),
    })
}

/// Translates a certificate without checking it, with another claim or with a mutation. For tests.
#[doc(hidden)]
pub fn translate_mutated(
    certificate: &str,
    claim: Option<&str>,
    mutation: Mutation,
) -> Result<String, ExportError> {
    let envelope = open(certificate)?;
    if envelope.kind == "strategy" && claim.is_none() {
        let position = kotzig::token_position(&envelope)?;
        return Ok(numbers::file(
            envelope.game,
            &envelope.claim,
            &numbers::token_position(&position),
        ));
    }
    if matches!(envelope.kind, "circle" | "laps") {
        let stated = stated(&envelope, claim)?;
        let numbers = match envelope.kind {
            "laps" => numbers::token_laps(&laps::token_laps(&envelope, claim)?),
            _ => numbers::token_circles(&kotzig::token_circles(&envelope, claim)?),
        };
        return Ok(numbers::file(envelope.game, &stated, &numbers));
    }
    if envelope.kind == "win-condition" && claim.is_none() {
        let condition = cash::condition(&envelope)?;
        return Ok(numbers::file(
            envelope.game,
            &envelope.claim,
            &numbers::cash_condition(&condition),
        ));
    }
    if envelope.kind == "parameters" {
        let stated = stated(&envelope, claim)?;
        return Ok(numbers::file(envelope.game, &stated, &parameters::proof(&envelope)?));
    }
    if envelope.kind == "orbit" {
        let stated = claim.unwrap_or(&envelope.claim);
        return Ok(numbers::file(envelope.game, stated, &orbit::proof(&envelope, claim)?));
    }
    if envelope.kind == "automatic" {
        let positions = automatic::read_positions(&envelope, claim)?;
        let stated = match claim {
            Some(form) => {
                PPositionsClaim { up_to_symmetry: true, ..PPositionsClaim::new(form) }.to_string()
            }
            None => envelope.claim.to_string(),
        };
        return Ok(numbers::file(envelope.game, &stated, &numbers::read_positions(&positions)));
    }
    let numbers = match theorem(&envelope, claim, mutation, MAX_VALUES_EXTRACTED)? {
        Theorem::FixedHeaps { board, data, .. } if board.memory > 0 => {
            numbers::memory(&board, &data)
        }
        Theorem::FixedHeaps { game, board, order, data } => {
            numbers::fixed_heaps(&game, &board, order, &data)
        }
        Theorem::Stuck { game, claim, data } => numbers::stuck(&game, &claim, &data),
        Theorem::ShrinkingCircles { is_misere, size, claims, data } => {
            numbers::shrinking_circles(is_misere, size, &claims, &data)
        }
        Theorem::Period(sequence) => numbers::period(&sequence),
    };
    Ok(numbers::file(envelope.game, &stated(&envelope, claim)?, &numbers))
}

/// Returns the claim of a certificate, with another form if one is given.
fn stated(envelope: &Envelope<'_>, form: Option<&str>) -> Result<String, ExportError> {
    let Some(form) = form else { return Ok(envelope.claim.to_string()) };
    let own = PPositionsClaim::from_text(&envelope.claim).ok_or_else(ExportError::unreadable)?;
    Ok(PPositionsClaim { form, ..own }.to_string())
}

fn open(certificate: &str) -> Result<Envelope<'_>, ExportError> {
    Envelope::open(certificate).map_err(|rejected| ExportError::new(rejected.to_string()))
}

/// Returns the theorem of a certificate, with another claim if one is given; a period has no more
/// than `most` values.
fn theorem(
    envelope: &Envelope<'_>,
    claim: Option<&str>,
    mutation: Mutation,
    most: usize,
) -> Result<Theorem, ExportError> {
    if !is_exported(envelope.kind) {
        return Err(ExportError::new(format!("proofs of kind {} are not exported", envelope.kind)));
    }
    if envelope.kind == "period" {
        return Ok(Theorem::Period(period::sequence(envelope, mutation, most)?));
    }
    let own = PPositionsClaim::from_text(&envelope.claim).ok_or_else(ExportError::unreadable)?;
    let is_misere = own.is_misere;
    let is_forced = claim.is_some() || mutation != Mutation::None;
    if is_misere && let Some(body) = envelope.body.strip_prefix(STUCK) {
        let (stuck, body) = body.split_once('\n').ok_or_else(ExportError::unreadable)?;
        let game = Game::read(envelope.game)?;
        let [claim, stuck] =
            [claim.unwrap_or(own.form), stuck].map(|text| read_claim(text, game.heaps));
        let claim = StuckClaim { claim: claim?, stuck: stuck? };
        let lifted = lifted_game(&game)?;
        let mut board = board(&lifted, lifted_claim(&game, &claim), is_forced);
        let data = board.data(&single_body(body)?, mutation)?;
        return Ok(Theorem::Stuck { game, claim, data });
    }
    if !own.up_to_symmetry {
        return Err(ExportError::unreadable());
    }
    let text = claim.unwrap_or(own.form);
    if let Some((n, k)) = parse_shrinking(envelope.game) {
        let claims = shrinking::claims(text, n)?;
        if claims[0] != Formula::Known(!is_misere) && !is_forced {
            return Err(ExportError::unreadable());
        }
        let bodies = CertificateBody::read_all(envelope.body)?;
        if bodies.len() != n + 1 {
            return Err(ExportError::unreadable());
        }
        let mut known = RefutationCache::default();
        let mut all = Vec::new();
        for (m, body) in bodies.into_iter().enumerate().skip(1) {
            let mut board = shrinking::board(m, k, &claims, known, is_forced);
            let mutation = if m == n { mutation } else { Mutation::None };
            all.push(board.data(&body, mutation)?);
            known = board.refutations;
        }
        return Ok(Theorem::ShrinkingCircles { is_misere, size: [n, k], claims, data: all });
    }
    let game = Game::read(envelope.game)?;
    if game.memory > 0 && is_misere {
        return Err(ExportError::new("misere play with numbers remembered is not exported"));
    }
    let n = game.heaps;
    let body = single_body(envelope.body)?;
    let identity = ClaimedOption { order: (0..n).collect(), remaining: n };
    let mut board = board(&game, read_claim(text, n)?, is_forced);
    (board.is_misere, board.must_take) = (is_misere, game.memory > 0);
    let mut invariant = true;
    for image in game.generators() {
        invariant = invariant
            && board
                .refute_order_change(&identity, &ClaimedOption { order: image, remaining: n })?
                .is_some();
    }
    if !invariant {
        let images = game.images();
        if images.is_empty() {
            return Err(ExportError::new("so many images of a claim are not exported"));
        }
        board.options =
            images.iter().map(|s| ClaimedOption { order: s.clone(), remaining: n }).collect();
        board.images = images;
    }
    let order = if invariant { Symmetry::None } else { game.symmetry };
    let data = board.data(&body, mutation)?;
    Ok(Theorem::FixedHeaps { game, board: Box::new(board), order, data })
}

/// Reads a formula over the heaps a, b, c, …
fn read_claim(text: &str, heaps: usize) -> Result<Formula, ExportError> {
    let letters: Vec<String> = ('a'..='z').take(heaps).map(String::from).collect();
    let source = Source::parse_over(text, &letters).map_err(|_| ExportError::unreadable())?;
    Formula::read(&source)
}

/// Reads the one body of a certificate on a fixed number of heaps.
fn single_body(text: &str) -> Result<CertificateBody, ExportError> {
    match &mut CertificateBody::read_all(text)?[..] {
        [body] => Ok(std::mem::take(body)),
        _ => Err(ExportError::unreadable()),
    }
}

/// Returns the board of a game in normal play, the claim being read as it stands; it is shown that
/// options have fewer tokens.
fn board(game: &Game, claim: Formula, is_forced: bool) -> Board {
    let n = game.heaps;
    let order: Vec<usize> = (0..n).collect();
    Board {
        heaps: n,
        memory: game.memory,
        windows: game.windows.clone(),
        rule: game.rule.clone(),
        is_shrinking: false,
        claims: vec![claim; n + 1],
        images: vec![order.clone()],
        options: vec![ClaimedOption { order, remaining: n }],
        must_take: true,
        is_misere: false,
        is_forced,
        refutations: RefutationCache::default(),
    }
}

/// Reads n and k of `SCN(n,k)`.
fn parse_shrinking(game: &str) -> Option<(usize, usize)> {
    let (n, k) = game.strip_prefix("SCN(")?.strip_suffix(')')?.split_once(',')?;
    Some((n.parse().ok()?, k.parse().ok()?)).filter(|(n, k)| 1 <= *k && k <= n && *n <= 26)
}
