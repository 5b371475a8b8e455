//! The static site: the engines as WebAssembly, the assets of the page, and a shell for each
//! address, in one folder that any host of static files can serve.

use crate::succeeds;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
/// Flags of the compiler with which a panic ends the module at once.
const IMMEDIATE_ABORT: &str = "-Zunstable-options -Cpanic=immediate-abort";
/// Address, title and description of each page, apart by tabs. Each has a shell, which loads the
/// engines and then the page.
const PAGES: &str = "crates/faces/page/assets/pages.tsv";
/// The address of the finished site, as `https://example.org/bouton/`: previews of links need whole
/// addresses.
pub const SITE_URL: &str = "SITE_URL";
/// The files besides the shells: their paths, and their names on the site. Files of one name, one
/// behind the other, become one.
const FILES: [(&str, &str); 14] = [
    ("crates/faces/wasm/web/engine.js", "engine.js"),
    ("crates/faces/wasm/web/lzma.js", "lzma.js"),
    ("crates/faces/wasm/web/sw.js", "sw.js"),
    ("crates/faces/wasm/web/boot.js", "boot.js"),
    ("crates/faces/wasm/web/manifest.webmanifest", "manifest.webmanifest"),
    ("crates/out/draw/assets/fonts/inter.woff2", "assets/inter.woff2"),
    ("crates/out/draw/assets/fonts/math.woff2", "assets/math.woff2"),
    ("crates/out/draw/assets/fonts/fonts.css", "assets/style.css"),
    ("crates/out/draw/assets/base.css", "assets/style.css"),
    ("crates/faces/page/assets/style.css", "assets/style.css"),
    ("crates/faces/page/assets/bouton.js", "assets/bouton.js"),
    ("crates/faces/page/assets/icon.svg", "assets/icon.svg"),
    ("crates/faces/page/assets/preview.png", "assets/preview.png"),
    ("crates/out/report/src/schema.json", "schema.json"),
];

/// The reason why there is no site.
pub enum SiteError {
    /// No compiler for the target is available.
    NoTarget(String),
    /// A step failed.
    Failed(String),
}

impl From<SiteError> for String {
    fn from(why: SiteError) -> String {
        match why {
            SiteError::NoTarget(why) | SiteError::Failed(why) => why,
        }
    }
}

/// Writes the site into a folder.
pub fn write(root: &Path, folder: &Path) -> Result<(), SiteError> {
    let module = compile(root)?;
    let failed = |path: &Path, error: std::io::Error| {
        SiteError::Failed(format!("{}: {error}", path.display()))
    };
    let read = |path: PathBuf| fs::read(&path).map_err(|error| failed(&path, error));
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, bytes))
            .map_err(|error| failed(&path, error))
    };
    let mut files = vec![("bouton.wasm.lzma".to_owned(), read(pack(&module)?)?)];
    for (from, to) in FILES {
        let bytes = without_comments(to, read(root.join(from))?);
        match files.last_mut() {
            Some((name, before)) if name == to => before.extend(bytes),
            _ => files.push((to.to_owned(), bytes)),
        }
    }
    // The version of the site changes with every file: FNV-1a over all of them.
    let hash =
        files.iter().flat_map(|(_, bytes)| bytes).fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    let mut total = 0;
    for (name, bytes) in &mut files {
        if name == "sw.js" {
            *bytes = String::from_utf8_lossy(bytes)
                .replace("VERSION\"", &format!("{hash:016x}\""))
                .into_bytes();
        }
        put(name, bytes)?;
        total += bytes.len();
    }
    let shell = read(root.join("crates/faces/wasm/web/shell.html"))?;
    let shell = String::from_utf8_lossy(&shell).into_owned();
    let pages = read(root.join(PAGES))?;
    for line in String::from_utf8_lossy(&pages).lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        let &[path, title, description] = &parts[..] else {
            return Err(SiteError::Failed(format!("{PAGES}: no title and description in: {line}")));
        };
        let page = path.trim_start_matches('/');
        let up = if page.is_empty() {
            ".".to_owned()
        } else {
            vec![".."; page.split('/').count()].join("/")
        };
        let name =
            if page.is_empty() { "index.html".to_owned() } else { format!("{page}/index.html") };
        let site = std::env::var(SITE_URL).unwrap_or_else(|_| format!("{up}/"));
        let filled = shell.replace("ROOT", &up).replace("SITE", &site);
        put(&name, filled.replace("TITLE", title).replace("DESCRIPTION", description).as_bytes())?;
    }
    println!(
        "── the site is in {}: {} kB, of it the module {} kB",
        folder.display(),
        total / 1000,
        files[0].1.len() / 1000
    );
    Ok(())
}

/// Returns a script without its lines of comments and their indentation, a style sheet without
/// comments, and anything else as it is: they would be a kilobyte or two of the download.
fn without_comments(name: &str, bytes: Vec<u8>) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(&bytes) else { return bytes };
    match name.rsplit('.').next() {
        // A template over several lines could have lines that look like comments.
        Some("js") if text.lines().all(|line| line.matches('`').count() % 2 == 0) => {
            let kept = text
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty() && !line.starts_with("//"));
            kept.flat_map(|line| [line, "\n"]).collect::<String>().into_bytes()
        }
        Some("css") => {
            let mut parts = text.split("/*");
            let mut kept = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                kept += part.split_once("*/").map_or("", |(_, rest)| rest.trim_start());
            }
            kept.into_bytes()
        }
        _ => bytes,
    }
}

/// Compiles the module with Debian's toolchain for the web, which is installed if possible;
/// otherwise with the target of rustup.
pub fn compile(root: &Path) -> Result<PathBuf, SiteError> {
    let target = root.join("target/wasm");
    // The core alone, too: only SVG, no sockets, no databases.
    let packages = ["--package", "bouton-wasm", "--package", "bouton", "--no-default-features"];
    let arguments = ["build", "--profile", "web", "--target", TARGET];
    let arguments = [&arguments[..], &packages, &["--target-dir"]].concat();
    let arguments: Vec<String> =
        arguments.iter().map(|a| (*a).to_owned()).chain([target.display().to_string()]).collect();
    let run = |command: &mut Command| {
        println!("── {command:?}");
        let started = std::time::Instant::now();
        match command.current_dir(root).status() {
            Ok(status) if status.success() => {
                println!("── done in {:.0} s", started.elapsed().as_secs_f64());
                Ok(())
            }
            Ok(status) => Err(SiteError::Failed(format!(
                "the module does not compile for {TARGET}: {status}"
            ))),
            Err(error) => Err(SiteError::Failed(format!("cargo could not be started: {error}"))),
        }
    };
    match debian() {
        // The standard library is compiled from its sources for size, and a panic ends the module
        // at once, because nobody would see its message. That saves a tenth of the download.
        Ok(linker) => run(Command::new("/usr/bin/cargo")
            .args(&arguments)
            .args(["-Z", "build-std=std,panic_abort"])
            .args(["-Z", "build-std-features=optimize_for_size"])
            .envs([("RUSTC", "/usr/bin/rustc"), ("RUSTC_BOOTSTRAP", "1")])
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", IMMEDIATE_ABORT)
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
            .env_remove("RUSTUP_TOOLCHAIN"))?,
        Err(missing) => {
            if !has_target() && !succeeds(Command::new("rustup").args(["target", "add", TARGET])) {
                return Err(missing);
            }
            println!("── without Debian's compiler the module is a tenth larger");
            run(Command::new("cargo").args(&arguments))?;
        }
    }
    Ok(target.join(TARGET).join("web/bouton_wasm.wasm"))
}

/// Packs the module by xz, which is installed if possible, and returns the file. Hosts pack files
/// by gzip at best, which leaves a quarter more; `lzma.js` unpacks it.
fn pack(module: &Path) -> Result<PathBuf, SiteError> {
    let is_installed = || succeeds(Command::new("xz").arg("--version"));
    if !is_installed() {
        install(&["xz-utils"]);
    }
    // Code is not aligned, so the place of a byte tells nothing, and the byte before it much.
    let xz = ["--format=lzma", "--lzma1=preset=9e,lc=4,pb=0", "--keep", "--force"];
    if is_installed() && succeeds(Command::new("xz").args(xz).arg(module)) {
        return Ok(module.with_extension("wasm.lzma"));
    }
    Err(SiteError::Failed(
        "the module is not packed: there is no xz (Debian's xz-utils has it)".to_owned(),
    ))
}

/// Returns whether the compiler has the standard library of the target.
fn has_target() -> bool {
    let output =
        Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    let folder = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    folder.is_some_and(|folder| Path::new(folder.trim()).is_dir())
}

/// Installs Debian's toolchain for the web, and returns the name of its linker.
fn debian() -> Result<&'static str, SiteError> {
    let linker = || {
        ["wasm-ld", "wasm-ld-19"]
            .into_iter()
            .find(|linker| succeeds(Command::new(linker).arg("--version")))
    };
    let is_installed = || {
        let sources = "/usr/lib/rustlib/src/rust/library/std";
        linker().filter(|_| Path::new("/usr/bin/cargo").exists() && Path::new(sources).is_dir())
    };
    if is_installed().is_none() {
        install(&["rustc-web", "cargo-web", "rust-web-src", "lld-19"]);
    }
    is_installed().ok_or_else(|| {
        SiteError::NoTarget(format!(
            "no compiler for {TARGET} (rustup target add {TARGET}, or Debian's rustc-web, \
             cargo-web, rust-web-src and lld-19)"
        ))
    })
}

/// Installs packages of Debian, if they are available.
fn install(packages: &[&str]) {
    succeeds(Command::new("apt-get").args(["update", "-q"]));
    succeeds(
        Command::new("apt-get")
            .args(["install", "-q", "-y", "--no-install-recommends"])
            .args(packages),
    );
}

#[cfg(test)]
mod tests {
    use super::without_comments;

    fn kept(name: &str, text: &str) -> String {
        String::from_utf8_lossy(&without_comments(name, text.as_bytes().to_vec())).into_owned()
    }

    #[test]
    fn comments_are_left_out() {
        assert_eq!(
            kept("a.js", "// What it does.\nif (a) {\n  b(\"//x\"); // here\n}\n"),
            "if (a) {\nb(\"//x\"); // here\n}\n"
        );
        let template = "a = `\n// kept\n`;\n";
        assert_eq!(kept("a.js", template), template);
        assert_eq!(
            kept("a.css", "/* all */\nb { c: d; } /* e */ f { g: h; }"),
            "b { c: d; } f { g: h; }"
        );
        assert_eq!(kept("a.svg", "<!-- a --> // b"), "<!-- a --> // b");
    }
}
