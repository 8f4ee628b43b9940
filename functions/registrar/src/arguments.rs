//! The command line.

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use registrar_http::{ServerSettings, VARIABLES};
use std::fmt::Write;
use std::path::PathBuf;

const DEFAULT_DATA: &str = "registrar-data";

/// A checked command line.
#[derive(Debug)]
pub(crate) enum Arguments {
    /// `registrar serve`
    Serve(ServeArguments),
}

/// What to serve and where.
#[derive(Debug)]
pub(crate) struct ServeArguments {
    /// Host and port.
    pub(crate) listen: String,
    /// Where the data is.
    pub(crate) place: Place,
    /// The file with the keys for sensitive metadata.
    pub(crate) key_file: Option<PathBuf>,
    /// All other settings.
    pub(crate) settings: ServerSettings,
}

/// Where the data is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// An embedded database in a folder.
    Folder(PathBuf),
    /// An embedded database in memory.
    Memory,
    /// A DynamoDB table.
    Table { name: String, endpoint: Option<String>, region: Option<String>, create: bool },
}

#[derive(Parser)]
#[command(name = "registrar", version, about = "A Confluent-compatible schema registry over one DynamoDB table")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the registry over HTTP
    #[command(after_help = variables())]
    Serve(Flags),
}

#[derive(Args)]
struct Flags {
    /// Address to listen on; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", env = "REGISTRAR_LISTEN", default_value = "127.0.0.1:8081", value_parser = address)]
    listen: String,
    /// Folder of the embedded database [default: ./registrar-data]
    #[arg(long, value_name = "DIR", env = "REGISTRAR_DATA", value_parser = text)]
    data: Option<String>,
    /// Keep the data in memory and lose it at the end
    #[arg(long, env = "REGISTRAR_IN_MEMORY", value_parser = flag)]
    in_memory: bool,
    /// Use this DynamoDB table, with the usual AWS credentials
    #[arg(long, value_name = "NAME", env = "REGISTRAR_TABLE", value_parser = text)]
    table: Option<String>,
    /// Endpoint of DynamoDB, if not that of the region; only with --table
    #[arg(long, value_name = "URL", env = "REGISTRAR_ENDPOINT", value_parser = text)]
    endpoint: Option<String>,
    /// Region of the table, if not that of the AWS configuration; only with --table
    #[arg(long, value_name = "REGION", env = "REGISTRAR_REGION", value_parser = text)]
    region: Option<String>,
    /// Create the table if it is missing; only with --table
    #[arg(long)]
    create_table: bool,
    /// Prefix in front of every path, such as /registry
    #[arg(long, value_name = "PATH", env = BASE_PATH, value_parser = text)]
    base_path: Option<String>,
    /// File with the keys that encrypt sensitive metadata: on each line a name and 32 bytes in base64; the first encrypts
    #[arg(long, value_name = "FILE", env = "REGISTRAR_KEY_FILE", value_parser = text)]
    key_file: Option<String>,
}

const BASE_PATH: &str = "REGISTRAR_BASE_PATH";

/// Reads the command line and the environment. Ends the process with status 2, or 0 for help and version.
pub(crate) fn parse() -> Arguments {
    let environment = |name: &str| std::env::var(name).ok();
    checked(std::env::args_os(), environment).unwrap_or_else(|error| error.exit())
}

fn checked(
    arguments: impl IntoIterator<Item = std::ffi::OsString>,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<Arguments, clap::Error> {
    let matches = Cli::command().try_get_matches_from(arguments)?;
    let Command::Serve(flags) = Cli::from_arg_matches(&matches)?.command;
    let mut settings = ServerSettings::from_environment(environment).map_err(|error| refuse(&error.to_string()))?;
    if let Some(base_path) = given(flags.base_path.as_ref()) {
        settings.set(BASE_PATH, base_path).map_err(|error| refuse(&error.to_string()))?;
    }
    let of_table = matches.subcommand_matches("serve").map(only_with_table).unwrap_or_default();
    let key_file = given(flags.key_file.as_ref()).map(PathBuf::from);
    let (listen, place) = (flags.listen.clone(), place(flags, &of_table)?);
    Ok(Arguments::Serve(ServeArguments { listen, place, key_file, settings }))
}

/// The flags on the command line that make sense with a table only. In the environment they may stand for other
/// programs, such as the functions.
fn only_with_table(matches: &ArgMatches) -> Vec<&'static str> {
    let flags = [("endpoint", "--endpoint"), ("region", "--region"), ("create_table", "--create-table")];
    let typed = |(id, _): &(&str, &str)| matches.value_source(id) == Some(ValueSource::CommandLine);
    flags.into_iter().filter(typed).map(|(_, flag)| flag).collect()
}

fn place(flags: Flags, of_table: &[&str]) -> Result<Place, clap::Error> {
    let data = given(flags.data.as_ref());
    match (data, flags.in_memory, given(flags.table.as_ref())) {
        (None, false, Some(name)) => Ok(Place::Table {
            name: name.to_owned(),
            endpoint: flags.endpoint.filter(|endpoint| !endpoint.is_empty()),
            region: flags.region.filter(|region| !region.is_empty()),
            create: flags.create_table,
        }),
        (_, _, None) if !of_table.is_empty() => Err(refuse(&format!("{} needs --table", of_table.join(", ")))),
        (data, false, None) => Ok(Place::Folder(PathBuf::from(data.unwrap_or(DEFAULT_DATA)))),
        (None, true, None) => Ok(Place::Memory),
        _ => Err(Cli::command().error(
            ErrorKind::ArgumentConflict,
            "--data, --in-memory and --table exclude each other (also as REGISTRAR_DATA, REGISTRAR_IN_MEMORY and \
             REGISTRAR_TABLE)",
        )),
    }
}

/// An empty value is none: environments are often filled from templates.
fn given(value: Option<&String>) -> Option<&str> {
    value.map(String::as_str).filter(|value| !value.is_empty())
}

fn refuse(message: &str) -> clap::Error {
    Cli::command().error(ErrorKind::InvalidValue, message)
}

fn address(value: &str) -> Result<String, String> {
    let port = value.rsplit_once(':').filter(|(host, _)| !host.is_empty()).map(|(_, port)| port);
    match port.map(str::parse::<u16>) {
        Some(Ok(_)) => Ok(value.to_owned()),
        _ => Err("not HOST:PORT".to_owned()),
    }
}

/// Any text, the empty one included: what it means is decided in `given`.
#[expect(clippy::unnecessary_wraps, reason = "the form of a value parser")]
fn text(value: &str) -> Result<String, String> {
    Ok(value.to_owned())
}

/// The value of `REGISTRAR_IN_MEMORY`.
fn flag(value: &str) -> Result<bool, String> {
    match value.trim().to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" | "" => Ok(false),
        _ => Err("not true or false".to_owned()),
    }
}

/// The part of the help about settings that have no flag.
fn variables() -> String {
    let mut help = "Further settings, from the environment:\n".to_owned();
    for variable in VARIABLES.iter().filter(|variable| variable.name != BASE_PATH) {
        // Writing to a string does not fail.
        let _ = writeln!(help, "  {}: {}", variable.name, variable.meaning);
    }
    help.push_str("  RUST_LOG: what is logged on stderr; default info\n");
    help
}

#[cfg(test)]
mod tests;
