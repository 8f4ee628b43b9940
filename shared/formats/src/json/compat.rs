//! Whether a new schema can read what an old one wrote (json-diff-rules.md §1).
//!
//! Pairs of nodes are compared once and remembered. A pair that is met again while it is compared counts as compatible;
//! if that turns out wrong, everything is compared again with what is known to be incompatible, until nothing new is
//! found: the greatest fixed point. A pair whose children are not known yet is put back until they are, so that depth
//! costs no stack.

use std::collections::{HashMap, HashSet};

use registrar_model::Policy;

use super::changes;
use super::findings::{Entry, Findings, Graphs, List, Outcome, Pair, Step};
use super::model::{Criterion, Graph, Kind, Node, NodeId};
use super::pattern::Pattern;
use super::{arrays, combined, objects, scalars};
use crate::Difference;
use crate::budget::{Budget, Exceeded};

/// How many pairs of schemas one comparison remembers at most, over all rounds: a bound on memory.
pub const MAX_PAIRS: usize = 400_000;

/// What a pair costs that is compared and remembered.
const PAIR_STEPS: usize = 4;

/// What looking for a match of a regular expression counts in any case, and how many of its steps count as one more.
const PATTERN_COST: (usize, usize) = (4, 2);

/// Which differences are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Those that keep the reader from reading
    Incompatible,
    All,
}

/// The differences from `original` to `update`.
///
/// # Errors
/// [`Exceeded`] if that takes too much.
pub(super) fn compare(
    original: &Graph,
    update: &Graph,
    policy: Policy,
    wanted: Wanted,
    budget: &mut Budget,
) -> Result<Vec<Difference>, Exceeded> {
    let root = Pair { original: original.follow(original.root), update: update.follow(update.root), swapped: false };
    let mut checker = Checker {
        graphs: Graphs { original, update },
        policy,
        wanted,
        memo: HashMap::new(),
        failing: HashMap::new(),
        assumed: HashSet::new(),
        needs: Vec::new(),
        findings: Findings::default(),
        patterns: HashMap::new(),
        pairs: 0,
        budget,
        exceeded: None,
    };
    loop {
        let Some(outcome) = checker.run(root) else {
            return Err(checker.exceeded.unwrap_or(Exceeded::Pairs(MAX_PAIRS)));
        };
        if checker.assumptions_hold() {
            return Ok(checker.findings.flatten(outcome.list));
        }
        checker.next_round();
    }
}

enum Memo {
    Open,
    Done(Outcome),
}

/// A pair that is being compared.
struct Open {
    pair: Pair,
    /// Pairs to compare before it is looked at again.
    waiting_for: Vec<Pair>,
    /// How many branches have been tried.
    tried: usize,
}

pub(super) struct Checker<'a> {
    pub(super) graphs: Graphs<'a>,
    policy: Policy,
    wanted: Wanted,
    memo: HashMap<Pair, Memo>,
    /// Pairs that the round before found incompatible, with what it found.
    failing: HashMap<Pair, Outcome>,
    /// Pairs that were taken for compatible while they were being compared.
    assumed: HashSet<Pair>,
    /// Pairs that the pair being looked at needs and that are not known.
    needs: Vec<Pair>,
    findings: Findings<'a>,
    /// Regular expressions by their text; none for what cannot be read.
    patterns: HashMap<&'a str, Option<Pattern>>,
    pairs: usize,
    budget: &'a mut Budget,
    /// Why the check is to be given up.
    exceeded: Option<Exceeded>,
}

/// What is found about one pair.
pub(super) struct Report<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) compatible: bool,
    policy: Policy,
    wanted: Wanted,
}

impl<'a> Report<'a> {
    pub(super) fn add(&mut self, kind: &'static str, step: Step<'a>) {
        let incompatible = changes::is_incompatible(kind, self.policy);
        self.compatible &= !incompatible;
        if incompatible || self.wanted == Wanted::All {
            self.entries.push(Entry::Found(kind, step));
        }
    }

    /// Takes in what another pair gave.
    pub(super) fn include(&mut self, outcome: Outcome, step: Step<'a>) {
        self.compatible &= outcome.compatible;
        if outcome.list != List::NONE {
            self.entries.push(Entry::Below(outcome.list, step));
        }
    }
}

impl<'a> Checker<'a> {
    /// Compares a pair and all it needs; none if that takes too much.
    fn run(&mut self, root: Pair) -> Option<Outcome> {
        let mut stack = vec![self.open(root)?];
        while let Some(open) = stack.last_mut() {
            if let Some(next) = open.waiting_for.pop() {
                if !self.memo.contains_key(&next) {
                    let next = self.open(next)?;
                    stack.push(next);
                }
                continue;
            }
            let (pair, mut tried) = (open.pair, open.tried);
            let report = self.look_at(pair, &mut tried);
            open.tried = tried;
            if self.is_exhausted() {
                return None;
            }
            if !self.needs.is_empty() {
                open.waiting_for = std::mem::take(&mut self.needs);
                open.waiting_for.reverse();
                continue;
            }
            let outcome = Outcome { compatible: report.compatible, list: self.findings.keep(report.entries) };
            self.memo.insert(pair, Memo::Done(outcome));
            stack.pop();
        }
        match self.memo.get(&root) {
            Some(Memo::Done(outcome)) => Some(*outcome),
            _ => None,
        }
    }

    fn open(&mut self, pair: Pair) -> Option<Open> {
        self.pairs += 1;
        self.spend(PAIR_STEPS);
        self.memo.insert(pair, Memo::Open);
        (self.pairs <= MAX_PAIRS && !self.is_exhausted()).then(|| Open { pair, waiting_for: Vec::new(), tried: 0 })
    }

    fn assumptions_hold(&self) -> bool {
        !self.assumed.iter().any(|pair| self.has_failed(pair))
    }

    fn has_failed(&self, pair: &Pair) -> bool {
        matches!(self.memo.get(pair), Some(Memo::Done(outcome)) if !outcome.compatible)
    }

    fn next_round(&mut self) {
        self.assumed.clear();
        self.failing.extend(self.memo.drain().filter_map(|(pair, memo)| match memo {
            Memo::Done(outcome) if !outcome.compatible => Some((pair, outcome)),
            _ => None,
        }));
    }

    /// What comparing two nodes gives; none, and noted as needed, if that is not known yet.
    pub(super) fn ask(&mut self, original: NodeId, update: NodeId, swapped: bool) -> Option<Outcome> {
        self.spend(1);
        let (left, right) = self.graphs.sides(swapped);
        let pair = Pair { original: left.follow(original), update: right.follow(update), swapped };
        match self.memo.get(&pair) {
            Some(Memo::Done(outcome)) => Some(*outcome),
            Some(Memo::Open) => Some(self.failing.get(&pair).copied().unwrap_or_else(|| {
                self.assumed.insert(pair);
                Outcome { list: List::NONE, compatible: true }
            })),
            None => {
                self.needs.push(pair);
                None
            }
        }
    }

    /// Compares schemas of which either may be missing.
    pub(super) fn ask_about(
        &mut self,
        original: Option<NodeId>,
        update: Option<NodeId>,
        swapped: bool,
        step: Step<'a>,
        report: &mut Report<'a>,
    ) {
        match (original, update) {
            (None, None) => {}
            (None, Some(_)) => report.add("SCHEMA_ADDED", step),
            (Some(_), None) => report.add("SCHEMA_REMOVED", step),
            (Some(original), Some(update)) => self.include(original, update, swapped, step, report),
        }
    }

    /// Takes the differences of two schemas in, once they are known.
    pub(super) fn include(
        &mut self,
        original: NodeId,
        update: NodeId,
        swapped: bool,
        step: Step<'a>,
        report: &mut Report<'a>,
    ) {
        if let Some(outcome) = self.ask(original, update, swapped) {
            report.include(outcome, step);
        }
    }

    /// Whether the regular expression `text` matches within `name`.
    pub(super) fn finds(&mut self, text: &'a str, name: &str) -> bool {
        if self.is_exhausted() {
            return false;
        }
        let pattern = self.patterns.entry(text).or_insert_with(|| Pattern::compile(text).ok());
        let (found, steps) = pattern.as_ref().map_or((false, 0), |pattern| pattern.finds(name));
        self.spend(PATTERN_COST.0 + steps / PATTERN_COST.1);
        found
    }

    /// Whether the pair being looked at has to wait for others.
    pub(super) fn needs_more(&self) -> bool {
        !self.needs.is_empty()
    }

    /// Whether the check is to be given up.
    pub(super) fn is_exhausted(&self) -> bool {
        self.exceeded.is_some() || self.needs.len() > MAX_PAIRS
    }

    fn spend(&mut self, steps: usize) {
        if let Err(what) = self.budget.spend(steps) {
            self.exceeded.get_or_insert(what);
        }
    }

    fn look_at(&mut self, pair: Pair, tried: &mut usize) -> Report<'a> {
        let mut report = Report { entries: Vec::new(), compatible: true, policy: self.policy, wanted: self.wanted };
        if self.try_branches(pair, tried, &mut report) || !self.needs.is_empty() {
            return report;
        }
        let (left, right) = self.graphs.sides(pair.swapped);
        let (original, update) = (left.node(pair.original), right.node(pair.update));
        if !original.kind.is_like(&update.kind) {
            let harmless = matches!(original.kind, Kind::False) || matches!(update.kind, Kind::Empty | Kind::True);
            let both_bytes = is_bytes(left, pair.original) && is_bytes(right, pair.update);
            if !harmless && !both_bytes {
                report.add("TYPE_CHANGED", Step::Here);
            }
            return report;
        }
        self.spend(original.kind.size() + update.kind.size());
        if self.is_exhausted() {
            return report;
        }
        compare_notes(original, update, &mut report);
        match (&original.kind, &update.kind) {
            (Kind::String(old), Kind::String(new)) => scalars::compare_strings(old, new, &mut report),
            (Kind::Number(old), Kind::Number(new)) => scalars::compare_numbers(old, new, &mut report),
            (Kind::Enum(old), Kind::Enum(new)) => scalars::compare_enums(old, new, &mut report),
            (Kind::Const(old), Kind::Const(new)) if old != new => {
                report.add("ENUM_ARRAY_CHANGED", Step::Word("const"));
            }
            (Kind::Not(old), Kind::Not(new)) => {
                if let Some(outcome) = self.ask(*new, *old, !pair.swapped) {
                    let kind = if outcome.compatible { "NOT_TYPE_NARROWED" } else { "NOT_TYPE_EXTENDED" };
                    report.add(kind, Step::Word("not"));
                }
            }
            (Kind::Object(old), Kind::Object(new)) => objects::compare(self, old, new, pair.swapped, &mut report),
            (Kind::Array(old), Kind::Array(new)) => arrays::compare(self, old, new, pair.swapped, &mut report),
            (Kind::Combined(old), Kind::Combined(new)) => {
                combined::compare(self, old, new, pair.swapped, &mut report);
            }
            _ => {}
        }
        report
    }

    /// A schema against one with branches: true if a branch decides.
    fn try_branches(&mut self, pair: Pair, tried: &mut usize, report: &mut Report<'a>) -> bool {
        let (left, right) = self.graphs.sides(pair.swapped);
        let (branches, decides, kind, of_update) = match (left.kind(pair.original), right.kind(pair.update)) {
            (Kind::Combined(_), Kind::Combined(_)) => return false,
            (_, Kind::Combined(new)) => (&new.branches, new.criterion != Criterion::All, "SUM_TYPE_EXTENDED", true),
            (Kind::Combined(old), _) => {
                (&old.branches, old.criterion == Criterion::All, "PRODUCT_TYPE_NARROWED", false)
            }
            _ => return false,
        };
        if branches.len() != 1 && !decides {
            return false;
        }
        while let Some(branch) = branches.get(*tried) {
            let (original, update) = if of_update { (pair.original, *branch) } else { (*branch, pair.update) };
            let Some(outcome) = self.ask(original, update, pair.swapped) else {
                return false;
            };
            if outcome.compatible {
                report.include(outcome, Step::Here);
                if branches.len() != 1 {
                    report.add(kind, Step::Here);
                }
                return true;
            }
            *tried += 1;
        }
        false
    }
}

/// What Kafka Connect writes for decimals and the like.
fn is_bytes(graph: &Graph, id: NodeId) -> bool {
    graph.raw(id, "connect.type").and_then(crate::json_text::Value::as_str) == Some("bytes")
}

fn compare_notes(original: &Node, update: &Node, report: &mut Report<'_>) {
    let (old, new) = (original.notes(), update.notes());
    if old.id != new.id {
        report.add("ID_CHANGED", Step::Here);
    }
    if old.title != new.title {
        report.add("TITLE_CHANGED", Step::Here);
    }
    if old.description != new.description {
        report.add("DESCRIPTION_CHANGED", Step::Here);
    }
    let same = match (&old.default, &new.default) {
        (Some(old), Some(new)) => old == new && !old.is_container,
        // The reference takes null for equal to nothing, but not the other way round.
        (Some(old), None) => old.text == "null",
        (old, new) => old.is_none() && new.is_none(),
    };
    if !same {
        report.add("DEFAULT_CHANGED", Step::Here);
    }
}
