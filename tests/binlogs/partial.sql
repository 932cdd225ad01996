-- Recorded on MySQL 9.7.4 after RESET BINARY LOGS AND GTIDS; then FLUSH BINARY LOGS. Every update changes row 1 only, so
-- that the image before an update is what the server stored at the one before it.
create database p;
use p;
create table j(id int primary key, a json, n int, b json, t text, c json);
insert into j values(1, json_object('a b',1,'q"x',2,'é日😀',3,'back\\slash',4,'',5,'tab\tnl\n',6,'$x_1',7,'1a',8,'last',9,
  'arr',json_array(1,2,3,json_array(4)),'s',7,'null',null,'a.b',1,'[0]',2,'nul\0x',3,'pad',repeat('x',200)), 1, '[10,20,30]', 'text', null);
set session binlog_row_value_options=PARTIAL_JSON;
update j set a=json_set(a,'$."a b"',10,'$."q\\"x"',20,'$."é日😀"',30,'$."back\\\\slash"',40,'$.""',50,'$."tab\\tnl\\n"',60,'$."$x_1"',70,'$."1a"',80,'$."last"',90,'$."null"',100,'$."a.b"',11,'$."[0]"',12,'$."nul\\u0000x"',13);
update j set a=json_set(a,'$.arr[last]',1,'$.arr[last-1]',2,'$.s[0]',8,'$.arr[9]',5), b=json_set(b,'$[1]',21);
update j set a=json_set(a,'$.s[3]',8), n=2;
update j set n=3;
update j set a=json_remove(a,'$.arr[last]','$.arr[0]','$."a b"'), b=json_remove(b,'$[2]'), c='{"x":{"y":[1,{"z":"zz"}]}}';
update j set a=json_set(a,'$.d',cast(1.50 as decimal(5,2)),'$.t',cast('-1:2:3.5' as time(1)),'$.dt',cast('2024-01-01 00:00:00' as datetime),'$.b',x'00ff','$.new',json_object('k',json_array(1,'two',null,true,1.5,-70000,18446744073709551615)));
update j set a=json_set(a,'$.new.k[1]','zwei','$.new.k[6].x',1,'$.new.l',json_object(),'$.new.l.m',json_array(),'$.new.l.m[0]',7,'$.new.l.m[1]',8,'$.new.l.m[0]',json_array(9)), c=json_set(c,'$.x.y[1].z','z','$.x.y[1].w',1);
update j set b=null, c=json_replace(c,'$.x.y[0]',false);
update j set b='{"whole":"new"}', t='other';
set session binlog_row_image=NOBLOB;
update j set b=json_set(b,'$.whole',1);
update j set t='third', b=json_remove(b,'$.whole');
set session binlog_row_image=FULL;
set session binlog_transaction_compression=ON;
update j set c=json_set(c,'$.big',repeat('y',66000));
update j set c=json_set(c,'$.x.y[0]',1,'$.small','s');
update j set c=json_remove(c,'$.big'), a=json_remove(a,'$.pad');
update j set c=json_set(c,'$.x.y[1].w',2);
delete from j;
set session binlog_transaction_compression=OFF;
set session binlog_row_image=NOBLOB;
create table nokey(a int, t text, j json);
insert into nokey values(1,'one','[1]');
update nokey set a=2;
create table textkey(t varchar(20) not null, k text not null, v int, primary key(k(5)));
insert into textkey values('x','key',1);
update textkey set v=2;
update textkey set k='other';
