//! The pages on which to play, look and understand, and their JSON API: a request in, an answer
//! out. No theory here: every answer comes from another crate. No sockets, threads or files either:
//! the crate `bouton-server` has those, and anything else that can hand over an address may show
//! the pages.
//!
//! An address holds the whole state of a game in course; nothing is kept between requests but
//! verdicts on published claims. Pages are HTML that works without scripts; the one script swaps
//! pages in place, keeps the focus and speaks.
//!
//! ```
//! use bouton_page::{Request, Site};
//! use bouton_core::Budget;
//!
//! let site = Site::default();
//! let request = Request::new("/play", "game=nim&at=1,3,5&hints=on");
//! let response = site.answer(&request, &Budget::default());
//! assert_eq!(response.status.code(), 200);
//! assert!(String::from_utf8_lossy(&response.body).contains("nim-value *7"));
//! ```
//!
//! Each layer uses those below it alone:
//!
//! | | |
//! |---|---|
//! | `routes` | which page or answer an address is |
//! | `pages`, `api` | one page a file; JSON |
//! | `frame`, `preview`, `table`, `tree` | parts of several pages |
//! | `guess`, `link_parameters`, `own_rules`, `qr`, `site`, `verdicts` | what several pages ask |
//! | `playthrough` | a game in course |
//! | `request`, `request_error`, `response` | what goes in and out |

mod api;
mod frame;
mod guess;
mod link_parameters;
mod own_rules;
mod pages;
mod playthrough;
#[cfg(feature = "png")]
mod preview;
mod qr;
mod request;
mod request_error;
mod response;
mod routes;
mod site;
mod table;
mod tree;
mod verdicts;

pub use request::Request;
pub use response::{Response, Status};
pub use routes::{Cost, Event, Progress, refuse, takes_sent};
pub use site::Site;
