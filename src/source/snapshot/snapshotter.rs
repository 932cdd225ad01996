//! What a start does: `snapshot.mode`, the stored offset, and what became of the position and the schema history.
//!
//! | mode | schema | rows | stream | history lost | position lost |
//! |---|---|---|---|---|---|
//! | initial | first start | first start | yes | error | error |
//! | initial_only | first start | first start | no | no matter | no matter |
//! | no_data | first start | no | yes | error | error |
//! | when_needed | first start | first start | yes | error | as a first start |
//! | always | yes | yes | yes | no matter | no matter |
//! | recovery | yes | no | yes | that is what it is for | error |
//! | configuration_based | by flag | by flag | by flag | by flag | by flag |
//!
//! A start is a first one when there is no offset, or one that a snapshot left behind that did not end.
//!
//! A snapshot begins the stream at its own position. Only where the schema alone is read for a stored position does that stay:
//! `recovery`, and `on.schema.error` of `configuration_based`. The schema of the server is then taken for that of the
//! position, which holds as long as no table was changed in between.

use crate::config::modes::SnapshotMode;
use crate::config::snapshot::SnapshotFlags;

/// What is known before a start decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// There is an offset of a finished snapshot or of the stream.
    pub has_position: bool,
    /// The offset is one of a snapshot that did not end.
    pub snapshot_was_cut_off: bool,
    /// The server has everything that follows the position.
    pub position_is_available: bool,
    /// There is a schema history.
    pub history_exists: bool,
}

/// Where the stream begins, and what comes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// At the position of a snapshot of the schema, and of rows if so.
    Snapshot {
        /// Rows are read, too.
        rows: bool,
    },
    /// At the stored position, for which the schema is read from the server.
    RecoveredSchema,
    /// At the stored position, with the stored history.
    StoredPosition,
    /// At the first binlog that the server has, without a schema.
    FirstBinlog,
}

/// What a start does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// How it begins.
    pub beginning: Beginning,
    /// Whether the binlog is read.
    pub stream: bool,
}

/// Why a start is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no position whose history could be recovered.
    NothingToRecover,
    /// The history is lost.
    HistoryLost,
    /// The server no longer has what follows the position.
    PositionLost,
    /// A snapshot was cut off, and the flags allow no other.
    SnapshotNotAllowed,
}

impl Refusal {
    /// What to do about it.
    pub fn remedy(self) -> &'static str {
        match self {
            Refusal::NothingToRecover => "set snapshot.mode=initial for a first start",
            Refusal::HistoryLost => "start once with snapshot.mode=recovery",
            Refusal::PositionLost => {
                "set snapshot.mode=when_needed, or remove the stored offset to start with a new snapshot"
            }
            Refusal::SnapshotNotAllowed => {
                "set snapshot.mode.configuration.based.snapshot.schema or .snapshot.data to true, or snapshot.mode=initial"
            }
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Refusal::NothingToRecover => "snapshot.mode=recovery wants a stored offset, and there is none",
            Refusal::HistoryLost => "the schema history is missing",
            Refusal::PositionLost => "the server no longer has what follows the stored offset",
            Refusal::SnapshotNotAllowed => {
                "the last snapshot was cut off, and by snapshot.mode=configuration_based no other may be taken"
            }
        })
    }
}

/// Decides; `flags` are those of `configuration_based`.
///
/// # Errors
/// What the mode does not get over.
pub fn decide(mode: SnapshotMode, flags: SnapshotFlags, state: State) -> Result<Decision, Refusal> {
    let first = !state.has_position;
    let flags = flags_of(mode, flags, first);
    let recovers = mode == SnapshotMode::Recovery;
    if recovers && first {
        return Err(Refusal::NothingToRecover);
    }
    let snapshot = Beginning::Snapshot { rows: flags.data };
    let at = |beginning| Ok(Decision { beginning, stream: flags.stream });
    if first {
        if flags.schema || flags.data {
            return at(snapshot);
        }
        // Only the flags can ask for nothing.
        return if state.snapshot_was_cut_off {
            Err(Refusal::SnapshotNotAllowed)
        } else {
            at(Beginning::FirstBinlog)
        };
    }
    // A snapshot with rows needs nothing of what was, and neither does who has nothing to do.
    if flags.data {
        return at(snapshot);
    }
    if !flags.stream && !flags.schema {
        return at(Beginning::StoredPosition);
    }
    if !state.position_is_available && flags.stream {
        let anew = Beginning::Snapshot { rows: true };
        return if flags.on_data_error { at(anew) } else { Err(Refusal::PositionLost) };
    }
    if recovers {
        return at(Beginning::RecoveredSchema);
    }
    if !state.history_exists {
        return if flags.on_schema_error {
            at(Beginning::RecoveredSchema)
        } else {
            Err(Refusal::HistoryLost)
        };
    }
    // A flag that asks for the schema at every start gets it from the history: that of the server may be a later one.
    at(Beginning::StoredPosition)
}

/// A mode as flags.
fn flags_of(mode: SnapshotMode, flags: SnapshotFlags, first: bool) -> SnapshotFlags {
    let initial = SnapshotFlags { data: first, schema: first, stream: true, ..SnapshotFlags::default() };
    match mode {
        SnapshotMode::Initial => initial,
        SnapshotMode::InitialOnly => SnapshotFlags { stream: false, ..initial },
        SnapshotMode::NoData => SnapshotFlags { data: false, ..initial },
        SnapshotMode::WhenNeeded => SnapshotFlags { on_data_error: true, ..initial },
        SnapshotMode::Always => SnapshotFlags { data: true, schema: true, ..initial },
        SnapshotMode::Recovery => {
            SnapshotFlags { data: false, schema: true, on_schema_error: true, ..initial }
        }
        SnapshotMode::ConfigurationBased => flags,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: State = State {
        has_position: false,
        snapshot_was_cut_off: false,
        position_is_available: true,
        history_exists: true,
    };
    const CUT_OFF: State = State { snapshot_was_cut_off: true, ..FIRST };
    const LATER: State = State { has_position: true, ..FIRST };
    const PURGED: State = State { position_is_available: false, ..LATER };
    const NO_HISTORY: State = State { history_exists: false, ..LATER };

    const BOTH: Beginning = Beginning::Snapshot { rows: true };
    const SCHEMA: Beginning = Beginning::Snapshot { rows: false };

    /// Whether the binlog is read behind the beginning.
    fn decided(mode: SnapshotMode, flags: SnapshotFlags, state: State) -> Result<(Beginning, bool), Refusal> {
        decide(mode, flags, state).map(|decision| (decision.beginning, decision.stream))
    }

    /// After Debezium's documentation of `snapshot.mode`, and the golden cases snap_* of each mode.
    #[test]
    fn modes() {
        use Beginning::{RecoveredSchema, StoredPosition};
        use Refusal::{HistoryLost, NothingToRecover, PositionLost};
        use SnapshotMode::{Always, Initial, InitialOnly, NoData, Recovery, WhenNeeded};
        type Outcome = Result<(Beginning, bool), Refusal>;
        let cases: [(SnapshotMode, [Outcome; 5]); 6] = [
            (
                Initial,
                [
                    Ok((BOTH, true)),
                    Ok((BOTH, true)),
                    Ok((StoredPosition, true)),
                    Err(PositionLost),
                    Err(HistoryLost),
                ],
            ),
            (
                InitialOnly,
                [
                    Ok((BOTH, false)),
                    Ok((BOTH, false)),
                    Ok((StoredPosition, false)),
                    Ok((StoredPosition, false)),
                    Ok((StoredPosition, false)),
                ],
            ),
            (
                NoData,
                [
                    Ok((SCHEMA, true)),
                    Ok((SCHEMA, true)),
                    Ok((StoredPosition, true)),
                    Err(PositionLost),
                    Err(HistoryLost),
                ],
            ),
            (
                WhenNeeded,
                [
                    Ok((BOTH, true)),
                    Ok((BOTH, true)),
                    Ok((StoredPosition, true)),
                    Ok((BOTH, true)),
                    Err(HistoryLost),
                ],
            ),
            (Always, [Ok((BOTH, true)); 5]),
            (
                Recovery,
                [
                    Err(NothingToRecover),
                    Err(NothingToRecover),
                    Ok((RecoveredSchema, true)),
                    Err(PositionLost),
                    Ok((RecoveredSchema, true)),
                ],
            ),
        ];
        for (mode, outcomes) in cases {
            for (state, outcome) in [FIRST, CUT_OFF, LATER, PURGED, NO_HISTORY].into_iter().zip(outcomes) {
                assert_eq!(decided(mode, SnapshotFlags::default(), state), outcome, "{mode:?} {state:?}");
            }
        }
    }

    #[test]
    fn flags() {
        let none = SnapshotFlags::default();
        let stream = SnapshotFlags { stream: true, ..none };
        for (flags, state, outcome) in [
            // What `never` was: all that the server's binlogs have, the schema from their statements.
            (stream, FIRST, Ok((Beginning::FirstBinlog, true))),
            (stream, CUT_OFF, Err(Refusal::SnapshotNotAllowed)),
            (stream, LATER, Ok((Beginning::StoredPosition, true))),
            (stream, PURGED, Err(Refusal::PositionLost)),
            (stream, NO_HISTORY, Err(Refusal::HistoryLost)),
            (SnapshotFlags { on_data_error: true, ..stream }, PURGED, Ok((BOTH, true))),
            (
                SnapshotFlags { on_schema_error: true, ..stream },
                NO_HISTORY,
                Ok((Beginning::RecoveredSchema, true)),
            ),
            (SnapshotFlags { schema: true, ..stream }, FIRST, Ok((SCHEMA, true))),
            (SnapshotFlags { schema: true, ..stream }, LATER, Ok((Beginning::StoredPosition, true))),
            (SnapshotFlags { data: true, schema: true, ..none }, LATER, Ok((BOTH, false))),
            (none, LATER, Ok((Beginning::StoredPosition, false))),
        ] {
            assert_eq!(
                decided(SnapshotMode::ConfigurationBased, flags, state),
                outcome,
                "{flags:?} {state:?}"
            );
        }
    }
}
