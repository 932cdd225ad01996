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
