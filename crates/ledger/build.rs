//! The certificates of docs/kotzig as a list, so that a new one comes with the program by lying there.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let directory = here.join("../../docs/kotzig");
    println!("cargo::rerun-if-changed={}", directory.display());
    let mut files: Vec<PathBuf> =
        fs::read_dir(&directory)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "cert"));
    files.sort();
    let mut list = "/// The files.\nconst CIRCLES: &[&str] = &[\n".to_owned();
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        // Writing into a string does not fail.
        let _ = writeln!(list, "    include_str!({:?}),", file.display().to_string());
    }
    list.push_str("];\n");
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    fs::write(Path::new(&out).join("circles.rs"), list)
}
