//! The steps a regular expression is matched by.

use super::ast::{Assert, Fold, Look, Node, Repeat};
use super::class::{Properties, Set};
use super::{matcher, parser};

/// Looking a character up in so many sets counts as a step.
const SETS_PER_STEP: usize = 8;

/// A regular expression ready to be matched.
#[derive(Debug)]
pub(in super::super) struct Pattern {
    pub(super) blocks: Vec<Vec<Step>>,
    pub(super) slots: usize,
}

#[derive(Debug)]
pub(super) enum Step {
    Char(char, Fold),
    /// A set, and how many steps looking a character up counts
    Set(Set, usize),
    Assert(Assert),
    /// Goes on at the first place, and at the second if that fails.
    Split(usize, usize),
    Jump(usize),
    /// Notes where the text is.
    Save(usize),
    Back(usize, Fold),
    /// Sets a counter to zero.
    Clear(usize),
    /// Goes into the body once more, or on to what follows.
    Loop(Box<Loop>),
    /// Counts a round of a loop and notes where it begins.
    Enter {
        counter: usize,
        mark: usize,
    },
    /// Matches the block from here, or back from here, without moving on.
    Look {
        block: usize,
        negative: bool,
        behind: Option<(usize, usize)>,
    },
    /// Matches the block once and for all.
    Atomic(usize),
    Done,
}

#[derive(Debug)]
pub(super) struct Loop {
    pub(super) counter: usize,
    /// Where the round before began.
    pub(super) mark: usize,
    pub(super) min: usize,
    pub(super) max: usize,
    pub(super) greedy: bool,
    pub(super) body: usize,
    pub(super) after: usize,
}

impl Pattern {
    /// Reads a regular expression.
    pub(in super::super) fn compile(text: &str) -> Result<Self, String> {
        let node = parser::parse(text)?;
        let mut compiler = Compiler { blocks: Vec::new(), slots: 0, known: Properties::new() };
        compiler.slots = 2 * (groups(&node) + 1);
        compiler.block(&node);
        Ok(Self { blocks: compiler.blocks, slots: compiler.slots })
    }

    /// Whether there is a match anywhere in `text`, and how many steps it took to find out.
    pub(in super::super) fn finds(&self, text: &str) -> (bool, usize) {
        matcher::find(self, text)
    }
}

/// The greatest number of a group.
fn groups(node: &Node) -> usize {
    match node {
        Node::Group(inner, number) => (*number).max(groups(inner)),
        Node::Atomic(inner) => groups(inner),
        Node::Repeat(repeat) => groups(&repeat.node),
        Node::Look(look) => groups(&look.node),
        Node::Sequence(parts) | Node::Either(parts) => parts.iter().map(groups).max().unwrap_or(0),
        _ => 0,
    }
}

struct Compiler {
    blocks: Vec<Vec<Step>>,
    slots: usize,
    known: Properties,
}

impl Compiler {
    /// Adds a block for `node`; the first one is the whole.
    fn block(&mut self, node: &Node) -> usize {
        let number = self.blocks.len();
        self.blocks.push(Vec::new());
        let mut steps = Vec::new();
        self.add(node, &mut steps);
        steps.push(Step::Done);
        self.blocks[number] = steps;
        number
    }

    fn add(&mut self, node: &Node, steps: &mut Vec<Step>) {
        match node {
            Node::Nothing => {}
            Node::Char(c, fold) => steps.push(Step::Char(*c, *fold)),
            Node::Set(set) => {
                let (set, size) = set.clone().resolved(&mut self.known);
                steps.push(Step::Set(set, size / SETS_PER_STEP));
            }
            Node::Assert(assert) => steps.push(Step::Assert(*assert)),
            Node::Sequence(parts) => parts.iter().for_each(|part| self.add(part, steps)),
            Node::Either(parts) => self.either(parts, steps),
            Node::Group(inner, number) => {
                steps.push(Step::Save(2 * number));
                self.add(inner, steps);
                steps.push(Step::Save(2 * number + 1));
            }
            Node::Repeat(repeat) => self.repeat(repeat, steps),
            Node::Look(look) => {
                let Look { node, negative, behind } = &**look;
                let block = self.block(node);
                steps.push(Step::Look { block, negative: *negative, behind: *behind });
            }
            Node::Atomic(inner) => {
                let block = self.block(inner);
                steps.push(Step::Atomic(block));
            }
            Node::Back(number, fold) => steps.push(Step::Back(*number, *fold)),
        }
    }

    fn either(&mut self, parts: &[Node], steps: &mut Vec<Step>) {
        let mut ends = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let split = steps.len();
            if index + 1 < parts.len() {
                steps.push(Step::Split(split + 1, 0));
            }
            self.add(part, steps);
            if index + 1 < parts.len() {
                ends.push(steps.len());
                steps.push(Step::Jump(0));
                steps[split] = Step::Split(split + 1, steps.len());
            }
        }
        let end = steps.len();
        for jump in ends {
            steps[jump] = Step::Jump(end);
        }
    }

    fn repeat(&mut self, repeat: &Repeat, steps: &mut Vec<Step>) {
        let (counter, mark) = (self.slots, self.slots + 1);
        self.slots += 2;
        steps.push(Step::Clear(counter));
        let start = steps.len();
        steps.push(Step::Done);
        steps.push(Step::Enter { counter, mark });
        self.add(&repeat.node, steps);
        steps.push(Step::Jump(start));
        let limit = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
        steps[start] = Step::Loop(Box::new(Loop {
            counter,
            mark,
            min: limit(repeat.min),
            max: repeat.max.map_or(usize::MAX, limit),
            greedy: repeat.greedy,
            body: start + 1,
            after: steps.len(),
        }));
    }
}
