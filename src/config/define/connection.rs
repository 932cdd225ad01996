//! How the server is reached, and who the connector is.

use crate::config::check;
use crate::config::define::{ConfigDef, Kind};

/// The rows.
pub(super) const ROWS: &[ConfigDef] = &[
    ConfigDef::needed(
        "connector.class",
        Kind::Class,
        "the connector: io.debezium.connector.mysql.MySqlConnector",
    )
    .checked(check::CONNECTOR_CLASS),
    ConfigDef::optional(
        "name",
        Kind::Text,
        "the connector's name, part of the key of its stored offset; else topic.prefix",
    )
    .high(),
    ConfigDef::with("tasks.max", Kind::Int, "1", "the number of tasks, always 1").checked(check::ONE_TASK),
    ConfigDef::needed(
        "topic.prefix",
        Kind::Text,
        "the logical name of the server, the first part of every topic",
    )
    .checked(check::TOPIC_NAME),
    ConfigDef::needed("database.hostname", Kind::Text, "host name or address of the server")
        .checked(check::HOST_NAME),
    ConfigDef::with("database.port", Kind::Int, "3306", "port of the server").high().checked(check::PORT),
    ConfigDef::needed("database.user", Kind::Text, "user name"),
    ConfigDef::optional("database.password", Kind::Password, "password").high(),
    ConfigDef::needed(
        "database.server.id",
        Kind::Long,
        "replica id, unique among all replicas of the server",
    )
    .checked(check::SERVER_ID),
    ConfigDef::with("database.server.id.offset", Kind::Long, "10000", "unused by Debezium").harmless(),
    ConfigDef::with(
        "database.query.timeout.ms",
        Kind::Int,
        "600000",
        "time limit of a query in ms, 0 is none",
    )
    .checked(check::NON_NEGATIVE_INT),
    ConfigDef::optional(
        "database.initial.statements",
        Kind::Text,
        "statements run on each query connection, separated by semicolons; ;; is a literal one",
    ),
    ConfigDef::with("connect.timeout.ms", Kind::Int, "30000", "time limit of connecting in ms")
        .medium()
        .checked(check::POSITIVE_INT),
    ConfigDef::with(
        "connect.keep.alive",
        Kind::Boolean,
        "true",
        "whether a lost binlog connection is made again",
    )
    .no_effect(),
    ConfigDef::with(
        "connect.keep.alive.interval.ms",
        Kind::Long,
        "60000",
        "the server sends a heartbeat every 0.8 of it, in ms",
    )
    .checked(check::POSITIVE_LONG),
    ConfigDef::with(
        "connection.validation.timeout.ms",
        Kind::Long,
        "60000",
        "time limit of validation in ms",
    )
    .harmless(),
    ConfigDef::with(
        "use.nongraceful.disconnect",
        Kind::Boolean,
        "false",
        "close the binlog socket with a reset",
    )
    .no_effect(),
    ConfigDef::with(
        "binlog.net.write.timeout",
        Kind::Long,
        "0",
        "net_write_timeout of the binlog connection in s",
    )
    .no_effect(),
    ConfigDef::with(
        "binlog.net.read.timeout",
        Kind::Long,
        "0",
        "net_read_timeout of the binlog connection in s",
    )
    .no_effect(),
    ConfigDef::with("executor.shutdown.timeout.ms", Kind::Long, "4000", "about threads of the JVM")
        .harmless(),
    ConfigDef::with(
        "database.ssl.mode",
        Kind::Word {
            allowed: &["verify_identity", "disabled", "preferred", "required", "verify_ca"],
            later: &[],
        },
        "preferred",
        "whether the connection is encrypted and how the server's certificate is checked",
    )
    .medium(),
    ConfigDef::optional(
        "database.ssl.keystore",
        Kind::Text,
        "a Java key store; use tidewire.ssl.cert and tidewire.ssl.key",
    )
    .not_yet(),
    ConfigDef::optional("database.ssl.keystore.password", Kind::Password, "password of the key store")
        .harmless(),
    ConfigDef::optional("database.ssl.truststore", Kind::Text, "a Java trust store; use tidewire.ssl.ca")
        .not_yet(),
    ConfigDef::optional("database.ssl.truststore.password", Kind::Password, "password of the trust store")
        .harmless(),
    ConfigDef::optional(
        "tidewire.ssl.ca",
        Kind::Text,
        "a PEM file with the trusted authorities; else the system's",
    )
    .medium(),
    ConfigDef::optional("tidewire.ssl.cert", Kind::Text, "a PEM file with the client certificate"),
    ConfigDef::optional("tidewire.ssl.key", Kind::Text, "a PEM file with the client certificate's key"),
    ConfigDef::with("database.jdbc.driver", Kind::Class, "com.mysql.cj.jdbc.Driver", "about JDBC").harmless(),
    ConfigDef::with("database.protocol", Kind::Text, "jdbc:mysql", "about JDBC").harmless(),
    ConfigDef::optional(
        "driver.connectionTimeZone",
        Kind::Text,
        "session time zone of JDBC; TIMESTAMP is read in UTC whatever it is",
    )
    .no_effect(),
    ConfigDef::optional("driver.*", Kind::Text, "properties of the JDBC driver").no_effect(),
    ConfigDef::optional(
        "database.allowPublicKeyRetrieval",
        Kind::Text,
        "about JDBC; the key is retrieved as needed",
    )
    .harmless(),
    ConfigDef::with(
        "database.connectionTimeZone",
        Kind::Text,
        "SERVER",
        "session time zone of JDBC; TIMESTAMP is read in UTC whatever it is",
    )
    .no_effect(),
    ConfigDef::with("read.only", Kind::Boolean, "false", "no writes to the signal table").no_effect(),
];
