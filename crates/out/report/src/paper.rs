//! A study as a paper: statements, tables, pictures, published results, commands. HTML and LaTeX
//! are written from it.

use crate::figure::{self, Figure};
use crate::sources::reference;
use crate::text::{end_rule, outcome};
use bouton_core::{Play, heaps_text, number_with_noun};
use bouton_prover::{Formula, Node};
use bouton_study::{
    Board, Findings, ForAll, Heaps, Pipeline, PipelineOutcome, RangeStudy, Sentence, Start, Study,
};

/// The number of P-positions listed.
const MAX_LISTED: usize = 40;
/// The number of columns of a table of values.
const COLUMNS: usize = 12;

/// A paper.
pub(crate) struct Paper {
    pub title: String,
    pub blocks: Vec<Block>,
}

/// A block of a paper.
pub(crate) enum Block {
    /// A heading.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A theorem or the like, with its proof.
    Statement(Statement),
    /// A table: its header and its rows.
    Table(Vec<String>, Vec<Vec<String>>),
    /// A picture.
    Figure(Figure),
    /// A list of items.
    List(Vec<String>),
    /// Lines of code.
    Code(Vec<String>),
    /// References.
    Sources(Vec<String>),
}

/// A theorem or the like.
pub(crate) struct Statement {
    pub kind: StatementKind,
    /// The text before the forms.
    pub lead: String,
    /// For each number of heaps, an introduction and the form.
    pub forms: Vec<(String, PaperForm)>,
    /// The proof, or the range of the comparison.
    pub proof: String,
}

/// The kind of a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatementKind {
    Theorem,
    Conjecture,
    /// A refuted conjecture.
    Refuted,
    /// A partial description.
    Observation,
}

impl StatementKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            StatementKind::Theorem => "Theorem",
            StatementKind::Conjecture => "Conjecture",
            StatementKind::Refuted => "Refuted",
            StatementKind::Observation => "Observation",
        }
    }
}

impl Statement {
    /// Returns the statement without proof, in one paragraph.
    pub(crate) fn words(&self) -> String {
        let mut paragraph = self.lead.trim_end().to_owned();
        let mut add = |text: &str| {
            if !text.is_empty() {
                paragraph.push(' ');
                paragraph.push_str(text.trim());
            }
        };
        for (words, form) in &self.forms {
            add(words);
            match form {
                PaperForm::Words(words) => add(words),
                PaperForm::Cases(cases) => {
                    let case = |case: &Vec<Formula>| {
                        let part = |part: &Formula| match needs_parentheses(part) && case.len() > 1
                        {
                            true => format!("({part})"),
                            false => part.to_string(),
                        };
                        case.iter().map(part).collect::<Vec<_>>().join(" and ")
                    };
                    let cases: Vec<String> = cases.iter().map(case).collect();
                    add(&format!("{}.", cases.join(", or ")));
                }
                PaperForm::None => {}
            }
        }
        paragraph
    }
}

/// A form of positions.
pub(crate) enum PaperForm {
    /// Alternatives; each is the conjunction of its formulas.
    Cases(Vec<Vec<Formula>>),
    /// A form in words.
    Words(String),
    /// No form.
    None,
}

impl Paper {
    pub(crate) fn from_study(study: &Study) -> Paper {
        let mut blocks = Vec::new();
        let scored = study.start.as_ref().is_some_and(|start| start.margin.is_some());
        let rules = format!("{} {}", study.rules.words, end_rule(scored, study.play));
        blocks.push(Block::Text(rules.trim_end().to_owned()));
        if let Some(formula) = &study.rules.formula {
            blocks.push(Block::Text(
                "A move takes at least one token, and of the heaps before (p) and after it (q) \
                 holds:"
                    .into(),
            ));
            blocks.push(Block::Code(vec![formula.clone()]));
        }
        findings(&mut blocks, study);
        if let Some(start) = &study.start {
            position(&mut blocks, study.play, start);
        }
        blocks.push(Block::Heading("To make it again".into()));
        blocks.push(Block::Code(study.again.iter().map(ToString::to_string).collect()));
        blocks.push(Block::Text(format!("All of it took {:.1} s.", study.seconds)));
        let sources = sources(study);
        if !sources.is_empty() {
            blocks.push(Block::Sources(sources));
        }
        Paper { title: study.game.clone(), blocks }
    }
}

impl Paper {
    /// Returns the paper of a game with a parameter: the sentences, their justification value by
    /// value, and the theorem of each value.
    pub(crate) fn from_range(study: &RangeStudy) -> Paper {
        let RangeStudy { game, parameter, range: [first, last], .. } = study;
        let mut blocks = Vec::new();
        if let Some(at) = study.values.first() {
            blocks
                .push(Block::Text(format!("{parameter} = {}: {}", at.value, at.found.rules.words)));
        }
        blocks.extend(study.sentences.iter().map(|one| Block::Statement(sentence(study, one))));
        if study.sentences.is_empty() {
            blocks.push(Block::Text(format!("No form in {parameter} fits the forms found.")));
        }
        let head = [parameter.as_str(), "status", "agrees up to", "seconds"];
        let row = |at: &bouton_study::AtValue| {
            let (status, agrees) = match at.line() {
                Some(line) => (line.ending.word(), line.holds_to().to_string()),
                None => ("", String::new()),
            };
            vec![at.value.to_string(), status.into(), agrees, format!("{:.2}", at.found.seconds)]
        };
        blocks.push(Block::Table(
            head.map(str::to_owned).into(),
            study.values.iter().map(row).collect(),
        ));
        for at in &study.values {
            blocks.push(Block::Heading(at.found.game.clone()));
            if let Some(line) = at.line() {
                blocks.push(Block::Statement(statement(&at.found, line)));
                blocks.extend(line.boards.iter().filter_map(figure::automaton).map(Block::Figure));
            }
        }
        blocks.push(Block::Heading("To make it again".into()));
        blocks.push(Block::Code(study.again.iter().map(ToString::to_string).collect()));
        blocks.push(Block::Text(format!("All of it took {:.1} s.", study.seconds)));
        let mut all: Vec<String> = study.values.iter().flat_map(|at| sources(&at.found)).collect();
        let mut known = std::collections::HashSet::new();
        all.retain(|source| known.insert(source.clone()));
        if !all.is_empty() {
            blocks.push(Block::Sources(all));
        }
        Paper { title: format!("{game}, {parameter} = {first}..{last}"), blocks }
    }
}

/// Returns the statement of a form in the parameter. It is a conjecture about all values, even if
/// it is proved for some.
fn sentence(study: &RangeStudy, one: &Sentence) -> Statement {
    let up_to = if one.up_to_symmetry { ", up to the symmetry of the game," } else { "" };
    let (values, game) = (crate::text::values_of(study, one), &study.game);
    let (lead, form) = match study.nim_values {
        true => (format!("For {values} in {game}"), crate::text::value_form_in_words(&one.form)),
        false => (
            format!("For {values} a position of {game} is a P-position if and only if{up_to}"),
            one.form.clone(),
        ),
    };
    Statement {
        kind: StatementKind::Conjecture,
        lead,
        forms: vec![(String::new(), PaperForm::Words(format!("{form}.")))],
        proof: format!(
            "This is {}. Of all {} it is not proved.",
            crate::text::extent(study, one),
            study.parameter
        ),
    }
}

/// Returns the sources of the game and of the published claims.
fn sources(study: &Study) -> Vec<String> {
    let mut all: Vec<String> = reference(&study.game).into_iter().collect();
    let mut add = |source: &str| {
        if !all.iter().any(|known| known == source) {
            all.push(source.to_owned());
        }
    };
    match &study.findings {
        Findings::Heaps(found) => found.published.iter().for_each(|c| add(&c.source)),
        Findings::Theory(found) => found.sources().iter().for_each(|source| add(source)),
        Findings::Counts { studies, .. } => studies.iter().flat_map(sources).for_each(|s| add(&s)),
        _ => {}
    }
    all
}

fn findings(blocks: &mut Vec<Block>, study: &Study) {
    match &study.findings {
        Findings::Heaps(found) => heaps(blocks, study, found),
        Findings::Counts { studies, .. } => {
            for study in studies {
                blocks.push(Block::Heading(study.game.clone()));
                findings(blocks, study);
            }
        }
        Findings::Theory(found) => {
            let parts = found.blocks(&study.game).into_iter();
            parts.for_each(|part| append(blocks, &study.game, part));
        }
        Findings::Position => {}
    }
}

fn heaps(
    blocks: &mut Vec<Block>,
    study: &Study,
    Heaps { line, published, partial, partial_classes }: &Heaps,
) {
    blocks.push(Block::Statement(statement(study, line)));
    if let PipelineOutcome::ProvedBySummands { summands } = &line.ending {
        let values = crate::text::values_of_summands(summands);
        blocks.extend(values.into_iter().map(|said| Block::Text(format!("{said}."))));
    }
    blocks.extend(
        partial.iter().map(|part| Block::Text(format!("{}.", crate::text::partial_theorem(part)))),
    );
    let together = crate::text::together(partial, *partial_classes);
    blocks.extend(together.map(|together| Block::Text(format!("{together}."))));
    for board in &line.boards {
        blocks.extend(figure::automaton(board).map(Block::Figure));
        blocks.push(Block::Heading(format!("Tables, {}", number_with_noun(board.heaps, "heap"))));
        let head = [
            "heaps up to",
            "P-positions",
            "not in the form",
            "agrees up to",
            "table, s",
            "search, s",
        ];
        let row = |round: &bouton_study::Round| {
            let agrees = match (round.checked_to, &round.mismatch) {
                (Some(max), None) => max.to_string(),
                (Some(max), Some(at)) => format!("fails at {}, below {max}", heaps_text(at)),
                _ => String::new(),
            };
            vec![
                round.max.to_string(),
                round.classes.to_string(),
                round.missed.to_string(),
                agrees,
                format!("{:.2}", round.table_seconds),
                format!("{:.2}", round.search_seconds),
            ]
        };
        blocks.push(Block::Table(
            head.map(str::to_owned).into(),
            board.rounds.iter().map(row).collect(),
        ));
        let some: Vec<String> = board
            .p_positions
            .iter()
            .take(MAX_LISTED)
            .map(|p| format!("({})", heaps_text(p)))
            .collect();
        let more = if board.p_classes > some.len() { ", …" } else { "" };
        blocks.push(Block::Text(match board.p_classes {
            0 => "None of these positions is P.".into(),
            _ if line.up_to_symmetry => {
                format!("P-positions, one of each class of symmetry: {}{more}", some.join(", "))
            }
            _ => format!("P-positions: {}{more}", some.join(", ")),
        }));
        if let Some(slice) = &board.slice {
            blocks.push(Block::Figure(figure::slice(&study.game, study.play, slice)));
        }
    }
    if !published.is_empty() {
        blocks.push(Block::Heading("Published".into()));
        let item = |c: &bouton_study::Comparison| {
            let recorded = c
                .otherwise_recorded()
                .map(|recorded| format!(" On record: {recorded}."))
                .unwrap_or_default();
            format!(
                "{} ({}). {}{recorded} Compared with the study: {}.",
                c.id,
                c.source,
                c.statement,
                outcome(c)
            )
        };
        blocks.push(Block::List(published.iter().map(item).collect()));
    }
}

/// Returns the result of a study as a theorem or a weaker statement.
fn statement(study: &Study, line: &Pipeline) -> Statement {
    let letters: Vec<String> = {
        let heaps = line.boards.last().map_or(0, |board| board.heaps);
        (0..heaps).map(|heap| ((b'a' + heap as u8 % 26) as char).to_string()).collect()
    };
    let up_to = if line.up_to_symmetry { ", up to the symmetry of the game," } else { "" };
    let play = if study.play == Play::Misere { "misère play of " } else { "" };
    let iff = |to: &str| {
        format!(
            "In {play}{} a position ({}) {to}is a P-position if and only if{up_to}",
            study.game,
            letters.join(", ")
        )
    };
    let forms = |whole: bool| {
        let several = line.boards.len() > 1;
        line.boards
            .iter()
            .rev()
            .filter_map(|board| {
                let round = board.rounds.last().filter(|_| whole || !board.rounds.is_empty())?;
                let words = if several {
                    format!("With {}:", number_with_noun(board.heaps, "heap"))
                } else {
                    String::new()
                };
                Some((words, form(board, round)))
            })
            .chain(explained(line))
            .collect::<Vec<_>>()
    };
    match &line.ending {
        PipelineOutcome::Proved(proof) => Statement {
            kind: StatementKind::Theorem,
            lead: iff("with heaps of any size "),
            forms: forms(true),
            proof: how_proved(line, proof),
        },
        PipelineOutcome::ProvedBySummands { .. } => Statement {
            kind: StatementKind::Theorem,
            lead: format!(
                "In {} a position is a P-position if and only if the nim-values of its summands, \
                 with heaps of any size, have the nim-sum 0.",
                study.game
            ),
            forms: Vec::new(),
            proof: "Sprague 1935, Grundy 1939; the independent checker accepts the certificates \
                    of the nim-values."
                .into(),
        },
        PipelineOutcome::Holds { reason } => Statement {
            kind: StatementKind::Conjecture,
            lead: iff(""),
            forms: forms(true),
            proof: format!(
                "This agrees with every position with heaps up to {}. It is not proved: {reason}.",
                line.holds_to()
            ),
        },
        PipelineOutcome::Refuted { counterexample, recheck, .. } => Statement {
            kind: StatementKind::Refuted,
            lead: format!("Not so, though it agrees with every table that was made: {}", iff("")),
            forms: forms(true),
            proof: format!("Counterexample: {counterexample}. {}.", recheck),
        },
        PipelineOutcome::NoForm => Statement {
            kind: StatementKind::Observation,
            lead:
                "No form of the P-positions was found. The best partial description that names no \
                 N-position:"
                    .into(),
            forms: forms(false),
            proof: String::new(),
        },
    }
}

/// Says how a form was proved.
fn how_proved(line: &Pipeline, proof: &ForAll) -> String {
    match crate::text::proved_round(line) {
        Some(round) if round.orbit.is_some() => {
            "Each heap is an option of all heaps between it and its step, and of no others. So the \
             first heap after a P-position from which no move leads to a P-position is its step. \
             That heaps are options of these alone was decided by a program, and an independent \
             program has decided it again."
                .into()
        }
        Some(round) if round.pairs.is_some() => {
            "By induction over the number of tokens: no move leads from a pair to another one, and \
             from every position between and above the pairs a move leads to one; every number is \
             in a pair or just above one. What is said of all pairs was decided by a program, and \
             an independent program has decided it again."
                .into()
        }
        _ => format!(
            "By induction over the number of tokens: no move leads from a position of this form to \
             another one, as is shown by {}; from every other position a move leads to one, as is \
             shown for {} of positions, and these are all. The cases were found by a program, in \
             {:.2} s, and an independent program has checked every one of them.",
            number_with_noun(proof.cases, "case"),
            number_with_noun(proof.parts, "kind"),
            line.proof_seconds
        ),
    }
}

/// Explains what the form of the whole board names.
fn explained(line: &Pipeline) -> Option<(String, PaperForm)> {
    let lines = crate::text::explained(line.boards.last()?);
    (!lines.is_empty())
        .then(|| (String::new(), PaperForm::Words(format!("Here {}.", lines.join("; ")))))
}

/// Returns a form, as formulas if it has some.
fn form(board: &Board, round: &bouton_study::Round) -> PaperForm {
    if round.automaton.is_some() {
        return match figure::automaton(board) {
            Some(_) => PaperForm::Words("the automaton drawn below accepts its heaps.".into()),
            None => {
                PaperForm::Words("an automaton, too large to be drawn, accepts its heaps.".into())
            }
        };
    }
    match round.formula() {
        Some(claim) if claim.formula().root == Node::Constant(false) => {
            PaperForm::Words("never.".into())
        }
        Some(claim) => PaperForm::Cases(cases(claim.formula())),
        None => PaperForm::Words(round.form.clone()),
    }
}

/// Returns the alternatives of a formula, each as a list of conjuncts.
pub(crate) fn cases(formula: &Formula) -> Vec<Vec<Formula>> {
    let alone = |root: &Node| Formula { root: root.clone(), ..formula.clone() };
    let parts = |node: &Node| match node {
        Node::And(all) => all.iter().map(alone).collect(),
        other => vec![alone(other)],
    };
    match &formula.root {
        Node::Or(all) => all.iter().map(parts).collect(),
        one => vec![parts(one)],
    }
}

/// Returns whether a formula in a conjunction needs parentheses.
pub(crate) fn needs_parentheses(formula: &Formula) -> bool {
    !matches!(formula.root, Node::Compare(..) | Node::Constant(_) | Node::Not(_) | Node::And(_))
}

/// Puts sizes and values side by side.
fn values(blocks: &mut Vec<Block>, size: &str, value: &str, entries: Vec<(usize, u32)>) {
    for line in entries.chunks(COLUMNS) {
        let head = std::iter::once(size.to_owned()).chain(line.iter().map(|(n, _)| n.to_string()));
        let row = std::iter::once(value.to_owned())
            .chain(line.iter().map(|(_, value)| value.to_string()));
        blocks.push(Block::Table(head.collect(), vec![row.collect()]));
    }
}

/// Appends a part of a paper as a theory has it.
fn append(blocks: &mut Vec<Block>, game: &str, part: bouton_theory::Block) {
    use bouton_theory::{Block as Part, StatedForm, StatementKind as Kind};
    blocks.push(match part {
        Part::Heading(text) => Block::Heading(text),
        Part::Text(text) => Block::Text(text),
        Part::List(items) => Block::List(items),
        Part::Table(head, rows) => Block::Table(head, rows),
        Part::Picture(picture) => Block::Figure(figure::of_theory(game, picture)),
        Part::Values([number, value], entries) => return values(blocks, &number, &value, entries),
        Part::Statement(stated) => Block::Statement(Statement {
            kind: match stated.kind {
                Kind::Theorem => StatementKind::Theorem,
                Kind::Conjecture => StatementKind::Conjecture,
                Kind::Observation => StatementKind::Observation,
            },
            lead: stated.lead,
            forms: stated
                .forms
                .into_iter()
                .map(|form| match form {
                    StatedForm::Line(line) => (line, PaperForm::None),
                    StatedForm::Words(words) => (String::new(), PaperForm::Words(words)),
                    StatedForm::Formula(formula) => {
                        (String::new(), PaperForm::Cases(cases(&formula)))
                    }
                })
                .collect(),
            proof: stated.proof,
        }),
    });
}

fn position(blocks: &mut Vec<Block>, play: Play, start: &Start) {
    blocks.push(Block::Heading(format!("From {}", start.position)));
    blocks.push(Block::Text(format!("{}.", crate::text::start_verdict(play, start))));
    if !start.winning.is_empty() {
        blocks.push(Block::Text("Winning moves:".into()));
        blocks.push(Block::List(start.winning.iter().map(|m| m.text.clone()).collect()));
    }
    let Some(board) = &start.board else { return };
    let values = figure::move_values_figure(&start.position, board, &start.margins, start.margin);
    blocks.push(Block::Figure(values.unwrap_or_else(|| figure::board(&start.position, board))));
    if let Some(sight) = start.sight.as_ref().filter(|sight| !sight.groups.is_empty()) {
        blocks.push(Block::Figure(figure::sight(&start.position, board, sight)));
    }
    let remark = start.remarks.iter().map(|remark| format!("{}: {}", remark.about, remark.text));
    if !start.remarks.is_empty() {
        blocks.push(Block::List(remark.collect()));
    }
}
