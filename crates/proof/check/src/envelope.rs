//! The envelope of a certificate: header lines, body, seal. Format: docs/certificates.md.

use crate::Rejected;
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// The one word of a claim that is not ASCII, and what is read and printed in its place.
const MISERE: (&str, &str) = ("misère", "misere");

/// A certificate whose seal holds; its body is still to be checked. Every character is printable
/// ASCII.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope<'t> {
    /// The kind of proof.
    pub kind: &'t str,
    /// The game in its normal notation.
    pub game: &'t str,
    /// The statement to be proved.
    pub claim: Cow<'t, str>,
    /// The lines for the checker of this kind.
    pub body: &'t str,
    /// The line number of the body's first line, counted from 1, for messages.
    pub body_line: usize,
}

impl<'t> Envelope<'t> {
    /// Opens a certificate: O(length).
    pub fn open(text: &'t str) -> Result<Envelope<'t>, Rejected> {
        let (sealed, seal) = text
            .strip_suffix('\n')
            .and_then(|t| t.rsplit_once('\n'))
            .and_then(|(before, last)| {
                Some((&text[..before.len() + 1], last.strip_prefix("sha256: ")?))
            })
            .ok_or(Rejected::new(0, "the last line should be `sha256: HASH`"))?;
        let hash: String =
            Sha256::digest(sealed.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
        if hash != seal {
            return Err(Rejected::new(0, "the seal does not fit: the file was changed or cut"));
        }
        let mut rest = sealed;
        let mut line = |number: usize, start: &str| -> Result<&'t str, Rejected> {
            let (first, after) = rest.split_once('\n').unwrap_or((rest, ""));
            rest = after;
            first.strip_prefix(start).ok_or_else(|| {
                Rejected::new(number, format!("this line should start with `{start}`"))
            })
        };
        let version = line(1, "bouton certificate ")?;
        let (kind, game, claim) = (line(2, "kind: ")?, line(3, "game: ")?, line(4, "claim: ")?);
        let own = if kind == "p-positions" { "2" } else { "1" };
        if kind == "p-positions" && version == "1" {
            let again = "proofs on P-positions are read in version 2: `bouton prove GAME --claim \
                FORMULA --certificate FILE` makes the file anew";
            return Err(Rejected::new(1, again));
        }
        if version != own {
            return Err(Rejected::new(1, format!("proofs of this kind are read in version {own}")));
        }
        if !line(5, "")?.is_empty() {
            return Err(Rejected::new(5, "an empty line should stand between header and body"));
        }
        let claim = match claim.contains(MISERE.0) {
            true => Cow::Owned(claim.replace(MISERE.0, MISERE.1)),
            false => Cow::Borrowed(claim),
        };
        // What is printed must not be able to draw on a screen or to pass for another text.
        let strange = |text: &str| !text.bytes().all(|b| (b' '..=b'~').contains(&b));
        for (number, text) in [(2, kind), (3, game), (4, &claim)] {
            if strange(text) {
                return Err(Rejected::new(
                    number,
                    "there is a character here that is not printable ASCII",
                ));
            }
        }
        if let Some(at) =
            rest.lines().position(strange).or_else(|| rest.contains('\r').then_some(0))
        {
            return Err(Rejected::new(
                6 + at,
                "there is a character here that is not printable ASCII",
            ));
        }
        Ok(Envelope { kind, game, claim, body: rest, body_line: 6 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "bouton certificate 1\nkind: period\ngame: 0.77\nclaim: period 12\n\nbody\n";

    fn seal(text: &str) -> String {
        let hash: String =
            Sha256::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
        format!("{text}sha256: {hash}\n")
    }

    #[test]
    fn opens_what_is_sealed() {
        let text = seal(TEXT);
        let envelope = Envelope::open(&text).unwrap();
        assert_eq!((envelope.kind, envelope.game, envelope.body), ("period", "0.77", "body\n"));
    }

    #[test]
    fn only_what_can_be_printed() {
        for strange in ["\u{1b}[2J", "\u{2028}", "\u{e8}", "\t", "\u{7f}", "\r", "\0"] {
            for (line, place) in [(2, "period\n"), (3, "0.77\n"), (4, "period 12\n"), (6, "body\n")]
            {
                let text =
                    seal(&TEXT.replacen(place, &place.replace('\n', &format!("{strange}\n")), 1));
                let rejected = Envelope::open(&text).unwrap_err();
                assert_eq!(rejected.line, line, "{strange:?}");
                assert!(rejected.to_string().is_ascii());
            }
        }
        let text =
            seal("bouton certificate 1\nkind: strategy\ngame: x\nclaim: in misère play\n\nbody\n");
        assert_eq!(Envelope::open(&text).unwrap().claim, "in misere play");
    }

    #[test]
    fn any_changed_byte_is_rejected() {
        let text = seal(TEXT);
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            let changed = String::from_utf8(bytes).unwrap();
            assert!(Envelope::open(&changed).is_err(), "byte {at}");
            assert!(Envelope::open(&text[..at]).is_err(), "cut at {at}");
        }
    }
}
