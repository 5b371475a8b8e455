//! What every command is given: how to print, how long to work, and the user's wish to stop.

use crate::error::{CommandError, write_file};
use bouton_core::{Budget, Deadline, LimitReached, Watch};
use bouton_games::Catalogue;
use bouton_report::answers::failure::BrokenOff;
use bouton_study::Theorems;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::atomic::Ordering;
#[cfg(feature = "database")]
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The exit status of a program that was interrupted: 128 and the number of the signal.
pub const INTERRUPTED: u8 = 130;

/// How long work may go on after the user asked it to end.
const STOP_TIME: Duration = Duration::from_secs(10);

/// Between two looks at the clock for work that knows none.
#[cfg(feature = "database")]
const CLOCK_INTERVAL: Duration = Duration::from_millis(50);

/// Returns the games that come with this program.
pub fn standard() -> Catalogue {
    let all = Catalogue::standard();
    #[cfg(feature = "programs")]
    let all = all.with_programs(bouton_program::read_game);
    all
}

/// Returns what is said of a file's name that has none of the endings accepted.
pub fn must_end(accepted: &[&str]) -> String {
    match accepted.split_last() {
        Some((last, first)) if !first.is_empty() => {
            format!("the file's name must end in .{} or .{last}", first.join(", ."))
        }
        _ => format!("the file's name must end in .{}", accepted.concat()),
    }
}

/// What a command needs to know besides its own arguments.
#[derive(Debug)]
pub struct Context {
    /// The games that can be named.
    pub catalogue: Catalogue,
    /// One JSON value is wanted.
    pub json: bool,
    /// A table is wanted, in CSV.
    pub csv: bool,
    /// No progress is wanted.
    pub quiet: bool,
    /// Set when the user asks to stop.
    pub watch: Arc<Watch>,
    /// The seconds asked for.
    pub seconds: Option<Duration>,
    deadline: Option<Deadline>,
    /// The file that the answer goes into, and the answer so far.
    answer_file: Option<(PathBuf, Mutex<Vec<u8>>)>,
}

/// The answer that is to go into a file.
struct Answer<'a>(&'a Mutex<Vec<u8>>);

impl Write for Answer<'_> {
    fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Context {
    /// Starts the clock; the games are those of the families.
    pub fn new(json: bool, quiet: bool, seconds: Option<f64>) -> Result<Context, CommandError> {
        let watch = Arc::new(Watch::default());
        let limit = seconds.map(span).transpose()?;
        let quiet =
            quiet || std::env::var_os("BOUTON_QUIET").is_some_and(|value| !value.is_empty());
        let catalogue = standard();
        let deadline = limit.map(Deadline::after);
        Ok(Context {
            catalogue,
            json,
            csv: false,
            quiet,
            watch,
            seconds: limit,
            deadline,
            answer_file: None,
        })
    }

    /// Sends the answer into a file as its ending says, if it is one of those accepted.
    pub fn answer_into(&mut self, file: &Path, accepted: &[&str]) -> Result<(), CommandError> {
        let wrong =
            |message: &str| Err(CommandError::Usage(format!("{}: {message}", file.display())));
        match file.extension().and_then(|ending| ending.to_str()) {
            Some(ending) if !accepted.contains(&ending) => return wrong(&must_end(accepted)),
            Some("json") => self.json = true,
            Some(_) if self.json => {
                return wrong("--json is written into a file whose name ends in .json");
            }
            Some(ending) => self.csv = ending == "csv",
            None => return wrong(&must_end(accepted)),
        }
        self.answer_file = Some((file.to_owned(), Mutex::default()));
        Ok(())
    }

    /// Returns the writer for answers: standard output, or the buffer of the file that takes them.
    pub fn out(&self) -> Box<dyn Write + '_> {
        match &self.answer_file {
            Some((_, answer)) => Box::new(Answer(answer)),
            None => Box::new(std::io::stdout().lock()),
        }
    }

    /// Writes the file that the answer goes into, if there is one, and tells its name.
    pub fn finish_answer(&self) -> Result<(), CommandError> {
        let Some((file, answer)) = &self.answer_file else { return Ok(()) };
        let answer = answer.lock().unwrap_or_else(PoisonError::into_inner);
        write_file(file, &answer[..])?;
        writeln!(std::io::stdout(), "in {}", file.display())?;
        Ok(())
    }

    /// Listens for Ctrl-C and a request to terminate: the first one asks the work to end and to
    /// tell what it has, the second ends the program at once. So does the first after
    /// [`STOP_TIME`], where the work is in a step that does not look whether it should end.
    pub fn listen(&self) {
        let watch = self.watch.clone();
        let asked = move || {
            if watch.stop.swap(true, Ordering::Relaxed) {
                exit(INTERRUPTED.into());
            }
            let watch = watch.clone();
            let waiting = std::thread::Builder::new().spawn(move || {
                std::thread::sleep(STOP_TIME);
                if watch.stop.load(Ordering::Relaxed) {
                    eprintln!("interrupted: the work did not end within {} s", STOP_TIME.as_secs());
                    exit(INTERRUPTED.into());
                }
            });
            if waiting.is_err() {
                eprintln!(
                    "no room for a thread: a second Ctrl-C ends work that does not end by itself"
                );
            }
        };
        if let Err(error) = ctrlc::set_handler(asked) {
            eprintln!("Ctrl-C will end the work without a word: {error}");
        }
    }

    /// Returns a budget limited by the command's deadline and by Ctrl-C only.
    pub fn budget(&self) -> Budget {
        Budget { deadline: self.deadline, watch: Some(self.watch.clone()), ..Budget::default() }
    }

    /// Returns the same budget with a clock that starts now: for one answer in a conversation.
    pub fn budget_anew(&self) -> Budget {
        Budget { deadline: self.seconds.map(Deadline::after), ..self.budget() }
    }

    /// Runs work that looks at no clock, beside a thread that sets `stop` when the time is up or
    /// the user asks.
    #[cfg(feature = "database")]
    pub fn stopping<T>(&self, work: impl FnOnce(&Arc<Watch>) -> T) -> T {
        let stop = Arc::new(Watch::default());
        let (done, wait) = channel::<()>();
        std::thread::scope(|scope| {
            let stop = &stop;
            scope.spawn(move || {
                while wait.recv_timeout(CLOCK_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    if self.budget().interrupted().is_some() {
                        stop.stop.store(true, Ordering::Relaxed);
                    }
                }
            });
            let result = work(stop);
            drop(done);
            result
        })
    }

    /// Theorems that are known: what comes with the program, and what was proved here before.
    /// With `BOUTON_THEOREMS=off` nothing is kept.
    pub fn theorems(&self) -> Theorems {
        let shipped = bouton_literature::theorems();
        match cache() {
            Some(directory) => shipped.with_cache(directory),
            None => shipped,
        }
    }

    /// Returns whether the user asked to stop.
    pub fn interrupted(&self) -> bool {
        self.watch.stop.load(Ordering::Relaxed)
    }

    /// Ends the program if the work has not ended by itself a while after its deadline, in the
    /// verdict "unknown".
    ///
    /// Work looks at the clock now and then; this is for the steps in which it cannot, as reading a
    /// large file or building one automaton.
    pub fn end_late_work(&self) {
        let Some(deadline) = self.deadline else { return };
        let json = self.json;
        // On a busy machine a step takes longer; what was found before is worth a second.
        let grace = deadline.limit().mul_f64(0.08).saturating_add(Duration::from_secs(1));
        let late = std::thread::Builder::new().spawn(move || {
            std::thread::sleep(deadline.left().saturating_add(grace));
            let spent = LimitReached::Time(deadline.limit());
            eprintln!("unknown ({spent})");
            if json {
                let value = bouton_report::to_json(&BrokenOff::new(None, spent));
                let _ = past_the_lock(format!("{value}\n").as_bytes());
            }
            exit(1);
        });
        if late.is_err() {
            eprintln!(
                "no room for a thread: work that does not look at the clock will not be ended"
            );
        }
    }
}

/// Returns whether standard output is a terminal on which colours are wanted: NO_COLOR=1 in the
/// environment turns them off.
pub fn shows_colours() -> bool {
    let off = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let plain = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    !off && !plain && std::io::stdout().is_terminal()
}

/// Returns the user's directory of theorems: BOUTON_THEOREMS, or `bouton/theorems` in the directory
/// for caches.
fn cache() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    match set("BOUTON_THEOREMS") {
        Some(off) if off == "off" => None,
        Some(directory) => Some(directory.into()),
        None => {
            let home = || set("HOME").map(|home| PathBuf::from(home).join(".cache"));
            let caches = set("XDG_CACHE_HOME").or_else(|| set("LOCALAPPDATA")).map(PathBuf::from);
            Some(caches.or_else(home)?.join("bouton").join("theorems"))
        }
    }
}

/// Seconds as a span of time.
fn span(seconds: f64) -> Result<Duration, CommandError> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        CommandError::Usage(format!(
            "--seconds: {seconds} is not a number of seconds; accepted: 0.5, 60"
        ))
    })
}

/// Writes to standard output though the work that is to be ended may hold its lock.
#[cfg(unix)]
fn past_the_lock(text: &[u8]) -> std::io::Result<()> {
    use std::os::fd::AsFd;
    std::fs::File::from(std::io::stdout().as_fd().try_clone_to_owned()?).write_all(text)
}

/// Writes to standard output though the work that is to be ended may hold its lock.
#[cfg(windows)]
fn past_the_lock(text: &[u8]) -> std::io::Result<()> {
    use std::os::windows::io::AsHandle;
    std::fs::File::from(std::io::stdout().as_handle().try_clone_to_owned()?).write_all(text)
}
