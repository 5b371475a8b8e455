//! The typefaces of all that is seen in a browser: Inter for text, Noto Sans Math for formulas, cut
//! to the signs that are used (`cargo xtask fonts`).

/// The style sheet that names the files, which lie beside it.
pub const STYLE: &str = include_str!("../assets/fonts/fonts.css");

/// The files: their names, and what is in them (WOFF2).
pub static FILES: [(&str, &[u8]); 2] = [
    ("inter.woff2", include_bytes!("../assets/fonts/inter.woff2")),
    ("math.woff2", include_bytes!("../assets/fonts/math.woff2")),
];

/// Returns the style sheet with the files in it, for pages that are opened from the disk. As
/// nothing is fetched, text waits for its typeface.
pub fn embedded() -> String {
    let style = STYLE.replace("font-display: optional", "font-display: block");
    FILES.iter().fold(style, |style, (name, bytes)| {
        style.replace(&format!("\"{name}\""), &format!("data:font/woff2;base64,{}", base64(bytes)))
    })
}

fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let sign = SIGNS[(bits >> (18 - 6 * i) & 63) as usize];
            out.push(if i > group.len() { '=' } else { char::from(sign) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_base64() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn a_single_file_asks_for_no_other() {
        let style = embedded();
        assert!(!style.contains("url(\""), "a file is not embedded");
        assert_eq!(style.matches("font-display: block").count(), FILES.len());
        assert_eq!(style.matches("url(data:font/woff2;base64,d09GMg").count(), FILES.len());
        for (name, bytes) in FILES {
            assert_eq!(bytes[..4], *b"wOF2", "{name}");
        }
    }
}
