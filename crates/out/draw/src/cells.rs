//! A block of cells as a picture of one pixel each, for pictures that embed pictures: a PNG, or a
//! BMP where the feature `png` is off. The web module leaves the compressor out, which every
//! visitor would fetch.

use crate::scene::Raster;

/// What the bytes are, as addresses of data name it.
#[cfg(feature = "png")]
pub(crate) const MEDIA_TYPE: &str = "image/png";
#[cfg(not(feature = "png"))]
pub(crate) const MEDIA_TYPE: &str = "image/bmp";

/// Returns the cells row by row as a picture; nothing if there are none.
pub(crate) fn picture(raster: &Raster) -> Vec<u8> {
    let rows = raster.cells.len().checked_div(raster.columns).unwrap_or(0);
    let (Ok(columns), Ok(height)) = (u32::try_from(raster.columns), u32::try_from(rows)) else {
        return Vec::new();
    };
    let cells = &raster.cells[..rows * raster.columns];
    #[cfg(feature = "png")]
    return png(columns, height, cells);
    #[cfg(not(feature = "png"))]
    return bmp(columns, height, cells);
}

#[cfg(feature = "png")]
fn png(columns: u32, rows: u32, cells: &[[u8; 3]]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, columns, rows);
    encoder.set_color(png::ColorType::Rgb);
    let written =
        encoder.write_header().and_then(|mut writer| writer.write_image_data(cells.as_flattened()));
    written.map_or(Vec::new(), |()| out)
}

/// Returns a bitmap of three bytes a pixel, blue first, the last row first, each row filled up to
/// four bytes.
#[cfg(any(test, not(feature = "png")))]
fn bmp(columns: u32, rows: u32, cells: &[[u8; 3]]) -> Vec<u8> {
    const HEADERS: u32 = 14 + 40;
    let width = columns as usize;
    let row_bytes = (3 * width).next_multiple_of(4);
    let Some(bytes) = u32::try_from(row_bytes).ok().and_then(|row| row.checked_mul(rows)) else {
        return Vec::new();
    };
    let mut out = b"BM".to_vec();
    for field in [HEADERS.saturating_add(bytes), 0, HEADERS, 40, columns, rows] {
        out.extend(field.to_le_bytes());
    }
    // One plane, 24 bits a pixel, not compressed.
    out.extend([1, 0, 24, 0]);
    for field in [0, bytes, 2835, 2835, 0, 0] {
        out.extend(u32::to_le_bytes(field));
    }
    for row in cells.chunks(width).rev() {
        let end = out.len() + row_bytes;
        out.extend(row.iter().flat_map(|[red, green, blue]| [blue, green, red]));
        out.resize(end, 0);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Read as the format says: pixels from where the header says, rows from below, blue, green,
    /// red.
    #[test]
    fn a_bitmap_has_the_pixels() {
        let cells: Vec<[u8; 3]> = (0..15).map(|i| [i, 100 + i, 200 + i]).collect();
        let bytes = bmp(5, 3, &cells);
        let field = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        assert_eq!(
            (&bytes[..2], field(2) as usize, field(18), field(22)),
            (&b"BM"[..], bytes.len(), 5, 3)
        );
        let first = field(10) as usize;
        assert_eq!(bytes.len() - first, 16 * 3);
        for (i, cell) in cells.iter().enumerate() {
            let at = first + 16 * (2 - i / 5) + 3 * (i % 5);
            assert_eq!([bytes[at + 2], bytes[at + 1], bytes[at]], *cell, "{i}");
        }
    }
}
