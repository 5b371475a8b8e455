//! A program run to its end, or cut short, and what it took.

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};

/// What a process took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Of a processor, in the program and for it.
    pub seconds: f64,
    pub kibibytes: f64,
}

/// What came of a run.
pub struct Run {
    pub cost: Cost,
    pub text: String,
    /// Whether it was ended because its seconds were up.
    pub is_cut: bool,
}

/// The chore that runs a program for [`run`]: what its arguments are for is said there.
pub const MEASURE: &str = "measure";

/// Seconds that no run takes.
const NO_LIMIT: u64 = 1 << 24;

/// Runs a program to its end.
pub fn run(command: &Command) -> Result<(Cost, String), String> {
    let run = run_within(command, NO_LIMIT)?;
    Ok((run.cost, run.text))
}

/// Runs a program for so many processor seconds at most: by this program, started anew. The system says of a process that it
/// had at least the memory of the one that started it, which therefore must be a small one.
pub fn run_within(command: &Command, seconds: u64) -> Result<Run, String> {
    let this = std::env::current_exe().map_err(|error| format!("where this program is: {error}"))?;
    let mut outer = Command::new(this);
    outer.arg(MEASURE).arg(seconds.to_string()).arg(command.get_program()).args(command.get_args());
    let output = outer.output().map_err(|error| format!("{outer:?} could not be started: {error}"))?;
    let told = String::from_utf8_lossy(&output.stderr);
    let (cost, is_cut) = read(&told).ok_or_else(|| format!("{command:?}: {told}"))?;
    let text = String::from_utf8(output.stdout).map_err(|error| format!("{command:?}: {error}"))?;
    Ok(Run { cost, text, is_cut })
}

/// What [`measure`] writes.
fn written(cost: Cost, is_cut: bool) -> String {
    format!("{} {} {is_cut}", cost.seconds, cost.kibibytes)
}

fn read(text: &str) -> Option<(Cost, bool)> {
    let mut words = text.split_whitespace();
    let mut number = || words.next()?.parse().ok();
    let cost = Cost { seconds: number()?, kibibytes: number()? };
    Some((cost, words.next()?.parse().ok()?))
}

/// Runs a program, whose output goes where ours does, and writes what it took where errors go.
pub fn measure() -> Result<(), String> {
    let mut arguments = std::env::args().skip(2);
    let seconds = arguments.next().and_then(|seconds| seconds.parse().ok()).ok_or("how many seconds?")?;
    let mut command = Command::new(arguments.next().ok_or("which program?")?);
    let (cost, is_cut) = measured(command.args(arguments), seconds)?;
    eprint!("{}", written(cost, is_cut));
    Ok(())
}

/// What a program takes, and whether it was cut.
fn measured(command: &mut Command, seconds: u64) -> Result<(Cost, bool), String> {
    let told = format!("{command:?}");
    let limit = libc::rlimit { rlim_cur: seconds, rlim_max: seconds + 1 };
    let set = move || {
        // SAFETY: the pointer is to our own limit; the call may be made between fork and exec.
        match unsafe { libc::setrlimit(libc::RLIMIT_CPU, &raw const limit) } {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        }
    };
    // SAFETY: it makes one call to the system and allocates nothing.
    let child = unsafe { command.stdin(Stdio::null()).stderr(Stdio::null()).pre_exec(set) }.spawn();
    let child = child.map_err(|error| format!("{told} could not be started: {error}"))?;
    let mut status = 0;
    // SAFETY: all zeros are a value of this structure of numbers, and both pointers are to our own.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        if libc::wait4(child.id().cast_signed(), &raw mut status, 0, &raw mut usage) < 0 {
            return Err(format!("{told} cannot be waited for"));
        }
        usage
    };
    let status = ExitStatus::from_raw(status);
    let is_cut = status.signal() == Some(libc::SIGXCPU);
    if status.code().is_none() && !is_cut {
        return Err(format!("{told} was stopped"));
    }
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let cost = Cost {
        seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        kibibytes: usage.ru_maxrss as f64,
    };
    Ok((cost, is_cut))
}

pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let half = numbers.len() / 2;
    match numbers.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => numbers[half],
        _ => (numbers[half - 1] + numbers[half]) / 2.0,
    }
}

pub fn medians(costs: &[Cost]) -> Cost {
    Cost {
        seconds: median(costs.iter().map(|cost| cost.seconds).collect()),
        kibibytes: median(costs.iter().map(|cost| cost.kibibytes).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0]), 2.5);
        assert!(median(Vec::new()).is_nan());
    }

    /// What would never end is cut; what ends is not, whatever it says of itself.
    #[test]
    fn runs_are_cut() {
        let shell = |script: &str| measured(Command::new("sh").args(["-c", script]), 1);
        let (cost, is_cut) = shell("while :; do :; done").unwrap();
        assert!(is_cut && cost.seconds > 0.5 && cost.kibibytes > 0.0);
        assert_eq!(read(&written(cost, is_cut)), Some((cost, is_cut)));
        assert!(!shell("exit 3").unwrap().1);
        assert!(shell("kill -9 $$").is_err());
        assert_eq!(read("`sh` was stopped"), None);
    }
}
