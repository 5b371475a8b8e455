//! Games named up to parameters: `CN(n,k)` matches `CN(6,3)` with n = 6, k = 3.

/// A game's name in which single small letters may stand for numbers.
#[derive(Debug, Clone)]
pub struct Pattern<'t>(&'t str);

impl<'t> Pattern<'t> {
    /// Returns a pattern; any text is one.
    pub fn new(text: &'t str) -> Pattern<'t> {
        Pattern(text)
    }

    /// Returns the numbers that the letters stand for in `name`, if it matches. A letter that
    /// occurs twice means one number; letters match themselves, too.
    pub fn matches(&self, name: &str) -> Option<Vec<(String, u64)>> {
        let (mut all_wanted, mut all_found) = (words(self.0), words(name));
        let mut letters: Vec<(String, u64)> = Vec::new();
        loop {
            let (wanted, found) = match (all_wanted.next(), all_found.next()) {
                (Some(wanted), Some(found)) => (wanted, found),
                (None, None) => return Some(letters),
                _ => return None,
            };
            if wanted == found {
                continue;
            }
            let is_letter = wanted.starts_with(|c: char| c.is_ascii_lowercase())
                && wanted.chars().skip(1).all(|c| c.is_ascii_digit());
            let number: u64 = found.parse().ok().filter(|_| is_letter)?;
            match letters.iter().find(|(letter, _)| letter == wanted) {
                Some((_, known)) if *known != number => return None,
                Some(_) => {}
                None => letters.push((wanted.to_owned(), number)),
            }
        }
    }
}

/// Returns runs of letters and digits, and every other character alone; blanks fall away.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim_start();
    std::iter::from_fn(move || {
        let c = rest.chars().next()?;
        let end = if c.is_alphanumeric() {
            rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())
        } else {
            c.len_utf8()
        };
        let word = &rest[..end];
        rest = rest[end..].trim_start();
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_stand_for_numbers() {
        let found = |pattern: &str, name: &str| Pattern::new(pattern).matches(name);
        let pair = |n: u64, k: u64| Some(vec![("n".to_owned(), n), ("k".to_owned(), k)]);
        assert_eq!(found("CN(n,k)", "CN(6,3)"), pair(6, 3));
        assert_eq!(found("CN(n,n)", "CN(6,3)"), None);
        assert_eq!(found("CN(n,n)", "CN(4,4)"), Some(vec![("n".to_owned(), 4)]));
        assert_eq!(found("CN(n,k)", "SCN(6,3)"), None);
        assert_eq!(found("kayles", "kayles"), Some(vec![]));
        assert_eq!(found("Gamma(m1,m2;n)", "Gamma(1,4;23)").map(|l| l.len()), Some(3));
        assert_eq!(found("NIM(1,4;n;d,e)", "NIM(1,4;n;d,e)"), Some(vec![]));
    }
}
