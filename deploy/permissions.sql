-- The least that a connector needs: put a password in place of PASSWORD, and the host that Tidewire runs on in place of %.
--   SELECT                               the snapshot's rows; can be given per captured database instead (db.*)
--   RELOAD                               FLUSH TABLES WITH READ LOCK, the short global lock at a snapshot's start
--   SHOW DATABASES                       to see the names of databases
--   REPLICATION SLAVE                    to receive the binlog
--   REPLICATION CLIENT                   SHOW BINARY LOG STATUS, SHOW BINARY LOGS
--   LOCK TABLES                          only where the server refuses the global lock (managed services) and tables are locked one by one
CREATE USER 'tidewire'@'%' IDENTIFIED BY 'PASSWORD';
GRANT SELECT, RELOAD, SHOW DATABASES, REPLICATION SLAVE, REPLICATION CLIENT, LOCK TABLES ON *.* TO 'tidewire'@'%';
