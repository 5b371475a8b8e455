//! Available certificates, by the game that they are about.

use crate::atomic_write::atomic_write;
use crate::verdict::Theorem;
use bouton_certificate::{Header, sha256};
use bouton_core::Play;
use std::path::{Path, PathBuf};

/// Certificates by the game that they are about: those that come with the program, and those kept
/// in a directory.
///
/// Nothing in a store is believed. Whoever takes a certificate out has the checker accept it first.
#[derive(Debug, Clone, Default)]
pub struct CertificateStore {
    shipped: Option<fn(&str) -> Vec<String>>,
    directory: Option<PathBuf>,
}

/// Why a certificate or a theorem was not kept, or is not used though it is there.
#[derive(Debug, thiserror::Error)]
pub enum TheoremError {
    /// A file that could not be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, std::io::Error),
    /// A file that is not what was written there.
    #[error("{0}: damaged, and ignored: {1}")]
    Damaged(PathBuf, String),
}

impl CertificateStore {
    /// Returns a store without any certificate.
    pub const fn none() -> CertificateStore {
        CertificateStore { shipped: None, directory: None }
    }

    /// Adds certificates that come with the program; the function lists those of a game by its
    /// name.
    pub fn with_shipped(self, certificates: fn(&str) -> Vec<String>) -> CertificateStore {
        CertificateStore { shipped: Some(certificates), ..self }
    }

    /// Adds those kept in a directory. Nothing is read before a certificate is asked for.
    pub fn with_directory(self, directory: impl Into<PathBuf>) -> CertificateStore {
        CertificateStore { directory: Some(directory.into()), ..self }
    }

    /// Returns the same store without its directory.
    pub fn without_directory(self) -> CertificateStore {
        CertificateStore { directory: None, ..self }
    }

    /// Returns the directory in which certificates are kept.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// Returns whether certificates come with the program. Without them, none is sought for a claim
    /// either.
    pub fn has_shipped(&self) -> bool {
        self.shipped.is_some()
    }

    /// Returns the certificates whose header names this game, those that come with the program
    /// first.
    pub fn about(&self, game: &str, play: Play) -> Vec<String> {
        let file =
            self.directory.as_ref().map(|directory| directory.join(certificate_file(game, play)));
        let kept = file.and_then(|file| std::fs::read_to_string(file).ok());
        let names_it =
            |text: &String| Header::parse(text).is_some_and(|header| header.game == game);
        self.shipped(game).into_iter().chain(kept).filter(names_it).collect()
    }

    /// Keeps the certificate of a theorem; does nothing without a directory, or if it comes with
    /// the program.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep(&self, theorem: &Theorem) -> Result<(), TheoremError> {
        let Some(directory) = &self.directory else { return Ok(()) };
        match self.shipped(&theorem.game).iter().any(|shipped| **shipped == *theorem.certificate) {
            true => Ok(()),
            false => write_in(
                directory,
                &certificate_file(&theorem.game, theorem.play),
                &theorem.certificate,
            ),
        }
    }

    fn shipped(&self, game: &str) -> Vec<String> {
        self.shipped.map_or(Vec::new(), |certificates| certificates(game))
    }
}

/// Returns the name of the file in which the certificate of a game is kept.
pub fn certificate_file(game: &str, play: Play) -> String {
    file_name(game, play, "cert")
}

/// Returns the name of a file about a game in this play: readable, and of no other game.
pub fn file_name(game: &str, play: Play, extension: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let readable: String = game.chars().map(plain).take(40).collect();
    let digest = sha256(format!("{game}\n{play}").as_bytes());
    format!("{readable}-{}.{extension}", &digest[..16])
}

/// Writes a file of a directory, which is made if it is not there.
///
/// # Errors
/// If the file cannot be written.
pub fn write_in(directory: &Path, name: &str, text: &str) -> Result<(), TheoremError> {
    let file = directory.join(name);
    std::fs::create_dir_all(directory)
        .and_then(|()| atomic_write(&file, text))
        .map_err(|error| TheoremError::File(file, error))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::verdict::{ProofSize, Scope, Statement};
    use bouton_certificate::{Certificate, CertificateKind};

    fn theorem(game: &str, play: Play) -> Theorem {
        let certificate = Certificate {
            kind: CertificateKind::Circle,
            game: game.into(),
            claim: "P iff true".into(),
            body: "x\n".into(),
        };
        Theorem {
            game: game.into(),
            play,
            scope: Scope::EveryN,
            statement: Statement::Formulas(Vec::new()),
            text: "true".into(),
            size: ProofSize::Parts(Vec::new()),
            work: String::new(),
            details: serde_json::Map::new(),
            certificate: certificate.seal(),
        }
    }

    #[test]
    fn a_certificate_is_found_by_its_game_and_play_alone() {
        let directory = tempfile::tempdir().unwrap();
        let folder = directory.path().join("new");
        let store = CertificateStore::none().with_directory(&folder);
        assert!(store.about("G(1;n)", Play::Normal).is_empty());
        let (one, other) = (theorem("G(1;n)", Play::Normal), theorem("G(1,n)", Play::Misere));
        store.keep(&one).unwrap();
        store.keep(&other).unwrap();
        assert_eq!(store.about("G(1;n)", Play::Normal), [one.certificate.as_str()]);
        assert_eq!(store.about("G(1,n)", Play::Misere), [other.certificate.as_str()]);
        assert!(store.about("G(1;n)", Play::Misere).is_empty());
        assert!(store.clone().without_directory().about("G(1;n)", Play::Normal).is_empty());
        // A file that is about another game counts for nothing.
        let file = folder.join(certificate_file("G(1;n)", Play::Normal));
        std::fs::write(file, other.certificate.as_str()).unwrap();
        assert!(store.about("G(1;n)", Play::Normal).is_empty());
    }

    #[test]
    fn what_comes_with_the_program_is_not_kept_again() {
        let directory = tempfile::tempdir().unwrap();
        let shipped =
            |game: &str| vec![theorem(game, Play::Normal).certificate.as_str().to_owned()];
        let store = CertificateStore::none().with_shipped(shipped).with_directory(directory.path());
        let one = theorem("G(2;n)", Play::Normal);
        store.keep(&one).unwrap();
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        assert_eq!(store.about("G(2;n)", Play::Normal), [one.certificate.as_str()]);
    }
}
