//! The page that leads to everything computed, proved and published.

use super::Page;
use super::study::examples;
use crate::request::Request;
use crate::response::Response;
use crate::site::Site;
use bouton_core::Budget;
use maud::html;

/// The pages behind the door: address, title, and what each is for.
const PAGES: [(&str, &str, &str); 7] = [
    (
        "/table",
        "Tables",
        "Who wins, and nim-values, over two heap sizes. Patterns show at once; a click plays a \
         position.",
    ),
    (
        "/prove",
        "Prove",
        "Guess which positions are lost, as a formula. It is proved for all sizes, or you get the \
         least position that refutes it.",
    ),
    (
        "/ledger",
        "Published claims",
        "What the literature claims, each claim computed again, with a verdict. The refuted ones \
         come first.",
    ),
    ("/literature", "Literature", "Games of papers and books, with their rules and sources."),
    (
        "/rules",
        "A game of your own",
        "Write rules as a formula; the losing positions appear as you type.",
    ),
    ("/check", "Check a certificate", "An independent checker reads the proof of a theorem."),
    (
        "/words",
        "Words",
        "P-position, nim-value, octal code and the other words of the field, each with an example.",
    ),
];

pub(crate) fn page(_: &Site, _: &Request, _: &Budget) -> Page {
    let body = html! {
        h1 { "Rules in, theorem out" }
        section.theory aria-label="Study" {
            p { "Type a game. Its losing positions are computed, a form for them is guessed, \
                tried on a larger table, and proved for all sizes, with a certificate that an \
                independent program checks." }
            form.line action="/study" method="get" {
                label { "Game " input name="game" value="CN(6,3)" required autocomplete="off"
                    spellcheck="false"; }
                button.main { "Study" }
            }
            (examples())
        }
        div.families.research {
            @for (href, title, about) in PAGES { section.family { h2 { a href=(href) { (title) } }
                p { (about) } } }
        }
    };
    Ok(Response::page("Research", body))
}
