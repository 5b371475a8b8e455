//! The typefaces of all that is seen in a browser, cut to the signs that are used.
//!
//! The style sheet beside the files says which signs; a test of the pages compares it with what
//! they print.

use crate::succeeds;
use std::path::Path;
use std::process::Command;

/// The folder of the typefaces and their style sheet, from the workspace's root.
const FOLDER: &str = "crates/out/draw/assets/fonts";
/// The folder into which sources and tools are fetched.
const WORK: &str = "target/fonts";
/// The tools that cut, from Python's index.
const TOOLS: [&str; 2] = ["fonttools==4.68.0", "brotli==1.2.1"];
/// The greatest size of all files together, in bytes.
const MAX_BYTES: u64 = 60_000;

/// A typeface: the file that is written, and where it comes from.
struct Source {
    file: &'static str,
    /// The package of npm.
    package: &'static str,
    /// The font and its licence in the package.
    font: &'static str,
    licence: &'static str,
    /// Axes that are held fast or limited.
    axes: &'static [&'static str],
    /// Features that are kept. Without those that join signs: `->` stays two signs.
    features: &'static str,
}

const SOURCES: [Source; 2] = [
    Source {
        file: "inter",
        package: "inter-ui@4.1.1",
        font: "variable/InterVariable.woff2",
        licence: "LICENSE.txt",
        axes: &["opsz=14", "wght=400:750"],
        features: "kern,mark,mkmk,ccmp,locl,tnum",
    },
    Source {
        file: "math",
        package: "@fontsource/noto-sans-math@5.3.0",
        font: "files/noto-sans-math-latin-400-normal.woff2",
        licence: "LICENSE",
        axes: &[],
        features: "",
    },
];

/// Fetches the typefaces and writes them, cut, beside their style sheet.
///
/// # Errors
/// Says which step failed, or that the files are larger than [`MAX_BYTES`].
pub fn write(root: &Path) -> Result<(), String> {
    let (folder, work) = (root.join(FOLDER), root.join(WORK));
    std::fs::create_dir_all(&work).map_err(|error| format!("{WORK}: {error}"))?;
    let style = folder.join("fonts.css");
    let style =
        std::fs::read_to_string(&style).map_err(|error| format!("{}: {error}", style.display()))?;
    let run = |program: &str, arguments: &[&str]| {
        let installed = work.join(program);
        let mut command =
            if installed.exists() { Command::new(installed) } else { Command::new(program) };
        command.args(arguments).current_dir(&work);
        if succeeds(&mut command) { Ok(()) } else { Err(format!("failed: {command:?}")) }
    };
    run("python3", &["-m", "venv", "venv"])?;
    run("venv/bin/pip", &[&["install", "--quiet"][..], &TOOLS].concat())?;
    let mut total = 0;
    for source in &SOURCES {
        let ranges = ranges(&style, source.file)
            .ok_or_else(|| format!("{FOLDER}/fonts.css has no ranges of {}.woff2", source.file))?;
        run(
            "npm",
            &["install", "--prefix", ".", "--no-save", "--no-audit", "--no-fund", source.package],
        )?;
        let name = source.package.rsplit_once('@').map_or(source.package, |(name, _)| name);
        let package = format!("node_modules/{name}");
        let mut font = format!("{package}/{}", source.font);
        if !source.axes.is_empty() {
            let limited = format!("{}.ttf", source.file);
            let given = ["varLib.instancer", "--no-recalc-timestamp", "--output", &limited, &font];
            run("venv/bin/fonttools", &[&given, source.axes].concat())?;
            font = limited;
        }
        let out = folder.join(format!("{}.woff2", source.file));
        run(
            "venv/bin/pyftsubset",
            &[
                &font,
                "--flavor=woff2",
                "--no-hinting",
                // Copyright and licence stay in the file.
                "--name-IDs=0,1,2,5,13,14",
                &format!("--unicodes={ranges}"),
                &format!("--layout-features={}", source.features),
                &format!("--output-file={}", out.display()),
            ],
        )?;
        let licence = folder.join(format!("{}-licence.txt", source.file));
        std::fs::copy(work.join(package).join(source.licence), &licence)
            .map_err(|error| format!("{}: {error}", licence.display()))?;
        let bytes =
            std::fs::metadata(&out).map_err(|error| format!("{}: {error}", out.display()))?.len();
        println!("── {}: {bytes} bytes", out.display());
        total += bytes;
    }
    if total > MAX_BYTES {
        Err(format!("{total} bytes in all; accepted: {MAX_BYTES}"))
    } else {
        Ok(())
    }
}

/// Returns the ranges of code points that a style sheet names for a file, as `pyftsubset` reads
/// them.
fn ranges(style: &str, file: &str) -> Option<String> {
    let (_, rest) = style.split_once(&format!("url(\"{file}.woff2\")"))?;
    let (_, rest) = rest.split_once("unicode-range:")?;
    let (ranges, _) = rest.split_once(';')?;
    Some(ranges.replace("U+", "").split_whitespace().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_the_file() {
        let style = "@font-face { src: url(\"a.woff2\"); unicode-range: U+20-7E, U+A0; } \
            @font-face { src: url(\"b.woff2\"); unicode-range: U+2264; }";
        assert_eq!(ranges(style, "a").as_deref(), Some("20-7E,A0"));
        assert_eq!(ranges(style, "b").as_deref(), Some("2264"));
        assert_eq!(ranges(style, "c"), None);
    }

    #[test]
    fn each_file_is_there_with_its_licence_and_its_ranges() {
        let folder = crate::root().join(FOLDER);
        let style = std::fs::read_to_string(folder.join("fonts.css")).unwrap();
        let bytes = SOURCES.iter().map(|source| {
            assert!(ranges(&style, source.file).is_some(), "{}", source.file);
            let licence = folder.join(format!("{}-licence.txt", source.file));
            assert!(std::fs::read_to_string(licence).unwrap().contains("Open Font License"));
            std::fs::read(folder.join(format!("{}.woff2", source.file))).unwrap().len() as u64
        });
        assert!(bytes.sum::<u64>() <= MAX_BYTES);
    }
}
