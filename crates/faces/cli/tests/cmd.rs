//! What people type and what they get: every command, its JSON, and its errors.

#[test]
fn commands() {
    // Progress is reported after some seconds; it is not part of an answer.
    let cases = trycmd::TestCases::new();
    cases.env("BOUTON_THEOREMS", "off").env("BOUTON_QUIET", "1").case("tests/cmd/*.trycmd");
}
