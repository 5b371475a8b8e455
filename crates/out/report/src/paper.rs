//! A study as a paper: statements, tables, pictures, published results, commands. HTML and LaTeX
//! are written from it.

use crate::figure::{self, Figure};
use crate::sources::reference;
use crate::text::{counted, listed, outcome};
use bouton_core::Play;
use bouton_prover::{Formula, Node};
use bouton_study::{
    Board, Ending, FamilyStudy, FamilyTheorem, Findings, Heaps, Line, RangeStudy, Sentence, Sequences, Start,
    Study, VerdictKind,
};

/// The number of P-positions listed.
const MAX_LISTED: usize = 40;
/// The number of columns of a table of values.
const COLUMNS: usize = 12;
/// The greatest number of values in a table of exceptions.
const MAX_EXCEPTIONS: usize = 240;

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
                        let part = |part: &Formula| match needs_parentheses(part) && case.len() > 1 {
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
        let end = match study.play {
            _ if scored => "",
            Play::Normal => " Who cannot move loses.",
            Play::Misere => " Misère play: who cannot move wins.",
        };
        blocks.push(Block::Text(format!("{}{end}", study.rules.words)));
        if let Some(formula) = &study.rules.formula {
            blocks.push(Block::Text(
                "A move takes at least one token, and of the heaps before (p) and after it (q) holds:".into(),
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
            blocks.push(Block::Text(format!("{parameter} = {}: {}", at.value, at.found.rules.words)));
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
        blocks.push(Block::Table(head.map(str::to_owned).into(), study.values.iter().map(row).collect()));
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
    Statement {
        kind: StatementKind::Conjecture,
        lead: format!(
            "For {} a position of {} is a P-position if and only if{up_to}",
            crate::text::values_of(study, one),
            study.game
        ),
        forms: vec![(String::new(), PaperForm::Words(format!("{}.", one.form)))],
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
        Findings::Family(found) => found.published.iter().for_each(|c| add(&c.source)),
        Findings::Counts { studies, .. } => studies.iter().flat_map(sources).for_each(|s| add(&s)),
        Findings::Sequence(found) if found.verdict == VerdictKind::Proved => {
            add(
                "R. K. Guy, C. A. B. Smith, The G-values of various games, Proc. Camb. Phil. Soc. 52 (1956) 514-526",
            );
        }
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
        Findings::Sequence(found) => sequence(blocks, study, found),
        Findings::Theory(found) => {
            blocks.extend(found.blocks(&study.game).into_iter().map(|part| block(&study.game, part)))
        }
        Findings::Family(found) => family(blocks, study, found),
        Findings::Position => {}
    }
}

fn heaps(blocks: &mut Vec<Block>, study: &Study, Heaps { line, published, where_empty }: &Heaps) {
    blocks.push(Block::Statement(statement(study, line)));
    blocks.extend(
        where_empty.iter().map(|part| Block::Text(format!("{}.", crate::text::subgame_theorem(part)))),
    );
    for board in &line.boards {
        blocks.extend(figure::automaton(board).map(Block::Figure));
        blocks.push(Block::Heading(format!("Tables, {}", counted(board.heaps))));
        let head = ["heaps up to", "P-positions", "not in the form", "agrees up to", "table, s", "search, s"];
        let row = |round: &bouton_study::Round| {
            let agrees = match (round.checked_to, &round.mismatch) {
                (Some(max), None) => max.to_string(),
                (Some(max), Some(at)) => format!("fails at {}, below {max}", listed(at)),
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
        blocks.push(Block::Table(head.map(str::to_owned).into(), board.rounds.iter().map(row).collect()));
        let some: Vec<String> =
            board.p_positions.iter().take(MAX_LISTED).map(|p| format!("({})", listed(p))).collect();
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
            format!("{} ({}). {} Held against the table: {}.", c.id, c.source, c.statement, outcome(c))
        };
        blocks.push(Block::List(published.iter().map(item).collect()));
    }
}

/// Returns the result of a study as a theorem or a weaker statement.
fn statement(study: &Study, line: &Line) -> Statement {
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
                let words = if several { format!("With {}:", counted(board.heaps)) } else { String::new() };
                Some((words, form(board, round)))
            })
            .chain(explained(line))
            .collect::<Vec<_>>()
    };
    match &line.ending {
        Ending::Proved(proof) => Statement {
            kind: StatementKind::Theorem,
            lead: iff("with heaps of any size "),
            forms: forms(true),
            proof: format!(
                "By induction over the number of tokens: no move leads from a position of this form to another one, as {} cases show; from every other position a move leads to one, as is shown for {} kinds of positions, and these are all. The cases were found by a program, in {:.2} s, and an independent program has checked every one of them.",
                proof.cases, proof.parts, line.proof_seconds
            ),
        },
        Ending::Holds { reason } => Statement {
            kind: StatementKind::Conjecture,
            lead: iff(""),
            forms: forms(true),
            proof: format!(
                "This agrees with every position with heaps up to {}. It is not proved: {reason}.",
                line.holds_to()
            ),
        },
        Ending::Refuted { counterexample, recheck, .. } => Statement {
            kind: StatementKind::Refuted,
            lead: format!("Not so, though it agrees with every table that was made: {}", iff("")),
            forms: forms(true),
            proof: format!("Counterexample: {counterexample}. {}.", recheck),
        },
        Ending::NoForm => Statement {
            kind: StatementKind::Observation,
            lead:
                "No form of the P-positions was found. The best partial description that names no N-position:"
                    .into(),
            forms: forms(false),
            proof: String::new(),
        },
    }
}

/// Explains the irrational multiples in the form of the whole board.
fn explained(line: &Line) -> Option<(String, PaperForm)> {
    let lines = crate::words::explained(crate::text::remaining_formula(line.boards.last()?)?);
    (!lines.is_empty()).then(|| (String::new(), PaperForm::Words(format!("Here {}.", lines.join("; ")))))
}

/// Returns a form, as formulas if it has some.
fn form(board: &Board, round: &bouton_study::Round) -> PaperForm {
    if round.automaton.is_some() {
        return match figure::automaton(board) {
            Some(_) => PaperForm::Words("the automaton drawn below accepts its heaps.".into()),
            None => PaperForm::Words("an automaton, too large to be drawn, accepts its heaps.".into()),
        };
    }
    match round.formula() {
        Some(claim) if claim.formula().root == Node::Constant(false) => PaperForm::Words("never.".into()),
        Some(claim) => PaperForm::Cases(cases(claim.formula())),
        None => PaperForm::Words(round.form.clone()),
    }
}

/// Returns the alternatives of a formula, each as a list of conjuncts.
fn cases(formula: &Formula) -> Vec<Vec<Formula>> {
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

fn sequence(blocks: &mut Vec<Block>, study: &Study, found: &Sequences) {
    let game = &study.game;
    let statement = match &found.period {
        Some(period) => {
            let saltus = if period.saltus > 0 { format!(" + {}", period.saltus) } else { String::new() };
            let proved = found.verdict == VerdictKind::Proved;
            Statement {
                kind: if proved { StatementKind::Theorem } else { StatementKind::Conjecture },
                lead: format!(
                    "The nim-values G(n) of single heaps of n in {game} satisfy G(n + {}) = G(n){saltus} for all n >= {}. {}",
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
                proof: match (proved, period.proof) {
                    (true, "octal period theorem") => format!(
                        "By the theorem of Guy and Smith: values that repeat for long enough repeat for ever. The values of the heaps 0 to {} were compared.",
                        found.heaps
                    ),
                    (true, proof) => {
                        format!("The values of the heaps 0 to {} were compared ({proof}).", found.heaps)
                    }
                    _ => format!(
                        "This agrees with the values of all heaps up to {}. It is not proved.",
                        found.heaps
                    ),
                },
            }
        }
        None => Statement {
            kind: StatementKind::Observation,
            lead: format!(
                "No period is supported by the {} nim-values of the heaps 0 to {} of {game}.",
                found.heaps + 1,
                found.heaps
            ),
            forms: Vec::new(),
            proof: found.reason.as_ref().map_or(String::new(), |why| format!("The search ended: {why}.")),
        },
    };
    blocks.push(Block::Statement(statement));
    blocks.push(Block::Text(
        "A position of several heaps is P exactly if the nim-sum (the digits added without carry) of their values is 0."
            .into(),
    ));
    blocks.push(Block::Figure(figure::period_table(game, found)));
    if let Some(period) = &found.period {
        if let Some(cycle) = &period.cycle {
            blocks.push(Block::Heading("The period".into()));
            values(blocks, "n", "G(n)", (period.cycle_from()..).zip(cycle.iter().copied()).collect());
        }
        if (1..=MAX_EXCEPTIONS).contains(&period.exceptions.len()) {
            blocks.push(Block::Heading("Exceptions".into()));
            values(blocks, "n", "G(n)", period.exceptions.clone());
        }
    }
}

/// Adds a table of sizes and values.
fn values(blocks: &mut Vec<Block>, size: &str, value: &str, entries: Vec<(usize, u32)>) {
    for line in entries.chunks(COLUMNS) {
        let head = std::iter::once(size.to_owned()).chain(line.iter().map(|(n, _)| n.to_string()));
        let row = std::iter::once(value.to_owned()).chain(line.iter().map(|(_, value)| value.to_string()));
        blocks.push(Block::Table(head.collect(), vec![row.collect()]));
    }
}

fn family(blocks: &mut Vec<Block>, study: &Study, found: &FamilyStudy) {
    let name = &found.parameter;
    for (play, found) in [("normal", &found.normal), ("misère", &found.misere)] {
        blocks.push(Block::Heading(format!("Outcomes in {play} play")));
        if let Some(theorem) = &found.theorem {
            circles(blocks, study, play, theorem);
            blocks.push(Block::Figure(figure::outcomes(&study.game, play, found)));
            continue;
        }
        blocks.push(match (&found.p_positions, found.fitted_to) {
            (Some(fit), Some(to)) => Block::Statement(Statement {
                kind: StatementKind::Conjecture,
                lead: format!("In {play} play the second player wins {} if and only if {fit}.", study.game),
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
            blocks.push(Block::Text(format!("Unknown ({reason}): {name} = {}.", listed(&found.unknown))));
        }
        blocks.push(Block::Figure(figure::outcomes(&study.game, play, found)));
    }
    if !found.nim_values.is_empty() {
        blocks.push(Block::Heading("Nim-values".into()));
        let entries = found.nim_values.iter().map(|(n, value)| (n.unsigned_abs() as usize, *value));
        values(blocks, name, "nim-value", entries.collect());
    }
    if !found.published.is_empty() {
        blocks.push(Block::Heading("Published".into()));
        let item = |c: &bouton_study::Settled| {
            format!("{} ({}). {} Found: {}: {}.", c.id, c.source, c.statement, c.word, c.found)
        };
        blocks.push(Block::List(found.published.iter().map(item).collect()));
    }
}

/// Describes the proof by an automaton for each class of n.
fn classes_proof(theorem: &FamilyTheorem) -> String {
    let states: usize = theorem.classes.iter().map(|class| class.states).sum();
    format!(
        "A position is the word of its cells clockwise from the one after the token. An automaton for each of the {} classes of n modulo {0}, of {states} states together, labels words: the player to move loses, or wins, or nothing is said. Of words of every length, every option of one labelled as lost is labelled as won, and one labelled as won has an option labelled as lost; so the labels are right, by induction on the free cells, and the start of the circle has the label that is claimed. The circles below the range of the automata were searched one by one.",
        theorem.classes.len()
    )
}

/// Describes the proof by revolutions.
fn laps_proof(theorem: &FamilyTheorem) -> String {
    format!(
        "A game is a number of laps round the circle. For each of {} laps an automaton reads the cells behind the token and another, which begins where that one came to, those ahead of it; together they say whether the player to move loses, or wins, or nothing. Of all positions that can come up in a lap, on circles of every size, every option of one that is said to be lost is said to be won, and one that is said to be won has an option that is said to be lost, be it in the same lap or in the next; so what is said is right, by induction on the free cells, and of the start it is what is claimed. The smallest circles were searched one by one.",
        theorem.laps.len()
    )
}

/// Adds a theorem on circles of every size, its proof, and a game that shows it.
fn circles(blocks: &mut Vec<Block>, study: &Study, play: &str, theorem: &FamilyTheorem) {
    let form = match &theorem.formula {
        never if never.root == Node::Constant(false) => PaperForm::Words("for no n.".into()),
        formula => PaperForm::Cases(cases(formula)),
    };
    let by_laps = !theorem.laps.is_empty();
    let proof = if by_laps { laps_proof(theorem) } else { classes_proof(theorem) };
    blocks.push(Block::Statement(Statement {
        kind: StatementKind::Theorem,
        lead: format!("In {play} play the second player wins {}, for n >= 1, if and only if", study.game),
        forms: vec![(String::new(), form)],
        proof: format!(
            "{proof} An independent program has checked all of it ({}). The certificate has the hash {}.",
            theorem.work, theorem.hash
        ),
    }));
    blocks.push(if by_laps {
        let rows = (1..).zip(&theorem.laps).map(|(number, lap): (usize, _)| {
            [number, lap.tapes, lap.classes, lap.words].map(|count| count.to_string()).to_vec()
        });
        let head = ["lap", "states: tapes before", "classes behind the token", "words ahead of it"];
        Block::Table(head.map(str::to_owned).into(), rows.collect())
    } else {
        let rows = theorem.classes.iter().map(|class| {
            let outcome = if class.in_p { "P" } else { "N" };
            vec![
                class.residue.to_string(),
                outcome.to_owned(),
                class.from.to_string(),
                class.states.to_string(),
            ]
        });
        let head = [
            format!("n mod {}", theorem.classes.len()),
            "outcome".into(),
            "from n =".into(),
            "states".into(),
        ];
        Block::Table(head.into(), rows.collect())
    });
    blocks.extend(theorem.walk.as_ref().map(|walk| Block::Figure(figure::walk(walk))));
}

/// Converts a block of a theory.
fn block(game: &str, part: bouton_theory::Block) -> Block {
    match part {
        bouton_theory::Block::Text(text) => Block::Text(text),
        bouton_theory::Block::Theorem { lead, lines, proof } => Block::Statement(Statement {
            kind: StatementKind::Theorem,
            lead,
            forms: lines.into_iter().map(|line| (line, PaperForm::None)).collect(),
            proof,
        }),
        bouton_theory::Block::Grid(grid) => Block::Figure(figure::grid(game, grid)),
    }
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
