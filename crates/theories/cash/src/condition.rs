//! Win conditions for a whole game NIM(A;n;d,e), found from A alone and proved.
//!
//! Sources: W. Gasarch, J. Purtilo, D. Ulrich, *NIM with Cash*, Def. 1.14 and §9, who ask for an
//! algorithm. Two forms are tried, [`Window`] and [`Words`]. Each decides a position in a number of
//! operations on numbers of log(nde) digits that depends on A alone. There need not be a condition
//! for every A.

use super::window::{FIRST_UNDECIDED, Window};
use super::words::Words;
use bouton_certificate::{Certificate, CertificateKind};
use bouton_core::{LimitReached, Meter};
use num_bigint::{BigInt, BigUint};
use std::fmt::Write;

/// The greatest number of stones within which a window must appear.
const MAX_STONES: usize = 1 << 17;
/// The node budget of the search for a window.
const MAX_NODES: u64 = 1 << 26;

/// A win condition for all n, d, e.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    set: Vec<u64>,
    /// The proof and the values v_c(n).
    pub proof: Proof,
}

/// The values v_c(n) for all n and all c ≥ 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// A table that is shifted in one direction.
    Window(Window),
    /// Words in k for each n mod P.
    Words(Words),
}

impl Condition {
    /// Searches for a condition and its proof. `None` means that none was found, not that there is
    /// none. `set` is the set A: ascending, not empty, members at least 1.
    ///
    /// # Errors
    /// Fails if the budget is exhausted.
    pub fn find(set: &[u64], meter: &mut Meter) -> Result<Option<Condition>, LimitReached> {
        let mut share = meter.fork(MAX_NODES);
        // With several rates of growth no window appears within a few thousand stones.
        let most =
            set.last().map_or(0, |a| a.saturating_mul(200).clamp(3000, MAX_STONES as u64)) as usize;
        let window = Window::find(set, most, &mut share);
        meter.join(&share);
        let window = match window {
            Err(LimitReached::Nodes(_)) if meter.fork(1).spend_one().is_ok() => None,
            other => other?,
        };
        let proof = match window {
            Some(window) => Some(Proof::Window(window)),
            None => Words::find(set, meter)?.map(Proof::Words),
        };
        Ok(proof.map(|proof| Condition { set: set.to_vec(), proof }))
    }

    /// Returns the set A.
    pub fn set(&self) -> &[u64] {
        &self.set
    }

    /// Returns v_c(n) for c ≥ 2. The player to move wins iff d − e + v_c(n) > 0.
    pub fn value(&self, n: &BigInt, c: &BigInt) -> BigInt {
        match &self.proof {
            Proof::Window(window) => window.value(n, c),
            Proof::Words(words) => words.value(n, c),
        }
    }

    /// Returns whether the player to move wins; `None` is unlimited money.
    pub fn mover_wins(
        &self,
        stones: &BigUint,
        mover: Option<&BigUint>,
        other: Option<&BigUint>,
    ) -> bool {
        let [n, d, e, c] = terms(stones, mover, other);
        if c < BigInt::from(FIRST_UNDECIDED) {
            return &d / self.set[0] > &e / self.set[0];
        }
        d - e + self.value(&n, &c) > BigInt::ZERO
    }

    /// Returns the certificate of kind `win-condition` (docs/certificates.md).
    pub fn certificate(&self) -> Certificate {
        let set: Vec<String> = self.set.iter().map(u64::to_string).collect();
        Certificate {
            kind: CertificateKind::WinCondition,
            game: format!("NIM({};n;d,e)", set.join(",")),
            claim: format!(
                "with c = d + e + 1 - n, the mover wins iff c > 1 and d - e + v > 0, or c <= 1 \
                 and floor(d / {0}) > floor(e / {0})",
                self.set[0]
            ),
            body: match &self.proof {
                Proof::Window(window) => window_body(window),
                Proof::Words(words) => words_body(words),
            },
        }
    }
}

/// Returns n, d, e and c of a position. A purse as large as the number of stones is equivalent to
/// unlimited money.
pub(super) fn terms(
    stones: &BigUint,
    mover: Option<&BigUint>,
    other: Option<&BigUint>,
) -> [BigInt; 4] {
    let purse =
        |dollars: Option<&BigUint>| BigInt::from(dollars.unwrap_or(stones).min(stones).clone());
    let (n, d, e) = (BigInt::from(stones.clone()), purse(mover), purse(other));
    let c = &d + &e + 1 - &n;
    [n, d, e, c]
}

fn window_body(window: &Window) -> String {
    let mut body =
        format!("window {} {} {} {}\n", window.period, window.gain, window.from, window.rich);
    for line in &window.lines {
        let _ = writeln!(body, "line {}c {}", if line.rises { '+' } else { '-' }, line.shift);
    }
    for row in &window.rows {
        let values: Vec<String> = row.values.iter().map(i64::to_string).collect();
        let _ = writeln!(body, "row {} {}", row.period, values.join(" "));
    }
    body
}

fn words_body(words: &Words) -> String {
    let mut body = format!("words {} {}\n", words.paths.len(), words.first);
    for path in &words.paths {
        let _ = write!(body, "path {} {}", path.start, letter(path.rises));
        for piece in &path.powers {
            let _ = write!(
                body,
                " {}^{}k{:+}",
                spell(&piece.steps),
                piece.times.slope,
                piece.times.at_zero
            );
        }
        body.push('\n');
    }
    body
}

/// Returns `U` or `D`.
pub(super) fn letter(up: bool) -> char {
    if up { 'U' } else { 'D' }
}

/// Spells steps as letters with their multiplicities: `U3D1`.
pub(super) fn spell(steps: &[bool]) -> String {
    let mut text = String::new();
    for run in steps.chunk_by(|a, b| a == b) {
        let _ = write!(text, "{}{}", letter(run[0]), run.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Thresholds;
    use crate::invariant::tests::subsets;
    use bouton_core::Budget;

    fn find(set: &[u64]) -> Option<Condition> {
        Condition::find(set, &mut Meter::new(&Budget::default())).unwrap()
    }

    /// Compares a condition with the thresholds, which know the rules only.
    fn agrees(condition: &Condition, most: u32) {
        let mut table = Thresholds::new(condition.set(), most);
        for n in 0..=most {
            let row = table.next_row().to_vec();
            let wins = |d: u32, e: u32| {
                condition.mover_wins(&n.into(), Some(&BigUint::from(d)), Some(&BigUint::from(e)))
            };
            for (d, threshold) in row.iter().enumerate() {
                let d = d as u32;
                assert!(
                    *threshold == 0 || wins(d, threshold - 1),
                    "{:?} {n} {d} {}",
                    condition.set(),
                    threshold - 1
                );
                assert!(
                    *threshold > most || !wins(d, *threshold),
                    "{:?} {n} {d} {threshold}",
                    condition.set()
                );
            }
        }
    }

    /// Returns a certificate with a changed body and a new seal.
    fn changed(certificate: &Certificate, body: String) -> String {
        Certificate { body, ..certificate.clone() }.to_text()
    }

    #[test]
    fn certificates_are_accepted_and_changed_ones_are_not() {
        let several =
            [vec![3, 5, 9, 11], vec![3, 5, 7, 8, 12], vec![3, 7, 8, 12], vec![5, 7, 13, 15]];
        for set in subsets(8).chain(several) {
            let certificate = find(&set).unwrap().certificate();
            let accepted = bouton_check::check(&certificate.to_text());
            assert!(accepted.is_ok(), "{set:?} {accepted:?}");
        }
        for set in [vec![1, 4], vec![2, 3, 7], vec![3, 7, 8, 12]] {
            let certificate = find(&set).unwrap().certificate();
            let body = &certificate.body;
            let head = body.find('\n').unwrap();
            for (at, c) in
                body.char_indices().filter(|(_, c)| c.is_ascii_alphanumeric() || *c == '\n')
            {
                let mut other = body.clone();
                let to = if c.is_ascii_digit() {
                    ((c as u8 - b'0' + 1) % 10 + b'0') as char
                } else {
                    '?'
                };
                other.replace_range(at..at + 1, &to.to_string());
                // Words may be claimed from a later K on.
                if at < head && body.starts_with("words") && at > body.find(' ').unwrap() + 2 {
                    continue;
                }
                assert!(
                    bouton_check::check(&changed(&certificate, other)).is_err(),
                    "{set:?} byte {at} of {body}"
                );
            }
            for line in body.lines() {
                let other = body.replacen(&format!("{line}\n"), "", 1);
                assert!(
                    bouton_check::check(&changed(&certificate, other)).is_err(),
                    "{set:?} without {line}"
                );
            }
        }
    }

    #[test]
    fn every_subset_of_1_to_8_has_a_window() {
        for set in subsets(8) {
            let condition = find(&set).unwrap();
            assert!(matches!(condition.proof, Proof::Window(_)), "{set:?}");
            agrees(&condition, 60);
        }
    }

    #[test]
    fn sets_with_several_slopes_have_words() {
        for set in [[3, 5, 9, 11].as_slice(), &[3, 7, 8, 12], &[3, 5, 6, 10, 13], &[5, 7, 13, 15]] {
            let condition = find(set).unwrap();
            assert!(matches!(condition.proof, Proof::Words(_)), "{set:?}");
            agrees(&condition, 900);
        }
    }
}
