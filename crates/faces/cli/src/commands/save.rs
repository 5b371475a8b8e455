//! Pictures into files, each in the format of the file's extension.

use crate::error::{CommandError, write_file};
use bouton_draw::scene::Scene;
use bouton_draw::{DrawError, Picture, svg, tikz};
use std::path::Path;

/// Writes a picture in the format of the file's extension. Whoever writes JSON does so before.
pub(super) fn save(picture: &Picture, path: &Path) -> Result<(), CommandError> {
    save_as(path, ".svg, .png, .tex, .dot, .json or .cert", |format| {
        Some(match format {
            "svg" => Ok(picture.svg().into_bytes()),
            "png" => png(&picture.scene()),
            "tex" => picture.tikz().map(String::into_bytes),
            "dot" => picture.dot().map(String::into_bytes),
            _ => return None,
        })
    })
}

/// Returns the bytes of a PNG file.
#[cfg(feature = "png")]
fn png(scene: &Scene) -> Result<Vec<u8>, DrawError> {
    /// Pixels of a PNG for one of the SVG.
    const SCALE: f64 = 2.0;
    bouton_draw::png::write(scene, SCALE)
}

/// Returns which feature has PNG files.
#[cfg(not(feature = "png"))]
fn png(_: &Scene) -> Result<Vec<u8>, DrawError> {
    Err(DrawError::Render(super::missing::left_out("PNG", "png").to_string()))
}

/// Writes a scene in the format of the file's extension.
pub(super) fn save_scene(scene: &Scene, path: &Path) -> Result<(), CommandError> {
    save_as(path, ".svg, .png or .tex", |format| {
        Some(match format {
            "svg" => Ok(svg::write(scene).into_bytes()),
            "png" => png(scene),
            "tex" => tikz::write(scene).map(String::into_bytes),
            _ => return None,
        })
    })
}

/// Writes what `write` makes for the file's extension, where that is one of those accepted.
fn save_as(
    path: &Path,
    accepted: &str,
    write: impl Fn(&str) -> Option<Result<Vec<u8>, DrawError>>,
) -> Result<(), CommandError> {
    let refused = |why: String| CommandError::Usage(format!("{}: {why}", path.display()));
    let bytes = path.extension().and_then(|extension| write(extension.to_str()?));
    let bytes = bytes.ok_or_else(|| refused(format!("the file's name must end in {accepted}")))?;
    write_file(path, bytes.map_err(|error| refused(error.to_string()))?)
}
