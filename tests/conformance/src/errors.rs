//! Every text an error can have, and the case that shows it.
//!
//! `errors.tsv` has a line for each: the code, the text with `<placeholders>`, then the id of a case in which it is
//! answered, or `no case:` and why there is none. `tests/tidy` checks that no text of the server is missing there.

use crate::Result;
use registrar_http::ErrorCode;
use std::collections::BTreeSet;
use std::path::Path;

/// An error that a case was answered with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The case.
    pub case: String,
    /// `error_code`
    pub code: i64,
    /// `message`
    pub message: String,
}

/// The lines of `errors.tsv`.
#[derive(Debug)]
pub struct Texts(Vec<Row>);

#[derive(Debug)]
struct Row {
    line: usize,
    code: i64,
    text: String,
    shown: Shown,
}

#[derive(Debug)]
enum Shown {
    /// By this case.
    By(String),
    /// By none, for a reason.
    Nowhere,
}

impl Texts {
    /// Reads the file.
    pub fn load() -> Result<Self> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("errors.tsv");
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        lines.map(|(at, line)| Row::parse(at + 1, line)).collect::<Result<_>>().map(Self)
    }

    /// What does not fit between the file, the codes of the server and what was answered; one text each.
    pub fn problems(&self, seen: &[Seen]) -> Vec<String> {
        let mut problems = self.codes();
        for error in seen {
            if !self.0.iter().any(|text| text.fits(error)) {
                problems.push(format!("{}: no line has {} {:?}", error.case, error.code, error.message));
            }
        }
        problems.extend(self.0.iter().filter_map(|text| text.problem(seen)));
        problems.dedup();
        problems
    }

    /// Every code of the server has a line, and no other has.
    fn codes(&self) -> Vec<String> {
        let listed: BTreeSet<i64> = self.0.iter().map(|text| text.code).collect();
        let known: BTreeSet<i64> = ErrorCode::ALL.iter().map(|code| i64::from(code.number())).collect();
        let missing = known.difference(&listed).map(|code| format!("no line has the code {code}"));
        let strange = listed.difference(&known).map(|code| format!("there is no code {code}"));
        missing.chain(strange).collect()
    }

    /// How many texts there are, and how many of them no case shows.
    pub fn counts(&self) -> (usize, usize) {
        (self.0.len(), self.0.iter().filter(|text| matches!(text.shown, Shown::Nowhere)).count())
    }
}

impl Row {
    fn parse(line: usize, text: &str) -> Result<Self> {
        let columns: Vec<&str> = text.split('\t').collect();
        let [code, text, shown] = *columns else { return Err(format!("line {line}: not three columns")) };
        let code = code.parse().map_err(|_| format!("line {line}: no code"))?;
        let shown = match shown.strip_prefix("no case: ") {
            Some("") => return Err(format!("line {line}: no reason")),
            Some(_) => Shown::Nowhere,
            None => Shown::By(shown.to_owned()),
        };
        Ok(Self { line, code, text: text.to_owned(), shown })
    }

    fn fits(&self, error: &Seen) -> bool {
        self.code == error.code && fits(&self.text, &error.message)
    }

    fn problem(&self, seen: &[Seen]) -> Option<String> {
        let mut shows = seen.iter().filter(|error| self.fits(error));
        let Self { line, code, text, shown } = self;
        match shown {
            Shown::By(case) if !shows.any(|error| error.case == *case) => {
                Some(format!("line {line}: {case} does not show {code} {text:?}"))
            }
            Shown::Nowhere => {
                shows.next().map(|error| format!("line {line}: {} shows {code} {text:?}, so say that", error.case))
            }
            Shown::By(_) => None,
        }
    }
}

/// Whether a message is the text, with anything or nothing in each placeholder.
fn fits(text: &str, message: &str) -> bool {
    let mut parts = text.split('<').map(|part| part.split_once('>').map_or(part, |(_, after)| after)).peekable();
    let Some(mut rest) = parts.next().and_then(|first| message.strip_prefix(first)) else { return false };
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(case: &str, code: i64, message: &str) -> Seen {
        Seen { case: case.into(), code, message: message.into() }
    }

    #[test]
    fn placeholders_stand_for_anything() {
        for (text, message, expected) in [
            ("Empty schema", "Empty schema", true),
            ("Empty schema", "Empty schema.", false),
            ("Version <version> not found.", "Version 1 not found.", true),
            ("Version <version> not found.", "Version  not found.", true),
            ("Version <version> not found.", "Version 1 not found", false),
            ("<a> in <b>", "x in y in z", true),
            ("<a> in <b>", "x at y", false),
            ("{a=<a>}", "{a=ö}", true),
        ] {
            assert_eq!(fits(text, message), expected, "{text:?} and {message:?}");
        }
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let lines =
            "# code, text, case\n40401\tSubject '<s>' not found.\ta-1\n50001\tError while <doing>\tno case: healthy\n";
        let texts = Texts::parse(lines).unwrap();
        let told = |seen: &[Seen]| {
            let all = texts.problems(seen);
            all.into_iter().filter(|problem| !problem.starts_with("no line has the code ")).collect::<Vec<_>>()
        };
        let good = seen("a-1", 40401, "Subject 's' not found.");
        assert_eq!(told(std::slice::from_ref(&good)), [""; 0]);
        assert_eq!(told(&[]), ["line 2: a-1 does not show 40401 \"Subject '<s>' not found.\""]);
        let unknown = seen("b-1", 40401, "No such subject");
        assert_eq!(told(&[good.clone(), unknown]), ["b-1: no line has 40401 \"No such subject\""]);
        let shown = seen("c-1", 50001, "Error while dreaming");
        assert_eq!(told(&[good, shown]), ["line 3: c-1 shows 50001 \"Error while <doing>\", so say that"]);
        assert!(Texts::parse("1\ta").is_err() && Texts::parse("x\ta\tb").is_err());
        assert!(Texts::parse("1\ta\tno case: ").is_err());
    }
}
