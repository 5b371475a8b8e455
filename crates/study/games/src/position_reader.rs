//! Positions as people write them on paper, where that is not a list of heaps.

use crate::strip::coins_on_strip;
use bouton_core::{NotationError, WrittenNumber, heaps_text};
use serde::Deserialize;

/// How a position is written besides the notation of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PositionReader {
    /// Pins in a row, gaps between them: `|||.||` is rows of 3 and 2.
    Pins,
    /// Crosses on a strip, or on several with / between: `X..X...../.......`, as rows of the game
    /// 0.11337.
    Treblecross,
    /// Coins on a strip that begins with square 0: `..o.o` is coins on squares 2 and 4.
    Coins,
    /// Coins on squares that are counted from 1: `1,2,3` or `ooo`. Another coin on square 0, which
    /// no move reaches, stands for the edge.
    CoinsFromOne,
    /// A row of Northcott's game each, `W..B/.B.W`: the gaps.
    Northcott,
    /// A heap from which all but one token may be taken at first: `20` is the heap 20 with a limit
    /// of 19.
    FirstMove,
    /// A square of a chessboard, from whose corner a1 both heaps are counted: `d7` is 3,6.
    Square,
}

impl PositionReader {
    /// Returns the form in words, with an example.
    pub fn form(self) -> &'static str {
        match self {
            PositionReader::Pins => "a row of pins, as |||.|| or +++-++",
            PositionReader::Treblecross => {
                "a strip with crosses, as X..X....., or several with / between"
            }
            PositionReader::Coins => "a strip with coins from square 0 on, as ..o.o",
            PositionReader::CoinsFromOne => {
                "squares counted from 1, as 1,2,3 or ooo; printed with 0 before them for the edge"
            }
            PositionReader::Northcott => "rows with a white and a black counter, as W..B/.B.W",
            PositionReader::FirstMove => {
                "a heap of which all but one token may be taken first, as 20"
            }
            PositionReader::Square => {
                "a square of a chessboard with the corner a1, as d7 for 3,6 (columns, rows)"
            }
        }
    }

    /// Returns the position in the notation of the game; `None` if `text` is not written in this
    /// way and the game has to read it.
    ///
    /// # Errors
    ///
    /// If the text is written in this way and is no position.
    pub fn read(self, text: &str) -> Option<Result<String, NotationError>> {
        let trimmed = text.trim();
        let drawn = |signs: &str| -> Option<Result<(), NotationError>> {
            trimmed.chars().next().filter(|first| signs.contains(*first))?;
            let other =
                text.char_indices().find(|(_, c)| !signs.contains(*c) && !c.is_whitespace());
            Some(other.map_or(Ok(()), |(at, c)| {
                let message = format!("`{c}` stands for nothing here");
                Err(NotationError::new(text, at..at + c.len_utf8(), message, self.form()))
            }))
        };
        let wrong = |message: String| NotationError::new(text, 0..text.len(), message, self.form());
        match self {
            PositionReader::Pins => {
                // A row in which nothing stands is written as well; a space is a gap.
                let runs = || trimmed.split(|c: char| c == '.' || c == '-' || c.is_whitespace());
                let pins = || runs().map(str::len).filter(|run| *run > 0).collect::<Vec<_>>();
                let is_spaced =
                    trimmed.contains(char::is_whitespace) && pins().iter().all(|run| *run == 1);
                drawn("|.+-").map(|is_drawn| match is_drawn {
                    Ok(()) if is_spaced => Err(wrong(
                        "a space is a gap: pins that stand side by side have none between".into(),
                    )),
                    Ok(()) => Ok(heaps_text(&pins())),
                    Err(error) => Err(error),
                })
            }
            PositionReader::Treblecross => {
                let strip = |text: &str| -> Vec<bool> {
                    text.chars().map(|c| c.eq_ignore_ascii_case(&'x')).collect()
                };
                drawn("Xx._/").map(|is_drawn| {
                    is_drawn?;
                    let strips = trimmed.split(['/', ' ']).filter(|text| !text.is_empty());
                    let rows: Result<Vec<Vec<usize>>, String> =
                        strips.map(|text| treblecross(&strip(text))).collect();
                    rows.map(|rows| heaps_text(&rows.concat())).map_err(wrong)
                })
            }
            PositionReader::Coins => {
                let places = coins_on_strip(trimmed)?;
                Some(Ok(heaps_text(
                    &places.into_iter().map(|place| place as usize).collect::<Vec<_>>(),
                )))
            }
            PositionReader::CoinsFromOne => {
                if let Some(places) = coins_on_strip(trimmed) {
                    let from_one = places.into_iter().map(|place| place as usize + 1);
                    return Some(Ok(heaps_text(
                        &std::iter::once(0).chain(from_one).collect::<Vec<_>>(),
                    )));
                }
                let is_edge = |first: &str| first.trim().trim_start_matches('0').is_empty();
                let mut numbers = trimmed.split(',');
                match numbers.next() {
                    // As it is printed.
                    Some(first) if is_edge(first) => None,
                    _ if trimmed.split(',').any(is_edge) => {
                        Some(Err(wrong("squares are counted from 1".into())))
                    }
                    _ => Some(Ok(format!("0,{trimmed}"))),
                }
            }
            PositionReader::Northcott => drawn("WBwb./").map(|is_drawn| {
                is_drawn?;
                let rows: Result<Vec<usize>, String> = trimmed.split('/').map(gap).collect();
                rows.map(|gaps| heaps_text(&gaps)).map_err(wrong)
            }),
            PositionReader::FirstMove => {
                let heap = WrittenNumber::whole(trimmed)?.value()?;
                Some(Ok(format!("{heap},{}", heap.saturating_sub(1))))
            }
            PositionReader::Square => {
                let letter = trimmed.chars().next().filter(char::is_ascii_alphabetic)?;
                let column = u32::from(letter.to_ascii_lowercase()) - u32::from('a');
                Some(match WrittenNumber::whole(&trimmed[1..]).and_then(|row| row.value()) {
                    Some(row) if row > 0 => Ok(heaps_text(&[u64::from(column), row - 1])),
                    _ => Err(wrong("a square is one letter and a row from 1 on".into())),
                })
            }
        }
    }
}

/// Returns the rows of 0.11337 for a strip of Treblecross. A cross blocks two cells on each side,
/// where another would let the opponent win at once; so a row of it is a run of cells between
/// blocked ones, from which a cross takes up to five. (Winning Ways, chapter 4, has a row of c
/// cells as one of c + 2 in 0.007.)
fn treblecross(strip: &[bool]) -> Result<Vec<usize>, String> {
    if strip.len() < 3 {
        return Err(format!("a strip has at least 3 cells, not {}", strip.len()));
    }
    let crosses = |at: usize| strip[at..at + 3].iter().filter(|cross| **cross).count();
    let most = (0..=strip.len() - 3).map(crosses).max().unwrap_or(0);
    if most == 3 {
        return Err("three crosses stand in a row: the game is over".into());
    }
    if most == 2 {
        return Err(
            "the player to move makes three in a row at once; here rows of free cells are played, \
                    with crosses at least three cells apart"
                .into(),
        );
    }
    let places: Vec<usize> = (0..strip.len()).filter(|at| strip[*at]).collect();
    let (Some(first), Some(last)) = (places.first(), places.last()) else {
        return Ok(vec![strip.len()]);
    };
    // Of c cells at an end c - 2 are not blocked, of c cells between two crosses c - 4.
    let mut rows = vec![first.saturating_sub(2), (strip.len() - 1 - last).saturating_sub(2)];
    rows.extend(places.windows(2).map(|pair| (pair[1] - pair[0] - 1).saturating_sub(4)));
    rows.retain(|row| *row > 0);
    Ok(rows)
}

/// Returns the number of cells between the counters of a row.
fn gap(row: &str) -> Result<usize, String> {
    let row = row.trim();
    let place = |counter: char| {
        let mut at = row.chars().enumerate().filter(|(_, c)| c.eq_ignore_ascii_case(&counter));
        match (at.next(), at.next()) {
            (Some((at, _)), None) => Ok(at),
            _ => Err(format!("the row `{row}` has not one {counter}")),
        }
    };
    let (white, black) = (place('W')?, place('B')?);
    Ok(white.abs_diff(black) - 1)
}
