//! No text makes the checker panic, whatever stands under a seal that fits.
#![no_main]

use bouton_rules::Certificate;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|parts: (u8, &str, &str, &str)| {
    let (kind, game, claim, body) = parts;
    let kinds = ["p-positions", "period", "strategy", "win-condition"];
    let kind = kinds[usize::from(kind) % kinds.len()].to_owned();
    let certificate = Certificate { kind, game: game.into(), claim: claim.into(), body: body.into() };
    let _ = bouton_check::check(&certificate.to_text());
    let _ = bouton_check::check(body);
});
