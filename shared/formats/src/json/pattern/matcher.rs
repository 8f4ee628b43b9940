//! Matching with a stack of its own and a limited number of steps.

use super::MAX_STEPS;
use super::ast::{Assert, Fold};
use super::class::{Named, Set, other_cases};
use super::program::{Loop, Pattern, Step};

/// What stands in a slot that has not been set.
const UNSET: usize = usize::MAX;

/// Copying this many slots counts as a step.
const COPIED_PER_STEP: usize = 16;

/// Whether there is a match anywhere, and in how many steps that was found out.
pub(super) fn find(pattern: &Pattern, text: &str) -> (bool, usize) {
    let text: Vec<char> = text.chars().collect();
    let mut matcher = Matcher { pattern, text: &text, slots: vec![UNSET; pattern.slots], steps: 0 };
    for start in 0..=text.len() {
        matcher.slots.fill(UNSET);
        matcher.steps += matcher.slots.len() / COPIED_PER_STEP;
        if matcher.run(0, start, None).is_some() {
            return (true, matcher.steps);
        }
        if matcher.steps >= MAX_STEPS {
            break;
        }
    }
    (false, matcher.steps)
}

/// What to go back to.
enum Choice {
    /// Another way on: a step and a place in the text
    Way(usize, usize),
    /// A slot and what stood in it
    Slot(usize, usize),
}

struct Matcher<'a> {
    pattern: &'a Pattern,
    text: &'a [char],
    slots: Vec<usize>,
    steps: usize,
}

impl Matcher<'_> {
    /// Matches a block from a place in the text, up to `end` if that is given, and returns where the match ends.
    fn run(&mut self, block: usize, start: usize, end: Option<usize>) -> Option<usize> {
        let pattern = self.pattern;
        let steps = pattern.blocks.get(block)?;
        let mut choices: Vec<Choice> = Vec::new();
        let (mut at, mut place) = (0, start);
        loop {
            self.steps += 1;
            if self.steps >= MAX_STEPS {
                return None;
            }
            let next = match &steps[at] {
                Step::Done if end.is_none_or(|end| end == place) => return Some(place),
                Step::Done => None,
                Step::Jump(to) => Some((*to, place)),
                Step::Split(first, second) => {
                    choices.push(Choice::Way(*second, place));
                    Some((*first, place))
                }
                Step::Save(slot) => {
                    self.set(*slot, place, &mut choices);
                    Some((at + 1, place))
                }
                Step::Clear(slot) => {
                    self.set(*slot, 0, &mut choices);
                    Some((at + 1, place))
                }
                Step::Enter { counter, mark } => {
                    self.set(*counter, self.slots[*counter] + 1, &mut choices);
                    self.set(*mark, place, &mut choices);
                    Some((at + 1, place))
                }
                Step::Loop(around) => Some((self.next_round(around, place, &mut choices), place)),
                Step::Look { block, negative, behind } => {
                    let found = self.look(*block, place, *behind, &mut choices, *negative);
                    (found != *negative).then_some((at + 1, place))
                }
                Step::Atomic(block) => {
                    let before = self.copy_slots();
                    let end = self.run(*block, place, None);
                    self.keep_undo(&before, &mut choices);
                    end.map(|end| (at + 1, end))
                }
                Step::Char(c, fold) => {
                    self.text.get(place).filter(|other| same(*c, **other, *fold)).map(|_| (at + 1, place + 1))
                }
                Step::Set(set, cost) => {
                    self.steps += cost;
                    self.text.get(place).filter(|c| set.contains(**c)).map(|_| (at + 1, place + 1))
                }
                Step::Assert(assert) => self.holds(*assert, place).then_some((at + 1, place)),
                Step::Back(group, fold) => self.repeats(*group, *fold, place).map(|end| (at + 1, end)),
            };
            (at, place) = match next {
                Some(next) => next,
                None => self.go_back(&mut choices)?,
            };
        }
    }

    fn set(&mut self, slot: usize, value: usize, choices: &mut Vec<Choice>) {
        choices.push(Choice::Slot(slot, self.slots[slot]));
        self.slots[slot] = value;
    }

    /// Takes back what was set since the last choice, and returns the other way on.
    fn go_back(&mut self, choices: &mut Vec<Choice>) -> Option<(usize, usize)> {
        loop {
            match choices.pop()? {
                Choice::Way(at, place) => return Some((at, place)),
                Choice::Slot(slot, value) => self.slots[slot] = value,
            }
        }
    }

    fn copy_slots(&mut self) -> Vec<usize> {
        self.steps += self.slots.len() / COPIED_PER_STEP;
        self.slots.clone()
    }

    /// Whether to go into the body of a loop or on.
    fn next_round(&self, around: &Loop, place: usize, choices: &mut Vec<Choice>) -> usize {
        let count = self.slots[around.counter];
        // A round that matched nothing is the last.
        let idle = count > around.min && self.slots[around.mark] == place;
        if count >= around.max || idle {
            return around.after;
        }
        if count < around.min {
            return around.body;
        }
        let (first, second) = if around.greedy { (around.body, around.after) } else { (around.after, around.body) };
        choices.push(Choice::Way(second, place));
        first
    }

    fn look(
        &mut self,
        block: usize,
        place: usize,
        behind: Option<(usize, usize)>,
        choices: &mut Vec<Choice>,
        negative: bool,
    ) -> bool {
        let before = self.copy_slots();
        let found = match behind {
            None => self.run(block, place, None).is_some(),
            Some((min, max)) => {
                (min..=max.min(place)).any(|length| self.run(block, place - length, Some(place)).is_some())
            }
        };
        if negative || !found {
            self.slots = before;
        } else {
            self.keep_undo(&before, choices);
        }
        found
    }

    /// Makes what changed since `before` something to go back on.
    fn keep_undo(&self, before: &[usize], choices: &mut Vec<Choice>) {
        for (slot, (old, new)) in before.iter().zip(&self.slots).enumerate() {
            if old != new {
                choices.push(Choice::Slot(slot, *old));
            }
        }
    }

    fn repeats(&self, group: usize, fold: Fold, place: usize) -> Option<usize> {
        let start = *self.slots.get(2 * group)?;
        let end = *self.slots.get(2 * group + 1)?;
        let captured = self.text.get(start..end)?;
        let here = self.text.get(place..place + captured.len())?;
        captured.iter().zip(here).all(|(left, right)| same(*left, *right, fold)).then_some(place + captured.len())
    }

    fn holds(&self, assert: Assert, place: usize) -> bool {
        let length = self.text.len();
        let terminator = |c: &char| Set::Named(Named::Terminator).contains(*c);
        let before = place.checked_sub(1).and_then(|index| self.text.get(index));
        let here = self.text.get(place);
        let in_line_break = before == Some(&'\r') && here == Some(&'\n');
        match assert {
            Assert::Start => place == 0,
            Assert::End => place == length,
            Assert::LineStart => place == 0 || (place < length && before.is_some_and(terminator) && !in_line_break),
            Assert::LineEnd => place == length || (here.is_some_and(terminator) && !in_line_break),
            Assert::LastLineEnd => {
                let line_break = &self.text[place.min(length)..];
                let ends = matches!(line_break, []) || matches!(line_break, [c] if terminator(c));
                (ends && !in_line_break) || line_break == ['\r', '\n']
            }
            Assert::WordBoundary => is_word(before) != is_word(here),
            Assert::NoWordBoundary => is_word(before) == is_word(here),
        }
    }
}

fn is_word(c: Option<&char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || *c == '_')
}

fn same(left: char, right: char, fold: Fold) -> bool {
    left == right || other_cases(left, fold).contains(&right)
}
