//! Scenes as SVG, with presentation attributes only, so that pages with a strict content security
//! policy can show them.

use crate::scene::{Anchor, BoardPart, Colour, Mark, PALETTE, PAPER, Scene, Shape, Style};
use std::fmt::Write;

/// The height of the middle of a digit above the baseline, by the type size.
pub(crate) const BASELINE: f64 = 0.36;

/// The lengths of dashes and gaps.
pub(crate) const DASHES: [f32; 2] = [5.0, 4.0];

/// The behaviour of a part of a picture on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// The part is a link.
    To {
        /// The address.
        href: String,
        /// The description of the link.
        label: String,
        /// The CSS class; empty for none.
        class: &'static str,
    },
    /// The part is not a link, and looks so.
    Disabled,
    /// The part is not a link, but pointed at.
    Marked,
}

/// Returns the scene as a file.
pub fn write(scene: &Scene) -> String {
    String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        + &write_scene(scene, |_| None, hex)
}

/// Returns the scene as an element of a page; `link` returns the links of parts. With links the
/// picture is a group, otherwise an image. The page may define its own colours for the palette, as
/// custom properties named `--board-ink` and so on.
pub fn inline(scene: &Scene, link: impl FnMut(BoardPart) -> Option<Link>) -> String {
    write_scene(scene, link, |colour| match PALETTE.iter().find(|(known, _)| *known == colour) {
        Some((_, name)) => format!("var(--board-{name},{})", hex(colour)),
        None => hex(colour),
    })
}

/// A function that writes a colour.
type Paint = fn(Colour) -> String;

fn write_scene(
    scene: &Scene,
    mut link: impl FnMut(BoardPart) -> Option<Link>,
    paint: Paint,
) -> String {
    let mut body = String::new();
    let mut links = 0;
    let mut marks = scene.marks.iter().peekable();
    while let Some(mark) = marks.next() {
        let Some((part, to)) = mark.part.and_then(|part| Some((part, link(part)?))) else {
            shape(&mut body, mark, paint);
            continue;
        };
        let end = match &to {
            Link::To { href, label, class } => {
                links += 1;
                let _ =
                    write!(body, "<a href=\"{}\" aria-label=\"{}\"", escape(href), escape(label));
                if !class.is_empty() {
                    let _ = write!(body, " class=\"{class}\"");
                }
                let _ = writeln!(body, "><title>{}</title>", escape(label));
                "</a>\n"
            }
            Link::Disabled | Link::Marked => {
                let class = if to == Link::Marked { "look" } else { "still" };
                let _ = write!(body, "<g class=\"{class}\">");
                "</g>\n"
            }
        };
        shape(&mut body, mark, paint);
        while let Some(next) = marks.next_if(|next| next.part == Some(part)) {
            shape(&mut body, next, paint);
        }
        body.push_str(end);
    }
    let (width, height) = (number(scene.width), number(scene.height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"DejaVu Sans, sans-serif\""
    );
    let description = escape(&format!("{}. {}", scene.title, scene.description));
    let role = if links > 0 { "group" } else { "img" };
    let _ = write!(
        svg,
        " role=\"{role}\" aria-label=\"{description}\">\n<title>{}</title>\n",
        escape(&scene.title)
    );
    let _ = writeln!(svg, "<desc>{}</desc>", escape(&scene.description));
    let _ =
        writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>", paint(PAPER));
    if let Some(raster) = &scene.raster {
        let rows = raster.cells.len().checked_div(raster.columns).unwrap_or(0);
        let _ = writeln!(
            svg,
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" image-rendering=\"pixelated\" \
             preserveAspectRatio=\"none\" href=\"data:{};base64,{}\"/>",
            number(raster.x),
            number(raster.y),
            raster.columns * raster.side,
            rows * raster.side,
            crate::cells::MEDIA_TYPE,
            base64(&crate::cells::picture(raster)),
        );
    }
    svg + &body + "</svg>\n"
}

/// Writes a shape. Default attributes are left out: square corners, lines of width 1, text from its
/// start, lines without fill.
fn shape(out: &mut String, mark: &Mark, paint: Paint) {
    let n = number;
    let _ = match &mark.shape {
        Shape::Circle(x, y, r) => {
            write!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", n(*x), n(*y), n(*r))
        }
        Shape::Box(x, y, w, h, r) => {
            let round = if *r == 0.0 { String::new() } else { format!(" rx=\"{}\"", n(*r)) };
            write!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{round}",
                n(*x),
                n(*y),
                n(*w),
                n(*h)
            )
        }
        Shape::Line(x1, y1, x2, y2) => {
            write!(
                out,
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"",
                n(*x1),
                n(*y1),
                n(*x2),
                n(*y2)
            )
        }
        Shape::Polygon(corners) => {
            let corners: Vec<String> =
                corners.iter().map(|(x, y)| format!("{},{}", n(*x), n(*y))).collect();
            write!(out, "<polygon points=\"{}\"", corners.join(" "))
        }
        Shape::Text(x, y, size, _, anchor) => {
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let y = y + BASELINE * size;
            write!(out, "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{anchor}", n(*x), n(y), n(*size))
        }
    };
    if !matches!(mark.shape, Shape::Line(..)) {
        let _ = write!(out, " fill=\"{}\"", mark.ink.fill.map_or("none".into(), paint));
    }
    line(out, &mark.ink, paint);
    match &mark.shape {
        Shape::Text(_, _, _, text, _) => {
            let _ = writeln!(out, ">{}</text>", escape(text));
        }
        _ => out.push_str("/>\n"),
    }
}

fn line(out: &mut String, ink: &Style, paint: Paint) {
    if let Some(line) = ink.line {
        let _ = write!(out, " stroke=\"{}\"", paint(line));
        if ink.width != 1.0 {
            let _ = write!(out, " stroke-width=\"{}\"", number(ink.width));
        }
        if ink.dashed {
            let _ = write!(out, " stroke-dasharray=\"{} {}\"", DASHES[0], DASHES[1]);
        }
    }
}

/// Prints a length with at most two decimals.
pub(crate) fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

pub(crate) fn hex([r, g, b]: Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Escapes a text for XML.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML allows no other control characters.
            c if c < ' ' && !matches!(c, '\t' | '\n' | '\r') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let place = (word >> (18 - 6 * digit) & 63) as usize;
            out.push(if digit <= chunk.len() { DIGITS[place] as char } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4648, section 10.
    #[test]
    fn base64_of_the_rfc() {
        for (text, wanted) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(text.as_bytes()), wanted);
        }
    }

    #[test]
    fn nothing_escapes() {
        assert_eq!(escape("a<b>&\"\u{1}"), "a&lt;b&gt;&amp;&quot;\u{fffd}");
    }
}
