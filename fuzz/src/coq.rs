//! The end of the line: what is proved of random games is proved by Coq, too, and wrong claims are
//! not.
//!
//! Where there is no `coqc`, nothing is read. A theorem takes seconds, so hundreds of inputs are
//! much.

use crate::model;
use bouton_coq::{Mutation, export, export_mutated};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Plays one game of the [model](model::proofs): Coq accepts its theorem, without axioms, and the
/// same proof of no wrong claim.
pub fn theorem(input: &[u8]) -> Result<bool, String> {
    let Some(found) = model::proofs(input)? else { return Ok(false) };
    let text = found.certificate.to_text();
    // Some rules are not covered, and it is said so.
    let (Ok(file), Some(library)) = (export(&text), library()) else { return Ok(false) };
    let told = format!("{}: {}", found.certificate.game, found.certificate.claim);
    let (fine, said) = coqc(library, &file)?;
    if !fine || !said.contains("Closed under the global context") {
        return Err(format!("Coq does not accept {told}: {said}"));
    }
    for wrong in &found.wrong {
        let Ok(file) = export_mutated(&text, Some(wrong), Mutation::None) else { continue };
        if coqc(library, &file)?.0 {
            return Err(format!("Coq accepts `{wrong}` in {told}"));
        }
    }
    Ok(true)
}

/// Returns the library, compiled in a folder of its own.
fn library() -> Option<&'static Path> {
    static LIBRARY: OnceLock<Option<PathBuf>> = OnceLock::new();
    let compile = || {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../coq");
        let to = std::env::temp_dir().join(format!("bouton-fuzz-coq-{}", std::process::id()));
        std::fs::create_dir_all(&to).ok()?;
        let order = std::fs::read_to_string(from.join("_CoqProject")).ok()?;
        for name in order.lines().filter(|line| line.ends_with(".v")) {
            std::fs::copy(from.join(name), to.join(name)).ok()?;
            run(&to, name).filter(|(fine, _)| *fine)?;
        }
        Some(to)
    };
    LIBRARY.get_or_init(compile).as_deref()
}

fn run(library: &Path, file: &str) -> Option<(bool, String)> {
    let mut command = Command::new("coqc");
    let output = command.args(["-R", ".", "Bouton", file]).current_dir(library).output().ok()?;
    let said = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8_lossy(&said).into_owned()))
}

fn coqc(library: &Path, text: &str) -> Result<(bool, String), String> {
    std::fs::write(library.join("Random.v"), text).map_err(|error| error.to_string())?;
    run(library, "Random.v").ok_or_else(|| "coqc could not be started".into())
}
