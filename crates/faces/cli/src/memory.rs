//! Where the machine's memory ends, the runtime aborts. Then the program says what that means, and
//! ends as after any other fault.
//!
//! The abort cannot be caught as an error, but as a signal: a handler may write a text that stands
//! ready, and leave. What is written whole or not at all stays so, since nothing is written after
//! it.

/// Makes an abort end the program with this message and status 2.
#[cfg(unix)]
pub fn tell_when_it_ends(json: bool) {
    const PLAIN: &str = "error: stopped, as the line above says: what was reported as done is kept, and no file is half written; \
                         ask for less (smaller ranges, --memory) or give the program more room\n";
    const JSON: &str = "{\"error\":\"stopped, since memory ended; what was reported as done is kept, and no file is half written\"}\n";
    let text = if json { JSON } else { PLAIN };
    // SAFETY: the action calls `write` and `_exit` alone, which signal handlers may call, on a text
    // that lives for ever.
    let registered = unsafe {
        signal_hook_registry::register(libc::SIGABRT, move || {
            let _ = libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len());
            libc::_exit(2);
        })
    };
    debug_assert!(registered.is_ok(), "SIGABRT can be handled");
}

/// Does nothing: elsewhere the runtime's own line has to do.
#[cfg(not(unix))]
pub fn tell_when_it_ends(_json: bool) {}
