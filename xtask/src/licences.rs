//! Licences and sources of all dependencies, by the table in `deny.toml`.

use serde_json::Value;
use spdx::{Expression, Licensee, ParseMode};
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
    let metadata = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--all-features", "--locked"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let metadata: Value = serde_json::from_slice(&metadata.stdout)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let refusals: Vec<String> =
        packages.iter().filter_map(|package| refused(package, &allowed)).collect();
    if !refusals.is_empty() {
        return Err(refusals.join("\n"));
    }
    println!("── licences and sources of {} packages: ok", packages.len());
    Ok(())
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
