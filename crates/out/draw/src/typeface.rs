//! The embedded typeface: which glyph draws a letter, how wide it is, and its outline.
//!
//! Reads what pictures need of a TrueType file: the tables head, hhea, hmtx, maxp, loca, glyf, and
//! of cmap the subtable in format 4, which has all letters up to U+FFFF. Hints are not read. The
//! file comes with the program; a file that ends too early gives no outline, never a panic.

/// What an outline is drawn with. Coordinates are in units of the typeface, y upwards.
pub trait Pen {
    /// Begins a contour.
    fn move_to(&mut self, to: Point);
    /// Draws a line.
    fn line_to(&mut self, to: Point);
    /// Draws a quadratic curve.
    fn curve_to(&mut self, control: Point, to: Point);
    /// Closes a contour.
    fn close(&mut self);
}

/// A point, in units of the typeface.
pub type Point = (f32, f32);

/// A TrueType file.
#[derive(Debug, Clone, Copy)]
pub struct Typeface<'f> {
    glyphs: &'f [u8],
    places: &'f [u8],
    /// Whether places have 32 bits.
    is_long: bool,
    widths: &'f [u8],
    /// How many glyphs have a width of their own.
    width_count: u16,
    letters: &'f [u8],
    units: u16,
}

/// A glyph, by its number.
pub type Glyph = u16;

/// A matrix and a shift: x' = x * m[0] + y * m[2] + m[4], y' = x * m[1] + y * m[3] + m[5].
type Map = [f32; 6];

/// How deep glyphs that consist of glyphs are followed.
const DEPTH: usize = 5;

fn byte(data: &[u8], at: usize) -> Option<u8> {
    data.get(at).copied()
}

fn word(data: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(data.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn signed(data: &[u8], at: usize) -> Option<i16> {
    word(data, at).map(u16::cast_signed)
}

fn long(data: &[u8], at: usize) -> Option<usize> {
    let bytes = data.get(at..at.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_be_bytes(bytes)).ok()
}

/// Returns a fraction in two bits before the point and 14 behind it.
fn fraction(data: &[u8], at: usize) -> Option<f32> {
    Some(f32::from(signed(data, at)?) / 16384.0)
}

impl<'f> Typeface<'f> {
    /// Reads a file; `None` if a table is missing.
    pub fn parse(file: &'f [u8]) -> Option<Typeface<'f>> {
        let count = usize::from(word(file, 4)?);
        let table = |tag: &[u8; 4]| {
            let entry = (0..count).map(|i| 12 + 16 * i).find(|at| file.get(*at..at + 4) == Some(tag))?;
            let start = long(file, entry + 8)?;
            file.get(start..start.checked_add(long(file, entry + 12)?)?)
        };
        let (head, letters) = (table(b"head")?, table(b"cmap")?);
        // Platform 3, encoding 1: Unicode up to U+FFFF.
        let subtables = (0..usize::from(word(letters, 2)?)).map(|i| 4 + 8 * i);
        let letters = subtables
            .filter(|at| (word(letters, *at), word(letters, at + 2)) == (Some(3), Some(1)))
            .filter_map(|at| letters.get(long(letters, at + 4)?..))
            .find(|subtable| word(subtable, 0) == Some(4))?;
        Some(Typeface {
            glyphs: table(b"glyf")?,
            places: table(b"loca")?,
            is_long: word(head, 50)? == 1,
            widths: table(b"hmtx")?,
            width_count: word(table(b"hhea")?, 34)?,
            letters,
            units: word(head, 18)?,
        })
    }

    /// The units in the size of the typeface.
    pub fn units(&self) -> u16 {
        self.units
    }

    /// Returns the glyph of a letter; `None` if the typeface does not have the letter.
    pub fn glyph(&self, letter: char) -> Option<Glyph> {
        let code = u16::try_from(u32::from(letter)).ok()?;
        let doubled = usize::from(word(self.letters, 6)?);
        let (ends, starts) = (14, 16 + doubled);
        let (deltas, offsets) = (starts + doubled, starts + 2 * doubled);
        let at = (0..doubled).step_by(2).find(|at| word(self.letters, ends + at) >= Some(code))?;
        let start = word(self.letters, starts + at)?;
        if start > code {
            return None;
        }
        let delta = word(self.letters, deltas + at)?;
        let glyph = match usize::from(word(self.letters, offsets + at)?) {
            0 => code.wrapping_add(delta),
            offset => match word(self.letters, offsets + at + offset + 2 * usize::from(code - start))? {
                0 => 0,
                glyph => glyph.wrapping_add(delta),
            },
        };
        (glyph != 0).then_some(glyph)
    }

    /// Returns how far the next glyph is.
    pub fn width(&self, glyph: Glyph) -> u16 {
        let at = glyph.min(self.width_count.saturating_sub(1));
        word(self.widths, 4 * usize::from(at)).unwrap_or(0)
    }

    /// Draws a glyph.
    pub fn draw(&self, glyph: Glyph, pen: &mut impl Pen) {
        // What is drawn of a damaged glyph is drawn.
        let _ = self.draw_mapped(glyph, [1.0, 0.0, 0.0, 1.0, 0.0, 0.0], DEPTH, pen);
    }

    fn draw_mapped(&self, glyph: Glyph, map: Map, depth: usize, pen: &mut impl Pen) -> Option<()> {
        let place = |number: usize| match self.is_long {
            true => long(self.places, 4 * number),
            false => word(self.places, 2 * number).map(|half| 2 * usize::from(half)),
        };
        let data = self.glyphs.get(place(usize::from(glyph))?..place(usize::from(glyph) + 1)?)?;
        // An empty glyph, as that of a blank, has no header.
        match usize::try_from(signed(data, 0)?) {
            Ok(contours) => draw_contours(data, contours, map, pen),
            Err(_) => self.draw_parts(data, map, depth.checked_sub(1)?, pen),
        }
    }

    /// Draws a glyph that consists of others.
    fn draw_parts(&self, data: &[u8], map: Map, depth: usize, pen: &mut impl Pen) -> Option<()> {
        let mut at = 10;
        loop {
            let (flags, part) = (word(data, at)?, word(data, at + 2)?);
            let has = |bit: u16| flags & (1 << bit) != 0;
            at += 4;
            let (x, y) = match has(0) {
                true => (f32::from(signed(data, at)?), f32::from(signed(data, at + 2)?)),
                false => {
                    (f32::from(byte(data, at)?.cast_signed()), f32::from(byte(data, at + 1)?.cast_signed()))
                }
            };
            at += if has(0) { 4 } else { 2 };
            // Points that are matched in place of a shift are not used by the embedded typeface.
            let (x, y) = if has(1) { (x, y) } else { (0.0, 0.0) };
            let mut own = [1.0, 0.0, 0.0, 1.0, x, y];
            if has(3) {
                own[0] = fraction(data, at)?;
                own[3] = own[0];
                at += 2;
            } else if has(6) {
                (own[0], own[3]) = (fraction(data, at)?, fraction(data, at + 2)?);
                at += 4;
            } else if has(7) {
                for (entry, value) in own.iter_mut().take(4).enumerate() {
                    *value = fraction(data, at + 2 * entry)?;
                }
                at += 8;
            }
            self.draw_mapped(part, composed(own, map), depth, pen);
            if !has(5) {
                return Some(());
            }
        }
    }
}

/// Returns the map that first maps by `first`.
fn composed(first: Map, then: Map) -> Map {
    let [a, b, c, d, e, f] = first;
    let linear = |x: f32, y: f32| (x * then[0] + y * then[2], x * then[1] + y * then[3]);
    let ((a, b), (c, d), (e, f)) = (linear(a, b), linear(c, d), linear(e, f));
    [a, b, c, d, e + then[4], f + then[5]]
}

/// Draws a glyph of this many contours.
fn draw_contours(data: &[u8], contours: usize, map: Map, pen: &mut impl Pen) -> Option<()> {
    let ends = (0..contours).map(|i| word(data, 10 + 2 * i).map(usize::from)).collect::<Option<Vec<_>>>()?;
    let points = ends.last().map_or(0, |last| last + 1);
    let mut at = 10 + 2 * contours;
    at += 2 + usize::from(word(data, at)?);
    let mut flags = Vec::with_capacity(points);
    while flags.len() < points {
        let flag = byte(data, at)?;
        at += 1;
        let mut times = 1;
        if flag & 8 != 0 {
            times += usize::from(byte(data, at)?);
            at += 1;
        }
        flags.extend(std::iter::repeat_n(flag, times));
    }
    flags.truncate(points);
    // Each number is one byte with a sign among the flags, or two, or that of the point before.
    let mut numbers = |is_short: u8, is_same: u8| {
        let mut last = 0;
        let mut all = Vec::with_capacity(points);
        for flag in &flags {
            if flag & is_short != 0 {
                let step = i32::from(byte(data, at)?);
                at += 1;
                last += if flag & is_same != 0 { step } else { -step };
            } else if flag & is_same == 0 {
                last += i32::from(signed(data, at)?);
                at += 2;
            }
            all.push(last as f32);
        }
        Some(all)
    };
    let (xs, ys) = (numbers(2, 16)?, numbers(4, 32)?);
    let place = |i: usize| {
        let (x, y) = (xs[i], ys[i]);
        (x * map[0] + y * map[2] + map[4], x * map[1] + y * map[3] + map[5])
    };
    let mut start = 0;
    for end in ends {
        if start <= end {
            let contour: Vec<(Point, bool)> = (start..=end).map(|i| (place(i), flags[i] & 1 != 0)).collect();
            draw_contour(&contour, pen);
        }
        start = end + 1;
    }
    Some(())
}

/// Draws a contour through points that lie on it and control points, between two of which the
/// point half-way lies on it.
fn draw_contour(points: &[(Point, bool)], pen: &mut impl Pen) {
    let half = |a: Point, b: Point| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let Some((first, last)) = points.first().zip(points.last()) else { return };
    let (start, skipped) = match (first.1, last.1) {
        (true, _) => (first.0, 1),
        (false, true) => (last.0, 0),
        (false, false) => (half(first.0, last.0), 0),
    };
    pen.move_to(start);
    let mut control: Option<Point> = None;
    for (point, is_on) in &points[skipped..] {
        match (control, is_on) {
            (Some(bend), true) => {
                pen.curve_to(bend, *point);
                control = None;
            }
            (None, true) => pen.line_to(*point),
            (Some(bend), false) => {
                pen.curve_to(bend, half(bend, *point));
                control = Some(*point);
            }
            (None, false) => control = Some(*point),
        }
    }
    if let Some(bend) = control {
        pen.curve_to(bend, start);
    }
    pen.close();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Counts {
        contours: usize,
        lines: usize,
        curves: usize,
        on: Vec<Point>,
    }

    impl Pen for Counts {
        fn move_to(&mut self, to: Point) {
            self.on.push(to);
        }
        fn line_to(&mut self, to: Point) {
            self.lines += 1;
            self.on.push(to);
        }
        fn curve_to(&mut self, _: Point, to: Point) {
            self.curves += 1;
            self.on.push(to);
        }
        fn close(&mut self) {
            self.contours += 1;
        }
    }

    fn face() -> Typeface<'static> {
        Typeface::parse(dejavu::sans::regular()).unwrap()
    }

    fn drawn(letter: char) -> Counts {
        let (face, mut pen) = (face(), Counts::default());
        face.draw(face.glyph(letter).unwrap(), &mut pen);
        pen
    }

    /// Numbers that fontTools reads from the same file.
    #[test]
    fn glyphs_are_those_of_the_file() {
        let face = face();
        assert_eq!(face.units(), 2048);
        for (letter, glyph, width, contours, (left, right), (low, high), lines, curves) in [
            ('H', 43, 1540, 1, (201.0, 1339.0), (0.0, 1493.0), 11, 0),
            ('P', 51, 1235, 2, (201.0, 1165.0), (0.0, 1493.0), 6, 8),
            ('8', 27, 1303, 3, (139.0, 1163.0), (-29.0, 1520.0), 0, 32),
            ('é', 171, 1260, 3, (113.0, 1151.0), (-29.0, 1638.0), 6, 16),
            ('Γ', 809, 1141, 1, (201.0, 1130.0), (0.0, 1493.0), 5, 0),
            ('⊕', 3360, 1716, 3, (187.0, 1529.0), (-29.0, 1316.0), 11, 32),
            ('→', 3101, 1716, 1, (117.0, 1616.0), (204.0, 1080.0), 9, 0),
            ('ö', 184, 1253, 4, (113.0, 1141.0), (-29.0, 1552.0), 6, 16),
            ('∀', 3211, 1401, 2, (16.0, 1384.0), (0.0, 1493.0), 9, 0),
        ] {
            assert_eq!(face.glyph(letter), Some(glyph), "{letter}");
            assert_eq!(face.width(glyph), width, "{letter}");
            let pen = drawn(letter);
            assert_eq!((pen.contours, pen.lines, pen.curves), (contours, lines, curves), "{letter}");
            // Extremes lie on the outline.
            let (xs, ys) = (pen.on.iter().map(|p| p.0), pen.on.iter().map(|p| p.1));
            let least = |all: &mut dyn Iterator<Item = f32>| all.fold(f32::MAX, f32::min);
            let most = |all: &mut dyn Iterator<Item = f32>| all.fold(f32::MIN, f32::max);
            assert_eq!((least(&mut xs.clone()), most(&mut xs.clone())), (left, right), "{letter}");
            assert_eq!((least(&mut ys.clone()), most(&mut ys.clone())), (low, high), "{letter}");
        }
        let blank = face.glyph(' ').unwrap();
        assert_eq!((blank, face.width(blank), drawn(' ').contours), (3, 651, 0));
        assert_eq!(face.glyph('\u{10ffff}'), None);
        assert_eq!(face.glyph('\u{ffff}'), None);
    }

    /// A file that is cut anywhere is refused, or gives outlines that end early.
    #[test]
    fn a_damaged_file_does_no_harm() {
        let file = dejavu::sans::regular();
        for length in (0..file.len()).step_by(9973).chain([0, 1, 11, 12, 13, 100, 400]) {
            let Some(face) = Typeface::parse(&file[..length]) else { continue };
            for letter in ['H', 'é', '⊕', '∀'] {
                if let Some(glyph) = face.glyph(letter) {
                    face.draw(glyph, &mut Counts::default());
                }
            }
        }
    }
}
