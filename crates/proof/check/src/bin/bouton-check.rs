//! Checks certificate files, one after the other:
//! `bouton-check [--seconds S] [--memory MB] FILE...`.
//!
//! Exit status 0 if all are accepted, 1 if one is rejected or not known to be right within the
//! limits, 2 if one can't be read. Each file has 15 seconds and 1000 MB to itself if nothing else
//! is said. Nothing is printed but printable ASCII.

use bouton_check::{Limits, Reason, check_limited};
use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: bouton-check [--seconds S] [--memory MB] FILE...";

/// The system's memory. Where it ends, the runtime would abort without a word of what that means.
struct Memory;

fn reporting_failure(at: *mut u8) -> *mut u8 {
    if at.is_null() {
        let text = b"stopped, since the machine's memory ended: nothing is known of this file; \
            --memory MB allows less\n";
        let _ = std::io::stderr().write_all(text);
        std::process::exit(2);
    }
    at
}

// SAFETY: everything is handed on to the system's allocator; where it has nothing, the program
// ends.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        reporting_failure(unsafe { System.alloc(layout) })
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        reporting_failure(unsafe { System.alloc_zeroed(layout) })
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        reporting_failure(unsafe { System.realloc(at, layout, size) })
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static MEMORY: Memory = Memory;

fn main() -> ExitCode {
    let mut limits = Limits { steps: u64::MAX, ..Limits::default() };
    let mut seconds = Duration::from_secs(15);
    let mut files = Vec::new();
    let mut arguments = std::env::args_os().skip(1);
    while let Some(word) = arguments.next() {
        let mut value = || arguments.next().and_then(|text| text.to_str()?.parse::<f64>().ok());
        let understood = match &*word.to_string_lossy() {
            "--seconds" => {
                value().and_then(|s| Duration::try_from_secs_f64(s).ok()).map(|s| seconds = s)
            }
            // More than the machine has is no limit.
            "--memory" => {
                value().filter(|mb| *mb >= 1.0).map(|mb| limits.bytes = (mb * 1e6) as usize)
            }
            _ => {
                files.push(word);
                Some(())
            }
        };
        if understood.is_none() {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    if files.is_empty() {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    }
    let mut status = 0;
    for file in files {
        let name = printable(&file.to_string_lossy());
        let started = Instant::now();
        let text = match read(&file, limits.bytes) {
            Ok(Some(text)) => text,
            Ok(None) => {
                println!("{name}: unknown: {}", Reason::TooBig);
                status = status.max(1);
                continue;
            }
            Err(error) => {
                eprintln!("{name}: {}", printable(&error.to_string()));
                status = 2;
                continue;
            }
        };
        // A little earlier, as what is held must be given back, too.
        let until = seconds.mul_f64(0.96);
        match check_limited(&text, &limits, &mut || started.elapsed() < until) {
            Ok(accepted) => {
                println!(
                    "{name}: accepted: {}: {} ({})",
                    accepted.game, accepted.claim, accepted.work
                );
                println!("{}", accepted.theorem);
            }
            Err(rejected) => {
                let more = match rejected.reason {
                    Reason::Stopped => {
                        format!(" after {} s; --seconds S allows more", seconds.as_secs_f64())
                    }
                    Reason::TooBig => {
                        format!("; --memory MB allows more than {} MB", limits.bytes / 1_000_000)
                    }
                    _ => String::new(),
                };
                println!("{name}: {rejected}{more}");
                status = status.max(1);
            }
        }
    }
    ExitCode::from(status)
}

/// Reads a file as text; `None` if it alone is more than half of the memory allowed.
fn read(file: &OsStr, bytes: usize) -> std::io::Result<Option<String>> {
    let (mut text, most) = (String::new(), bytes as u64 / 2);
    std::fs::File::open(file)?.take(most + 1).read_to_string(&mut text)?;
    Ok(Some(text).filter(|text| text.len() as u64 <= most))
}

/// Returns the text with anything but printable ASCII as an escape.
fn printable(text: &str) -> String {
    let one = |c: char| {
        if (' '..='~').contains(&c) { c.to_string() } else { c.escape_unicode().to_string() }
    };
    text.chars().map(one).collect()
}
