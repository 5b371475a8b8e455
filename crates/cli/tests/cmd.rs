//! What people type and what they get: every command, its JSON, and its slips; and the tutorials, line by line.

#[test]
fn commands() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("../../docs/tutorials/*.md");
}
