//! Turns: writers of one subject in one process go one after the other.
//!
//! Without them they would still be right, since every commit is conditioned on what was read, but most would commit in
//! vain and start again. Other processes know nothing of these turns, and need not. An operation takes one turn at most,
//! that of the subject which it was asked to write, before all else, so nobody waits in a circle.

use crate::Registry;
use crate::target::SettingTarget;
use registrar_model::Subject;
use registrar_store::{Race, StoreError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// First come, first served.
type Queue = Arc<tokio::sync::Mutex<()>>;

/// The queues of the subjects that somebody writes now, and of no others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns(Arc<Mutex<HashMap<Subject, Queue>>>);

/// A writer's place in the queue of its subject; dropped, it makes room for the next.
#[derive(Debug)]
pub(crate) struct Turn {
    turns: Turns,
    subject: Subject,
    /// Absent only while it is dropped.
    queue: Option<Queue>,
    held: Option<OwnedMutexGuard<()>>,
}

impl Turns {
    /// A place that waits for nothing yet.
    pub(crate) fn of(&self, subject: &Subject) -> Turn {
        let queue = self.with(|queues| Arc::clone(queues.entry(subject.clone()).or_default()));
        Turn { turns: self.clone(), subject: subject.clone(), queue: Some(queue), held: None }
    }

    /// Nothing panics in here, but a map that was left by a panic would still be right.
    fn with<T>(&self, work: impl FnOnce(&mut HashMap<Subject, Queue>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Turn {
    /// Whether it is this writer's turn, or can be without waiting.
    pub(crate) fn is_now(&mut self) -> bool {
        if self.held.is_none() {
            self.held = self.queue.clone().and_then(|queue| queue.try_lock_owned().ok());
        }
        self.held.is_some()
    }

    /// Waits for the turn as long as the operation may take.
    async fn wait(&mut self, race: &Race) -> Result<(), StoreError> {
        if !self.is_now()
            && let Some(queue) = self.queue.clone()
        {
            self.held = Some(race.within("wait for other writers of the subject", queue.lock_owned()).await?);
        }
        Ok(())
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let (held, queue) = (self.held.take(), self.queue.take());
        self.turns.with(|queues| {
            drop((held, queue));
            // The map's own is the last one: places are made and given up only in here.
            if queues.get(&self.subject).is_some_and(|queue| Arc::strong_count(queue) == 1) {
                queues.remove(&self.subject);
            }
        });
    }
}

impl Registry {
    /// The turn of a writer that does nothing else before it.
    pub(crate) async fn turn(&self, subject: &Subject, race: &Race) -> Result<Turn, StoreError> {
        let mut turn = self.turns.of(subject);
        self.wait_for(&mut turn, race).await?;
        Ok(turn)
    }

    /// Waits for a turn. Who has it may need the threads for long work, so they are left first.
    pub(crate) async fn wait_for(&self, turn: &mut Turn, race: &Race) -> Result<(), StoreError> {
        if !turn.is_now() {
            self.before_waiting().await;
        }
        turn.wait(race).await
    }

    /// The same for settings; those of a whole scope have none.
    pub(crate) async fn turn_at(&self, target: &SettingTarget, race: &Race) -> Result<Option<Turn>, StoreError> {
        match target {
            SettingTarget::Subject(subject) => self.turn(subject, race).await.map(Some),
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use registrar_store::Runtime;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn one_at_a_time_in_the_order_of_arrival_and_nothing_is_left() {
        let (turns, subject) = (Turns::default(), Subject::parse("s"));
        let (inside, served) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
        let mut first = turns.of(&subject);
        assert!(first.is_now());
        let mut waiting = Vec::new();
        for place in 0..50 {
            let (queue, inside, served) = (turns.of(&subject), Arc::clone(&inside), Arc::clone(&served));
            // Polled once, so that places are taken in this order.
            let mut lock = Box::pin(queue.queue.clone().unwrap().lock_owned());
            assert!((&mut lock).now_or_never().is_none());
            waiting.push(tokio::spawn(async move {
                let held = lock.await;
                assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                served.lock().unwrap().push(place);
                tokio::task::yield_now().await;
                inside.fetch_sub(1, Ordering::SeqCst);
                drop((held, queue));
            }));
        }
        assert!(!turns.of(&subject).is_now(), "who comes later does not go first");
        assert!(turns.of(&Subject::parse("t")).is_now(), "another subject is free");
        drop(first);
        for task in waiting {
            task.await.unwrap();
        }
        assert_eq!(*served.lock().unwrap(), (0..50).collect::<Vec<_>>());
        assert!(turns.with(|queues| queues.is_empty()));
    }

    #[tokio::test]
    async fn who_gives_up_leaves_no_place_behind() {
        let (turns, subject) = (Turns::default(), Subject::parse("s"));
        let mut first = turns.of(&subject);
        assert!(first.is_now());
        let mut second = turns.of(&subject);
        let race = Race::new(Runtime::system());
        {
            let mut wait = Box::pin(second.wait(&race));
            assert!((&mut wait).now_or_never().is_none());
        }
        drop(second);
        drop(first);
        assert!(turns.with(|queues| queues.is_empty()));
        assert!(turns.of(&subject).is_now());
    }
}
