//! The API's description.

use serde_json::{Value, json};

/// Name, what it is, whether it must be given.
type Parameter = (&'static str, &'static str, bool);
/// Path, what it answers, the command that answers the same, parameters.
type Path = (&'static str, &'static str, &'static str, Vec<Parameter>);

/// Returns the paths of the API, all but that of its description.
fn paths() -> Vec<Path> {
    let game = ("game", "The game, as `bouton games` lists them; sums with +", true);
    let position = ("position", "The position; by default the game's own start", false);
    let misere = ("misere", "1: whoever cannot move wins", false);
    let remoteness = ("remoteness", "1: also how many moves play lasts under best play", false);
    vec![
        ("/games", "The families of games", "games --json", vec![]),
        (
            "/solve",
            "Outcome, nim-value and every move of a position",
            "solve --json",
            vec![game, position, misere, remoteness],
        ),
        (
            "/solve/stream",
            "The same with more time, as server-sent events: progress, then answer or refusal",
            "solve --json",
            vec![game, position, misere, remoteness],
        ),
        (
            "/positions",
            "P-positions of a box",
            "positions --json",
            vec![
                game,
                ("max", "The largest heap", true),
                ("heaps", "How many heaps, of a game on single heaps", false),
                ("slice", "Only these: an expression for each heap, as x,2*x+1", false),
                misere,
            ],
        ),
        (
            "/values",
            "The nim-sequence of single heaps",
            "values --json",
            vec![game, ("to", "The largest heap", true)],
        ),
        (
            "/strategy",
            "A winning strategy as a tree",
            "strategy --json",
            vec![
                game,
                position,
                misere,
                ("depth", "Moves from the root", false),
                ("size", "Positions drawn", false),
            ],
        ),
        (
            "/heatmap",
            "A table over two numbers x and y",
            "heatmap --json",
            vec![
                game,
                ("at", "The position; x and y stand for numbers", false),
                ("to", "The largest x and y", false),
                ("x", "The columns, as 1..72", false),
                ("y", "The rows, as 1..72", false),
                ("of", "outcome, nim-value, margin or threshold", false),
                ("repeats", "1: what repeats is marked", false),
                misere,
            ],
        ),
        (
            "/period",
            "The period of the nim-values of single heaps, proved",
            "period --json",
            vec![game, ("to", "The largest heap", false)],
        ),
        ("/genus", "Misère play: the genus of a position", "genus --json", vec![game, position]),
        (
            "/quotient",
            "The misère quotient of a taking-and-breaking game",
            "quotient --json",
            vec![game, ("to", "The largest heap", false)],
        ),
        (
            "/cash",
            "NIM with Cash: a win condition for all n, d, e, proved",
            "cash --json",
            vec![game],
        ),
        (
            "/logic",
            "A first-order formula over the natural numbers, decided",
            "logic --json",
            vec![
                ("formula", "The formula", true),
                ("zeckendorf", "1: numbers by Zeckendorf digits", false),
                ("count", "Count the tuples of the free variables up to this number", false),
            ],
        ),
        (
            "/conjecture",
            "A closed form for a table",
            "conjecture --json",
            vec![
                ("table", "Comma-separated rows: heaps and an outcome, or n and a value", true),
                ("symmetry", "none, ring or full; by default as much as the outcomes allow", false),
            ],
        ),
        (
            "/study/stream",
            "From rules to a theorem, as server-sent events: progress, then answer or refusal",
            "study --json",
            vec![game, ("max", "The largest heap of the tables", false), misere],
        ),
        (
            "/prove",
            "P-positions proved for all heap sizes, or the least counterexample",
            "prove --json",
            vec![
                game,
                ("claim", "A formula over the heaps a, b, c, …", true),
                (
                    "smaller",
                    "What holds of boards with fewer heaps, as `3: a=b=c`, several apart by `;`",
                    false,
                ),
                misere,
            ],
        ),
        ("/ledger", "Published claims, with the verdicts known so far", "claims --json", vec![]),
        (
            "/literature",
            "Published games, what is claimed of them, and the verdicts on record",
            "games --published --json",
            vec![],
        ),
    ]
}

/// The parameter of every path: custom rules.
const RULES: Parameter = ("rules", "A rule file or a program; `game` may then be its name", false);

/// Returns why a request of the API is not answered, if it brings a parameter that its path has
/// not: nothing that is asked is ignored.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn refused(
    request: &crate::request::Request,
) -> Option<crate::request_error::RequestError> {
    use crate::request_error::RequestError;
    let path = request.path().strip_prefix("/api")?;
    let (.., parameters) = paths().into_iter().find(|(known, ..)| *known == path)?;
    let accepted: Vec<&str> = parameters.iter().chain([&RULES]).map(|(name, ..)| *name).collect();
    let name = request.names().find(|name| !accepted.contains(name))?;
    let mut message = format!("`{name}` is no parameter of {}; accepted: ", request.path());
    message += &accepted.join(", ");
    Some(RequestError::bad(message))
}

/// Returns the API in the words of OpenAPI 3.1.
pub(crate) fn openapi() -> Value {
    let parameter = |(name, about, required): &Parameter| {
        json!({"name": name, "in": "query", "required": required, "description": about, "schema":
            {"type": "string"}})
    };
    let mut all = serde_json::Map::new();
    for (path, summary, command, mut parameters) in paths() {
        if parameters.iter().any(|(name, ..)| *name == "game") {
            parameters.push(RULES);
        }
        let parameters: Vec<Value> = parameters.iter().map(parameter).collect();
        let kind = if path.ends_with("stream") { "text/event-stream" } else { "application/json" };
        let typed = match kind {
            "application/json" => {
                json!({"schema": {"$ref": format!("{DEFINITIONS}{}", defined(command))}})
            }
            // Events, of which the last has the answer.
            _ => json!({}),
        };
        let mut responses = json!({
            "200": {"description": format!("As `bouton {command}`; a field `reason` tells why \
             something is unknown"), "content": {kind: typed}},
        });
        for (status, about) in [
            ("400", "Not understood"),
            ("414", "The address is too long"),
            ("422", "More than one request may cost"),
            ("429", "Too much work is waiting"),
        ] {
            responses[status] = json!({"description": about, "content":
                {"application/json": {"schema": {"$ref": format!("{DEFINITIONS}error")}}}});
        }
        all.insert(
            format!("/api{path}"),
            json!({"get": {"summary": summary, "parameters": parameters, "responses": responses}}),
        );
    }
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Bouton", "version": env!("CARGO_PKG_VERSION"), "description":
            "Take-away games: the answers of the command line's --json."},
        "paths": all,
        "components": {"schemas": schemas()},
    })
}

/// Returns the name of the definition that describes the answer of a command.
fn defined(command: &str) -> &str {
    if command.contains("--published") {
        return "literature";
    }
    command.split(' ').next().unwrap_or(command)
}

/// Where the definitions of answers are: in the description itself, or in a file of the static
/// site.
#[cfg(not(target_arch = "wasm32"))]
const DEFINITIONS: &str = "#/components/schemas/";
#[cfg(target_arch = "wasm32")]
const DEFINITIONS: &str = "../schema.json#/$defs/";

#[cfg(target_arch = "wasm32")]
fn schemas() -> Value {
    json!({})
}

/// Returns the definitions of the schema of all answers, with references as OpenAPI writes them.
#[cfg(not(target_arch = "wasm32"))]
fn schemas() -> Value {
    let text = bouton_report::SCHEMA.replace("#/$defs/", "#/components/schemas/");
    // The text is part of the program, and a test reads it.
    serde_json::from_str::<Value>(&text).map(|schema| schema["$defs"].clone()).unwrap_or_default()
}
