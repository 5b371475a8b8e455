//! No text makes the checker panic, whatever stands under a seal that fits.
#![no_main]

use bouton_check::{Accepted, DEPTH, Rejected, check_within};
use bouton_certificate::{Certificate, CertificateKind};
use libfuzzer_sys::fuzz_target;

/// Checks for a second or so at most: long checks say nothing of panics.
fn checked(text: &str) -> Result<Accepted, Rejected> {
    let mut left = 2000;
    check_within(text, DEPTH, &mut || {
        left -= 1;
        left > 0
    })
}

fuzz_target!(|parts: (u8, &str, &str, &str)| {
    let (kind, game, claim, body) = parts;
    let kind = CertificateKind::ALL[usize::from(kind) % CertificateKind::ALL.len()];
    let certificate = Certificate { kind, game: game.into(), claim: claim.into(), body: body.into()
        };
    let _ = checked(&certificate.to_text());
    let _ = checked(body);
});
