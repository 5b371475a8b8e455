//! The tasks of the project, run as `cargo xtask TASK`.
//!
//! `test` runs all checks, with its own set-up; most other tasks are parts of it.

mod architecture;
mod cluster;
mod columns;
mod compare;
mod discovery;
mod figures;
mod fonts;
mod instructions;
mod licences;
mod machine;
mod manual;
mod python;
mod recipe;
mod release;
mod site;
mod targets;
mod trusted;
mod units;

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The name of a task, its description, and its function.
type Task = (&'static str, &'static str, fn() -> Result<(), String>);

const TASKS: &[Task] = &[
    (
        "test",
        "all of it, but the longer theorems in Coq, the wheel for Python and what is built in \
         release",
        test,
    ),
    ("fmt", "is the code formatted?", fmt),
    ("clippy", "no warning anywhere", clippy),
    (
        "oracles",
        "other programs that tests ask: installed where they can be had, named where not",
        oracles,
    ),
    ("coq", "theorems in Coq, the longer ones too (installs coq where it can be had)", coq),
    (
        "verify",
        "bouton-verify, the checker extracted from Coq: built into target/bouton-verify, and \
         asked about every certificate of the repository, into docs/certificates-verdicts.md; \
         FILE.cert ...: about these instead",
        verify,
    ),
    ("units", "unit, oracle, property and golden tests", units),
    (
        "web",
        "the page in a real browser (installs chromium and the driver where they are missing)",
        web,
    ),
    (
        "architecture",
        "the crates and their arrows, drawn into docs/design/architecture.svg",
        architecture,
    ),
    (
        "trusted-lines",
        "the lines of the checker by kind of certificate, into docs/design/checker.md",
        trusted_lines,
    ),
    (
        "links",
        "the manual's structure, every relative link of every Markdown file, and the recipes of \
         CONTRIBUTING.md",
        links,
    ),
    (
        "recipe",
        "the recipe for a new game in CONTRIBUTING.md, followed in a copy: built by a crate \
         outside the workspace, solved, played, studied, proved",
        recipe,
    ),
    ("rustdoc", "the documentation of the crates builds without warnings", rustdoc),
    (
        "docs",
        "the manual as a site with a search, into target/manual (installs mdBook where it is \
         missing)",
        docs,
    ),
    ("deny", "licences, sources and advisories of all dependencies", deny),
    (
        "notices",
        "names and licences of the packages that the program holds: notices TARGET",
        notices,
    ),
    (
        "release-check",
        "what a release is checked for: packages of the crates, advisories, the wheel, its \
         sources, the workflows",
        release_check,
    ),
    ("site", "the static site, all engines in the browser: site [DIR], else target/site", site),
    ("site-bench", "what the site costs, beside the native program", site_bench),
    (
        "discovery",
        "docs/discovery.md, what is found in the games of a list and of the literature: --seconds \
         S, --program PATH",
        discovery,
    ),
    ("gallery", "screenshots of the pages into docs/gallery", gallery),
    (
        "page-figures",
        "speed, accessibility, practices and what search engines ask for, page by page, into \
         docs/benchmarks.md: --runs N",
        page_figures,
    ),
    ("fonts", "the typefaces of the pages, fetched and cut to the signs that are printed", fonts),
    ("python", "the package for Python: wheel, tests, types, notebooks", python),
    ("module", "the same without the wheel, from the crates that other tests have built", module),
    (
        "cluster",
        "a sweep on a real Slurm of one node (installs slurm-wlm and munge where it can be had)",
        cluster,
    ),
    ("readme", "the first command of the README, and what it must say", readme),
    (
        "fuzz",
        "every parser and the line from rules to checked theorems, on random inputs: --minutes M",
        fuzz,
    ),
    (
        "compare",
        "the same questions to other programs, installed where they can be had, into \
         docs/benchmarks.md; --codes N: fewer, only printed; --ordinary: ordinary and drawn \
         questions to plain programs in C++ and Python instead, into two sections (--ordinary \
         --drawn N, --only A,B,… or --seed S: some drawn ones, or those of another seed, only \
         printed); --growth: how time and memory grow with the size, into a section",
        compare,
    ),
    (
        "bench",
        "benchmarks; each asserts its answers before it times. --check: only instructions of ten \
         commands, against those stored; --marks: what engines are measured by, into \
         docs/benchmarks.md",
        bench,
    ),
];

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    if name == compare::process::MEASURE {
        return exit_code(&name, compare::process::measure());
    }
    let Some((_, _, chore)) = TASKS.iter().find(|(known, _, _)| *known == name) else {
        eprintln!("cargo xtask CHORE, where CHORE is one of");
        TASKS.iter().for_each(|(name, what, _)| eprintln!("  {name:<13} {what}"));
        return ExitCode::from(2);
    };
    exit_code(&name, chore())
}

/// What could not be checked here.
static SKIPPED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Says that something cannot be checked here; the last lines of the task repeat it.
pub(crate) fn skip(what: &str) {
    println!("── SKIPPED: {what}");
    SKIPPED.lock().unwrap_or_else(PoisonError::into_inner).push(what.to_owned());
}

/// Returns what could not be checked so far.
pub(crate) fn skipped() -> Vec<String> {
    SKIPPED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn exit_code(name: &str, done: Result<(), String>) -> ExitCode {
    let mut skipped = skipped();
    skipped.dedup();
    if !skipped.is_empty() {
        println!("── not checked here: {}\n   {}", skipped.len(), skipped.join("\n   "));
    }
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask {name}: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Returns whether a program starts and succeeds. What it prints is not shown.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Runs a program in the root of the workspace; its output is shown.
fn run(program: &str, arguments: &[&str]) -> Result<(), String> {
    println!("── {program} {}", arguments.join(" "));
    let started = Instant::now();
    let status = Command::new(program).args(arguments).current_dir(root()).status();
    match status {
        Ok(status) if status.success() => {
            println!("── done in {:.0} s", started.elapsed().as_secs_f64());
            Ok(())
        }
        Ok(status) => Err(format!("`{program} {}` ended with {status}", arguments.join(" "))),
        Err(error) => Err(format!("`{program}` could not be started: {error}")),
    }
}

fn root() -> &'static Path {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("xtask lies in the workspace")
}

/// Returns the build folder of cargo.
fn target() -> std::path::PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), std::path::PathBuf::from)
}

/// The variable that says whether cargo keeps what makes the next build of a crate faster.
const INCREMENTAL: &str = "CARGO_INCREMENTAL";

/// Returns whether no test has been built for a next time, the crate of studies standing for all:
/// then the tests are built once, and faster if nothing is kept.
fn is_clean() -> bool {
    let kept = std::fs::read_dir(target().join("debug/incremental"));
    let is_study = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with("bouton_study");
    !kept.into_iter().flatten().flatten().any(|kept| is_study(&kept.file_name()))
}

/// The feature with which the command line has every command.
const FULL: &str = "bouton-cli/full";

fn test() -> Result<(), String> {
    if std::env::var_os(INCREMENTAL).is_none() && is_clean() {
        let own = std::env::current_exe()
            .map_err(|error| format!("this program has no path: {error}"))?;
        let status = Command::new(own).arg("test").env(INCREMENTAL, "0").status();
        let status =
            status.map_err(|error| format!("`xtask test` could not be started: {error}"))?;
        return if status.success() { Ok(()) } else { Err("see above".into()) };
    }
    // Other programs are downloaded and unpacked while the first crates compile.
    let (checked, installed) = std::thread::scope(|scope| {
        let installed = scope.spawn(install_programs);
        let checked = [fmt, links, clippy].into_iter().try_for_each(|part| part());
        (checked, installed.join())
    });
    checked?;
    let Installed { browser, python } =
        installed.map_err(|_| "the installation of other programs ended in a panic")??;
    // The site's compiler and optimiser work on one core for minutes; the tests use what is left.
    let (units, site) = std::thread::scope(|scope| {
        let site = scope.spawn(|| site::write(root(), &root().join(SITE)));
        (units(), site.join())
    });
    units?;
    match site.map_err(|_| "the static site's thread ended in a panic")? {
        Err(site::SiteError::NoTarget(why)) => skip(&format!("the static site; {why}")),
        written => written?,
    }
    // Browsers wait for most of their time; what follows needs neither them nor the page.
    let (page, rest) = std::thread::scope(|scope| {
        let page = scope.spawn(|| match &browser {
            Ok(browser) => page(browser),
            Err(why) => {
                skip(&format!("the page in a browser; {why}"));
                Ok(())
            }
        });
        let rest = documents_and_packages(python);
        (page.join(), rest)
    });
    page.map_err(|_| "the tests of the page ended in a panic")??;
    rest?;
    // The program that the tests have built stands for the one in release, whose build takes
    // minutes.
    check_first_answer(Command::new(root().join("target/debug/bouton")).args(FIRST))
}

/// What tests need beside the programs of the workspace, or why it is missing.
struct Installed {
    browser: Result<String, String>,
    python: Result<python::Environment, String>,
}

/// Installs the programs that tests ask, one after the other.
fn install_programs() -> Result<Installed, String> {
    oracles()?;
    coqc();
    let browser = browser();
    install_firefox();
    Ok(Installed { browser, python: python::Environment::new(root()) })
}

/// Builds what is beside the programs: the documentation, a crate outside with the recipe for a new
/// game, the manual and the package for Python.
fn documents_and_packages(python: Result<python::Environment, String>) -> Result<(), String> {
    for part in [rustdoc, deny, recipe] {
        part()?;
    }
    // Installing mdBook takes minutes of processor time.
    match manual::installed(root()) {
        Some(_) => docs()?,
        None => {
            skip("the manual as a site; mdBook is not installed (`cargo xtask docs` installs it)")
        }
    }
    match python {
        Ok(environment) => environment.test(python::Build::Module),
        Err(why) => {
            skip(&format!("the package for Python; {why}"));
            Ok(())
        }
    }
}

fn fmt() -> Result<(), String> {
    run("cargo", &["fmt", "--all", "--check"])?;
    columns::check(root())
}

fn clippy() -> Result<(), String> {
    run("cargo", &["clippy", "--package", "bouton-cli", "--", "-D", "warnings"])?;
    run(
        "cargo",
        &["clippy", "--workspace", "--features", FULL, "--all-targets", "--", "-D", "warnings"],
    )
}

fn oracles() -> Result<(), String> {
    let found = install_oracles();
    for (name, found) in ["mona", "z3"].into_iter().zip(found) {
        println!(
            "── oracle {name}: {}",
            if found { "there" } else { "not to be had; its tests are skipped" }
        );
    }
    Ok(())
}

/// Installs MONA and Z3 if they are missing and available. Returns whether they are installed.
fn install_oracles() -> [bool; 2] {
    let is_installed = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output();
        output.is_ok_and(|output| output.status.success())
    };
    // MONA has no option that prints its version: it is installed if it starts at all.
    let mona = || Command::new("mona").output().is_ok();
    let z3 = || is_installed("python3", &["-c", "import z3"]);
    if !mona() && is_installed("apt-get", &["update", "-qq"]) {
        is_installed("apt-get", &["install", "-y", "-qq", "mona"]);
    }
    if !z3() {
        is_installed("python3", &["-m", "pip", "install", "--quiet", "z3-solver"]);
    }
    [mona(), z3()]
}

/// Compares Bouton with other programs.
fn compare() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(2).collect();
    if let [first, rest @ ..] = &arguments[..]
        && first == "--ordinary"
    {
        return compare::ordinary::compare(root(), rest);
    }
    if arguments == ["--growth"] {
        return compare::growth::compare(root());
    }
    compare::compare(root(), install_oracles(), &arguments)
}

/// Returns whether the compiler of Coq is installed, after trying to install it; without it the
/// tests of theorems are skipped.
fn coqc() -> bool {
    let works = |program: &str| {
        Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success())
    };
    if !works("coqc") || !works("coqchk") {
        let install = ["install", "-q", "-y", "--no-install-recommends", "coq"];
        let _ = run("apt-get", &["update", "-q"]).and_then(|()| run("apt-get", &install));
    }
    works("coqc") && works("coqchk")
}

/// Compiles the library and the theorems with figures in docs/design/coq.md, and runs the controls.
fn coq() -> Result<(), String> {
    if !coqc() {
        skip("there is no coqc, and it could not be installed (Debian's package coq)");
        return Ok(());
    }
    let tests = ["test", "--package", "bouton-coq", "--test", "coqc"];
    run(
        "cargo",
        &[&tests[..], &["--", "--include-ignored", "--nocapture", "--test-threads=1"]].concat(),
    )
}

/// Builds the extracted checker and asks it about the named certificates, or about those of the
/// repository.
fn verify() -> Result<(), String> {
    if !coqc() {
        return Err("there is no coqc, and it could not be installed (Debian's package coq)".into());
    }
    let files: Vec<String> = std::env::args().skip(2).collect();
    // The tests build the program.
    let which = if files.is_empty() { "verify::certificates" } else { "verify::samples" };
    let tests = [
        "test",
        "--package",
        "bouton-coq",
        "--test",
        "coqc",
        "--",
        "--include-ignored",
        "--nocapture",
    ];
    println!("── cargo {} {which}", tests.join(" "));
    let mut cargo = Command::new("cargo");
    cargo.args(tests).arg(which).current_dir(root()).env("BOUTON_VERIFY_WRITE", "1");
    match cargo.status() {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(format!("the tests of bouton-verify ended with {status}")),
        Err(error) => return Err(format!("cargo could not be started: {error}")),
    }
    let program = target().join("bouton-verify");
    std::fs::copy(target().join("tmp/bouton-verify/bouton-verify"), &program)
        .map_err(|error| format!("the program was not built: {error}"))?;
    println!("── {}", program.display());
    for file in files {
        let proof = target().join("tmp/bouton-verify/named.proof").display().to_string();
        run(
            "cargo",
            &["run", "--quiet", "--package", "bouton-coq", "--example", "export", &file, &proof],
        )?;
        run(&program.display().to_string(), &[&proof])?;
    }
    Ok(())
}

fn units() -> Result<(), String> {
    if !coqc() {
        skip("theorems in Coq; there is no coqc, and it could not be installed");
    }
    // Examples are not linked: clippy has compiled them, and tests run the relevant ones.
    let tests = units::run(root(), FULL);
    tests.and(run("cargo", &["test", "--workspace", "--features", FULL, "--doc"]))
}

/// Tests the page in a browser. Fails if there is none: a test that did not run has not passed.
fn web() -> Result<(), String> {
    let browser = browser()?;
    install_firefox();
    page(&browser)
}

/// Returns a browser; installs browser, node and driver if they are missing and available.
fn browser() -> Result<String, String> {
    let works = |program: &str| {
        Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success())
    };
    let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".into());
    let mut wanted: Vec<&str> = Vec::new();
    if !works(&browser) {
        wanted.push("chromium");
    }
    if !works("node") || !works("npm") {
        wanted.extend(["nodejs", "npm"]);
    }
    if !wanted.is_empty() {
        let install = [&["install", "-q", "-y", "--no-install-recommends"], &wanted[..]].concat();
        run("apt-get", &["update", "-q"]).and_then(|()| run("apt-get", &install)).map_err(
            |why| {
                format!(
                    "{} could not be installed (CHROMIUM=PATH names a browser): {why}",
                    wanted.join(", ")
                )
            },
        )?;
    }
    run("npm", &["ci", "--prefix", "tests/web", "--no-audit", "--no-fund"])?;
    Ok(browser)
}

/// Runs the tests of the page with the program that the other tests have built.
fn page(browser: &str) -> Result<(), String> {
    let mut arguments = vec!["--test", "--test-concurrency=1", "page.test.mjs", "site.test.mjs"];
    if firefox().is_some() {
        arguments.push("firefox.test.mjs");
    } else {
        skip("the page in Firefox; there is none, and it could not be installed");
    }
    in_browser(browser, &arguments)
}

/// Installs Firefox where it is missing. Whether it is there is asked by [`firefox`].
fn install_firefox() {
    if firefox().is_none() {
        let _ = run("apt-get", &["install", "-q", "-y", "--no-install-recommends", "firefox-esr"]);
    }
}

/// Returns the path of Firefox, if it is installed.
fn firefox() -> Option<&'static str> {
    ["/usr/bin/firefox-esr", "/usr/bin/firefox"].into_iter().find(|path| Path::new(path).exists())
}

/// Runs a script in node that drives a browser.
fn in_browser(browser: &str, arguments: &[&str]) -> Result<(), String> {
    run("cargo", &["test", "--workspace", "--features", FULL, "--test", "api", "--no-run"])?;
    println!("── node {} in tests/web", arguments.join(" "));
    let target = target();
    let site = root().join(SITE);
    let mut node = Command::new("node");
    node.args(arguments).current_dir(root().join("tests/web"));
    node.env("BOUTON", target.join("debug/bouton")).env("CHROMIUM", browser);
    if site.join("bouton.wasm.lzma").exists() {
        node.env("SITE", site);
    }
    if let Some(firefox) = firefox() {
        node.env("FIREFOX", firefox);
    }
    match node.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the tests of the page ended with {status}")),
        Err(error) => Err(format!("node could not be started: {error}")),
    }
}

fn links() -> Result<(), String> {
    manual::check(root())?;
    recipe::check(root())
}

fn recipe() -> Result<(), String> {
    recipe::run(root())
}

fn docs() -> Result<(), String> {
    manual::build(root())
}

fn rustdoc() -> Result<(), String> {
    // rustdoc reads its flags from the configuration of cargo, so the environment is unchanged.
    // Module pages may link to the private modules below them.
    let flags =
        r#"build.rustdocflags=["-D", "warnings", "-A", "rustdoc::private-intra-doc-links"]"#;
    run(
        "cargo",
        &["doc", "--workspace", "--features", FULL, "--no-deps", "--quiet", "--config", flags],
    )
}

/// Runs cargo-deny if it is installed, with the advisories if their database can be had; otherwise
/// checks licences and sources by the same table, which takes a second instead of the minutes of
/// building cargo-deny.
fn deny() -> Result<(), String> {
    release::licences(root())?;
    release::advisories(root())
}

fn notices() -> Result<(), String> {
    let target = std::env::args().nth(2).ok_or("usage: cargo xtask notices TARGET")?;
    print!("{}", licences::notices(root(), &target)?);
    Ok(())
}

fn release_check() -> Result<(), String> {
    release::check(root())
}

/// The folder of the site, from the root of the workspace.
const SITE: &str = "target/site";

/// Writes the static site into the named folder.
fn site() -> Result<(), String> {
    let folder =
        std::env::args().nth(2).map_or_else(|| root().join(SITE), std::path::PathBuf::from);
    Ok(site::write(root(), &folder)?)
}

/// Writes the page of discoveries, with the program built in release unless another is named.
fn discovery() -> Result<(), String> {
    discovery::write(root(), &std::env::args().skip(2).collect::<Vec<_>>())
}

/// Draws the picture of the crates.
fn architecture() -> Result<(), String> {
    architecture::write(root())
}

fn trusted_lines() -> Result<(), String> {
    trusted::write(root())
}

/// Measures the size of the site, the time to the first board, and studies compared with the native
/// program in one run.
fn site_bench() -> Result<(), String> {
    site::write(root(), &root().join(SITE))?;
    in_browser(&browser()?, &["site.bench.mjs"])
}

/// Takes screenshots of the pages, light and dark, in the widths of a phone and a desktop.
fn gallery() -> Result<(), String> {
    let browser = browser()?;
    in_browser(&browser, &["gallery.mjs"])
}

/// The heading of the figures of the pages.
const PAGE_FIGURES: &str = "## Figures of the pages";
/// What is measured, and how.
const ABOUT_PAGE_FIGURES: &str = "`cargo xtask page-figures`: what Lighthouse asks, by measures \
     of our own and not by Lighthouse. A telephone of 390 × 844 px, a processor four times \
     slower, a line of 1.6 Mbit/s with 150 ms, an empty cache, the test profile; of three visits \
     the one with the middle performance. Performance weighs the two paints, the shift and how \
     long the page was busy after the first by the curves that Lighthouse publishes for \
     telephones; its speed index is taken to be the largest paint. Accessibility is axe's checks; \
     best practices (no error on the console, no failed request, security headers, …) and SEO \
     (title, description, language, one heading, named links, …) are the lists in \
     tests/web/figures.mjs.";

/// Writes the figures of the pages.
fn page_figures() -> Result<(), String> {
    let browser = browser()?;
    let written = target().join("page-figures.md");
    let rest: Vec<String> = std::env::args().skip(2).collect();
    let file = written.display().to_string();
    let mut arguments = vec!["figures.mjs", "--write", &file];
    arguments.extend(rest.iter().map(String::as_str));
    in_browser(&browser, &arguments)?;
    let table = std::fs::read_to_string(&written)
        .map_err(|error| format!("{}: {error}", written.display()))?;
    figures::write(root(), PAGE_FIGURES, &format!("{ABOUT_PAGE_FIGURES}\n\n{table}"))
}

/// Writes the typefaces of the pages.
fn fonts() -> Result<(), String> {
    fonts::write(root())
}

/// Tests the Python package. Fails if its environment is not available: a test that did not run has
/// not passed.
fn python() -> Result<(), String> {
    python::Environment::new(root())?.test(python::Build::Wheel)
}

fn module() -> Result<(), String> {
    python::Environment::new(root())?.test(python::Build::Module)
}

/// Tests sweeps on Slurm. Fails if Slurm is not available: a test that did not run has not passed.
fn cluster() -> Result<(), String> {
    cluster::run(root())
}

/// The first command of the README, without the name of the program.
const FIRST: [&str; 2] = ["study", "CN(6,3)"];

fn readme() -> Result<(), String> {
    let started = Instant::now();
    check_first_answer(
        Command::new("cargo").args(["run", "--release", "--quiet", "--"]).args(FIRST),
    )?;
    println!("── done in {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Checks that a program gives the right answer to the first command of the README.
fn check_first_answer(command: &mut Command) -> Result<(), String> {
    println!("── bouton {}", FIRST.join(" "));
    let output = command.current_dir(root()).output();
    let output = output.map_err(|error| format!("the program could not be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    if !output.status.success() || !text.contains("says the same as the form proved above") {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the first command of the README did not agree\n{message}"));
    }
    Ok(())
}

fn bench() -> Result<(), String> {
    let has = |flag: &str| std::env::args().any(|argument| argument == flag);
    if has("--check") {
        if !Command::new("valgrind")
            .arg("--version")
            .output()
            .is_ok_and(|output| output.status.success())
        {
            skip("there is no valgrind (Debian's package valgrind)");
            return Ok(());
        }
        let program = match std::env::var_os("BOUTON") {
            Some(program) => program.into(),
            None => {
                run("cargo", &["build", "--release", "--package", "bouton-cli"])?;
                target().join("release/bouton")
            }
        };
        return instructions::check(root(), &program, has("--write"));
    }
    if has("--marks") {
        return targets::write(root());
    }
    run("cargo", &["bench", "--workspace", "--features", FULL])
}

/// Passes the arguments after `fuzz` on; without them each target runs for a minute.
fn fuzz() -> Result<(), String> {
    let rest: Vec<String> = std::env::args().skip(2).collect();
    // A panic is caught, so the profile must be one that unwinds.
    let mut arguments = vec!["run", "--profile", "installed", "--quiet", "-p", "bouton-fuzz", "--"];
    arguments.extend(rest.iter().map(String::as_str));
    run("cargo", &arguments)
}
