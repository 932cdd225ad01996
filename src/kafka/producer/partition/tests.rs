use std::time::Duration;

use super::*;
use crate::kafka::producer::compression::Compression;
use crate::kafka::producer::record::RecordBytes;

const NODE: usize = 3;

fn closed(records: usize) -> ClosedBatch {
    let mut open = OpenBatch::new(Vec::new(), 0, Instant::now());
    for _ in 0..records {
        open.append(&RecordBytes::default(), 0, 0);
    }
    open.close(Compression::None, None).unwrap().0
}

/// A proven partition with so many batches of ten records, tickets from 0 on.
fn partition(batches: u64) -> Partition {
    let mut partition = Partition { proven: true, ..Partition::default() };
    (0..batches).for_each(|ticket| partition.push(closed(10), ticket));
    partition
}

fn send(partition: &mut Partition, node: usize) -> Option<u64> {
    let place = partition.next_to_send(Instant::now(), node, MOST_IN_FLIGHT)?;
    let batch = &mut partition.unacknowledged[place];
    batch.in_flight = true;
    batch.attempts += 1;
    partition.asked = Some(node);
    Some(batch.ticket)
}

fn refuse(partition: &mut Partition, ticket: u64) {
    let place = partition.position(ticket).unwrap();
    partition.unacknowledged[place].in_flight = false;
}

fn acknowledge(partition: &mut Partition, ticket: u64) {
    let place = partition.position(ticket).unwrap();
    partition.unacknowledged.remove(place);
    partition.proven = true;
}

#[test]
fn five_are_in_flight_at_most() {
    let mut partition = partition(7);
    let sent: Vec<u64> = std::iter::from_fn(|| send(&mut partition, NODE)).collect();
    assert_eq!(sent, [0, 1, 2, 3, 4]);
    acknowledge(&mut partition, 0);
    assert_eq!(send(&mut partition, NODE), Some(5));
    assert_eq!(send(&mut partition, NODE), None);
    let sequences: Vec<i32> = partition.unacknowledged.iter().map(|batch| batch.sequence).collect();
    assert_eq!(sequences, [10, 20, 30, 40, 50, 60]);
}

#[test]
fn the_first_batch_of_a_producer_goes_alone() {
    let mut partition = partition(3);
    partition.proven = false;
    assert_eq!((send(&mut partition, NODE), send(&mut partition, NODE)), (Some(0), None));
    acknowledge(&mut partition, 0);
    assert_eq!((send(&mut partition, NODE), send(&mut partition, NODE)), (Some(1), Some(2)));
}

#[test]
fn after_a_failure_batches_go_again_in_order_one_at_a_time() {
    let mut partition = partition(5);
    assert_eq!((0..3).filter_map(|_| send(&mut partition, NODE)).count(), 3);
    refuse(&mut partition, 0);
    assert_eq!(send(&mut partition, NODE), None, "1 and 2 are still out");
    refuse(&mut partition, 1);
    refuse(&mut partition, 2);
    for ticket in 0..3 {
        assert_eq!(send(&mut partition, NODE), Some(ticket));
        assert_eq!(send(&mut partition, NODE), None, "{ticket} is out for another time");
        acknowledge(&mut partition, ticket);
    }
    assert_eq!((send(&mut partition, NODE), send(&mut partition, NODE)), (Some(3), Some(4)));
}

#[test]
fn a_new_leader_waits_for_the_answers_of_the_old_one() {
    let mut partition = partition(2);
    assert_eq!(send(&mut partition, NODE), Some(0));
    assert_eq!(send(&mut partition, NODE + 1), None);
    refuse(&mut partition, 0);
    assert_eq!(send(&mut partition, NODE + 1), Some(0));
}

#[test]
fn nothing_goes_before_its_time() {
    let mut partition = partition(1);
    let now = Instant::now();
    partition.not_before = Some(now + Duration::from_secs(60));
    assert_eq!(partition.next_to_send(now, NODE, MOST_IN_FLIGHT), None);
    assert_eq!(partition.next_to_send(now + Duration::from_secs(60), NODE, MOST_IN_FLIGHT), Some(0));
}

#[test]
fn sequences_turn_stay_with_their_records_and_begin_anew() {
    assert_eq!(add_to_sequence(i32::MAX - 4, 10), 5);
    let mut partition = Partition { next_sequence: i32::MAX - 4, ..Partition::default() };
    partition.push(closed(10), 0);
    partition.push(closed(10), 1);
    partition.replace(0, (closed(4), closed(6)), (2, 3));
    let sequences = |partition: &Partition| {
        partition.unacknowledged.iter().map(|batch| batch.sequence).collect::<Vec<_>>()
    };
    assert_eq!(sequences(&partition), [i32::MAX - 4, i32::MAX, 5]);
    partition.restart_sequence();
    assert_eq!((sequences(&partition), partition.next_sequence), (vec![0, 4, 10], 20));
}
