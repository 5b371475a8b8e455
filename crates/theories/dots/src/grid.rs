//! A board of at most 64 lines as one word, and its canonical form under symmetry.
//!
//! Lines are numbered from top to bottom, each row of horizontal lines before the vertical lines
//! below it, from left to right. Box (r, c) has the number of its top line. The four lines of all
//! boxes are therefore four shifts of the word, and the open lines of all boxes are counted at once
//! by adding bits.
//!
//! Two lines between the same two boxes, or between a box and the outside (at a corner), can be
//! exchanged; only the number of open ones matters. Symmetries are tables by bytes. The images of a
//! position less a line are those of the position less those of the line, so the options of a
//! position become canonical without further table accesses.

use bouton_core::Arrange;
use std::cmp::Ordering;

/// A set of lines, or of boxes, one bit each.
pub(super) type Word = u64;

/// The geometry of a board.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    /// The number of boxes.
    pub boxes: u32,
    /// The number of lines.
    pub lines: u32,
    /// The set of all boxes.
    box_bits: Word,
    /// The distance from a box to its left line.
    left: u32,
    /// The distance from a box to its bottom line, and to the box below.
    below: u32,
    /// The lines in the order of search, in groups.
    pub rings: Vec<Word>,
    /// The exchangeable lines, to be sorted in this order: the first of each pair, and the distance
    /// to the second.
    exchangeable: Vec<(Word, u32)>,
    /// Whether positions have eight images, not four.
    is_square: bool,
    /// The images of the lines of a byte.
    by_bytes: Vec<Images>,
    /// The images of a line.
    by_line: Vec<Images>,
}

/// A set of lines under all symmetries. A board that is not square uses the first four.
pub(super) type Images = [Word; 8];

/// The boxes of a position by the number of their open lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counts {
    pub one: Word,
    pub two: Word,
    pub three: Word,
    pub four: Word,
}

impl Counts {
    pub fn live(self) -> Word {
        self.one | self.two | self.three | self.four
    }
}

impl Grid {
    /// Returns the grid, or `None` if the board has no boxes or more than 64 lines.
    pub fn new(rows: usize, columns: usize) -> Option<Grid> {
        if rows == 0 || columns == 0 || rows > 64 || columns > 64 {
            return None;
        }
        let lines = (rows + 1) * columns + rows * (columns + 1);
        if lines > 64 {
            return None;
        }
        let period = 2 * columns + 1;
        let mut grid = Grid {
            boxes: (rows * columns) as u32,
            lines: lines as u32,
            box_bits: (0..rows)
                .flat_map(|r| (0..columns).map(move |c| 1 << (r * period + c)))
                .sum(),
            left: columns as u32,
            below: period as u32,
            rings: rings(rows, columns),
            exchangeable: Vec::new(),
            is_square: rows == columns,
            by_bytes: Vec::new(),
            by_line: Vec::new(),
        };
        // Classes of exchangeable lines: those with the same boxes on their sides.
        let sides: Vec<Word> = (0..lines).map(|line| grid.touched(1 << line)).collect();
        let class = |line: usize| {
            (0..lines).filter(|other| sides[*other] == sides[line]).collect::<Vec<_>>()
        };
        for first in 0..lines {
            let members = class(first);
            if members[0] != first {
                continue;
            }
            for end in (1..members.len()).rev() {
                for i in 0..end {
                    grid.exchange(1 << members[i], (members[i + 1] - members[i]) as u32);
                }
            }
        }
        // A symmetry maps the i-th line of a class to the i-th of another, so it keeps classes
        // sorted.
        let symmetries: Vec<Vec<usize>> = symmetries(rows, columns)
            .into_iter()
            .map(|to| {
                let image = |line: usize| {
                    let members = class(line);
                    let box_place = members.iter().position(|other| *other == line)?;
                    class(to[members[0]]).get(box_place).copied()
                };
                (0..lines).map(|line| image(line).unwrap_or(to[line])).collect()
            })
            .collect();
        grid.by_bytes = by_bytes(&symmetries);
        grid.by_line = (0..lines).map(|line| grid.images(1 << line)).collect();
        Some(grid)
    }

    /// Records that the lines `first` can be exchanged with those at a distance, if possible in an
    /// entry of the same distance.
    fn exchange(&mut self, first: Word, distance: u32) {
        let apart = |other: Word| (other | other << distance) & (first | first << distance) == 0;
        match self.exchangeable.last_mut() {
            Some((others, far)) if *far == distance && apart(*others) => *others |= first,
            _ => self.exchangeable.push((first, distance)),
        }
    }

    /// Returns the set of all lines.
    pub fn all(&self) -> Word {
        Word::MAX >> (64 - self.lines)
    }

    /// Returns the place of a box, row by row from 0.
    pub fn box_place(&self, box_bit: u32) -> u32 {
        box_bit / self.below * self.left + box_bit % self.below
    }

    /// Returns the boxes by the number of their open lines.
    #[inline]
    pub fn counts(&self, open: Word) -> Counts {
        let (top, left) = (open, open >> self.left);
        let (right, bottom) = (open >> (self.left + 1), open >> self.below);
        let (sum1, pair1) = (top ^ left, top & left);
        let (sum2, pair2) = (right ^ bottom, right & bottom);
        let odd = sum1 ^ sum2;
        // At most one of the three, unless both pairs are open.
        let pairs = (sum1 & sum2) | (pair1 ^ pair2);
        let boxes = self.box_bits;
        Counts {
            one: odd & !pair1 & !pair2 & boxes,
            two: !odd & pairs & boxes,
            three: odd & pairs & boxes,
            four: pair1 & pair2 & boxes,
        }
    }

    /// Returns the lines of boxes.
    #[inline]
    pub fn around(&self, boxes: Word) -> Word {
        self.low_sides(boxes) | self.high_sides(boxes)
    }

    /// Returns the top and left lines of boxes.
    #[inline]
    fn low_sides(&self, boxes: Word) -> Word {
        boxes | boxes << self.left
    }

    /// Returns the right and bottom lines of boxes.
    #[inline]
    fn high_sides(&self, boxes: Word) -> Word {
        boxes << (self.left + 1) | boxes << self.below
    }

    /// Returns the lines that have boxes of `boxes` on both sides.
    #[inline]
    pub fn within(&self, boxes: Word) -> Word {
        self.low_sides(boxes) & self.high_sides(boxes)
    }

    /// Returns the boxes that have a line of `lines`.
    #[inline]
    pub fn touched(&self, lines: Word) -> Word {
        (lines | lines >> self.left | lines >> (self.left + 1) | lines >> self.below)
            & self.box_bits
    }

    /// Returns the boxes that are reachable from `from` over open lines through boxes of `through`,
    /// with `from` itself.
    #[inline]
    pub fn reached(&self, mut from: Word, through: Word, open: Word) -> Word {
        loop {
            // A line is crossed when a box on one of its sides is reached.
            let next = from | self.touched(self.around(from) & open) & through;
            if next == from {
                return from;
            }
            from = next;
        }
    }

    /// Returns the boxes that are reachable from `from` over open lines if all of them are in
    /// `through`.
    #[inline]
    pub fn component(&self, mut from: Word, through: Word, open: Word) -> Option<Word> {
        loop {
            let next = from | self.touched(self.around(from) & open);
            if next & !through != 0 {
                return None;
            }
            if next == from {
                return Some(from);
            }
            from = next;
        }
    }

    /// Returns the open lines that can be exchanged with a later open line.
    #[inline]
    pub fn doubles(&self, open: Word) -> Word {
        self.exchangeable
            .iter()
            .fold(0, |all, (first, distance)| all | open & first & open >> distance)
    }

    /// Returns the same position with exchangeable lines sorted, open ones first.
    #[inline]
    fn sorted(&self, mut open: Word) -> Word {
        for (first, distance) in &self.exchangeable {
            // The first line takes the place of one that only the second has.
            let swap = open >> distance & !open & first;
            open ^= swap | swap << distance;
        }
        open
    }

    /// Returns the least image of a set of open lines, with exchangeable lines sorted.
    #[inline]
    pub fn canonical(&self, open: Word) -> Word {
        self.least(&self.images(self.sorted(open)))
    }

    /// Returns the images of a set of lines.
    #[inline]
    pub fn images(&self, open: Word) -> Images {
        let mut all = [0; 8];
        for (byte, rows) in self.by_bytes.chunks_exact(256).enumerate() {
            let row = &rows[(open >> (8 * byte) & 255) as usize];
            for (all, part) in all.iter_mut().zip(row) {
                *all |= part;
            }
        }
        all
    }

    /// Returns the images of a set of lines without one of its lines.
    #[inline]
    pub fn without(&self, images: &Images, line: Word) -> Images {
        let of = &self.by_line[line.trailing_zeros() as usize];
        std::array::from_fn(|i| images[i] ^ of[i])
    }

    /// Returns the least image. If exchangeable lines are sorted in one image, they are sorted in
    /// all.
    #[inline]
    pub fn least(&self, images: &Images) -> Word {
        let [a, b, c, d, e, f, g, h] = *images;
        let four = a.min(b).min(c.min(d));
        if self.is_square { four.min(e.min(f).min(g.min(h))) } else { four }
    }
}

fn by_bytes(symmetries: &[Vec<usize>]) -> Vec<Images> {
    let lines = symmetries[0].len();
    let mut table = Vec::new();
    for byte in 0..lines.div_ceil(8) {
        for pattern in 0..256usize {
            table.push(std::array::from_fn(|which| {
                let to = &symmetries[which % symmetries.len()];
                let set = (0..8).filter(|bit| pattern >> bit & 1 == 1 && 8 * byte + bit < lines);
                set.map(|bit| 1 << to[8 * byte + bit]).sum()
            }));
        }
    }
    table
}

/// Returns the middle of a line in halves of a box: down, across.
fn middle(columns: usize, line: usize) -> (usize, usize) {
    let (row, box_place) = (line / (2 * columns + 1), line % (2 * columns + 1));
    if box_place < columns {
        (2 * row, 2 * box_place + 1)
    } else {
        (2 * row + 1, 2 * (box_place - columns))
    }
}

/// Returns the symmetries as permutations of the lines: flips, and transpositions of square boards.
/// The first is the identity.
fn symmetries(rows: usize, columns: usize) -> Vec<Vec<usize>> {
    let lines = (rows + 1) * columns + rows * (columns + 1);
    let number = |down: usize, across: usize| {
        let start = down / 2 * (2 * columns + 1);
        if down.is_multiple_of(2) { start + across / 2 } else { start + columns + across / 2 }
    };
    let image = |which: usize, line: usize| {
        let (mut down, mut across) = middle(columns, line);
        if which & 1 == 1 {
            down = 2 * rows - down;
        }
        if which & 2 == 2 {
            across = 2 * columns - across;
        }
        if which & 4 == 4 { number(across, down) } else { number(down, across) }
    };
    let count = if rows == columns { 8 } else { 4 };
    (0..count).map(|which| (0..lines).map(|line| image(which, line)).collect()).collect()
}

/// Returns the lines in the order of search. On long boards lines nearest to the middle of the
/// longer side come first, from the rim inwards, so that the board soon falls apart; on square
/// boards lines come from the centre outwards.
fn rings(rows: usize, columns: usize) -> Vec<Word> {
    let lines = (rows + 1) * columns + rows * (columns + 1);
    let order = |line: usize| {
        let (down, across) = middle(columns, line);
        let (down, across) = (down.abs_diff(rows), across.abs_diff(columns));
        match rows.cmp(&columns) {
            Ordering::Greater => (down, usize::MAX - across),
            Ordering::Less => (across, usize::MAX - down),
            Ordering::Equal => (down * down + across * across, down),
        }
    };
    let mut orders: Vec<_> = (0..lines).map(order).collect();
    orders.arrange();
    orders.dedup();
    let ring = |of| (0..lines).filter(|line| order(*line) == of).map(|line| 1 << line).sum();
    orders.into_iter().map(ring).collect()
}
