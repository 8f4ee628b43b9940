//! The orders of calls that time allows.

use crate::drive::{Call, Event, Part};

/// What ended before another began comes first; what nobody was told of may be missing. Whoever answered first is tried
/// first. The schema of an association comes before the association, or by itself if the client died.
pub fn orders(events: &[Event]) -> Vec<Vec<Call>> {
    let mut by_end: Vec<&Event> = events.iter().collect();
    by_end.sort_by_key(|event| event.answered.as_ref().map_or(u64::MAX, |(ended, _)| *ended));
    let mut all = Vec::new();
    extend(&mut Vec::new(), &by_end, &mut all);
    all
}

fn extend(so_far: &mut Vec<Call>, left: &[&Event], all: &mut Vec<Vec<Call>>) {
    if left.iter().all(|event| event.answered.is_none()) {
        all.push(so_far.clone());
    }
    for (at, next) in left.iter().enumerate() {
        let must_wait = |other: &&Event| other.answered.as_ref().is_some_and(|(ended, _)| *ended < next.invoked);
        if left.iter().any(must_wait) || comes_too_late(next.call, so_far) {
            continue;
        }
        let rest: Vec<&Event> = left.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, e)| *e).collect();
        so_far.push(next.call);
        extend(so_far, &rest, all);
        so_far.pop();
    }
}

fn comes_too_late(call: Call, so_far: &[Call]) -> bool {
    call.part == Part::Schema && so_far.iter().any(|earlier| earlier.operation == call.operation)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(operation: usize, part: Part, invoked: u64, ended: Option<u64>) -> Event {
        let answered = ended.map(|ended| (ended, String::new()));
        Event { call: Call { operation, part }, invoked, answered }
    }

    fn whole(operation: usize, invoked: u64, ended: Option<u64>) -> Event {
        event(operation, Part::Whole, invoked, ended)
    }

    #[test]
    fn orders_obey_time() {
        for (events, expected) in [
            (vec![whole(0, 0, Some(1)), whole(1, 2, Some(3))], vec![vec![0, 1]]),
            (vec![whole(0, 0, Some(3)), whole(1, 1, Some(2))], vec![vec![1, 0], vec![0, 1]]),
            (vec![whole(0, 0, None), whole(1, 1, Some(2))], vec![vec![1], vec![1, 0], vec![0, 1]]),
            (vec![whole(0, 2, None), whole(1, 0, Some(1))], vec![vec![1], vec![1, 0]]),
        ] {
            let found: Vec<Vec<usize>> =
                orders(&events).into_iter().map(|order| order.iter().map(|call| call.operation).collect()).collect();
            assert_eq!(found, expected, "{events:?}");
        }
    }

    #[test]
    fn a_schema_comes_before_its_association_or_not_at_all() {
        let events = [event(0, Part::Schema, 0, None), whole(0, 1, Some(4)), whole(1, 2, Some(3))];
        let parts = |order: Vec<Call>| order.iter().map(|call| (call.operation, call.part)).collect::<Vec<_>>();
        let found: Vec<_> = orders(&events).into_iter().map(parts).collect();
        let (schema, first, second) = ((0, Part::Schema), (0, Part::Whole), (1, Part::Whole));
        let expected = [
            vec![second, first],
            vec![second, schema, first],
            vec![first, second],
            vec![schema, second, first],
            vec![schema, first, second],
        ];
        assert_eq!(found.len(), expected.len(), "{found:?}");
        assert!(expected.iter().all(|order| found.contains(order)), "{found:?}");
    }
}
