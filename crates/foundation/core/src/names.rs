//! Names of games as people write them.

/// Returns the letters and digits of a name, small, without what stands between words; `None` of a
/// text with other signs, or with none of these. A word without a letter or digit, or with two such
/// signs together, is no part of a name, nor is a negative number: `.....` is a strip, and `nim -3`
/// is not `nim-3`.
pub fn letters_and_digits(name: &str) -> Option<String> {
    let is_sign = |c: char| matches!(c, '-' | '_' | '\'' | '’' | '.');
    let between = |c: char| c.is_whitespace() || is_sign(c);
    let is_drawn = |word: &str| {
        let pairs = word.chars().zip(word.chars().skip(1));
        let is_negative = word
            .strip_prefix('-')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        word.chars().all(is_sign)
            || is_negative
            || pairs.filter(|(a, b)| is_sign(*a) && is_sign(*b)).count() > 0
    };
    if name.split_whitespace().any(is_drawn) {
        return None;
    }
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
