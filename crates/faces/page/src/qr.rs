//! QR codes (ISO/IEC 18004) as pictures.

use std::fmt::Write;

use qrcodegen::{QrCode, QrCodeEcc, QrSegment, Version};

/// The largest version written; larger ones are hard to read from a screen.
const MAX_VERSION: u8 = 25;
/// Modules of margin.
const QUIET: i32 = 4;

/// Returns a text as a QR code in SVG, with the least correction of errors; `None` if it has more
/// than 1273 bytes.
pub(crate) fn svg(text: &str) -> Option<String> {
    let segment = [QrSegment::make_bytes(text.as_bytes())];
    let (smallest, largest) = (Version::new(1), Version::new(MAX_VERSION));
    let code =
        QrCode::encode_segments_advanced(&segment, QrCodeEcc::Low, smallest, largest, None, false)
            .ok()?;
    let side = code.size() + 2 * QUIET;
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
            let _ = write!(path, "M{} {}h1v1h-1z", x + QUIET, y + QUIET);
        }
    }
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" width=\"{0}\" \
         height=\"{0}\" shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 \
         0h{side}v{side}h-{side}z\"/><path d=\"{path}\"/></svg>",
        side * 4
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sizes of ISO/IEC 18004, table 7: version 1 holds 17 bytes, version 25 holds 1273.
    #[test]
    fn sizes_and_the_longest_text() {
        let side = |length: usize| {
            let svg = svg(&"x".repeat(length))?;
            svg.split("viewBox=\"0 0 ").nth(1)?.split(' ').next()?.parse::<usize>().ok()
        };
        assert_eq!(side(17), Some(21 + 8));
        assert_eq!(side(18), Some(25 + 8));
        assert_eq!(side(1273), Some(117 + 8));
        assert_eq!(side(1274), None);
    }
}
