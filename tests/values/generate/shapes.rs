//! Values of the spatial types, as well-known text with an SRID.

use crate::generate::Generator;
use crate::server::Version;

/// The subtypes that a GEOMETRYCOLLECTION is made of.
const PARTS: [&str; 6] = ["POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON"];

impl Generator<'_> {
    pub(super) fn geometry(&mut self, subtype: &str, srid: Option<u32>) -> String {
        let srid = srid.unwrap_or_else(|| match self.server.version {
            // Any number will do.
            Version::MySql57 => [0, 0, 4326, 1, u32::MAX][self.random.below(5)],
            // Only those that the server knows.
            Version::MySql80 | Version::MySql97 => [0, 0, 4326, 3857][self.random.below(4)],
        });
        let subtype = match subtype {
            "GEOMETRY" => self.random.pick(&[
                "POINT",
                "LINESTRING",
                "POLYGON",
                "MULTIPOINT",
                "MULTILINESTRING",
                "MULTIPOLYGON",
                "GEOMETRYCOLLECTION",
            ]),
            other => other,
        };
        let text = self.shape(subtype, 0);
        if srid == 0 && self.random.chance(50) {
            return format!("ST_GeomFromText('{text}')");
        }
        format!("ST_GeomFromText('{text}', {srid})")
    }

    fn shape(&mut self, subtype: &str, depth: usize) -> String {
        let body = match subtype {
            "POINT" => format!("({})", self.point()),
            "LINESTRING" => self.line(),
            "POLYGON" => self.rings(),
            "MULTIPOINT" => self.several(|generator| format!("({})", generator.point())),
            "MULTILINESTRING" => self.several(Self::line),
            "MULTIPOLYGON" => self.several(Self::rings),
            _ if self.random.chance(20) => "()".to_owned(),
            _ => self.several(|generator| {
                let nested = depth < 2 && generator.random.chance(20);
                let part = if nested {
                    "GEOMETRYCOLLECTION"
                } else {
                    generator.random.pick(&PARTS.map(|part| part))
                };
                generator.shape(part, depth + 1)
            }),
        };
        format!("{subtype}{body}")
    }

    /// Within the bounds of latitudes, so that every reference system takes it.
    fn coordinate(&mut self) -> f64 {
        match self.random.below(6) {
            0 => 0.0,
            1 => self.random.between(-80, 80) as f64,
            2 => -0.1,
            3 => 1e-7,
            _ => self.random.between(-80_000_000_000, 80_000_000_000) as f64 / 1e9,
        }
    }

    fn point(&mut self) -> String {
        format!("{} {}", self.coordinate(), self.coordinate())
    }

    fn line(&mut self) -> String {
        let points: Vec<String> = (0..2 + self.random.below(4)).map(|_| self.point()).collect();
        format!("({})", points.join(","))
    }

    /// A square, sometimes with a square hole: polygons must be closed.
    fn rings(&mut self) -> String {
        let (x, y) = (self.random.between(-40, 30), self.random.between(-40, 30));
        let square = |from: i64, side: i64| {
            let (x, y) = (x + from, y + from);
            format!("({x} {y},{} {y},{} {},{x} {},{x} {y})", x + side, x + side, y + side, y + side)
        };
        if self.random.chance(30) {
            format!("({},{})", square(0, 20), square(5, 5))
        } else {
            format!("({})", square(0, 9))
        }
    }

    fn several(&mut self, mut one: impl FnMut(&mut Self) -> String) -> String {
        let all: Vec<String> = (0..1 + self.random.below(3)).map(|_| one(self)).collect();
        format!("({})", all.join(","))
    }
}
