//! Period tables: a sequence in lines as long as its period, so that repeated values stand in
//! columns.
//!
//! Exceptions are framed: values that differ from those of the last period, continued backwards.

use crate::heatmap::shade;
use crate::scene::{ACCENT, Anchor, Raster, Scene, Shape, Style};

/// A sequence with its period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeriodTable {
    /// The title.
    pub title: String,
    /// The index of the first value.
    pub from: u64,
    /// The values; `None` is unknown.
    pub values: Vec<Option<i64>>,
    /// The number of values per line.
    pub period: usize,
    /// The constant that a period adds to the values (the saltus); `None` if there is no period.
    pub saltus: Option<i64>,
    /// How many of the last values show the period; `None` if it is known otherwise.
    pub shown_by: Option<usize>,
    /// Whether the values are outcomes: 0 is P, any other value N.
    pub outcomes: bool,
}

/// The number of values per line if there is no period.
const DEFAULT_WIDTH: usize = 20;

/// How many values agree with those a period before, at least.
const LEAST_AGREEING: usize = 6;

impl PeriodTable {
    /// Returns a table with the least period of the last two thirds of the values, of the last
    /// half, or of the last third; [`DEFAULT_WIDTH`] values per line if there is none. Values other
    /// than outcomes may grow over a period. At least [`LEAST_AGREEING`] values agree with those a
    /// period before.
    pub fn fit(title: String, from: u64, values: Vec<Option<i64>>, outcomes: bool) -> PeriodTable {
        let len = values.len();
        let found = [len / 3, len / 2, 2 * len / 3].into_iter().find_map(|start| {
            let (period, saltus) = least_period(&values[start..], !outcomes)?;
            Some((period, saltus, len - start))
        });
        PeriodTable {
            title,
            from,
            values,
            period: found.map_or(DEFAULT_WIDTH, |(period, ..)| period),
            saltus: found.map(|(_, saltus, _)| saltus),
            shown_by: found.map(|(.., last)| last),
            outcomes,
        }
    }

    /// Returns whether a value differs from the last one in its column, less the saltus of the
    /// periods between.
    fn is_exception(&self, i: usize) -> bool {
        let periods = (self.values.len() - 1 - i) / self.period;
        match (self.saltus, self.values[i], self.values[i + periods * self.period]) {
            (Some(saltus), Some(a), Some(b)) => a + saltus * periods as i64 != b,
            _ => false,
        }
    }

    /// Returns the indices of the exceptions among the values.
    pub fn exceptions(&self) -> Vec<u64> {
        (0..self.values.len())
            .filter(|i| self.is_exception(*i))
            .map(|i| self.from + i as u64)
            .collect()
    }

    pub(crate) fn scene(&self) -> Scene {
        let exceptions = self.exceptions();
        let lines = format!(
            "{} values from {} on, {} on a line",
            self.values.len(),
            self.from,
            self.period
        );
        let period = match self.saltus {
            None => "; no period shows.".to_owned(),
            Some(saltus) => {
                let framed = match exceptions[..] {
                    [] => "No value is an exception.".to_owned(),
                    [one] => format!("Framed: the one exception, at {one}."),
                    [.., last] => {
                        format!(
                            "Framed: the {} exceptions, the last of them at {last}.",
                            exceptions.len()
                        )
                    }
                };
                let period = match self.shown_by {
                    None => ", the period".to_owned(),
                    Some(last) => format!(", a period of the last {last}"),
                };
                let growth = match saltus {
                    0 => String::new(),
                    saltus => format!(", over which values grow by {saltus}"),
                };
                format!("{period}{growth}. {framed}")
            }
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
                let ink = Style::fill(if light { [0; 3] } else { [0xff; 3] });
                scene.add(
                    Shape::Text(x + unit / 2.0, y + unit / 2.0, 11.0, text, Anchor::Middle),
                    ink,
                );
            }
            if self.is_exception(i) && side >= 8 {
                scene.add(
                    Shape::Box(x + 1.0, y + 1.0, unit - 2.0, unit - 2.0, 0.0),
                    Style::line(ACCENT, 2.0),
                );
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

/// Returns the least period of values, and by how much they grow over it, if they may.
fn least_period(values: &[Option<i64>], may_grow: bool) -> Option<(usize, i64)> {
    let most = (values.len() / 2).min(values.len().saturating_sub(LEAST_AGREEING));
    (1..=most).find_map(|period| {
        let saltus = values[period]? - values[0]?;
        let agrees = |at: usize| Some(values[at + period]? == values[at]? + saltus);
        let fits = (saltus == 0 || saltus > 0 && may_grow)
            && (0..values.len() - period).all(|at| agrees(at) == Some(true));
        fits.then_some((period, saltus))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kayles: period 12 from 71 on, 14 exceptions, the last at 70 (R. K. Guy, C. A. B. Smith
    /// 1956).
    #[test]
    fn kayles_shows_its_period_and_exceptions() {
        let game = bouton_games::parse("kayles").unwrap().game;
        let mut values = Vec::new();
        let mut session = game.session(Default::default());
        session
            .values(119, &mut |_, value| values.push(Some(i64::from(value.0))))
            .unwrap()
            .unwrap();
        let ruler = PeriodTable::fit("kayles".into(), 0, values, false);
        assert_eq!((ruler.period, ruler.saltus), (12, Some(0)));
        assert_eq!((ruler.exceptions().len(), ruler.exceptions().last()), (14, Some(&70)));
    }

    /// Nim has period 1 with saltus 1, and noise has no period.
    #[test]
    fn a_saltus_is_seen() {
        let line: Vec<Option<i64>> = (0..30).map(Some).collect();
        let ruler = PeriodTable::fit("nim".into(), 0, line, false);
        assert_eq!((ruler.period, ruler.saltus), (1, Some(1)));
        let squares: Vec<Option<i64>> = (0..30).map(|i| Some(i * i)).collect();
        assert_eq!(PeriodTable::fit("squares".into(), 0, squares, false).period, DEFAULT_WIDTH);
        assert_eq!(PeriodTable::fit("nothing".into(), 0, vec![], false).period, DEFAULT_WIDTH);
    }

    /// Few values show no period, values that fall show none, and outcomes do not grow.
    #[test]
    fn no_period_is_seen_in_a_few_values() {
        let of = |values: &[i64], outcomes| {
            let values = values.iter().copied().map(Some).collect();
            PeriodTable::fit("few".into(), 0, values, outcomes)
        };
        // Kayles, heaps 0 to 4; subtracting 1, 3 or 4, as outcomes.
        assert_eq!(of(&[0, 1, 2, 3, 1], false).saltus, None);
        assert_eq!(of(&[0, 1, 0, 1, 1, 1], true).saltus, None);
        assert_eq!(of(&(0..30).map(|i| 30 - i).collect::<Vec<_>>(), false).saltus, None);
        assert_eq!(of(&(0..30).collect::<Vec<_>>(), true).saltus, None);
        let seen = of(&[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1], true);
        assert_eq!((seen.period, seen.saltus, seen.shown_by), (2, Some(0), Some(8)));
    }
}
