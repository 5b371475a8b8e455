//! Licences and sources of all dependencies, by the table in `deny.toml`.

use serde_json::Value;
use spdx::{Expression, Licensee, ParseMode};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Checks that every package of the lock file has an allowed licence, and comes from a registry or
/// this repository.
pub fn check(root: &Path) -> Result<(), String> {
    let table = std::fs::read_to_string(root.join("deny.toml"))
        .map_err(|error| format!("deny.toml: {error}"))?;
    let table: toml::Table = table.parse().map_err(|error| format!("deny.toml: {error}"))?;
    let allowed: Vec<&str> = table
        .get("licenses")
        .and_then(|licenses| licenses.get("allow")?.as_array())
        .ok_or("deny.toml has no licenses.allow")?
        .iter()
        .filter_map(toml::Value::as_str)
        .collect();
    let packages = packages(root)?;
    let refusals: Vec<String> =
        packages.iter().filter_map(|package| refused(package, &allowed)).collect();
    if !refusals.is_empty() {
        return Err(refusals.join("\n"));
    }
    println!("── licences and sources of {} packages: ok", packages.len());
    Ok(())
}

/// Returns the packages of all features, as `cargo metadata` describes them.
fn packages(root: &Path) -> Result<Vec<Value>, String> {
    let metadata = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--all-features", "--locked"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let mut metadata: Value = serde_json::from_slice(&metadata.stdout)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    match metadata["packages"].take() {
        Value::Array(packages) => Ok(packages),
        _ => Err("cargo metadata lists no packages".into()),
    }
}

/// Returns the notices of the packages that the program holds on this target: of each its name,
/// version, licence and address, then the texts of licences in its folder, a text of many packages
/// once.
pub fn notices(root: &Path, target: &str) -> Result<String, String> {
    let tree = Command::new("cargo")
        .args(["tree", "--locked", "--package", "bouton-cli", "--features", "full"])
        .args(["--edges", "normal", "--prefix", "none", "--format", "{p}", "--target", target])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo tree: {error}"))?;
    if !tree.status.success() {
        return Err(String::from_utf8_lossy(&tree.stderr).into_owned());
    }
    let tree = String::from_utf8_lossy(&tree.stdout);
    let held: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(" (").next()).collect();
    let mut heads = String::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages(root)? {
        let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
        let name = format!("{} {}", text("name"), text("version"));
        if package["source"].is_null() || !held.contains(&*name.replacen(' ', " v", 1)) {
            continue;
        }
        heads += &format!("{name}: {}. {}\n", text("license"), text("repository"));
        for file in licence_files(Path::new(&text("manifest_path")))? {
            texts.entry(file).or_default().push(name.clone());
        }
    }
    let texts = texts.iter().map(|(text, names)| format!("## {}\n\n{text}\n", names.join(", ")));
    Ok(format!("{heads}\n{}", texts.collect::<Vec<_>>().join("\n")))
}

/// Returns the texts of licences and notices that lie beside a manifest.
fn licence_files(manifest: &Path) -> Result<Vec<String>, String> {
    let folder = manifest.parent().ok_or("a manifest lies in a folder")?;
    let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let starts = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT"];
        if path.is_file() && starts.iter().any(|start| name.starts_with(start)) {
            texts.push(std::fs::read_to_string(&path).map_err(wrong)?.trim().to_owned());
        }
    }
    texts.sort();
    Ok(texts)
}

/// Returns the reason why a package is refused.
fn refused(package: &Value, allowed: &[&str]) -> Option<String> {
    let name = format!("{} {}", package["name"].as_str()?, package["version"].as_str()?);
    // Packages of this repository have no source.
    if let Some(source) = package["source"].as_str()
        && !source.starts_with("registry+")
        && !source.starts_with("sparse+")
    {
        return Some(format!("{name} comes from {source}"));
    }
    let Some(licence) = package["license"].as_str() else {
        return (!package["source"].is_null()).then(|| format!("{name} names no licence"));
    };
    match Expression::parse_mode(licence, ParseMode::LAX) {
        Ok(expression) => {
            // `MPL-2.0+` asks for MPL-2.0 or a later version: MPL-2.0 will do.
            let has = |wanted: &spdx::LicenseReq| {
                allowed
                    .iter()
                    .any(|name| Licensee::parse(name).is_ok_and(|held| held.satisfies(wanted)))
            };
            let fits = expression.evaluate(has);
            (!fits).then(|| format!("{name}: {licence} is not among the licences of deny.toml"))
        }
        Err(error) => Some(format!("{name}: {licence}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Every package that the program holds is named, with the licences that lie in its folder.
    #[test]
    #[allow(clippy::unwrap_used, reason = "a test")]
    fn notices_name_packages_and_have_their_licences() {
        let notices = notices(crate::root(), "x86_64-unknown-linux-gnu").unwrap();
        let (heads, texts) = notices.split_once("\n\n").unwrap();
        let clap = heads.lines().find(|line| line.starts_with("clap ")).unwrap();
        assert!(clap.ends_with(": MIT OR Apache-2.0. https://github.com/clap-rs/clap"), "{clap}");
        assert!(!heads.contains("bouton") && !heads.contains("assert_cmd"), "{heads}");
        let name = clap.split(':').next().unwrap();
        let is_of_clap = |text: &str| text.lines().next().is_some_and(|names| names.contains(name));
        let mut of_clap = texts.split("## ").filter(|text| is_of_clap(text));
        assert!(of_clap.any(|text| text.contains("Permission is hereby granted")));
    }

    #[test]
    fn what_is_not_allowed_is_refused() {
        let result = |licence: Value, source: &str| {
            let package =
                json!({"name": "a", "version": "1", "license": licence, "source": source});
            refused(&package, &["MIT", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"])
        };
        let registry = "registry+https://example.org/index";
        assert_eq!(result("MIT".into(), registry), None);
        assert_eq!(result("GPL-3.0-only OR MIT".into(), registry), None);
        assert_eq!(result("MIT/Apache-2.0".into(), registry), None);
        assert_eq!(result("Apache-2.0 WITH LLVM-exception".into(), registry), None);
        assert_eq!(result("(MIT OR Apache-2.0) AND Unicode-3.0".into(), registry), None);
        assert!(result("GPL-3.0-only".into(), registry).is_some());
        assert!(result("Apache-2.0".into(), registry).is_some());
        assert!(result(Value::Null, registry).is_some());
        assert!(result("MIT".into(), "git+https://example.org/a").is_some());
    }
}
