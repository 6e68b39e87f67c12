//! Moves replacements below the replacements that make them necessary.
//!
//! ```text
//! -/+ aws_subnet.data        -/+ aws_subnet.data
//! -/+ aws_instance.app    =>     -/+ aws_instance.app       because `subnet_id` refers to the subnet
//! ~ aws_sqs_queue.jobs       ~ aws_sqs_queue.jobs
//! ```

use std::collections::HashMap;

use super::composed::Composed;
use crate::report::Level;

/// Moves each replacement below the one that causes it. `causes` has the address of the cause for each replacement.
///
/// Without recursion, and in linear time except for sorting, because chains of causes may be long.
pub(super) fn nest<'r, 'a>(
    all: Vec<Composed<'r, 'a>>,
    causes: &HashMap<&str, &str>,
) -> Vec<Composed<'r, 'a>> {
    let mut indices: HashMap<&str, usize> = HashMap::new();
    for (index, one) in all.iter().enumerate() {
        for entry in &one.group.entries {
            if entry.deposed.is_empty() {
                indices.insert(entry.address, index);
            }
        }
    }
    let parent_of = |one: &Composed<'_, '_>| {
        let cause = causes.get(one.group.entry.address)?;
        indices.get(cause).copied()
    };
    let mut parents: Vec<Option<usize>> = all
        .iter()
        .enumerate()
        .map(|(index, one)| parent_of(one).filter(|parent| *parent != index))
        .collect();
    // Critical entries stay where their findings put them.
    for (parent, one) in parents.iter_mut().zip(&all) {
        if one.gravest() == Level::Critical {
            *parent = None;
        }
    }
    break_circles(&mut parents);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); all.len()];
    for (index, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent].push(index);
        }
    }
    // A cause is as important as the most important entry that it causes. Each entry has at most one cause, so the walk
    // meets it once.
    let mut order: Vec<usize> = (0..all.len())
        .filter(|index| parents[*index].is_none())
        .collect();
    let mut next = 0;
    while let Some(index) = order.get(next).copied() {
        order.extend_from_slice(&children[index]);
        next += 1;
    }
    let mut best: Vec<usize> = (0..all.len()).collect();
    for index in order.into_iter().rev() {
        if let Some(parent) = parents[index] {
            best[parent] = best[parent].min(best[index]);
        }
    }
    let mut roots: Vec<usize> = (0..all.len())
        .filter(|index| parents[*index].is_none())
        .collect();
    roots.sort_by_key(|index| (best[*index], *index));
    let mut stack: Vec<(usize, usize)> = roots.into_iter().rev().map(|index| (index, 0)).collect();
    let mut slots: Vec<Option<Composed<'_, '_>>> = all.into_iter().map(Some).collect();
    let mut nested = Vec::with_capacity(slots.len());
    while let Some((index, depth)) = stack.pop() {
        if let Some(mut one) = slots[index].take() {
            one.depth = depth;
            if depth > 0 {
                one.because.clear();
            }
            nested.push(one);
        }
        stack.extend(
            children[index]
                .iter()
                .rev()
                .map(|child| (*child, depth + 1)),
        );
    }
    nested
}

/// Removes one cause of each circle of causes. `parents` has the index of the cause of each entry.
pub(super) fn break_circles(parents: &mut [Option<usize>]) {
    // The walk that met each entry first.
    let mut walks = vec![usize::MAX; parents.len()];
    for start in 0..parents.len() {
        let mut index = start;
        while walks[index] == usize::MAX {
            walks[index] = start;
            match parents[index] {
                Some(parent) if walks[parent] == start => parents[index] = None,
                Some(parent) => index = parent,
                None => {}
            }
        }
    }
}
