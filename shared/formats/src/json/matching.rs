//! The greatest number of pairs in which no partner occurs twice (Hopcroft and Karp).

use std::collections::VecDeque;

/// For each left place its right partner in a maximum matching; `edges` lists the right places that fit each left one.
pub(super) fn maximum(edges: &[Vec<usize>], right: usize) -> Vec<Option<usize>> {
    let mut of_left: Vec<Option<usize>> = vec![None; edges.len()];
    let mut of_right: Vec<Option<usize>> = vec![None; right];
    while let Some(mut levels) = levels(edges, &of_left, &of_right) {
        let mut next = vec![0; edges.len()];
        for start in 0..edges.len() {
            if of_left[start].is_none() {
                augment(start, edges, &mut levels, &mut next, &mut of_left, &mut of_right);
            }
        }
    }
    of_left
}

/// How many exchanges each left place is away from a free one; none if no free right place can be reached.
fn levels(edges: &[Vec<usize>], of_left: &[Option<usize>], of_right: &[Option<usize>]) -> Option<Vec<Option<usize>>> {
    let mut levels: Vec<Option<usize>> = of_left.iter().map(|partner| partner.is_none().then_some(0)).collect();
    let mut queue: VecDeque<usize> = (0..edges.len()).filter(|left| levels[*left].is_some()).collect();
    let mut reached = false;
    while let Some(left) = queue.pop_front() {
        let level = levels[left].unwrap_or(0);
        for place in &edges[left] {
            match of_right[*place] {
                None => reached = true,
                Some(other) if levels[other].is_none() => {
                    levels[other] = Some(level + 1);
                    queue.push_back(other);
                }
                Some(_) => {}
            }
        }
    }
    reached.then_some(levels)
}

/// Looks for a way from a free left place to a free right one and exchanges the partners along it.
fn augment(
    start: usize,
    edges: &[Vec<usize>],
    levels: &mut [Option<usize>],
    next: &mut [usize],
    of_left: &mut [Option<usize>],
    of_right: &mut [Option<usize>],
) {
    let mut path = vec![start];
    while let Some(left) = path.last().copied() {
        let Some(place) = edges[left].get(next[left]).copied() else {
            levels[left] = None;
            path.pop();
            if let Some(before) = path.last() {
                next[*before] += 1;
            }
            continue;
        };
        match of_right[place] {
            None => {
                for left in path.iter().rev() {
                    let place = edges[*left][next[*left]];
                    of_left[*left] = Some(place);
                    of_right[place] = Some(*left);
                }
                return;
            }
            Some(other) if levels[other].is_some() && levels[other] == levels[left].map(|level| level + 1) => {
                path.push(other);
            }
            Some(_) => next[left] += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(edges: &[&[usize]], right: usize) -> usize {
        let edges: Vec<Vec<usize>> = edges.iter().map(|list| list.to_vec()).collect();
        let matched = maximum(&edges, right);
        let partners: Vec<usize> = matched.iter().flatten().copied().collect();
        let mut once = partners.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), partners.len());
        assert!(matched.iter().zip(&edges).all(|(partner, list)| partner.is_none_or(|place| list.contains(&place))));
        partners.len()
    }

    #[test]
    fn sizes() {
        assert_eq!(size(&[], 0), 0);
        assert_eq!(size(&[&[], &[0]], 1), 1);
        // Taking the first that fits would leave the second without.
        assert_eq!(size(&[&[0, 1], &[0]], 2), 2);
        assert_eq!(size(&[&[0, 1], &[0, 2], &[0], &[1, 2, 3]], 4), 4);
        assert_eq!(size(&[&[0], &[0], &[0, 1]], 3), 2);
        let all: Vec<usize> = (0..50).collect();
        let rows: Vec<&[usize]> = (0..50).map(|row| &all[row..]).collect();
        assert_eq!(size(&rows, 50), 50);
    }
}
