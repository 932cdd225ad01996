//! Values of the numeric types and BIT.

use crate::generate::Generator;

impl Generator<'_> {
    pub(super) fn integer(&mut self, bytes: u8, unsigned: bool) -> String {
        let bits = u32::from(bytes) * 8;
        let (least, most) = if unsigned {
            (0i128, (1i128 << bits) - 1)
        } else {
            (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
        };
        let any = i128::from(self.random.next()) << 64 | i128::from(self.random.next());
        let number = match self.random.below(10) {
            0 => least,
            1 => most,
            2 => 0,
            3 => 1,
            4 => least + 1,
            5 => most / 2 + 1,
            6 => any.rem_euclid(200) - 100,
            // Beyond the range: the server takes the nearest.
            7 if self.random.chance(10) => most + 1,
            _ => least + any.rem_euclid(most - least + 1),
        };
        number.to_string()
    }

    fn digits(&mut self, count: usize) -> String {
        (0..count).map(|_| char::from(b'0' + self.random.below(10) as u8)).collect()
    }

    pub(super) fn decimal(&mut self, precision: u8, scale: u8, unsigned: bool) -> String {
        let (whole, fraction) = (usize::from(precision - scale), usize::from(scale));
        let sign = if !unsigned && self.random.chance(50) { "-" } else { "" };
        let number = match self.random.below(10) {
            0 => "0".to_owned(),
            1 => format!("{}.{}", "9".repeat(whole), "9".repeat(fraction)),
            2 => format!("0.{}1", "0".repeat(fraction.saturating_sub(1))),
            3 => "0.0".to_owned(),
            // More digits than the column: rounded.
            4 => {
                let whole = self.random.below(whole + 1);
                format!("{}.{}", self.digits(whole), self.digits(fraction + 3))
            }
            5 => format!("1{}", "0".repeat(whole.saturating_sub(1))),
            6 => format!("{}", self.random.below(300)),
            _ => {
                let whole = self.random.below(whole + 1);
                let fraction = self.random.below(fraction + 1);
                format!("{}.{}", self.digits(whole), self.digits(fraction))
            }
        };
        format!("'{sign}{number}'")
    }

    pub(super) fn float(&mut self, single: bool, unsigned: bool) -> String {
        let edges: [f64; 16] = if single {
            [
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.1,
                1e7,
                1e-3,
                9.999999e-4,
                16777216.0,
                16777217.0,
                1e-45,
                1.1754944e-38,
                3.4028234663852886e38,
                -3.4028234663852886e38,
                1234567.9,
                0.33333334,
            ]
        } else {
            [
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.1,
                1e7,
                1e-3,
                9.999999e-4,
                9007199254740993.0,
                1e22,
                5e-324,
                2.2250738585072014e-308,
                f64::MAX,
                -f64::MAX,
                2.0f64.powi(63),
                0.1 + 0.2,
            ]
        };
        let number = match self.random.below(4) {
            0 => edges[self.random.below(edges.len())],
            1 => self.random.between(-100_000, 100_000) as f64 / 100.0,
            _ if single => f64::from(f32::from_bits(self.random.next() as u32)),
            _ => f64::from_bits(self.random.next()),
        };
        let number = if number.is_finite() { number } else { 2.5 };
        let number = if unsigned { number.abs() } else { number };
        // With an exponent it is a double for the server, not a decimal; -0e0 keeps its sign.
        format!("{number:e}")
    }

    pub(super) fn bits(&mut self, length: u8) -> String {
        let all = if length == 64 { u64::MAX } else { (1 << length) - 1 };
        let number = match self.random.below(6) {
            0 => 0,
            1 => all,
            2 => 1 << (length - 1),
            3 => 1,
            _ => self.random.next() & all,
        };
        format!("b'{number:b}'")
    }

    pub(super) fn year(&mut self) -> String {
        match self.random.below(6) {
            0 => "0".to_owned(),
            1 => "'0'".to_owned(),
            2 => "1901".to_owned(),
            3 => "2155".to_owned(),
            4 => format!("'{}'", self.random.below(100)),
            _ => format!("{}", 1901 + self.random.below(255)),
        }
    }
}
