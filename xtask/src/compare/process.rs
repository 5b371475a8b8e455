//! A program run to its end or cut, and its costs.

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};

/// The costs of a process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// The processor time, of the program and of the system for it.
    pub seconds: f64,
    pub kibibytes: f64,
}

/// The result of a run.
pub struct Run {
    pub cost: Cost,
    pub text: String,
    /// Whether the run was cut because its time was exhausted.
    pub is_cut: bool,
}

/// The task that runs a program for [`run`], which describes its arguments.
pub const MEASURE: &str = "measure";

/// More seconds than any run takes.
const NO_LIMIT: u64 = 1 << 24;

/// Runs a program to its end.
pub fn run(command: &Command) -> Result<(Cost, String), String> {
    let run = run_within(command, NO_LIMIT)?;
    Ok((run.cost, run.text))
}

/// Runs a program for at most `seconds` processor seconds, by a new process of this program. The
/// system reports at least the memory of the parent process, which must therefore be small.
pub fn run_within(command: &Command, seconds: u64) -> Result<Run, String> {
    let this =
        std::env::current_exe().map_err(|error| format!("where this program is: {error}"))?;
    let mut outer = Command::new(this);
    outer.arg(MEASURE).arg(seconds.to_string()).arg(command.get_program()).args(command.get_args());
    let output =
        outer.output().map_err(|error| format!("{outer:?} could not be started: {error}"))?;
    let command_text = String::from_utf8_lossy(&output.stderr);
    let (cost, is_cut) =
        read(&command_text).ok_or_else(|| format!("{command:?}: {command_text}"))?;
    let text = String::from_utf8(output.stdout).map_err(|error| format!("{command:?}: {error}"))?;
    Ok(Run { cost, text, is_cut })
}

/// Prints the line of [`measure`].
fn written(cost: Cost, is_cut: bool) -> String {
    format!("{} {} {is_cut}", cost.seconds, cost.kibibytes)
}

fn read(text: &str) -> Option<(Cost, bool)> {
    let mut words = text.split_whitespace();
    let mut number = || words.next()?.parse().ok();
    let cost = Cost { seconds: number()?, kibibytes: number()? };
    Some((cost, words.next()?.parse().ok()?))
}

/// Runs a program with the same output, and prints its costs to the error output.
pub fn measure() -> Result<(), String> {
    let mut arguments = std::env::args().skip(2);
    let seconds =
        arguments.next().and_then(|seconds| seconds.parse().ok()).ok_or("how many seconds?")?;
    let mut command = Command::new(arguments.next().ok_or("which program?")?);
    let (cost, is_cut) = measured(command.args(arguments), seconds)?;
    eprint!("{}", written(cost, is_cut));
    Ok(())
}

/// Returns the costs of a program, and whether it was cut.
fn measured(command: &mut Command, seconds: u64) -> Result<(Cost, bool), String> {
    let command_text = format!("{command:?}");
    let limit = libc::rlimit { rlim_cur: seconds, rlim_max: seconds + 1 };
    let set = move || {
        // SAFETY: the pointer is to our own limit; the call may be made between fork and exec.
        match unsafe { libc::setrlimit(libc::RLIMIT_CPU, &raw const limit) } {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        }
    };
    // SAFETY: the closure makes one system call and allocates nothing.
    let child = unsafe { command.stdin(Stdio::null()).stderr(Stdio::null()).pre_exec(set) }.spawn();
    let child = child.map_err(|error| format!("{command_text} could not be started: {error}"))?;
    let mut status = 0;
    // SAFETY: all zeros are a valid value of this structure of numbers, and both pointers are to
    // our own values.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        if libc::wait4(child.id().cast_signed(), &raw mut status, 0, &raw mut usage) < 0 {
            return Err(format!("{command_text} cannot be waited for"));
        }
        usage
    };
    let status = ExitStatus::from_raw(status);
    let is_cut = status.signal() == Some(libc::SIGXCPU);
    if status.code().is_none() && !is_cut {
        return Err(format!("{command_text} was stopped"));
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

    /// A program that never ends is cut; one that ends is not, whatever it prints.
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
