//! Command lines and what they mean.

use super::*;

fn serve(arguments: &[&str]) -> Result<ServeArguments, clap::Error> {
    let line = ["registrar", "serve"].iter().chain(arguments).map(std::ffi::OsString::from);
    checked(line, |_| None).map(|Arguments::Serve(arguments)| arguments)
}

fn table(name: &str, endpoint: Option<&str>, region: Option<&str>, create: bool) -> Place {
    Place::Table { name: name.into(), endpoint: endpoint.map(Into::into), region: region.map(Into::into), create }
}

#[test]
fn the_definition_is_sound() {
    Cli::command().debug_assert();
}

#[test]
fn places() {
    for (arguments, expected) in [
        (vec![], Place::Folder("registrar-data".into())),
        (vec!["--data", "a/b"], Place::Folder("a/b".into())),
        (vec!["--in-memory"], Place::Memory),
        (vec!["--table", "t"], table("t", None, None, false)),
        (
            vec!["--table", "t", "--endpoint", "http://x", "--region", "r", "--create-table"],
            table("t", Some("http://x"), Some("r"), true),
        ),
        (vec!["--data", "", "--table", "t"], table("t", None, None, false)),
    ] {
        assert_eq!(serve(&arguments).unwrap().place, expected, "{arguments:?}");
    }
}

#[test]
fn bad_command_lines_exit_with_2() {
    for arguments in [
        vec!["--data", "a", "--in-memory"],
        vec!["--data", "a", "--table", "t"],
        vec!["--in-memory", "--table", "t"],
        vec!["--endpoint", "http://x"],
        vec!["--create-table"],
        vec!["--in-memory", "--region", "r"],
        vec!["--table"],
        vec!["--listen", "nowhere"],
        vec!["--listen", ":8081"],
        vec!["--listen", "127.0.0.1:99999"],
        vec!["--base-path", "registry"],
        vec!["--no-such-flag"],
        vec!["stray"],
    ] {
        assert_eq!(serve(&arguments).unwrap_err().exit_code(), 2, "{arguments:?}");
    }
    assert_eq!(checked(["registrar".into()], |_| None).unwrap_err().exit_code(), 2);
}

#[test]
fn addresses_and_base_paths() {
    assert_eq!(serve(&[]).unwrap().listen, "127.0.0.1:8081");
    assert_eq!(serve(&["--listen", "[::1]:0"]).unwrap().listen, "[::1]:0");
    assert_eq!(serve(&["--base-path", "/a/"]).unwrap().settings.http.base_path, "/a");
    assert_eq!(serve(&["--key-file", "a/b"]).unwrap().key_file, Some("a/b".into()));
    assert_eq!(serve(&["--key-file", ""]).unwrap().key_file, None);
}

#[test]
fn bad_settings_are_bad_arguments() {
    let line = ["registrar", "serve"].map(std::ffi::OsString::from);
    let error = checked(line, |name| (name == "REGISTRAR_GZIP").then(|| "maybe".to_owned())).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("REGISTRAR_GZIP=\"maybe\" is not true or false"), "{error}");
}

#[test]
fn help_names_every_flag_and_setting() {
    let error = serve(&["--help"]).unwrap_err();
    assert_eq!(error.exit_code(), 0);
    let help = error.to_string();
    for flag in [
        "--listen",
        "--data",
        "--in-memory",
        "--table",
        "--endpoint",
        "--region",
        "--create-table",
        "--base-path",
        "--key-file",
    ] {
        assert!(help.contains(flag), "{flag}");
    }
    for name in ["LISTEN", "DATA", "IN_MEMORY", "TABLE", "ENDPOINT", "REGION", "BASE_PATH", "KEY_FILE"] {
        assert!(help.contains(&format!("REGISTRAR_{name}")), "{name}");
    }
    assert!(VARIABLES.iter().all(|variable| help.contains(variable.name)));
}
