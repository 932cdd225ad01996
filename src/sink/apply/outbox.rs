//! Batches between the table that filled them and the server's confirmation.
//!
//! A batch is a *parcel*; cut in pieces it stays one, and its records are released when the last piece is stored or put aside. A
//! piece that failed waits for its next attempt, which has the same token. Starts are spread over time (`inserts.per.second`),
//! so that thousands of quiet tables do not fill the server with small parts.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::sink::apply::batch::Batch;
use crate::sink::apply::senders::{Outcome, Senders, Shipment};
use crate::sink::consumer::held::HeldRecords;

/// What is known of a piece on its way.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Its table.
    pub table: usize,
    /// Its parcel.
    parcel: u64,
    /// Failures so far.
    pub failures: u32,
    /// When it failed first.
    pub failing_since: Option<Instant>,
    weight: usize,
    /// Of a table whose changes are rows: the offset of its first record. What came before it has to be stored first.
    ordered: Option<i64>,
}

struct Parcel {
    pieces: usize,
    held: HeldRecords,
}

fn first_offset(batch: &Batch) -> Option<i64> {
    batch.marks.first().map(|mark| mark.offset)
}

/// All parcels.
pub struct Outbox {
    senders: Senders,
    capacity: usize,
    in_flight: usize,
    numbers: u64,
    pieces: HashMap<u64, Piece>,
    parcels: HashMap<u64, Parcel>,
    waiting: Vec<(Instant, Shipment)>,
    weight: usize,
    starts_per_second: u32,
    allowance: f64,
    counted: Instant,
    run: String,
}

impl Outbox {
    /// With threads of its own. `run` makes the tokens of this run differ from all others.
    pub fn new(senders: Senders, capacity: usize, starts_per_second: u32, run: String) -> Self {
        Outbox {
            senders,
            capacity,
            in_flight: 0,
            numbers: 0,
            pieces: HashMap::new(),
            parcels: HashMap::new(),
            waiting: Vec::new(),
            weight: 0,
            starts_per_second,
            allowance: f64::from(starts_per_second),
            counted: Instant::now(),
            run,
        }
    }

    /// Whether a batch that is handed in now is sent at once.
    pub fn has_room(&mut self) -> bool {
        let elapsed = self.counted.elapsed();
        self.counted += elapsed;
        let rate = f64::from(self.starts_per_second);
        self.allowance = elapsed.as_secs_f64().mul_add(rate, self.allowance).min(rate);
        self.in_flight < self.capacity && self.allowance >= 1.0
    }

    /// Bytes of all batches that are not confirmed.
    pub const fn weight(&self) -> usize {
        self.weight
    }

    /// Sends a batch.
    pub fn post(&mut self, table: usize, mut batch: Batch) {
        self.numbers += 1;
        let parcel = self.numbers;
        self.parcels.insert(parcel, Parcel { pieces: 1, held: std::mem::take(&mut batch.held) });
        let weight = batch.weight();
        self.weight += weight;
        let ordered = batch.only_behind.as_ref().and_then(|_| first_offset(&batch));
        let piece = Piece { table, parcel, failures: 0, failing_since: None, weight, ordered };
        self.start(parcel, piece, batch);
    }

    fn start(&mut self, number: u64, piece: Piece, batch: Batch) {
        self.pieces.insert(number, piece);
        let token = format!("{}-{number}", self.run);
        let shipment = Shipment { number, token, batch };
        if self.is_next(number) {
            self.submit(shipment)
        } else {
            self.waiting.push((Instant::now(), shipment))
        }
    }

    fn submit(&mut self, shipment: Shipment) {
        self.in_flight += 1;
        self.allowance -= 1.0;
        self.senders.send(shipment);
    }

    /// Sends what has waited long enough.
    pub fn send_waiting(&mut self) {
        let now = Instant::now();
        while self.in_flight < self.capacity
            && let Some(at) =
                self.waiting.iter().position(|(due, shipment)| *due <= now && self.is_next(shipment.number))
        {
            let (_, shipment) = self.waiting.swap_remove(at);
            self.submit(shipment);
        }
    }

    /// Whether nothing of its table has to be stored before a piece.
    fn is_next(&self, number: u64) -> bool {
        let Some(piece) = self.pieces.get(&number) else { return true };
        let is_before = |other: &Piece| other.table == piece.table && other.ordered < piece.ordered;
        piece.ordered.is_none() || !self.pieces.values().any(is_before)
    }

    /// The next outcome within the time, with what is known of it.
    pub fn receive(&mut self, wait: Duration) -> Option<(Piece, Outcome)> {
        let outcome = self.senders.receive(wait)?;
        self.in_flight = self.in_flight.saturating_sub(1);
        let piece = self.pieces.get(&outcome.0.number).copied()?;
        Some((piece, outcome))
    }

    /// A piece failed and is sent again.
    pub fn retry(&mut self, shipment: Shipment, after: Duration) {
        if let Some(piece) = self.pieces.get_mut(&shipment.number) {
            piece.failures += 1;
            piece.failing_since.get_or_insert_with(Instant::now);
        }
        self.waiting.push((Instant::now() + after, shipment));
    }

    /// Cuts a piece in two and sends both; gives it back when it is one record.
    pub fn split(&mut self, mut shipment: Shipment) -> Option<Shipment> {
        let Some(second) = shipment.batch.split() else { return Some(shipment) };
        let piece = self.pieces.remove(&shipment.number)?;
        if let Some(parcel) = self.parcels.get_mut(&piece.parcel) {
            parcel.pieces += 1;
        }
        for (batch, weight) in [(shipment.batch, 0), (second, piece.weight)] {
            self.numbers += 1;
            let ordered = piece.ordered.and_then(|_| first_offset(&batch));
            let half = Piece { failures: 0, failing_since: None, weight, ordered, ..piece };
            self.start(self.numbers, half, batch);
        }
        None
    }

    /// A piece is stored or put aside. What its parcel held when it was the last one.
    pub fn done(&mut self, number: u64) -> Option<HeldRecords> {
        let piece = self.pieces.remove(&number)?;
        self.weight = self.weight.saturating_sub(piece.weight);
        let parcel = self.parcels.get_mut(&piece.parcel)?;
        parcel.pieces -= 1;
        if parcel.pieces > 0 {
            return None;
        }
        self.parcels.remove(&piece.parcel).map(|parcel| parcel.held)
    }

    /// A piece is given up; what its parcel holds stays held.
    pub fn give_up(&mut self, number: u64) {
        if let Some(piece) = self.pieces.remove(&number) {
            self.weight = self.weight.saturating_sub(piece.weight);
            self.parcels.remove(&piece.parcel);
        }
    }

    /// Gives up what waits for its next attempt, of one table.
    pub fn give_up_waiting(&mut self, table: usize) {
        let pieces = &self.pieces;
        let is_its =
            |shipment: &Shipment| pieces.get(&shipment.number).is_some_and(|piece| piece.table == table);
        let numbers: Vec<u64> = self
            .waiting
            .iter()
            .filter(|(_, shipment)| is_its(shipment))
            .map(|(_, shipment)| shipment.number)
            .collect();
        self.waiting.retain(|(_, shipment)| !numbers.contains(&shipment.number));
        for number in numbers {
            self.give_up(number);
        }
    }

    /// Pieces of a table that are not confirmed.
    pub fn open_of(&self, table: usize) -> usize {
        self.pieces.values().filter(|piece| piece.table == table).count()
    }

    /// Whether a table has a piece that failed.
    pub fn fails(&self, table: usize) -> bool {
        self.pieces.values().any(|piece| piece.table == table && piece.failures > 0)
    }

    /// Whether everything is confirmed.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;
    use crate::sink::apply::batch::{NewestRows, Origin};
    use crate::sink::clickhouse::client::Answer;
    use crate::sink::clickhouse::insert::InsertStatement;
    use crate::sink::clickhouse::summary::Summary;
    use crate::sink::consumer::AssignmentId;
    use crate::sink::table::column_type::ColumnType;

    /// A server of the test's own: it sees what is sent and answers.
    struct Server {
        sent: Receiver<Shipment>,
        answers: Sender<Outcome>,
    }

    fn outbox(capacity: usize) -> (Outbox, Server) {
        let (to, sent) = channel();
        let (answers, from) = channel();
        (Outbox::new(Senders::of(to, from), capacity, 100, "run".to_owned()), Server { sent, answers })
    }

    /// A batch of records with these offsets.
    fn batch(offsets: std::ops::Range<i64>, ordered: bool) -> Batch {
        let insert = InsertStatement::new("d", "t", &[("id", &ColumnType::parse("Int8"))]);
        let mut batch = Batch::new(Arc::new(insert), &[]);
        let origin = Origin { assignment: AssignmentId(1), topic: Arc::from("t"), partition: 0 };
        for offset in offsets {
            batch.bytes.push(1);
            batch.add(&origin, offset, 9, 1);
        }
        batch.only_behind = ordered.then(|| (Arc::from("_version"), NewestRows::default()));
        batch
    }

    impl Server {
        /// The first offsets of what was sent.
        fn sent(&self) -> Vec<Shipment> {
            self.sent.try_iter().collect()
        }

        /// It answers, whatever that means for the test.
        fn answer(&self, outbox: &mut Outbox, shipment: Shipment) -> Shipment {
            let answer = Answer { body: Vec::new(), summary: Summary::default(), query_id: String::new() };
            self.answers.send((shipment, Ok(answer))).unwrap();
            outbox.receive(Duration::ZERO).unwrap().1.0
        }
    }

    fn offsets(shipments: &[Shipment]) -> Vec<i64> {
        shipments.iter().map(|shipment| shipment.batch.marks[0].offset).collect()
    }

    #[test]
    fn records_are_released_with_the_last_piece_of_their_batch() {
        let (mut outbox, server) = outbox(3);
        outbox.post(0, batch(0..4, false));
        let whole = server.answer(&mut outbox, server.sent().remove(0));
        assert!(outbox.split(whole).is_none());
        let halves = server.sent();
        assert_eq!(offsets(&halves), [0, 2]);
        assert_ne!(halves[0].token, halves[1].token);
        let weight = outbox.weight();
        let mut released = Vec::new();
        for half in halves.into_iter().rev() {
            let shipment = server.answer(&mut outbox, half);
            released.push(outbox.done(shipment.number).map(|mut held| held.drain().collect::<Vec<_>>()));
        }
        assert_eq!(released, [None, Some(vec![(AssignmentId(1), 0)])]);
        assert!(weight > 0 && outbox.weight() == 0 && outbox.is_empty());
    }

    #[test]
    fn a_repeated_insert_has_its_token_and_its_time() {
        let (mut outbox, server) = outbox(3);
        outbox.post(4, batch(0..1, false));
        let first = server.answer(&mut outbox, server.sent().remove(0));
        let token = first.token.clone();
        outbox.retry(first, Duration::from_secs(60));
        outbox.send_waiting();
        assert!(server.sent().is_empty() && outbox.fails(4) && outbox.open_of(4) == 1);
        outbox.waiting[0].0 = Instant::now();
        outbox.send_waiting();
        let again = server.answer(&mut outbox, server.sent().remove(0));
        assert_eq!(again.token, token);
        outbox.retry(again, Duration::from_secs(60));
        outbox.give_up_waiting(4);
        assert!(outbox.is_empty() && outbox.weight() == 0);
    }

    /// What is stored must always be what came first: the next start counts on it.
    #[test]
    fn r_2_pieces_of_rows_without_a_key_go_in_their_order() {
        let (mut outbox, server) = outbox(3);
        outbox.post(0, batch(0..8, true));
        outbox.post(1, batch(100..101, true));
        let mut sent = server.sent();
        assert_eq!(offsets(&sent), [0, 100], "another table does not wait");
        let whole = server.answer(&mut outbox, sent.remove(0));
        assert!(outbox.split(whole).is_none());
        let mut open = server.sent();
        assert_eq!(offsets(&open), [0]);
        // Cut again: its second half still goes before what came after it.
        let half = server.answer(&mut outbox, open.remove(0));
        assert!(outbox.split(half).is_none());
        for wanted in [[0], [2], [4]] {
            outbox.send_waiting();
            let mut now = server.sent();
            assert_eq!(offsets(&now), wanted);
            let stored = server.answer(&mut outbox, now.remove(0));
            outbox.done(stored.number);
        }
        assert_eq!(outbox.open_of(0), 0);
    }
}
