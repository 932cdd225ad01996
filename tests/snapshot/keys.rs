//! Keys of every kind that a table can be cut by, and some that it cannot.

/// A kind of key.
pub struct Key {
    /// Its name, which is that of its table.
    pub name: &'static str,
    /// The columns and the key, as CREATE TABLE has them.
    pub definition: &'static str,
    /// The key of row `n` as a list of expressions; each `n` below 3000 has another one.
    pub value: fn(u32) -> String,
    /// Whether tables with it are cut.
    pub is_cut: bool,
    /// Whether records have a key.
    pub is_key: bool,
}

impl Key {
    /// The names of its columns.
    pub fn columns(&self) -> Vec<&'static str> {
        let parts = self.definition.split(", ").take_while(|part| !part.contains("KEY "));
        parts.filter_map(|part| part.split(' ').next()).collect()
    }
}

/// Scatters numbers, each to another one.
pub fn scattered(n: u32) -> u32 {
    n.wrapping_mul(2_654_435_761) >> 4 ^ n
}

/// Different even to a collation that sees no case and no accents: the number is in it.
fn word(n: u32) -> String {
    let letters = ["a", "B", "é", "Ü", "z", "ß", "ñ", "O"];
    let pick = |shift: u32| letters[(scattered(n) >> shift) as usize % letters.len()];
    format!("'{}{}{}{n}'", pick(0), pick(3), pick(6))
}

const fn cut(name: &'static str, definition: &'static str, value: fn(u32) -> String) -> Key {
    Key { name, definition, value, is_cut: true, is_key: true }
}

const fn whole(name: &'static str, definition: &'static str, value: fn(u32) -> String) -> Key {
    Key { name, definition, value, is_cut: false, is_key: true }
}

const fn keyless(name: &'static str, definition: &'static str, value: fn(u32) -> String) -> Key {
    Key { name, definition, value, is_cut: false, is_key: false }
}

/// All kinds.
pub const KEYS: &[Key] = &[
    cut("k_int", "k INT NOT NULL, PRIMARY KEY (k)", |n| format!("{}", (n * 7).cast_signed() - 9_000)),
    cut("k_zerofill", "k INT(8) UNSIGNED ZEROFILL NOT NULL, PRIMARY KEY (k)", |n| format!("{}", n * 3)),
    cut("k_unsigned", "k BIGINT UNSIGNED NOT NULL, PRIMARY KEY (k)", |n| {
        format!("{}", u64::MAX - u64::from(n) * 3_000_000_000_000_000)
    }),
    cut("k_decimal", "k DECIMAL(20,4) NOT NULL, PRIMARY KEY (k)", |n| {
        format!("{}.{n:04}", i64::from(n % 61) - 30)
    }),
    cut("k_text_ci", "k VARCHAR(40) CHARACTER SET utf8mb4 NOT NULL, PRIMARY KEY (k)", word),
    cut(
        "k_text_bin",
        "k VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, PRIMARY KEY (k)",
        word,
    ),
    cut(
        "k_latin1",
        "k CHAR(20) CHARACTER SET latin1 COLLATE latin1_german2_ci NOT NULL, PRIMARY KEY (k)",
        word,
    ),
    cut("k_utf16", "k VARCHAR(20) CHARACTER SET utf16 NOT NULL, PRIMARY KEY (k)", word),
    cut("k_sjis", "k VARCHAR(20) CHARACTER SET sjis NOT NULL, PRIMARY KEY (k)", |n| format!("'表{n}ソ'")),
    cut("k_quotes", "k VARCHAR(20) CHARACTER SET utf8mb4 NOT NULL, PRIMARY KEY (k)", |n| {
        format!("'''\\\\{n}\"`\\n'")
    }),
    cut("k_binary", "k VARBINARY(8) NOT NULL, PRIMARY KEY (k)", |n| format!("x'00{:08x}00'", scattered(n))),
    cut("k_binary_fixed", "k BINARY(16) NOT NULL, PRIMARY KEY (k)", |n| {
        format!("x'{:032x}'", u128::from(scattered(n)) << 64 | u128::from(n))
    }),
    cut("k_date", "k DATE NOT NULL, PRIMARY KEY (k)", |n| format!("'1000-01-01' + INTERVAL {n} DAY")),
    cut("k_datetime", "k DATETIME(6) NOT NULL, PRIMARY KEY (k)", |n| {
        format!("'2026-01-01 00:00:00.000001' + INTERVAL {} MICROSECOND", u64::from(n) * 777_777)
    }),
    cut("k_timestamp", "k TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), PRIMARY KEY (k)", |n| {
        format!("FROM_UNIXTIME({}.{:03})", 1_700_000_000 + n / 5, n % 5 * 200)
    }),
    cut("k_time", "k TIME NOT NULL, PRIMARY KEY (k)", |n| {
        format!("SEC_TO_TIME({})", i64::from(n) * 1_900 - 2_800_000)
    }),
    cut(
        "k_composite",
        "a INT NOT NULL, k VARCHAR(10) NOT NULL, b DATE NOT NULL, PRIMARY KEY (a, k, b)",
        |n| format!("{}, 'x{}', '2026-01-01' + INTERVAL {n} DAY", n % 3, n % 11),
    ),
    cut("k_reversed", "k INT NOT NULL, a INT NOT NULL, PRIMARY KEY (a, k)", |n| format!("{n}, {}", n % 4)),
    cut("k_unique", "k INT NOT NULL, UNIQUE KEY u (k)", |n| format!("{n}")),
    keyless("k_none", "k INT", |n| format!("{n}")),
    keyless("k_nullable", "k INT, UNIQUE KEY u (k)", |n| format!("{n}")),
    whole("k_prefix", "k VARCHAR(60) NOT NULL, PRIMARY KEY (k(10))", |n| format!("'{n:08}-and-more'")),
    whole("k_double", "k DOUBLE NOT NULL, PRIMARY KEY (k)", |n| format!("{n}e-1")),
    whole("k_enum", "k ENUM('z','a','m') NOT NULL, a INT NOT NULL, PRIMARY KEY (k, a)", |n| {
        format!("{}, {n}", n % 3 + 1)
    }),
];
