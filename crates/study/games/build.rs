//! Embeds the rule files of published games. They lie in crates/study/literature/data/literature with what is claimed
//! of them; of this crate's business are the rules alone.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folder of the files, seen from this crate.
const FOLDER: &str = "../literature/data/literature";

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join(FOLDER);
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    let mut list = String::from("&[");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        list += &format!("({name:?}, {:?}), ", fs::read_to_string(&file)?);
    }
    let out = Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join("published.rs");
    fs::write(out, list + "]")
}
