//! What a study of a nim-sequence found, in words and as parts of a paper.

use crate::sequence::PeriodProof;
use crate::study::{NimSequenceStudy, Repeats};
use bouton_certificate::SealedCertificate;
use bouton_theory::block::{NimPeriod, NimSequence, Statement};
use bouton_theory::text::{heaps_and_values, rows_of_numbers};
use bouton_theory::verdict::VerdictKind;
use bouton_theory::{
    Block, Picture, SingleHeap, StageKind, StatementKind, StudiedStage, Survey, TheoryFindings,
    named_fields,
};
use serde_json::{Map, Value};
use std::fmt::Write;

/// The most exceptions that are listed.
const LISTED: usize = 240;

/// The word for this kind of study.
pub(crate) const KIND: &str = "sequence";

impl TheoryFindings for NimSequenceStudy {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn fields(&self) -> Map<String, Value> {
        named_fields(self)
    }

    fn stages(&self) -> Vec<StudiedStage> {
        let is_proved = self.verdict == VerdictKind::Proved;
        let guess = match &self.period {
            Some(period) => {
                format!(
                    "Period {} from {} on{}.",
                    period.period,
                    period.preperiod,
                    period.saltus_text()
                )
            }
            None if self.shown.is_empty() => "No period shows.".into(),
            None => format!("{}.", self.shown.join("; ")),
        };
        let proof = match is_proved {
            true => "Values that repeat for long enough repeat for ever.",
            false => "Not proved within the time of this study.",
        };
        const FIRST: usize = 24;
        let first: Vec<String> = self.values.iter().take(FIRST).map(ToString::to_string).collect();
        let more = if self.values.len() > FIRST { ", …" } else { "" };
        let table = format!("Nim-values of heaps to {}: {}{more}", self.heaps, first.join(", "));
        // The empty heap alone would be a picture of nothing.
        let is_picture = self.values.iter().filter(|value| **value == 0).count() > 1;
        let dark = is_picture.then(|| "Heaps of value 0 are dark.".to_owned());
        let table = StudiedStage {
            p_positions: self
                .values
                .iter()
                .filter(|_| is_picture)
                .map(|value| *value == 0)
                .collect(),
            ..StudiedStage::new(StageKind::Table, [table].into_iter().chain(dark).collect())
        };
        vec![
            table.with_seconds(self.seconds),
            StudiedStage::new(StageKind::Guess, vec![guess])
                .continued_if(self.period.is_some() || !self.shown.is_empty()),
            StudiedStage::new(StageKind::Proof, vec![proof.to_owned()]).continued_if(is_proved),
            StudiedStage::check(self.certificate().is_some()),
        ]
    }

    fn single_heap(&self) -> Option<SingleHeap> {
        let period = self.period.as_ref().map(|period| {
            format!(
                "the period {} from {} on{}",
                period.period,
                period.preperiod,
                period.saltus_text()
            )
        });
        let is_proved = self.verdict == VerdictKind::Proved;
        Some(SingleHeap { p_positions: self.losing(), period, is_proved })
    }

    fn is_settled(&self) -> bool {
        self.verdict == VerdictKind::Proved
    }

    fn certificate(&self) -> Option<&SealedCertificate> {
        self.certificate.as_ref()
    }

    fn sources(&self) -> Vec<String> {
        let period_theorem = "R. K. Guy, C. A. B. Smith, The G-values of various games, Proc. \
            Camb. Phil. Soc. 52 (1956) 514-526";
        if self.is_settled() { vec![period_theorem.into()] } else { Vec::new() }
    }

    /// Returns a line `n value` for each heap.
    fn b_file(&self) -> Option<String> {
        Some(self.listed.iter().enumerate().map(|(n, value)| format!("{n} {value}\n")).collect())
    }

    fn text(&self) -> String {
        let mut out =
            format!("Nim-values of single heaps 0..{}\n", self.values.len().saturating_sub(1));
        out.push_str(&rows_of_numbers(&self.values));
        out.push('\n');
        let why = self.reason.as_ref().map_or(String::new(), |why| format!(" ({why})"));
        let Some(period) = &self.period else {
            let _ = match self.reason {
                None if !self.shown.is_empty() => writeln!(
                    out,
                    "Not proved: it agrees with heaps 0..{}\n  {}\n",
                    self.heaps,
                    self.shown.join("\n  ")
                ),
                None => writeln!(
                    out,
                    "No period is supported by the {} values of heaps 0..{}\n",
                    self.heaps + 1,
                    self.heaps
                ),
                Some(_) => writeln!(
                    out,
                    "No period is seen up to heap {}, where the search ended{why}; a longer one \
                     may find it\n",
                    self.heaps
                ),
            };
            return out;
        };
        let saltus = period.saltus_text();
        let by = match self.verdict {
            VerdictKind::Proved => format!("proved ({})", period.proof_word()),
            _ => format!("not proved{why}"),
        };
        let _ = writeln!(
            out,
            "Period {} from {} on{saltus}: {by}\n  heaps 0..{} compared, {:.3} s\n",
            period.period, period.preperiod, self.heaps, self.seconds
        );
        if let Some(losing) = self.losing() {
            let _ = writeln!(out, "One heap: {losing}\n");
        }
        if let Some(cycle) = &period.cycle {
            let _ = writeln!(out, "The period, from a multiple of {} on", period.period);
            let entries: Vec<_> = (period.cycle_from()..).zip(cycle.iter().copied()).collect();
            out.push_str(&heaps_and_values(&entries));
        }
        match &period.exceptions[..] {
            [] if period.saltus > 0 => {}
            [] => out.push_str("No exceptions\n"),
            [.., (last, _)] if period.exceptions.len() > LISTED => {
                let _ = writeln!(out, "{} exceptions, the last at {last}", period.exceptions.len());
            }
            [one] => {
                out.push_str("The exception\n");
                out.push_str(&heaps_and_values(&[*one]));
            }
            exceptions => {
                let _ = writeln!(out, "The {} exceptions", exceptions.len());
                out.push_str(&heaps_and_values(exceptions));
            }
        }
        out.push('\n');
        out
    }

    fn blocks(&self, game: &str) -> Vec<Block> {
        let mut blocks = vec![
            Block::Statement(self.statement(game)),
            Block::Text(
                "A position of several heaps is P exactly if the nim-sum (the digits added \
                 without carry) of their values is 0."
                    .into(),
            ),
            Block::Picture(Picture::NimSequence(self.picture())),
        ];
        let values = |entries| Block::Values(["n".into(), "G(n)".into()], entries);
        if let Some(period) = &self.period {
            if let Some(cycle) = &period.cycle {
                blocks.push(Block::Heading("The period".into()));
                blocks.push(values((period.cycle_from()..).zip(cycle.iter().copied()).collect()));
            }
            if (1..=LISTED).contains(&period.exceptions.len()) {
                blocks.push(Block::Heading("Exceptions".into()));
                blocks.push(values(period.exceptions.clone()));
            }
        }
        blocks
    }

    fn survey(&self) -> Vec<Survey> {
        let form = |p: &Repeats| {
            format!("period {}, preperiod {}{}", p.period, p.preperiod, p.saltus_text())
        };
        vec![Survey {
            play: None,
            verdict: self.verdict,
            form: self.period.as_ref().map(form),
            bound: Some(self.heaps as u64),
            reason: self.reason.clone(),
            published: Vec::new(),
            certificate: self.certificate.clone(),
            picture: Some(Picture::NimSequence(self.picture())),
            nothing: None,
        }]
    }
}

impl NimSequenceStudy {
    /// Returns what is stated, and why, or how far.
    fn statement(&self, game: &str) -> Statement {
        let Some(period) = &self.period else {
            return Statement {
                kind: StatementKind::Observation,
                lead: format!(
                    "No period is supported by the {} nim-values of the heaps 0 to {} of {game}.",
                    self.heaps + 1,
                    self.heaps
                ),
                forms: Vec::new(),
                proof: match &self.reason {
                    Some(why) => format!("The search ended: {why}."),
                    None if self.shown.is_empty() => String::new(),
                    None => format!(
                        "They agree with this, which is not proved: {}.",
                        self.shown.join("; ")
                    ),
                },
            };
        };
        let saltus =
            if period.saltus > 0 { format!(" + {}", period.saltus) } else { String::new() };
        let proved = self.is_settled();
        Statement {
            kind: if proved { StatementKind::Theorem } else { StatementKind::Conjecture },
            lead: format!(
                "The nim-values G(n) of single heaps of n in {game} satisfy G(n + {}) = \
                 G(n){saltus} for all n >= {}. {}",
                period.period,
                period.preperiod,
                match &period.exceptions[..] {
                    _ if period.saltus > 0 => String::new(),
                    [] => "There are no exceptions below.".into(),
                    [one] => format!("The one exception to the period below is n = {}.", one.0),
                    all => format!(
                        "Of the {} exceptions to the period below, the last is n = {}.",
                        all.len(),
                        all[all.len() - 1].0
                    ),
                }
            ),
            forms: Vec::new(),
            proof: match period.proof {
                Some(PeriodProof::Octal) if proved => format!(
                    "By the theorem of Guy and Smith: values that repeat for long enough repeat \
                     for ever. The values of the heaps 0 to {} were compared.",
                    self.heaps
                ),
                _ if proved => format!(
                    "The values of the heaps 0 to {} were compared ({}).",
                    self.heaps,
                    period.proof_word()
                ),
                _ => {
                    format!(
                        "This agrees with the values of all heaps up to {}. It is not proved.",
                        self.heaps
                    )
                }
            },
        }
    }

    /// Returns the values as a picture: three periods, and no fewer than are listed in words.
    fn picture(&self) -> NimSequence {
        let period = self.period.as_ref();
        let shown = period.map_or(0, |p| p.preperiod + 3 * p.period).max(self.values.len());
        NimSequence {
            values: self.listed.iter().take(shown).copied().collect(),
            period: period.map(|p| NimPeriod {
                period: p.period,
                preperiod: p.preperiod,
                saltus: p.saltus,
            }),
        }
    }
}
