//! The examples, each run as it stands; and every name that the crate hands out stands in an
//! example of its documentation.
#![allow(clippy::unwrap_used, reason = "a test")]

#[path = "../examples/certificate.rs"]
mod certificate;
#[path = "../examples/kotzig.rs"]
mod kotzig;
#[path = "../examples/own_ruleset.rs"]
mod own_ruleset;
#[path = "../examples/period.rs"]
mod period;
#[path = "../examples/position.rs"]
mod position;
#[path = "../examples/rule_file.rs"]
mod rule_file;

#[test]
fn a_position() {
    position::main().unwrap();
}

#[test]
fn a_ruleset_of_ones_own() {
    own_ruleset::main().unwrap();
}

#[test]
fn a_rule_file_to_a_theorem() {
    rule_file::main().unwrap();
}

#[test]
fn a_certificate() {
    certificate::main().unwrap();
}

#[test]
fn a_period() {
    period::main().unwrap();
}

#[test]
fn kotzig_and_cash() {
    kotzig::main().unwrap();
}

#[test]
fn every_name_is_shown_in_use() {
    let text = include_str!("../src/lib.rs");
    let mut names = Vec::new();
    let mut inside = false;
    let mut shown = String::new();
    let mut exported = String::new();
    for line in text.lines() {
        match line.trim_start().strip_prefix("//") {
            Some(doc) if doc.contains("```") => inside = !inside,
            Some(doc) if inside => shown += doc,
            Some(_) => {}
            None => exported += line,
        }
    }
    for group in exported.split("pub use ").skip(1) {
        let list = group.split(';').next().unwrap();
        let list = list
            .split_once('{')
            .map_or_else(|| list.rsplit("::").next().unwrap(), |(_, list)| list);
        let all = list.trim_end_matches('}').split(',').map(str::trim);
        let all = all.filter(|name| !name.is_empty() && !name.starts_with("bouton_"));
        names.extend(all.filter_map(|name| name.rsplit(" as ").next()));
    }
    assert!(names.len() > 50, "{names:?}");
    let is_shown = |name: &&str| {
        shown.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == *name)
    };
    let missing: Vec<&str> = names.into_iter().filter(|name| !is_shown(name)).collect();
    assert!(missing.is_empty(), "never used in an example: {missing:?}");
}
