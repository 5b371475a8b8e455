//! Is this certificate a proof? The independent checker's answer, and the same theorem as a file
//! for Coq.

use super::Page;
use crate::request::{Request, encoded};
use crate::request_error::RequestError;
use crate::response::Response;
use crate::site::Site;
use bouton_check::{Accepted, Limits, Rejected, check_limited};
#[cfg(feature = "coq")]
use bouton_coq::is_exported;
use bouton_core::Budget;
use maud::{Markup, html};

/// Bytes that a check may hold.
const BYTES: usize = 256 << 20;

/// The longest certificate that is written down for Coq within a request.
const FOR_COQ: usize = 200_000;

pub(crate) fn page(_: &Site, request: &Request, budget: &Budget) -> Page {
    // Fields of forms have their lines ended in another way.
    let certificate = request.get("certificate").replace("\r\n", "\n");
    let checked = (!certificate.trim().is_empty()).then(|| {
        let limits = Limits { bytes: BYTES, ..Limits::default() };
        check_limited(&certificate, &limits, &mut || budget.interrupted().is_none())
    });
    if request.get("for") == "coq"
        && let Some(Ok(_)) = checked
    {
        return for_coq(&certificate);
    }
    let shown = if checked.is_some() { certificate.as_str() } else { EXAMPLE };
    let body = html! {
        h1 { "Check a certificate" }
        p { "A certificate holds a whole proof. The checker that reads it shares no code with \
            what finds proofs, and says what exactly has been proved; " code { "bouton check FILE" }
            " is the same checker. Nothing is kept." }
        div.editor {
        form.check.editing #check action="/check" method="post" data-result="result" {
            label { "The certificate " textarea #certificate name="certificate" rows="18"
                required autocomplete="off" spellcheck="false" placeholder="bouton certificate 2 …"
                    { (shown) } }
            p.acts {
                label.file hidden { "or a file " input #file type="file" accept=".cert,text/plain";
                    }
                button.main { "Check" }
            }
        }
        div {
        div #result role="status" aria-live="polite" {
            @match &checked {
                None => p { "The certificate here is an example: check it, change a sign of it \
                    and check it again, or put your own in its place." }
                Some(Ok(accepted)) => (description(accepted, &certificate)),
                Some(Err(rejected)) => (refused(rejected, &certificate)),
            }
        }
        h2 { "Where they come from" }
        p { "A " a href="/study" { "study" } " that ends in a theorem hands its certificate over; \
            so does " a href="/prove" { "a claim that is proved" }
            ". On the command line: " code { "bouton study 'CN(6,3)' --certificate cn63.cert" }
                "." }
        h2 { "What is in them" }
        p { "A certificate on P-positions first names the game and the claim for heaps of all \
            sizes. The rest shows that no move leads from a claimed position to another, and that \
            from every other position a move leads to a claimed one. Each line follows from those \
            before it by a fixed rule, so that nothing has to be searched or trusted." }
        } }
    };
    Ok(Response::page("Check a certificate", body))
}

/// The certificate that the page opens on, of Circular Nim CN(3,2).
const EXAMPLE: &str = include_str!("../../assets/example.cert");

fn description(accepted: &Accepted, certificate: &str) -> Markup {
    let for_coq = is_exported(&accepted.kind);
    html! {
        p { strong.good { "✓ Accepted." } " " (accepted.theorem) }
        dl.notation {
            dt { "Game" } dd { code { (accepted.game) } }
            dt { "Claim" } dd { code { (accepted.claim) } }
            dt { "Kind of proof" } dd { (accepted.kind) }
            dt { "Checked" } dd { (accepted.work) }
        }
        @if for_coq && certificate.len() <= FOR_COQ {
            form action="/check" method="post" {
                input type="hidden" name="certificate" value=(certificate);
                input type="hidden" name="for" value="coq";
                p.acts { button { "The theorem for \
                    Coq" } a.button href={ "/study?game=" (encoded(&accepted.game)) }
                    { "Study the game" } }
            }
        }
    }
}

/// Shows the lines about the one at fault.
fn refused(rejected: &Rejected, certificate: &str) -> Markup {
    let about = rejected.line.saturating_sub(2)..rejected.line + 1;
    let lines = certificate.lines().enumerate().skip(about.start).take(about.len());
    html! {
        @if rejected.reason.is_verdict() {
            p { strong.bad { "✗ Rejected." } " " @if rejected.line > 0 {
                "Line " (rejected.line) ": " } (rejected.reason) "." }
        } @else {
            p { strong { "Unknown." } " " (rejected.reason) ". On the command line a check may \
                take as long as you let it: " code { "bouton check FILE --seconds 600" } "." }
        }
        @if rejected.line > 0 {
            pre { @for (i, line) in lines { span.(if i + 1 == rejected.line { "bad" }
                else { "to" }) { (format!("{:>6}  {}\n", i + 1, cut(line))) } } }
        }
    }
}

/// Returns the beginning of a line.
fn cut(line: &str) -> String {
    const MAX_CHARACTERS: usize = 100;
    let more = line.chars().count() > MAX_CHARACTERS;
    line.chars().take(MAX_CHARACTERS).chain(more.then_some('…')).collect()
}

fn for_coq(certificate: &str) -> Page {
    if certificate.len() > FOR_COQ {
        return Err(RequestError::bad(format!(
            "certificates of at most {FOR_COQ} characters are written for Coq here; bouton prove \
             GAME --claim FORM --export coq=FILE.v"
        )));
    }
    theorem(certificate)
}

#[cfg(feature = "coq")]
fn theorem(certificate: &str) -> Page {
    let text = bouton_coq::export(certificate)
        .map_err(|why| RequestError::bad(format!("no theorem for Coq: {why}")))?;
    Ok(Response::text("text/plain", text)
        .with("content-disposition", "attachment; filename=\"theorem.v\"".into()))
}

#[cfg(not(feature = "coq"))]
fn is_exported(_: &str) -> bool {
    false
}

#[cfg(not(feature = "coq"))]
fn theorem(_: &str) -> Page {
    Err(RequestError::bad(
        "theorems for Coq are written by bouton prove GAME --claim FORM --export coq=FILE.v",
    ))
}
