//! Scenes as PNG, by resvg, with a typeface of our own: no font need be installed. Blocks of cells are laid in pixel by
//! pixel, so that tables of millions of cells cost what their pixels cost.

use crate::scene::{Raster, Scene};
use crate::{DrawError, svg};
use resvg::tiny_skia::{Color, Pixmap, PremultipliedColorU8, Transform};
use resvg::usvg::{self, fontdb};
use std::sync::{Arc, OnceLock};

/// The most pixels of a picture.
pub const MOST_PIXELS: u64 = 64_000_000;

fn typeface() -> Arc<fontdb::Database> {
    static FACE: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let face = FACE.get_or_init(|| {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(dejavu::sans::regular().to_vec());
        Arc::new(fonts)
    });
    face.clone()
}

/// The scene, `scale` pixels for one.
pub fn write(scene: &Scene, scale: f64) -> Result<Vec<u8>, DrawError> {
    // Cells stay whole pixels.
    let scale = if scene.raster.is_some() { scale.round().max(1.0) } else { scale };
    let (width, height) = ((scene.width * scale).ceil(), (scene.height * scale).ceil());
    let too_large = || DrawError::TooLarge(format!("{width} × {height} pixels"));
    if width * height > MOST_PIXELS as f64 {
        return Err(too_large());
    }
    let options = usvg::Options {
        fontdb: typeface(),
        font_family: "DejaVu Sans".into(),
        resources_dir: None,
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(&svg::marks(scene), &options)
        .map_err(|error| DrawError::Render(error.to_string()))?;
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or_else(too_large)?;
    pixels.fill(Color::WHITE);
    if let Some(raster) = &scene.raster {
        let scaled = Raster {
            x: raster.x * scale,
            y: raster.y * scale,
            side: raster.side * scale as usize,
            ..raster.clone()
        };
        lay(&mut pixels, &scaled);
    }
    resvg::render(&tree, Transform::from_scale(scale as f32, scale as f32), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| DrawError::Render(error.to_string()))
}

fn lay(pixels: &mut Pixmap, raster: &Raster) {
    let (width, height) = (pixels.width() as usize, pixels.height() as usize);
    let (left, top) = (raster.x as usize, raster.y as usize);
    let all = pixels.pixels_mut();
    for (row, cells) in raster.cells.chunks(raster.columns.max(1)).enumerate() {
        for y in (top + row * raster.side..top + (row + 1) * raster.side).take_while(|y| *y < height) {
            for (column, [r, g, b]) in cells.iter().enumerate() {
                let start = (left + column * raster.side).min(width);
                let end = (start + raster.side).min(width);
                if let Some(colour) = PremultipliedColorU8::from_rgba(*r, *g, *b, 255) {
                    all[y * width + start..y * width + end].fill(colour);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Anchor, Ink, Shape};

    /// A mark on a block of cells is seen.
    #[test]
    fn marks_lie_on_the_cells() {
        let mut scene = Scene::new("cells", "");
        (scene.width, scene.height) = (20.0, 20.0);
        scene.raster = Some(Raster { x: 0.0, y: 0.0, side: 20, columns: 1, cells: vec![[0, 0, 200]] });
        let plain = write(&scene, 1.0).unwrap();
        scene.add(Shape::Text(10.0, 10.0, 12.0, "P".into(), Anchor::Middle), Ink::fill([0xff; 3]));
        let marked = Pixmap::decode_png(&write(&scene, 1.0).unwrap()).unwrap();
        let white = |p: &PremultipliedColorU8| (p.red(), p.green(), p.blue()) == (255, 255, 255);
        assert!(marked.pixels().iter().any(white));
        assert!(!Pixmap::decode_png(&plain).unwrap().pixels().iter().any(white));
    }
}
