//! What people type and what they get: every command, its JSON, and its slips.

#[test]
fn commands() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
