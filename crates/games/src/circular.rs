//! Circular Nim and its six variations: take from a window of k consecutive heaps on a circle of n.
//!
//! Source: M. Dufour, S. Heubach, *Circular Nim games*, Electron. J. Combin. 20(2) (2013) #P22; the variations are
//! named in S. Heubach's slides on the paper.

use crate::family::{Example, Family, head};
use crate::rings;
use crate::rows::MAX_HEAP;
use bouton_rules::{
    Board, Digits, HeapGame, Heaps, Impartial, Moves, Notation, NotationError, Ruleset, Scanner, Symmetry,
    Windows,
};
use bouton_solve::game::{Game, impartial};
use std::ops::ControlFlow::{self, Continue};

/// This family in the list.
pub const FAMILY: Family = Family {
    name: "circular",
    notation: "CN(n,k) | CN(n,k;any=a) | ;each=a | ;each>=a | ;total=a | ;total>=a",
    about: "take from k consecutive heaps on a circle of n",
    source: "M. Dufour, S. Heubach, Electron. J. Combin. 20(2) (2013) P22",
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
    claims: |text| head(text) == "CN",
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

/// CN(n,k) or one of its variations.
#[derive(Debug, Clone)]
pub struct Circular {
    /// Heaps on the circle, 1..=15.
    pub n: usize,
    /// Heaps in a window, 1..=n.
    pub k: usize,
    /// What leaves a window.
    pub taking: Taking,
}

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let accepted =
        "CN(n,k) with k <= n, e.g. CN(6,3); variations CN(6,3;any=2), ;each=2, ;each>=1, ;total=2, ;total>=2";
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
            _ => return Err(scanner.error(start..scanner.at(), format!("there is no variation `{kind}`"))),
        };
        if a == 0 {
            return Err(scanner.error(start..scanner.at(), "at least one token must leave"));
        }
    }
    scanner.expect(")")?;
    scanner.finish()?;
    Ok(impartial(Circular { n, k, taking }))
}

impl Circular {
    /// What may leave a heap of a window when `taken` have left those before it: from, to, step.
    fn range(&self, heap: u32, taken: u64, last: bool) -> (u64, u64, u64) {
        let heap = u64::from(heap);
        match self.taking {
            Taking::Any(a) => (0, if u64::from(a) <= heap { a.into() } else { 0 }, a.into()),
            Taking::Each(a) => (a.into(), heap.min(a.into()), 1),
            Taking::EachAtLeast(a) => (a.into(), heap, 1),
            Taking::Total(a) => {
                let wanted = u64::from(a) - taken;
                (if last { wanted } else { 0 }, heap.min(wanted), 1)
            }
            Taking::TotalAtLeast(a) => (if last { u64::from(a).saturating_sub(taken) } else { 0 }, heap, 1),
        }
    }

    /// Visits every taking from `left` more heaps of a window, from `place` on; `taken` have left those before.
    fn window<B>(
        &self,
        q: &mut Heaps,
        place: usize,
        left: usize,
        taken: u64,
        visit: &mut impl FnMut(Heaps) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if left == 0 {
            return if taken > 0 { visit(*q) } else { Continue(()) };
        }
        let i = if place >= self.n { place - self.n } else { place };
        let heap = q[i];
        let (mut r, to, step) = self.range(heap, taken, left == 1);
        while r <= to {
            q[i] = heap - r as u32;
            self.window(q, place + 1, left - 1, taken + r, visit)?;
            r += step;
        }
        q[i] = heap;
        Continue(())
    }

    /// What must hold of the window's heaps before (p0, p1, …) and after a move (q0, q1, …), tokens leaving some of them.
    fn condition(&self) -> Option<String> {
        let each = |text: &dyn Fn(usize) -> String| (0..self.k).map(text).collect::<Vec<_>>();
        let sum = |letter: char| each(&|i| format!("{letter}{i}")).join("+");
        match self.taking {
            Taking::TotalAtLeast(1) => None,
            Taking::Any(a) => Some(each(&|i| format!("(q{i} = p{i} | q{i}+{a} = p{i})")).join(" & ")),
            Taking::Each(a) => Some(each(&|i| format!("q{i}+{a} = p{i}")).join(" & ")),
            Taking::EachAtLeast(a) => Some(each(&|i| format!("q{i}+{a} <= p{i}")).join(" & ")),
            Taking::Total(a) => Some(format!("{}+{a} = {}", sum('q'), sum('p'))),
            Taking::TotalAtLeast(a) => Some(format!("{}+{a} <= {}", sum('q'), sum('p'))),
        }
    }

    /// A window in which a heap is smaller than this is blocked for ever; 0 where no heap blocks.
    fn blocking(&self) -> u32 {
        match self.taking {
            Taking::Each(a) | Taking::EachAtLeast(a) => a,
            _ => 0,
        }
    }
}

impl Ruleset for Circular {
    type Position = Heaps;

    fn options<B>(&self, p: &Heaps, mut visit: impl FnMut(Heaps) -> ControlFlow<B>) -> ControlFlow<B> {
        // In plain circular Nim a move is visited from its first heap on only: fewer repetitions, same options.
        let plain = self.taking == Taking::TotalAtLeast(1) && self.k < self.n;
        let mut q = *p;
        for first in 0..if self.k == self.n { 1 } else { self.n } {
            if !plain {
                self.window(&mut q, first, self.k, 0, &mut visit)?;
                continue;
            }
            for taken in 1..=p[first] {
                q[first] = p[first] - taken;
                rings::below(&mut q, self.n, first + 1, self.k - 1, &mut visit)?;
            }
            q[first] = p[first];
        }
        Continue(())
    }

    fn rank(&self, p: &Heaps) -> u64 {
        p.total()
    }

    fn canonical(&self, p: Heaps) -> Heaps {
        rings::least_image(p)
    }
}

impl Impartial for Circular {
    /// Where a heap too small blocks its windows, the circle falls into lines between such heaps; a line is kept as
    /// a circle that is empty elsewhere.
    fn summands(&self, p: &Heaps, mut visit: impl FnMut(Heaps)) {
        let blocking = self.blocking();
        let Some(gap) = p.iter().position(|heap| *heap < blocking) else { return visit(*p) };
        let mut line = Heaps::empty(self.n);
        let mut length = 0;
        for i in (gap + 1..=gap + self.n).map(|i| i % self.n) {
            if p[i] >= blocking {
                line[i] = p[i];
                length += 1;
            } else {
                if length >= self.k {
                    visit(line);
                }
                (line, length) = (Heaps::empty(self.n), 0);
            }
        }
    }
}

impl Notation for Circular {
    fn name(&self) -> String {
        let (n, k) = (self.n, self.k);
        match self.taking {
            Taking::TotalAtLeast(1) => format!("CN({n},{k})"),
            Taking::Any(a) => format!("CN({n},{k};any={a})"),
            Taking::Each(a) => format!("CN({n},{k};each={a})"),
            Taking::EachAtLeast(a) => format!("CN({n},{k};each>={a})"),
            Taking::Total(a) => format!("CN({n},{k};total={a})"),
            Taking::TotalAtLeast(a) => format!("CN({n},{k};total>={a})"),
        }
    }

    fn describe(&self) -> String {
        let take = match self.taking {
            Taking::Any(a) => format!("take exactly {a} from one or more of them"),
            Taking::Each(a) => format!("take exactly {a} from each of them"),
            Taking::EachAtLeast(a) => format!("take at least {a} from each of them"),
            Taking::Total(a) => format!("take exactly {a} from them in all"),
            Taking::TotalAtLeast(a) => format!("take at least {a} from them in all"),
        };
        format!("{} heaps stand on a circle. Choose {} consecutive heaps and {take}.", self.n, self.k)
    }

    fn position_form(&self) -> String {
        crate::rows::form(Some(self.n), "heap")
    }

    fn read(&self, text: &str) -> Result<Heaps, NotationError> {
        Ok(Heaps::from(&crate::rows::read(text, Some(self.n), "heap")?[..]))
    }

    fn print(&self, p: &Heaps) -> String {
        crate::rows::print(p, None)
    }

    fn positions_up_to<B>(
        &self,
        max: u32,
        visit: impl FnMut(Heaps) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        Some(rings::boxed(self.n, 0, max, visit))
    }

    fn heap_game(&self) -> Option<HeapGame> {
        let windows = Windows::Arc(self.k);
        let moves = match self.condition() {
            None => Moves::free(windows),
            Some(condition) => Moves::with(windows, condition),
        };
        let digits = Digits::Binary;
        Some(HeapGame { heaps: self.n, symmetry: Symmetry::Ring, shrinks: false, moves, digits })
    }

    fn sizes(&self, p: &Heaps) -> Vec<u64> {
        crate::rows::sizes(p, None)
    }

    fn move_text(&self, p: &Heaps, q: &Heaps) -> String {
        let changes = (0..self.n).filter(|i| p[*i] != q[*i]);
        let parts: Vec<String> = changes.map(|i| format!("heap {}: {} → {}", i + 1, p[i], q[i])).collect();
        parts.join(", ")
    }

    fn board(&self, p: &Heaps) -> Board {
        Board::Ring(p.to_vec())
    }
}
