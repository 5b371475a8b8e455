//! Rules of a game in an address: `rules=` holds the text of a rule file, and every page and
//! answer then knows its game.
//!
//! Nothing is kept between requests, so the links of an answer contain the rules
//! ([`crate::link_parameters`]).

use crate::link_parameters::add_parameter;
use crate::request::{Request, encoded};
use crate::request_error::RequestError;
use crate::response::Response;
use crate::site::Site;
use bouton_core::Budget;
use bouton_engine::family::OwnGame;
use bouton_games::{RuleFile, RuleFileError};
use std::sync::Arc;

/// The parameter's name.
pub(crate) const PARAMETER: &str = "rules";

/// The longest text.
const MAX_RULES_LENGTH: usize = 2000;

/// The longest program, and the longest graph.
const MAX_PROGRAM_LENGTH: usize = 6000;

/// A game that came with a request.
pub(crate) struct OwnRules {
    /// The site that knows it.
    pub site: Site,
    name: String,
    text: String,
}

impl From<RuleFileError> for RequestError {
    fn from(error: RuleFileError) -> RequestError {
        match error {
            RuleFileError::Move(text, error) => RequestError::formula(&text, error),
            other => RequestError::bad(other.to_string()),
        }
    }
}

/// Reads rules that a visitor wrote.
pub(crate) fn read(text: &str, budget: &Budget) -> Result<RuleFile, RequestError> {
    if text.len() > MAX_RULES_LENGTH {
        return Err(RequestError::bad(format!(
            "rules have at most {MAX_RULES_LENGTH} characters here"
        )));
    }
    Ok(RuleFile::parse_within(text, budget)?)
}

/// Refuses a text that is too long.
fn check_length(text: &str, kind: &str) -> Result<(), RequestError> {
    if text.len() > MAX_PROGRAM_LENGTH {
        return Err(RequestError::bad(format!(
            "a {kind} has at most {MAX_PROGRAM_LENGTH} characters here"
        )));
    }
    Ok(())
}

/// Reads a program that a visitor wrote.
#[cfg(feature = "programs")]
fn program(text: &str) -> Result<Arc<dyn OwnGame>, RequestError> {
    check_length(text, "program")?;
    Ok(Arc::new(bouton_program::Program::parse(text, None)?))
}

/// Returns why there are no programs.
#[cfg(not(feature = "programs"))]
fn program(_: &str) -> Result<Arc<dyn OwnGame>, RequestError> {
    Err(RequestError::bad(
        "rules as a program are not available on these pages; `bouton serve` and the command line \
         have them",
    ))
}

impl OwnRules {
    /// Reads the rules that a request brings; `None` if it brings none.
    pub fn from_request(
        site: &Site,
        request: &Request,
        budget: &Budget,
    ) -> Result<Option<OwnRules>, RequestError> {
        let text = request.get(PARAMETER);
        if text.is_empty() {
            return Ok(None);
        }
        let own: Option<Arc<dyn OwnGame>> = if bouton_program::is_program(text) {
            Some(program(text)?)
        } else if bouton_program::is_graph(text) {
            check_length(text, "graph")?;
            Some(Arc::new(bouton_program::Graph::from_text(text)?))
        } else {
            None
        };
        let (name, site) = match own {
            Some(own) => (own.name().to_owned(), site.with_own(own)?),
            None => {
                let rules = read(text, budget)?;
                (rules.name().to_owned(), site.with_rules(rules)?)
            }
        };
        Ok(Some(OwnRules { site, name, text: text.to_owned() }))
    }

    /// Returns the answer with the rules added to whatever it links to about the game: addresses
    /// that name the game, and forms.
    pub fn carried(&self, response: Response) -> Response {
        let named = format!("game={}", encoded(&self.name));
        add_parameter(response, PARAMETER, &self.text, |address| address.contains(&named))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_games::Catalogue;

    const HALVES: &str = "name = \"halves\"\nheaps = 1\nmove = \"p0 <= 2*q0\"\n";

    fn ask(path: &str, more: &str) -> Response {
        let site = Site::new(Catalogue::standard());
        let budget = Budget { bytes: Some(1 << 28), ..Budget::default() };
        site.answer(&Request::new(path, &format!("rules={}{more}", encoded(HALVES))), &budget)
    }

    /// Every link and every form of a game's page leads to a page that knows the game.
    #[test]
    fn what_a_page_links_to_knows_the_rules() {
        let page = String::from_utf8(ask("/play", "&game=halves&at=9").body).unwrap_or_default();
        let links: Vec<&str> =
            page.split(" href=\"/").skip(1).filter_map(|l| l.split('"').next()).collect();
        let about: Vec<&&str> = links.iter().filter(|link| link.contains("game=halves")).collect();
        assert!(about.len() > 5, "{links:?}");
        for link in about {
            let (address, _fragment) = link.split_once('#').unwrap_or((link, ""));
            let (path, query) = address.split_once('?').unwrap_or((address, ""));
            let request = Request::new(&format!("/{path}"), &query.replace("&amp;", "&"));
            assert_eq!(request.get(PARAMETER), HALVES, "{link}");
            let status = Site::default().answer(&request, &Budget::default()).status.code();
            assert!(status < 400, "{status} {link}");
        }
        assert_eq!(page.matches("<form ").count(), page.matches("name=\"rules\"").count());
    }

    #[test]
    fn a_move_leads_on_with_the_rules() {
        let response = ask("/move", "&game=halves&line=9&to=8");
        let to = response.header("location").unwrap_or_default().to_owned();
        let (_, query) = to.split_once('?').unwrap_or_default();
        assert_eq!(Request::new("/play", query).get(PARAMETER), HALVES);
    }

    #[test]
    fn wrong_rules_are_shown_with_their_place() {
        let site = Site::default();
        let ask = |rules: &str| {
            let request =
                Request::new("/api/solve", &format!("game=h&position=3&rules={}", encoded(rules)));
            let answer = site.answer(&request, &Budget::default());
            (answer.status.code(), String::from_utf8(answer.body).unwrap_or_default())
        };
        let (status, text) = ask("name = \"h\"\nheaps = 1\nmove = \"p0 <= 2*\"\n");
        assert_eq!(status, 400);
        assert!(text.contains("\"at\":[8,8]"), "{text}");
        let (status, text) = ask("name = \"nim\"\nheaps = 1\nmove = \"p0 <= 2*q0\"\n");
        assert!(status == 400 && text.contains("the family"), "{text}");
        let (status, text) = ask(&"#".repeat(MAX_RULES_LENGTH + 1));
        assert!(status == 400 && text.contains("at most"), "{text}");
        let (status, text) = ask("name = \"h\"\nheaps = 1\nmove = \"p0 = q0\"\n");
        assert!(status == 400 && text.contains("no position has a move"), "{text}");
        let (status, text) = ask("name = \"h\"\nheaps = 2\nmove = \"q0+q1 = p0\"\n");
        assert!(status == 400 && text.contains("1,0 → 0,1, which raises a heap"), "{text}");
    }
}
