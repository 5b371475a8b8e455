//! Long lists of numbers. Listing numbers must not take longer than finding them.

use bouton_core::write_digits;
use std::io::Write;

/// Characters that are written at once.
const LINES: usize = 1 << 13;

/// Writes a line for each number from `least` on: the number, a sign, its value.
///
/// # Errors
///
/// If the lines cannot be written.
pub fn write_lines(
    out: &mut dyn Write,
    least: u32,
    values: &[u32],
    between: u8,
) -> std::io::Result<()> {
    // Lines of a length that the compiler knows are quick to copy; the next one overwrites what is
    // behind them.
    let (mut text, mut end) = ([0; LINES], 0);
    for (n, value) in (least..).zip(values) {
        let mut line = [b'\n'; 48];
        let digits = line.first_chunk_mut().expect("half of it");
        let place = number(digits, 23, *value, 1) - 1;
        digits[place] = between;
        let from = number(digits, place, n, 1);
        text[end..][..24].copy_from_slice(&line[from..][..24]);
        end += 24 - from;
        if end > LINES - 24 {
            out.write_all(&text[..end])?;
            end = 0;
        }
    }
    out.write_all(&text[..end])
}

/// Writes a number into a line of blanks, before place `end`; gives the place it begins at, so many
/// columns before the end at least. Listing numbers must not take longer than finding them.
pub fn number(line: &mut [u8; 24], end: usize, number: u32, width: usize) -> usize {
    write_digits(line, end, number.into()).min(end - width)
}
