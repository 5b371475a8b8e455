//! Embeds the rule files of published games, and the programs of games on the shelf. The files lie
//! in crates/study/literature/data/literature, with what is claimed of the games; of this crate's
//! business are the rules alone. The programs are those of examples/rules; for the web, where
//! nothing runs them, only the constants that they state. Links in data bring both into the package
//! of this crate; where a checkout has no links, and in the sources for Python, they are read where
//! they lie.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde_json::Value;

fn main() -> io::Result<()> {
    embed(["data/published", "../literature/data/literature"], "toml", "published.rs")?;
    embed(["data/programs", "../../../examples/rules"], "rhai", "programs.rs")?;
    shelf(["data/shelf.toml", "data/shelf-more.toml"])
}

/// Writes the games of the shelf as JSON, which takes a fifth of the instructions to read. The
/// page, which is to stay small, does without the last file.
fn shelf(files: [&str; 2]) -> io::Result<()> {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let known = if is_web() { &files[..1] } else { &files };
    let mut whole = serde_json::Map::new();
    for file in known {
        println!("cargo::rerun-if-changed={file}");
        let text = fs::read_to_string(own.join(file))?;
        let tables: serde_json::Map<_, _> = toml::from_str(&text).map_err(io::Error::other)?;
        for (name, entries) in tables {
            match (whole.get_mut(&name), entries) {
                (Some(Value::Array(all)), Value::Array(more)) => all.extend(more),
                (_, entries) => _ = whole.insert(name, entries),
            }
        }
    }
    fs::write(out("shelf.json"), Value::Object(whole).to_string())
}

fn is_web() -> bool {
    env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32")
}

fn out(name: &str) -> PathBuf {
    Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join(name)
}

/// Writes a list of the files that end so: name and text. They lie in the first of two folders,
/// seen from this crate, that there is.
fn embed(folders: [&str; 2], ending: &str, list: &str) -> io::Result<()> {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let [linked, elsewhere] = folders.map(|folder| own.join(folder));
    let folder = if linked.is_dir() { linked } else { elsewhere };
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|own| own == ending));
    files.sort();
    // The page knows no programs but those of its own shelf.
    let shelf = fs::read_to_string(own.join("data/shelf.toml"))?;
    let is_known = |file: &PathBuf| {
        let name =
            file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        shelf.contains(&format!("name = \"{name}\""))
    };
    files.retain(|file| !is_web() || ending != "rhai" || is_known(file));
    let mut text = String::from("&[");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name =
            file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut whole = fs::read_to_string(&file)?;
        if is_web() && ending == "rhai" {
            whole = whole
                .lines()
                .filter(|line| line.starts_with("const "))
                .collect::<Vec<_>>()
                .join("\n");
        }
        text += &format!("({name:?}, {whole:?}), ");
    }
    fs::write(out(list), text + "]")
}
