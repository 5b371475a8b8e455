//! Certificates: proofs handed out as plain text in an envelope that is sealed by a hash.
//!
//! An envelope has a header (version, kind, game, claim), a body that only the checker of its kind
//! reads, and the SHA-256 of both. docs/certificates.md has the format and the kinds. Bodies are
//! written by the crates that prove; the checker, `bouton-check`, shares nothing with this crate
//! and has its own reader.

mod claim;

pub use claim::{AUTOMATON, PPositionsClaim, PeriodClaim};
use sha2::{Digest, Sha256};
use std::fmt;
use std::ops::Deref;

/// A kind of proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CertificateKind {
    /// P-positions accepted by an automaton.
    Automatic,
    /// P-positions of Kotzig's Nim on circles of every size, by classes of circles.
    Circle,
    /// The same by revolutions of the token.
    Laps,
    /// P-positions of one heap, each a function of the one before.
    Orbit,
    /// P-positions of a heap game, given by a formula.
    PPositions,
    /// P-positions of two heaps that are the pairs of two sequences.
    Pairs,
    /// P-positions of a game with parameters, for all their values.
    Parameters,
    /// The period of a nim-sequence.
    Period,
    /// The outcome of one position of Kotzig's Nim, by a strategy.
    Strategy,
    /// The win condition of NIM with Cash.
    WinCondition,
}

impl CertificateKind {
    /// All kinds, in the order of their names.
    pub const ALL: [CertificateKind; 10] = [
        CertificateKind::Automatic,
        CertificateKind::Circle,
        CertificateKind::Laps,
        CertificateKind::Orbit,
        CertificateKind::PPositions,
        CertificateKind::Pairs,
        CertificateKind::Parameters,
        CertificateKind::Period,
        CertificateKind::Strategy,
        CertificateKind::WinCondition,
    ];

    /// Returns the name, as the header has it, and the version of the format.
    const fn format(self) -> (&'static str, u32) {
        match self {
            CertificateKind::Automatic => ("automatic", 1),
            CertificateKind::Circle => ("circle", 1),
            CertificateKind::Laps => ("laps", 1),
            CertificateKind::Orbit => ("orbit", 1),
            CertificateKind::PPositions => ("p-positions", 2),
            CertificateKind::Pairs => ("pairs", 1),
            CertificateKind::Parameters => ("parameters", 1),
            CertificateKind::Period => ("period", 1),
            CertificateKind::Strategy => ("strategy", 1),
            CertificateKind::WinCondition => ("win-condition", 1),
        }
    }

    /// Returns the name, as the header has it: `p-positions`.
    pub const fn name(self) -> &'static str {
        self.format().0
    }

    /// Returns the version of the format of this kind.
    pub const fn version(self) -> u32 {
        self.format().1
    }

    /// Parses a name; `None` if no kind is called so.
    pub fn parse(name: &str) -> Option<CertificateKind> {
        CertificateKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for CertificateKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A proof as handed out: what it proves, and a body that only the checker of its kind reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The kind of proof.
    pub kind: CertificateKind,
    /// The game in its normal notation.
    pub game: String,
    /// The statement proved, on one line.
    pub claim: String,
    /// Lines for the checker of this kind; ends with a line feed.
    pub body: String,
}

/// Why a text is no certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// The header is not that of a certificate of a known kind and version.
    #[error("the header is not that of a certificate")]
    Header,
    /// The last line is not the hash of what is before.
    #[error("the seal does not fit: the text was changed or cut")]
    Seal,
}

impl Certificate {
    /// Returns the certificate as a file: header, body, and the SHA-256 of all that is before
    /// the last line.
    pub fn to_text(&self) -> String {
        self.clone().into_text()
    }

    /// Returns the certificate as a file, without a copy of the body, which may be long.
    pub fn into_text(self) -> String {
        self.seal().text
    }

    /// Returns the certificate as a file, with its hash.
    pub fn seal(self) -> SealedCertificate {
        let (name, version) = self.kind.format();
        let header = format!(
            "{TITLE}{version}\n{KIND}{name}\n{GAME}{}\n{CLAIM}{}\n\n",
            self.game, self.claim
        );
        let mut text = self.body;
        text.insert_str(0, &header);
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let hash = sha256(text.as_bytes());
        text = text + SEAL + &hash + "\n";
        SealedCertificate { text, hash }
    }

    /// Parses a file. Nothing is known of the claim: that is for the checker.
    ///
    /// # Errors
    ///
    /// If the header is not one of a known kind and version, or the seal does not fit.
    pub fn parse(text: &str) -> Result<Certificate, CertificateError> {
        let Header { kind, game, claim } = Header::parse(text).ok_or(CertificateError::Header)?;
        let (sealed, hash) = text.rsplit_once(SEAL).ok_or(CertificateError::Seal)?;
        if hash.strip_suffix('\n') != Some(&*sha256(sealed.as_bytes())) {
            return Err(CertificateError::Seal);
        }
        let (_, body) = sealed.split_once("\n\n").ok_or(CertificateError::Header)?;
        Ok(Certificate { kind, game: game.into(), claim: claim.into(), body: body.into() })
    }
}

/// A certificate as a file: its text, and the hash that the last line repeats.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedCertificate {
    text: String,
    hash: String,
}

impl SealedCertificate {
    /// Returns the certificate of a file; `None` if its last line has no hash. Whether the hash
    /// fits is for the checker to say.
    pub fn read(text: impl Into<String>) -> Option<SealedCertificate> {
        let text = text.into();
        let hash = seal(&text)?.to_owned();
        Some(SealedCertificate { text, hash })
    }

    /// Returns the text as `bouton check` reads it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the hash of all that is before the last line.
    pub fn hash(&self) -> &str {
        &self.hash
    }
}

impl Deref for SealedCertificate {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl AsRef<[u8]> for SealedCertificate {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

impl From<SealedCertificate> for String {
    fn from(certificate: SealedCertificate) -> String {
        certificate.text
    }
}

/// The text.
impl fmt::Display for SealedCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Only the hash: the text may be megabytes long.
impl fmt::Debug for SealedCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SealedCertificate").field(&self.hash).finish()
    }
}

/// How the lines of the header, and the last line, begin.
const TITLE: &str = "bouton certificate ";
const KIND: &str = "kind: ";
const GAME: &str = "game: ";
const CLAIM: &str = "claim: ";
const SEAL: &str = "sha256: ";

/// What the header of a certificate says; the seal is not looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header<'t> {
    /// The kind of proof.
    pub kind: CertificateKind,
    /// The game in its normal notation.
    pub game: &'t str,
    /// The statement proved.
    pub claim: &'t str,
}

impl<'t> Header<'t> {
    /// Parses the first four lines of a certificate; `None` if they are not those of a known kind
    /// and version.
    pub fn parse(certificate: &'t str) -> Option<Header<'t>> {
        let mut lines = certificate.lines();
        let mut line = |start: &str| lines.next()?.strip_prefix(start);
        let version = line(TITLE)?;
        let kind = CertificateKind::parse(line(KIND)?)?;
        let (game, claim) = (line(GAME)?, line(CLAIM)?);
        (version == kind.version().to_string()).then_some(Header { kind, game, claim })
    }
}

/// Returns the hash at the end of a certificate's text.
pub fn seal(certificate: &str) -> Option<&str> {
    certificate.trim_end().rsplit_once(SEAL).map(|(_, seal)| seal)
}

/// Returns the SHA-256 of some bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for kind in CertificateKind::ALL {
            assert_eq!(CertificateKind::parse(kind.name()), Some(kind));
            let (game, claim, body) = ("0.77".into(), "period 12".into(), "a\n\nb\n".into());
            let certificate = Certificate { kind, game, claim, body };
            let text = certificate.to_text();
            assert_eq!(Certificate::parse(&text), Ok(certificate));
            assert_eq!(Certificate::parse(&text.replace("12", "13")), Err(CertificateError::Seal));
            assert_eq!(Certificate::parse(&text[1..]), Err(CertificateError::Header));
            assert_eq!(Certificate::parse(&text[..text.len() - 1]), Err(CertificateError::Seal));
            let header =
                Header::parse(&text).map(|header| (header.kind, header.game, header.claim));
            assert_eq!(header, Some((kind, "0.77", "period 12")));
        }
        assert_eq!(CertificateKind::parse("proof"), None);
    }
}
