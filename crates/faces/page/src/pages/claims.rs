//! The claims of the literature as a page: every published claim, and what this program makes of it
//! within the budget of a request.

use super::Page;
use crate::api::{Answer, Json};
use crate::request::{Request, encoded};
use crate::request_error::RequestError;
use crate::response::{Response, Status};
use crate::site::Site;
use bouton_core::Budget;
use bouton_literature::Recorded;
use bouton_study::{ClaimStatement, PublishedClaim, VerdictKind};
use maud::{Markup, html};

/// The papers, by the first letter of their rows.
const PAPERS: [(&str, &str); 5] = [
    ("N", "NIM with Cash (Gasarch, Purtilo, Ulrich)"),
    ("C", "Circular Nim (Heubach, Dufour)"),
    ("K", "On Kotzig’s Nim (Tan, Ward)"),
    ("S", "Shrinking Circular Nim"),
    ("M", "Mathematical Games (Michon)"),
];

/// The verdict of the claims that come first.
const REFUTED: VerdictKind = VerdictKind::Refuted;

/// Rows of each paper on the opening page.
const OPENING: usize = 5;

/// What rows of none of the papers are from, and what stands for the letter in an address.
const OTHER_SOURCES: (&str, &str) = ("other", "Other sources");

/// Returns the letter and the title of the paper of a row.
fn paper(id: &str) -> (&'static str, &'static str) {
    PAPERS.into_iter().find(|(letter, _)| id.starts_with(letter)).unwrap_or(OTHER_SOURCES)
}

/// Lists the claims as `bouton claims --json`, with the verdicts on record.
pub(crate) fn list() -> Answer {
    let (claims, recorded) = (bouton_literature::claims()?, Recorded::all()?);
    let all = claims.iter().flat_map(|claim| {
        claim.instances().into_iter().map(|game| {
            let record =
                recorded.iter().find(|record| record.id == claim.id && record.game == game);
            bouton_report::claim(claim, game, record)
        })
    });
    Ok(Json::new(&all.collect::<Vec<_>>()))
}

pub(crate) fn page(site: &Site, request: &Request, budget: &Budget) -> Page {
    let claims = bouton_literature::claims()?;
    if request.get("examine") == "more" {
        examine_more(site, &claims, budget);
    }
    let words = request.get("q").trim().to_ascii_lowercase();
    let letter = request.get("paper");
    // Unless something else is asked for, what was refuted.
    let is_opening = request.is_bare() || request.get("examine") == "more";
    let wanted = if is_opening { REFUTED.as_str() } else { request.get("verdict") };
    let known = |claim: &PublishedClaim| site.verdicts.known(claim).map(|known| known.verdict);
    let verdict = |claim: &PublishedClaim| known(claim).map_or("not examined", VerdictKind::as_str);
    let mut shown: Vec<&PublishedClaim> = claims
        .iter()
        .filter(|claim| {
            let text = format!("{} {} {} {}", claim.id, claim.game, claim.statement, claim.source)
                .to_ascii_lowercase();
            words.split_whitespace().all(|word| text.contains(word))
                && (wanted.is_empty() || verdict(claim) == wanted)
                && (letter.is_empty() || paper(&claim.id).0 == letter)
        })
        .collect();
    // What was refuted comes first, then the rest, each by paper.
    let place = |claim: &PublishedClaim| {
        let paper = PAPERS.iter().position(|(letter, _)| claim.id.starts_with(letter));
        (known(claim) != Some(REFUTED), paper.unwrap_or(PAPERS.len()))
    };
    shown.sort_by_key(|claim| place(claim));
    let groups: Vec<&[&PublishedClaim]> = shown.chunk_by(|a, b| place(a) == place(b)).collect();
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for kind in claims.iter().map(verdict) {
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    kinds.sort();
    let left = claims.iter().filter(|claim| site.verdicts.recall(claim).is_none()).count();
    let body = html! {
        h1 { "Published claims" }
        @let refuted = claims.iter().filter(|claim| known(claim) == Some(REFUTED)).count();
        @if refuted > 0 {
            p.lead { strong { (refuted) " of " (claims.len()) " published claims are refuted" }
                ", each with its evidence and the command that makes it again." }
        }
        p { (claims.len()) " claims are on record. Nothing is believed because it is printed: a \
            verdict is what this program computes." }
        p #status role="status" aria-live="polite" { (claims.len() - left) " of " (claims.len())
            " examined again here." }
        form.line action="/ledger" method="get" {
            label { "Search " input name="q" value=(request.get("q"))
                placeholder="a game, a word, an author" autocomplete="off"; }
            label { "Verdict " select name="verdict" {
                option value="" { "all (" (claims.len()) ")" }
                @for (kind, count) in &kinds { option value=(kind) selected[*kind == wanted] {
                    (kind) " (" (count) ")" } }
            } }
            button { "Show" }
        }
        div.acts {
            @for (of, title) in PAPERS.into_iter().chain([OTHER_SOURCES]) {
                @let count = claims.iter().filter(|claim| paper(&claim.id).0 == of).count();
                @if count > 0 { a.button href={ "/ledger?paper=" (of) }
                    aria-current=[(of == letter).then_some("page")] { (title) " · " (count) } }
            }
        }
        @if shown.len() < claims.len() { p { @if is_opening { "Refuted claims, some of each paper. "
            a href="/ledger?verdict=refuted" { "All refuted claims" } " · " }
                @else { (shown.len()) " shown. " } a href="/ledger?verdict=" { "All claims" } } }
        @if left > 0 { p { a.button #onward data-go="" href="/ledger?examine=more" {
            "Examine the others" } } }
        // The opening has some rows of each paper.
        (table(site, &groups, if is_opening { OPENING } else { usize::MAX }, wanted))
    };
    Ok(Response::page("Published claims", body))
}

/// Examines claims that were not yet, while there is time: each takes its own, so half of the
/// request's is left for the last of them.
fn examine_more(site: &Site, claims: &[PublishedClaim], budget: &Budget) {
    let half = budget.deadline.map_or(core::time::Duration::MAX, |deadline| deadline.left() / 2);
    let begin = budget.within(half);
    for claim in claims.iter().filter(|claim| site.verdicts.recall(claim).is_none()) {
        site.verdicts.examine(claim, budget);
        if begin.interrupted().is_some() {
            break;
        }
    }
}

/// Returns the address of a row's own page.
fn row_address(claim: &PublishedClaim) -> String {
    format!("/ledger/claim?id={}&game={}", encoded(&claim.id), encoded(&claim.game))
}

/// The claims in groups, each with its first rows, this many at most; `wanted` is the verdict that
/// is asked for.
fn table(site: &Site, groups: &[&[&PublishedClaim]], most: usize, wanted: &str) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Claims" {
            table.ledger {
                thead { tr { th scope="col" { "row" } th scope="col" { "claim" }
                    th scope="col" { "verdict" } th scope="col" {
                        "evidence, and the command that makes it again" } } }
                @for group in groups { tbody {
                    tr.from { th colspan="4" scope="rowgroup" {
                        (paper(&group[0].id).1) ": " (group.len())
                            @if site.verdicts.known(group[0]).is_some_and(|known| known.verdict == REFUTED) { " refuted" } @else { " more" } } }
                    @for claim in group.iter().take(most) {
                        tr {
                            th scope="row" { a href=(row_address(claim)) { (claim.id) } br;
                                code { (claim.game) } }
                            td { (claim.statement) br; span.source { (claim.source) } }
                            @match site.verdicts.known(claim) {
                                Some(known) => {
                                    td { (in_colour(known.verdict.as_str())) }
                                    td { (known.evidence) br; code { (known.command) } }
                                }
                                None => { td { "not examined" }
                                    td { a href=(row_address(claim)) aria-label={
                                        "examine " (claim.id) " about " (claim.game) } { "examine" }
                                            } }
                            }
                        }
                    }
                    @if group.len() > most { tr { td colspan="4" {
                        a href={ "/ledger?verdict=" (encoded(wanted)) "&paper="
                            (paper(&group[0].id).0) } { (group.len() - most) " more" } } } }
                } }
            }
        }
    }
}

pub(crate) fn claim(site: &Site, request: &Request, budget: &Budget) -> Page {
    let (id, game) = (request.get("id"), request.get("game"));
    let all = bouton_literature::claims()?.into_iter();
    let found: Vec<PublishedClaim> =
        all.filter(|c| c.id == id && (game.is_empty() || c.game == game)).collect();
    if found.is_empty() {
        return Err(RequestError::new(Status::NotFound, "no published claim has this name"));
    }
    let findings = found.into_iter().map(|claim| (site.verdicts.examine(&claim, budget), claim));
    let body = html! {
        h1 { "Claim " (id) }
        @for (finding, claim) in findings {
            section {
                h2 { (claim.game) }
                blockquote { (claim.statement) }
                @if let ClaimStatement::PPositions(form) = &claim.says {
                    p { "P exactly if " code { (form.whole) } } }
                @if let Some(known) = site.verdicts.recorded(&claim) {
                    p { "Recorded: " (known.verdict) ", " (known.evidence) "." } }
                p.source { (claim.source) }
                dl {
                    dt { "verdict" }
                        dd { (in_colour(finding.verdict.as_str())) }
                    dt { "evidence" } dd { (finding.evidence) }
                    @for hash in &finding.certificates { dt { "certificate" }
                        dd { code { (hash) } } }
                    dt { "to re-make it" } dd { code { (finding.command) } }
                }
            }
        }
        p { a href="/ledger" { "All claims" } }
    };
    Ok(Response::page(format!("Claim {}", id), body))
}

/// Returns a verdict in its colour, which the style sheet has for its first word.
fn in_colour(verdict: &str) -> Markup {
    let kind = verdict.split(' ').next().unwrap_or_default();
    html! { strong.{ "v-" (kind) } { (verdict) } }
}
