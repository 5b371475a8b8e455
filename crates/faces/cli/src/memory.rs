//! Where the machine's memory ends, the runtime aborts. Then the program says what that means, and
//! ends as after any other fault.
//!
//! The abort cannot be caught as an error, but as a signal: a handler may write a text that stands
//! ready, and leave. What is written whole or not at all stays so, since nothing is written after
//! it.

#[cfg(unix)]
use bouton_report::answers::failure::Failure;

/// Makes an abort end the program with a message and status 2: on standard error, or as the answer
/// to `--json`.
#[cfg(unix)]
pub fn tell_when_it_ends(json: bool) {
    const MESSAGE: &str = "stopped, since memory ended; what was reported as done is kept, and no \
                           file is half written; ask for less (smaller ranges, --memory) or give \
                           the program more room";
    let (stream, text) = if json {
        (libc::STDOUT_FILENO, bouton_report::to_json(&Failure::new(MESSAGE)) + "\n")
    } else {
        (libc::STDERR_FILENO, format!("error: {MESSAGE}\n"))
    };
    let text: &'static str = text.leak();
    // SAFETY: the action calls `write` and `_exit` alone, which signal handlers may call, on a text
    // that lives for ever.
    let registered = unsafe {
        signal_hook_registry::register(libc::SIGABRT, move || {
            let _ = libc::write(stream, text.as_ptr().cast(), text.len());
            libc::_exit(2);
        })
    };
    debug_assert!(registered.is_ok(), "SIGABRT can be handled");
}

/// Does nothing: elsewhere the runtime's own line has to do.
#[cfg(not(unix))]
pub fn tell_when_it_ends(_json: bool) {}
