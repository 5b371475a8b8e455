//! Taking-and-breaking games as a theory: the study of their nim-sequences.

use crate::study::study;
use bouton_core::{HeapMoves, MAX_CLAIM_HEAPS, Play};
use bouton_engine::Game;
use bouton_theory::reproduce::CommandResult;
use bouton_theory::verdict::Verdict;
use bouton_theory::{
    ClaimError, ClaimRequest, StudyOption, Theory, TheoryError, TheoryFindings, TheoryRequest,
    TheoryStudy,
};
use std::sync::Arc;

/// The theory of taking-and-breaking games.
pub struct TakingAndBreaking;

impl Theory for TakingAndBreaking {
    #[cfg(feature = "schema")]
    fn findings_schema(&self, generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        bouton_theory::answer::findings_schema::<crate::study::NimSequenceStudy>(
            crate::findings::KIND,
            generator,
        )
    }

    /// Returns the study of the nim-sequence of a game played in single heaps, whether a position
    /// was named or not. Games on few heaps are studied by their P-positions.
    fn study(&self, game: &dyn Game, play: Play, _: bool) -> Option<Box<dyn TheoryStudy>> {
        if play != Play::Normal
            || game.heap_game().is_some_and(|stated| stated.heaps <= MAX_CLAIM_HEAPS)
        {
            return None;
        }
        Some(Box::new(SingleHeaps { game: game.name(), moves: game.heap_moves()? }))
    }

    /// Returns none: no kind of published claim is about nim-sequences alone.
    fn verify_claim(&self, _: &ClaimRequest<'_>) -> Option<Result<Verdict, ClaimError>> {
        None
    }
}

/// A game played in single heaps.
struct SingleHeaps {
    game: String,
    moves: HeapMoves,
}

impl TheoryStudy for SingleHeaps {
    fn supports(&self, option: StudyOption) -> Result<(), &'static str> {
        match option {
            StudyOption::Max | StudyOption::Certificate | StudyOption::BFile => Ok(()),
            StudyOption::To => Err(option.refusal()),
        }
    }

    fn run(&self, request: &TheoryRequest<'_>) -> Result<Arc<dyn TheoryFindings>, TheoryError> {
        (request.tell)(&format!("period of {}", self.game));
        let found = study(&self.moves, request.max, request.budget).map_err(TheoryError::new)?;
        Ok(Arc::new(found))
    }

    fn command(&self) -> Option<(CommandResult, &'static str)> {
        Some((CommandResult::Period, "period"))
    }
}
