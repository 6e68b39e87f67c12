//! Ties results to resources: by address, by the names that a tool makes of addresses, or by lines of files.
//!
//! Invariants: a result is tied only to a resource that is known from the plan. If two resources are equally likely, it
//! is tied to neither. A result that is not tied is kept. A tied result has the address of an instance, of a resource
//! in one instance of its module, or of a block, whichever the tool knew.
//! instance of its module, or of a block, whichever the tool knew.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use bumpalo::Bump;
use md5::{Digest, Md5};

use super::{Clue, Costs, ResultLevel, Results, ToolReport, ToolResult};
use crate::json;
use crate::model::address::{block_address, module_of, resource_address};

/// The number of attempts to tie results to further plans and resources that any input may take. After that, each
/// result is tied to one only.
const MIN_TRIES: usize = 100_000;
/// The number of further attempts for each result and each known address.
const TRIES_FOR_EACH: usize = 16;
/// The maximum number of words of a text in which an address is looked for.
const MAX_WORDS: usize = 200;
/// The maximum number of steps after an address, such as the path of an attribute, that are skipped.
const MAX_PATH: usize = 4;

/// The resources of a plan, by the names that results may use for them.
#[derive(Debug, Default)]
pub struct Known<'a> {
    /// The addresses of instances, of resources in a module instance, and of blocks.
    addresses: HashSet<&'a str>,
    /// Resources in a module instance, by the names that Trivy gives them.
    hashed: HashMap<&'a str, &'a str>,
    /// Blocks by type and name.
    named: HashMap<(&'a str, &'a str), Vec<&'a str>>,
}

impl<'a> Known<'a> {
    /// Indexes the resources of a plan, each given by its address, type and name.
    pub fn new<'n>(
        resources: impl Iterator<Item = (&'n str, &'n str, &'n str)>,
        arena: &'a Bump,
    ) -> Self {
        let mut known = Self::default();
        for (address, resource_type, name) in resources {
            let [instance, resource, block] = keys(address);
            let (block, is_new_block) = known.add(&block, arena);
            let (resource, is_new) = known.add(&resource, arena);
            known.add(&instance, arena);
            if is_new || is_new_block {
                known.add_hashed(resource, resource_type, name, arena);
            }
            if is_new_block {
                let names = (&*arena.alloc_str(resource_type), &*arena.alloc_str(name));
                known.named.entry(names).or_default().push(block);
            }
        }
        known
    }

    fn add(&mut self, address: &str, arena: &'a Bump) -> (&'a str, bool) {
        if let Some(known) = self.addresses.get(address) {
            return (known, false);
        }
        let address = &*arena.alloc_str(address);
        (address, self.addresses.insert(address))
    }

    /// Adds the name that Trivy gives to a resource: it has the MD5 of the address of the module instance.
    fn add_hashed(&mut self, resource: &'a str, resource_type: &str, name: &str, arena: &'a Bump) {
        let module = module_of(resource);
        if module.is_empty() {
            return;
        }
        let digest = u128::from_be_bytes(Md5::digest(module.as_bytes()).into());
        let is_data = resource
            .get(module.len() + 1..)
            .is_some_and(|rest| rest.starts_with("data."));
        let hashed = arena.alloc_str(&format!("{resource_type}.{name}_{digest:032x}"));
        if is_data {
            self.hashed
                .insert(arena.alloc_str(&format!("data.{hashed}")), resource);
        }
        self.hashed.entry(hashed).or_insert(resource);
    }

    /// Returns the known address that a text is, or that it begins with.
    fn address(&self, text: &str) -> Option<&'a str> {
        let mut text = text.trim();
        for _ in 0..=MAX_PATH {
            if let Some(known) = self.addresses.get(text).or_else(|| self.hashed.get(text)) {
                return Some(known);
            }
            text = &text[..text.rfind('.')?];
        }
        None
    }

    /// Returns a resource by its block: in one instance of the module, if that is known, or in all
    /// of them.
    fn in_module(&self, block: &str, module: &str) -> Option<&'a str> {
        let own = module_of(block);
        // Followed by a name, an address of a module is one of a resource.
        let call = block_address(&format!("{module}.x"));
        if call.strip_suffix(".x") != Some(own) {
            return None;
        }
        let instance = format!("{module}{}", block.get(own.len()..).unwrap_or_default());
        self.addresses
            .get(&*instance)
            .or_else(|| self.addresses.get(block))
            .copied()
    }

    fn words(&self, text: &str) -> Option<&'a str> {
        let mut found = None;
        for word in address_words(text) {
            let Some(address) = self.address(word) else {
                continue;
            };
            // It is unknown which of two addresses is meant.
            if found.is_some_and(|other| other != address) {
                return None;
            }
            found = Some(address);
        }
        found
    }

    fn named(&self, resource_type: &str, name: &str, module: &str) -> Option<&'a str> {
        let named: &HashMap<(&str, &str), Vec<&'a str>> = &self.named;
        let blocks = named.get(&(resource_type, name))?;
        let is_in = |block: &&&str| module_of(block).rsplit('.').next() == Some(module);
        let mut fitting = blocks
            .iter()
            .filter(|block| blocks.len() == 1 || module.is_empty() || is_in(block));
        fitting.next().copied().filter(|_| fitting.next().is_none())
    }
}

/// The words of a text that may be addresses, without the marks around them.
fn address_words(text: &str) -> impl Iterator<Item = &str> {
    let is_around = |c: char| c.is_whitespace() || c == '.' || "`'\"(),;:<>".contains(c);
    text.split_whitespace()
        .take(MAX_WORDS)
        .filter(|word| word.contains('.'))
        .map(move |word| word.trim_matches(is_around))
}

/// A function that returns the addresses of the block at a line of a file of the configuration, in each module that has
/// the file.
pub type BlocksAt<'f> = &'f mut dyn FnMut(&str, u64) -> Vec<String>;

/// A plan, and what has been tied to it so far.
pub struct PlanToTie<'a, 'n> {
    /// The name of its file.
    pub name: &'n str,
    /// The document, in which lines of a scanned plan are looked up.
    pub text: &'n str,
    /// The resources of the plan.
    pub known: Known<'a>,
    /// For each line, the address of the object that it belongs to. `None` until it is needed.
    at_lines: Option<Vec<Option<&'a str>>>,
    /// What is tied to the plan, including results that fit no plan and are listed with this one.
    pub tied: Tied<'a>,
}

impl<'a, 'n> PlanToTie<'a, 'n> {
    /// Makes a plan to which nothing is tied yet.
    pub fn new(name: &'n str, text: &'n str, known: Known<'a>) -> Self {
        Self {
            name,
            text,
            known,
            at_lines: None,
            tied: Tied::default(),
        }
    }

    /// Returns the addresses that the first useful clue leads to. `blocks` has the blocks at the lines of each clue.
    fn find(&mut self, clues: &[Clue<'a>], blocks: &[Vec<String>]) -> Vec<&'a str> {
        let mut found = Vec::new();
        for (clue, blocks) in clues.iter().zip(blocks) {
            match clue {
                Clue::Address(text) => found.extend(self.known.address(text)),
                Clue::Named {
                    resource_type,
                    name,
                    module,
                } => {
                    found.extend(self.known.named(resource_type, name, module));
                }
                Clue::Words(text) => found.extend(self.known.words(text)),
                Clue::Lines(_, 0) => {}
                Clue::Lines(file, first) if is_same_file(file, self.name) => {
                    found.extend(self.written_at(*first));
                }
                Clue::Lines(..) => {
                    // Trivy and tfsec name what is in a module by its address.
                    let module = clues.iter().find_map(|clue| match clue {
                        Clue::Address(text) => {
                            Some(text.trim()).filter(|_| text.starts_with("module."))
                        }
                        Clue::Named { .. } | Clue::Lines(..) | Clue::Words(_) => None,
                    });
                    found.extend(
                        blocks
                            .iter()
                            .filter_map(|block| self.known.in_module(block, module?)),
                    );
                    if found.is_empty() {
                        found.extend(
                            blocks
                                .iter()
                                .filter_map(|block| self.known.addresses.get(&**block)),
                        );
                    }
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    /// Returns the address of the object at a line of the plan. Returns `None` if the plan does not have a line for
    /// each member.
    fn written_at(&mut self, line: u64) -> Option<&'a str> {
        let at_lines = self.at_lines.get_or_insert_with(|| {
            let (mut at_lines, mut open) = (Vec::new(), Vec::<(usize, &'a str)>::new());
            let mut is_opened = false;
            for line in self.text.lines() {
                let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
                open.retain(|(depth, _)| *depth <= indent);
                // The address of an object is its first member.
                let address = address_member(line).and_then(|address| self.known.address(&address));
                open.extend(address.map(|address| (indent, address)));
                if let (Some(last), true, Some(_)) = (at_lines.last_mut(), is_opened, address) {
                    *last = address;
                }
                at_lines.push(open.last().map(|(_, address)| *address));
                is_opened = line.trim_end().ends_with('{');
            }
            at_lines
        });
        at_lines
            .get(usize::try_from(line).ok()?.checked_sub(1)?)
            .copied()
            .flatten()
    }
}

fn address_member(line: &str) -> Option<json::Str<'_>> {
    let value = line
        .trim()
        .strip_prefix("\"address\"")?
        .trim_start()
        .strip_prefix(':')?;
    json::from_str(value.trim().trim_end_matches(',')).ok()
}

/// The results of other tools about one plan.
#[derive(Clone, Debug, Default)]
pub struct Tied<'a> {
    /// What each tool reported; only the first plan has it.
    pub reports: Vec<ToolReport<'a>>,
    /// The results about the plan, including those that fit none of its resources.
    pub results: Vec<ToolResult<'a>>,
    /// The indices of `results` by address.
    by_address: HashMap<&'a str, Vec<usize>>,
    /// The costs of the plan.
    pub costs: Option<Costs<'a>>,
    /// The notes about what could not be tied, with the reasons.
    pub notes: Vec<String>,
}

impl<'a> Tied<'a> {
    /// Whether other tools say nothing about the plan.
    pub fn is_empty(&self) -> bool {
        self.reports.is_empty()
            && self.results.is_empty()
            && self.costs.is_none()
            && self.notes.is_empty()
    }

    fn add(&mut self, result: ToolResult<'a>) {
        for address in &result.addresses {
            self.by_address
                .entry(*address)
                .or_default()
                .push(self.results.len());
        }
        self.results.push(result);
    }

    fn sort(&mut self) {
        let results = &self.results;
        let level =
            |index: &usize| std::cmp::Reverse(results.get(*index).map(|result| result.level));
        self.by_address
            .values_mut()
            .for_each(|found| found.sort_by_key(level));
    }

    /// Returns the results about any of these addresses, and how many more there are: at most `max`
    /// are taken for each address, because a block may have very many.
    pub fn about(&self, addresses: &[&str], max: usize) -> (Vec<&ToolResult<'a>>, usize) {
        let (mut found, mut more) = (Vec::new(), 0);
        if self.by_address.is_empty() {
            return (found, more);
        }
        let mut seen = HashSet::new();
        for key in addresses.iter().flat_map(|address| keys(address)) {
            let Some((key, results)) = self.by_address.get_key_value(&*key) else {
                continue;
            };
            if seen.insert(*key) {
                found.extend(
                    results
                        .iter()
                        .take(max)
                        .filter_map(|index| self.results.get(*index)),
                );
                more += results.len().saturating_sub(max);
            }
        }
        (found, more)
    }

    /// Returns the results that are about none of these addresses, or are not tied.
    pub fn about_others<'n>(
        &self,
        addresses: impl Iterator<Item = &'n str>,
    ) -> Vec<&ToolResult<'a>> {
        let named: HashSet<String> = match self.results.is_empty() {
            true => HashSet::new(),
            false => addresses.flat_map(keys).collect(),
        };
        let is_other =
            |result: &&ToolResult<'_>| !result.addresses.iter().any(|index| named.contains(*index));
        self.results.iter().filter(is_other).collect()
    }

    /// Returns the results of at least this level, and the number of those that were not kept.
    pub fn at_least(&self, level: ResultLevel) -> (impl Iterator<Item = &ToolResult<'a>>, usize) {
        let counted = self
            .reports
            .iter()
            .flat_map(|report| ResultLevel::ALL.into_iter().zip(report.left_out));
        let left_out = counted
            .filter(|(of, _)| *of >= level)
            .map(|(_, number)| number)
            .sum();
        (
            self.results
                .iter()
                .filter(move |result| result.level >= level),
            left_out,
        )
    }
}

fn keys(address: &str) -> [String; 3] {
    [
        address.to_owned(),
        resource_address(address).to_owned(),
        block_address(address),
    ]
}

/// Ties results and costs to plans.
///
/// A result that names the file of a plan is about that plan; any other one is tied to each plan that it fits. A result
/// that fits no plan is listed with the first one that it can be about.
///
/// Takes time linear in the results, in the addresses of all plans and in the pairs that fit, of which there are at
/// most `MIN_TRIES` and `TRIES_FOR_EACH` for each result and address.
pub fn tie<'a>(files: Vec<Results<'a>>, plans: &mut [PlanToTie<'a, '_>], blocks_at: BlocksAt<'_>) {
    let index = PlanIndex::new(plans);
    let results: usize = files.iter().map(|file| file.results.len()).sum();
    let mut tries = MIN_TRIES + TRIES_FOR_EACH * (results + index.addresses.len());
    for Results {
        reports,
        results,
        costs,
    } in files
    {
        if let Some(first) = plans.first_mut() {
            first.tied.reports.extend(reports);
        }
        for result in results {
            tie_result(result, plans, &index, blocks_at, &mut tries);
        }
        for costs in costs {
            tie_costs(costs, plans, &index, &mut tries);
        }
    }
    plans.iter_mut().for_each(|plan| plan.tied.sort());
}

/// An index of the plans that have an address, a block or a file name. Plans are given by their indices, in order.
#[derive(Debug, Default)]
struct PlanIndex<'a> {
    /// The plans by addresses, and by the names that Trivy gives to resources.
    addresses: HashMap<&'a str, Vec<usize>>,
    /// The plans by the type and name of blocks.
    named: HashMap<(&'a str, &'a str), Vec<usize>>,
    /// The plans by each end of their paths, in the form of [`FilePath`].
    ending: HashMap<String, Vec<usize>>,
    /// The plans by their whole path.
    whole: HashMap<String, Vec<usize>>,
}

impl<'a> PlanIndex<'a> {
    /// Indexes the addresses and file names of all plans.
    fn new(plans: &[PlanToTie<'a, '_>]) -> Self {
        let mut index = Self::default();
        for (number, plan) in plans.iter().enumerate() {
            let addresses = plan.known.addresses.iter().chain(plan.known.hashed.keys());
            for address in addresses {
                index.addresses.entry(*address).or_default().push(number);
            }
            for names in plan.known.named.keys() {
                index.named.entry(*names).or_default().push(number);
            }
            let path = FilePath::new(plan.name);
            for end in path.ends() {
                index.ending.entry(end.to_owned()).or_default().push(number);
            }
            index.whole.entry(path.0).or_default().push(number);
        }
        index
    }

    /// Returns the plans whose file a path may name: either path is an end of the other one.
    fn of_file(&self, path: &str) -> Vec<&[usize]> {
        let path = FilePath::new(path);
        let mut lists: Vec<&[usize]> = Vec::new();
        lists.extend(self.ending.get(&path.0).map(Vec::as_slice));
        let shorter = path.ends().filter(|end| end.len() < path.0.len());
        lists.extend(shorter.filter_map(|end| self.whole.get(end).map(Vec::as_slice)));
        lists
    }

    /// Adds the plans in which a text may be, or begin with, an address.
    fn of_address<'i>(&'i self, text: &str, lists: &mut Vec<&'i [usize]>) {
        let mut text = text.trim();
        for _ in 0..=MAX_PATH {
            lists.extend(self.addresses.get(text).map(Vec::as_slice));
            match text.rfind('.') {
                Some(end) => text = &text[..end],
                None => return,
            }
        }
    }

    /// Returns the plans that one of these clues may lead to.
    fn of_clues(&self, clues: &[Clue<'a>], blocks: &[Vec<String>]) -> Vec<&[usize]> {
        let mut lists = Vec::new();
        for (clue, blocks) in clues.iter().zip(blocks) {
            match clue {
                Clue::Address(text) => self.of_address(text, &mut lists),
                Clue::Named {
                    resource_type,
                    name,
                    ..
                } => {
                    let plans = self.named.get(&(*resource_type, *name));
                    lists.extend(plans.map(Vec::as_slice));
                }
                Clue::Words(text) => {
                    for word in address_words(text) {
                        self.of_address(word, &mut lists);
                    }
                }
                Clue::Lines(file, _) => {
                    lists.extend(self.of_file(file));
                    let plans = blocks
                        .iter()
                        .filter_map(|block| self.addresses.get(&**block));
                    lists.extend(plans.map(Vec::as_slice));
                }
            }
        }
        lists
    }
}

/// A path in reverse order, with `/` between its names, so that an end of the path is a beginning of the text.
struct FilePath(String);

impl FilePath {
    fn new(path: &str) -> Self {
        /// The maximum number of names of a path that are compared.
        const MAX_NAMES: usize = 50;
        let names = path.split(['/', '\\']);
        let names = names.filter(|name| !name.is_empty() && *name != ".");
        let names: Vec<&str> = names.rev().take(MAX_NAMES).collect();
        Self(names.join("/"))
    }

    /// Returns the ends of the path, including the whole path.
    fn ends(&self) -> impl Iterator<Item = &str> {
        let slashes = self.0.match_indices('/').map(|(index, _)| index);
        let lengths = slashes.chain([self.0.len()]);
        lengths
            .filter_map(|length| self.0.get(..length))
            .filter(|end| !end.is_empty())
    }
}

/// Returns the plans of all lists, each once and in order, but no more than `max` of each list.
fn merged(lists: &[&[usize]], max: usize) -> BTreeSet<usize> {
    let plans = lists.iter().flat_map(|list| list.iter().take(max));
    plans.copied().collect()
}

/// Ties a result to each plan that it may be about: those whose file it names, or else those that know its clues. A
/// result that fits none is kept with the first one.
fn tie_result<'a>(
    mut result: ToolResult<'a>,
    plans: &mut [PlanToTie<'a, '_>],
    index: &PlanIndex<'a>,
    blocks_at: BlocksAt<'_>,
    tries: &mut usize,
) {
    let clues = std::mem::take(&mut result.clues);
    let most = *tries + 1;
    let mut named = BTreeSet::new();
    let mut blocks = Vec::with_capacity(clues.len());
    for clue in &clues {
        let mut own = Vec::new();
        if let Clue::Lines(file, line) = clue {
            named.extend(merged(&index.of_file(file), most));
            if *line > 0 {
                own = blocks_at(file, *line);
            }
        }
        blocks.push(own);
    }
    let is_named = plans.len() > 1 && !named.is_empty();
    let first = named.first().copied().filter(|_| is_named).unwrap_or(0);
    let candidates = if is_named {
        named
    } else {
        merged(&index.of_clues(&clues, &blocks), most)
    };
    let mut is_tied = false;
    for (count, number) in candidates.into_iter().enumerate() {
        if count > 0 {
            if *tries == 0 {
                break;
            }
            *tries -= 1;
        }
        let Some(plan) = plans.get_mut(number) else {
            continue;
        };
        let mut addresses = plan.find(&clues, &blocks);
        if addresses.is_empty() {
            continue;
        }
        is_tied = true;
        addresses.truncate((*tries).max(1));
        *tries -= addresses.len().min(*tries);
        plan.tied.add(ToolResult {
            addresses,
            ..result.clone()
        });
    }
    if !is_tied && let Some(plan) = plans.get_mut(first) {
        let lines = clues
            .into_iter()
            .filter(|clue| matches!(clue, Clue::Lines(..)));
        result.clues = lines.take(1).collect();
        plan.tied.add(result);
    }
}

/// Ties costs to the plan of their path, or to the one whose resources fit best.
fn tie_costs<'a>(
    costs: Costs<'a>,
    plans: &mut [PlanToTie<'a, '_>],
    index: &PlanIndex<'a>,
    tries: &mut usize,
) {
    let by_name = merged(&index.of_file(costs.path), 1).first().copied();
    let by_name = by_name.or((plans.len() == 1).then_some(0));
    let number = by_name.or_else(|| best_fit(&costs, index, tries));
    let (path, file) = (costs.path, costs.file.clone());
    let Some(plan) = plans.get_mut(number.unwrap_or(0)) else {
        return;
    };
    if number.is_none() {
        plan.tied.notes.push(format!(
            "the costs of {path} in {file} belong to none of these plans"
        ));
    } else if !plan.tied.costs.get_or_insert_default().add(costs) {
        plan.tied.notes.push(format!(
            "{file} has costs in another currency, which are left out"
        ));
    }
}

/// Returns the plan that has the most addresses of these costs; `None` if two plans fit equally well.
fn best_fit(costs: &Costs<'_>, index: &PlanIndex<'_>, tries: &mut usize) -> Option<usize> {
    let mut fitting: BTreeMap<usize, usize> = BTreeMap::new();
    for address in costs.resources.keys() {
        let Some(plans) = index.addresses.get(address) else {
            continue;
        };
        *tries = tries.checked_sub(plans.len())?;
        for plan in plans {
            *fitting.entry(*plan).or_default() += 1;
        }
    }
    let most = fitting.values().copied().max()?;
    let mut best = fitting.iter().filter(|(_, number)| **number == most);
    let only = best.next().map(|(plan, _)| *plan);
    only.filter(|_| best.next().is_none())
}

/// Whether the names of one path end with those of the other one.
pub fn is_same_file(one: &str, other: &str) -> bool {
    let (one, other) = (FilePath::new(one).0, FilePath::new(other).0);
    let is_end = |long: &str, short: &str| {
        long.strip_prefix(short)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    !one.is_empty() && !other.is_empty() && (is_end(&one, &other) || is_end(&other, &one))
}

#[cfg(test)]
mod tests;
