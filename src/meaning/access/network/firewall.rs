//! Judges the rules of a firewall: lists in one object, and rules that are objects of their own.
//!
//! ```text
//! security group   10.0.0.0/8 -> 10.0.0.0/9 on 22               narrower
//! network ACL      a denial moves behind what allows all        wider
//! a rule alone     allow, priority 100 -> 200                   narrower: another rule may come before it now
//! ```

use super::parties::{LimitAxis, Naming, Parties, PartyAxis};
use super::ranges::Ranges;
use super::read::{self, Bound, Reading, Source, Way, is_unknown};
use super::sweep::{self, Answer, Rule};
use super::types::{self, Firewall, List, Order, Otherwise};
use crate::diff::value::MarkedValue;
use crate::direction::{Direction, Directions};
use crate::meaning::{Judgement, ObjectChange};

/// Judges an object with firewall rules. An object that is more than a firewall is not judged as a whole.
pub(crate) fn judge<'w>(firewall: &Firewall, change: &ObjectChange<'_, 'w>) -> Vec<Judgement<'w>> {
    let Some(name) = firewall.within else {
        return judge_object(firewall, change);
    };
    if change.before.is_null() || change.after.is_null() {
        return Vec::new();
    }
    let block = |object: MarkedValue<'w>| {
        let value = object.get(name);
        value.and_then(|value| value.as_array()?.first().copied())
    };
    let (Some(before), Some(after)) = (block(change.before), block(change.after)) else {
        return Vec::new();
    };
    let inner = ObjectChange {
        before,
        after,
        ..*change
    };
    let mut judgements = judge_object(firewall, &inner);
    for judgement in &mut judgements {
        judgement.place.insert(0, name);
    }
    judgements
}

/// Judges an object, or a block, with firewall rules.
fn judge_object<'w>(firewall: &Firewall, change: &ObjectChange<'_, 'w>) -> Vec<Judgement<'w>> {
    let (before, after) = (change.before, change.after);
    if before.is_null() || after.is_null() {
        let object = if before.is_null() { after } else { before };
        let came = whole(firewall, object);
        let directions = if before.is_null() {
            came
        } else {
            came.reverse()
        };
        return vec![Judgement {
            place: Vec::new(),
            directions,
        }];
    }
    let mut judgements = Vec::new();
    if firewall.lists.is_empty() {
        let mut sides = [before, after].map(|object| firewall.sources(None, object));
        // What is not known yet is an edit of its own; the others are judged as if it stayed.
        for source in &mut sides[1] {
            source.instead = Some(before);
        }
        let directions = alone(firewall, &sides, [before, after]);
        let names = |object: MarkedValue<'w>| object.as_object().unwrap_or_default().iter();
        let mut places: Vec<&'w str> = names(before)
            .chain(names(after))
            .map(|(name, _)| *name)
            .filter(|name| firewall.beside == Some(*name) || read::decides(name))
            .filter(|name| differs(before.get(name), after.get(name)))
            .collect();
        places.sort_unstable();
        places.dedup();
        judgements.extend(places.into_iter().map(|name| {
            let is_open = after.get(name).is_some_and(is_unknown);
            Judgement {
                place: vec![name],
                directions: if is_open {
                    Direction::Unknown.into()
                } else {
                    directions
                },
            }
        }));
        return judgements;
    }
    for list in firewall.lists {
        let values = [before, after].map(|object| object.get(list.place));
        let [old, new] = [before, after].map(|object| list.policy(object));
        let others = list.policy.iter().chain(firewall.decides);
        let others: Vec<&'static str> = others.copied().collect();
        let has_other = others
            .iter()
            .any(|name| differs(before.get(name), after.get(name)));
        if !differs(values[0], values[1]) && !has_other {
            continue;
        }
        let directions = if values[1].is_some_and(is_unknown) {
            Direction::Unknown.into()
        } else if firewall.order == Order::Alone {
            let sides = [before, after].map(|object| firewall.sources(Some(list), object));
            alone(firewall, &sides, [before, after])
        } else {
            lists(firewall, list, [before, after], [old, new])
        };
        for place in [list.place].into_iter().chain(others) {
            if differs(before.get(place), after.get(place)) {
                let mut directions = directions;
                if after.get(place).is_some_and(is_unknown) {
                    directions.insert(Direction::Unknown);
                }
                judgements.push(Judgement {
                    place: vec![place],
                    directions,
                });
            }
        }
    }
    judgements
}

/// Judges lists of rules by their names, of a type that nobody here knows. Nobody knows either whether the order of
/// its rules counts where some refuse, so that only rules that add have a direction.
pub(crate) fn by_name<'w>(change: &ObjectChange<'_, 'w>) -> Vec<Judgement<'w>> {
    if change.before.is_null() || change.after.is_null() {
        return Vec::new();
    }
    let [closed, open] = [false, true].map(types::by_name);
    let has_list = |list: &List| change.after.get(list.place).is_some();
    if !closed.lists.iter().any(has_list) {
        return Vec::new();
    }
    let mut judgements = judge(&closed, change);
    let other = judge(&open, change);
    for (judgement, other) in judgements.iter_mut().zip(other) {
        judgement.directions = judgement.directions.union(other.directions);
        if judgement.directions != Direction::Same.into() {
            judgement.directions.remove(Direction::Same);
        }
    }
    judgements.retain(|judgement| {
        let place = judgement.place.first().copied().unwrap_or_default();
        let sides = [change.before, change.after].map(|object| object.get(place));
        sides.into_iter().flatten().all(is_list_of_rules)
    });
    for judgement in &mut judgements {
        let place = judgement.place.first().copied().unwrap_or_default();
        let refuses = |object: MarkedValue<'w>| {
            let rules = object.get(place).and_then(MarkedValue::as_array);
            let mut rules = rules.unwrap_or_default().iter();
            rules.any(|rule| read::head(Source::from(*rule)).answer != Some(Answer::Allow))
        };
        if refuses(change.before) || refuses(change.after) {
            judgement.directions = Direction::Another.into();
        }
    }
    judgements
}

/// Whether a value is a list of blocks of which each names another side.
fn is_list_of_rules(value: MarkedValue<'_>) -> bool {
    value.as_array().is_some_and(|blocks| {
        blocks.iter().all(|block| {
            let members = block.as_object().unwrap_or_default().iter();
            members.map(|(name, _)| *name).any(read::is_peer)
        })
    })
}

/// Whether two members differ. Null, no member, an empty list and an empty text are the same.
fn differs(before: Option<MarkedValue<'_>>, after: Option<MarkedValue<'_>>) -> bool {
    let hash = |value: Option<MarkedValue<'_>>| {
        value
            .filter(|value| !value.is_null() && !value.is_empty())
            .map(MarkedValue::hash_value)
    };
    hash(before) != hash(after)
}

/// Returns what a firewall does that is created: what allows is wider, what refuses is narrower.
fn whole(firewall: &Firewall, object: MarkedValue<'_>) -> Directions {
    let mut directions = Directions::default();
    let lists: Vec<Option<&List>> = if firewall.lists.is_empty() {
        vec![None]
    } else {
        firewall.lists.iter().map(Some).collect()
    };
    for list in lists {
        let way = list.and_then(|list| list.way);
        // What the provider fills in is not known yet either, and nobody can tell it from rules that were configured.
        let value = list.and_then(|list| object.get(list.place));
        if value.is_some_and(is_unknown) && !firewall.is_computed {
            directions.insert(Direction::Unknown);
        }
        for source in firewall.sources(list, object) {
            let reading = read::rule(source, way, firewall.dialect, Bound::Most);
            if reading.is_nothing() {
                continue;
            }
            directions.insert(match reading.answer {
                Some(Answer::Allow) => Direction::Wider,
                Some(Answer::Refuse) => Direction::Narrower,
                Some(Answer::Pass | Answer::Via(_)) => Direction::Another,
                None => Direction::Unknown,
            });
        }
    }
    if directions.is_empty() {
        directions.insert(Direction::New);
    }
    directions
}

/// Compares two versions of a rule that stands alone, or of several that share their answer and number, beside any
/// other rule.
fn alone(
    firewall: &Firewall,
    sources: &[Vec<Source<'_>>; 2],
    objects: [MarkedValue<'_>; 2],
) -> Directions {
    let way = match firewall.lists {
        [list] => list.way,
        _ => firewall.way,
    };
    let readings = |side: &[Source<'_>], bound| -> Vec<Reading> {
        let readings = side
            .iter()
            .map(|source| read::rule(*source, way, firewall.dialect, bound));
        readings.collect()
    };
    let old = read::head(Source::from(objects[0]).with(firewall.beside));
    let new = read::head(Source {
        instead: Some(objects[0]),
        ..Source::from(objects[1]).with(firewall.beside)
    });
    let before = readings(&sources[0], Bound::Most);
    let mut least = readings(&sources[1], Bound::Least);
    let mut most = readings(&sources[1], Bound::Most);
    let Some((answer, answer_after)) = old.answer.zip(new.answer) else {
        return Direction::Unknown.into();
    };
    // What refuses lets the least through where it fits the most.
    if answer_after == Answer::Refuse {
        std::mem::swap(&mut least, &mut most);
    }
    let judge = |after: &[Reading]| {
        regions(firewall, &before, after).map(|regions| {
            let mut directions = Directions::default();
            if regions.after {
                directions = directions.union(came(answer_after));
            }
            if regions.before {
                directions = directions.union(came(answer).reverse());
            }
            if regions.both {
                directions = directions.union(moved(answer, answer_after, old.number, new.number));
            }
            directions
        })
    };
    let (Some(lower), Some(upper)) = (judge(&least), judge(&most)) else {
        return Direction::Another.into();
    };
    bounded(lower, upper, new.is_number_unknown)
}

/// Returns what comes with traffic for which a new rule answers.
fn came(answer: Answer) -> Directions {
    Directions::from(match answer {
        Answer::Allow => Direction::Wider,
        Answer::Refuse => Direction::Narrower,
        Answer::Pass | Answer::Via(_) => Direction::Another,
    })
}

/// Returns what changes for traffic for which a rule answers before and after.
fn moved(before: Answer, after: Answer, old: Option<i64>, new: Option<i64>) -> Directions {
    if before < after {
        return Direction::Wider.into();
    }
    if before > after {
        return Direction::Narrower.into();
    }
    let (Some(old), Some(new)) = (old, new) else {
        return if old == new {
            Directions::default()
        } else {
            Direction::Another.into()
        };
    };
    match (after, old.cmp(&new)) {
        (_, std::cmp::Ordering::Equal) => Directions::default(),
        // Others may come before it now.
        (Answer::Allow, std::cmp::Ordering::Less)
        | (Answer::Refuse, std::cmp::Ordering::Greater) => Direction::Narrower.into(),
        (Answer::Allow, std::cmp::Ordering::Greater)
        | (Answer::Refuse, std::cmp::Ordering::Less) => Direction::Wider.into(),
        (Answer::Pass | Answer::Via(_), _) => Direction::Another.into(),
    }
}

/// Joins what a change is if unknown values let the least through, and if they let the most through.
fn bounded(lower: Directions, upper: Directions, has_unknown: bool) -> Directions {
    let mut directions = Directions::default();
    if lower.contains(Direction::Wider) {
        directions.insert(Direction::Wider);
    }
    if upper.contains(Direction::Narrower) {
        directions.insert(Direction::Narrower);
    }
    if lower.union(upper).contains(Direction::Another) {
        directions.insert(Direction::Another);
    }
    if has_unknown || lower != upper {
        directions.insert(Direction::Unknown);
    }
    if directions.is_empty() {
        directions.insert(Direction::Same);
    }
    directions
}

/// For which traffic rules answer.
pub(super) struct Regions {
    /// Only those before do for some.
    pub(super) before: bool,
    /// Only those after do for some.
    pub(super) after: bool,
    /// Those of both sides do for some.
    pub(super) both: bool,
}

/// Compares for which traffic rules of two sides answer; `None` if there is too much to compare.
pub(super) fn regions(
    firewall: &Firewall,
    before: &[Reading],
    after: &[Reading],
) -> Option<Regions> {
    let (mut old, mut new) = assemble(firewall, [before, after], true)?;
    for (rules, answer) in [(&mut old, Answer::Via(0)), (&mut new, Answer::Via(1))] {
        for rule in rules {
            rule.answer = answer;
        }
    }
    let found = sweep::compare_sets(old, new)?;
    let has = |pair: (Answer, Answer)| found.contains(&pair);
    Some(Regions {
        before: has((Answer::Via(0), Answer::Refuse)),
        after: has((Answer::Refuse, Answer::Via(1))),
        both: has((Answer::Via(0), Answer::Via(1))),
    })
}

/// Compares two lists of rules.
fn lists(
    firewall: &Firewall,
    list: &List,
    objects: [MarkedValue<'_>; 2],
    policies: [Option<Answer>; 2],
) -> Directions {
    let [before, least, most] = [
        (objects[0], Bound::Most),
        (objects[1], Bound::Least),
        (objects[1], Bound::Most),
    ]
    .map(|(object, bound)| permitted(firewall, list, object, bound));
    let has_limits =
        |readings: &[Reading]| readings.iter().any(|reading| !reading.limits.is_empty());
    let judge = |after: &[Reading]| -> Option<Directions> {
        let mut directions = compare(firewall, list, [&before, after], policies)?;
        if has_limits(&before) || has_limits(after) {
            let plain = |readings: &[Reading]| -> Vec<Reading> {
                let mut readings = readings.to_vec();
                readings
                    .iter_mut()
                    .for_each(|reading| reading.limits.clear());
                readings
            };
            let (old, new) = (plain(&before), plain(after));
            let plain = compare(firewall, list, [&old, &new], policies)?;
            // Nobody knows whether a limit that changes lets more through or less.
            if plain != directions {
                directions = plain.union(Direction::Another.into());
            }
        }
        Some(directions)
    };
    let (Some(lower), Some(upper)) = (judge(&least), judge(&most)) else {
        return Direction::Another.into();
    };
    bounded(lower, upper, false)
}

/// Reads a list so that it lets the least through, or the most.
fn permitted(
    firewall: &Firewall,
    list: &List,
    object: MarkedValue<'_>,
    bound: Bound,
) -> Vec<Reading> {
    let sources = firewall.sources(Some(list), object);
    let mut readings = Vec::with_capacity(sources.len());
    for source in sources {
        let read = |bound| read::rule(source, list.way, firewall.dialect, bound);
        let mut reading = read(bound);
        if reading.has_unknown {
            let worst = match bound {
                Bound::Least => Answer::Refuse,
                Bound::Most => Answer::Allow,
            };
            let answer = reading.answer.unwrap_or(worst);
            // What refuses lets the least through where it fits the most.
            reading = match (answer, bound) {
                (Answer::Refuse, Bound::Least) => read(Bound::Most),
                (Answer::Refuse, Bound::Most) => read(Bound::Least),
                (Answer::Allow | Answer::Pass | Answer::Via(_), bound) => read(bound),
            };
            if reading.answer.is_none() {
                reading = read(Bound::Most);
            }
            reading.answer = Some(answer);
            if reading.is_number_unknown {
                if answer != worst {
                    continue;
                }
                reading.number = Some(i64::MIN);
            }
        }
        readings.push(reading);
    }
    if readings.iter().any(|reading| reading.number.is_some()) {
        // Rules with the same number keep their order.
        readings.sort_by_key(|reading| reading.number.unwrap_or(i64::MAX));
    }
    readings
}

/// Compares two lists of rules in which everything is known; `None` if there is too much to compare.
fn compare(
    firewall: &Firewall,
    list: &List,
    sides: [&[Reading]; 2],
    policies: [Option<Answer>; 2],
) -> Option<Directions> {
    let refuses = |reading: &Reading| reading.answer != Some(Answer::Allow);
    let is_mixed = sides.iter().any(|side| side.iter().any(refuses));
    let mut sides = sides.map(<[Reading]>::to_vec);
    for (side, policy) in sides.iter_mut().zip(policies) {
        side.extend(otherwise(firewall, list, side, policy));
    }
    let [before, after] = &sides;
    let (before, after) = assemble(firewall, [before, after], is_mixed)?;
    if firewall.order == Order::Adds && !is_mixed {
        return Some(of_changes(sweep::compare_sets(before, after)?));
    }
    let mut directions = of_changes(sweep::compare(&before, &after)?);
    if firewall.otherwise == Otherwise::Neighbours {
        // What no rule fits goes to others, which may allow it.
        let open = |mut rules: Vec<Rule>| {
            rules.push(Rule {
                sets: std::array::from_fn(|_| Ranges::all()),
                answer: Answer::Allow,
            });
            rules
        };
        directions = directions.union(of_changes(sweep::compare(&open(before), &open(after))?));
    }
    Some(directions)
}

/// Returns what answers that change are at once; nothing if none changes.
fn of_changes(changes: std::collections::BTreeSet<(Answer, Answer)>) -> Directions {
    let directions = changes
        .into_iter()
        .filter_map(|(before, after)| match (before, after) {
            (Answer::Pass, Answer::Pass) => Some(Direction::Another),
            (before, after) if before < after => Some(Direction::Wider),
            (before, after) if before > after => Some(Direction::Narrower),
            _ => None,
        });
    directions.collect()
}

/// Returns the rules behind those that are written.
fn otherwise(
    firewall: &Firewall,
    list: &List,
    side: &[Reading],
    policy: Option<Answer>,
) -> Vec<Reading> {
    let rule = |way: Way, peers: Parties, targets: Parties, answer| Reading {
        traffic: read::all_of(way),
        source_ports: Ranges::all(),
        targets,
        peers,
        limits: Default::default(),
        answer: Some(answer),
        number: None,
        is_number_unknown: false,
        has_unknown: false,
    };
    let tag = |tag: &str| {
        let mut parties = Parties::default();
        parties.add_texts([tag], Naming::Azure);
        parties
    };
    // Names that are apart from addresses are no part of everybody.
    let anything = || Parties {
        is_everybody: true,
        is_anything: firewall.dialect.naming == Naming::Apart,
        ..Parties::default()
    };
    match firewall.otherwise {
        // "Default security rules" (Microsoft Learn, network security groups).
        Otherwise::Azure => vec![
            rule(
                Way::In,
                tag("VirtualNetwork"),
                Parties::everybody(),
                Answer::Allow,
            ),
            rule(
                Way::In,
                tag("AzureLoadBalancer"),
                Parties::everybody(),
                Answer::Allow,
            ),
            rule(
                Way::Out,
                tag("VirtualNetwork"),
                Parties::everybody(),
                Answer::Allow,
            ),
            rule(
                Way::Out,
                tag("Internet"),
                Parties::everybody(),
                Answer::Allow,
            ),
        ],
        Otherwise::Open(way) if policy.is_some() => policy
            .map(|answer| rule(way, anything(), anything(), answer))
            .into_iter()
            .collect(),
        Otherwise::Open(way) => {
            let space = read::all_of(way);
            let fits = |reading: &Reading| !reading.traffic.intersection(&space).is_empty();
            if side.iter().any(fits) {
                Vec::new()
            } else {
                vec![rule(way, anything(), anything(), Answer::Allow)]
            }
        }
        Otherwise::Refuse | Otherwise::Neighbours => policy
            .map(|answer| rule(list.way.unwrap_or(Way::In), anything(), anything(), answer))
            .into_iter()
            .collect(),
    }
}

/// Numbers the names in both lists, and returns the lists as sets on the axes; `None` if there are too many names.
fn assemble(
    firewall: &Firewall,
    sides: [&[Reading]; 2],
    is_mixed: bool,
) -> Option<(Vec<Rule>, Vec<Rule>)> {
    let all = || sides.iter().flat_map(|side| side.iter());
    let naming = firewall.dialect.naming;
    let peers = PartyAxis::new(naming, all().map(|reading| &reading.peers), is_mixed)?;
    let targets = PartyAxis::new(naming, all().map(|reading| &reading.targets), is_mixed)?;
    let targets = targets.within_network();
    let limits = LimitAxis::new(all().map(|reading| &reading.limits), is_mixed)?;
    let [before, after] = sides.map(|side| {
        let rules = side.iter().map(|reading| Rule {
            sets: [
                reading.traffic.clone(),
                reading.source_ports.clone(),
                targets.ranges(&reading.targets),
                limits.ranges(&reading.limits),
                peers.ranges(&reading.peers),
            ],
            answer: reading.answer.unwrap_or(Answer::Pass),
        });
        rules.collect()
    });
    Some((before, after))
}
