//! A part of all targets, for one of several machines.

use std::str::FromStr;

/// One of `n` parts: `K/N`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Counted from 0.
    at: usize,
    n_shards: usize,
}

impl Shard {
    /// Whether it is the first part, which is empty only if there are no items.
    pub fn is_first(self) -> bool {
        self.at == 0
    }

    /// The items of this shard. Items are distributed in turn, so each item is in exactly one
    /// shard, and all shards have almost the same size.
    pub fn of<T: Copy>(self, items: &[T]) -> Vec<T> {
        items.iter().copied().skip(self.at).step_by(self.n_shards).collect()
    }
}

impl FromStr for Shard {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (k, n) = text.split_once('/').ok_or(())?;
        let (k, n): (usize, usize) = (k.parse().map_err(drop)?, n.parse().map_err(drop)?);
        if k == 0 || k > n {
            return Err(());
        }
        Ok(Self { at: k - 1, n_shards: n })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_in_one_shard() {
        let items = [0, 1, 2, 3, 4];
        let shard = |text: &str| text.parse::<Shard>().map(|it| it.of(&items));
        assert_eq!(shard("1/2"), Ok(vec![0, 2, 4]));
        assert_eq!(shard("2/2"), Ok(vec![1, 3]));
        assert_eq!(shard("7/7"), Ok(vec![]));
        for wrong in ["", "1", "0/2", "3/2", "1/0", "a/b"] {
            assert_eq!(shard(wrong), Err(()), "{wrong}");
        }
    }
}
