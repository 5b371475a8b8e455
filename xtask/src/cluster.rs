//! A sweep on a real Slurm: a cluster of one node, started in its own folder and stopped
//! afterwards.

use crate::python::{Build, Environment};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The programs of Slurm, and the packages of Debian that contain them.
const PROGRAMS: [&str; 6] = ["munged", "slurmctld", "slurmd", "sbatch", "scancel", "sinfo"];
const PACKAGES: [&str; 2] = ["slurm-wlm", "munge"];
/// The ports of the cluster.
const PORTS: [u16; 2] = [16817, 16818];
/// The time that a daemon may take to start or to stop.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Installs missing programs, starts the cluster, runs the sweep and stops the cluster.
pub fn run(root: &Path) -> Result<(), String> {
    if !PROGRAMS.iter().all(|program| is_installed(program)) {
        let install = [&["install", "-q", "-y", "--no-install-recommends"], &PACKAGES[..]].concat();
        let _ =
            crate::run("apt-get", &["update", "-q"]).and_then(|()| crate::run("apt-get", &install));
    }
    if let Some(missing) = PROGRAMS.iter().find(|program| !is_installed(program)) {
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
        fs::write(&conf, slurm.configuration()?)
            .map_err(|error| format!("{}: {error}", conf.display()))?;
        slurm.munge()?;
        for daemon in ["slurmctld", "slurmd"] {
            let mut start = Command::new(program(daemon));
            start.arg("-f").arg(&conf);
            run_quietly(&mut start)?;
        }
        let ready = || {
            let output =
                Command::new("sinfo").args(["-h", "-o", "%T"]).env("SLURM_CONF", &conf).output();
            output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim() == "idle")
        };
        slurm.wait("the node is idle", ready)?;
        Ok(slurm)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Starts the daemon of Munge with a new key, so that the machine's key is untouched. As root
    /// the daemon runs as its own user.
    fn munge(&self) -> Result<(), String> {
        let key = self.file("munge/key");
        let mut random = vec![0u8; 1024];
        fs::File::open("/dev/urandom")
            .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut random))
            .and_then(|()| fs::write(&key, random))
            .map_err(|error| format!("{}: {error}", key.display()))?;
        run_quietly(Command::new("chmod").arg("600").arg(&key))?;
        let root = user()? == "root";
        if root {
            run_quietly(Command::new("chown").args(["-R", "munge:munge"]).arg(self.file("munge")))?;
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
        run_quietly(&mut start)?;
        self.wait("munge listens", || self.file("munge/socket").exists())
    }

    fn configuration(&self) -> Result<String, String> {
        let name = Command::new("hostname")
            .arg("-s")
            .output()
            .map_err(|error| format!("hostname: {error}"))?;
        let host = String::from_utf8_lossy(&name.stdout).trim().to_owned();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let output = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let kilobytes = output.lines().find_map(|line| line.strip_prefix("MemTotal:"));
        let kilobytes =
            kilobytes.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
        let (megabytes, user, [controller, node]) =
            (kilobytes.unwrap_or(4 << 20) / 1280, user()?, PORTS);
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
            if started.elapsed() > TIMEOUT {
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
    /// Stops the three daemons, each by its process id file.
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
    let output = Command::new("id").arg("-un").output().map_err(|error| format!("id: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Finds a program. Daemons lie in folders that may be missing from the search path.
fn program(name: &str) -> PathBuf {
    let places = ["/usr/sbin", "/usr/local/sbin", "/sbin"].map(|place| Path::new(place).join(name));
    places.into_iter().find(|path| path.exists()).unwrap_or_else(|| name.into())
}

fn is_installed(name: &str) -> bool {
    program(name).is_absolute()
        || Command::new("which").arg(name).output().is_ok_and(|o| o.status.success())
}

fn run_quietly(command: &mut Command) -> Result<(), String> {
    let done = command
        .output()
        .map_err(|error| format!("{}: {error}", command.get_program().to_string_lossy()))?;
    if done.status.success() {
        return Ok(());
    }
    let output = String::from_utf8_lossy(&done.stderr).trim().to_owned();
    Err(format!("{} ended with {}: {output}", command.get_program().to_string_lossy(), done.status))
}
