//! A fuzzer without tools: kept inputs, changed at random from a seed, given to a target for some time.
//!
//! It knows no coverage. What it can do is to try, in every run of the tests and at full speed, the neighbourhood of all
//! that fuzzing with libFuzzer found worth keeping.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;

/// Longest input.
const MAX_BYTES: usize = 16_384;
/// Most changes of one input.
const MAX_CHANGES: usize = 5;
/// What a slip puts in the place of a byte, besides the byte with another bit.
const SLIPS: [&[u8]; 19] = [
    b"",
    b"{",
    b"}",
    b"[",
    b"]",
    b"(",
    b"\"",
    b",",
    b";",
    b":",
    b".",
    b"0",
    b"\\",
    b"/",
    b"\0",
    b"\x01",
    b"\n",
    b"\x80",
    "\u{e9}".as_bytes(),
];

/// What was done with one target.
#[derive(Debug)]
pub struct Run {
    /// How many inputs were given to it.
    pub executions: u64,
    /// The first one that broke a rule.
    pub finding: Option<Vec<u8>>,
}

/// Panics so far, also those that the code itself makes an answer of.
static PANICS: AtomicU64 = AtomicU64::new(0);

fn count_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            PANICS.fetch_add(1, Ordering::Relaxed);
            usual(panic);
        }));
    });
}

/// Whether an input breaks a rule of a target, or panics anywhere.
pub fn breaks(target: fn(&[u8]), input: &[u8]) -> bool {
    count_panics();
    let before = PANICS.load(Ordering::Relaxed);
    catch_unwind(AssertUnwindSafe(|| target(input))).is_err() || PANICS.load(Ordering::Relaxed) != before
}

/// Gives all of `kept` to a target, and `full` with every slip, then changed ones until `time` is over. Which ones follows
/// from the seed.
pub fn run(
    target: fn(&[u8]),
    kept: &[Vec<u8>],
    full: &[Vec<u8>],
    dictionary: &[Vec<u8>],
    seed: u64,
    time: Duration,
) -> Run {
    let mut executions = 0;
    let mut is_finding = |input: &Vec<u8>| {
        executions += 1;
        breaks(target, input)
    };
    let always = kept.iter().cloned().chain(full.iter().flat_map(|input| slips(input)));
    let mut finding = always.into_iter().find(&mut is_finding);
    let end = Instant::now() + time;
    let mut random = Rng::with_seed(seed);
    while finding.is_none() && Instant::now() < end {
        finding = Some(changed(kept, dictionary, &mut random)).filter(&mut is_finding);
    }
    Run { executions, finding }
}

/// An input with one slip of the keyboard: a byte is another or missing, the end is, a quoted word is another one.
fn slips(input: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let with = |at: usize, slip: &[u8]| [&input[..at], slip, &input[at + 1..]].concat();
    // A third of the slips at a place, so that all of them are somewhere.
    let others = move |at: usize| SLIPS.into_iter().skip(at % 3).step_by(3).map(move |slip| with(at, slip));
    let bits = move |at: usize| [1, 8].map(|bit| with(at, &[input[at] ^ bit]));
    let bytes = (0..input.len()).flat_map(move |at| others(at).chain(bits(at)));
    let ends = (0..input.len()).map(|at| input[..at].to_vec());
    bytes.chain(ends).chain(swapped_words(input))
}

/// An input with each of its quoted words in the place of each other.
fn swapped_words(input: &[u8]) -> Vec<Vec<u8>> {
    let parts: Vec<&[u8]> = input.split(|byte| *byte == b'"').collect();
    let words: BTreeSet<&[u8]> = parts.iter().copied().skip(1).step_by(2).collect();
    let mut swapped = Vec::new();
    for at in (1..parts.len()).step_by(2) {
        for word in words.iter().filter(|word| **word != parts[at]) {
            let mut parts = parts.clone();
            parts[at] = word;
            swapped.push(parts.join(&b'"'));
        }
    }
    swapped
}

/// One of the kept inputs with some changes.
fn changed(kept: &[Vec<u8>], dictionary: &[Vec<u8>], random: &mut Rng) -> Vec<u8> {
    let mut input = pick(kept, random).to_vec();
    for _ in 0..random.usize(1..=MAX_CHANGES) {
        change(&mut input, kept, dictionary, random);
    }
    input.truncate(MAX_BYTES);
    input
}

fn pick<'a>(from: &'a [Vec<u8>], random: &mut Rng) -> &'a [u8] {
    if from.is_empty() { &[] } else { &from[random.usize(..from.len())] }
}

fn change(input: &mut Vec<u8>, kept: &[Vec<u8>], dictionary: &[Vec<u8>], random: &mut Rng) {
    let at = random.usize(..=input.len());
    let length = random.usize(..64);
    let end = input.len().min(at + length);
    match random.u8(..8) {
        0 if at < input.len() => input[at] ^= 1 << random.u8(..8),
        1 if at < input.len() => input[at] = random.u8(..),
        2 => drop(input.splice(at..at, [random.u8(..)])),
        3 => drop(input.drain(at..end)),
        4 => {
            let copy = input[at..end].to_vec();
            let to = random.usize(..=input.len());
            drop(input.splice(to..to, copy));
        }
        5 => {
            let other = pick(kept, random);
            let from = random.usize(..=other.len());
            let to = random.usize(from..=other.len().min(from + 256));
            drop(input.splice(at..end, other[from..to].iter().copied()));
        }
        _ => drop(input.splice(at..end, pick(dictionary, random).iter().copied())),
    }
}

/// The words of a dictionary in libFuzzer's format: a word in quotation marks a line, with `\xNN`, `\"` and `\\`.
pub fn words(text: &str) -> Vec<Vec<u8>> {
    let quoted = |line: &str| line.split_once('"')?.1.rsplit_once('"').map(|(word, _)| unescaped(word));
    text.lines().filter(|line| !line.trim_start().starts_with('#')).filter_map(quoted).collect()
}

fn unescaped(word: &str) -> Vec<u8> {
    let bytes = word.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex = word.get(at + 2..at + 4).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (byte, bytes.get(at + 1), hex) {
            (b'\\', Some(b'x'), Some(value)) => {
                out.push(value);
                at += 4;
            }
            (b'\\', Some(&next), _) => {
                out.push(next);
                at += 2;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaks_at_a_pair(input: &[u8]) {
        assert!(!input.windows(2).any(|pair| pair == b"ab"));
    }

    #[test]
    fn a_broken_rule_is_found_and_found_again() {
        let kept = [b"aaaa".to_vec(), b"cccc".to_vec()];
        let find = |seed| run(breaks_at_a_pair, &kept, &[], &words("w=\"\\x62\""), seed, Duration::from_mins(1));
        let [first, again] = [find(3), find(3)];
        assert!(first.finding.as_ref().is_some_and(|input| input.windows(2).any(|pair| pair == b"ab")));
        assert_eq!((first.executions, first.finding), (again.executions, again.finding));
    }

    #[test]
    fn every_slip_is_tried() {
        let slipped: Vec<Vec<u8>> = slips(b"\"a\"b\"cd\"").collect();
        for expected in [&b"\"cd\"b\"cd\""[..], b"\"a\"b\"a\"", b"\"a\"b\"c", b"\"a\"\"cd\"", b"\"`\"b\"cd\"", b""] {
            assert!(slipped.iter().any(|input| input == expected), "{expected:?}");
        }
        let found = run(breaks_at_a_pair, &[], &[b"\"a\"\"b\"b".to_vec()], &[], 1, Duration::ZERO).finding;
        assert_eq!(found.as_deref(), None);
        let found = run(breaks_at_a_pair, &[], &[b"ac".to_vec(), b"a;b".to_vec()], &[], 1, Duration::ZERO).finding;
        assert_eq!(found.as_deref(), Some(&b"ab"[..]));
    }

    #[test]
    fn dictionaries_are_read() {
        assert_eq!(words("# \"no\"\na=\"x\\x1ey\"\n\"\\\"\\\\\"\n"), [b"x\x1ey".to_vec(), b"\"\\".to_vec()]);
    }
}
