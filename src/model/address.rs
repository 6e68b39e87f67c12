//! Addresses of modules, resources, resource instances and actions: what an address selects, and its parts.
//!
//! Source: the resource address syntax of the tools. Invariant: addresses are compared step by step, so
//! `aws_s3_bucket.log` does not select `aws_s3_bucket.logs`.

/// A selector of an instance, of a resource with all of its instances, or of a module with everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressSelector {
    /// The address, without white space around it.
    pub text: String,
    /// Whether the address is that of a module.
    is_module: bool,
}

impl AddressSelector {
    /// Creates the selector of an address: `aws_vpc.main`, `aws_vpc.main["a"]` or `module.net`.
    pub fn new(text: &str) -> Self {
        let text = text.trim().to_owned();
        let names: Vec<&str> = Steps(&text).map(|step| step.name).collect();
        let is_module =
            names.len().is_multiple_of(2) && names.iter().step_by(2).all(|name| *name == "module");
        Self { text, is_module }
    }

    /// Whether an address is selected. A step of the selector without an instance key selects all instances.
    pub fn matches(&self, address: &str) -> bool {
        let mut theirs = Steps(address);
        let mut mine = Steps(&self.text);
        let is_begin = mine.all(|step| {
            theirs.next().is_some_and(|other| {
                step.name == other.name && (step.key.is_none() || step.key == other.key)
            })
        });
        is_begin && !self.text.is_empty() && (self.is_module || theirs.next().is_none())
    }
}

/// Joins the parts of an address. `key` is written in brackets as it is. The mode `managed` is not written.
pub(crate) fn instance_address(
    module: &str,
    mode: &str,
    kind: &str,
    name: &str,
    key: Option<&str>,
) -> String {
    let mut address = if module.is_empty() {
        String::new()
    } else {
        format!("{module}.")
    };
    if mode != "managed" {
        address.extend([mode, "."]);
    }
    address.extend([kind, ".", name]);
    address.extend(key.into_iter().flat_map(|key| ["[", key, "]"]));
    address
}

/// Returns an address without instance keys.
pub fn block_address(address: &str) -> String {
    Steps(address)
        .map(|step| step.name)
        .collect::<Vec<_>>()
        .join(".")
}

/// Returns the address of a resource: that of an instance without its last instance key.
pub fn resource_address(address: &str) -> &str {
    let key = Steps(address)
        .last()
        .and_then(|step| step.key)
        .map_or(0, str::len);
    address.get(..address.len() - key).unwrap_or(address)
}

/// Returns the address of the module that an address is in; empty for the root module.
pub fn module_of(address: &str) -> &str {
    module_ends(address)
        .last()
        .and_then(|end| address.get(..*end))
        .unwrap_or_default()
}

/// Returns the address of everything that an object is in, and of the object itself: each once with and once without
/// its last instance key.
pub(super) fn with_parents(address: &str) -> impl Iterator<Item = &str> {
    let ends = module_ends(address).into_iter().chain([address.len()]);
    ends.filter_map(|end| address.get(..end))
        .flat_map(|whole| [whole, resource_address(whole)])
}

/// Returns the module calls in the address of a module, such as `module.a["k"]` and `module.b`. At most `most` are
/// returned; the last one then contains all deeper calls.
pub fn module_calls(module: &str, most: usize) -> Vec<&str> {
    let mut start = 0;
    let ends = module_ends(module)
        .into_iter()
        .take(most.saturating_sub(1))
        .chain([module.len()]);
    let calls = ends.filter_map(|end| module.get(std::mem::replace(&mut start, end + 1)..end));
    calls.filter(|call| !call.is_empty()).collect()
}

/// Returns the end of each module call in an address, in bytes, except for one that ends with the address.
fn module_ends(address: &str) -> Vec<usize> {
    let (mut steps, mut ends) = (Steps(address), Vec::new());
    while steps.next().is_some_and(|step| step.name == "module")
        && steps.next().is_some()
        && !steps.0.is_empty()
    {
        ends.push(address.len() - steps.0.len() - 1);
    }
    ends
}

/// An iterator over the steps of an address, such as `module`, `a["k"]`, `aws_vpc` and `b`. It contains the rest of the
/// address.
pub(crate) struct Steps<'a>(pub(crate) &'a str);

/// A step of an address: a name, and its instance key in brackets if it has one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Step<'a> {
    pub(crate) name: &'a str,
    pub(crate) key: Option<&'a str>,
}

impl<'a> Iterator for Steps<'a> {
    type Item = Step<'a>;

    /// Returns the next step. Dots in brackets and quotes do not end a step.
    fn next(&mut self) -> Option<Step<'a>> {
        if self.0.is_empty() {
            return None;
        }
        let (mut key, mut quoted, mut escaped, mut end) = (None, false, false, self.0.len());
        for (offset, byte) in self.0.bytes().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                b'[' if !quoted && key.is_none() => key = Some(offset),
                b'.' if !quoted && (key.is_none() || self.0[..offset].ends_with(']')) => {
                    end = offset;
                    break;
                }
                _ => {}
            }
        }
        let step = &self.0[..end];
        self.0 = self.0.get(end + 1..).unwrap_or_default();
        let name_end = key.unwrap_or(step.len());
        Some(Step {
            name: &step[..name_end],
            key: key.map(|offset| &step[offset..]),
        })
    }
}

#[cfg(test)]
mod tests;
