//! The body of a certificate of kind `circle`, written and read: the classes of n, each with its
//! automaton.

use super::{Automaton, ClassProof};
use std::fmt::Write;

/// Returns the body that says this of the classes, by residue.
pub(super) fn write(classes: &[ClassProof]) -> String {
    let mut body = format!("period {}\n", classes.len());
    for (residue, class) in classes.iter().enumerate() {
        let outcome = if class.in_p { 'P' } else { 'N' };
        let (from, states) = (class.from, class.automaton.size());
        // Writing into a string does not fail.
        let _ = writeln!(body, "class {residue} {outcome} from {from} states {states}");
        body.push_str(&class.automaton.lines());
    }
    body
}

/// Returns the classes that a body speaks of; `None` if it is no such body.
pub(crate) fn read(body: &str) -> Option<Vec<ClassProof>> {
    let mut lines = body.lines();
    let period: usize = lines.next()?.strip_prefix("period ")?.parse().ok()?;
    let class = |_| {
        let words: Vec<&str> = lines.next()?.split(' ').collect();
        let ["class", _, outcome, "from", from, "states", states] = words[..] else { return None };
        let states: usize = states.parse().ok()?;
        Some(ClassProof {
            from: from.parse().ok()?,
            in_p: outcome == "P",
            automaton: Automaton::from_lines(lines.by_ref().take(states))?,
        })
    };
    (0..period).map(class).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let body =
            "period 2\nclass 0 P from 5 states 2\n1 2\n0 1 A\nclass 1 N from 7 states 1\n1 0 B\n";
        let classes = read(body).unwrap();
        assert_eq!(
            classes.iter().map(|class| (class.from, class.in_p)).collect::<Vec<_>>(),
            [(5, true), (7, false)]
        );
        assert_eq!(write(&classes), body);
        assert!(read("period 1\n").is_none());
        assert!(read("laps 2 from 9\n").is_none());
    }
}
