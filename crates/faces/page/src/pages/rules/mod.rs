//! Rules of a reader: a form for them, and beside it the game that they make, while they are typed.

mod builder;

use super::{Page, home};
use crate::api::theory::symmetry;
use crate::frame::error_message;
use crate::own_rules::{PARAMETER, read};
use crate::request::{Request, encoded};
use crate::request_error::RequestError;
use crate::response::Response;
use crate::site::Site;
use bouton_core::{Budget, Digits, Outcome, Play, Symmetry, WrittenNumber};
use bouton_draw::heatmap::{CellKind, Heatmap, HeatmapRequest};
use bouton_draw::svg;
use bouton_engine::Settings;
use bouton_games::{HeapCount, MAX_NUMBERS, RuleFile, RuleText, SplitText};
use maud::{Markup, PreEscaped, html};

/// Heaps of the picture, with one number and with two.
const LINE: u64 = 60;
const SQUARE: u64 = 24;

/// Rules to begin with: a title, and a file.
const EXAMPLES: [(&str, &str, usize, Symmetry, Digits, &str); 6] = [
    ("Take at most half", "halves", 1, Symmetry::None, Digits::Binary, "p0 <= 2*q0"),
    (
        "A queen that is also a knight",
        "queen-knight",
        2,
        Symmetry::Full,
        Digits::Binary,
        "q0 = p0 | q1 = p1 | p0+q1 = p1+q0 | (p0 = q0+1 & p1 = q1+2) | (p0 = q0+2 & p1 = q1+1)",
    ),
    (
        "From one heap, or the same from both",
        "corner",
        2,
        Symmetry::Full,
        Digits::Zeckendorf,
        "q0 = p0 | q1 = p1 | p0+q1 = p1+q0",
    ),
    (
        "One heap, or one token from each of three",
        "lasker-three",
        3,
        Symmetry::Full,
        Digits::Binary,
        "q0=p0 & q1=p1 | q0=p0 & q2=p2 | q1=p1 & q2=p2 | p0=q0+1 & p1=q1+1 & p2=q2+1",
    ),
    (
        "The largest heap only",
        "largest",
        3,
        Symmetry::Full,
        Digits::Binary,
        "q1=p1 & q2=p2 & p0 >= p1 & p0 >= p2 | q0=p0 & q2=p2 & p1 >= p0 & p1 >= p2 | q0=p0 & \
         q1=p1 & p2 >= p0 & p2 >= p1",
    ),
    (
        "Neighbours in a row of four",
        "row-of-four",
        4,
        Symmetry::None,
        Digits::Binary,
        "q2=p2 & q3=p3 | q0=p0 & q3=p3 | q0=p0 & q1=p1",
    ),
];

/// A program to begin with.
const PROGRAM: &str = r#"const NAME = "divide";
const RULES = "Take a number that divides the heap, but not the whole heap.";

fn start() { 12 }
fn start(n) { n }

// The positions that a move leads to.
fn options(n) {
    let all = [];
    for d in 1..n / 2 + 1 {
        if n % d == 0 { all.push(n - d); }
    }
    all
}
"#;

/// A graph to begin with: with a cycle, so that some nodes are drawn.
const GRAPH: &str = "a: b c\nb: d\nc: d e\nd: f\ne: c\nf:\n";

/// Nodes of a graph of which the page says who wins, at most.
const MAX_NODES: usize = 60;

/// What stands between a rule by which a heap becomes others and these, in a line of the form.
const INTO: &str = ", into ";

/// Returns what is in the form: what was put together, the fields, or those of the rules that
/// come with the request.
fn asked(request: &Request) -> Result<Option<RuleText>, RequestError> {
    if let Some(built) = builder::built(request)? {
        return Ok(Some(built));
    }
    if request.get("move").is_empty() && request.get("splits").is_empty() {
        let brought = request.get(PARAMETER);
        if bouton_program::is_program(brought) || bouton_program::is_graph(brought) {
            return Ok(None);
        }
        return (!brought.is_empty()).then(|| Ok(RuleText::read(brought)?)).transpose();
    }
    let heaps = match request.get("heaps").trim() {
        "" | "any" => HeapCount::ANY,
        text => HeapCount::Fixed(WrittenNumber::read(text).ok_or_else(|| {
            RequestError::bad(format!("heaps: a number from 1 to {MAX_NUMBERS}, or any"))
        })?),
    };
    let symmetry = symmetry(request)?.unwrap_or(Symmetry::None);
    let digits = match request.get("digits") {
        "" | "binary" => Digits::Binary,
        "zeckendorf" => Digits::Zeckendorf,
        _ => return Err(RequestError::bad("digits: binary or zeckendorf")),
    };
    let number = |name: &str| match request.get(name).trim() {
        "" => Ok(0),
        text => WrittenNumber::read(text)
            .ok_or_else(|| RequestError::bad(format!("{name}: a number from 0 on"))),
    };
    let lines = |name: &str| {
        let lines = request.get(name).lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect::<Vec<String>>()
    };
    let split = |line: String| match line.split_once(INTO) {
        Some((when, into)) => {
            SplitText::Into { when: when.to_owned(), into: into.trim().to_owned() }
        }
        None => SplitText::Plain(line),
    };
    Ok(Some(RuleText {
        memory: number("memory")?,
        sets: number("sets")?,
        splits: lines("splits").into_iter().map(split).collect(),
        falls: lines("falls"),
        parameters: Default::default(),
        name: request.get("name").trim().to_owned(),
        heaps,
        moves: request.get("move").trim().to_owned(),
        positions: request.get("positions").trim().to_owned(),
        start: request.get("start").trim().to_owned(),
        rules: String::new(),
        symmetry,
        digits,
        published: Default::default(),
    }))
}

pub(crate) fn page(site: &Site, request: &Request, budget: &Budget) -> Page {
    // There is always something to look at.
    if request.is_bare() {
        return Ok(Response::redirect(format!("/rules?{}", builder::FIRST)));
    }
    let brought = request.get(PARAMETER);
    let program = Some(brought).filter(|text| bouton_program::is_program(text));
    let graph = Some(brought).filter(|_| program.is_none()).filter(|s| bouton_program::is_graph(s));
    let asked = asked(request);
    let shown = asked.as_ref().ok().cloned().flatten().unwrap_or_else(|| example(&EXAMPLES[1]));
    let made = match asked {
        Ok(asked) => asked.map(|asked| made(site, &asked.to_text(), budget, !brought.is_empty())),
        // Choices that make no rules are refused beside the form, other fields as a page.
        Err(refusal) if !request.get("where").is_empty() => Some(Err(refusal)),
        Err(refusal) => return Err(refusal),
    };
    let made = match (program, graph) {
        (Some(text), _) if cfg!(feature = "programs") => Some(made_by_program(site, text, budget)),
        (_, Some(text)) => Some(made_by_graph(site, text, budget)),
        _ => made,
    };
    let body = html! {
        h1 { "A game of your own" }
        div.editor {
            (builder::form(request))
            section #made aria-label="What the rules make" aria-live="polite" {
                @match &made {
                    None => p.not-yet { "Choose, or press Show: P-positions appear here." },
                    Some(Ok(made)) => (made),
                    Some(Err(refusal)) => (error_message(refusal)),
                }
            }
        }
        details #formula open[!request.get("move").is_empty() ||
            !request.get("splits").is_empty() ||
                program.is_none() && graph.is_none() && !brought.is_empty()] {
            (formula_form(&shown))
        }
        details #program open[program.is_some()] {
            (program_form(program.unwrap_or(PROGRAM)))
        }
        details #graph open[graph.is_some()] {
            (graph_form(graph.unwrap_or(GRAPH)))
        }
        h2 { "Rules to begin with" }
        ul { @for example in &EXAMPLES { li { a href={ "/rules?" (fields(&self::example(example))) }
            { (example.0) } } } }
    };
    Ok(Response::page("A game of your own", body))
}

/// The form of rules as a formula.
fn formula_form(shown: &RuleText) -> Markup {
    let option = |value: &str, title: &str, chosen: bool| {
        html! { option value=(value) selected[chosen] { (title) } }
    };
    html! {
        summary { "As a formula" }
        p { "Some heaps, and one formula that says what a move is: p0, p1, … are the heaps before \
            it, q0, q1, … those after it. Besides, no heap grows, and at least one token is \
            taken; or say what falls instead. Or leave the move empty and say, a rule a line, \
            what a heap p0 becomes: heaps q0, q1, …." }
        form.editing action="/rules" method="get" data-live="made" {
            label { "Name " input name="name" value=(shown.name) required maxlength="40"
                autocomplete="off" spellcheck="false"; }
            label { "Heaps " input name="heaps" value=(heaps_text(shown.heaps)) size="4"
                autocomplete="off"; }
            label { "Numbers remembered behind them, which may grow " input name="memory"
                type="number" min="0" max=(MAX_NUMBERS - 1) value=(shown.memory); }
            @if shown.sets > 0 { input type="hidden" name="sets" value=(shown.sets); }
            label.move { "A move " textarea name="move" rows="6" maxlength="1500"
                spellcheck="false" autocapitalize="off" { (shown.moves) } }
            p.source { code { "+ − 3*x" } ", " code { "= != < <= > >=" }
                ", " code { "& | ~ => <=>" } ", " code { "xor mod div min max" }
                    ", " code { "E x: …" } ", " code { "A x: …" } }
            label.move { "Or: what a heap becomes " textarea name="splits" rows="3"
                maxlength="1500" spellcheck="false" autocapitalize="off"
                    placeholder="q0+q1 = p0 & q0 >= 1 & q1 >= 1" {
                        (shown.splits.iter().map(split_text).collect::<Vec<_>>().join("\n")) } }
            label.move { "What falls with every move, where heaps may grow "
                textarea name="falls" rows="1" maxlength="300" spellcheck="false"
                    autocapitalize="off" placeholder="p0+p1" { (shown.falls.join("\n")) } }
            label { "Positions that occur, if not all " input name="positions"
                value=(shown.positions) maxlength="500" autocomplete="off" spellcheck="false"; }
            label { "or those in which games begin " input name="start" value=(shown.start)
                maxlength="500" autocomplete="off" spellcheck="false"; }
            label { "Heaps that may change places " select name="symmetry" {
                (option("none", "none", shown.symmetry == Symmetry::None))
                (option("ring", "turn the circle", shown.symmetry == Symmetry::Ring))
                (option("full", "all", shown.symmetry == Symmetry::Full))
            } }
            label { "Numbers are read in " select name="digits" {
                (option("binary", "binary digits", shown.digits == Digits::Binary))
                (option("zeckendorf", "Fibonacci digits", shown.digits == Digits::Zeckendorf))
            } }
            p.acts { button.main { "Show" } }
        }
    }
}

/// The form of rules as a program.
fn program_form(text: &str) -> Markup {
    html! {
        summary { "As a program" }
        @if cfg!(feature = "programs") {
            p { "For rules that are no formula, a script in the language Rhai: " code {
                "options(position)" } " lists the positions that a move leads to, " code {
                    "start()" } " is where play begins. Positions are numbers, lists or \
                     texts. A program is played and makes tables; it proves nothing." }
            form.editing action="/rules" method="get" data-live="made" {
                label.move { "Program " textarea name=(PARAMETER) rows="16" maxlength="6000"
                    spellcheck="false" autocapitalize="off" { (text) } }
                p.acts { button.main { "Show" } }
            }
        } @else {
            p { "Rules as a program are read by " code { "bouton serve" }
                " and the command line: " code { "bouton --rules my-game.rhai solve my-game 12"
                    } "." }
        }
    }
}

/// The form of a graph on which a token moves.
fn graph_form(text: &str) -> Markup {
    html! {
        summary { "As a graph" }
        p { "A token stands on a node, and a move takes it along an edge; who cannot move loses. \
            A line says a node and, behind a colon, where its moves lead; or a move a line, as "
            code { "a b" } "; JSON and DOT are read, too. With a cycle play need not end, and \
            nodes may be drawn." }
        form.editing action="/rules" method="get" data-live="made" {
            label.move { "Graph " textarea name=(PARAMETER) rows="8" maxlength="6000"
                spellcheck="false" autocapitalize="off" { (text) } }
            p.acts { button.main { "Show" } }
        }
    }
}

fn example(
    (_, name, heaps, symmetry, digits, moves): &(&str, &str, usize, Symmetry, Digits, &str),
) -> RuleText {
    RuleText {
        name: (*name).to_owned(),
        heaps: HeapCount::Fixed(*heaps),
        memory: 0,
        sets: 0,
        splits: Vec::new(),
        falls: Vec::new(),
        parameters: Default::default(),
        moves: (*moves).to_owned(),
        positions: String::new(),
        start: String::new(),
        rules: String::new(),
        symmetry: *symmetry,
        digits: *digits,
        published: Default::default(),
    }
}

fn heaps_text(heaps: HeapCount) -> String {
    heaps.fixed().filter(|heaps| *heaps > 0).map_or_else(|| "any".into(), |heaps| heaps.to_string())
}

/// Returns a rule in a line of the form.
fn split_text(split: &SplitText) -> String {
    match split {
        SplitText::Plain(when) => when.clone(),
        SplitText::Into { when, into } => format!("{when}{INTO}{into}"),
    }
}

/// Returns the form's fields as a query.
fn fields(text: &RuleText) -> String {
    let symmetry = match text.symmetry {
        Symmetry::None => "none",
        Symmetry::Ring => "ring",
        Symmetry::Full => "full",
    };
    let digits = match text.digits {
        Digits::Binary => "binary",
        Digits::Zeckendorf => "zeckendorf",
    };
    let RuleText { name, heaps, moves, .. } = text;
    let heaps = heaps_text(*heaps);
    let memory = if text.memory > 0 { format!("&memory={}", text.memory) } else { String::new() };
    let sets = if text.sets > 0 { format!("&sets={}", text.sets) } else { String::new() };
    let more = |name: &str, lines: Vec<String>| match lines.is_empty() {
        true => String::new(),
        false => format!("&{name}={}", encoded(&lines.join("\n"))),
    };
    let splits = more("splits", text.splits.iter().map(split_text).collect());
    let falls = more("falls", text.falls.clone());
    let said = |name: &str, text: &str| match text {
        "" => String::new(),
        text => format!("&{name}={}", encoded(text)),
    };
    let [positions, start] = [said("positions", &text.positions), said("start", &text.start)];
    format!(
        "name={}&heaps={heaps}{memory}{sets}{splits}{falls}&move={}{positions}{start}\
         &symmetry={symmetry}&digits={digits}",
        encoded(name),
        encoded(moves)
    )
}

/// Shows what the rules make: a picture of the P-positions with small heaps, and where to go on.
/// `known`: the site knows them.
fn made(site: &Site, text: &str, budget: &Budget, known: bool) -> Result<Markup, RequestError> {
    let rules: RuleFile = read(text, budget)?;
    let game = rules.game();
    let heaps = game.table_shape().map_or(1, |shape| shape.numbers);
    let name = game.name();
    let catalogue = if known { site.catalogue.clone() } else { site.with_rules(rules)?.catalogue };
    let mut letters =
        ["x", "y"].into_iter().take(heaps).chain(std::iter::repeat_n("0", heaps.saturating_sub(2)));
    let slice = letters.by_ref().collect::<Vec<_>>().join(",");
    let question = HeatmapRequest {
        catalogue,
        game: name.clone(),
        position: Some(slice.clone()),
        x: 0..=if heaps == 1 { LINE } else { SQUARE },
        y: 0..=if heaps == 1 { 0 } else { SQUARE },
        what: if heaps == 1 { CellKind::NimValue } else { CellKind::Outcome },
        play: Play::Normal,
        budget: budget.clone(),
    };
    let scene = Heatmap::compute(question)?.picture().scene();
    let start = (0..heaps).map(|i| (2 * i + 3).to_string()).collect::<Vec<_>>().join(",");
    let about = format!("game={}&rules={}", encoded(&name), encoded(text));
    Ok(html! {
        h2 { (name) }
        p { (game.describe()) }
        @if let Some(why) = game.tables_only() { p.source { "Tables and play only: " (why) "." } }
        p.acts {
            @if game.tables_only().is_none() { a.button.main href={ "/study?" (about) }
                { "Study" } }
            a.button href={ "/play?" (about) "&at=" (start) "&mistakes=35" } { "Play" }
            @if let Ok(text) = RuleText::read(text) { a.button href={ "/rules?" (fields(&text)) }
                { "Change the formula" } }
            a.button href={ "/table?" (about) "&at=" (slice) "&to=" (SQUARE) } { "Table" }
        }
        figure { div.wide tabindex="0" role="region" aria-label="Table" {
            (PreEscaped(svg::inline(&scene, |_| None))) } figcaption { (scene.description) } }
        details {
            summary { "As a rule file" }
            pre { (text) }
            p { "Save it as " code { (name) ".toml" } ", then " code {
                "bouton --rules " (name) ".toml study " (name) } "." }
        }
    })
}

/// Shows what a program makes: a table over one number or two, where its positions are numbers, and
/// play. The site knows the game, as it came with the request.
fn made_by_program(site: &Site, text: &str, budget: &Budget) -> Result<Markup, RequestError> {
    let games = site.catalogue.own_games();
    let Some(game) = games.last() else {
        return Err(RequestError::bad("the program makes no game"));
    };
    let name = game.name();
    let table = |slice: &str, x: u64, y: u64, what| {
        let question = HeatmapRequest {
            catalogue: site.catalogue.clone(),
            game: name.clone(),
            position: Some(slice.to_owned()),
            x: 0..=x,
            y: 0..=y,
            what,
            play: Play::Normal,
            budget: budget.clone(),
        };
        let sheet = Heatmap::compute(question).ok()?;
        sheet.cells.iter().any(Option::is_some).then(|| (slice.to_owned(), sheet.picture().scene()))
    };
    let sheet = table("x", LINE, 0, CellKind::NimValue)
        .or_else(|| table("x,y", SQUARE, SQUARE, CellKind::Outcome));
    let about = format!("game={}&rules={}", encoded(&name), encoded(text));
    let start =
        game.start().map_or_else(|| format!("&at={}", home::start(&**game)), |_| String::new());
    Ok(html! {
        h2 { (name) }
        p { (game.describe()) }
        p.acts {
            a.button.main href={ "/play?" (about) (start) "&mistakes=35" } { "Play" }
            @if let Some((slice, _)) = &sheet { a.button href={
                "/table?" (about) "&at=" (slice) "&to=" (SQUARE) } { "Table" } }
        }
        @if let Some((_, scene)) = &sheet {
            figure { div.wide tabindex="0" role="region" aria-label="Table" {
                (PreEscaped(svg::inline(scene, |_| None))) } figcaption { (scene.description) } }
        } @else {
            p { "Positions of this game are no numbers, so there is no table of them." }
        }
        p { "Save the program as " code { (name) ".rhai" } ", then " code { "bouton \
            --rules " (name) ".rhai solve " (name) } "." }
    })
}

/// Shows what a graph makes: who wins from each node, and play. The site knows the game, as it came
/// with the request.
fn made_by_graph(site: &Site, text: &str, budget: &Budget) -> Result<Markup, RequestError> {
    let games = site.catalogue.own_games();
    let Some(game) = games.last() else {
        return Err(RequestError::bad("the graph makes no game"));
    };
    let name = game.name();
    let nodes = game.all().unwrap_or_default();
    let about = format!("game={}&rules={}", encoded(&name), encoded(text));
    let mut session = game.session(Settings { budget: budget.clone(), ..Settings::default() });
    let mut rows = Vec::new();
    for node in nodes.iter().take(MAX_NODES) {
        let found = session.evaluate(node)?.unwrap_or_default();
        let outcome = match found.outcome {
            Some(Outcome::N) => "the player to move wins",
            Some(Outcome::P) => "the player to move loses",
            None if found.is_draw => "a draw",
            None => "unknown",
        };
        rows.push((node, outcome, found.nim_value));
    }
    let has_values = rows.iter().any(|(.., value)| value.is_some());
    Ok(html! {
        h2 { (name) }
        p { (game.describe()) }
        p.acts { @if let Some(first) = nodes.first() {
            a.button.main href={ "/play?" (about) "&at=" (encoded(first)) "&mistakes=35" }
                { "Play from " (first) }
        } }
        div.wide tabindex="0" role="region" aria-label="Nodes" { table {
            thead { tr { th { "node" } th { "outcome" }
                @if has_values { th { "nim-value" } } } }
            tbody { @for (node, outcome, value) in &rows { tr {
                td { a href={ "/play?" (about) "&at=" (encoded(node)) "&mistakes=35" } { (node) } }
                td { (outcome) }
                @if has_values { td { (value.map(|v| v.to_string()).unwrap_or_default()) } }
            } } }
        } }
        @if nodes.len() > MAX_NODES { p { (nodes.len() - MAX_NODES) " more nodes." } }
        p { "Save the graph as " code { (name) ".edges" } ", then " code { "bouton \
            --rules " (name) ".edges solve " (name) @if let Some(first) = nodes.first() { " "
                (first) } } "." }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the markup of a page within its frame.
    fn main(page: Page) -> String {
        page.ok().and_then(|answer| answer.page).map(|page| page.main.0).unwrap_or_default()
    }

    /// Each example is a game, with the symmetry that it claims, and makes a picture.
    #[test]
    fn examples_are_games() {
        for known in &EXAMPLES {
            let page = page(
                &Site::default(),
                &Request::new("/rules", &fields(&example(known))),
                &Budget::default(),
            );
            let text = main(page);
            assert!(text.contains("<figure") && text.contains("/study?game="), "{}", known.1);
        }
    }

    /// The program to begin with: the nim-value is the exponent of 2 in the heap, as the tutorial
    /// says.
    #[cfg(feature = "programs")]
    #[test]
    fn a_program_makes_a_game() {
        let ask = |program: &str| {
            let request = Request::new("/rules", &format!("rules={}", encoded(program)));
            let answer = Site::default().answer(&request, &Budget::default());
            (answer.status.code(), String::from_utf8(answer.body).unwrap_or_default())
        };
        let (status, text) = ask(PROGRAM);
        assert!(
            status == 200 && text.contains("<figure") && text.contains("/play?game=divide"),
            "{text}"
        );
        let made = text.split("id=\"made\"").nth(1).unwrap_or_default();
        let link = made
            .split("href=\"")
            .nth(1)
            .and_then(|link| link.split('"').next())
            .unwrap_or_default();
        let (path, query) = link.split_once('?').unwrap_or_default();
        let request = Request::new(path, &query.replace("&amp;", "&"));
        assert_eq!(
            Site::default().answer(&request, &Budget::default()).status.code(),
            200,
            "{link}"
        );
        // An error has its place.
        let (status, text) = ask(&PROGRAM.replace("let all = [];", "let all = ;"));
        assert!(status == 400 && text.contains("class=\"error\""), "{text}");
    }

    /// The graph to begin with, by hand: f is lost, d won, b lost, a won by b; c and e lead to each
    /// other, and c besides to d, so both are drawn.
    #[test]
    fn a_graph_makes_a_game() {
        let request = Request::new("/rules", &format!("rules={}", encoded(GRAPH)));
        let answer = Site::default().answer(&request, &Budget::default());
        let text = String::from_utf8(answer.body).unwrap_or_default();
        let row = |node: &str| {
            let row = text.split(&format!(">{node}</a></td><td>")).nth(1).unwrap_or_default();
            row.split('<').next().unwrap_or_default().to_owned()
        };
        let (won, lost) = ("the player to move wins", "the player to move loses");
        assert_eq!(
            ["a", "b", "c", "d", "e", "f"].map(row),
            [won, lost, "a draw", won, "a draw", lost],
            "{text}"
        );
    }

    #[test]
    fn wrong_rules_leave_the_form_as_it_was_typed() {
        let request = Request::new("/rules", "name=h&heaps=1&move=p0+%3C%3D+2*");
        let page = page(&Site::default(), &request, &Budget::default());
        let text = main(page);
        assert!(
            text.contains("class=\"error\"") && text.contains("p0 &lt;= 2*</textarea>"),
            "{text}"
        );
    }
}
