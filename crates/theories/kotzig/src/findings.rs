//! What a study of a family found, in words and as parts of a paper.

use crate::study::{FamilyStudy, FamilyTheorem, Outcomes, SettledClaim, letter};
use bouton_certificate::SealedCertificate;
use bouton_core::{Node, Outcome, Play};
use bouton_theory::block::{OutcomeRow, Statement};
use bouton_theory::reproduce::{CommandResult, ReproduceCommand};
use bouton_theory::verdict::VerdictKind;
use bouton_theory::{
    Block, Picture, PublishedVerdict, StageKind, StatedForm, StatementKind, StudiedStage, Survey,
    TheoryFindings, named_fields,
};
use serde_json::{Map, Value};
use std::fmt::Write;

/// Outcomes on a line of text.
const LETTERS: usize = 60;

/// The word for this kind of study.
pub(crate) const KIND: &str = "family";

impl TheoryFindings for FamilyStudy {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn fields(&self) -> Map<String, Value> {
        named_fields(self)
    }

    fn is_settled(&self) -> bool {
        let known = |found: &Outcomes| found.unknown.is_empty() || found.theorem.is_some();
        let stands = |kind| matches!(kind, VerdictKind::Holds | VerdictKind::Proved);
        known(&self.normal)
            && known(&self.misere)
            && self.published.iter().all(|claim| stands(claim.word))
    }

    fn stages(&self) -> Vec<StudiedStage> {
        let [least, greatest] = self.range;
        let normal = &self.normal;
        let both = |said: [Option<String>; 2]| -> Vec<String> {
            let plays = ["Normal play", "Misère play"];
            plays
                .iter()
                .zip(said)
                .filter_map(|(play, said)| Some(format!("{play}: {}.", said?)))
                .collect()
        };
        let of =
            |said: fn(&Outcomes) -> Option<String>| both([said(&self.normal), said(&self.misere)]);
        let table = StudiedStage {
            p_positions: normal
                .outcomes
                .iter()
                .map(|(_, outcome)| *outcome == Some(Outcome::P))
                .collect(),
            ..StudiedStage::new(
                StageKind::Table,
                vec![format!(
                    "Circles of {least} to {greatest} cells in normal play: those in P are dark."
                )],
            )
        };
        let guessed =
            of(|found| found.p_positions.as_ref().map(|form| format!("P exactly if {form}")));
        let guess = match guessed.is_empty() {
            true => StudiedStage::new(StageKind::Guess, vec!["No form was found.".into()])
                .continued_if(false),
            false => StudiedStage::new(StageKind::Guess, guessed),
        };
        let theorems = [&self.normal.theorem, &self.misere.theorem];
        let proved = of(|found| found.theorem.as_ref().map(|theorem| theorem.work.clone()));
        let proof = match proved.is_empty() {
            true => {
                let why = "Not proved within the time of this study.";
                StudiedStage::new(StageKind::Proof, vec![why.into()]).continued_if(false)
            }
            false => StudiedStage::new(StageKind::Proof, proved)
                .with_seconds(theorems.into_iter().flatten().map(|theorem| theorem.seconds).sum()),
        };
        let seconds = normal.seconds + self.misere.seconds;
        vec![
            table.with_seconds(seconds),
            guess,
            proof,
            StudiedStage::check(self.certificate().is_some()),
        ]
    }

    /// Returns that in normal play, or else in misère play.
    fn certificate(&self) -> Option<&SealedCertificate> {
        let proved = self.normal.theorem.as_ref().or(self.misere.theorem.as_ref());
        proved.map(|theorem| &theorem.certificate)
    }

    fn again(&self) -> Vec<ReproduceCommand> {
        let command = |makes, words: &[&str]| ReproduceCommand {
            makes,
            arguments: words.iter().map(|word| (*word).to_owned()).collect(),
        };
        let name = &self.family;
        let mut all = vec![command(
            CommandResult::Study,
            &["study", name, "--to", &self.range[1].to_string()],
        )];
        if self.normal.theorem.is_some() {
            all.push(command(CommandResult::Proof, &["prove", name]));
        }
        if self.misere.theorem.is_some() {
            all.push(command(CommandResult::MisereProof, &["prove", name, "--misere"]));
        }
        all
    }

    fn sources(&self) -> Vec<String> {
        self.published.iter().map(|claim| claim.source.clone()).collect()
    }

    fn text(&self) -> String {
        let mut out = String::new();
        let name = &self.parameter;
        for (play, found) in self.by_play() {
            let _ = writeln!(out, "Outcomes, {play} play");
            for chunk in found.outcomes.chunks(LETTERS) {
                let letters: String = chunk.iter().map(|(_, outcome)| letter(*outcome)).collect();
                let _ = writeln!(out, "  {name} = {:>3}: {letters}", chunk[0].0);
            }
            let _ = match (&found.p_positions, found.fitted_to) {
                (Some(fit), Some(to)) => writeln!(
                    out,
                    "  {}: P iff {fit}\n  It agrees with every {name} from {} to {to}{}.",
                    if found.theorem.is_some() { "Fitted" } else { "Conjecture" },
                    found.outcomes[0].0,
                    if found.theorem.is_some() { "" } else { "; nothing is proved" },
                ),
                _ => writeln!(out, "  No classification by residues fits with enough evidence."),
            };
            if let Some(theorem) = &found.theorem {
                let how = if theorem.at_hand {
                    "the certificate at hand"
                } else {
                    "the certificate found"
                };
                let _ = writeln!(
                    out,
                    "  Theorem, for every {name} >= 1: P iff {}\n  The independent checker \
                     accepts {how}: {}\n  certificate {}",
                    theorem.p_positions, theorem.work, theorem.hash
                );
            }
            if let Some(why) = &found.not_proved {
                let _ = writeln!(out, "  Not proved for every {name}: {why}");
            }
            if let Some(reason) = &found.reason {
                let _ = writeln!(out, "  unknown ({reason}): {name} = {:?}", found.unknown);
            }
            let _ = writeln!(out, "  {:.2} s\n", found.seconds);
        }
        if let (Some(first), Some(last)) = (self.nim_values.first(), self.nim_values.last()) {
            let list: Vec<String> =
                self.nim_values.iter().map(|(_, value)| value.to_string()).collect();
            let _ = writeln!(
                out,
                "Nim-values, {name} = {} to {}\n  {}\n",
                first.0,
                last.0,
                list.join(" ")
            );
        }
        for claim in &self.published {
            let _ = writeln!(out, "Published: {} {} ({})", claim.id, claim.statement, claim.source);
            let _ = match claim.otherwise_recorded() {
                Some(recorded) => writeln!(
                    out,
                    "  on record: {recorded}\n  computed here: {}: {}\n",
                    claim.word, claim.found
                ),
                None => writeln!(out, "  {}: {}\n", claim.word, claim.found),
            };
        }
        out
    }

    fn blocks(&self, game: &str) -> Vec<Block> {
        let mut blocks = Vec::new();
        let name = &self.parameter;
        for (play, found) in self.by_play() {
            blocks.push(Block::Heading(format!("Outcomes in {play} play")));
            let outcomes = Block::Picture(Picture::Outcomes(found.row(play)));
            if let Some(theorem) = &found.theorem {
                blocks.extend(theorem.blocks(game, play));
                blocks.push(outcomes);
                continue;
            }
            blocks.push(match (&found.p_positions, found.fitted_to) {
                (Some(fit), Some(to)) => Block::Statement(Statement {
                    kind: StatementKind::Conjecture,
                    lead: format!(
                        "In {play} play the second player wins {game} if and only if {fit}."
                    ),
                    forms: Vec::new(),
                    proof: format!(
                        "This agrees with every {name} from {} to {to}. It is not proved.",
                        found.outcomes[0].0
                    ),
                }),
                _ => Block::Text("No classification by residues fits with enough evidence.".into()),
            });
            if let Some(why) = &found.not_proved {
                blocks.push(Block::Text(format!("A proof for every {name} was sought: {why}.")));
            }
            if let Some(reason) = &found.reason {
                let unknown: Vec<String> = found.unknown.iter().map(i64::to_string).collect();
                blocks.push(Block::Text(format!(
                    "Unknown ({reason}): {name} = {}.",
                    unknown.join(",")
                )));
            }
            blocks.push(outcomes);
        }
        if !self.nim_values.is_empty() {
            blocks.push(Block::Heading("Nim-values".into()));
            let entries =
                self.nim_values.iter().map(|(n, value)| (n.unsigned_abs() as usize, *value));
            blocks.push(Block::Values([name.clone(), "nim-value".into()], entries.collect()));
        }
        if !self.published.is_empty() {
            blocks.push(Block::Heading("Published".into()));
            let items = self.published.iter().map(|claim| {
                let (id, source, statement) = (&claim.id, &claim.source, &claim.statement);
                let recorded = claim
                    .otherwise_recorded()
                    .map(|recorded| format!(" On record: {recorded}."))
                    .unwrap_or_default();
                format!(
                    "{id} ({source}). {statement}{recorded} Found: {}: {}.",
                    claim.word, claim.found
                )
            });
            blocks.push(Block::List(items.collect()));
        }
        blocks
    }

    fn survey(&self) -> Vec<Survey> {
        let verdict = |claim: &SettledClaim| PublishedVerdict {
            id: claim.id.clone(),
            verdict: claim.verdict.kind(),
        };
        let published: Vec<PublishedVerdict> = self.published.iter().map(verdict).collect();
        let of = |(play, found): (Play, &Outcomes)| {
            let theorem = found.theorem.as_ref();
            let fit = || found.p_positions.clone();
            Survey {
                play: Some(play),
                verdict: match theorem {
                    Some(_) => VerdictKind::Proved,
                    None if found.p_positions.is_some() => VerdictKind::Holds,
                    None => VerdictKind::Unknown,
                },
                form: theorem.map(|theorem| theorem.p_positions.clone()).or_else(fit),
                bound: found.known_to(),
                reason: found.reason.clone().filter(|_| theorem.is_none()),
                published: published.clone(),
                certificate: theorem.map(|theorem| theorem.certificate.clone()),
                picture: Some(Picture::Outcomes(found.row(play))),
                nothing: Some("No classification by residues fits with enough evidence"),
            }
        };
        self.by_play().map(of).into()
    }
}

impl FamilyStudy {
    /// Returns the outcomes in both conventions.
    fn by_play(&self) -> [(Play, &Outcomes); 2] {
        [(Play::Normal, &self.normal), (Play::Misere, &self.misere)]
    }
}

impl Outcomes {
    /// Returns the outcomes as a picture.
    fn row(&self, play: Play) -> OutcomeRow {
        OutcomeRow {
            play,
            from: self.outcomes.first().map_or(0, |(n, _)| n.unsigned_abs()),
            outcomes: self.outcomes.iter().map(|(_, outcome)| *outcome).collect(),
        }
    }

    /// Returns the greatest parameter up to which all outcomes are known.
    fn known_to(&self) -> Option<u64> {
        let known = self.outcomes.iter().take_while(|(_, outcome)| outcome.is_some());
        known.last().and_then(|(n, _)| u64::try_from(*n).ok())
    }
}

impl FamilyTheorem {
    /// Returns the theorem, how it is proved, and a game that shows it.
    fn blocks(&self, game: &str, play: Play) -> Vec<Block> {
        let form = match &self.formula {
            never if never.root == Node::Constant(false) => StatedForm::Words("for no n.".into()),
            formula => StatedForm::Formula(formula.clone()),
        };
        let by_laps = !self.laps.is_empty();
        let proof = if by_laps { self.proof_by_laps() } else { self.proof_by_classes() };
        let mut blocks = vec![Block::Statement(Statement {
            kind: StatementKind::Theorem,
            lead: format!(
                "In {play} play the second player wins {game}, for n >= 1, if and only if"
            ),
            forms: vec![form],
            proof: format!(
                "{proof} An independent program has checked all of it ({}). The certificate has \
                 the hash {}.",
                self.work, self.hash
            ),
        })];
        blocks.push(if by_laps { self.table_of_laps() } else { self.table_of_classes() });
        blocks.extend(self.walk.as_ref().map(|walk| Block::Picture(Picture::Route(walk.route()))));
        blocks
    }

    /// Returns the proof by an automaton for each class of n.
    fn proof_by_classes(&self) -> String {
        let states: usize = self.classes.iter().map(|class| class.states).sum();
        format!(
            "A position is the word of its cells clockwise from the one after the token. An \
             automaton for each of the {} classes of n modulo {0}, of {states} states together, \
             labels words: the player to move loses, or wins, or nothing is said. Of words of \
             every length, every option of one labelled as lost is labelled as won, and one \
             labelled as won has an option labelled as lost; so the labels are right, by \
             induction on the free cells, and the start of the circle has the label that is \
             claimed. The circles below the range of the automata were searched one by one.",
            self.classes.len()
        )
    }

    /// Returns the proof by revolutions.
    fn proof_by_laps(&self) -> String {
        format!(
            "A game is a number of laps round the circle. For each of {} laps an automaton reads \
             the cells behind the token and another, which begins where that one came to, those \
             ahead of it; together they say whether the player to move loses, or wins, or \
             nothing. Of all positions that can come up in a lap, on circles of every size, every \
             option of one that is said to be lost is said to be won, and one that is said to be \
             won has an option that is said to be lost, be it in the same lap or in the next; so \
             what is said is right, by induction on the free cells, and of the start it is what \
             is claimed. The smallest circles were searched one by one.",
            self.laps.len()
        )
    }

    fn table_of_laps(&self) -> Block {
        let rows = (1..).zip(&self.laps).map(|(number, lap): (usize, _)| {
            [number, lap.tapes, lap.classes, lap.words].map(|count| count.to_string()).to_vec()
        });
        let head = ["lap", "states: tapes before", "classes behind the token", "words ahead of it"];
        Block::Table(head.map(str::to_owned).into(), rows.collect())
    }

    fn table_of_classes(&self) -> Block {
        let rows = self.classes.iter().map(|class| {
            let outcome = if class.in_p { "P" } else { "N" };
            let (residue, from, states) = (class.residue, class.from, class.states);
            vec![residue.to_string(), outcome.to_owned(), from.to_string(), states.to_string()]
        });
        let modulus = format!("n mod {}", self.classes.len());
        let head = vec![modulus, "outcome".into(), "from n =".into(), "states".into()];
        Block::Table(head, rows.collect())
    }
}
