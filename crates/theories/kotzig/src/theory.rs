//! Kotzig's Nim as a theory: its studies, its claims, what its theorems answer.

use crate::KotzigFamily;
use crate::answers::CircleAnswers;
use crate::claims;
use crate::study::study;
use bouton_core::Play;
use bouton_engine::Game;
use bouton_theory::claim::ClaimKind;
use bouton_theory::verdict::Verdict;
use bouton_theory::{
    ClaimError, ClaimRequest, StudiedFamily, StudyOption, Theory, TheoryAnswers, TheoryError,
    TheoryFindings, TheoryRequest, TheoryStudy, UnsupportedGame,
};
use std::sync::Arc;

/// The theory of Kotzig's Nim.
pub struct KotzigsNim;

impl Theory for KotzigsNim {
    #[cfg(feature = "schema")]
    fn findings_schema(&self, generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        bouton_theory::answer::findings_schema::<crate::study::FamilyStudy>(
            crate::findings::KIND,
            generator,
        )
    }

    /// Returns none: of a single circle, one position is solved.
    fn study(&self, _: &dyn Game, _: Play, _: bool) -> Option<Box<dyn TheoryStudy>> {
        None
    }

    fn study_family(
        &self,
        text: &str,
        play: Play,
    ) -> Option<Result<StudiedFamily, UnsupportedGame>> {
        let family = KotzigFamily::parse(text).ok().filter(|family| !family.names().is_empty())?;
        let name = family.to_string();
        let why = match family.names().len() {
            1 if play == Play::Normal => {
                return Some(Ok(StudiedFamily { name, rules: RULES, study: Box::new(family) }));
            }
            1 => "a family is studied in both plays at once".into(),
            many => format!("a family with one parameter can be studied; this has {many}"),
        };
        Some(Err(UnsupportedGame { game: name, why }))
    }

    fn claim_kinds(&self) -> &'static [ClaimKind] {
        &[claims::FAMILY]
    }

    fn verify_claim(&self, request: &ClaimRequest<'_>) -> Option<Result<Verdict, ClaimError>> {
        let says = request.claim.says.theory()?;
        Some(claims::verify(request.game, request.claim.when.as_deref(), says, request.bound))
    }

    fn answers(&self, game: &dyn Game, play: Play) -> Option<Box<dyn TheoryAnswers>> {
        Some(Box::new(CircleAnswers::new(game, play)?))
    }
}

/// The rules of a family, whatever its steps.
const RULES: &str = "A token stands on cell 0 of a circle of cells; a move takes it clockwise by \
    one of the steps to a cell not visited before.";

/// What broke the study of a family off.
#[derive(Debug, thiserror::Error)]
enum FamilyStudyError {
    /// A published claim that cannot be read.
    #[error("the ledger: {0}")]
    Claim(#[from] ClaimError),
}

impl TheoryStudy for KotzigFamily {
    fn supports(&self, option: StudyOption) -> Result<(), &'static str> {
        match option {
            StudyOption::To | StudyOption::Certificate => Ok(()),
            StudyOption::Max => Err("the parameter of a family is bounded by --to"),
            StudyOption::BFile => Err(option.refusal()),
        }
    }

    fn run(&self, request: &TheoryRequest<'_>) -> Result<Arc<dyn TheoryFindings>, TheoryError> {
        let found = study(self, request)
            .map_err(|error| TheoryError::new(FamilyStudyError::from(error)))?;
        Ok(Arc::new(found))
    }
}
