//! JSON documents, made by the server's own functions so that every kind of scalar occurs: also those that no JSON text
//! has (decimals, dates, times, bytes), which the server stores as opaque values.

use crate::generate::text::quote;
use crate::generate::{Generator, hex_literal};

impl Generator<'_> {
    pub(super) fn document(&mut self) -> String {
        match self.random.below(40) {
            // Longer than 64 KB: the large format of arrays and objects.
            0 if self.random.chance(15) => {
                let item = self.json_scalar();
                format!("JSON_ARRAY({item}, REPEAT('ab', 40000), {item})")
            }
            1 => "'null'".to_owned(),
            2 => "'{}'".to_owned(),
            3 => "'[]'".to_owned(),
            4..8 => {
                let scalar = self.json_scalar();
                format!("CAST({scalar} AS JSON)")
            }
            8..14 => {
                let text = self.json_text(0);
                quote(&text)
            }
            _ => self.container(0),
        }
    }

    /// A container's expression.
    fn container(&mut self, depth: usize) -> String {
        let count = if self.random.chance(4) { 40 } else { self.random.below(5) };
        let mut items = Vec::new();
        if self.random.chance(50) {
            for place in 0..count {
                let name = self.json_name(place);
                items.push(format!("{}, {}", quote(&name), self.item(depth)));
            }
            return format!("JSON_OBJECT({})", items.join(", "));
        }
        for _ in 0..count {
            items.push(self.item(depth));
        }
        format!("JSON_ARRAY({})", items.join(", "))
    }

    fn item(&mut self, depth: usize) -> String {
        if depth < 4 && self.random.chance(25) { self.container(depth + 1) } else { self.json_scalar() }
    }

    fn json_name(&mut self, place: usize) -> String {
        match self.random.below(8) {
            0 => String::new(),
            1 => format!("é{place}"),
            2 => format!("日本😀{place}"),
            3 => format!("a\"b\\{place}"),
            4 => format!("a long name with blanks {place}"),
            _ => format!("{}{place}", ["a", "b", "cc", "z"][self.random.below(4)]),
        }
    }

    /// An SQL expression that becomes a JSON scalar.
    fn json_scalar(&mut self) -> String {
        match self.random.below(20) {
            0 => "NULL".to_owned(),
            1 => "CAST('true' AS JSON)".to_owned(),
            2 => "CAST('false' AS JSON)".to_owned(),
            3 => self.integer(8, false),
            4 => format!("CAST({} AS UNSIGNED)", self.integer(8, true)),
            5 => self.integer(2, false),
            6 => self.integer(4, false),
            7 | 8 => self.float(false, false),
            9 | 10 => {
                let (precision, scale) =
                    [(65u8, 30u8), (10, 2), (30, 30), (20, 0), (38, 10)][self.random.below(5)];
                let text = self.decimal(precision, scale, false);
                format!("CAST({text} AS DECIMAL({precision},{scale}))")
            }
            11 => {
                let digits = self.random.below(7);
                format!("CAST({} AS TIME({digits}))", self.time(false))
            }
            12 => {
                let digits = self.random.below(7);
                format!("CAST({} AS DATETIME({digits}))", self.date_time(false))
            }
            13 => format!("CAST({} AS DATE)", self.date()),
            14 => {
                let length = self.random.length(40);
                let bytes = self.random.bytes(length);
                format!("CAST({} AS JSON)", hex_literal(&bytes))
            }
            15 => format!("{}", self.random.between(-300, 300)),
            _ => {
                let text = self.json_string();
                format!("CONVERT({} USING utf8mb4)", hex_utf8(&text))
            }
        }
    }

    fn json_string(&mut self) -> String {
        let most = if self.random.chance(2) { 300 } else { 12 };
        let length = self.random.length(most);
        (0..length)
            .map(|_| match self.random.below(8) {
                0 => ['"', '\\', '/', '\u{8}', '\u{c}', '\n', '\r', '\t', '\u{1}', '\u{1f}', '\u{7f}', '\0']
                    [self.random.below(12)],
                1 => ['é', 'ß', '日', '本', '😀', '\u{2028}', '\u{feff}', '\u{10ffff}'][self.random.below(8)],
                _ => char::from(b'!' + self.random.below(94) as u8),
            })
            .collect()
    }

    /// A document as text, in which numbers are integers and doubles.
    fn json_text(&mut self, depth: usize) -> String {
        let count = self.random.below(4);
        match self.random.below(if depth < 4 { 8 } else { 6 }) {
            0 => ["null", "true", "false"][self.random.below(3)].to_owned(),
            1 => self.integer(8, true),
            2 => self.integer(4, false),
            3 => self.float(false, false),
            4 => ["1.0", "-0.0", "1e2", "0.5", "123456.789", "1E-5", "100000000000000000000", "1.10"]
                [self.random.below(8)]
            .to_owned(),
            5 => format!(
                "\"{}\"",
                ["", "a", "é", "\\u0041\\n", "日本", "\\\"", "\\ud83d\\ude00"][self.random.below(7)]
            ),
            6 => {
                let items: Vec<String> = (0..count).map(|_| self.json_text(depth + 1)).collect();
                format!("[{}]", items.join(", "))
            }
            _ => {
                let items: Vec<String> =
                    (0..count).map(|place| format!("\"k{place}\":{}", self.json_text(depth + 1))).collect();
                format!("{{{}}}", items.join(","))
            }
        }
    }

    /// A function that changes a part of the column's document, which the server may log as a difference.
    pub(super) fn document_change(&mut self, column: &str) -> String {
        let path = |generator: &mut Self| {
            let step = |generator: &mut Self| {
                ["a0", "b1", "cc2", "z0", "a1", "new"][generator.random.below(6)].to_owned()
            };
            let first = step(generator);
            match generator.random.below(4) {
                0 => format!("'$[{}]'", generator.random.below(4)),
                1 => format!("'$.{first}[{}]'", generator.random.below(3)),
                2 => format!("'$.{first}.{}'", step(generator)),
                _ => format!("'$.{first}'"),
            }
        };
        let function = ["JSON_SET", "JSON_REPLACE", "JSON_REMOVE", "JSON_SET"][self.random.below(4)];
        let mut arguments = vec![column.to_owned()];
        for _ in 0..1 + self.random.below(3) {
            arguments.push(path(self));
            if function != "JSON_REMOVE" {
                arguments.push(self.item(3));
            }
        }
        format!("{function}({})", arguments.join(", "))
    }
}

/// `_utf8mb4 x'…'`: text without the quoting of string literals.
fn hex_utf8(text: &str) -> String {
    format!("_utf8mb4 {}", hex_literal(text.as_bytes()))
}
