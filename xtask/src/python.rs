//! The Python package: a clean environment, its tests, its types, its notebooks.
//!
//! The wheel for users is built in release, which takes minutes. As part of all tests the module is
//! built with the profile of the other tests, which shares their crates, and is placed beside the
//! sources of the package.

use crate::succeeds;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs that may be Python 3.11 or later.
const PYTHONS: [&str; 6] =
    ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"];
/// The packages that tests need besides the wheel.
const TESTS: [&str; 9] = [
    "numpy>=1.26",
    "pytest",
    "mypy",
    "pandas>=3",
    "polars",
    "pyarrow",
    "nbclient",
    "ipykernel",
    "matplotlib",
];

/// The packages that tests of clusters need.
const CLUSTER: [&str; 3] = ["dask>=2025.1", "distributed>=2025.1", "dask-jobqueue>=0.9"];

/// What tests use if it is there.
const OPTIONAL: [&str; 1] = ["networkx>=3"];

/// A new environment with everything that the tests need.
pub struct Environment {
    root: PathBuf,
    /// The Python that created the environment.
    system: PathBuf,
    python: PathBuf,
    /// The command line that belongs to the package.
    program: Option<PathBuf>,
}

/// The build under test.
#[derive(Clone, Copy)]
pub enum Build {
    /// The wheel.
    Wheel,
    /// The module alone, from the crates that the other tests have built.
    Module,
}

/// The folder of programs in an environment.
pub const PROGRAMS: &str = if cfg!(windows) { "Scripts" } else { "bin" };

impl Environment {
    /// Creates the environment. An error names what is not available.
    pub fn new(root: &Path) -> Result<Environment, String> {
        let asks = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";
        let fits = |program: &str| succeeds(Command::new(program).args(["-c", asks]));
        let system = std::env::var("PYTHON").ok().into_iter().chain(PYTHONS.map(String::from));
        let Some(system) = system.into_iter().find(|program| fits(program)) else {
            return Err(
                "no Python of 3.11 or later with venv and pip (PYTHON=PROGRAM names one)".into()
            );
        };
        let folder = root.join("target/python");
        let clean = folder.join("clean");
        run(Command::new(&system).args(["-m", "venv", "--clear"]).arg(&clean))?;
        install(&clean, &TESTS)?;
        if let Err(why) = install(&clean, &CLUSTER) {
            crate::skip(&format!("sweeps on Dask; {why}"));
        }
        if let Err(why) = install(&clean, &OPTIONAL) {
            crate::skip(&format!("graphs of networkx; {why}"));
        }
        Ok(Environment {
            root: root.to_owned(),
            system: system.into(),
            python: clean.join(PROGRAMS).join("python"),
            program: None,
        })
    }

    /// Returns whether sweeps can run on Dask, and on Slurm by way of Dask.
    pub fn has_dask(&self) -> bool {
        succeeds(Command::new(&self.python).args(["-c", "import distributed, dask_jobqueue"]))
    }

    /// Builds and installs the package.
    pub fn install(&self, build: Build) -> Result<(), String> {
        match build {
            Build::Wheel => self.wheel(&self.root.join("target/python")),
            Build::Module => self.module(),
        }
    }

    /// Runs a script with the package.
    pub fn script(&self, script: &Path, variables: &[(&str, PathBuf)]) -> Result<(), String> {
        let variables = variables.iter().map(|(name, value)| (*name, value));
        run(Command::new(&self.python)
            .arg(script)
            .envs(variables)
            .current_dir(self.root.join("target/python")))
    }

    /// Builds and installs the package, and checks types, tests and notebooks.
    pub fn test(mut self, build: Build) -> Result<(), String> {
        let folder = self.root.join("target/python");
        self.install(build)?;
        if let Build::Module = build {
            // The program is built beside the module, and calls the package.
            let name = format!("bouton{}", std::env::consts::EXE_SUFFIX);
            self.program = Some(crate::target().join("debug").join(name));
        }
        self.python(&folder, &["-m", "mypy.stubtest", "bouton"], &[])?;
        self.python(&folder, &["-m", "mypy", "--strict", "--package", "bouton"], &[])?;
        let tests = self.root.join("crates/faces/python/tests");
        self.python(
            &folder,
            &["-m", "pytest", "-q", "-p", "no:cacheprovider", "--durations=5"],
            &[&tests],
        )
    }

    fn wheel(&self, folder: &Path) -> Result<(), String> {
        let tools = folder.join("tools");
        let maturin = tools.join(PROGRAMS).join("maturin");
        if !succeeds(Command::new(&maturin).arg("--version")) {
            run(Command::new(&self.system).args(["-m", "venv", "--clear"]).arg(&tools))?;
            install(&tools, &["maturin>=1.16,<2"])?;
        }
        let wheels = folder.join("wheels");
        if wheels.exists() {
            std::fs::remove_dir_all(&wheels)
                .map_err(|error| format!("{}: {error}", wheels.display()))?;
        }
        let mut build = Command::new(&maturin);
        build
            .args(["build", "--profile", "installed", "--locked", "--interpreter"])
            .arg(&self.python);
        run(build.arg("--out").arg(&wheels).current_dir(&self.root))?;
        let listed =
            std::fs::read_dir(&wheels).map_err(|error| format!("{}: {error}", wheels.display()))?;
        let wheel = listed
            .flatten()
            .map(|entry| entry.path())
            .find(|path| path.extension().is_some_and(|e| e == "whl"));
        let wheel = wheel.ok_or("maturin built no wheel")?;
        self.python(folder, &["-m", "pip", "install", "--quiet", "--no-deps"], &[&wheel])
    }

    fn module(&self) -> Result<(), String> {
        // With the targets of the tests, so that no crate is built with other features than theirs.
        let arguments = [
            "build",
            "--workspace",
            "--features",
            crate::FULL,
            "--lib",
            "--bins",
            "--tests",
            "--profile",
            "test",
        ];
        run(Command::new("cargo").args(arguments).current_dir(&self.root))?;
        let asks = "import sysconfig; print(sysconfig.get_path('platlib'))";
        let asked = Command::new(&self.python).args(["-c", asks]).output();
        let asked = asked.map_err(|error| format!("{}: {error}", self.python.display()))?;
        let package = PathBuf::from(String::from_utf8_lossy(&asked.stdout).trim()).join("bouton");
        let copy = |from: &Path, to: PathBuf| {
            std::fs::copy(from, to)
                .map(|_| ())
                .map_err(|error| format!("{}: {error}", from.display()))
        };
        std::fs::create_dir_all(&package)
            .map_err(|error| format!("{}: {error}", package.display()))?;
        let sources = self.root.join("crates/faces/python/python/bouton");
        let listed = std::fs::read_dir(&sources)
            .map_err(|error| format!("{}: {error}", sources.display()))?;
        for source in listed.flatten().filter(|entry| entry.path().is_file()) {
            copy(&source.path(), package.join(source.file_name()))?;
        }
        let library =
            format!("{}_bouton{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        let name = if cfg!(windows) { "_bouton.pyd" } else { "_bouton.abi3.so" };
        copy(&crate::target().join("debug").join(library), package.join(name))
    }

    /// Runs Python in the clean environment, outside of the source folders, so that it imports the
    /// wheel.
    fn python(&self, folder: &Path, arguments: &[&str], paths: &[&Path]) -> Result<(), String> {
        let mut python = Command::new(&self.python);
        python.args(arguments).args(paths).current_dir(folder).env("PYTHONDONTWRITEBYTECODE", "1");
        if let Some(program) = &self.program {
            python.env("BOUTON", program);
        }
        // Notebooks run without a debugger.
        run(python.env("PYDEVD_DISABLE_FILE_VALIDATION", "1"))
    }
}

fn install(environment: &Path, packages: &[&str]) -> Result<(), String> {
    let python = environment.join(PROGRAMS).join("python");
    run(Command::new(python).args(["-m", "pip", "install", "--quiet"]).args(packages))
}

/// Runs a program; its output is shown.
fn run(command: &mut Command) -> Result<(), String> {
    let words: Vec<_> = std::iter::once(command.get_program()).chain(command.get_args()).collect();
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let line = words.join(" ");
    println!("── {line}");
    let started = std::time::Instant::now();
    // Jupyter finds its kernel by the search path, so no other environment may interfere.
    match command.env_remove("VIRTUAL_ENV").env_remove("PYTHONPATH").status() {
        Ok(status) if status.success() => {
            println!("── done in {:.0} s", started.elapsed().as_secs_f64());
            Ok(())
        }
        Ok(status) => Err(format!("`{line}` ended with {status}")),
        Err(error) => Err(format!("`{line}` could not be started: {error}")),
    }
}
