//! The program `registrar serve`, its data on disk or in a table elsewhere, over TCP.

use super::http1::exchange;
use super::{EntryPoint, Session};
use crate::Result;
use crate::case::{Environment, Restart};
use crate::exchange::{Reply, Request};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The program with its data on disk, a process for each case.
#[derive(Debug)]
pub struct Serve {
    binary: PathBuf,
    /// Folders of data are made in here.
    work: PathBuf,
    cases: AtomicUsize,
}

/// The program over another DynamoDB, a process and a region for each case.
#[derive(Debug)]
pub struct ServeTable {
    binary: PathBuf,
    /// They take turns.
    endpoints: Vec<String>,
    cases: AtomicUsize,
}

impl Serve {
    /// The program at `binary`.
    pub fn new(binary: &Path) -> Self {
        let work = std::env::temp_dir().join(format!("registrar-conformance-{}", std::process::id()));
        Self { binary: binary.to_owned(), work, cases: AtomicUsize::new(0) }
    }
}

impl Drop for Serve {
    fn drop(&mut self) {
        // A folder left behind in the place for temporary ones does no harm.
        let _ = std::fs::remove_dir_all(&self.work);
    }
}

impl EntryPoint for Serve {
    fn key(&self) -> &'static str {
        "serve"
    }

    fn name(&self) -> String {
        format!("registrar serve, data on disk ({})", self.binary.display())
    }

    fn open(&self, environment: &Environment) -> Result<Box<dyn Session>> {
        let folder = self.work.join(self.cases.fetch_add(1, Ordering::Relaxed).to_string());
        Ok(Box::new(Running::start(&self.binary, environment, Place::Folder(folder))?))
    }

    fn can_restart(&self) -> bool {
        true
    }
}

impl ServeTable {
    /// The program at `binary` over these endpoints, where every region is a database of its own.
    pub fn new(binary: &Path, endpoints: &str) -> Self {
        let endpoints = endpoints.split(',').map(str::to_owned).collect();
        Self { binary: binary.to_owned(), endpoints, cases: AtomicUsize::new(0) }
    }
}

impl EntryPoint for ServeTable {
    fn key(&self) -> &'static str {
        "table"
    }

    fn name(&self) -> String {
        format!("registrar serve over a table at {}", self.endpoints.join(" and "))
    }

    fn open(&self, environment: &Environment) -> Result<Box<dyn Session>> {
        let number = self.cases.fetch_add(1, Ordering::Relaxed);
        let endpoint = self.endpoints[number % self.endpoints.len()].clone();
        let place = Place::Table { endpoint, region: format!("case-{}-{number}", std::process::id()) };
        Ok(Box::new(Running::start(&self.binary, environment, place)?))
    }

    fn can_restart(&self) -> bool {
        true
    }
    fn tries_exceptions(&self) -> bool {
        true
    }
}

/// Where the data of a case are.
enum Place {
    Folder(PathBuf),
    Table { endpoint: String, region: String },
}

impl Place {
    fn tell(&self, command: &mut Command) {
        match self {
            Self::Folder(folder) => command.arg("--data").arg(folder),
            Self::Table { endpoint, region } => {
                command.envs([("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test")]);
                command.args(["--table", "registrar", "--create-table"]);
                command.args(["--endpoint", endpoint, "--region", region])
            }
        };
    }
}

struct Running {
    binary: PathBuf,
    environment: Environment,
    place: Place,
    process: Child,
    address: SocketAddr,
}

impl Session for Running {
    fn send(&mut self, request: &Request) -> Result<Reply> {
        exchange(self.address, request)
    }

    fn restart(&mut self, how: Restart) -> Result<()> {
        match how {
            Restart::Stop => self.stop()?,
            Restart::Kill => {
                self.process.kill().map_err(|error| error.to_string())?;
                self.process.wait().map_err(|error| error.to_string())?;
            }
        }
        (self.process, self.address) = start(&self.binary, &self.environment, &self.place)?;
        Ok(())
    }
}

impl Running {
    fn start(binary: &Path, environment: &Environment, place: Place) -> Result<Self> {
        let (process, address) = start(binary, environment, &place)?;
        Ok(Self { binary: binary.to_owned(), environment: environment.clone(), place, process, address })
    }

    /// SIGTERM, by the system's own program: the standard library only kills.
    fn stop(&mut self) -> Result<()> {
        let asked = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status();
        if !asked.is_ok_and(|status| status.success()) {
            return Err("SIGTERM could not be sent".to_owned());
        }
        let ended = self.process.wait().map_err(|error| error.to_string())?;
        if ended.success() { Ok(()) } else { Err(format!("the program ended with {ended}")) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself, and the folder may be gone: both are what is wanted.
        let _ = self.process.kill();
        let _ = self.process.wait();
        if let Place::Folder(folder) = &self.place {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Starts the program and waits for its ready line, which has the address.
fn start(binary: &Path, environment: &Environment, place: &Place) -> Result<(Child, SocketAddr)> {
    let mut command = Command::new(binary);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("REGISTRAR_")) {
        command.env_remove(name);
    }
    command.envs(environment);
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    place.tell(&mut command);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process = command.spawn().map_err(|error| format!("{}: {error}", binary.display()))?;
    match ready(&mut process) {
        Ok(address) => Ok((process, address)),
        Err(error) => {
            let _ = process.kill();
            let ended = process.wait().map_err(|error| error.to_string())?;
            Err(format!("{error}; the program ended with {ended}"))
        }
    }
}

fn ready(process: &mut Child) -> Result<SocketAddr> {
    let output = process.stdout.take().ok_or("no standard output")?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
    let after = line.split_once(" listening on http://").map(|(_, after)| after);
    let address = after.and_then(|after| after.split_once(", data ")).and_then(|(address, _)| address.parse().ok());
    address.ok_or_else(|| format!("no ready line, but {line:?}"))
}
