//! A block of cells as a PNG of one pixel each, for pictures that embed pictures.

use crate::scene::Raster;

/// Returns the cells row by row as PNG; nothing if there are none.
pub(crate) fn png(raster: &Raster) -> Vec<u8> {
    let rows = raster.cells.len().checked_div(raster.columns).unwrap_or(0);
    let (Ok(columns), Ok(height)) = (u32::try_from(raster.columns), u32::try_from(rows)) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, columns, height);
    encoder.set_color(png::ColorType::Rgb);
    let pixels = raster.cells[..rows * raster.columns].as_flattened();
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(pixels));
    written.map_or(Vec::new(), |()| out)
}
