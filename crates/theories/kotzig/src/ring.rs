//! A position of Kotzig's Nim as the proofs on circles of every size see it.
//!
//! A free cell is *lost* if every cell from which a step leads there is marked and none of them has
//! the token: nobody can come to it any more, so to mark it changes nothing. In the proofs a move
//! marks the lost cells just behind it (`bouton-check`, `circle`): a game from the start goes
//! through positions so marked. A position that was only named has no such history; what its last
//! move may have been is tried.

/// The marked cells and the token's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ring {
    /// One flag a cell.
    pub marked: Vec<bool>,
    /// The token's cell.
    pub token: usize,
    /// Whether the proof's circle is this one turned over: its steps forth go back here.
    pub over: bool,
}

impl Ring {
    /// Returns the start: the token's cell is marked and no other.
    pub(crate) fn start(cells: usize) -> Ring {
        let mut marked = vec![false; cells];
        if let Some(first) = marked.first_mut() {
            *first = true;
        }
        Ring { marked, token: 0, over: false }
    }

    /// Returns a position in the game's own notation, `0,1,5/5`, on this many cells.
    pub(crate) fn read(position: &str, cells: usize, over: bool) -> Option<Ring> {
        let (visited, token) = position.split_once('/')?;
        let mut marked = vec![false; cells];
        for cell in visited.split(',') {
            *marked.get_mut(cell.trim().parse::<usize>().ok()?)? = true;
        }
        let token = token.trim().parse().ok().filter(|token| marked.get(*token) == Some(&true))?;
        Some(Ring { marked, token, over })
    }

    /// Returns whether no cell but the token's is marked.
    pub(crate) fn is_start(&self) -> bool {
        self.marked.iter().filter(|marked| **marked).count() == 1
    }

    /// Returns the cell so far on from another; steps count mod n.
    fn on(&self, cell: usize, step: i64) -> usize {
        let n = self.marked.len();
        let forth = step.rem_euclid(n as i64) as usize;
        (cell + if self.over { n - forth } else { forth }) % n
    }

    /// Returns the cell so far back from another.
    fn back(&self, cell: usize, step: i64) -> usize {
        self.on(cell, -step)
    }

    /// Returns the cell that a step leads to, if it is free.
    pub(crate) fn to(&self, step: i64) -> Option<usize> {
        Some(self.on(self.token, step)).filter(|to| !self.marked[*to])
    }

    /// Returns the position after a legal step by the rules alone.
    pub(crate) fn plainly_after(&self, step: i64) -> Ring {
        let mut after = Ring { token: self.on(self.token, step), ..self.clone() };
        after.marked[after.token] = true;
        after
    }

    /// Returns whether nobody can come to a free cell any more.
    fn is_lost(&self, cell: usize, steps: &[i64]) -> bool {
        steps.iter().all(|step| {
            let from = self.back(cell, *step);
            self.marked[from] && from != self.token
        })
    }

    /// Returns the position after a legal step as in the proofs: of the cells within the furthest
    /// steps back and forth from where the token stood, the lost ones are marked one after the
    /// other.
    pub(crate) fn after(&self, step: i64, steps: &[i64]) -> Ring {
        let mut after = self.plainly_after(step);
        let (least, greatest) =
            (steps.iter().min().unwrap_or(&0), steps.iter().max().unwrap_or(&0));
        for ahead in *least.min(&0)..=*greatest {
            let cell = self.on(self.token, ahead);
            if ahead != 0 && after.is_lost(cell, steps) {
                after.marked[cell] = true;
            }
        }
        after
    }

    /// Returns the same with every lost cell marked. O(n · steps).
    pub(crate) fn closed(mut self, steps: &[i64]) -> Ring {
        let mut todo: Vec<usize> = (0..self.marked.len()).collect();
        while let Some(cell) = todo.pop() {
            if !self.marked[cell] && self.is_lost(cell, steps) {
                self.marked[cell] = true;
                todo.extend(steps.iter().map(|step| self.on(cell, *step)));
            }
        }
        self
    }

    /// Returns the same position with such lost cells marked as a game may have marked: none, all,
    /// and for each step those that it marks if it was the last move.
    pub(crate) fn readings(&self, steps: &[i64]) -> Vec<Ring> {
        let mut all = vec![self.clone(), self.clone().closed(steps)];
        for step in steps {
            let from = self.back(self.token, *step);
            if from == self.token || !self.marked[from] {
                continue;
            }
            let mut before = Ring { token: from, ..self.clone() };
            before.marked[self.token] = false;
            all.push(before.closed(steps).after(*step, steps));
        }
        all
    }

    /// Returns the cells clockwise, as the proof sees it, from the one after the token.
    pub(crate) fn word(&self) -> impl ExactSizeIterator<Item = bool> + '_ {
        (1..self.marked.len()).map(move |i| self.marked[self.on(self.token, i as i64)])
    }

    /// As the game writes it: lost cells that were marked are listed as well.
    pub(crate) fn text(&self) -> String {
        let cells = self.marked.iter().enumerate().filter(|(_, marked)| **marked);
        let cells: Vec<String> = cells.map(|(cell, _)| cell.to_string()).collect();
        format!("{}/{}", cells.join(","), self.token)
    }
}
