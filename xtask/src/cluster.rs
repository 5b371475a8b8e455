//! A sweep on a real Slurm: a cluster of one node, started for the occasion in a folder of its own, and stopped afterwards.

use crate::python::{Build, Environment};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What Slurm needs, and the packages of Debian that have it.
const PROGRAMS: [&str; 6] = ["munged", "slurmctld", "slurmd", "sbatch", "scancel", "sinfo"];
const PACKAGES: [&str; 2] = ["slurm-wlm", "munge"];
/// Ports of a cluster that is nobody else's.
const PORTS: [u16; 2] = [16817, 16818];
/// How long a daemon may take to come up, or to go.
const PATIENCE: Duration = Duration::from_secs(60);

/// Installs what is missing, starts it, runs the sweep, stops it.
pub fn run(root: &Path) -> Result<(), String> {
    if !PROGRAMS.iter().all(|program| there(program)) {
        let install = [&["install", "-q", "-y", "--no-install-recommends"], &PACKAGES[..]].concat();
        let _ = crate::run("apt-get", &["update", "-q"]).and_then(|()| crate::run("apt-get", &install));
    }
    if let Some(missing) = PROGRAMS.iter().find(|program| !there(program)) {
        return Err(format!(
            "there is no {missing}, and it could not be installed (Debian's {})",
            PACKAGES.join(", ")
        ));
    }
    let environment = Environment::new(root)?;
    if !environment.has_dask() {
        return Err("Dask could not be installed".into());
    }
    environment.install(Build::Module)?;
    let slurm = Slurm::start()?;
    let script = root.join("crates/faces/python/tests/slurm.py");
    let ran = environment.script(&script, &[("SLURM_CONF", slurm.file("slurm.conf"))]);
    drop(slurm);
    ran
}

/// A Slurm of one node.
struct Slurm {
    folder: PathBuf,
}

impl Slurm {
    fn start() -> Result<Slurm, String> {
        let folder = std::env::temp_dir().join(format!("bouton-slurm-{}", std::process::id()));
        let slurm = Slurm { folder };
        for name in ["munge", "state", "spool"] {
            let path = slurm.file(name);
            fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        let conf = slurm.file("slurm.conf");
        fs::write(&conf, slurm.configuration()?).map_err(|error| format!("{}: {error}", conf.display()))?;
        slurm.munge()?;
        for daemon in ["slurmctld", "slurmd"] {
            let mut start = Command::new(program(daemon));
            start.arg("-f").arg(&conf);
            quietly(&mut start)?;
        }
        let ready = || {
            let told = Command::new("sinfo").args(["-h", "-o", "%T"]).env("SLURM_CONF", &conf).output();
            told.is_ok_and(|told| String::from_utf8_lossy(&told.stdout).trim() == "idle")
        };
        slurm.wait("the node is idle", ready)?;
        Ok(slurm)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A key of its own, so that the machine's is not touched. As root the daemon is the user's who is there for it.
    fn munge(&self) -> Result<(), String> {
        let key = self.file("munge/key");
        let mut random = vec![0u8; 1024];
        fs::File::open("/dev/urandom")
            .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut random))
            .and_then(|()| fs::write(&key, random))
            .map_err(|error| format!("{}: {error}", key.display()))?;
        quietly(Command::new("chmod").arg("600").arg(&key))?;
        let root = user()? == "root";
        if root {
            quietly(Command::new("chown").args(["-R", "munge:munge"]).arg(self.file("munge")))?;
        }
        let mut start = Command::new(if root { "runuser" } else { "munged" });
        if root {
            start.args(["-u", "munge", "--"]).arg(program("munged"));
        }
        let named = |option: &str, name: &str| format!("--{option}={}", self.file(name).display());
        start.args([
            named("socket", "munge/socket"),
            named("key-file", "munge/key"),
            named("pid-file", "munge/pid"),
            named("log-file", "munge/log"),
            named("seed-file", "munge/seed"),
            "--num-threads=1".into(),
            "--force".into(),
        ]);
        quietly(&mut start)?;
        self.wait("munge listens", || self.file("munge/socket").exists())
    }

    fn configuration(&self) -> Result<String, String> {
        let name =
            Command::new("hostname").arg("-s").output().map_err(|error| format!("hostname: {error}"))?;
        let host = String::from_utf8_lossy(&name.stdout).trim().to_owned();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let told = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let kilobytes = told.lines().find_map(|line| line.strip_prefix("MemTotal:"));
        let kilobytes = kilobytes.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
        let (megabytes, user, [controller, node]) = (kilobytes.unwrap_or(4 << 20) / 1280, user()?, PORTS);
        let at = |name: &str| self.file(name).display().to_string();
        Ok(format!(
            "ClusterName=bouton\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser={user}\nSlurmdUser={user}\n\
             SlurmctldPort={controller}\nSlurmdPort={node}\nAuthType=auth/munge\nAuthInfo=socket={}\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nJobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
             ReturnToService=2\nMailProg=/bin/true\nSlurmdParameters=config_overrides\n\
             StateSaveLocation={}\nSlurmdSpoolDir={}\nSlurmctldLogFile={}\nSlurmdLogFile={}\n\
             SlurmctldPidFile={}\nSlurmdPidFile={}\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={megabytes} State=UNKNOWN\n\
             PartitionName=work Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
            at("munge/socket"),
            at("state"),
            at("spool"),
            at("slurmctld.log"),
            at("slurmd.log"),
            at("slurmctld.pid"),
            at("slurmd.pid"),
        ))
    }

    fn wait(&self, what: &str, ready: impl Fn() -> bool) -> Result<(), String> {
        let started = Instant::now();
        while !ready() {
            if started.elapsed() > PATIENCE {
                let logs = ["munge/log", "slurmctld.log", "slurmd.log"].map(|name| {
                    let text = fs::read_to_string(self.file(name)).unwrap_or_default();
                    text.lines().rev().take(5).collect::<Vec<_>>().join("\n")
                });
                return Err(format!(
                    "waited in vain until {what}; the last lines of the logs:\n{}",
                    logs.join("\n")
                ));
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(())
    }
}

impl Drop for Slurm {
    /// Stops the three daemons, each by its own file.
    fn drop(&mut self) {
        for name in ["slurmd.pid", "slurmctld.pid", "munge/pid"] {
            let Ok(pid) = fs::read_to_string(self.file(name)) else { continue };
            let pid = pid.trim().to_owned();
            let _ = Command::new("kill").arg(&pid).stderr(Stdio::null()).status();
            let alive = || Path::new("/proc").join(&pid).exists();
            let _ = self.wait("a daemon ends", || !alive());
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn user() -> Result<String, String> {
    let told = Command::new("id").arg("-un").output().map_err(|error| format!("id: {error}"))?;
    Ok(String::from_utf8_lossy(&told.stdout).trim().to_owned())
}

/// Daemons are in places where not everybody looks.
fn program(name: &str) -> PathBuf {
    let places = ["/usr/sbin", "/usr/local/sbin", "/sbin"].map(|place| Path::new(place).join(name));
    places.into_iter().find(|path| path.exists()).unwrap_or_else(|| name.into())
}

fn there(name: &str) -> bool {
    program(name).is_absolute() || Command::new("which").arg(name).output().is_ok_and(|o| o.status.success())
}

fn quietly(command: &mut Command) -> Result<(), String> {
    let done =
        command.output().map_err(|error| format!("{}: {error}", command.get_program().to_string_lossy()))?;
    if done.status.success() {
        return Ok(());
    }
    let told = String::from_utf8_lossy(&done.stderr).trim().to_owned();
    Err(format!("{} ended with {}: {told}", command.get_program().to_string_lossy(), done.status))
}
