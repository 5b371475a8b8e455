//! What a search engine and the preview of a link say of a page: title, description and a picture.
//!
//! `assets/pages.tsv` has a title and a description for each address; `cargo xtask site` reads it,
//! too. A page about a position shows its board, any other page the picture of the first page.

use crate::frame::Content;
use crate::request::{Request, encoded};
use maud::{Markup, html};

/// Address, title and description, apart by tabs, one page a line.
const PAGES: &str = include_str!("../assets/pages.tsv");

/// The picture of pages that are not about a position: 1200 × 630.
#[cfg(any(test, feature = "assets"))]
pub(crate) const PICTURE: &[u8] = include_bytes!("../assets/preview.png");

/// Pages about a position, and about a table.
const ABOUT_POSITION: [&str; 4] = ["/play", "/move", "/why", "/strategy"];
const ABOUT_TABLE: &str = "/table";

/// Returns the description of the page at a path.
fn description(path: &str) -> Option<&'static str> {
    PAGES.lines().find_map(|line| {
        let mut parts = line.split('\t');
        (parts.next() == Some(path)).then(|| parts.nth(1)).flatten()
    })
}

/// Returns the address of the picture of a page.
fn picture(request: &Request) -> String {
    let kept = |names: &[&str]| {
        let given = names.iter().map(|name| (name, request.get(name)));
        let given = given.filter(|(_, value)| !value.is_empty());
        given
            .map(|(name, value)| format!("{name}={}", encoded(value)))
            .collect::<Vec<_>>()
            .join("&")
    };
    let path = request.path();
    match request.get("game") {
        "" => "/assets/preview.png".into(),
        _ if ABOUT_POSITION.contains(&path) => {
            format!("/picture/board.png?{}", kept(&["game", "at", "line", "misere", "rules"]))
        }
        _ if path == ABOUT_TABLE => {
            let names = ["game", "at", "to", "x", "y", "of", "misere", "repeats", "rules"];
            format!("/picture/table.png?{}", kept(&names))
        }
        _ => "/assets/preview.png".into(),
    }
}

/// Returns what is said of a page in its head; `None` if its address has no description.
pub(crate) fn head_tags(page: &Content, request: &Request) -> Option<Markup> {
    let description = description(request.path())?;
    Some(html! {
        meta name="description" content=(description);
        meta property="og:site_name" content="Bouton";
        meta property="og:title" content={ (page.title) " – Bouton" };
        meta property="og:description" content=(description);
        meta property="og:type" content="website";
        meta property="og:image" content={ (request.origin()) (picture(request)) };
        meta name="twitter:card" content="summary_large_image";
        @if page.main.0.contains("<math") {
            link rel="preload" href="/assets/math.woff2" as="font" type="font/woff2" crossorigin;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::response::Response;
    use crate::site::Site;
    use bouton_core::Budget;

    #[test]
    fn each_page_has_a_description_of_its_own_and_a_picture_that_is_there() {
        let site = Site::default();
        let ask =
            |path: &str, query: &str| site.answer(&Request::new(path, query), &Budget::default());
        let body = |response: Response| String::from_utf8(response.body).unwrap_or_default();
        let content = |page: &str, name: &str| {
            let tag = format!("\"{name}\" content=\"");
            page.split_once(&tag)
                .and_then(|(_, rest)| rest.split('"').next())
                .unwrap_or_default()
                .to_owned()
        };
        let mut seen = Vec::new();
        for (path, query) in [
            ("/", ""),
            ("/learn", ""),
            ("/research", ""),
            ("/ledger", ""),
            ("/rules", "where=one&of=1&take=1,2"),
            ("/play", "game=nim&at=1,2,4"),
            ("/why", "game=wythoff&at=3,4"),
            ("/table", "game=wythoff&at=x,y&to=5"),
        ] {
            let page = body(ask(path, query));
            let description = content(&page, "description");
            assert!(
                description.len() > 50 && !seen.contains(&description),
                "{path}: {description}"
            );
            assert_eq!(description, content(&page, "og:description"), "{path}");
            assert!(content(&page, "og:title").ends_with(" – Bouton"), "{path}");
            seen.push(description);
            let picture = content(&page, "og:image").replace("&amp;", "&");
            let (path, query) = picture.split_once('?').unwrap_or((&picture, ""));
            let picture = ask(path, query);
            assert_eq!(
                (picture.status.code(), picture.header("content-type")),
                (200, Some("image/png"))
            );
            assert_eq!(picture.body[1..4], *b"PNG", "{path}");
        }
        let request = Request::new("/", "").at_origin("http://example.org".into());
        let page = body(site.answer(&request, &Budget::default()));
        assert_eq!(content(&page, "og:image"), "http://example.org/assets/preview.png");
        // A title with signs of markup stays text.
        let page = body(ask("/games", "q=%22%3E%3Cb%3E"));
        assert!(!page.contains("\"><b>"), "{page}");
    }

    #[test]
    fn the_picture_has_the_size_that_previews_ask_for() {
        let number =
            |at: usize| PICTURE[at..at + 4].iter().fold(0u32, |n, byte| n << 8 | u32::from(*byte));
        assert_eq!((number(16), number(20)), (1200, 630));
    }
}
