//! NIM with Cash as a theory: its study, its claims, its words.

use crate::claims;
use crate::game::Cash;
use crate::study::{CashStudy, study};
use bouton_certificate::SealedCertificate;
use bouton_core::{Notation, Play};
use bouton_engine::Game;
use bouton_theory::block::Statement;
use bouton_theory::claim::ClaimKind;
use bouton_theory::reproduce::CommandResult;
use bouton_theory::verdict::{Verdict, VerdictKind};
use bouton_theory::{
    Block, ClaimError, ClaimRequest, NumberGrid, Picture, StageKind, StatedForm, StatementKind,
    StudiedStage, StudyOption, Survey, Theory, TheoryError, TheoryFindings, TheoryRequest,
    TheoryStudy, named_fields,
};
use serde_json::{Map, Value};
use std::fmt::Write;
use std::sync::Arc;

/// The theory of NIM with Cash.
pub struct NimWithCash;

impl Theory for NimWithCash {
    #[cfg(feature = "schema")]
    fn findings_schema(&self, generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        bouton_theory::answer::findings_schema::<CashStudy>(KIND, generator)
    }

    /// Returns the study of all positions: one position is another matter.
    fn study(
        &self,
        game: &dyn Game,
        play: Play,
        is_position: bool,
    ) -> Option<Box<dyn TheoryStudy>> {
        let rules = game.ruleset().downcast_ref::<Cash>()?;
        if is_position || play != Play::Normal {
            return None;
        }
        Some(Box::new(rules.clone()))
    }

    fn claim_kinds(&self) -> &'static [ClaimKind] {
        &[claims::CASH]
    }

    fn verify_claim(&self, request: &ClaimRequest<'_>) -> Option<Result<Verdict, ClaimError>> {
        Some(claims::verify(request.claim.says.theory()?, request.bound.budget))
    }

    fn amounts(&self, game: &dyn Game) -> Option<Vec<u64>> {
        game.ruleset().downcast_ref::<Cash>().map(|rules| rules.set.clone())
    }
}

impl TheoryStudy for Cash {
    fn supports(&self, option: StudyOption) -> Result<(), &'static str> {
        match option {
            StudyOption::Max | StudyOption::Certificate => Ok(()),
            other => Err(other.refusal()),
        }
    }

    fn run(&self, request: &TheoryRequest<'_>) -> Result<Arc<dyn TheoryFindings>, TheoryError> {
        (request.tell)(&format!("{}: looking for a win condition", self.name()));
        let found = study(self, request.max, request.budget).map_err(TheoryError::new)?;
        Ok(Arc::new(found))
    }

    fn command(&self) -> Option<(CommandResult, &'static str)> {
        Some((CommandResult::Condition, "cash"))
    }
}

/// The word for this kind of study.
pub(crate) const KIND: &str = "cash";

impl TheoryFindings for CashStudy {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn fields(&self) -> Map<String, Value> {
        named_fields(self)
    }

    fn is_settled(&self) -> bool {
        self.verdict == VerdictKind::Proved
    }

    fn certificate(&self) -> Option<&SealedCertificate> {
        self.certificate.as_ref()
    }

    fn stages(&self) -> Vec<StudiedStage> {
        let is_found = !self.condition.is_empty();
        let is_proved = self.certificate.is_some();
        let table = "For each pile and each purse of the player to move: the purses of the other \
            that lose.";
        let guess = match is_found {
            true => self.condition.clone(),
            false => vec!["No condition was found.".into()],
        };
        let larger = match self.compared {
            0 => "Not compared with a larger table.".to_owned(),
            n => format!("{n} purses agree, for stones and dollars to {}.", self.compared_to),
        };
        let proof = match is_proved {
            true => format!("{}.", self.checked),
            false => "Not proved within the time of this study.".into(),
        };
        let stage = StudiedStage::new;
        vec![
            stage(StageKind::Table, vec![table.to_owned()]).with_seconds(self.seconds),
            stage(StageKind::Guess, guess).continued_if(is_found),
            stage(StageKind::LargerTable, vec![larger]).continued_if(self.compared > 0),
            stage(StageKind::Proof, vec![proof]).continued_if(is_proved),
            StudiedStage::check(is_proved),
        ]
    }

    fn text(&self) -> String {
        let mut out = String::new();
        if let Some(reason) = &self.reason {
            let _ = writeln!(out, "No win condition found ({:.3} s): {reason}\n", self.seconds);
            return out;
        }
        let _ = writeln!(
            out,
            "Win condition, proved for all n, d, e ({}, {} numbers)",
            self.proof.unwrap_or_default(),
            self.size
        );
        for line in &self.condition {
            let _ = writeln!(out, "  {line}");
        }
        let _ = writeln!(out, "  certificate accepted: {} ({:.3} s)\n", self.checked, self.seconds);
        let _ = writeln!(
            out,
            "Table from the rules, n, d <= {}: {} thresholds, all as the condition says\n",
            self.compared_to, self.compared
        );
        out
    }

    fn blocks(&self, game: &str) -> Vec<Block> {
        let stated = match &self.reason {
            Some(reason) => Block::Text(format!("No win condition was found: {reason}.")),
            None => Block::Statement(Statement {
                kind: StatementKind::Theorem,
                lead: format!("In {game}, for all numbers of stones and dollars:"),
                forms: self.condition.iter().cloned().map(StatedForm::Line).collect(),
                proof: format!(
                    "Found by a program, and checked by an independent one: {}. Of the table made \
                     from the rules alone, with up to {} stones and dollars, all {} entries are \
                     as the condition says.",
                    self.checked, self.compared_to, self.compared
                ),
            }),
        };
        vec![stated, Block::Picture(Picture::Grid(self.grid()))]
    }

    fn survey(&self) -> Vec<Survey> {
        vec![Survey {
            play: None,
            verdict: self.verdict,
            form: (!self.condition.is_empty()).then(|| self.condition.join("; ")),
            bound: (self.compared > 0).then_some(self.compared_to.into()),
            reason: self.reason.clone(),
            published: Vec::new(),
            certificate: self.certificate.clone(),
            picture: Some(Picture::Grid(self.grid())),
            nothing: Some("No win condition was found"),
        }]
    }
}

impl CashStudy {
    /// Returns the thresholds as a picture.
    fn grid(&self) -> NumberGrid {
        let most = self.thresholds.len().saturating_sub(1);
        let cells = (0..=most).flat_map(|d| {
            let purses = move |row: &Vec<u32>| {
                row.get(d).map(|purses| i64::from((*purses).min(most as u32 + 1)))
            };
            self.thresholds.iter().map(purses)
        });
        NumberGrid {
            most,
            cells: cells.collect(),
            caption: format!(
                "With x stones and y dollars of the mover: how many purses of the other player \
                 the mover beats, up to {}.",
                most + 1
            ),
        }
    }
}
