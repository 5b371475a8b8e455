//! Circular Nim and its six variations: take from a window of k consecutive heaps on a circle of n.
//!
//! Source: M. Dufour, S. Heubach, *Circular Nim games*, Electron. J. Combin. 20(2) (2013) #P22; the
//! variations are named in S. Heubach's slides on the paper.

use crate::heap_rules::HeapRules;
use crate::rings;
use crate::rows::MAX_HEAP;
use bouton_core::{Moves, Node, NotationError, Relation, Scanner, Term, Windows};
use bouton_engine::family::{Example, Family, Reference, ReferenceKind, name_prefix};
use bouton_engine::game::Game;

/// This family in the list.
pub const FAMILY: Family = Family {
    name: "circular",
    notation: "CN(n,k) | CN(n,k;any=a) | ;each=a | ;each>=a | ;total=a | ;total>=a",
    about: "take from k consecutive heaps on a circle of n",
    title: "Circular Nim",
    sentence: "Heaps on a circle. Take from neighbours, as many as you like.",
    opening: Example::new("CN(4,2)", "3,2,4,2"),
    source: "M. Dufour, S. Heubach, Electron. J. Combin. 20(2) (2013) P22",
    reference: Reference {
        kind: ReferenceKind::Article,
        key: "dufour-heubach",
        author: "Matthieu Dufour and Silvia Heubach",
        title: "Circular Nim Games",
        place: "Electron. J. Combin. 20(2), P22",
        year: "2013",
    },
    examples: &[
        Example::new("CN(3,2)", "0,1,2"),
        Example::new("CN(6,3)", "1,2,3,1,2,3"),
        Example::new("CN(4,2;any=2)", "2,3,4,5"),
        Example::new("CN(4,2;each=1)", "2,3,1,2"),
        Example::new("CN(5,2;each>=1)", "1,2,3,2,1"),
        Example::new("CN(4,2;each>=2)", "2,3,4,5"),
        Example::new("CN(4,3;total>=2)", "1,2,1,2"),
        Example::new("CN(4,2;total=2)", "1,2,3,2"),
    ],
    claims: |text| name_prefix(text) == "CN",
    parse,
};

/// How many tokens r_i leave the heaps of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taking {
    /// Each r_i is 0 or a, not all 0.
    Any(u32),
    /// Each r_i is a.
    Each(u32),
    /// Each r_i is at least a.
    EachAtLeast(u32),
    /// They are a in all.
    Total(u32),
    /// They are at least a in all; circular Nim itself has a = 1.
    TotalAtLeast(u32),
}

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let accepted = "CN(n,k) with k <= n, e.g. CN(6,3); variations CN(6,3;any=2), ;each=2, \
        ;each>=1, ;total=2, ;total>=2";
    let mut scanner = Scanner::new(text, accepted);
    scanner.expect("CN")?;
    let (n, k) = rings::parameters(&mut scanner)?;
    let mut taking = Taking::TotalAtLeast(1);
    if scanner.eat(";") {
        let start = scanner.at();
        let kind = scanner.run(|c| c.is_alphabetic());
        let at_least = scanner.eat(">=") || scanner.eat("≥");
        if !at_least {
            scanner.expect("=")?;
        }
        let a = scanner.number("the number to take", MAX_HEAP)? as u32;
        taking = match (kind, at_least) {
            ("any", false) => Taking::Any(a),
            ("each", false) => Taking::Each(a),
            ("each", true) => Taking::EachAtLeast(a),
            ("total", false) => Taking::Total(a),
            ("total", true) => Taking::TotalAtLeast(a),
            _ => {
                return Err(
                    scanner.error(start..scanner.at(), format!("there is no variation `{kind}`"))
                );
            }
        };
        if a == 0 {
            return Err(scanner.error(start..scanner.at(), "at least one token must leave"));
        }
    }
    scanner.expect(")")?;
    scanner.finish()?;
    Ok(circular(n, k, taking).game())
}

/// Returns CN(n,k), 1 ≤ k ≤ n ≤ 15, or a variation: how tokens leave a window of k heaps, at least
/// one in all.
pub fn circular(n: usize, k: usize, taking: Taking) -> HeapRules {
    let (variation, take) = match taking {
        Taking::Any(a) => {
            (format!(";any={a}"), format!("take exactly {a} from one or more of them"))
        }
        Taking::Each(a) => (format!(";each={a}"), format!("take exactly {a} from each of them")),
        Taking::EachAtLeast(a) => {
            (format!(";each>={a}"), format!("take at least {a} from each of them"))
        }
        Taking::Total(a) => (format!(";total={a}"), format!("take exactly {a} from them in all")),
        Taking::TotalAtLeast(1) => (String::new(), "take at least 1 from them in all".into()),
        Taking::TotalAtLeast(a) => {
            (format!(";total>={a}"), format!("take at least {a} from them in all"))
        }
    };
    let windows = Windows::Arc(k);
    let moves = match condition(k, taking) {
        None => Moves::free(windows),
        Some(condition) => Moves::with_condition(windows, condition),
    };
    let about = format!("{n} heaps stand on a circle. Choose {k} consecutive heaps and {take}.");
    HeapRules::ring(n, moves).with_name(format!("CN({n},{k}{variation})"), about)
}

/// Returns what must hold of the window's heaps before (p0, p1, …) and after a move (q0, q1, …),
/// tokens leaving some of them.
fn condition(k: usize, taking: Taking) -> Option<Node> {
    let (before, after) = (Moves::size_before, Moves::size_after);
    let plus = |mut terms: Vec<Term>, a: u32| {
        terms.push(Term::Number(a.into()));
        Term::Sum(terms)
    };
    let each = |taken: &dyn Fn(usize) -> Node| Some(Node::all((0..k).map(taken)));
    let left = |a| plus((0..k).map(after).collect(), a);
    let all = || match k {
        1 => before(0),
        _ => Term::Sum((0..k).map(before).collect()),
    };
    match taking {
        Taking::TotalAtLeast(1) => None,
        Taking::Any(a) => each(&|i| {
            Node::any([after(i).equals(before(i)), plus(vec![after(i)], a).equals(before(i))])
        }),
        Taking::Each(a) => each(&|i| plus(vec![after(i)], a).equals(before(i))),
        Taking::EachAtLeast(a) => {
            each(&|i| plus(vec![after(i)], a).compared(Relation::AtMost, before(i)))
        }
        Taking::Total(a) => Some(left(a).equals(all())),
        Taking::TotalAtLeast(a) => Some(left(a).compared(Relation::AtMost, all())),
    }
}
