//! Names of games as people write them.

/// Returns the letters and digits of a name, small, without what stands between words; `None` of a
/// text with other signs, or with none of these.
pub fn squeezed(name: &str) -> Option<String> {
    let between = |c: char| c.is_whitespace() || matches!(c, '-' | '_' | '\'' | '’' | '.');
    let mut letters = String::new();
    for c in name.trim().chars().filter(|c| !between(*c)) {
        if !c.is_alphanumeric() {
            return None;
        }
        letters.push(small(c));
    }
    letters.chars().any(char::is_alphabetic).then_some(letters)
}

/// Returns the small letter of a Latin capital. Tables of all capitals would be a hundredth of what
/// a visitor of the page fetches.
fn small(c: char) -> char {
    match c {
        'À'..='Þ' if c != '×' => char::from_u32(c as u32 + 32).unwrap_or(c),
        _ => c.to_ascii_lowercase(),
    }
}
