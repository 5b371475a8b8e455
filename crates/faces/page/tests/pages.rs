//! Pages and answers: what is asked, what is shown.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Budget, Deadline};
use bouton_games::{Catalogue, FAMILIES};
use bouton_page::{Progress, Request, Response, Site};
use serde_json::Value;
use std::cell::RefCell;
use std::time::Duration;

/// A limit that no machine comes to.
const A_DAY: Duration = Duration::from_secs(86_400);

fn get(uri: &str) -> Response {
    let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
    // Positions, not seconds: the same on every machine.
    let budget = Budget { bytes: Some(256 << 20), nodes: Some(3_000_000), ..Budget::default() };
    Site::default().answer(&Request::new(path, query), &budget)
}

/// Returns a page of a study that ends by itself: within a limit that no machine comes to.
fn studied(uri: &str) -> String {
    let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
    let budget = Budget { deadline: Some(Deadline::after(A_DAY)), ..Budget::default() };
    text_of(Site::default().answer(&Request::new(path, query), &budget))
}

fn status(uri: &str) -> u16 {
    get(uri).status.code()
}

fn text_of(response: Response) -> String {
    String::from_utf8(response.body).unwrap()
}

fn location(uri: &str) -> String {
    let response = get(uri);
    assert_eq!(response.status.code(), 303, "{uri}");
    response.header("location").unwrap().to_owned()
}

fn page_bytes(uri: &str) -> Vec<u8> {
    let response = get(uri);
    assert_eq!(response.status.code(), 200, "{uri}");
    response.body
}

fn page(uri: &str) -> String {
    String::from_utf8(page_bytes(uri)).unwrap()
}

fn json(uri: &str) -> Value {
    serde_json::from_str(&page(uri)).unwrap()
}

fn encoded(text: &str) -> String {
    text.bytes().map(|b| format!("%{b:02X}")).collect()
}

#[test]
fn the_first_page_is_small_and_every_family_is_behind_its_door() {
    let games = page("/games");
    for family in FAMILIES {
        assert!(games.contains(&format!(">{}</a></h3>", family.title)), "{}", family.name);
    }
    // A picture for each, and the sign of the site.
    assert_eq!(games.matches("viewBox").count(), FAMILIES.len() + 1);
    let text = page("/");
    // Six games, and the puzzle.
    assert_eq!(text.matches("viewBox").count(), 6 + 2);
    for door in ["/games", "/learn", "/research"] {
        assert!(text.contains(&format!("href=\"{door}\"")), "{door}");
    }
    let assets = ["/assets/style.css", "/assets/bouton.js", "/assets/icon.svg"];
    let mut bytes = text.len();
    // The typefaces are 60 kB at most and read once in a while.
    for asset in assets {
        assert!(text.contains(asset));
        bytes += page(asset).len();
    }
    assert!(bytes <= 100_000, "{bytes} bytes");
}

/// The typefaces have every sign that pages print, but those of pictures. A page with formulas asks
/// for their face, and every page for that of its text.
#[test]
fn typefaces_have_every_sign_of_the_pages() {
    let style = page("/assets/style.css");
    let mut ranges = Vec::new();
    for list in style.split("unicode-range:").skip(1).filter_map(|rest| rest.split(';').next()) {
        for range in list.split(',') {
            let range = range.trim().trim_start_matches("U+");
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            ranges.push(
                u32::from_str_radix(first, 16).unwrap()..=u32::from_str_radix(last, 16).unwrap(),
            );
        }
    }
    let mut formulas = 0;
    for path in [
        "/",
        "/games",
        "/learn",
        "/learn?course=wythoff&step=2",
        "/learn?course=circular&step=3",
        "/research",
        "/puzzles",
        "/words",
        "/ledger",
        "/literature",
        "/literature/game?name=circular-4-2",
        "/play?game=wythoff&at=7,6&hints=on",
        "/play?game=NIM(1,3,4;14;9,9)",
        "/why?game=nim&at=3,4,5",
        "/why?game=nim&at=3,4,5&misere=1",
        "/why?game=wythoff&at=7,6",
        "/why?game=CN(6,3)&at=3,1,4,2,2,3",
        "/why?game=Gamma(1,4;13)",
        "/table?game=wythoff&at=x,y&to=9&repeats=on",
        "/prove?game=wythoff&claim=a%3Db",
        "/prove?game=CN(4,2)&claim=a%3Dc%26b%3Dd",
        "/study?game=CN(4,2)&now=1",
        "/worksheet?game=nim(3)&seed=1",
        "/check",
        "/rules",
        "/nowhere",
    ] {
        let text = text_of(get(path));
        // What is drawn in pictures has its own marks; scripts read what is in attributes.
        let shown: String =
            text.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect();
        let missing: Vec<char> = shown
            .chars()
            .filter(|sign| {
                !sign.is_control() && !ranges.iter().any(|range| range.contains(&(*sign as u32)))
            })
            .filter(|sign| *sign != '♛')
            .collect();
        assert!(missing.is_empty(), "{path}: {missing:?}");
        if text.contains("<!DOCTYPE") {
            assert!(text.contains("href=\"/assets/inter.woff2\" as=\"font\""), "{path}");
            let is_asked = text.contains("href=\"/assets/math.woff2\" as=\"font\"");
            assert_eq!(is_asked, text.contains("<math"), "{path}");
            formulas += usize::from(is_asked);
        }
    }
    assert!(formulas > 2);
}

/// Every name of the shelf is found, and so is a notation, a position and what was perhaps meant.
#[test]
fn one_search_finds_every_game() {
    for game in bouton_games::shelf().games() {
        let found = page(&format!("/games?q={}", encoded(&game.name)));
        let link = format!("href=\"/play?game={}", game.name);
        assert!(found.contains(&link) && found.contains("One game."), "{}", game.name);
    }
    for (text, link) in [
        ("21 flags", "/play?game=21-flags"),
        ("CN(6,3)", "/play?game=CN%286,3%29"),
        ("nim 3,4,5", "/play?game=nim&amp;at=3,4,5"),
        ("marienbadd", "/games?q=marienbad"),
    ] {
        assert!(page(&format!("/games?q={}", encoded(text))).contains(link), "{text}");
    }
    // The kin of a game whose name is typed.
    let nim = page("/games?q=nim");
    assert!(
        nim.contains("One game.")
            && nim.contains("Circular Nim")
            && !nim.contains("Dots and Boxes")
    );
    assert!(page("/games?q=no-such-word-at-all").contains("No game is called so."));
    let text = "<script>alert(1)</script>";
    assert!(!page(&format!("/games?q={}", encoded(text))).contains(text));
}

/// What cannot be read is named in a heading, and the page that was perhaps meant is a link.
#[test]
fn a_misspelt_game_leads_to_the_right_one() {
    let text = text_of(get("/study?game=kayless&misere=1"));
    assert!(text.contains("<h1>This cannot be read</h1>"), "{text}");
    assert!(text.contains("href=\"/study?game=kayles&amp;misere=1\""), "{text}");
    assert!(text_of(get("/nowhere")).contains("<h1>This page does not exist</h1>"));
    // A position that cannot be read is no misspelt game.
    assert!(!text_of(get("/play?game=kayles&at=x")).contains("Go on with"));
}

/// Boards on points have values and the long-chain rule beside them, sums a table.
#[test]
fn something_stands_beside_every_board() {
    let dots = page("/play?game=dots(3x3)&line=---/..../.../..../.../..../---");
    // D. Wilson, Dots-and-Boxes Analysis Results: the second player wins 3 × 3 by three boxes.
    assert!(dots.contains("aria-current=\"true\">−3</a>"), "{dots}");
    // 18 lines and 9 boxes are left: an odd difference, so an even number of long chains.
    assert!(
        dots.contains("L − B = 18 − 9") && dots.contains("an even number of long chains"),
        "{dots}"
    );
    let coins = page("/play?game=coins(1-2,1-3,1-4,2-3,2-4,3-4)&at=-x----");
    assert!(
        coins.contains("What two chains are worth") && coins.contains("L − B = 5 − 4"),
        "{coins}"
    );
    let over = page("/play?game=coins(1-2)&line=x");
    assert!(!over.contains("The long-chain rule"), "{over}");
    let sum = page("/play?game=kayles:7%2Bnim:4");
    assert!(
        sum.contains("here x = 7, y = 4") && sum.contains("name=\"at\" value=\"x + y\""),
        "{sum}"
    );
    // A click on a cell makes the move to it.
    let click =
        "/table/at?game=kayles+%2B+nim&at=x+%2B+y&to=16&line=7+%2B+4&column=7&row=1&you=both";
    let to = "/move?game=kayles%20%2B%20nim&line=7%20%2B%204&you=both&to=7%20%2B%201";
    assert_eq!(location(click), to);
    let three = page("/play?game=nim+%2B+nim+%2B+nim&at=3+%2B+4+%2B+5");
    assert!(three.contains("name=\"at\" value=\"x + y + 5\""), "{three}");
}

/// Games without heaps have positions to try, too; the answers are those of the API.
#[test]
fn there_is_something_to_try_in_every_kind_of_game() {
    for game in [
        "Gamma(1,4;13)",
        "dots(2x2)",
        "NIM(1,3,4;14;9,9)",
        "coins(1-2,1-3,1-4,2-3,2-4,3-4)",
        "kayles:7 + nim:4",
    ] {
        let why = page(&format!("/why?game={}", encoded(game)));
        let tried: Vec<&str> =
            why.split("class=\"trying\"").nth(1).unwrap().split("<details>").skip(1).collect();
        let mut answers = Vec::new();
        for trial in tried.iter().take(3) {
            let href = trial.split("href=\"/play?").nth(1).unwrap().split('"').next().unwrap();
            let query = href.replace("&amp;", "&").replace("line=", "position=");
            let found = json(&format!("/api/solve?{query}"));
            let is_better = match found["margin"].as_i64() {
                Some(margin) => margin > 0,
                None => found["outcome"] == "N",
            };
            assert_eq!(trial.contains("<p>Yes"), is_better, "{game}: {trial}");
            answers.push(is_better);
        }
        assert_eq!(answers.len(), 3, "{game}");
        assert!(answers.contains(&true) && answers.contains(&false), "{game}: {answers:?}");
    }
}

/// A number before a list of heaps belongs to a name, or is refused if it may be a heap.
#[test]
fn numbers_before_heaps_are_read_as_on_the_command_line() {
    assert_eq!(json("/api/solve?game=welter&position=3+1,4,8")["game"], "welter-3");
    for (uri, told) in [
        ("/api/solve?game=nim&position=2+5,6", "may be a heap, or "),
        ("/play?game=moore&at=2+1,2,3", "may be a heap, or "),
        ("/api/solve?game=nim&position=3+5,6", "may be several lists"),
    ] {
        let answer = text_of(get(uri));
        assert!(status(uri) == 400 && answer.contains(told), "{uri}: {answer}");
    }
}

/// Several heaps of a game on one heap are a sum, as on the command line.
#[test]
fn a_game_keeps_the_name_that_was_typed() {
    let northcott = page("/play?game=northcott");
    for part in [
        "<title>Northcott",
        "<h1>Northcott",
        "a white and a black counter",
        "/why?game=northcott&amp;",
    ] {
        assert!(northcott.contains(part), "{part}");
    }
    let next = location("/move?game=northcott&line=1,3,5&to=1,3,2&you=both");
    assert!(next.starts_with("/play?game=northcott&line="), "{next}");
    assert!(page("/why?game=northcott&line=1,3,5").contains("Why: Northcott"));
    assert!(page("/worksheet?game=northcott&line=1,3,5").contains("Northcott: who wins?"));
    assert!(page("/play?game=last+biscuit").contains("<h1>The last biscuit"));
    // A game by its own name has the title of its family.
    assert!(page("/play?game=nim").contains("<h1>Nim</h1>"));
}

#[test]
fn heaps_of_a_game_on_one_heap_are_a_sum() {
    let board = page("/play?game=mark&at=5,7");
    assert!(board.contains("mark + mark") && board.contains("5 + 7"), "{board}");
    let answer = json("/api/solve?game=mark&position=5,7");
    assert_eq!((&answer["game"], &answer["position"]), (&"mark + mark".into(), &"5 + 7".into()));
    assert_eq!(answer, {
        let mut whole = json("/api/solve?game=mark:5%2Bmark:7");
        whole["seconds"] = answer["seconds"].clone();
        whole
    });
    assert!(
        location("/move?game=mark&line=5,7&you=both&to=4%2B7").contains("5%20%2B%207~4%20%2B%207")
    );
    // A heap more is no position of a game on two heaps.
    assert_eq!(status("/play?game=wythoff&at=1,2,3"), 400);
    assert_eq!(status("/play?game=mark&at=5,x"), 400);
}

/// Heaps too large to touch are fields with numbers, of which one is changed; the numbers make the
/// move.
#[test]
fn large_heaps_are_fields_with_numbers() {
    let board = page("/play?game=nim&at=3,40");
    assert!(
        board.contains("name=\"left2\" type=\"number\"") && board.contains("max=\"40\""),
        "{board}"
    );
    // The bar is no button.
    assert_eq!(
        board
            .split("id=\"board\"")
            .nth(1)
            .unwrap()
            .split("</svg>")
            .next()
            .unwrap()
            .matches("<a ")
            .count(),
        0
    );
    assert!(location("/move?game=nim&line=3,40&left1=3&left2=3").contains("3,40~3,3"));
    assert!(
        location("/move?game=CN(4,2)&line=2,3,2,2&left1=1&left2=0&left3=2&left4=2")
            .contains("1,0,2,2")
    );
    for wrong in
        ["left1=3&left2=40", "left1=3&left2=41", "left1=2&left2=39", "left1=3", "left1=x&left2=3"]
    {
        assert_eq!(status(&format!("/move?game=nim&line=3,40&{wrong}")), 422, "{wrong}");
    }
    assert!(!page("/play?game=nim&at=3,4,5").contains("name=\"left1\""));
}

/// What is legal, hinted at or winning is marked on the board, on a track and on a circle of heaps
/// too.
#[test]
fn boards_show_what_may_be_done() {
    let marks = |uri: &str, class: &str| {
        let text = page(uri);
        let board =
            text.split("id=\"board\"").nth(1).unwrap().split("</svg>").next().unwrap().to_owned();
        board.matches(&format!("class=\"{class}\"")).count()
    };
    assert_eq!(marks("/play?game=Gamma(1,4;13)", "legal"), 2);
    // Of 2,3,2,2 the winning moves leave a = c, b = d (Dufour and Heubach): one token of heap 2.
    let circle = "/play?game=CN(4,2)&at=2,3,2,2";
    assert_eq!(marks(circle, "look"), 0);
    assert_eq!(marks(&format!("{circle}&hints=hint"), "look"), 3);
    assert_eq!(marks(&format!("{circle}&hints=on"), "wins"), 1);
    assert_eq!(marks("/play?game=nim&at=1,3,5&hints=hint", "look"), 5);
    // No frames around what takes the touch.
    let dots = page("/play?game=dots(2x2)");
    assert_eq!(dots.matches("r=\"16.97\" fill=\"none\"/>").count(), 12);
    // Which heaps a move may lower together is seen on the board.
    assert!(page("/play?game=moore(3)&at=1,3,5,7").contains("up to 2 heaps in one move"));
    assert!(!page("/play?game=moore(2)&at=1,3,5,7").contains("heaps in one move"));
    let complex = page("/play?game=simplicial(1,2,3;3,4)&at=2,3,3,1");
    // The triangle as an area with its edge, and the edge from 3 to 4.
    assert_eq!(complex.matches("<polygon").count(), 3, "{complex}");
    assert!(complex.contains("the faces: 1,2,3; 3,4."), "{complex}");
    // A move on points says which line it draws, and for how many boxes.
    let drawn = page("/play?game=dots(1x1)&line=./../.~-/../.~-/|./.~-/||/.~-/||/-&you=both");
    assert!(drawn.contains("drew CD, for 1 box"), "{drawn}");
}

/// The idea behind a position comes before the list of answers.
#[test]
fn why_tells_the_idea() {
    let kayles = page("/why?game=kayles&at=10");
    assert!(kayles.contains("The idea: mirror") && kayles.contains("<code>4,4</code>"), "{kayles}");
    assert!(kayles.contains("Answers to the moves from 4,4"), "{kayles}");
    let take = page("/why?game=S(1,2,3)&at=21");
    assert!(take.contains("leave a multiple of 4") && take.contains("21 = 5 · 4 + 1"), "{take}");
    assert!(take.contains("Take <strong>1</strong> and leave 20"), "{take}");
    assert!(page("/why?game=S(1,2,3)&at=20").contains("20 = 5 · 4 is a multiple of 4"));
    // With 1, 4 and 7 the lost heaps are those with 0, 2 or 5 over multiples of 8; with 2, 5 and 7
    // too many remainders are lost to be an idea.
    let rest = page("/why?game=S(1,4,7)&at=21");
    assert!(rest.contains("leave a remainder of 0, 2 or 5"), "{rest}");
    assert!(rest.contains("21 = 2 · 8 + 5: this is one of them."), "{rest}");
    let pile = page("/why?game=NIM(1,3,4;17)");
    assert!(
        pile.contains("leave a remainder of 0 or 2") && pile.contains("Divide the heap by 7."),
        "{pile}"
    );
    assert!(!page("/why?game=S(2,5,7)&at=21").contains("The idea"));
    let misere = page("/why?game=nim&at=1,1,5&misere=1");
    assert!(
        misere.contains("Here is the exception: one heap alone")
            && misere.contains("<code>1,1,1</code>"),
        "{misere}"
    );
    assert!(misere.contains("The heaps as sums of powers of two"));
    assert!(page("/why?game=nim&at=2,3,5&misere=1").contains("No exception yet"));
    assert!(page("/why?game=nim&at=1,1&misere=1").contains("an even number, so you win"));
    let nim = page("/why?game=nim&at=3,4,5");
    assert!(nim.contains("make the nim-sum zero") && nim.contains("<code>1,4,5</code>"), "{nim}");
    assert_eq!(nim.matches("The heaps as sums of powers of two").count(), 1);
    assert_eq!(nim.matches("won for the player to move?").count(), 3);
    // Where a published form is the idea, it is told in words; long lists of answers are folded.
    let circle = page("/why?game=CN(6,3)&at=3,1,4,2,2,3");
    assert!(circle.contains("opposite pairs of neighbours have equal sums"), "{circle}");
    assert!(circle.contains("<details><summary>An answer to every move"), "{circle}");
    assert_eq!(circle.matches("won for the player to move?").count(), 3);
    // Equal heaps are no pairs where one move touches both.
    let both = page("/why?game=wythoff&at=3,3");
    assert!(
        !both.contains("The idea: mirror") && both.contains("which leaves <code>0,0</code>"),
        "{both}"
    );
    assert!(!page("/why?game=CN(4,2)&at=1,2,1,2").contains("The idea"));
    assert!(!page("/why?game=moore(3)&at=1,1").contains("The idea: mirror"));
    // Wythoff 1907: 4,7 is the third pair.
    let lost = page("/why?game=wythoff&at=7,4");
    assert!(lost.contains("<code>7,4</code> is number 3 of the list: 7 − 4 = 3"), "{lost}");
    assert!(page("/why?game=wythoff&at=7,6").contains("which leaves <code>2,1</code>"));
    // Moore 1910: of 1, 2 and 3 each power of two is in two heaps, of three that are wanted.
    let moore = page("/why?game=moore(3)&at=1,2,3");
    assert_eq!(moore.matches("<td class=\"odd\">2 over</td>").count(), 2, "{moore}");
    let lost = page("/why?game=moore(3)&at=3,3,3");
    assert!(lost.contains("Every column is a multiple of 3") && lost.contains("lower"), "{lost}");
    // Of a won position on a circle, the form is shown where it holds: after the move.
    let won = page("/why?game=CN(4,2)&at=1,2,1,3");
    let (after, here) = won.split_once("Here it does not hold").unwrap();
    assert!(
        after.contains("which leaves <code>1,2,1,2</code>")
            && after.contains("All of it holds here: P.")
    );
    assert!(here.contains("It does not hold here"), "{won}");
}

/// The game of a rule file is there on every page, and only where its catalogue is.
#[test]
fn games_of_rule_files_are_on_the_page() {
    let text = "name = \"mirror\"\nheaps = 2\nmove = \"q0 = p0 | q1 = p1\"\nsymmetry = \"full\"\n";
    let rules = bouton_games::RuleFile::parse(text).unwrap();
    let site = Site::new(Catalogue::standard().with_rule_file(rules).unwrap());
    let ask = |path: &str, query: &str| site.answer(&Request::new(path, query), &Budget::default());
    let home = text_of(ask("/", ""));
    let link = home.split("href=\"/play?").find(|link| link.starts_with("game=mirror")).unwrap();
    let query = link.split('"').next().unwrap().replace("&amp;", "&");
    // Nim with two heaps: 1,3 is won by 3 → 1.
    assert!(
        text_of(ask("/play", &format!("{query}&hints=on")))
            .contains("the player to move wins (N-position"),
        "{query}"
    );
    assert!(text_of(ask("/api/games", "")).contains("\"family\":\"mirror\""));
    for (path, query, told) in [
        ("/why", "game=mirror&at=4,4", "the player to move loses (P-position"),
        ("/table", "game=mirror&at=x,y&to=5", "Tables"),
        ("/prove", "game=mirror&claim=a%3Db", "<strong>Proved</strong>"),
        ("/api/solve", "game=mirror%20%2B%20nim&position=1,2%20%2B%203", "\"outcome\":\"P\""),
    ] {
        let response = ask(path, query);
        assert_eq!(response.status.code(), 200, "{path}");
        assert!(text_of(response).contains(told), "{path}");
    }
    assert_eq!(status("/play?game=mirror&at=1,2"), 400);
}

#[test]
fn every_example_has_its_pages() {
    for example in FAMILIES.iter().flat_map(|family| family.examples) {
        let query = format!("game={}&at={}", encoded(example.game), encoded(example.position));
        let play = page(&format!("/play?{query}"));
        assert!(
            play.contains("id=\"board\"") && play.contains("role=\"status\""),
            "{}",
            example.game
        );
        assert!(play.contains("/move?"), "{} has no move", example.game);
        page(&format!("/why?{query}"));
        page(&format!("/strategy?{query}&size=60&depth=12"));
        for kind in ["svg", "png", "tex"] {
            page_bytes(&format!("/picture/board.{kind}?{query}"));
        }
        page(&format!("/data/moves.csv?{query}"));
        let cited = page(&format!("/data/cite.bib?{query}"));
        assert_eq!(cited.matches('{').count(), cited.matches('}').count(), "{cited}");
    }
}

/// What a sum is in misère play is said nowhere if a summand is another game then.
#[test]
fn misere_sums_of_other_games_are_refused() {
    for address in [
        "/api/solve?game=treblecross+%2B+nim&position=7+%2B+3&misere=1",
        "/play?game=treblecross+%2B+nim&at=7+%2B+3&misere=1",
        "/play?game=northcott+%2B+nim&at=1,3+%2B+3&misere=1",
        "/table?game=treblecross+%2B+nim&at=x+%2B+y&to=4&misere=1",
        "/api/strategy?game=treblecross+%2B+nim&position=7+%2B+3&misere=1",
    ] {
        let response = get(address);
        let text = String::from_utf8_lossy(&response.body).into_owned();
        let refused =
            text.contains("isère play of treblecross") || text.contains("isère play of northcott");
        assert!(refused && response.status.code() >= 400, "{address}: {text}");
    }
}

/// Follows the winner's links to the end: the page never loses a won game, and its addresses always
/// lead on.
#[test]
fn a_game_by_links_alone() {
    for (game, at) in [
        ("nim", "1,3,4"),
        ("Gamma(1,4;8)", ""),
        ("kayles", "7"),
        // Whose last positions have rows too short for a move.
        ("grundys-game", "9"),
        ("treblecross", "7"),
        ("dawson-kayles", "11"),
        ("CN(3,2)", "0,1,2"),
        ("NIM(1,3,4;n;d,e)", "14,9,6"),
    ] {
        let mut at_page = format!("/play?game={}&at={}", encoded(game), encoded(at));
        let start = json(&format!("/api/solve?game={}&position={}", encoded(game), encoded(at)));
        assert_eq!(start["outcome"], "N", "{game} {at}");
        for _ in 0..40 {
            let text = page(&at_page);
            if text.contains("The game is over") {
                assert!(
                    text.contains("Bouton cannot move. The game is over: you won."),
                    "{at_page}"
                );
                at_page.clear();
                break;
            }
            assert!(text.contains("Your turn."), "{at_page}");
            // Winning moves come first where they are asked for.
            let text = page(&format!("{}&hints=on", at_page.replace("&hints=on", "")));
            let list = text.split("<ol>").nth(1).unwrap();
            let list = list.split("</ol>").next().unwrap();
            let link = list
                .split("href=\"")
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap()
                .replace("&amp;", "&");
            assert!(link.starts_with("/move?"));
            at_page = location(&link);
        }
        assert!(at_page.is_empty(), "{game} did not end");
    }
}

/// Returns how many chains and loops a page tells of.
fn chains_told(page: &str) -> usize {
    let told = page
        .split("<dt>chains and loops</dt><dd>")
        .nth(1)
        .map_or("", |rest| rest.split("</dd>").next().unwrap());
    told.split("; ").filter(|one| !one.is_empty()).count()
}

#[test]
fn rules_are_said_once_and_cited_by_their_title() {
    // Loyd's puzzle, as Michon's page has it: GH wins by five boxes, nine lines are loony.
    let why = page("/why?game=dots(3x3)&at=---/|.../.-./||../..-/||../.--");
    for told in [
        "<dt>loony moves</dt><dd>BF CG EF GK IJ JK KO LP MN</dd>",
        "<dt>safe moves</dt><dd>3: DH GH HL</dd>",
        "<dt>best play</dt><dd>GH",
    ] {
        assert!(why.contains(told), "{told}");
    }
    // On the board: what each line is worth, and chains and signs. Three rings on safe lines,
    // crosses of two strokes.
    let pictures: Vec<&str> = why.split("<figure class=\"seen\">").skip(1).collect();
    assert_eq!(pictures.len(), 2);
    assert!(pictures[0].contains(">+5</text>") && pictures[0].contains("What each line is worth"));
    let picture = pictures[1].split("</figure>").next().unwrap();
    assert_eq!(picture.matches("<circle").count(), 16 + 3 + chains_told(&why), "{picture}");
    assert_eq!(picture.matches("stroke-width=\"1.8\"").count(), 3 + 2 * 9);
    let hinted = page("/play?game=dots(3x3)&at=---/|.../.-./||../..-/||../.--&hints=on");
    assert!(hinted.contains(">+5</text>"));
    assert!(!page("/play?game=dots(3x3)&at=---/|.../.-./||../..-/||../.--").contains(">+5</text>"));
    let dots = page("/play?game=dots(2x2)");
    assert_eq!(dots.to_lowercase().matches("boxes win").count(), 1);
    assert!(!dots.contains("points win"));
    assert!(page("/play?game=nim&at=1,2").contains("Whoever cannot move loses."));
    let cited = page("/data/cite.bib?game=nim");
    assert!(cited.contains("title = {Nim, a game with a complete mathematical theory}"), "{cited}");
}

#[test]
fn typed_moves_and_errors() {
    let nim = format!("/move?game=nim&line={}", encoded("1,3,5"));
    for typed in ["1,3,2", "5 → 2", "1, 3, 2", "take 3 from heap 5", "5 to 2", "third pile: take 3"]
    {
        let to = location(&format!("{nim}&to={}", encoded(typed)));
        assert!(to.contains("line=1,3,5~1,3,2~"), "{typed}: {to}");
    }
    let unclear = get(&format!("{nim}&to={}", encoded("take 2")));
    assert_eq!(unclear.status.code(), 422);
    let text = text_of(unclear);
    assert!(text.contains("take 2 from the second heap; take 2 from the third heap"), "{text}");
    let error = get(&format!("{nim}&to={}", encoded("9,9,9")));
    assert_eq!(error.status.code(), 422);
    let text = text_of(error);
    assert!(text.contains("is no move here") && text.contains("id=\"board\""));
}

/// What the command line can ask. In Nim at 2,2 the loser takes one token, and each other move is
/// the only one that wins, or the only one there is; the P-positions of Wythoff's game that differ
/// by 1 are 1,2 alone; a row of pins is lost if it is empty, and in misère Nim two heaps are lost
/// if they are equal and not of one; x = y + 1 holds of as many pairs up to 10 as there are y
/// below.
#[test]
fn the_api_answers_what_the_command_line_does() {
    assert_eq!(json("/api/solve?game=nim(2)&position=2,2&remoteness=1")["remoteness"], 4);
    assert!(json("/api/solve?game=nim(2)&position=2,2")["remoteness"].is_null());
    let listed = |query: &str| json(&format!("/api/positions?{query}"))["positions"].clone();
    assert_eq!(listed("game=wythoff&max=12&slice=x,x%2B1"), serde_json::json!([[1, 2]]));
    let pins = listed("game=kayles&max=12&slice=x,x,y");
    let pairs: Vec<[u32; 3]> = (0..=12).map(|x| [x, x, 0]).collect();
    assert_eq!(pins, serde_json::json!(pairs));
    let misere = listed("game=misere%20nim&max=3&slice=x,x");
    assert_eq!(misere, serde_json::json!([[2, 2], [3, 3]]));
    let counted = json("/api/logic?formula=x%20%3D%20y%20%2B%201&count=10");
    assert_eq!((&counted["most"], &counted["count"]), (&10.into(), &"10".into()));
    for (query, told) in [
        ("solve?game=dots(1x1)&remoteness=1", "won on points"),
        ("solve?game=nim&remoteness=yes", "remoteness=yes: 1 or 0"),
        ("positions?game=kayles&max=3&heaps=2&slice=x,x", "a slice says how many heaps"),
        ("positions?game=wythoff&max=3&slice=x", "a position has 2 numbers"),
        ("positions?game=nim(4)&max=1000&slice=x,y,z,0", "more than 10000000 positions"),
        ("logic?formula=A%20x:%20x%20=%20x&count=10", "no free variable"),
        ("logic?formula=x%20=%201&count=many", "count: a number"),
    ] {
        let answer = text_of(get(&format!("/api/{query}")));
        assert!(answer.contains(told), "{query}: {answer}");
    }
}

/// Pages read yes and no as the API does: in misère Nim two heaps of one are lost, in normal play
/// all equal ones are. What a page has no word for is refused.
#[test]
fn pages_read_yes_and_no() {
    let claim = encoded("a = b");
    for no in ["", "&misere=", "&misere=0", "&misere=false", "&misere=off"] {
        let text = page(&format!("/prove?game=nim(2)&claim={claim}{no}"));
        assert!(
            text.contains("Proved</strong> for all") && !text.contains("value=\"1\" checked"),
            "{no}"
        );
        let text = page(&format!("/study?game=nim(2){no}"));
        assert!(!text.contains("&amp;misere=1") && !text.contains("value=\"1\" checked"), "{no}");
        assert!(
            !page(&format!("/table?game=nim(2)&at=x,y&to=3{no}")).contains("value=\"1\" checked"),
            "{no}"
        );
        assert_eq!(json(&format!("/api/solve?game=nim(2)&position=1,1{no}"))["outcome"], "P");
    }
    for yes in ["&misere", "&misere=1", "&misere=true", "&misere=on"] {
        let text = page(&format!("/prove?game=nim(2)&claim={claim}{yes}"));
        assert!(text.contains("Refuted") && text.contains("value=\"1\" checked"), "{yes}");
        assert!(page(&format!("/study?game=nim(2){yes}")).contains("&amp;misere=1"), "{yes}");
        assert_eq!(json(&format!("/api/solve?game=nim(2)&position=1,1{yes}"))["outcome"], "N");
    }
    assert_eq!(json("/api/solve?game=nim(2)&position=2,2&remoteness=true")["remoteness"], 4);
    for (uri, told) in [
        ("/play?game=nim&at=1,2&misere=no", "isere=no: 1 or 0"),
        ("/study?game=nim(2)&misere=normal", "isere=normal: 1 or 0"),
        ("/table?game=nim(2)&at=x,y&to=3&repeats=yes", "epeats=yes: 1 or 0"),
        ("/play?game=nim&position=1,2", "no parameter of /play: say <code>at</code>"),
    ] {
        let answer = text_of(get(uri));
        assert!(answer.contains(told), "{uri}: {answer}");
    }
}

/// A parameter that no page has is told at the top of the page; every parameter of a link or a
/// field of our own is one.
#[test]
fn parameters_that_no_page_has_are_told() {
    let note = "o page reads ";
    for (uri, told) in [
        ("/play?game=nim&at=1,2&mis=1", "<code>mis</code> (did you mean <code>misere</code>?)"),
        ("/play?game=nim&positon=3", "<code>positon</code> (did you mean <code>at</code>?)"),
        ("/games?<b>=1", "<code>&lt;b&gt;</code>."),
        ("/ledger?verdit=proved", "<code>verdict</code>"),
    ] {
        let answer = text_of(get(uri));
        let (at, heading) = (answer.find(note), answer.find("<h1"));
        assert!(answer.contains(told) && at.is_some() && at < heading, "{uri}: {answer}");
    }
    let picture = "/picture/table.svg?game=nim(2)&at=x,y&tto=3";
    assert!(status(picture) == 400 && text_of(get(picture)).contains(note));
    let mut names = std::collections::BTreeSet::new();
    for uri in [
        "/",
        "/games",
        "/play?game=nim&at=3,4,5",
        "/play?game=moore(3)&at=3,4,5&hints=on",
        "/play?game=nim(2)&at=40,50",
        "/move?game=dots(2x2)&line=-./.../../.../..&you=second",
        "/why?game=nim&at=3,4,5",
        "/strategy?game=nim&at=1,2,3",
        "/table?game=wythoff&at=x,y",
        "/table?game=nim(2)&at=x,y&to=3&repeats=1",
        "/learn",
        "/learn?course=kayles&step=2",
        "/learn?course=nim&step=1",
        "/puzzle",
        "/puzzles",
        "/research",
        "/rules",
        "/rules?name=my-game&where=one&of=3&take=1,2,3&neighbours=2",
        "/study",
        "/prove?game=nim(2)&claim=a%3Db",
        "/worksheet?game=nim(3)&seed=1",
        "/check",
        "/ledger",
        "/literature",
        "/words",
    ] {
        let text = text_of(get(uri));
        assert!(!text.contains(note), "{uri}");
        // Nothing of a page that leads on to another one.
        let text = text.split("<body").nth(1).unwrap_or_default();
        let links = text.split("href=\"/").skip(1).filter_map(|rest| rest.split('"').next());
        let pages = links.filter(|link| !link.starts_with("api/"));
        for query in pages.filter_map(|link| link.split_once('?')) {
            let query = query.1.split('#').next().unwrap().replace("&amp;", "&");
            let parts = query.split('&').filter(|part| !part.is_empty());
            names.extend(parts.map(|part| part.split('=').next().unwrap().to_owned()));
        }
        let fields = text.split(" name=\"").skip(1).filter_map(|rest| rest.split('"').next());
        names.extend(fields.map(str::to_owned));
    }
    assert!(names.len() > 30 && names.contains("take") && names.contains("misere"), "{names:?}");
    // A picture sends the place in it as two numbers.
    for name in names.iter().filter(|name| *name != "cell") {
        let told = text_of(get(&format!("/research?{name}=")));
        assert!(!told.contains(note), "{name}");
    }
}

/// The opponent's mistakes depend on the address alone, and happen as often as asked for.
#[test]
fn mistakes_are_made_as_asked() {
    let mut lost = 0;
    for k in 1..=40u32 {
        // The visitor has just moved to a won position of the opponent's.
        let uri = |mistakes: u32| {
            format!(
                "/move?game=nim&you=second&mistakes={mistakes}&line={}",
                encoded(&format!("{k},{}", k + 3))
            )
        };
        let perfect = location(&uri(0));
        assert!(
            perfect.contains(&format!("~{k}%2C{k}")) || perfect.contains(&format!("~{k},{k}")),
            "{perfect}"
        );
        let bad = location(&uri(100));
        assert!(!bad.contains(&format!("~{k},{k}&")), "{bad}");
        let half = location(&uri(50));
        assert_eq!(half, location(&uri(50)));
        lost += u32::from(!half.contains(&format!("~{k},{k}&")));
    }
    assert!((8..=32).contains(&lost), "{lost} of 40");
}

/// A hint says whether there is something to find, the next step what, and unasked nothing is said
/// at all.
#[test]
fn nothing_is_given_away_unasked() {
    let plain = page("/play?game=nim&at=1,3,5");
    for told in [
        "nim-value",
        "class=\"good\"",
        "class=\"bad\"",
        "class=\"wins\"",
        ". P *0",
        ". N *",
        "wins.",
    ] {
        assert!(!plain.contains(told), "{told}");
    }
    let hint = page("/play?game=nim&at=1,3,5&hints=hint");
    assert!(hint.contains("One of 9 moves wins. Look at heap 3.") && !hint.contains("nim-value"));
    let shown = page("/play?game=nim&at=1,3,5&hints=on");
    assert!(
        shown.contains("nim-value *7")
            && shown.contains("class=\"good\"")
            && shown.contains(". P *0")
    );
    assert!(
        page("/play?game=nim&at=1,2,3&hints=hint").contains("No move wins against perfect play.")
    );
}

/// A move in several heaps is put together touch by touch, by links; what no move takes looks
/// still.
#[test]
fn a_move_in_several_heaps_is_put_together() {
    let touches = |text: &str| text.matches("aria-label=\"heap ").count();
    let plain = page("/play?game=CN(4,2)&at=2,3,2,2");
    assert_eq!((touches(&plain), plain.contains("id=\"confirm\"")), (9, false));
    // One token of heap 1: heap 3 stands opposite.
    let one = page("/play?game=CN(4,2)&at=2,3,2,2&with=1,3,2,2");
    assert!(
        one.contains("Chosen: take 1 from the first heap.")
            && one.contains("take 1 from the first heap")
    );
    // The same by the links beside the fields: heap 1 keeps one less or more.
    let steps = |text: &str| text.matches("class=\"button step\"").count();
    assert_eq!((steps(&plain), steps(&one)), (4, 4), "{one}");
    assert_eq!((touches(&one), one.matches("class=\"still\"").count()), (7, 2));
    let two = page("/play?game=CN(4,2)&at=2,3,2,2&with=1,0,2,2");
    let link = two.split("id=\"confirm\"").nth(1).unwrap().split("href=\"").nth(1).unwrap();
    let made = location(&link.split('"').next().unwrap().replace("&amp;", "&"));
    assert!(made.contains("1,0,2,2"), "{made}");
    // Where the amounts are bound, a choice may be no move yet.
    let bound = "/play?game=CN(4,2;each=1)&at=2,2,2,2";
    assert!(page(&format!("{bound}&with=0,2,2,2")).contains("Not a move yet"));
    let both = page(&format!("{bound}&with=1,1,2,2"));
    assert!(both.contains("id=\"confirm\"") || both.contains("Not a move yet"));
    // Choices that fit no board are left aside, and nonsense is refused.
    assert!(page("/play?game=CN(4,2)&at=2,3,2,2&with=9,9").contains("Your turn."));
    assert_eq!(status("/play?game=CN(4,2)&at=2,3,2,2&with=x"), 400);
}

#[test]
fn moves_are_judged_when_asked() {
    // From 1,3,4 (nim-value 6) the move to 1,3,2 wins; the answer comes; then a mistake.
    let line = encoded("1,3,4~1,3,2~1,1,2~1,1,1");
    let judged = page(&format!("/play?game=nim&line={line}&you=both&judge=on"));
    assert!(
        judged.contains("<span class=\"good\">wins</span>") && judged.contains("nothing wins here")
    );
    assert!(judged.contains("throws the win away; better: take 2 from the third heap"), "{judged}");
    assert!(!page(&format!("/play?game=nim&line={line}&you=both")).contains("throws the win away"));
}

/// Each game of a course can be won by the moves that are shown as winning; the page says so, marks
/// the step as done, and leads to the next one. Each page of questions is there.
#[test]
fn lessons_are_won() {
    let courses = page("/learn");
    let steps: Vec<&str> =
        courses.split("data-step=\"").skip(1).map(|step| step.split('"').next().unwrap()).collect();
    assert!(steps.len() >= 40, "{steps:?}");
    for step in steps {
        let (course, number) = step.rsplit_once('-').unwrap();
        let response = get(&format!("/learn?course={course}&step={number}"));
        let Some(begin) = response.header("location").map(str::to_owned) else {
            let text = text_of(response);
            assert!(text.contains("data-marks") && !text.contains("data-done"), "{step}");
            continue;
        };
        let mut at = if begin.starts_with("/move") { location(&begin) } else { begin };
        for _ in 0..30 {
            let text = page(&at);
            if text.contains("The game is over") {
                break;
            }
            assert!(
                text.contains(&format!("step {number} of ")) && text.contains("Your turn."),
                "{at}"
            );
            let shown = page(&format!("{at}&hints=on"));
            let (_, moves) = shown.split_once("id=\"moves\"").unwrap();
            let (_, best) = moves.split_once("<a data-go=\"\" href=\"").unwrap();
            assert!(
                best.split("</li>").next().unwrap().contains("class=\"good\""),
                "{step} is lost at {at}"
            );
            at = location(
                &best.split('"').next().unwrap().replace("&amp;", "&").replace("&hints=on", ""),
            );
        }
        let won = page(&at);
        assert!(won.contains("you won") && won.contains(&format!("data-done=\"{step}\"")), "{at}");
    }
    assert_eq!(status("/learn?course=nim&step=7"), 404);
    assert_eq!(status("/learn?course=chess"), 404);
}

/// Answers are judged as they come, each beside its question.
#[test]
fn questions_are_judged_at_once() {
    let asked = |answers: &str| page(&format!("/learn?course=multiples&step=2{answers}"));
    assert!(!asked("").contains("class=\"good\""));
    // Take 1, 2 or 3: the multiples of 4 are lost.
    let wrong = asked("&a1=won&a2=won");
    assert!(
        wrong.contains("Not so. You cannot win") && wrong.contains("You can win: take 2"),
        "{wrong}"
    );
    let right = asked("&a1=lost&a2=won&a3=lost&a4=won&a5=lost");
    assert!(right.contains("data-done=\"multiples-2\"") && right.contains("Next step"), "{right}");
    let refuted = page(&format!("/learn?course=circular&step=3&a1={}", encoded("a = b")));
    assert!(refuted.contains("Refuted: ") && !refuted.contains("data-done"), "{refuted}");
}

/// Every day has a puzzle at each level, the same whenever it is asked for, and exactly one of its
/// moves is best.
#[test]
fn puzzles_have_one_answer() {
    let days = (20_000..20_020).chain([0, u32::MAX]);
    for (day, level) in days.flat_map(|day| (1..=4).map(move |level| (day, level))) {
        let asked = format!("/puzzle?day={day}&level={level}");
        let play = location(&asked);
        assert_eq!(play, location(&asked));
        let query = play.strip_prefix("/play?").unwrap().replace("&at=", "&position=");
        let query = query.split("&puzzle").next().unwrap();
        let found = json(&format!("/api/solve?{query}"));
        let moves = found["moves"].as_array().unwrap();
        let best = |m: &&Value| match found["margin"].as_i64() {
            Some(margin) => m["margin"] == margin,
            None => m["outcome"] == "P",
        };
        assert_eq!(moves.iter().filter(best).count(), 1, "{play}");
        assert!(
            moves.len() >= 2 && (found["outcome"] == "N" || found["margin"].is_i64()),
            "{play}"
        );
        assert!(page(&play).contains("Exactly one move "));
    }
    // The puzzle of the day, and a solution that is marked as one.
    let today = Site::default().answer(&Request::new("/puzzle", "").on(20_001), &Budget::default());
    assert_eq!(today.header("location").unwrap(), location("/puzzle?day=20001"));
    let solved = page("/play?game=nim&line=1,2~1,1&puzzle=20000-3&you=first");
    assert!(solved.contains("data-solved=\"20000-3\""), "{solved}");
    assert_eq!(status("/puzzle?day=1&level=5"), 400);
    let all = Site::default().answer(&Request::new("/puzzles", "").on(20_001), &Budget::default());
    assert_eq!(text_of(all).matches("data-puzzle=").count(), 4 * 30);
}

/// Research opens on something to look at, not on empty forms.
#[test]
fn bare_pages_lead_to_an_example() {
    for path in ["/table", "/prove", "/study", "/rules"] {
        let to = location(path);
        assert!(to.starts_with(&format!("{path}?")), "{to}");
        assert!(!page(&to).contains("role=\"alert\""), "{to}");
    }
    assert!(page(&location("/rules")).contains("<figure"));
}

/// As many answers as positions, each true, the same for the same seed.
#[test]
fn sheets_have_true_answers() {
    for game in ["nim(3)", "CN(4,2)", "kayles", "wythoff", "SCN(4,2)"] {
        let sheet = page(&format!("/worksheet?game={}&seed=7", encoded(game)));
        assert_eq!(sheet, page(&format!("/worksheet?game={}&seed=7", encoded(game))));
        let answers = sheet.split("id=\"answers\"").nth(1).unwrap();
        let told: Vec<&str> = answers.split("<li>").skip(1).collect();
        let mut lost = 0;
        assert!(told.len() == 8 && sheet.matches("viewBox").count() == 8 + 1, "{game}");
        for one in told {
            let (at, rest) = one.split_once(": ").unwrap();
            let found =
                json(&format!("/api/solve?game={}&position={}", encoded(game), encoded(at)));
            let said = if rest.starts_with("You can win: ") { "N" } else { "P" };
            assert!(said == "N" || rest.starts_with("You cannot win against best play."), "{one}");
            assert_eq!(said, found["outcome"], "{game} {one}");
            lost += usize::from(said == "P");
            // No move is named twice.
            let moves = rest
                .split(" <a")
                .next()
                .unwrap()
                .trim_end_matches('.')
                .replace("You can win: ", "");
            let moves: Vec<String> =
                moves.replace(". Also: ", "; ").split("; ").map(str::to_owned).collect();
            assert!((1..moves.len()).all(|i| !moves[..i].contains(&moves[i])), "{one}");
        }
        assert_eq!(lost, 4, "{game}");
    }
    // Positions of Dots and Boxes have few lines left, and their answers count boxes.
    let dots = page("/worksheet?game=dots(2x2)&seed=3");
    assert_eq!(dots.split("id=\"answers\"").nth(1).unwrap().matches("<li>").count(), 8);
    assert!(dots.contains("By how many?") && dots.contains("You can win by "), "{dots}");
    let misere = page("/worksheet?game=nim(3)&seed=3&misere=1&count=4");
    let first = misere.split("id=\"answers\"").nth(1).unwrap().split("<li>").nth(1).unwrap();
    let found = json(&format!(
        "/api/solve?game=nim(3)&misere=1&position={}",
        first.split(": ").next().unwrap()
    ));
    assert_eq!(first.contains("You can win"), found["outcome"] == "N", "{first}");
    assert_eq!(status("/worksheet?game=nim(3)&count=999"), 400);
    for (share, lost) in [(0, 0), (25, 2), (100, 8)] {
        let sheet = page(&format!("/worksheet?game=nim(3)&seed=5&level=hard&lost={share}"));
        let answers = sheet.split("id=\"answers\"").nth(1).unwrap();
        assert_eq!(answers.matches("You cannot win").count(), lost, "{share}");
    }
    for wrong in ["level=7", "lost=101", "lost=x"] {
        assert_eq!(status(&format!("/worksheet?game=nim(3)&{wrong}")), 400, "{wrong}");
    }
}

#[test]
fn the_ledger_is_searched() {
    let all = page("/ledger?q=&verdict=");
    let some = page("/ledger?q=wythoff");
    let rows = |text: &str| text.matches("<th scope=\"row\">").count();
    assert!(rows(&some) > 0 && rows(&some) < rows(&all));
    // It opens on what was refuted.
    let first = all.split("class=\"v-").nth(1).unwrap();
    assert!(first.starts_with("refuted") && all.contains("published claims are refuted"));
    let refuted = page("/ledger?verdict=refuted");
    // By paper, each once.
    assert_eq!(refuted.matches("NIM with Cash (Gasarch, Purtilo, Ulrich): ").count(), 1);
    assert!(refuted.matches("scope=\"rowgroup\"").count() >= 4);
    assert_eq!(rows(&refuted), refuted.matches("class=\"v-refuted\"").count());
    // The opening has some of each paper and leads to the others.
    let opening = page("/ledger");
    assert!(rows(&opening) >= 4 && rows(&opening) < rows(&refuted));
    assert_eq!(
        opening.matches("scope=\"rowgroup\"").count(),
        refuted.matches("scope=\"rowgroup\"").count()
    );
    let others = page("/ledger?verdict=refuted&paper=N");
    assert!(opening.contains(&format!("{} more", rows(&others) - 5)), "{opening}");
    // Each claim is of one paper.
    let papers = ["N", "C", "K", "S", "M", "other"]
        .map(|paper| rows(&page(&format!("/ledger?paper={paper}"))));
    assert_eq!(papers.iter().sum::<usize>(), rows(&all));
    assert_eq!(rows(&page("/ledger?q=no-such-word")), 0);
}

#[test]
fn games_of_the_literature_have_a_table_and_a_page_each() {
    let rows = |text: &str| text.matches("<th scope=\"row\">").count();
    let games = bouton_literature::literature().unwrap();
    assert_eq!(rows(&page("/literature")), games.len());
    assert!((2..10).contains(&rows(&page("/literature?q=chocolate"))));
    assert_eq!(rows(&page("/literature?q=no-such-word")), 0);
    for game in &games {
        let text = page(&format!("/literature/game?name={}", encoded(&game.name)));
        assert!(text.contains("to re-make it") && text.contains("class=\"v-"), "{}", game.name);
        let mut links = text.split("href=\"").skip(1).filter_map(|link| link.split('"').next());
        let link = links.find(|link| link.starts_with("/rules?") || link.starts_with("/study?"));
        let link = link.unwrap_or_else(|| panic!("{}", game.name)).replace("&amp;", "&");
        // The rules are read where the link leads; studies are another test's matter.
        if link.starts_with("/rules?")
            && ["mark", "circular-6-4", "exact-4-3"].contains(&&*game.name)
        {
            let made = page(&link);
            assert!(!made.contains("role=\"alert\"") && made.contains("value=\""), "{}", game.name);
        }
    }
    assert_eq!(status("/literature/game?name=euclid"), 404);
}

#[test]
fn values_are_looked_up_elsewhere() {
    let kayles = page("/table?game=kayles&at=x&of=nim-value&to=60");
    assert!(kayles.contains("https://oeis.org/search?q=0%2C1%2C2%2C3%2C1%2C4%2C3%2C2%2C1%2C4"));
    assert!(!page("/table?game=wythoff&at=x,y&to=9").contains("oeis.org"));
}

#[test]
fn a_game_is_studied_on_a_page() {
    let asked = page("/study?game=CN(4,2)");
    assert!(
        asked.contains("data-stream=\"/study/stream?game=CN%284,2%29\"") && asked.contains("now=1")
    );
    let found = studied("/study?game=CN(4,2)&now=1");
    assert!(found.contains("<strong>Theorem.</strong>"), "{found}");
    // Table, guess, larger table, proof, check: all of them led on.
    assert_eq!(found.matches("<li class=\"led-on\">").count(), 5, "{found}");
    let period = studied("/study?game=0.07&now=1");
    assert!(
        period.contains("Period 34 from 53 on.")
            && period.contains("<li class=\"led-on\"><strong>Proof"),
        "{period}"
    );
    // A published form that is equal to the one found is said to be.
    assert!(found.contains("C4</a> is the same form, decided for all sizes"), "{found}");
    // Theories of their own say which stages their studies went through.
    let cash = studied("/study?game=NIM(1,3,4;n;d,e)&now=1");
    assert_eq!(cash.matches("<li class=\"led-on\">").count(), 5, "{cash}");
    let circles = studied("/study?game=Gamma(1,2;n)&now=1");
    assert_eq!(circles.matches("<li class=\"led-on\">").count(), 4, "{circles}");
    assert_eq!(status("/study?game=bridge"), 400);
    let told = page("/study/stream?game=CN(4,2)");
    assert!(
        told.starts_with("event: answer\ndata: {\"html\":\"<p class=\\\"outcome proved"),
        "{}",
        &told[..80]
    );
    // The same stages are reported while it is studied, the proof last.
    let (request, heard) =
        (Request::new("/study/stream", "game=CN(4,2)"), RefCell::new(Vec::new()));
    let hear = |progress: Progress<'_>| {
        if let Progress::Stages(html) = progress {
            heard.borrow_mut().push(html.to_owned());
        }
    };
    assert_eq!(Site::default().tell(&request, &Budget::default(), &hear).name, "answer");
    let heard = heard.into_inner();
    let ends = |name: &str| format!("<li class=\"now\"><strong>{name}</strong>");
    assert!(
        heard[0].contains(&ends("Guess")) && heard[0].contains("<svg class=\"cells\""),
        "{heard:?}"
    );
    assert!(heard.last().unwrap().contains(&ends("Proof")), "{heard:?}");
    assert_eq!(heard.last().unwrap().matches("<li class=\"led-on\">").count(), 3);
}

#[test]
fn why_answers_every_option_and_fills_in_the_form() {
    let lost = page("/why?game=CN(4,2)&at=1,2,1,2");
    assert!(lost.contains("has an answer") && !lost.contains("unknown"));
    assert!(lost.contains("All of it holds here: P."), "the published form");
    // Heaps that face each other are equal: two rings of two arcs, their sums beside them.
    assert_eq!(lost.matches("<path class=\"ring").count(), 4);
    let near = page("/why?game=CN(4,2)&at=1,2,1,3");
    assert!(
        near.contains("<code>1 = 1</code></td><td><span class=\"good\">yes")
            && near.contains("<code>2 = 3</code></td><td><span class=\"bad\">no"),
        "{near}"
    );
    let won = page("/why?game=nim(3)&at=1,3,5");
    // 1, 3 and 5 as sums of powers of two: 4, 2 and 1 are each there an odd number of times.
    assert!(won.contains("make the nim-sum zero"), "{won}");
    assert_eq!(won.matches("<td class=\"odd\">odd</td>").count(), 3, "{won}");
    // Winning Ways, chapter 3: Wythoff's position 3,4 has the value 2.
    let sum = page("/why?game=wythoff+%2B+nim&at=3,4+%2B+2");
    assert!(sum.contains("*2 (from 3,4) ⊕ *2 (from 2) = <strong>*0</strong>"), "{sum}");
    // Winning Ways, chapter 4: the values of rows of 7 in Kayles and of 4 tokens are 2 and 4.
    let parts = page("/why?game=kayles+%2B+nim&at=7+%2B+4");
    assert!(parts.contains("*2 (from 7) ⊕ *4 (from 4) = <strong>*6</strong>"), "{parts}");
    assert!(
        parts.contains("which leaves <code>7 + 2</code>: *2 (from 7) ⊕ *2 (from 2) = *0."),
        "{parts}"
    );
    // A move in two heaps at once: their values do not add.
    for apart in
        ["moore(3)&at=1,1,1,5", "moore(3)&at=2,2,2", "wythoff&at=3,4", "CN(4,2)&at=1,2,1,2"]
    {
        assert!(
            !page(&format!("/why?game={apart}")).contains("counts as a heap of Nim"),
            "{apart}"
        );
    }
    let row = page("/why?game=grundy&at=10");
    assert!(row.contains("The nim-value of 10 is <strong>0</strong>"), "{row}");
    assert!(
        won.contains("It does not hold here, in whichever symmetric order the heaps are read: N.")
    );
    assert!(won.contains("You can win: take 3 from the third heap."), "{won}");
    // NIM with Cash has a condition for the whole game: 14 stones, 9 dollars each.
    let cash = page("/why?game=NIM(1,3,4;n;d,e)&at=14,9,9");
    assert!(
        cash.contains("c = 9 + 9 + 1 - 14 = 5.") && cash.contains("So the mover wins: N."),
        "{cash}"
    );
    let many = page("/why?game=NIM(1,3,4;n;d,e)&at=14,inf,2");
    assert!(many.contains("n = 14, d = 14, e = 2"), "{many}");
    let far = page("/why?game=Gamma(1,4;1003)");
    assert!(far.contains("by the theorem") && far.contains("the player to move loses"), "{far}");
    let study = page("/study?game=Gamma(1,3;n)&now=1");
    assert!(study.contains("Theorem") && study.contains("won by the second player"), "{study}");
    // Row K2: Γ(1,3;n) is P iff n ≡ 1, 3 (mod 6).
    let circle = page("/why?game=Gamma(1,3;13)");
    assert!(
        circle.contains("Here <code>13 mod 6 = 1</code>, so who begins loses (P)."),
        "{circle}"
    );
    assert!(page("/why?game=Gamma(1,3;14)").contains("None of its 2 cases holds here"), "K2");
}

/// A page in a frame of another one has no menu, may be framed, and leads to pages of the same
/// kind.
#[test]
fn a_board_in_a_frame_stays_one() {
    let board = page("/play?game=nim&at=3,4,5&embed=1");
    assert!(board.contains("<body class=\"embedded\">"));
    let links = board.split(" href=\"/").skip(1).filter_map(|link| link.split('"').next());
    let about: Vec<&str> = links.filter(|link| link.contains("game=")).collect();
    assert!(about.len() > 5 && about.iter().all(|link| link.contains("embed=1")), "{about:?}");
    assert!(location("/move?game=nim&line=3,4,5&to=1,4,5&embed=1").ends_with("&embed=1"));
    assert!(!page("/play?game=nim&at=3,4,5").contains("embedded"));
}

#[test]
fn numbers_that_a_table_holds_fast_can_be_changed() {
    let table = page("/table?game=CN(5,2)&at=x,y,3,1,2&to=8");
    assert_eq!(table.matches("data-part=").count(), 3);
    assert!(
        table.contains("data-part=\"2\" type=\"range\" min=\"0\" max=\"31\" value=\"3\""),
        "{table}"
    );
}

/// The table beside a board frames the position, and a click in it is a move where one leads there.
#[test]
fn the_table_beside_a_board_follows_it() {
    let board = page("/play?game=CN(4,2)&line=3,2,4,1&mistakes=35&hints=on");
    assert_eq!(board.matches("data-part=").count(), 2);
    // x = 3, y = 2 of 17 × 17 cells of 22 pixels that begin at 48, 30.
    assert!(
        board.contains(&format!("<rect x=\"{}\" y=\"{}\"", 48 + 3 * 22, 30 + (16 - 2) * 22)),
        "{board}"
    );
    let click = |x: u32, y: u32| {
        let (x, y) = (48 + x * 22 + 11, 30 + (16 - y) * 22 + 11);
        let asked = "game=CN(4,2)&line=3,2,4,1&mistakes=35&hints=on&at=x,y,4,1&to=16";
        location(&format!("/table/at?{asked}&cell.x={x}&cell.y={y}"))
    };
    let made = click(1, 2);
    assert!(
        made.starts_with("/move?") && made.ends_with("&to=1,2,4,1") && made.contains("mistakes=35"),
        "{made}"
    );
    let placed = click(5, 2);
    assert!(placed.starts_with("/play?") && placed.contains("line=5,2,4,1&"), "{placed}");
}

/// The table is there to be unfolded, but not in lessons and puzzles; Kotzig's Nim has one over
/// circles, a single heap a list of heaps.
#[test]
fn a_table_stands_beside_every_board_of_numbers() {
    let table = |uri: &str| page(uri).matches("class=\"stage beside").count();
    for uri in [
        "/play?game=nim&at=3,4,5",
        "/play?game=kayles&at=4,5",
        "/play?game=NIM(1,3,4;14;9,9)",
        "/play?game=Gamma(1,4;13)",
        "/play?game=kayles&at=10",
    ] {
        assert_eq!(table(uri), 1, "{uri}");
        // It tells nothing unasked.
        assert!(page(uri).contains("<details id=\"beside\"><"), "{uri}");
        assert!(page(&format!("{uri}&hints=on")).contains("<details id=\"beside\" open"), "{uri}");
    }
    for uri in ["/move?game=nim&line=1,2,3&you=second&lesson=nim-4", "/play?game=nim&at=30,40,5"] {
        let to = get(uri).header("location").map(str::to_owned);
        assert_eq!(table(to.as_deref().unwrap_or(uri)), 0, "{uri}");
    }
    // Not asked for, it is fetched by the script.
    assert!(page("/play?game=nim&at=3,4,5").contains("data-src=\"/picture/table"));
    assert!(!page("/play?game=nim&at=3,4,5&hints=on").contains("data-src"));
    // The second step 4 and 13 cells, of numbers from 1 to 16.
    let kotzig = page("/play?game=Gamma(1,4;13)");
    assert!(kotzig.contains(&format!("<rect x=\"{}\" y=\"{}\"", 48 + 3 * 22, 30 + (16 - 13) * 22)));
    assert!(kotzig.contains("name=\"game\" value=\"Gamma(1,x;y)\""), "{kotzig}");
    // Of 1, 2 or 3 tokens taken the multiples of 4 are lost (Winning Ways, ch. 4).
    let folded = page("/play?game=S(1,2,3)&at=21");
    assert!(folded.contains("data-from=\"/play?") && !folded.contains("<span>P</span>"));
    assert!(
        folded.contains("<noscript><a href=\"/table?game=S%281,2,3%29&amp;at=x&amp;to=24\""),
        "{folded}"
    );
    let heaps = page("/play?game=S(1,2,3)&at=21&hints=on");
    for heap in 0..=24u32 {
        let outcome = if heap % 4 == 0 { "P" } else { "N" };
        assert!(heaps.contains(&format!(">{heap} <span>{outcome}</span>")), "{heap}");
    }
    let list = heaps.split("class=\"heaps\"").nth(1).unwrap();
    let of = |heap: u32| {
        let ends = format!("&amp;column={heap}\"");
        let link = list.split("href=\"").find(|link| link.contains(&ends)).unwrap();
        location(&link.split('"').next().unwrap().replace("&amp;", "&"))
    };
    assert!(of(20).starts_with("/move?") && of(20).ends_with("&to=20"), "{}", of(20));
    assert!(of(12).starts_with("/play?") && of(12).contains("line=12"), "{}", of(12));
}

/// A click on a cell of the picture leads to the board with these numbers.
#[test]
fn a_click_on_the_table() {
    // The cell x = 3, y = 5 of 25 × 25 cells of 22 pixels that begin at 48, 30.
    let (x, y) = (48 + 3 * 22 + 11, 30 + (24 - 5) * 22 + 11);
    let jump = format!("/table/at?game=wythoff&at=x,y&to=24&cell.x={x}&cell.y={y}");
    assert_eq!(location(&jump), "/play?game=wythoff&at=3,5");
    let typed = "/table/at?game=wythoff&at=x,y&to=24&column=3&row=5";
    assert_eq!(location(typed), "/play?game=wythoff&at=3,5");
    assert_eq!(status("/table/at?game=wythoff&at=x,y"), 400);
    assert!(page("/table?game=wythoff&at=x,y&of=nim-value&to=60").contains("type=\"image\""));
    assert!(page("/table?game=kayles&at=x&of=nim-value&to=60").contains("/picture/table.png"));
}

#[test]
fn guesses_are_settled() {
    let proved = page(&format!("/prove?game=CN(4,2)&claim={}", encoded("a = c & b = d")));
    assert!(proved.contains("<strong>Proved</strong>"));
    let refuted = page(&format!("/prove?game=wythoff&claim={}", encoded("a = b")));
    assert!(
        refuted.contains("<strong>Refuted</strong>")
            && refuted.contains("/play?game=wythoff&amp;at=1,1"),
        "{refuted}"
    );
    assert!(
        refuted.contains("<figure") && refuted.contains("by the rules alone"),
        "the board of the counterexample"
    );
    // Row S1: SCN(4,2) needs a form for three heaps; only with it there is a proof, and the checker
    // takes it.
    let shrinking = format!("game={}&claim={}", encoded("SCN(4,2)"), encoded("a=c & b=d & a!=b"));
    assert!(!page(&format!("/prove?{shrinking}")).contains("<strong>Proved</strong>"));
    let smaller = format!("{shrinking}&smaller={}", encoded("3: a=b=c"));
    assert!(page(&format!("/prove?{smaller}")).contains("<strong>Proved</strong>"));
    let certificate = page(&format!("/data/proof.cert?{smaller}"));
    assert!(bouton_check::check(&certificate).is_ok());
    assert_eq!(status("/data/proof.cert?game=wythoff&claim=a%3Db"), 422);
    let error = page(&format!("/prove?game=wythoff&claim={}", encoded("a = z")));
    assert!(error.contains("<mark>z</mark>"));
}

#[test]
fn the_ledger_settles_rows() {
    let all = page("/ledger?verdict=");
    let claims = bouton_literature::claims().unwrap();
    assert!(
        claims
            .iter()
            .all(|c| all.contains(&format!("<code>{}</code>", c.game.replace('>', "&gt;"))))
    );
    let proved = page(&format!("/ledger/claim?id=C4&game={}", encoded("CN(4,2)")));
    // A row proved for every circle names its certificate, which comes with the program.
    let circles = page("/ledger/claim?id=K22");
    let certificate = &bouton_literature::circles("Gamma(-1,2;n)")[..];
    let hashes = certificate.iter().map(|text| text.trim_end().rsplit(' ').next().unwrap());
    assert_eq!(hashes.filter(|hash| circles.contains(*hash)).count(), 1);
    assert!(
        proved.contains("<strong class=\"v-proved\">proved</strong>")
            && proved.contains("bouton prove 'CN(4,2)'")
    );
    let some = page("/ledger?examine=more");
    assert!(!some.contains(&format!(">0 of {} examined", claims.len())), "nothing was examined");
    let holds = page("/ledger/claim?id=K10");
    assert!(
        holds.contains("<strong class=\"v-holds\">holds</strong>")
            && holds.contains("bouton claims --verify --id K10")
    );
    // A theorem on circles of every size.
    let proved = page("/ledger/claim?id=K5");
    assert!(
        proved.contains("<strong class=\"v-proved\">proved</strong>")
            && proved.contains("for every n: 5 classes"),
        "{proved}"
    );
    assert_eq!(status("/ledger/claim?id=Z99"), 404);
}

#[test]
fn what_is_typed_is_never_markup() {
    let evil = "<script>alert(1)</script>\"'&";
    for uri in [
        format!("/play?game={}", encoded(evil)),
        format!("/play?game=nim&at={}", encoded(evil)),
        format!("/move?game=nim&line=1,2&to={}", encoded(evil)),
        format!("/prove?game=nim(2)&claim={}", encoded(evil)),
        format!("/table?game={}&at=x,y", encoded(evil)),
        format!("/ledger/claim?id={}", encoded(evil)),
        format!("/picture/{}", encoded(evil)),
    ] {
        let text = text_of(get(&uri));
        assert!(!text.contains("<script>alert"), "{uri}");
    }
}

/// Bad input is refused with 4xx; huge boards end in a verdict "unknown" within the budget; the
/// router goes on.
#[test]
fn hostile_input() {
    let long = "9".repeat(30_000);
    let deep = format!("{}a = a{}", "(".repeat(1500), ")".repeat(1500));
    let partitions = format!("0.{{{}}}", "0+".repeat(60));
    let refused = [
        "/play".to_owned(),
        "/play?game=".to_owned(),
        "/play?game=bridge".into(),
        "/play?game=nim(6)".into(),
        "/play?game=Gamma(1,2;99999999)".into(),
        "/play?game=CN(99999999,7)&at=1".into(),
        "/play?game=dots(9999x9999)".into(),
        "/heatmap".into(),
        "/table/at?game=wythoff&at=x,y&to=24&column=25&row=1".into(),
        format!("/play?game=nim&at={}", "1,".repeat(3000) + "1"),
        "/play?game=nim&at=-1".into(),
        "/play?game=Gamma(1,4;13)&at=99999999999".into(),
        "/play?game=CN(7,5)&at=99999999999,1,1,1,1,1,1".into(),
        "/play?game=CN(0,0)&at=1".into(),
        "/play?game=nim&at=1&mistakes=101".into(),
        "/play?game=nim&at=1&slips=101".into(),
        "/play?game=nim&at=1&you=nobody".into(),
        format!("/play?game=nim&line={}", "1~".repeat(500)),
        format!("/play?game=nim&at={long}"),
        format!("/play?game={}", encoded(&partitions)),
        "/play?game=nim&at=%ff%fe".into(),
        "/play?game=nim&game=kayles".into(),
        "/move?game=nim&line=1,2&to=5,5".into(),
        "/table?game=nim&at=x,y&to=100000".into(),
        "/table?game=nim&at=1,2".into(),
        "/table?game=nim&at=x,y&of=everything".into(),
        "/strategy?game=nim&at=1,2&depth=0".into(),
        "/strategy?game=nim&at=1,2&size=99999999999999999999".into(),
        "/picture/board.exe?game=nim&at=1".into(),
        "/picture/tree".into(),
        "/picture/board.dot?game=nim&at=1".into(),
        "/data/passwd".into(),
        "/api/solve?game=nim&position=x".into(),
        "/api/positions?game=nim(3)&max=99999999".into(),
        "/api/values?game=kayles&to=-1".into(),
        "/api/values?game=CN(3,2)&to=5".into(),
        format!("/api/prove?game=nim(2)&claim={}", encoded(&deep)),
        "/api/prove?game=kayles&claim=true".into(),
        "/api/heatmap?game=dots(3x3)".into(),
        "/api/nothing".into(),
    ];
    // Heaps of any size where what is proved answers.
    assert_eq!(status("/play?game=nim&at=99999999999"), 200);
    for uri in &refused {
        let status = status(uri);
        assert!((400..500).contains(&status), "{status} {}", &uri[..uri.len().min(80)]);
    }
}

/// A summand's options come in pieces; none is left out, none comes twice.
#[test]
fn every_option_of_a_long_heap_in_a_sum() {
    let found =
        json(&format!("/api/solve?game={}&position={}", encoded("nim + nim"), encoded("9000 + 0")));
    let to: std::collections::BTreeSet<&str> =
        found["moves"].as_array().unwrap().iter().map(|m| m["to"].as_str().unwrap()).collect();
    assert_eq!((to.len(), found["moves"].as_array().unwrap().len()), (9000, 9000));
    assert!(to.contains("0 + 0") && to.contains("8999 + 0"));
}

/// Every path that the OpenAPI document names is there, and asks for what it says.
#[test]
fn openapi_tells_the_truth() {
    let document = json("/api/openapi.json");
    assert_eq!(document["openapi"], "3.1.0");
    for (path, item) in document["paths"].as_object().unwrap() {
        let required: Vec<&Value> = item["get"]["parameters"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|p| p["required"] == true)
            .collect();
        assert_eq!(status(path), if required.is_empty() { 200 } else { 400 }, "{path}");
        // Each answer has a type, and events have none.
        let content = &item["get"]["responses"]["200"]["content"];
        assert_eq!(
            content["application/json"]["schema"].is_object(),
            !path.ends_with("stream"),
            "{path}"
        );
    }
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(all) => all.iter().for_each(|(key, inner)| match inner.as_str() {
                Some(name) if key == "$ref" => found.push(name.to_owned()),
                _ => references(inner, found),
            }),
            Value::Array(all) => all.iter().for_each(|inner| references(inner, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    references(&document, &mut found);
    for name in &found {
        let defined = document.pointer(name.trim_start_matches('#'));
        assert!(defined.is_some_and(Value::is_object), "{name}");
    }
    assert!(found.iter().any(|name| name.ends_with("/study_of_game")));
    let error =
        serde_json::from_slice::<Value>(&get("/api/solve?game=nim&position=1,x").body).unwrap();
    assert_eq!(error["error"]["at"], serde_json::json!([2, 3]));
}

fn send(path: &str, fields: &[(&str, &str)]) -> Response {
    let body: Vec<String> =
        fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    let budget = Budget { deadline: Some(Deadline::after(A_DAY)), ..Budget::default() };
    Site::default().answer(&Request::sent(path, &body.join("&")), &budget)
}

#[cfg(feature = "coq")]
#[test]
fn a_certificate_is_checked_and_written_for_coq() {
    let claim = encoded("a = c & b = d");
    let certificate = page(&format!("/data/proof.cert?game=CN(4,2)&claim={claim}"));
    let accepted = text_of(send("/check", &[("certificate", &certificate)]));
    assert!(accepted.contains("Accepted.") && accepted.contains("a = c &amp; b = d"), "{accepted}");
    // As browsers send what is in a field.
    let sent = certificate.replace('\n', "\r\n");
    assert!(text_of(send("/check", &[("certificate", &sent)])).contains("Accepted."));
    let theorem = send("/check", &[("certificate", &certificate), ("for", "coq")]);
    assert_eq!(theorem.header("content-disposition"), Some("attachment; filename=\"theorem.v\""));
    let theorem = text_of(theorem);
    assert!(theorem.contains("circular_nim 4 2") && theorem.contains("Theorem"), "{theorem}");
    // Another claim under the same proof: the seal is broken, the line is shown.
    let tampered = certificate.replacen("a = c", "a = b", 1);
    let rejected = text_of(send("/check", &[("certificate", &tampered)]));
    assert!(rejected.contains("Rejected.") && !rejected.contains("Accepted."), "{rejected}");
    let rejected = text_of(send("/check", &[("certificate", &tampered), ("for", "coq")]));
    assert!(rejected.contains("Rejected."), "{rejected}");
    assert!(text_of(send("/check", &[("certificate", "<script>")])).contains("&lt;script&gt;"));
    // The page opens on a certificate that the checker accepts.
    let example = include_str!("../assets/example.cert");
    assert!(page("/check").contains("<textarea") && page("/check").contains("game: CN(3,2)"));
    assert!(text_of(send("/check", &[("certificate", example)])).contains("Accepted."));
}

#[test]
fn nothing_else_is_sent_to() {
    for path in ["/", "/play", "/study", "/api/solve", "/nowhere"] {
        assert_eq!(
            send(path, &[("game", "nim"), ("position", "1,2")]).status.code(),
            405,
            "{path}"
        );
    }
}

#[cfg(feature = "coq")]
#[test]
fn a_study_hands_its_certificate_over() {
    let text = studied("/study?game=CN(4,2)&now=1");
    assert!(
        text.contains("The theorem for Coq") && text.contains("value=\"bouton certificate 2"),
        "{text}"
    );
    let text = page("/study?game=CN(4,2)");
    assert!(
        text.contains("<form id=\"handover\" action=\"/check\" method=\"post\" hidden>"),
        "{text}"
    );
}

#[test]
fn sequences_lead_to_the_encyclopedia() {
    // The P-positions of taking 1 to 3 are the multiples of 4 (Winning Ways, ch. 4).
    let text = page("/table?game=S(1,2,3)&at=x&of=outcome&to=24");
    assert!(text.contains("oeis.org/search?q=0%2C4%2C8%2C12%2C16%2C20%2C24\""), "{text}");
    assert!(
        page("/table?game=kayles&at=x&of=nim-value&to=12")
            .contains("q=0%2C1%2C2%2C3%2C1%2C4%2C3%2C2%2C1%2C4")
    );
    assert!(!page("/table?game=wythoff&at=x,y&of=outcome&to=12").contains("oeis.org"));
}

#[test]
fn tables_mark_what_repeats_and_come_closer() {
    let text =
        page("/table?game=S(1,2)%20%2B%20S(1,2,3)&at=x%20%2B%20y&of=nim-value&to=23&repeats=1");
    // Values of one heap: size mod 3, size mod 4.
    assert!(
        text.contains(
            "From 0 on columns repeat every 3. From 0 on rows repeat every 4. (Seen here, not \
             proved.)"
        ),
        "{text}"
    );
    assert!(text.contains("upper left") && !text.contains("the whole table"), "{text}");
    assert!(
        page("/table?game=wythoff&at=x,y&of=outcome&to=23&repeats=1")
            .contains("Nothing repeats in this table.")
    );
}

/// Perfect play on boards too large to be searched to the end in a second: a reply comes, marked as
/// unproven.
#[test]
fn replies_on_points_are_told_to_be_guesses_where_they_are() {
    let site = Site::default();
    let ask = |query: &str| {
        let budget = Budget { bytes: Some(256 << 20), ..Budget::default() };
        let reply = site.answer(&Request::new("/move", query), &budget);
        reply.header("location").expect("a redirect").to_owned()
    };
    let shown = |to: &str| {
        let (path, query) = to.split_once('?').unwrap();
        text_of(site.answer(&Request::new(path, query), &Budget::default()))
    };
    let empty = "..../...../..../...../..../...../..../...../....";
    // The first of a game of five by five cannot be known; a small board's can.
    let large = "...../....../...../....../...../....../...../....../...../....../.....";
    let to = ask(&format!("game=dots(5x5)&line={large}&you=second"));
    assert!(to.contains("&reply=guess"), "{to}");
    assert!(shown(&to).contains("Not searched to the end"));
    let to = ask("game=dots(2x2)&line=../.../../.../..&you=second");
    assert!(!to.contains("reply="), "{to}");
    assert!(!shown(&to).contains("Not searched to the end"));
    // A whole game on 4 x 4 against the visitor's first open line: every reply is a move, and the
    // last ones are exact.
    let mut line = vec![empty.to_owned()];
    let mut replies: Vec<String> = Vec::new();
    while line.last().unwrap().contains('.') {
        let now = line.last().unwrap().clone();
        let at = now.find('.').unwrap();
        let sign = if now[..at].matches('/').count() % 2 == 0 { "-" } else { "|" };
        let moved = format!("{}{sign}{}", &now[..at], &now[at + 1..]);
        let to = ask(&format!(
            "game=dots(4x4)&line={}&to={}",
            encoded(&line.join("~")),
            encoded(&moved)
        ));
        replies.push(to.split_once("&reply=").map_or(String::new(), |(_, by)| by.to_owned()));
        let request = Request::new("/play", to.split_once('?').unwrap().1);
        line = request.get("line").split('~').map(str::to_owned).collect();
    }
    assert!(
        line.windows(2)
            .all(|pair| pair[1].matches('.').count() + 1 == pair[0].matches('.').count())
    );
    assert_eq!(replies[0], "table");
    assert!(replies.iter().rev().take(3).all(String::is_empty), "{replies:?}");
    let first = ask(&format!("game=dots(4x4)&line={empty}&you=second"));
    assert!(first.contains("&reply=table") && shown(&first).contains("at least a draw"), "{first}");
}

/// Boards of Dots and Boxes and what they are worth.
#[test]
fn values_of_boards_are_shown() {
    let text = page("/table?game=dots");
    assert!(
        text.contains("3 × 3") && text.contains("24 of 24") && text.contains("Wilson"),
        "{text}"
    );
    assert!(page("/play?game=dots(2x2)").contains("/table?game=dots"));
}

/// Strings and Coins are drawn, each string a button.
#[test]
fn strings_are_cut_on_the_page() {
    let text = page("/play?game=coins(1-2,1-3,1-4,2-3,2-4,3-4)");
    assert!(text.matches("/move?").count() >= 6, "{text}");
    let judged = page("/play?game=coins(1-0,1-2,2-0)&hints=on");
    assert!(judged.contains("margin"), "{judged}");
    assert_eq!(status("/play?game=coins(1-1)"), 400);
}

/// Cuts, runs of beads, squares, joints of two squares, and heaps without what is remembered.
#[test]
fn moves_of_every_kind_are_touched_on_the_board() {
    let board = |uri: &str| {
        let text = page(uri);
        let from = text.find("id=\"board\"").unwrap();
        text[from..from + text[from..].find("</svg>").unwrap()].to_owned()
    };
    let links = |uri: &str| board(uri).matches("<a ").count();
    // Each of the five cuts of 12 into unequal rows, from both ends.
    assert_eq!(links("/play?game=grundy&at=12"), 10);
    // Of 0.007 three in a row are taken, and nothing else.
    assert_eq!(links("/play?game=0.007&at=11"), 9);
    // Each square of a bar but the poisoned one; each domino of a board of 2 x 3.
    assert_eq!(links("/play?game=chomp&at=4,4,4"), 11);
    assert_eq!(links("/play?game=cram&at=.../..."), 7);
    // From 20 tokens at most 19 are taken; what is remembered stands there in numbers.
    assert_eq!(links("/play?game=fibonacci-nim&at=20,19"), 19);
    assert!(page("/play?game=fibonacci-nim&at=20,19").contains("Remembered: <strong>19</strong>"));
    // A hint marks the squares on the queen's way, and the coin that moves.
    assert!(board("/play?game=wythoff&at=7,6&hints=hint").contains("class=\"look\""));
    let coin = board("/play?game=silver-dollar&at=2,5,6,10&hints=hint");
    assert_eq!(coin.matches("<g class=\"look\">").count(), 1, "{coin}");
}

/// Graphs, sheets and cards are drawn, and each move is made on them: on the nodes and edges, on
/// the lines from both ends, on the cards.
#[test]
fn moves_on_graphs_sheets_and_cards_are_touched_on_the_board() {
    let board = |uri: &str| {
        let text = page(uri);
        let from = text.find("id=\"board\"").unwrap();
        text[from..from + text[from..].find("</svg>").unwrap()].to_owned()
    };
    for (game, at, links, label) in [
        ("node-kayles", "1-2,2-3,3-4,4-5,7", 6, "take node 3 with its neighbours"),
        ("arc-kayles", "1-2,2-3,3-4,4-1,4-5", 5, "take the edge between 4 and 5"),
        ("geography", "1;1-2,1-3,3-4", 2, "move the token to 3"),
        ("directed-geography", "1;1>2,2>3,3>1,1>4", 2, "move the token to 4"),
        ("edge-geography", "1;1-2,2-3,3-1", 2, "move the token to 2"),
        ("green-hackenbush", "0-1,1-2,1-3,0-4", 4, "cut the edge from the ground to 1"),
        ("red-blue-hackenbush", "LRL,RR", 2, "cut the edge between 2 and 3"),
        ("graph-chomp", "1-2,2-3,3-1,3-4", 8, "take node 4"),
        ("poset-game", "1<3,2<3,2<4", 4, "take node 2"),
        ("euclid", "25,7", 3, "cut 14 columns off the 7 by 25 sheet"),
        ("euclid", "8,4", 2, "take all of the 4 by 8 sheet"),
        ("chocolate-bar", "[[2,3]]", 3, "cut the 2 by 3 sheet after column 1"),
        ("sylver", "7,4", 5, "choose 3"),
        ("permutation-game", "3,1,2", 3, "choose 1"),
        ("thirty-one", "31", 6, "choose 6"),
        ("clobber", "LRL/RLR", 7, "move L from row 1, column 1 to row 1, column 2"),
    ] {
        let found = board(&format!("/play?game={game}&at={}", encoded(at)));
        assert_eq!(found.matches("<a ").count(), links, "{game} at {at}: {found}");
        assert!(found.contains(&format!("aria-label=\"{label}\"")), "{game}: {label}: {found}");
    }
    // What is left keeps its place, and what the last move took is drawn in dashes.
    let place = |found: &str| {
        let before = &found[..found.find(">5</text>").unwrap()];
        let node = &before[before.rfind("<text ").unwrap()..];
        node[..node.find(" font-size").unwrap()].to_owned()
    };
    let start = "/play?game=node-kayles&you=both&line=";
    let (whole, later) = ("[[1,2],[2,3],[3,4],[4,5]]", "[[4,5]]");
    let first = board(&format!("{start}{}", encoded(whole)));
    let second = board(&format!("{start}{}~{}", encoded(whole), encoded(later)));
    assert_eq!(place(&first), place(&second));
    assert!(second.contains("stroke-dasharray") && !first.contains("stroke-dasharray"));
    // A hint marks two moves, of which one wins.
    let hint = board("/play?game=node-kayles&hints=hint");
    assert_eq!(hint.matches("class=\"look\"").count(), 2, "{hint}");
}

/// Moves and Bouton's replies are shown in words.
#[test]
fn moves_are_told_in_words() {
    let kotzig = page("/play?game=Gamma(1,4;13)&hints=on");
    assert!(kotzig.contains("move 4 on, to cell 4"), "{kotzig}");
    assert!(!kotzig.contains("0 → 4"), "{kotzig}");
    let dots = page("/play?game=dots(1x2)&hints=on");
    assert!(dots.contains("aria-label=\"draw AB"), "{dots}");
    for (game, told) in [
        ("nim&line=3,4,5~1,4,5~1,4,3", "took 2 from the third heap"),
        ("geography&line=[1,[[1,2],[1,3],[3,4]]]~[3,[[3,4]]]~[4,[]]", "moved the token to 4"),
        ("euclid&line=25,7~11,7~4,7", "cut 7 columns off the 7 by 11 sheet"),
        (
            "toads-and-frogs&line=left:TT.FF~right:T.TFF~left:TFT.F",
            "moved F from square 4 to square 2",
        ),
    ] {
        let page = page(&format!("/play?game={game}"));
        assert!(page.contains(told), "{game}: {told}: {page}");
    }
}

#[test]
fn worksheets_are_made_of_games_that_begin_at_a_position() {
    for game in ["chomp", "silver-dollar", "turning-turtles", "euclid"] {
        let sheet = page(&format!("/worksheet?game={game}&seed=7&count=4"));
        assert!(sheet.matches("Won or lost?").count() >= 2, "{game}: {sheet}");
    }
}

/// Every empty square that a coin reaches is a link, and no other one: of 1, 3, 5, 8 without jumps
/// these are 0, 2, 4, 6 and 7.
#[test]
fn coins_on_a_strip_and_coins_that_are_turned_are_touched_on_the_board() {
    let board = |uri: &str| {
        let text = page(uri);
        let from = text.find("id=\"board\"").unwrap();
        text[from..from + text[from..].find("</svg>").unwrap()].to_owned()
    };
    let strip = board("/play?game=silver-dollar&at=1,3,5,8");
    for (from, to) in [(1, 0), (3, 2), (5, 4), (8, 6), (8, 7)] {
        let label = format!("aria-label=\"move a coin from {from} to {to}\"");
        assert!(strip.contains(&label), "{label}: {strip}");
    }
    assert_eq!(strip.matches("<a ").count(), 5, "{strip}");
    // Heads at 1 and 4: the head at 1 alone; the one at 4 with what is touched to its left, or
    // alone.
    let row = board("/play?game=turning-turtles&at=1,4");
    for turned in ["turn 1", "turn 2, 4", "turn 3, 4", "turn 4"] {
        assert!(row.contains(&format!("aria-label=\"{turned}\"")), "{turned}: {row}");
    }
    assert_eq!(row.matches("<a ").count(), 4, "{row}");
}
