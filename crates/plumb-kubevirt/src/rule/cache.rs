//! Caches the rules of annotations.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use plumb_source::Origin;

use super::Rules;
use crate::jsonpath::Budget;

/// Rules by the text of their annotation. Most virtual machines have a copy of their template's
/// rules, so the same text occurs again and again. The least recently used rules are dropped first.
#[derive(Debug, Default)]
pub struct RulesCache(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    rules: HashMap<Arc<str>, (Arc<Rules>, u64)>,
    /// The total size of all texts in bytes.
    n_bytes: usize,
    /// Incremented with each use, to find the least recently used rules.
    clock: u64,
}

/// Longer annotations are not cached.
const MAX_TEXT: usize = 32 << 10;

/// The limits of the total size in bytes and of the number of annotations.
const MAX_BYTES: usize = 512 << 10;
const MAX_RULES: usize = 64;

impl RulesCache {
    /// The rules of an annotation. Their place is not known. Rules that are not cached cost one
    /// unit for each byte. Returns `None` if the budget is not sufficient to read them.
    pub(crate) fn get(&self, text: &str, budget: &Budget) -> Option<Arc<Rules>> {
        let is_cached = text.len() <= MAX_TEXT;
        let known = is_cached.then(|| self.0.lock().ok()?.find(text)).flatten();
        if known.is_some() || !budget.spend(text.len()) {
            return known;
        }
        let rules = Arc::new(Rules::parse(text, Origin::Unknown));
        if is_cached && let Ok(mut inner) = self.0.lock() {
            inner.keep(&rules);
        }
        Some(rules)
    }
}

impl Inner {
    fn find(&mut self, text: &str) -> Option<Arc<Rules>> {
        self.clock += 1;
        let (rules, used) = self.rules.get_mut(text)?;
        *used = self.clock;
        Some(Arc::clone(rules))
    }

    fn keep(&mut self, rules: &Arc<Rules>) {
        self.n_bytes += rules.text.len();
        let kept = (Arc::clone(rules), self.clock);
        if let Some((replaced, _)) = self.rules.insert(Arc::clone(&rules.text), kept) {
            self.n_bytes -= replaced.text.len();
        }
        while self.rules.len() > MAX_RULES || self.n_bytes > MAX_BYTES {
            let oldest = self.rules.iter().min_by_key(|(_, (_, used))| *used);
            let Some(text) = oldest.map(|(text, _)| Arc::clone(text)) else { return };
            self.rules.remove(&text);
            self.n_bytes -= text.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn annotation(number: usize, length: usize) -> String {
        let text = format!(r#"[{{"name": "{number}"}}]"#);
        format!("{text}{}", " ".repeat(length.saturating_sub(text.len())))
    }

    fn rules(cache: &RulesCache, text: &str) -> Arc<Rules> {
        cache.get(text, &Budget::new(usize::MAX)).expect("the budget is large enough")
    }

    #[test]
    fn the_same_text_is_read_once() {
        let cache = RulesCache::default();
        let first = rules(&cache, &annotation(1, 0));
        assert!(Arc::ptr_eq(&first, &rules(&cache, &annotation(1, 0))));
        assert!(!Arc::ptr_eq(&first, &rules(&cache, &annotation(2, 0))));
        assert_eq!(first.len(), 1);
    }

    #[test]
    fn only_rules_that_are_not_cached_cost_something() {
        let cache = RulesCache::default();
        let text = annotation(1, 100);
        assert!(cache.get(&text, &Budget::new(99)).is_none());
        assert!(cache.get(&text, &Budget::new(100)).is_some());
        assert!(cache.get(&text, &Budget::new(0)).is_some());
        let long = annotation(2, MAX_TEXT + 1);
        assert!(cache.get(&long, &Budget::new(MAX_TEXT + 1)).is_some());
        assert!(cache.get(&long, &Budget::new(MAX_TEXT)).is_none());
    }

    #[test]
    fn a_cache_stays_small() {
        let cache = RulesCache::default();
        let often = rules(&cache, &annotation(0, 100));
        for number in 1..1000 {
            rules(&cache, &annotation(number, (number % 40) << 10));
            rules(&cache, &annotation(0, 100));
        }
        assert!(
            Arc::ptr_eq(&often, &rules(&cache, &annotation(0, 100))),
            "what is used often stays"
        );
        let inner = cache.0.lock().expect("no panic");
        assert!(inner.rules.len() <= MAX_RULES);
        assert!(inner.n_bytes <= MAX_BYTES);
        assert_eq!(inner.n_bytes, inner.rules.keys().map(|it| it.len()).sum::<usize>());
    }
}
