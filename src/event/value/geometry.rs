//! GEOMETRY and its kin: POINT, LINESTRING, POLYGON, their MULTI forms, GEOMETRYCOLLECTION.
//!
//! The server stores the SRID (4 bytes, little endian) and the geometry in WKB; both paths have just that. It becomes a
//! struct of the WKB and the SRID, null for 0: `io.debezium.data.geometry.Geometry`, which is optional whatever the
//! column says. A POINT is `io.debezium.data.geometry.Point`, which has the coordinates too, as they are stored:
//! longitude first in a geographic reference system. Manual: "Internal Geometry Storage Format", "Well-Known Binary (WKB)
//! Format".

use crate::connect::cell::{CellSink, ColumnValue, Scalar};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::{Compiled, Family};

/// A column of geometries.
#[derive(Clone, Copy, Debug)]
pub enum Geometry {
    /// Of points alone.
    Point,
    /// Of any other kind.
    Any,
}

/// GEOMETRYCOLLECTION EMPTY, which stands for a missing value where the column allows none.
const EMPTY: [u8; 9] = [1, 7, 0, 0, 0, 0, 0, 0, 0];

/// The size of a point in WKB: byte order, type, two coordinates.
const POINT_SIZE: usize = 21;

/// A column of points.
pub(super) fn compile_point() -> Compiled {
    let schema = Schema {
        doc: Some("Geometry (POINT)".to_owned()),
        ..Schema::new(Type::Struct).named("io.debezium.data.geometry.Point", Some(1))
    };
    Compiled {
        family: Family::Geometry(Geometry::Point),
        schema: schema
            .field("x", Schema::new(Type::Float64))
            .field("y", Schema::new(Type::Float64))
            .field("wkb", Schema::new(Type::Bytes).optional())
            .field("srid", Schema::new(Type::Int32).optional()),
        // Geometries have only expressions as defaults.
        default: Ok(None),
        // No point stands for a missing one.
        zero: Value::Null,
    }
}

/// A column of other geometries.
pub(super) fn compile() -> Compiled {
    let schema = Schema {
        doc: Some("Geometry".to_owned()),
        ..Schema::new(Type::Struct).named("io.debezium.data.geometry.Geometry", Some(1))
    };
    Compiled {
        family: Family::Geometry(Geometry::Any),
        schema: schema
            .optional()
            .field("wkb", Schema::new(Type::Bytes))
            .field("srid", Schema::new(Type::Int32).optional()),
        default: Ok(None),
        zero: Value::Struct(vec![Value::Bytes(EMPTY.to_vec()), Value::Null]),
    }
}

/// The coordinates of a point in WKB.
fn coordinates(wkb: &[u8]) -> Option<(f64, f64)> {
    if wkb.len() != POINT_SIZE {
        return None;
    }
    let (order, rest) = wkb.split_first()?;
    let (kind, rest) = rest.split_first_chunk()?;
    let (x, rest) = rest.split_first_chunk()?;
    let (y, _) = rest.split_first_chunk()?;
    let (kind, x, y) = match order {
        0 => (u32::from_be_bytes(*kind), f64::from_be_bytes(*x), f64::from_be_bytes(*y)),
        _ => (u32::from_le_bytes(*kind), f64::from_le_bytes(*x), f64::from_le_bytes(*y)),
    };
    (kind == 1).then_some((x, y))
}

impl Geometry {
    #[inline]
    pub(super) fn write<S: CellSink>(&self, value: ColumnValue<'_>, sink: &mut S) -> Result<(), Failure> {
        let ColumnValue::Bytes(bytes) = value else { return Err(OTHER_KIND) };
        let Some((srid, wkb)) = bytes.split_first_chunk() else {
            return Err(Failure::Unrepresentable("the geometry ends within its SRID"));
        };
        // Connect has no unsigned INT32: the upper half of the SRIDs is negative.
        let srid = match i32::from_le_bytes(*srid) {
            0 => Scalar::Null,
            srid => Scalar::Integer(srid.into()),
        };
        match self {
            Geometry::Any => sink.fields(&[("wkb", Scalar::Bytes(wkb)), ("srid", srid)]),
            Geometry::Point => {
                let (x, y) =
                    coordinates(wkb).ok_or(Failure::Unrepresentable("the POINT is no point in WKB"))?;
                sink.fields(&[
                    ("x", Scalar::Float64(x)),
                    ("y", Scalar::Float64(y)),
                    ("wkb", Scalar::Bytes(wkb)),
                    ("srid", srid),
                ]);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::modes::FailureHandlingMode;
    use crate::event::value::error::ValueError;
    use crate::event::value::tests::{TestColumn, config};

    /// POINT(90 45) in SRS 4326, as `st_geomfromtext('POINT(45 90)', 4326)` stores it.
    const POINT: [u8; 25] =
        [0xe6, 0x10, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x56, 0x40, 0, 0, 0, 0, 0, 0x80, 0x46, 0x40];

    /// types_geometry `geo.ps`, `geo.gc2`, `geonn`.
    #[test]
    fn geometries_are_wkb_with_their_srid() {
        let point = TestColumn::new("POINT");
        assert_eq!(
            point.schema_json(&config()),
            r#"{"type":"struct","fields":[{"type":"double","optional":false,"field":"x"},{"type":"double","optional":false,"field":"y"},{"type":"bytes","optional":true,"field":"wkb"},{"type":"int32","optional":true,"field":"srid"}],"optional":false,"name":"io.debezium.data.geometry.Point","version":1,"doc":"Geometry (POINT)"}"#
        );
        assert_eq!(
            point.json(&config(), ColumnValue::Bytes(&POINT)),
            r#"{"x":90.0,"y":45.0,"wkb":"AQEAAAAAAAAAAIBWQAAAAAAAgEZA","srid":4326}"#
        );
        let any = TestColumn::new("GEOMCOLLECTION");
        assert_eq!(
            any.schema_json(&config()),
            r#"{"type":"struct","fields":[{"type":"bytes","optional":false,"field":"wkb"},{"type":"int32","optional":true,"field":"srid"}],"optional":true,"name":"io.debezium.data.geometry.Geometry","version":1,"doc":"Geometry"}"#
        );
        let empty = r#"{"wkb":"AQcAAAAAAAAA","srid":null}"#;
        assert_eq!(any.json(&config(), ColumnValue::Bytes(&[0, 0, 0, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0])), empty);
        assert_eq!(any.json(&config(), ColumnValue::Null), empty);
        assert_eq!(any.optional().json(&config(), ColumnValue::Null), "null");
    }

    #[test]
    fn what_is_no_geometry_is_a_failure() {
        let mut config = config();
        for mode in [FailureHandlingMode::Warn, FailureHandlingMode::Fail] {
            config.converting_failure = mode;
            for (column, bytes) in [
                (TestColumn::new("POINT"), &POINT[..24]),
                (TestColumn::new("POINT"), &POINT[..3]),
                (TestColumn::new("POINT").optional(), &[0, 0, 0, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0]),
                (TestColumn::new("POLYGON"), &POINT[..3]),
            ] {
                let json = column.try_json(&config, ColumnValue::Bytes(bytes));
                match mode {
                    FailureHandlingMode::Fail => assert!(matches!(json, Err(ValueError::Conversion { .. }))),
                    _ if column.optional || column.type_name == "POLYGON" => {
                        assert_eq!(json.unwrap(), "null")
                    }
                    _ => assert!(matches!(json, Err(ValueError::Required { .. }))),
                }
            }
        }
        config.converting_failure = FailureHandlingMode::Warn;
        let missing = TestColumn::new("POINT").try_json(&config, ColumnValue::Null);
        assert!(matches!(missing, Err(ValueError::Required { .. })));
    }
}
