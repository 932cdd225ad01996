//! The shop of the demonstration: its tables, its first rows, and what its customers do.

use std::time::Duration;

use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;

/// Its database.
pub(super) const DATABASE: &str = "tidewire_demo";
/// Its tables, each with the columns that are compared; the first is the key.
pub(super) const TABLES: [(&str, &[&str]); 2] = [
    ("customers", &["id", "name", "email", "since"]),
    ("orders", &["id", "customer", "total", "state", "placed"]),
];
/// Changes that the shop makes when nobody asked to follow it.
pub(super) const CHANGES: u64 = 30;
/// Between two changes.
pub(super) const PAUSE: Duration = Duration::from_millis(120);

/// Makes the shop's tables and first rows.
pub(super) fn open_shop(shop: &mut Connection) -> Result<(), MySqlError> {
    for statement in [
        format!("DROP DATABASE IF EXISTS {DATABASE}"),
        format!("CREATE DATABASE {DATABASE} CHARACTER SET utf8mb4"),
        format!(
            "CREATE TABLE {DATABASE}.customers (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(60) NOT NULL, \
             email VARCHAR(80), since DATE)"
        ),
        format!(
            "CREATE TABLE {DATABASE}.orders (id BIGINT PRIMARY KEY AUTO_INCREMENT, customer INT NOT NULL, \
             total DECIMAL(10,2) NOT NULL, state ENUM('new','paid','sent') NOT NULL DEFAULT 'new', placed DATETIME(3))"
        ),
        format!(
            "INSERT INTO {DATABASE}.customers (name, email, since) VALUES \
             ('Ada','ada@shop.test','2024-02-29'),('Bo','bo@shop.test','2025-01-01'),('Cleo',NULL,'2026-11-01')"
        ),
    ] {
        shop.execute(&statement)?;
    }
    Ok(())
}

/// One change: customers order, pay, move and cancel by turns.
pub(super) fn change(n: u64) -> String {
    match n % 5 {
        0 | 1 => format!(
            "INSERT INTO {DATABASE}.orders (customer, total, placed) VALUES ({}, {}.{:02}, NOW(3))",
            n % 3 + 1,
            10 + n * 7 % 90,
            n * 13 % 100
        ),
        2 => format!("UPDATE {DATABASE}.orders SET state='paid' WHERE state='new' ORDER BY id LIMIT 1"),
        3 => format!("UPDATE {DATABASE}.customers SET email='c{n}@shop.test' WHERE id={}", n % 3 + 1),
        _ => format!("DELETE FROM {DATABASE}.orders ORDER BY id LIMIT 1"),
    }
}
