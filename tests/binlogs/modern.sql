-- After types.sql: what MySQL 9.7 adds: compression, vectors, partial JSON, full metadata, tagged GTIDs.
use types;
set session binlog_transaction_compression=1;
insert into n(id) values(11),(12); begin; insert into s(id,c) values(2,'q'); update s set v='w' where id=2; delete from s where id=2; commit;
set session binlog_transaction_compression=0;
create table mv(id int primary key, j json, index mvi((cast(j->'$.a' as unsigned array))), index f((id+1)), k varchar(5) invisible);
insert into mv(id,j) values(1,'{"a":[1,2,3]}'); update mv set j='{"a":[5]}' ; 
create table vec(id int primary key, v vector(3)); insert into vec values(1, to_vector('[1,2,3]'));
set session binlog_row_value_options=PARTIAL_JSON; update j set j=json_set(j,'$.k[0]',5) where id=2; set session binlog_row_value_options='';
set global binlog_row_metadata=FULL; create table fm(id int primary key, e enum('a','b') character set latin1, s set('x','y'), u int unsigned, n varchar(10), nl varchar(10) charset latin1, g point, v vector(4)); insert into fm(id,u) values(1,3);
set gtid_next='automatic:tag_q'; insert into fm(id) values(2); set gtid_next='automatic';
