//! Scenes as PNG, with an embedded typeface, so that no font need be installed. Blocks of cells are
//! copied pixel by pixel: a table of millions of cells costs as much as its pixels.

use crate::DrawError;
use crate::scene::{Anchor, Colour, Raster, Scene, Shape, Style};
use crate::svg::{BASELINE, DASHES};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};
use tiny_skia::{
    Color, FillRule, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8, Rect, Stroke,
    StrokeDash, Transform,
};

/// The greatest number of pixels of a picture.
pub const MAX_PIXELS: u64 = 64_000_000;

/// Renders a scene with `scale` pixels for each of its own.
///
/// # Errors
/// Fails if the picture has more than [`MAX_PIXELS`] pixels.
pub fn write(scene: &Scene, scale: f64) -> Result<Vec<u8>, DrawError> {
    // The sides of cells stay whole numbers of pixels.
    let scale = if scene.raster.is_some() { scale.round().max(1.0) } else { scale };
    let (width, height) = ((scene.width * scale).ceil(), (scene.height * scale).ceil());
    let too_large = || DrawError::TooLarge(format!("{width} × {height} pixels"));
    if width * height > MAX_PIXELS as f64 {
        return Err(too_large());
    }
    let failed = |error: String| DrawError::Render(error);
    let face = FontRef::new(dejavu::sans::regular()).map_err(|error| failed(error.to_string()))?;
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or_else(too_large)?;
    pixels.fill(Color::WHITE);
    if let Some(raster) = &scene.raster {
        let (x, y, side) = (raster.x * scale, raster.y * scale, raster.side * scale as usize);
        copy_cells(&mut pixels, &Raster { x, y, side, ..raster.clone() });
    }
    let scale = Transform::from_scale(scale as f32, scale as f32);
    for mark in &scene.marks {
        if let Some(path) = outline(&mark.shape, &face) {
            paint(&mut pixels, &path, &mark.ink, scale);
        }
    }
    // Nothing is transparent, so premultiplied colours equal the colours.
    encode(pixels.width() as usize, pixels.height() as usize, pixels.data())
        .map_err(|error| failed(error.to_string()))
}

fn encode(width: usize, height: usize, pixels: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(file)
}

fn paint(pixels: &mut Pixmap, path: &Path, ink: &Style, scale: Transform) {
    let paint = |[r, g, b]: Colour| {
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        paint.set_color_rgba8(r, g, b, 255);
        paint
    };
    if let Some(colour) = ink.fill {
        pixels.fill_path(path, &paint(colour), FillRule::Winding, scale, None);
    }
    if let Some(colour) = ink.line {
        let dash = if ink.dashed { StrokeDash::new(DASHES.to_vec(), 0.0) } else { None };
        let stroke = Stroke { width: ink.width as f32, dash, ..Stroke::default() };
        pixels.stroke_path(path, &paint(colour), &stroke, scale, None);
    }
}

/// Returns the outline of a shape; `None` if the shape is invisible.
fn outline(shape: &Shape, face: &FontRef<'_>) -> Option<Path> {
    match shape {
        Shape::Circle(x, y, r) => PathBuilder::from_circle(*x as f32, *y as f32, *r as f32),
        Shape::Box(x, y, w, h, r) => {
            let rect = Rect::from_xywh(*x as f32, *y as f32, *w as f32, *h as f32)?;
            Some(if *r > 0.0 { rounded(&rect, *r as f32)? } else { PathBuilder::from_rect(rect) })
        }
        Shape::Line(x1, y1, x2, y2) => {
            let mut path = PathBuilder::new();
            path.move_to(*x1 as f32, *y1 as f32);
            path.line_to(*x2 as f32, *y2 as f32);
            path.finish()
        }
        Shape::Polygon(corners) => {
            let mut path = PathBuilder::new();
            for (i, (x, y)) in corners.iter().enumerate() {
                match i {
                    0 => path.move_to(*x as f32, *y as f32),
                    _ => path.line_to(*x as f32, *y as f32),
                }
            }
            path.close();
            path.finish()
        }
        Shape::Text(x, y, size, text, anchor) => {
            text_path(face, text, (*x, y + BASELINE * size), *size, *anchor)
        }
    }
}

/// Returns a rectangle with rounded corners.
fn rounded(rect: &Rect, radius: f32) -> Option<Path> {
    // The control point of a quarter of a circle as a cubic curve.
    const BEND: f32 = 0.552_284_8;
    let r = radius.min(rect.width() / 2.0).min(rect.height() / 2.0);
    let (k, (left, top, right, bottom)) =
        (r * (1.0 - BEND), (rect.left(), rect.top(), rect.right(), rect.bottom()));
    let mut path = PathBuilder::new();
    path.move_to(left + r, top);
    path.line_to(right - r, top);
    path.cubic_to(right - k, top, right, top + k, right, top + r);
    path.line_to(right, bottom - r);
    path.cubic_to(right, bottom - k, right - k, bottom, right - r, bottom);
    path.line_to(left + r, bottom);
    path.cubic_to(left + k, bottom, left, bottom - k, left, bottom - r);
    path.line_to(left, top + r);
    path.cubic_to(left, top + k, left + k, top, left + r, top);
    path.close();
    path.finish()
}

/// A builder that maps glyphs from the units of the typeface (y upwards) to the scene.
struct GlyphBuilder {
    path: PathBuilder,
    at: (f32, f32),
    scale: f32,
}

impl GlyphBuilder {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.at.0 + self.scale * x, self.at.1 - self.scale * y)
    }
}

impl OutlinePen for GlyphBuilder {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) =
            (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

fn text_path(
    face: &FontRef<'_>,
    text: &str,
    (x, y): (f64, f64),
    size: f64,
    anchor: Anchor,
) -> Option<Path> {
    let metrics = face.glyph_metrics(Size::unscaled(), LocationRef::default());
    let scale = size as f32
        / f32::from(face.metrics(Size::unscaled(), LocationRef::default()).units_per_em);
    let (letters, outlines) = (face.charmap(), face.outline_glyphs());
    let glyphs: Vec<GlyphId> = text.chars().filter_map(|letter| letters.map(letter)).collect();
    let advance = |glyph| scale * metrics.advance_width(glyph).unwrap_or(0.0);
    let width: f32 = glyphs.iter().map(|glyph| advance(*glyph)).sum();
    let left = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    let mut path =
        GlyphBuilder { path: PathBuilder::new(), at: (x as f32 - left, y as f32), scale };
    for glyph in glyphs {
        let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
        if let Some(outline) = outlines.get(glyph) {
            outline.draw(settings, &mut path).ok()?;
        }
        path.at.0 += advance(glyph);
    }
    path.path.finish()
}

fn copy_cells(pixels: &mut Pixmap, raster: &Raster) {
    let (width, height) = (pixels.width() as usize, pixels.height() as usize);
    let (left, top) = (raster.x as usize, raster.y as usize);
    let all = pixels.pixels_mut();
    for (row, cells) in raster.cells.chunks(raster.columns.max(1)).enumerate() {
        for y in
            (top + row * raster.side..top + (row + 1) * raster.side).take_while(|y| *y < height)
        {
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

    fn scene(width: f64, height: f64) -> Scene {
        Scene { width, height, ..Scene::new("a test", "") }
    }

    fn render(scene: &Scene) -> Pixmap {
        Pixmap::decode_png(&write(scene, 1.0).unwrap()).unwrap()
    }

    fn colour(pixels: &Pixmap, x: u32, y: u32) -> [u8; 3] {
        let p = pixels.pixel(x, y).unwrap();
        [p.red(), p.green(), p.blue()]
    }

    /// A mark on a block of cells is visible.
    #[test]
    fn marks_lie_on_the_cells() {
        let mut scene = scene(20.0, 20.0);
        scene.raster =
            Some(Raster { x: 0.0, y: 0.0, side: 20, columns: 1, cells: vec![[0, 0, 200]] });
        let plain = render(&scene);
        scene
            .add(Shape::Text(10.0, 10.0, 12.0, "P".into(), Anchor::Middle), Style::fill([0xff; 3]));
        let marked = render(&scene);
        let white = |p: &PremultipliedColorU8| (p.red(), p.green(), p.blue()) == (255, 255, 255);
        assert!(marked.pixels().iter().any(white));
        assert!(!plain.pixels().iter().any(white));
    }

    /// The inside, the outside and the line of a circle, of a box with round corners, and a dashed
    /// line.
    #[test]
    fn shapes_are_where_they_are_said_to_be() {
        let (red, blue, white) = ([200, 0, 0], [0, 0, 200], [255; 3]);
        let mut scene = scene(60.0, 40.0);
        scene.add(Shape::Circle(10.0, 10.0, 6.0), Style::line(blue, 2.0).filled(red));
        scene.add(Shape::Box(20.0, 2.0, 16.0, 16.0, 6.0), Style::fill(red));
        scene.add(Shape::Line(2.0, 30.5, 58.0, 30.5), Style::line(blue, 1.0).dashed(true));
        let pixels = render(&scene);
        assert_eq!(colour(&pixels, 10, 10), red);
        assert_eq!(colour(&pixels, 15, 9), blue);
        assert_eq!(colour(&pixels, 2, 2), white);
        assert_eq!((colour(&pixels, 20, 2), colour(&pixels, 28, 3)), (white, red));
        // Five pixels on, four off.
        let dashes: Vec<bool> = (2..20).map(|x| colour(&pixels, x, 30) == blue).collect();
        assert_eq!(dashes, (0..18).map(|i| i % 9 < 5).collect::<Vec<_>>());
    }

    /// Text begins, is centred, or ends at its anchor.
    #[test]
    fn words_stand_at_their_anchor() {
        let ends = |anchor| {
            let mut scene = scene(100.0, 20.0);
            scene.add(Shape::Text(50.0, 10.0, 12.0, "HHH".into(), anchor), Style::fill([0; 3]));
            let pixels = render(&scene);
            let inked = |x: &u32| (0..20).any(|y| colour(&pixels, *x, y)[0] < 128);
            ((0..100).find(inked).unwrap(), (0..100).rev().find(inked).unwrap())
        };
        let ((start, _), (from, to), (_, end)) =
            (ends(Anchor::Start), ends(Anchor::Middle), ends(Anchor::End));
        assert!((50..=52).contains(&start) && (47..50).contains(&end), "{start} {end}");
        assert!((99..=100).contains(&(from + to)), "{from} {to}");
    }
}
