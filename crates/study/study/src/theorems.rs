//! Theorems that answer questions about heaps of any size.
//!
//! A theorem is known by its game, the form of its P-positions and the hash of the certificate that
//! the independent checker accepted. Theorems on record come with the program by their
//! hashes: tests make the certificates again and compare, so the certificates, many megabytes, need
//! not be shipped. Others lie in a directory of the user's choice, each with its certificate.
//! Theorems answer; nothing that finds, proves or verifies a claim asks them. Those on circles of
//! every size are small: they come as certificates, and the checker has to accept one each time
//! before it counts, so that claims may be compared with them.

use crate::move_system::{certified_name, stated_in};
#[cfg(not(target_family = "wasm"))]
use crate::{Study, SummandValues, with_value};
use bouton_certificate::{SealedCertificate, seal, sha256};
use bouton_check::{Envelope, check};
use bouton_core::Play;
use bouton_engine::Game;
use bouton_prover::{Claim, MoveSystem, Numeration, choose_numeration, statement};
use bouton_theory::certificates::{CertificateStore, TheoremError, file_name, write_in};
use bouton_theory::form::Form;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The theorems that a question may be answered by.
#[derive(Debug, Clone, Default)]
pub struct Theorems {
    recorded: Option<fn(&str) -> Vec<RecordedTheorem>>,
    certificates: CertificateStore,
}

/// A theorem whose certificate was made and accepted when it was recorded.
#[derive(Debug, Clone)]
pub struct RecordedTheorem {
    /// The game in normal notation.
    pub game: String,
    /// The text of its rule file; `None` for built-in games.
    pub rules: Option<String>,
    /// What the form is of.
    pub subject: TheoremSubject,
    /// The form of its P-positions, or of those with a heap of Nim beside it.
    pub form: Form,
    /// The hash at the end of the certificate.
    pub certificate: String,
}

/// What a recorded theorem is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TheoremSubject {
    /// The P-positions of the game.
    PPositions,
    /// Its nim-values, as the P-positions of the game with a heap of Nim beside it.
    NimValues,
}

/// A form of the P-positions that is proved, with the game as the proof sees it.
#[derive(Debug, Clone)]
pub struct Known {
    /// The boards and moves, in the play asked for.
    pub game: MoveSystem,
    /// The claims, one a board.
    pub claims: Vec<Claim>,
    /// The digits in which claims and heaps are read.
    pub numeration: Numeration,
    /// The hash at the end of the accepted certificate.
    pub certificate: String,
}

impl Known {
    /// Returns what is proved, as the certificate states it.
    pub fn statement(&self) -> String {
        statement(&self.game, &self.claims)
    }
}

/// The version that stamps what it has checked.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// How files of theorems begin.
const HEAD: &str = "bouton theorem 1";
/// How their names end.
const EXTENSION: &str = "theorem";

impl Theorems {
    /// Returns no theorems.
    pub const fn none() -> Theorems {
        Theorems { recorded: None, certificates: CertificateStore::none() }
    }

    /// Returns those on record; the list of those about a game of this name is asked for when a
    /// theorem is needed.
    pub fn recorded(list: fn(&str) -> Vec<RecordedTheorem>) -> Theorems {
        Theorems { recorded: Some(list), ..Theorems::none() }
    }

    /// Adds the certificates that come with the program, those of a game asked for by its name.
    /// Each is checked before it is believed.
    pub fn with_certificates(self, certificates: fn(&str) -> Vec<String>) -> Theorems {
        Theorems { certificates: self.certificates.with_shipped(certificates), ..self }
    }

    /// Adds those kept in this directory. Nothing is read before a question is asked.
    pub fn with_cache(self, directory: impl Into<PathBuf>) -> Theorems {
        Theorems { certificates: self.certificates.with_directory(directory), ..self }
    }

    /// Returns the same without a directory.
    pub fn without_cache(self) -> Theorems {
        Theorems { certificates: self.certificates.without_directory(), ..self }
    }

    /// Returns the certificates at hand, which theories read.
    pub fn certificates(&self) -> &CertificateStore {
        &self.certificates
    }

    /// As [`Theorems::find`], about positions with this many heaps: a game on any number of heaps
    /// is then one on as many.
    pub fn find_on_heaps(
        &self,
        game: &dyn Game,
        heaps: usize,
        play: Play,
    ) -> Result<Option<Known>, TheoremError> {
        if game.heap_game().is_some() || !game.rule_files().is_empty() {
            return self.find(game, play);
        }
        match bouton_games::parse(&name_on_heaps(&game.name(), heaps)) {
            Ok(named) => self.find(&*named.game, play),
            Err(_) => Ok(None),
        }
    }

    /// Returns the theorem about a game in this play, if there is one. An error tells of a kept
    /// theorem that cannot be used; ask [without](Theorems::without_cache) the directory then.
    pub fn find(&self, game: &dyn Game, play: Play) -> Result<Option<Known>, TheoremError> {
        let Ok((moves, numeration)) = stated_in(play, game) else { return Ok(None) };
        if let Some(one) = self.on_record(game, TheoremSubject::PPositions, play)
            && let Some(known) = known(&moves, numeration, &one.form, one.certificate)
        {
            return Ok(Some(known));
        }
        let Some(directory) = self.certificates.directory() else { return Ok(None) };
        let key = key(game, numeration);
        let file = directory.join(file_name(&key, play, EXTENSION));
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(TheoremError::File(file, error)),
        };
        let kept = Kept::read(&text).and_then(|kept| {
            let known = known(&moves, numeration, &kept.form, kept.certificate.clone())
                .ok_or("its form says nothing of this game")?;
            let proved_as = certified_name(game, numeration, known.numeration).unwrap_or_default();
            kept.stands(&key, play, &known, &proved_as)?;
            Ok(known)
        });
        kept.map(Some).map_err(|why| TheoremError::Damaged(file, why))
    }

    /// Returns the theorem about the nim-values of positions with this many heaps, as one about the
    /// P-positions of `beside`: the game with a heap of Nim beside it. Errors as
    /// [`Theorems::find`].
    pub fn about_values(
        &self,
        game: &dyn Game,
        beside: &dyn Game,
        heaps: usize,
    ) -> Result<Option<Known>, TheoremError> {
        if let Some(one) = self.on_record(game, TheoremSubject::NimValues, Play::Normal)
            && let Ok((moves, numeration)) = stated_in(Play::Normal, beside)
            && let Some(known) = known(&moves, numeration, &one.form, one.certificate)
        {
            return Ok(Some(known));
        }
        self.find_on_heaps(beside, heaps + 1, Play::Normal)
    }

    /// Returns the recorded theorem about a game, if there is one.
    fn on_record(
        &self,
        game: &dyn Game,
        subject: TheoremSubject,
        play: Play,
    ) -> Option<RecordedTheorem> {
        let (name, files) = (game.name(), game.rule_files());
        // The name of a rule file's game may be any: the text decides.
        let same_rules = |rules: &Option<String>| match (rules, &files[..]) {
            (None, []) => true,
            (Some(text), [file]) => *text == file.text,
            _ => false,
        };
        let meant = |one: &RecordedTheorem| {
            one.game == name
                && one.subject == subject
                && same_rules(&one.rules)
                && one.form.play == play
                && !one.form.exactly
        };
        (self.recorded?)(&name).into_iter().find(meant)
    }

    /// Keeps a theorem whose certificate the checker has just accepted; does nothing without a
    /// directory.
    pub fn keep(
        &self,
        game: &dyn Game,
        form: &Form,
        certificate: &SealedCertificate,
    ) -> Result<(), TheoremError> {
        let Some(directory) = self.certificates.directory().filter(|_| !form.exactly) else {
            return Ok(());
        };
        let Ok((moves, numeration)) = stated_in(form.play, game) else { return Ok(()) };
        self.keep_positions(game, form.play, certificate)?;
        if form.claims(&moves).is_err() {
            return Ok(());
        }
        let name = key(game, numeration);
        let file = file_name(&name, form.play, EXTENSION);
        let kept = Kept {
            game: name,
            form: form.clone(),
            certificate: certificate.hash().to_owned(),
            version: VERSION.to_owned(),
            proof: certificate,
        };
        write_in(directory, &file, &kept.to_text())
    }

    /// Keeps what a study has proved, as [`Theorems::keep`]: of games that `parse` finds by their
    /// names, of their summands and of parts of them.
    #[cfg(not(target_family = "wasm"))]
    pub fn keep_study(
        &self,
        found: &Study,
        parse: &dyn Fn(&str) -> Option<Box<dyn Game>>,
    ) -> Result<(), TheoremError> {
        let studied = match &found.values {
            Some(values) => parse(&values.game).and_then(|game| with_value(&*game).ok()),
            None => parse(&found.game),
        };
        let studied = studied.as_deref();
        let theorems = found.theorems();
        for (name, form, certificate) in &theorems {
            let named = parse(name);
            // With a heap of Nim beside it a game may have no name.
            let game = if found.values.is_some() { studied } else { named.as_deref() };
            if let Some(game) = game {
                self.keep(game, form, certificate)?;
            }
        }
        if let (true, Some(game), Some(certificate)) =
            (theorems.is_empty(), studied, found.certificate())
        {
            self.keep_positions(game, found.play, certificate)?;
        }
        for SummandValues { values, claim, certificate, .. } in found.summands() {
            let Some(beside) = parse(&values.game).and_then(|game| with_value(&*game).ok()) else {
                continue;
            };
            match claim {
                Some(form) => self.keep(&*beside, form, certificate)?,
                None => self.keep_positions(&*beside, Play::Normal, certificate)?,
            }
        }
        match studied {
            Some(game) => self.keep_parts(game, found.partial_theorems()),
            None => Ok(()),
        }
    }
}

/// Returns the name of a game on any number of heaps as one on this many: `nim` is `nim(3)`,
/// `moore(3)` is `moore(3;4)`.
pub fn name_on_heaps(name: &str, heaps: usize) -> String {
    match name.strip_suffix(')') {
        Some(open) => format!("{open};{heaps})"),
        None => format!("{name}({heaps})"),
    }
}

/// Returns the claims of a form, ready to be asked.
fn known(
    game: &MoveSystem,
    numeration: Numeration,
    form: &Form,
    certificate: String,
) -> Option<Known> {
    let claims = form.claims(game).ok()?;
    let numeration = choose_numeration(game, &claims, numeration);
    Some(Known { game: game.clone(), claims, numeration, certificate })
}

/// Returns what a game is known by: rule files by their formula, not by their name.
pub(crate) fn key(game: &dyn Game, numeration: Numeration) -> String {
    certified_name(game, numeration, numeration).unwrap_or_else(|| game.name())
}

/// A theorem as a file: lines that say what is proved and who checked it, their digest, and the
/// certificate.
struct Kept<'t> {
    game: String,
    form: Form,
    certificate: String,
    version: String,
    proof: &'t str,
}

impl<'t> Kept<'t> {
    /// Returns the lines above the digest. Texts of several lines are written on one.
    fn head(&self) -> String {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut head = format!(
            "{HEAD}\ngame: {}\nplay: {}\nform: {}\n",
            self.game,
            self.form.play,
            line(&self.form.whole)
        );
        for smaller in &self.form.smaller {
            // Writing into a string does not fail.
            let _ = writeln!(head, "smaller: {}", line(&smaller.to_string()));
        }
        format!("{head}certificate: {}\nchecked by: bouton {}\n", self.certificate, self.version)
    }

    fn to_text(&self) -> String {
        let head = self.head();
        let digest = sha256(head.as_bytes());
        format!("{head}digest: {}\n\n{}", digest, self.proof)
    }

    /// Reads a file. What is wrong with it, in words.
    fn read(text: &'t str) -> Result<Kept<'t>, String> {
        let (head, proof) = text.split_once("\n\n").ok_or("it ends too early")?;
        let (lines, digest) = head.rsplit_once("\ndigest: ").ok_or("its digest is missing")?;
        let lines = format!("{lines}\n");
        if sha256(lines.as_bytes()) != digest {
            return Err("its digest does not fit".into());
        }
        let mut kept = Kept {
            game: String::new(),
            form: Form::default(),
            certificate: String::new(),
            version: String::new(),
            proof,
        };
        for (number, line) in lines.lines().enumerate() {
            match line.split_once(": ") {
                None if number == 0 && line == HEAD => {}
                Some(("game", game)) => kept.game = game.into(),
                Some(("play", "normal")) => kept.form.play = Play::Normal,
                Some(("play", "misère")) => kept.form.play = Play::Misere,
                Some(("form", form)) => kept.form.whole = form.into(),
                Some(("smaller", smaller)) => {
                    let board =
                        smaller.parse().map_err(|why| format!("line {}: {why}", number + 1))?;
                    kept.form.smaller.push(board);
                }
                Some(("certificate", hash)) => kept.certificate = hash.into(),
                Some(("checked by", by)) => kept.version = by.trim_start_matches("bouton ").into(),
                _ => return Err(format!("line {} says nothing known", number + 1)),
            }
        }
        Ok(kept)
    }

    /// Returns whether it is about this game and play, and the checker accepts its certificate.
    fn stands(&self, game: &str, play: Play, known: &Known, proved_as: &str) -> Result<(), String> {
        if self.game != game || self.form.play != play {
            return Err(format!("it is about {} in {} play", self.game, self.form.play));
        }
        let seal =
            Envelope::open(self.proof).map_err(|why| why.to_string()).map(|_| seal(self.proof))?;
        if seal != Some(&*self.certificate) {
            return Err("its certificate is another one".into());
        }
        let (game, claim) = accepted(&self.certificate, self.proof)?;
        match game == proved_as && claim == known.statement() {
            true => Ok(()),
            false => Err("its certificate proves something else".into()),
        }
    }
}

/// What certificates prove that the checker accepted in this process, by their hashes: game and
/// claim.
static ACCEPTED: Mutex<BTreeMap<String, (String, String)>> = Mutex::new(BTreeMap::new());

/// Returns the game and the claim of a certificate with this hash, which fits, if the checker
/// accepts it: once in a process.
pub(crate) fn accepted(hash: &str, certificate: &str) -> Result<(String, String), String> {
    let known = || ACCEPTED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(proved) = known().get(hash) {
        return Ok(proved.clone());
    }
    let accepted = check(certificate).map_err(|why| why.to_string())?;
    let proved = (accepted.game, accepted.claim);
    known().insert(hash.to_owned(), proved.clone());
    Ok(proved)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::settle::settle_form;
    use bouton_theory::verdict::{Proved, Verdict};

    /// What was proved is found again in its directory, for its own play alone; a changed byte
    /// makes it nothing, and the certificate of another version is checked once more.
    #[test]
    fn theorems_are_kept_and_damage_is_seen() {
        let directory =
            std::env::temp_dir().join(format!("bouton-theorems-{}", std::process::id()));
        let theorems = Theorems::none().with_cache(&directory);
        let game = bouton_games::parse("CN(4,2)").unwrap().game;
        let form = Form { whole: "a = c &\n b = d".into(), ..Form::default() };
        let Verdict::Proved(Proved::Theorem(theorem)) =
            settle_form(&*game, &form, &Default::default()).unwrap()
        else {
            panic!("it is a theorem")
        };
        assert!(theorems.find(&*game, Play::Normal).unwrap().is_none());
        theorems.keep(&*game, &form, &theorem.certificate).unwrap();
        let found = theorems.find(&*game, Play::Normal).unwrap().unwrap();
        assert_eq!(found.certificate, theorem.hash());
        assert!(theorems.find(&*game, Play::Misere).unwrap().is_none());
        let file = std::fs::read_dir(&directory).unwrap().next().unwrap().unwrap().path();
        let text = std::fs::read_to_string(&file).unwrap();
        let find = |text: &str| {
            std::fs::write(&file, text).unwrap();
            theorems.find(&*game, Play::Normal)
        };
        assert!(matches!(
            find(&text.replacen("b = d", "b = c", 1)),
            Err(TheoremError::Damaged(..))
        ));
        assert!(matches!(find(&text[..40]), Err(TheoremError::Damaged(..))));
        // Whatever version kept it, the certificate has to prove this very form.
        let kept = Kept::read(&text).unwrap();
        let older = Kept {
            version: "0.0.0".into(),
            form: kept.form.clone(),
            game: kept.game.clone(),
            ..kept
        };
        assert!(find(&older.to_text()).unwrap().is_some());
        let other = Form { whole: "a = b & c = d".into(), ..Form::default() };
        for version in ["0.0.0", VERSION] {
            let wrong = Kept {
                form: other.clone(),
                version: version.into(),
                game: older.game.clone(),
                certificate: older.certificate.clone(),
                ..older
            };
            assert!(matches!(find(&wrong.to_text()), Err(TheoremError::Damaged(..))));
        }
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
