//! The words of the field, each with an anchor to open on.

use super::Page;
use crate::request::{Request, encoded};
use crate::response::Response;
use crate::site::Site;
use bouton_core::Budget;
use bouton_report::words::WORDS;
use maud::html;

pub(crate) fn page(_: &Site, _: &Request, _: &Budget) -> Page {
    let body = html! {
        h1 { "Words" }
        p { "The same texts answer " code { "bouton help WORD" } "." }
        dl.words {
            @for word in WORDS {
                dt id=(encoded(word.name)) { (word.name) }
                dd { (word.meaning) br; span.source { (word.example) } }
            }
        }
    };
    Ok(Response::page("Words", body))
}
