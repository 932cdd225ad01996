//! Random numbers from a seed: SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
//!
//! The same seed gives the same tables and statements on every machine, so that a difference can be looked at again.

/// A sequence of random numbers.
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of a seed and of a part of its work; parts are independent of each other.
    pub fn new(seed: u64, part: u64) -> Self {
        let mut random = Random { state: seed ^ part.wrapping_mul(0xd134_2543_de82_ef95) };
        random.next();
        random
    }

    /// Any 64 bits.
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// 0 to `end` - 1. The bias is far below what matters here.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// `from` to `to`, both included.
    pub fn between(&mut self, from: i64, to: i64) -> i64 {
        let span = (i128::from(to) - i128::from(from) + 1).max(1) as u128;
        (i128::from(from) + (u128::from(self.next()) % span) as i128) as i64
    }

    /// True so many times in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of them; there must be one.
    pub fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// The place of one of the weights, taken in proportion.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (place, weight) in weights.iter().enumerate() {
            match left.checked_sub(*weight) {
                Some(rest) => left = rest,
                None => return place,
            }
        }
        weights.len() - 1
    }

    /// So many random bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }

    /// A length up to `most`: mostly short, sometimes all of it, sometimes zero.
    pub fn length(&mut self, most: usize) -> usize {
        match self.weighted(&[2, 2, 10, 4]) {
            0 => 0,
            1 => most,
            2 => self.below(most.min(12) + 1),
            _ => self.below(most + 1),
        }
    }
}
