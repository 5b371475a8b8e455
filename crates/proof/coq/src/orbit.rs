//! P-positions of one heap that a step leads through, as coq/Orbit.v states them: the lines of a
//! certificate of kind `orbit` say everything, and the proof is computed.

use crate::ExportError;
use crate::formula::Term;
use crate::game::Game;
use crate::numbers::OF_THE_LINES;
use bouton_certificate::PPositionsClaim;
use bouton_check::Envelope;
use bouton_core::{Formula as Source, Node, Relation};

/// How the form of the claim begins.
const REACHED: &str = "reached from 0 by a -> ";

/// Returns the proof of a certificate of kind `orbit`, with another claim if one is given.
///
/// # Errors
/// Fails if coq/Reading.v does not read the game or the step.
pub fn proof(envelope: &Envelope<'_>, claim: Option<&str>) -> Result<Vec<u64>, ExportError> {
    let game = Game::read(envelope.game)?;
    if game.heaps != 1 {
        return Err(ExportError::new("an orbit is one of a single heap"));
    }
    let claim = claim.unwrap_or(&envelope.claim);
    let step = PPositionsClaim::from_text(claim)
        .and_then(|claim| claim.form.strip_prefix(REACHED))
        .ok_or_else(ExportError::unreadable)?;
    let source = Source::parse_over(&format!("0 < {step}"), &["a".to_owned()]);
    match source.map(|source| source.root) {
        Ok(Node::Compare(_, Relation::Less, step)) => Term::read(&step)?,
        _ => return Err(ExportError::unreadable()),
    };
    Ok(vec![OF_THE_LINES])
}
