//! The router without a network: limits, floods, cancellation, streams and the headers of every
//! answer.
#![allow(clippy::unwrap_used, reason = "a test")]

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use bouton_page::Site;
use bouton_server::{Limits, router};
use http_body_util::BodyExt;
use std::time::Duration;
use tower::ServiceExt;

/// A limit that no machine reaches, for tests that are not about limits.
const A_DAY: Duration = Duration::from_secs(86_400);
/// A time after which a test fails instead of waiting.
const NEVER: Duration = Duration::from_secs(600);
/// A question that takes longer than any test.
const EXPENSIVE: &str = "Gamma(7,10;251)";

fn limits() -> Limits {
    Limits { jobs: 2, time: A_DAY, long: A_DAY, ..Limits::default() }
}

async fn ask_of(app: &Router, uri: &str) -> Response<Body> {
    let request = Request::builder().uri(uri).body(Body::empty()).unwrap();
    app.clone().oneshot(request).await.unwrap()
}

async fn get(uri: &str) -> Response<Body> {
    ask("GET", uri).await
}

async fn ask(method: &str, uri: &str) -> Response<Body> {
    let request = Request::builder().method(method).uri(uri).body(Body::empty()).unwrap();
    router(limits(), Site::default()).oneshot(request).await.unwrap()
}

async fn body(response: Response<Body>) -> Vec<u8> {
    response.into_body().collect().await.unwrap().to_bytes().to_vec()
}

async fn page(uri: &str) -> String {
    let response = get(uri).await;
    assert_eq!(response.status(), StatusCode::OK, "{uri}");
    String::from_utf8(body(response).await).unwrap()
}

fn encoded(text: &str) -> String {
    text.bytes().map(|b| format!("%{b:02X}")).collect()
}

#[tokio::test]
async fn texts_are_compressed_for_those_who_ask_and_streams_are_not() {
    for (uri, expected) in [
        ("/", Some("gzip")),
        ("/assets/style.css", Some("gzip")),
        ("/study/stream?game=CN(4,2)", None),
    ] {
        let request = Request::builder().uri(uri).header("accept-encoding", "gzip");
        let request = request.body(Body::empty()).unwrap();
        let response = router(limits(), Site::default()).oneshot(request).await.unwrap();
        let encoding =
            response.headers().get("content-encoding").map(|value| value.to_str().unwrap());
        assert_eq!(encoding, expected, "{uri}");
        assert!(get(uri).await.headers().get("content-encoding").is_none(), "{uri}");
    }
}

#[tokio::test]
async fn previews_have_whole_addresses() {
    for (host, proto, expected) in [
        (
            "example.org:8000",
            "",
            "\"http://example.org:8000/picture/board.png?game=nim&amp;at=1,2\"",
        ),
        ("example.org", "https", "\"https://example.org/picture/board.png?game=nim&amp;at=1,2\""),
        ("a\"><script>", "", "\"/picture/board.png?game=nim&amp;at=1,2\""),
    ] {
        let request = Request::builder().uri("/play?game=nim&at=1,2").header("host", host);
        let request = request.header("x-forwarded-proto", proto).body(Body::empty()).unwrap();
        let response = router(limits(), Site::default()).oneshot(request).await.unwrap();
        let page = String::from_utf8(body(response).await).unwrap();
        assert!(page.contains(&format!("\"og:image\" content={expected}")), "{host}: {page}");
        assert!(!page.contains("<script>"), "{host}");
    }
}

#[tokio::test]
async fn only_reading_and_short_addresses() {
    for method in ["POST", "DELETE", "PUT", "OPTIONS"] {
        assert_eq!(
            ask(method, "/play?game=nim&at=1,2").await.status(),
            StatusCode::METHOD_NOT_ALLOWED
        );
    }
    assert_eq!(ask("HEAD", "/").await.status(), StatusCode::OK);
    let long = format!("/play?game=nim&at={}", "9".repeat(17_000));
    assert_eq!(get(&long).await.status(), StatusCode::URI_TOO_LONG);
}

#[tokio::test]
async fn one_page_takes_what_a_form_sends() {
    let send = |kind: &'static str, body: String| {
        let request =
            Request::post("/check").header("content-type", kind).body(Body::from(body)).unwrap();
        router(Limits::default(), Site::default()).oneshot(request)
    };
    let form = "application/x-www-form-urlencoded";
    let response = send(form, "certificate=nothing+of+the+kind".into()).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert!(response.headers().contains_key("content-security-policy"));
    assert!(String::from_utf8(body(response).await).unwrap().contains("Rejected."));
    for (kind, body) in [
        ("text/plain", "certificate=x".into()),
        (form, format!("certificate={}", "x".repeat(9 << 20))),
    ] {
        assert_eq!(send(kind, body).await.unwrap().status(), StatusCode::BAD_REQUEST);
    }
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
    // Nothing is loaded from another host.
    assert!(!text.contains("src=\"http") && !text.contains("href=\"http"));
}

/// Positions too large to solve or to list are answered as unknown, within the budget.
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
            let answered = tokio::time::timeout(
                NEVER,
                router(small.clone(), Site::default()).oneshot(request),
            );
            let response =
                answered.await.unwrap_or_else(|_| panic!("{game} {play} is stuck")).unwrap();
            let status = response.status();
            assert!(status.is_success() || status.is_client_error(), "{game} {play}: {status}");
        }
    }
}

/// Of many simultaneous expensive questions some are answered and the others refused; none waits
/// for ever.
#[tokio::test(flavor = "multi_thread")]
async fn floods_are_refused() {
    let app =
        router(Limits { jobs: 1, time: Duration::from_millis(300), ..limits() }, Site::default());
    let ask = |i: usize| {
        let app = app.clone();
        let uri = format!(
            "/api/solve?game={}&position=0/0",
            encoded(&format!("Gamma(7,10;{})", 200 + i % 50))
        );
        async move {
            app.oneshot(Request::builder().uri(uri).body(Body::empty()).unwrap())
                .await
                .unwrap()
                .status()
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
    let after =
        app.oneshot(Request::builder().uri("/").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(after.status(), StatusCode::OK);
}

/// A client that disconnects cancels its work: the permit is free long before the work would end.
#[tokio::test(flavor = "multi_thread")]
async fn dropped_requests_stop_their_work() {
    let app = router(Limits { jobs: 1, ..limits() }, Site::default());
    let dear = format!("/api/solve?game={}", encoded(EXPENSIVE));
    // The work may be at any point by then.
    let asked = tokio::time::timeout(Duration::from_millis(200), ask_of(&app, &dear)).await;
    assert!(asked.is_err(), "the question was not dear enough");
    // Until the work notices the cancellation, other requests are refused because all permits are
    // taken.
    let answered = tokio::time::timeout(NEVER, async {
        loop {
            match ask_of(&app, "/api/solve?game=nim&position=1,2").await.status() {
                StatusCode::TOO_MANY_REQUESTS => {}
                status => return status,
            }
        }
    });
    assert_eq!(answered.await.expect("the place stays taken"), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn long_work_tells_how_it_goes() {
    let text = page("/api/solve/stream?game=nim&position=1,3,5").await;
    assert!(text.contains("event: answer") && text.contains("\"nim_value\":7"), "{text}");
    assert_eq!(
        get("/api/solve/stream?game=nim&position=x").await.status(),
        StatusCode::BAD_REQUEST
    );
    // Progress is reported until there is an answer; if the time runs out, the answer says so.
    let uri = format!("/api/solve/stream?game={}", encoded(EXPENSIVE));
    let mut going = get(&uri).await.into_body();
    let mut events = String::new();
    while !events.contains("event: ") {
        let frame = tokio::time::timeout(NEVER, going.frame()).await.expect("an event in time");
        events += std::str::from_utf8(&frame.unwrap().unwrap().into_data().unwrap()).unwrap();
    }
    assert!(events.contains("event: progress"), "{events}");
    drop(going);
    let short = Limits { long: Duration::from_millis(300), ..limits() };
    let ended =
        String::from_utf8(body(ask_of(&router(short, Site::default()), &uri).await).await).unwrap();
    assert!(ended.contains("event: answer") && ended.contains("\"reason\""), "{ended}");
}
