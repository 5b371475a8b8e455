//! One form for stones and two purses in all games of a family: *NIM with Cash* with 1 among the
//! amounts.
//!
//! Each game is described by numbers that are read off its table (n stones; d dollars of the mover,
//! e of the other player):
//!
//! - who wins if both have a dollar for each stone, and with how many dollars at least (f, *NIM
//!   with Cash*, Definition 2.1);
//! - who wins where the winner has less, the mover more than half of the stones and the other
//!   player no less than half: a staircase in the two purses, its steps as wide as high.
//!
//! In n they have a period, and grow by as much with each period. What is left are numbers for one
//! period, which are split into stretches as in [`crate::piecewise_form`]; if all that describes a
//! stretch is linear in the parameters, the family has a form. It is a conjecture: positions in
//! which a player has less than half are not looked at.

use crate::piecewise::{LinearNumber, Stretch, bracketed, stretches};

/// Who wins a game with purses.
#[derive(Debug, Clone)]
pub struct PurseOutcomes {
    /// For n stones and d dollars of the mover, d ≤ most: with how many dollars of the other player
    /// the mover wins; if with any, `most` + 1.
    pub wins: Vec<Vec<usize>>,
    /// The number of stones, and of dollars, of the table.
    pub most: usize,
}

/// What describes the positions with some number of stones i of a period: those with k periods more
/// have k times the rate more.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    /// Whether the mover wins if both have many dollars.
    wins: bool,
    /// Twice the dollars with which this winner wins.
    enough: i64,
    /// The staircase, if there is one.
    stair: Option<Stair>,
}

/// A staircase, in twice the dollars: with x what the winner lacks, and y the dollars of the loser,
/// the mover loses iff y + steps · ⌊(x + shift)/steps⌋ is above the height, or, if the winner is
/// the other player, not above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stair {
    shift: i64,
    height: i64,
}

/// What describes a game with purses in all positions of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurseRows {
    period: i64,
    /// Twice the dollars that a period adds.
    rate: i64,
    /// Steps of the staircases, in twice the dollars.
    steps: i64,
    rows: Vec<Row>,
}

impl PurseOutcomes {
    /// Computes who wins if these numbers, ascending, may be taken, each for as many dollars, up to
    /// `most` stones and dollars. Costs O(most² · amounts · log most).
    pub fn compute(amounts: &[usize], most: usize) -> PurseOutcomes {
        let mut wins: Vec<Vec<usize>> = Vec::with_capacity(most + 1);
        for n in 0..=most {
            let row = (0..=most).map(|d| {
                let taken = amounts.iter().copied().take_while(|taken| *taken <= n.min(d));
                // The other player, with e dollars, loses if as many as d - taken are too many.
                let wins =
                    taken.map(|taken| wins[n - taken].partition_point(|own| *own <= d - taken));
                wins.max().unwrap_or(0)
            });
            wins.push(row.collect());
        }
        PurseOutcomes { wins, most }
    }

    /// Returns whether the mover wins with many dollars on both sides, and how many the winner
    /// needs.
    fn winner(&self, n: usize) -> Option<(bool, usize)> {
        let always = self.most + 1;
        match self.wins[n].iter().position(|other| *other == always) {
            Some(enough) => Some((true, enough)),
            None => Some((false, *self.wins[n].last()?)),
        }
    }

    /// Returns the least period of the winner, and of what the winner needs but for a rate.
    fn period(&self) -> Option<(usize, usize)> {
        let all: Vec<(bool, usize)> =
            (0..=self.most).map(|n| self.winner(n)).collect::<Option<_>>()?;
        (1..=self.most / 4).find_map(|period| {
            let rate = all[period].1.checked_sub(all[0].1)?;
            let fits = (period..all.len()).all(|n| {
                let (now, before) = (all[n], all[n - period]);
                now.0 == before.0 && now.1 == before.1 + rate
            });
            fits.then_some((period, rate))
        })
    }

    /// Returns purses between which who wins changes, where the winner has less than enough, the
    /// mover more than half of the stones, the other player no less than half: what the winner
    /// lacks, but for a dollar, and with how many dollars the loser has other luck than with one
    /// less; `None` if with all, or none, that are looked at.
    fn edges(&self, n: usize) -> Option<Vec<Edge>> {
        let (wins, enough) = self.winner(n)?;
        let (own, other) = (n / 2 + 1, n.div_ceil(2));
        let (least, least_of_loser) = if wins { (own, other) } else { (other, own) };
        let edge = |purse: usize| {
            let first = match wins {
                true => self.wins[n][purse],
                false => self.wins[n].partition_point(|losing| *losing <= purse),
            };
            let first = first.max(least_of_loser);
            Edge {
                lacks: enough - 1 - purse,
                below: first.checked_sub(1).filter(|purse| *purse >= least_of_loser),
                above: (first <= self.most).then_some(first),
            }
        };
        Some((least..enough).map(edge).collect())
    }

    /// Describes the game, if it has a period and staircases. Costs O(most² · period).
    pub fn describe(&self) -> Option<PurseRows> {
        let (period, rate) = self.period()?;
        let winners: Vec<(bool, usize)> =
            (0..period).map(|n| self.winner(n)).collect::<Option<_>>()?;
        let edges: Vec<Vec<Edge>> =
            (0..=self.most).map(|n| self.edges(n)).collect::<Option<_>>()?;
        let rows = |steps: i64| -> Option<Vec<Row>> {
            let rows = winners.iter().enumerate().map(|(i, (wins, enough))| {
                let own = (0..).zip(edges.iter().skip(i).step_by(period));
                let own: Vec<(i64, &Edge)> =
                    own.flat_map(|(k, edges)| edges.iter().map(move |edge| (k, edge))).collect();
                let stair =
                    if own.is_empty() { None } else { Some(stair(&own, steps, rate as i64)?) };
                Some(Row { wins: *wins, enough: 2 * *enough as i64, stair })
            });
            rows.collect()
        };
        let (steps, rows) =
            (1..=period.max(2) as i64).find_map(|steps| Some((steps, rows(steps)?)))?;
        Some(PurseRows { period: period as i64, rate: 2 * rate as i64, steps: 2 * steps, rows })
    }
}

/// Where who wins changes: see [`PurseOutcomes::edges`].
#[derive(Debug, Clone, Copy)]
struct Edge {
    lacks: usize,
    below: Option<usize>,
    above: Option<usize>,
}

/// Returns the staircase with steps of this many dollars that has these edges, each with the number
/// of its period.
fn stair(edges: &[(i64, &Edge)], steps: i64, rate: i64) -> Option<Stair> {
    (0..steps).find_map(|shift| {
        // The height is between what is not above it, and what is.
        let (mut least, mut most) = (None::<i64>, None::<i64>);
        for (k, edge) in edges {
            let level = steps * ((edge.lacks as i64 + shift) / steps) - k * rate;
            if let Some(below) = edge.below {
                let own = level + below as i64;
                least = Some(least.map_or(own, |least| least.max(own)));
            }
            if let Some(above) = edge.above {
                let own = level + above as i64 - 1;
                most = Some(most.map_or(own, |most| most.min(own)));
            }
            if let (Some(least), Some(most)) = (least, most)
                && least > most
            {
                return None;
            }
        }
        Some(Stair { shift: 2 * shift, height: 2 * least.or(most)? })
    })
}

/// How much more the numbers of a row are for each stone more, in twice the dollars: of what is
/// enough, and of the height.
const SLOPES: [(i64, i64); 4] = [(1, 1), (2, 2), (2, 1), (1, 2)];
/// Stretches are looked at stone by stone, and in steps of two.
const MAX_STEP: usize = 2;

/// Returns a form in the parameters of these names that describes all games, each given with the
/// values of its parameters; `None` if none is found, or the games are fewer than three.
pub fn purse_form(names: &[&str], games: &[(Vec<i64>, PurseRows)]) -> Option<String> {
    if games.len() < 3 {
        return None;
    }
    let games: Vec<(&[i64], &PurseRows)> =
        games.iter().map(|(values, rows)| (&values[..], rows)).collect();
    least_form(names, &games)
}

/// Returns a form of a single game, without parameters.
pub fn single_purse_form(game: &PurseRows) -> Option<String> {
    least_form(&[], &[(&[], game)])
}

fn least_form(names: &[&str], games: &[(&[i64], &PurseRows)]) -> Option<String> {
    let ways = (1..=MAX_STEP).flat_map(|step| SLOPES.iter().map(move |slopes| (step, *slopes)));
    let found = ways.filter_map(|(step, slopes)| form_of(names, games, step, slopes));
    found.min_by_key(String::len)
}

/// Returns a form with stretches in such steps.
fn form_of(
    names: &[&str],
    games: &[(&[i64], &PurseRows)],
    step: usize,
    (slope, ascent): (i64, i64),
) -> Option<String> {
    let line = |number: &dyn Fn(&PurseRows) -> i64| {
        let points: Vec<(&[i64], i64)> =
            games.iter().map(|(values, own)| (*values, number(own))).collect();
        LinearNumber::through(&points)
    };
    let period = bracketed(line(&|own| own.period)?.text(names));
    let words = FormWords {
        names,
        rate: bracketed(line(&|own| own.rate)?.text(names)),
        steps: bracketed(line(&|own| own.steps)?.text(names)),
        k: format!("(n div {period})"),
        i: format!("(n mod {period})"),
        slope,
        ascent,
    };
    let split = levelled_stretches(games, step, (slope, ascent))?;
    let count = split[0].len();
    if split.iter().any(|own| own.len() != count) {
        return None;
    }
    let ends: Vec<LinearNumber> = (0..=count)
        .map(|place| {
            let points: Vec<(&[i64], i64)> = games
                .iter()
                .zip(&split)
                .map(|((values, own), split)| {
                    (*values, split.get(place).map_or(own.period, |stretch| stretch.start as i64))
                })
                .collect();
            LinearNumber::through(&points)
        })
        .collect::<Option<_>>()?;
    let mut pieces = Vec::new();
    for place in 0..count {
        for remainder in 0..step {
            let own: Vec<(&[i64], &Row)> = games
                .iter()
                .zip(&split)
                .filter_map(|((values, _), split)| {
                    Some((*values, split[place].labels[remainder].as_ref()?))
                })
                .collect();
            if own.is_empty() {
                continue;
            }
            let row = LinearRow::through(&own)?;
            let mut parts = Vec::new();
            let (start, end) = (&ends[place], &ends[place + 1]);
            let i = &words.i;
            if start.is_next(end) {
                parts.push(format!("{i} = {}", start.text(names)));
            } else {
                if start.constant() != Some(0) {
                    parts.push(format!("{i} >= {}", start.text(names)));
                }
                if place + 1 < count {
                    parts.push(format!("{i} < {}", end.text(names)));
                }
                if step > 1 {
                    parts.push(format!("{i} mod {step} = {remainder}"));
                }
            }
            parts.push(words.who_wins(&row));
            pieces.push(parts.join(" & "));
        }
    }
    (!pieces.is_empty()).then(|| pieces.join(" | "))
}

/// Returns the stretches of the rows of each game, less what the slopes add from row to row.
fn levelled_stretches(
    games: &[(&[i64], &PurseRows)],
    step: usize,
    (slope, ascent): (i64, i64),
) -> Option<Vec<Vec<Stretch<Row>>>> {
    let of_game = |(_, own): &(&[i64], &PurseRows)| {
        let rows = own.rows.iter().zip(0..).map(|(row, i)| {
            let stair = row.stair.map(|stair| Stair { height: stair.height - ascent * i, ..stair });
            Row { enough: row.enough - slope * i, stair, ..row.clone() }
        });
        stretches(&rows.collect::<Vec<_>>(), step)
    };
    games.iter().map(of_game).collect()
}

/// Rows of several games at one place, as linear numbers in the parameters.
struct LinearRow {
    wins: bool,
    enough: LinearNumber,
    shift: Option<LinearNumber>,
    height: Option<LinearNumber>,
}

impl LinearRow {
    /// Returns the numbers through the rows, each given with the values of the parameters; `None`
    /// if there are none.
    fn through(rows: &[(&[i64], &Row)]) -> Option<LinearRow> {
        let (_, first) = rows.first()?;
        if rows.iter().any(|(_, row)| row.wins != first.wins) {
            return None;
        }
        let line = |number: &dyn Fn(&Row) -> Option<i64>| {
            let points: Vec<(&[i64], i64)> =
                rows.iter().filter_map(|(values, row)| Some((*values, number(row)?))).collect();
            if points.is_empty() { Some(None) } else { LinearNumber::through(&points).map(Some) }
        };
        Some(LinearRow {
            wins: first.wins,
            enough: line(&|row| Some(row.enough))??,
            shift: line(&|row| row.stair.map(|stair| stair.shift))?,
            height: line(&|row| row.stair.map(|stair| stair.height))?,
        })
    }
}

/// What the parts of a form have in common.
struct FormWords<'n> {
    names: &'n [&'n str],
    rate: String,
    steps: String,
    /// The number of whole periods in n, and what is left.
    k: String,
    i: String,
    slope: i64,
    ascent: i64,
}

impl FormWords<'_> {
    /// Returns the sum of a linear number, this many stones of the period, and the rate for each
    /// period.
    fn sum(&self, number: &LinearNumber, stones: i64) -> String {
        let FormWords { rate, k, i, .. } = self;
        let stones = if stones == 1 { i.clone() } else { format!("{stones}*{i}") };
        let number = number.text(self.names);
        let number = match number.as_str() {
            "0" => String::new(),
            _ if number.starts_with('-') => number,
            _ => format!("+{number}"),
        };
        format!("{rate}*{k}+{stones}{number}")
    }

    /// Returns which purses of a row are lost.
    fn who_wins(&self, row: &LinearRow) -> String {
        let enough = self.sum(&row.enough, self.slope);
        let (purse, other) = if row.wins { ("d", "e") } else { ("e", "d") };
        let mut loses = "d <= e & 2*d <= n".to_owned();
        if let (Some(shift), Some(height)) = (&row.shift, &row.height) {
            let lacks = match shift.constant() {
                Some(0) => format!("({enough}-2-2*{purse})"),
                _ => format!("({enough}-2-2*{purse}+{})", bracketed(shift.text(self.names))),
            };
            let steps = &self.steps;
            let relation = if row.wins { ">" } else { "<=" };
            let height = self.sum(height, self.ascent);
            loses = format!(
                "{loses} | 2*e >= n & 2*d > n & 2*{other}+{steps}*({lacks} div {steps}) {relation} \
                 {height}"
            );
        }
        match row.wins {
            true => format!("2*d < {enough} & ({loses})"),
            false => format!("(2*e >= {enough} | {loses})"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    /// Who wins, position by position.
    #[test]
    fn tables_are_those_of_play() {
        for amounts in [&[1, 2][..], &[1, 3, 4], &[2, 5], &[1, 4]] {
            let most = 20;
            let table = PurseOutcomes::compute(amounts, most);
            let mut is_p: Vec<Vec<Vec<bool>>> = Vec::new();
            for n in 0..=most {
                let wins = |d: usize, e: usize| {
                    amounts.iter().any(|taken| *taken <= n.min(d) && is_p[n - taken][e][d - taken])
                };
                let row = |d| (0..=most).map(|e| !wins(d, e)).collect::<Vec<bool>>();
                let here: Vec<Vec<bool>> = (0..=most).map(row).collect();
                for (d, row) in here.iter().enumerate() {
                    for (e, is_lost) in row.iter().enumerate() {
                        assert_eq!(*is_lost, table.wins[n][d] <= e, "{amounts:?} {n} {d} {e}");
                    }
                }
                is_p.push(here);
            }
        }
    }

    /// NIM with {1,L}, L even: the description of a game is that of Theorem 5.7 of *NIM with Cash*.
    #[test]
    fn games_are_described() {
        let rows = PurseOutcomes::compute(&[1, 6], 98).describe().unwrap();
        assert_eq!((rows.period, rows.rate, rows.steps), (7, 12, 10));
        let enough: Vec<i64> = rows.rows.iter().map(|row| row.enough).collect();
        assert_eq!(enough, [0, 2, 2, 4, 4, 6, 12]);
        // A game of which no theorem is known has no such description.
        assert_eq!(PurseOutcomes::compute(&[1, 2, 6], 98).describe(), None);
    }

    #[test]
    fn forms_are_linear_in_the_parameter() {
        let game = |amounts: [usize; 2]| {
            let rows = PurseOutcomes::compute(&amounts, 14 * (amounts[1] + 1)).describe().unwrap();
            (vec![amounts[1] as i64], rows)
        };
        let odd: Vec<_> = (0..4).map(|k| game([1, 2 * k + 3])).collect();
        let form = purse_form(&["L"], &odd).unwrap();
        assert!(form.starts_with("(n mod 2) = 0 & (2*e >= 2*(n div 2)"), "{form}");
        let even: Vec<_> = (1..5).map(|k| game([1, 2 * k])).collect();
        let form = purse_form(&["L"], &even).unwrap();
        assert!(form.contains("(n mod (L+1)) = L & 2*d < (2*L)*(n div (L+1))+"), "{form}");
        // Even and odd values have no form together, two values none.
        let both: Vec<_> = (2..9).map(|k| game([1, k])).collect();
        assert_eq!(purse_form(&["L"], &both), None);
        assert_eq!(purse_form(&["L"], &even[..2]), None);
    }
}
