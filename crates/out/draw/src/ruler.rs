//! Period rulers: a sequence in lines as long as its period, so that what repeats stands in columns.
//!
//! Values that differ from what the last period shown, continued backwards, would have there are framed: the exceptions.

use crate::scene::{ACCENT, Anchor, Ink, Raster, Scene, Shape};
use crate::sheet::shade;

/// A sequence with its period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruler {
    /// What the sequence is of.
    pub title: String,
    /// The index of the first value.
    pub from: u64,
    /// The values; `None` is unknown.
    pub values: Vec<Option<i64>>,
    /// Values on a line.
    pub period: usize,
    /// What a period adds to the values (the saltus); `None` if no period shows.
    pub saltus: Option<i64>,
    /// Whether the values are outcomes: 0 is P, all else N.
    pub outcomes: bool,
}

/// Values on a line where no period shows.
const PLAIN: usize = 20;

impl Ruler {
    /// A ruler on the least period, with saltus, that the last two thirds of the values show, or their last half, or third;
    /// [`PLAIN`] values a line if none does.
    pub fn fit(title: String, from: u64, values: Vec<Option<i64>>) -> Ruler {
        let len = values.len();
        let shown_by = |tail: &[Option<i64>]| {
            let fits = |p: usize| {
                let saltus = tail[p]? - tail[0]?;
                let holds = |i: usize| Some(tail[i + p]? == tail[i]? + saltus);
                (0..tail.len() - p).all(|i| holds(i) == Some(true)).then_some((p, saltus))
            };
            (1..=tail.len() / 2).find_map(fits)
        };
        let found = [len / 3, len / 2, 2 * len / 3].into_iter().find_map(|start| shown_by(&values[start..]));
        let (period, saltus) = found.map_or((PLAIN, None), |(period, saltus)| (period, Some(saltus)));
        Ruler { title, from, values, period, saltus, outcomes: false }
    }

    /// Whether the value at a place differs from the lowest one in its column, less what the periods between add.
    fn is_exception(&self, i: usize) -> bool {
        let periods = (self.values.len() - 1 - i) / self.period;
        match (self.saltus, self.values[i], self.values[i + periods * self.period]) {
            (Some(saltus), Some(a), Some(b)) => a + saltus * periods as i64 != b,
            _ => false,
        }
    }

    /// The indices of the exceptions among the values shown.
    pub fn exceptions(&self) -> Vec<u64> {
        (0..self.values.len()).filter(|i| self.is_exception(*i)).map(|i| self.from + i as u64).collect()
    }

    pub(crate) fn scene(&self) -> Scene {
        let exceptions = self.exceptions();
        let last = exceptions.last().map_or("none".into(), |last| last.to_string());
        let lines = format!("{} values from {} on, {} on a line", self.values.len(), self.from, self.period);
        let period = match self.saltus {
            None => "; no period shows.".to_owned(),
            Some(saltus) => format!(
                ": a period, which adds {saltus}. Framed: the {} exceptions, the last of them at {last}.",
                exceptions.len()
            ),
        };
        let description = lines + &period;
        let mut scene = Scene::new(&self.title, description);
        let columns = self.period.clamp(1, 2000);
        let side: usize = if columns <= 40 {
            26
        } else if columns <= 150 {
            8
        } else {
            2
        };
        let (left, top) = (56.0, 34.0);
        let most = self.values.iter().flatten().copied().max().unwrap_or(0);
        let mut cells: Vec<_> = self.values.iter().map(|v| shade(*v, most)).collect();
        cells.resize(cells.len().div_ceil(columns) * columns, [0xff; 3]);
        let rows = cells.len() / columns;
        scene.text(left, 14.0, 14.0, &self.title, Anchor::Start);
        let unit = side as f64;
        for (i, value) in self.values.iter().enumerate() {
            let (x, y) = (left + (i % columns) as f64 * unit, top + (i / columns) as f64 * unit);
            if side >= 20 {
                let text = match (value, self.outcomes) {
                    (None, _) => "?".to_owned(),
                    (Some(v), true) => if *v == 0 { "P" } else { "N" }.to_owned(),
                    (Some(v), false) => v.to_string(),
                };
                let light = shade(*value, most).iter().map(|c| u32::from(*c)).sum::<u32>() > 380;
                let ink = Ink::fill(if light { [0; 3] } else { [0xff; 3] });
                scene.add(Shape::Text(x + unit / 2.0, y + unit / 2.0, 11.0, text, Anchor::Middle), ink);
            }
            if self.is_exception(i) && side >= 8 {
                scene.add(Shape::Box(x + 1.0, y + 1.0, unit - 2.0, unit - 2.0, 0.0), Ink::line(ACCENT, 2.0));
            }
        }
        let every = (rows / 30).max(1).max(if side < 14 { 14 / side } else { 1 });
        for row in (0..rows).step_by(every) {
            let label = (self.from + (row * columns) as u64).to_string();
            scene.text(left - 5.0, top + (row as f64 + 0.5) * unit, 11.0, label, Anchor::End);
        }
        scene.width = left + columns as f64 * unit + 16.0;
        scene.height = top + rows as f64 * unit + 12.0;
        scene.width = scene.width.max(left + crate::scene::text_width(&self.title, 14.0));
        scene.raster = Some(Raster { x: left, y: top, side, columns, cells });
        scene
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kayles: period 12 from 71 on, 14 exceptions, the last at 70 (R. K. Guy, C. A. B. Smith 1956).
    #[test]
    fn kayles_shows_its_period_and_exceptions() {
        let game = bouton_games::parse("kayles").unwrap().game;
        let mut values = Vec::new();
        let mut session = game.session(Default::default());
        session.values(119, &mut |_, value| values.push(Some(i64::from(value.0)))).unwrap().unwrap();
        let ruler = Ruler::fit("kayles".into(), 0, values);
        assert_eq!((ruler.period, ruler.saltus), (12, Some(0)));
        assert_eq!((ruler.exceptions().len(), ruler.exceptions().last()), (14, Some(&70)));
    }

    /// Nim: period 1 with saltus 1; and noise has no period.
    #[test]
    fn a_saltus_is_seen() {
        let line: Vec<Option<i64>> = (0..30).map(Some).collect();
        let ruler = Ruler::fit("nim".into(), 0, line);
        assert_eq!((ruler.period, ruler.saltus), (1, Some(1)));
        let squares: Vec<Option<i64>> = (0..30).map(|i| Some(i * i)).collect();
        assert_eq!(Ruler::fit("squares".into(), 0, squares).period, PLAIN);
        assert_eq!(Ruler::fit("nothing".into(), 0, vec![]).period, PLAIN);
    }
}
