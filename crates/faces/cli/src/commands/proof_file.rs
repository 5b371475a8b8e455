//! The file for a proof, the same for every command that writes one.

use crate::fault::{Fault, is_for_coq, write_file};
use std::fmt;
use std::io::Write;
use std::path::Path;

/// The file for a proof, after a command tried to write it.
pub(super) enum ProofFile {
    /// It holds the certificate.
    Certificate(String),
    /// It holds a theorem for Coq.
    Theorem(String),
    /// It is not written; its name, and why.
    Missing(String, String),
}

impl ProofFile {
    /// Writes a proof into a file, as a theorem for Coq if the file's name ends in .v, else as its
    /// certificate.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. A proof that is missing, or that Coq has no theorem for, is
    /// no error.
    pub(super) fn write(file: &Path, certificate: Option<&str>) -> Result<ProofFile, Fault> {
        let name = file.display().to_string();
        let Some(certificate) = certificate else {
            return Ok(ProofFile::Missing(name, "no certificate: nothing was proved".into()));
        };
        if !is_for_coq(file) {
            write_file(file, certificate)?;
            return Ok(ProofFile::Certificate(name));
        }
        match super::missing::coq_theorem(certificate) {
            Ok(theorem) => {
                write_file(file, theorem)?;
                Ok(ProofFile::Theorem(name))
            }
            Err(why) => Ok(ProofFile::Missing(name, format!("no theorem for Coq: {why}"))),
        }
    }

    /// Returns whether the proof is in the file.
    pub(super) fn is_written(&self) -> bool {
        !matches!(self, ProofFile::Missing(..))
    }

    /// Prints why the file is not written, beside JSON on standard error; of a file that is written
    /// its name, if it was not given as that of a certificate (`named`).
    pub(super) fn tell(
        &self,
        out: &mut impl Write,
        as_json: bool,
        named: bool,
    ) -> std::io::Result<()> {
        match self {
            ProofFile::Missing(..) if as_json => eprint!("{}", self.line()),
            ProofFile::Missing(..) => writeln!(out, "  {self}")?,
            ProofFile::Certificate(name) | ProofFile::Theorem(name) if named && !as_json => {
                writeln!(out, "in {name}")?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the sentence that says where the proof is, or why it is not written, as a line that
    /// begins with a capital letter.
    pub(super) fn line(&self) -> String {
        let text = self.to_string();
        let (first, rest) = text.split_at(1);
        format!("{}{rest}\n", first.to_uppercase())
    }
}

impl fmt::Display for ProofFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofFile::Certificate(name) => write!(f, "certificate: {name} (bouton check {name})"),
            ProofFile::Theorem(name) => {
                write!(f, "theorem for Coq: {name} (coqc -R coq Bouton {name})")
            }
            ProofFile::Missing(name, why) => write!(f, "{why}, {name} is not written"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    #[test]
    fn a_file_without_a_proof_is_not_written() {
        let directory = tempfile::tempdir().unwrap();
        let [certificate, theorem] = ["x.cert", "x.v"].map(|name| directory.path().join(name));
        for (file, proof) in
            [(&certificate, None), (&theorem, None), (&theorem, Some("no certificate"))]
        {
            let written = ProofFile::write(file, proof).unwrap();
            assert!(!written.is_written() && !file.exists(), "{written}");
            let mut out = Vec::new();
            written.tell(&mut out, false, false).unwrap();
            let told = String::from_utf8(out).unwrap();
            assert!(told.contains(&format!("{} is not written", file.display())), "{told}");
        }
        assert!(ProofFile::write(&certificate, Some("text")).unwrap().is_written());
        assert_eq!(std::fs::read_to_string(certificate).unwrap(), "text");
    }
}
