//! The envelope in which a proof is handed out: plain text, sealed by a hash. The kinds of proof are in docs/certificates.md.

use sha2::{Digest, Sha256};

/// A proof as handed out: what it proves, and a body that only the checker of its kind reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The kind of proof: `period`, `p-positions`, `strategy`, `win-condition`, …
    pub kind: String,
    /// The game in its normal notation.
    pub game: String,
    /// The statement proved, on one line.
    pub claim: String,
    /// Lines for the checker of this kind; ends with a line feed.
    pub body: String,
}

impl Certificate {
    /// The version of the format of this kind of proof.
    fn version(&self) -> u32 {
        if self.kind == "p-positions" { 2 } else { 1 }
    }

    /// The certificate as a file: header, body, and the SHA-256 of all that stands before the last line.
    pub fn to_text(&self) -> String {
        self.clone().into_text()
    }

    /// The same, with the body where it is: it may be long.
    pub fn into_text(self) -> String {
        let header = format!(
            "bouton certificate {}\nkind: {}\ngame: {}\nclaim: {}\n\n",
            self.version(),
            self.kind,
            self.game,
            self.claim
        );
        let mut text = self.body;
        text.insert_str(0, &header);
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let seal = sha256(text.as_bytes());
        text + SEAL + &seal + "\n"
    }
}

/// How the last line of a certificate begins.
const SEAL: &str = "sha256: ";

/// The hash at the end of a certificate's text.
pub fn seal(certificate: &str) -> Option<&str> {
    certificate.trim_end().rsplit_once(SEAL).map(|(_, seal)| seal)
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
