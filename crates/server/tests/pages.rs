//! The router without a network: pages, answers, manners.
#![allow(clippy::unwrap_used, reason = "a test")]

use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use bouton_games::FAMILIES;
use bouton_server::{Limits, router};
use http_body_util::BodyExt;
use serde_json::Value;
use std::time::Duration;
use tower::ServiceExt;

fn limits() -> Limits {
    Limits { jobs: 2, ..Limits::default() }
}

async fn get(uri: &str) -> Response<Body> {
    ask("GET", uri).await
}

async fn ask(method: &str, uri: &str) -> Response<Body> {
    let request = Request::builder().method(method).uri(uri).body(Body::empty()).unwrap();
    router(limits()).oneshot(request).await.unwrap()
}

async fn body(response: Response<Body>) -> Vec<u8> {
    response.into_body().collect().await.unwrap().to_bytes().to_vec()
}

async fn page(uri: &str) -> String {
    let response = get(uri).await;
    assert_eq!(response.status(), StatusCode::OK, "{uri}");
    String::from_utf8(body(response).await).unwrap()
}

async fn json(uri: &str) -> Value {
    serde_json::from_str(&page(uri).await).unwrap()
}

fn encoded(text: &str) -> String {
    text.bytes().map(|b| format!("%{b:02X}")).collect()
}

#[tokio::test]
async fn the_first_page_lists_every_family_and_is_small() {
    let text = page("/").await;
    for family in FAMILIES {
        assert!(text.contains(&format!("<h3>{}</h3>", family.name)), "{}", family.name);
    }
    let assets = ["/assets/style.css", "/assets/bouton.js", "/assets/icon.svg"];
    let mut bytes = text.len();
    for asset in assets {
        assert!(text.contains(asset));
        bytes += page(asset).await.len();
    }
    assert!(bytes <= 50_000, "{bytes} bytes");
}

#[tokio::test]
async fn every_example_has_its_pages() {
    for example in FAMILIES.iter().flat_map(|family| family.examples) {
        let query = format!("game={}&at={}", encoded(example.game), encoded(example.position));
        let play = page(&format!("/play?{query}")).await;
        assert!(play.contains("id=\"board\"") && play.contains("role=\"status\""), "{}", example.game);
        assert!(play.contains("/move?"), "{} has no move", example.game);
        page(&format!("/why?{query}")).await;
        page(&format!("/strategy?{query}&size=60&depth=12")).await;
        for kind in ["svg", "png", "tex"] {
            page_bytes(&format!("/picture/board.{kind}?{query}")).await;
        }
        page(&format!("/data/moves.csv?{query}")).await;
        page(&format!("/data/cite.bib?{query}")).await;
    }
}

async fn page_bytes(uri: &str) -> Vec<u8> {
    let response = get(uri).await;
    assert_eq!(response.status(), StatusCode::OK, "{uri}");
    body(response).await
}

/// Follows the winner's links to the end: the page never lets a won game slip, and its addresses always lead on.
#[tokio::test]
async fn a_game_by_links_alone() {
    for (game, at) in [
        ("nim", "1,3,4"),
        ("Gamma(1,4;8)", ""),
        ("kayles", "7"),
        ("CN(3,2)", "0,1,2"),
        ("NIM(1,3,4;n;d,e)", "14,9,6"),
    ] {
        let mut at_page = format!("/play?game={}&at={}", encoded(game), encoded(at));
        let start = json(&format!("/api/solve?game={}&position={}", encoded(game), encoded(at))).await;
        assert_eq!(start["outcome"], "N", "{game} {at}");
        for _ in 0..40 {
            let text = page(&at_page).await;
            if text.contains("The game is over") {
                assert!(text.contains("Bouton cannot move. The game is over: You won."), "{at_page}");
                at_page.clear();
                break;
            }
            assert!(text.contains("Your turn."), "{at_page}");
            // Winning moves come first.
            let list = text.split("<ol>").nth(1).unwrap();
            let link = list.split("href=\"").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
            assert!(link.starts_with("/move?"));
            let moved = get(&link).await;
            assert_eq!(moved.status(), StatusCode::SEE_OTHER, "{link}");
            at_page = moved.headers()["location"].to_str().unwrap().to_owned();
        }
        assert!(at_page.is_empty(), "{game} did not end");
    }
}

#[tokio::test]
async fn typed_moves_and_slips() {
    let nim = format!("/move?game=nim&line={}", encoded("1,3,5"));
    for typed in ["1,3,2", "5 → 2", "1, 3, 2"] {
        let moved = get(&format!("{nim}&to={}", encoded(typed))).await;
        assert_eq!(moved.status(), StatusCode::SEE_OTHER, "{typed}");
    }
    let slip = get(&format!("{nim}&to={}", encoded("9,9,9"))).await;
    assert_eq!(slip.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let text = String::from_utf8(body(slip).await).unwrap();
    assert!(text.contains("is no move here") && text.contains("id=\"board\""));
}

/// The opponent's mistakes depend on the address alone, and happen as often as asked for.
#[tokio::test]
async fn mistakes_are_made_as_asked() {
    let mut lost = 0;
    for k in 1..=40u32 {
        // The visitor has just moved to a won position of the opponent's.
        let uri = |slips: u32| {
            format!("/move?game=nim&you=second&slips={slips}&line={}", encoded(&format!("{k},{}", k + 3)))
        };
        let perfect = get(&uri(0)).await.headers()["location"].to_str().unwrap().to_owned();
        assert!(
            perfect.contains(&format!("~{k}%2C{k}")) || perfect.contains(&format!("~{k},{k}")),
            "{perfect}"
        );
        let bad = get(&uri(100)).await.headers()["location"].to_str().unwrap().to_owned();
        assert!(!bad.contains(&format!("~{k},{k}&")), "{bad}");
        let half = get(&uri(50)).await.headers()["location"].to_str().unwrap().to_owned();
        assert_eq!(half, get(&uri(50)).await.headers()["location"].to_str().unwrap());
        lost += u32::from(!half.contains(&format!("~{k},{k}&")));
    }
    assert!((8..=32).contains(&lost), "{lost} of 40");
}

#[tokio::test]
async fn hints_can_be_hidden() {
    let shown = page("/play?game=nim&at=1,3,5").await;
    let hidden = page("/play?game=nim&at=1,3,5&hints=off").await;
    assert!(shown.contains("nim-value *7") && !hidden.contains("nim-value *7"));
    assert!(
        shown.contains("class=\"good\"")
            && !hidden.contains("class=\"good\"")
            && !hidden.contains("class=\"bad\"")
    );
    assert!(!hidden.contains(". P *0") && !hidden.contains(". N *"));
}

#[tokio::test]
async fn why_answers_every_option_and_fills_in_the_form() {
    let lost = page("/why?game=CN(4,2)&at=1,2,1,2").await;
    assert!(lost.contains("has an answer") && !lost.contains("unknown"));
    assert!(lost.contains("holds: P."), "the published form");
    let won = page("/why?game=nim(3)&at=1,3,5").await;
    assert!(won.contains("*1 (from 1) ⊕ *3 (from 3) ⊕ *5 (from 5) = <strong>*7</strong>"));
    assert!(won.contains("fails, in every image of the position: N."));
    // NIM with Cash has a condition for the whole game: 14 stones, 9 dollars each.
    let cash = page("/why?game=NIM(1,3,4;n;d,e)&at=14,9,9").await;
    assert!(cash.contains("c = 9 + 9 + 1 - 14 = 5.") && cash.contains("So the mover wins: N."), "{cash}");
    let many = page("/why?game=NIM(1,3,4;n;d,e)&at=14,inf,2").await;
    assert!(many.contains("n = 14, d = 14, e = 2"), "{many}");
    // Row K2: Γ(1,3;n) is P iff n ≡ 1, 3 (mod 6).
    let circle = page("/why?game=Gamma(1,3;13)").await;
    assert!(circle.contains("13 mod 6 = 1 | 13 mod 6 = 3") && circle.contains("which holds: P."), "{circle}");
}

/// A click on a cell of the picture leads to the board with these numbers.
#[tokio::test]
async fn a_click_on_the_table() {
    // The cell x = 3, y = 5 of 25 × 25 cells of 22 pixels that begin at 48, 30.
    let (x, y) = (48 + 3 * 22 + 11, 30 + (24 - 5) * 22 + 11);
    let jump = get(&format!("/table/at?game=wythoff&at=x,y&to=24&cell.x={x}&cell.y={y}")).await;
    assert_eq!(jump.status(), StatusCode::SEE_OTHER);
    assert_eq!(jump.headers()["location"], "/play?game=wythoff&at=3,5");
    let typed = get("/table/at?game=wythoff&at=x,y&to=24&column=3&row=5").await;
    assert_eq!(typed.headers()["location"], "/play?game=wythoff&at=3,5");
    assert_eq!(get("/table/at?game=wythoff&at=x,y").await.status(), StatusCode::BAD_REQUEST);
    assert!(page("/table?game=wythoff&at=x,y&of=nim-value&to=60").await.contains("type=\"image\""));
    assert!(page("/table?game=kayles&at=x&of=nim-value&to=60").await.contains("/picture/table.png"));
}

#[tokio::test]
async fn guesses_are_settled() {
    let proved = page(&format!("/prove?game=CN(4,2)&claim={}", encoded("a = c & b = d"))).await;
    assert!(proved.contains("<strong>Proved</strong>"));
    let refuted = page(&format!("/prove?game=wythoff&claim={}", encoded("a = b"))).await;
    assert!(
        refuted.contains("<strong>Refuted.</strong>") && refuted.contains("/play?game=wythoff&amp;at=1,1"),
        "{refuted}"
    );
    assert!(
        refuted.contains("<figure>") && refuted.contains("by the rules alone"),
        "the board of the counterexample"
    );
    // Row S1: SCN(4,2) needs a form for three heaps; only with it there is a proof, and the checker takes it.
    let shrinking = format!("game={}&claim={}", encoded("SCN(4,2)"), encoded("a=c & b=d & a!=b"));
    assert!(!page(&format!("/prove?{shrinking}")).await.contains("<strong>Proved</strong>"));
    let smaller = format!("{shrinking}&smaller={}", encoded("3: a=b=c"));
    assert!(page(&format!("/prove?{smaller}")).await.contains("<strong>Proved</strong>"));
    let certificate = page(&format!("/data/proof.cert?{smaller}")).await;
    assert!(bouton_check::check(&certificate).is_ok());
    assert_eq!(
        get("/data/proof.cert?game=wythoff&claim=a%3Db").await.status(),
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let slip = page(&format!("/prove?game=wythoff&claim={}", encoded("a = z"))).await;
    assert!(slip.contains("<mark>z</mark>"));
}

#[tokio::test]
async fn the_ledger_settles_rows() {
    let all = page("/ledger").await;
    let claims = bouton_ledger::claims().unwrap();
    assert!(claims.iter().all(|c| all.contains(&format!("<code>{}</code>", c.game.replace('>', "&gt;")))));
    let proved = page(&format!("/ledger/claim?id=C4&game={}", encoded("CN(4,2)"))).await;
    assert!(proved.contains("<strong>proved</strong>") && proved.contains("bouton prove 'CN(4,2)'"));
    let some = page("/ledger?examine=more").await;
    assert!(!some.contains(&format!(">0 of {} examined", claims.len())), "nothing was examined");
    let holds = page("/ledger/claim?id=K5").await;
    assert!(holds.contains("<strong>holds</strong>") && holds.contains("bouton ledger --verify --id K5"));
    assert_eq!(get("/ledger/claim?id=Z99").await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn every_page_and_answer_has_the_policies() {
    for uri in [
        "/",
        "/play?game=nim&at=1,2",
        "/api/games",
        "/nowhere",
        "/api/solve?game=bridge",
        "/assets/bouton.js",
        "/../Cargo.toml",
        "/assets/../../Cargo.toml",
        "/assets/%2e%2e/Cargo.toml",
    ] {
        let response = get(uri).await;
        let policy = response.headers()["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{uri}");
        assert_eq!(response.headers()["x-content-type-options"], "nosniff");
    }
    let text = page("/play?game=nim&at=1,3,5").await;
    assert!(!text.contains(" style=\"") && !text.contains("<style") && !text.contains(" onclick="));
    // Nothing comes from elsewhere.
    assert!(!text.contains("src=\"http") && !text.contains("href=\"http"));
}

#[tokio::test]
async fn what_is_typed_is_never_markup() {
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
        let text = String::from_utf8(body(get(&uri).await).await).unwrap();
        assert!(!text.contains("<script>alert"), "{uri}");
    }
}

/// Bad input is refused with 4xx; huge boards end in a verdict "unknown" within the budget; the router goes on.
#[tokio::test]
async fn hostile_input() {
    let long = "9".repeat(30_000);
    let deep = "(".repeat(1500) + "a = a" + &")".repeat(1500);
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
        "/play?game=nim&at=99999999999".into(),
        "/play?game=CN(0,0)&at=1".into(),
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
    for uri in &refused {
        let response = get(uri).await;
        assert!(response.status().is_client_error(), "{} {}", response.status(), &uri[..uri.len().min(80)]);
    }
    assert_eq!(ask("POST", "/play?game=nim&at=1,2").await.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(ask("DELETE", "/").await.status(), StatusCode::METHOD_NOT_ALLOWED);
}

/// Positions too large to solve or to list are answered, as unknown, within the budget.
#[tokio::test(flavor = "multi_thread")]
async fn huge_boards_end_with_the_budget() {
    let small = Limits { time: Duration::from_millis(200), bytes: 64 << 20, ..limits() };
    let huge = [
        ("nim", "4294967295,4294967295,4294967294".to_owned()),
        ("CN(15,14)", ["1000000000"; 15].join(",")),
        ("CN(12,6)", ["9"; 12].join(",")),
        ("SCN(15,7)", ["400"; 15].join(",")),
        ("moore(6)", ["4000000000"; 30].join(",")),
        ("wythoff", "4294967295,4294967295".into()),
        ("kayles", "4294967295".into()),
        ("0.[9][9]", "4000000000,7".into()),
        ("Gamma(1,2,3,5,7,11;256)", "0/0".into()),
        ("NIM(1,7,1000000;n;d,e)", "1000000000000,inf,999999999".into()),
        ("dots(7x7)", String::new()),
        ("nim", ["1"; 4000].join(",")),
        ("nim", ["1"; 2000].join(",")),
        ("moore(2)", ["400"; 30].join(",")),
        ("nim + CN(15,9)", format!("7 + {}", ["50"; 15].join(","))),
        ("kayles + nim + wythoff", "4000000000 + 4000000000 + 4000000000,4000000000".into()),
    ];
    for (game, at) in huge {
        for (play, misere) in [("normal", ""), ("misère", "&misere=1")] {
            let position = if at.len() < 3000 { encoded(&at) } else { at.clone() };
            let uri = format!("/play?game={}&at={position}{misere}", encoded(game));
            let request = Request::builder().uri(&uri).body(Body::empty()).unwrap();
            let answered =
                tokio::time::timeout(Duration::from_secs(20), router(small.clone()).oneshot(request));
            let response = answered.await.unwrap_or_else(|_| panic!("{game} {play} is stuck")).unwrap();
            let status = response.status();
            assert!(status.is_success() || status.is_client_error(), "{game} {play}: {status}");
        }
    }
}

/// A summand's options come in pieces; none is left out, none comes twice.
#[tokio::test]
async fn every_option_of_a_long_heap_in_a_sum() {
    let found =
        json(&format!("/api/solve?game={}&position={}", encoded("nim + nim"), encoded("9000 + 0"))).await;
    let to: std::collections::BTreeSet<&str> =
        found["moves"].as_array().unwrap().iter().map(|m| m["to"].as_str().unwrap()).collect();
    assert_eq!((to.len(), found["moves"].as_array().unwrap().len()), (9000, 9000));
    assert!(to.contains("0 + 0") && to.contains("8999 + 0"));
}

/// Many askers of dear questions: some are answered, the others refused; nothing waits for ever.
#[tokio::test(flavor = "multi_thread")]
async fn floods_are_refused() {
    let app = router(Limits { jobs: 1, time: Duration::from_millis(300), ..limits() });
    let ask = |i: usize| {
        let app = app.clone();
        let uri =
            format!("/api/solve?game={}&position=0/0", encoded(&format!("Gamma(3,5;{})", 200 + i % 50)));
        async move {
            app.oneshot(Request::builder().uri(uri).body(Body::empty()).unwrap()).await.unwrap().status()
        }
    };
    let all: Vec<_> = (0..400).map(|i| tokio::spawn(ask(i))).collect();
    let mut count = [0, 0];
    for task in all {
        match task.await.unwrap() {
            StatusCode::OK => count[0] += 1,
            StatusCode::TOO_MANY_REQUESTS => count[1] += 1,
            other => panic!("{other}"),
        }
    }
    assert!(count[0] > 0 && count[1] > 100, "{count:?}");
    let after = app.oneshot(Request::builder().uri("/").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(after.status(), StatusCode::OK);
}

/// An asker who goes away takes the work along: the place is free again long before the work would end.
#[tokio::test(flavor = "multi_thread")]
async fn dropped_requests_stop_their_work() {
    let app = router(Limits { jobs: 1, time: Duration::from_secs(600), ..limits() });
    let dear = Request::builder()
        .uri(format!("/api/solve?game={}", encoded("Gamma(3,5;251)")))
        .body(Body::empty())
        .unwrap();
    let asked = tokio::time::timeout(Duration::from_millis(200), app.clone().oneshot(dear)).await;
    assert!(asked.is_err(), "the question was not dear enough");
    let cheap = Request::builder().uri("/api/solve?game=nim&position=1,2").body(Body::empty()).unwrap();
    let answer = tokio::time::timeout(Duration::from_secs(30), app.oneshot(cheap)).await.unwrap().unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn long_work_tells_how_it_goes() {
    let text = page("/api/solve/stream?game=nim&position=1,3,5").await;
    assert!(text.contains("event: answer") && text.contains("\"nim_value\":7"), "{text}");
    assert_eq!(get("/api/solve/stream?game=nim&position=x").await.status(), StatusCode::BAD_REQUEST);
    let long = Limits { long: Duration::from_millis(900), ..limits() };
    let uri = format!("/api/solve/stream?game={}", encoded("Gamma(3,5;251)"));
    let response =
        router(long).oneshot(Request::builder().uri(uri).body(Body::empty()).unwrap()).await.unwrap();
    let text = String::from_utf8(body(response).await).unwrap();
    assert!(
        text.contains("event: progress") && text.contains("event: answer") && text.contains("unknown"),
        "{text}"
    );
}

/// Every path that the OpenAPI document names is there, and asks for what it says.
#[tokio::test]
async fn openapi_tells_the_truth() {
    let document = json("/api/openapi.json").await;
    assert_eq!(document["openapi"], "3.1.0");
    for (path, item) in document["paths"].as_object().unwrap() {
        let required: Vec<&Value> =
            item["get"]["parameters"].as_array().unwrap().iter().filter(|p| p["required"] == true).collect();
        let bare = get(path).await.status();
        assert_eq!(
            bare,
            if required.is_empty() { StatusCode::OK } else { StatusCode::BAD_REQUEST },
            "{path}"
        );
    }
    let error =
        serde_json::from_slice::<Value>(&body(get("/api/solve?game=nim&position=1,x").await).await).unwrap();
    assert_eq!(error["error"]["at"], serde_json::json!([2, 3]));
}
