//! A board of at most 64 lines as one word, and its canonical form under symmetry.
//!
//! Lines are numbered from top to bottom, each row of horizontal lines before the vertical lines below it, from left to
//! right; box (r, c) is numbered as the line on its top. So the four lines of all boxes are four shifts of the word, and
//! the open lines of all boxes are counted at once by adding bits.
//! Two lines between the same two boxes, or between a box and the outside (at a corner), can be exchanged: the open ones
//! are told by their number. Symmetries are tables by bytes; the images of a position less a line are those of the position
//! less those of the line, so the options of a position are made canonical without another look into the tables.

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
    /// Where there are boxes.
    box_bits: Word,
    /// From a box to its left line.
    left: u32,
    /// From a box to its bottom line, and to the box below.
    below: u32,
    /// Lines in the order to try them, those alike together.
    pub rings: Vec<Word>,
    /// Exchangeable lines, to be sorted one after the other: the first of pairs, and how far the others are from them.
    exchangeable: Vec<(Word, u32)>,
    /// Whether images of a position are eight, not four.
    is_square: bool,
    /// The images of the lines of a byte.
    by_bytes: Vec<Images>,
    /// The images of a line.
    by_line: Vec<Images>,
}

/// A set of lines under all symmetries: of a board that is not square the first four.
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
    /// `None` when the board has no boxes or more than 64 lines.
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
            box_bits: (0..rows).flat_map(|r| (0..columns).map(move |c| 1 << (r * period + c))).sum(),
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
        let class = |line: usize| (0..lines).filter(|other| sides[*other] == sides[line]).collect::<Vec<_>>();
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
        // A symmetry takes the i-th of a class to the i-th of another, so it keeps classes sorted.
        let symmetries: Vec<Vec<usize>> = symmetries(rows, columns)
            .into_iter()
            .map(|to| {
                let image = |line: usize| {
                    let members = class(line);
                    let place = members.iter().position(|other| *other == line)?;
                    class(to[members[0]]).get(place).copied()
                };
                (0..lines).map(|line| image(line).unwrap_or(to[line])).collect()
            })
            .collect();
        grid.by_bytes = by_bytes(&symmetries);
        grid.by_line = (0..lines).map(|line| grid.images(1 << line)).collect();
        Some(grid)
    }

    /// Notes lines that can be exchanged with those so far from them; with others of that distance if nothing forbids it.
    fn exchange(&mut self, first: Word, distance: u32) {
        let apart = |other: Word| (other | other << distance) & (first | first << distance) == 0;
        match self.exchangeable.last_mut() {
            Some((others, far)) if *far == distance && apart(*others) => *others |= first,
            _ => self.exchangeable.push((first, distance)),
        }
    }

    /// All lines.
    pub fn all(&self) -> Word {
        Word::MAX >> (64 - self.lines)
    }

    /// The place of a box, row by row from 0.
    pub fn place(&self, box_bit: u32) -> u32 {
        box_bit / self.below * self.left + box_bit % self.below
    }

    /// The boxes by the number of their open lines.
    #[inline]
    pub fn counts(&self, open: Word) -> Counts {
        let (top, left) = (open, open >> self.left);
        let (right, bottom) = (open >> (self.left + 1), open >> self.below);
        let (sum1, pair1) = (top ^ left, top & left);
        let (sum2, pair2) = (right ^ bottom, right & bottom);
        let odd = sum1 ^ sum2;
        // At most one of the three unless both pairs are there.
        let pairs = (sum1 & sum2) | (pair1 ^ pair2);
        let boxes = self.box_bits;
        Counts {
            one: odd & !pair1 & !pair2 & boxes,
            two: !odd & pairs & boxes,
            three: odd & pairs & boxes,
            four: pair1 & pair2 & boxes,
        }
    }

    /// The lines of boxes.
    #[inline]
    pub fn around(&self, boxes: Word) -> Word {
        self.low_sides(boxes) | self.high_sides(boxes)
    }

    /// The top and left lines of boxes.
    #[inline]
    fn low_sides(&self, boxes: Word) -> Word {
        boxes | boxes << self.left
    }

    /// The right and bottom lines of boxes.
    #[inline]
    fn high_sides(&self, boxes: Word) -> Word {
        boxes << (self.left + 1) | boxes << self.below
    }

    /// The lines that have one of `boxes` on both sides.
    #[inline]
    pub fn within(&self, boxes: Word) -> Word {
        self.low_sides(boxes) & self.high_sides(boxes)
    }

    /// The boxes that have one of `lines`.
    #[inline]
    pub fn touched(&self, lines: Word) -> Word {
        (lines | lines >> self.left | lines >> (self.left + 1) | lines >> self.below) & self.box_bits
    }

    /// The boxes that `from` reaches over open lines through boxes of `through`, `from` among them.
    #[inline]
    pub fn reached(&self, mut from: Word, through: Word, open: Word) -> Word {
        loop {
            // A line is passed when one of its sides is reached.
            let next = from | self.touched(self.around(from) & open) & through;
            if next == from {
                return from;
            }
            from = next;
        }
    }

    /// The boxes that `from` reaches over open lines, if all are of `through`.
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

    /// Open lines that can be exchanged with an open one after them.
    #[inline]
    pub fn doubles(&self, open: Word) -> Word {
        self.exchangeable.iter().fold(0, |all, (first, distance)| all | open & first & open >> distance)
    }

    /// The same position with exchangeable lines sorted, those open first.
    #[inline]
    fn sorted(&self, mut open: Word) -> Word {
        for (first, distance) in &self.exchangeable {
            // The first takes a line that only the second has.
            let swap = open >> distance & !open & first;
            open ^= swap | swap << distance;
        }
        open
    }

    /// The least image of a set of open lines, exchangeable lines sorted.
    #[inline]
    pub fn canonical(&self, open: Word) -> Word {
        self.least(&self.images(self.sorted(open)))
    }

    /// The images of a set of lines.
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

    /// The images of a set of lines less one of them.
    #[inline]
    pub fn without(&self, images: &Images, line: Word) -> Images {
        let of = &self.by_line[line.trailing_zeros() as usize];
        std::array::from_fn(|i| images[i] ^ of[i])
    }

    /// The least image. Exchangeable lines that are sorted in one are so in all.
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

/// Where the middle of a line is, in halves of a box: down, across.
fn middle(columns: usize, line: usize) -> (usize, usize) {
    let (row, place) = (line / (2 * columns + 1), line % (2 * columns + 1));
    if place < columns { (2 * row, 2 * place + 1) } else { (2 * row + 1, 2 * (place - columns)) }
}

/// Flips, and transpositions of square boards: where each takes every line. The first leaves all in place.
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

/// Lines in the order to try them: those nearest to the middle of the longer side first, from the rim inwards, so that the
/// board soon falls apart; on square boards from the centre outwards.
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
    orders.sort_unstable();
    orders.dedup();
    let ring = |of| (0..lines).filter(|line| order(*line) == of).map(|line| 1 << line).sum();
    orders.into_iter().map(ring).collect()
}
