//! P-positions that a kept certificate proves without a formula: those that an automaton accepts,
//! and pairs by mex.

use crate::move_system::stated_in;
use crate::theorems::{Theorems, accepted, key};
use bouton_certificate::{CertificateKind, Header, PPositionsClaim, SealedCertificate, seal};
use bouton_core::{Meter, Play};
use bouton_engine::Game;
use bouton_prover::{Acceptor, MoveSystem, Pairs, accepted_option, certified_acceptor};
use bouton_theory::certificates::{TheoremError, certificate_file, write_in};
use num_bigint::BigUint;

/// P-positions that are proved, with the game as the proof sees it.
pub struct CertifiedPositions {
    game: MoveSystem,
    set: PositionSet,
    /// The hash at the end of the accepted certificate.
    pub certificate: String,
}

/// What is known of a position.
pub struct HeapsOutcome {
    /// Whether the player to move loses.
    pub lost: bool,
    /// An option that is lost for the other player, if there is one and it was found.
    pub winning: Option<Vec<BigUint>>,
}

enum PositionSet {
    Automaton(Acceptor),
    Pairs(Pairs),
}

impl CertifiedPositions {
    /// Returns what is proved.
    pub fn statement(&self) -> String {
        match &self.set {
            PositionSet::Automaton(acceptor) => format!(
                "P iff an automaton of {} states accepts the {}",
                acceptor.states(),
                acceptor.digits
            ),
            PositionSet::Pairs(pairs) => format!("P iff {pairs}"),
        }
    }

    /// Returns whether these heaps are a P-position by an automaton; `None` of heaps that are too
    /// large, and of pairs.
    pub fn contains(&self, heaps: &[BigUint]) -> Option<bool> {
        match &self.set {
            PositionSet::Automaton(acceptor) if acceptor.tracks == heaps.len() => {
                Some(acceptor.holds(&small(heaps)?))
            }
            _ => None,
        }
    }

    /// Returns the outcome of these heaps; `None` of heaps that are too large, or if the budget
    /// ends.
    pub fn find(&self, heaps: &[BigUint], meter: &mut Meter) -> Option<HeapsOutcome> {
        let numbers = small(heaps)?;
        let big = |option: Vec<u64>| option.into_iter().map(BigUint::from).collect();
        match (&self.set, &numbers[..]) {
            (PositionSet::Automaton(acceptor), _) if acceptor.tracks == numbers.len() => {
                if acceptor.holds(&numbers) {
                    return Some(HeapsOutcome { lost: true, winning: None });
                }
                // Without a move the outcome stands.
                let option = accepted_option(&self.game, acceptor, &numbers, meter);
                let winning = option.ok().flatten().map(big);
                Some(HeapsOutcome { lost: false, winning })
            }
            (PositionSet::Pairs(pairs), [x, y]) => self.among(pairs, [*x, *y], meter),
            _ => None,
        }
    }

    /// The same of a position of two heaps, the pairs being listed as far as they may matter.
    fn among(&self, pairs: &Pairs, position: [u64; 2], meter: &mut Meter) -> Option<HeapsOutcome> {
        let from = position.map(BigUint::from);
        let mut winning = None;
        for pair in pairs.iter() {
            meter.spend_and_poll(1).ok()?;
            let [a, b] = pair.ok()?;
            if a > position[0].max(position[1]) {
                break;
            }
            if [[a, b], [b, a]].contains(&position) {
                return Some(HeapsOutcome { lost: true, winning: None });
            }
            if winning.is_none() {
                let options = [[a, b], [b, a]].map(|option| option.map(BigUint::from));
                winning = options.into_iter().find(|option| {
                    option.iter().zip(&from).all(|(after, before)| after <= before)
                        && self.game.allows((0, &from), (0, option))
                });
            }
            if winning.is_some() && a > position[0].min(position[1]) {
                break;
            }
        }
        Some(HeapsOutcome { lost: false, winning: winning.map(Vec::from) })
    }
}

/// Heaps of at least so many tokens are not asked about.
const LARGEST: u64 = 1 << 62;

/// Returns the heaps, if none is too large to be asked about.
fn small(heaps: &[BigUint]) -> Option<Vec<u64>> {
    let number = |heap: &BigUint| u64::try_from(heap).ok().filter(|heap| *heap < LARGEST);
    heaps.iter().map(number).collect()
}

/// Returns whether theorems of this kind answer without a formula.
fn is_positions(kind: CertificateKind) -> bool {
    matches!(kind, CertificateKind::Automatic | CertificateKind::Pairs)
}

impl Theorems {
    /// Returns what a kept certificate proves of the P-positions of a game without a formula. An
    /// error tells of a certificate that the checker does not accept.
    pub fn certified_positions(
        &self,
        game: &dyn Game,
        play: Play,
    ) -> Result<Option<CertifiedPositions>, TheoremError> {
        let (Some(directory), Some(stated)) = (self.certificates().directory(), game.heap_game())
        else {
            return Ok(None);
        };
        let Ok((moves, numeration)) = stated_in(Play::Normal, game) else { return Ok(None) };
        let name = key(game, numeration);
        for text in self.certificates().about(&name, play) {
            let Some(header) = Header::parse(&text).filter(|header| is_positions(header.kind))
            else {
                continue;
            };
            let damaged = |why: &str| {
                TheoremError::Damaged(directory.join(certificate_file(&name, play)), why.to_owned())
            };
            let hash = seal(&text).ok_or_else(|| damaged("it has no seal"))?;
            let (proved_of, proved) = accepted(hash, &text).map_err(|why| damaged(&why))?;
            let claim = PPositionsClaim::from_text(&proved)
                .filter(|claim| proved_of == name && claim.is_misere == (play == Play::Misere))
                .ok_or_else(|| damaged("its certificate proves something else"))?;
            let set = match header.kind {
                CertificateKind::Pairs => Pairs::parse(claim.form).ok().map(PositionSet::Pairs),
                _ => certified_acceptor(&text, stated.heaps).map(PositionSet::Automaton),
            };
            if let Some(set) = set {
                let certificate = hash.to_owned();
                return Ok(Some(CertifiedPositions { game: moves, set, certificate }));
            }
        }
        Ok(None)
    }

    /// Keeps a certificate that the checker has just accepted, if it is one of P-positions that
    /// answers without a formula; does nothing without a directory.
    pub fn keep_positions(
        &self,
        game: &dyn Game,
        play: Play,
        certificate: &SealedCertificate,
    ) -> Result<(), TheoremError> {
        let (Some(directory), Some(header), Ok((_, numeration))) = (
            self.certificates().directory(),
            Header::parse(certificate),
            stated_in(Play::Normal, game),
        ) else {
            return Ok(());
        };
        let name = key(game, numeration);
        if header.game != name || !is_positions(header.kind) {
            return Ok(());
        }
        write_in(directory, &certificate_file(&name, play), certificate)
    }
}
