//! The envelope of a certificate: header lines, body, seal. Format: docs/certificates.md.

use crate::Rejected;
use sha2::{Digest, Sha256};

/// A certificate whose seal holds; its body is still to be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope<'t> {
    /// The kind of proof.
    pub kind: &'t str,
    /// The game in its normal notation.
    pub game: &'t str,
    /// The statement to be proved.
    pub claim: &'t str,
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
            .and_then(|(before, last)| Some((&text[..before.len() + 1], last.strip_prefix("sha256: ")?)))
            .ok_or(Rejected::new(0, "the last line should be `sha256: …`"))?;
        let hash: String = Sha256::digest(sealed.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
        if hash != seal {
            return Err(Rejected::new(0, "the seal does not fit: the file was changed or cut"));
        }
        let mut rest = sealed;
        let mut line = |number: usize, start: &str| -> Result<&'t str, Rejected> {
            let (first, after) = rest.split_once('\n').unwrap_or((rest, ""));
            rest = after;
            first
                .strip_prefix(start)
                .ok_or_else(|| Rejected::new(number, format!("this line should start with `{start}`")))
        };
        if !line(1, "bouton certificate 1")?.is_empty() {
            return Err(Rejected::new(1, "only version 1 is known"));
        }
        let (kind, game, claim) = (line(2, "kind: ")?, line(3, "game: ")?, line(4, "claim: ")?);
        if !line(5, "")?.is_empty() {
            return Err(Rejected::new(5, "an empty line should stand between header and body"));
        }
        Ok(Envelope { kind, game, claim, body: rest, body_line: 6 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "bouton certificate 1\nkind: period\ngame: 0.77\nclaim: period 12\n\nbody\n";

    fn seal(text: &str) -> String {
        let hash: String = Sha256::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
        format!("{text}sha256: {hash}\n")
    }

    #[test]
    fn opens_what_is_sealed() {
        let text = seal(TEXT);
        let envelope = Envelope::open(&text).unwrap();
        assert_eq!((envelope.kind, envelope.game, envelope.body), ("period", "0.77", "body\n"));
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
