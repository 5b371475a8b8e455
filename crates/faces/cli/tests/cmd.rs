//! What people type and what they get: every command, its JSON, and its slips.

#[test]
fn commands() {
    trycmd::TestCases::new().env("BOUTON_THEOREMS", "off").case("tests/cmd/*.trycmd");
}
