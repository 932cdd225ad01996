//! GTID sets of MySQL (tagged ones too) and MariaDB.
