//! The numeric types and BIT.

use crate::column::Kind;
use crate::generate::Generator;
use crate::generate::columns::{Declared, Place};
use crate::generate::text::quote;

impl Generator<'_> {
    pub(super) fn integer_type(&mut self, place: Place, auto_increment: bool) -> Declared {
        if auto_increment && place == Place::Free && self.random.chance(10) {
            let kind = Kind::Integer { bytes: 8, unsigned: true, boolean: false };
            return Declared { serial: true, ..Declared::new(kind, "SERIAL") };
        }
        if self.random.chance(12) {
            let kind = Kind::Integer { bytes: 1, unsigned: false, boolean: true };
            let default = Some(["true", "FALSE", "1", "'0'"][self.random.below(4)].to_owned());
            return Declared { default, ..Declared::new(kind, ["BOOL", "BOOLEAN"][self.random.below(2)]) };
        }
        let (bytes, names): (u8, &[&str]) = [
            (1, &["TINYINT", "INT1", "TINYINT(1)"] as &[&str]),
            (2, &["SMALLINT", "INT2"]),
            (3, &["MEDIUMINT", "INT3", "MIDDLEINT"]),
            (4, &["INT", "INTEGER", "INT4"]),
            (8, &["BIGINT", "INT8"]),
        ][self.random.below(5)];
        let mut sql = self.random.pick(names).to_owned();
        if !sql.contains('(') && self.random.chance(25) {
            sql.push_str(&format!("({})", 1 + self.random.below(20)));
        }
        let attribute = ["", "", " SIGNED", " UNSIGNED", " UNSIGNED", " ZEROFILL", " UNSIGNED ZEROFILL"]
            [self.random.below(7)];
        sql.push_str(attribute);
        let unsigned = attribute.contains("UNSIGNED") || attribute.contains("ZEROFILL");
        Declared::new(Kind::Integer { bytes, unsigned, boolean: false }, sql).with_quoted_integer(self)
    }

    pub(super) fn decimal_type(&mut self) -> Declared {
        let name = self.random.pick(&["DECIMAL", "NUMERIC", "DEC", "FIXED"]);
        let (precision, scale, mut sql) = match self.random.below(6) {
            0 => (10, 0, name.to_owned()),
            1 => {
                let precision = 1 + self.random.below(65) as u8;
                (precision, 0, format!("{name}({precision})"))
            }
            2 => (65, 30, format!("{name}(65,30)")),
            _ => {
                let precision = 1 + self.random.below(65) as u8;
                let scale = self.random.below(usize::from(precision.min(30)) + 1) as u8;
                (precision, scale, format!("{name}({precision},{scale})"))
            }
        };
        let attribute = ["", "", "", " UNSIGNED", " ZEROFILL"][self.random.below(5)];
        sql.push_str(attribute);
        let unsigned = !attribute.is_empty();
        let mut declared = Declared::new(Kind::Decimal { precision, scale, unsigned }, sql);
        let whole = usize::from(precision - scale).min(3);
        let sign = if !unsigned && self.random.chance(40) { "-" } else { "" };
        let number = format!("{sign}{}", &"123"[..whole]);
        let number = if whole == 0 { "0".to_owned() } else { number };
        let number = if scale > 0 { format!("{number}.{}", self.random.below(10)) } else { number };
        declared.default = Some(if self.random.chance(50) { quote(&number) } else { number });
        declared
    }

    pub(super) fn float_type(&mut self) -> Declared {
        let digits = || "(12,4)".to_owned();
        let (single, narrow, mut sql) = match self.random.below(8) {
            0 | 1 => (true, true, "FLOAT".to_owned()),
            2 => {
                let bits = self.random.below(25);
                (true, true, format!("FLOAT({bits})"))
            }
            3 => (false, false, format!("FLOAT({})", 25 + self.random.below(29))),
            4 => (true, false, format!("FLOAT{}", digits())),
            5 => (false, false, format!("DOUBLE{}", digits())),
            6 => (true, true, "FLOAT4".to_owned()),
            _ => {
                (false, false, self.random.pick(&["DOUBLE", "DOUBLE PRECISION", "REAL", "FLOAT8"]).to_owned())
            }
        };
        let attribute = ["", "", "", " UNSIGNED", " ZEROFILL"][self.random.below(5)];
        sql.push_str(attribute);
        let unsigned = !attribute.is_empty();
        let mut declared = Declared::new(Kind::Float { single, narrow, unsigned }, sql);
        declared.default = Some(["1.5", "'0.25'", "1e3", "0", "12.3"][self.random.below(5)].to_owned());
        declared
    }

    pub(super) fn bit_type(&mut self) -> Declared {
        match self.random.below(4) {
            0 => Declared::new(Kind::Bit { length: 1 }, ["BIT", "BIT(1)"][self.random.below(2)]),
            1 => Declared::new(Kind::Bit { length: 64 }, "BIT(64)"),
            _ => {
                let length = 1 + self.random.below(64) as u8;
                Declared::new(Kind::Bit { length }, format!("BIT({length})"))
            }
        }
    }
}

impl Declared {
    /// Integers take their defaults also as text.
    fn with_quoted_integer(mut self, generator: &mut Generator<'_>) -> Self {
        if let Kind::Integer { bytes, unsigned, .. } = self.kind {
            // Within the range: a default beyond it is refused.
            let number = generator.random.between(if unsigned { 0 } else { -100 }, 100);
            let number = if bytes > 1 && generator.random.chance(20) { number * 300 } else { number };
            let text = number.to_string();
            self.default = Some(if generator.random.chance(50) { quote(&text) } else { text });
        }
        self
    }
}
