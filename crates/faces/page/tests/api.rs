//! Answers of the HTTP API: each fits the definition that the API's own description names for it.
#![allow(clippy::unwrap_used, reason = "a test")]

mod fits;

use bouton_core::{Budget, Deadline};
use bouton_page::{Request, Site};
use fits::Schema;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// Requests for each path of the description; those that end in an error among them.
const ASKED: [(&str, &str); 39] = [
    ("games", ""),
    ("solve", "game=kayles&position=7"),
    ("solve", "game=nim&position=1,2,3&misere=1"),
    ("solve", "game=kayles:7 %2B nim:4 %2B wythoff:3,5"),
    ("solve", "game=NIM(1,4%3Bn%3Bd,e)&position=7%3B3,2"),
    ("solve", "game=dots(2x2)"),
    ("solve", "game=nimm&position=1"),
    ("positions", "game=CN(4,2)&max=3"),
    ("positions", "game=nim(3)&max=3&misere=1"),
    ("positions", "game=nim(3)"),
    ("positions", "game=wythoff&max=12&slice=x,x%2B1"),
    ("positions", "game=kayles&max=12&slice=x,x,y"),
    ("positions", "game=nim&max=3&slice=x,x&misere=1"),
    ("positions", "game=mark&max=3&slice=x,x&misere=1"),
    ("solve", "game=nim(2)&position=2,2&remoteness=1"),
    ("solve", "game=dots(1x1)&remoteness=1"),
    ("values", "game=kayles&to=20"),
    ("values", "game=S(1,2,3)&to=x"),
    ("strategy", "game=dots(1x1)"),
    ("strategy", "game=nim&position=3,5"),
    ("heatmap", "game=wythoff&at=x,y&to=4"),
    ("heatmap", "game=NIM(1,2%3Bn%3Bd,e)&at=x,y&of=threshold&to=3"),
    ("period", "game=kayles&to=300"),
    ("period", "game=grundy&to=100"),
    ("genus", "game=nim&position=3"),
    ("quotient", "game=0.75"),
    ("cash", "game=NIM(1,4)"),
    ("logic", "formula=A x: E y: y = x %2B x"),
    ("logic", "formula=x = y %2B 1"),
    ("logic", "formula=x = y %2B 1&count=10"),
    ("logic", "formula=A x: x = x&count=10"),
    ("logic", "formula=shift(a) = b"),
    ("logic", "formula=x %2B"),
    ("conjecture", "table=0,0%0A1,1%0A2,2%0A3,0%0A4,1%0A5,2%0A6,0%0A7,1%0A8,2%0A9,0%0A10,1%0A11,2"),
    ("prove", "game=CN(4,2)&claim=a=c %26 b=d"),
    ("prove", "game=CN(4,2)&claim=a=b"),
    ("prove", "game=CN(4,2)&claim=a=("),
    ("ledger", ""),
    ("literature", ""),
];

fn asked(path: &str, query: &str) -> Value {
    let budget = Budget { bytes: Some(256 << 20), nodes: Some(300_000), ..Budget::default() };
    let query = query.replace(' ', "%20");
    let response = Site::default().answer(&Request::new(&format!("/api/{path}"), &query), &budget);
    let text = String::from_utf8(response.body).unwrap();
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{path}?{query}: {error}: {text:.200}"))
}

#[test]
fn answers_fit_the_schema() {
    let described = asked("openapi.json", "");
    let schema = Schema::read();
    let mut kinds: BTreeMap<String, String> = BTreeMap::new();
    for (path, operation) in described["paths"].as_object().unwrap() {
        let answer =
            &operation["get"]["responses"]["200"]["content"]["application/json"]["schema"]["$ref"];
        // Events are no single answer.
        if let Some(kind) = answer.as_str() {
            let kind = kind.rsplit('/').next().unwrap();
            kinds.insert(path.trim_start_matches("/api/").to_owned(), kind.to_owned());
        }
    }
    let (mut open, mut errors, mut wrong) = (kinds.clone(), Vec::new(), Vec::new());
    for (path, query) in ASKED {
        let value = asked(path, query);
        if value.get("error").is_some() {
            errors.push(format!("{path}?{query}"));
        }
        let kind = kinds.get(path).unwrap_or_else(|| panic!("{path} is not described"));
        if let Err(why) = schema.describes(kind, &value) {
            wrong.push(format!("{path}?{query}: {why}"));
        }
        open.remove(path);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(open.is_empty(), "not asked: {open:?}");
    let refused = [
        "solve?game=nimm&position=1",
        "positions?game=nim(3)",
        "solve?game=dots(1x1)&remoteness=1",
        "values?game=S(1,2,3)&to=x",
        "logic?formula=A x: x = x&count=10",
        "logic?formula=x %2B",
        "prove?game=CN(4,2)&claim=a=(",
    ];
    assert_eq!(errors, refused);
}

/// What an earlier request on the same thread left undone is nothing to the next one, and rules
/// that fail below a position give no genus. The one domino on two squares
/// is a heap of one, whose genus is 1^031 (Winning Ways, ch. 13).
#[test]
fn a_genus_is_that_of_the_rules() {
    let site = Site::default();
    let late = Budget { deadline: Some(Deadline::after(Duration::ZERO)), ..Budget::default() };
    let asked = |path: &str, query: &str, budget: &Budget| -> Value {
        let response = site.answer(&Request::new(path, &query.replace(' ', "%20")), budget);
        serde_json::from_slice(&response.body).unwrap()
    };
    let unknown = asked("/api/solve", "game=cram&position=9x9", &late);
    assert_eq!(unknown["outcome"], Value::Null);
    let genus = asked("/api/genus", "game=cram&position=1x2", &Budget::default());
    assert_eq!(genus["genus"], "1^031");
    let rules = "fn options(p) { if p == 1 { throw \"no\" } if p > 0 { [p - 1] } else { [] } }\n\
                 fn start() { 3 }";
    let rules: String = rules.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let failed = asked("/api/genus", &format!("game=rules&rules={rules}"), &Budget::default());
    assert_eq!(failed["genus"], Value::Null, "{failed}");
}

/// A parameter that a path has not is refused, and so is a switch that says neither yes nor no.
#[test]
fn what_is_asked_is_never_ignored() {
    for (path, query, said) in [
        (
            "solve",
            "game=nim&at=3,4,5",
            "`at` is no parameter of /api/solve; accepted: game, position, misere, remoteness, rules",
        ),
        ("solve/stream", "game=nim&at=3,4,5", "`at` is no parameter"),
        (
            "values",
            "game=kayles&max=20",
            "`max` is no parameter of /api/values; accepted: game, to",
        ),
        ("ledger", "id=C6", "`id` is no parameter"),
        ("solve", "game=nim&position=1,1&misere=no", "misere=no: 1 or 0"),
        ("logic", "formula=x=x&zeckendorf=yes", "zeckendorf=yes: 1 or 0"),
        ("prove", "game=CN(4,2)&claim=a=c&misere=misere", "misere=misere: 1 or 0"),
        ("values", "game=mark 3&to=6", "this names the position 3 of mark"),
        ("period", "game=kayles 5", "this names the position 5 of kayles"),
        ("quotient", "game=kayles 5&to=9", "this names the position 5 of kayles"),
        ("positions", "game=wythoff 3,4&max=3", "this names the position 3,4"),
        ("prove", "game=wythoff 3,4&claim=a = b", "this names the position 3,4"),
        ("heatmap", "game=wythoff 3,4&at=x,y&to=3", "this names the position 3,4"),
        ("solve", "game=wythoff 3,4&position=5,6", "this names the position 3,4"),
        ("solve", "game=nim, last wins&position=1,1&misere=1", "normal play"),
        ("solve", "game=wythoff-misere 1,2, last wins", "both normal and misère play"),
        ("solve", "game=chomp 3x4, last loses", "in chomp the last one is never taken"),
        ("solve", "game=dots(1x1)&misere=1", "won on points has no misère play"),
        ("values", "game=misere kayles&to=5", "nim-values are of normal play"),
        ("solve", "game=candy piles[4,3,1], last loses", "the last one is never taken"),
        ("quotient", "game=kayles, last wins&to=9", "the words say normal play"),
        ("cash", "game=NIM(1,4), last loses", "the end was expected here, not `,`"),
        // Who makes three in a row loses then: another game.
        ("genus", "game=treblecross&position=5", "misère play of treblecross"),
        ("genus", "game=treblecross %2B nim&position=5 %2B 1", "misère play of treblecross"),
        ("quotient", "game=treblecross&to=9", "misère play of treblecross"),
        ("solve", "game=kayles 3 4 and 5", "may be three heaps or two"),
    ] {
        let value = asked(path, query);
        let message =
            value["error"]["message"].as_str().unwrap_or_else(|| panic!("{path}: {value}"));
        assert!(message.contains(said), "{path}?{query}: {message}");
    }
    // What words say of the play is heard: C. L. Bouton (1902), W. A. Wythoff (1907).
    for (game, position, outcome) in [
        ("misere nim", "1,1,1", "P"),
        ("nim, last loses", "1,1", "N"),
        ("nim, last wins", "1,1", "P"),
        ("misere wythoff 2,2", "", "P"),
        ("wythoff-misere[2,2]", "", "P"),
        ("nim-3-misere(1,1,1)", "", "P"),
        ("nim 1,1, whoever cannot move wins", "", "N"),
    ] {
        let query = format!("game={game}&position={position}");
        assert_eq!(asked("solve", &query)["outcome"], outcome, "{query}");
    }
    let misere = asked("positions", "game=misere wythoff&max=3");
    assert_eq!(misere["positions"], serde_json::json!([[0, 1], [2, 2]]));
    let misere = asked("heatmap", "game=wythoff&at=x,y, last loses&to=1");
    assert_eq!(misere["rows"], serde_json::json!([["N", "P"], ["P", "N"]]));
    assert_eq!(asked("solve", "game=kayles 3&position=5")["game"], "kayles(3)");
    assert_eq!(asked("solve", "game=end nim 3 4;5;6")["position"], "4,5,6");
    let lost = asked("solve", "game=nim&position=1,1&misere=0");
    let won = asked("solve", "game=nim&position=1,1&misere=1");
    assert_eq!((&lost["outcome"], &won["outcome"]), (&"P".into(), &"N".into()));
    // Two heaps of a game on one heap, from each of which one is taken, or half is left: by
    // recursion over these moves, where whoever cannot move wins.
    let misere = asked("positions", "game=mark&max=5&heaps=2&misere=1");
    let lost = serde_json::json!([[0, 1], [0, 4], [1, 2], [2, 4], [3, 3], [3, 5], [5, 5]]);
    assert_eq!(misere["positions"], lost, "{misere}");
    // A no that the game contradicts is not dropped.
    for game in ["nim, last loses", "misere nim", "nim-3-misere", "nim 1,1 (misère)"] {
        let refused = asked("solve", &format!("game={game}&position=1,1,1&misere=false"));
        assert!(refused.to_string().contains("misere=0 is normal play"), "{game}: {refused}");
    }
}
